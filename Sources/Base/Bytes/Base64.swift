/// Bytes as base64 text (RFC 4648), in the standard alphabet with padding and in the URL alphabet without.
///
/// Decoding is strict: wrong padding, white space and leftover bits that are not zero give nil, so that every
/// value has exactly one spelling. Tokens and signatures are compared as text in places; two spellings of one
/// value would be two keys to one door.
public enum Base64 {
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, alphabet: standardAlphabet, padded: true)
    }

    public static func decode(_ text: String) -> [UInt8]? {
        var characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        return decode(characters, values: standardValues)
    }

    /// Lines of 76 letters, each ended by CR and LF, as mails carry files (RFC 2045, section 6.8).
    public static func lines(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let lineCount = (bytes.count + bytesPerLine - 1) / bytesPerLine
        let room = (bytes.count + 2) / 3 * 4 + lineCount * 2
        return [UInt8](unsafeUninitializedCapacity: room) { text, filled in
            var start = 0
            while start < bytes.count {
                let end = min(start + bytesPerLine, bytes.count)
                filled += encode(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<end]),
                    into: UnsafeMutableBufferPointer(rebasing: text[filled...]))
                text[filled] = 0x0D
                text[filled + 1] = 0x0A
                filled += 2
                start = end
            }
        }
    }

    /// What makes one line; a stretch of a file that is a multiple of it needs no short line but the last.
    public static let bytesPerLine = 57

    public static func urlEncode(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, alphabet: urlAlphabet, padded: false)
    }

    public static func urlDecode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8), values: urlValues)
    }

    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let standardAlphabet = letters + Array("+/".utf8)
    private static let urlAlphabet = letters + Array("-_".utf8)
    private static let standardValues = values(of: standardAlphabet)
    private static let urlValues = values(of: urlAlphabet)
    private static let notALetter: UInt8 = 0xFF

    private static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: notALetter, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }

    /// Three bytes make four letters; what is left at the end is padded. Gives the number of letters.
    private static func encode(
        _ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        standardAlphabet.withUnsafeBufferPointer { alphabet in
            var at = 0
            var filled = 0
            while at < bytes.count {
                let left = bytes.count - at
                var bits = UInt32(bytes[at]) << 16
                if left > 1 { bits |= UInt32(bytes[at + 1]) << 8 }
                if left > 2 { bits |= UInt32(bytes[at + 2]) }
                text[filled] = alphabet[Int(bits >> 18)]
                text[filled + 1] = alphabet[Int(bits >> 12 & 63)]
                text[filled + 2] = left > 1 ? alphabet[Int(bits >> 6 & 63)] : UInt8(ascii: "=")
                text[filled + 3] = left > 2 ? alphabet[Int(bits & 63)] : UInt8(ascii: "=")
                at += 3
                filled += 4
            }
            return filled
        }
    }

    private static func encode(_ bytes: some Collection<UInt8>, alphabet: [UInt8], padded: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> bitCount & 63)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (6 - bitCount) & 63)]) }
        if padded { while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) } }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decode(_ characters: [UInt8], values: [UInt8]) -> [UInt8]? {
        guard characters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in characters {
            let value = values[Int(character)]
            guard value != notALetter else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        let leftover = bits & ((1 << bitCount) - 1)
        return leftover == 0 ? bytes : nil
    }
}
