import CFreeType

/// Which characters a font program inside a form can really draw: subsets promise more in their encoding than they
/// hold. Read once while a form is prepared.
final class EmbeddedGlyphs {
    private var library: FT_Library?
    private var face: FT_Face?
    private let bytes: UnsafeMutablePointer<UInt8>
    private let hasUnicode: Bool

    init?(_ program: [UInt8]) {
        // FreeType keeps the pointer for as long as the face lives.
        let lasting = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, program.count))
        program.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { lasting.initialize(from: start, count: source.count) }
        }
        var library: FT_Library?
        var face: FT_Face?
        guard FT_Init_FreeType(&library) == 0,
            FT_New_Memory_Face(library, lasting, FT_Long(program.count), 0, &face) == 0, let face
        else {
            if let library { FT_Done_FreeType(library) }
            lasting.deallocate()
            return nil
        }
        bytes = lasting
        self.library = library
        self.face = face
        hasUnicode = FT_Select_Charmap(face, FT_ENCODING_UNICODE) == 0
    }

    deinit {
        FT_Done_Face(face)
        FT_Done_FreeType(library)
        bytes.deallocate()
    }

    func has(_ scalar: UInt32, code: UInt8) -> Bool {
        if hasUnicode {
            FT_Select_Charmap(face, FT_ENCODING_UNICODE)
            if FT_Get_Char_Index(face, FT_ULong(scalar)) != 0 { return true }
        }
        if scalar == 32 || scalar == 0xA0 { return true }
        for encoding in [FT_ENCODING_MS_SYMBOL, FT_ENCODING_APPLE_ROMAN, FT_ENCODING_ADOBE_CUSTOM] {
            guard FT_Select_Charmap(face, encoding) == 0 else { continue }
            if FT_Get_Char_Index(face, FT_ULong(code)) != 0
                || FT_Get_Char_Index(face, 0xF000 + FT_ULong(code)) != 0
            {
                return true
            }
        }
        return false
    }

    /// Whether the program draws this glyph; 0 is the box that stands for what is missing.
    func hasGlyph(_ number: Int) -> Bool {
        guard let face, number > 0, number < face.pointee.num_glyphs else { return false }
        return FT_Load_Glyph(face, FT_UInt(number), FT_Int32(FT_LOAD_NO_SCALE)) == 0
    }

    /// Characters by code as the program itself says, for fonts without an encoding.
    var ownEncoding: [UInt32]? {
        var scalars = [UInt32](repeating: 0, count: 256)
        if FT_Select_Charmap(face, FT_ENCODING_ADOBE_CUSTOM) == 0
            || FT_Select_Charmap(face, FT_ENCODING_ADOBE_STANDARD) == 0
        {
            var name = [CChar](repeating: 0, count: 64)
            for code in 0..<256 {
                let glyph = FT_Get_Char_Index(face, FT_ULong(code))
                guard glyph != 0, FT_Get_Glyph_Name(face, glyph, &name, 64) == 0 else { continue }
                let text = String(
                    decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                scalars[code] = GlyphNames.scalar(text) ?? 0
            }
            return scalars
        }
        if FT_Select_Charmap(face, FT_ENCODING_APPLE_ROMAN) == 0 {
            for code in 0..<256 where FT_Get_Char_Index(face, FT_ULong(code)) != 0 {
                scalars[code] = EncodingTables.macRoman[code]
            }
            return scalars
        }
        return nil
    }
}
