import Work

/// One connection to a file that belongs to somebody else. Reads take turns on it; nothing can be written.
final class SQLiteVisitor: Driver {
    private let refusal: SQLError
    private let sessions: Pool<SQLiteSession>

    init(
        path: String, role: SQLiteSession.Role = .visitor, hindrance: SQLiteHindrance = .readOnly
    ) throws(SQLError) {
        refusal = SQLError(hindrance.code, "\(path) was opened for reading only")
        sessions = Pool(limit: 1) { () throws -> sending SQLiteSession in
            try SQLiteSession(path: path, role: role)
        }
    }

    func read<R>(_ body: (any Session) throws -> R) throws -> R {
        try sessions.use { session in
            _ = try session.run("BEGIN")
            // Nothing was written: rolling back only ends the snapshot.
            defer { _ = try? session.run("ROLLBACK") }
            return try body(session)
        }
    }

    func write<R>(_ isolation: Database.Isolation, _ body: (any Session) throws -> R) throws -> R {
        throw refusal
    }
    func migrate(_ body: (any Session) throws -> Void) throws { throw refusal }
    func notify(_ channel: String, _ payload: String) throws { throw refusal }
    func listen(_ channel: String, _ handler: @escaping @Sendable (String) -> Void) throws -> Subscription {
        throw refusal
    }
    func backup(to path: String, progress: Progress) throws { throw refusal }

    func check() throws -> [String] {
        let faults = try read { session in
            try session.rows("PRAGMA integrity_check").map { try $0.text("integrity_check") }
        }
        return faults == ["ok"] ? [] : faults
    }

    func close() { sessions.close() }
}
