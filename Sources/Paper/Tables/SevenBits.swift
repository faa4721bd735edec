/// Numbers in pieces of seven bits, the lowest first; the eighth bit says that more follow. Small numbers, and most are,
/// take one byte.
public enum SevenBits {
    @inline(__always) public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// The number at `position`, which moves behind it; nil when the bytes end within it or it is longer than any
    /// that was written.
    @inline(__always) public static func next(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Int?
    {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 56 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(value) }
            shift += 7
        }
        return nil
    }
}
