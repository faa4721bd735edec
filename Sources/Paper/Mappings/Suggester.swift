import Formulas
import PDFForms

/// Compares every field with every column that has anything in common with it.
struct Suggester {
    var suggestions: [MappingSuggestion] = []
    /// Columns that went nowhere, with the fields that they may be meant for.
    private(set) var offers: [ColumnOffer] = []

    let fields: [FieldFacts]
    let wordings: [FieldWording]
    let columns: [Column]
    /// What each field asks for and of whom, in the order of the fields.
    let senses: [FieldSense]
    let columnsByName: [String: Int]
    /// How many columns speak of the same concepts.
    let likeColumns: [Set<String>: Int]
    let roles: FormulaColumns

    struct Column {
        let facts: ColumnFacts
        let wording: Wording
        let shape: ColumnShape
        var sense: Sense
        /// Its words as they stand, for what is only remotely alike.
        var words: Set<String> = []
        /// Whom it is about; nothing for the one whom the list is about.
        var owner: String
        /// “Date”, “Number”: any form has several.
        var saysKindOnly: Bool { sense.what.isEmpty && sense.marks.isSubset(of: Likeness.kinds) }
        var reference: String { Mapping.Source.column(facts.name).text }
    }

    struct Claim {
        var source: Mapping.Source
        var score: Double
        var reason: String
        /// The words say exactly the same.
        var isExact: Bool
        var column: Int?
        /// Made from several columns, so that it belongs to none of them alone.
        var ofSeveral = false
        /// What it competes with, unless with everything from the same column: a part of a value has its own place.
        var rival: String?

        func lowered(to score: Double, _ why: String) -> Claim {
            var claim = self
            claim.score = min(claim.score, score)
            claim.isExact = false
            claim.reason += ", but \(why)"
            return claim
        }
    }

    /// The first of fields that one value is poured over.
    var leaders: [String: String] = [:]
    var places: [String: Int] = [:]
    var rowCounts: [String: Int] = [:]
    /// First and last name, when the form has fields of their own for them.
    let partsOfName: Set<String>
    let order: FormulaLocale.Order
    /// Columns that say one thing of somebody and nothing else, by both.
    let plain: [String: [Int]]
    /// The names that the form has for the one whom it is about.
    let roleWords: Set<String>
    /// Names of fields that differ in a number, and speak for themselves.
    let series: [String: Set<String>]
    /// The list was made for the form: half of its columns are called as fields are.
    let isOfForm: Bool

    /// The very name of the field.
    static let same = 0.99
    static let good = 0.75
    static let margin = 0.1
    /// What one field must have more than another to be the one that is meant.
    static let clear = 0.05

    init(_ fields: [FieldFacts], _ columns: [ColumnFacts], locale: FormulaLocale) {
        self.fields = fields.filter(\.takesValues)
        var known = columns.map {
            let words = Set(Wording.words($0.name).filter { $0.count > 2 })
            let sense = Sense($0.name, keepsBrackets: true)
            return Column(
                facts: $0, wording: Wording($0.name), shape: ColumnShape($0, locale), sense: sense,
                words: words,
                owner: sense.owners.sorted().joined(separator: " "))
        }
        senses = People.understood(self.fields, &known)
        self.columns = known
        wordings = self.fields.map(FieldWording.init)
        columnsByName = Dictionary(
            self.columns.enumerated().map { ($1.facts.name, $0) }, uniquingKeysWith: { first, _ in first })
        series = self.fields.reduce(into: [:]) { series, field in
            let stem = Self.stem(field.name)
            guard !stem.isEmpty, !Sense(stem).what.isEmpty else { return }
            series[Self.series(field), default: []].insert(field.name)
        }
        let names = Set(self.fields.map(\.name))
        isOfForm = columns.count { names.contains($0.written) } * 2 >= columns.count
        roleWords = senses.reduce(into: []) { $0.formUnion($1.roles) }
        let concepts = self.columns.map(\.wording.concepts).filter { !$0.isEmpty }
        likeColumns = Dictionary(concepts.map { ($0, 1) }, uniquingKeysWith: +)
        roles = FormulaColumns(columns)
        var plain: [String: [Int]] = [:]
        for (index, column) in known.enumerated()
        where column.sense.what.count == 1 && column.sense.marks.isEmpty {
            plain["\(column.sense.what.first ?? "") \(column.owner)", default: []].append(index)
        }
        self.plain = plain
        let asked = senses
        partsOfName = Set(
            ["@firstname", "@lastname"].filter { part in
                asked.contains {
                    $0.owner.isEmpty && $0.sense.what.contains(part)
                        && !$0.sense.what.isSuperset(of: ["@firstname", "@lastname"])
                }
            })
        order = locale.order
        for index in self.fields.indices where self.fields[index].row != nil {
            rowCounts[sectionKey(index), default: 0] += 1
        }
        suggest(locale)
    }

    mutating func suggest(_ locale: FormulaLocale) {
        var claims: [String: [Claim]] = [:]
        let groups = FieldGroups(fields, locale)
        places = Dictionary(
            fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let poured = groups.all.map { (group: $0, claims: groupClaims($0)) }
        // A number that fits fields of different lengths may be meant for either: a taxpayer is a person or a company.
        var kinds: [Int: Set<[Int]>] = [:]
        for (group, found) in poured {
            guard case .digits(let counts, _) = group.kind else { continue }
            for (_, claim) in found where claim.score >= Self.good {
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
                leaders[field] = group.parts[0].field
            }
        }
        let grouped = Set(claims.keys)
        for (index, field) in fields.enumerated() {
            let single = singleClaims(index, locale)
            // What is poured over several fields is not put into one of them, unless it is called just so.
            claims[field.name, default: []] +=
                grouped.contains(field.name) ? single.filter { $0.score >= Self.same } : single
        }
        settle(&claims)
        for field in fields {
            let found = (claims[field.name] ?? []).sorted { ($0.score, $1.reason) > ($1.score, $0.reason) }
            suggestions.append(
                owned(field).map { named(field, $0, found) } ?? decided(field, found))
        }
        keepWhole()
        offer(claims)
    }

    /// A column with the field's very name is meant for it, whatever its values and the other columns look like: what
    /// does not fit is told when it is filled, and not dropped here.
    func named(_ field: FieldFacts, _ column: Int, _ claims: [Claim]) -> MappingSuggestion {
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

    func owned(_ field: FieldFacts) -> Int? {
        guard let column = columnsByName[field.name], let place = places[field.name],
            !isElsewhere(columns[column], place)
        else { return nil }
        return column
    }

    /// A name asked for as a whole beside its parts is rarely the same person's, unless the form says so.
    func isAgain(_ index: Int) -> Bool {
        !senses[index].saysSelf && senses[index].owner.isEmpty && fields[index].row == nil
            && partsOfName.count == 2
            && !Wording.words(fields[index].nearby ?? fields[index].label ?? "").contains("shown")
    }

    /// `add1_city`, `add2_city`, `add3_city`: three of a kind are a list that belongs to something else.
    func isRepeated(_ field: FieldFacts) -> Bool {
        field.row == nil && (series[Self.series(field)]?.count ?? 0) > 2
    }

    /// What a field is one of: those below the same heading whose names differ in a number.
    static func series(_ field: FieldFacts) -> String { "\(stem(field.name))|\(field.section ?? "")" }

    /// The name with its first number left out.
    static func stem(_ name: String) -> String {
        let leaf = name.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? name
        guard let start = leaf.firstIndex(where: \.isNumber), leaf.prefix(upTo: start).count > 2 else {
            return ""
        }
        return leaf[..<start] + "#" + leaf[start...].drop(while: \.isNumber)
    }

    /// “Phone” is no name of its own where the heading says that it is the coach's.
    func isElsewhere(_ column: Column, _ index: Int) -> Bool {
        let sense = senses[index]
        guard !isOfForm, column.owner.isEmpty, column.sense.what != ["@relationship"] else { return false }
        let isBare =
            column.sense.what.count == 1 && column.sense.marks.isEmpty
            && !column.sense.what.isDisjoint(with: Sense.personal)
            || column.saysKindOnly
        return isBare
            && (sense.isOwnedBySection && !sense.belongs(to: column.owner) || sense.strangeSection != nil)
    }

    func decided(_ field: FieldFacts, _ claims: [Claim]) -> MappingSuggestion {
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

    // MARK: One place for each

    /// A column goes where it fits best, and nowhere while several fields fit it alike: unless the form asks for the same
    /// again on other pages.
    func settle(_ claims: inout [String: [Claim]]) {
        let taken = Set(fields.compactMap { owned($0) })
        for name in claims.keys {
            claims[name] = claims[name]?.map { claim in
                guard let column = claim.column, taken.contains(column), columns[column].facts.name != name
                else {
                    return claim
                }
                return claim.lowered(to: Self.good - 0.01, "another field has its very name")
            }
        }
        var rivals: [String: [String: Double]] = [:]
        for field in fields {
            for claim in claims[field.name] ?? [] where claim.score >= Self.good && claim.score < Self.same {
                let leader = leaders[field.name] ?? field.name
                let best = rivals[key(claim)]?[leader] ?? 0
                rivals[key(claim), default: [:]][leader] = max(best, claim.score)
            }
        }
        var losers: [String: Set<String>] = [:]
        var undecided: Set<String> = []
        for (what, found) in rivals where found.count > 1 {
            // A field without words and without a place is seen by nobody.
            let seen = found.keys.filter { places[$0].map { isSeen(fields[$0]) } ?? false }
            var found = found
            if !seen.isEmpty, seen.count < found.count {
                losers[what] = Set(found.keys).subtracting(seen)
                found = found.filter { seen.contains($0.key) }
            }
            let best = found.values.max() ?? 0
            let first = found.filter { best - $0.value < Self.clear }.compactMap { places[$0.key] }.sorted(
                by: isBefore)
            losers[what, default: []].formUnion(found.keys.filter { best - (found[$0] ?? 0) >= Self.clear })
            guard first.count > 1, !isSameThing(first) else { continue }
            // One that says “your” is meant before those that say nothing.
            let own = first.filter { senses[$0].saysSelf }
            if own.count == 1 {
                losers[what, default: []].formUnion(first.filter { $0 != own[0] }.map { fields[$0].name })
            } else {
                undecided.insert(what)
            }
        }
        for field in fields {
            claims[field.name] = claims[field.name]?.map { claim in
                guard claim.score < Self.same else { return claim }
                let key = key(claim)
                if losers[key]?.contains(leaders[field.name] ?? field.name) ?? false {
                    return claim.lowered(to: claim.score - 0.25, "another field fits it better")
                }
                return undecided.contains(key) && claim.score >= Self.good
                    ? claim.lowered(to: claim.score - 0.25, "so do other fields") : claim
            }
        }
    }

    func isSeen(_ field: FieldFacts) -> Bool {
        field.label != nil || field.nearby != nil || !field.places.isEmpty
    }

    func key(_ claim: Claim) -> String {
        claim.rival ?? claim.column.map { "\($0)" } ?? claim.source.text
    }

    func isBefore(_ a: Int, _ b: Int) -> Bool {
        (fields[a].places.first?.page ?? .max, a) < (fields[b].places.first?.page ?? .max, b)
    }

    /// The name on the first page and again on the others.
    func isSameThing(_ indices: [Int]) -> Bool {
        let pages = indices.map { fields[$0].places.first?.page }
        guard Set(pages).count == indices.count, !pages.contains(nil), let first = indices.first else {
            return false
        }
        return indices.dropFirst().allSatisfy {
            senses[$0].owner == senses[first].owner && senses[$0].strangeSection == nil
                && (senses[$0].saysSelf || fields[$0].section == nil
                    || fields[$0].section == fields[first].section)
        }
    }

    /// What a person is asked about the columns that went nowhere.
    mutating func offer(_ claims: [String: [Claim]]) {
        let taken = suggestions.filter(\.isConfident).map(\.source.text)
        let open = columns.indices.filter { number in
            !taken.contains { $0.contains(columns[number].reference) }
        }
        var found: [Int: [String: ColumnOffer.Choice]] = [:]
        for field in fields {
            let leader = leaders[field.name] ?? field.name
            for claim in claims[field.name] ?? [] where claim.score > 0.2 {
                let part = ColumnOffer.Part(field: field.name, source: claim.source)
                for number in claim.column.map({ [$0] }) ?? open where uses(claim, number) {
                    if let known = found[number]?[leader] {
                        guard !known.parts.contains(where: { $0.field == field.name }) else { continue }
                        found[number]?[leader]?.parts.append(part)
                    } else {
                        found[number, default: [:]][leader] = ColumnOffer.Choice(
                            parts: [part], confidence: (claim.score * 100).rounded() / 100,
                            reason: claim.reason)
                    }
                }
            }
        }
        for number in open {
            guard let choices = found[number]?.values, !choices.isEmpty else { continue }
            let best = choices.sorted {
                ($0.confidence, places[$1.parts[0].field] ?? 0) > (
                    $1.confidence, places[$0.parts[0].field] ?? 0
                )
            }
            offers.append(ColumnOffer(column: columns[number].facts.name, choices: Array(best.prefix(3))))
        }
    }

    func uses(_ claim: Claim, _ column: Int) -> Bool {
        claim.column == column || claim.ofSeveral && claim.source.text.contains(columns[column].reference)
    }

    // MARK: One column, one field

    func singleClaims(_ index: Int, _ locale: FormulaLocale) -> [Claim] {
        var claims: [Claim] = []
        let field = fields[index]
        let wording = wordings[index]
        // A part of something is not the whole of it.
        let isPart = field.part != nil
        for number in columns.indices {
            let column = columns[number]
            guard var (score, reason, isExact) = likeness(column, index) else {
                if let claim = byShape(field, wording, number) { claims.append(claim) }
                continue
            }
            // Others speak of the same thing.
            if !isExact, score < Self.same, likeColumns[column.wording.concepts] ?? 0 > 1 { score -= 0.12 }
            if isPart, score < Self.same {
                score -= 0.3
                isExact = false
                reason += ", but the field is only a part of it"
            }
            var source = Mapping.Source.column(column.facts.name)
            if column.shape.isLastFirst, senses[index].sense.what.contains("@fullname"),
                column.sense.what.isSubset(of: Sense.nameParts),
                !wording.order("@lastname", before: "@firstname"),
                score < Self.same
            {
                source = .formula(
                    "full_name(trim(split(\(column.reference), \",\", 2)), trim(split(\(column.reference), \",\", 1)))"
                )
                reason += ", put in the order of a name"
            } else if column.shape.address != nil, isPartOfAddress(index, column) {
                continue
            } else if let fitted = fitting(field, wording, column, locale) {
                source = .formula(fitted.formula)
                reason += ", \(fitted.reason)"
            } else if let doubt = misfit(field, column, locale) {
                score -= 0.3
                isExact = false
                reason += ", but \(doubt)"
            }
            claims.append(
                Claim(source: source, score: score, reason: reason, isExact: isExact, column: number))
        }
        claims += splitClaims(index) + unnamedClaims(index)
        if !claims.contains(where: { $0.isExact && $0.score >= Self.good }) {
            claims += composed(index)
            if field.kind == .checkBox { claims += boxClaims(field, wording) }
        }
        return claims
    }

    /// How likely a column is meant for a field, and why.
    func likeness(_ column: Column, _ index: Int) -> (score: Double, reason: String, isExact: Bool)? {
        let field = fields[index]
        if !isElsewhere(column, index) {
            if column.facts.written == field.name { return (1, "the field is called so", true) }
            if column.facts.name == field.name || column.facts.name.lowercased() == field.name.lowercased() {
                return (0.99, "the field is called so", true)
            }
        }
        let words = wordings[index].saying(column.wording)
        guard
            var found = Likeness.between(
                column.sense, senses[index], isSame: words.isSame,
                isNamed: !column.owner.isEmpty && column.owner == senses[index].owner)
                ?? (words.isSame
                    ? Likeness(
                        score: 0.97, isExact: true,
                        isPersonal: !column.sense.what.isDisjoint(with: Sense.personal)) : nil)
                ?? (wordings[index].isAcronym(column.wording.folded)
                    ? Likeness(score: 0.8, isExact: false) : nil)
                ?? (wordings[index].sharesWord(with: column.words)
                    ? Likeness(score: 0.3, isExact: false) : nil)
        else { return nil }
        var reason = words.what
        if !words.isSame { reason += found.isExact ? ", in other words" : " in part" }
        if !found.isPersonal, !found.isExact, found.isShared, found.score > 0.5, isAlone(column, index) {
            found.score = max(found.score, 0.82)
        }
        func lower(_ by: Double, _ why: String) {
            found.score -= by
            found.isExact = false
            reason += ", but \(why)"
        }
        let sense = senses[index]
        if !column.sense.owners.isEmpty, sense.isUnnamed { found.isExact = false }
        if sense.isAlso(of: column.owner) { lower(0.06, "it may be somebody else's as well") }
        if !sense.belongs(to: column.owner), column.owner != sense.alsoOf,
            !(column.sense.what == ["@company"] && sense.owner == "@employer")
        {
            let isOffice = sense.owner == "@office" && !(found.isExact && found.isShared)
            if found.isPersonal || !column.owner.isEmpty || !sense.isOwnedBySection || isOffice
                || column.saysKindOnly
            {
                lower(
                    0.45,
                    sense.owner.isEmpty
                        ? "that is somebody else's" : "that is for \(Named.words(sense.owner))"
                )
            } else {
                lower(0.06, "it stands below “\(field.section ?? "")”")
            }
        }
        if !sense.roles.isEmpty, !column.sense.roles.isDisjoint(with: roleWords),
            sense.roles.isDisjoint(with: column.sense.roles),
            sense.owner.isEmpty, column.owner.isEmpty
        {
            lower(0.1, "that is for the \(sense.roles.sorted()[0])")
        }
        if let other = sense.otherWords { lower(0.1, "its words are about \(Named.words(other))") }
        if column.sense.what == ["@fullname"], sense.sense.what == ["@fullname"], isAgain(index) {
            lower(0.25, "the form has its parts already")
        }
        if let name = sense.contradiction { lower(0.2, "its own name is “\(name.suffix(40))”") }
        if found.isPersonal, let section = sense.strangeSection, column.owner.isEmpty {
            lower(0.25, "it stands below “\(section)”")
        }
        let numbers = (column.sense.number, sense.sense.number)
        if let wanted = numbers.0, let own = numbers.1, wanted != own {
            lower(0.4, "it is number \(own)")
        } else if numbers.0 == nil, let own = numbers.1, own > 1 {
            lower(0.25, "it is number \(own)")
        } else if numbers.0 == nil, isRepeated(field) {
            lower(0.25, "it is the first of several")
        } else if let row = field.row, numbers.0 != row, rowCounts[sectionKey(index)] ?? 0 > 1 {
            lower(0.22, "it stands in row \(row) of a table")
        }
        return (found.score, reason, found.isExact)
    }

    /// No other field and no other column has a word of those that the two share.
    func isAlone(_ column: Column, _ index: Int) -> Bool {
        func shares(_ sense: Sense) -> Bool { Likeness.shares(column.sense, sense) }
        return columns.allSatisfy {
            $0.facts.name == column.facts.name || !Likeness.shares($0.sense, senses[index].sense)
        }
            && senses.indices.allSatisfy {
                $0 == index || !shares(senses[$0].sense) || leaders[fields[$0].name] == fields[index].name
            }
    }

    func sectionKey(_ index: Int) -> String {
        "\(fields[index].places.first?.page ?? -1) \(senses[index].sense.what.sorted()) \(fields[index].section ?? "")"
    }

    /// The words have nothing in common, but the field asks for what only one column holds.
    func byShape(_ field: FieldFacts, _ wording: FieldWording, _ index: Int) -> Claim? {
        let kinds: [(FieldMeaning, KeyPath<ColumnShape, Bool>, String)] = [
            (.email, \.isEmails, "the only column of e-mail addresses"),
            (.socialSecurity, \.isSocialSecurity, "the only column of social security numbers"),
        ]
        guard let place = places[field.name], senses[place].owner == columns[index].owner,
            senses[place].strangeSection == nil
        else { return nil }
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
    func fitting(
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

    func misfit(_ field: FieldFacts, _ column: Column, _ locale: FormulaLocale) -> String? {
        guard !column.facts.samples.isEmpty else { return nil }
        if let limit = field.maximumLength, field.kind == .text, column.shape.usual > limit {
            return "its values are longer than the \(limit) places"
        }
        if case .number = field.format, column.shape.isWords { return "its values are no numbers" }
        if case .date = field.format, column.shape.isWords { return "its values are no dates" }
        if field.kind == .checkBox, !column.shape.distinct.isEmpty,
            !column.shape.distinct.contains(where: { FlagReading.flag($0) != nil })
        {
            return "its values are no yes or no"
        }
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

    /// “Contractor”, and no other column with a name: the form's word for that person is not known, but there is one.
    func unnamedClaims(_ index: Int) -> [Claim] {
        guard senses[index].owner.isEmpty, senses[index].sense.what == ["@fullname"],
            !columns.contains(where: { $0.owner.isEmpty && !$0.sense.what.isDisjoint(with: Sense.nameParts) })
        else { return [] }
        return columns.indices.filter { columns[$0].shape.isNames && columns[$0].sense.isOneWord }.map {
            Claim(
                source: .column(columns[$0].facts.name), score: 0.6,
                reason: "its values look like names of people", isExact: false, column: $0)
        }
    }
}
