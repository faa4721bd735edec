import CFontconfig
public import PDF

/// A font for pages of our own: one of this machine by its family, or the standard font nearest to it where that is
/// not installed. It is written as a simple font with Windows' western letters, so that fields may use it as well.
public final class PageFont: Sendable {
    public enum Family: String, Sendable {
        case sans = "Noto Sans"
        case serif = "Noto Serif"
        /// For large sizes.
        case display = "Noto Serif Display"
    }

    public let name: String
    /// In sizes.
    public let ascent: Double
    public let descent: Double
    private let face: FallbackFace?
    private let standard: StandardFont
    private let flags: Int
    /// In thousandths of the size, by code.
    private let widths: [Double]

    private static let codes: [UInt32: UInt8] = Dictionary(
        EncodingTables.winAnsi.enumerated().compactMap { code, scalar in
            scalar >= 32 ? (scalar, UInt8(code)) : nil
        } + [(0xA0, 32)], uniquingKeysWith: { first, _ in first })

    public init(_ family: Family, isBold: Bool = false, isItalic: Bool = false) {
        let near: String =
            switch (family, isBold, isItalic) {
            case (.sans, false, false): "Helvetica"
            case (.sans, true, false): "Helvetica-Bold"
            case (.sans, false, true): "Helvetica-Oblique"
            case (.sans, true, true): "Helvetica-BoldOblique"
            case (_, false, false): "Times-Roman"
            case (_, true, false): "Times-Bold"
            case (_, false, true): "Times-Italic"
            case (_, true, true): "Times-BoldItalic"
            }
        standard = StandardFont(nearest: near)
        let face = Self.place(family.rawValue, isBold: isBold, isItalic: isItalic)
            .flatMap { FallbackFace(path: $0.path, index: $0.index) }
        self.face = face
        name = face?.name ?? near
        ascent = face?.ascent ?? standard.measures.ascent / 1000
        descent = face?.descent ?? standard.measures.descent / 1000
        flags = 32 + (family == .sans ? 0 : 2) + (isItalic ? 64 : 0)
        let standard = standard
        widths = EncodingTables.winAnsi.map { scalar in
            guard scalar >= 32 else { return 0 }
            if let face { return face.glyph(scalar).map { face.width($0) } ?? 0 }
            return Double(standard.width(scalar) ?? 0)
        }
    }

    /// The codes of a text; letters beyond the western ones become question marks, which our own pages have none of.
    public func codes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { Self.codes[$0.value] ?? UInt8(ascii: "?") }
    }

    /// In points.
    public func width(_ text: String, size: Double, spacing: Double = 0) -> Double {
        let codes = codes(text)
        let letters = codes.reduce(0) { $0 + widths[Int($1)] } + kerns(text).reduce(0, +)
        return letters * size / 1000 + Double(max(0, codes.count - 1)) * spacing
    }

    /// Shows a text at the current place, letters drawn together where the font wants them so.
    public func show(_ text: String, into out: inout [UInt8]) {
        let codes = codes(text)
        let kerns = kerns(text)
        out.append(text: "[")
        var start = 0
        for (index, kern) in kerns.enumerated() where abs(kern) >= 1 {
            out.append(string: Array(codes[start...index]))
            out.append(number: -kern)
            start = index + 1
        }
        if start < codes.count { out.append(string: Array(codes[start...])) }
        out.append(text: "] TJ\n")
    }

    /// How much each letter is moved towards the next, in thousandths.
    private func kerns(_ text: String) -> [Double] {
        let scalars = text.unicodeScalars.map(\.value)
        guard let face, !scalars.isEmpty else { return [] }
        let glyphs = face.shape(scalars[...], rightToLeft: false)
        // Letters that grow together are drawn apart: searching and filling need one code each.
        guard glyphs.count == scalars.count else { return [] }
        return glyphs.map { $0.advance - face.width($0.number) }
    }

    /// Writes the font with some letters, or with all that have a code.
    public func write(into draft: inout PDFDraft, letters: Set<UInt8>? = nil) -> PDFReference {
        var font: PDFDictionary = [
            "Type": .name("Font"), "Encoding": .name("WinAnsiEncoding"), "BaseFont": .name(PDFName(name)),
        ]
        guard let face else {
            font["Subtype"] = .name("Type1")
            return draft.add(.dictionary(font))
        }
        let kept = (letters ?? Set(Self.codes.values)).sorted().filter { widths[Int($0)] > 0 }
        let glyphs = kept.compactMap { face.glyph(EncodingTables.winAnsi[Int($0)]) }
        let (outlines, numbers) = face.subset(Array(Set(glyphs)).sorted())
        let map = kept.compactMap { code -> (scalar: UInt32, glyph: UInt32)? in
            let scalar = EncodingTables.winAnsi[Int(code)]
            return face.glyph(scalar).flatMap { numbers[$0] }.map { (scalar, $0) }
        }
        let program = CharacterMap.adding(map, to: outlines)
        let packed = deflated(program)
        var entries: PDFDictionary = ["Length1": .integer(program.count)]
        if packed != nil { entries["Filter"] = .name("FlateDecode") }
        let file = draft.addStream(entries, packed ?? program)
        let called = PDFName("\(Self.tag(kept))+\(name)")
        let descriptor = draft.add(
            .dictionary([
                "Type": .name("FontDescriptor"), "FontName": .name(called), "Flags": .integer(flags),
                "FontBBox": .array(face.box.map { .integer(Int($0)) }),
                "ItalicAngle": .integer(flags & 64 != 0 ? -12 : 0),
                "Ascent": .integer(Int(face.ascent * 1000)), "Descent": .integer(Int(face.descent * 1000)),
                "CapHeight": .integer(714), "StemV": .integer(88), "FontFile2": .reference(file),
            ]))
        let first = Int(kept.first ?? 32)
        let last = Int(kept.last ?? 32)
        font["Subtype"] = .name("TrueType")
        font["BaseFont"] = .name(called)
        font["FontDescriptor"] = .reference(descriptor)
        font["FirstChar"] = .integer(first)
        font["LastChar"] = .integer(last)
        font["Widths"] = .array(
            (first...max(first, last)).map { code in
                .integer(kept.contains(UInt8(code)) ? Int(widths[code].rounded()) : 0)
            })
        return draft.add(.dictionary(font))
    }

    /// Six letters that name a subset (ISO 32000-2 §9.9.2).
    private static func tag(_ codes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for code in codes { hash = (hash ^ UInt64(code)) &* 0x100_0000_01B3 }
        return String(
            (0..<6).map { _ in
                defer { hash /= 26 }
                return Character(Unicode.Scalar(UInt8(65 + hash % 26)))
            })
    }

    /// The file of exactly this family and style; fontconfig would rather give another one than none.
    private static func place(
        _ family: String, isBold: Bool, isItalic: Bool
    ) -> (path: String, index: Int)? {
        guard let pattern = FcPatternCreate() else { return nil }
        defer { FcPatternDestroy(pattern) }
        _ = family.withCString { text in
            text.withMemoryRebound(to: FcChar8.self, capacity: family.utf8.count + 1) {
                FcPatternAddString(pattern, FC_FAMILY, $0)
            }
        }
        FcPatternAddInteger(pattern, FC_WEIGHT, isBold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR)
        FcPatternAddInteger(pattern, FC_SLANT, isItalic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN)
        FcConfigSubstitute(nil, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultNoMatch
        guard let font = FcFontMatch(nil, pattern, &result) else { return nil }
        defer { FcPatternDestroy(font) }
        var slant: Int32 = 0
        var weight: Int32 = 0
        FcPatternGetInteger(font, FC_SLANT, 0, &slant)
        FcPatternGetInteger(font, FC_WEIGHT, 0, &weight)
        guard text(font, FC_FAMILY) == family, text(font, FC_FONTFORMAT) == "TrueType",
            (slant != FC_SLANT_ROMAN) == isItalic, (weight > FC_WEIGHT_MEDIUM) == isBold,
            let path = text(font, FC_FILE)
        else { return nil }
        var index: Int32 = 0
        FcPatternGetInteger(font, FC_INDEX, 0, &index)
        return (path, Int(index) & 0xFFFF)
    }

    private static func text(_ pattern: OpaquePointer, _ key: String) -> String? {
        var value: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(pattern, key, 0, &value) == FcResultMatch, let value else { return nil }
        return String(cString: value)
    }
}
