/// A date or time of day in the pattern a form asks for (`AFDate_FormatEx("mm/dd/yyyy")`, `AFTime_Format`), made from
/// what people and programs write. What could be two dates is never guessed.
package struct DateNotation: Sendable, Equatable {
    package enum Reading: Equatable {
        case text(String)
        /// Could be read in two ways: said, and left as it is.
        case ambiguous
        case none
    }

    let pattern: String
    private let months: MonthNames
    private let tokens: [Token]

    private enum Token: Sendable, Equatable {
        case literal(Character)
        case field(Character, Int)
    }

    private struct Parts: Equatable {
        var year = 0
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
    }

    /// `language`: of the form, for the names of months.
    package init(pattern: String, language: String? = nil) {
        self.pattern = pattern
        months = MonthNames(of: language)
        // Some authors write MMDDYYYY: read as the standard has it, that would be minutes and letters.
        let isShouted = pattern.contains { "DY".contains($0) } && !pattern.contains { "mdyHhst".contains($0) }
        let pattern = isShouted ? pattern.lowercased() : pattern
        var tokens: [Token] = []
        var rest = pattern.prefix(100)[...]
        while let character = rest.first {
            let run = rest.prefix { $0 == character }
            switch character {
            case "m", "d", "y", "H", "h", "M", "s", "t":
                tokens.append(.field(character, run.count))
                rest = rest.dropFirst(run.count)
            case "\\":
                if let escaped = rest.dropFirst().first { tokens.append(.literal(escaped)) }
                rest = rest.dropFirst(2)
            default:
                tokens.append(.literal(character))
                rest = rest.dropFirst()
            }
        }
        self.tokens = tokens
    }

    private var hasDate: Bool {
        tokens.contains { if case .field(let letter, _) = $0 { "mdy".contains(letter) } else { false } }
    }
    private func order(_ letter: Character) -> Int? {
        tokens.firstIndex {
            if case .field(letter, let count) = $0 { letter != "d" || count < 3 } else { false }
        }
    }

    package func read(_ text: String) -> Reading {
        let text = text.trimmingSpaces
        if text.isEmpty { return .text("") }
        guard hasDate else {
            return Self.time(text[...]).map { .text(write($0)) } ?? .none
        }
        // What already is in the form's own notation is meant so.
        if let parts = parts(by: text) { return .text(write(parts)) }
        // A date, and perhaps a time of day behind it.
        let (date, time) = Self.split(text)
        let clock = Self.time(time) ?? Parts()
        func withTime(_ year: Int, _ month: Int, _ day: Int) -> Reading {
            guard Self.exists(year, month, day) else { return .none }
            var parts = clock
            (parts.year, parts.month, parts.day) = (year, month, day)
            return .text(write(parts))
        }
        let numbers = date.split { !("0"..."9").contains($0) }.map(String.init)
        let separators = Set(date.filter { !("0"..."9").contains($0) })
        if let month = named(date), numbers.count == 2 {
            let years = numbers.filter { $0.count == 4 }
            guard years.count == 1, let year = Int(years[0]),
                let day = numbers.first(where: { $0.count < 3 }).flatMap({ Int($0) })
            else { return numbers.allSatisfy { $0.count < 3 } ? .ambiguous : .none }
            return withTime(year, month, day)
        }
        guard numbers.count == 3, separators.count == 1, numbers.allSatisfy({ $0.count <= 4 }),
            let first = Int(numbers[0]), let second = Int(numbers[1]), let third = Int(numbers[2])
        else { return .none }
        // ISO 8601, also with other separators: the year in front leaves no choice.
        if numbers[0].count == 4 { return withTime(first, second, third) }
        guard numbers[2].count == 4 else { return .ambiguous }
        // With dots between, the day comes first wherever that is written.
        if separators == ["."] { return withTime(third, second, first) }
        let dayFirst = Self.exists(third, second, first)
        let monthFirst = Self.exists(third, first, second)
        if dayFirst, monthFirst, first != second { return .ambiguous }
        if monthFirst { return withTime(third, first, second) }
        return dayFirst ? withTime(third, second, first) : .none
    }

    // MARK: Reading

    /// The text read by the pattern, a digit more or less allowed where it does not matter.
    private func parts(by text: String) -> Parts? {
        var parts = Parts()
        var rest = text[...]
        var seen: Set<Character> = []
        var isAfternoon: Bool?
        for token in tokens {
            switch token {
            case .literal(let character):
                guard rest.first == character else { return nil }
                rest = rest.dropFirst()
            case .field("d", let count) where count > 2:
                let letters = rest.prefix { $0.isLetter }
                guard !letters.isEmpty else { return nil }
                rest = rest.dropFirst(letters.count)
            case .field("m", let count) where count > 2:
                let letters = rest.prefix { $0.isLetter || $0 == "." }
                guard let month = named(letters) else { return nil }
                parts.month = month
                rest = rest.dropFirst(letters.count)
            case .field("t", _):
                let letters = rest.prefix { $0.isLetter }.lowercased()
                guard letters.hasPrefix("a") || letters.hasPrefix("p") else { return nil }
                isAfternoon = letters.hasPrefix("p")
                rest = rest.dropFirst(letters.count)
            case .field(let letter, let count):
                let longest = letter == "y" ? (count > 2 ? 4 : 2) : 2
                let digits = rest.prefix(longest).prefix { ("0"..."9").contains($0) }
                guard let number = Int(digits), letter != "y" || digits.count == longest else { return nil }
                rest = rest.dropFirst(digits.count)
                seen.insert(letter)
                switch letter {
                // As Acrobat does: what is below fifty lies in this century.
                case "y": parts.year = longest == 4 ? number : number < 50 ? 2000 + number : 1900 + number
                case "m": parts.month = number
                case "d": parts.day = number
                case "H", "h": parts.hour = number
                case "M": parts.minute = number
                default: parts.second = number
                }
            }
        }
        guard rest.isEmpty else { return nil }
        if let isAfternoon {
            guard (1...12).contains(parts.hour) else { return nil }
            parts.hour = parts.hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard parts.hour < 24, parts.minute < 60, parts.second < 60,
            Self.exists(seen.contains("y") ? parts.year : 2000, parts.month, parts.day)
        else { return nil }
        return parts
    }

    /// `2026-11-21T14:30` and `11/21/2026 2:30 pm` in two; a date alone has no second half.
    private static func split(_ text: String) -> (date: Substring, time: Substring) {
        if let colon = text.firstIndex(of: ":") {
            let before = text[..<colon]
            if let gap = before.lastIndex(where: { $0 == " " || $0 == "T" || $0 == "t" }) {
                return (text[..<gap], text[text.index(after: gap)...])
            }
        }
        return (text[...], "")
    }

    private static func time(_ text: Substring) -> Parts? {
        var words = text.lowercased().filter { $0 != " " && $0 != "." }
        if words.hasSuffix("z") { words.removeLast() }
        var isAfternoon: Bool?
        for (suffix, value) in [("am", false), ("pm", true), ("a", false), ("p", true)]
        where words.hasSuffix(suffix) {
            isAfternoon = value
            words.removeLast(suffix.count)
            break
        }
        let numbers = words.split(separator: ":", omittingEmptySubsequences: false)
        guard (isAfternoon == nil ? 2...3 : 1...3).contains(numbers.count),
            numbers.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy { ("0"..."9").contains($0) } })
        else { return nil }
        var parts = Parts()
        parts.hour = Int(numbers[0]) ?? 99
        parts.minute = numbers.count > 1 ? Int(numbers[1]) ?? 99 : 0
        parts.second = numbers.count > 2 ? Int(numbers[2]) ?? 99 : 0
        if let isAfternoon {
            guard (1...12).contains(parts.hour) else { return nil }
            parts.hour = parts.hour % 12 + (isAfternoon ? 12 : 0)
        }
        return parts.hour < 24 && parts.minute < 60 && parts.second < 60 ? parts : nil
    }

    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// The month a word in the text names, in full or by its first letters.
    private func named(_ text: Substring) -> Int? {
        for word in text.split(whereSeparator: { !$0.isLetter }) {
            if let month = months.month(named: word) { return month }
        }
        return nil
    }

    private static func exists(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    // MARK: Writing

    private func write(_ parts: Parts) -> String {
        var text = ""
        for token in tokens {
            switch token {
            case .literal(let character): text.append(character)
            case .field(let letter, let count): text += write(letter, count, parts)
            }
        }
        return text
    }

    private func write(_ letter: Character, _ count: Int, _ parts: Parts) -> String {
        func padded(_ number: Int) -> String { count > 1 && number < 10 ? "0\(number)" : "\(number)" }
        switch (letter, count) {
        case ("y", 3...):
            let year = String(parts.year)
            return String(repeating: "0", count: max(0, 4 - year.count)) + year
        case ("y", _): return parts.year % 100 < 10 ? "0\(parts.year % 100)" : "\(parts.year % 100)"
        case ("m", 4...): return months.full[parts.month - 1]
        case ("m", 3): return months.short[parts.month - 1]
        case ("m", _): return padded(parts.month)
        case ("d", 4...): return Self.days[Self.weekday(parts)]
        case ("d", 3): return String(Self.days[Self.weekday(parts)].prefix(3))
        case ("d", _): return padded(parts.day)
        case ("H", _): return padded(parts.hour)
        case ("h", _): return padded((parts.hour + 11) % 12 + 1)
        case ("M", _): return padded(parts.minute)
        case ("s", _): return padded(parts.second)
        case ("t", 2...): return parts.hour < 12 ? "am" : "pm"
        default: return parts.hour < 12 ? "a" : "p"
        }
    }

    /// 0 is Sunday (Zeller's way).
    private static func weekday(_ parts: Parts) -> Int {
        let shift = (14 - parts.month) / 12
        let year = parts.year - shift
        let month = parts.month + 12 * shift - 2
        return (parts.day + year + year / 4 - year / 100 + year / 400 + 31 * month / 12) % 7
    }
}
