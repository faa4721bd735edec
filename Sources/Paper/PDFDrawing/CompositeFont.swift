import PDF

/// A composite font of the form (ISO 32000-2 §9.7), as far as it can be written with: letters that its own map to
/// Unicode names, one code each, and that its program really draws. What needs shaping is left to fonts of this machine.
final class CompositeFont: Sendable {
    private let codes: [UInt32: UInt16]
    private let widths: [UInt16: Double]
    private let usualWidth: Double

    /// Nil unless codes are glyph numbers of two bytes, the font is embedded and says what its codes mean: what could not
    /// be searched or copied is better shown in another font.
    init?(_ file: PDFFile, _ font: PDFDictionary) {
        guard file.resolve(font["Encoding"]).name == "Identity-H",
            let below = file.dictionary(file.array(font["DescendantFonts"]).first),
            let descriptor = file.dictionary(below["FontDescriptor"]),
            let map = font["ToUnicode"]?.reference.flatMap({ file.stream($0, limit: 4 << 20) })
        else { return nil }
        let isTrueType = file.resolve(below["Subtype"]).name == "CIDFontType2"
        let key: PDFName = isTrueType ? "FontFile2" : "FontFile3"
        guard
            let program = descriptor[key]?.reference.flatMap({ file.stream($0, limit: 32 << 20) }).flatMap(
                EmbeddedGlyphs.init)
        else { return nil }
        let glyphs = below["CIDToGIDMap"]?.reference.flatMap { file.stream($0, limit: 1 << 20) }
        var codes: [UInt32: UInt16] = [:]
        for (code, text) in ReadFont.map(map) where code > 0 && code < 1 << 16 {
            let scalars = text.unicodeScalars
            guard scalars.count == 1, let scalar = scalars.first?.value, Self.standsAlone(scalar) else {
                continue
            }
            if isTrueType {
                var glyph = code
                if let glyphs {
                    glyph =
                        code * 2 + 1 < glyphs.count
                        ? Int(glyphs[code * 2]) << 8 | Int(glyphs[code * 2 + 1]) : 0
                }
                guard program.hasGlyph(glyph) else { continue }
            }
            let known = codes[scalar] ?? UInt16.max
            codes[scalar] = min(known, UInt16(code))
        }
        guard !codes.isEmpty else { return nil }
        self.codes = codes
        let (listed, usual) = ReadFont.widths(file, below)
        var widths: [UInt16: Double] = [:]
        for code in codes.values { widths[code] = min(max(listed[Int(code)] ?? usual, 0), 5000) }
        self.widths = widths
        usualWidth = min(max(usual, 0), 5000)
    }

    /// Marks join with letters, and the letters of these scripts with one another.
    private static func standsAlone(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F..<0xA0, 0x0300..<0x0370, 0x0590..<0x1100, 0x1700..<0x1900, 0x1A20..<0x1D00,
            0x200B..<0x2010, 0x2028..<0x202F, 0xA800..<0xAC00, 0xD7B0..<0xE000, 0xFB1D..<0xFE70,
            0xFE70..<0xFF00:
            false
        default: scalar < 0xE0000
        }
    }

    func code(_ scalar: UInt32) -> UInt16? { codes[scalar] }
    func width(_ code: UInt16) -> Double { widths[code] ?? usualWidth }
}
