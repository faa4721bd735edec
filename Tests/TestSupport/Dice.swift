/// Chance that falls the same way on every run: what a fuzzed test found can be found again.
public struct Dice: RandomNumberGenerator {
    private var state: UInt64

    public init(_ seed: UInt64) { state = seed }

    /// SplitMix64.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    public mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<below(count + 1)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// A few bytes of `text` changed, dropped, doubled or cut away.
    public mutating func spoil(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...below(4) {
            let place = bytes.isEmpty ? 0 : below(bytes.count)
            switch below(5) {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 1 where !bytes.isEmpty: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: self.bytes(upTo: 5), at: place)
            case 3: bytes.insert(contentsOf: bytes.suffix(from: place).prefix(8), at: place)
            default: bytes.removeLast(min(bytes.count, below(4)))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
