import Formulas

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
    /// Two or three words with capitals: “Ada Lovelace”.
    let isNames: Bool
    /// “Lovelace, Ada”: the family's name, a comma, the given names.
    let isLastFirst: Bool
    /// “12 Elm St, Boston, MA 02110”, and how its end is taken apart.
    let address: AddressShape?
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
        isNames = most { sample in
            let words = sample.split(separator: " ")
            return (2...4).contains(words.count)
                && words.allSatisfy { $0.first?.isUppercase ?? false }
                && !sample.contains { "0"..."9" ~= $0 || $0 == "," }
        }
        isLastFirst = most { sample in
            sample.count { $0 == "," } == 1 && !sample.contains { "0"..."9" ~= $0 }
                && sample.split(separator: ",").count == 2
        }
        address = AddressShape.all.first { shape in most { shape.fits($0) } }
        var seen: Set<String> = []
        for sample in samples {
            seen.insert(sample.lowercased())
            if seen.count > 24 { break }
        }
        distinct = seen.count > 24 ? [] : seen.sorted()
    }
}

/// How the end of an address in one cell is written: state and postal code last, or the postal code before the town.
enum AddressShape: CaseIterable, Sendable {
    case townStateZip
    case zipTown

    static var all: [AddressShape] { allCases }

    func fits(_ sample: String) -> Bool {
        let parts = sample.split(separator: ",").map { String($0).trimmed }
        guard parts.count >= 2, let last = parts.last?.split(separator: " "), last.count >= 2 else {
            return false
        }
        func isZip(_ word: Substring?) -> Bool {
            guard let word else { return false }
            return (4...10).contains(word.count) && word.allSatisfy { "0"..."9" ~= $0 || $0 == "-" }
        }
        switch self {
        case .townStateZip:
            return parts.count >= 3 && last.count == 2 && isZip(last.last) && last[0].allSatisfy(\.isLetter)
        case .zipTown:
            return isZip(last.first) && last.dropFirst().allSatisfy { $0.contains(where: \.isLetter) }
        }
    }

    /// Formulas over a column for each part. They count from the end, so that a flat or a floor stays with the street.
    func formula(_ part: String, _ column: String) -> String? {
        let end = "trim(split(\(column), \",\", -1))"
        switch (self, part) {
        case (.townStateZip, "@zip"): return "word(\(end), -1)"
        case (.townStateZip, "@state"): return "word(\(end), 1)"
        case (.townStateZip, "town"): return "join(\", \", trim(split(\(column), \",\", -2)), \(end))"
        case (.zipTown, "town"): return end
        case (.townStateZip, "@city"): return "trim(split(\(column), \",\", -2))"
        case (.townStateZip, "@street"):
            return
                Self.without(
                    "\",\" & split(\(column), \",\", -2) & \",\" & split(\(column), \",\", -1)", column)
        case (.zipTown, "@zip"): return "word(\(end), 1)"
        case (.zipTown, "@city"): return "trim(replace(\(end), word(\(end), 1), \"\"))"
        case (.zipTown, "@street"):
            return Self.without("\",\" & split(\(column), \",\", -1)", column)
        default: return nil
        }
    }

    /// Blanks behind commas are taken away first, as the parts are given without them.
    private static func without(_ end: String, _ column: String) -> String {
        "replace(replace(replace(\(column), \", \", \",\"), \(end), \"\"), \",\", \", \")"
    }
}
