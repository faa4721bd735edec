import Formulas

/// People and things that only this form has a name for: “Buyer” and “Seller” over its parts, or “Alternate agent” beside
/// “Agent”. Where a column says the same word, both are about the same one.
enum Named {
    private static let sign = "@@"

    static func isNamed(_ owner: String) -> Bool { owner.hasPrefix(sign) }

    /// For a reason that somebody reads.
    static func words(_ owner: String) -> String {
        owner.split(separator: " ").map { $0.drop { $0 == "@" } }.joined(separator: ", ")
    }

    static func understand(
        _ fields: [FieldFacts], _ senses: inout [FieldSense], _ columns: inout [Suggester.Column]
    ) {
        var below: [String: [Int]] = [:]
        for index in fields.indices {
            if let section = fields[index].section { below[section, default: []].append(index) }
        }
        let headings = below.keys.sorted().map { ($0, FieldSense.heading($0)) }
        for (section, heading) in headings
        where heading.owners.isEmpty && !heading.isSelf && heading.what.isEmpty {
            name(words(heading), below[section] ?? [], &senses, &columns)
        }
        distinguish(headings, below, &senses, &columns)
        count(headings, below, &senses)
    }

    /// “Account 1” and “Account 2”.
    private static func count(
        _ headings: [(String, Sense)], _ below: [String: [Int]], _ senses: inout [FieldSense]
    ) {
        let counted = headings.map { (section: $0.0, wording: Wording(FieldSense.bare($0.0))) }.filter {
            !$0.wording.numbers.isEmpty
        }
        for (section, wording) in counted {
            guard let number = wording.numbers.first.flatMap({ Int($0) }),
                counted.contains(where: { $0.section != section && $0.wording.ideas == wording.ideas })
            else { continue }
            for index in below[section] ?? [] where senses[index].sense.number == nil {
                senses[index].sense.number = number
            }
        }
    }

    /// A veteran and a claimant who are both asked for their names are two people.
    static func tellApart(
        _ ordered: [Int], _ senses: inout [FieldSense], _ columns: inout [Suggester.Column]
    ) {
        inherit(&columns)
        let named = ordered.filter {
            senses[$0].owner.isEmpty && !senses[$0].roles.isEmpty
                && !senses[$0].sense.what.isDisjoint(with: Sense.nameParts)
        }
        guard let main = named.first.map({ senses[$0].roles }) else { return }
        let others = named.reduce(into: Set<String>()) { $0.formUnion(senses[$1].roles) }.subtracting(main)
        func other(_ roles: Set<String>) -> String? {
            roles.isDisjoint(with: main) ? roles.intersection(others).min() : nil
        }
        for index in senses.indices where senses[index].owner.isEmpty {
            if let role = other(senses[index].roles) { senses[index].give(to: sign + role, named: role) }
        }
        for index in columns.indices where columns[index].owner.isEmpty {
            if let role = other(columns[index].sense.roles) { columns[index].owner = sign + role }
        }
        // A list of claimants says “SSN” of them.
        let about = Set(columns.filter { !$0.sense.what.isDisjoint(with: Sense.nameParts) }.map(\.owner))
        guard about.count == 1, let owner = about.first, others.contains(where: { sign + $0 == owner }) else {
            return
        }
        for index in columns.indices where columns[index].owner.isEmpty && columns[index].sense.roles.isEmpty
        {
            columns[index].owner = owner
        }
    }

    /// “MI” between “Veteran first” and “Veteran last” is the veteran's.
    private static func inherit(_ columns: inout [Suggester.Column]) {
        for index in columns.indices.dropFirst() {
            let (before, own) = (columns[index - 1], columns[index])
            guard own.owner.isEmpty, !own.sense.isSelf, own.sense.what.count == 1,
                own.sense.what.isSubset(of: ["@middlename", "@middleinitial"]),
                !before.sense.what.isDisjoint(with: Sense.nameParts)
            else { continue }
            columns[index].owner = before.owner
            columns[index].sense.roles = before.sense.roles
        }
    }

    private static func words(_ heading: Sense) -> Set<String> {
        heading.marks.filter { $0.count > 2 && !Likeness.kinds.contains($0) && $0 != "@account" }
    }

    private static func name(
        _ words: Set<String>, _ below: [Int], _ senses: inout [FieldSense],
        _ columns: inout [Suggester.Column]
    ) {
        let open = below.filter { senses[$0].owner.isEmpty && !senses[$0].saysSelf }
        let asked = open.reduce(into: Set<String>()) { $0.formUnion(senses[$1].sense.what) }
        guard !asked.isDisjoint(with: Sense.personal) else { return }
        for word in words.sorted() {
            let owner = sign + word
            var isUsed = false
            for index in columns.indices where columns[index].owner.isEmpty {
                // “Vet” is short for “Veterinarian”.
                guard
                    let said = columns[index].sense.marks.sorted().first(where: {
                        $0 == word || $0.count > 2 && word.hasPrefix($0)
                    })
                else { continue }
                let isAlone = columns[index].sense.what.isEmpty && columns[index].sense.marks.count == 1
                guard !isAlone || !asked.isDisjoint(with: Sense.nameParts) else { continue }
                columns[index].sense.marks.remove(said)
                if isAlone { columns[index].sense.what = ["@fullname"] }
                columns[index].owner = owner
                isUsed = true
            }
            guard isUsed else { continue }
            for index in open where senses[index].owner.isEmpty { senses[index].give(to: owner, named: word) }
        }
    }

    /// Of two headings about agents the one that says more is about another agent.
    private static func distinguish(
        _ headings: [(String, Sense)], _ below: [String: [Int]], _ senses: inout [FieldSense],
        _ columns: inout [Suggester.Column]
    ) {
        let known = headings.filter { !$0.1.owners.isEmpty }
        for (section, heading) in known where !words(heading).isEmpty {
            guard
                known.contains(where: {
                    $0.0 != section && $0.1.owners == heading.owners && words($0.1).isEmpty
                })
            else { continue }
            let owner = heading.owners.sorted().joined(separator: " ")
            var word = words(heading).sorted()[0]
            for index in columns.indices {
                guard let said = words(heading).sorted().first(where: columns[index].sense.marks.contains),
                    columns[index].owner == owner || columns[index].owner == "\(owner) \(said)"
                else { continue }
                word = said
                columns[index].sense.marks.remove(said)
                columns[index].owner = "\(owner) \(said)"
                if columns[index].sense.what.isEmpty, columns[index].sense.marks.isEmpty {
                    columns[index].sense.what = ["@fullname"]
                }
            }
            for index in below[section] ?? [] where senses[index].owner == owner {
                senses[index].give(to: "\(owner) \(word)", named: word)
            }
        }
    }
}
