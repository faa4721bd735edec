import Glibc
import Synchronization
public import Work

/// Every original and every produced file, each under the SHA-256 of its bytes and never changed.
///
/// A file is written to the temporary directory, saved to the disk, and only then renamed to its place, so that
/// a name on the shelf always stands for whole and right bytes, whatever happens meanwhile. Bytes that are there
/// already are not kept twice.
///
/// ```swift
/// let digest = try store.blobs.put(bytes)
/// try store.write { tx in
///     try tx.keep(digest)
///     try tx.run("INSERT INTO paper (id, digest) VALUES (\(tx.newID(of: Paper.self)), \(digest))")
/// }
/// ```
public final class BlobShelf: Sendable {
    let directory: DataDirectory
    let clock: Clock
    private let chance: Chance
    private let settling = Mutex<[Digest: Settling]>([:])

    init(_ directory: DataDirectory, clock: Clock, chance: Chance) {
        self.directory = directory
        self.clock = clock
        self.chance = chance
    }

    public func put(_ bytes: [UInt8]) throws -> Digest {
        try put { writer in try writer.write(bytes) }
    }

    /// Copies a file that lies anywhere.
    public func put(file path: String, progress: Progress = Progress()) throws -> Digest {
        let source = try OpenFile(reading: path)
        guard try source.status.isFile else {
            throw Failure(.invalid, "\(path) is no ordinary file.")
        }
        return try put { writer in
            try source.eachPiece { piece in
                try progress.check()
                try writer.write(piece)
                progress.advance(Int64(piece.count))
            }
        }
    }

    /// Takes a finished file over, such as an upload; nothing is copied when it lies on the same file system.
    /// Afterwards nothing is left at its path.
    ///
    /// With `maySettle` a small one may still be on its way to the disk when this returns, and must be left at its path:
    /// whoever looks for it waits, and so does the commit of a transaction that keeps it.
    public func put(moving path: String, maySettle: Bool = false) throws -> Digest {
        let file = try OpenFile(reading: path)
        let status = try file.status
        guard status.isFile else { throw Failure(.invalid, "\(path) is no ordinary file.") }
        let digest = try file.digest()
        guard try liesBesideShelf(file) else {
            let digest = try put(file: path)
            try Disk.remove(path)
            return digest
        }
        let now = clock.now()
        let place: @Sendable () throws -> Void = { [self] in
            try finish(OpenFile(reading: path), at: now)
            try self.place(path, digest)
            settling.withLock { $0[digest] = nil }
        }
        let byteCount = Int64(status.st_size)
        guard maySettle, byteCount <= Self.mostBytesSettling, let mine = begin(digest, byteCount) else {
            try place()
            return digest
        }
        Self.settlers.submit { mine.end(Result(catching: place)) }
        return digest
    }

    /// More bytes than this would keep whoever waits for the database waiting for the disk as well.
    private static let mostBytesSettling: Int64 = 256 << 10
    private static let settlers = Workers(name: "shelf", threads: 2)

    /// Nil when the same bytes are on their way already.
    private func begin(_ digest: Digest, _ byteCount: Int64) -> Settling? {
        settling.withLock { settling in
            guard settling[digest] == nil else { return nil }
            let mine = Settling(byteCount: byteCount)
            settling[digest] = mine
            return mine
        }
    }

    /// What is on its way to its place just now.
    func settling(_ digest: Digest) -> Settling? { settling.withLock { $0[digest] } }

    /// Until these bytes are where they belong; throws what kept them from it.
    func settle(_ digest: Digest) throws {
        if let settling = settling(digest) { try settle(digest, settling) }
    }

    func settle(_ digest: Digest, _ settling: Settling) throws {
        do { try settling.wait() } catch {
            self.settling.withLock { if $0[digest] === settling { $0[digest] = nil } }
            // They may have been there before.
            guard Disk.exists(place(of: digest)) else { throw error }
            try touch(digest)
        }
    }

    /// Takes bytes as they come.
    public func put(_ write: (BlobWriter) throws -> Void) throws -> Digest {
        let writer = try BlobWriter(in: directory.temporary, chance: chance)
        try write(writer)
        let digest = try writer.finish()
        try finish(writer.file, at: clock.now())
        try place(writer.file.path, digest)
        writer.isPlaced = true
        return digest
    }

    /// Where the bytes lie, for sending or for a program that reads files; the file must not be changed.
    public func path(of digest: Digest) throws -> String {
        try settle(digest)
        let path = place(of: digest)
        guard Disk.exists(path) else { throw missing(digest) }
        return path
    }

    public func contains(_ digest: Digest) -> Bool {
        try? settling(digest)?.wait()
        return Disk.exists(place(of: digest))
    }

    public func byteCount(of digest: Digest) throws -> Int64 {
        try settle(digest)
        guard let status = try Disk.status(place(of: digest)) else { throw missing(digest) }
        return Int64(status.st_size)
    }

    /// The bytes, checked against their name.
    public func read(_ digest: Digest, atMost limit: Int = 64 << 20) throws -> [UInt8] {
        let bytes = try Disk.read(try path(of: digest), atMost: limit)
        guard Digest(of: bytes) == digest else {
            throw Failure(
                .damaged,
                "A stored file is not what it was when it was saved. Run “quire verify” and restore it from a backup.",
                cause: "blob \(digest)")
        }
        return bytes
    }

    func place(of digest: Digest) -> String { "\(directory.blobs)/\(digest.hex.prefix(2))/\(digest.hex)" }

    private func missing(_ digest: Digest) -> Failure {
        Failure(
            .damaged, "A stored file is missing. Run “quire verify” and restore it from a backup.",
            cause: "blob \(digest)")
    }

    private func liesBesideShelf(_ file: borrowing OpenFile) throws -> Bool {
        try file.status.st_dev == Disk.status(directory.blobs)?.st_dev
    }

    /// The last that is done to a file before it gets its name.
    private func finish(_ file: borrowing OpenFile, at moment: Moment) throws {
        try file.setMode(0o400)
        try file.setModified(moment)
        try file.sync()
    }

    /// Renames over bytes that are there already: they are the same, or they have been damaged since.
    private func place(_ path: String, _ digest: Digest) throws {
        let target = place(of: digest)
        let folder = "\(directory.blobs)/\(digest.hex.prefix(2))"
        if !Disk.isDirectory(folder) {
            try Disk.makeDirectory(folder)
            try Disk.syncDirectory(directory.blobs)
        }
        try whilePlacing(.shared) { try Disk.rename(path, to: target) }
        try Disk.syncDirectory(folder)
    }

    /// Says that somebody is about to use these bytes, so that the sweep leaves them; throws when they are gone.
    func touch(_ digest: Digest) throws {
        try whilePlacing(.shared) {
            guard contains(digest) else { throw missing(digest) }
            try OpenFile(reading: place(of: digest)).setModified(clock.now())
        }
    }

    /// Between looking at a file's age and removing it nobody may place the same bytes anew: they would be lost.
    /// A lock on a file, as the other may be another process.
    func whilePlacing<R>(_ lock: OpenFile.Lock, _ body: () throws -> R) throws -> R {
        let file = try OpenFile(keeping: directory.blobs + "/.placing")
        _ = try file.lock(lock, waiting: true)
        return try body()
    }
}

extension OpenFile {
    /// Of what is left to read.
    func digest() throws -> Digest {
        var hash = DigestStream()
        try eachPiece { hash.update($0) }
        return hash.finish()
    }
}
