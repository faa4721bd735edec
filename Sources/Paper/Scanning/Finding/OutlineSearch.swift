/// Puts four straight edges together, in every way that could be a sheet, and keeps the best.
struct OutlineSearch {
    /// Four edges that may be a sheet's sides.
    struct Trial {
        var corners: Corners
        var score: Float
        /// For each side, from the first corner on: 1 where inside is the brighter, else -1.
        var signs: SIMD4<Float>
        /// How much of an edge there is along all sides, and along the one with the least, 0…1.
        var support: Float
        var weakest: Float
        /// How clearly a side goes on beyond its corner, there where it does most, 0…1.
        var overshoot: Float
        var isCut: Bool
        var confidence: Float = 0

        /// Mostly dark on bright, and small: more often a phone or a drawer than paper.
        func isSmallAndDark(in size: Point) -> Bool {
            signs.sum() <= -2 && corners.area < 0.3 * size.x * size.y
        }
    }

    private let edges: [StraightEdge]
    private let size: Point
    private var kept: [Trial] = []

    private static let mostKept = 24

    init(_ edges: [StraightEdge], width: Int, height: Int) {
        self.edges = edges
        size = Point(Float(width), Float(height))
        if edges.count >= 4 { tryAll() }
    }

    /// Where each two edges meet, in or near the picture.
    private struct Meeting {
        var point: Point
        /// Along the first edge.
        var place: Float
    }

    private func meetings() -> [Meeting?] {
        let count = edges.count
        let slack = 0.1 * max(size.x, size.y)
        var found = [Meeting?](repeating: nil, count: count * count)
        for i in 0..<count {
            for j in 0..<count where i != j {
                let (one, other) = (edges[i].line, edges[j].line)
                guard abs(one.normal.cross(other.normal)) > 0.5, let point = one.meets(other),
                    point.x > -slack, point.y > -slack, point.x < size.x + slack, point.y < size.y + slack
                else { continue }
                found[i * count + j] = Meeting(point: point, place: edges[i].place(of: point))
            }
        }
        return found
    }

    /// Each two edges that may face each other.
    private func facing() -> [(Int, Int)] {
        let middle = size * 0.5
        var pairs: [(Int, Int)] = []
        for i in 0..<edges.count {
            for j in i + 1..<edges.count {
                let (one, other) = (edges[i].line, edges[j].line)
                let alike = one.normal.dot(other.normal)
                guard abs(alike) >= 0.76, !(edges[i].isBorder && edges[j].isBorder) else { continue }
                let (near, far) = (one.distance(to: middle), other.distance(to: middle))
                let apart = alike < 0 ? near + far : near - far
                if abs(apart) >= 0.08 * min(size.x, size.y) { pairs.append((i, j)) }
            }
        }
        return pairs
    }

    private mutating func tryAll() {
        let (count, meetings, pairs) = (edges.count, meetings(), facing())
        for first in 0..<pairs.count {
            let (i, j) = pairs[first]
            for second in first + 1..<pairs.count {
                let (k, l) = pairs[second]
                guard let one = meetings[i * count + k], let two = meetings[i * count + l],
                    let three = meetings[j * count + l], let four = meetings[j * count + k]
                else { continue }
                // The other way round: the same corners as places along the edges that cross there.
                guard let crossTwo = meetings[l * count + i], let crossThree = meetings[l * count + j],
                    let crossFour = meetings[k * count + j], let crossOne = meetings[k * count + i]
                else { continue }
                let corners = Corners(one.point, two.point, three.point, four.point)
                guard corners.area >= 0.03 * size.x * size.y, corners.isConvex else { continue }
                let sides = (
                    Side(i, one.place, two.place), Side(l, crossTwo.place, crossThree.place),
                    Side(j, three.place, four.place), Side(k, crossFour.place, crossOne.place)
                )
                if let trial = trial(corners, sides) { keep(trial) }
            }
        }
    }

    private struct Side {
        let edge: Int
        let from: Float
        let to: Float

        init(_ edge: Int, _ one: Float, _ other: Float) {
            (self.edge, from, to) = (edge, min(one, other), max(one, other))
        }
    }

    private func trial(_ corners: Corners, _ sides: (Side, Side, Side, Side)) -> Trial? {
        var (weakest, support, length): (Float, Float, Float) = (1, 0, 0)
        var (beyond, overshoot): (Float, Float) = (0, 0)
        var signs = SIMD4<Float>()
        var isCut = false
        let center = corners.center
        for place in 0..<4 {
            let side = place == 0 ? sides.0 : place == 1 ? sides.1 : place == 2 ? sides.2 : sides.3
            let edge = edges[side.edge]
            guard side.to - side.from >= 12 else { return nil }
            if edge.isBorder {
                // A side that cannot be seen speaks neither for it nor against it.
                isCut = true
                signs[place] = 1
                continue
            }
            let seen = edge.seen(side.from, side.to)
            // What lies outside the picture counts half as missing.
            let counted = seen + 0.5 * (side.to - side.from - seen)
            let own = edge.support(side.from, side.to)
            weakest = min(weakest, own / (counted + 1))
            if weakest < 0.25 { return nil }
            support += own
            length += counted
            let before = edge.support(side.from - 16, side.from - 3)
            let after = edge.support(side.to + 3, side.to + 16)
            beyond += before + after
            overshoot = max(overshoot, max(before, after) / 13)
            signs[place] = edge.line.distance(to: center) > 0 ? 1 : -1
        }
        let mean = support / max(1, length)
        var score = (0.5 * mean + 0.5 * weakest) * (1 - 0.7 * beyond / 104)
        switch abs(signs.sum()) {
        case 4: score *= signs.sum() < 0 ? 0.93 : 1
        case 2: score *= 0.9
        default: score *= 0.85
        }
        score *= min(corners.area / (size.x * size.y), 0.8).squareRoot().squareRoot()
        return Trial(
            corners: corners, score: score, signs: signs, support: mean, weakest: weakest,
            overshoot: overshoot,
            isCut: isCut)
    }

    private mutating func keep(_ trial: Trial) {
        if kept.count == Self.mostKept, trial.score <= kept[Self.mostKept - 1].score { return }
        var place = kept.count
        while place > 0, kept[place - 1].score < trial.score { place -= 1 }
        kept.insert(trial, at: place)
        if kept.count > Self.mostKept { kept.removeLast() }
    }

    /// A second look at the best few, at the colours on either side of their outlines.
    func best(in planes: [Plane]) -> Trial? {
        var looked = kept
        var winner = -1
        for place in looked.indices {
            let rim = Rim(of: looked[place].corners, in: planes)
            looked[place].score *=
                (0.55 + 0.45 * rim.contrast) * (1 - 0.15 * rim.unevenness - 0.2 * rim.roughness)
                * looked[place].corners.plausibility
            if looked[place].isSmallAndDark(in: size) { looked[place].score *= 0.7 }
            if looked[place].score > (winner < 0 ? 0 : looked[winner].score) { winner = place }
        }
        guard winner >= 0 else { return nil }
        var best = looked[winner]
        let far = 0.05 * size.length
        var rival: Float = 0
        for other in looked where other.corners.ordered.distances(to: best.corners.ordered).mean > far {
            rival = max(rival, other.score)
        }
        best.confidence = confidence(of: best, rival: rival)
        return best
    }

    private func confidence(of trial: Trial, rival: Float) -> Float {
        let isClear = min(1, 4 * (1 - rival / trial.score))
        var sure = 0.5 * trial.weakest.ramp(0.3, 0.8) + 0.5 * trial.support.ramp(0.4, 0.9)
        sure *= (0.75 + 0.25 * isClear) * trial.corners.plausibility
        if trial.isSmallAndDark(in: size) { sure *= 0.6 }
        // Most likely the edge of a shadow across the sheet: to be shown, but nothing to take a picture by.
        sure *= 1 - 0.35 * trial.overshoot.ramp(0.4, 0.8)
        return trial.isCut ? min(0.5, sure) : sure
    }
}
