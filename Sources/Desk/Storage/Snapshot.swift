import Bytes
import Glibc
import SQL
import Work

/// One snapshot of a backup, about to be restored.
struct Snapshot {
    let path: String
    let blobs: String
    let form: BackupForm
    let manifest: Manifest

    init(at given: String, _ key: RecoveryKey?) throws {
        guard let latest = try Self.candidates(at: given, key).last else { throw Self.none(given) }
        try self.init(latest, key)
    }

    private init(_ path: String, _ key: RecoveryKey?) throws {
        self.path = path
        blobs = "\(path)/../../blobs"
        form = try BackupForm.of(path, key)
        manifest = try Manifest.read(in: path, form)
    }

    /// The newest one whose tables are whole, and what was wrong with those after it. Rows that cannot be trusted bring
    /// nothing back.
    static func sound(
        at given: String, _ key: RecoveryKey?
    ) throws -> (snapshot: Snapshot, passedOver: [String]) {
        var passedOver: [String] = []
        for path in try candidates(at: given, key).reversed() {
            do {
                let snapshot = try Snapshot(path, key)
                for table in snapshot.manifest.tables { try table.file.check(in: path, snapshot.form) }
                return (snapshot, passedOver)
            } catch let failure as Failure where [.damaged, .notFound].contains(failure.code) {
                passedOver.append("\(path): \(failure.cause ?? failure.message)")
            }
        }
        guard !passedOver.isEmpty else { throw none(given) }
        throw Failure(
            .damaged, "No backup in \(given) has whole tables, so no desk can be made of them.",
            cause: passedOver.joined(separator: "; "))
    }

    private static func candidates(at given: String, _ key: RecoveryKey?) throws -> [String] {
        guard BackupForm.isSealed(given) != nil else { return try BackupFolder.snapshots(in: given, key) }
        try BackupForm.require(key, for: [given])
        return [given]
    }

    private static func none(_ given: String) -> Failure {
        Failure(.notFound, "There is no finished backup in \(given).", field: "from")
    }

    /// Compares everything but the shared files, which are compared while they are copied.
    func check() throws {
        for seal in manifest.tables.map(\.file) + [manifest.blobList] + manifest.keys {
            try seal.check(in: path, form)
        }
    }

    func problems(_ progress: Progress) throws -> [String] {
        do {
            try check()
        } catch let failure as Failure where failure.code == .damaged || failure.code == .notFound {
            return [failure.message]
        }
        var problems: [String] = []
        let missing = Set(manifest.missing)
        progress.set(done: 0, total: Int64(manifest.blobCount))
        try LineReader.each(manifest.blobList.name, in: path, form) { line in
            try progress.check()
            progress.advance()
            let (digest, byteCount) = try BackupFolder.listed(line)
            let source = place(of: digest)
            guard let status = try Disk.status(source) else {
                if !missing.contains(digest) { problems.append(BlobProblem.missing(digest).sentence) }
                return
            }
            if try form.digest(of: digest, in: blobs) != digest {
                // How long a sealed file is says nothing of what is in it.
                problems.append(
                    BlobProblem.changed(
                        digest, byteCount: form.isSealed ? byteCount : Int64(status.st_size),
                        expectedByteCount: byteCount
                    ).sentence)
            }
        }
        return problems
    }

    private func place(of digest: Digest) -> String { form.path(of: digest, in: blobs) }

    /// With `damaged`, leaves out what is not what was saved, and tells it.
    func bringFiles(
        to shelf: BlobShelf, _ progress: Progress, damaged: ((Digest, _ sentence: String) -> Void)? = nil
    ) throws {
        progress.phase("the files")
        progress.set(done: 0, total: Int64(manifest.blobCount))
        let missing = Set(manifest.missing)
        try eachFile(trusting: damaged == nil) { digest in
            try progress.check()
            progress.advance()
            let source = place(of: digest)
            if missing.contains(digest), !Disk.exists(source) { return }
            do {
                // Looked at first, so that what is damaged does not come to the shelf under another name.
                let isSound = try damaged == nil || form.digest(of: digest, in: blobs) == digest
                guard try isSound && put(digest, on: shelf) == digest else {
                    throw Failure(
                        .damaged,
                        "The backup is damaged: the file \(digest) is not what was saved. To bring back the rest: --without-damaged",
                        cause: source)
                }
            } catch let failure as Failure where ![.full, .cancelled].contains(failure.code) {
                guard let damaged else { throw failure }
                damaged(
                    digest,
                    failure.code == .damaged
                        ? "The file \(digest) in the backup is not what was saved." : failure.message)
            }
        }
    }

    /// Nil for what was changed since it was sealed.
    private func put(_ digest: Digest, on shelf: BlobShelf) throws -> Digest? {
        let source = place(of: digest)
        guard form.isSealed else { return try shelf.put(file: source) }
        do {
            return try shelf.put { writer in
                try form.each(digest.hex, at: source) { try writer.write($0) }
            }
        } catch let failure as Failure where failure.code == .damaged { return nil }
    }

    /// The list may be damaged as well; the rows of the table say the same.
    private func eachFile(trusting isTrusted: Bool, _ body: (Digest) throws -> Void) throws {
        if isTrusted || (try? manifest.blobList.check(in: path, form)) != nil {
            return try LineReader.each(manifest.blobList.name, in: path, form) {
                try body(try BackupFolder.listed($0).0)
            }
        }
        guard let table = manifest.tables.first(where: { $0.name == "blob" }) else { return }
        var column: Int?
        try LineReader.each(table.file.name, in: path, form) { line in
            guard let place = column else {
                column = line.array?.firstIndex { $0.string == "digest" }
                return
            }
            guard let digest = line[place]?.string.flatMap(Digest.init) else {
                throw Manifest.unreadable("blob")
            }
            try body(digest)
        }
    }

    /// With `damaged`, leaves out what is not what was saved, and tells it.
    func bringKeys(to directory: DataDirectory, damaged: ((String) -> Void)? = nil) throws {
        for seal in manifest.keys {
            guard seal.name.hasPrefix("keys/") else { throw Manifest.unreadable(seal.name) }
            if let damaged, (try? seal.check(in: path, form)) == nil {
                damaged(seal.name)
                continue
            }
            try Disk.write(
                form.read(seal.name, in: path, atMost: 1 << 20), to: "\(directory.path)/\(seal.name)")
        }
    }

    func bringTables(
        to choice: Store.DatabaseChoice, in directory: DataDirectory, _ areas: [MigrationArea]
    ) throws {
        try Store.explained(directory) {
            let database = try choice.open(in: directory)
            defer { database.close() }
            let present = try database.read { try Tables.names(in: $0) }
            guard try present.isEmpty && database.migrationHistory().isEmpty else {
                throw Failure(
                    .conflict, "The database is not empty. Restore into a new one.", field: "database",
                    cause: present.prefix(5).joined(separator: ", "))
            }
            do {
                try database.migrate(areas)
                try load(into: database)
            } catch {
                // Left half full, the database would refuse the next try.
                try? database.write { connection in
                    for table in try Tables.names(in: connection) + ["migration"] {
                        try connection.run(
                            Query(
                                raw:
                                    "DROP TABLE IF EXISTS \(quoted(table)) \(connection.kind == .postgres ? "CASCADE" : "")"
                            ))
                    }
                }
                throw error
            }
        }
    }

    private func load(into database: Database) throws {
        let tables = try database.read { try Tables.names(in: $0) }
        guard tables == manifest.tables.map(\.name) else { throw Manifest.unreadable("tables") }
        let constraints = try database.foreignKeys()
        // Rows may refer to rows that come later; so the references are looked at when all are there.
        try database.write { connection in
            for constraint in constraints { try connection.run(constraint.deferred) }
        }
        try database.write { connection in
            if connection.kind == .sqlite { try connection.run("PRAGMA defer_foreign_keys = ON") }
            for table in manifest.tables { try Tables.read(table, from: path, form, into: connection) }
            // A desk of its own, which must not be mixed up with the one that was saved.
            if tables.contains("desk_mark") { try connection.run("DELETE FROM desk_mark") }
        }
        try database.write { connection in
            for constraint in constraints { try connection.run(constraint.immediate) }
            try connection.continueCounting()
        }
    }
}

/// A reference of one PostgreSQL table to another. SQLite can put all of them off with one word.
private struct ForeignKey {
    var table: String
    var name: String

    var deferred: Query {
        Query(raw: "ALTER TABLE \(table) ALTER CONSTRAINT \(name) DEFERRABLE INITIALLY DEFERRED")
    }
    var immediate: Query { Query(raw: "ALTER TABLE \(table) ALTER CONSTRAINT \(name) NOT DEFERRABLE") }
}

extension Database {
    fileprivate func foreignKeys() throws -> [ForeignKey] {
        guard kind == .postgres else { return [] }
        return try read { connection in
            try connection.rows(
                """
                SELECT CAST(t.relname AS TEXT) AS table_name, CAST(f.conname AS TEXT) AS name
                FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid
                JOIN pg_namespace n ON n.oid = t.relnamespace
                WHERE f.contype = 'f' AND n.nspname = current_schema()
                """
            ).map { ForeignKey(table: quoted(try $0.text("table_name")), name: quoted(try $0.text("name"))) }
        }
    }
}

extension Connection {
    /// PostgreSQL numbers new rows from a counter of its own, which rows brought along do not move.
    fileprivate borrowing func continueCounting() throws {
        guard kind == .postgres else { return }
        let counted = try rows(
            """
            SELECT CAST(table_name AS TEXT) AS table_name, CAST(column_name AS TEXT) AS column_name
            FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'
            """)
        for row in counted {
            let table = quoted(try row.text("table_name"))
            let column = try row.text("column_name")
            _ = try rows(
                """
                SELECT setval(pg_get_serial_sequence(\(table), \(column)),
                    (SELECT coalesce(max(\(raw: quoted(column))), 0) + 1 FROM \(raw: table)), false) AS n
                """)
        }
    }
}
