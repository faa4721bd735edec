import Formulas

/// The words by which a field may be known: its label, what is printed beside it, its name.
struct FieldWording {
    private let wordings: [(wording: Wording, text: String, what: String)]
    private let name: String

    init(_ field: FieldFacts) {
        name = field.name
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
    }

    /// Everything that might lead to a column.
    var keys: Set<String> {
        wordings.reduce(into: [name.lowercased()]) {
            $0.formUnion($1.wording.ideas)
            $0.insert($1.wording.folded)
        }
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

    /// How much a column's name is like the best of these words; nil when they have nothing in common.
    func likeness(
        to column: Wording, named columnName: String, _ field: FieldFacts
    ) -> (score: Double, reason: String, isExact: Bool)? {
        if columnName == name { return (1, "the field is called so", true) }
        if columnName.lowercased() == name.lowercased() { return (0.99, "the field is called so", true) }
        var best: (score: Double, reason: String, isExact: Bool)?
        for (wording, _, what) in wordings {
            guard let found = Self.likeness(wording, column, what), found.score > best?.score ?? 0 else {
                continue
            }
            best = found
        }
        return best
    }

    private static func likeness(
        _ field: Wording, _ column: Wording, _ what: String
    ) -> (score: Double, reason: String, isExact: Bool)? {
        guard !field.folded.isEmpty, !column.folded.isEmpty else { return nil }
        if field.folded == column.folded { return (0.97, what, true) }
        let shared = field.ideas.intersection(column.ideas)
        guard !shared.isEmpty, field.saysSomething else { return nil }
        if field.ideas == column.ideas {
            if field.numbers == column.numbers { return (0.93, "\(what), in other words", true) }
            // “Name 2” may be the second name or the name again.
            return (0.62, "\(what) but for a number", false)
        }
        let missing = field.ideas.subtracting(column.ideas)
        let extra = column.ideas.subtracting(field.ideas)
        let sharesConcept = shared.contains {
            $0.hasPrefix("@") && !["@date", "@child", "@guardian", "@spouse"].contains($0)
        }
        guard sharesConcept else {
            let share = Double(shared.count) / Double(field.ideas.union(column.ideas).count)
            return share >= 0.5 ? (0.45 + 0.25 * share, "\(what) in part", false) : nil
        }
        // A column may say more than the field does: “Student e-mail” for “E-mail”. The other way round it is a guess.
        if missing.isEmpty { return (0.84 - 0.04 * Double(extra.count), "\(what) in part", false) }
        return (
            max(0.3, 0.68 - 0.12 * Double(missing.count - 1) - 0.08 * Double(extra.count)), "\(what) in part",
            false
        )
    }
}
