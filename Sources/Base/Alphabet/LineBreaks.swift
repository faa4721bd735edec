import CICU

/// Where a line may break (UAX #14). Plain text in ASCII is decided here; for the rest ICU is asked, which also
/// knows the words of languages written without spaces.
public enum LineBreaks {
    /// For each character whether a new line may begin with it. The first may not.
    public static func allowed(in scalars: ArraySlice<UInt32>) -> [Bool] {
        if scalars.allSatisfy({ $0 < 0x80 }) { return plain(Array(scalars)) }
        return asked(Array(scalars))
    }

    private static func plain(_ scalars: [UInt32]) -> [Bool] {
        var allowed = [Bool](repeating: false, count: scalars.count)
        for index in scalars.indices.dropFirst() where scalars[index] != 32 {
            let before = scalars[index - 1]
            if before == 32 { allowed[index] = true }
            if before == 0x2D, index > 1, isLetter(scalars[index]), isLetter(scalars[index - 2]) {
                allowed[index] = true
            }
        }
        return allowed
    }

    private static func isLetter(_ scalar: UInt32) -> Bool {
        (0x41...0x5A).contains(scalar) || (0x61...0x7A).contains(scalar)
    }

    private static func asked(_ scalars: [UInt32]) -> [Bool] {
        var units: [UInt16] = []
        var indexOfUnit: [Int] = []
        for (index, scalar) in scalars.enumerated() {
            let character = Unicode.Scalar(scalar) ?? "\u{FFFD}"
            for unit in UTF16.encode(character) ?? UTF16.encodedReplacementCharacter {
                units.append(unit)
                indexOfUnit.append(index)
            }
        }
        var allowed = [Bool](repeating: false, count: scalars.count)
        var status = U_ZERO_ERROR
        guard let breaks = icu_line_breaks("", units, Int32(clamping: units.count), &status),
            status.rawValue <= 0
        else {
            return plain(scalars)
        }
        defer { icu_close_breaks(breaks) }
        while true {
            let next = icu_next_break(breaks)
            guard next >= 0 else { return allowed }
            if next > 0, Int(next) < units.count { allowed[indexOfUnit[Int(next)]] = true }
        }
    }

    /// The text with letters and their accents put together where one character exists for both.
    public static func composed(_ text: String) -> String {
        // Before the first accent that stands by itself everything is composed already.
        if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return text }
        let units = Array(text.utf16)
        var room = [UInt16](repeating: 0, count: units.count * 3 + 16)
        let count = icu_compose(units, Int32(clamping: units.count), &room, Int32(clamping: room.count))
        guard count >= 0, Int(count) <= room.count else { return text }
        return String(decoding: room[..<Int(count)], as: UTF16.self)
    }
}
