import Glibc
import Synchronization

/// Where random bytes come from: the kernel in earnest, a seed in tests.
public struct Chance: Sendable {
    public let bytes: @Sendable (Int) -> [UInt8]

    public init(bytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.bytes = bytes
    }

    /// The kernel's generator, good enough for keys.
    public static let system = Chance { count in
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            while filled < count {
                // `getentropy` gives at most 256 bytes a call and never fewer than asked.
                let step = min(256, count - filled)
                precondition(getentropy(start + filled, step) == 0, "the kernel gives no random bytes")
                filled += step
            }
        }
    }

    /// The same bytes every time, for tests and reproducible output; never for secrets.
    public static func seeded(_ seed: UInt64) -> Chance {
        let generator = SplitMix(seed: seed)
        return Chance { generator.bytes($0) }
    }

    public func integer() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number from 0 up to, not including, `bound`.
    public func integer(below bound: Int) -> Int {
        precondition(bound > 0)
        // The high half of a 64 × 64 bit product; the bias is below bound / 2^64.
        return Int(integer().multipliedFullWidth(by: UInt64(bound)).high)
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): one addition and three mixes for eight bytes.
private final class SplitMix: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) {
        state = Mutex(seed)
    }

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            var result: [UInt8] = []
            result.reserveCapacity(count)
            while result.count < count {
                state &+= 0x9E37_79B9_7F4A_7C15
                var z = state
                z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
                z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
                z ^= z >> 31
                for shift in stride(from: 56, through: 0, by: -8) where result.count < count {
                    result.append(UInt8(truncatingIfNeeded: z >> UInt64(shift)))
                }
            }
            return result
        }
    }
}
