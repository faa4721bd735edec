import Bytes
import Glibc
import SQL
public import Storage
public import Transfer
import Work

/// What other Quires lay on this very desk, and what it lays there for them: letters and files in its own store, so that a
/// backup holds them and a paper that is here anyway lies here once.
public struct DeskShelf: SyncShelf {
    private let store: Store

    public init(_ store: Store) { self.store = store }

    /// Whether something may lie under this name: the sign, or a letter, a file or a wish for one.
    public static func isGood(_ name: String) -> Bool {
        if name == SyncRun.sign { return true }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, isGood(folder: String(parts[0])) else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...128).contains(part.utf8.count) && part.first != "."
                && part.utf8.allSatisfy { $0 == UInt8(ascii: ".") || isLetterOrDigit($0) }
        }
    }

    public static func isGood(folder: String) -> Bool {
        [SyncLetter.folder, SyncRun.files, SyncRun.wanted].contains(folder)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    public func names(in folder: String) throws -> [String] {
        guard Self.isGood(folder: folder) else { return [] }
        return try store.read { desk in
            try desk.rows("SELECT name FROM sync_thing WHERE name LIKE \(folder + "/%")").map {
                try $0.text("name")
            }
        }.sorted()
    }

    /// Where it lies; nil when nothing lies there.
    public func path(of name: String) throws -> String? {
        let digest = try store.read { desk -> Digest? in
            try desk.row("SELECT digest FROM sync_thing WHERE name = \(name)").flatMap {
                Digest(try $0.text("digest"))
            }
        }
        return try digest.map { try store.blobs.path(of: $0) }
    }

    public func fetch(_ name: String, into destination: Destination) throws {
        guard let path = try path(of: name) else { throw SyncTrouble.missing(name) }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SyncTrouble.missing(name) }
        defer { close(file) }
        try FolderShelf.copy(from: file, to: destination) { code in
            .away("This desk has trouble with its own disk: \(systemMessage(code)).")
        }
    }

    public func lay(_ name: String, _ body: Upload) throws -> Bool {
        guard Self.isGood(name) else { throw SyncTrouble.refused("Nothing is laid under “\(name)”.") }
        guard try path(of: name) == nil else { return false }
        let digest = try shelved(name, body)
        return try store.write { tx in
            try tx.keep(digest)
            return try tx.run(
                """
                INSERT INTO sync_thing (name, digest, laid_at) VALUES (\(name), \(digest), \(tx.now))
                ON CONFLICT DO NOTHING
                """) == 1
        }
    }

    /// Lays what another Quire brings. It is looked at even when the desk has such a file already: whoever only knows
    /// the name of a file must not get it by laying something else under it.
    public func take(_ name: String, _ body: Upload) throws -> Bool {
        if let promised = Self.promised(name), store.blobs.contains(promised) {
            let brought: Digest? =
                switch body {
                case .bytes(let bytes): Digest(of: bytes)
                case .file(let path): try Digest(ofFile: path)
                case .none, .stream: nil
                }
            guard brought == promised else { throw SyncTrouble.damaged("The file did not come whole.") }
        }
        return try lay(name, body)
    }

    public func remove(_ name: String) throws {
        try store.write { tx in _ = try tx.run("DELETE FROM sync_thing WHERE name = \(name)") }
    }

    /// A file has to be what its name says, so that nobody lays half of one.
    private func shelved(_ name: String, _ body: Upload) throws -> Digest {
        let promised = Self.promised(name)
        if let promised, store.blobs.contains(promised) { return promised }
        let digest: Digest
        switch body {
        case .bytes(let bytes): digest = try store.blobs.put(bytes)
        case .file(let path): digest = try store.blobs.put(file: path)
        case .none, .stream: throw SyncTrouble.damaged("There is nothing to lay.")
        }
        guard !name.hasPrefix("\(SyncRun.files)/") || digest == promised else {
            throw SyncTrouble.damaged("The file did not come whole.")
        }
        return digest
    }

    /// What a file is by its name.
    private static func promised(_ name: String) -> Digest? {
        let parts = name.split(separator: "/")
        return parts.count == 3 && parts[0] == SyncRun.files ? Digest(String(parts[2])) : nil
    }
}
