public import Work

/// One row of an answer. Columns are read by name; a column of another type than asked for is an error with
/// a place, never a silent zero or an empty string.
public struct Row: Sendable {
    let columns: ColumnNames
    public let values: [SQLValue]

    public var names: [String] { columns.names }

    /// The value as it is stored.
    public func value(_ column: String) throws(SQLError) -> SQLValue {
        guard let place = columns.names.firstIndex(of: column), place < values.count else {
            throw SQLError(
                .misuse, "no column “\(column)” among \(columns.names.joined(separator: ", "))")
        }
        return values[place]
    }

    private func wrong(_ column: String, _ value: SQLValue, _ wanted: String) -> SQLError {
        SQLError(.wrongType, "column “\(column)” holds \(value.kindName), not \(wanted)")
    }
}

/// Shared by all rows of one answer.
final class ColumnNames: Sendable {
    let names: [String]
    init(_ names: [String]) { self.names = names }
}

extension Row {
    public func optionalText(_ column: String) throws(SQLError) -> String? {
        switch try value(column) {
        case .text(let text): text
        case .null: nil
        case let other: throw wrong(column, other, "text")
        }
    }

    public func optionalInteger(_ column: String) throws(SQLError) -> Int64? {
        switch try value(column) {
        case .integer(let number): number
        case .null: nil
        case let other: throw wrong(column, other, "an integer")
        }
    }

    /// Integers are read as well: SQLite gives `SUM` of nothing but integers as an integer.
    public func optionalDouble(_ column: String) throws(SQLError) -> Double? {
        switch try value(column) {
        case .real(let number): number
        case .integer(let number): Double(number)
        case .null: nil
        case let other: throw wrong(column, other, "a real number")
        }
    }

    public func optionalBlob(_ column: String) throws(SQLError) -> [UInt8]? {
        switch try value(column) {
        case .blob(let bytes): bytes
        case .null: nil
        case let other: throw wrong(column, other, "a blob")
        }
    }

    public func optionalInt(_ column: String) throws(SQLError) -> Int? {
        try optionalInteger(column).map(Int.init)
    }

    public func optionalBool(_ column: String) throws(SQLError) -> Bool? {
        try optionalInteger(column).map { $0 != 0 }
    }

    public func optionalMoment(_ column: String) throws(SQLError) -> Moment? {
        try optionalInteger(column).map { Moment(milliseconds: $0) }
    }
}

extension Row {
    public func text(_ column: String) throws(SQLError) -> String {
        try present(column, try optionalText(column))
    }
    public func integer(_ column: String) throws(SQLError) -> Int64 {
        try present(column, try optionalInteger(column))
    }
    public func int(_ column: String) throws(SQLError) -> Int {
        try present(column, try optionalInt(column))
    }
    public func double(_ column: String) throws(SQLError) -> Double {
        try present(column, try optionalDouble(column))
    }
    public func bool(_ column: String) throws(SQLError) -> Bool {
        try present(column, try optionalBool(column))
    }
    public func blob(_ column: String) throws(SQLError) -> [UInt8] {
        try present(column, try optionalBlob(column))
    }
    public func moment(_ column: String) throws(SQLError) -> Moment {
        try present(column, try optionalMoment(column))
    }

    private func present<Value>(_ column: String, _ value: Value?) throws(SQLError) -> Value {
        guard let value else { throw SQLError(.wrongType, "column “\(column)” is NULL") }
        return value
    }
}

extension Row {
    /// A value of a closed set, kept as its word.
    public func choice<Choice: RawRepresentable<String>>(_ column: String) throws(SQLError) -> Choice {
        let word = try text(column)
        guard let choice = Choice(rawValue: word) else {
            throw SQLError(.wrongType, "column “\(column)” holds “\(word)”")
        }
        return choice
    }
}
