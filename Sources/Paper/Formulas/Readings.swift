package import Work

/// Reads numbers as people of a locale write them.
package enum NumberReading {
    /// Signs that may stand around an amount.
    private static let around = Set("$€£¥₹₽₺₩¤%")
    private static let codes = ["USD", "EUR", "GBP", "CHF", "CAD", "MXN", "AUD", "Fr.", "kr", "zł"]

    /// Takes `-1,234.50`, `$5`, `(12)`, `12 %` where the locale writes so; nil for anything else. Groups must be of
    /// three digits, so that a point never silently becomes a thousand.
    package static func number(_ text: String, _ locale: FormulaLocale) -> Decimal? {
        guard text.utf8.count <= 80 else { return nil }
        // Most numbers are plain digits.
        if locale.decimalMark == ".", let plain = Decimal(plain: text) { return plain }
        var rest = text.trimmed
        guard let first = rest.first, !first.isLetter || codes.contains(where: rest.hasPrefix) else {
            return nil
        }
        var isNegative = false
        if rest.hasPrefix("("), rest.hasSuffix(")") {
            isNegative = true
            rest = String(rest.dropFirst().dropLast())
        }
        var isPercent = false
        for code in codes {
            if rest.hasPrefix(code) { rest = String(rest.dropFirst(code.count)) }
            if rest.hasSuffix(code) { rest = String(rest.dropLast(code.count)) }
        }
        var core = ""
        for character in rest {
            switch character {
            case "-", "−", "\u{2011}":
                guard core.isEmpty, !isNegative else { return nil }
                isNegative = true
            case "+": guard core.isEmpty else { return nil }
            case "%": isPercent = true
            case _ where around.contains(character): break
            case "\u{A0}", "\u{202F}", "\u{2009}", " ": core.append(" ")
            default: core.append(character)
            }
        }
        guard let number = plain(core.trimmed, locale).flatMap({ Decimal(plain: $0) }) else { return nil }
        let signed = isNegative ? number.negated : number
        return isPercent ? signed.divided(by: Decimal(100)) : signed
    }

    /// The digits with a point for the mark and without groups.
    private static func plain(_ text: String, _ locale: FormulaLocale) -> String? {
        let mark = locale.decimalMark
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first else { return nil }
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        guard fraction.allSatisfy(isDigit) else { return nil }
        var digits = ""
        var run = 0
        var group: Character?
        for character in whole {
            if isDigit(character) {
                digits.append(character)
                run += 1
                continue
            }
            let isMark = locale.groupMarks.contains(character)
            guard isMark, group == nil ? (1...3).contains(run) : run == 3 && group == character else {
                return nil
            }
            group = character
            run = 0
        }
        guard group == nil || run == 3, !(digits.isEmpty && fraction.isEmpty) else { return nil }
        return parts.count == 2 ? digits + "." + fraction : digits
    }

    private static func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }
}

/// Reads times of day and hours as tables have them: `8:30`, `17:05:30`, `3:05 pm`, `36:30`.
package enum ClockReading {
    /// In days, as a workbook counts: 6:00 is a quarter.
    package static func days(_ text: String) -> Decimal? {
        var rest = text.trimmed.lowercased()
        var half: Int?
        for (mark, hours) in [("am", 0), ("pm", 12)] where rest.hasSuffix(mark) {
            rest = String(rest.dropLast(2)).trimmed
            half = hours
        }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), (1...4).contains(parts[0].utf8.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        var hours = numbers[0]
        if let half {
            guard (1...12).contains(hours) else { return nil }
            hours = hours % 12 + half
        }
        return days(seconds: hours * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0))
    }

    private static func days(seconds: Int) -> Decimal? { Decimal(seconds).divided(by: Decimal(86_400)) }

    /// Whether both are the same second. A workbook's own fractions of days are a hair off.
    static func areSame(_ a: Decimal, _ b: Decimal) -> Bool { a.rounded(to: 6) == b.rounded(to: 6) }

    /// The time of day in a number of days, in seconds.
    static func secondOfDay(_ days: Decimal) -> Int? {
        guard !days.isNegative, let rest = days.minus(days.roundedDown()) else { return nil }
        return rest.times(Decimal(86_400))?.rounded()?.int.map { $0 % 86_400 }
    }
}

/// Reads yes and no as people write them into tables.
package enum FlagReading {
    private static let yes: Set<String> = [
        "yes", "y", "true", "t", "1", "x", "on", "checked", "ja", "j", "wahr", "oui", "o", "vrai", "sí", "si",
        "s",
        "verdadero", "sim", "vero", "tak", "ano", "✓", "✔", "☑", "☒", "はい", "是", "да",
    ]
    private static let no: Set<String> = [
        "no", "n", "false", "f", "0", "off", "unchecked", "nein", "falsch", "non", "faux", "falso", "não",
        "nao",
        "nie", "ne", "☐", "✗", "いいえ", "否", "нет", "-",
    ]

    package static func flag(_ text: String) -> Bool? {
        let word = text.trimmed.lowercased()
        if yes.contains(word) { return true }
        return no.contains(word) ? false : nil
    }
}

/// Reads dates as people of a locale write them.
package enum DateReading {
    /// `2026-12-31` everywhere, else in the order of the locale: numbers with `/`, `.` or `-` between them, or with
    /// the month's name. A day that does not exist in that order is no date, even if another order would make it one:
    /// a column half of whose days are months must be noticed. Without `today`, years of two digits are not read.
    package static func date(_ text: String, _ locale: FormulaLocale, today: WallTime?) -> WallTime? {
        guard text.utf8.count <= 60, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else {
            return nil
        }
        let text = text.trimmed
        if let date = iso(text) { return date }
        let (day, time) = clock(text)
        guard let date = numeric(day, locale, today) ?? named(day, locale, today) else { return nil }
        guard let time else { return date }
        return WallTime(
            year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
            second: time.second)
    }

    static func iso(_ text: String) -> WallTime? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == 0x2D, bytes[7] == 0x2D, let year = int(bytes[0..<4]),
            let month = int(bytes[5..<7]), let day = int(bytes[8..<10])
        else { return nil }
        guard bytes.count > 10 else { return WallTime(year: year, month: month, day: day) }
        guard bytes[10] == 0x54 || bytes[10] == 0x20, bytes.count >= 16, bytes[13] == 0x3A,
            let hour = int(bytes[11..<13]), let minute = int(bytes[14..<16])
        else { return nil }
        var second = 0
        if bytes.count > 16 {
            guard bytes[16] == 0x3A, bytes.count >= 19, let seconds = int(bytes[17..<19]) else { return nil }
            second = seconds
        }
        return WallTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static func int(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 4, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return bytes.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private static func number(_ text: Substring) -> Int? { int(Array(text.utf8)[...]) }

    /// A time of day behind the date.
    private static func clock(_ text: String) -> (day: String, time: (hour: Int, minute: Int, second: Int)?) {
        guard let colon = text.firstIndex(of: ":"),
            let blank = text[..<colon].lastIndex(where: { $0 == " " || $0 == "T" })
        else { return (text, nil) }
        var words = text[text.index(after: blank)...].lowercased()
        var shift = 0
        for (mark, hours) in [("am", 0), ("pm", 12)] where words.hasSuffix(mark) {
            words = String(words.dropLast(2)).trimmed
            shift = hours
            if words.hasPrefix("12") { shift -= 12 }
        }
        let parts = words.split(separator: ":").map { number($0) }
        guard parts.count >= 2, parts.count <= 3, let hour = parts[0], let minute = parts[1] else {
            return (text, nil)
        }
        let second = parts.count == 3 ? parts[2] ?? 99 : 0
        return (String(text[..<blank]).trimmed, (hour + shift, minute, second))
    }

    private static func numeric(_ text: String, _ locale: FormulaLocale, _ today: WallTime?) -> WallTime? {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        let parts = text.split { "/.-".contains($0) || $0 == " " }
        guard parts.count == 3, text.filter({ "/.-".contains($0) }).count == 2 else { return nil }
        let numbers = parts.compactMap { number($0) }
        guard numbers.count == 3 else { return nil }
        if parts[0].utf8.count == 4 { return WallTime(year: numbers[0], month: numbers[1], day: numbers[2]) }
        // Points between the numbers are written day first, wherever they are written.
        let order = text.contains(".") && locale.order == .monthDayYear ? .dayMonthYear : locale.order
        switch order {
        case .monthDayYear: return date(parts[2], numbers[0], numbers[1], today)
        case .dayMonthYear: return date(parts[2], numbers[1], numbers[0], today)
        case .yearMonthDay:
            // Whoever writes the year first writes it whole.
            return nil
        }
    }

    private static func date(_ year: Substring, _ month: Int, _ day: Int, _ today: WallTime?) -> WallTime? {
        guard let written = number(year) else { return nil }
        switch year.utf8.count {
        case 4: return WallTime(year: written, month: month, day: day)
        case 2:
            guard let today else { return nil }
            return WallTime(year: whole(written, today), month: month, day: day)
        default: return nil
        }
    }

    /// Two digits mean the year between 80 years ago and 20 years from now.
    static func whole(_ twoDigits: Int, _ today: WallTime) -> Int {
        let century = today.year - ((today.year % 100) + 100) % 100
        let year = century + twoDigits
        if year > today.year + 19 { return year - 100 }
        return year < today.year - 80 ? year + 100 : year
    }

    private static func named(_ text: String, _ locale: FormulaLocale, _ today: WallTime?) -> WallTime? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "." || $0 == "-" || $0 == "/" }
        var month: Int?
        var numbers: [Substring] = []
        for word in words {
            if word.first?.isNumber == true {
                // 1st, 2nd, 3rd, 1er
                let digits = word.prefix { "0"..."9" ~= $0 }
                guard
                    digits.count == word.count
                        || ["st", "nd", "rd", "th", "er", "º"].contains(
                            word.dropFirst(digits.count).lowercased())
                else { return nil }
                numbers.append(digits)
            } else if let found = locale.month(named: String(word)) {
                guard month == nil else { return nil }
                month = found
            } else if !["de", "del", "of", "the"].contains(word.lowercased()),
                !locale.isWeekday(String(word))
            {
                return nil
            }
        }
        guard let month, numbers.count == 2, let first = number(numbers[0]), let second = number(numbers[1])
        else {
            return nil
        }
        if numbers[0].utf8.count == 4 { return WallTime(year: first, month: month, day: second) }
        return date(numbers[1], month, first, today)
    }
}
