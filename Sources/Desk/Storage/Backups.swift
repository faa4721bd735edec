import Bytes
import Glibc
import SQL
public import Work

/// Copies of a desk in a directory of their own, made while the desk is in use.
///
/// ```
/// DIR/blobs/ab/…                     every file once, however many snapshots have it
/// DIR/snapshots/2026-11-21T11-35-00.000Z/
///     tables/document.ndjson         the rows of each table
///     blobs.ndjson                   the digests and sizes of the files that belong to it
///     keys/…                         what unlocks the sealed secrets
///     manifest.json                  a digest of all of these, written last
/// ```
///
/// The form is the same for both databases, so that a desk can move from one to the other by a backup. It holds
/// all secrets of the desk and is to be kept as safe as the desk itself, unless it is sealed: then the same files lie
/// there under names that tell nothing, and only the desk's recovery key opens them.
public struct Backups: Sendable {
    let store: Store

    public init(_ store: Store) {
        self.store = store
    }

    /// How the backups in a folder lie there.
    public enum Kind: Sendable { case plain, sealed }

    /// Or how one of them does; nil where there are none.
    public static func kind(of path: String) throws -> Kind? { try BackupFolder.kind(of: path) }

    /// A folder is encrypted from its beginning or not at all: of a mixture nobody could say what a thief reads.
    public static func refuseMixing(in path: String, encrypted: Bool) throws {
        switch (try kind(of: path), encrypted) {
        case (.plain, true):
            throw Failure(
                .conflict,
                "The backups in \(path) are not encrypted, and stay as they are. Choose another folder for encrypted ones.",
                field: "folder")
        case (.sealed, false):
            throw Failure(
                .conflict,
                "The backups in \(path) are encrypted. Choose another folder for some that are not.",
                field: "folder")
        case (nil, _), (.plain, false), (.sealed, true): return
        }
    }

    /// What a backup did.
    public struct Report: Sendable, Equatable {
        /// The snapshot's own directory.
        public var path = ""
        public var rowCount = 0
        /// Files that were not in the backup yet: linked where that is possible, copied otherwise.
        public var newFileCount = 0
        public var newByteCount: Int64 = 0
        /// Files that earlier snapshots had brought already.
        public var knownFileCount = 0
        /// What the desk has lost and no backup can bring; in sentences.
        public var problems: [String] = []
    }

    /// Adds a snapshot to the directory. With `keeping`, removes the oldest ones beyond that number. With a key, what lies
    /// there tells nothing to those who do not have it.
    public func make(
        to path: String, madeBy version: String, keeping: Int? = nil, sealedWith key: RecoveryKey? = nil,
        progress: Progress = Progress()
    ) throws -> Report {
        let folder = try BackupFolder(path, besides: store.home, key)
        return try folder.alone {
            try folder.removeUnfinished()
            let now = store.clock.now()
            let snapshot = try folder.begin(now)
            var report = Report()
            try store.blobs.whileNothingIsSwept {
                try store.blobs.settle()
                var manifest = try writeTables(
                    to: snapshot, folder.form, at: now, madeBy: version, &report, progress)
                manifest.number = try folder.nextNumber()
                try addFiles(of: snapshot, to: folder, &manifest, &report, progress)
                manifest.keys = try copyKeys(to: snapshot, folder.form)
                _ = try folder.form.write(manifest.json.bytes, as: Manifest.fileName, in: snapshot)
            }
            report.path = try folder.finish(snapshot)
            if let keeping { try folder.prune(keeping: max(1, keeping), sparing: report.path, key) }
            return report
        }
    }

    /// The finished snapshots in a backup directory, the oldest first.
    public static func list(
        in path: String, _ key: RecoveryKey? = nil
    ) throws -> [(path: String, manifest: Manifest)] {
        try BackupFolder.snapshots(in: path, key).map { ($0, try Manifest.read(in: $0, .of($0, key))) }
    }

    /// Reads the latest snapshot of a backup directory, or the snapshot given, and compares every digest; what is
    /// wrong, in sentences.
    public static func verify(
        _ path: String, _ key: RecoveryKey? = nil, progress: Progress = Progress()
    ) throws -> [String] {
        do {
            return try Snapshot(at: path, key).problems(progress)
        } catch let failure as Failure where failure.code == .damaged {
            return [failure.message]
        }
    }

    /// Everything the database says, from one moment.
    private func writeTables(
        to snapshot: String, _ form: BackupForm, at now: Moment, madeBy version: String,
        _ report: inout Report,
        _ progress: Progress
    ) throws -> Manifest {
        progress.phase("the tables")
        if !form.isSealed { try Disk.makeDirectory("\(snapshot)/tables") }
        return try Store.explained(store.home) {
            try store.database.read { connection in
                var tables: [Manifest.Table] = []
                for name in try Tables.names(in: connection) {
                    try progress.check()
                    tables.append(try Tables.write(name, from: connection, to: snapshot, form))
                }
                var areas: [Manifest.Area] = []
                for (area, step) in try store.database.migrationHistory() {
                    if areas.last?.name != area { areas.append(Manifest.Area(name: area, steps: [])) }
                    areas[areas.count - 1].steps.append(step)
                }
                let list = try LineWriter("blobs.ndjson", in: snapshot, form)
                var blobCount = 0
                try connection.each("SELECT digest, byte_count FROM blob ORDER BY digest") { row in
                    try list.write([.string(row.text("digest")), .integer(row.integer("byte_count"))])
                    blobCount += 1
                }
                report.rowCount = tables.reduce(0) { $0 + $1.rowCount }
                return Manifest(
                    madeBy: version, made: now, schema: areas, tables: tables, blobList: try list.finish(),
                    blobCount: blobCount, keys: [], missing: [])
            }
        }
    }

    private func addFiles(
        of snapshot: String, to folder: BackupFolder, _ manifest: inout Manifest, _ report: inout Report,
        _ progress: Progress
    ) throws {
        progress.phase("the files")
        progress.set(done: 0, total: Int64(manifest.blobCount))
        var missing: [Digest] = []
        var changed: Set<String> = []
        try LineReader.each(manifest.blobList.name, in: snapshot, folder.form) { line in
            try progress.check()
            progress.advance()
            let (digest, byteCount) = try BackupFolder.listed(line)
            switch try folder.add(digest, byteCount, from: store.blobs) {
            case .known: report.knownFileCount += 1
            case .added(let subfolder):
                changed.insert(subfolder)
                report.newFileCount += 1
                report.newByteCount += byteCount
            case .lost(let problem):
                missing.append(digest)
                report.problems.append(problem.sentence)
            }
        }
        for subfolder in changed.sorted() { try Disk.syncDirectory(subfolder) }
        manifest.missing = missing
    }

    private func copyKeys(to snapshot: String, _ form: BackupForm) throws -> [Manifest.Seal] {
        if !form.isSealed { try Disk.makeDirectory("\(snapshot)/keys") }
        let names = try Disk.names(in: store.home.keys).filter { name in
            try !name.hasSuffix(".new") && Disk.status("\(store.home.keys)/\(name)")?.isFile == true
        }
        return try names.map { name in
            try form.write(
                Disk.read("\(store.home.keys)/\(name)", atMost: 1 << 20), as: "keys/\(name)", in: snapshot)
        }
    }
}
