import CSQLite
import Work

/// One writer and a few readers over one file.
final class SQLiteDriver: Driver {
    private let path: String
    private let writer: SQLiteWriter
    /// None for a database in memory: there the one connection does everything.
    private let readers: Pool<SQLiteSession>?
    private let channels = Channels()

    init(path: String, readers: Int) throws(SQLError) {
        self.path = path
        writer = SQLiteWriter(session: try SQLiteSession(path: path, role: .writer), channels: channels)
        self.readers =
            readers == 0
            ? nil
            : Pool(limit: readers) { () throws -> sending SQLiteSession in
                try SQLiteSession(path: path, role: .reader)
            }
    }

    func read<R>(_ body: (any Session) throws -> R) throws -> R {
        guard let readers else {
            return try writer.write { session in
                guard let session = session as? SQLiteSession else { return try body(session) }
                try session.execute("PRAGMA query_only = ON")
                defer { try? session.execute("PRAGMA query_only = OFF") }
                return try body(session)
            }
        }
        return try readers.use { session in
            _ = try session.run("BEGIN")
            // Nothing was written: rolling back only ends the snapshot.
            defer { _ = try? session.run("ROLLBACK") }
            return try body(session)
        }
    }

    /// One writer at a time sees no other anyway.
    func write<R>(_ isolation: Database.Isolation, _ body: (any Session) throws -> R) throws -> R {
        try writer.write(body)
    }

    func migrate(_ body: (any Session) throws -> Void) throws {
        try writer.alone { session in
            // Rebuilding a table drops it, and dropping deletes its rows: with foreign keys on, those of
            // other tables would go with them. What was broken shows in the check before the commit.
            try session.execute("PRAGMA foreign_keys = OFF")
            defer { try? session.execute("PRAGMA foreign_keys = ON") }
            _ = try session.run("BEGIN IMMEDIATE")
            do {
                try body(session)
                if let orphan = try session.rows("PRAGMA foreign_key_check").first {
                    throw SQLError(
                        .foreignKey,
                        "the migration leaves rows of “\(try orphan.text("table"))” without parent")
                }
                _ = try session.run("COMMIT")
            } catch {
                if !session.hasLostTransaction { _ = try? session.run("ROLLBACK") }
                throw error
            }
            session.forgetStatements()
        }
        readers?.renew()
    }

    func notify(_ channel: String, _ payload: String) {
        channels.send(channel, payload)
    }

    func listen(_ channel: String, _ handler: @escaping @Sendable (String) -> Void) -> Subscription {
        channels.listen(channel, handler)
    }

    func backup(to path: String, progress: Progress) throws {
        if readers == nil {
            try writer.alone { try $0.copy(to: path, progress: progress) }
        } else {
            // A connection of its own, so that a long copy takes no reader away.
            let session = try SQLiteSession(path: self.path, role: .reader)
            _ = try session.run("BEGIN")
            // The snapshot is taken by the first look; from here on later writes do not show.
            _ = try session.rows("SELECT name FROM sqlite_schema LIMIT 1")
            try session.copy(to: path, progress: progress)
        }
    }

    func check() throws -> [String] {
        do {
            return try read { session in
                var faults = try session.rows("PRAGMA integrity_check").map {
                    try $0.text("integrity_check")
                }
                if faults == ["ok"] { faults = [] }
                for orphan in try session.rows("PRAGMA foreign_key_check") {
                    let table = try orphan.text("table")
                    let row = try orphan.optionalInteger("rowid").map { " \($0)" } ?? ""
                    faults.append("row\(row) of \(table) refers to a missing \(try orphan.text("parent"))")
                }
                return faults
            }
        } catch let error as SQLError where error.code == .damaged {
            return [error.message]
        }
    }

    func close() {
        readers?.close()
        writer.close()
    }
}

extension SQLiteSession {
    /// SQLite's online backup, in steps small enough to be counted and cancelled between.
    fileprivate func copy(to path: String, progress: Progress) throws {
        var opened: OpaquePointer?
        defer { sqlite3_close_v2(opened) }
        let opening = sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE, nil)
        guard opening == SQLITE_OK, let opened,
            let backup = sqlite3_backup_init(opened, "main", handle, "main")
        else {
            let error = SQLError.sqlite(opening, opened)
            throw SQLError(error.code, "cannot write the copy \(path): \(error.message)")
        }
        var result = SQLITE_OK
        while result == SQLITE_OK || result & 0xff == SQLITE_BUSY {
            if progress.cancellation.isCancelled { break }
            result = sqlite3_backup_step(backup, 256)
            let total = Int64(sqlite3_backup_pagecount(backup))
            progress.set(done: total - Int64(sqlite3_backup_remaining(backup)), total: total)
            if result & 0xff == SQLITE_BUSY { sqlite3_sleep(5) }
        }
        let finishing = sqlite3_backup_finish(backup)
        try progress.check()
        guard finishing == SQLITE_OK else {
            let error = SQLError.sqlite(finishing, opened)
            throw SQLError(error.code, "cannot write the copy \(path): \(error.message)")
        }
    }
}
