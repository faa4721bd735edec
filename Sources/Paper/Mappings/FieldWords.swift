public import Tables

/// The different words that a table has for each field with choices, how often, and what each is taken as.
public struct FieldWords: Sendable {
    public struct Word: Sendable, Equatable {
        public var text: String
        public var count: Int
        public var meaning: FieldChoices.Meaning
        /// What a person decided.
        public var decided: Mapping.Answer?

        /// The form knows it, or it is only written otherwise: nobody need look at it.
        public var isPlain: Bool {
            switch meaning {
            case .itself, .same: true
            case .guess, .unknown: false
            }
        }

        /// What is done with it as things stand.
        public var answer: Mapping.Answer {
            if let decided { return decided }
            switch meaning {
            case .itself: return .choice(text)
            case .same(let choice), .guess(let choice): return .choice(choice.name)
            case .unknown: return .hold
            }
        }
    }

    /// So many different words of a field are looked at; a column with more is no column of choices.
    public static let mostWords = 200
    private let compiled: CompiledMapping
    private let mapping: Mapping
    private var counts: [[String: Int]]

    public init(_ compiled: CompiledMapping, _ mapping: Mapping) {
        self.compiled = compiled
        self.mapping = mapping
        counts = Array(repeating: [:], count: compiled.fields.count)
    }

    /// Whether any field has choices at all.
    public var asksForRows: Bool { compiled.fields.contains { compiled.choices(of: $0) != nil } }

    public func choices(of field: String) -> FieldChoices? { compiled.choices(of: field) }

    public mutating func add(_ cells: [Cell], number: Int) {
        for (field, words) in compiled.words(cells, number: number) {
            for word in words where counts[field][word] != nil || counts[field].count < Self.mostWords {
                counts[field][word, default: 0] += 1
            }
        }
    }

    /// A word that stands in a row which was not gone through.
    public mutating func add(word: String, of field: String) {
        guard let index = compiled.fields.firstIndex(of: field), counts[index][word] == nil else { return }
        counts[index][word] = 0
    }

    /// Fields with a word that somebody should look at or has decided about, in the order of the mapping.
    public var fields: [String] {
        compiled.fields.filter { field in words(of: field).contains { !$0.isPlain || $0.decided != nil } }
    }

    /// What needs somebody first, then the most frequent.
    public func words(of field: String) -> [Word] {
        guard let index = compiled.fields.firstIndex(of: field), let choices = compiled.choices(of: field)
        else {
            return []
        }
        let decided = Dictionary(
            mapping.answers(for: field).map { ($0.word, $0.answer) }, uniquingKeysWith: { first, _ in first })
        // What was decided once stays to be seen, though this table has it no more.
        let all = counts[index].merging(decided.mapValues { _ in 0 }) { count, _ in count }
        return all.map { text, count in
            Word(text: text, count: count, meaning: choices.meaning(of: text), decided: decided[text])
        }.sorted { a, b in
            (a.isPlain ? 1 : 0, b.count, a.text) < (b.isPlain ? 1 : 0, a.count, b.text)
        }
    }
}
