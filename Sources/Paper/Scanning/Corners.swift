/// The four corners of a sheet as they lie in a picture, clockwise. What counts as the first is the one at the top left of
/// the page when they say how a page is to be cut out, and the one nearest to the picture's top left when just found.
public struct Corners: Equatable, Sendable {
    public var topLeft: Point
    public var topRight: Point
    public var bottomRight: Point
    public var bottomLeft: Point

    public init(_ topLeft: Point, _ topRight: Point, _ bottomRight: Point, _ bottomLeft: Point) {
        (self.topLeft, self.topRight) = (topLeft.tamed, topRight.tamed)
        (self.bottomRight, self.bottomLeft) = (bottomRight.tamed, bottomLeft.tamed)
    }

    /// All of a picture.
    public init(width: Int, height: Int) {
        let (right, bottom) = (Float(width), Float(height))
        self.init(Point(0, 0), Point(right, 0), Point(right, bottom), Point(0, bottom))
    }

    /// Counted on around the sheet: 4 is the first again.
    public subscript(place: Int) -> Point {
        switch place & 3 {
        case 0: topLeft
        case 1: topRight
        case 2: bottomRight
        default: bottomLeft
        }
    }

    public var center: Point { (topLeft + topRight + bottomRight + bottomLeft) * 0.25 }
    public var area: Float { abs(signedArea) }
    private var signedArea: Float { 0.5 * (bottomRight - topLeft).cross(bottomLeft - topRight) }

    var top: Float { topLeft.distance(to: topRight) }
    var right: Float { topRight.distance(to: bottomRight) }
    var bottom: Float { bottomRight.distance(to: bottomLeft) }
    var left: Float { bottomLeft.distance(to: topLeft) }

    /// Every corner points outwards and none is flat.
    public var isConvex: Bool {
        var (toRight, toLeft) = (0, 0)
        for place in 0..<4 {
            let turn = (self[place + 1] - self[place]).cross(self[place + 2] - self[place + 1])
            if turn > 0 { toRight += 1 }
            if turn < 0 { toLeft += 1 }
        }
        return toRight == 4 || toLeft == 4
    }

    /// The same corners, the one nearest to the top left first, and clockwise from there.
    public var ordered: Corners {
        let clockwise = signedArea < 0 ? Corners(topLeft, bottomLeft, bottomRight, topRight) : self
        var first = 0
        for place in 1..<4
        where clockwise[place].x + clockwise[place].y < clockwise[first].x + clockwise[first].y {
            first = place
        }
        return clockwise.beginning(at: first)
    }

    /// The same sheet with another corner as its first.
    func beginning(at place: Int) -> Corners {
        Corners(self[place], self[place + 1], self[place + 2], self[place + 3])
    }

    public func scaled(by factor: Float) -> Corners { mapped { $0 * factor } }

    func mapped(_ change: (Point) -> Point) -> Corners {
        Corners(change(topLeft), change(topRight), change(bottomRight), change(bottomLeft))
    }

    func mixed(with other: Corners, _ share: Float) -> Corners {
        Corners(
            topLeft + (other.topLeft - topLeft) * share, topRight + (other.topRight - topRight) * share,
            bottomRight + (other.bottomRight - bottomRight) * share,
            bottomLeft + (other.bottomLeft - bottomLeft) * share)
    }

    /// How far each corner is from the other's, whichever of the other's counts as the first: the mean, and the worst.
    public func distances(to other: Corners) -> (mean: Float, worst: Float) {
        var best = (mean: Float.infinity, worst: Float.infinity)
        for shift in 0..<4 {
            var (sum, worst): (Float, Float) = (0, 0)
            for place in 0..<4 {
                let apart = self[place].distance(to: other[place + shift])
                sum += apart
                worst = max(worst, apart)
            }
            if sum / 4 < best.mean { best = (sum / 4, worst) }
        }
        return best
    }

    /// 0…1: would a camera see a sheet like this? Little for slivers and wild wedges.
    var plausibility: Float {
        let across = min(top, bottom) / max(top, bottom, 1e-3)
        let down = min(left, right) / max(left, right, 1e-3)
        let slim = min(top + bottom, left + right) / max(top + bottom, left + right, 1e-3)
        var sharpest: Float = 0
        for place in 0..<4 {
            let (on, back) = (self[place + 1] - self[place], self[place + 3] - self[place])
            sharpest = max(sharpest, abs(on.dot(back)) / max(1, on.length * back.length))
        }
        return (0.4 + 0.6 * min(across, down).ramp(0.25, 0.5)) * (0.5 + 0.5 * slim.ramp(0.1, 0.22))
            * (0.5 + 0.5 * (0.75 - sharpest).ramp(0, 0.2))
    }
}

extension Float {
    /// 0 up to `low`, 1 from `high` on, straight between.
    func ramp(_ low: Float, _ high: Float) -> Float { min(1, max(0, (self - low) / (high - low))) }
}
