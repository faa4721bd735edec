/// How the print lies on a flat page.
struct PrintLay {
    /// In degrees, how much its lines fall to the right; at most 15.
    private(set) var skew: Float = 0
    /// Quarter turns clockwise that put the page upright.
    private(set) var turns = 0
    /// 0…1: how sure it is that there are lines, and which way they run.
    private(set) var sureOfLines: Float = 0
    /// 0…1: how sure it is which end is up.
    private(set) var sureOfUp: Float = 0

    static let sure: Float = 0.3
    private static let longestSide = 1600

    init(of view: RasterView) {
        let factor = max(1, (max(view.width, view.height) + Self.longestSide / 2) / Self.longestSide)
        guard view.width / factor >= 32, view.height / factor >= 32 else { return }
        let ink = Ink(in: view.shrunk(by: factor)[1])
        guard ink.count > 200 else { return }
        let (rows, columns) = (ink.sharpestAngle(.across), ink.sharpestAngle(.down))
        let (strong, weak) = (max(rows.sharpness, columns.sharpness), min(rows.sharpness, columns.sharpness))
        sureOfLines = (strong / max(weak, 1e-6) - 1.15).ramp(0, 1.5)
        let runsDown = columns.sharpness > rows.sharpness * 1.15
        skew = runsDown ? columns.angle : rows.angle
        let balance = ink.balance(at: skew, runsDown ? .down : .across)
        // A few lines say by chance what they do not mean: what counts is how far the votes lie from an even result, by
        // their own spread.
        sureOfUp = (balance.evidence - 1.5).ramp(0, 5) * min(1, Float(balance.lineCount) / 24)
        let isOnItsHead = balance.value < 0
        turns = runsDown ? (isOnItsHead ? 1 : 3) : (isOnItsHead ? 2 : 0)
    }
}

/// The dark and thin things on a page, as dots.
struct Ink {
    enum Lines {
        case across, down
    }

    private var xs: [Float] = []
    private var ys: [Float] = []
    private let width: Int
    private let height: Int

    private static let mostDots = 90_000
    /// No letter has runs as long as ruling has; an underline would count as what hangs below a line.
    private static let longestRun = 28

    var count: Int { xs.count }

    init(in plane: Plane) {
        (width, height) = (plane.width, plane.height)
        let ground = plane.closed(radius: 7)
        let margin = max(width, height) / 50
        guard width > 2 * margin + 2, height > 2 * margin + 2 else { return }
        let (columns, rows) = (margin..<width - margin, margin..<height - margin)
        var ink = [UInt8](repeating: 0, count: width * height)
        for y in rows {
            for at in y * width + columns.lowerBound..<y * width + columns.upperBound {
                let paper = Int(ground.pixels[at])
                if paper - Int(plane.pixels[at]) >= max(24, paper / 4) { ink[at] = 1 }
            }
        }
        for y in rows { Self.eraseRuns(in: &ink, from: y * width + margin, step: 1, count: columns.count) }
        for x in columns {
            Self.eraseRuns(in: &ink, from: margin * width + x, step: width, count: rows.count)
        }
        collect(ink, columns, rows)
    }

    /// Marked and not wiped out, so that the other direction still sees them as ink.
    private static func eraseRuns(in ink: inout [UInt8], from start: Int, step: Int, count: Int) {
        var run = 0
        for i in 0...count {
            let at = start + i * step
            if i < count, ink[at] != 0 {
                run += 1
                continue
            }
            if run > longestRun { for back in 1...run { ink[at - back * step] = 2 } }
            run = 0
        }
    }

    private mutating func collect(_ ink: [UInt8], _ columns: Range<Int>, _ rows: Range<Int>) {
        var total = 0
        for value in ink where value == 1 { total += 1 }
        let every = total / Self.mostDots + 1
        xs.reserveCapacity(total / every + 1)
        ys.reserveCapacity(total / every + 1)
        var place = 0
        for y in rows {
            for x in columns where ink[y * width + x] == 1 {
                place += 1
                guard place % every == 0 else { continue }
                xs.append(Float(x) - Float(width) / 2)
                ys.append(Float(y) - Float(height) / 2)
            }
        }
    }

    private var diagonal: Int { Int(Point(Float(width), Float(height)).length) + 4 }

    /// How far down the page a dot lies when its lines run level, and how far along them.
    @inline(__always)
    private func place(_ i: Int, _ turn: Point, _ lines: Lines) -> (down: Float, along: Float) {
        let (level, upright) = (xs[i] * turn.x + ys[i] * turn.y, ys[i] * turn.x - xs[i] * turn.y)
        return lines == .across ? (upright, level) : (level, upright)
    }

    /// The angle at which rows of ink and of paper follow each other most sharply.
    func sharpestAngle(_ lines: Lines) -> (angle: Float, sharpness: Float) {
        var rows = [Float](repeating: 0, count: diagonal)
        var best: (angle: Float, sharpness: Float) = (0, 0)
        // First roughly, then around the best.
        for (reach, step) in [(Float(15), Float(1)), (1, 0.25), (0.25, 0.05)] {
            let middle = best.angle
            for i in 0...Int(2 * reach / step + 0.5) {
                let angle = middle - reach + Float(i) * step
                let sharpness = sharpness(at: angle, lines, &rows)
                if sharpness > best.sharpness { best = (angle, sharpness) }
            }
        }
        return best
    }

    private func sharpness(at angle: Float, _ lines: Lines, _ rows: inout [Float]) -> Float {
        let turn = Angle.direction(angle)
        let middle = Float(rows.count) / 2
        rows.withUnsafeMutableBufferPointer { rows in
            for i in rows.indices { rows[i] = 0 }
            for i in 0..<count {
                let row = Int(place(i, turn, lines).down + middle)
                if row >= 0, row < rows.count { rows[row] += 1 }
            }
        }
        var sum: Float = 0
        for i in 1..<rows.count { sum += (rows[i] - rows[i - 1]) * (rows[i] - rows[i - 1]) }
        return sum / Float(max(1, count))
    }

    /// -1…1: positive when more of the ink stands out above lines than hangs below. Latin letters do so: capitals and b d f h k
    /// l t against g j p q y. Judged in strips, so that columns, boxes of a form and a little curl keep to themselves.
    func balance(at angle: Float, _ lines: Lines) -> (value: Float, evidence: Float, lineCount: Int) {
        let (strips, length) = (8, diagonal)
        var rows = [[Float]](repeating: [Float](repeating: 0, count: length), count: strips)
        let turn = Angle.direction(angle)
        let long = Float(lines == .across ? width : height)
        for i in 0..<count {
            let place = place(i, turn, lines)
            let strip = min(strips - 1, max(0, Int((place.along / long + 0.5) * Float(strips))))
            let row = Int(place.down + Float(length) / 2)
            if row >= 0, row < length { rows[strip][row] += 1 }
        }
        var votes = Votes()
        for strip in rows { votes.count(strip) }
        guard votes.weight > 0 else { return (0, 0, 0) }
        // Lines that run down a page have what stands above them to their right.
        let value = votes.sum / votes.weight
        return (lines == .across ? value : -value, votes.evidence, votes.lineCount)
    }

    /// Each line has one vote: a heading or the edge of a table shall not outvote the rest.
    private struct Votes {
        var sum: Float = 0
        var weight: Float = 0
        private var squares: Float = 0
        private var weightSquares: Float = 0
        var lineCount = 0

        /// How many of its own uncertainties the mean lies away from nought.
        var evidence: Float {
            guard weight > 0 else { return 0 }
            let mean = sum / weight
            let spread = max(0.15, max(0, squares / weight - mean * mean).squareRoot())
            let count = weight * weight / weightSquares
            return abs(mean) * count.squareRoot() / spread
        }

        mutating func count(_ rows: [Float]) {
            var start = 0
            while start < rows.count {
                guard rows[start] > 0.5 else {
                    start += 1
                    continue
                }
                // A run of rows with ink in them is a line of print, or some that touch each other.
                var (end, most): (Int, Float) = (start, 0)
                while end < rows.count, rows[end] > 0.5 {
                    most = max(most, rows[end])
                    end += 1
                }
                countBodies(rows, start..<end, most / 2)
                start = end
            }
        }

        /// Rows with much ink are the bodies of small letters.
        private mutating func countBodies(_ rows: [Float], _ line: Range<Int>, _ much: Float) {
            var start = line.lowerBound
            while start < line.upperBound {
                guard rows[start] > much else {
                    start += 1
                    continue
                }
                var (end, body): (Int, Float) = (start, 0)
                while end < line.upperBound, rows[end] > much {
                    body += rows[end]
                    end += 1
                }
                let size = end - start
                if (4...40).contains(size), body > 20 {
                    let reach = size * 3 / 4
                    let above = rows[max(line.lowerBound, start - reach)..<start].reduce(0, +)
                    let below = rows[end..<min(line.upperBound, end + reach)].reduce(0, +)
                    if above + below > 0.06 * body {
                        let vote = min(body, 200)
                        let side = (above - below) / (above + below)
                        sum += vote * side
                        squares += vote * side * side
                        weight += vote
                        weightSquares += vote * vote
                        lineCount += 1
                    }
                }
                start = end
            }
        }
    }
}
