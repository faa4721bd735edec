import Glibc
import SQL
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
    /// Nil where files are brought before there is one.
    let database: Database?
    let fresh = Monitor(FreshFiles())
    let settlers = Workers(name: "shelf", threads: 1, isPolite: true)

    init(_ directory: DataDirectory, database: Database?, clock: Clock, chance: Chance) {
        self.directory = directory
        self.database = database
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
    public func put(moving path: String) throws -> Digest {
        let file = try OpenFile(reading: path)
        guard try file.status.isFile else { throw Failure(.invalid, "\(path) is no ordinary file.") }
        let digest = try file.digest()
        guard try liesBesideShelf(file) else {
            let digest = try put(file: path)
            try Disk.remove(path)
            return digest
        }
        try finish(file, at: clock.now())
        try place(path, digest)
        return digest
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
        if let held = try heldBack(digest) { try place([digest: held]) }
        return place(of: digest)
    }

    /// The same after comparing the bytes with their name, for those who send them away without being able to take them
    /// back.
    public func soundPath(of digest: Digest) throws -> String {
        let path = try path(of: digest)
        guard try OpenFile(reading: path).digest() == digest else { throw changed(digest) }
        return path
    }

    /// Whether it is at hand; what was swept and still waits is not, though reading brings it back.
    public func contains(_ digest: Digest) -> Bool {
        Disk.exists(place(of: digest)) || (try? freshAnywhere(digest)) != nil
    }

    public func byteCount(of digest: Digest) throws -> Int64 {
        if let held = try heldBack(digest) { return Int64(held.bytes.count) }
        guard let status = try Disk.status(place(of: digest)) else { throw missing(digest) }
        return Int64(status.st_size)
    }

    /// The bytes, checked against their name.
    public func read(_ digest: Digest, atMost limit: Int = 64 << 20) throws -> [UInt8] {
        if let bytes = fresh(digest)?.bytes, bytes.count <= limit { return bytes }
        let bytes = try Disk.read(try path(of: digest), atMost: limit)
        guard Digest(of: bytes) == digest else { throw changed(digest) }
        return bytes
    }

    private func changed(_ digest: Digest) -> Failure {
        Failure(
            .damaged,
            "A stored file is not what it was when it was saved. Run “quire verify” and restore it from a backup.",
            cause: "blob \(digest)")
    }

    func folder(of digest: Digest) -> String { "\(directory.blobs)/\(digest.hex.prefix(2))" }

    func place(of digest: Digest) -> String { "\(folder(of: digest))/\(digest.hex)" }

    func makeFolder(of digest: Digest) throws {
        guard !Disk.isDirectory(folder(of: digest)) else { return }
        try Disk.makeDirectory(folder(of: digest))
        try Disk.syncDirectory(directory.blobs)
    }

    /// What is not on the shelf yet; nil for what is. Throws when the bytes are nowhere.
    private func heldBack(_ digest: Digest) throws -> FreshFile? {
        if Disk.exists(place(of: digest)) { return nil }
        if let held = try freshAnywhere(digest) { return held }
        if try bringBack(digest) { return nil }
        // It may have come to its place between the two looks.
        guard Disk.exists(place(of: digest)) else { throw missing(digest) }
        return nil
    }

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
        try makeFolder(of: digest)
        try whilePlacing(.shared) { try Disk.rename(path, to: place(of: digest)) }
        try Disk.syncDirectory(folder(of: digest))
    }

    /// Says that somebody is about to use these bytes, so that the sweep leaves them; throws when they are gone.
    func touch(_ digest: Digest) throws {
        try whilePlacing(.shared) {
            try OpenFile(reading: path(of: digest)).setModified(clock.now())
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
