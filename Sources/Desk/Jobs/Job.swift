public import Bytes
import SQL
public import Storage
public import Work

/// One piece of work that was promised and is kept: it is done, or it says why not.
public struct Job: Sendable {
    public enum State: String, Sendable, CaseIterable {
        case waiting, running, done
        /// Tried as often as its kind allows, or with an error that trying again will not mend.
        case failed
        case cancelled
        /// Ended the process it ran in, again and again; not tried any more until a person says so.
        case setAside

        public var isFinished: Bool { self != .waiting && self != .running }
    }

    public let id: ID<Job>
    public let kind: String
    /// What a person reads in the list of activities.
    public let title: String
    public let payload: JSON
    public internal(set) var state: State
    /// Higher goes first.
    public let priority: Int
    /// At most one waiting job of a kind has this key, and no two run at once.
    public let uniqueKey: String?
    /// Not begun earlier.
    public let runAt: Moment
    public let createdAt: Moment
    public internal(set) var startedAt: Moment?
    public let finishedAt: Moment?
    /// How often it was begun without the process ending under it.
    public internal(set) var attempts: Int
    public let progress: Progress.Snapshot
    /// Why it failed, was cancelled or set aside; or what went wrong the last time, while it waits for another try.
    public let reason: String?
    /// What it left for whoever asked, if anything.
    public let result: JSON?
    /// How far an earlier attempt came, in the words of its kind.
    public let checkpoint: JSON?
    public let isCancelling: Bool
    let isSuspect: Bool
}

extension Job {
    init(_ row: Row) throws {
        func json(_ column: String) throws -> JSON? {
            try row.optionalText(column).map { try JSON(parsing: $0) }
        }
        id = try row.id("id")
        kind = try row.text("kind")
        title = try row.text("title")
        payload = try json("payload") ?? .null
        state = State(rawValue: try row.text("state")) ?? .setAside
        priority = try row.int("priority")
        uniqueKey = try row.optionalText("unique_key")
        runAt = try row.moment("run_at")
        createdAt = try row.moment("created_at")
        startedAt = try row.optionalMoment("started_at")
        finishedAt = try row.optionalMoment("finished_at")
        attempts = try row.int("attempts")
        progress = Progress.Snapshot(
            done: try row.integer("progress_done"), total: try row.optionalInteger("progress_total"),
            phase: try row.text("phase"))
        reason = try row.optionalText("reason")
        result = try json("result")
        checkpoint = try json("checkpoint")
        isCancelling = try row.bool("is_cancelling")
        isSuspect = try row.bool("is_suspect")
    }
}
