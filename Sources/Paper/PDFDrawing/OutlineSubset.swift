/// Cuts a TrueType font down to a few outlines, numbered anew from 1, as a PDF with its own map from codes to glyphs
/// needs it (ISO 32000-2 §9.9): outlines, widths and nothing else. Hints are left out. HarfBuzz can do this too, but
/// takes half a millisecond to think about tables that are thrown away; names in a table of people make each document
/// need a cut of its own.
struct OutlineSubset: Sendable {
    // The large tables stay in the file; of a font for Chinese that is five megabytes.
    private let glyf: FontTable
    private let places: FontTable
    private let isLong: Bool
    private let metrics: FontTable
    private let longMetrics: Int
    private let head: [UInt8]
    private let hhea: [UInt8]
    private let maxp: [UInt8]
    private let glyphCount: Int

    /// Nil when the font has no TrueType outlines, or not all that belongs to them.
    init?(table: (String) -> FontTable?) {
        guard let head = table("head").map({ Array($0.bytes) }), head.count >= 54,
            let hhea = table("hhea").map({ Array($0.bytes) }), hhea.count >= 36,
            let maxp = table("maxp").map({ Array($0.bytes) }), maxp.count >= 6,
            let glyf = table("glyf"), let metrics = table("hmtx"), let places = table("loca")
        else { return nil }
        (self.head, self.hhea, self.maxp) = (head, hhea, maxp)
        (self.glyf, self.metrics, self.places) = (glyf, metrics, places)
        longMetrics = Int(Self.short(hhea, 34))
        isLong = Self.short(head, 50) != 0
        glyphCount = Int(Self.short(maxp, 4))
        guard longMetrics > 0, metrics.bytes.count >= longMetrics * 4,
            places.bytes.count >= (glyphCount + 1) * (isLong ? 4 : 2)
        else { return nil }
    }

    private static func short(_ bytes: some RandomAccessCollection<UInt8>, _ at: Int) -> UInt16 {
        guard at >= 0, at + 1 < bytes.count else { return 0 }
        let place = bytes.index(bytes.startIndex, offsetBy: at)
        return UInt16(bytes[place]) << 8 | UInt16(bytes[bytes.index(after: place)])
    }

    /// Where the outline of a glyph begins; behind the last, where that ends.
    private func place(_ glyph: Int) -> Int {
        let bytes = places.bytes
        if !isLong { return Int(Self.short(bytes, glyph * 2)) * 2 }
        return Int(Self.short(bytes, glyph * 4)) << 16 | Int(Self.short(bytes, glyph * 4 + 2))
    }

    /// The program with these glyphs, and the numbers they have in it.
    func cut(_ wanted: [UInt32]) -> (program: [UInt8], numbers: [UInt32: UInt32]) {
        var order: [UInt32] = [0]
        var numbers: [UInt32: UInt32] = [0: 0]
        func number(_ glyph: UInt32) -> UInt32 {
            if let known = numbers[glyph] { return known }
            numbers[glyph] = UInt32(order.count)
            order.append(glyph)
            return UInt32(order.count - 1)
        }
        for glyph in wanted { _ = number(glyph) }
        var outlines: [UInt8] = []
        var places: [UInt8] = []
        var widths: [UInt8] = []
        var index = 0
        // Parts of composed glyphs join the line while it is worked through.
        while index < order.count, index < 0xFFFF {
            Self.append(UInt32(outlines.count), to: &places)
            outlines += outline(order[index], number)
            while outlines.count % 4 != 0 { outlines.append(0) }
            widths += metric(order[index])
            index += 1
        }
        Self.append(UInt32(outlines.count), to: &places)
        var head = head
        head.replaceSubrange(8..<12, with: [0, 0, 0, 0])
        head.replaceSubrange(50..<52, with: [0, 1])
        var hhea = hhea
        hhea.replaceSubrange(34..<36, with: [UInt8(index >> 8), UInt8(index & 255)])
        var maxp = maxp
        maxp.replaceSubrange(4..<6, with: [UInt8(index >> 8), UInt8(index & 255)])
        let tables = [
            ("glyf", outlines), ("head", head), ("hhea", hhea), ("hmtx", widths), ("loca", places),
            ("maxp", maxp),
        ]
        return (Self.file(tables), numbers)
    }

    private func metric(_ glyph: UInt32) -> [UInt8] {
        let glyph = Int(glyph)
        let metrics = metrics.bytes
        if glyph < longMetrics { return Array(metrics[glyph * 4..<glyph * 4 + 4]) }
        // The rest are as wide as the last, with a bearing of their own.
        let bearing = longMetrics * 4 + (glyph - longMetrics) * 2
        let own = bearing + 1 < metrics.count ? Array(metrics[bearing..<bearing + 2]) : [0, 0]
        return Array(metrics[(longMetrics - 1) * 4..<(longMetrics - 1) * 4 + 2]) + own
    }

    /// The outline without its instructions; parts of a composed one under their new numbers.
    private func outline(_ glyph: UInt32, _ number: (UInt32) -> UInt32) -> [UInt8] {
        let index = Int(glyph)
        guard index < glyphCount else { return [] }
        let start = place(index)
        let end = min(place(index + 1), glyf.bytes.count)
        guard end - start >= 10 else { return [] }
        var bytes = Array(glyf.bytes[start..<end])
        let contours = Int(Int16(bitPattern: Self.short(bytes, 0)))
        if contours >= 0 {
            let at = 10 + contours * 2
            guard at + 2 <= bytes.count else { return [] }
            let length = Int(Self.short(bytes, at))
            bytes.replaceSubrange(at..<at + 2, with: [0, 0])
            bytes.removeSubrange(at + 2..<min(bytes.count, at + 2 + length))
            return bytes
        }
        var at = 10
        var hasMore = true
        while hasMore, at + 4 <= bytes.count {
            var flags = Self.short(bytes, at)
            hasMore = flags & 0x20 != 0
            let part = number(UInt32(Self.short(bytes, at + 2)))
            // Without instructions the flag that announces them must go.
            flags &= ~0x100
            bytes.replaceSubrange(
                at..<at + 4,
                with: [
                    UInt8(flags >> 8), UInt8(flags & 255), UInt8(truncatingIfNeeded: part >> 8),
                    UInt8(truncatingIfNeeded: part),
                ])
            at += 4 + (flags & 1 != 0 ? 4 : 2)
            if flags & 0x08 != 0 {
                at += 2
            } else if flags & 0x40 != 0 {
                at += 4
            } else if flags & 0x80 != 0 {
                at += 8
            }
        }
        bytes.removeSubrange(min(at, bytes.count)...)
        return bytes
    }

    // MARK: The file around the tables

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    private static func file(_ tables: [(String, [UInt8])]) -> [UInt8] {
        // Four tables fit a search range of 64: the header says so for readers that search.
        var out: [UInt8] = [
            0, 1, 0, 0, 0, UInt8(tables.count), 0, 64, 0, 2, 0, UInt8(tables.count * 16 - 64),
        ]
        var place = 12 + tables.count * 16
        for (name, bytes) in tables {
            out += Array(name.utf8)
            append(sum(bytes), to: &out)
            append(UInt32(place), to: &out)
            append(UInt32(bytes.count), to: &out)
            place += (bytes.count + 3) & ~3
        }
        for (_, bytes) in tables {
            out += bytes
            while out.count % 4 != 0 { out.append(0) }
        }
        return out
    }

    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        stride(from: 0, to: bytes.count, by: 4).reduce(0) { sum, at in
            var word: UInt32 = 0
            for index in at..<at + 4 { word = word << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0) }
            return sum &+ word
        }
    }
}
