/// The colours just inside and just outside an outline.
struct Rim {
    /// 0…1: how much inside and outside differ, on the side where they differ least and on all of them.
    let contrast: Float
    /// 0…1: how much inside differs from side to side.
    let unevenness: Float
    /// 0…1: how much inside differs along each side. Paper does not; chequered cloth does.
    let roughness: Float

    private static let depth: Float = 5

    init(of corners: Corners, in planes: [Plane]) {
        let center = corners.center
        var (least, sum, rough): (Float, Float, Float) = (255, 0, 0)
        var means: [SIMD4<Float>] = []
        var seen: [SIMD4<Float>] = []
        for place in 0..<4 {
            let start = corners[place]
            let side = corners[place + 1] - start
            var inwards = Point(-side.y, side.x) * (1 / max(1, side.length))
            if inwards.dot(center - start) < 0 { inwards = inwards * -1 }
            seen.removeAll(keepingCapacity: true)
            var (total, pairs, difference) = (SIMD4<Float>(), Float(0), Float(0))
            for step in 1..<16 {
                let point = start + side * (Float(step) / 16)
                guard let inside = Self.color(planes, point + inwards * Self.depth) else { continue }
                total += inside
                seen.append(inside)
                guard let outside = Self.color(planes, point - inwards * Self.depth) else { continue }
                pairs += 1
                difference += largest(inside - outside)
            }
            if !seen.isEmpty {
                let mean = total / Float(seen.count)
                means.append(mean)
                for color in seen { rough += largest(color - mean) / Float(seen.count) }
            }
            let own = pairs > 3 ? difference / pairs : 20
            least = min(least, own)
            sum += own
        }
        contrast = 0.6 * min(1, least / 14) + 0.4 * min(1, sum / 4 / 40)
        roughness = min(1, rough / 4 / 40)
        let count = Float(max(1, means.count))
        var mean = SIMD4<Float>()
        for color in means { mean += color / count }
        var off: Float = 0
        for color in means {
            let apart = color - mean
            off += abs(apart.x) + abs(apart.y) + abs(apart.z)
        }
        unevenness = min(1, off / count / 120)
    }

    private static func color(_ planes: [Plane], _ point: Point) -> SIMD4<Float>? {
        guard point.x >= 0, point.y >= 0 else { return nil }
        let (x, y) = (Int(point.x), Int(point.y))
        guard x < planes[0].width, y < planes[0].height else { return nil }
        let at = y * planes[0].width + x
        return SIMD4(
            Float(planes[0].pixels[at]), Float(planes[1].pixels[at]), Float(planes[2].pixels[at]), 0)
    }
}
