/// What a field shows for a value: the form's own format, where it is one of Acrobat's stock ones. The value
/// itself stays as it was given.
enum ShownValue {
    static func text(_ value: String, format: FieldFormat?) -> String {
        switch format {
        case .number(let decimals, let separators, let negative, let currency, let currencyIsFirst):
            guard let number = Decimal(value) else { return value }
            var text = grouped(number.magnitude, decimals: decimals, separators: separators)
            text = currencyIsFirst ? currency + text : text + currency
            guard number.isNegative, text.contains(where: { "123456789".contains($0) }) else { return text }
            // Styles 2 and 3 put negative numbers into brackets; red ink (1, 3) is left to viewers that run scripts.
            return negative >= 2 ? "(\(text))" : "-\(text)"
        case .percent(let decimals, let separators):
            guard let number = Decimal(value) else { return value }
            let text = grouped(number.times100, decimals: decimals, separators: separators) + "%"
            return number.isNegative ? "-\(text)" : text
        case .zip: return pattern(value, "99999")
        case .zipPlusFour: return pattern(value, "99999-9999")
        case .phone:
            return value.filter(isDigit).count == 7
                ? pattern(value, "999-9999") : pattern(value, "(999) 999-9999")
        case .socialSecurity: return pattern(value, "999-99-9999")
        case .date, .time, .script, nil: return value
        }
    }

    private static func isDigit(_ character: Character) -> Bool { "0123456789".contains(character) }

    /// Digits poured into a pattern; anything that is not exactly so many bare digits stays as it was written.
    private static func pattern(_ value: String, _ pattern: String) -> String {
        var digits = value.filter(isDigit)[...]
        guard digits.count == pattern.count(where: { $0 == "9" }),
            value.allSatisfy({ isDigit($0) || $0 == " " })
        else {
            return value
        }
        return String(pattern.map { $0 == "9" ? digits.removeFirst() : $0 })
    }

    /// A number as its digits, so that money is never rounded by binary fractions.
    struct Decimal {
        var isNegative: Bool
        var whole: String
        var fraction: String

        /// Takes "1234.5", "1,234.50", "-3", "(3)"; nil for anything else.
        init?(_ text: String) {
            var text = text.trimmingSpaces
            isNegative = text.hasPrefix("-") || text.hasPrefix("(") && text.hasSuffix(")")
            text = text.filter { !"-()$ ".contains($0) }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, let first = parts.first else { return nil }
            whole = first.filter { $0 != "," }
            fraction = parts.count == 2 ? String(parts[1]) : ""
            guard !(whole.isEmpty && fraction.isEmpty), whole.count < 30, fraction.count < 30,
                (whole + fraction).allSatisfy(ShownValue.isDigit)
            else { return nil }
            if whole.isEmpty { whole = "0" }
        }

        var magnitude: (whole: String, fraction: String) { (whole, fraction) }
        var times100: (whole: String, fraction: String) {
            let padded =
                fraction.count < 2 ? fraction + String(repeating: "0", count: 2 - fraction.count) : fraction
            return (whole + padded.prefix(2), String(padded.dropFirst(2)))
        }
    }

    private static func grouped(
        _ number: (whole: String, fraction: String), decimals: Int, separators: Int
    ) -> String {
        var digits = Array((number.whole + number.fraction.prefix(decimals)).utf8)
        digits += [UInt8](repeating: 48, count: max(0, decimals - number.fraction.count))
        let next = number.fraction.dropFirst(decimals).first
        if let next, next >= "5" {
            var index = digits.count - 1
            while index >= 0, digits[index] == 57 {
                digits[index] = 48
                index -= 1
            }
            if index >= 0 { digits[index] += 1 } else { digits.insert(49, at: 0) }
        }
        let fraction = digits.suffix(decimals)
        var whole = Array(digits.dropLast(decimals).drop { $0 == 48 })
        if whole.isEmpty { whole = [48] }
        let (group, point): (Character?, Character) =
            switch separators {
            case 1: (nil, ".")
            case 2: (".", ",")
            case 3: (nil, ",")
            case 4: ("'", ".")
            default: (",", ".")
            }
        var text = ""
        for (index, digit) in whole.enumerated() {
            if let group, index > 0, (whole.count - index) % 3 == 0 { text.append(group) }
            text.append(Character(Unicode.Scalar(digit)))
        }
        if decimals > 0 {
            text.append(point)
            text += String(decoding: fraction, as: UTF8.self)
        }
        return text
    }
}
