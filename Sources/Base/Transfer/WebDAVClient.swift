import Bytes
public import Work

/// One thing in a folder on a WebDAV server.
public struct WebDAVEntry: Sendable, Equatable {
    /// From the client's root, decoded, without a slash at either end.
    public var path: String
    public var isFolder: Bool
    public var byteCount: Int64?
    public var entityTag: String?
    public var mediaType: String?
    /// As the server wrote it (RFC 9110 date); kept as text because it is only ever compared.
    public var modified: String?

    public var name: String { path.split(separator: "/").last.map(String.init) ?? "" }
}

/// Files on a WebDAV server (RFC 4918): Nextcloud, a NAS, Apache.
///
/// Paths are plain text below `root`, `letters/Ana's file.pdf`; coding them is done here.
public struct WebDAVClient: Sendable {
    private let http: HTTPClient
    private let root: WebAddress
    private let authorization: String?

    /// The address was set up by the owner, so the client passed in decides what may be reached.
    public init(
        root: String, userName: String? = nil, password: String? = nil, over http: HTTPClient
    ) throws(TransferError) {
        self.http = http
        self.root = try WebAddress(root)
        authorization = userName.map { "Basic " + Base64.encode(Array("\($0):\(password ?? "")".utf8)) }
    }

    /// What lies in a folder, the folder itself left out.
    public func list(_ path: String = "", limit: Int = 100_000) throws(TransferError) -> [WebDAVEntry] {
        let question =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><propfind xmlns=\"DAV:\"><prop><resourcetype/>"
            + "<getcontentlength/><getetag/><getcontenttype/><getlastmodified/></prop></propfind>"
        let answer = try send(
            "PROPFIND", folder(path),
            [("Depth", "1"), ("Content-Type", "application/xml; charset=utf-8")],
            .bytes(Array(question.utf8)),
            into: .memory(limit: 64 << 20))
        guard answer.status == 207 else { throw refusal(answer) }
        let here = path.trimmingSlashes
        return try entries(answer.body, limit: limit).filter { $0.path != here }
    }

    public func get(
        _ path: String, into destination: Destination, progress: Progress? = nil
    ) throws(TransferError) -> HTTPAnswer {
        let answer = try send("GET", address(path), [], .none, into: destination, progress)
        guard answer.status == 200 else { throw refusal(answer) }
        return answer
    }

    /// Stores a file and gives its new entity tag if the server tells. With `replacing` it is stored only over
    /// exactly that version, with an empty one only where there is nothing yet; otherwise the answer is 412.
    @discardableResult
    public func put(
        _ path: String, _ body: Upload, mediaType: String = "application/octet-stream",
        replacing: String? = nil, progress: Progress? = nil
    ) throws(TransferError) -> String? {
        var headers = [("Content-Type", mediaType)]
        if let replacing {
            headers.append(replacing.isEmpty ? ("If-None-Match", "*") : ("If-Match", replacing))
        }
        let answer = try send("PUT", address(path), headers, body, progress)
        guard answer.isSuccess else { throw refusal(answer) }
        return answer.header("ETag")
    }

    /// Removes a file or a whole folder; that it was not there is no error.
    public func delete(_ path: String) throws(TransferError) {
        let answer = try send("DELETE", address(path), [], .none)
        // 207 says that parts of a folder could not be removed (RFC 4918 §9.6.1).
        guard answer.status == 404 || answer.isSuccess && answer.status != 207 else { throw refusal(answer) }
    }

    /// Makes a folder; that it was there already is no error.
    public func makeFolder(_ path: String) throws(TransferError) {
        let answer = try send("MKCOL", folder(path), [], .none)
        guard answer.isSuccess || answer.status == 405 else { throw refusal(answer) }
    }

    public func move(_ path: String, to target: String, overwriting: Bool = false) throws(TransferError) {
        let headers = [("Destination", address(target)), ("Overwrite", overwriting ? "T" : "F")]
        let answer = try send("MOVE", address(path), headers, .none)
        guard answer.isSuccess, answer.status != 207 else { throw refusal(answer) }
    }

    private func send(
        _ method: String, _ url: String, _ headers: [(String, String)], _ body: Upload,
        into destination: Destination = .memory(limit: 1 << 20), _ progress: Progress? = nil
    ) throws(TransferError) -> HTTPAnswer {
        var call = HTTPCall(method, url, headers: headers, body: body)
        if let authorization { call.headers.append((name: "Authorization", value: authorization)) }
        return try http.send(call, into: destination, progress: progress)
    }

    private func address(_ path: String) -> String {
        let base = root.text.hasSuffix("/") ? String(root.text.dropLast()) : root.text
        return base + "/" + PercentText.encode(path.trimmingSlashes, keepingSlashes: true)
    }

    private func folder(_ path: String) -> String {
        let url = address(path)
        return url.hasSuffix("/") ? url : url + "/"
    }

    private func refusal(_ answer: HTTPAnswer) -> TransferError {
        .answer(
            status: answer.status, words: String(decoding: answer.body.prefix(300), as: UTF8.self).printable)
    }

    private func entries(_ body: [UInt8], limit: Int) throws(TransferError) -> [WebDAVEntry] {
        let document: XMLNode
        do { document = try XMLNode.root(of: body) } catch {
            throw .malformedAnswer("\(error.reason) at byte \(error.offset)")
        }
        guard document.name == XMLScanner.Name(namespace: "DAV:", local: "multistatus") else {
            throw .malformedAnswer("it is no list of files")
        }
        let responses = document.children("response", in: "DAV:")
        guard responses.count <= limit else {
            throw .malformedAnswer("the folder holds more than \(limit) files")
        }
        return responses.compactMap(entry)
    }

    /// Nil for what lies outside our root or cannot be named; a server may mention anything.
    private func entry(_ response: XMLNode) -> WebDAVEntry? {
        guard let reference = response.value("href", in: "DAV:"), let path = path(of: reference) else {
            return nil
        }
        let found = response.children("propstat", in: "DAV:")
            .filter { $0.value("status", in: "DAV:")?.split(separator: " ").dropFirst().first == "200" }
            .compactMap { $0.child("prop", in: "DAV:") }
        func value(_ name: String) -> String? {
            found.lazy.compactMap { $0.value(name, in: "DAV:") }.first { !$0.isEmpty }
        }
        let isFolder = found.contains {
            $0.child("resourcetype", in: "DAV:")?.child("collection", in: "DAV:") != nil
        }
        return WebDAVEntry(
            path: path, isFolder: isFolder,
            byteCount: value("getcontentlength").flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 },
            entityTag: value("getetag"), mediaType: value("getcontenttype"),
            modified: value("getlastmodified"))
    }

    private func path(of reference: String) -> String? {
        let absolute = reference.hasPrefix("/") ? reference : (try? WebAddress(reference))?.path
        guard let absolute, let path = PercentText.decode(absolute), let base = PercentText.decode(root.path)
        else {
            return nil
        }
        let prefix = base.trimmingSlashes
        let inside = path.trimmingSlashes
        let rest: Substring
        if prefix.isEmpty {
            rest = inside[...]
        } else if inside == prefix {
            rest = ""
        } else if inside.hasPrefix(prefix + "/") {
            rest = inside.dropFirst(prefix.count + 1)
        } else {
            return nil
        }
        let isSafe = rest.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            $0 != "." && $0 != ".."
        }
        return isSafe && !rest.utf8.contains(0) ? String(rest) : nil
    }
}

extension String {
    var trimmingSlashes: String {
        var rest = self[...].drop { $0 == "/" }
        while rest.last == "/" { rest = rest.dropLast() }
        return String(rest)
    }
}
