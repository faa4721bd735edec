import Work

/// One opened connection to one of the two databases. Used by one thread at a time.
protocol Session: AnyObject {
    var kind: Database.Kind { get }

    /// Set by the first failed statement of a transaction, see `Connection`.
    var doom: SQLError? { get set }

    /// How deep `Connection.attempt` is nested.
    var attempts: Int { get set }

    func run(_ query: Query) throws(SQLError) -> Int
    func rows(_ query: Query) throws(SQLError) -> [Row]
    func each(_ query: Query, _ body: (Row) throws -> Void) throws
    func script(_ text: String) throws(SQLError)

    /// Every statement in the body fails when the time is over or the work is called off, also in its middle.
    func limited<R>(to limit: Duration, _ cancellation: Cancellation, _ body: () throws -> R) throws -> R

    /// Told to listeners once the transaction is committed.
    func notify(_ channel: String, _ payload: String) throws(SQLError)

    /// True when the database itself has already given up the transaction.
    var hasLostTransaction: Bool { get }
}

/// What the two databases do each in their own way.
protocol Driver: Sendable {
    func read<R>(_ body: (any Session) throws -> R) throws -> R
    func write<R>(_ isolation: Database.Isolation, _ body: (any Session) throws -> R) throws -> R

    /// Like `write`, alone with the database and with foreign keys checked only at the end.
    func migrate(_ body: (any Session) throws -> Void) throws

    func notify(_ channel: String, _ payload: String) throws
    func listen(_ channel: String, _ handler: @escaping @Sendable (String) -> Void) throws -> Subscription
    func backup(to path: String, progress: Progress) throws
    func check() throws -> [String]
    func close()
}
