/// An open book seen from above: two pages, each of which bends towards the fold. They are cut apart there, and each is
/// made flat between its own upper and lower edge.
public struct OpenBook: Sendable {
    /// Of both pages together.
    public let plan: PagePlan
    /// How sure that is; zero where all of the picture was taken for the book.
    public let confidence: Float
    /// The left one first.
    public let pages: [Raster]

    /// Nil where nothing is wider than it is high, so that there are no two pages beside each other.
    public init?(_ wish: PageWish, in picture: Raster) {
        var wide = wish
        wide.size = .seen
        wide.dotsPerInch = 0
        let made = picture.withView { view -> (plan: PagePlan, confidence: Float, pages: [Raster])? in
            func isWide(_ plan: PagePlan) -> Bool { !plan.isWhole && plan.width * 10 > plan.height * 11 }
            var plan = PagePlan(wide, for: view)
            var confidence = plan.confidence
            if !isWide(plan), wish.corners == nil {
                // Pages that bend much, or as pale as the table, have no outline. Who photographs a book fills the picture.
                wide.corners = Corners(width: view.width, height: view.height)
                plan = PagePlan(wide, for: view)
                confidence = 0
            }
            guard isWide(plan), let spread = Spread(plan, view, isGuess: confidence == 0) else { return nil }
            let pages = [spread.page(isLeft: true, of: view), spread.page(isLeft: false, of: view)]
            return (plan, confidence, pages)
        }
        guard let made else { return nil }
        (plan, confidence, pages) = (made.plan, made.confidence, made.pages)
    }
}

/// Both pages as one flat picture, small, with some of what lies around them.
private struct Spread {
    private static let width = 960
    /// What is looked at beyond the outline, as a part of its height: edges bend out of it.
    private static let rim: Float = 0.07

    private let map: Perspective
    private let planHeight: Int
    /// Of the small picture, in pixels of the plan.
    private let step: Float
    private let around: Float
    private let fold: Int
    private let edges: [(top: [Float], bottom: [Float])]
    private let left: Int
    private let right: Int

    /// - Parameter isGuess: the pages' edges lie somewhere within the outline.
    init?(_ plan: PagePlan, _ view: RasterView, isGuess: Bool) {
        guard let map = Perspective(width: plan.width, height: plan.height, onto: plan.corners) else {
            return nil
        }
        self.map = map
        planHeight = plan.height
        let around = isGuess ? 0 : Float(plan.height) * Self.rim
        let step = (Float(plan.width) + 2 * around) / Float(Self.width)
        let columns = Self.width
        let rows = max(16, Int((Float(plan.height) + 2 * around) / step))
        var small = Raster(width: columns, height: rows)
        let (wide, high) = (Float(plan.width), Float(plan.height))
        let corners = Corners(
            map.point(-around, -around), map.point(wide + around, -around),
            map.point(wide + around, high + around), map.point(-around, high + around))
        small.pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            view.flatten(corners, into: base, width: columns, height: rows)
        }
        let shades = (0..<columns * rows).map { place -> Float in
            let pixel = SIMD4<UInt8>(
                small.pixels[place * 4], small.pixels[place * 4 + 1], small.pixels[place * 4 + 2], 0)
            return Float(brightness(pixel))
        }
        let (left, right) = (Int(around / step), columns - Int(around / step))
        let fold = Self.fold(shades, columns, rows, left..<right)
        let paper = Self.withoutPrint(shades, columns, rows)
        edges = [left..<fold, fold..<right].map {
            Self.edges(paper, columns, rows, $0, edge: around / step, isGuess: isGuess)
        }
        (self.around, self.step, self.left, self.fold, self.right) = (around, step, left, fold, right)
    }

    /// Paper is darkest where it goes down into the fold. Print is dark, too: the brighter part of each column tells.
    private static func fold(_ shades: [Float], _ columns: Int, _ rows: Int, _ range: Range<Int>) -> Int {
        let (from, to) = (rows / 5, rows * 4 / 5)
        var paper: [Float] = []
        for column in range {
            var seen: [Float] = []
            for row in stride(from: from, to: to, by: 2) { seen.append(shades[row * columns + column]) }
            seen.sort()
            paper.append(seen[seen.count * 3 / 4])
        }
        let middle = range.count / 2
        let reach = range.count / 8
        func mean(_ place: Int) -> Float {
            let near = max(0, place - 3)..<min(paper.count, place + 4)
            return near.reduce(Float(0)) { $0 + paper[$1] } / Float(near.count)
        }
        var (best, darkest) = (middle, mean(middle) - 0.01)
        for place in middle - reach...middle + reach where mean(place) < darkest {
            (best, darkest) = (place, mean(place))
        }
        let usual = (mean(middle - reach) + mean(middle + reach)) / 2
        return range.lowerBound + (darkest < usual * 0.97 ? best : middle)
    }

    // MARK: Edges

    /// Print is lower than the edge of a page is long: what is dark for a few rows only takes the shade around it.
    private static func withoutPrint(_ shades: [Float], _ columns: Int, _ rows: Int) -> [Float] {
        let reach = 7
        func spread(_ from: [Float], _ isBetter: (Float, Float) -> Bool) -> [Float] {
            var made = from
            for column in 0..<columns {
                for row in 0..<rows {
                    var best = from[row * columns + column]
                    for near in max(0, row - reach)...min(rows - 1, row + reach) {
                        let other = from[near * columns + column]
                        if isBetter(other, best) { best = other }
                    }
                    made[row * columns + column] = best
                }
            }
            return made
        }
        return spread(spread(shades, >), <)
    }

    private static func edges(
        _ shades: [Float], _ columns: Int, _ rows: Int, _ part: Range<Int>, edge: Float,
        isGuess: Bool
    ) -> (top: [Float], bottom: [Float]) {
        let band = isGuess ? rows / 3 : max(8, min(Int(edge * 2.4), rows / 3))
        let top = bend(shades, columns, part, 1..<band, usual: edge)
        let bottom = bend(shades, columns, part, rows - band..<rows - 1, usual: Float(rows) - edge)
        return (top, bottom)
    }

    /// The way from one side to the other along which light and dark differ most, made smooth; straight where none is clear.
    private static func bend(
        _ shades: [Float], _ columns: Int, _ part: Range<Int>, _ band: Range<Int>, usual: Float
    ) -> [Float] {
        let straight = [Float](repeating: usual, count: part.count)
        guard part.count > 40 else { return straight }
        let high = band.count
        // How much lies between what is above and what is below.
        func slope(_ column: Int, _ row: Int) -> Float {
            var sum: Float = 0
            for beside in max(0, column - 2)...min(columns - 1, column + 2) {
                let (above, below) = (max(0, row - 3), row + 2)
                for distance in 0..<2 {
                    let lower = min(shades.count / columns - 1, below + distance)
                    sum +=
                        shades[lower * columns + beside]
                        - shades[min(row, above + distance) * columns + beside]
                }
            }
            return abs(sum) / 10
        }
        var best = [Float](repeating: 0, count: part.count * high)
        var came = [Int8](repeating: 0, count: part.count * high)
        for (place, column) in part.enumerated() {
            for row in 0..<high {
                let own = min(200, slope(column, band.lowerBound + row))
                guard place > 0 else {
                    best[row] = own
                    continue
                }
                var (most, from): (Float, Int8) = (-1, 0)
                for turn in -2...2 where row + turn >= 0 && row + turn < high {
                    let value = best[(place - 1) * high + row + turn] - Float(abs(turn)) * 1.5
                    if value > most { (most, from) = (value, Int8(turn)) }
                }
                best[place * high + row] = most + own
                came[place * high + row] = from
            }
        }
        var row = 0
        for one in 0..<high where best[(part.count - 1) * high + one] > best[(part.count - 1) * high + row] {
            row = one
        }
        guard best[(part.count - 1) * high + row] > Float(part.count) * 10 else { return straight }
        var way = [Float](repeating: 0, count: part.count)
        for place in stride(from: part.count - 1, through: 0, by: -1) {
            way[place] = Float(band.lowerBound + row) + 0.5
            row += Int(came[place * high + row])
        }
        guard let smooth = Smooth(way) else { return straight }
        return smooth.values
    }

    // MARK: Pages

    /// Points of the plan for a place of the small picture.
    private func seen(_ column: Float, _ row: Float) -> Point {
        map.point(column * step - around, row * step - around)
    }

    func page(isLeft: Bool, of view: RasterView) -> Raster {
        let part = isLeft ? left..<fold : fold..<right
        let (top, bottom) = edges[isLeft ? 0 : 1]
        let width = max(8, Int(Float(part.count) * step))
        var height = max(8, planHeight)
        if top.count == bottom.count {
            let sum = zip(top, bottom).reduce(Float(0)) { $0 + $1.1 - $1.0 }
            height = max(8, Int(sum / Float(max(1, top.count)) * step))
        }
        var page = Raster(width: width, height: height)
        page.pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for x in 0..<width {
                let place = (Float(x) + 0.5) / step
                let whole = min(top.count - 1, Int(place))
                let next = min(top.count - 1, whole + 1)
                let share = place - Float(whole)
                let upper = top[whole] + (top[next] - top[whole]) * share
                let lower = bottom[whole] + (bottom[next] - bottom[whole]) * share
                let column = Float(part.lowerBound) + place
                for y in 0..<height {
                    let row = upper + (lower - upper) * (Float(y) + 0.5) / Float(height)
                    let color = view.color(at: seen(column, row))
                    let pixel = SIMD4<UInt8>(
                        UInt8(min(255, max(0, color.x + 0.5))), UInt8(min(255, max(0, color.y + 0.5))),
                        UInt8(min(255, max(0, color.z + 0.5))), 255)
                    base.storeBytes(of: pixel, toByteOffset: (y * width + x) * 4, as: SIMD4<UInt8>.self)
                }
            }
        }
        return page
    }
}

/// A curve of the fourth degree through points that are mostly right.
private struct Smooth {
    let values: [Float]

    /// Nil where the points lie too far from any such curve.
    init?(_ points: [Float]) {
        let count = points.count
        func powers(_ place: Int) -> [Double] {
            let x = Double(place) / Double(count - 1) * 2 - 1
            var made = [1.0]
            for _ in 0..<4 { made.append((made.last ?? 1) * x) }
            return made
        }
        var weights = [Double](repeating: 1, count: count)
        var curve = [Double](repeating: 0, count: 5)
        var typical = 0.0
        for _ in 0..<4 {
            var rows = [[Double]](repeating: [Double](repeating: 0, count: 6), count: 5)
            for place in 0..<count {
                let own = powers(place)
                for i in 0..<5 {
                    for j in 0..<5 { rows[i][j] += weights[place] * own[i] * own[j] }
                    rows[i][5] += weights[place] * own[i] * Double(points[place])
                }
            }
            guard let solved = Self.solved(&rows) else { return nil }
            curve = solved
            var far: [Double] = []
            for place in 0..<count {
                let own = powers(place)
                var value = 0.0
                for i in 0..<5 { value += curve[i] * own[i] }
                far.append(abs(value - Double(points[place])))
            }
            typical = far.sorted()[count / 2]
            let most = max(1, typical * 2.5)
            for place in 0..<count { weights[place] = far[place] <= most ? 1 : 0.02 }
        }
        guard typical < 3 else { return nil }
        values = (0..<count).map { place in
            let own = powers(place)
            var value = 0.0
            for i in 0..<5 { value += curve[i] * own[i] }
            return Float(value)
        }
    }

    private static func solved(_ rows: inout [[Double]]) -> [Double]? {
        for i in 0..<5 {
            var best = i
            for j in i..<5 where abs(rows[j][i]) > abs(rows[best][i]) { best = j }
            guard abs(rows[best][i]) > 1e-9 else { return nil }
            rows.swapAt(i, best)
            for j in 0..<5 where j != i {
                let factor = rows[j][i] / rows[i][i]
                for k in i..<6 { rows[j][k] -= factor * rows[i][k] }
            }
        }
        return (0..<5).map { rows[$0][5] / rows[$0][$0] }
    }
}
