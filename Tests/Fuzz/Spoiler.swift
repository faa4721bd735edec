import Work

/// Files that are spoiled as files are: bytes changed, dropped, doubled and moved, numbers made large, two files in one.
struct Spoiler: Sendable {
    let files: [[UInt8]]

    private static let words: [[UInt8]] =
        [
            "0", "-1", "1", "255", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
            "99999999999999999999999", "1e308", "1e-400", "NaN", "0x7fffffff", "\"", "'", "\\", "\r\n", "\n",
            "\r",
            "\r\n\r\n", "\t", ";", ",", ":", "=", "--", "<", ">", "</", "<![CDATA[", "]]>", "<!DOCTYPE a [",
            "&#0;", "&#x110000;",
            "{", "}", "[", "]", "[[[[[[[[[[[[[[[[", "{\"a\":{\"a\":{\"a\":", "=?utf-8?b?", "=?utf-8?q?", "?=",
            "\u{0}", "\u{FEFF}", "\u{202E}", "\u{FFFF}", "é", "👩‍👩‍👧", "%00", "%2e%2e%2f", "../",
            "BEGIN:VCARD\r\n",
            "END:VCARD\r\n", "boundary=", "Content-Length: ", "Transfer-Encoding: chunked\r\n",
        ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFE, 0xFF], [0xFF, 0xFE]]

    func spoiled(_ chance: Chance) -> [UInt8] {
        var bytes = files[chance.integer(below: files.count)]
        for _ in 0...chance.integer(below: chance.integer(below: 4) == 0 ? 30 : 5) { spoil(&bytes, chance) }
        return bytes
    }

    private func spoil(_ bytes: inout [UInt8], _ chance: Chance) {
        guard !bytes.isEmpty else {
            bytes = chance.bytes(chance.integer(below: 40))
            return
        }
        let place = chance.integer(below: bytes.count)
        let end = min(bytes.count, place + 1 + chance.integer(below: 40))
        switch chance.integer(below: 10) {
        case 0, 1: bytes[place] = UInt8(chance.integer(below: 256))
        case 2: bytes.removeSubrange(place..<end)
        case 3, 4: bytes.insert(contentsOf: Self.words[chance.integer(below: Self.words.count)], at: place)
        case 5:
            let word = Self.words[chance.integer(below: Self.words.count)]
            bytes.replaceSubrange(place..<min(bytes.count, place + word.count), with: word)
        case 6: bytes.insert(contentsOf: bytes[place..<end], at: chance.integer(below: bytes.count))
        case 7:
            // Large numbers as archives and pictures write them.
            let value = [0, 0xFF, 0x7F, 0x80][chance.integer(below: 4)]
            for offset in place..<min(bytes.count, place + [1, 2, 4, 8][chance.integer(below: 4)]) {
                bytes[offset] = UInt8(value)
            }
        case 8 where chance.integer(below: 6) == 0:
            bytes.removeLast(chance.integer(below: bytes.count))
        default:
            let other = files[chance.integer(below: files.count)]
            guard !other.isEmpty else { return }
            let from = chance.integer(below: other.count)
            bytes.insert(
                contentsOf: other[from..<min(other.count, from + 1 + chance.integer(below: 200))], at: place)
        }
        if bytes.count > 400_000 { bytes.removeLast(bytes.count - 400_000) }
    }
}
