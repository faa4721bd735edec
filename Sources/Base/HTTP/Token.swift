/// The characters HTTP allows in names (RFC 9110 §5.6.2) and small ASCII tools the parsers share.
enum Token {
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    static func same(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
        a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lower($0) == lower($1) }
    }

    static func lowered(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map(lower), as: UTF8.self)
    }

    /// Without the spaces and tabs at both ends: the only white space HTTP fields know.
    static func trimmed(_ text: some StringProtocol) -> String {
        func blank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var bytes = Substring(text).utf8
        while let first = bytes.first, blank(first) { bytes.removeFirst() }
        while let last = bytes.last, blank(last) { bytes.removeLast() }
        return String(Substring(bytes))
    }

    /// Cuts `text` at `separator` wherever it stands outside a quoted string.
    static func list(_ text: String, separator: UInt8 = UInt8(ascii: ",")) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var quoted = false
        var escaped = false
        for byte in text.utf8 {
            if escaped {
                escaped = false
            } else if quoted, byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if byte == separator, !quoted {
                parts.append(trimmed(String(decoding: part, as: UTF8.self)))
                part.removeAll(keepingCapacity: true)
                continue
            }
            part.append(byte)
        }
        parts.append(trimmed(String(decoding: part, as: UTF8.self)))
        return parts.filter { !$0.isEmpty }
    }

    /// The value of a token or quoted string; `nil` when the quotes do not close.
    static func unquoted(_ text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "\"") else { return text }
        var bytes: [UInt8] = []
        var escaped = false
        var closed = false
        for byte in text.utf8.dropFirst() {
            guard !closed else { return nil }
            if escaped {
                bytes.append(byte)
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                closed = true
            } else {
                bytes.append(byte)
            }
        }
        return closed ? String(validating: bytes, as: UTF8.self) : nil
    }
}
