import Glibc
public import Work

/// One database, SQLite or PostgreSQL, shared by all threads of the process.
///
///     let database = try Database.sqlite(at: "/srv/desk/quire.db")
///     try database.migrate([desk])
///     let titles = try database.read { db in
///         try db.rows("SELECT title FROM document WHERE folder = \(folder)").map { try $0.text("title") }
///     }
///
/// A `read` inside a `read` or `write` of the same thread joins it. A `write` inside either is refused: it
/// would wait for itself, or be saved although the outer one is undone.
public final class Database: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case sqlite, postgres
    }

    /// What a transaction may notice of others that run at the same time. SQLite has one writer at a time, so
    /// there it makes no difference.
    public enum Isolation: Sendable {
        /// Nothing: what was read cannot have changed when it is saved. Right unless shown otherwise.
        case serializable
        /// What others have saved before each statement began. For statements that are right each by itself,
        /// such as taking from a queue with locked rows skipped.
        case eachStatement
    }

    public let kind: Kind
    let driver: any Driver
    /// A `Monitor` and not a `Mutex`, whose waiting (FUTEX_LOCK_PI) the thread sanitizer cannot follow.
    private let inside = Monitor(OpenScopes())

    init(kind: Kind, driver: any Driver) {
        self.kind = kind
        self.driver = driver
    }

    /// A file, made when missing. Readers are opened when they are first needed.
    public static func sqlite(at path: String, readers: Int = 4) throws(SQLError) -> Database {
        Database(kind: .sqlite, driver: try SQLiteDriver(path: path, readers: max(1, readers)))
    }

    /// Somebody else's file, which is only read: nothing is made beside it, and no other file can be attached.
    public static func sqliteForReading(at path: String) throws(SQLError) -> Database {
        Database(kind: .sqlite, driver: try SQLiteVisitor(path: path))
    }

    /// Our own file on a disk that cannot be written: it can be read, and whoever writes hears why not.
    public static func sqliteUnwritable(
        at path: String, because hindrance: SQLiteHindrance
    ) throws(SQLError) -> Database {
        Database(
            kind: .sqlite, driver: try SQLiteVisitor(path: path, role: .onlooker, hindrance: hindrance))
    }

    /// Gone when closed. Reads and writes take turns on one connection.
    public static func sqliteInMemory() throws(SQLError) -> Database {
        Database(kind: .sqlite, driver: try SQLiteDriver(path: ":memory:", readers: 0))
    }

    /// A server reached by a libpq connection string or address; tables live in `schema` when one is given.
    /// One connection is opened at once, others when they are needed.
    public static func postgres(
        _ conninfo: String, connections: Int = 8, schema: String? = nil
    ) throws -> Database {
        let address = PostgresAddress(conninfo: conninfo, schema: schema)
        return Database(
            kind: .postgres, driver: try PostgresDriver(address, connections: max(1, connections)))
    }

    /// Sees one snapshot from beginning to end, whatever is written meanwhile. Cannot write.
    public func read<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        if let session = inside.read({ $0.sessions[threadNumber()] })?.session {
            return try body(Connection(session))
        }
        return try driver.read { session in try scoped(session, body) }
    }

    /// The same for questions that somebody else wrote: given up when they take longer than `limit`, or when nobody waits
    /// for them any more.
    public func read<R>(
        within limit: Duration, _ cancellation: Cancellation,
        _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        try refuseInside("question of somebody else's")
        return try driver.read { session in
            try scoped(session) { connection in
                try session.limited(to: limit, cancellation) { try body(connection) }
            }
        }
    }

    /// One transaction: all of it is saved when the body returns, nothing when it throws. When `write` has
    /// returned, what was written survives a crash of the program and of the machine.
    ///
    /// The body may run again when another writer got in between (PostgreSQL) or when a commit shared with
    /// other writers failed because of one of them (SQLite). So it should change nothing but the database;
    /// what has to happen once comes after `write` has returned.
    @discardableResult
    public func write<R>(
        _ isolation: Isolation = .serializable, _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        try refuseInside("write")
        return try driver.write(isolation) { session in try scoped(session, body) }
    }

    /// Tells listeners in this process and, on PostgreSQL, in every other.
    public func notify(_ channel: String, _ payload: String = "") throws {
        try driver.notify(channel, payload)
    }

    /// Calls the handler, on a thread of its own on PostgreSQL, with the payload of each notification. An
    /// empty payload also arrives after the connection was lost and found again: something may have been
    /// missed, so look.
    public func listen(
        _ channel: String, _ handler: @escaping @Sendable (String) -> Void
    ) throws -> Subscription {
        try driver.listen(channel, handler)
    }

    /// A consistent copy while others go on reading and writing.
    public func backup(to path: String, progress: Progress = Progress()) throws {
        try driver.backup(to: path, progress: progress)
    }

    /// What is wrong with the stored data, in the database's own words; empty when all is well.
    public func check() throws -> [String] {
        try driver.check()
    }

    public func close() {
        driver.close()
    }

    func refuseInside(_ what: String) throws(SQLError) {
        guard inside.read({ $0.sessions[threadNumber()] == nil }) else {
            throw SQLError(.misuse, "a \(what) inside a read or write of the same thread")
        }
    }

    private func scoped<R>(
        _ session: any Session, _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        let thread = threadNumber()
        let held = HeldSession(session)
        inside.update(waking: .nobody) { $0.sessions[thread] = held }
        defer { inside.update(waking: .nobody) { _ = $0.sessions.removeValue(forKey: thread) } }
        session.doom = nil
        session.attempts = 0
        let result = try body(Connection(session))
        if let doom = session.doom { throw doom }
        return result
    }
}

private struct OpenScopes: Sendable {
    var sessions: [UInt: HeldSession] = [:]
}

/// A session travels only under the key of the thread that is using it.
private struct HeldSession: @unchecked Sendable {
    let session: any Session
    init(_ session: any Session) { self.session = session }
}

private func threadNumber() -> UInt {
    UInt(pthread_self())
}
