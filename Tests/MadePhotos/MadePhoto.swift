public import Scanning

/// A photo whose corners are known since it was made: a sheet with print on it, seen by a camera that is turned, tilted and
/// moved, on all kinds of ground, in all kinds of light.
public struct MadePhoto: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case wood, plain, pale, shadow, clutter, receipt, card, finger, blur, dark, tiles, cloth, curl, lines
        /// No sheet is there.
        case empty, landscape, house

        public var hasSheet: Bool { ![.empty, .landscape, .house].contains(self) }
        public static let sheets = allCases.filter(\.hasSheet)
        public static let others = allCases.filter { !$0.hasSheet }
    }

    public let kind: Kind
    public let corners: Corners?
    public let raster: Raster

    public init(_ kind: Kind, seed: UInt64, longestSide: Int = 640) {
        self.kind = kind
        var scene = Scene(kind, seed: seed, longestSide: longestSide)
        (raster, corners) = (scene.taken(), scene.corners)
    }
}

/// What is before the camera.
private struct Scene {
    let kind: MadePhoto.Kind
    let width: Int
    let height: Int
    private(set) var corners: Corners?
    private var chance: Chance
    private let ground: Ground
    private var sheet: PrintedSheet?
    private var back: Backwards?
    private var things: [Thing] = []
    private var fingers: [Thing] = []
    private var shadows: [SIMD4<Float>] = []
    private let shadowDepth: Float
    private let falloff: SIMD3<Float>
    private let tint: SIMD4<Float>
    private let bend: Float
    private let rim: SIMD2<Float>

    init(_ kind: MadePhoto.Kind, seed: UInt64, longestSide: Int) {
        self.kind = kind
        var chance = Chance(seed: seed &* 131 &+ UInt64(MadePhoto.Kind.allCases.firstIndex(of: kind) ?? 0))
        let short = chance.one(of: [longestSide * 3 / 4, longestSide * 3 / 4, longestSide * 9 / 16])
        let isTall = chance.happens(0.7)
        (width, height) = isTall ? (short, longestSide) : (longestSide, short)
        let pale = chance.within(180...212)
        switch kind {
        case .plain: ground = Ground(.plain, &chance)
        case .tiles: ground = Ground(.tiles, &chance)
        case .cloth: ground = Ground(.cloth, &chance)
        case .wood, .lines: ground = Ground(.wood, &chance)
        case .pale: ground = Ground(.plain, base: SIMD4(pale, pale, pale + 2, 0), &chance)
        case .landscape: ground = Ground(.landscape, &chance)
        case .house: ground = Ground(.house, &chance)
        default:
            let grounds: [Ground.Kind] = [.wood, .plain, .speckled, .tiles]
            ground = Ground(chance.one(of: grounds), &chance)
        }
        if kind == .clutter || kind == .empty || chance.happens(0.15) && kind.hasSheet {
            for _ in 0..<chance.whole(3...7) { things.append(Thing(width, height, &chance)) }
        }
        if kind == .lines {
            for _ in 0..<chance.whole(3...6) { things.append(Thing(width, height, isLine: true, &chance)) }
        }
        bend = kind == .curl ? chance.within(0.004...0.01) * (chance.happens(0.5) ? 1 : -1) : 0
        if kind.hasSheet {
            let sheet = PrintedSheet(
                kind == .receipt ? .receipt : kind == .card ? .card : .letter,
                white: kind == .pale ? pale + chance.within(12...34) : nil, &chance)
            let small = kind == .receipt || kind == .card
            let seen = Self.look(
                (Float(width), Float(height)), ratio: Float(sheet.height) / Float(sheet.width),
                fill: small ? 0.4...0.85 : 0.62...0.97, &chance)
            self.sheet = sheet
            corners = seen
            back = Backwards(from: seen)
        }
        if kind == .finger, let corners {
            for _ in 0..<chance.whole(1...2) { fingers.append(Thing(finger: corners, &chance)) }
        }
        shadowDepth = kind == .shadow || chance.happens(0.12) ? chance.within(0.2...0.5) : 0
        if shadowDepth > 0 {
            for _ in 0..<chance.whole(1...2) {
                let x = chance.within(-1...1)
                shadows.append(
                    SIMD4(
                        x, 1 - abs(x), chance.within(0.2...0.8),
                        chance.one(of: [2, 8, 25, 50]) * Float(longestSide) / 640))
            }
        }
        falloff = SIMD3(chance.within(-1...1), chance.within(-1...1), chance.within(0...0.35))
        var tint = SIMD4<Float>(repeating: kind == .dark ? chance.within(0.18...0.4) : 1)
        if chance.happens(0.5) { tint *= SIMD4(chance.within(0.92...1.05), 1, chance.within(0.85...1), 1) }
        self.tint = tint
        rim = SIMD2(chance.within(0.05...0.4), chance.within(3...14))
        self.chance = chance
    }

    /// Corners of a sheet as a camera sees them that is turned and tilted a little.
    private static func look(
        _ size: (Float, Float), ratio: Float, fill: ClosedRange<Float>, _ chance: inout Chance
    ) -> Corners {
        while true {
            let (tiltX, tiltY) = (chance.bell(0.28), chance.bell(0.21))
            var turn = chance.happens(0.75) ? chance.bell(0.19) : chance.within(-1.5...1.5)
            if (size.0 > size.1) != (ratio < 1), chance.happens(0.6) { turn += 1.5708 }
            let depth = chance.within(2.2...3.5) * max(1, ratio)
            let focus = chance.within(0.75...1.2)
            let (sine, cosine) = (sin(turn), sin(turn + 1.5708))
            var points: [Point] = []
            for (x, y) in [(-1, -ratio), (1, -ratio), (1, ratio), (-1, ratio)] as [(Float, Float)] {
                let (a, b) = (x * cosine - y * sine, x * sine + y * cosine)
                let away = depth + b * tiltX + a * tiltY
                points.append(Point(a / away * focus, b * (1 - tiltX * tiltX / 2) / away * focus))
            }
            let (xs, ys) = (points.map(\.x), points.map(\.y))
            let (left, right) = (xs.min() ?? 0, xs.max() ?? 1)
            let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 1)
            let scale = min(size.0 / (right - left), size.1 / (bottom - top)) * chance.within(fill)
            let roomX = size.0 - (right - left) * scale - 6
            let roomY = size.1 - (bottom - top) * scale - 6
            guard roomX > 0, roomY > 0 else { continue }
            let (shiftX, shiftY) = (3 + chance.share() * roomX, 3 + chance.share() * roomY)
            let seen = points.map { Point(($0.x - left) * scale + shiftX, ($0.y - top) * scale + shiftY) }
            let found = Corners(seen[0], seen[1], seen[2], seen[3])
            if found.isConvex, found.area > 0.07 * size.0 * size.1 { return found }
        }
    }

    /// The picture, each pixel the mean of four places in it.
    mutating func taken() -> Raster {
        var picture = [SIMD4<Float>](repeating: SIMD4(), count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var sum = SIMD4<Float>()
                for (right, lower) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
                    as [(Float, Float)]
                {
                    sum += color(Float(x) + right, Float(y) + lower)
                }
                picture[y * width + x] = sum / 4
            }
        }
        if kind == .blur { for _ in 0..<chance.whole(1...3) { smooth(&picture) } }
        let noise = chance.within(1...(kind == .dark ? 6 : 4))
        var raster = Raster(width: width, height: height)
        for i in picture.indices {
            for channel in 0..<3 {
                let value = picture[i][channel] + chance.bell(noise)
                raster.pixels[i * 4 + channel] = UInt8(min(255, max(0, value)))
            }
            raster.pixels[i * 4 + 3] = 255
        }
        return raster
    }

    private func color(_ x: Float, _ y: Float) -> SIMD4<Float> {
        var color = ground.color(x, y, height: Float(height))
        for thing in things { if thing.holds(x, y) { color = thing.color } }
        if let sheet, let back, let corners {
            let place = back.place(x, y)
            let u = place.x - bend * wave(place.y)
            if u >= 0, u <= 1, place.y >= 0, place.y <= 1, kind != .card || Self.isRound(u, place.y) {
                color = sheet.color(u, place.y)
            } else {
                color *= 1 - rim.x * exp(-corners.distance(outside: x - 4, y - 4) / rim.y)
            }
        }
        for finger in fingers { if finger.holds(x, y) { color = finger.color } }
        let (wide, high) = (x / Float(width), y / Float(height))
        var light = 1 - falloff.z * (0.5 + (wide - 0.5) * falloff.x + (high - 0.5) * falloff.y)
        for shadow in shadows {
            let off = (wide * shadow.x + high * shadow.y - shadow.z) * Float(max(width, height))
            light *= 1 - shadowDepth / (1 + exp(-off / shadow.w * 3))
        }
        return color * tint * light
    }

    private func wave(_ v: Float) -> Float { v > 0 && v < 1 ? sin(v * 3.14159) : 0 }

    /// A card's corners are round.
    private static func isRound(_ u: Float, _ v: Float) -> Bool {
        let (x, y) = (min(u, 1 - u) * 85.6, min(v, 1 - v) * 54)
        guard x < 3.18, y < 3.18 else { return true }
        return (3.18 - x) * (3.18 - x) + (3.18 - y) * (3.18 - y) <= 3.18 * 3.18
    }

    private func smooth(_ picture: inout [SIMD4<Float>]) {
        for step in [1, width] {
            let before = picture
            for i in 2 * step..<picture.count - 2 * step {
                let near = before[i - step] + before[i] + before[i + step]
                picture[i] = (near + before[i - 2 * step] + before[i + 2 * step]) / 5
            }
        }
    }
}

/// Something on the table, or a finger on the sheet.
private struct Thing {
    let color: SIMD4<Float>
    private let middle: SIMD2<Float>
    private let along: SIMD2<Float>
    private let reach: SIMD2<Float>
    private let isRound: Bool

    init(_ width: Int, _ height: Int, isLine: Bool = false, _ chance: inout Chance) {
        color = SIMD4(chance.within(10...230), chance.within(10...230), chance.within(10...230), 0)
        middle = SIMD2(chance.share() * Float(width), chance.share() * Float(height))
        let angle = chance.within(0...6.28)
        along = SIMD2(sin(angle + 1.5708), sin(angle))
        isRound = !isLine && chance.happens(0.3)
        let size = Float(max(width, height)) / 640
        let long = (isLine ? chance.within(150...500) : chance.within(20...125)) * size
        let short = (isLine ? chance.within(2...6) : chance.within(12...75)) * size
        reach = SIMD2(long, isRound ? long : short)
    }

    init(finger corners: Corners, _ chance: inout Chance) {
        color = chance.one(of: [SIMD4(225, 180, 150, 0), SIMD4(180, 130, 100, 0), SIMD4(120, 80, 60, 0)])
        let side = chance.whole(0...3)
        let (a, b) = (corners[side], corners[side + 1])
        let share = chance.within(0.15...0.85)
        let tip = SIMD2(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
        let out = tip - SIMD2(corners.center.x, corners.center.y)
        along = out / (out * out).sum().squareRoot()
        let wide = chance.within(11...20)
        reach = SIMD2(90, wide)
        middle = tip + along * (90 - wide)
        isRound = false
    }

    func holds(_ x: Float, _ y: Float) -> Bool {
        let off = SIMD2(x, y) - middle
        let (u, v) = ((off * along).sum(), off.y * along.x - off.x * along.y)
        if isRound { return u * u + v * v < reach.x * reach.x }
        return abs(u) < reach.x && abs(v) < reach.y
    }
}

/// From a place in the picture to the place on the sheet.
private struct Backwards {
    private var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(from corners: Corners) {
        func pair(_ point: Point) -> SIMD2<Double> { SIMD2(Double(point.x), Double(point.y)) }
        let (a, b, c, d) = (pair(corners[0]), pair(corners[1]), pair(corners[2]), pair(corners[3]))
        let (one, two, rest) = (b - c, d - c, a - b + c - d)
        let turn = one.x * two.y - two.x * one.y
        let g = (rest.x * two.y - two.x * rest.y) / turn
        let h = (one.x * rest.y - rest.x * one.y) / turn
        let (x, y) = (b - a + b * g, d - a + d * h)
        // The matrix that leads from the sheet to the picture, turned round by its cofactors.
        let m = [[x.x, y.x, a.x], [x.y, y.y, a.y], [g, h, 1]]
        func cofactor(_ i: Int, _ j: Int) -> Double {
            let (r, s, t, u) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3)
            return m[r][t] * m[s][u] - m[r][u] * m[s][t]
        }
        rows = (
            SIMD3(cofactor(0, 0), cofactor(1, 0), cofactor(2, 0)),
            SIMD3(cofactor(0, 1), cofactor(1, 1), cofactor(2, 1)),
            SIMD3(cofactor(0, 2), cofactor(1, 2), cofactor(2, 2))
        )
    }

    func place(_ x: Float, _ y: Float) -> SIMD2<Float> {
        let at = SIMD3(Double(x), Double(y), 1)
        let depth = (rows.2 * at).sum()
        return SIMD2(Float((rows.0 * at).sum() / depth), Float((rows.1 * at).sum() / depth))
    }
}

extension Corners {
    /// How far outside a place lies; 0 within.
    fileprivate func distance(outside x: Float, _ y: Float) -> Float {
        var most: Float = 0
        for place in 0..<4 {
            let (a, b) = (self[place], self[place + 1])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let length = max(1, (dx * dx + dy * dy).squareRoot())
            most = max(most, ((x - a.x) * dy - (y - a.y) * dx) / length)
        }
        return most
    }
}

private func sin(_ angle: Float) -> Float {
    var a = angle
    while a > 3.14159265 { a -= 6.2831853 }
    while a < -3.14159265 { a += 6.2831853 }
    let half = a / 2
    let square = half * half
    let s = half * (1 - square * (1 / 6 - square * (1 / 120 - square / 5040)))
    let c = 1 - square * (0.5 - square * (1 / 24 - square / 720))
    return 2 * s * c
}

private func exp(_ value: Float) -> Float {
    guard value > -20 else { return 0 }
    let base = 1 + min(value, 20) / 1024
    var power = base
    for _ in 0..<10 { power *= power }
    return power
}
