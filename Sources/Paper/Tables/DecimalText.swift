/// A number as the digits that were written, so that nothing is lost on the way through binary fractions: files say
/// 0.10000000000000001 where a person typed 0.1, and rounding to the fifteen digits that spreadsheets keep
/// brings that back.
struct DecimalText {
    var isNegative = false
    /// Significant digits, 0 to 9 each, without zeros in front or at the end; none for zero.
    var digits: [UInt8] = []
    /// Where the decimal point stands, counted from the first digit: 123.4 has 3, 0.001 has -2.
    var point = 0

    static let mostDigits = 15

    var isZero: Bool { digits.isEmpty }

    /// Nil when the text is no number.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        var place = 0
        if place < text.count, text[place] == UInt8(ascii: "-") || text[place] == UInt8(ascii: "+") {
            isNegative = text[place] == UInt8(ascii: "-")
            place += 1
        }
        var hasDigit = false
        var isBehindPoint = false
        while place < text.count, digits.count < 400 {
            let byte = text[place]
            if byte == UInt8(ascii: "."), !isBehindPoint {
                isBehindPoint = true
            } else if CellKind.isDigit(byte) {
                hasDigit = true
                if byte == 0x30, digits.isEmpty {
                    if isBehindPoint { point -= 1 }
                } else {
                    digits.append(byte - 0x30)
                    if !isBehindPoint { point += 1 }
                }
            } else {
                break
            }
            place += 1
        }
        guard hasDigit else { return nil }
        if place < text.count, text[place] | 0x20 == UInt8(ascii: "e") {
            guard let exponent = Int(String(decoding: text[(place + 1)...], as: UTF8.self)),
                exponent.magnitude < 400
            else { return nil }
            point += exponent
            place = text.count
        }
        guard place == text.count else { return nil }
        round(to: Self.mostDigits)
        trim()
    }

    init?(_ text: String) {
        var text = text
        guard let made = text.withUTF8({ DecimalText($0) }) else { return nil }
        self = made
    }

    init(_ number: Int) {
        isNegative = number < 0
        digits = String(number.magnitude).utf8.map { $0 - 0x30 }
        point = digits.count
        trim()
    }

    private mutating func trim() {
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty {
            point = 0
            isNegative = false
        }
    }

    /// Keeps so many digits, the last one rounded half up; negative counts give zero.
    mutating func round(to count: Int) {
        guard count < digits.count else { return }
        guard count >= 0 else {
            digits = []
            trim()
            return
        }
        let isUp = digits[count] >= 5
        digits.removeLast(digits.count - count)
        if isUp {
            var place = count - 1
            while place >= 0, digits[place] == 9 {
                digits[place] = 0
                place -= 1
            }
            if place >= 0 {
                digits[place] += 1
            } else {
                digits.insert(1, at: 0)
                point += 1
            }
        }
        trim()
    }

    /// Rounded to so many decimal places.
    func rounded(places: Int) -> DecimalText {
        var number = self
        number.round(to: point + places)
        return number
    }

    /// Digits in front of the point, at least none.
    var whole: [UInt8] {
        guard point > 0 else { return [] }
        return Array(digits.prefix(point)) + [UInt8](repeating: 0, count: max(0, point - digits.count))
    }

    /// Digits behind the point, without zeros at the end.
    var fraction: [UInt8] {
        if point >= digits.count { return [] }
        if point >= 0 { return Array(digits[point...]) }
        return [UInt8](repeating: 0, count: -point) + digits
    }

    var double: Double {
        var text = isNegative ? "-0." : "0."
        for digit in digits { text.append(Character(Unicode.Scalar(digit + 0x30))) }
        return Double("\(text)e\(point)") ?? 0
    }

    /// As a sheet without a format shows it: plain digits, and powers of ten only beyond fifteen of them.
    var plain: String {
        guard !isZero else { return "0" }
        var bytes: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        if point > 21 || point < -8 {
            bytes.append(digits[0] + 0x30)
            if digits.count > 1 {
                bytes.append(UInt8(ascii: "."))
                bytes += digits.dropFirst().map { $0 + 0x30 }
            }
            return String(decoding: bytes, as: UTF8.self) + "E" + (point > 0 ? "+" : "") + "\(point - 1)"
        }
        let whole = whole
        bytes += whole.isEmpty ? [0x30] : whole.map { $0 + 0x30 }
        let fraction = fraction
        if !fraction.isEmpty {
            bytes.append(UInt8(ascii: "."))
            bytes += fraction.map { $0 + 0x30 }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
