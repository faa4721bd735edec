/// A word, a sign or a literal of a formula, and where it stands.
struct FormulaToken: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case number(Decimal)
        case text(String)
        /// `{Last name}`
        case column(String)
        /// A name without braces: a function, a column, or a word with a meaning of its own.
        case word(String)
        case sign(String)
        case end
    }

    var kind: Kind
    var place: Range<Int>

    /// All tokens of a formula, an `end` last.
    static func all(in text: String) throws(FormulaProblem) -> [FormulaToken] {
        var lexer = FormulaLexer(text)
        var tokens: [FormulaToken] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }
}

private struct FormulaLexer {
    private let text: [Character]
    private var at = 0

    private static let quotes: [Character: Character] = [
        "\"": "\"", "'": "'", "“": "”", "„": "“", "«": "»", "‘": "’",
    ]
    private static let signs = [
        "<=", ">=", "<>", "!=", "==", "&&", "||", "≤", "≥", "≠", "=", "<", ">", "&", "+", "-", "−", "*", "×",
        "/",
        "÷", "(", ")", ",", ";", "!",
    ]

    init(_ text: String) { self.text = Array(text) }

    mutating func next() throws(FormulaProblem) -> FormulaToken {
        while at < text.count, text[at].isWhitespace { at += 1 }
        guard at < text.count else { return FormulaToken(kind: .end, place: at..<at) }
        let start = at
        let kind: FormulaToken.Kind
        let first = text[at]
        if let closing = Self.quotes[first] {
            kind = .text(try quoted(by: closing))
        } else if first == "{" {
            kind = .column(try braced())
        } else if Self.isDigit(first) || first == "." && at + 1 < text.count && Self.isDigit(text[at + 1]) {
            kind = .number(try number())
        } else if Self.beginsWord(first) {
            while at < text.count, Self.isInWord(text[at]) { at += 1 }
            kind = .word(String(text[start..<at]))
        } else {
            kind = .sign(try sign())
        }
        return FormulaToken(kind: kind, place: start..<at)
    }

    private static func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }
    private static func beginsWord(_ character: Character) -> Bool { character.isLetter || character == "_" }
    private static func isInWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Two quotation marks in a row stand for one; `\n` is a line end.
    private mutating func quoted(by closing: Character) throws(FormulaProblem) -> String {
        let start = at
        at += 1
        var result = ""
        while at < text.count {
            let character = text[at]
            at += 1
            if character == closing {
                guard closing == "\"" || closing == "'", at < text.count, text[at] == closing else {
                    return result
                }
                result.append(closing)
                at += 1
            } else if character == "\\" {
                guard at < text.count else { break }
                switch text[at] {
                case "n": result.append("\n")
                case "t": result.append("\t")
                case "\\", "\"", "'", closing: result.append(text[at])
                default:
                    throw FormulaProblem(
                        at - 1..<at + 1, "“\\\(text[at])” means nothing in a text.",
                        hint: "A backslash itself is written twice: \\\\.")
                }
                at += 1
            } else {
                result.append(character)
            }
        }
        throw FormulaProblem(
            start..<text.count, "The text that begins here has no end.", hint: "Close it with \(closing).")
    }

    private mutating func braced() throws(FormulaProblem) -> String {
        let start = at
        at += 1
        var name = ""
        while at < text.count, text[at] != "}" {
            if text[at] == "\\", at + 1 < text.count, "{}\\".contains(text[at + 1]) { at += 1 }
            name.append(text[at])
            at += 1
        }
        guard at < text.count else {
            throw FormulaProblem(
                start..<text.count, "The column that begins here has no end.", hint: "Close it with }.")
        }
        at += 1
        let trimmed = name.trimmed
        guard !trimmed.isEmpty else {
            throw FormulaProblem(start..<at, "No column is named between these braces.")
        }
        return trimmed
    }

    private mutating func number() throws(FormulaProblem) -> Decimal {
        let start = at
        while at < text.count, Self.isDigit(text[at]) || text[at] == "." { at += 1 }
        let written = String(text[start..<at])
        guard let number = Decimal(plain: written), at >= text.count || !Self.beginsWord(text[at]) else {
            while at < text.count, Self.isInWord(text[at]) || text[at] == "." { at += 1 }
            throw FormulaProblem(
                start..<at, "“\(String(text[start..<at]))” is no number.",
                hint: "Numbers are written like 1234.5; texts stand in quotation marks, columns in braces.")
        }
        return number
    }

    private mutating func sign() throws(FormulaProblem) -> String {
        for sign in Self.signs where text[at...].starts(with: sign) {
            at += sign.count
            switch sign {
            case "==": return "="
            case "!=", "≠": return "<>"
            case "≤": return "<="
            case "≥": return ">="
            case "−": return "-"
            case "×": return "*"
            case "÷": return "/"
            case ";": return ","
            default: return sign
            }
        }
        let sign = text[at]
        throw FormulaProblem(
            at..<at + 1, "“\(sign)” means nothing here.",
            hint: sign == "}" ? "Columns are written {Last name}." : "Texts stand in quotation marks.")
    }
}
