/// Takes a flat rectangle to where a camera saw its corners.
struct Perspective {
    // Row by row; the last entry is 1.
    private let a: Double, b: Double, c: Double
    private let d: Double, e: Double, f: Double
    private let g: Double, h: Double

    /// Nil for corners that no flat sheet has.
    init?(width: Int, height: Int, onto corners: Corners) {
        guard width > 0, height > 0 else { return nil }
        func pair(_ point: Point) -> SIMD2<Double> { SIMD2(Double(point.x), Double(point.y)) }
        let (one, two, three, four) = (
            pair(corners.topLeft), pair(corners.topRight), pair(corners.bottomRight), pair(corners.bottomLeft)
        )
        // Heckbert's way from the unit square: https://www.cs.cmu.edu/~ph/texfund/texfund.pdf, 2.2.3.
        let (fromTwo, fromFour, rest) = (two - three, four - three, one - two + three - four)
        let turn = fromTwo.x * fromFour.y - fromFour.x * fromTwo.y
        guard abs(turn) >= 1e-9 else { return nil }
        let across = (rest.x * fromFour.y - fromFour.x * rest.y) / turn
        let down = (fromTwo.x * rest.y - rest.x * fromTwo.y) / turn
        let (wide, high) = (Double(width), Double(height))
        let x = (two - one + two * across) / wide
        let y = (four - one + four * down) / high
        (a, b, c) = (x.x, y.x, one.x)
        (d, e, f) = (x.y, y.y, one.y)
        (g, h) = (across / wide, down / high)
    }

    @inline(__always)
    func place(_ x: Double, _ y: Double) -> SIMD2<Double> {
        let depth = 1 / (g * x + h * y + 1)
        return SIMD2((a * x + b * y + c) * depth, (d * x + e * y + f) * depth)
    }

    func point(_ x: Float, _ y: Float) -> Point {
        let found = place(Double(x), Double(y))
        return Point(Float(found.x), Float(found.y))
    }
}
