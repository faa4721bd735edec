import Formulas
import PDFForms

// Where a column holds several things, or several columns are one.
extension Suggester {
    // MARK: Several columns, one field

    /// The only column for something of somebody.
    func column(_ concept: String, of owner: String) -> Column? {
        guard let found = plain["\(concept) \(owner)"], found.count == 1 else { return nil }
        return columns[found[0]]
    }

    func composed(_ index: Int) -> [Claim] {
        let field = fields[index]
        let sense = senses[index]
        guard field.kind == .text || field.isEditable else { return [] }
        var claims: [Claim] = []
        func claim(_ formula: String, _ score: Double, _ reason: String) {
            var (score, reason) = (score, reason)
            let isStrange =
                isAgain(index) && what == names || !sense.sense.marks.isEmpty || sense.contradiction != nil
                || sense.strangeSection != nil
                || (sense.sense.number ?? 1) > 1 || field.part != nil
                || field.row != nil && rowCounts[sectionKey(index)] ?? 0 > 1
            if isStrange {
                score = min(score - 0.25, 0.6)
                reason = "perhaps \(reason)"
            }
            claims.append(
                Claim(
                    source: .formula(formula), score: score, reason: reason, isExact: !isStrange,
                    ofSeveral: true))
        }
        let what = sense.sense.what
        let names = what.intersection(Sense.nameParts)
        let asksForName =
            what == names && (what == ["@fullname"] || what.isSuperset(of: ["@firstname", "@lastname"]))
        if asksForName, let first = column("@firstname", of: sense.owner),
            let last = column("@lastname", of: sense.owner)
        {
            let middle = column("@middlename", of: sense.owner) ?? column("@middleinitial", of: sense.owner)
            let given = ([first] + (middle.map { [$0] } ?? [])).map(\.reference).joined(separator: ", ")
            claim(
                wordings[index].order("@lastname", before: "@firstname")
                    || wordings[index].order("@fullname", before: "@firstname")
                    ? "join(\", \", \(last.reference), full_name(\(given)))"
                    : "full_name(\(given), \(last.reference))",
                0.88, "put together from the parts of the name")
        } else if what.contains("@firstname"), what.count == 2,
            !what.isDisjoint(with: ["@middleinitial", "@middlename"]),
            let first = column("@firstname", of: sense.owner),
            let middle = column("@middlename", of: sense.owner) ?? column("@middleinitial", of: sense.owner)
        {
            claim(
                "full_name(\(first.reference), \(middle.reference))", 0.95,
                "put together from the parts of the name")
        }
        if what == ["@initials"], sense.owner.isEmpty,
            roles.roles[.fullName] != nil || roles.roles[.lastName] != nil
        {
            claim("initials()", 0.8, "the initials of the name")
        }
        if what == ["@today"], sense.owner.isEmpty {
            claim("date_format(today, \"short\")", 0.85, "the day of filling")
        }
        if let (formula, score, reason) = address(index) { claim(formula, score, reason) }
        return claims
    }

    /// “City, state, ZIP” in one line, or a whole address in several.
    func address(_ index: Int) -> (String, Double, String)? {
        let sense = senses[index]
        let what = sense.sense.what
        guard what.isSubset(of: Sense.placeParts), let city = column("@city", of: sense.owner),
            let zip = column("@zip", of: sense.owner)
        else { return nil }
        let state = column("@state", of: sense.owner)
        let places = what.intersection(["@city", "@state", "@zip"])
        let isWhole = places.isEmpty
        let isZipFirst =
            wordings[index].order("@zip", before: "@city") || state == nil && order != .monthDayYear
        func asks(_ part: String) -> Bool { isWhole || places.contains(part) }
        let rest =
            (asks("@state") ? [state].compactMap(\.?.reference) : []) + (asks("@zip") ? [zip.reference] : [])
        let town =
            switch rest.count {
            case 0: city.reference
            case 1 where isZipFirst && asks("@zip"): "join(\" \", \(rest[0]), \(city.reference))"
            case 1: "join(\", \", \(city.reference), \(rest[0]))"
            default: "join(\", \", \(city.reference), join(\" \", \(rest.joined(separator: ", "))))"
            }
        if places.count >= 2, places.contains("@city"), what.isDisjoint(with: ["@street", "@address"]) {
            return (town, 0.86, "put together from city, state and postal code")
        }
        let asksForAll = what == ["@address"] || what.contains("@street") && places.count >= 2
        guard asksForAll, !hasTown(index, isNear: false) || places.count >= 2,
            let street = column("@street", of: sense.owner) ?? column("@address", of: sense.owner)
        else { return nil }
        let lines = [street.reference] + (column("@street2", of: sense.owner).map { [$0.reference] } ?? [])
        let parts = (lines + [town]).joined(separator: ", ")
        return (
            fields[index].isMultiline ? "lines(\(parts))" : "join(\", \", \(parts))", 0.82,
            "put together from the parts of the address"
        )
    }

    /// Another field asks for the town, below the same heading.
    func hasTown(_ index: Int, isNear: Bool = true) -> Bool {
        senses.indices.contains { other in
            other != index && senses[other].owner == senses[index].owner
                && (!isNear
                    || fields[other].section == fields[index].section
                        && fields[other].places.first?.page == fields[index].places.first?.page)
                && !senses[other].sense.what.isDisjoint(with: ["@city", "@zip"])
                && senses[other].sense.what.isDisjoint(with: ["@street", "@address"])
        }
    }

    /// It asks for the street or the town alone, so that the whole address of the column has to be taken apart.
    func isPartOfAddress(_ index: Int, _ column: Column) -> Bool {
        let what = senses[index].sense.what
        guard column.sense.what == ["@address"] || column.sense.what == ["@street"],
            what.isSubset(of: Sense.placeParts)
        else { return false }
        return what.isDisjoint(with: ["@street", "@address"]) || what == ["@street"] && hasTown(index)
    }

    // MARK: One column with several things in it

    /// “Lovelace, Ada” for first and last name, a whole address for street, city, state and postal code.
    func splitClaims(_ index: Int) -> [Claim] {
        let sense = senses[index]
        let asked = sense.sense.what
        let isTown =
            asked.contains("@city") && asked.count > 1 && asked.isSubset(of: ["@city", "@state", "@zip"])
        guard fields[index].kind == .text, asked.count == 1 || isTown,
            let part = isTown ? "town" : asked.first, fields[index].part == nil, fields[index].row == nil
        else { return [] }
        return columns.enumerated().compactMap { number, column -> Claim? in
            guard column.shape.isLastFirst || column.shape.address != nil, column.owner == sense.owner,
                !columns.contains(where: { $0.sense.what == [part] && $0.owner == sense.owner })
                    || column.sense.what == [part]
            else { return nil }
            var formula: String?
            var reason = ""
            let what = column.sense.what
            if column.shape.isLastFirst, what == ["@fullname"] || what == ["@firstname", "@lastname"] {
                switch part {
                case "@lastname": formula = "trim(split(\(column.reference), \",\", 1))"
                case "@firstname": formula = "trim(split(\(column.reference), \",\", 2))"
                default: break
                }
                reason = "taken out of “\(column.facts.name)”, before and behind the comma"
            } else if let shape = column.shape.address, what == ["@address"] || what == ["@street"] {
                let wanted = part == "@address" ? "@street" : part
                // Only where the other parts have fields of their own.
                if isTown || part == "@city" || hasTown(index) {
                    formula = shape.formula(wanted, column.reference)
                }
                reason = "taken out of the whole address in “\(column.facts.name)”"
            }
            var alone = column
            alone.sense.what = asked
            guard let formula, let found = likeness(alone, index) else { return nil }
            return Claim(
                source: .formula(formula), score: found.score, reason: reason,
                isExact: true,
                column: number, rival: formula)
        }
    }

    /// Half a name is worse than none, and so is a state without its town or a town without its street.
    mutating func keepWhole() {
        for column in columns {
            guard let shape = column.shape.address else { continue }
            let parts = [["@street"], ["town", "@city"], ["@state", "@zip"]].map { parts in
                Set(parts.compactMap { shape.formula($0, column.reference) })
            }
            let filled = parts.map { formulas in
                suggestions.indices.filter {
                    suggestions[$0].isConfident && formulas.contains(suggestions[$0].source.text)
                }
            }
            let isStreetOpen =
                filled[0].isEmpty
                && suggestions.contains { $0.candidates.contains { parts[0].contains($0.source.text) } }
            guard isStreetOpen || filled[1].isEmpty else { continue }
            for index in filled.joined() {
                suggestions[index].doubt = "Only a part of the address has its place"
            }
        }
        for column in columns where column.shape.isLastFirst {
            let halves = [1, 2].map { half in
                suggestions.indices.filter {
                    suggestions[$0].isConfident
                        && suggestions[$0].source.text == "trim(split(\(column.reference), \",\", \(half)))"
                }
            }
            guard halves[0].isEmpty != halves[1].isEmpty else { continue }
            for index in halves.joined() {
                suggestions[index].doubt = "Only a part of the name has its place"
            }
        }
    }

    // MARK: Boxes that are the values of a column

    /// One of several boxes whose words are what a column holds: “married”, “single”.
    func boxClaims(_ field: FieldFacts, _ wording: FieldWording) -> [Claim] {
        var claims: [Claim] = []
        for (index, column) in columns.enumerated() where (2...12).contains(column.shape.distinct.count) {
            let isGender = column.sense.what == ["@gender"]
            func says(_ words: FieldWording, _ value: String) -> Bool {
                words.says(exactly: value) || isGender && words.saysGender(value)
            }
            guard let value = column.shape.distinct.first(where: { says(wording, $0) }) else { continue }
            let siblings = zip(fields, wordings).contains { other, words in
                other.kind == .checkBox && other.name != field.name
                    && column.shape.distinct.contains { $0 != value && says(words, $0) }
            }
            guard siblings, isGender || FlagReading.flag(value) == nil else { continue }
            claims.append(
                Claim(
                    source: .formula("\(column.reference) = \(Quoted.write(value))"), score: 0.82,
                    reason: "one of the values of “\(column.facts.name)”, as are other boxes", isExact: true,
                    column: index, rival: "\(column.reference) = \(Quoted.write(value))"))
        }
        return claims
    }

    // MARK: One column, several fields

    func groupClaims(_ group: FieldGroups.Group) -> [(String, Claim)] {
        guard let first = group.parts.compactMap({ places[$0.field] }).first else { return [] }
        let owner = senses[first].owner
        let found = columns.enumerated().compactMap {
            index, column -> (index: Int, column: Column, score: Double, why: String)? in
            switch group.kind {
            case .digits(let counts, let concepts):
                let total = counts.reduce(0, +)
                let speaks = !group.ideas.isDisjoint(with: column.wording.concepts.intersection(concepts))
                let isKind = !column.wording.concepts.isDisjoint(with: concepts)
                guard column.shape.digitCount == total || column.facts.samples.isEmpty && isKind else {
                    return nil
                }
                if speaks { return (index, column, 0.92, "called alike") }
                if isKind {
                    return (
                        index, column, group.ideas.isEmpty ? 0.85 : 0.8,
                        "its \(total) digits fill the \(counts.count) fields"
                    )
                }
                return nil
            case .date:
                guard
                    column.shape.isDates || column.facts.type == .date
                        || column.wording.concepts.contains("@birthdate")
                        || column.wording.concepts.contains("@date")
                else { return nil }
                let shared = group.ideas.subtracting(["@date"]).intersection(column.wording.ideas)
                if !shared.isEmpty { return (index, column, 0.9, "a date over its parts") }
                let isOnly = columns.filter { $0.shape.isDates || $0.facts.type == .date }.count == 1
                return isOnly && group.ideas.subtracting(["@date"]).isEmpty
                    ? (index, column, 0.77, "the only date") : nil
            }
        }
        guard !found.isEmpty else { return [] }
        let number =
            group.parts.compactMap { places[$0.field].flatMap { senses[$0].sense.number } }.max() ?? 1
        return group.parts.flatMap { part in
            found.map { index, column, score, why in
                var claim = Claim(
                    source: .formula(part.formula(column.reference)), score: score,
                    reason: "\(part.words) of “\(column.facts.name)”: \(why)", isExact: true, column: index)
                if !senses[first].belongs(to: column.owner) {
                    claim.score -= 0.45
                    claim.reason +=
                        ", but that is for \(owner.isEmpty ? "somebody else" : Named.words(owner))"
                } else if senses[first].strangeSection != nil {
                    claim.score -= 0.25
                    claim.reason += ", but it stands below “\(senses[first].strangeSection ?? "")”"
                } else if number > 3, column.sense.number == nil {
                    claim.score -= 0.2
                }
                return (part.field, claim)
            }
        }
    }
}
