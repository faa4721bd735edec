/// Chance that is the same each time (SplitMix64).
public struct Chance {
    private var state: UInt64

    public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678 }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    public mutating func share() -> Float { Float(next() >> 40) / Float(1 << 24) }
    public mutating func within(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + share() * (range.upperBound - range.lowerBound)
    }
    public mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }
    public mutating func happens(_ probability: Float) -> Bool { share() < probability }
    public mutating func one<Element>(of elements: [Element]) -> Element {
        elements[whole(0...elements.count - 1)]
    }

    /// About a bell, by the sum of four.
    public mutating func bell(_ width: Float) -> Float {
        (share() + share() + share() + share() - 2) * width * 1.73
    }
}

/// Smooth noise, 0…1, that is the same at the same place.
struct Noise {
    let seed: UInt32

    func at(_ x: Float, _ y: Float) -> Float {
        let (column, row) = (x.rounded(.down), y.rounded(.down))
        let (right, lower) = (Self.eased(x - column), Self.eased(y - row))
        let (i, j) = (Int32(column), Int32(row))
        let upper = knot(i, j) + (knot(i &+ 1, j) - knot(i, j)) * right
        let under = knot(i, j &+ 1) + (knot(i &+ 1, j &+ 1) - knot(i, j &+ 1)) * right
        return upper + (under - upper) * lower
    }

    private static func eased(_ t: Float) -> Float { t * t * (3 - 2 * t) }

    private func knot(_ i: Int32, _ j: Int32) -> Float {
        var mixed = UInt32(bitPattern: i) &* 0x85EB_CA6B ^ UInt32(bitPattern: j) &* 0xC2B2_AE35 ^ seed
        mixed = (mixed ^ (mixed >> 15)) &* 0x2C1B_3C6D
        mixed = (mixed ^ (mixed >> 12)) &* 0x297A_2D39
        return Float((mixed ^ (mixed >> 15)) >> 8) / Float(1 << 24)
    }
}
