import Formulas

/// The words by which a field may be known: its label, what is printed beside it, its name.
struct FieldWording {
    private let wordings: [(wording: Wording, text: String, what: String)]
    private let allWords: Set<String>
    private let acronyms: Set<String>

    init(_ field: FieldFacts) {
        var wordings: [(Wording, String, String)] = []
        func add(_ given: String?, _ what: String) {
            guard let given, !given.trimmed.isEmpty else { return }
            // Numbers before it count the lines of the form.
            let bare = String(given.drop { $0.isNumber || $0.isWhitespace || ".)".contains($0) })
            let text = bare.count > 2 ? bare : given
            wordings.append((Wording(text), text, what))
            // What stands in brackets or behind the first sentence explains.
            let short = String(text.prefix { !"(:.;".contains($0) }).trimmed
            if short.count > 2, short != text.trimmed { wordings.append((Wording(short), short, what)) }
        }
        add(field.label, "called alike on the form")
        add(field.nearby, "the words beside the field")
        let last = field.name.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? field.name
        add(last, "called alike")
        if last != field.name { wordings.append((Wording(field.name), field.name, "called alike")) }
        self.wordings = wordings.map { (wording: $0.0, text: $0.1, what: $0.2) }
        let texts = wordings.map { Wording.words($0.1) }
        allWords = Set(texts.joined().filter { $0.count > 2 })
        acronyms = Set(texts.filter { $0.count > 1 }.map { String($0.compactMap(\.first)) })
    }

    var all: [Set<String>] { wordings.map(\.wording.ideas) }
    var concepts: Set<String> { wordings.reduce(into: []) { $0.formUnion($1.wording.concepts) } }

    /// Whether the words name one thing before the other.
    func order(_ first: String, before second: String) -> Bool {
        wordings.contains { _, text, _ in
            let words = Wording.words(text)
            let places = [first, second].map { idea in
                words.indices.first { Wording(words[$0]).ideas == [idea] }
            }
            guard let a = places[0], let b = places[1] else { return false }
            return a < b
        }
    }

    func says(exactly value: String) -> Bool {
        let wanted = Wording(value)
        guard !wanted.folded.isEmpty else { return false }
        return wordings.contains { $0.wording.folded == wanted.folded }
    }

    /// “F” is the box for “female”.
    func saysGender(_ value: String) -> Bool {
        let wanted = Self.genders.first { $0.contains(Wording(value).folded) }
        return wordings.contains { wanted?.contains($0.wording.folded) ?? false }
    }

    /// Without the “M” that is a man in some languages and a woman in another.
    private static let genders: [Set<String>] = [
        ["f", "female", "weiblich", "w", "femme", "féminin", "mujer", "femenino", "girl", "woman"],
        ["m", "male", "männlich", "masculin", "masculino", "boy", "man"],
        ["h", "homme", "hombre"],
    ]

    /// Whether letters stand for the words of a label: DOI for “Date of injury”.
    func isAcronym(_ letters: String) -> Bool {
        guard (3...5).contains(letters.count) else { return false }
        return acronyms.contains(letters)
    }

    /// Whether there is at least one word that both have, or a form of it.
    func sharesWord(with words: Set<String>) -> Bool {
        return !words.isDisjoint(with: allWords)
            || words.contains { word in
                word.count > 5 && allWords.contains { $0.count > 5 && $0.prefix(5) == word.prefix(5) }
            }
    }

    /// Whether any of these words are those of the column letter by letter, and where they stand.
    func saying(_ column: Wording) -> (isSame: Bool, what: String) {
        if !column.folded.isEmpty, let found = wordings.first(where: { $0.wording.folded == column.folded }) {
            return (true, found.what)
        }
        let near = wordings.first { !$0.wording.ideas.isDisjoint(with: column.ideas) }
        return (false, near?.what ?? "called alike")
    }
}
