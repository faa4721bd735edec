/// The modules of a code while it is drawn.
struct QRGrid: Sendable {
    let size: Int
    private(set) var dark: [Bool]
    /// Modules that are not for data: finders, timing, what tells version and mask.
    private var fixed: [Bool]
    private let version: QRVersion

    init(_ version: QRVersion) {
        self.version = version
        size = version.size
        dark = [Bool](repeating: false, count: size * size)
        fixed = dark
        drawTiming()
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        drawAlignment()
        // Their places must be known before the data is placed; what they say comes with the mask.
        drawFormat(0)
        drawVersion()
    }

    private subscript(x: Int, y: Int) -> Bool {
        get { dark[y * size + x] }
        set {
            dark[y * size + x] = newValue
            fixed[y * size + x] = true
        }
    }

    private mutating func drawTiming() {
        for place in 0..<size {
            self[6, place] = place % 2 == 0
            self[place, 6] = place % 2 == 0
        }
    }

    private mutating func drawFinder(_ middleX: Int, _ middleY: Int) {
        for y in -4...4 {
            for x in -4...4 where (0..<size).contains(middleX + x) && (0..<size).contains(middleY + y) {
                let ring = max(abs(x), abs(y))
                self[middleX + x, middleY + y] = ring != 2 && ring != 4
            }
        }
    }

    private mutating func drawAlignment() {
        let places = version.alignment
        guard let first = places.first, let last = places.last else { return }
        for middleY in places {
            for middleX in places {
                // The three corners belong to the finders.
                let corners = [(first, first), (first, last), (last, first)]
                if corners.contains(where: { $0 == (middleX, middleY) }) { continue }
                for y in -2...2 {
                    for x in -2...2 { self[middleX + x, middleY + y] = max(abs(x), abs(y)) != 1 }
                }
            }
        }
    }

    /// The level and the mask, secured (§7.9).
    static func format(_ level: QRLevel, mask: Int) -> Int {
        let said = level.bits << 3 | mask
        var rest = said
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        return (said << 10 | rest) ^ 0x5412
    }

    /// They are written twice.
    private mutating func drawFormat(_ mask: Int) {
        let bits = Self.format(version.level, mask: mask)
        func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        for place in 0...5 { self[8, place] = bit(place) }
        self[8, 7] = bit(6)
        self[8, 8] = bit(7)
        self[7, 8] = bit(8)
        for place in 9..<15 { self[14 - place, 8] = bit(place) }
        for place in 0..<8 { self[size - 1 - place, 8] = bit(place) }
        for place in 8..<15 { self[8, size - 15 + place] = bit(place) }
        self[8, size - 8] = true
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var rest = version.number
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version.number << 12 | rest
        for place in 0..<18 {
            let bit = bits >> place & 1 == 1
            self[size - 11 + place % 3, place / 3] = bit
            self[place / 3, size - 11 + place % 3] = bit
        }
    }

    /// From the lower right corner up and down in strips of two (§7.7.3).
    mutating func place(_ bytes: [UInt8]) {
        var bit = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let goesUp = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = goesUp ? size - 1 - step : step
                for x in [right, right - 1] where !fixed[y * size + x] && bit < bytes.count * 8 {
                    dark[y * size + x] = bytes[bit / 8] >> (7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            right -= 2
        }
    }

    /// What `place` has placed, of modules that stand behind this mask.
    func codewords(of modules: [Bool], mask: Int) -> [UInt8] {
        var plain = self
        plain.dark = modules
        plain = plain.masked(mask)
        var bits: [Bool] = []
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let goesUp = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = goesUp ? size - 1 - step : step
                for x in [right, right - 1] where !fixed[y * size + x] {
                    bits.append(plain.dark[y * size + x])
                }
            }
            right -= 2
        }
        return stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { start in
            bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    func masked(_ mask: Int) -> QRGrid {
        var grid = self
        for y in 0..<size {
            for x in 0..<size where !fixed[y * size + x] {
                let turns =
                    switch mask {
                    case 0: (x + y) % 2 == 0
                    case 1: y % 2 == 0
                    case 2: x % 3 == 0
                    case 3: (x + y) % 3 == 0
                    case 4: (x / 3 + y / 2) % 2 == 0
                    case 5: x * y % 2 + x * y % 3 == 0
                    case 6: (x * y % 2 + x * y % 3) % 2 == 0
                    default: ((x + y) % 2 + x * y % 3) % 2 == 0
                    }
                if turns { grid.dark[y * size + x].toggle() }
            }
        }
        grid.drawFormat(mask)
        return grid
    }

    /// How much of it could be taken for something else: long lines, blocks, finders, and more of one colour.
    var penalty: Int {
        let share = dark.count { $0 } * 100 / dark.count
        let lines = dark.withUnsafeBufferPointer { dark in
            (0..<size).reduce(0) { points, line in
                points + Self.penalty(dark, from: line * size, step: 1, count: size)
                    + Self.penalty(dark, from: line, step: size, count: size)
            }
        }
        return lines + blocks + abs(share - 50) / 5 * 10
    }

    /// What of one line, across or down, is long or looks like a finder beside nothing. Each code is looked at eight times, so this
    /// goes once over the modules and keeps the last eleven as bits.
    private static func penalty(
        _ dark: UnsafeBufferPointer<Bool>, from start: Int, step: Int, count: Int
    ) -> Int {
        let (before, behind) = (0b000_0101_1101, 0b101_1101_0000)
        var points = 0
        var run = 0
        var seen = 0
        for place in 0..<count {
            let module = dark[start + place * step] ? 1 : 0
            run = place > 0 && module == seen & 1 ? run + 1 : 1
            if run == 5 { points += 3 } else if run > 5 { points += 1 }
            seen = (seen << 1 | module) & 0x7FF
            if place >= 10, seen == before || seen == behind { points += 40 }
        }
        return points
    }

    private var blocks: Int {
        dark.withUnsafeBufferPointer { dark in
            var points = 0
            for y in 0..<(size - 1) {
                for place in (y * size)..<(y * size + size - 1) {
                    let module = dark[place]
                    if module == dark[place + 1], module == dark[place + size],
                        module == dark[place + size + 1]
                    {
                        points += 3
                    }
                }
            }
            return points
        }
    }
}
