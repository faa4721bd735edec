public import PDF

/// The fallback fonts one document uses: collected while text is shown, written as subsets with only the letters
/// of this document.
public struct FallbackFonts {
    /// The codes of a font: one for each glyph and each meaning it has in this document, so that the text can be
    /// read back exactly although one glyph serves many words.
    private struct Use {
        struct Code: Hashable {
            var glyph: UInt32
            var meaning: [UInt32]
            var isBlank: Bool
        }

        var face: FallbackFace
        var name: PDFName
        var reference: PDFReference
        var codes: [Code] = []
        var numbers: [Code: Int] = [:]

        /// Codes count from 1; 0 is for what is missing.
        mutating func number(_ letter: SetText.Letter) -> Int {
            let code = Code(glyph: letter.glyph.number, meaning: letter.meaning, isBlank: letter.isBlank)
            if let known = numbers[code] { return known }
            codes.append(code)
            numbers[code] = codes.count
            return codes.count
        }

        func width(_ code: Code) -> Double { code.isBlank ? 0 : face.width(code.glyph) }
    }

    private var uses: [Use] = []

    public init() {}

    public var isEmpty: Bool { uses.isEmpty }
    /// The fonts so far, by the names they are shown under.
    public var used: [(name: PDFName, reference: PDFReference)] { uses.map { ($0.name, $0.reference) } }

    /// Shows a run at the current place. Gives the fonts it needs in its resources.
    public mutating func show(
        _ run: SetText.Fallback, size: Double, into out: inout [UInt8], newReference: () -> PDFReference
    ) -> (name: PDFName, reference: PDFReference) {
        let index = use(of: run.face, newReference)
        out.append(name: uses[index].name)
        out.append(32)
        out.append(number: size)
        out.append(text: " Tf ")
        if let words = run.words {
            out.append(text: "/Span<</ActualText")
            out.append(string: PDFText.encode(words))
            out.append(text: ">>BDC ")
        }
        showLetters(run, at: index, size: size, into: &out)
        if run.words != nil { out.append(text: "EMC ") }
        return (uses[index].name, uses[index].reference)
    }

    private mutating func use(of face: FallbackFace, _ newReference: () -> PDFReference) -> Int {
        if let index = uses.firstIndex(where: { $0.face === face }) { return index }
        uses.append(Use(face: face, name: PDFName("QuireF\(uses.count + 1)"), reference: newReference()))
        return uses.count - 1
    }

    private mutating func showLetters(
        _ run: SetText.Fallback, at index: Int, size: Double, into out: inout [UInt8]
    ) {
        var rise = 0.0
        var pending = 0.0
        var isOpen = false
        func close(_ out: inout [UInt8]) {
            if isOpen { out.append(text: ">] TJ ") }
            isOpen = false
        }
        for letter in run.letters {
            let glyph = letter.glyph
            let number = uses[index].number(letter)
            let up = (glyph.up * size / 10).rounded() / 100
            if up != rise {
                close(&out)
                out.append(number: up)
                out.append(text: " Ts ")
                rise = up
            }
            let shift = pending + glyph.right
            if !isOpen {
                out.append(text: "[")
                if abs(shift) >= 0.5 { out.append(number: -shift) }
                out.append(text: "<")
                isOpen = true
            } else if abs(shift) >= 0.5 {
                out.append(text: ">")
                out.append(number: -shift)
                out.append(text: "<")
            }
            out.append(hex: UInt8(truncatingIfNeeded: number >> 8))
            out.append(hex: UInt8(truncatingIfNeeded: number))
            let drawn = letter.isBlank ? 0 : run.face.width(glyph.number)
            pending = glyph.advance - glyph.right - drawn + (abs(shift) >= 0.5 ? 0 : shift)
        }
        if isOpen {
            out.append(text: ">")
            if abs(pending) >= 0.5 { out.append(number: -pending) }
            out.append(text: "] TJ ")
        }
        if rise != 0 { out.append(text: "0 Ts ") }
    }

    /// Writes the fonts into a revision.
    public func write(into revision: inout PDFRevision) {
        if uses.isEmpty { return }
        var objects: [(reference: PDFReference, dictionary: PDFDictionary, data: [UInt8]?)] = []
        write(newReference: { revision.newReference() }) { objects.append(($0, $1, $2)) }
        for object in objects {
            if let data = object.data {
                revision.putStream(object.dictionary, data, at: object.reference)
            } else {
                revision.put(.dictionary(object.dictionary), at: object.reference)
            }
        }
    }

    /// Gives the objects of the fonts, those with data being streams: one composite font, its subset and its map back
    /// to characters each.
    public func write(
        newReference: () -> PDFReference,
        put: (PDFReference, PDFDictionary, [UInt8]?) throws -> Void
    ) rethrows {
        for use in uses {
            let glyphs = Set(use.codes.map(\.glyph)).sorted()
            let (program, numbers) = use.face.subset(glyphs)
            let places = newReference()
            let file = newReference()
            let descriptor = newReference()
            let descendant = newReference()
            let toUnicode = newReference()
            let name = PDFName("\(tag(glyphs))+\(use.face.name)")
            let packed = deflated(program)
            var fileEntries: PDFDictionary = ["Length1": .integer(program.count)]
            if packed != nil { fileEntries["Filter"] = .name("FlateDecode") }
            try put(file, fileEntries, packed ?? program)
            try put(
                descriptor,
                [
                    "Type": .name("FontDescriptor"), "FontName": .name(name), "Flags": .integer(4),
                    "FontBBox": .array(use.face.box.map { .integer(Int($0)) }), "ItalicAngle": .integer(0),
                    "Ascent": .integer(Int(use.face.ascent * 1000)),
                    "Descent": .integer(Int(use.face.descent * 1000)),
                    "CapHeight": .integer(700), "StemV": .integer(80), "FontFile2": .reference(file),
                ], nil)
            try put(
                descendant,
                [
                    "Type": .name("Font"), "Subtype": .name("CIDFontType2"), "BaseFont": .name(name),
                    "CIDSystemInfo": .dictionary([
                        "Registry": .text("Adobe"), "Ordering": .text("Identity"), "Supplement": .integer(0),
                    ]),
                    "FontDescriptor": .reference(descriptor), "CIDToGIDMap": .reference(places),
                    "W": .array([
                        .integer(1), .array(use.codes.map { .real((use.width($0) * 100).rounded() / 100) }),
                    ]),
                ], nil)
            try put(
                places, [:],
                ([0] + use.codes.map { numbers[$0.glyph] ?? 0 }).flatMap {
                    [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
                })
            try put(toUnicode, [:], map(use.codes))
            try put(
                use.reference,
                [
                    "Type": .name("Font"), "Subtype": .name("Type0"), "BaseFont": .name(name),
                    "Encoding": .name("Identity-H"), "DescendantFonts": .array([.reference(descendant)]),
                    "ToUnicode": .reference(toUnicode),
                ], nil)
        }
    }

    /// Six letters that name a subset (§9.9.2), from what is in it so that the same text gives the same bytes.
    private func tag(_ glyphs: [UInt32]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for glyph in glyphs { hash = (hash ^ UInt64(glyph)) &* 0x100_0000_01B3 }
        return String(
            (0..<6).map { _ in
                defer { hash /= 26 }
                return Character(Unicode.Scalar(UInt8(65 + hash % 26)))
            })
    }

    private func map(_ codes: [Use.Code]) -> [UInt8] {
        var out: [UInt8] = []
        out.append(
            text:
                "/CIDInit/ProcSet findresource begin 12 dict begin begincmap/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def/CMapName/Adobe-Identity-UCS def/CMapType 2 def 1 begincodespacerange<0000><FFFF>endcodespacerange\n"
        )
        let told = codes.enumerated().map { (number: $0.offset + 1, scalars: $0.element.meaning) }.filter {
            !$0.scalars.isEmpty
        }
        for start in stride(from: 0, to: told.count, by: 100) {
            let part = told[start..<min(start + 100, told.count)]
            out.append(number: part.count)
            out.append(text: " beginbfchar\n")
            for (number, scalars) in part {
                out.append(text: "<")
                out.append(hex: UInt8(truncatingIfNeeded: number >> 8))
                out.append(hex: UInt8(truncatingIfNeeded: number))
                out.append(text: "><")
                for unit in String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init))).utf16 {
                    out.append(hex: UInt8(unit >> 8))
                    out.append(hex: UInt8(unit & 255))
                }
                out.append(text: ">\n")
            }
            out.append(text: "endbfchar\n")
        }
        out.append(text: "endcmap CMapName currentdict/CMap defineresource pop end end")
        return out
    }
}
