import Glibc
import Synchronization

/// Where the time comes from. Time enters through a parameter, so that everything can be repeated exactly.
public struct Clock: Sendable {
    public let now: @Sendable () -> Moment

    public init(now: @escaping @Sendable () -> Moment) {
        self.now = now
    }

    public static let system = Clock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public static func fixed(_ moment: Moment) -> Clock {
        Clock { moment }
    }
}

/// A clock whose hands are moved by a test.
public final class HandClock: Sendable {
    private let moment: Mutex<Moment>

    public init(_ start: Moment = Moment(milliseconds: 1_795_260_900_000)) {
        moment = Mutex(start)
    }

    public var clock: Clock { Clock { self.now } }

    public var now: Moment { moment.withLock { $0 } }

    public func set(_ moment: Moment) {
        self.moment.withLock { $0 = moment }
    }

    public func advance(_ duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }
}

/// Time that only ever grows, for measuring how long something took and for deadlines.
public struct Stopwatch: Sendable {
    private let start = Stopwatch.nanoseconds

    public init() {}

    public var elapsed: Duration { .nanoseconds(Stopwatch.nanoseconds - start) }

    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
