/// A place in a picture: x to the right, y down. The middle of the first pixel is at (0.5, 0.5).
public struct Point: Equatable, Sendable {
    public var x: Float
    public var y: Float

    @inlinable
    public init(_ x: Float, _ y: Float) { (self.x, self.y) = (x, y) }

    @inlinable static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    @inlinable static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    @inlinable static func * (a: Point, factor: Float) -> Point { Point(a.x * factor, a.y * factor) }

    @inlinable var length: Float { (x * x + y * y).squareRoot() }
    @inlinable func dot(_ other: Point) -> Float { x * other.x + y * other.y }
    @inlinable func cross(_ other: Point) -> Float { x * other.y - y * other.x }
    public func distance(to other: Point) -> Float { (self - other).length }

    /// What comes from outside may be no number at all, or so far away that no whole number holds it: then a conversion would
    /// end the program. So it is looked at once, where it comes in.
    var tamed: Point { Point(Self.tamed(x), Self.tamed(y)) }

    private static let far: Float = 1e5

    private static func tamed(_ value: Float) -> Float {
        // Comparisons with what is no number are false, so that comes out as zero.
        if value > -far { return value < far ? value : far }
        return value <= -far ? -far : 0
    }
}

/// A straight line without ends: `normal.dot(p) == offset`. The normal is one long.
struct Line {
    var normal: Point
    var offset: Float

    var direction: Point { Point(-normal.y, normal.x) }

    init(normal: Point, offset: Float) { (self.normal, self.offset) = (normal, offset) }

    init(through point: Point, along direction: Point) {
        normal = Point(-direction.y, direction.x)
        offset = normal.dot(point)
    }

    /// Positive on the side to which the normal points.
    func distance(to point: Point) -> Float { normal.dot(point) - offset }

    func meets(_ other: Line) -> Point? {
        let turn = normal.cross(other.normal)
        guard abs(turn) >= 1e-4 else { return nil }
        return Point(
            (offset * other.normal.y - other.offset * normal.y) / turn,
            (normal.x * other.offset - other.normal.x * offset) / turn)
    }
}
