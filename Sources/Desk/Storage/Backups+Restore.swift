import Bytes
import Glibc
public import SQL
public import Work

extension Backups {
    /// What a restore brought back.
    public struct Restored: Sendable, Equatable {
        public var snapshot: String
        public var made: Moment
        public var madeBy: String
        public var rowCount: Int
        public var fileCount: Int
        /// Files that the desk had lost already when the backup was made.
        public var missing: [Digest]
        /// What was left out because it is not what was saved, in sentences; their files are among `missing`.
        public var damaged: [String]
    }

    /// Makes a desk from a backup: from the latest snapshot of a backup directory, or from a snapshot itself.
    ///
    /// The data directory must be empty or not be there, a PostgreSQL database must have no tables. Every digest is
    /// compared before anything becomes live; a backup from an older Quire is brought up to date.
    ///
    /// What is damaged makes it refuse everything, unless `withoutDamaged`: then files and keys that are not what was
    /// saved are left out, and of several backups the newest with whole tables is taken.
    public static func restore(
        from path: String, to home: String, database choice: Store.DatabaseChoice = .sqlite,
        areas: [MigrationArea], withoutDamaged: Bool = false, key: RecoveryKey? = nil,
        clock: Clock = .system,
        chance: Chance = .system, log: Log = .silent, progress: Progress = Progress()
    ) throws -> Restored {
        var damaged: [String] = []
        var missing: [Digest] = []
        let snapshot: Snapshot
        if withoutDamaged {
            (snapshot, damaged) = try Snapshot.sound(at: path, key)
        } else {
            snapshot = try Snapshot(at: path, key)
            try snapshot.check()
        }
        let plan = try snapshot.manifest.areas(among: [Store.migrations] + areas)
        try EncryptedHome.requireUnlocked(home)
        let home = DataDirectory(home)
        try home.requireEmpty()
        let staging = DataDirectory(home.restoring)
        try staging.prepare()
        let shelf = BlobShelf(staging, database: nil, clock: clock, chance: chance)
        if withoutDamaged {
            try snapshot.bringFiles(to: shelf, progress) { digest, sentence in
                missing.append(digest)
                damaged.append(sentence)
            }
            try snapshot.bringKeys(to: staging) {
                damaged.append(
                    "\($0) is damaged: what it unlocks, such as passwords, has to be entered again.")
            }
        } else {
            try snapshot.bringFiles(to: shelf, progress)
            try snapshot.bringKeys(to: staging)
        }
        progress.phase("the tables")
        try snapshot.bringTables(to: choice, in: staging, plan)
        try home.makeLive(staging)
        let store = try Store.open(
            home: home.path, database: choice, clock: clock, chance: chance, areas: areas, log: log)
        defer { store.close() }
        let manifest = snapshot.manifest
        try store.write { tx in
            tx.record(
                JournalEntry(
                    actor: "quire/restore", verb: "desk.restored", subject: "desk",
                    detail: ["made": .string(manifest.made.iso8601), "quire": .string(manifest.madeBy)]))
        }
        return Restored(
            snapshot: snapshot.path, made: manifest.made, madeBy: manifest.madeBy,
            rowCount: manifest.tables.reduce(0) { $0 + $1.rowCount },
            fileCount: manifest.blobCount - manifest.missing.count - missing.count,
            missing: manifest.missing + missing, damaged: damaged)
    }
}

extension Manifest {
    /// The areas as they were when the backup was made: the first steps of those the program knows.
    func areas(among known: [MigrationArea]) throws -> [MigrationArea] {
        let recorded = Dictionary(schema.map { ($0.name, $0.steps) }) { first, _ in first }
        let isKnown = recorded.allSatisfy { name, steps in
            known.contains { $0.name == name && $0.migrations.map(\.name).starts(with: steps) }
        }
        guard isKnown else {
            throw Failure(
                .unsupported,
                "This backup was made by Quire \(madeBy), which is newer than this one. Restore it with that version or a later one."
            )
        }
        // In the program's order: an area's tables may refer to those of one before it.
        return known.compactMap { area in
            recorded[area.name].map { MigrationArea(area.name, Array(area.migrations.prefix($0.count))) }
        }
    }
}

extension DataDirectory {
    /// Refuses a directory in which something lies that a restore could cover up. What an interrupted restore left
    /// behind is cleared away.
    fileprivate func requireEmpty() throws {
        try Disk.makeDirectories(path)
        try Disk.removeTree(restoring)
        let names = try Disk.names(in: path).filter { $0 != "lost+found" }
        guard names.isEmpty else {
            throw Failure(
                .conflict,
                "\(path) is not empty. Restore into an empty directory, or move the old one away first.",
                field: "home", cause: names.prefix(5).joined(separator: ", "))
        }
    }

    /// The database goes last: without it a directory is no desk.
    fileprivate func makeLive(_ staging: DataDirectory) throws {
        let names = try Disk.names(in: staging.path)
        for name in names.filter({ $0 != "quire.db" }) + names.filter({ $0 == "quire.db" }) {
            try Disk.rename("\(staging.path)/\(name)", to: "\(path)/\(name)")
        }
        try Disk.syncDirectory(path)
        try Disk.removeTree(staging.path)
        try Disk.syncDirectory(path)
    }
}
