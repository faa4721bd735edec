/// The database as seen from inside one `read` or `write`. It cannot be kept: it belongs to the body it was
/// given to, on the thread it was given to.
///
/// After a failed statement the transaction is lost: every further statement repeats the error, and
/// committing does too. PostgreSQL works that way, and a mistake that was caught and forgotten is not
/// half-saved. Whoever expects a statement to fail wraps it in `attempt`.
public struct Connection: ~Copyable {
    let session: any Session

    /// Not inlined: Swift 6.3's optimiser drops the copy of the session that an inlined `init` makes and then
    /// stops at its own check ("cannot initialize a nonCopyable type with a guaranteed value").
    @inline(never)
    init(_ session: any Session) {
        self.session = session
    }

    public var kind: Database.Kind { session.kind }

    /// The same connection for a type that wraps it for no longer than the same `read` or `write` lasts.
    public func lent() -> Connection { Connection(session) }

    /// Runs a statement; the number of rows it inserted, changed or deleted.
    @discardableResult
    public func run(_ query: Query) throws(SQLError) -> Int {
        try guarded(query) { () throws(SQLError) in try session.run(query) }
    }

    public func rows(_ query: Query) throws(SQLError) -> [Row] {
        try guarded(query) { () throws(SQLError) in try session.rows(query) }
    }

    /// The one row of the answer, nil when there is none. Several are a mistake in the query and said so.
    public func row(_ query: Query) throws(SQLError) -> Row? {
        let rows = try rows(query)
        guard rows.count <= 1 else {
            throw SQLError(.misuse, "\(rows.count) rows where at most one was meant", sql: query.text)
        }
        return rows.first
    }

    /// Goes through an answer row by row without holding all of it.
    public func each(_ query: Query, _ body: (Row) throws -> Void) throws {
        try check(query)
        do {
            try session.each(query, body)
        } catch let error as SQLError {
            if session.doom == nil { session.doom = error }
            throw error
        }
    }

    /// Runs several statements separated by semicolons: table definitions, in the portable subset.
    ///
    /// `CREATE TABLE` becomes STRICT on SQLite; on PostgreSQL `INTEGER` means `BIGINT`, `REAL` means
    /// `DOUBLE PRECISION`, `BLOB` means `BYTEA`, and `TEXT` is compared byte by byte as SQLite does.
    public func script(_ text: String) throws(SQLError) {
        let query = Query(raw: text)
        try guarded(query) { () throws(SQLError) in try session.script(text) }
    }

    /// A step that may fail without taking the transaction with it: when `body` throws, what it did is
    /// undone and the error thrown on.
    @discardableResult
    public func attempt<R>(_ body: () throws -> R) throws -> R {
        let name = "attempt_\(session.attempts + 1)"
        try run(Query(raw: "SAVEPOINT \(name)"))
        session.attempts += 1
        defer { session.attempts -= 1 }
        do {
            let result = try body()
            if let doom = session.doom { throw doom }
            try run(Query(raw: "RELEASE SAVEPOINT \(name)"))
            return result
        } catch {
            guard !session.hasLostTransaction else { throw error }
            session.doom = nil
            try run(Query(raw: "ROLLBACK TO SAVEPOINT \(name)"))
            try run(Query(raw: "RELEASE SAVEPOINT \(name)"))
            throw error
        }
    }

    /// Tells listeners of `channel`, after and only after the transaction is committed.
    public func notify(_ channel: String, _ payload: String = "") throws(SQLError) {
        let query = Query(raw: "notify")
        try guarded(query) { () throws(SQLError) in try session.notify(channel, payload) }
    }

    private func guarded<R>(_ query: Query, _ body: () throws(SQLError) -> R) throws(SQLError) -> R {
        try check(query)
        do {
            return try body()
        } catch {
            session.doom = error
            throw error
        }
    }

    private func check(_ query: Query) throws(SQLError) {
        if let doom = session.doom { throw doom }
        for value in query.values {
            if let objection = value.objection {
                throw SQLError(.wrongType, objection, sql: query.text)
            }
        }
    }
}
