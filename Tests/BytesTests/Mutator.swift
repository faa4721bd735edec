/// Spoils valid input in the ways that files and networks do, the same ways for the same seed.
struct Mutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func number(below limit: Int) -> Int {
        // SplitMix64: small, and good enough to reach every branch.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(limit, 1)))
    }

    mutating func bytes(upTo limit: Int) -> [UInt8] {
        (0..<number(below: limit + 1)).map { _ in UInt8(number(below: 256)) }
    }

    mutating func spoil(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...number(below: 4) {
            guard !bytes.isEmpty else { return self.bytes(upTo: 8) }
            let place = number(below: bytes.count)
            switch number(below: 7) {
            case 0: bytes[place] = UInt8(number(below: 256))
            case 1: bytes[place] ^= 1 << UInt8(number(below: 8))
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8(number(below: 256)), at: place)
            case 4: bytes.removeLast(bytes.count - place)
            case 5: bytes.append(contentsOf: bytes[place...].prefix(16))
            default:
                let other = number(below: bytes.count)
                bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)].prefix(32), at: place)
            }
        }
        return bytes
    }
}
