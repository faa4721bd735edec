import Bytes
import Transfer

/// The shelf of another Quire, which keeps in step with it itself.
struct QuireShelf: SyncShelf {
    private let http: HTTPClient
    private let root: String
    private let key: String

    /// Files larger than this are asked for before they are sent.
    private static let large: Int64 = 256 << 10

    init(_ address: String, key: String, over http: HTTPClient) {
        root = (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/shelf"
        self.key = key
        self.http = http
    }

    /// Whose place it is: the other side's own id for it.
    func greet() throws -> String {
        let answer = try list("letters")
        guard let id = answer["place"]?.string else { throw Self.noQuire }
        return id
    }

    func names(in folder: String) throws -> [String] {
        try (list(folder)["names"]?.array ?? []).compactMap(\.string).filter { $0.hasPrefix(folder + "/") }
    }

    func fetch(_ name: String, into destination: Destination) throws {
        let answer = try send("GET", name, into: destination)
        guard answer.status == 200 else { throw trouble(answer, name) }
    }

    func lay(_ name: String, _ body: Upload) throws -> Bool {
        if case .file(let path) = body, FolderShelf.byteCount(path) > Self.large {
            let there = try send("HEAD", name)
            if there.status == 200 { return false }
            guard there.status == 404 else { throw trouble(there, name) }
        }
        let answer = try send("PUT", name, body)
        switch answer.status {
        case 201: return true
        case 200: return false
        default: throw trouble(answer, name)
        }
    }

    func remove(_ name: String) throws {
        let answer = try send("DELETE", name)
        guard answer.isSuccess || answer.status == 404 else { throw trouble(answer, name) }
    }

    private func list(_ folder: String) throws -> JSON {
        let answer = try send("GET", "?in=\(folder)", into: .memory(limit: 256 << 20))
        guard answer.isSuccess else {
            if answer.status == 404 { throw Self.noQuire }
            throw trouble(answer, folder)
        }
        guard let json = try? JSON(parsing: answer.body), json["quire"]?.string == "shelf" else {
            throw Self.noQuire
        }
        guard json["format"]?.integer == 1 else {
            throw SyncTrouble.refused("The other Quire is newer than this one. Update this one.")
        }
        return json
    }

    private func send(
        _ method: String, _ name: String, _ body: Upload = .none,
        into destination: Destination = .memory(limit: 1 << 20)
    ) throws -> HTTPAnswer {
        let address = name.hasPrefix("?") ? root + name : "\(root)/\(name)"
        var headers = [("Authorization", "Bearer \(key)"), ("Accept", "application/json, */*")]
        if case .none = body {} else { headers.append(("Content-Type", "application/octet-stream")) }
        var call = HTTPCall(method, address, headers: headers, body: body)
        // The key is for the desk it was made on, and for nobody it points to.
        call.followsRedirects = false
        return try explained(name) { () throws(TransferError) in try http.send(call, into: destination) }
    }

    private static let noQuire = SyncTrouble.refused(
        "There is no Quire at this address, or one too old to keep in step with. Is the address right?")

    /// In our words: what answers there may be any machine of the network this desk stands in.
    private func trouble(_ answer: HTTPAnswer, _ name: String) -> SyncTrouble {
        switch answer.status {
        case 401:
            .refused(
                "The other Quire does not know this key any more. Ask for a new code there, remove this place and add it again."
            )
        case 300..<400: Self.noQuire
        case 403: .refused("The other Quire does not let this desk in.")
        case 409:
            .refused("The other desk keeps in step with no other Quire any more. Ask there for a new code.")
        case 421:
            .refused(
                "The other Quire does not answer to this name. Is the address the one it is opened with in a browser?"
            )
        default: SyncTrouble(.answer(status: answer.status, words: ""), name)
        }
    }
}
