/// The light on a page, and the colour of its empty paper, block by block. A page is cleaned by dividing it away.
struct PaperLight {
    private let page: PageView
    private let block: Int
    private let columns: Int
    private let rows: Int
    private var blocks: [Block] = []
    /// What red, green and blue are multiplied with to make the paper white.
    private var gains: [SIMD4<Float>] = []
    /// Coloured pixels among those looked at.
    private(set) var coloredShare: Float = 0

    private struct Block {
        var light = SIMD4<Float>()
        var mean: Float = 0
        var spread: Float = 0
        /// More than half of it is nearly as bright as its brightest: paper with print on it, or something flat.
        var isEven = false
    }

    init(of page: PageView) {
        self.page = page
        block = max(8, min(64, max(page.width, page.height) / 96))
        columns = (page.width + block - 1) / block
        rows = (page.height + block - 1) / block
        blocks.reserveCapacity(columns * rows)
        for row in 0..<rows {
            for column in 0..<columns { blocks.append(look(at: column, row)) }
        }
        let light = evenLight()
        gains = light.map { 255 / SIMD4(max(24, $0.x), max(24, $0.y), max(24, $0.z), .infinity) }
        coloredShare = shareOfColor()
    }

    // MARK: What the paper is like

    private func look(at column: Int, _ row: Int) -> Block {
        let (xs, ys) = (
            stride(from: column * block, to: min(page.width, (column + 1) * block), by: step),
            stride(from: row * block, to: min(page.height, (row + 1) * block), by: step)
        )
        var histogram = SIMD32<UInt16>()
        var (sum, squares, count) = (0, 0, 0)
        for y in ys {
            for x in xs {
                let value = brightness(page.pixel(x, y))
                histogram[value >> 3] &+= 1
                sum += value
                squares += value * value
                count += 1
            }
        }
        var found = Block()
        let all = Float(count)
        found.mean = Float(sum) / all
        found.spread = max(0, Float(squares) / all - found.mean * found.mean).squareRoot()
        // Its light is the mean of its brightest three in ten.
        let bright = Self.bin(in: histogram, holding: all * 0.3)
        var (colors, brightCount) = (SIMD4<UInt32>(), UInt32(0))
        for y in ys {
            for x in xs {
                let pixel = page.pixel(x, y)
                guard brightness(pixel) >> 3 >= bright else { continue }
                colors &+= SIMD4<UInt32>(truncatingIfNeeded: pixel)
                brightCount += 1
            }
        }
        found.light = SIMD4<Float>(colors) / Float(max(1, brightCount))
        let middle = Self.bin(in: histogram, holding: all * 0.55)
        found.isEven = Float(middle * 8 + 4) > 0.84 * brightness(found.light)
        return found
    }

    /// Half of all pixels say as much as all.
    private var step: Int { block >= 16 ? 2 : 1 }

    /// From which bin on the brightest so many begin.
    private static func bin(in histogram: SIMD32<UInt16>, holding count: Float) -> Int {
        var (left, bin) = (count, 31)
        while bin > 0 {
            left -= Float(histogram[bin])
            if left <= 0 { break }
            bin -= 1
        }
        return bin
    }

    /// The light, also where something else than paper lies: pictures and black bars are given that of the paper round them.
    /// A shadow is dark as well, but even, of the paper's hue and never as dark as ink: that one stays.
    private func evenLight() -> [SIMD4<Float>] {
        var light = blocks.map { $0.light }
        let typical = light.map { brightness($0) }.sorted()[light.count * 3 / 4]
        var hue = SIMD4<Float>()
        for one in light where brightness(one) >= typical * 0.9 { hue += one }
        hue *= 1 / max(1, brightness(hue))
        var isPaper = [Bool](repeating: false, count: light.count)
        var isKnown = [Bool](repeating: true, count: light.count)
        for (i, one) in light.enumerated() {
            let bright = brightness(one)
            let off = largest(one - hue * bright)
            isPaper[i] = blocks[i].isEven && bright > 0.3 * typical && off < 0.09 * bright + 3
            isKnown[i] = off <= 0.14 * bright + 4
        }
        fill(&light, isKnown)
        for _ in 0..<8 where !lifted(&light, isPaper, typical) { break }
        for _ in 0..<2 { light = smoothed(light) }
        // At the edge of a shadow rather too white than grey.
        for i in light.indices where isPaper[i] && brightness(blocks[i].light) < brightness(light[i]) {
            light[i] = blocks[i].light
        }
        return light
    }

    @inline(__always)
    private func neighbours(_ column: Int, _ row: Int, _ body: (Int) -> Void) {
        for y in max(0, row - 1)...min(rows - 1, row + 1) {
            for x in max(0, column - 1)...min(columns - 1, column + 1) { body(y * columns + x) }
        }
    }

    /// A coloured field is a picture and no light: it gets the light of the paper round it. When all is coloured, the paper is.
    private func fill(_ light: inout [SIMD4<Float>], _ isKnown: [Bool]) {
        var isKnown = isKnown
        var unknown = isKnown.count { !$0 }
        guard unknown < light.count * 4 / 5 else { return }
        while unknown > 0 {
            var then = isKnown
            for row in 0..<rows {
                for column in 0..<columns where !isKnown[row * columns + column] {
                    var (sum, count) = (SIMD4<Float>(), Float(0))
                    neighbours(column, row) { at in
                        guard isKnown[at] else { return }
                        sum += light[at]
                        count += 1
                    }
                    guard count > 0 else { continue }
                    light[row * columns + column] = sum / count
                    then[row * columns + column] = true
                    unknown -= 1
                }
            }
            isKnown = then
        }
    }

    /// What is much darker than the brightest beside it becomes as bright as that; whether anything was.
    private func lifted(_ light: inout [SIMD4<Float>], _ isPaper: [Bool], _ typical: Float) -> Bool {
        var next = light
        var isChanged = false
        for row in 0..<rows {
            for column in 0..<columns where !isPaper[row * columns + column] {
                let at = row * columns + column
                let own = brightness(light[at])
                var best: Float = 0
                neighbours(column, row) { best = max(best, brightness(light[$0])) }
                if own >= best * 0.82 || own > typical * 0.92 { continue }
                var (sum, count) = (SIMD4<Float>(), Float(0))
                neighbours(column, row) { other in
                    guard brightness(light[other]) >= best * 0.9 else { return }
                    sum += light[other]
                    count += 1
                }
                next[at] = sum * (0.97 / count)
                isChanged = true
            }
        }
        light = next
        return isChanged
    }

    private func smoothed(_ light: [SIMD4<Float>]) -> [SIMD4<Float>] {
        var next = light
        for row in 0..<rows {
            for column in 0..<columns {
                var (sum, count) = (SIMD4<Float>(), Float(0))
                neighbours(column, row) {
                    sum += light[$0]
                    count += 1
                }
                next[row * columns + column] = sum / count
            }
        }
        return next
    }

    /// Once the light is divided away: how much is neither paper nor ink nor grey.
    private func shareOfColor() -> Float {
        var (colored, count) = (0, 0)
        for y in stride(from: 3, to: page.height, by: 4) {
            for x in stride(from: 3, to: page.width, by: 4) {
                let gain = gains[min(y / block, rows - 1) * columns + min(x / block, columns - 1)]
                let color = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: page.pixel(x, y))) * gain
                let (least, most) = (min(color.x, min(color.y, color.z)), max(color.x, max(color.y, color.z)))
                count += 1
                if most - least > 60, most > 60 { colored += 1 }
            }
        }
        return Float(colored) / Float(max(1, count))
    }

    // MARK: Cleaning

    /// Divides the light away, then spreads what is left between ink and paper.
    func divide(isGrey: Bool) {
        let (black, white) = levels()
        let spread = 255 / (white - black)
        // In whole numbers: turning floats into them checks each for being too large, and takes ten times as long.
        let scaled = gains.map { $0 * (spread * 65536) }
        let low = SIMD4<Int32>(repeating: Int32(black * spread * 65536))
        let (none, full) = (SIMD4<Int32>(), SIMD4<Int32>(repeating: 255))
        forEachRun(scaled) { row, xs, start, step in
            var gain = Self.whole(start)
            let step = Self.whole(step)
            for x in xs {
                let at = row + x * 4
                let pixel = at.loadUnaligned(as: SIMD4<UInt8>.self)
                var color = (SIMD4<Int32>(truncatingIfNeeded: pixel) &* gain &- low) &>> 16
                color = pointwiseMin(pointwiseMax(color, none), full)
                if isGrey {
                    let grey = (color.x &* 77 &+ color.y &* 150 &+ color.z &* 29) &>> 8
                    color = SIMD4(repeating: grey)
                }
                color.w = 255
                at.storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: color), as: SIMD4<UInt8>.self)
                gain &+= step
            }
        }
    }

    @inline(__always)
    private static func whole(_ value: SIMD4<Float>) -> SIMD4<Int32> {
        SIMD4(Int32(value.x), Int32(value.y), Int32(value.z), 0)
    }

    /// Where ink and paper lie after the division: the darkest two in a hundred, and a little below the paper.
    private func levels() -> (black: Float, white: Float) {
        var histogram = [Int](repeating: 0, count: 256)
        var count = 0
        for y in stride(from: 2, to: page.height, by: 5) {
            for x in stride(from: 2, to: page.width, by: 5) {
                let gain = gains[min(y / block, rows - 1) * columns + min(x / block, columns - 1)]
                let color = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: page.pixel(x, y))) * gain
                histogram[min(255, Int(brightness(color)))] += 1
                count += 1
            }
        }
        var (left, black) = (count / 50, 0)
        while black < 120, left > 0 {
            left -= histogram[black]
            black += 1
        }
        return (min(110, Float(black) * 0.8), 236)
    }

    /// Sauvola's threshold by what blocks are like, straight between them: no sums over each pixel of a large page are kept.
    func threshold() {
        var limits = [SIMD4<Float>](repeating: SIMD4(), count: blocks.count)
        for row in 0..<rows {
            for column in 0..<columns {
                let at = row * columns + column
                limits[at] = SIMD4(repeating: limit(column, row, paper: 255 / gains[at].y))
            }
        }
        forEachRun(limits) { row, xs, start, step in
            var limit = start.x
            for x in xs {
                let at = row + x * 4
                let value = brightness(at.loadUnaligned(as: SIMD4<UInt8>.self))
                let color: UInt32 = Float(value) < limit ? 0xff00_0000 : 0xffff_ffff
                at.storeBytes(of: color, as: UInt32.self)
                limit += step.x
            }
        }
    }

    private func limit(_ column: Int, _ row: Int, paper: Float) -> Float {
        var (mean, squares, count): (Float, Float, Float) = (0, 0, 0)
        neighbours(column, row) { at in
            let one = blocks[at]
            mean += one.mean
            squares += one.spread * one.spread + one.mean * one.mean
            count += 1
        }
        mean /= count
        let spread = max(0, squares / count - mean * mean).squareRoot()
        // A flat dark block is ink all over.
        let limit = mean < paper * 0.5 && spread < 14 ? 255 : mean * (1 + 0.3 * (spread / 110 - 1))
        // Nothing brighter than this is ink, nothing darker paper.
        return min(max(limit, paper * 0.5), paper * 0.86)
    }

    /// Runs over the page with a value that changes straight between the middles of blocks.
    @inline(__always)
    private func forEachRun(
        _ values: [SIMD4<Float>],
        _ body: (
            _ row: UnsafeMutableRawPointer, _ xs: Range<Int>, _ start: SIMD4<Float>, _ step: SIMD4<Float>
        ) -> Void
    ) {
        let half = Float(block) / 2
        var line = [SIMD4<Float>](repeating: SIMD4(), count: columns)
        for y in 0..<page.height {
            let place = min(max((Float(y) + 0.5 - half) / Float(block), 0), Float(rows - 1))
            let above = min(Int(place), max(0, rows - 2))
            let share = place - Float(above)
            let below = rows > 1 ? columns : 0
            for column in 0..<columns {
                let (a, b) = (values[above * columns + column], values[above * columns + column + below])
                line[column] = a + (b - a) * share
            }
            let row = page.base + y * page.width * 4
            var (x, column) = (0, -1)
            while x < page.width {
                // From the middle of one block to that of the next.
                let end =
                    column + 1 >= columns ? page.width : min(page.width, (column + 1) * block + block / 2)
                let (a, b) = (line[max(0, column)], line[min(columns - 1, column + 1)])
                let begun = column < 0 ? 0 : column * block + block / 2
                let step = (b - a) / Float(block)
                body(row, x..<end, a + step * Float(x - begun), step)
                x = end
                column += 1
            }
        }
    }
}

/// A flat page that is changed where it lies.
struct PageView {
    let base: UnsafeMutableRawPointer
    let width: Int
    let height: Int

    var view: RasterView { RasterView(UnsafeRawPointer(base), width: width, height: height) }

    @inline(__always)
    func pixel(_ x: Int, _ y: Int) -> SIMD4<UInt8> { view.pixel(at: (y * width + x) * 4) }
}
