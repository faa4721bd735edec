/// A sheet with something like print on it: words, ruling, boxes, a table, a picture.
struct PrintedSheet {
    let width: Int
    let height: Int
    private var colors: [SIMD4<Float>]

    enum Kind {
        case letter, receipt, card
    }

    init(_ kind: Kind, white given: Float? = nil, _ chance: inout Chance) {
        switch kind {
        case .letter: (width, height) = (600, chance.happens(0.7) ? 849 : 776)
        case .receipt: (width, height) = (260, chance.whole(480...960))
        case .card: (width, height) = (642, 405)
        }
        let white = given ?? chance.within(222...250)
        var paper = SIMD4<Float>(repeating: white)
        if kind == .letter, given == nil, chance.happens(0.2) {
            paper *= chance.one(of: [
                SIMD4(1, 0.95, 0.75, 1), SIMD4(1, 0.85, 0.8, 1), SIMD4(0.85, 0.92, 1, 1),
                SIMD4(0.9, 0.97, 0.86, 1),
            ])
        }
        let isDark = kind == .card && chance.happens(0.4)
        if isDark {
            paper = chance.one(of: [SIMD4(30, 60, 120, 0), SIMD4(45, 40, 40, 0), SIMD4(190, 110, 50, 0)])
        }
        colors = [SIMD4<Float>](repeating: paper, count: width * height)
        let ink = isDark ? SIMD4<Float>(235, 235, 235, 0) : SIMD4<Float>(repeating: chance.within(25...80))
        switch kind {
        case .letter: printLetter(ink, &chance)
        case .receipt: words(14...width - 14, from: 40, to: height - 30, size: 9, gap: 9, ink, &chance)
        case .card:
            box(
                40...140, 45...150,
                SIMD4(chance.within(0...255), chance.within(0...255), chance.within(0...255), 0))
            words(180...width - 40, from: 120, to: 320, size: 18, gap: 26, ink, &chance)
        }
    }

    private mutating func printLetter(_ ink: SIMD4<Float>, _ chance: inout Chance) {
        let margin = chance.whole(36...70)
        var y = margin
        words(margin...margin + 220, from: y, to: y + 20, size: 16, gap: 10, ink, &chance)
        y += 50
        while y < height - margin - 80 {
            let deep = chance.whole(60...200)
            let end = min(height - margin, y + deep)
            switch chance.whole(0...5) {
            case 0:
                for line in stride(from: y, to: end, by: 24) {
                    box(margin...width - margin, line...line, ink)
                    words(
                        margin + 4...margin + 90, from: line + 8, to: line + 16, size: 7, gap: 4, ink, &chance
                    )
                }
            case 1:
                let tint = SIMD4<Float>(
                    chance.within(90...200), chance.within(90...200), chance.within(90...200), 0)
                box(margin...margin + chance.whole(80...300), y...end - 10, tint)
            default: words(margin...width - margin, from: y, to: end - 14, size: 7, gap: 7, ink, &chance)
            }
            y = end + 8
        }
        if chance.happens(0.2) { frame(chance.whole(14...26), ink) }
    }

    /// Runs of strokes in the places of letters.
    private mutating func words(
        _ xs: ClosedRange<Int>, from top: Int, to bottom: Int, size: Int, gap: Int, _ ink: SIMD4<Float>,
        _ chance: inout Chance
    ) {
        var y = top
        while y + size <= bottom {
            var x = xs.lowerBound
            let end = chance.happens(0.2) ? xs.lowerBound + xs.count / 2 : xs.upperBound
            while x < end {
                for _ in 0..<chance.whole(2...9) where x + size < end {
                    letter(x, y, size, ink, &chance)
                    x += size * 3 / 4 + 1
                }
                x += size / 2 + 1
            }
            y += size + gap
        }
    }

    private mutating func letter(_ x: Int, _ y: Int, _ size: Int, _ ink: SIMD4<Float>, _ chance: inout Chance)
    {
        let wide = max(2, size / 2)
        let rises = chance.happens(0.35) ? size / 3 : 0
        if chance.happens(0.8) { box(x...x, y - rises...y + size - 1, ink) }
        if chance.happens(0.5) { box(x + wide...x + wide, y...y + size - 1, ink) }
        if chance.happens(0.6) { box(x...x + wide, y...y, ink) }
        if chance.happens(0.5) { box(x...x + wide, y + size / 2...y + size / 2, ink) }
        if chance.happens(0.6) { box(x...x + wide, y + size - 1...y + size - 1, ink) }
    }

    private mutating func frame(_ margin: Int, _ ink: SIMD4<Float>) {
        box(margin...width - margin, margin...margin, ink)
        box(margin...width - margin, height - margin...height - margin, ink)
        box(margin...margin, margin...height - margin, ink)
        box(width - margin...width - margin, margin...height - margin, ink)
    }

    private mutating func box(_ xs: ClosedRange<Int>, _ ys: ClosedRange<Int>, _ color: SIMD4<Float>) {
        for y in max(0, ys.lowerBound)...max(0, min(height - 1, ys.upperBound)) {
            for x in max(0, xs.lowerBound)...max(0, min(width - 1, xs.upperBound)) {
                colors[y * width + x] = color
            }
        }
    }

    /// At a place of the sheet, both 0…1.
    func color(_ u: Float, _ v: Float) -> SIMD4<Float> {
        let x = min(max(u * Float(width) - 0.5, 0), Float(width) - 1.001)
        let y = min(max(v * Float(height) - 0.5, 0), Float(height) - 1.001)
        let (i, j) = (Int(x), Int(y))
        let (right, lower) = (x - Float(i), y - Float(j))
        let at = j * width + i
        let upper = colors[at] + (colors[at + 1] - colors[at]) * right
        let under = colors[at + width] + (colors[at + width + 1] - colors[at + width]) * right
        return upper + (under - upper) * lower
    }
}
