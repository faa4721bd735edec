import Formulas
import PDFForms

extension Mapping {
    /// What a person decided about a word of the table, for one field.
    public enum Answer: Sendable, Equatable {
        /// The choice of the form, as people see it; `yes` or `no` for a box.
        case choice(String)
        /// The field stays empty.
        case empty
        /// It is not decided, and not guessed either: papers with it are held back.
        case hold

        /// As it stands in the file.
        public var text: String {
            switch self {
            case .choice(let name):
                name == "?" || name.isEmpty || name.trimmed != name ? Quoted.write(name) : name
            case .empty: ""
            case .hold: "?"
            }
        }

        public init(_ text: String) {
            switch text {
            case "": self = .empty
            case "?": self = .hold
            default: self = .choice(Quoted.read(text) ?? text)
            }
        }
    }

    /// The words that were decided for a field, in their order.
    public func answers(for field: String) -> [(word: String, answer: Answer)] {
        lines.compactMap { line in
            if case .word(field, let word, let answer, _) = line { (word, answer) } else { nil }
        }
    }

    /// Fields for which words were decided.
    public var answeredFields: [String] {
        var seen: Set<String> = []
        return lines.compactMap { line in
            if case .word(let field, _, _, _) = line, seen.insert(field).inserted { field } else { nil }
        }
    }

    /// Decides words for a field, in place of what was decided for them before. `note` stands above the first of a field.
    public mutating func decide(
        _ answers: [(word: String, answer: Answer)], for field: String, note: String = ""
    ) {
        for (word, answer) in answers {
            let line = MappingText.word(word, answer, of: field)
            if let place = lines.firstIndex(where: {
                if case .word(field, word, _, _) = $0 { true } else { false }
            }) {
                lines[place] = line
            } else {
                let place = endOfWords(field, note)
                lines.insert(line, at: place)
            }
        }
    }

    /// Where the states of a group of boxes say nothing to people (“0”, “Choice1”), the words beside the boxes do. They are
    /// written down as decisions, to be seen by whoever reads the mapping, and so that making needs no look at the page.
    /// Gives the fields for which that was done.
    @discardableResult
    public mutating func decideByPage(_ fields: [FieldFacts]) -> [String] {
        let filled = Set(
            entries.filter { entry in
                switch entry.source {
                case .column, .formula: true
                case .empty, .fixed: false
                }
            }.map(\.field))
        return fields.filter { filled.contains($0.name) && answers(for: $0.name).isEmpty }.compactMap {
            field in
            let words = field.wordsOfStates
            guard !words.isEmpty else { return nil }
            decide(
                words.map { ($0.word, .choice($0.state)) }, for: field.name,
                note: "as the words beside the boxes say")
            return field.name
        }
    }

    /// Takes away what was decided for a field.
    public mutating func forgetWords(of field: String) {
        lines.removeAll { line in
            switch line {
            case .word(field, _, _, _), .values(field, _): true
            default: false
            }
        }
    }

    private mutating func endOfWords(_ field: String, _ note: String) -> Int {
        let last = lines.lastIndex { line in
            switch line {
            case .word(field, _, _, _), .values(field, _): true
            default: false
            }
        }
        if let last { return last + 1 }
        if let end = lines.last, !end.raw.isEmpty { lines.append(.words("")) }
        if !note.isEmpty { lines.append(.words("# \(Self.oneLine(note))")) }
        lines.append(.values(field, raw: "[values \(MappingText.heading(field))]"))
        return lines.count
    }
}

extension FieldFacts {
    /// The words by which people know its boxes, where the form's own names do not say them. None when any box has no word, when
    /// two have one, or when a word is the name of another box: then the page was misread.
    fileprivate var wordsOfStates: [StateWord] {
        guard stateWords.count > 1, let choices = FieldChoices(self), !choices.isBox else { return [] }
        let keys = stateWords.map { WordKey.of($0.word) }
        guard !keys.contains(""), Set(keys).count == keys.count,
            Set(stateWords.map(\.state)).count == stateWords.count
        else { return [] }
        // Mere numbers are no words: “Yes” may well stand beside the box whose state is “0”.
        let areNumbers = states.allSatisfy { $0.allSatisfy(\.isNumber) }
        var unknown: [StateWord] = []
        for found in stateWords where found.word != found.state {
            if states.contains(found.word) { return [] }
            switch choices.meaning(of: found.word) {
            case .same(let choice) where !areNumbers: if choice.value != .text(found.state) { return [] }
            default: unknown.append(found)
            }
        }
        // A long sentence is an explanation and no word that a table has.
        return unknown.contains { $0.word.count > 80 } ? [] : unknown
    }
}

/// What was decided for a field, ready for many rows. Capitals, accents and blanks count only where both were decided.
struct DecidedWords: Sendable {
    private var exact: [String: Mapping.Answer] = [:]
    private var loose: [String: Mapping.Answer] = [:]

    /// Nil where nothing was decided.
    init?(_ answers: [(word: String, answer: Mapping.Answer)]) {
        guard !answers.isEmpty else { return nil }
        for (word, answer) in answers {
            exact[word] = answer
            let key = WordKey.of(word)
            loose[key] = loose[key] ?? answer
        }
    }

    subscript(word: String) -> Mapping.Answer? { exact[word] ?? loose[WordKey.of(word)] }
}
