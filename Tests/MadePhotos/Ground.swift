/// What a sheet lies on, or what is seen where none is.
struct Ground {
    enum Kind {
        case wood, plain, speckled, tiles, cloth, landscape, house
    }

    private let kind: Kind
    private let base: SIMD4<Float>
    private let other: SIMD4<Float>
    private let turn: SIMD2<Float>
    private let step: Float
    private let noise: Noise
    private let depth: Float

    init(_ kind: Kind, base given: SIMD4<Float>? = nil, _ chance: inout Chance) {
        self.kind = kind
        let woods: [SIMD4<Float>] = [
            SIMD4(140, 90, 60, 0), SIMD4(180, 130, 90, 0), SIMD4(205, 170, 130, 0), SIMD4(80, 55, 40, 0),
        ]
        let plains: [SIMD4<Float>] = [
            SIMD4(75, 70, 70, 0), SIMD4(38, 35, 35, 0), SIMD4(60, 90, 110, 0), SIMD4(70, 110, 60, 0),
            SIMD4(140, 60, 60, 0), SIMD4(130, 125, 120, 0), SIMD4(168, 170, 170, 0),
        ]
        base = given ?? chance.one(of: kind == .wood ? woods : plains)
        other = SIMD4(chance.within(40...190), chance.within(40...190), chance.within(40...190), 0)
        let angle = chance.within(-0.8...0.8)
        // Near enough to a sine and a cosine for a direction that only has to be any.
        turn = SIMD2(1 - angle * angle / 2, angle)
        step = kind == .cloth ? chance.within(8...30) : chance.within(45...130)
        noise = Noise(seed: UInt32(truncatingIfNeeded: chance.next()))
        depth = chance.within(8...45)
    }

    func color(_ x: Float, _ y: Float, height: Float) -> SIMD4<Float> {
        let (along, across) = (x * turn.x + y * turn.y, y * turn.x - x * turn.y)
        switch kind {
        case .wood:
            let grain = noise.at(along / 90, across / 5) * 22 + noise.at(along / 14, across / 2) * 9
            let board = (across / (step * 1.6)).rounded(.down)
            let isGap = across - board * step * 1.6 < 1.6
            return (base + (grain - 16)) * (isGap ? 0.6 : 1 + (noise.at(board * 7, 3) - 0.5) * 0.14)
        case .plain: return base + (noise.at(x / 60, y / 60) - 0.5) * 16
        case .speckled: return base + (noise.at(x / 3, y / 3) - 0.5) * depth * 1.6
        case .tiles:
            let (i, j) = (along / step, across / step)
            let isGap = (i - i.rounded(.down)) * step < 2.5 || (j - j.rounded(.down)) * step < 2.5
            return (base + (noise.at(x / 50, y / 50) - 0.5) * 14) * (isGap ? 0.65 : 1)
        case .cloth:
            let (i, j) = (Int((along / step).rounded(.down)) & 1, Int((across / step).rounded(.down)) & 1)
            return base + (other - base) * (Float(i + j) / 2) + (noise.at(x, y) - 0.5) * 12
        case .landscape:
            let hill = height * (0.45 + 0.2 * noise.at(x / 120, 1)) + 12 * noise.at(x / 15, 2)
            if y < hill {
                let cloud = noise.at(x / 80, y / 40)
                return SIMD4(130, 170, 220, 0) + (cloud > 0.6 ? (cloud - 0.6) * 260 : 0)
            }
            return SIMD4(70, 110, 50, 0) + (noise.at(x / 6, y / 3) - 0.5) * 70
        case .house:
            let (i, j) = (along / step, across / step)
            let (u, v) = (i - i.rounded(.down), j - j.rounded(.down))
            let isWindow = u > 0.3 && u < 0.7 && v > 0.25 && v < 0.8
            let wall = base + 50 + (noise.at(x / 4, y / 4) - 0.5) * 30
            return isWindow ? SIMD4(60, 70, 90, 0) + noise.at(x / 20, y / 20) * 90 : wall
        }
    }
}
