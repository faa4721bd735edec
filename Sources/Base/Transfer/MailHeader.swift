import Bytes

/// Writes the lines above a message's body, folded so that none is longer than RFC 5322 §2.1.1 likes.
struct MailHeader {
    private(set) var text = ""

    /// Free text: what is not plain ASCII travels as encoded words (RFC 2047).
    mutating func add(_ name: String, text value: String) {
        add(name, words: Self.needsEncoding(value) ? Self.encodedWords(value) : Self.plainWords(value))
    }

    mutating func add(_ name: String, addresses: [MailAddress]) {
        guard !addresses.isEmpty else { return }
        var words: [String] = []
        for (index, mailbox) in addresses.enumerated() {
            let comma = index == addresses.count - 1 ? "" : ","
            if let name = mailbox.name {
                words += Self.phrase(name)
                words.append("<\(mailbox.address)>\(comma)")
            } else {
                words.append("\(mailbox.address)\(comma)")
            }
        }
        add(name, words: words)
    }

    /// Words that are already in their final form; they are put on lines, never changed.
    mutating func add(_ name: String, words: [String]) {
        var line = "\(name):"
        for (index, word) in words.enumerated() {
            if index > 0, line.utf8.count + 1 + word.utf8.count > 76 {
                text += line + "\r\n"
                line = ""
            }
            line += " " + word
        }
        text += line + "\r\n"
    }

    mutating func end() { text += "\r\n" }

    private static func plainWords(_ value: String) -> [String] {
        value.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }

    /// Also text that looks like an encoded word, has odd spaces that folding would eat, or a word too long
    /// for a line.
    static func needsEncoding(_ value: String) -> Bool {
        !value.utf8.allSatisfy { (0x20...0x7E).contains($0) } || value.contains("=?") || value.hasPrefix(" ")
            || value.hasSuffix(" ") || value.contains("  ")
            || value.split(separator: " ").contains { $0.utf8.count > 60 }
    }

    /// Each at most 75 long and whole in itself: no character is split between two (RFC 2047 §5).
    static func encodedWords(_ value: String) -> [String] {
        var words: [String] = []
        var piece: [UInt8] = []
        for scalar in value.unicodeScalars {
            // A line break has no place in a header even encoded: some programs decode first and split later.
            let bytes = scalar.value < 0x20 || scalar.value == 0x7F ? [0x20] : Array(String(scalar).utf8)
            if piece.count + bytes.count > 45 {
                words.append("=?utf-8?B?\(Base64.encode(piece))?=")
                piece = []
            }
            piece += bytes
        }
        if !piece.isEmpty { words.append("=?utf-8?B?\(Base64.encode(piece))?=") }
        return words
    }

    /// A display name before an address: bare atoms, a quoted string, or encoded words.
    private static func phrase(_ name: String) -> [String] {
        if needsEncoding(name) { return encodedWords(name) }
        let isAtom = { (byte: UInt8) in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20: true
            default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
            }
        }
        if name.utf8.allSatisfy(isAtom) { return plainWords(name) }
        var quoted = "\""
        for character in name.unicodeScalars {
            if character == "\"" || character == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return plainWords(quoted + "\"")
    }

    /// `; name="value"`, or in RFC 2231's pieces where the value is not short plain text.
    static func parameter(_ name: String, _ value: String) -> [String] {
        let isPlain = value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain, value.utf8.count <= 50, !value.contains("=?") { return ["\(name)=\"\(value)\""] }
        var pieces: [String] = []
        var piece = "utf-8''"
        for scalar in value.unicodeScalars {
            let coded = scalar.value < 0x20 || scalar.value == 0x7F ? "_" : percentCoded(scalar)
            if piece.utf8.count + coded.utf8.count > 60 {
                pieces.append(piece)
                piece = ""
            }
            piece += coded
        }
        pieces.append(piece)
        if pieces.count == 1 { return ["\(name)*=\(piece)"] }
        return pieces.enumerated().map { "\(name)*\($0.offset)*=\($0.element)" }
    }

    private static func percentCoded(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z", ".", "-", "_": String(scalar)
        default: String(scalar).utf8.map { "%" + Hex.encode([$0]).uppercased() }.joined()
        }
    }
}
