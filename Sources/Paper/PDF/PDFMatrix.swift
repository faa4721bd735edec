/// How drawing is moved, turned and stretched (ISO 32000-2 §8.3.3).
public struct PDFMatrix: Sendable, Equatable {
    public var a = 1.0
    public var b = 0.0
    public var c = 0.0
    public var d = 1.0
    public var e = 0.0
    public var f = 0.0

    public init() {}

    public init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    /// Nil unless there are six.
    public init?(_ n: [Double]) {
        guard n.count == 6, n.allSatisfy(\.isFinite) else { return nil }
        self.init(a: n[0], b: n[1], c: n[2], d: n[3], e: n[4], f: n[5])
    }

    /// This one first, then `next`.
    public func then(_ next: PDFMatrix) -> PDFMatrix {
        PDFMatrix(
            a: a * next.a + b * next.c, b: a * next.b + b * next.d, c: c * next.a + d * next.c,
            d: c * next.b + d * next.d, e: e * next.a + f * next.c + next.e,
            f: e * next.b + f * next.d + next.f)
    }

    public func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// What a box covers afterwards, upright.
    public func bounds(of box: PDFRectangle) -> PDFRectangle {
        let corners = [
            point(box.left, box.bottom), point(box.right, box.bottom), point(box.left, box.top),
            point(box.right, box.top),
        ]
        let (across, up) = (corners.map(\.x), corners.map(\.y))
        return PDFRectangle(
            left: across.min() ?? 0, bottom: up.min() ?? 0, right: across.max() ?? 0, top: up.max() ?? 0)
    }

    /// The way back; nil when everything falls onto a line.
    public var inverse: PDFMatrix? {
        let size = a * d - b * c
        guard abs(size) > 1e-12, size.isFinite else { return nil }
        return PDFMatrix(
            a: d / size, b: -b / size, c: -c / size, d: a / size, e: (c * f - d * e) / size,
            f: (b * e - a * f) / size)
    }

    /// How much longer things become, the middle of both directions.
    public var scale: Double { abs(a * d - b * c).squareRoot() }

    public var numbers: [Double] { [a, b, c, d, e, f] }
}
