import Synchronization

/// What keeps going wrong, such as a disk that takes nothing: told once in the log and then each hour, and shown to
/// whoever watches the desk until it is over.
public final class Troubles: Sendable {
    public struct Trouble: Sendable, Equatable {
        /// A word for programs, such as `jobs`.
        public let name: String
        public let sentence: String
        public let since: Moment
    }

    private struct Entry {
        var trouble: Trouble
        var told: Moment
    }

    private static let pause = Duration.seconds(3600)

    private let clock: Clock
    private let log: Log
    private let entries = Mutex<[String: Entry]>([:])

    public init(clock: Clock = .system, log: Log) {
        self.clock = clock
        self.log = log
    }

    /// It went wrong, perhaps again. `reason` is what the machine said, for the log.
    public func happened(_ name: String, _ sentence: String, reason: String = "") {
        let now = clock.now()
        let since = entries.withLock { entries -> Moment? in
            let old = entries[name]
            // What has another reason is another trouble; a clock that was put back tells once more.
            let isTold = old.map {
                $0.trouble.sentence == sentence && now >= $0.told && now - $0.told < Self.pause
            }
            let since = old?.trouble.since ?? now
            entries[name] = Entry(
                trouble: Trouble(name: name, sentence: sentence, since: since),
                told: isTold == true ? old?.told ?? now : now)
            return isTold == true ? nil : since
        }
        guard let since else { return }
        var facts: Log.Fields = ["trouble": name]
        if !reason.isEmpty { facts.add("reason", reason) }
        if since != now { facts.add("since", since.iso8601) }
        log.error(sentence, facts)
    }

    /// It went well; most of the time it did before.
    public func isOver(_ name: String) {
        guard let ended = entries.withLock({ $0.removeValue(forKey: name) }) else { return }
        log.info(
            "This is over: \(ended.trouble.sentence)",
            ["trouble": name, "since": ended.trouble.since.iso8601])
    }

    /// The oldest first.
    public var all: [Trouble] {
        entries.withLock { $0.values.map(\.trouble) }.sorted { ($0.since, $0.name) < ($1.since, $1.name) }
    }
}
