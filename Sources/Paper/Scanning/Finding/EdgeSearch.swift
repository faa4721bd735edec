/// Finds straight edges: each pixel votes for the lines through it, but only for those about as steep as the slope it lies
/// on, and from dark to bright is another line than from bright to dark (Hough's transform, with directions).
struct EdgeSearch {
    private let slopes: Slopes
    private let threshold: Int
    private let middle: Point
    private let reach: Int
    private let directions = Angle.wholeDegrees()
    /// Votes for each degree and each distance from the middle.
    private var votes: [UInt16]
    private var distances: Int { 2 * reach + 1 }

    /// Degrees to either side of a slope's own that it votes for.
    private static let spread = 4

    init(_ slopes: Slopes, threshold: Int) {
        (self.slopes, self.threshold) = (slopes, threshold)
        middle = Point(Float(slopes.width) / 2, Float(slopes.height) / 2)
        reach = Int(middle.length) + 2
        votes = [UInt16](repeating: 0, count: 360 * (2 * reach + 1))
        count()
    }

    private mutating func count() {
        let (slopes, threshold, middle, reach) = (slopes, threshold, middle, reach)
        let (width, height, distances) = (slopes.width, slopes.height, distances)
        guard width > 2, height > 2 else { return }
        slopes.strength.withUnsafeBufferPointer { strength in
            directions.withUnsafeBufferPointer { directions in
                votes.withUnsafeMutableBufferPointer { votes in
                    for y in 1..<height - 1 {
                        for x in 1..<width - 1 {
                            let at = y * width + x
                            guard Int(strength[at]) >= threshold else { continue }
                            let (across, down) = (Int(slopes.across[at]), Int(slopes.down[at]))
                            let uphill = Self.step(across, down, width)
                            // Only the ridge of a slope votes, not its sides.
                            if strength[at - uphill] > strength[at] || strength[at + uphill] >= strength[at] {
                                continue
                            }
                            let here = Point(Float(x) + 0.5, Float(y) + 0.5) - middle
                            let angle = Int(Angle.degrees(of: Point(Float(across), Float(down))) + 0.5)
                            let weight = UInt16(2 + min(strength[at], 80) / 16)
                            for degree in angle - Self.spread...angle + Self.spread {
                                let degree = degree < 0 ? degree + 360 : degree >= 360 ? degree - 360 : degree
                                let distance = Int(here.dot(directions[degree]) + Float(reach) + 0.5)
                                votes[degree * distances + distance] &+= weight
                            }
                        }
                    }
                }
            }
        }
    }

    /// To the neighbour that lies uphill or downhill.
    @inline(__always)
    private static func step(_ across: Int, _ down: Int, _ width: Int) -> Int {
        let (wide, high) = (abs(across), abs(down))
        if high * 5 < wide * 2 { return 1 }
        if wide * 5 < high * 2 { return width }
        return (across > 0) == (down > 0) ? width + 1 : width - 1
    }

    /// The best so many, best first.
    func edges(atMost limit: Int) -> [StraightEdge] {
        var found: [(votes: Int, degree: Int, distance: Int)] = []
        let least = UInt16(min(slopes.width, slopes.height) * 3 / 8)
        votes.withUnsafeBufferPointer { votes in
            for degree in 0..<360 {
                let row = degree * distances
                for distance in 2..<distances - 2 {
                    let at = row + distance
                    let own = votes[at]
                    if own < least || votes[at - 1] > own || votes[at + 1] >= own { continue }
                    guard isPeak(votes, degree, distance) else { continue }
                    found.append((Int(own) + Int(votes[at - 1]) + Int(votes[at + 1]), degree, distance))
                }
            }
        }
        found.sort { $0.votes > $1.votes }
        return found.prefix(limit).map { peak in
            let normal = directions[peak.degree]
            let line = Line(normal: normal, offset: Float(peak.distance - reach) + normal.dot(middle))
            return StraightEdge(line, votes: peak.votes, on: slopes, threshold: threshold)
        }
    }

    /// No line that is nearly the same has more votes; of two with as many, the one of the lower degree counts.
    @inline(__always)
    private func isPeak(_ votes: UnsafeBufferPointer<UInt16>, _ degree: Int, _ distance: Int) -> Bool {
        let own = votes[degree * distances + distance]
        for turn in -4...4 where turn != 0 {
            let row = ((degree + turn + 360) % 360) * distances
            for shift in max(-3, -distance)...min(3, distances - 1 - distance) {
                let other = votes[row + distance + shift]
                if other > own || other == own && turn < 0 { return false }
            }
        }
        return true
    }
}
