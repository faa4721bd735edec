public import Storage
public import Work

/// Something about a job is different now: enough to redraw its line without asking the database.
public struct JobChange: Sendable, Equatable {
    public let id: ID<Job>
    public let kind: String
    public let title: String
    public let state: Job.State
    public let progress: Progress.Snapshot
    public let reason: String?
}

extension JobChange {
    init(_ job: Job, state: Job.State? = nil, progress: Progress.Snapshot? = nil, reason: String? = nil) {
        self.init(
            id: job.id, kind: job.kind, title: job.title, state: state ?? job.state,
            progress: progress ?? job.progress, reason: reason)
    }
}
