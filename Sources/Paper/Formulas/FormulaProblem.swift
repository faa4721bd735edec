/// What is wrong with a formula, and where: found when it is read, checked against a table, or worked out for a row.
public struct FormulaProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The characters of the formula this is about, counted from 0.
    public var place: Range<Int>
    /// A whole sentence.
    public var message: String
    /// What would be right.
    public var hint: String?
    /// True when the formula works for rows that allow it, so that a run may go on.
    public var isWarning: Bool

    public init(_ place: Range<Int>, _ message: String, hint: String? = nil, isWarning: Bool = false) {
        self.place = place
        self.message = message
        self.hint = hint
        self.isWarning = isWarning
    }

    public var description: String { hint.map { "\(message) \($0)" } ?? message }

    /// The formula with a mark below the place, for a screen with letters of one width.
    public func picture(in formula: String) -> String {
        let line = formula.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let start = min(place.lowerBound, line.count)
        let width = max(1, min(place.upperBound, line.count) - start)
        return String(line) + "\n" + String(repeating: " ", count: start)
            + String(repeating: "^", count: width)
    }
}

public typealias FormulaError = FormulaProblem
