/// Text that stays readable while no byte outside printable ASCII and no line over 76 characters is sent
/// (RFC 2045 §6.7).
enum QuotedPrintable {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Line ends of every kind come out as CRLF.
    static func encode(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        var column = 0
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0D || byte == 0x0A {
                if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
                output += [0x0D, 0x0A]
                column = 0
                continue
            }
            let endsLine = index == bytes.count || bytes[index] == 0x0D || bytes[index] == 0x0A
            let isSpace = byte == 0x20 || byte == 0x09
            // Space at a line's end would be lost; "From " and "." at its start tempt old programs.
            let isBare =
                isSpace && !endsLine
                || (0x21...0x7E).contains(byte) && byte != 0x3D
                    && !(column == 0 && (byte == 0x2E || byte == 0x46))
            let coded = isBare ? [byte] : [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            if column + coded.count > (endsLine ? 76 : 75) {
                output += [0x3D, 0x0D, 0x0A]
                column = 0
            }
            output += coded
            column += coded.count
        }
        return output
    }
}
