import Work

/// When something was said, in an order that all desks agree on: a hybrid logical clock (Kulkarni and others, 2014).
///
/// It is never earlier than anything its desk had seen when it said it, however wrong that desk's clock is; so what was
/// changed after something was seen always counts more than what was seen.
struct Stamp: Sendable, Hashable {
    var milliseconds: Int64
    var count: Int64
    var device: String

    init(milliseconds: Int64, count: Int64, device: String) {
        self.milliseconds = milliseconds
        self.count = count
        self.device = device
    }

    /// The last moment of the year 9999. What comes from other desks is held to it, and to fewer acts in a moment than any
    /// desk has, so that the clock can always go on from there.
    private static let latest: Int64 = 253_402_300_799_999
    private static let mostInOneMoment: Int64 = 1 << 40

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let milliseconds = Int64(parts[0]), let count = Int64(parts[1]),
            (0...Self.latest).contains(milliseconds), (0...Self.mostInOneMoment).contains(count),
            !parts[2].isEmpty
        else { return nil }
        self.init(milliseconds: milliseconds, count: count, device: String(parts[2]))
    }

    var text: String { "\(milliseconds).\(count).\(device)" }
}

extension Stamp: Comparable {
    static func < (a: Stamp, b: Stamp) -> Bool {
        (a.milliseconds, a.count, a.device) < (b.milliseconds, b.count, b.device)
    }
}

/// The hand of one desk's hybrid clock.
struct StampClock: Sendable, Equatable {
    var milliseconds: Int64
    var count: Int64

    mutating func next(at now: Moment, on device: String) -> Stamp {
        let wall = max(0, now.milliseconds)
        if wall > milliseconds {
            (milliseconds, count) = (wall, 0)
        } else {
            count += 1
        }
        return Stamp(milliseconds: milliseconds, count: count, device: device)
    }

    /// What is said from now on comes after this.
    mutating func see(_ stamp: Stamp) {
        guard (stamp.milliseconds, stamp.count) > (milliseconds, count) else { return }
        (milliseconds, count) = (stamp.milliseconds, stamp.count)
    }
}
