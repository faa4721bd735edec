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

    init(clock: Clock) {
        self.clock = clock
    }

    /// Right after a passkey or password was shown; refused otherwise.
    @discardableResult
    public func open(for session: Session) throws(Failure) -> Moment {
        let now = clock.now()
        let age = now - session.provenAt
        guard session.lockedAt == nil, age < Self.freshness, age >= .seconds(-5) else {
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

    public func close(_ id: ID<Session>) { ends.withLock { $0[id] = nil } }

    /// Until when they are open; nil when they are not.
    public func end(for id: ID<Session>) -> Moment? {
        let now = clock.now()
        return ends.withLock { $0[id] }.flatMap { $0 > now ? $0 : nil }
    }
}
