import PDF

/// Four corners of something that lies on a page at any angle, in order around it.
struct Quad: Equatable, Sendable {
    var corners: [(x: Double, y: Double)]

    init(_ place: PDFRectangle) {
        corners = [
            (place.left, place.bottom), (place.right, place.bottom), (place.right, place.top),
            (place.left, place.top),
        ]
    }

    /// A box as a matrix places it.
    init(_ box: PDFRectangle, by matrix: PDFMatrix) {
        corners = [
            matrix.point(box.left, box.bottom), matrix.point(box.right, box.bottom),
            matrix.point(box.right, box.top), matrix.point(box.left, box.top),
        ]
    }

    /// What lies around all of them, along a direction of length one.
    init(
        around quads: [Quad], along direction: (x: Double, y: Double), grownBy margin: Double,
        upBy height: Double = 0
    ) {
        var (left, right) = (Double.infinity, -Double.infinity)
        var (bottom, top) = (Double.infinity, -Double.infinity)
        for corner in quads.flatMap(\.corners) {
            let along = corner.x * direction.x + corner.y * direction.y
            let across = corner.y * direction.x - corner.x * direction.y
            (left, right) = (min(left, along), max(right, along))
            (bottom, top) = (min(bottom, across), max(top, across))
        }
        let turn = PDFMatrix(
            a: direction.x, b: direction.y, c: -direction.y, d: direction.x, e: 0, f: 0)
        self.init(
            PDFRectangle(
                left: left - margin, bottom: bottom - height, right: right + margin, top: top + height),
            by: turn)
    }

    var bounds: PDFRectangle {
        let x = corners.map(\.x)
        let y = corners.map(\.y)
        return PDFRectangle(
            left: x.min() ?? 0, bottom: y.min() ?? 0, right: x.max() ?? 0, top: y.max() ?? 0)
    }

    /// False for what is written to lie beyond any sheet.
    var isSound: Bool { corners.allSatisfy { abs($0.x) < Self.farthest && abs($0.y) < Self.farthest } }

    private static let farthest = 1_000_000.0

    func contains(_ x: Double, _ y: Double) -> Bool {
        var (isLeft, isRight) = (false, false)
        for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            let side = (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
            if side > 1e-9 { isLeft = true }
            if side < -1e-9 { isRight = true }
        }
        return !(isLeft && isRight)
    }

    /// How much of it the other covers, from 0 to 1, by looking at some points of it.
    func share(coveredBy other: Quad) -> Double {
        let (own, theirs) = (bounds, other.bounds)
        guard own.left <= theirs.right, own.right >= theirs.left, own.bottom <= theirs.top,
            own.top >= theirs.bottom, corners.count == 4
        else { return 0 }
        let steps = 6
        var covered = 0
        for row in 0..<steps {
            let up = (Double(row) + 0.5) / Double(steps)
            for column in 0..<steps {
                let across = (Double(column) + 0.5) / Double(steps)
                func mixed(_ value: KeyPath<(x: Double, y: Double), Double>) -> Double {
                    let low = corners[0][keyPath: value] * (1 - across) + corners[1][keyPath: value] * across
                    let high = corners[3][keyPath: value] * (1 - across) + corners[2][keyPath: value] * across
                    return low * (1 - up) + high * up
                }
                if other.contains(mixed(\.x), mixed(\.y)) { covered += 1 }
            }
        }
        return Double(covered) / Double(steps * steps)
    }

    static func == (a: Quad, b: Quad) -> Bool {
        zip(a.corners, b.corners).allSatisfy { $0.x == $1.x && $0.y == $1.y }
    }

    /// The outline as a path that is filled.
    var path: String {
        var out = ""
        for (index, corner) in corners.enumerated() {
            out += "\(Quad.written(corner.x)) \(Quad.written(corner.y)) \(index == 0 ? "m" : "l") "
        }
        return out + "h f\n"
    }

    static func written(_ value: Double) -> String {
        String(decoding: PDFObject.real(value.isFinite ? value : 0).written, as: UTF8.self)
    }
}
