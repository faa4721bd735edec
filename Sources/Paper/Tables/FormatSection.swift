/// One section of a number format.
struct FormatSection: Sendable {
    enum Part: Sendable, Equatable {
        case literal(String)
        /// `0`, `#` or `?`.
        case digit(UInt8)
        case point, general, text, slash
        case exponent(showsPlus: Bool)
        /// A run of the same letter of a date: `yyyy`, `mm`, `ss`.
        case date(UInt8, Int)
        case elapsed(UInt8, Int)
        case halfDay(String)
        case subseconds(Int)
    }

    private(set) var parts: [Part] = []
    private(set) var isDate = false
    private(set) var isDuration = false
    private(set) var hasCondition = false
    private var condition: (sign: String, value: Double) = ("", 0)
    private var percents = 0
    private var thousands = false
    private var scale = 0
    private var language: DateWords = .english

    var isText: Bool { parts.contains(.text) }
    var isPlainGeneral: Bool { parts == [.general] }
    var showsDay: Bool {
        parts.contains { part in
            guard case .date(let letter, _) = part else { return false }
            return letter == UInt8(ascii: "y") || letter == UInt8(ascii: "d") || letter == UInt8(ascii: "m")
        }
    }
    var showsTime: Bool {
        parts.contains { part in
            guard case .date(let letter, _) = part else { return false }
            return letter == UInt8(ascii: "h") || letter == UInt8(ascii: "s") || letter == UInt8(ascii: "n")
        }
    }

    /// At semicolons that are not quoted.
    static func split(_ code: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in code.prefix(1000) {
            if isEscaped {
                isEscaped = false
            } else if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == "\\" || character == "_" || character == "*" {
                isEscaped = true
            } else if !isQuoted, character == ";" {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    init(_ code: String) {
        let characters = Array(code.prefix(400))
        var place = 0
        func rest(_ word: String) -> Bool {
            String(characters[place...].prefix(word.count)).lowercased() == word
        }
        while place < characters.count {
            let character = characters[place]
            switch character {
            case "\"":
                let close = characters[(place + 1)...].firstIndex(of: "\"") ?? characters.count
                add(literal: String(characters[(place + 1)..<close]))
                place = close
            case "\\":
                place += 1
                if place < characters.count { add(literal: String(characters[place])) }
            case "_":
                // As wide as the next character: a space.
                place += 1
                if place < characters.count { add(literal: " ") }
            case "*": place += 1
            case "[":
                let close = characters[place...].firstIndex(of: "]") ?? characters.count
                bracket(String(characters[min(place + 1, characters.count)..<close]))
                place = close
            case "0", "#", "?": parts.append(.digit(character.asciiValue ?? 0x30))
            case ".":
                let zeros = characters[(place + 1)...].prefix { $0 == "0" }.count
                if isDate, zeros > 0, case .date(UInt8(ascii: "s"), _)? = parts.last {
                    parts.append(.subseconds(min(zeros, 3)))
                    place += zeros
                } else {
                    parts.append(.point)
                }
            case ",": comma(characters, place)
            case "%":
                percents += 1
                add(literal: "%")
            case "@": parts.append(.text)
            case "/" where !isDate && hasDigits:
                parts.append(.slash)
            case _ where isExponent(characters, place):
                parts.append(
                    .exponent(showsPlus: place + 1 < characters.count && characters[place + 1] == "+"))
                place += 1
            case _ where rest("general"):
                parts.append(.general)
                place += 6
            case _ where rest("am/pm"):
                parts.append(.halfDay("AM/PM"))
                place += 4
            case _ where rest("a/p"):
                parts.append(.halfDay("A/P"))
                place += 2
            case "y", "Y", "m", "M", "d", "D", "h", "H", "s", "S":
                let letter = character.lowercased()
                let run = characters[place...].prefix { $0.lowercased() == letter }.count
                isDate = true
                parts.append(.date(letter.utf8.first ?? 0, run))
                place += run - 1
            default: add(literal: String(character))
            }
            place += 1
        }
        minutes()
    }

    /// `E+` behind digits.
    private func isExponent(_ characters: [Character], _ place: Int) -> Bool {
        guard characters[place] == "E" || characters[place] == "e", place + 1 < characters.count,
            characters[place + 1] == "+" || characters[place + 1] == "-"
        else { return false }
        return hasDigits
    }

    private var hasDigits: Bool { parts.contains { if case .digit = $0 { true } else { false } } }

    private mutating func add(literal: String) {
        if case .literal(let before)? = parts.last {
            parts[parts.count - 1] = .literal(before + literal)
        } else {
            parts.append(.literal(literal))
        }
    }

    /// Between digits it groups thousands, behind the last one it divides by them.
    private mutating func comma(_ characters: [Character], _ place: Int) {
        guard case .digit? = parts.last else {
            if scale > 0 { scale += 1 } else { add(literal: ",") }
            return
        }
        let next = characters[(place + 1)...].first { $0 != "," }
        if let next, "0#?".contains(next) { thousands = true } else { scale += 1 }
    }

    private mutating func bracket(_ content: String) {
        let lower = content.lowercased()
        if let first = lower.utf8.first, !lower.isEmpty, lower.utf8.allSatisfy({ $0 == first }),
            "hms".utf8.contains(first)
        {
            isDate = true
            isDuration = true
            parts.append(.elapsed(first, lower.utf8.count))
        } else if content.hasPrefix("$") {
            // [$€-407]: a currency and a language.
            let inner = content.dropFirst()
            let symbol = inner.prefix { $0 != "-" }
            if !symbol.isEmpty { add(literal: String(symbol)) }
            if let dash = inner.firstIndex(of: "-"),
                let number = UInt32(inner[inner.index(after: dash)...], radix: 16)
            {
                language = DateWords.language(number & 0xFFFF)
            }
        } else if let first = content.first, "<>=".contains(first) {
            let sign = content.prefix { "<>=".contains($0) }
            guard let value = Double(content.dropFirst(sign.count)) else { return }
            hasCondition = true
            condition = (String(sign), value)
        }
    }

    /// `m` is a minute behind hours and in front of seconds, else a month; from here on minutes are called n.
    private mutating func minutes() {
        let letters = parts.indices.filter { place in
            switch parts[place] {
            case .date, .elapsed: true
            default: false
            }
        }
        for (order, place) in letters.enumerated() {
            guard case .date(UInt8(ascii: "m"), let count) = parts[place], count <= 2 else { continue }
            var before: UInt8 = 0
            if order > 0 {
                switch parts[letters[order - 1]] {
                case .date(let letter, _), .elapsed(let letter, _): before = letter
                default: break
                }
            }
            var after: UInt8 = 0
            if order + 1 < letters.count, case .date(let letter, _) = parts[letters[order + 1]] {
                after = letter
            }
            if before == UInt8(ascii: "h") || after == UInt8(ascii: "s") {
                parts[place] = .date(UInt8(ascii: "n"), count)
            }
        }
    }

    func matches(_ value: Double) -> Bool {
        guard hasCondition else { return true }
        return switch condition.sign {
        case "<": value < condition.value
        case "<=": value <= condition.value
        case ">": value > condition.value
        case ">=": value >= condition.value
        case "<>": value != condition.value
        default: value == condition.value
        }
    }
}

// Showing.
extension FormatSection {
    func shown(text: String) -> String {
        parts.reduce(into: "") { shown, part in
            switch part {
            case .literal(let literal): shown += literal
            case .text: shown += text
            default: break
            }
        }
    }

    func shown(_ number: DecimalText) -> String {
        var number = number
        number.point += number.isZero ? 0 : percents * 2 - scale * 3
        if parts.contains(.slash) { return FractionText(self, number).text }
        guard parts.contains(where: { if case .digit = $0 { true } else { false } }) else {
            return literals(number)
        }
        if parts.contains(where: { if case .exponent = $0 { true } else { false } }) {
            return scientific(number)
        }
        return placed(number, parts)
    }

    /// A section without placeholders: only what it says, or the number as it is.
    private func literals(_ number: DecimalText) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .general, .text:
                text += number.plain
            default: break
            }
        }
        return text
    }

    private func placed(_ number: DecimalText, _ parts: [Part]) -> String {
        let pointPlace = parts.firstIndex(of: .point) ?? parts.count
        let isDigit: (Part) -> Bool = { if case .digit = $0 { true } else { false } }
        let before = parts[..<pointPlace].filter(isDigit).count
        let behind = parts[pointPlace...].filter(isDigit).count
        let rounded = number.rounded(places: behind)
        var whole = rounded.whole
        let fraction = rounded.fraction
        let minimum = wholeMinimum(parts[..<pointPlace])
        if whole.count < minimum {
            whole.insert(contentsOf: [UInt8](repeating: 0, count: minimum - whole.count), at: 0)
        }
        var text = ""
        var seen = 0
        var given = 0
        for part in parts[..<pointPlace] {
            switch part {
            case .literal(let literal): text += literal
            case .digit(let sign):
                seen += 1
                // The first placeholder takes all digits that have no place of their own.
                let due = seen == before ? whole.count : max(0, whole.count - (before - seen))
                if due <= given, sign == UInt8(ascii: "?") { text += " " }
                while given < due {
                    text.append(Character(Unicode.Scalar(whole[given] + 0x30)))
                    given += 1
                    let left = whole.count - given
                    if thousands, left > 0, left % 3 == 0 { text += "," }
                }
            case .general, .text: text += number.plain
            default: break
            }
        }
        if pointPlace < parts.count {
            var place = 0
            var tail = ""
            var hasFraction = false
            for part in parts[(pointPlace + 1)...] {
                switch part {
                case .literal(let literal): tail += literal
                case .digit(let sign):
                    if place < fraction.count {
                        tail.append(Character(Unicode.Scalar(fraction[place] + 0x30)))
                        hasFraction = true
                    } else if sign == UInt8(ascii: "0") {
                        tail += "0"
                        hasFraction = true
                    } else if sign == UInt8(ascii: "?") {
                        tail += " "
                    }
                    place += 1
                default: break
                }
            }
            // Excel leaves the point even when nothing follows; nobody wants to see "12." on a form.
            text += (hasFraction || fraction.count > 0 ? "." : "") + tail
        }
        return rounded.isNegative && !rounded.isZero ? "-" + text : text
    }

    private func wholeMinimum(_ parts: ArraySlice<Part>) -> Int {
        var digits = 0
        var minimum = 0
        for part in parts.reversed() {
            guard case .digit(let sign) = part else { continue }
            digits += 1
            if sign == UInt8(ascii: "0") { minimum = digits }
        }
        return minimum
    }

    private func scientific(_ number: DecimalText) -> String {
        guard let split = parts.firstIndex(where: { if case .exponent = $0 { true } else { false } }),
            case .exponent(let showsPlus) = parts[split]
        else { return number.plain }
        let mantissa = Array(parts[..<split])
        let pointPlace = mantissa.firstIndex(of: .point) ?? mantissa.count
        let isDigit: (Part) -> Bool = { if case .digit = $0 { true } else { false } }
        let before = max(1, mantissa[..<pointPlace].filter(isDigit).count)
        var value = number
        var exponent = 0
        if !number.isZero {
            exponent = number.point - 1
            // ##0.0E+0 moves in steps of its width.
            if before > 1 {
                exponent = (exponent >= 0 ? exponent / before : -((before - 1 - exponent) / before)) * before
            }
            value.point -= exponent
            let behind = mantissa[pointPlace...].filter(isDigit).count
            let rounded = value.rounded(places: behind)
            if before == 1, rounded.point > 1 {
                value.point -= 1
                exponent += 1
            }
        }
        let width = parts[(split + 1)...].filter(isDigit).count
        let digits = String(abs(exponent))
        let padded = String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        return placed(value, mantissa) + "E" + (exponent < 0 ? "-" : showsPlus ? "+" : "") + padded
    }

    func shown(_ moment: SheetMoment) -> String {
        let smallest = parts.contains { if case .subseconds = $0 { true } else { false } }
        let moment = smallest ? moment : moment.roundedToSeconds
        let isHalfDay = parts.contains { if case .halfDay = $0 { true } else { false } }
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .date(let letter, let count): text += Self.dated(letter, count, moment, isHalfDay, language)
            case .elapsed(let letter, let count):
                let total =
                    letter == UInt8(ascii: "h")
                    ? moment.totalHours
                    : letter == UInt8(ascii: "m") ? moment.totalMinutes : moment.totalSeconds
                text += Self.padded(total, count)
            case .halfDay(let spelling):
                text += spelling == "A/P" ? (moment.hour < 12 ? "A" : "P") : (moment.hour < 12 ? "AM" : "PM")
            case .subseconds(let places):
                let digits = Self.padded(moment.milliseconds, 3)
                text += "." + digits.prefix(places)
            case .slash: text += "/"
            case .point: text += "."
            default: break
            }
        }
        return text
    }

    private static func dated(
        _ letter: UInt8, _ count: Int, _ moment: SheetMoment, _ isHalfDay: Bool, _ words: DateWords
    ) -> String {
        switch letter {
        case UInt8(ascii: "y"): return count <= 2 ? padded(moment.year % 100, 2) : padded(moment.year, 4)
        case UInt8(ascii: "m"):
            let name = words.months[max(0, min(11, moment.month - 1))]
            return switch count {
            case 1, 2: padded(moment.month, count)
            case 3: words.shortMonths[max(0, min(11, moment.month - 1))]
            case 5: String(name.prefix(1))
            default: name
            }
        case UInt8(ascii: "d"):
            let name = words.days[max(0, min(6, moment.weekday))]
            return switch count {
            case 1, 2: padded(moment.day, count)
            case 3: String(name.prefix(words.shortDayLength))
            default: name
            }
        case UInt8(ascii: "h"):
            return padded(
                isHalfDay ? (moment.hour % 12 == 0 ? 12 : moment.hour % 12) : moment.hour, min(count, 2))
        case UInt8(ascii: "n"): return padded(moment.minute, min(count, 2))
        default: return padded(moment.second, min(count, 2))
        }
    }

    static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}

/// A number as a fraction: `1 3/4`.
private struct FractionText {
    let text: String

    init(_ section: FormatSection, _ number: DecimalText) {
        let parts = section.parts
        guard let slash = parts.firstIndex(of: .slash) else {
            text = number.plain
            return
        }
        // The digits right before the slash are the numerator's; others further left the whole part's.
        var place = slash - 1
        while place >= 0, case .digit = parts[place] { place -= 1 }
        let hasWhole = parts[..<max(0, place + 1)].contains { if case .digit = $0 { true } else { false } }
        let behind = parts[(slash + 1)...].prefix { if case .digit = $0 { true } else { false } }
        var fixed = ""
        if behind.isEmpty, case .literal(let literal)? = parts[(slash + 1)...].first {
            fixed = String(literal.prefix { $0.isASCII && $0.isNumber })
        }
        let value = abs(number.double)
        let whole = hasWhole ? value.rounded(.down) : 0
        let rest = value - whole
        let most = fixed.isEmpty ? [9, 99, 999][min(2, max(0, behind.count - 1))] : 0
        var (top, bottom) = (0, 1)
        if let given = Int(fixed), given > 0 {
            (top, bottom) = (Int((rest * Double(given)).rounded()), given)
        } else {
            var best = Double.infinity
            for candidate in 1...max(1, most) {
                let numerator = (rest * Double(candidate)).rounded()
                let distance = abs(rest - numerator / Double(candidate))
                if distance < best - 1e-12 {
                    best = distance
                    (top, bottom) = (Int(clamping: Int64(min(numerator, 1e12))), candidate)
                }
            }
        }
        var units = Int(clamping: Int64(min(whole, 1e15)))
        if hasWhole, top == bottom {
            units += 1
            top = 0
        }
        let sign = number.isNegative ? "-" : ""
        if hasWhole {
            text =
                sign + (top == 0 ? "\(units)" : units == 0 ? "\(top)/\(bottom)" : "\(units) \(top)/\(bottom)")
        } else {
            text = sign + "\(top)/\(bottom)"
        }
    }
}
