/// The letters of values: strokes that stand before signs, and where a value is cut.
enum CardText {
    /// With a stroke before whatever would mean something (RFC 6350, 3.4).
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isSign) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 8)
        var wasReturn = false
        for byte in text.utf8 {
            switch byte {
            case 0x0A:
                if !wasReturn { bytes += [0x5C, UInt8(ascii: "n")] }
            case 0x0D: bytes += [0x5C, UInt8(ascii: "n")]
            case UInt8(ascii: ","), UInt8(ascii: ";"), 0x5C: bytes += [0x5C, byte]
            default: bytes.append(byte)
            }
            wasReturn = byte == 0x0D
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 0x5C
    }

    /// Without strokes. One that stands before a letter nobody has to mark is kept: such cards come from programs that did not
    /// know what a stroke is for.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(0x5C) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isBehindStroke = false
        for byte in text.utf8 {
            if isBehindStroke {
                isBehindStroke = false
                switch byte {
                case UInt8(ascii: "n"), UInt8(ascii: "N"): bytes.append(0x0A)
                case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\""), 0x5C:
                    bytes.append(byte)
                default: bytes += [0x5C, byte]
                }
            } else if byte == 0x5C {
                isBehindStroke = true
            } else {
                bytes.append(byte)
            }
        }
        if isBehindStroke { bytes.append(0x5C) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An address as it is meant: Apple and Google write `http\://`.
    static func address(_ text: String) -> String {
        guard text.utf8.contains(0x5C) else { return text }
        var bytes: [UInt8] = []
        var isBehindStroke = false
        for byte in text.utf8 {
            if byte == 0x5C, !isBehindStroke {
                isBehindStroke = true
                continue
            }
            if isBehindStroke,
                ![UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ";"), 0x5C].contains(byte)
            {
                bytes.append(0x5C)
            }
            isBehindStroke = false
            bytes.append(byte)
        }
        if isBehindStroke { bytes.append(0x5C) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Cut at every separator that has no stroke before it; the pieces keep their strokes.
    static func split(_ text: String, at separator: UInt8) -> [String] {
        guard text.utf8.contains(separator) else { return [text] }
        var pieces: [String] = []
        var isBehindStroke = false
        let bytes = text.utf8
        var start = bytes.startIndex
        var place = start
        while place < bytes.endIndex {
            let byte = bytes[place]
            if isBehindStroke {
                isBehindStroke = false
            } else if byte == 0x5C {
                isBehindStroke = true
            } else if byte == separator {
                pieces.append(String(text[start..<place]))
                start = bytes.index(after: place)
            }
            place = bytes.index(after: place)
        }
        pieces.append(String(text[start...]))
        return pieces
    }

    static func joined(_ parts: [[String]]) -> String {
        parts.map { $0.map(escaped).joined(separator: ",") }.joined(separator: ";")
    }

    static func trimmed(_ text: String) -> String {
        // Nearly all begin and end with a plain letter or sign.
        if let first = text.utf8.first, let last = text.utf8.last, 0x21...0x7E ~= first, 0x21...0x7E ~= last {
            return text
        }
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return text }
        guard first.properties.isWhitespace || last.properties.isWhitespace else { return text }
        let rest = scalars.drop { $0.properties.isWhitespace }
        guard let end = rest.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(rest[...end])
    }

    /// White space of any kind as one space, and none at the ends.
    static func collapsed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Tells two texts apart; nobody is kept out by it.
    static func fingerprint(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
