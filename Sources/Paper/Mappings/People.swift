import Formulas

/// Whom a form and a list are about. A form speaks of many people and calls the one it is about by many names; of that one
/// a list has columns without any name at all.
enum People {
    /// Those who may be meant without being named, besides “you” and “applicant”.
    private static let subjects: Set<String> = [
        "@child", "@patient", "@insured", "@plaintiff", "@guardian", "@holder",
    ]

    static func understood(_ fields: [FieldFacts], _ columns: inout [Suggester.Column]) -> [FieldSense] {
        let ordered = fields.indices.sorted { a, b in isBefore(fields[a], fields[b]) }
        var senses = fields.map { FieldSense($0, firstSections: []) }
        // Up to where the first name is asked for, headings are about the form.
        let firstName = ordered.firstIndex {
            !senses[$0].sense.what.isDisjoint(with: Sense.nameParts)
                && (senses[$0].owner.isEmpty || subjects.contains(senses[$0].owner))
        }
        let first = Set(ordered.prefix((firstName ?? 0) + 1).compactMap { fields[$0].section })
        senses = fields.map { FieldSense($0, firstSections: first) }
        carry(fields, ordered, &senses)
        continueRows(fields, ordered, &senses)
        continueAddresses(ordered, &senses)
        Named.understand(fields, &senses, &columns)
        Named.tellApart(ordered, &senses, &columns)
        agree(fields, &senses)
        forgetCopies(fields, &senses)
        let formAbout =
            ordered.first {
                !senses[$0].sense.what.isDisjoint(with: Sense.nameParts) && mayBeMeant(senses[$0].owner)
            }.map { senses[$0].owner } ?? ""
        let listAbout =
            columns.first {
                !$0.sense.what.isDisjoint(with: Sense.nameParts) && mayBeMeant($0.owner)
            }.map(\.owner) ?? ""
        // Where the other side names them beside somebody else, they are no one's subject.
        let isForm = listAbout == formAbout || !columns.contains { $0.owner == formAbout }
        let isList = listAbout == formAbout || !senses.contains { $0.owner == listAbout }
        for index in senses.indices where isForm { senses[index].leave(formAbout) }
        for index in columns.indices where isList {
            columns[index].owner = FieldSense.without(listAbout, columns[index].owner)
        }
        if isForm { reach(formAbout, &senses) }
        complete(fields, &senses, &columns)
        return senses
    }

    private static func mayBeMeant(_ owner: String) -> Bool {
        owner.isEmpty || subjects.contains(owner) || Named.isNamed(owner)
    }

    /// `MailingAddress_City` and `MailingAddress_State` are one address, though the heading is found over one of them alone.
    private static func agree(_ fields: [FieldFacts], _ senses: inout [FieldSense]) {
        var blocks: [Substring: [Int]] = [:]
        for index in fields.indices {
            guard let line = fields[index].name.lastIndex(of: "_") else { continue }
            let stem = fields[index].name[..<line]
            if stem.split(separator: ".").last?.count ?? 0 > 7 { blocks[stem, default: []].append(index) }
        }
        for block in blocks.values where block.count > 1 {
            let owners = Set(block.map { senses[$0].owner })
            let isBelow = block.contains { senses[$0].isOwnedBySection }
            guard isBelow, owners.count == 2, owners.contains(""),
                let owner = owners.first(where: { !$0.isEmpty })
            else { continue }
            for index in block where senses[index].owner.isEmpty && !senses[index].saysSelf {
                senses[index].give(to: owner, named: owner)
            }
        }
    }

    /// What stands behind “Mailing address (if different)” is of that address, up to something else.
    private static func continueAddresses(_ ordered: [Int], _ senses: inout [FieldSense]) {
        var isDifferent = false
        for index in ordered {
            let what = senses[index].sense.what
            if what.isEmpty || !what.isSubset(of: Sense.placeParts) {
                isDifferent = false
            } else if senses[index].sense.marks.contains("different") {
                isDifferent = true
            } else if !what.isDisjoint(with: ["@address", "@street"]) {
                isDifferent = false
            } else if isDifferent {
                senses[index].sense.marks.insert("different")
            }
        }
    }

    private static func isBefore(_ a: FieldFacts, _ b: FieldFacts) -> Bool {
        guard let one = a.places.first, let other = b.places.first else { return false }
        if one.page != other.page { return one.page ?? .max < other.page ?? .max }
        return abs(one.top - other.top) > 6 ? one.top > other.top : one.left < other.left
    }

    /// A tooltip names its section only where that begins; the fields behind it belong to it as well.
    private static func carry(_ fields: [FieldFacts], _ ordered: [Int], _ senses: inout [FieldSense]) {
        var section: Sense?
        for index in ordered {
            if let words = fields[index].label.flatMap({ FieldSense.withoutSection($0).section }) {
                section = FieldSense.heading(words)
            }
            guard let section, fields[index].section == nil, senses[index].owner.isEmpty,
                !senses[index].saysSelf
            else { continue }
            if !section.owners.isEmpty {
                senses[index].owner = section.owners.sorted().joined(separator: " ")
                senses[index].isOwnedBySection = true
            }
        }
    }

    /// “Spouse's first name”, and behind it in the same row “Last name”.
    private static func continueRows(_ fields: [FieldFacts], _ ordered: [Int], _ senses: inout [FieldSense]) {
        var before: Int?
        for index in ordered {
            defer { before = index }
            guard let before, senses[index].owner.isEmpty, !senses[index].saysSelf,
                !senses[before].owner.isEmpty,
                !senses[before].isOwnedBySection, let one = fields[before].places.first,
                let other = fields[index].places.first, one.page == other.page, abs(one.top - other.top) < 6,
                senses[before].sense.what.isSubset(of: Sense.nameParts), !senses[before].sense.what.isEmpty,
                senses[index].sense.what.isSubset(of: Sense.nameParts), !senses[index].sense.what.isEmpty,
                senses[index].sense.what != senses[before].sense.what
            else { continue }
            senses[index].owner = senses[before].owner
        }
    }

    /// Programs call the second field with the same words “Name_2”; on another page, or below another heading, that is
    /// no second thing.
    private static func forgetCopies(_ fields: [FieldFacts], _ senses: inout [FieldSense]) {
        let known = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for index in fields.indices {
            let name = fields[index].name
            guard let line = name.lastIndex(of: "_"), Int(name[line...].dropFirst()) != nil,
                let first = known[String(name[..<line])],
                first.places.first?.page != fields[index].places.first?.page
                    || first.section != fields[index].section
            else { continue }
            senses[index].sense.number = senses[index].sectionNumber
        }
    }

    /// The only address and telephone on the form of a child are those of its parents.
    private static func reach(_ formAbout: String, _ senses: inout [FieldSense]) {
        let lives = Sense.placeParts.subtracting(["@county"])
        let known = senses
        for index in senses.indices {
            let ways: Set<String>
            switch known[index].owner {
            case "@guardian" where formAbout == "@child": ways = lives.union(["@email", "@phone", "@mobile"])
            // Below a heading that ended without saying so.
            case "@mother", "@father": ways = known[index].isOwnedBySection ? lives : []
            default: continue
            }
            guard
                !known[index].sense.what.isEmpty
                    && known[index].sense.what.isSubset(of: ways)
                    && !known.contains(where: { $0.owner.isEmpty && $0.sense.what == known[index].sense.what }
                    )
            else { continue }
            senses[index].alsoOf = ""
        }
    }

    /// “Name” beside “First name” is the last name, and an address beside a city is the street.
    private static func complete(
        _ fields: [FieldFacts], _ senses: inout [FieldSense], _ columns: inout [Suggester.Column]
    ) {
        let known = senses
        // What is asked of each below each heading, and of each anywhere.
        var asked: [String: [Set<String>]] = [:]
        func key(_ index: Int) -> String { "\(known[index].owner)|\(fields[index].section ?? "")" }
        for index in known.indices { asked[key(index), default: []].append(known[index].sense.what) }
        let towns = Set(known.filter { $0.sense.what.contains("@city") }.map(\.owner))
        let firsts = asked.mapValues {
            $0.contains { $0.contains("@firstname") && !$0.contains("@lastname") }
        }
        let lasts = asked.mapValues { $0.contains { $0.contains("@lastname") } }
        let streets = asked.mapValues { $0.contains { $0.contains("@street") } }
        for index in known.indices {
            let key = key(index)
            if known[index].sense.what == ["@fullname"], firsts[key] ?? false, !(lasts[key] ?? false) {
                senses[index].sense.what = ["@lastname"]
            }
            // “Nombre” is a whole name where no “apellidos” are asked for.
            if known[index].sense.what == ["@firstname"], !(lasts[key] ?? false),
                Wording.words(fields[index].label ?? fields[index].nearby ?? fields[index].name).contains(
                    "nombre")
            {
                senses[index].sense.what = ["@fullname"]
            }
            if known[index].sense.what == ["@address"], !fields[index].isMultiline,
                towns.contains(known[index].owner),
                !(streets[key] ?? false)
            {
                senses[index].sense.what = ["@street"]
            }
        }
        let named = columns.map { ($0.owner, $0.sense.what) }
        for index in columns.indices {
            func others(_ what: String) -> Bool {
                named.contains { $0.0 == named[index].0 && $0.1 == [what] }
            }
            if named[index].1 == ["@fullname"], others("@firstname"), !others("@lastname") {
                columns[index].sense.what = ["@lastname"]
            }
            if named[index].1 == ["@address"], others("@city"), !others("@street") {
                columns[index].sense.what = ["@street"]
            }
        }
    }
}
