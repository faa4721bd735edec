import Bytes
public import PDF

/// A picture for an image field, given as a data address (`data:image/png;base64,…`), in the shape a PDF keeps it. JPEG
/// and most PNG go in as they are; only where colours and transparency lie mixed they are taken apart.
public struct EmbeddedImage {
    public private(set) var width: Int
    public private(set) var height: Int
    var entries: PDFDictionary
    var data: [UInt8]
    /// How opaque each dot is, when some are not.
    var mask: [UInt8]?

    static let prefix = "data:image/"
    private static let largestSide = 20_000
    private static let largestData = 32 << 20

    /// Nil when the text is no picture this engine knows.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let comma = text.firstIndex(of: ","),
            text[..<comma].hasSuffix(";base64"), text.utf8.count < Self.largestData,
            let bytes = Base64.decode(String(text[text.index(after: comma)...]))
        else { return nil }
        self.init(bytes)
    }

    public init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8]) {
            self.init(jpeg: bytes)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self.init(png: bytes)
        } else {
            return nil
        }
        guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height) else {
            return nil
        }
    }

    /// Some dots let through what lies below: that takes an object of its own.
    public var isMasked: Bool { mask != nil }

    public func put(at dots: PDFReference, mask hidden: PDFReference?, into revision: inout PDFRevision) {
        var entries = entries
        entries["Type"] = .name("XObject")
        entries["Subtype"] = .name("Image")
        entries["Width"] = .integer(width)
        entries["Height"] = .integer(height)
        if let mask, let hidden {
            entries["SMask"] = .reference(hidden)
            var maskEntries = entries.without("SMask", "Decode", "DecodeParms")
            maskEntries["ColorSpace"] = .name("DeviceGray")
            revision.putStream(maskEntries, mask, at: hidden)
        }
        revision.putStream(entries, data, at: dots)
    }

    // MARK: JPEG

    private init?(jpeg bytes: [UInt8]) {
        var at = 2
        var isAdobe = false
        while at + 9 < bytes.count {
            guard bytes[at] == 0xFF else { return nil }
            let kind = bytes[at + 1]
            if kind == 0xFF {
                at += 1
                continue
            }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            if kind == 0xEE, length >= 14, at + 9 < bytes.count,
                bytes[(at + 4)...].starts(with: Array("Adobe".utf8))
            {
                isAdobe = true
            }
            // The frame header, of which there are many kinds; C4, C8 and CC are others' numbers.
            if (0xC0...0xCF).contains(kind), kind != 0xC4, kind != 0xC8, kind != 0xCC {
                height = Int(bytes[at + 5]) << 8 | Int(bytes[at + 6])
                width = Int(bytes[at + 7]) << 8 | Int(bytes[at + 8])
                let spaces: [UInt8: PDFName] = [1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"]
                guard let space = spaces[bytes[at + 9]] else { return nil }
                entries = [
                    "ColorSpace": .name(space), "BitsPerComponent": .integer(Int(bytes[at + 4])),
                    "Filter": .name("DCTDecode"),
                ]
                // Adobe's programs keep ink the other way round.
                if space == "DeviceCMYK", isAdobe {
                    entries["Decode"] = .array([1, 0, 1, 0, 1, 0, 1, 0].map(PDFObject.integer))
                }
                data = bytes
                return
            }
            guard length >= 2 else { return nil }
            at += 2 + length
        }
        return nil
    }

    // MARK: PNG

    private init?(png bytes: [UInt8]) {
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        var packed: [UInt8] = []
        var palette: [UInt8] = []
        var head: ArraySlice<UInt8> = []
        var at = 8
        while at + 12 <= bytes.count {
            let length = number(at)
            guard length <= bytes.count - at - 12 else { return nil }
            let content = bytes[at + 8..<at + 8 + length]
            switch String(decoding: bytes[at + 4..<at + 8], as: UTF8.self) {
            case "IHDR": head = content
            case "PLTE": palette = Array(content)
            case "IDAT": packed += content
            default: break
            }
            at += 12 + length
        }
        guard head.count == 13, !packed.isEmpty else { return nil }
        width = number(head.startIndex)
        height = number(head.startIndex + 4)
        guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height) else {
            return nil
        }
        let bits = Int(head[head.startIndex + 8])
        let kind = head[head.startIndex + 9]
        // Interlaced pictures come in seven passes, which a PDF does not know.
        guard head[head.startIndex + 12] == 0, [1, 2, 4, 8, 16].contains(bits) else { return nil }
        let colours: Int
        let space: PDFObject
        switch kind {
        case 0: (colours, space) = (1, .name("DeviceGray"))
        case 2: (colours, space) = (3, .name("DeviceRGB"))
        case 3:
            guard palette.count >= 3, palette.count <= 768 else { return nil }
            colours = 1
            space = .array([
                .name("Indexed"), .name("DeviceRGB"), .integer(palette.count / 3 - 1), .string(palette),
            ])
        case 4: (colours, space) = (2, .name("DeviceGray"))
        case 6: (colours, space) = (4, .name("DeviceRGB"))
        default: return nil
        }
        entries = [
            "ColorSpace": space, "BitsPerComponent": .integer(bits), "Filter": .name("FlateDecode"),
        ]
        let rows: PDFDictionary = [
            "Predictor": .integer(15), "Colors": .integer(colours), "BitsPerComponent": .integer(bits),
            "Columns": .integer(width),
        ]
        guard kind == 4 || kind == 6 else {
            entries["DecodeParms"] = .dictionary(rows)
            data = packed
            return
        }
        let step = bits / 8
        guard step > 0, width * height <= 40_000_000,
            let dots = Self.unpacked(packed, rows), dots.count >= width * height * colours * step
        else { return nil }
        var plain: [UInt8] = []
        var opaque: [UInt8] = []
        plain.reserveCapacity(width * height * (colours - 1) * step)
        opaque.reserveCapacity(width * height * step)
        for dot in stride(from: 0, to: width * height * colours * step, by: colours * step) {
            plain += dots[dot..<dot + (colours - 1) * step]
            opaque += dots[dot + (colours - 1) * step..<dot + colours * step]
        }
        guard let shown = deflated(plain), let hidden = deflated(opaque) else { return nil }
        data = shown
        mask = hidden
    }

    /// Undone by qpdf, which knows how PNG packs its rows.
    private static func unpacked(_ packed: [UInt8], _ rows: PDFDictionary) -> [UInt8]? {
        var draft = PDFDraft()
        let stream = draft.addStream(
            ["Filter": .name("FlateDecode"), "DecodeParms": .dictionary(rows)], packed)
        let pages = draft.add(
            .dictionary(["Type": .name("Pages"), "Kids": .array([]), "Count": .integer(0)]))
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(pages)]))
        return (try? PDFFile(bytes: draft.bytes(root: root)))?.stream(stream)
    }
}

/// How a button fits its picture (ISO 32000-2 table 250).
struct ImageFit: Sendable {
    enum Scaling: Sendable { case always, whenBigger, whenSmaller, never }

    var scaling = Scaling.always
    var isProportional = true
    /// Where what is left over goes: 0 is left or bottom, 1 is right or top.
    var left = 0.5
    var bottom = 0.5
    var ignoresBorder = false

    init(_ file: PDFFile, _ style: PDFDictionary) {
        guard let fit = file.dictionary(style["IF"]) else { return }
        switch file.resolve(fit["SW"]).name {
        case "B": scaling = .whenBigger
        case "S": scaling = .whenSmaller
        case "N": scaling = .never
        default: break
        }
        isProportional = file.resolve(fit["S"]).name != "A"
        let rest = file.numbers(fit["A"])
        if rest.count == 2 { (left, bottom) = (min(max(rest[0], 0), 1), min(max(rest[1], 0), 1)) }
        ignoresBorder = file.resolve(fit["FB"]).boolean ?? false
    }

    /// Width, height, and place in a box of this size, of a picture whose dots are points.
    func place(
        _ image: EmbeddedImage, width: Double, height: Double, inset: Double
    ) -> (width: Double, height: Double, x: Double, y: Double) {
        let edge = ignoresBorder ? 0 : inset
        let room = (width: max(1, width - 2 * edge), height: max(1, height - 2 * edge))
        var size = (width: Double(image.width), height: Double(image.height))
        let isBigger = size.width > room.width || size.height > room.height
        let scales: Bool
        switch scaling {
        case .always: scales = true
        case .whenBigger: scales = isBigger
        case .whenSmaller: scales = !isBigger
        case .never: scales = false
        }
        if scales, isProportional {
            let factor = min(room.width / size.width, room.height / size.height)
            size = (size.width * factor, size.height * factor)
        } else if scales {
            size = room
        }
        return (
            size.width, size.height, edge + (room.width - size.width) * left,
            edge + (room.height - size.height) * bottom
        )
    }
}
