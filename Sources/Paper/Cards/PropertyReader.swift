import Bytes

/// Takes one line of a card apart: `item1.EMAIL;TYPE=WORK;ENCODING=QUOTED-PRINTABLE:ada=40example.org`.
struct PropertyReader {
    private let line: UnsafeBufferPointer<UInt8>
    private let isQuotedPrintable: Bool
    private let version: CardForm?
    private let letters: String

    init(
        _ line: UnsafeBufferPointer<UInt8>, isQuotedPrintable: Bool, version: CardForm?, letters: String
    ) {
        self.line = line
        self.isQuotedPrintable = isQuotedPrintable
        self.version = version
        self.letters = letters
    }

    /// Nil for a line that is none.
    func read(source: Range<Int>) -> CardProperty? {
        guard let colon = colon() else { return nil }
        var group: String?
        var nameStart = 0
        var nameEnd = 0
        while nameEnd < colon, line[nameEnd] != 0x3B {
            if line[nameEnd] == UInt8(ascii: ".") {
                group = text(nameStart..<nameEnd)
                nameStart = nameEnd + 1
            }
            nameEnd += 1
        }
        // Several dots are one name of a group.
        if nameStart > 0 { group = text(0..<nameStart - 1) }
        let name = name(nameStart..<nameEnd)
        guard !name.isEmpty else { return nil }
        var parameters: [CardParameter] = []
        var charset: String?
        var isBinary = false
        if nameEnd < colon {
            for piece in pieces(nameEnd + 1..<colon) {
                guard let parameter = parameter(piece) else { continue }
                switch parameter.name {
                case "CHARSET": charset = parameter.values.first
                case "ENCODING":
                    let said = parameter.values.first?.uppercased() ?? ""
                    if said == "B" || said == "BASE64" {
                        isBinary = true
                    } else if said != "QUOTED-PRINTABLE", said != "8BIT", said != "7BIT" {
                        parameters.append(parameter)
                    }
                case "TYPE" where parameters.contains { $0.name == "TYPE" }:
                    let place = parameters.firstIndex { $0.name == "TYPE" }
                    if let place { parameters[place].values += parameter.values }
                default: parameters.append(parameter)
                }
            }
        }
        let rest = colon + 1..<line.count
        if isBinary {
            return binary(name, rest, parameters, group, source)
        }
        var value: String
        if isQuotedPrintable {
            value = Self.withoutLineEnds(decoded(unquoted(rest), charset))
        } else if let charset, !Self.isUTF8(charset) {
            value = decoded(Array(line[rest]), charset)
        } else {
            value = text(rest)
        }
        value = CardText.trimmed(value)
        if name == "LABEL" || name == "ADR", version == .vcard21 {
            value = value.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n")
        }
        return CardProperty(name, value, parameters, group: group, source: source)
    }

    /// The colon that ends the head; one between quotation marks does not.
    private func colon() -> Int? {
        var isQuoted = false
        for place in 0..<line.count {
            let byte = line[place]
            if byte == UInt8(ascii: ":"), !isQuoted { return place }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        }
        // A mark that never closes: the first colon has to do.
        return isQuoted ? line.firstIndex(of: UInt8(ascii: ":")) : nil
    }

    private func pieces(_ range: Range<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var isQuoted = false
        var start = range.lowerBound
        for place in range {
            if line[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if line[place] == 0x3B, !isQuoted {
                pieces.append(start..<place)
                start = place + 1
            }
        }
        pieces.append(start..<range.upperBound)
        return pieces
    }

    /// `TYPE=work,voice`; telephones of old write only the value: `TEL;CELL`. Some write a semicolon too many.
    private func parameter(_ range: Range<Int>) -> CardParameter? {
        guard !range.isEmpty else { return nil }
        guard let equals = line[range].firstIndex(of: UInt8(ascii: "=")) else {
            let word = name(range)
            switch word {
            case "": return nil
            case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT": return CardParameter("ENCODING", word)
            case "URL", "URI", "CONTENT-ID", "CID", "INLINE": return CardParameter("VALUE", word)
            default: return CardParameter("TYPE", text(range))
            }
        }
        let key = name(range.lowerBound..<equals)
        guard !key.isEmpty else { return nil }
        var values: [String] = []
        var value: [UInt8] = []
        var isQuoted = false
        var place = equals + 1
        while place < range.upperBound {
            let byte = line[place]
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == 0x5C, place + 1 < range.upperBound, line[place + 1] == UInt8(ascii: "\"") {
                // A stroke has no business here, and some write it all the same.
            } else if byte == UInt8(ascii: ","), !isQuoted {
                values.append(letters(value))
                value.removeAll(keepingCapacity: true)
            } else if byte == UInt8(ascii: "^"), version != .vcard21, place + 1 < range.upperBound,
                let sign = Self.sign(line[place + 1])
            {
                value.append(sign)
                place += 1
            } else {
                value.append(byte)
            }
            place += 1
        }
        values.append(letters(value))
        // In one pair of marks several types may stand: TYPE="work,voice".
        if key == "TYPE", values.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) {
            values = values.flatMap { $0.split(separator: ",").map { String($0) } }
        }
        // TYPE=HOME,TYPE=VOICE is meant as one list.
        if key == "TYPE" {
            values = values.compactMap { value in
                let plain = value.uppercased().hasPrefix("TYPE=") ? String(value.dropFirst(5)) : value
                return plain.isEmpty ? nil : plain
            }
            guard !values.isEmpty else { return nil }
        }
        if key == "LABEL" { values = [CardText.plain(values.joined(separator: ","))] }
        return CardParameter(key, values)
    }

    /// RFC 6868.
    private static func sign(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "'"): UInt8(ascii: "\"")
        case UInt8(ascii: "^"): UInt8(ascii: "^")
        default: nil
        }
    }

    /// In capitals, without white space around it.
    private func name(_ range: Range<Int>) -> String {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, line[start] <= 0x20 { start += 1 }
        while end > start, line[end - 1] <= 0x20 { end -= 1 }
        return String(unsafeUninitializedCapacity: end - start) { room in
            for place in start..<end {
                let byte = line[place]
                room[place - start] = byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte < 0x80 ? byte : 0x3F
            }
            return end - start
        }
    }

    private func text(_ range: Range<Int>) -> String {
        let bytes = UnsafeBufferPointer(rebasing: line[range])
        return String(validating: bytes, as: UTF8.self) ?? decoded(Array(bytes), letters)
    }

    private func letters(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? decoded(bytes, letters)
    }

    private func decoded(_ bytes: [UInt8], _ charset: String?) -> String {
        if charset.map(Self.isUTF8) ?? true, let text = String(validating: bytes, as: UTF8.self) {
            return text
        }
        let named = charset.flatMap { Self.isUTF8($0) ? nil : $0 } ?? letters
        return TextDecoding.text(bytes, named: named)
    }

    private static func isUTF8(_ charset: String) -> Bool {
        let name = charset.uppercased()
        return name == "UTF-8" || name == "UTF8" || name == "US-ASCII" || name == "ASCII"
    }

    private func unquoted(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            if line[place] == UInt8(ascii: "="), place + 2 < range.upperBound,
                let high = Self.digit(line[place + 1]), let low = Self.digit(line[place + 2])
            {
                bytes.append(high << 4 | low)
                place += 3
            } else {
                bytes.append(line[place])
                place += 1
            }
        }
        // What is left of a break at the very end.
        if bytes.last == UInt8(ascii: "="), range.count > 0, line[range.upperBound - 1] == UInt8(ascii: "=") {
            bytes.removeLast()
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// Ends of lines within a value as all other versions write them.
    private static func withoutLineEnds(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
        var bytes: [UInt8] = []
        var wasReturn = false
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A && !wasReturn {
                bytes += [0x5C, UInt8(ascii: "n")]
            } else if byte != 0x0A {
                bytes.append(byte)
            }
            wasReturn = byte == 0x0D
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A file within the card, as vCard 4 carries it: `data:image/jpeg;base64,…`.
    private func binary(
        _ name: String, _ range: Range<Int>, _ said: [CardParameter], _ group: String?, _ source: Range<Int>
    ) -> CardProperty {
        let base64 = line[range].filter { $0 > 0x20 }
        var parameters = said.filter { $0.name != "VALUE" }
        var kind = FileKind.sniffed(base64)
        if let place = parameters.firstIndex(where: { $0.name == "TYPE" }) {
            // TYPE=JPEG names the file; TYPE=work does not.
            let words = parameters[place].values
            let named = words.compactMap { FileKind.mediaType(of: $0) }.first
            parameters[place].values = words.filter { FileKind.mediaType(of: $0) == nil }
            if parameters[place].values.isEmpty { parameters.remove(at: place) }
            kind = kind ?? named
        }
        if let place = parameters.firstIndex(where: { $0.name == "MEDIATYPE" }) {
            kind = kind ?? parameters[place].values.first
            parameters.remove(at: place)
        }
        return CardProperty(
            name,
            "data:\(kind ?? "application/octet-stream");base64,\(String(decoding: base64, as: UTF8.self))",
            parameters, group: group, source: source)
    }
}

/// What kind of file a card carries; its first bytes are believed before what is said.
enum FileKind {
    private static let names: [(word: String, mediaType: String)] = [
        ("JPEG", "image/jpeg"), ("JPG", "image/jpeg"), ("PNG", "image/png"), ("GIF", "image/gif"),
        ("BMP", "image/bmp"), ("TIFF", "image/tiff"), ("WEBP", "image/webp"), ("SVG", "image/svg+xml"),
        ("WAVE", "audio/wav"), ("WAV", "audio/wav"), ("MP3", "audio/mpeg"), ("OGG", "audio/ogg"),
        ("PGP", "application/pgp-keys"), ("X509", "application/x-x509-ca-cert"),
    ]

    static func mediaType(of word: String) -> String? {
        let upper = word.uppercased()
        if upper.hasPrefix("IMAGE/") || upper.hasPrefix("AUDIO/") || upper.hasPrefix("APPLICATION/") {
            return word.lowercased()
        }
        return names.first { $0.word == upper }?.mediaType
    }

    static func word(of mediaType: String) -> String? {
        let lower = mediaType.lowercased()
        return names.first { $0.mediaType == lower }?.word
    }

    static func sniffed(_ base64: [UInt8]) -> String? {
        guard
            let head = Base64.decode(
                String(decoding: base64.prefix(base64.count < 16 ? base64.count / 4 * 4 : 16), as: UTF8.self))
        else { return nil }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if head.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if head.starts(with: Array("BM".utf8)) { return "image/bmp" }
        if head.count >= 12, head.starts(with: Array("RIFF".utf8)),
            head[8...].starts(with: Array("WEBP".utf8))
        {
            return "image/webp"
        }
        return nil
    }
}
