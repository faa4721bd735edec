import Formulas

/// What a heading, a label or the name of a field or a column speaks of.
struct Sense: Sendable, Equatable {
    /// What is asked: `@lastname`, `@birthdate`; several when it is put together.
    var what: Set<String> = []
    /// Of whom, unless of the one whom the form is about anyway.
    var owners: Set<String> = []
    /// All other words that mean something.
    var marks: Set<String> = []
    var number: Int?
    /// “Landlord or manager”: any of its owners may be meant.
    private(set) var isEither = false
    /// Of the words that tell nothing apart those that it says; they count where there is a choice.
    private(set) var shades: Set<String> = []
    /// Of the many names for the one whom a form is about, those that it says: a veteran need not be the claimant.
    var roles: Set<String> = []

    /// One word that stands in no list.
    var isOneWord: Bool { what.isEmpty && owners.isEmpty && marks.count == 1 }
    var isEmpty: Bool { what.isEmpty && owners.isEmpty && marks.isEmpty }

    /// Things that a form asks of more than one person, so that it matters of whom.
    static let personal: Set<String> = [
        "@firstname", "@middlename", "@middleinitial", "@lastname", "@fullname", "@birthdate", "@birthplace",
        "@birthcountry", "@email", "@phone", "@mobile", "@fax", "@street", "@street2", "@address", "@city",
        "@state",
        "@zip", "@country", "@county", "@ssn", "@taxid", "@gender", "@maritalstatus", "@nationality", "@age",
        "@relationship", "@jobtitle", "@initials",
    ]
    private static let others: Set<String> = ["@ein", "@today", "@iban", "@bic", "@website"]
    static let nameParts: Set<String> = [
        "@firstname", "@middlename", "@middleinitial", "@lastname", "@fullname",
    ]
    static let placeParts: Set<String> = [
        "@street", "@street2", "@address", "@city", "@state", "@zip", "@country", "@county",
    ]

    /// Words that tell nothing apart: the only address of a form may be called current, mailing or permanent.
    static let benign: Set<String> = [
        "current", "present", "preferred", "primary", "main", "mailing", "permanent", "residence",
        "residential",
        "contact", "personal", "daytime", "identification", "user", "person", "home address", "this",
        "individual", "other", "additional", "general", "biographic", "basic", "persönliche", "personne",
        "complete", "privat", "actual", "entity", "sign", "charge", "where", "live", "reside",
    ]

    private var isOfList = false

    init(_ text: String, keepsBrackets: Bool = false) {
        isOfList = keepsBrackets
        var main = ""
        var brackets: [String] = []
        var depth = 0
        var inside = ""
        for character in text.prefix(400).replacing("#", with: " number ") {
            if character == "(" || character == "[" {
                depth += 1
                continue
            }
            if character == ")" || character == "]" {
                depth = max(0, depth - 1)
                if depth == 0 {
                    // “Name(s)” and “Vorname(n)” are one word.
                    if inside.count > 2 { brackets.append(inside) }
                    inside = ""
                }
                continue
            }
            if depth > 0 { inside.append(character) } else { main.append(character) }
        }
        if depth > 0, inside.count > 2 { brackets.append(inside) }
        if keepsBrackets { main += " " + brackets.joined(separator: " ") }
        for segment in Self.segments(main)
        where !segment.lowercased().hasPrefix("if ") || main.count == segment.count {
            take(segment)
        }
        let said = Wording.words(main)
        isEither =
            owners.count > 1
            && (main.contains("/") || said.contains { ["or", "oder", "ou", "o"].contains($0) })
        shades = Self.benign.intersection(said)
        if !keepsBrackets { for words in brackets { refine(words) } }
        settle()
    }

    private static let ofAccounts: Set<String> = ["@account", "@routing", "@iban", "@bic"]

    /// Words of three letters that end a sentence and are not short for others.
    private static let shortWords: Set<String> = ["zip", "dob", "ssn", "sex", "age", "nom", "plz", "ort"]

    /// Sentences and what stands between dashes.
    private static func segments(_ text: String) -> [String] {
        var segments: [String] = []
        var current = ""
        var before: Character = " "
        for character in text {
            let word =
                current.split(separator: " ").last { $0.contains(where: \.isLetter) }?.filter(\.isLetter)
                ?? ""
            let ends =
                character == ":" || character == ";" || character == "–" || character == "—"
                || character == "-" && before == " "
                || character == " " && before == "."
                    && (word.count > 3 || shortWords.contains(word.lowercased()))
                || character == "," && current.lowercased().hasPrefix("if ")
            if ends {
                segments.append(current)
                current = ""
            } else {
                current.append(character)
            }
            before = character
        }
        segments.append(current)
        return segments.map(\.trimmed).filter { !$0.isEmpty }
    }

    private mutating func take(_ segment: String) {
        if let shown = segment.lowercased().firstRange(of: "shown on") {
            return take(
                String(segment.prefix(segment.distance(from: segment.startIndex, to: shown.lowerBound))))
        }
        guard !Self.counts(segment) else { return }
        let isAsked = !what.isEmpty
        let found = Wording(segment)
        var ideas = found.ideas
        // What is asked of is told by the words; to whom somebody is related is another matter.
        if ideas.contains("@relationship"), ideas.contains("to") || !isOfList {
            ideas.subtract(Wording.owners)
        }
        // “Name, Vorname” is a whole name in which Name is the family's.
        if ideas.intersection(Self.nameParts) == ["@fullname", "@firstname"] { ideas.insert("@lastname") }
        for idea in ideas {
            if Wording.owners.contains(idea) {
                if idea != "@self" {
                    owners.insert(idea)
                } else {
                    isSelf = true
                    roles.formUnion(
                        Wording.words(segment).map(Wording.singular).filter {
                            Wording($0).ideas == ["@self"] && !$0.hasPrefix("your")
                        })
                }
            } else if Self.personal.contains(idea) || Self.others.contains(idea) {
                what.insert(idea)
            } else if idea.allSatisfy(\.isNumber) {
                // `add1_D2` is the first of two, and the second of two.
                number = max(number ?? 0, Int(idea) ?? 0)
            } else if !Self.benign.contains(idea), idea.count > 1 {
                // What follows on the question explains it: “Do not include dashes”.
                if !isAsked { marks.insert(idea) }
            }
        }
        number = number ?? found.numbers.last.flatMap { Int($0) }
    }

    /// Nothing but a person is named.
    private(set) var isPersonAlone = false

    /// It says that it speaks of the one whom the form is about.
    private(set) var isSelf = false

    /// “18 characters available”, “This is a required field”.
    private static func counts(_ segment: String) -> Bool {
        let words = Wording.words(segment)
        return words.contains("characters") || words.contains("character") || words.contains("required")
            || (words.contains("digits") || words.contains("digit")) && words.contains("enter")
    }

    private static let different: Set<String> = [
        "different", "differs", "abweichend", "anders", "différent", "différente", "diferente", "distinto",
    ]

    /// What stands in brackets says how: “Name (last, first)”.
    private mutating func refine(_ words: String) {
        // “Mailing address (if different)” is another one.
        let said = Wording.words(words)
        if said.contains(where: Self.different.contains) { marks.insert("different") }
        if said.first == "if" { return }
        let ideas = Wording(words).ideas
        let names = ideas.intersection(Self.nameParts)
        let places = ideas.intersection(Self.placeParts)
        if what == ["@fullname"], names.count > 1 {
            what.formUnion(names)
        } else if what == ["@address"], places.count > 1 {
            what.formUnion(places.subtracting(["@street2"]))
        } else if what.isEmpty, marks.isEmpty, owners.isEmpty {
            take(words)
        }
    }

    private mutating func settle() {
        if !what.isDisjoint(with: Self.nameParts.subtracting(["@fullname"])) { what.remove("@fullname") }
        if !what.isDisjoint(with: Self.placeParts.subtracting(["@address", "@street2"])) {
            what.remove("@address")
        }
        if what.contains("@mobile") { what.remove("@phone") }
        if what.contains("@birthplace") || what.contains("@birthcountry") {
            what.subtract(["@city", "@country"])
        }
        // “Address: phone” and “street number and name”.
        if !what.isDisjoint(with: ["@email", "@phone", "@mobile", "@fax"]) {
            what.subtract(["@address", "@street"])
        }
        if !what.isDisjoint(with: ["@street", "@street2", "@city"]) { what.remove("@fullname") }
        if what.contains("@relationship") { (what, marks) = (["@relationship"], []) }
        // A number by which a bank is known is not the bank's own.
        if owners == ["@bank"], !what.union(marks).isDisjoint(with: Self.ofAccounts) { owners = [] }
        // A person alone is asked for by name.
        if what.isEmpty, marks.isEmpty, !owners.isEmpty || isSelf {
            what = ["@fullname"]
            isPersonAlone = true
        }
    }
}

extension Set where Element == String {
    /// Whether two sets of what is asked may be meant for each other: one is a part of the other or its kind.
    func agrees(with other: Set<String>) -> Bool {
        if isEmpty || other.isEmpty || !isDisjoint(with: other) { return true }
        func inOne(_ family: Set<String>, _ general: Set<String>) -> Bool {
            isSubset(of: family) && other.isSubset(of: family)
                && (!isDisjoint(with: general) || !other.isDisjoint(with: general))
        }
        return inOne(Sense.nameParts, ["@fullname"]) || inOne(Sense.placeParts, ["@address", "@street"])
            || inOne(["@phone", "@mobile", "@fax"], ["@phone"])
            || inOne(["@ssn", "@taxid", "@ein"], ["@taxid"])
    }
}
