internal import Glibc

/// Times as PDF writes them (ISO 32000-2 §7.9.4): `D:20261121113500+01'00'`.
public enum PDFMoment {
    public static func seconds(_ text: String) -> Int64? {
        var digits = Array(text.utf8.drop { !(48...57).contains($0) })[...]
        func number(_ count: Int) -> Int? {
            guard digits.count >= count else { return nil }
            let part = digits.prefix(count)
            guard part.allSatisfy({ (48...57).contains($0) }) else { return nil }
            digits = digits.dropFirst(count)
            return part.reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        guard text.hasPrefix("D:"), let year = number(4) else { return nil }
        let month = number(2) ?? 1
        let day = number(2) ?? 1
        let hour = number(2) ?? 0
        let minute = number(2) ?? 0
        let second = number(2) ?? 0
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else {
            return nil
        }
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        var seconds = Int64(timegm(&parts))
        if let sign = digits.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            digits = digits.dropFirst()
            let hours = number(2) ?? 0
            if digits.first == UInt8(ascii: "'") { digits = digits.dropFirst() }
            let offset = Int64(hours * 3600 + (number(2) ?? 0) * 60)
            seconds += sign == UInt8(ascii: "+") ? -offset : offset
        }
        return seconds
    }

    /// `2026-11-21 11:35 UTC`
    public static func shown(_ seconds: Int64) -> String {
        let digits = Array(text(seconds).dropFirst(2))
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) \(part(8..<10)):\(part(10..<12)) UTC"
    }

    public static func text(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        func padded(_ value: Int32, _ width: Int = 2) -> String {
            let digits = "\(value)"
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "D:" + padded(parts.tm_year + 1900, 4) + padded(parts.tm_mon + 1) + padded(parts.tm_mday)
            + padded(parts.tm_hour) + padded(parts.tm_min) + padded(parts.tm_sec) + "Z"
    }
}
