import Formulas

/// What a field asks for, and of whom: its own name, its author's words, what is printed beside it and the heading over it
/// are heard one after the other.
struct FieldSense: Sendable {
    var sense: Sense
    /// Who it belongs to, by names of owners; nothing for whom the form is about.
    var owner: String
    /// Nothing says whose it is.
    private(set) var isUnnamed = true
    /// Only the heading over it says so.
    var isOwnedBySection = false
    /// It says itself that it belongs to the one whom the form is about.
    var saysSelf: Bool
    /// Its own name speaks of something else than what was read about it.
    var contradiction: String?
    /// The heading over it is about something unknown.
    var strangeSection: String?
    /// Somebody else whose it may be called as well: a child is reached through its parents.
    var alsoOf: String?
    /// What stands beside it where its name says otherwise.
    var heard: Set<String> = []

    init(_ field: FieldFacts, firstSection: String?) {
        let leaf = field.name.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? field.name
        let words = Wording.words(leaf)
        let own = Sense(words.prefix(7).joined(separator: " "))
        let path = Sense(
            Wording.words(
                field.name.split(separator: ".").dropLast().map { String($0.prefix { $0 != "[" }) }
                    .joined(separator: " ")
            ).joined(separator: " "))
        let label = field.label.map { Sense(Self.withoutSection($0).rest) } ?? Sense("")
        let beside = field.nearby.map { Sense(Self.bare($0)) } ?? Sense("")
        let section = field.section.map { Sense(Self.bare($0)) }
        let ownSays = !own.what.isEmpty

        let read = label.what.isEmpty && label.marks.isEmpty ? beside : label
        var sense = read
        if ownSays, !own.what.agrees(with: read.what) {
            contradiction = field.name
            heard = read.what
            sense = own
        } else if read.what.isEmpty, ownSays || read.isEmpty {
            sense = own
        } else if ownSays {
            // Both speak of the same; each may say more about it.
            sense.marks.formUnion(own.marks)
            if own.what.isStrictSuperset(of: sense.what), own.what.count < 3 { sense.what = read.what }
        }
        if ownSays, let number = own.number, number < 100 { sense.number = number }
        let isSaid = ownSays || !own.owners.isEmpty || own.isSelf
        var heardOwners: [Sense] = []
        if isSaid { heardOwners.append(own) }
        heardOwners += [path, label, beside]
        if let section { heardOwners.append(section) }
        owner = ""
        saysSelf = false
        for (place, said) in heardOwners.enumerated() {
            if !said.owners.isEmpty {
                isOwnedBySection = section != nil && place == heardOwners.count - 1
                owner = said.owners.sorted().joined(separator: " ")
                isUnnamed = false
                break
            }
            if said.isSelf, said.marks.isEmpty || section.map({ $0 != said }) ?? true {
                saysSelf = true
                isUnnamed = false
                break
            }
        }
        if let section, owner.isEmpty, !saysSelf || section.isSelf, field.section != firstSection,
            !section.marks.isEmpty, section.what.isEmpty
        {
            strangeSection = field.section
        }
        if let section, !section.owners.isEmpty, let number = section.number { sense.number = number }
        self.sense = sense
    }

    /// Without the number of an item or of a section.
    static func bare(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        if let first = words.first?.lowercased().filter(\.isLetter), sectionWords.contains(first),
            words.count > 2
        {
            words.removeFirst(2)
        }
        if let first = words.first, words.count > 1, first.count(where: \.isLetter) < 2,
            first.contains(where: \.isNumber) || first.contains(".")
        {
            words.removeFirst()
        }
        return words.joined(separator: " ")
    }

    private static let sectionWords: Set<String> = [
        "section", "part", "line", "item", "question", "teil", "abschnitt", "partie", "sección", "parte",
        "block", "step",
    ]

    /// A tooltip often begins with the heading of its section: “SECTION II - SPOUSE. * Last name.”
    static func withoutSection(_ label: String) -> (section: String?, rest: String) {
        let words = label.split(separator: " ")
        guard
            let first = words.first(where: {
                sectionWords.beginning.contains($0.lowercased().filter(\.isLetter))
            }),
            let start = label.firstRange(of: String(first))
        else { return (nil, bare(label)) }
        let from = label[start.lowerBound...]
        guard let dot = Self.sentenceEnd(from) else { return (nil, bare(label)) }
        let section = String(from[..<dot])
        let rest = String(from[dot...].dropFirst()).trimmed
        return rest.filter(\.isLetter).count > 2 ? (section, bare(rest)) : (nil, bare(label))
    }

    private static func sentenceEnd(_ text: Substring) -> Substring.Index? {
        // “SECTION II.” is not yet all of it.
        var seen = 0
        for index in text.indices {
            seen += 1
            if seen > 14, text[index] == "." { return index }
        }
        return nil
    }
}

extension Set where Element == String {
    /// Only what begins a section of a form, and no mere line of it.
    fileprivate var beginning: Set<String> { subtracting(["line", "item", "question", "step", "block"]) }
}
