import Formulas

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
