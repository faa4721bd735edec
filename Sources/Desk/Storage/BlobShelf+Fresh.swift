import CSystem
import Glibc
import SQL
import Work

/// Small files that the database holds until the shelf has them.
///
/// A file of its own is waited for three times: for its bytes, for its name, for the rows that speak of it. Bytes of a
/// few pages are saved along with those rows instead, and come to the shelf a little later, many together. Until then
/// this process has them at hand, and every other one finds them in the database, also after a power cut.
struct FreshFiles {
    var files: [Digest: FreshFile] = [:]
    var byteCount = 0
    /// Of all times, to tell whether more have come.
    var arrivals = 0
    /// Whether somebody is going to bring what is here to the shelf.
    var isAwaited = false
    var isClosed = false
}

/// A small file, and when it came.
public struct FreshFile: Sendable {
    public let bytes: [UInt8]
    let since: Moment
}

extension BlobShelf {
    /// What is larger goes to the shelf at once.
    public static let mostBytesFresh = 64 << 10
    /// More than this is not held back: the shelf cannot follow, or the disk is full.
    private static let mostFresh = (count: 1_000, byteCount: 16 << 20)

    /// Takes bytes that a transaction is going to keep. When they are small, that transaction saves them.
    public func take(_ bytes: [UInt8]) throws -> Digest {
        guard bytes.count <= Self.mostBytesFresh, database != nil else { return try put(bytes) }
        let digest = Digest(of: bytes)
        // What lies there may be damaged, and is replaced.
        guard !Disk.exists(place(of: digest)), hold(digest, bytes) else { return try put(bytes) }
        return digest
    }

    /// The same with a finished file, such as an upload. Afterwards nothing is left at its path.
    public func take(moving path: String) throws -> Digest {
        let file = try OpenFile(reading: path)
        let status = try file.status
        guard status.isFile, status.st_size <= Self.mostBytesFresh else { return try put(moving: path) }
        let digest = try take(Disk.read(path, atMost: Self.mostBytesFresh))
        try Disk.remove(path)
        return digest
    }

    private func hold(_ digest: Digest, _ bytes: [UInt8]) -> Bool {
        let now = clock.now()
        let isAlone = fresh.update(waking: .nobody) { fresh -> Bool? in
            guard !fresh.isClosed, fresh.files.count < Self.mostFresh.count,
                fresh.byteCount + bytes.count <= Self.mostFresh.byteCount
            else { return nil }
            let file = FreshFile(bytes: bytes, since: now)
            if fresh.files.updateValue(file, forKey: digest) == nil { fresh.byteCount += bytes.count }
            fresh.arrivals += 1
            defer { fresh.isAwaited = true }
            return !fresh.isAwaited
        }
        guard let isAlone else { return false }
        if isAlone { settlers.submit { [self] in settleSoon() } }
        return true
    }

    /// What this process holds; nil when the shelf has it already.
    public func fresh(_ digest: Digest) -> FreshFile? { fresh.read { $0.files[digest] } }

    /// Also what another process has saved and not brought to its place.
    func freshAnywhere(_ digest: Digest) throws -> FreshFile? {
        if let file = fresh(digest) { return file }
        let bytes = try database?.read { connection in
            try connection.row("SELECT bytes FROM fresh_blob WHERE digest = \(digest) LIMIT 1")?.blob("bytes")
        }
        return bytes.map { FreshFile(bytes: $0, since: clock.now()) }
    }

    /// Waits until nothing more comes, so that one wait for the disk serves many files; but not for long.
    private func settleSoon() {
        let begun = Stopwatch()
        var pause = Duration.milliseconds(250)
        while true {
            let arrivals = fresh.read { $0.arrivals }
            let isClosed = fresh.wait(timeout: pause) { $0.isClosed ? true : nil } ?? false
            // Whoever closes does it.
            if isClosed { return }
            if begun.elapsed < .seconds(2), fresh.read({ $0.arrivals }) != arrivals { continue }
            if (try? settleOwn()) != nil { return }
            pause = .seconds(5)
        }
    }

    /// Brings what this process holds to its place, and lets the database forget it.
    private func settleOwn() throws {
        let files = fresh.update(waking: .nobody) { fresh in
            fresh.isAwaited = false
            return fresh.files
        }
        do {
            try place(files)
            fresh.update(waking: .nobody) { fresh in
                for (digest, file) in files where fresh.files.removeValue(forKey: digest) != nil {
                    fresh.byteCount -= file.bytes.count
                }
            }
            try forget(files.keys.map(\.hex))
        } catch {
            fresh.update(waking: .nobody) { $0.isAwaited = true }
            throw error
        }
    }

    /// Brings all that the database holds to its place, whoever put it there. Not to be called from a transaction.
    func settle() throws {
        guard let database else { return }
        try settleOwn()
        let waiting = try database.read { connection in
            try connection.rows("SELECT DISTINCT digest FROM fresh_blob").map { try $0.digest("digest") }
        }
        // Many at once: each question is a way to the database and back.
        for first in stride(from: 0, to: waiting.count, by: 64) {
            if fresh.read({ $0.isClosed }) { return }
            let some = waiting[first..<min(first + 64, waiting.count)].map(\.hex)
            let files = try database.read { connection in
                try connection.rows(
                    "SELECT digest, bytes FROM fresh_blob WHERE \(.column("digest", in: some))"
                ).map {
                    (try $0.digest("digest"), FreshFile(bytes: try $0.blob("bytes"), since: clock.now()))
                }
            }
            try place(Dictionary(files) { first, _ in first })
            try forget(some)
        }
    }

    /// The same beside all else. Until it is done, what waits is found in the database.
    func settleBeside(_ log: Log) {
        settlers.submit { [self] in
            do { try settle() } catch { Self.tell(error, log) }
        }
    }

    /// With a full disk it waits on.
    static func tell(_ error: any Error, _ log: Log) {
        log.warning("small files could not be brought to the shelf yet", ["error": "\(error)"])
    }

    /// Nothing is held back from now on.
    func close() {
        fresh.update { $0.isClosed = true }
        settlers.stop()
        try? settleOwn()
    }

    private func forget(_ digests: [String]) throws {
        guard let database, !digests.isEmpty else { return }
        try database.write { connection in
            try connection.run("DELETE FROM fresh_blob WHERE \(.column("digest", in: digests))")
        }
    }

    /// All on their way to the disk first, then waited for one after the other: the first takes the others along.
    func place(_ files: [Digest: FreshFile]) throws {
        var rest = Array(files)[...]
        while !rest.isEmpty {
            // Each is an open file.
            let some = rest.prefix(64)
            rest = rest.dropFirst(64)
            let writers = try some.filter { !Disk.exists(place(of: $0.key)) }.map { digest, file in
                // What is drawn by lot here must not shift what is drawn elsewhere.
                let writer = try BlobWriter(in: directory.temporary, chance: .system)
                try writer.write(file.bytes)
                try writer.file.setMode(0o400)
                try writer.file.setModified(file.since)
                csystem_begin_saving(writer.file.descriptor)
                return (digest, writer)
            }
            for (_, writer) in writers { try writer.file.sync() }
            for (digest, writer) in writers {
                try makeFolder(of: digest)
                try whilePlacing(.shared) { try Disk.rename(writer.file.path, to: place(of: digest)) }
                writer.isPlaced = true
            }
            for folder in Set(some.map { folder(of: $0.key) }) { try Disk.syncDirectory(folder) }
        }
    }
}
