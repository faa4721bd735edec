internal import Glibc

/// Writes values as DER (X.690), where each has one form only.
enum DER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap { $0 }) }

    /// The members of a set stand in the order of their bytes (§11.6).
    static func set(_ parts: [[UInt8]]) -> [UInt8] {
        tagged(0x31, parts.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { tagged(0x04, bytes) }

    static func integer(_ value: UInt8) -> [UInt8] { [0x02, 1, value & 0x7F] }

    /// A number that is positive whatever its first bit.
    static func positive(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return tagged(0x02, (digits.first ?? 0x80) & 0x80 != 0 ? [0] + digits : digits)
    }

    /// A second since 1970, until 2049 in the short way (RFC 5652 §11.3).
    static func time(_ seconds: Int64) -> [UInt8] {
        var moment = time_t(seconds)
        var parts = tm()
        gmtime_r(&moment, &parts)
        let year = Int(parts.tm_year) + 1900
        let rest = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
        let isShort = (1950..<2050).contains(year)
        let digits = ([isShort ? year % 100 : year] + rest.map(Int.init)).map { number -> String in
            let text = String(number)
            return text.utf8.count < 2 ? "0" + text : text
        }
        return tagged(isShort ? 0x17 : 0x18, Array((digits.joined() + "Z").utf8))
    }

    static let null: [UInt8] = [0x05, 0]
    static let yes: [UInt8] = [0x01, 1, 0xFF]

    static func identifier(_ numbers: Int...) -> [UInt8] {
        var body = [UInt8(numbers[0] * 40 + numbers[1])]
        for number in numbers.dropFirst(2) {
            var groups = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            body += groups.reversed()
        }
        return tagged(0x06, body)
    }

    static func tagged(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        guard body.count >= 0x80 else { return [tag, UInt8(body.count)] + body }
        var length: [UInt8] = []
        var rest = body.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + body
    }
}
