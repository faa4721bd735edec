/// What is wrong with a mapping, or worth knowing about it before a run.
public struct MappingProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Severity: Int, Sendable, Comparable {
        /// Worth knowing.
        case note
        /// Some documents may come out otherwise than was meant.
        case warning
        /// Nothing can be made like this.
        case error

        public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
        public var word: String {
            switch self {
            case .note: "note"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    /// What kind of thing it is, for programs.
    public enum Kind: String, Sendable, CaseIterable {
        case text, unknownField, mappedTwice, notFillable, formula, unknownColumn, kind, required, tooLong,
            noSuchChoice, takenAs, unusedColumn, setting, name
    }

    public var severity: Severity
    public var kind: Kind
    public var message: String
    public var hint: String?
    public var field: String?
    /// What the row has for the field, where the problem is about that.
    public var value: String?
    /// What it was taken as.
    public var meant: String?
    /// The line of the mapping file, from 1.
    public var line: Int?
    /// The characters of the field's formula.
    public var place: Range<Int>?

    public init(
        _ message: String, severity: Severity = .error, kind: Kind = .text, field: String? = nil,
        line: Int? = nil,
        hint: String? = nil, place: Range<Int>? = nil
    ) {
        self.severity = severity
        self.kind = kind
        self.message = message
        self.hint = hint
        self.field = field
        self.line = line
        self.place = place
    }

    public var description: String {
        let words = hint.map { "\(message) \($0)" } ?? message
        let about = field.map { "\($0): \(words)" } ?? words
        return line.map { $0 > 0 ? "line \($0): \(about)" : about } ?? about
    }
}
