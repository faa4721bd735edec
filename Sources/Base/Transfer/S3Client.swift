import Bytes
import Crypto
public import Work

/// Where an S3 store is and which bucket is meant.
public struct S3Account: Sendable {
    public enum Addressing: String, Sendable, CaseIterable {
        /// `https://store/bucket/key`: MinIO, Garage, Ceph.
        case path
        /// `https://bucket.store/key`: Amazon.
        case host
    }

    public var endpoint: String
    public var bucket: String
    public var addressing: Addressing
    public var signer: S3Signer

    public init(endpoint: String, bucket: String, addressing: Addressing = .path, signer: S3Signer) {
        self.endpoint = endpoint
        self.bucket = bucket
        self.addressing = addressing
        self.signer = signer
    }
}

/// An object as a listing or a HEAD shows it.
public struct S3Object: Sendable, Equatable {
    public var key: String
    public var byteCount: Int64
    public var entityTag: String?
}

/// Keeps objects in an S3 store. Bodies stream from and to files.
public struct S3Client: Sendable {
    private let http: HTTPClient
    private let account: S3Account
    private let clock: Clock
    private let base: WebAddress
    private let host: String
    private let prefix: String

    public init(_ account: S3Account, over http: HTTPClient, clock: Clock = .system) throws(TransferError) {
        guard (3...63).contains(account.bucket.utf8.count),
            account.bucket.unicodeScalars.allSatisfy({
                switch $0 {
                case "0"..."9", "A"..."Z", "a"..."z", ".", "-", "_": true
                default: false
                }
            })
        else { throw .invalidAddress("\(account.bucket.printable), as a bucket's name,") }
        self.http = http
        self.account = account
        self.clock = clock
        base = try WebAddress(account.endpoint)
        let folder = "/" + base.path.trimmingSlashes
        switch account.addressing {
        case .path:
            host = base.authority
            prefix = (folder == "/" ? "" : folder) + "/" + account.bucket
        case .host:
            host = "\(account.bucket).\(base.authority)"
            prefix = folder == "/" ? "" : folder
        }
    }

    /// Stores an object. `digest` is the body's SHA-256 as hex where it is known already; a file is otherwise
    /// read once to compute it and a second time to send it. With `onlyNew` a store that knows the condition answers 412
    /// where there is such an object already.
    public func put(
        _ key: String, _ body: Upload, mediaType: String = "application/octet-stream", digest: String? = nil,
        onlyNew: Bool = false, progress: Progress? = nil
    ) throws(TransferError) {
        var known = digest ?? ""
        if known.isEmpty { known = try Self.digest(of: body) }
        let condition = onlyNew ? [("if-none-match", "*")] : []
        let answer = try send(
            "PUT", key, headers: [("content-type", mediaType)] + condition, body: body, bodyDigest: known,
            progress: progress)
        guard answer.isSuccess else { throw refusal(answer) }
    }

    public func get(
        _ key: String, into destination: Destination, progress: Progress? = nil
    ) throws(TransferError) -> HTTPAnswer {
        let answer = try send("GET", key, into: destination, progress: progress)
        guard answer.status == 200 else { throw refusal(answer) }
        return answer
    }

    /// Nil if there is no such object.
    public func head(_ key: String) throws(TransferError) -> S3Object? {
        let answer = try send("HEAD", key)
        if answer.status == 404 { return nil }
        guard answer.isSuccess, let count = answer.header("Content-Length").flatMap({ Int64($0) }) else {
            throw refusal(answer)
        }
        return S3Object(key: key, byteCount: count, entityTag: answer.header("ETag"))
    }

    /// That it was not there is no error.
    public func delete(_ key: String) throws(TransferError) {
        let answer = try send("DELETE", key)
        guard answer.isSuccess || answer.status == 404 else { throw refusal(answer) }
    }

    /// Every object whose key starts with `prefix`, a page of the store's at a time.
    public func list(
        prefix: String = "", progress: Progress? = nil, _ each: ([S3Object]) throws -> Void
    ) throws {
        var token: String?
        while true {
            var query = [("list-type", "2"), ("prefix", prefix)]
            if let token { query.append(("continuation-token", token)) }
            let answer = try send(
                "GET", nil, query: query, into: .memory(limit: 16 << 20), progress: progress)
            guard answer.status == 200 else { throw refusal(answer) }
            let page = try Self.page(answer.body)
            try each(page.objects)
            guard let next = page.next else { return }
            guard next != token else { throw TransferError.malformedAnswer("the list turns in a circle") }
            token = next
        }
    }

    private func send(
        _ method: String, _ key: String?, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: Upload = .none, bodyDigest: String = Self.emptyDigest,
        into destination: Destination = .memory(limit: 1 << 20), progress: Progress? = nil
    ) throws(TransferError) -> HTTPAnswer {
        guard key.map({ !$0.isEmpty && $0.utf8.count <= 1024 }) ?? true else {
            throw .invalidRequest("an object's key has 1 to 1024 bytes")
        }
        let path = prefix + (key.map { "/" + PercentText.encode($0, keepingSlashes: true) } ?? "")
        let signed = account.signer.headers(
            method: method, host: host, path: path.isEmpty ? "/" : path, query: query, headers: headers,
            bodyDigest: bodyDigest, at: clock.now())
        let text = query.isEmpty ? "" : "?" + S3Signer.canonicalQuery(query)
        var call = HTTPCall(
            method, "\(base.scheme)://\(host)\(path.isEmpty ? "/" : path)\(text)", headers: signed, body: body
        )
        // A signature holds for one host and path; a forwarded request would be refused anyway.
        call.followsRedirects = false
        return try http.send(call, into: destination, progress: progress)
    }

    private static let emptyDigest = Hex.encode(SHA256.hash([]))

    private static func digest(of body: Upload) throws(TransferError) -> String {
        if case .bytes(let bytes) = body { return Hex.encode(SHA256.hash(bytes)) }
        let reader = try UploadReader(body)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 1)
        defer { room.deallocate() }
        var stream = SHA256Stream()
        while true {
            guard let count = reader.read(into: room) else {
                throw reader.failure ?? .invalidRequest("the body cannot be read")
            }
            if count == 0 { return Hex.encode(stream.finish()) }
            stream.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
    }

    /// The store's own words where it sent any (`<Error><Code>…`).
    private func refusal(_ answer: HTTPAnswer) -> TransferError {
        let document = try? XMLNode.root(of: answer.body, maximumNodes: 100)
        let words = [document?.value("Code"), document?.value("Message")].compactMap(\.self)
        return .answer(status: answer.status, words: words.joined(separator: ": ").printable)
    }

    /// Codes that tell a person what to do. Others may be words of anything that answers there.
    private static let knownCodes: Set<String> = [
        "AccessDenied", "AuthorizationHeaderMalformed", "InvalidAccessKeyId", "InvalidBucketName",
        "NoSuchBucket",
        "PermanentRedirect", "QuotaExceeded", "RequestTimeTooSkewed", "SignatureDoesNotMatch", "SlowDown",
    ]

    /// The code at the beginning of a store's words, if it is one that stores use.
    static func knownCode(in words: String) -> String? {
        let code = String(words.prefix { $0 != ":" })
        return knownCodes.contains(code) ? code : nil
    }

    static func page(_ body: [UInt8]) throws(TransferError) -> (objects: [S3Object], next: String?) {
        let document: XMLNode
        do { document = try XMLNode.root(of: body) } catch {
            throw .malformedAnswer("\(error.reason) at byte \(error.offset)")
        }
        guard document.name.local == "ListBucketResult" else {
            throw .malformedAnswer("it is no list of objects")
        }
        var objects: [S3Object] = []
        for entry in document.children("Contents") {
            // Not `value`: a key may begin or end with a space.
            guard let key = entry.child("Key")?.text, let size = entry.value("Size").flatMap({ Int64($0) }),
                size >= 0
            else { throw .malformedAnswer("an object has no key or no size") }
            objects.append(S3Object(key: key, byteCount: size, entityTag: entry.value("ETag")))
        }
        let isMore = document.value("IsTruncated") == "true"
        return (objects, isMore ? document.value("NextContinuationToken") : nil)
    }
}
