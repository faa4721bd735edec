import PDF

/// What laying out plain text needs of a font of the form, without references to count: many threads read it at once.
/// It is good for as long as the font it comes from.
public struct PlainFont {
    /// Both tables belong to the font and are never written to after it is made.
    private let widths: UnsafePointer<UInt16>
    private let codes: UnsafePointer<UInt8>
    public let ascent: Double
    public let descent: Double
    public let capitals: Double
    public let lineHeight: Double
    public let space: UInt8
    public let hyphen: UInt8
    public let isASCII: Bool

    init(_ font: TemplateFont, widths: UnsafePointer<UInt16>, codes: UnsafePointer<UInt8>) {
        self.widths = widths
        self.codes = codes
        ascent = font.ascent
        descent = font.descent
        capitals = font.capitals
        lineHeight = font.lineHeight
        space = font.code(32) ?? 0
        hyphen = font.code(0x2D) ?? 0
        isASCII = font.isASCII
    }

    @inline(__always) public func width(_ code: UInt8) -> Int { Int(widths[Int(code)]) }

    /// The codes of a text in UTF-8, line ends staying 10; nil when the font cannot show all of it, or more than line
    /// ends must be done about it. `room` holds as many bytes as the text.
    @inline(__always)
    public func encode(
        _ text: UnsafeBufferPointer<UInt8>, isASCII: Bool, into room: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        if isASCII, self.isASCII, let start = text.baseAddress {
            room.update(from: start, count: text.count)
            return text.count
        }
        var count = 0
        var at = 0
        while at < text.count {
            var scalar = UInt32(text[at])
            // Strings hold well-formed UTF-8 only.
            if scalar < 0x80 {
                at += 1
            } else if scalar < 0xE0, at + 1 < text.count {
                scalar = (scalar & 31) << 6 | UInt32(text[at + 1]) & 63
                at += 2
            } else if scalar < 0xF0, at + 2 < text.count {
                scalar = (scalar & 15) << 12 | (UInt32(text[at + 1]) & 63) << 6 | UInt32(text[at + 2]) & 63
                at += 3
            } else {
                return nil
            }
            if scalar == 10 {
                room[count] = 10
            } else {
                guard scalar < TemplateFont.nearLimit else { return nil }
                let code = codes[Int(scalar)]
                // A code that looks like a line end would be taken for one.
                if code == 0 || code == 10 { return nil }
                room[count] = code
            }
            count += 1
        }
        return count
    }
}
