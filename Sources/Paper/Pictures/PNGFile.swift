import Archives

/// A PNG file taken apart into its chunks (PNG, third edition §11). What may go onto a page as it is stays packed.
struct PNGFile: Sendable {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    enum Colors: UInt8, Sendable {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgbAlpha = 6
    }

    let width: Int
    let height: Int
    let bitDepth: Int
    let colors: Colors
    let isInterlaced: Bool
    private(set) var palette: [UInt8] = []
    private(set) var transparency: [UInt8] = []
    private(set) var dotsPerInch: Double?
    private(set) var turn = PictureTurn.none
    /// Packed by zlib, checked.
    private(set) var profile: [UInt8]?
    /// It was read to its end.
    private(set) var isWhole = false
    /// It holds several pictures, to be shown one after the other.
    private(set) var isMoving = false
    /// The zlib stream of all rows.
    private(set) var rows: [UInt8] = []

    init(_ bytes: [UInt8]) throws(PictureError) {
        let view = ByteView(bytes)
        guard view.number(8, bytes: 4) == 13, view.begins("IHDR", at: 12),
            let width = view.number(16, bytes: 4), let height = view.number(20, bytes: 4),
            let depth = view[24], let kind = view[25].flatMap(Colors.init(rawValue:)),
            let interlacing = view[28]
        else { throw .damaged("its head breaks off") }
        guard width > 0, height > 0, width < 1 << 28, height < 1 << 28, interlacing < 2,
            kind.depths.contains(Int(depth))
        else { throw .damaged("its head makes no sense") }
        (self.width, self.height, bitDepth, colors) = (width, height, Int(depth), kind)
        isInterlaced = interlacing == 1

        var place = 33
        var packedProfile: ArraySlice<UInt8>?
        while let length = view.number(place, bytes: 4), let body = view.part(place + 8, length) {
            let part = ByteView(body)
            if view.begins("IDAT", at: place + 4) {
                rows += body
            } else if view.begins("PLTE", at: place + 4) {
                palette = Array(body.prefix(768))
            } else if view.begins("tRNS", at: place + 4) {
                transparency = Array(body.prefix(256))
            } else if view.begins("pHYs", at: place + 4), part[8] == 1,
                let perMetre = part.number(0, bytes: 4)
            {
                dotsPerInch = Double(perMetre) * 0.0254
            } else if view.begins("eXIf", at: place + 4) {
                turn = Exif(body)?.turn ?? .none
            } else if view.begins("iCCP", at: place + 4), let zero = body.firstIndex(of: 0) {
                packedProfile = body[zero...].dropFirst(2)
            } else if view.begins("acTL", at: place + 4) {
                isMoving = (part.number(0, bytes: 4) ?? 0) > 1
            } else if view.begins("IEND", at: place + 4) {
                isWhole = true
                break
            }
            place += length + 12
        }
        guard !rows.isEmpty else { throw .damaged("it has no pixels") }
        if colors == .palette, palette.count < 3 { throw .damaged("its palette is missing") }
        if let packed = packedProfile.map(Array.init), let plain = inflated(packed, .zlib, limit: 8 << 20),
            ColorProfile.fits(plain, components: colors.isGray ? 1 : 3)
        {
            profile = packed
        }
    }

    /// Samples for each pixel, with alpha.
    var samples: Int {
        switch colors {
        case .gray, .palette: 1
        case .grayAlpha: 2
        case .rgb: 3
        case .rgbAlpha: 4
        }
    }

    func rowByteCount(width: Int) -> Int { (width * samples * bitDepth + 7) / 8 }

    /// PDF's own PNG predictors read the rows as they are, unless they hold alpha or come in seven passes.
    var passesThrough: Bool { !isInterlaced && colors != .grayAlpha && colors != .rgbAlpha }
}

extension PNGFile.Colors {
    var isGray: Bool { self == .gray || self == .grayAlpha }

    fileprivate var depths: [Int] {
        switch self {
        case .gray: [1, 2, 4, 8, 16]
        case .palette: [1, 2, 4, 8]
        case .rgb, .grayAlpha, .rgbAlpha: [8, 16]
        }
    }
}
