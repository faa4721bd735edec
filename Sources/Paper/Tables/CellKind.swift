/// What a text looks like, judged without guessing: `007` and `1e5` are texts, and a date is one only when its
/// spelling leaves no doubt.
enum CellKind {
    static func guess(_ text: String) -> Cell.Kind {
        var text = text
        return text.withUTF8 { guess($0) }
    }

    static func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> Cell.Kind {
        guard let first = bytes.first else { return .empty }
        guard bytes.count <= 40 else { return .text }
        switch first {
        case 0x30...0x39:
            if looksLikeDate(bytes) { return .date }
            if looksLikeTime(bytes) { return .time }
            return looksLikeNumber(bytes) ? .number : .text
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
            return looksLikeNumber(UnsafeBufferPointer(rebasing: bytes.dropFirst())) ? .number : .text
        case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
            return isWord(bytes, "true") || isWord(bytes, "false") ? .boolean : .text
        default: return .text
        }
    }

    /// Digits with at most one decimal sign, or in groups of three. A number with a zero in front is a code: a
    /// postcode, a telephone number.
    private static func looksLikeNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, isDigit(first), bytes.count <= 24 else { return false }
        if first == 0x30, bytes.count > 1, isDigit(bytes[1]) { return false }
        var signs: [(byte: UInt8, digits: Int)] = []
        var digits = 0
        for byte in bytes {
            if isDigit(byte) {
                digits += 1
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "'") {
                signs.append((byte, digits))
                digits = 0
            } else {
                return false
            }
        }
        // Fifteen digits and more are no amounts but numbers of cards and accounts.
        guard digits > 0, bytes.count - signs.count <= 15 else { return false }
        guard signs.count > 1 else { return signs.first?.byte != UInt8(ascii: "'") || digits == 3 }
        // Several signs: all but the last part groups of three, and the last sign another one or such a group too.
        guard let leading = signs.first, let last = signs.last, (1...3).contains(leading.digits),
            signs.dropFirst().allSatisfy({ $0.digits == 3 }),
            signs.dropLast().allSatisfy({ $0.byte == leading.byte })
        else { return false }
        return last.byte != leading.byte || digits == 3
    }

    private static func looksLikeTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let parts = numbers(bytes, UInt8(ascii: ":"))
        guard parts.count == 2 || parts.count == 3 else { return false }
        return parts[0].value < 24 && parts.dropFirst().allSatisfy { $0.digits == 2 && $0.value < 60 }
    }

    private static func looksLikeDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 8 else { return false }
        return date(UnsafeBufferPointer(rebasing: bytes.prefix { $0 != 0x20 && $0 != UInt8(ascii: "T") }))
            != nil
            && rest(bytes).allSatisfy { isDigit($0) || ":.Z+- T".utf8.contains($0) }
    }

    private static func rest(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes.drop { $0 != 0x20 && $0 != UInt8(ascii: "T") })
    }

    private struct Spelled {
        var year: Int
        var month: Int
        var day: Int
        /// Whether it is certain which part is the month.
        var isCertain: Bool
    }

    /// Year first, or last with the month in the middle or in front.
    private static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Spelled? {
        for separator in [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/")] {
            let parts = numbers(bytes, separator)
            guard parts.count == 3 else { continue }
            if parts[0].digits == 4 {
                guard isDay(parts[2].value, parts[1].value) else { return nil }
                return Spelled(
                    year: parts[0].value, month: parts[1].value, day: parts[2].value, isCertain: true)
            }
            guard parts[2].digits == 4, parts[0].digits <= 2, parts[1].digits <= 2 else { return nil }
            let (first, second) = (parts[0].value, parts[1].value)
            if isDay(first, second) {
                // With points the day comes first everywhere; with strokes only a number above 12 tells.
                let isCertain = separator == UInt8(ascii: ".") || first > 12 || first == second
                return Spelled(year: parts[2].value, month: second, day: first, isCertain: isCertain)
            }
            return isDay(second, first) && separator == UInt8(ascii: "/")
                ? Spelled(year: parts[2].value, month: first, day: second, isCertain: true) : nil
        }
        return nil
    }

    private static func isDay(_ day: Int, _ month: Int) -> Bool {
        guard (1...12).contains(month) else { return false }
        return (1...[31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]).contains(day)
    }

    private static func numbers(
        _ bytes: UnsafeBufferPointer<UInt8>, _ separator: UInt8
    ) -> [(value: Int, digits: Int)] {
        var parts: [(value: Int, digits: Int)] = [(0, 0)]
        for byte in bytes {
            if byte == separator {
                guard parts.count < 4 else { return [] }
                parts.append((0, 0))
            } else if isDigit(byte), parts[parts.count - 1].digits < 6 {
                parts[parts.count - 1].value = parts[parts.count - 1].value * 10 + Int(byte - 0x30)
                parts[parts.count - 1].digits += 1
            } else {
                return []
            }
        }
        return parts.allSatisfy { $0.digits > 0 } ? parts : []
    }

    /// The date or time of day in ISO 8601; nil when the month might be the day.
    static func iso(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            if looksLikeTime(bytes) {
                let parts = numbers(bytes, UInt8(ascii: ":"))
                return [parts[0].value, parts[1].value, parts.count > 2 ? parts[2].value : 0]
                    .map { twoDigits($0) }.joined(separator: ":")
            }
            let head = UnsafeBufferPointer(rebasing: bytes.prefix { $0 != 0x20 && $0 != UInt8(ascii: "T") })
            guard let date = date(head), date.isCertain else { return nil }
            let day = "\(fourDigits(date.year))-\(twoDigits(date.month))-\(twoDigits(date.day))"
            let clock = rest(bytes).dropFirst()
            guard !clock.isEmpty else { return day }
            let time = UnsafeBufferPointer(rebasing: clock.prefix(8))
            guard looksLikeTime(time), let spelled = iso(String(decoding: time, as: UTF8.self)) else {
                return day
            }
            return day + "T" + spelled
        }
    }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    static func fourDigits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount
            && bytes.indices.allSatisfy { bytes[$0] | 0x20 == word.utf8Start[$0] }
    }
}
