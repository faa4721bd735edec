import Synchronization
import Work

/// Makes ids that rise even when many are made in one millisecond and when the clock goes backwards.
///
/// RFC 9562 §6.2, method 2: within a millisecond the random part of the last id is increased by a random
/// amount; when the clock has gone back, the last millisecond simply goes on.
final class IDMaker: Sendable {
    private struct Last {
        var milliseconds: UInt64
        /// The twelve bits after the version and the 62 after the variant.
        var high: UInt64 = 0
        var low: UInt64 = 0
    }

    private let last: Mutex<Last>
    private let chance: Chance

    /// Ids will be later than `floor`, for a clock that went back while Quire was stopped.
    init(chance: Chance, floor: Moment?) {
        self.chance = chance
        last = Mutex(Last(milliseconds: UInt64(max(-1, floor?.milliseconds ?? -1) + 1)))
    }

    func next<Of>(at now: Moment) -> ID<Of> {
        let random = chance.bytes(10).reduce(into: (high: UInt64(0), low: UInt64(0))) { parts, byte in
            parts.high = parts.high << 8 | parts.low >> 56
            parts.low = parts.low << 8 | UInt64(byte)
        }
        let milliseconds = UInt64(max(0, now.milliseconds)) & 0xFFFF_FFFF_FFFF
        let id = last.withLock { last in
            if milliseconds > last.milliseconds {
                last = Last(
                    milliseconds: milliseconds, high: random.high & 0xFFF, low: random.low & Self.lowMask)
            } else {
                last.low += 1 + (random.low & 0xFFFF_FFFF)
                last.high += last.low >> 62
                last.low &= Self.lowMask
                last.milliseconds += last.high >> 12
                last.high &= 0xFFF
            }
            return last
        }
        return ID(high: id.milliseconds << 16 | 0x7000 | id.high, low: 0b10 << 62 | id.low)
    }

    private static let lowMask: UInt64 = (1 << 62) - 1
}
