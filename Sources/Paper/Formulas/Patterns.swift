package import Work

/// How a date is written, and read: `mm/dd/yyyy`, `d. mmmm yyyy`, `dddd, h:mm tt`. Letters that are not meant stand
/// in quotation marks: `d 'de' mmmm`. Whether m means month or minute follows from its neighbours, as in spreadsheets.
package struct DatePattern: Sendable {
    private enum Part: Sendable, Equatable {
        case words(String)
        case year(Int), month(Int), day(Int), hour(Int), hourOfTwelve(Int), minute(Int), second(Int), half
    }

    private var parts: [Part] = []

    package init?(_ text: String, _ locale: FormulaLocale = .standard) {
        let text = Self.styles(locale)[text.lowercased()] ?? text
        guard text.count <= 100 else { return nil }
        let letters = Array(text)
        var at = 0
        while at < letters.count {
            let letter = letters[at]
            if letter == "'" || letter == "\"" {
                guard let end = letters[(at + 1)...].firstIndex(of: letter) else { return nil }
                parts.append(.words(end == at + 1 ? String(letter) : String(letters[(at + 1)..<end])))
                at = end + 1
                continue
            }
            var end = at
            while end < letters.count, letters[end] == letter { end += 1 }
            let count = end - at
            switch letter {
            case "y", "Y": parts.append(.year(count <= 2 ? 2 : 4))
            case "m", "M": parts.append(.month(min(count, 4)))
            case "d", "D": parts.append(.day(min(count, 4)))
            case "H": parts.append(.hour(min(count, 2)))
            case "h": parts.append(.hourOfTwelve(min(count, 2)))
            case "s", "S": parts.append(.second(min(count, 2)))
            case "t", "a", "T", "A": parts.append(.half)
            case _ where letter.isLetter && letter.isASCII: return nil
            default: parts.append(.words(String(letters[at..<end])))
            }
            at = end
        }
        guard parts.contains(where: { if case .words = $0 { false } else { true } }) else { return nil }
        tellMinutes()
    }

    /// More than a time of day.
    var showsDay: Bool {
        parts.contains { part in
            switch part {
            case .year, .month, .day: true
            case .words, .hour, .hourOfTwelve, .minute, .second, .half: false
            }
        }
    }

    /// Why the pattern means nothing, if it does not.
    static func fault(_ text: String) -> String? {
        DatePattern(text) == nil
            ? "“\(FormulaRun.short(text))” is no pattern for a date: y, m, d, h and s stand for its parts, other letters in quotation marks."
            : nil
    }

    private static func styles(_ locale: FormulaLocale) -> [String: String] {
        ["short": locale.short, "medium": locale.medium, "long": locale.long, "iso": "yyyy-mm-dd"]
    }

    /// An m behind hours or before seconds is a minute; hours with a half day count to twelve.
    private mutating func tellMinutes() {
        func isTime(_ part: Part?) -> Bool {
            switch part {
            case .hour, .hourOfTwelve, .second: true
            default: false
            }
        }
        let places = parts.indices.filter { if case .words = parts[$0] { false } else { true } }
        for (order, place) in places.enumerated() {
            guard case .month(let count) = parts[place], count <= 2 else { continue }
            let before = order > 0 ? parts[places[order - 1]] : nil
            let after = order + 1 < places.count ? parts[places[order + 1]] : nil
            let isBehindHours: Bool =
                switch before {
                case .hour, .hourOfTwelve: true
                default: false
                }
            let isBeforeSeconds: Bool = if case .second = after { true } else { false }
            if isBehindHours || isBeforeSeconds { parts[place] = .minute(count) }
        }
        if !parts.contains(.half) {
            for place in parts.indices {
                if case .hourOfTwelve(let count) = parts[place] { parts[place] = .hour(count) }
            }
        }
    }

    package func text(_ date: WallTime, _ locale: FormulaLocale) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .year(let count):
                count == 2 ? Self.padded(abs(date.year) % 100, 2) : Self.padded(date.year, 4)
            case .month(1): String(date.month)
            case .month(2): Self.padded(date.month, 2)
            case .month(let count): locale.monthName(date.month, isShort: count == 3)
            case .day(1): String(date.day)
            case .day(2): Self.padded(date.day, 2)
            case .day(let count): locale.weekdayName(date.weekday, isShort: count == 3)
            case .hour(let count): Self.padded(date.hour, count)
            case .hourOfTwelve(let count): Self.padded((date.hour + 11) % 12 + 1, count)
            case .minute(let count): Self.padded(date.minute, count)
            case .second(let count): Self.padded(date.second, count)
            case .half: date.hour < 12 ? "am" : "pm"
            }
        }.joined()
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count))
            + digits
    }

    /// The date a text says when it is written like this.
    package func date(_ text: String, _ locale: FormulaLocale, today: WallTime) -> WallTime? {
        guard text.utf8.count <= 100 else { return nil }
        let letters = Array(text.trimmed)
        var at = 0
        var (year, month, day, hour, minute, second) = (today.year, 1, 1, 0, 0, 0)
        var isAfternoon: Bool?
        /// So many digits, or fewer when something other than digits follows in the pattern.
        func number(_ most: Int, exactly: Bool) -> Int? {
            let start = at
            while at < letters.count, at - start < most, "0"..."9" ~= letters[at] { at += 1 }
            let count = at - start
            guard count > 0, !exactly || count == most else { return nil }
            return Int(String(letters[start..<at]))
        }
        for (index, part) in parts.enumerated() {
            let next = index + 1 < parts.count ? parts[index + 1] : nil
            let runsOn: Bool = if let next { if case .words = next { false } else { true } } else { false }
            switch part {
            case .words(let words):
                for letter in words where letter != " " || at < letters.count {
                    if letter == " " {
                        while at < letters.count, letters[at].isWhitespace { at += 1 }
                    } else {
                        guard at < letters.count, letters[at] == letter else { return nil }
                        at += 1
                    }
                }
            case .year(let count):
                guard let found = number(count, exactly: true) else { return nil }
                year = count == 2 ? DateReading.whole(found, today) : found
            case .month(let count) where count > 2:
                guard let (found, length) = locale.month(at: letters[at...]) else { return nil }
                month = found
                at += length
            case .day(let count) where count > 2:
                while at < letters.count, letters[at].isLetter || ".-".contains(letters[at]) { at += 1 }
            case .month:
                guard let found = number(2, exactly: runsOn) else { return nil }
                month = found
            case .day:
                guard let found = number(2, exactly: runsOn) else { return nil }
                day = found
            case .hour, .hourOfTwelve:
                guard let found = number(2, exactly: runsOn) else { return nil }
                hour = found
            case .minute:
                guard let found = number(2, exactly: runsOn) else { return nil }
                minute = found
            case .second:
                guard let found = number(2, exactly: runsOn) else { return nil }
                second = found
            case .half:
                let words = String(letters[at...]).lowercased()
                guard words.hasPrefix("am") || words.hasPrefix("pm") else { return nil }
                isAfternoon = words.hasPrefix("pm")
                at += 2
            }
        }
        guard at == letters.count else { return nil }
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        return WallTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }
}

/// How a number is written: `0`, `#,##0.00`, `$#,##0.00`, `0.0%`, `#,##0;(#,##0)`. The pattern has commas and points
/// everywhere; the locale says what they become.
struct NumberPattern: Sendable {
    private struct Side: Sendable {
        var before: String
        var after: String
        var leastWhole: Int
        var leastFraction: Int
        var mostFraction: Int
        var groups: Bool
    }

    private let positive: Side
    private let negative: Side?
    private let isPercent: Bool

    init?(_ text: String) {
        guard text.count <= 100 else { return nil }
        let sides = text.split(separator: ";", maxSplits: 1).map(String.init)
        guard let first = sides.first.flatMap(Self.side) else { return nil }
        positive = first
        if sides.count == 2 {
            guard let second = Self.side(sides[1]) else { return nil }
            negative = second
        } else {
            negative = nil
        }
        isPercent = text.contains("%")
    }

    static func fault(_ text: String) -> String? {
        NumberPattern(text) == nil
            ? "“\(FormulaRun.short(text))” is no pattern for a number: 0 and # stand for digits, as in #,##0.00."
            : nil
    }

    private static func side(_ text: String) -> Side? {
        let letters = Array(text)
        guard let start = letters.firstIndex(where: { $0 == "#" || $0 == "0" }) else { return nil }
        var end = start
        while end < letters.count, "#0,.".contains(letters[end]) { end += 1 }
        // A mark at the end belongs to the words behind the number.
        while end > start, letters[end - 1] == "," || letters[end - 1] == "." { end -= 1 }
        let parts = letters[start..<end].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, parts.count < 2 || !parts[1].contains(",") else {
            return nil
        }
        let fraction = parts.count == 2 ? parts[1] : []
        return Side(
            before: words(letters[..<start]), after: words(letters[end...]),
            leastWhole: whole.count { $0 == "0" },
            leastFraction: fraction.count { $0 == "0" }, mostFraction: fraction.count,
            groups: whole.contains(","))
    }

    private static func words(_ letters: ArraySlice<Character>) -> String {
        String(letters.filter { $0 != "'" })
    }

    func text(_ number: Decimal, _ locale: FormulaLocale) -> String {
        let scaled = isPercent ? number.times(Decimal(100)) ?? number : number
        let side = scaled.isNegative ? negative ?? positive : positive
        guard let rounded = scaled.rounded(to: side.mostFraction) else { return number.text }
        var (whole, fraction) = rounded.digits()
        if whole == "0", side.leastWhole == 0, side.leastFraction > 0 { whole = "" }
        whole = String(repeating: "0", count: max(0, side.leastWhole - whole.utf8.count)) + whole
        fraction += String(repeating: "0", count: max(0, side.leastFraction - fraction.utf8.count))
        var grouped = ""
        for (index, digit) in whole.enumerated() {
            if side.groups, index > 0, (whole.utf8.count - index) % 3 == 0 {
                grouped.append(locale.groupMark)
            }
            grouped.append(digit)
        }
        let digits = grouped + (fraction.isEmpty ? "" : String(locale.decimalMark) + fraction)
        let needsSign = rounded.isNegative && negative == nil
        return (needsSign ? "-" : "") + side.before + digits + side.after
    }
}
