import Bytes
public import Work

/// What a column can hold. Both databases store exactly these; everything else is written as one of them.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A Swift value that can be bound into a `Query`.
public protocol SQLConvertible {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    public var sqlValue: SQLValue { self }
}

extension Int64: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLConvertible {
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

/// Kept as 0 or 1: SQLite has no boolean, so conditions are written `done = 1` on both databases.
extension Bool: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLConvertible {
    public var sqlValue: SQLValue { .real(self) }
}

extension String: SQLConvertible {
    public var sqlValue: SQLValue { .text(self) }
}

extension Substring: SQLConvertible {
    public var sqlValue: SQLValue { .text(String(self)) }
}

extension [UInt8]: SQLConvertible {
    public var sqlValue: SQLValue { .blob(self) }
}

/// Kept as milliseconds, in an INTEGER column.
extension Moment: SQLConvertible {
    public var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    // A key path would be put together anew for each value.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension SQLValue {
    /// Why a value cannot be stored alike on both databases; nil when it can.
    ///
    /// PostgreSQL has no NUL inside text and SQLite turns NaN into NULL without a word. Refusing both
    /// everywhere means that a test passing on one database passes on the other.
    var objection: String? {
        switch self {
        case .text(let text) where text.holdsNUL: "text may not contain a NUL character"
        case .real(let number) where number.isNaN: "NaN cannot be stored"
        default: nil
        }
    }

    var kindName: String {
        switch self {
        case .null: "NULL"
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .blob: "a blob"
        }
    }
}
