/// What lies within an outline, at a glance: whether there is print on it, and how much of a colour it has.
struct Surface {
    /// How much of it is dark and thin.
    private(set) var print: Float = 0
    /// 0…1: white, grey and black have none.
    private(set) var saturation: Float = 0
    /// Of the brightest within, over the brightest anywhere: 1 where nothing in the picture is brighter.
    private(set) var brightness: Float = 0

    private static let grid = 24

    /// Both with print and with the print closed away.
    init(of corners: Corners, seen: [Plane], closed: [Plane]) {
        guard let map = Perspective(width: Self.grid, height: Self.grid, onto: corners) else { return }
        var (printed, count): (Float, Float) = (0, 0)
        var mean = SIMD4<Float>()
        for row in 1..<Self.grid {
            for column in 1..<Self.grid {
                let point = map.point(Float(column), Float(row))
                let x = Int(min(max(point.x, 0), Float(seen[0].width - 1)))
                let y = Int(min(max(point.y, 0), Float(seen[0].height - 1)))
                let at = y * seen[0].width + x
                let ground = SIMD4(
                    Float(closed[0].pixels[at]), Float(closed[1].pixels[at]), Float(closed[2].pixels[at]), 0)
                mean += ground
                count += 1
                if Float(closed[1].pixels[at] &- seen[1].pixels[at]) > max(8, 0.08 * ground.y) {
                    printed += 1
                }
            }
        }
        mean /= count
        print = printed / count
        let most = max(mean.x, max(mean.y, mean.z))
        saturation = (most - min(mean.x, min(mean.y, mean.z))) / max(1, most)
        brightness = most / max(1, Self.brightest(closed))
    }

    private static func brightest(_ planes: [Plane]) -> Float {
        var histogram = [Int](repeating: 0, count: 256)
        for plane in planes { for value in plane.pixels { histogram[Int(value)] += 1 } }
        var (left, place) = (planes[0].pixels.count * planes.count / 50, 255)
        while place > 0, left > 0 {
            left -= histogram[place]
            place -= 1
        }
        return Float(place)
    }

    /// Coloured or dark and nothing written on it: a book's cover, a mat, a box. It may be shown, but nobody's picture is to be
    /// taken by it.
    var isLikelyPaper: Bool { print > 0.02 || saturation < 0.25 && brightness > 0.7 }
}
