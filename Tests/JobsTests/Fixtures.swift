import Bytes
import Jobs
import SQL
import Storage
import Synchronization
import TestSupport
import Testing
import Work

extension JobKind {
    static let letter = JobKind(
        "letter", title: "Write a letter", maximumAttempts: 3,
        backoff: Backoff(first: .seconds(10), longest: .seconds(60)))
}

/// A desk with a queue and a clock that the test moves.
func withQueue(
    _ kind: Database.Kind, clock: HandClock = HandClock(), _ body: (JobQueue, HandClock) throws -> Void
) throws {
    try withStore(kind, areas: [JobQueue.migrations], clock: clock.clock) { store in
        try body(JobQueue(store), clock)
    }
}

/// Runs what is due with a handler for letters, and returns when nothing more can be done.
func run(
    _ queue: JobQueue, threads: Int = 2, _ handler: @escaping JobRunner.Handler = { _ in }
) {
    let runner = JobRunner(queue, threads: threads)
    runner.handle(.letter, handler)
    runner.runUntilIdle()
    runner.stop()
}

extension JobQueue {
    /// Adds a letter in a transaction of its own.
    @discardableResult
    func addLetter(
        to name: String = "Ada", unique: String? = nil, priority: Int = 0, runAt: Moment? = nil
    ) throws -> ID<Job> {
        try store.write { tx in
            try add(
                .letter, payload: ["to": .string(name)], in: tx, unique: unique, priority: priority,
                runAt: runAt)
        }
    }

    func state(of id: ID<Job>) throws -> Job.State? { try get(id)?.state }
}

/// What was seen, in order, from any thread.
final class Record<Element: Sendable>: Sendable {
    private let seen = Monitor<[Element]>([])

    func add(_ element: Element) { seen.update { $0.append(element) } }
    var all: [Element] { seen.read { $0 } }

    /// Waits for something to appear; nil after much too long.
    func wait<R>(_ body: ([Element]) -> R?) -> R? { seen.wait(timeout: .seconds(120)) { body($0) } }
}
