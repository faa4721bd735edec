import Bytes
import Glibc
import SQL
import Storage
import Transfer
import Work

extension SyncRun {
    static let files = "files"
    /// Where a desk says which file it misses.
    static let wanted = "wanted"

    /// Where a file lies at the place: under its digest, so that nobody lays other bytes there.
    static func name(of digest: Digest) -> String { "\(files)/\(digest.hex.prefix(2))/\(digest.hex)" }

    /// Lays again what some desk has found missing there, where this one has it.
    func layWanted() throws {
        let wishes = try shelf.names(in: Self.wanted)
        guard !wishes.isEmpty else { return }
        progress.phase("Laying again what is missing there")
        for wish in wishes {
            try progress.check()
            guard let digest = try wished(wish), store.blobs.contains(digest) else { continue }
            try store.write { tx in
                _ = try tx.run("DELETE FROM sync_laid WHERE place = \(place) AND digest = \(digest)")
            }
            try lay(digest)
            try shelf.remove(wish)
        }
    }

    /// Nil for what is none of ours, or not whole yet.
    private func wished(_ name: String) throws -> Digest? {
        let path = try temporary()
        defer { Self.remove(path) }
        do { try shelf.fetch(name, into: .file(path: path, limit: 1 << 12)) } catch let trouble as SyncTrouble
        {
            guard !trouble.isOfThePlace else { throw trouble }
            return nil
        }
        return Digest(String(decoding: try Self.read(path), as: UTF8.self))
    }

    /// Says that a file is missing, so that a desk that has it lays it again. The name of the wish tells strangers nothing:
    /// nobody but this desk knows its own id for the place.
    private func wish(for digest: Digest) throws {
        let hex = Digest(of: Array("wish \(place) \(digest)".utf8)).hex
        let name = "\(Self.wanted)/\(hex.prefix(2))/\(hex)"
        wishes.insert(name)
        try shelf.lay(name, .bytes(Array(digest.hex.utf8)))
    }

    /// Fetches a file that is not on the shelf of this desk, and looks whether it is the one that was asked for.
    func bring(_ digest: Digest) throws {
        guard !store.blobs.contains(digest) else { return }
        try progress.check()
        let path = try temporary()
        defer { Self.remove(path) }
        do {
            try shelf.fetch(Self.name(of: digest), into: .file(path: path, limit: 1 << 40))
        } catch let trouble as SyncTrouble where !trouble.isOfThePlace {
            try wish(for: digest)
            throw trouble
        }
        let came = try store.blobs.put(moving: path)
        guard came == digest else {
            try wish(for: digest)
            throw SyncTrouble.damaged("A file at the other side is not the one that was laid there.")
        }
    }

    /// Lays a file at the place, unless it is known to be there.
    func lay(_ digest: Digest) throws {
        let isThere = try store.read { desk in
            try desk.row("SELECT 1 AS one FROM sync_laid WHERE place = \(place) AND digest = \(digest)")
                != nil
        }
        guard !isThere else { return }
        try progress.check()
        let name = Self.name(of: digest)
        let path = try store.blobs.path(of: digest)
        if try !shelf.lay(name, .file(path: path)), try !isWhole(digest) {
            // What lies there is half of it, left by a server that does not keep its word.
            try shelf.remove(name)
            try shelf.lay(name, .file(path: path))
        }
        try store.write { tx in
            try tx.run(
                "INSERT INTO sync_laid (place, digest) VALUES (\(place), \(digest)) ON CONFLICT DO NOTHING")
        }
    }

    private func isWhole(_ digest: Digest) throws -> Bool {
        let path = try temporary()
        defer { Self.remove(path) }
        do {
            try shelf.fetch(Self.name(of: digest), into: .file(path: path, limit: 1 << 40))
        } catch SyncTrouble.damaged {
            return false
        }
        return try Digest(ofFile: path) == digest
    }

    func temporary() throws -> String {
        "\(store.home.temporary)/sync-\(Hex.encode(store.chance.bytes(12)))"
    }

    static func remove(_ path: String) { unlink(path) }

    static func read(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SyncTrouble.damaged("What came cannot be read.") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(file, &piece, piece.count)
            guard count >= 0 else { throw SyncTrouble.damaged("What came cannot be read.") }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }
}
