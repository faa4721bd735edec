public import Storage
internal import Synchronization
public import Work

/// In which sessions private folders are open at the moment. Kept in memory: a restart closes them.
public final class PrivateOpenings: Sendable {
    /// They close by themselves after this.
    public static let life = Duration.seconds(15 * 60)
    /// How long ago somebody may have proved who they are to open them without being asked again.
    static let freshness = Duration.seconds(60)

    private let clock: Clock
    private let ends = Mutex<[ID<Session>: Moment]>([:])
    /// Whoever closed them is asked before they open again, however fresh the proof from before is.
    private let closed = Mutex<[ID<Session>: Moment]>([:])

    init(clock: Clock) {
        self.clock = clock
    }

    /// Right after a passkey or password was shown; refused otherwise.
    @discardableResult
    public func open(for session: Session) throws(Failure) -> Moment {
        let now = clock.now()
        let age = now - session.provenAt
        let isClosed = closed.withLock { $0[session.id] }.map { session.provenAt <= $0 } ?? false
        guard session.lockedAt == nil, age < Self.freshness, age >= .seconds(-5), !isClosed else {
            throw Failure(
                .signInNeeded, "Show with your passkey or password that it is you.", field: "proof")
        }
        let end = now + Self.life
        ends.withLock { ends in
            ends = ends.filter { $0.value > now }
            ends[session.id] = end
        }
        return end
    }

    public func close(_ id: ID<Session>) {
        let now = clock.now()
        ends.withLock { $0[id] = nil }
        closed.withLock { closed in
            // Older ones are asked anyway, as no proof is fresh for so long.
            closed = closed.filter { now - $0.value < Self.freshness }
            closed[id] = now
        }
    }

    /// Until when they are open; nil when they are not.
    public func end(for id: ID<Session>) -> Moment? {
        let now = clock.now()
        // Later than they ever close: the clock was put back meanwhile.
        return ends.withLock { $0[id] }.flatMap { $0 > now && $0 - now <= Self.life ? $0 : nil }
    }
}
