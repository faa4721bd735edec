/// Bytes as pairs of hexadecimal digits.
public enum Hex {
    /// Sixteen bytes in the groups in which identifiers are written: `018f3a1c-…`.
    public static func grouped(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array(encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map {
            String(digits[$0.clamped(to: 0..<digits.count)])
        }
        .joined(separator: "-")
    }

    /// Lower-case digits, two for each byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(digits) ?? Array(bytes).withUnsafeBufferPointer(digits)
    }

    private static func digits(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            for (place, byte) in bytes.enumerated() {
                digits[place * 2] = digit(byte >> 4)
                digits[place * 2 + 1] = digit(byte & 15)
            }
            return bytes.count * 2
        }
    }

    /// The bytes, or nil unless the text is an even number of digits (of either case) and nothing else.
    public static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
    }

    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
