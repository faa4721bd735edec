/// The little of EXIF that matters on a page: which way is up, and how large a pixel is.
struct Exif: Equatable {
    var turn = PictureTurn.none
    var dotsPerInch: Double?

    /// `bytes` begin with the TIFF head (Exif 2.32 §4.5.2).
    init?(_ bytes: ArraySlice<UInt8>) {
        let view = ByteView(bytes)
        let isLittle: Bool
        if view.begins("II*\0") {
            isLittle = true
        } else if view.begins("MM\0*") {
            isLittle = false
        } else {
            return nil
        }
        guard let start = view.number(4, bytes: 4, isLittle: isLittle),
            let count = view.number(start, bytes: 2, isLittle: isLittle)
        else { return nil }
        var unit = 2
        var density: Double?
        for index in 0..<min(count, 512) {
            let entry = start + 2 + index * 12
            guard let tag = view.number(entry, bytes: 2, isLittle: isLittle) else { break }
            let short = view.number(entry + 8, bytes: 2, isLittle: isLittle)
            switch tag {
            case 0x0112: turn = short.flatMap(PictureTurn.init(rawValue:)) ?? .none
            case 0x0128: unit = short ?? 2
            case 0x011A:
                guard let place = view.number(entry + 8, bytes: 4, isLittle: isLittle),
                    let above = view.number(place, bytes: 4, isLittle: isLittle),
                    let below = view.number(place + 4, bytes: 4, isLittle: isLittle), below > 0, above > 0
                else { continue }
                density = Double(above) / Double(below)
            default: continue
            }
        }
        dotsPerInch = density.map { unit == 3 ? $0 * 2.54 : $0 }
    }
}

/// How a picture must be turned to be upright (Exif 2.32, tag 274).
public enum PictureTurn: Int, Sendable, Equatable {
    case none = 1
    case mirrored, half, halfMirrored, rightMirrored, right, leftMirrored, left

    /// Width and height change places.
    public var isOnItsSide: Bool { rawValue >= 5 }

    /// Takes the unit square of a picture, which is drawn from its lower left corner, to the turned one.
    var matrix: [Double] {
        switch self {
        case .none: [1, 0, 0, 1, 0, 0]
        case .mirrored: [-1, 0, 0, 1, 1, 0]
        case .half: [-1, 0, 0, -1, 1, 1]
        case .halfMirrored: [1, 0, 0, -1, 0, 1]
        case .rightMirrored: [0, -1, -1, 0, 1, 1]
        case .right: [0, -1, 1, 0, 0, 1]
        case .leftMirrored: [0, 1, 1, 0, 0, 0]
        case .left: [0, 1, -1, 0, 1, 0]
        }
    }
}
