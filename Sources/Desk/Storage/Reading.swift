public import SQL

/// What can be asked about stored things, inside a `read` as well as inside a `write`.
///
/// ```swift
/// func document(_ id: ID<Document>, in desk: borrowing some Readable & ~Copyable) throws -> Document?
/// ```
public protocol Readable: ~Copyable {
    var kind: Database.Kind { get }
    func rows(_ query: Query) throws(SQLError) -> [Row]
    func row(_ query: Query) throws(SQLError) -> Row?
    func each(_ query: Query, _ body: (Row) throws -> Void) throws
}

/// One snapshot of the desk: nothing changes in it while it is read.
public struct Reading: ~Copyable, Readable {
    let connection: Connection

    public var kind: Database.Kind { connection.kind }

    public func rows(_ query: Query) throws(SQLError) -> [Row] { try connection.rows(query) }

    /// The one row of the answer, nil when there is none.
    public func row(_ query: Query) throws(SQLError) -> Row? { try connection.row(query) }

    /// Goes through an answer without holding all of it.
    public func each(_ query: Query, _ body: (Row) throws -> Void) throws { try connection.each(query, body) }
}
