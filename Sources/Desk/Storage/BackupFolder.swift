import Bytes
import Glibc
import Work

/// The directory in which backups gather.
struct BackupFolder {
    static let unfinished = ".unfinished"

    let path: String
    let form: BackupForm
    var blobs: String { "\(path)/blobs" }
    var snapshots: String { "\(path)/snapshots" }

    /// A backup inside the desk would be lost with the desk, and the desk inside a backup would be swept.
    init(_ given: String, besides home: DataDirectory, _ key: RecoveryKey?) throws {
        // What is refused leaves nothing behind.
        let path = Self.resolved(given)
        let desk = Self.resolved(home.path)
        guard !"\(path)/".hasPrefix("\(desk)/"), !"\(desk)/".hasPrefix("\(path)/") else {
            throw Failure(
                .invalid,
                "A backup cannot lie inside the data directory, nor the other way round. Choose another directory.",
                field: "directory")
        }
        self.path = path
        form = BackupForm(key)
        try Backups.refuseMixing(in: path, encrypted: key != nil)
        do {
            try BackupForm.require(key, for: Self.unordered(in: path))
        } catch let failure as Failure where failure.field == "key" {
            throw Failure(
                .conflict,
                "The backups in \(path) are encrypted with a key that is not this desk's. Choose another folder.",
                field: "folder")
        }
        try Disk.makeDirectories(path)
        try Disk.makeDirectory(blobs)
        try Disk.makeDirectory(snapshots)
    }

    /// How the backups in a folder lie there; nil where there are none.
    static func kind(of path: String) throws -> Backups.Kind? {
        if let isSealed = BackupForm.isSealed(path) { return isSealed ? .sealed : .plain }
        let snapshots = try unordered(in: path)
        if snapshots.contains(where: { BackupForm.isSealed($0) == false }) { return .plain }
        if !snapshots.isEmpty { return .sealed }
        // A first one that was broken off has left files behind.
        let blobs = "\(path)/blobs"
        guard Disk.isDirectory(blobs) else { return nil }
        for subfolder in try Disk.names(in: blobs) where Disk.isDirectory("\(blobs)/\(subfolder)") {
            for name in try Disk.names(in: "\(blobs)/\(subfolder)")
            where !BackupForm.isSealed(file: "\(blobs)/\(subfolder)/\(name)") {
                return .plain
            }
        }
        return nil
    }

    /// Without links and `..`, also where the last of its folders do not exist yet.
    private static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return path }
        return resolved(String(path[..<slash])) + path[slash...]
    }

    func alone<R>(_ body: () throws -> R) throws -> R {
        let file = try OpenFile(keeping: "\(path)/.lock")
        guard try file.lock(.exclusive, waiting: false) else {
            throw Failure(.conflict, "Another backup to \(path) is being made. Try again when it is done.")
        }
        return try body()
    }

    /// The finished snapshots, the oldest first. Their names tell when they were made by a clock that may have been wrong;
    /// the number in each tells their order. One whose list cannot be read comes last: whoever takes the newest must hear
    /// of it.
    static func snapshots(in path: String, _ key: RecoveryKey?) throws -> [String] {
        let snapshots = try unordered(in: path)
        try BackupForm.require(key, for: snapshots)
        return snapshots.map { (path: $0, number: number(of: $0, key) ?? .max) }
            .sorted { ($0.number, $0.path) < ($1.number, $1.path) }.map(\.path)
    }

    private static func unordered(in path: String) throws -> [String] {
        let folder = "\(path)/snapshots"
        guard Disk.isDirectory(folder) else { return [] }
        return try Disk.names(in: folder).map { "\(folder)/\($0)" }
            .filter { !$0.hasSuffix(unfinished) && BackupForm.isSealed($0) != nil }
    }

    /// 0 for those from before they had numbers: their names have to do.
    private static func number(of snapshot: String, _ key: RecoveryKey?) -> Int? {
        try? Manifest.read(in: snapshot, .of(snapshot, key)).number
    }

    /// For the one that is being made.
    func nextNumber() throws -> Int {
        let numbers = try Self.unordered(in: path).compactMap { try? Manifest.read(in: $0, form).number }
        return (numbers.max() ?? 0) + 1
    }

    func removeUnfinished() throws {
        for name in try Disk.names(in: snapshots) where name.hasSuffix(Self.unfinished) {
            try Disk.removeTree("\(snapshots)/\(name)")
        }
        for name in try Disk.names(in: blobs) where name.hasPrefix("blob-") {
            try Disk.remove("\(blobs)/\(name)")
        }
    }

    func begin(_ now: Moment) throws -> String {
        // Colons are not allowed in file names everywhere a backup may be carried to.
        let name = now.iso8601.split(separator: ":").joined(separator: "-")
        guard !Disk.exists("\(snapshots)/\(name)") else {
            throw Failure(.conflict, "There is a backup of this very moment already. Try again.")
        }
        let snapshot = "\(snapshots)/\(name)\(Self.unfinished)"
        try Disk.makeDirectory(snapshot)
        return snapshot
    }

    func finish(_ snapshot: String) throws -> String {
        for folder in ["\(snapshot)/tables", "\(snapshot)/keys", snapshot, blobs]
        where Disk.isDirectory(folder) {
            try Disk.syncDirectory(folder)
        }
        let finished = String(snapshot.dropLast(Self.unfinished.count))
        try Disk.rename(snapshot, to: finished)
        try Disk.syncDirectory(snapshots)
        return finished
    }

    static func listed(_ line: JSON) throws -> (Digest, Int64) {
        guard let digest = line[0]?.string.flatMap(Digest.init), let byteCount = line[1]?.integer else {
            throw Manifest.unreadable("blobs")
        }
        return (digest, byteCount)
    }

    enum Addition {
        case known
        case added(to: String)
        case lost(BlobProblem)
    }

    func add(_ digest: Digest, _ byteCount: Int64, from shelf: BlobShelf) throws -> Addition {
        let name = form.name(of: digest)
        let subfolder = "\(blobs)/\(name.prefix(2))"
        let target = "\(subfolder)/\(name)"
        if let there = try Disk.status(target), Int64(there.st_size) == form.byteCount(of: byteCount) {
            return .known
        }
        // One that came a moment ago may not have been there yet.
        let source = (try? shelf.path(of: digest)) ?? shelf.place(of: digest)
        guard let found = try Disk.status(source) else { return .lost(.missing(digest)) }
        guard Int64(found.st_size) == byteCount else {
            return .lost(.changed(digest, byteCount: Int64(found.st_size), expectedByteCount: byteCount))
        }
        try Disk.makeDirectory(subfolder)
        try Disk.remove(target)
        let draft = "\(blobs)/blob-\(Hex.encode(Chance.system.bytes(12)))"
        var isPlaced = false
        defer { if !isPlaced { unlink(draft) } }
        if !form.isSealed, link(source, draft) == 0 {
            if let problem = Self.problem(of: digest, byteCount, at: source) { return .lost(problem) }
        } else {
            // Another file system, or one without links.
            let writer = try BackupFileWriter(digest.hex, at: draft, form)
            do {
                try OpenFile(reading: source).eachPiece { try writer.write($0) }
            } catch {
                guard let problem = Self.problem(of: digest, byteCount, at: source) else { throw error }
                return .lost(problem)
            }
            let written = try writer.finish()
            guard written.digest == digest else {
                return .lost(
                    .changed(digest, byteCount: written.byteCount, expectedByteCount: byteCount))
            }
            try writer.file.setMode(0o400)
        }
        try Disk.rename(draft, to: target)
        isPlaced = true
        return .added(to: subfolder)
    }

    /// Bytes that cannot be read, or are not what they were, are no copy of a file, and keep no other from being saved.
    private static func problem(of digest: Digest, _ byteCount: Int64, at source: String) -> BlobProblem? {
        do {
            if try OpenFile(reading: source).digest() == digest { return nil }
            return .changed(digest, byteCount: byteCount, expectedByteCount: byteCount)
        } catch {
            let failure = error as? Failure
            return .unreadable(digest, cause: failure?.cause ?? failure?.message ?? "\(error)")
        }
    }

    /// Removes the oldest snapshots and the files that none of the others has. The one just made stays in any case.
    func prune(keeping count: Int, sparing made: String, _ key: RecoveryKey?) throws {
        let all = try Self.snapshots(in: path, key)
        let old = all.dropLast(count).filter { $0 != made }
        for snapshot in old {
            // A snapshot that is half removed must not look like a whole one.
            try Disk.rename(snapshot, to: snapshot + Self.unfinished)
            try Disk.removeTree(snapshot + Self.unfinished)
        }
        guard !old.isEmpty, let needed = try neededFiles() else { return }
        for subfolder in try Disk.names(in: blobs) where Disk.isDirectory("\(blobs)/\(subfolder)") {
            for name in try Disk.names(in: "\(blobs)/\(subfolder)") where !needed.contains(name) {
                try Disk.remove("\(blobs)/\(subfolder)/\(name)")
            }
        }
    }

    /// What the snapshots have; nil when one of their lists is damaged, as nobody knows then what is needed.
    private func neededFiles() throws -> Set<String>? {
        var needed: Set<String> = []
        for snapshot in try Self.unordered(in: path) {
            guard let manifest = try? Manifest.read(in: snapshot, form),
                (try? manifest.blobList.check(in: snapshot, form)) != nil
            else { return nil }
            try LineReader.each(manifest.blobList.name, in: snapshot, form) {
                needed.insert(form.name(of: try Self.listed($0).0))
            }
        }
        return needed
    }
}
