/// Whether bytes are UTF-8 that a person could have typed.
enum TextCheck {
    enum Finding { case whole, zero, notUTF8, replaced }

    static func look(at bytes: UnsafeBufferPointer<UInt8>) -> Finding {
        var place = 0
        let count = bytes.count
        let raw = UnsafeRawBufferPointer(bytes)
        var isReplaced = false
        while place < count {
            if place + 8 <= count {
                let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let zero = (word &- 0x0101_0101_0101_0101) & ~word
                if (word | zero) & 0x8080_8080_8080_8080 == 0 {
                    place += 8
                    continue
                }
            }
            let byte = bytes[place]
            if byte == 0 { return .zero }
            guard byte >= 0x80 else {
                place += 1
                continue
            }
            let length = sequence(bytes, place)
            guard length > 0 else { return .notUTF8 }
            if length == 3, byte == 0xEF, bytes[place + 1] == 0xBF, bytes[place + 2] == 0xBD {
                isReplaced = true
            }
            place += length
        }
        return isReplaced ? .replaced : .whole
    }

    /// The length of the character of several bytes that begins here (RFC 3629); 0 when there is none.
    static func sequence(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        let first = bytes[place]
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard length > 0, bytes.count - place >= length else { return 0 }
        for offset in 1..<length where bytes[place + offset] & 0xC0 != 0x80 { return 0 }
        let second = bytes[place + 1]
        switch first {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90,
            0xF4 where second > 0x8F:
            return 0
        default: return length
        }
    }
}
