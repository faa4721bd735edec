/// What sheet of paper a page is. Millimetres are those of the upright sheet.
public enum PaperSize: Int32, Sendable, CaseIterable {
    /// As it was seen.
    case seen = 0
    case a4 = 1
    case letter = 2
    case legal = 3
    case card = 4
    case businessCard = 5
    case receipt = 6
    /// Open: two pages beside each other.
    case book = 7

    public var millimetres: (width: Float, height: Float)? {
        switch self {
        case .a4: (210, 297)
        case .letter: (215.9, 279.4)
        case .legal: (215.9, 355.6)
        // ISO/IEC 7810 ID-1, short side first as with the others.
        case .card: (53.98, 85.6)
        case .businessCard: (50.8, 88.9)
        case .seen, .receipt, .book: nil
        }
    }

    /// Of a page with so many pixels. What nobody knows of a sheet is taken to be as long as A4, and of a receipt to be as wide
    /// as most rolls are.
    public func millimetres(width: Int, height: Int) -> (width: Float, height: Float) {
        let (wide, high) = (Float(max(1, width)), Float(max(1, height)))
        if let sheet = millimetres { return wide > high ? (sheet.height, sheet.width) : sheet }
        let scale = self == .receipt ? 80 / min(wide, high) : 297 / max(wide, high)
        return (wide * scale, high * scale)
    }

    /// The longer side over the shorter.
    var ratio: Float? { millimetres.map { $0.height / $0.width } }

    /// Which are looked for when nobody says which it is.
    static var looked: [PaperSize] { [.a4, .letter, .legal, .card, .businessCard] }
}

/// The true shape of a sheet that was seen at an angle.
public struct SheetShape: Equatable, Sendable {
    public private(set) var width: Int
    public private(set) var height: Int
    public let size: PaperSize

    /// The picture's own size matters: the camera is taken to look through its middle. With a size that is wished for, the shape
    /// is that one's; lying or standing as it was seen.
    public init(
        of corners: Corners, frame: (width: Int, height: Int), wished: PaperSize? = nil, mostPixels: Int
    ) {
        let seen = (corners.left + corners.right) / max(1, corners.top + corners.bottom)
        // All of the picture was seen straight on.
        let isWhole = corners == Corners(width: frame.width, height: frame.height)
        var ratio = isWhole ? seen : Self.trueRatio(of: corners, frame) ?? seen
        // Far off, it comes from sides that are nearly parallel, where the formula is all noise.
        if !(ratio <= seen * 1.8 && ratio >= seen / 1.8) { ratio = seen }
        ratio = min(50, max(0.02, ratio))
        let long = max(ratio, 1 / ratio)
        var snapped = long
        if let wished {
            size = wished
            snapped = wished.ratio ?? long
        } else {
            let share = corners.area / Float(max(1, frame.width * frame.height))
            size = Self.nearest(to: long, share: share)
            snapped = size.ratio ?? long
        }
        ratio = ratio >= 1 ? snapped : 1 / snapped
        var wide = max(corners.top, corners.bottom)
        var high = wide * ratio
        let needed = max(corners.left, corners.right)
        if high < needed { (wide, high) = (needed / ratio, needed) }
        let scale = min(1, (Float(mostPixels) / max(1, wide * high)).squareRoot())
        func whole(_ value: Float) -> Int { value < 20_000 ? max(8, Int(value + 0.5)) : 20_000 }
        width = whole(wide * scale)
        height = min(whole(high * scale), max(8, mostPixels / width))
        width = min(width, max(8, mostPixels / height))
    }

    private static func nearest(to ratio: Float, share: Float) -> PaperSize {
        var (best, least): (PaperSize, Float) = (.seen, 0.045)
        for size in PaperSize.looked {
            guard let own = size.ratio, abs(ratio / own - 1) < least else { continue }
            // Nobody holds a card so close that it takes the whole picture.
            if (size == .card || size == .businessCard) && share > 0.9 { continue }
            (best, least) = (size, abs(ratio / own - 1))
        }
        // Long strips are receipts, whatever their ratio.
        return best == .seen && ratio > 2.1 ? .receipt : best
    }

    /// Height over width by the perspective alone (Zhang and He, Whiteboard scanning and image enhancement, 2004).
    private static func trueRatio(of corners: Corners, _ frame: (width: Int, height: Int)) -> Float? {
        let middle = SIMD3(Double(frame.width) / 2, Double(frame.height) / 2, 0)
        func ray(_ point: Point) -> SIMD3<Double> { SIMD3(Double(point.x), Double(point.y), 1) - middle }
        let (one, two) = (ray(corners.topLeft), ray(corners.topRight))
        let (three, four) = (ray(corners.bottomLeft), ray(corners.bottomRight))
        let (bySecond, byThird) = (dot(cross(two, four), three), dot(cross(three, four), two))
        guard abs(bySecond) >= 1e-9, abs(byThird) >= 1e-9 else { return nil }
        let across = two * (dot(cross(one, four), three) / bySecond) - one
        let down = three * (dot(cross(one, four), two) / byThird) - one
        let diagonal = 4 * (middle.x * middle.x + middle.y * middle.y)
        var focus = -(across.x * down.x + across.y * down.y) / (across.z * down.z)
        // Lenses of phones lie between a half and 1.6 diagonals; what comes out beyond is noise.
        if !(abs(across.z * down.z) >= 1e-7 && focus > 0.25 * diagonal && focus < 2.6 * diagonal) {
            focus = 0.72 * diagonal
        }
        let wide = (across.x * across.x + across.y * across.y) / focus + across.z * across.z
        let high = (down.x * down.x + down.y * down.y) / focus + down.z * down.z
        guard wide > 0, high > 0 else { return nil }
        return Float((high / wide).squareRoot())
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    private static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
}
