public import Formulas

/// Names documents after what is in their row: `{Class}/{Template}_{Full name}_{id}`. Between braces stand a column, one
/// of the words Template, Full name, id, row and today, or a formula; behind a colon how it is written
/// (`{Birth date:yyyy-mm-dd}`, `{Last name:upper}`, `{row:0000}`). Strokes outside of braces make folders. Whatever
/// the cells hold, the name stays below its folder and every system takes it.
public struct NamePattern: Sendable {
    private enum Part: Sendable {
        case words(String)
        case value(Formula)
        /// The number of the row, which no other row has.
        case row(Formula)

        var formula: Formula? {
            switch self {
            case .words: nil
            case .value(let formula), .row(let formula): formula
            }
        }
    }

    public static let standard = "{Template}_{Full name}_{id}"

    /// The standard pattern with what a table has.
    public static func standard(for columns: FormulaColumns) -> String {
        let hasName = [ColumnRole.firstName, .lastName, .fullName].contains { columns.roles[$0] != nil }
        return hasName ? standard : "{Template}_{id}"
    }

    private static let mostFolders = 8

    public let text: String
    /// One list of parts for each folder, the file's name last.
    private let components: [[Part]]
    private let digits: Int

    /// Without a pattern, the standard one with what the table has.
    public init(_ text: String? = nil, context: FormulaContext) throws(MappingProblem) {
        let pattern = text ?? Self.standard(for: context.columns)
        self.text = pattern
        digits = max(3, String(context.rowCount ?? 0).count)
        var reader = PatternReader(pattern)
        var components: [[Part]] = [[]]
        while let piece = try reader.next() {
            switch piece {
            case .stroke: components.append([])
            case .words(let words): components[components.count - 1].append(.words(words))
            case .braced(let inner, let place):
                let part = try Self.part(inner, place, context, digits)
                components[components.count - 1].append(part)
            }
        }
        components.removeAll(where: \.isEmpty)
        guard !components.isEmpty else {
            throw MappingProblem("The pattern for names is empty.", kind: .name)
        }
        guard components.count <= Self.mostFolders else {
            throw MappingProblem("A name may lie in \(Self.mostFolders - 1) folders.", kind: .name)
        }
        self.components = components
    }

    public var formulas: [Formula] { components.flatMap { $0.compactMap(\.formula) } }

    /// True when two rows cannot have one name, so that none has to be remembered: each ends or begins with the
    /// number of its row.
    public var tellsRowsApart: Bool {
        guard let name = components.last, let first = name.first, let last = name.last else { return false }
        func isRow(_ part: Part) -> Bool { if case .row = part { true } else { false } }
        func parts(_ part: Part?, _ edge: (String) -> Character?) -> Bool {
            guard case .words(let words)? = part, let character = edge(words) else { return false }
            return !character.isNumber && !" .-_".contains(character) || "_-".contains(character)
        }
        if name.count == 1 { return isRow(first) }
        return isRow(last) && parts(name[name.count - 2], \.last) || isRow(first) && parts(name[1], \.first)
    }

    public var hasFolders: Bool { components.count > 1 }

    /// The path below the folder of all documents, without extension. Values that cannot be worked out are left out;
    /// `problems` has them.
    public func path(_ scope: FormulaScope, problems: inout [MappingProblem]) -> String {
        var path: [String] = []
        for (index, component) in components.enumerated() {
            var name = ""
            for (place, part) in component.enumerated() {
                switch part {
                case .words(let words):
                    // Nothing between two like signs leaves one of them.
                    let isDoubled =
                        place > 0 && words.first.map { "_- ".contains($0) && name.last == $0 } == true
                    name += isDoubled ? String(words.dropFirst()) : words
                case .value(let formula), .row(let formula): name += value(formula, scope, &problems)
                }
            }
            // An empty name at the beginning or the end leaves no sign behind.
            var safe = SafeName.component(name)
            if component.count > 1 { safe = Self.withoutLooseSigns(safe, component) }
            if !safe.isEmpty {
                path.append(safe)
            } else if index == components.count - 1 {
                path.append(number(scope.row))
            }
        }
        return path.joined(separator: "/")
    }

    private func value(
        _ formula: Formula, _ scope: FormulaScope, _ problems: inout [MappingProblem]
    ) -> String {
        do throws(FormulaError) {
            let (value, shown) = try formula.result(scope)
            if case .date(let date) = value, shown.contains("/") {
                return DatePattern("iso")?.text(date, scope.context.locale) ?? shown
            }
            // What a cell holds is never a folder.
            return shown.trimmed
        } catch {
            problems.append(MappingProblem(error.message, severity: .warning, kind: .name, hint: error.hint))
            return ""
        }
    }

    private static func withoutLooseSigns(_ name: String, _ parts: [Part]) -> String {
        var name = name[...]
        if case .words? = parts.first {
        } else {
            while let first = name.first, "_ ".contains(first) { name.removeFirst() }
        }
        if case .words? = parts.last {
        } else {
            while let last = name.last, "_ ".contains(last) { name.removeLast() }
        }
        return String(name)
    }

    private func number(_ row: Int) -> String {
        let text = String(row)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension NamePattern {
    private static func part(
        _ inner: String, _ place: Range<Int>, _ context: FormulaContext, _ digits: Int
    ) throws(MappingProblem) -> Part {
        if let part = try meant(inner, context, digits) { return part }
        // How it is written stands behind the last colon.
        if let colon = inner.lastIndex(of: ":") {
            let style = String(inner[inner.index(after: colon)...]).trimmed
            let name = String(inner[..<colon]).trimmed
            if let part = try meant(name, context, digits), let formula = part.formula,
                let styled = styled(formula.text, style)
            {
                if case .row = part, style.allSatisfy({ $0 == "0" }) {
                    return .row(try made("pad(row, \(style.count))", place))
                }
                return .value(try made(styled, place))
            }
        }
        do throws(FormulaError) {
            return .value(try Formula(inner, for: context))
        } catch {
            let start = place.lowerBound + 1
            // A name that nobody knows is told as such, whatever formula it may look like.
            let isWord = !inner.contains { "(&\"".contains($0) }
            let near =
                isWord
                ? Nearest.word(
                    to: inner, among: context.columns.names + ["Template", "Full name", "id", "row", "today"])
                : nil
            throw MappingProblem(
                isWord
                    ? "The table has no column “\(MappingText.short(inner))” to name files by."
                    : error.message,
                kind: .name, hint: near.map { "Did you mean {\($0)}?" } ?? (isWord ? nil : error.hint),
                place: (start + error.place.lowerBound)..<(start + error.place.upperBound))
        }
    }

    private static func made(_ formula: String, _ place: Range<Int>) throws(MappingProblem) -> Formula {
        do throws(FormulaError) { return try Formula(formula) } catch {
            throw MappingProblem(error.message, kind: .name, hint: error.hint, place: place)
        }
    }

    /// A column, or one of the words; columns come first.
    private static func meant(
        _ name: String, _ context: FormulaContext, _ digits: Int
    ) throws(MappingProblem) -> Part? {
        func made(_ text: String) throws(MappingProblem) -> Formula {
            try Self.made(text, 0..<0).bound(to: context.columns)
        }
        let columns = context.columns
        if let index = columns.index(name) {
            return .value(try made(Mapping.Source.column(columns.names[index]).text))
        }
        switch Nearest.folded(name) {
        case "template", "form": return .value(try made("template"))
        case "fullname", "name":
            guard [ColumnRole.fullName, .firstName, .lastName].contains(where: { columns.roles[$0] != nil })
            else { return nil }
            return .value(try made("full_name()"))
        case "id":
            if let key = columns.roles[.key] {
                return .value(try made(Mapping.Source.column(columns.names[key]).text))
            }
            return .row(try made("pad(row, \(digits))"))
        case "row": return .row(try made("pad(row, \(digits))"))
        case "today", "date": return .value(try made("date_format(today, \"iso\")"))
        default: return nil
        }
    }

    private static func styled(_ formula: String, _ style: String) -> String? {
        switch style.lowercased() {
        case "upper", "lower", "title", "initials", "digits": return "\(style.lowercased())(\(formula))"
        default:
            if !style.isEmpty, style.allSatisfy({ $0 == "0" }) { return "pad(\(formula), \(style.count))" }
            guard DatePattern(style) != nil else { return nil }
            return "date_format(\(formula), \(Quoted.write(style)))"
        }
    }
}

/// A pattern in its pieces. Two braces in a row stand for one.
private struct PatternReader {
    enum Piece {
        case words(String)
        case braced(String, Range<Int>)
        case stroke
    }

    private let letters: [Character]
    private var at = 0

    init(_ text: String) { letters = Array(text) }

    mutating func next() throws(MappingProblem) -> Piece? {
        var words = ""
        while at < letters.count {
            let letter = letters[at]
            let isTwice = at + 1 < letters.count && letters[at + 1] == letter
            if letter == "/" || letter == "\\" {
                if !words.isEmpty { return .words(words) }
                at += 1
                return .stroke
            }
            if letter == "{", !isTwice {
                if !words.isEmpty { return .words(words) }
                return try braced()
            }
            if letter == "{" || letter == "}" { at += isTwice ? 1 : 0 }
            words.append(letter)
            at += 1
        }
        return words.isEmpty ? nil : .words(words)
    }

    /// Up to the brace that closes; braces within, and those in quotation marks, belong to a formula.
    private mutating func braced() throws(MappingProblem) -> Piece {
        let start = at
        var depth = 0
        var quote: Character?
        while at < letters.count {
            let letter = letters[at]
            if let open = quote {
                if letter == open { quote = nil }
            } else if letter == "\"" {
                quote = letter
            } else if letter == "{" {
                depth += 1
            } else if letter == "}" {
                depth -= 1
                if depth == 0 {
                    at += 1
                    let inner = String(letters[(start + 1)..<(at - 1)]).trimmed
                    guard !inner.isEmpty else {
                        throw MappingProblem(
                            "Nothing stands between these braces.", kind: .name, place: start..<at)
                    }
                    return .braced(inner, start..<at)
                }
            }
            at += 1
        }
        throw MappingProblem(
            "The brace that opens here is not closed.", kind: .name, place: start..<letters.count)
    }
}
