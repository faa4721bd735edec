import Formulas
import PDFForms

/// Compares every field with every column that has anything in common with it.
struct Suggester {
    private(set) var suggestions: [MappingSuggestion] = []

    private let fields: [FieldFacts]
    private let wordings: [FieldWording]
    private let columns: [Column]
    private let columnsByName: [String: Int]
    /// The columns that have a word, a name or a concept.
    private let columnsByKey: [String: [Int]]
    /// How many columns speak of the same concepts.
    private let likeColumns: [Set<String>: Int]
    private let roles: FormulaColumns

    struct Column {
        let facts: ColumnFacts
        let wording: Wording
        let shape: ColumnShape
        var reference: String { Mapping.Source.column(facts.name).text }
    }

    private struct Claim {
        var source: Mapping.Source
        var score: Double
        var reason: String
        /// The words say exactly the same.
        var isExact: Bool
        var column: Int?
    }

    /// The very name of the field.
    private static let same = 0.99
    private static let good = 0.75
    private static let margin = 0.1
    private static let mostAlike = 24

    init(_ fields: [FieldFacts], _ columns: [ColumnFacts], locale: FormulaLocale) {
        self.fields = fields.filter(\.takesValues)
        self.columns = columns.map {
            Column(facts: $0, wording: Wording($0.name), shape: ColumnShape($0, locale))
        }
        wordings = self.fields.map(FieldWording.init)
        columnsByName = Dictionary(
            self.columns.enumerated().map { ($1.facts.name, $0) }, uniquingKeysWith: { first, _ in first })
        var byKey: [String: [Int]] = [:]
        for (index, column) in self.columns.enumerated() {
            for key in column.wording.ideas.union([column.wording.folded, column.facts.name.lowercased()]) {
                byKey[key, default: []].append(index)
            }
        }
        columnsByKey = byKey
        let concepts = self.columns.map(\.wording.concepts).filter { !$0.isEmpty }
        likeColumns = Dictionary(concepts.map { ($0, 1) }, uniquingKeysWith: +)
        roles = FormulaColumns(columns)
        suggest(locale)
    }

    private mutating func suggest(_ locale: FormulaLocale) {
        var claims: [String: [Claim]] = [:]
        let groups = FieldGroups(fields, locale)
        let poured = groups.all.map { (group: $0, claims: groupClaims($0)) }
        // A number that fits fields of different lengths may be meant for either: a taxpayer is a person or a company.
        var kinds: [Int: Set<[Int]>] = [:]
        for (group, found) in poured {
            guard case .digits(let counts, _) = group.kind else { continue }
            for (_, claim) in found {
                if let column = claim.column { kinds[column, default: []].insert(counts) }
            }
        }
        for (group, found) in poured {
            for (field, claim) in found {
                var claim = claim
                if case .digits = group.kind, let column = claim.column, kinds[column]?.count ?? 0 > 1 {
                    claim.score -= 0.25
                    claim.reason += ", but other fields would take it too"
                }
                claims[field, default: []].append(claim)
            }
        }
        let grouped = Set(claims.keys)
        for (field, wording) in zip(fields, wordings) {
            let single = singleClaims(field, wording, locale)
            // What is poured over several fields is not put into one of them, unless it is called just so.
            claims[field.name, default: []] +=
                grouped.contains(field.name) ? single.filter { $0.score >= Self.same } : single
        }
        demoteShared(&claims)
        for field in fields {
            let found = (claims[field.name] ?? []).sorted { ($0.score, $1.reason) > ($1.score, $0.reason) }
            suggestions.append(
                columnsByName[field.name].map { named(field, $0, found) } ?? decided(field, found))
        }
    }

    /// A column with the field's very name is meant for it, whatever its values and the other columns look like: what
    /// does not fit is told when it is filled, and not dropped here.
    private func named(_ field: FieldFacts, _ column: Int, _ claims: [Claim]) -> MappingSuggestion {
        var suggestion = decided(field, claims.filter { $0.column == column })
        if suggestion.isConfident {
            let others = decided(field, claims.filter { $0.column != column }).candidates
            suggestion.candidates = Array((suggestion.candidates + others).prefix(3))
            return suggestion
        }
        let candidate = MappingSuggestion.Candidate(
            source: .column(field.name), confidence: 1, reason: "the column has the field's name")
        return MappingSuggestion(field: field.name, candidates: [candidate])
    }

    private func decided(_ field: FieldFacts, _ claims: [Claim]) -> MappingSuggestion {
        let candidates = claims.prefix(3).map {
            MappingSuggestion.Candidate(
                source: $0.source, confidence: ($0.score * 100).rounded() / 100, reason: $0.reason)
        }
        var suggestion = MappingSuggestion(field: field.name, candidates: Array(candidates))
        guard let best = claims.first else { return suggestion }
        if best.score >= Self.same, claims.count(where: { $0.score >= Self.same }) == 1 {
            return suggestion
        }
        if best.score < Self.good {
            suggestion.doubt = "Not certain: \(best.reason)"
        } else if claims.count > 1, best.score - claims[1].score < Self.margin,
            claims[1].source != best.source
        {
            suggestion.doubt = "\(best.source.text) and \(claims[1].source.text) fit alike"
        } else if field.isReadOnly, !best.isExact {
            suggestion.doubt = "The field is read-only"
        }
        return suggestion
    }

    /// A column that only resembles what several fields say belongs to none of them, and one whose own field is there
    /// belongs to that.
    private func demoteShared(_ claims: inout [String: [Claim]]) {
        let owned = Set(fields.compactMap { columnsByName[$0.name] })
        var exact: Set<Int> = []
        var loose: [Int: Set<String>] = [:]
        for field in fields {
            for claim in claims[field.name] ?? [] {
                guard let column = claim.column else { continue }
                if claim.isExact {
                    exact.insert(column)
                } else if claim.score >= Self.good {
                    loose[column, default: []].insert(field.name)
                }
            }
        }
        for name in claims.keys {
            claims[name] = claims[name]?.map { claim in
                guard let column = claim.column else { return claim }
                var claim = claim
                if owned.contains(column), columns[column].facts.name != name {
                    claim.score = min(claim.score - 0.25, Self.good - 0.01)
                    claim.isExact = false
                    claim.reason += ", but another field has its very name"
                    return claim
                }
                guard !claim.isExact else { return claim }
                if exact.contains(column) {
                    claim.score -= 0.25
                    claim.reason += ", but another field is called so"
                } else if loose[column]?.count ?? 0 > 1 {
                    claim.score -= 0.25
                    claim.reason += ", as are other fields"
                }
                return claim
            }
        }
    }

    // MARK: One field, one column

    private func singleClaims(
        _ field: FieldFacts, _ wording: FieldWording, _ locale: FormulaLocale
    ) -> [Claim] {
        var claims: [Claim] = []
        // A part of something is not the whole of it.
        let isPart = field.part != nil
        // What dozens of columns have in common tells none of them apart.
        var near = Set(
            wording.keys.flatMap { key in
                let found = columnsByKey[key] ?? []
                return found.count > Self.mostAlike ? [] : found
            })
        if field.meaning == .email || field.meaning == .socialSecurity { near.formUnion(columns.indices) }
        for index in near.sorted() {
            let column = columns[index]
            guard
                var (score, reason, isExact) = wording.likeness(
                    to: column.wording, named: column.facts.name, field)
            else {
                if let claim = byShape(field, wording, index) { claims.append(claim) }
                continue
            }
            // Others speak of the same thing.
            if !isExact, likeColumns[column.wording.concepts] ?? 0 > 1 { score -= 0.12 }
            if isPart, score < Self.same {
                score -= 0.3
                isExact = false
                reason += ", but the field is only a part of it"
            }
            var source = Mapping.Source.column(column.facts.name)
            if let fitted = fitting(field, wording, column, locale) {
                source = .formula(fitted.formula)
                reason += ", \(fitted.reason)"
            } else if let doubt = misfit(field, column, locale) {
                score -= 0.3
                isExact = false
                reason += ", but \(doubt)"
            }
            claims.append(
                Claim(source: source, score: score, reason: reason, isExact: isExact, column: index))
        }
        if !claims.contains(where: { $0.isExact && $0.score >= Self.good }) {
            claims += composed(field, wording)
            if field.kind == .checkBox { claims += boxClaims(field, wording) }
        }
        return claims
    }

    /// The words have nothing in common, but the field asks for what only one column holds.
    private func byShape(_ field: FieldFacts, _ wording: FieldWording, _ index: Int) -> Claim? {
        let kinds: [(FieldMeaning, KeyPath<ColumnShape, Bool>, String)] = [
            (.email, \.isEmails, "the only column of e-mail addresses"),
            (.socialSecurity, \.isSocialSecurity, "the only column of social security numbers"),
        ]
        for (meaning, shape, words) in kinds
        where field.meaning == meaning && columns[index].shape[keyPath: shape] {
            guard columns.filter({ $0.shape[keyPath: shape] }).count == 1,
                fields.filter({ $0.meaning == meaning }).count == 1
            else { continue }
            return Claim(
                source: .column(columns[index].facts.name), score: 0.78, reason: words, isExact: false,
                column: index)
        }
        return nil
    }

    /// A date poured into a field that takes so many digits.
    private func fitting(
        _ field: FieldFacts, _ wording: FieldWording, _ column: Column, _ locale: FormulaLocale
    ) -> (formula: String, reason: String)? {
        guard field.kind == .text, let limit = field.maximumLength, column.shape.isDates,
            column.shape.longest > limit || field.isComb && column.shape.hasSigns
        else {
            if field.kind == .text, let limit = field.maximumLength, column.shape.hasSigns,
                column.shape.digitCount == limit, field.isComb || column.shape.longest > limit
            {
                return ("digits(\(column.reference))", "its digits fill the \(limit) places")
            }
            return nil
        }
        let pattern: String? =
            switch (limit, locale.order) {
            case (8, .monthDayYear): "mmddyyyy"
            case (8, .dayMonthYear): "ddmmyyyy"
            case (8, .yearMonthDay): "yyyymmdd"
            case (6, .monthDayYear): "mmddyy"
            case (6, .dayMonthYear): "ddmmyy"
            case (4, _) where wording.concepts.contains("@year"): "yyyy"
            default: nil
            }
        return pattern.map {
            ("date_format(\(column.reference), \"\($0)\")", "written \($0) for its \(limit) places")
        }
    }

    private func misfit(_ field: FieldFacts, _ column: Column, _ locale: FormulaLocale) -> String? {
        guard !column.facts.samples.isEmpty else { return nil }
        if let limit = field.maximumLength, field.kind == .text, column.shape.usual > limit {
            return "its values are longer than the \(limit) places"
        }
        if case .number = field.format, column.shape.isWords { return "its values are no numbers" }
        if case .date = field.format, column.shape.isWords { return "its values are no dates" }
        if field.kind == .combo || field.kind == .list, !field.isEditable, !field.options.isEmpty,
            !column.shape.distinct.isEmpty,
            !column.shape.distinct.contains(where: { value in
                field.options.contains { $0.export.lowercased() == value || $0.display.lowercased() == value }
            })
        {
            return "none of its values is a choice"
        }
        return nil
    }

    // MARK: Several columns, one field

    private func column(_ concept: String, beside ideas: Set<String> = []) -> Column? {
        let found = columns.filter { $0.wording.ideas == ideas.union([concept]) }
        return found.count == 1 ? found[0] : nil
    }

    private func composed(_ field: FieldFacts, _ wording: FieldWording) -> [Claim] {
        guard field.kind == .text || field.isEditable else { return [] }
        var claims: [Claim] = []
        for ideas in wording.all {
            let concepts = ideas.filter { $0.hasPrefix("@") }
            // What is said about whom: “child”, “spouse”.
            let others = ideas.subtracting([
                "@fullname", "@firstname", "@lastname", "@middleinitial", "@middlename",
            ])
            if concepts.contains("@fullname") || concepts.isSuperset(of: ["@firstname", "@lastname"]),
                let first = column("@firstname", beside: others)
                    ?? (others.isEmpty ? nil : column("@firstname")),
                let last = column("@lastname", beside: others) ?? (others.isEmpty ? nil : column("@lastname"))
            {
                let isOwn = first.wording.ideas.subtracting(["@firstname"]) == others
                let middle = column("@middlename", beside: others) ?? column("@middleinitial", beside: others)
                let parts = ([first] + (middle.map { [$0] } ?? []) + [last]).map(\.reference)
                let lastComesFirst = wording.order("@lastname", before: "@firstname")
                let formula =
                    lastComesFirst
                    ? "join(\", \", \(last.reference), full_name(\(parts.dropLast().joined(separator: ", "))))"
                    : "full_name(\(parts.joined(separator: ", ")))"
                claims.append(
                    Claim(
                        source: .formula(formula), score: isOwn ? 0.88 : 0.6,
                        reason: isOwn
                            ? "put together from the parts of the name"
                            : "perhaps put together from the parts of a name",
                        isExact: isOwn))
            }
            if concepts.contains("@initials"), others == ["@initials"],
                roles.roles[.fullName] != nil || roles.roles[.lastName] != nil
            {
                claims.append(
                    Claim(
                        source: .formula("initials()"), score: 0.8, reason: "the initials of the name",
                        isExact: true))
            }
            if ideas == ["@today"] {
                claims.append(
                    Claim(
                        source: .formula("date_format(today, \"short\")"), score: 0.85,
                        reason: "the day of filling", isExact: true))
            }
            claims += addressClaims(field, ideas)
        }
        return claims
    }

    /// “City, state, ZIP” in one line, or a whole address in several.
    private func addressClaims(_ field: FieldFacts, _ ideas: Set<String>) -> [Claim] {
        guard let city = column("@city"), let zip = column("@zip") else { return [] }
        let state = column("@state")
        let stateAndZip = state.map { "join(\" \", \($0.reference), \(zip.reference))" } ?? zip.reference
        let town = "join(\", \", \(city.reference), \(stateAndZip))"
        let places = ideas.intersection(["@city", "@state", "@zip"])
        if places.count >= 2, places.contains("@city"), !ideas.contains("@street"),
            !ideas.contains("@address")
        {
            return [
                Claim(
                    source: .formula(town), score: 0.86,
                    reason: "put together from city, state and postal code", isExact: true)
            ]
        }
        let asksForAll = ideas.contains("@address") || ideas.contains("@street") && places.count >= 2
        let hasTownField = fields.contains {
            FieldWording($0).all.contains { !$0.isDisjoint(with: ["@city", "@zip"]) } && $0.name != field.name
        }
        guard asksForAll, let street = column("@street") ?? column("@address"),
            !hasTownField || places.count >= 2
        else { return [] }
        let lines = [street.reference] + (column("@street2").map { [$0.reference] } ?? [])
        let formula =
            field.isMultiline
            ? "lines(\((lines + [town]).joined(separator: ", ")))"
            : "join(\", \", \((lines + [town]).joined(separator: ", ")))"
        return [
            Claim(
                source: .formula(formula), score: 0.82, reason: "put together from the parts of the address",
                isExact: true)
        ]
    }

    // MARK: Boxes that are the values of a column

    /// One of several boxes whose words are what a column holds: “married”, “single”.
    private func boxClaims(_ field: FieldFacts, _ wording: FieldWording) -> [Claim] {
        var claims: [Claim] = []
        for (index, column) in columns.enumerated() where (2...12).contains(column.shape.distinct.count) {
            guard let value = column.shape.distinct.first(where: { wording.says(exactly: $0) }) else {
                continue
            }
            let siblings = zip(fields, wordings).contains { other, words in
                other.kind == .checkBox && other.name != field.name
                    && column.shape.distinct.contains { $0 != value && words.says(exactly: $0) }
            }
            guard siblings, FlagReading.flag(value) == nil else { continue }
            claims.append(
                Claim(
                    source: .formula("\(column.reference) = \(Quoted.write(value))"), score: 0.82,
                    reason: "one of the values of “\(column.facts.name)”, as are other boxes", isExact: true,
                    column: index))
        }
        return claims
    }

    // MARK: One column, several fields

    private func groupClaims(_ group: FieldGroups.Group) -> [(String, Claim)] {
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
        return group.parts.flatMap { part in
            found.map { index, column, score, why in
                (
                    part.field,
                    Claim(
                        source: .formula(part.formula(column.reference)), score: score,
                        reason: "\(part.words) of “\(column.facts.name)”: \(why)", isExact: true,
                        column: index)
                )
            }
        }
    }
}

/// What the values of a column look like.
struct ColumnShape {
    let longest: Int
    /// What nine of ten values are not longer than.
    let usual: Int
    /// So many digits in each value, and nothing else but signs between them.
    let digitCount: Int?
    let hasSigns: Bool
    let isEmails: Bool
    let isDates: Bool
    let isSocialSecurity: Bool
    let isWords: Bool
    /// The different values in small letters, when there are few.
    let distinct: [String]

    init(_ facts: ColumnFacts, _ locale: FormulaLocale) {
        let samples = facts.samples.prefix(ColumnFacts.usualSampleCount)
        let lengths = samples.map(\.count).sorted()
        longest = lengths.last ?? 0
        usual = lengths.isEmpty ? 0 : lengths[(lengths.count - 1) * 9 / 10]
        let counts = Set(
            samples.map { sample in
                sample.allSatisfy { "0"..."9" ~= $0 || " -./()+".contains($0) }
                    ? sample.count { "0"..."9" ~= $0 } : -1
            })
        digitCount = counts.count == 1 && counts.first ?? -1 > 0 ? counts.first : nil
        hasSigns = samples.contains { $0.contains { " -./()+".contains($0) } }
        func most(_ holds: (String) -> Bool) -> Bool {
            !samples.isEmpty && samples.count(where: holds) * 20 >= samples.count * 19
        }
        isEmails = most { $0.contains("@") && $0.contains(".") && !$0.contains(" ") }
        isDates =
            facts.type == .date
            || most {
                $0.count >= 6 && DateReading.date($0, locale, today: nil) != nil
                    && NumberReading.number($0, locale) == nil
            }
        isSocialSecurity = most { sample in
            let groups = sample.split(separator: "-")
            return groups.map(\.count) == [3, 2, 4] && sample.allSatisfy { $0.isNumber || $0 == "-" }
        }
        isWords = most { sample in !sample.contains { "0"..."9" ~= $0 } }
        var seen: Set<String> = []
        for sample in samples {
            seen.insert(sample.lowercased())
            if seen.count > 24 { break }
        }
        distinct = seen.count > 24 ? [] : seen.sorted()
    }
}
