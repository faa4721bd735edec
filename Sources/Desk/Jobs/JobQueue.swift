public import Bytes
import SQL
public import Storage
import Synchronization
public import Work

/// The list of work to be done, kept in the desk's database.
///
/// Work is added in the transaction of the act that makes it necessary, so neither is ever there without the
/// other:
///
/// ```swift
/// try store.write { tx in
///     try documents.insert(document, in: tx)
///     try queue.add(.preview, payload: ["document": .string(document.id.text)], in: tx)
/// }
/// ```
///
/// A `JobRunner`, in this process or in another, takes it up.
public final class JobQueue: Sendable {
    public let store: Store
    /// Everything that happens to jobs: in this process, and on PostgreSQL in all others.
    public let changes = Broadcast<JobChange>()
    /// Heard by the runners of this process.
    let signals = Broadcast<Signal>()
    private let wire: ChangeWire

    enum Signal: Sendable {
        case added
        case cancel(ID<Job>, reason: String)
    }

    public init(_ store: Store) {
        self.store = store
        wire = ChangeWire(store)
        wire.listen(queue: self)
    }

    /// More jobs than this do not wait for one member at once, so that the others' turn comes.
    public static let mostWaiting = 500

    /// Promises the work. When a job of this kind with the same unique key is still waiting, that one is kept, brought forward if it was
    /// to begin later, and its id given back; one that is already running does not count, for it may have begun too early to see
    /// what makes this one necessary. It counts for the member who `asks` for it; nobody asks for work of the desk's own.
    @discardableResult
    public func add(
        _ kind: JobKind, payload: JSON = [:], title: String? = nil, in tx: borrowing Transaction,
        unique: String? = nil, priority: Int = 0, runAt: Moment? = nil, asks: String? = nil
    ) throws -> ID<Job> {
        try add(
            kind: kind.name, payload: payload.text, title: title ?? kind.title, in: tx, unique: unique,
            priority: priority, runAt: runAt ?? tx.now, asks: asks)
    }

    func add(
        kind: String, payload: String, title: String, in tx: borrowing Transaction, unique: String?,
        priority: Int, runAt: Moment, asks: String? = nil
    ) throws -> ID<Job> {
        let id = tx.newID(of: Job.self)
        let added = try tx.run(
            """
            INSERT INTO job (id, kind, title, payload, state, priority, unique_key, run_at, created_at, asked_by)
            VALUES (\(id), \(kind), \(title), \(payload), 'waiting', \(priority), \(unique), \(runAt), \(tx.now), \(asks))
            ON CONFLICT (kind, unique_key) WHERE state = 'waiting' AND unique_key IS NOT NULL DO NOTHING
            """)
        guard added == 1 else {
            let waiting = try tx.row(
                "SELECT id FROM job WHERE state = 'waiting' AND kind = \(kind) AND unique_key = \(unique)")
            guard let waiting else { throw SQLError(.busy, "a job was taken while it was looked for") }
            let there: ID<Job> = try waiting.id("id")
            // It may be waiting for a later time; who asks now means now.
            if try tx.run("UPDATE job SET run_at = \(runAt) WHERE id = \(there) AND run_at > \(runAt)") == 1 {
                tx.afterCommit { [signals] in signals.send(.added) }
            }
            return there
        }
        if let asks { try checkMayWait(asks, in: tx) }
        let change = JobChange(
            id: id, kind: kind, title: title, state: .waiting, progress: Progress.Snapshot(), reason: nil)
        try tell(change, in: tx)
        tx.afterCommit { [signals] in signals.send(.added) }
        return id
    }

    private func checkMayWait(_ member: String, in tx: borrowing Transaction) throws {
        let row = try tx.row("SELECT count(*) AS n FROM job WHERE state = 'waiting' AND asked_by = \(member)")
        guard try row?.int("n") ?? 0 > Self.mostWaiting else { return }
        throw Failure(
            .tooMany, "You have \(Self.mostWaiting) jobs waiting already. Wait until some of them are done.",
            retryAfter: .seconds(60))
    }

    /// Ends a waiting job at once and asks a running one to stop. False when it had already finished.
    @discardableResult
    public func cancel(_ id: ID<Job>, reason: String = "Cancelled.") throws -> Bool {
        try store.write { tx in
            let job = try found(id, in: tx)
            guard !job.state.isFinished else { return false }
            let waiting = try tx.run(
                """
                UPDATE job SET state = 'cancelled', finished_at = \(tx.now), reason = \(reason)
                WHERE id = \(id) AND state = 'waiting'
                """)
            if waiting == 1 {
                try tell(JobChange(job, state: .cancelled, reason: reason), in: tx)
            } else {
                try tx.run(
                    "UPDATE job SET is_cancelling = 1, reason = \(reason) WHERE id = \(id) AND state = 'running'"
                )
                try tell(JobChange(job, state: .running, reason: reason), in: tx)
                tx.afterCommit { [signals] in signals.send(.cancel(id, reason: reason)) }
            }
            return true
        }
    }

    /// Lets a finished job that was not done begin anew, with all its attempts before it.
    public func retry(_ id: ID<Job>) throws {
        try store.write { tx in
            let job = try found(id, in: tx)
            guard job.state.isFinished, job.state != .done else {
                throw Failure(
                    .conflict, "“\(job.title)” is \(job.state == .done ? "done" : "still going on").")
            }
            if let key = job.uniqueKey,
                try tx.row(
                    "SELECT id FROM job WHERE state = 'waiting' AND kind = \(job.kind) AND unique_key = \(key)"
                )
                    != nil
            {
                throw Failure(.conflict, "“\(job.title)” is already waiting to be done.")
            }
            try tx.run(
                """
                UPDATE job SET state = 'waiting', run_at = \(tx.now), finished_at = NULL, reason = NULL,
                    attempts = 0, crashes = 0, is_cancelling = 0
                WHERE id = \(id)
                """)
            try tell(JobChange(job, state: .waiting), in: tx)
            tx.afterCommit { [signals] in signals.send(.added) }
        }
    }

    /// Lets go of a job that failed: nobody need decide about it. It keeps its reason, and may still be tried again.
    public func dismiss(_ id: ID<Job>) throws {
        try store.write { tx in
            let job = try found(id, in: tx)
            guard job.state == .failed || job.state == .setAside else {
                throw Failure(.conflict, "“\(job.title)” waits for nobody's decision.")
            }
            try tx.run("UPDATE job SET state = 'cancelled' WHERE id = \(id)")
            try tell(JobChange(job, state: .cancelled, reason: job.reason), in: tx)
        }
    }

    /// Takes a job that is not running out of the list.
    public func remove(_ id: ID<Job>) throws {
        try store.write { tx in
            let job = try found(id, in: tx)
            guard job.state != .running else {
                throw Failure(.conflict, "“\(job.title)” is running. Cancel it first.")
            }
            try tx.run("DELETE FROM job WHERE id = \(id)")
        }
    }

    /// Forgets jobs finished before then: those done and cancelled, and with `all` those that failed too. A few
    /// hundred at a time, so that nobody has to wait; the number says whether to go on.
    @discardableResult
    public func prune(finishedBefore moment: Moment, all: Bool = false, limit: Int = 500) throws -> Int {
        let states: Query = all ? "" : "AND state IN ('done', 'cancelled')"
        return try store.database.write { db in
            try db.run(
                """
                DELETE FROM job WHERE id IN (
                    SELECT id FROM job WHERE finished_at < \(moment) AND finished_at IS NOT NULL \(states)
                    ORDER BY finished_at LIMIT \(limit)
                )
                """)
        }
    }

    /// Hands a change to listeners here and elsewhere, once it is saved.
    func tell(_ change: JobChange, in tx: borrowing Transaction) throws {
        for payload in wire.payloads([change]) { try tx.notify(ChangeWire.channel, payload) }
        tx.afterCommit { [self] in tell([change]) }
    }

    /// The same for the other processes alone.
    func tellOthers(_ changes: [JobChange], in db: borrowing Connection) throws {
        for payload in wire.payloads(changes) { try db.notify(ChangeWire.channel, payload) }
    }

    /// The same for this process alone.
    func tell(_ changes: [JobChange]) {
        guard self.changes.listenerCount > 0 else { return }
        for change in changes { self.changes.send(change) }
    }

    private func found(_ id: ID<Job>, in desk: borrowing some Readable & ~Copyable) throws -> Job {
        guard let job = try Self.job(id, in: desk) else {
            throw Failure(.notFound, "There is no such job; it may have been cleared away after it was done.")
        }
        return job
    }
}
