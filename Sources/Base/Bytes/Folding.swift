/// Text as it is compared when looking for something: without case and without accents.
public enum Folding {
    /// A name of a column: letters and digits only.
    public static func key(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(400).compactMap { scalar in
                    let folded = fold(scalar)
                    return folded.properties.isAlphabetic || folded.properties.numericType != nil
                        ? folded : nil
                }))
    }

    public static func text(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes) }
        return bytes
    }

    public static func append(_ source: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var place = 0
        while place < source.count {
            let byte = source[place]
            if byte < 0x80 {
                // Most text is plain; a run of it is taken at once, in loops the machine does many bytes at a time.
                var end = place + 1
                while end < source.count, source[end] < 0x80 { end += 1 }
                let start = bytes.count
                bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[place..<end]))
                bytes.withUnsafeMutableBufferPointer { buffer in
                    for index in start..<buffer.count {
                        let byte = buffer[index]
                        buffer[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                    }
                }
                place = end
                continue
            }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            let end = min(source.count, place + length)
            let scalar =
                String(decoding: UnsafeRawBufferPointer(rebasing: source[place..<end]), as: UTF8.self)
                .unicodeScalars.first ?? " "
            bytes.append(contentsOf: String(Character(fold(scalar))).utf8)
            place = end
        }
    }

    public static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x41...0x5A: return Unicode.Scalar(scalar.value | 0x20) ?? scalar
        case ..<0xC0: return scalar
        case ..<0x250: return latin[Int(scalar.value - 0xC0)]
        case 0x300..<0x370: return " "
        default: return scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
        }
    }

    /// The base letters of Latin with accents, worked out once from Unicode's own decomposition.
    private static let latin: [Unicode.Scalar] = (UInt32(0xC0)..<0x250).map { value in
        guard let scalar = Unicode.Scalar(value) else { return " " }
        switch scalar {
        case "ß": return "s"
        case "Æ", "æ": return "a"
        case "Ø", "ø": return "o"
        case "Œ", "œ": return "o"
        case "Đ", "đ", "Ð", "ð": return "d"
        case "Ł", "ł": return "l"
        case "Þ", "þ": return "t"
        case "ı": return "i"
        case "Ħ", "ħ": return "h"
        default: break
        }
        let lower = scalar.properties.lowercaseMapping
        return bases[lower] ?? lower.unicodeScalars.first ?? scalar
    }

    /// Letters with one accent. Texts are compared by canonical equivalence: é equals e with an accent behind it.
    private static let bases: [String: Unicode.Scalar] = {
        let marks: [Unicode.Scalar] = [
            "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}", "\u{309}",
            "\u{30A}", "\u{30B}", "\u{30C}", "\u{30F}", "\u{311}", "\u{323}", "\u{326}", "\u{327}", "\u{328}",
        ]
        var bases: [String: Unicode.Scalar] = [:]
        for base in (UInt8(ascii: "a")...UInt8(ascii: "z")).map({ Unicode.Scalar($0) }) {
            for mark in marks {
                var pair = String.UnicodeScalarView()
                pair.append(base)
                pair.append(mark)
                bases[String(pair)] = base
            }
        }
        return bases
    }()
}
