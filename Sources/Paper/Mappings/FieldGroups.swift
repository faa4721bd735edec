import Formulas
import PDFForms

/// Fields that stand side by side for the parts of one value: a social security number over three combs, a date over
/// month, day and year.
struct FieldGroups {
    struct Part {
        var field: String
        /// “digits 1 to 3”
        var words: String
        var formula: @Sendable (String) -> String
    }

    struct Group {
        enum Kind {
            case digits([Int], Set<String>)
            case date
        }
        var kind: Kind
        var parts: [Part]
        /// What the words of the fields speak of.
        var ideas: Set<String>
    }

    private(set) var all: [Group] = []

    /// Numbers that forms like to take apart, by how many digits stand in each part.
    private static let splits: [(counts: [Int], concepts: Set<String>)] = [
        ([3, 2, 4], ["@ssn", "@taxid"]), ([2, 7], ["@ein", "@taxid"]),
        ([3, 3, 4], ["@phone", "@mobile", "@fax"]),
        ([5, 4], ["@zip"]), ([3, 4], ["@phone", "@mobile", "@fax"]),
    ]

    private static let mostFields = 5000

    init(_ fields: [FieldFacts], _ locale: FormulaLocale) {
        let texts = fields.prefix(Self.mostFields).filter { $0.kind == .text && !$0.isMultiline }
        var taken: Set<String> = []
        findDates(texts, &taken)
        for row in Self.rows(texts) {
            findDateRuns(row, locale, &taken)
            findDigits(row, &taken)
        }
    }

    /// Fields with a maximum length that stand in one line of a page, from left to right.
    private static func rows(_ fields: [FieldFacts]) -> [[FieldFacts]] {
        let placed = fields.compactMap { field -> (field: FieldFacts, place: FieldFacts.Place)? in
            guard field.maximumLength != nil, let place = field.places.first, place.page != nil else {
                return nil
            }
            return (field, place)
        }.sorted { a, b in
            if a.place.page != b.place.page { return a.place.page ?? 0 < b.place.page ?? 0 }
            let middleA = (a.place.top + a.place.bottom) / 2
            let middleB = (b.place.top + b.place.bottom) / 2
            return abs(middleA - middleB) > 4 ? middleA > middleB : a.place.left < b.place.left
        }
        var rows: [[FieldFacts]] = []
        var last: FieldFacts.Place?
        for (field, place) in placed {
            if let before = last, before.page == place.page, abs(before.bottom - place.bottom) < 5,
                place.left >= before.right - 2, place.left - before.right < 60
            {
                rows[rows.count - 1].append(field)
            } else {
                rows.append([field])
            }
            last = place
        }
        return rows.filter { $0.count > 1 }
    }

    private mutating func findDigits(_ row: [FieldFacts], _ taken: inout Set<String>) {
        var start = 0
        while start < row.count {
            let found = Self.splits.first { split in
                let end = start + split.counts.count
                guard end <= row.count else { return false }
                let run = row[start..<end]
                // Not part of a longer run that is something else.
                return run.map { $0.maximumLength ?? 0 } == split.counts
                    && run.allSatisfy { !taken.contains($0.name) }
            }
            guard let found else {
                start += 1
                continue
            }
            let run = Array(row[start..<(start + found.counts.count)])
            // Two parts happen by chance: there the words must say what it is.
            let ideas = run.reduce(into: Set<String>()) { $0.formUnion(FieldWording($1).concepts) }
            guard found.counts.count == 3 || !ideas.isDisjoint(with: found.concepts) else {
                start += 1
                continue
            }
            var from = 1
            var parts: [Part] = []
            for (field, count) in zip(run, found.counts) {
                let (first, last) = (from, from + count - 1)
                parts.append(
                    Part(field: field.name, words: "digits \(first) to \(last)") {
                        "slice(digits(\($0)), \(first), \(last))"
                    })
                from += count
                taken.insert(field.name)
            }
            all.append(
                Group(
                    kind: .digits(found.counts, found.concepts), parts: parts,
                    ideas: ideas.intersection(Self.numbers)))
            start += found.counts.count
        }
    }

    /// Fields of two, two and four characters that stand beside a word for a date.
    private mutating func findDateRuns(
        _ row: [FieldFacts], _ locale: FormulaLocale, _ taken: inout Set<String>
    ) {
        var start = 0
        while start + 3 <= row.count {
            let run = Array(row[start..<(start + 3)])
            start += 1
            guard run.allSatisfy({ !taken.contains($0.name) }) else { continue }
            let patterns: [String]
            switch (run.map { $0.maximumLength ?? 0 }, locale.order) {
            case ([4, 2, 2], _): patterns = ["yyyy", "mm", "dd"]
            case ([2, 2, 4], .monthDayYear): patterns = ["mm", "dd", "yyyy"]
            case ([2, 2, 4], .dayMonthYear): patterns = ["dd", "mm", "yyyy"]
            case ([2, 2, 2], .monthDayYear): patterns = ["mm", "dd", "yy"]
            case ([2, 2, 2], .dayMonthYear): patterns = ["dd", "mm", "yy"]
            default: continue
            }
            let ideas = run.reduce(into: Set<String>()) { $0.formUnion(FieldWording($1).concepts) }
            guard !ideas.isDisjoint(with: ["@birthdate", "@date"]) else { continue }
            var parts: [Part] = []
            for (field, pattern) in zip(run, patterns) {
                parts.append(Part(field: field.name, words: pattern) { "date_format(\($0), \"\(pattern)\")" })
                taken.insert(field.name)
            }
            all.append(Group(kind: .date, parts: parts, ideas: ideas))
            start += 2
        }
    }

    private static let numbers: Set<String> = ["@ssn", "@ein", "@taxid", "@phone", "@mobile", "@fax", "@zip"]

    /// Month, day and year with the same words otherwise.
    private mutating func findDates(_ fields: [FieldFacts], _ taken: inout Set<String>) {
        let parts: [String] = ["@month", "@day", "@year"]
        var stems: [(key: String, part: String, field: FieldFacts)] = []
        for field in fields {
            // The label may name a day where the name does not, so each is tried by itself.
            for text in [field.label, field.nearby, field.name].compactMap({ $0 }) {
                let ideas = Wording(text).ideas
                let found = parts.filter(ideas.contains)
                guard found.count == 1 else { continue }
                let rest = ideas.subtracting(parts).sorted().joined(separator: " ")
                stems.append(("\(field.places.first?.page ?? -1):\(rest)", found[0], field))
            }
        }
        let groups = Dictionary(grouping: stems, by: \.key)
        for key in groups.keys.sorted() {
            let members = (groups[key] ?? []).filter { !taken.contains($0.field.name) }
            guard members.count == 3, Set(members.map(\.part)).count == 3,
                Set(members.map(\.field.name)).count == 3
            else { continue }
            let order = parts.compactMap { part in members.first { $0.part == part } }
            let ideas = members.reduce(into: Set<String>()) { ideas, member in
                for words in FieldWording(member.field).all { ideas.formUnion(words) }
            }
            all.append(
                Group(
                    kind: .date,
                    parts: order.map { member in
                        let pattern = Self.pattern(member.part, member.field)
                        taken.insert(member.field.name)
                        return Part(field: member.field.name, words: String(member.part.dropFirst())) {
                            "date_format(\($0), \"\(pattern)\")"
                        }
                    }, ideas: ideas.subtracting(parts)))
        }
    }

    private static func pattern(_ part: String, _ field: FieldFacts) -> String {
        switch part {
        case "@year": field.maximumLength == 2 ? "yy" : "yyyy"
        case "@month": field.maximumLength ?? 2 >= 3 ? "mmmm" : "mm"
        default: "dd"
        }
    }
}
