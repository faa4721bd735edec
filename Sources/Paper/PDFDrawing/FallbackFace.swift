import CHarfBuzz

/// A font of this machine, used where the form's own font has no letters. The face and font are made immutable
/// before they are shared, and HarfBuzz allows any number of threads to read those.
final class FallbackFace: @unchecked Sendable {
    struct Glyph: Sendable {
        var number: UInt32
        /// Index of the first character it stands for.
        var cluster: Int
        /// In thousandths.
        var advance: Double
        var right: Double
        var up: Double
    }

    let path: String
    let name: String
    let unitsPerEm: Double
    let ascent: Double
    let descent: Double
    let box: [Double]
    private let face: OpaquePointer
    private let font: OpaquePointer
    private let outlines: OutlineSubset

    init?(path: String, index: Int) {
        guard let blob = hb_blob_create_from_file_or_fail(path) else { return nil }
        defer { hb_blob_destroy(blob) }
        guard let face = hb_face_create(blob, UInt32(index)), hb_face_get_glyph_count(face) > 0 else {
            return nil
        }
        hb_face_make_immutable(face)
        guard let font = hb_font_create(face) else {
            hb_face_destroy(face)
            return nil
        }
        let units = Double(hb_face_get_upem(face))
        var extents = hb_font_extents_t()
        hb_font_get_h_extents(font, &extents)
        hb_font_make_immutable(font)
        guard let outlines = OutlineSubset(table: { FontTable($0, of: face) }) else {
            hb_font_destroy(font)
            hb_face_destroy(face)
            return nil
        }
        self.face = face
        self.font = font
        self.outlines = outlines
        self.path = path
        unitsPerEm = units
        ascent = Double(extents.ascender) / units
        descent = Double(extents.descender) / units
        box = [
            -1000, Double(extents.descender) * 1000 / units, 2000, Double(extents.ascender) * 1000 / units,
        ]
        let file = path.split(separator: "/").last.map(String.init) ?? "Font"
        name = String(
            file.prefix { $0 != "." }.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    }

    deinit {
        hb_font_destroy(font)
        hb_face_destroy(face)
    }

    /// The glyph a character has before any shaping.
    func glyph(_ scalar: UInt32) -> UInt32? {
        var glyph: hb_codepoint_t = 0
        return hb_font_get_nominal_glyph(font, scalar, &glyph) != 0 && glyph != 0 ? glyph : nil
    }

    func has(_ scalar: UInt32) -> Bool {
        var glyph: hb_codepoint_t = 0
        return hb_font_get_nominal_glyph(font, scalar, &glyph) != 0 && glyph != 0
    }

    /// A glyph that shows nothing.
    var blank: UInt32 {
        var glyph: hb_codepoint_t = 0
        return hb_font_get_nominal_glyph(font, 32, &glyph) != 0 ? glyph : 0
    }

    func width(_ glyph: UInt32) -> Double {
        Double(hb_font_get_glyph_h_advance(font, glyph)) * 1000 / unitsPerEm
    }

    /// How far what is drawn reaches above and below the line, in sizes; nil when nothing is drawn.
    func ink(_ glyph: UInt32) -> (up: Double, down: Double)? {
        var extents = hb_glyph_extents_t()
        guard hb_font_get_glyph_extents(font, glyph, &extents) != 0, extents.height != 0 else { return nil }
        // Heights count downwards.
        return (
            Double(extents.y_bearing) / unitsPerEm, Double(extents.y_bearing + extents.height) / unitsPerEm
        )
    }

    /// Glyphs in the order they are drawn, from left to right.
    func shape(_ scalars: ArraySlice<UInt32>, rightToLeft: Bool) -> [Glyph] {
        guard let buffer = hb_buffer_create() else { return [] }
        defer { hb_buffer_destroy(buffer) }
        scalars.withUnsafeBufferPointer {
            hb_buffer_add_utf32(
                buffer, $0.baseAddress, Int32(clamping: $0.count), 0, Int32(clamping: $0.count))
        }
        hb_buffer_set_direction(buffer, rightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        hb_buffer_guess_segment_properties(buffer)
        hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS)
        hb_shape(font, buffer, nil, 0)
        var count: UInt32 = 0
        guard let infos = hb_buffer_get_glyph_infos(buffer, &count),
            let positions = hb_buffer_get_glyph_positions(buffer, &count)
        else { return [] }
        let scale = 1000 / unitsPerEm
        return (0..<Int(count)).map { index in
            Glyph(
                number: infos[index].codepoint, cluster: Int(infos[index].cluster) + scalars.startIndex,
                advance: Double(positions[index].x_advance) * scale,
                right: Double(positions[index].x_offset) * scale,
                up: Double(positions[index].y_offset) * scale)
        }
    }

    func subset(_ glyphs: [UInt32]) -> (program: [UInt8], numbers: [UInt32: UInt32]) { outlines.cut(glyphs) }
}
