import Bytes
import Glibc
import SQL
import Storage
import Transfer
import Work

extension SyncRun {
    static let files = "files"

    /// Where a file lies at the place: under its digest, so that nobody lays other bytes there.
    static func name(of digest: Digest) -> String { "\(files)/\(digest.hex.prefix(2))/\(digest.hex)" }

    /// Fetches a file that is not on the shelf of this desk, and looks whether it is the one that was asked for.
    func bring(_ digest: Digest) throws {
        guard !store.blobs.contains(digest) else { return }
        try progress.check()
        let path = try temporary()
        defer { Self.remove(path) }
        try shelf.fetch(Self.name(of: digest), into: .file(path: path, limit: 1 << 40))
        let came = try store.blobs.put(moving: path)
        guard came == digest else {
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
