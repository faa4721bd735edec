public import Bytes
import SQL
public import Storage
import Synchronization
public import Work

/// Thrown by a handler that has done all it can for now and wants to go on later: no failure, no attempt used up.
public struct Postponed: Error, Sendable, Equatable {
    public let until: Moment

    public init(until: Moment) {
        self.until = until
    }
}

/// One attempt at a job, as its handler sees it.
///
/// A handler may be called again for the same job: after an error, and when the process ended under it. What
/// it does has to bear that. What must happen exactly once goes into the transaction that also says `finish`.
public final class JobRun: Sendable {
    public let job: Job
    /// Shown live to whoever watches, saved now and then; asking it to `check` ends cancelled work.
    public let progress: Progress
    let runner: String
    private let store: Store
    private let notes = Mutex(Notes())

    private struct Notes {
        var result: JSON?
        var isFinished = false
    }

    init(_ job: Job, runner: String, store: Store, progress: Progress) {
        self.job = job
        self.runner = runner
        self.store = store
        self.progress = progress
    }

    public var payload: JSON { job.payload }
    public var cancellation: Cancellation { progress.cancellation }

    /// What the last attempt saved with `save(checkpoint:)`.
    public var checkpoint: JSON? { job.checkpoint }

    /// Leaves an answer with the job when it is done.
    public func answer(_ result: JSON) { notes.withLock { $0.result = result } }

    /// Remembers how far the work has come, together with what it did. Work that moves on is not what ends its
    /// process: a new checkpoint clears it of the suspicion.
    public func save(checkpoint: JSON, in tx: borrowing Transaction) throws {
        let text = checkpoint.text
        try stillOurs(
            try tx.run(
                """
                UPDATE job SET crashes = CASE WHEN checkpoint = \(text) THEN crashes ELSE 0 END,
                    is_suspect = CASE WHEN checkpoint = \(text) THEN is_suspect ELSE 0 END,
                    checkpoint = \(text) WHERE \(mine)
                """))
    }

    public func save(checkpoint: JSON) throws {
        try store.write { tx in try save(checkpoint: checkpoint, in: tx) }
    }

    /// Marks the job as done in the same transaction as its effects: both are saved or neither, so they happen
    /// exactly once. Throws when the job has meanwhile been given to somebody else, and so undoes the effects.
    public func finish(result: JSON? = nil, in tx: borrowing Transaction) throws {
        let answer = (result ?? notes.withLock { $0.result })?.text
        let now = progress.snapshot
        try stillOurs(
            try tx.run(
                """
                UPDATE job SET state = 'done', runner = NULL, finished_at = \(tx.now), result = \(answer),
                    reason = NULL, progress_done = \(now.done), progress_total = \(now.total), phase = \(now.phase)
                WHERE \(mine)
                """))
        tx.afterCommit { [self] in notes.withLock { $0.isFinished = true } }
    }

    var isFinished: Bool { notes.withLock { $0.isFinished } }
    var result: JSON? { notes.withLock { $0.result } }

    private var mine: Query { "id = \(job.id) AND runner = \(runner) AND state = 'running'" }

    private func stillOurs(_ changed: Int) throws {
        guard changed == 1 else { throw Cancelled(reason: "The job has been taken over by another process.") }
    }
}
