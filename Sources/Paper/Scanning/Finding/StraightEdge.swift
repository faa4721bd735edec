/// A straight edge somewhere in the picture; its normal points to the bright side.
struct StraightEdge {
    let line: Line
    let votes: Int
    /// The part of it within the picture, as places along its direction.
    private var start: Float = 0
    private var end: Float = 0
    /// How many pixels of edge lie between `start` and each pixel behind it: so any stretch is weighed by one subtraction.
    private var total: [Float] = [0]

    /// Weighs it by how much of an edge the slopes show all along it.
    init(_ line: Line, votes: Int, on slopes: Slopes, threshold: Int) {
        (self.line, self.votes) = (line, votes)
        let foot = line.normal * line.offset
        (start, end) = Self.inside(slopes, foot, line.direction)
        guard end - start > 8 else {
            (start, end) = (0, 0)
            return
        }
        let full = Float(threshold) * 1.5
        total.reserveCapacity(Int(end - start) + 2)
        var (sum, place): (Float, Float) = (0, start)
        while place < end {
            sum += min(1, Self.steepest(slopes, at: foot + line.direction * place, line) / full)
            total.append(sum)
            place += 1
        }
    }

    /// One that is nowhere in the picture but where it ends: what may hide the side of a sheet that is cut off.
    init(border line: Line, on slopes: Slopes) {
        (self.line, votes) = (line, 0)
        (start, end) = Self.inside(slopes, line.normal * (line.offset + 2), line.direction)
        total = [0]
    }

    var isBorder: Bool { votes == 0 }

    /// Of the line, what lies a pixel or more inside.
    private static func inside(_ slopes: Slopes, _ foot: Point, _ direction: Point) -> (Float, Float) {
        var (start, end): (Float, Float) = (-1e5, 1e5)
        func cut(_ at: Float, _ slope: Float, _ size: Float) {
            guard abs(slope) >= 1e-5 else {
                if at < 1 || at > size - 1 { end = start }
                return
            }
            let (one, other) = ((1 - at) / slope, (size - 1 - at) / slope)
            start = max(start, min(one, other))
            end = min(end, max(one, other))
        }
        cut(foot.x, direction.x, Float(slopes.width))
        cut(foot.y, direction.y, Float(slopes.height))
        return (start, end)
    }

    /// The steepest rise towards the bright side, at most three pixels off: lines are known to a degree only.
    private static func steepest(_ slopes: Slopes, at point: Point, _ line: Line) -> Float {
        let (normal, direction) = (line.normal, line.direction)
        var best: Float = 0
        for shift in -3...3 {
            let x = min(max(Int(point.x + normal.x * Float(shift)), 1), slopes.width - 2)
            let y = min(max(Int(point.y + normal.y * Float(shift)), 1), slopes.height - 2)
            let at = y * slopes.width + x
            let slope = Point(Float(slopes.across[at]), Float(slopes.down[at]))
            let rise = slope.dot(normal)
            if abs(slope.dot(direction)) < 0.6 * rise { best = max(best, rise) }
        }
        return best
    }

    func place(of point: Point) -> Float { line.direction.dot(point) }

    /// Pixels of edge between two places; there is none outside the picture.
    @inline(__always)
    func support(_ from: Float, _ to: Float) -> Float {
        let last = total.count - 1
        guard last >= 1 else { return 0 }
        let (i, j) = (min(max(Int(from - start), 0), last), min(max(Int(to - start), 0), last))
        return total[j] - total[i]
    }

    func seen(_ from: Float, _ to: Float) -> Float { max(0, min(to, end) - max(from, start)) }
}
