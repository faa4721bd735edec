import Archives
import PDF

/// A PDF that grows by a page for each picture. Nothing but the picture at hand is held in memory.
///
/// JPEG and JPEG 2000 data go in untouched, byte for byte; PNG rows as they are wherever PDF can read them.
public struct PicturePages {
    public let layout: PictureLayout
    public private(set) var count = 0
    private let file: PDFStream
    private let tree: PDFReference
    private var kids: [PDFObject] = []
    private var profiles: [[UInt8]: PDFReference] = [:]
    /// Pictures of a size of their own share sheets of so many points, two on each; nil: each is a page.
    public var sharedSheet: (width: Double, height: Double)?
    private var waiting: [(image: PDFReference, turn: PictureTurn, width: Double, height: Double)] = []

    public init(layout: PictureLayout = PictureLayout(), sink: @escaping ([UInt8]) throws -> Void) throws {
        self.layout = layout
        file = try PDFStream(sink: sink)
        tree = file.newReference()
    }

    /// Turned clockwise by so many degrees, beyond what the picture says of itself; the page is turned, not its bytes.
    public mutating func add(_ bytes: [UInt8], turnedBy angle: Int = 0) throws {
        let picture = try Picture(bytes)
        try add(picture, bytes, on: layout.place(picture), turnedBy: angle, margin: layout.margin)
    }

    mutating func add(
        _ picture: Picture, _ bytes: [UInt8], on place: PictureLayout.Place, turnedBy angle: Int,
        margin: Double = 0
    ) throws {
        let image = try put(picture, bytes)
        try share()
        try add(
            ["Picture": image], Self.drawing(picture.turn, place, margin: margin), place, turnedBy: angle)
    }

    /// A page of so many points that is all picture, whatever the picture says of its own size.
    public mutating func add(_ bytes: [UInt8], width: Double, height: Double) throws {
        let picture = try Picture(bytes)
        try add(try put(picture, bytes), picture.turn, width: width, height: height)
    }

    /// The same, of black and white.
    public mutating func add(_ rows: FaxRows, width: Double, height: Double) throws {
        let image = file.newReference()
        try file.putStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(rows.width),
                "Height": .integer(rows.height), "ColorSpace": .name("DeviceGray"),
                "BitsPerComponent": .integer(1), "Filter": .name("CCITTFaxDecode"),
                "DecodeParms": .dictionary([
                    "K": .integer(-1), "Columns": .integer(rows.width), "Rows": .integer(rows.height),
                ]),
            ], rows.bytes, at: image)
        try add(image, .none, width: width, height: height)
    }

    /// The same, of few colours.
    public mutating func add(_ pixels: FewColors, width: Double, height: Double) throws {
        let image = file.newReference()
        try file.putStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(pixels.width),
                "Height": .integer(pixels.height),
                "ColorSpace": .array([
                    .name("Indexed"), .name("DeviceRGB"), .integer(pixels.palette.count / 3 - 1),
                    .string(pixels.palette),
                ]), "BitsPerComponent": .integer(pixels.bitDepth), "Filter": .name("FlateDecode"),
            ], pixels.packed, at: image)
        try add(image, .none, width: width, height: height)
    }

    private mutating func add(
        _ image: PDFReference, _ turn: PictureTurn, width: Double, height: Double
    ) throws {
        if sharedSheet != nil {
            waiting.append((image, turn, width, height))
            if waiting.count == 2 { try share() }
            return
        }
        let place = PictureLayout.Place(
            pageWidth: width, pageHeight: height, left: 0, bottom: 0, width: width, height: height,
            isCut: false)
        try add(["Picture": image], Self.drawing(turn, place, margin: 0), place)
    }

    /// One below the other in the middle of the sheet, as the sides of a card are copied.
    private mutating func share() throws {
        guard let sheet = sharedSheet, !waiting.isEmpty else { return }
        let pictures = waiting
        waiting = []
        let gap = 40.0
        var top = (sheet.height + pictures.reduce(gap * Double(pictures.count - 1)) { $0 + $1.height }) / 2
        var (images, drawing): ([String: PDFReference], [UInt8]) = ([:], [])
        for (number, picture) in pictures.enumerated() {
            let place = PictureLayout.Place(
                pageWidth: sheet.width, pageHeight: sheet.height, left: (sheet.width - picture.width) / 2,
                bottom: top - picture.height, width: picture.width, height: picture.height, isCut: false)
            let name = "Picture\(number + 1)"
            images[name] = picture.image
            drawing += Self.drawing(picture.turn, place, margin: 0, named: name)
            top -= picture.height + gap
        }
        let all = PictureLayout.Place(
            pageWidth: sheet.width, pageHeight: sheet.height, left: 0, bottom: 0, width: sheet.width,
            height: sheet.height, isCut: false)
        try add(images, drawing, all)
    }

    private mutating func add(
        _ images: [String: PDFReference], _ drawing: [UInt8], _ place: PictureLayout.Place,
        turnedBy angle: Int = 0
    ) throws {
        let content = file.newReference()
        try file.putStream([:], drawing, at: content)
        let page = file.newReference()
        var xObjects: PDFDictionary = [:]
        for (name, image) in images.sorted(by: { $0.key < $1.key }) {
            xObjects[PDFName(name)] = .reference(image)
        }
        var entries: PDFDictionary = [
            "Type": .name("Page"), "Parent": .reference(tree),
            "MediaBox": .array([
                .integer(0), .integer(0), .real(place.pageWidth), .real(place.pageHeight),
            ]),
            "Resources": .dictionary(["XObject": .dictionary(xObjects)]),
            "Contents": .reference(content),
        ]
        if angle % 360 != 0 { entries["Rotate"] = .integer((angle % 360 + 360) % 360) }
        try file.put(.dictionary(entries), at: page)
        kids.append(.reference(page))
        count += 1
    }

    /// The title is left out when empty.
    public mutating func finish(title: String = "") throws {
        try share()
        try file.put(
            .dictionary([
                "Type": .name("Pages"), "Count": .integer(kids.count), "Kids": .array(kids),
            ]), at: tree)
        try file.put(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]), at: file.root)
        var about: PDFDictionary = ["Producer": .text("Quire")]
        if !title.isEmpty { about["Title"] = .text(title) }
        let info = file.newReference()
        try file.put(.dictionary(about), at: info)
        try file.finish(["Info": .reference(info)])
    }

    private static func drawing(
        _ turn: PictureTurn, _ place: PictureLayout.Place, margin: Double, named name: String = "Picture"
    ) -> [UInt8] {
        let m = turn.matrix
        let matrix = [
            m[0] * place.width, m[1] * place.height, m[2] * place.width, m[3] * place.height,
            m[4] * place.width + place.left, m[5] * place.height + place.bottom,
        ]
        var text = "q\n"
        if place.isCut {
            let (width, height) = (place.pageWidth - 2 * margin, place.pageHeight - 2 * margin)
            text += "\(short(margin)) \(short(margin)) \(short(width)) \(short(height)) re W n\n"
        }
        return Array((text + matrix.map(short).joined(separator: " ") + " cm\n/\(name) Do\nQ\n").utf8)
    }

    private static func short(_ value: Double) -> String {
        let thousandths = Int((value * 1000).rounded())
        let (whole, rest) = (abs(thousandths) / 1000, abs(thousandths) % 1000)
        let digits = String(rest + 1000).dropFirst()
        return (thousandths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(digits)")
    }

    private mutating func put(_ picture: Picture, _ bytes: [UInt8]) throws -> PDFReference {
        var entries: PDFDictionary = [
            "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(picture.width),
            "Height": .integer(picture.height),
        ]
        let image = file.newReference()
        switch picture.content {
        case .jpeg(let head):
            entries["ColorSpace"] = try space(head.componentCount, profile: head.profile, isPacked: false)
            entries["BitsPerComponent"] = .integer(8)
            entries["Filter"] = .name("DCTDecode")
            if head.componentCount == 4, head.isAdobe {
                entries["Decode"] = .array((0..<4).flatMap { _ in [PDFObject.integer(1), .integer(0)] })
            }
            try file.putStream(entries, bytes, at: image)
        case .jpeg2000(let head):
            if head.isBare {
                entries["ColorSpace"] = try space(head.componentCount, profile: nil, isPacked: false)
                entries["BitsPerComponent"] = .integer(8)
            }
            entries["Filter"] = .name("JPXDecode")
            try file.putStream(entries, bytes, at: image)
        case .png(let png):
            if png.passesThrough {
                try passThrough(png, entries, at: image)
            } else {
                try unpack(png, entries, at: image)
            }
        }
        return image
    }

    /// The rows as they are: PDF knows PNG's filters as predictors (ISO 32000-2 §7.4.4.4).
    private mutating func passThrough(_ png: PNGFile, _ about: PDFDictionary, at image: PDFReference) throws {
        var entries = about
        entries["ColorSpace"] = try space(png)
        entries["BitsPerComponent"] = .integer(png.bitDepth)
        entries["Filter"] = .name("FlateDecode")
        entries["DecodeParms"] = .dictionary([
            "Predictor": .integer(15), "Colors": .integer(png.samples), "Columns": .integer(png.width),
            "BitsPerComponent": .integer(png.bitDepth),
        ])
        if !png.transparency.isEmpty {
            if png.colors == .palette {
                try putMask(ofPalette: png, into: &entries)
            } else if png.transparency.count == png.samples * 2 {
                // One colour is none.
                var range: [PDFObject] = []
                for sample in 0..<png.samples {
                    let value = Int(png.transparency[sample * 2]) << 8 | Int(png.transparency[sample * 2 + 1])
                    range += [.integer(value), .integer(value)]
                }
                entries["Mask"] = .array(range)
            }
        }
        try file.putStream(entries, png.rows, at: image)
    }

    /// Colours of a palette that let through what lies below. The rows themselves still pass on as they are.
    private mutating func putMask(ofPalette png: PNGFile, into entries: inout PDFDictionary) throws {
        let clear = png.transparency.indices.filter { png.transparency[$0] != 255 }
        guard let only = clear.first else { return }
        if clear.count == 1, png.transparency[only] == 0 {
            entries["Mask"] = .array([.integer(only), .integer(only)])
            return
        }
        let pixels = try PNGPixels(png).rows
        let rowByteCount = png.rowByteCount(width: png.width)
        let perByte = 8 / png.bitDepth
        let low = UInt8(truncatingIfNeeded: (1 << png.bitDepth) - 1)
        var opacity: [UInt8] = []
        opacity.reserveCapacity(png.width * png.height)
        for y in 0..<png.height {
            for x in 0..<png.width {
                let byte = pixels[y * rowByteCount + x / perByte]
                let index = Int(byte >> UInt8((perByte - 1 - x % perByte) * png.bitDepth) & low)
                opacity.append(index < png.transparency.count ? png.transparency[index] : 255)
            }
        }
        entries["SMask"] = .reference(try putMask(opacity, png.width, png.height, bits: 8))
    }

    /// Colours and opacity live apart in PDF; here they are pulled apart and packed again, nothing lost.
    private mutating func unpack(_ png: PNGFile, _ about: PDFDictionary, at image: PDFReference) throws {
        let pixels = try PNGPixels(png).rows
        var entries = about
        entries["ColorSpace"] = try space(png)
        entries["BitsPerComponent"] = .integer(png.bitDepth)
        guard png.colors == .grayAlpha || png.colors == .rgbAlpha else {
            return try file.putPacked(entries, pixels, at: image)
        }
        let sample = png.bitDepth / 8
        let colors = (png.samples - 1) * sample
        var paint = [UInt8](repeating: 0, count: png.width * png.height * colors)
        var opacity = [UInt8](repeating: 0, count: png.width * png.height * sample)
        var isClear = false
        pixels.withUnsafeBufferPointer { from in
            var (place, painted, masked) = (0, 0, 0)
            for _ in 0..<png.width * png.height {
                for _ in 0..<colors {
                    paint[painted] = from[place]
                    painted += 1
                    place += 1
                }
                for _ in 0..<sample {
                    opacity[masked] = from[place]
                    if from[place] != 255 { isClear = true }
                    masked += 1
                    place += 1
                }
            }
        }
        if isClear {
            entries["SMask"] = .reference(
                try putMask(opacity, png.width, png.height, bits: png.bitDepth))
        }
        try file.putPacked(entries, paint, at: image)
    }

    private func putMask(_ opacity: [UInt8], _ width: Int, _ height: Int, bits: Int) throws -> PDFReference {
        let mask = file.newReference()
        try file.putPacked(
            [
                "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(width),
                "Height": .integer(height), "ColorSpace": .name("DeviceGray"),
                "BitsPerComponent": .integer(bits),
            ], opacity, at: mask)
        return mask
    }

    private mutating func space(_ png: PNGFile) throws -> PDFObject {
        let base = try space(png.colors.isGray ? 1 : 3, profile: png.profile, isPacked: true)
        guard png.colors == .palette else { return base }
        let colors = png.palette.count / 3
        return .array([
            .name("Indexed"), base, .integer(min(colors, 1 << png.bitDepth) - 1),
            .string(Array(png.palette.prefix(min(colors, 1 << png.bitDepth) * 3))),
        ])
    }

    /// A camera's photos share one profile, so it is written once.
    private mutating func space(_ components: Int, profile: [UInt8]?, isPacked: Bool) throws -> PDFObject {
        let device = components == 1 ? "DeviceGray" : components == 3 ? "DeviceRGB" : "DeviceCMYK"
        guard let profile else { return .name(PDFName(device)) }
        if let known = profiles[profile] { return .array([.name("ICCBased"), .reference(known)]) }
        let reference = file.newReference()
        let entries: PDFDictionary = [
            "N": .integer(components), "Alternate": .name(PDFName(device)),
        ]
        if isPacked {
            var entries = entries
            entries["Filter"] = .name("FlateDecode")
            try file.putStream(entries, profile, at: reference)
        } else {
            try file.putPacked(entries, profile, at: reference)
        }
        profiles[profile] = reference
        return .array([.name("ICCBased"), .reference(reference)])
    }
}
