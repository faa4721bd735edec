/// The one thing that whoever holds the camera should do about a sheet that was found.
public enum Advice: Int32, Sendable, CaseIterable {
    case none = 0
    case moveBack = 1
    case moveCloser = 2
    case moreLight = 3
    case avoidGlare = 4
    case holdFlat = 5
    case holdStill = 6

    public init(_ sight: Sight, stillFor: Float) {
        if sight.isCut {
            self = .moveBack
        } else if sight.share < 0.18 {
            self = .moveCloser
        } else if sight.paperBrightness < 70 {
            self = .moreLight
        } else if sight.glare > 0.03 {
            self = .avoidGlare
        } else if sight.evenness < 0.6 {
            self = .holdFlat
        } else {
            self = stillFor < Self.stillEnough || sight.isBlurred ? .holdStill : .none
        }
    }

    /// In milliseconds.
    static let stillEnough: Float = 350
}

/// How well a sheet can be seen.
public struct Sight: Equatable, Sendable {
    /// How quickly brightness turns at the edges of print, over how steep they are: falls with blur and not with contrast.
    public private(set) var sharpness: Float = 0
    /// Whether there was print enough to judge by.
    public private(set) var hasPrint = false
    /// 0…255; three quarters of the sheet are darker.
    public private(set) var paperBrightness: Float = 0
    /// How much of the sheet is burnt out although the sheet as a whole is not.
    public private(set) var glare: Float = 0
    /// How much of the picture the sheet takes.
    public let share: Float
    /// The shorter of two opposite sides over the longer.
    public let evenness: Float
    /// A corner lies at the picture's border or beyond.
    public let isCut: Bool

    public var isBlurred: Bool { hasPrint && sharpness < 0.22 }

    public init(of corners: Corners, in view: RasterView) {
        let (width, height) = (view.width, view.height)
        share = corners.area / Float(max(1, width * height))
        evenness = min(
            min(corners.top, corners.bottom) / max(1, corners.top, corners.bottom),
            min(corners.left, corners.right) / max(1, corners.left, corners.right))
        let edge = 0.004 * Float(max(width, height))
        var isCut = false
        for place in 0..<4 {
            let point = corners[place]
            let isInside =
                point.x > edge && point.y > edge && point.x < Float(width) - edge
                && point.y < Float(height) - edge
            if !isInside { isCut = true }
        }
        self.isCut = isCut
        look(at: corners, view)
    }

    private mutating func look(at corners: Corners, _ view: RasterView) {
        guard view.width > 2, view.height > 2 else { return }
        let center = corners.center
        let inner = corners.mapped { center + ($0 - center) * 0.95 }
        var histogram = [Int](repeating: 0, count: 256)
        var (turning, rising, edges, count): (Float, Float, Int, Int) = (0, 0, 0, 0)
        let line = view.width * 4
        for y in stride(from: 1, to: view.height - 1, by: 2) {
            guard let reach = Self.reach(of: inner, at: Float(y) + 0.5) else { continue }
            let (start, end) = (max(1, Int(reach.from)), min(view.width - 1, Int(reach.to)))
            guard start < end else { continue }
            for x in start..<end {
                let at = y * line + x * 4
                let own = brightness(view.pixel(at: at))
                let (left, right) = (brightness(view.pixel(at: at - 4)), brightness(view.pixel(at: at + 4)))
                let (up, down) = (
                    brightness(view.pixel(at: at - line)), brightness(view.pixel(at: at + line))
                )
                histogram[own] += 1
                count += 1
                let (across, along) = (Float(right - left), Float(down - up))
                let slope = across * across + along * along
                guard slope > 900 else { continue }
                let turn = Float(left + right + up + down - 4 * own)
                edges += 1
                rising += slope
                turning += turn * turn
            }
        }
        guard count > 0 else { return }
        sharpness = rising > 0 ? turning / rising : 0
        hasPrint = edges > count / 100
        paperBrightness = Float(Self.brightest(share: 0.25, of: histogram, count))
        let burnt = histogram[251...].reduce(0, +)
        glare = Self.brightest(share: 0.5, of: histogram, count) < 238 ? Float(burnt) / Float(count) : 0
    }

    /// From where to where a row of pixels lies within the outline.
    private static func reach(of corners: Corners, at y: Float) -> (from: Float, to: Float)? {
        var (from, to) = (Float.infinity, -Float.infinity)
        for place in 0..<4 {
            let (a, b) = (corners[place], corners[place + 1])
            guard (a.y <= y) != (b.y <= y) else { continue }
            let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
            from = min(from, x)
            to = max(to, x)
        }
        return from < to ? (max(-1e5, from), min(1e5, to)) : nil
    }

    private static func brightest(share: Float, of histogram: [Int], _ count: Int) -> Int {
        var (left, place) = (Int(Float(count) * share), 255)
        while place > 0 {
            left -= histogram[place]
            if left <= 0 { break }
            place -= 1
        }
        return place
    }
}
