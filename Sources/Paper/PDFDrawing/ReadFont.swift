public import PDF

/// A font as a reader of a finished page must know it: what a code shows, how wide it is, and whether the font really
/// has a picture for it. Worked out from the file alone, apart from how fonts are chosen for writing, so that the one
/// can be held against the other.
public final class ReadFont {
    public struct Sign: Equatable {
        /// What it stands for; empty when the font does not tell.
        public var text: String
        /// In thousandths of the size.
        public var width: Double
        /// False when the font would show an empty box, or nothing.
        public var hasGlyph: Bool
    }

    private enum Kind {
        case simple(scalars: [UInt32], widths: [Double])
        case composite(widths: [Int: Double], usual: Double, glyphs: [UInt8]?)
    }

    private let kind: Kind
    private let texts: [Int: String]
    private let program: EmbeddedGlyphs?
    private let isEmbedded: Bool

    /// Nil when it is no font this reader understands.
    public init?(_ file: some ObjectSource, _ object: PDFObject?) {
        guard let font = file.dictionary(object) else { return nil }
        texts = font["ToUnicode"]?.reference.flatMap { file.stream($0, limit: 4 << 20) }.map(Self.map) ?? [:]
        if file.resolve(font["Subtype"]).name == "Type0" {
            guard let below = file.dictionary(file.array(font["DescendantFonts"]).first),
                let encoding = file.resolve(font["Encoding"]).name, encoding == "Identity-H"
            else { return nil }
            let (widths, usual) = Self.widths(file, below)
            let map = below["CIDToGIDMap"]?.reference.flatMap { file.stream($0, limit: 1 << 20) }
            kind = .composite(widths: widths, usual: usual, glyphs: map)
            (program, isEmbedded) = Self.program(file, below["FontDescriptor"])
            return
        }
        let named = file.resolve(font["Encoding"])
        let base = named.name ?? file.resolve(named.dictionary?["BaseEncoding"]).name
        (program, isEmbedded) = Self.program(file, font["FontDescriptor"])
        let standard = StandardFont(nearest: file.resolve(font["BaseFont"]).name?.text ?? "")
        var scalars: [UInt32]
        switch base {
        case "WinAnsiEncoding": scalars = EncodingTables.winAnsi
        case "MacRomanEncoding": scalars = EncodingTables.macRoman
        case "PDFDocEncoding":
            scalars = (0..<256).map { PDFText.decode([UInt8($0)]).unicodeScalars.first?.value ?? 0 }
        default:
            // Viewers read a TrueType font that is not symbolic by this table, whatever its program says (§9.6.5.4).
            let flags = file.resolve(file.dictionary(font["FontDescriptor"])?["Flags"]).integer ?? 0
            let isPlain = file.resolve(font["Subtype"]).name == "TrueType" && flags & 4 == 0
            scalars = isPlain ? EncodingTables.standard : program?.ownEncoding ?? EncodingTables.standard
        }
        var code = 0
        for item in file.array(named.dictionary?["Differences"]) {
            switch file.resolve(item) {
            case .integer(let value): code = value
            case .name(let name):
                if scalars.indices.contains(code) { scalars[code] = GlyphNames.scalar(name.text) ?? 0 }
                code = code < 256 ? code + 1 : code
            default: break
            }
        }
        var widths = [Double](repeating: 0, count: 256)
        let listed = file.array(font["Widths"])
        let first = file.resolve(font["FirstChar"]).integer ?? 0
        let missing = file.resolve(file.dictionary(font["FontDescriptor"])?["MissingWidth"]).number ?? 0
        for code in 0..<256 {
            if listed.isEmpty {
                widths[code] = Double(standard.width(code: code) ?? standard.width(scalars[code]) ?? 0)
            } else {
                let (index, overflow) = code.subtractingReportingOverflow(first)
                let isListed = !overflow && listed.indices.contains(index)
                widths[code] = isListed ? file.resolve(listed[index]).number ?? 0 : missing
            }
        }
        kind = .simple(scalars: scalars, widths: widths)
    }

    /// The signs a shown string makes.
    public func signs(_ string: [UInt8]) -> [Sign] {
        switch kind {
        case .simple(let scalars, let widths):
            return string.map { code in
                let scalar = scalars[Int(code)]
                let text =
                    texts[Int(code)]
                    ?? Unicode.Scalar(scalar).map { scalar == 0 ? "" : String(Character($0)) }
                let has = program.map { $0.has(scalar, code: code) } ?? (!isEmbedded && scalar != 0)
                return Sign(text: text ?? "", width: widths[Int(code)], hasGlyph: has)
            }
        case .composite(let widths, let usual, let glyphs):
            return stride(from: 0, to: string.count - 1, by: 2).map { index in
                let code = Int(string[index]) << 8 | Int(string[index + 1])
                var glyph = code
                if let glyphs {
                    glyph =
                        code * 2 + 1 < glyphs.count
                        ? Int(glyphs[code * 2]) << 8 | Int(glyphs[code * 2 + 1]) : 0
                }
                return Sign(
                    text: texts[code] ?? "", width: widths[code] ?? usual,
                    hasGlyph: program?.hasGlyph(glyph) ?? false)
            }
        }
    }

    /// The widths of a composite font by code, and the one of those not listed (§9.7.4.3).
    public static func widths(_ file: some ObjectSource, _ below: PDFDictionary) -> ([Int: Double], Double) {
        var widths: [Int: Double] = [:]
        let list = file.array(below["W"])
        var index = 0
        while index + 1 < list.count {
            guard let first = file.resolve(list[index]).integer else { break }
            if let each = file.resolve(list[index + 1]).array {
                for (offset, width) in each.enumerated() where first < 1 << 20 {
                    widths[first + offset] = file.resolve(width).number ?? 0
                }
                index += 2
            } else {
                guard index + 2 < list.count, let last = file.resolve(list[index + 1]).integer,
                    last >= first, last - first < 1 << 16
                else { break }
                for code in first...last { widths[code] = file.resolve(list[index + 2]).number ?? 0 }
                index += 3
            }
        }
        return (widths, file.resolve(below["DW"]).number ?? 1000)
    }

    private static func program(
        _ file: some ObjectSource, _ descriptor: PDFObject?
    ) -> (EmbeddedGlyphs?, Bool) {
        guard let descriptor = file.dictionary(descriptor) else { return (nil, false) }
        for key: PDFName in ["FontFile", "FontFile2", "FontFile3"] {
            guard let reference = descriptor[key]?.reference else { continue }
            return (file.stream(reference, limit: 32 << 20).flatMap(EmbeddedGlyphs.init), true)
        }
        return (nil, false)
    }

    // MARK: What codes stand for

    /// A ToUnicode map: single codes, stretches, and lists (ISO 32000-2 §9.10.3).
    public static func map(_ bytes: [UInt8]) -> [Int: String] {
        var words: [PDFObject] = []
        var texts: [Int: String] = [:]
        for word in ContentWords(bytes) {
            switch word {
            case .operand(let object): words.append(object)
            case .operation(let name):
                if name == "endbfchar" {
                    for index in stride(from: 0, to: words.count - 1, by: 2) {
                        if let code = code(words[index]) { texts[code] = text(words[index + 1]) }
                    }
                } else if name == "endbfrange" {
                    for index in stride(from: 0, to: words.count - 2, by: 3) {
                        range(words[index], words[index + 1], words[index + 2], into: &texts)
                    }
                }
                words = []
            }
        }
        return texts
    }

    private static func range(
        _ first: PDFObject, _ last: PDFObject, _ meant: PDFObject, into texts: inout [Int: String]
    ) {
        guard let first = code(first), let last = code(last), first <= last, last - first < 1 << 16 else {
            return
        }
        if let list = meant.array {
            for (offset, item) in list.prefix(last - first + 1).enumerated() {
                texts[first + offset] = text(item)
            }
            return
        }
        guard let start = text(meant)?.unicodeScalars, let end = start.last else { return }
        for offset in 0...(last - first) {
            guard let scalar = Unicode.Scalar(end.value &+ UInt32(offset)) else { break }
            texts[first + offset] =
                String(String.UnicodeScalarView(start.dropLast())) + String(Character(scalar))
        }
    }

    private static func code(_ object: PDFObject) -> Int? {
        guard let bytes = object.bytes, !bytes.isEmpty, bytes.count <= 2 else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func text(_ object: PDFObject) -> String? {
        guard let bytes = object.bytes else { return nil }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
