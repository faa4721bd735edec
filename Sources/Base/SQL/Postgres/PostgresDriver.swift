import Glibc
import Work

/// A pool of connections to one server.
final class PostgresDriver: Driver {
    private let address: PostgresAddress
    private let sessions: Pool<PostgresSession>
    private let listener: PostgresListener

    /// How long a server may be away, or others keep winning, before it is called a failure.
    private static let patience = Duration.seconds(10)

    init(_ address: PostgresAddress, connections: Int) throws {
        self.address = address
        sessions = Pool(limit: connections) { () throws -> sending PostgresSession in
            try PostgresSession(address)
        }
        listener = try PostgresListener(address)
        // A wrong address shows at once, not with the first question.
        try sessions.use { session in
            if let schema = address.schema {
                try session.execute("CREATE SCHEMA IF NOT EXISTS \(PostgresSession.quoted(schema))")
            }
        }
    }

    func read<R>(_ body: (any Session) throws -> R) throws -> R {
        try persistently("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", end: "ROLLBACK", body)
    }

    func write<R>(_ isolation: Database.Isolation, _ body: (any Session) throws -> R) throws -> R {
        let level =
            switch isolation {
            case .serializable: "SERIALIZABLE"
            case .eachStatement: "READ COMMITTED"
            }
        return try persistently("BEGIN ISOLATION LEVEL \(level)", end: "COMMIT", body)
    }

    func migrate(_ body: (any Session) throws -> Void) throws {
        try persistently("BEGIN ISOLATION LEVEL READ COMMITTED", end: "COMMIT") { session in
            // Two programs starting at once take turns; the second then sees what the first has done. The
            // number is "quire" in ASCII.
            _ = try session.rows("SELECT pg_advisory_xact_lock(487312880229)")
            try body(session)
        }
        sessions.renew()
    }

    /// Runs a transaction, and again when another one got in between or the connection broke before the end.
    private func persistently<R>(
        _ begin: String, end: String, _ body: (any Session) throws -> R
    ) throws -> R {
        let waiting = Stopwatch()
        var tries = 0
        while true {
            tries += 1
            var isTemporary = false
            do {
                return try sessions.use(isUsable: \.isReusable) { session in
                    try transaction(session, begin, end, &isTemporary, body)
                }
            } catch {
                guard isTemporary, waiting.elapsed < Self.patience else { throw error }
            }
            // A little longer each time, and never two alike in step.
            usleep(UInt32.random(in: 0..<UInt32(min(200_000, 1000 << min(tries, 8)))))
        }
    }

    private func transaction<R>(
        _ session: PostgresSession, _ begin: String, _ end: String, _ isTemporary: inout Bool,
        _ body: (any Session) throws -> R
    ) throws -> R {
        session.doom = nil
        do {
            if !session.isConnected { try session.reconnect() }
            try session.begin(begin)
        } catch {
            // Nothing has been done yet, so trying again is always right.
            isTemporary = error.code == .unreachable
            throw error
        }
        let result: R
        do {
            result = try body(session)
        } catch {
            // The body may have wrapped the error into its own; what the server said is in `doom`.
            let said = session.doom ?? error as? SQLError
            isTemporary = said?.code == .busy || said?.code == .unreachable
            _ = try? session.execute("ROLLBACK")
            throw error
        }
        do {
            guard try session.execute(end) == end else {
                throw session.doom ?? SQLError(.other, "the server gave the transaction up")
            }
        } catch let error as SQLError {
            isTemporary = error.code == .busy
            guard error.code == .unreachable else { throw error }
            throw SQLError(
                .unreachable,
                "the connection broke while saving; it may have been saved or not: \(error.message)"
            )
        }
        return result
    }

    func notify(_ channel: String, _ payload: String) throws {
        try persistently("BEGIN", end: "COMMIT") { try $0.notify(channel, payload) }
    }

    func listen(_ channel: String, _ handler: @escaping @Sendable (String) -> Void) throws -> Subscription {
        try listener.listen(channel, handler)
    }

    func backup(to path: String, progress: Progress) throws {
        throw SQLError(.unsupported, "a PostgreSQL database is copied with pg_dump")
    }

    /// Reads every table from end to end; the server says what it cannot read.
    func check() throws -> [String] {
        let tables = try read { session in
            try session.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1")
                .map { try $0.text("tablename") }
        }
        var faults: [String] = []
        for table in tables {
            do {
                try read { session in
                    _ = try session.rows(Query(raw: "SELECT count(*) FROM \(PostgresSession.quoted(table))"))
                }
            } catch let error as SQLError where error.code == .damaged || error.code == .other {
                faults.append("\(table): \(error.message)")
            }
        }
        return faults
    }

    func close() {
        listener.stop()
        sessions.close()
    }
}
