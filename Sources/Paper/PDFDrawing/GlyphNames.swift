/// Characters by glyph name (Adobe Glyph List), for fonts whose encoding speaks in names.
enum GlyphNames {
    private static let scalars: [String: UInt32] = {
        var scalars: [String: UInt32] = [:]
        var name: Substring?
        for word in list.split(separator: " ") {
            if let known = name {
                scalars[String(known)] = UInt32(word, radix: 16)
                name = nil
            } else {
                name = word
            }
        }
        return scalars
    }()

    /// The character a glyph name stands for, `uni20AC`, `u1F600` and variants like `a.alt` included.
    static func scalar(_ name: String) -> UInt32? {
        if let known = scalars[name] { return known }
        if let dot = name.firstIndex(of: "."), dot != name.startIndex { return scalar(String(name[..<dot])) }
        for prefix in ["uni", "u"] where name.hasPrefix(prefix) {
            let digits = name.dropFirst(prefix.count)
            if (4...6).contains(digits.count), let value = UInt32(digits, radix: 16),
                Unicode.Scalar(value) != nil
            {
                return value
            }
        }
        return nil
    }
}
