/// Moves each side of an outline onto the steepest slope near it, in the picture's own resolution. Corners come of where sides
/// meet, so those that are rounded, or under a finger, come out right.
struct SideFitter {
    let view: RasterView
    private let unit: Float

    init(_ view: RasterView) {
        self.view = view
        unit = max(1, Float(max(view.width, view.height)) / 640)
    }

    /// How well the sides were met: the least share of places along a side that agree on it, 0…1.
    struct Fit {
        var corners: Corners
        var agreement: Float
    }

    func fitted(_ corners: Corners, signs: SIMD4<Float>) -> Fit {
        let rough = pass(corners, signs, reach: 7)
        return pass(rough.corners, signs, reach: 3)
    }

    private func pass(_ corners: Corners, _ signs: SIMD4<Float>, reach: Int) -> Fit {
        var lines: [Line] = []
        var agreement: Float = 1
        for place in 0..<4 {
            let side = Side(corners[place], corners[place + 1], inside: corners.center)
            guard let fit = line(of: side, sign: signs[place], reach: reach) else {
                lines.append(Line(through: side.start, along: side.along))
                agreement = 0
                continue
            }
            lines.append(fit.line)
            agreement = min(agreement, fit.agreement)
        }
        func corner(_ place: Int) -> Point {
            guard let met = lines[(place + 3) & 3].meets(lines[place]),
                met.distance(to: corners[place]) < Float(reach) * unit * 3
            else { return corners[place] }
            return met
        }
        let moved = Corners(corner(0), corner(1), corner(2), corner(3))
        return Fit(corners: moved.isConvex ? moved : corners, agreement: agreement)
    }

    private struct Side {
        let start: Point
        let along: Point
        let inwards: Point
        let length: Float

        init(_ start: Point, _ end: Point, inside: Point) {
            self.start = start
            length = max(1, (end - start).length)
            along = (end - start) * (1 / length)
            let normal = Point(-along.y, along.x)
            inwards = normal.dot(inside - start) < 0 ? normal * -1 : normal
        }
    }

    /// Where the slope is steepest across the side, at one place along it.
    private struct Sighting {
        /// From the side's middle.
        var along: Float
        var inwards: Float
        var weight: Float
    }

    private static let places = 48

    private func line(of side: Side, sign: Float, reach: Int) -> (line: Line, agreement: Float)? {
        var sightings: [Sighting] = []
        let margin = reach + 1 + 2 * Self.thin
        var profile = [SIMD4<Float>](repeating: SIMD4(), count: 2 * margin + 1)
        var visible = 0
        for place in 0..<Self.places {
            let along = (0.04 + 0.92 * (Float(place) + 0.5) / Float(Self.places)) * side.length
            let point = side.start + side.along * along
            guard point.x >= 1, point.y >= 1, point.x <= Float(view.width) - 1,
                point.y <= Float(view.height) - 1
            else { continue }
            visible += 1
            for i in profile.indices {
                let across = point + side.inwards * (Float(i - margin) * unit)
                profile[i] =
                    view.color(at: across) + view.color(at: across + side.along * (1.5 * unit))
                    + view.color(at: across - side.along * (1.5 * unit))
            }
            let found =
                steepest(Self.withoutThinLines(profile, sign), sign, reach)
                ?? steepest(Array(profile[2 * Self.thin..<profile.count - 2 * Self.thin]), sign, reach)
            if let found {
                sightings.append(
                    Sighting(
                        along: along - side.length / 2, inwards: found.place * unit, weight: found.weight))
            }
        }
        guard sightings.count >= 8, let fit = Self.straight(sightings, unit) else { return nil }
        let near = sightings.count { abs($0.inwards - fit.at - fit.slope * $0.along) < unit }
        let middle = side.start + side.along * (side.length / 2) + side.inwards * fit.at
        let turned = side.along + side.inwards * fit.slope
        return (
            Line(through: middle, along: turned * (1 / turned.length)), Float(near) / Float(max(1, visible))
        )
    }

    /// Half the width of what counts as a line and not as the rim of something.
    private static let thin = 2

    /// A border that is printed near the sheet's edge is steeper than the edge of white paper on a white table. It is thin, so
    /// it goes as print does: in a bright sheet what is dark, in a dark one what is bright.
    private static func withoutThinLines(_ profile: [SIMD4<Float>], _ sign: Float) -> [SIMD4<Float>] {
        func spread(_ values: [SIMD4<Float>], brighter: Bool) -> [SIMD4<Float>] {
            var result = [SIMD4<Float>](repeating: SIMD4(), count: values.count - 2 * thin)
            for i in result.indices {
                var value = values[i]
                for shift in 1...2 * thin {
                    value =
                        brighter
                        ? pointwiseMax(value, values[i + shift]) : pointwiseMin(value, values[i + shift])
                }
                result[i] = value
            }
            return result
        }
        return spread(spread(profile, brighter: sign > 0), brighter: sign <= 0)
    }

    private func steepest(
        _ profile: [SIMD4<Float>], _ sign: Float, _ reach: Int
    ) -> (place: Float, weight: Float)? {
        func slope(_ i: Int) -> Float {
            guard i > 0, i < profile.count - 1 else { return 0 }
            let rise = (profile[i + 1] - profile[i - 1]) * sign
            return max(rise.x, max(rise.y, rise.z))
        }
        var (best, at): (Float, Int) = (6, -1)
        for i in 1..<profile.count - 1 {
            // Nearer to where the side was is better, all else being equal.
            let weighed = slope(i) * (1 - 0.35 * abs(Float(i - reach - 1)) / Float(reach + 1))
            if weighed > best { (best, at) = (weighed, i) }
        }
        guard at >= 0 else { return nil }
        let (before, peak, after) = (slope(at - 1), slope(at), slope(at + 1))
        let bend = before - 2 * peak + after
        // The top of the parabola through the three.
        let shift = bend < -1e-3 ? max(-0.5, min(0.5, 0.5 * (before - after) / bend)) : 0
        return (Float(at - reach - 1) + shift, min(best, 90))
    }

    /// A straight line through places most of which are right: the best of some through two of them, then weighed anew.
    private static func straight(_ sightings: [Sighting], _ unit: Float) -> (at: Float, slope: Float)? {
        let count = sightings.count
        var (best, at, slope): (Float, Float, Float) = (0, 0, 0)
        for i in stride(from: 0, to: count / 2, by: 2) {
            for j in stride(from: count / 2, to: count, by: 2) {
                let (one, other) = (sightings[i], sightings[j])
                let tilt = (other.inwards - one.inwards) / (other.along - one.along)
                guard abs(tilt) <= 0.15 else { continue }
                let height = one.inwards - tilt * one.along
                var good: Float = 0
                for k in stride(from: 0, to: count, by: 2) {
                    let off = abs(sightings[k].inwards - height - tilt * sightings[k].along)
                    if off < 1.2 * unit { good += sightings[k].weight * (1 - off / (1.6 * unit)) }
                }
                if good > best { (best, at, slope) = (good, height, tilt) }
            }
        }
        guard best > 0 else { return nil }
        for _ in 0..<4 {
            guard let next = weighed(sightings, around: (at, slope), 2 * unit) else { break }
            (at, slope) = next
        }
        return (at, slope)
    }

    /// Least squares, where what is far off counts less, and nothing from `reach` on (Tukey's weights).
    private static func weighed(
        _ sightings: [Sighting], around line: (at: Float, slope: Float), _ reach: Float
    ) -> (at: Float, slope: Float)? {
        var (w, wx, wy, wxx, wxy): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for one in sightings {
            let off = (one.inwards - line.at - line.slope * one.along) / reach
            guard abs(off) < 1 else { continue }
            let weight = one.weight * (1 - off * off) * (1 - off * off)
            w += weight
            wx += weight * one.along
            wy += weight * one.inwards
            wxx += weight * one.along * one.along
            wxy += weight * one.along * one.inwards
        }
        let spread = w * wxx - wx * wx
        guard w > 0, spread > 1e-3 * w * w else { return nil }
        let slope = (w * wxy - wx * wy) / spread
        return ((wy - slope * wx) / w, slope)
    }
}
