// The words of a text as they are looked for: without case and accents, one blank between them.
extension Folding {
    /// What a sign is to the words of a text.
    public enum Sign: Sendable, Equatable {
        /// It stands between words.
        case gap
        /// It belongs to a word and is not looked for: an accent behind its letter.
        case accent
        case letter(Unicode.Scalar)
        /// A word by itself: Chinese and Japanese are written without gaps.
        case word
    }

    public static func sign(of scalar: Unicode.Scalar) -> Sign {
        switch code(of: scalar.value) {
        case Code.gap: .gap
        case Code.accent: .accent
        case Code.word: .word
        case let folded: .letter(Unicode.Scalar(folded) ?? scalar)
        }
    }

    public static func words(_ text: String) -> String {
        var text = text
        return text.withUTF8 { text in
            let source = UnsafeRawBufferPointer(text)
            return String(unsafeUninitializedCapacity: mostBytes(ofWordsIn: source.count)) { target in
                words(of: source, into: UnsafeMutableRawBufferPointer(target))
            }
        }
    }

    /// The room that the words of so many bytes may take: no sign takes more than twice its own, with the blanks around it.
    public static func mostBytes(ofWordsIn count: Int) -> Int { 2 * count + 1 }

    /// Writes the words of a text and says how many bytes they are. What is not UTF-8 stands between words.
    public static func words(
        of source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(target.count >= mostBytes(ofWordsIn: source.count))
        return plain.withUnsafeBufferPointer { plain in
            var place = 0
            var count = 0
            // Whether the next word needs no blank before it.
            var isParted = true
            while place < source.count {
                let byte = source[place]
                if byte < 0x80 {
                    // Most text is plain, and nothing is decided here that the processor would have to guess.
                    let folded = plain[Int(byte)]
                    target[count] = folded
                    let isGap = folded == blank
                    count += isGap && isParted ? 0 : 1
                    isParted = isGap
                    place += 1
                    continue
                }
                let (value, length) = scalar(at: place, of: source)
                place += length
                let code = code(of: value)
                if code == Code.accent { continue }
                if !isParted, code == Code.gap || code == Code.word {
                    target[count] = blank
                    count += 1
                    isParted = true
                }
                if code == Code.gap { continue }
                count += write(code == Code.word ? value : code, at: count, of: target)
                isParted = code == Code.word
                if isParted {
                    target[count] = blank
                    count += 1
                }
            }
            return isParted && count > 0 ? count - 1 : count
        }
    }
}

extension Folding {
    /// What a sign is, or what it is folded to: no letter is folded to one of these.
    private enum Code {
        static let gap: UInt32 = 0
        static let accent: UInt32 = 1
        static let word: UInt32 = 2
    }

    private static let blank = UInt8(ascii: " ")

    /// ASCII: letters and digits, and a blank for all else.
    private static let plain: [UInt8] = (0..<0x80).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        default: blank
        }
    }

    /// The signs of all languages that are written today, worked out when the first of them is met.
    private static let codes: [UInt32] = (0..<0x1_0000).map { workedOut($0) }

    private static func code(of value: UInt32) -> UInt32 {
        if value < 0x80 {
            let folded = plain[Int(value)]
            return folded == blank ? Code.gap : UInt32(folded)
        }
        return value < 0x1_0000 ? codes[Int(value)] : workedOut(value)
    }

    private static func workedOut(_ value: UInt32) -> UInt32 {
        guard value >= 0x80, let scalar = Unicode.Scalar(value) else { return Code.gap }
        switch value {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            return Code.word
        default: break
        }
        let properties = scalar.properties
        if !properties.isAlphabetic, properties.numericType == nil {
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark: break
            default: return Code.gap
            }
        }
        let folded = fold(scalar)
        return folded == " " ? Code.accent : folded.value
    }

    /// With how many bytes it takes; 0 and one byte where none is written.
    private static func scalar(
        at place: Int, of source: UnsafeRawBufferPointer
    ) -> (value: UInt32, length: Int) {
        let first = UInt32(source[place])
        let length = first >= 0xF8 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
        guard length > 0, length <= source.count - place else { return (0, 1) }
        var value = first & (0x7F >> UInt32(length))
        for next in 1..<length { value = value << 6 | UInt32(source[place + next] & 0x3F) }
        return (value, length)
    }

    private static func write(
        _ value: UInt32, at place: Int, of target: UnsafeMutableRawBufferPointer
    ) -> Int {
        func follow(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: value >> shift) & 0x3F }
        switch value {
        case ..<0x80:
            target[place] = UInt8(truncatingIfNeeded: value)
            return 1
        case ..<0x800:
            target[place] = 0xC0 | UInt8(truncatingIfNeeded: value >> 6)
            target[place + 1] = follow(0)
            return 2
        case ..<0x1_0000:
            target[place] = 0xE0 | UInt8(truncatingIfNeeded: value >> 12)
            target[place + 1] = follow(6)
            target[place + 2] = follow(0)
            return 3
        default:
            target[place] = 0xF0 | UInt8(truncatingIfNeeded: value >> 18)
            target[place + 1] = follow(12)
            target[place + 2] = follow(6)
            target[place + 3] = follow(0)
            return 4
        }
    }
}
