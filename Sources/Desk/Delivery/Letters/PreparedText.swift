import Formulas

/// A text taken apart at its places once, to be written for any number of people.
struct PreparedText: Sendable {
    private enum Part: Sendable {
        case words(String)
        case place(name: String, key: String, otherwise: String?, typed: String)
        case formula(Formula, typed: String)
        /// A formula that can be right for nobody.
        case mistake(typed: String)
    }

    private var parts: [Part] = []
    /// Why a formula in it cannot be right.
    private(set) var mistakes: [String] = []
    var formulas: [Formula] {
        parts.compactMap { if case .formula(let formula, _) = $0 { formula } else { nil } }
    }

    /// Without a context no formula can be worked out, and each stays as it was typed.
    init(_ text: String, _ context: FormulaContext? = nil) {
        for piece in LetterPiece.pieces(of: text) {
            switch piece {
            case .words(let words): parts.append(.words(words))
            case .place(let name, let otherwise, let typed):
                parts.append(
                    .place(name: name, key: LetterWords.key(name), otherwise: otherwise, typed: typed))
            case .formula(let formula, let typed): add(formula, typed, context)
            }
        }
    }

    private mutating func add(_ text: String, _ typed: String, _ context: FormulaContext?) {
        do throws(FormulaError) {
            guard let context else {
                _ = try Formula(text)
                return parts.append(.mistake(typed: typed))
            }
            parts.append(.formula(try Formula(text, for: context), typed: typed))
        } catch {
            mistakes.append("“\(typed)”: \(error)")
            parts.append(.mistake(typed: typed))
        }
    }

    /// What was noticed while it was written for one person.
    struct Notes {
        var unknown: [String] = []
        var empty: [String] = []
        var problems: [String] = []

        mutating func add(_ name: String, to list: WritableKeyPath<Notes, [String]>) {
            if !self[keyPath: list].contains(name) { self[keyPath: list].append(name) }
        }
    }

    func written(
        _ words: LetterWords, _ scope: FormulaScope?, _ notes: inout Notes,
        _ shape: (String) -> String = { $0 }
    ) -> String {
        var output = ""
        for part in parts {
            switch part {
            case .words(let words): output += words
            case .mistake(let typed):
                notes.add(typed, to: \.unknown)
                output += shape(typed)
            case .place(let name, let key, let otherwise, let typed):
                guard let value = words[name] ?? words[key] else {
                    notes.add(name, to: \.unknown)
                    output += shape(typed)
                    continue
                }
                if value.isEmpty, otherwise == nil { notes.add(name, to: \.empty) }
                output += shape(value.isEmpty ? otherwise ?? "" : value)
            case .formula(let formula, let typed):
                guard let scope else {
                    notes.add(typed, to: \.unknown)
                    output += shape(typed)
                    continue
                }
                do throws(FormulaError) {
                    let value = try formula.words(scope)
                    if value.isEmpty { notes.add(typed, to: \.empty) }
                    output += shape(value)
                } catch {
                    notes.add("“\(typed)”: \(error)", to: \.problems)
                    notes.add(typed, to: \.empty)
                }
            }
        }
        return output
    }

    /// The names in it, each once.
    var places: [String] {
        var names: [String] = []
        for case .place(let name, _, _, _) in parts where !names.contains(name) { names.append(name) }
        return names
    }
}

/// A text taken apart at its places.
enum LetterPiece: Equatable {
    case words(String)
    case place(name: String, otherwise: String?, typed: String)
    case formula(String, typed: String)

    static func pieces(of text: String) -> [LetterPiece] {
        var pieces: [LetterPiece] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            let inside = rest[open.upperBound...]
            pieces.append(.words(String(rest[..<open.lowerBound])))
            rest = rest[open.lowerBound...]
            let isFormula = inside.drop { $0 == " " }.first == "="
            guard let close = isFormula ? endOfFormula(inside) : inside.firstRange(of: "}}") else { break }
            let content = inside[..<close.lowerBound]
            let typed = String(rest[..<close.upperBound])
            rest = rest[close.upperBound...]
            if isFormula {
                pieces.append(
                    .formula(String(content.drop { $0 == " " }.dropFirst()).trimmingSpaces, typed: typed))
                continue
            }
            let parts = content.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].trimmingSpaces
            if name.isEmpty || content.contains("{") || content.contains(where: \.isNewline) {
                pieces.append(.words(typed))
            } else {
                pieces.append(
                    .place(
                        name: name, otherwise: parts.count > 1 ? parts[1].trimmingSpaces : nil, typed: typed))
            }
        }
        pieces.append(.words(String(rest)))
        return pieces.filter { $0 != .words("") }
    }

    /// A formula names columns in braces of its own, and texts may hold anything.
    private static func endOfFormula(_ text: Substring) -> Range<Substring.Index>? {
        var isText = false
        var isColumn = false
        var at = text.startIndex
        while at < text.endIndex {
            let character = text[at]
            let next = text.index(after: at)
            if isText {
                isText = character != "\""
            } else if isColumn {
                isColumn = character != "}"
            } else if character == "\"" {
                isText = true
            } else if character == "{" {
                isColumn = true
            } else if character == "}", next < text.endIndex, text[next] == "}" {
                return at..<text.index(after: next)
            }
            at = next
        }
        return nil
    }
}
