public import Transfer
import Bytes
public import Work

/// A folder on a WebDAV server: Nextcloud, a NAS, nginx, Apache.
public struct WebDAVShelf: SyncShelf {
    private let client: WebDAVClient
    private let chance: Chance
    private let made = Made()

    public init(_ client: WebDAVClient, chance: Chance = .system) {
        self.client = client
        self.chance = chance
    }

    public func names(in folder: String) throws -> [String] {
        try explained(folder) { () throws(TransferError) in try list(folder, depth: 0) }
    }

    private func list(_ folder: String, depth: Int) throws(TransferError) -> [String] {
        let entries: [WebDAVEntry]
        do { entries = try client.list(folder) } catch {
            if case .answer(404, _) = error, depth > 0 || folder != "" {
                // No such folder, or no such server: its root tells.
                _ = try client.list()
                return []
            }
            throw error
        }
        var names: [String] = []
        for entry in entries where depth < 6 {
            if entry.isFolder {
                names += try list(entry.path, depth: depth + 1)
            } else if !entry.path.hasSuffix(".part") {
                names.append(entry.path)
            }
        }
        return names.sorted()
    }

    public func fetch(_ name: String, into destination: Destination) throws {
        _ = try explained(name) { () throws(TransferError) in try client.get(name, into: destination) }
    }

    /// Sent under another name and given its own when it is whole; a server refuses that where something lies already.
    public func lay(_ name: String, _ body: Upload) throws -> Bool {
        let draft = "drafts/\(Hex.encode(chance.bytes(12))).part"
        return try explained(name) { () throws(TransferError) -> Bool in
            try makeFolders(for: draft)
            try makeFolders(for: name)
            do throws(TransferError) {
                try client.put(draft, body)
                try client.move(draft, to: name)
                return true
            } catch {
                if case .answer(412, _) = error {
                    try? client.delete(draft)
                    return false
                }
                if case .answer(409, _) = error { made.forget() }
                try? client.delete(draft)
                throw error
            }
        }
    }

    public func remove(_ name: String) throws {
        try explained(name) { () throws(TransferError) in try client.delete(name) }
    }

    private func makeFolders(for name: String) throws(TransferError) {
        var path = ""
        for part in name.split(separator: "/").dropLast() {
            path += path.isEmpty ? "\(part)" : "/\(part)"
            guard !made.contains(path) else { continue }
            do throws(TransferError) {
                try client.makeFolder(path)
            } catch {
                // Nothing to lay it in: the folder somebody named is not there yet.
                switch error {
                case .answer(409, _), .answer(404, _): break
                default: throw error
                }
                try client.makeFolder("")
                try client.makeFolder(path)
            }
            made.add(path)
        }
    }
}

/// Turns what a transfer says into what it means for the place.
func explained<R>(_ name: String, _ body: () throws(TransferError) -> R) throws -> R {
    do { return try body() } catch { throw SyncTrouble(error, name) }
}

extension SyncTrouble {
    /// Everybody on the desk may read it, so nothing of what the other side wrote stands in it.
    init(_ error: TransferError, _ name: String) {
        switch error {
        case .answer(404, _), .answer(410, _): self = .missing(name)
        case .answer(401, _), .answer(403, _):
            self = .refused(
                "The other side does not let this desk in. Are user name and password right? (\(error.kind))")
        case .answer(507, _), .answer(413, _): self = .full("The other side has no room: \(error.kind).")
        case .answer(let status, _) where [408, 409, 423, 425, 429].contains(status) || status >= 500:
            self = .away("The other side cannot answer just now: \(error.kind).")
        case .answer, .invalidAddress, .invalidRequest, .certificate, .tooManyRedirects, .redirectRefused,
            .forbiddenAddress:
            self = .refused("The other side does not do what is needed: \(error.kind).")
        case .tooLarge: self = .damaged("What came is larger than it may be.")
        case .nameNotFound, .unreachable, .timedOut, .broken, .malformedAnswer, .local, .cancelled:
            self = .away("The other side cannot be reached: \(error.kind).")
        }
    }
}
