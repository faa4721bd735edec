/// SQL with its values kept apart, so that a value can never be read as SQL.
///
///     "INSERT INTO job (id, title) VALUES (\(id), \(title))"
///
/// Every interpolated value is bound; a `Query` interpolated into another keeps its own values bound. Only
/// `\(raw:)` inserts text as SQL: for names the program itself chose, never for anything a person typed.
public struct Query: Sendable, Equatable {
    /// Always one more than `values`: a value stands between each two fragments.
    var fragments: [String]
    public private(set) var values: [SQLValue]

    public init() {
        fragments = [""]
        values = []
    }

    /// Text trusted as SQL, without values.
    public init(raw text: String) {
        fragments = [text]
        values = []
    }

    public var isEmpty: Bool { values.isEmpty && fragments[0].isEmpty }

    /// The SQL with numbered places for the values. Both databases read `$1`.
    public var text: String {
        guard !values.isEmpty else { return fragments[0] }
        var text = ""
        text.reserveCapacity(fragments.reduce(0) { $0 + $1.utf8.count + 5 })
        text += fragments[0]
        for place in 1..<fragments.count {
            text += place < Self.places.count ? Self.places[place] : "$\(place)"
            text += fragments[place]
        }
        return text
    }

    /// Thousands of rows are written in one statement, each with places of its own.
    private static let places = (0...4096).map { "$\($0)" }

    mutating func append(raw text: String) {
        fragments[fragments.count - 1] += text
    }

    mutating func append(value: SQLValue) {
        values.append(value)
        fragments.append("")
    }

    public mutating func append(_ other: Query) {
        fragments[fragments.count - 1] += other.fragments[0]
        fragments += other.fragments.dropFirst()
        values += other.values
    }
}

// Putting queries together.
extension Query {
    public static func + (left: Query, right: Query) -> Query {
        var whole = left
        whole.append(right)
        return whole
    }

    public static func += (left: inout Query, right: Query) {
        left.append(right)
    }

    /// `column IN (…)`, or a condition that is never true when there is nothing to be in.
    public static func column(_ name: String, in values: some Sequence<some SQLConvertible>) -> Query {
        listed(name, "IN", values, whenEmpty: "1 = 0")
    }

    /// `column NOT IN (…)`, or a condition that is always true when there is nothing to leave out.
    public static func column(_ name: String, notIn values: some Sequence<some SQLConvertible>) -> Query {
        listed(name, "NOT IN", values, whenEmpty: "1 = 1")
    }

    private static func listed(
        _ name: String, _ relation: String, _ values: some Sequence<some SQLConvertible>, whenEmpty: String
    ) -> Query {
        let places = values.map { Query(value: $0) }
        guard !places.isEmpty else { return Query(raw: whenEmpty) }
        return Query(raw: "\(name) \(relation) (") + places.joined(separator: ", ") + Query(raw: ")")
    }

    /// Adds `($1, $2, …)` to a list of rows behind VALUES. Thousands of rows are written in this way, and making each a
    /// query of its own first takes as long as the database takes to store it.
    public mutating func append(row: [any SQLConvertible]) {
        append(raw: isEmpty ? "(" : ", (")
        for (place, value) in row.enumerated() {
            if place > 0 { append(raw: ", ") }
            append(value: value.sqlValue)
        }
        append(raw: ")")
    }

    /// A single bound value.
    public init(value: some SQLConvertible) {
        self.init()
        append(value: value.sqlValue)
    }
}

extension Sequence<Query> {
    public func joined(separator: Query) -> Query {
        var whole = Query()
        for (place, query) in enumerated() {
            if place > 0 { whole.append(separator) }
            whole.append(query)
        }
        return whole
    }
}

extension Query: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        var query = Query()

        public init(literalCapacity: Int, interpolationCount: Int) {
            query.fragments.reserveCapacity(interpolationCount + 1)
        }

        public mutating func appendLiteral(_ literal: String) { query.append(raw: literal) }
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            query.append(value: value.sqlValue)
        }
        public mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            query.append(value: value.sqlValue)
        }
        public mutating func appendInterpolation(_ query: Query) { self.query.append(query) }
        public mutating func appendInterpolation(raw text: String) { query.append(raw: text) }
    }

    public init(stringLiteral value: String) { self.init(raw: value) }
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.query }
}
