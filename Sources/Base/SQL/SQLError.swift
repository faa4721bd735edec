/// What went wrong in the database, in words that are the same for SQLite and PostgreSQL.
public struct SQLError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: Sendable, Equatable {
        /// `table.column, table.column`, or the name of an index over an expression.
        case unique(String)
        case foreignKey
        /// The name of the constraint.
        case check(String)
        /// `table.column`.
        case notNull(String)
        /// A value does not fit the column it was meant for or was read as.
        case wrongType
        /// Somebody else held the database for too long, or kept getting in between.
        case busy
        case full
        case readOnly
        case damaged
        /// A newer program has changed this database: `name` of `area` is unknown here.
        case newerSchema(area: String, name: String)
        /// The migrations of this area are not the ones this database was built with.
        case changedHistory(area: String)
        case unreachable
        case cancelled
        case unsupported
        /// Our own mistake: a write inside a write, a missing column, two rows where one was asked for.
        case misuse
        case other
    }

    public var code: Code
    public var message: String
    public var sql: String?

    public init(_ code: Code, _ message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    public var description: String {
        sql.map { "\(message) [\($0)]" } ?? message
    }
}
