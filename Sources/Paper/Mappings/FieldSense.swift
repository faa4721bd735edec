import Formulas

/// What a field asks for, and of whom: its own name, its author's words, what is printed beside it and the heading over it
/// are heard one after the other.
struct FieldSense: Sendable {
    var sense: Sense
    /// Who it belongs to, by names of owners; nothing for whom the form is about.
    var owner: String
    /// “Landlord or manager”: whose it may be called instead.
    private var alternatives: Set<String> = []
    /// “Parent 2” stands over it.
    private(set) var sectionNumber: Int?
    /// Nothing says whose it is.
    private(set) var isUnnamed = true
    /// Only the heading over it says so.
    var isOwnedBySection = false
    private(set) var roles: Set<String> = []
    /// It says itself that it belongs to the one whom the form is about.
    var saysSelf: Bool
    /// Its own name speaks of something else than what was read about it.
    var contradiction: String?
    /// The heading over it is about something unknown.
    var strangeSection: String?
    /// Somebody else whose it may be called as well: a child is reached through its parents.
    var alsoOf: String?
    /// Its name speaks of the one whom the form is about, and its words of somebody else.
    private(set) var otherWords: String?
    /// What stands beside it where its name says otherwise.
    var heard: Set<String> = []

    init(_ field: FieldFacts, firstSections: Set<String>) {
        let leaf = field.name.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? field.name
        let words = Self.apart(Wording.words(leaf))
        let own = Sense(words.prefix(7).joined(separator: " "))
        let path = Sense(
            Wording.words(
                field.name.split(separator: ".").dropLast().map { String($0.prefix { $0 != "[" }) }
                    .joined(separator: " ")
            ).joined(separator: " "))
        let label = field.label.map { Sense(Self.said($0, below: field.section)) } ?? Sense("")
        let beside = field.nearby.map { Sense(Self.bare($0)) } ?? Sense("")
        let section = field.section.map(Self.heading)
        // “Applicant other” beside “Enter other type” is no name.
        let ownSays =
            !own.what.isEmpty
            && !(own.isPersonAlone && label.what.isEmpty && !label.marks.isEmpty)
        // Long words explain more than they name.
        let isProse = field.label.map { Wording.words($0).count > 24 } ?? false

        let read = label.what.isEmpty && label.marks.isEmpty ? beside : label
        var sense = read
        if ownSays, isProse {
            sense = own
        } else if ownSays, !own.what.agrees(with: read.what) {
            contradiction = field.name
            heard = read.what
            sense = own
        } else if read.what.isEmpty, ownSays || read.isEmpty {
            sense = own
        } else if ownSays {
            // Both speak of the same; each may say more about it.
            sense.marks.formUnion(own.marks.filter(Self.isWord))
            if own.what.isStrictSubset(of: sense.what) { sense.what = own.what }
        }
        if ownSays, let number = own.number { sense.number = number < 13 ? number : nil }
        let isSaid = ownSays || !own.owners.isEmpty || own.isSelf
        var heardOwners: [Sense] = []
        if isSaid { heardOwners.append(own) }
        heardOwners += [path, label, beside]
        if let section { heardOwners.append(section) }
        owner = ""
        saysSelf = false
        for (place, said) in heardOwners.enumerated() {
            // Former names and addresses there are; nobody was born before.
            let isOver = section != nil && place == heardOwners.count - 1
            if isOver, said.owners == ["@previous"], sense.what.isSubset(of: Self.lasting),
                !sense.what.isEmpty
            {
                break
            }
            if !said.owners.isEmpty {
                isOwnedBySection = section != nil && place == heardOwners.count - 1
                let more = isOwnedBySection ? [] : Self.added(said.owners, section)
                owner = said.owners.union(more).sorted().joined(separator: " ")
                if said.isEither {
                    alternatives = Set(said.owners.map { more.union([$0]).sorted().joined(separator: " ") })
                }
                isUnnamed = false
                break
            }
            if said.isSelf, said.marks.isEmpty || section.map({ $0 != said }) ?? true {
                isUnnamed = false
                if section?.owners == ["@previous"], !sense.what.isSubset(of: Self.lasting) {
                    owner = "@previous"
                    break
                }
                saysSelf = true
                roles = said.roles
                break
            }
        }
        if let section, section.owners == ["@office"] {
            (owner, saysSelf, isOwnedBySection) = ("@office", false, true)
        }
        if let section, owner.isEmpty, !saysSelf || section.isSelf,
            !firstSections.contains(field.section ?? ""),
            !section.marks.isEmpty, section.what.isEmpty
        {
            strangeSection = field.section
        }
        if let section, !section.owners.isEmpty, let number = section.number {
            sense.number = number
            sectionNumber = number
        }
        // Below “Employment” an address is the employer's.
        if let heading = field.section, owner.isEmpty, !saysSelf, !firstSections.contains(heading),
            !Self.work.isDisjoint(with: Wording.words(heading)), !sense.what.isEmpty,
            sense.what.isSubset(of: Sense.placeParts.union(["@phone", "@email", "@fax", "@fullname"]))
        {
            (owner, isOwnedBySection, strangeSection) = ("@employer", true, nil)
        }
        // No name fits into a place for a count.
        if sense.isPersonAlone, let place = field.places.first, place.right - place.left < 50 {
            sense.what = []
            sense.marks.insert("count")
        }
        self.sense = sense
        if own.isSelf, own.owners.isEmpty, let other = label.owners.sorted().first { otherWords = other }
    }

    private static let lasting: Set<String> = [
        "@birthdate", "@birthplace", "@birthcountry", "@ssn", "@nationality", "@gender",
    ]

    /// `PREPDATE` is the date of the preparer.
    private static func apart(_ words: [String]) -> [String] {
        guard words.count == 1, let word = words.first,
            let head = heads.first(where: {
                word.hasPrefix($0.0) && tails.contains(String(word.dropFirst($0.0.count)))
            })
        else { return words }
        return [head.1, String(word.dropFirst(head.0.count))]
    }

    private static let heads = [("prep", "preparer"), ("wit", "witness"), ("agt", "agent"), ("sp", "spouse")]
    private static let tails: Set<String> = [
        "date", "name", "fname", "lname", "phone", "addr", "address", "city", "state", "zip", "ssn", "dob",
        "ein",
    ]

    /// Whether something of this owner may be meant by it.
    func belongs(to owner: String) -> Bool { owner == self.owner || isAlso(of: owner) }

    /// It is one of several who may be meant.
    func isAlso(of owner: String) -> Bool { alternatives.contains(owner) }

    /// It is about somebody whom only this form names.
    mutating func give(to owner: String, named word: String) {
        self.owner = owner
        isOwnedBySection = true
        isUnnamed = false
        strangeSection = nil
        sense.marks.remove(word)
    }

    /// Without whom the form is about: the patient's employer is an employer.
    mutating func leave(_ subject: String) {
        owner = Self.without(subject, owner)
        alternatives = Set(alternatives.map { Self.without(subject, $0) })
    }

    static func without(_ subject: String, _ owner: String) -> String {
        owner == subject ? "" : owner.split(separator: " ").filter { $0 != subject }.joined(separator: " ")
    }

    /// Whom almost everybody has one of, so that it matters whose.
    private static let had: Set<String> = [
        "@employer", "@supervisor", "@landlord", "@doctor", "@insurer", "@bank",
    ]
    private static let havers: Set<String> = [
        "@spouse", "@mother", "@father", "@guardian", "@coapplicant", "@dependent", "@emergency",
        "@reference",
    ]

    /// What the heading adds to an owner: the spouse's employer, the previous landlord.
    private static func added(_ owners: Set<String>, _ section: Sense?) -> Set<String> {
        guard let section else { return [] }
        var added = section.owners.intersection(["@previous"])
        if owners.isSubset(of: had), owners.isDisjoint(with: section.owners),
            section.owners.isSubset(of: havers)
        {
            added.formUnion(section.owners)
        }
        return added
    }

    /// Letters that programs put before names are no words.
    private static func isWord(_ mark: String) -> Bool {
        mark.hasPrefix("@") || mark.count > 3 && mark.contains { "aeiouyäöü".contains($0) }
    }

    /// “Enrollee and family member” is over both, and tells nothing of either.
    static func heading(_ text: String) -> Sense {
        let sense = Sense(bare(text))
        let words = text.lowercased()
        if sense.owners.isEmpty, !sense.isSelf, forOffices.contains(where: words.contains) {
            return Sense("office")
        }
        // Who writes it down is not whom it is about.
        if written.contains(where: words.contains), sense.owners.isSubset(of: ["@guardian"]) {
            return Sense("")
        }
        let joins = !Set(Wording.words(text)).isDisjoint(with: ["and", "und", "et", "y"])
        guard sense.isSelf, !sense.owners.isEmpty, joins else { return sense }
        if sense.owners == ["@previous"] {
            var open = Sense("")
            open.marks = ["previous"]
            return open
        }
        return Sense("")
    }

    private static let work: Set<String> = ["employment", "emploi", "empleo", "beschäftigung"]
    private static let forOffices = [
        "use only", "for staff", "staff only", "wird vom", "wird von", "réservé à", "reservé a",
        "uso exclusivo",
        "uso interno", "nur für",
    ]
    private static let written = [
        "completed by", "filled in by", "filled out by", "rempli par", "llenado por",
    ]

    /// A tooltip often begins with the heading that stands over the field anyway.
    private static func said(_ label: String, below section: String?) -> String {
        if let section, label.count > section.count, label.hasPrefix(section) {
            let rest = String(label.dropFirst(section.count).drop { !$0.isLetter && !$0.isNumber })
            if rest.contains(where: \.isLetter) { return bare(rest) }
        }
        return withoutSection(label).rest
    }

    /// Without the number of an item or of a section.
    static func bare(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        if let first = words.first?.lowercased().filter(\.isLetter), sectionWords.contains(first),
            words.count > 1
        {
            words.removeFirst(2)
        }
        for _ in 0..<2 {
            guard let first = words.first, words.count > 1, first.count(where: \.isLetter) < 2,
                first.contains(where: \.isNumber) || first.contains(".")
            else { break }
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
