public import PDF

/// A font of the form, as a writer of appearances must know it: which code shows which character, how wide it is, how
/// high the letters are. Of a composite font the codes of one byte are none; its own are in `composite`.
public final class TemplateFont: Sendable {
    /// The name under which content streams call it, and what that name stands for in /Resources.
    public let name: PDFName
    public let resource: PDFObject
    /// In thousandths of the size.
    public let widths: [UInt16]
    public let ascent: Double
    public let descent: Double
    public let capitals: Double
    public let lineHeight: Double
    /// True when the codes of ASCII are ASCII.
    public let isASCII: Bool
    public let isBold: Bool
    public let isItalic: Bool
    public let isSerif: Bool
    public let isFixed: Bool
    let composite: CompositeFont?
    private let codes: [UInt8]
    private let farCodes: [UInt32: UInt8]
    /// Copies of the tables at addresses that stay, for `plain`. Written once, before anybody else sees the font.
    private nonisolated(unsafe) let plainWidths: UnsafeMutablePointer<UInt16>
    private nonisolated(unsafe) let plainCodes: UnsafeMutablePointer<UInt8>
    static let nearLimit = 0x2200

    public static let helveticaResource: PDFObject = .dictionary([
        "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
        "Encoding": .name("WinAnsiEncoding"),
    ])

    /// Nil when it is no font, or a composite one that cannot be written with.
    public convenience init?(_ file: PDFFile, _ object: PDFObject, name: PDFName) {
        guard let font = file.dictionary(object) else { return nil }
        let kind = file.resolve(font["Subtype"]).name
        if kind == "Type0" {
            guard let composite = CompositeFont(file, font),
                let below = file.dictionary(file.array(font["DescendantFonts"]).first)
            else { return nil }
            self.init(file, below, resource: object, name: name, isTrueType: false, composite: composite)
            return
        }
        guard kind == "Type1" || kind == "TrueType" || kind == "MMType1" else { return nil }
        self.init(file, font, resource: object, name: name, isTrueType: kind == "TrueType")
    }

    private init(
        _ file: PDFFile, _ font: PDFDictionary, resource: PDFObject, name: PDFName, isTrueType: Bool,
        composite: CompositeFont? = nil
    ) {
        self.name = name
        self.composite = composite
        self.resource = resource
        let baseName = file.resolve(font["BaseFont"]).name?.text ?? ""
        let standard = StandardFont(nearest: baseName)
        let descriptor = file.dictionary(font["FontDescriptor"])
        let flags = file.resolve(descriptor?["Flags"]).integer ?? 0
        let program = composite == nil ? descriptor.flatMap { Self.program(file, $0) } : nil
        var scalars =
            composite == nil
            ? Self.encoding(
                file, font, standard, program, isTrueType: isTrueType, isSymbolic: flags & 4 != 0)
            : [UInt32](repeating: 0, count: 256)

        var widths = [UInt16](repeating: 0, count: 256)
        let first = file.resolve(font["FirstChar"]).integer ?? 0
        let listed = file.array(font["Widths"])
        if !listed.isEmpty {
            let missing = file.resolve(descriptor?["MissingWidth"]).number ?? 0
            for code in 0..<256 {
                let (index, overflow) = code.subtractingReportingOverflow(first)
                let width =
                    !overflow && listed.indices.contains(index)
                    ? file.resolve(listed[index]).number ?? 0 : missing
                widths[code] = UInt16(min(max(width.isFinite ? width : 0, 0), 5000))
            }
        } else {
            for code in 0..<256 {
                widths[code] = standard.width(code: code) ?? standard.width(scalars[code]) ?? 0
            }
        }
        // What has no width or no picture in the embedded program would be invisible: better taken from another font.
        for code in 0..<256 where scalars[code] != 0 {
            let isShown = program?.has(scalars[code], code: UInt8(code)) ?? true
            if widths[code] == 0 || !isShown { scalars[code] = 0 }
        }
        self.widths = widths

        var codes = [UInt8](repeating: 0, count: Self.nearLimit)
        var farCodes: [UInt32: UInt8] = [:]
        for code in stride(from: 255, through: 1, by: -1) {
            let scalar = scalars[code]
            if scalar >= 32, scalar < Self.nearLimit { codes[Int(scalar)] = UInt8(code) }
            if scalar >= Self.nearLimit { farCodes[scalar] = UInt8(code) }
        }
        // The code a space has in ASCII is the one viewers stretch; a no-break space is drawn as a space.
        if scalars[32] == 32 { codes[32] = 32 }
        if codes[0xA0] == 0 { codes[0xA0] = codes[32] }
        self.codes = codes
        self.farCodes = farCodes
        plainWidths = .allocate(capacity: 256)
        plainWidths.initialize(from: widths, count: 256)
        plainCodes = .allocate(capacity: Self.nearLimit)
        plainCodes.initialize(from: codes, count: Self.nearLimit)
        isASCII = (32..<127).allSatisfy { codes[$0] == UInt8($0) }

        let usual = standard.measures
        func measure(_ key: PDFName, _ usual: Double, _ range: ClosedRange<Double>) -> Double {
            guard let value = file.resolve(descriptor?[key]).number, range.contains(abs(value)) else {
                return usual
            }
            return value
        }
        ascent = abs(measure("Ascent", usual.ascent, 300...1500)) / 1000
        descent = -abs(measure("Descent", usual.descent, 50...800)) / 1000
        capitals = abs(measure("CapHeight", usual.capitals, 300...1200)) / 1000
        let box = file.numbers(descriptor?["FontBBox"])
        let boxHeight = box.count == 4 ? abs(box[3] - box[1]) : 0
        lineHeight = ((700...2000).contains(boxHeight) ? min(boxHeight, 1300) : usual.box) / 1000
        isBold = standard.isBold || flags & (1 << 18) != 0
        isItalic = standard.isItalic || flags & (1 << 6) != 0
        isSerif = standard.family == .times
        isFixed = standard.family == .courier || flags & 1 != 0
    }

    deinit {
        plainWidths.deallocate()
        plainCodes.deallocate()
    }

    public var plain: PlainFont { PlainFont(self, widths: plainWidths, codes: plainCodes) }

    /// The code for a character, or nil when the font cannot show it.
    @inline(__always) public func code(_ scalar: UInt32) -> UInt8? {
        if scalar < Self.nearLimit {
            let code = codes[Int(scalar)]
            return code == 0 ? nil : code
        }
        return farCodes[scalar]
    }

    private static func program(_ file: PDFFile, _ descriptor: PDFDictionary) -> EmbeddedGlyphs? {
        for key: PDFName in ["FontFile", "FontFile2", "FontFile3"] {
            if let reference = descriptor[key]?.reference, let bytes = file.stream(reference, limit: 32 << 20)
            {
                return EmbeddedGlyphs(bytes)
            }
        }
        return nil
    }

    /// Characters by code: the base encoding, then the differences.
    private static func encoding(
        _ file: PDFFile, _ font: PDFDictionary, _ standard: StandardFont, _ program: EmbeddedGlyphs?,
        isTrueType: Bool, isSymbolic: Bool
    ) -> [UInt32] {
        let named = file.resolve(font["Encoding"])
        let baseName = named.name ?? file.resolve(named.dictionary?["BaseEncoding"]).name
        var scalars: [UInt32]
        switch baseName {
        case "WinAnsiEncoding": scalars = EncodingTables.winAnsi
        case "MacRomanEncoding": scalars = EncodingTables.macRoman
        case "StandardEncoding": scalars = EncodingTables.standard
        case "PDFDocEncoding":
            scalars = (0..<256).map { PDFText.decode([UInt8($0)]).unicodeScalars.first?.value ?? 0 }
        default:
            let own = program?.ownEncoding
            if isTrueType, standard.family != .symbol, standard.family != .dingbats,
                !isSymbolic || own == nil
            {
                scalars = Self.agreed(own)
            } else if let own {
                scalars = own
            } else if standard.family == .symbol || standard.family == .dingbats {
                scalars = [UInt32](repeating: 0, count: 256)
                if named.dictionary == nil { return scalars }
            } else {
                scalars = EncodingTables.standard
            }
        }
        var code = 0
        for item in file.array(named.dictionary?["Differences"]) {
            switch file.resolve(item) {
            case .integer(let value): code = value
            case .name(let name):
                if (0..<256).contains(code) { scalars[code] = GlyphNames.scalar(name.text) ?? 0 }
                code += 1
            default: break
            }
        }
        return scalars
    }

    /// What the codes of a TrueType font mean that names no encoding: the standard says Adobe's standard one (§9.6.5.4),
    /// some programs take Windows', some the font's own. Only codes that mean the same to all of them can be written.
    private static func agreed(_ own: [UInt32]?) -> [UInt32] {
        (0..<256).map { code in
            let scalar = EncodingTables.standard[code]
            let isAgreed = scalar == EncodingTables.winAnsi[code] && scalar == own?[code] ?? scalar
            return isAgreed ? scalar : 0
        }
    }
}

extension TemplateFont {
    /// A font without letters: all that is set in it comes in fonts of this machine, of which the letters that are used
    /// travel with the paper.
    public static func ofThisMachine(isBold: Bool = false, _ file: PDFFile) -> TemplateFont {
        let font: PDFDictionary = [
            "Type": .name("Font"), "Subtype": .name("Type1"),
            "BaseFont": .name(isBold ? "Helvetica-Bold" : "Helvetica"),
            "FirstChar": .integer(0), "Widths": .array([.integer(0)]),
        ]
        return TemplateFont(file, font, resource: .dictionary(font), name: "None", isTrueType: false)
    }

    /// A standard font for a name that leads to none: `Helv`, `TiBo` and the like, or what it sounds like.
    public static func standard(near called: String, name: PDFName, _ file: PDFFile) -> TemplateFont {
        let near = StandardFont(nearest: called)
        let base: PDFName =
            switch (near.family, near.isBold, near.isItalic) {
            case (.dingbats, _, _): "ZapfDingbats"
            case (.symbol, _, _): "Symbol"
            case (.courier, false, _): "Courier"
            case (.courier, true, _): "Courier-Bold"
            case (.times, false, false): "Times-Roman"
            case (.times, true, false): "Times-Bold"
            case (.times, false, true): "Times-Italic"
            case (.times, true, true): "Times-BoldItalic"
            case (.helvetica, false, false): "Helvetica"
            case (.helvetica, true, false): "Helvetica-Bold"
            case (.helvetica, false, true): "Helvetica-Oblique"
            case (.helvetica, true, true): "Helvetica-BoldOblique"
            }
        var font: PDFDictionary = ["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name(base)]
        if near.family != .symbol, near.family != .dingbats { font["Encoding"] = .name("WinAnsiEncoding") }
        return TemplateFont(file, font, resource: .dictionary(font), name: name, isTrueType: false)
    }
}
