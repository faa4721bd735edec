/// The five characters that mean something in text and quoted attributes, and NUL, which HTML forbids.
enum Escaping {
    static func append(_ plain: some StringProtocol, to text: inout String) {
        let isClean = plain.utf8.allSatisfy { !isSpecial($0) }
        guard !isClean else {
            text.append(contentsOf: plain)
            return
        }
        // Runs of ordinary bytes are copied whole; most names hold one special character or two.
        var start = plain.startIndex
        var index = start
        while index < plain.endIndex {
            let byte = plain.utf8[index]
            if isSpecial(byte) {
                text.append(contentsOf: plain[start..<index])
                text += replacement(for: byte)
                start = plain.utf8.index(after: index)
            }
            index = plain.utf8.index(after: index)
        }
        text.append(contentsOf: plain[start...])
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x26, 0x3C, 0x3E, 0x22, 0x27, 0x00: true
        default: false
        }
    }

    private static func replacement(for byte: UInt8) -> String {
        switch byte {
        case 0x26: "&amp;"
        case 0x3C: "&lt;"
        case 0x3E: "&gt;"
        case 0x22: "&quot;"
        case 0x27: "&#39;"
        default: "\u{FFFD}"
        }
    }
}
