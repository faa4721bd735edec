/// Finds out in which encoding a text is written, and says why.
struct EncodingFinder {
    struct Found {
        var name: String
        var why: String
        /// How many bytes of mark stand in front.
        var markCount = 0
        /// Only ASCII so far: whatever comes later may still decide otherwise.
        var isPlain = false
    }

    static func find(_ bytes: ArraySlice<UInt8>) -> Found {
        if let marked = mark(bytes) { return marked }
        if let wide = wide(bytes) { return wide }
        switch bytes.withUnsafeBufferPointer({ Self.kind(of: $0) }) {
        case .plain:
            return Found(
                name: "UTF-8", why: "All characters looked at are plain ASCII, which UTF-8 contains.",
                isPlain: true)
        case .utf8(let count):
            return Found(
                name: "UTF-8",
                why:
                    "All \(count) characters beyond ASCII are well-formed UTF-8, which hardly ever happens by chance."
            )
        case .other: return EncodingWeighing(bytes).best
        }
    }

    private enum Kind {
        case plain, other
        case utf8(Int)
    }

    private static func mark(_ bytes: ArraySlice<UInt8>) -> Found? {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"),
            ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
            ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        for (mark, name) in marks where bytes.starts(with: mark) {
            return Found(
                name: name, why: "The file begins with the byte order mark of \(name).", markCount: mark.count
            )
        }
        return nil
    }

    /// Two bytes a character show by the zeros of the ASCII among them.
    static func wide(_ bytes: ArraySlice<UInt8>) -> Found? {
        guard bytes.count >= 4 else { return nil }
        var zeros = (even: 0, odd: 0)
        for (place, byte) in bytes.prefix(4096).enumerated() where byte == 0 {
            if place % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let half = min(bytes.count, 4096) / 2
        // Far Eastern texts have few zeros, but those of their line ends and separators.
        if zeros.odd == 0 || zeros.even == 0, let name = lineEnds(bytes) {
            return Found(name: name, why: "Line ends are written in two bytes, as in \(name).")
        }
        guard max(zeros.even, zeros.odd) * 10 > half * 3, min(zeros.even, zeros.odd) * 20 < half else {
            return nil
        }
        let name = zeros.odd > zeros.even ? "UTF-16LE" : "UTF-16BE"
        return Found(name: name, why: "Every other byte is zero, as in \(name).")
    }

    private static func lineEnds(_ bytes: ArraySlice<UInt8>) -> String? {
        let units = Array(bytes.prefix(4096))
        var counts = (big: 0, little: 0)
        for place in stride(from: 0, to: units.count - 1, by: 2) {
            if units[place] == 0, units[place + 1] == 10 { counts.big += 1 }
            if units[place] == 10, units[place + 1] == 0 { counts.little += 1 }
        }
        guard max(counts.big, counts.little) > 1, min(counts.big, counts.little) == 0 else { return nil }
        return counts.big > 0 ? "UTF-16BE" : "UTF-16LE"
    }

    /// A sequence cut off by the end of what was looked at is no fault.
    private static func kind(of bytes: UnsafeBufferPointer<UInt8>) -> Kind {
        var place = 0
        var count = 0
        while place < bytes.count {
            guard bytes[place] >= 0x80 else {
                place += 1
                continue
            }
            let length = TextCheck.sequence(bytes, place)
            if length == 0 {
                let isCutOff =
                    bytes.count - place < 4 && bytes[place] >= 0xC2
                    && bytes[(place + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
                return isCutOff && count > 0 ? .utf8(count) : .other
            }
            count += 1
            place += length
        }
        return count == 0 ? .plain : .utf8(count)
    }
}
