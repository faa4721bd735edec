import Formulas

/// How much what a column holds is like what a field asks for, whoever it belongs to.
struct Likeness {
    var score: Double
    /// They say the same.
    var isExact: Bool
    /// Forms ask the same of several people.
    var isPersonal = false
    /// They have a word of their own in common.
    var isShared = false

    /// Words for kinds of things, which alone say too little: any form has a date.
    static let kinds: Set<String> = [
        "@date", "@number", "@amount", "@signature", "@month", "@day", "@year",
    ]

    private static let partOfName = 0.5

    /// `isNamed`: both are of somebody who is called so.
    static func between(
        _ column: Sense, _ field: FieldSense, isSame: Bool, isNamed: Bool = false
    ) -> Likeness? {
        let sense = field.sense
        // “Medication” and “Name of medication” are one thing.
        let isName = [column, sense].map {
            $0.what == ["@fullname"] && !$0.marks.isEmpty && $0.owners.isEmpty
        }
        if column.what.isEmpty || isName[0], sense.what.isEmpty || isName[1], isName != [true, true] {
            return words(column, sense, isSame: isSame, isNamed: isNamed)
        }
        // Where one address is another than the other, “mailing” tells which.
        let isShade = !sense.shades.isDisjoint(with: column.shades)
        let strange = sense.marks.subtracting(
            isShade ? ["@number", "@date", "different"] : ["@number", "@date"]
        )
        .filter { mark in
            !column.marks.contains { alike($0, mark) }
        }
        let more = column.marks.filter { mark in !sense.marks.contains { alike($0, mark) } }
        let isPersonal = !column.what.isDisjoint(with: Sense.personal)
        guard var base = whats(column.what, sense.what) else {
            // What is printed beside it may be meant although its name says otherwise.
            if !field.heard.isEmpty, field.heard == column.what {
                return Likeness(score: 0.6, isExact: false, isPersonal: isPersonal)
            }
            guard !column.what.isDisjoint(with: sense.what) else { return nil }
            return Likeness(score: 0.5, isExact: false, isPersonal: isPersonal)
        }
        // “Name” before “Last name” in the words of a form is no reason to write a whole name there.
        if isSame, base > partOfName { base = max(base, 0.97) }
        if isShade { base = min(base + 0.05, 0.98) }
        base -= 0.2 * Double(min(2, strange.count)) + 0.04 * Double(min(3, more.count))
        return Likeness(
            score: base, isExact: strange.isEmpty && more.isEmpty && base > 0.9, isPersonal: isPersonal)
    }

    /// Of what is asked, where one may stand for the other.
    private static func whats(_ column: Set<String>, _ field: Set<String>) -> Double? {
        if column.isEmpty || field.isEmpty { return nil }
        if column == field { return 0.93 }
        let rest = field.subtracting(column)
        // “First name and middle initial” takes a first name.
        if column.isSubset(of: field), column.contains("@firstname"),
            rest.isSubset(of: ["@middleinitial", "@middlename"])
        {
            return 0.91
        }
        switch (column, field) {
        // A whole name is more than either of its parts.
        case (["@fullname"], ["@firstname"]), (["@fullname"], ["@lastname"]): return partOfName
        case (["@mobile"], ["@phone"]): return 0.8
        case (["@phone"], ["@mobile"]): return 0.7
        case (["@middleinitial"], ["@middlename"]): return 0.7
        case (["@address"], ["@street"]), (["@street"], ["@address"]): return 0.7
        case (["@ssn"], ["@ssn", "@taxid"]), (["@taxid"], ["@ssn", "@taxid"]): return 0.9
        case (["@ssn"], ["@taxid"]), (["@ein"], ["@taxid"]), (["@taxid"], ["@ssn"]), (["@taxid"], ["@ein"]):
            return 0.7
        case (["@firstname", "@lastname"], ["@fullname"]), (["@fullname"], ["@firstname", "@lastname"]):
            return 0.91
        case (["@fullname"], _)
        where field.isSuperset(of: ["@firstname", "@lastname"]) && field.isSubset(of: Sense.nameParts):
            return 0.9
        case (["@address"], _) where field.isSubset(of: Sense.placeParts) && field.count > 2: return 0.9
        default: return nil
        }
    }

    /// Of words for which there is no name in any list: “Allergies”, “Docket no.”.
    private static func words(
        _ column: Sense, _ field: Sense, isSame: Bool, isNamed: Bool
    ) -> Likeness? {
        let shared = field.marks.filter { mark in column.marks.contains { alike($0, mark) } }
        guard !shared.isEmpty else { return nil }
        let kinds = (column.marks.intersection(kinds), field.marks.intersection(kinds))
        if !kinds.0.isEmpty, !kinds.1.isEmpty, kinds.0.isDisjoint(with: kinds.1) { return nil }
        let strange = field.marks.subtracting(shared).subtracting(["@number"])
        let more = column.marks.filter { mark in
            mark != "@number" && !field.marks.contains { alike($0, mark) }
        }
        let isExactly = isSame && strange.isEmpty
        let says = shared.contains { !Self.kinds.contains($0) }
        let isBare = !says && !(column.isSelf && field.isSelf) && !isSame && !isNamed
        var score = isSame ? 0.97 : 0.93
        score -= 0.2 * Double(min(2, strange.count)) + (isSame ? 0 : 0.2) * Double(min(2, more.count))
        if isBare { score = min(score, 0.6) }
        return Likeness(
            score: score, isExact: isExactly || strange.isEmpty && more.isEmpty && !isBare,
            isShared: says && kinds.0 == kinds.1 || says && (kinds.0.isEmpty || kinds.1.isEmpty))
    }

    static func shares(_ column: Sense, _ field: Sense) -> Bool {
        column.what.isEmpty && field.what.isEmpty
            && field.marks.contains { mark in
                !kinds.contains(mark) && column.marks.contains { alike($0, mark) }
            }
    }

    /// The same word, a form of it, or short for it: `hire` and `hired`, `dept` and `department`.
    static func alike(_ a: String, _ b: String) -> Bool {
        if a == b { return true }
        guard !a.hasPrefix("@"), !b.hasPrefix("@"), let first = a.first, first == b.first else {
            return false
        }
        let (short, long) = a.count < b.count ? (a, b) : (b, a)
        guard short.count >= 2 else { return false }
        if long.hasPrefix(short) { return short.count >= 3 || long.count >= 5 }
        // `expire` and `expiring`, but not `police` and `policy`.
        if short.count >= 5, long.count > short.count, short.commonPrefix(with: long).count >= short.count - 1
        {
            return true
        }
        // Short for it, as clerks write: its consonants in their order.
        guard short.count <= 5, long.count > short.count else { return false }
        let isSkeleton = !short.dropFirst().contains { "aeiouäöü".contains($0) }
        guard isSkeleton || short.last == long.last && short.count > 3 else { return false }
        var rest = Substring(long)
        for letter in short.last == "s" ? short.dropLast() : Substring(short) {
            guard let at = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: at)...]
        }
        return true
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> Substring {
        prefix(zip(self, other).prefix { $0 == $1 }.count)
    }
}
