import Bytes
import Tables

// What people type into the search of a list.
extension RecipientFilter {
    /// Words that must occur anywhere, and what must hold in one column: `miller class=5b age>12 "first name":jo`.
    ///
    /// `=` and `!=` compare the whole cell, `:` looks for a part of it, `<` and `>` compare numbers, dates or letters.
    /// With nothing behind them `=` finds empty cells and `!=` those that are filled; `=?` finds what is no address.
    /// A name that no column has is a word like others.
    public init(typed text: String, in columns: [RecipientColumn]) {
        self.init()
        var words: [String] = []
        var rest = Substring(text)
        while let token = Token(&rest) {
            let column = columns.first { Folding.key($0.name) == Folding.key(token.name) }
            guard let column, let sign = token.sign, let condition = Self.condition(column, sign, token.value)
            else {
                words.append(token.text)
                continue
            }
            conditions.append(condition)
        }
        search = words.joined(separator: " ")
    }

    private static func condition(_ column: RecipientColumn, _ sign: String, _ value: String) -> Condition? {
        switch (sign, value) {
        case ("=", ""): Condition(column.name, .isEmpty)
        case ("!=", ""): Condition(column.name, .isFilled)
        case ("=", "?"): Condition(column.name, .isNoAddress)
        case (_, ""): nil
        case ("=", _): Condition(column.name, .is, value)
        case ("!=", _): Condition(column.name, .isNot, value)
        case (":", _): Condition(column.name, .contains, value)
        case (">", _): Condition(column.name, .isAbove, value)
        case ("<", _): Condition(column.name, .isBelow, value)
        default: nil
        }
    }

    /// One condition as it would be typed.
    public static func typed(_ column: String, _ relation: Condition.Relation, _ value: String) -> String {
        func quoted(_ text: String) -> String {
            let isPlain =
                !text.isEmpty && !text.contains { $0.isWhitespace || "\"=!:<>".contains($0) } && text != "?"
            return isPlain ? text : "\"\(text.filter { $0 != "\"" })\""
        }
        let name = quoted(column)
        return switch relation {
        case .is: "\(name)=\(quoted(value))"
        case .isNot: "\(name)!=\(quoted(value))"
        case .contains, .startsWith: "\(name):\(quoted(value))"
        case .isAbove: "\(name)>\(quoted(value))"
        case .isBelow: "\(name)<\(quoted(value))"
        case .isEmpty: "\(name)="
        case .isFilled: "\(name)!="
        case .isNoAddress: "\(name)=?"
        }
    }

    private struct Token {
        var text: String
        var name: String
        var sign: String?
        var value = ""

        /// Nil at the end.
        init?(_ rest: inout Substring) {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { return nil }
            let start = rest
            name = Self.piece(&rest, endsAtSigns: true)
            sign = ["!=", "=", ":", "<", ">"].first { rest.hasPrefix($0) }
            if let sign {
                rest = rest.dropFirst(sign.count)
                value = Self.piece(&rest, endsAtSigns: false)
            } else {
                // A sign that is none, such as a lone exclamation mark, belongs to the word.
                name += Self.piece(&rest, endsAtSigns: false)
            }
            text = String(start[..<rest.startIndex].filter { $0 != "\"" })
        }

        private static func piece(_ rest: inout Substring, endsAtSigns: Bool) -> String {
            if rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") {
                let piece = rest[rest.index(after: rest.startIndex)..<end]
                rest = rest[rest.index(after: end)...]
                return String(piece)
            }
            let end =
                rest.firstIndex { $0.isWhitespace || endsAtSigns && "=!:<>".contains($0) } ?? rest.endIndex
            let piece = rest[..<end]
            rest = rest[end...]
            return String(piece)
        }
    }
}
