/// In the browser nobody has a sine for us, and on the server another one would round otherwise; these are ours.
enum Angle {
    /// Cosine and sine of each whole degree, by turning on one degree at a time.
    static func wholeDegrees() -> [Point] {
        let (one, other) = (0.9998476951563913, 0.01745240643728351)
        var (cosine, sine) = (1.0, 0.0)
        var table: [Point] = []
        table.reserveCapacity(360)
        for _ in 0..<360 {
            table.append(Point(Float(cosine), Float(sine)))
            (cosine, sine) = (cosine * one - sine * other, sine * one + cosine * other)
        }
        return table
    }

    /// Where a direction points to, in 0..<360 degrees, right to a hundredth.
    static func degrees(of direction: Point) -> Float {
        let (across, down) = (abs(direction.x), abs(direction.y))
        guard across + down > 0 else { return 0 }
        let t = min(across, down) / max(across, down)
        let square = t * t
        // A polynomial for the arc tangent within one eighth of the circle.
        var angle =
            t * (57.2931 + square * (-18.9236 + square * (10.3120 + square * (-4.8777 + square * 1.1940))))
        if down > across { angle = 90 - angle }
        if direction.x < 0 { angle = 180 - angle }
        if direction.y < 0, angle > 0 { angle = 360 - angle }
        return angle
    }

    /// As a direction: (cosine, sine). For angles of at most half a turn.
    static func direction(_ degrees: Float) -> Point {
        let half = degrees * (0.017453292 / 2)
        let square = half * half
        let sine = half * (1 - square * (1 / 6 - square * (1 / 120 - square * (1 / 5040 - square / 362_880))))
        let cosine = 1 - square * (0.5 - square * (1 / 24 - square * (1 / 720 - square / 40_320)))
        return Point(cosine * cosine - sine * sine, 2 * sine * cosine)
    }
}
