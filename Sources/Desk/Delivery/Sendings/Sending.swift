public import Bytes
public import Jobs
public import Storage
public import Work

/// How far the mail of a batch is.
public struct Sending: Sendable, Equatable {
    public var mailing: Mailing
    /// The job at work on it, whose progress counts letters.
    public var job: ID<Job>?
    public var counts: [OutboxMessage.State: Int]
    /// When the next letter may go, where pace or hours make it wait.
    public var nextAt: Moment?

    /// Its letters are still being written; none goes out before they all are.
    public var isPreparing: Bool { !mailing.isPrepared && mailing.state != .cancelled }
    public var total: Int { counts.values.reduce(0, +) }
    /// Taken over by the mail server.
    public var sent: Int { counts[.accepted] ?? 0 }
    public var unsent: Int { count(.waiting, .sending, .ending, .suppressed, .cancelled) }
    public var failed: Int { count(.refused, .bounced) }
    public var uncertain: Int { counts[.uncertain] ?? 0 }
    /// Nothing more will happen by itself.
    public var isFinished: Bool {
        mailing.state == .cancelled || mailing.isPrepared && count(.waiting, .sending, .ending) == 0
    }
    /// Why it stands still, when it does so by itself.
    public var trouble: String? { mailing.reason }

    private func count(_ states: OutboxMessage.State...) -> Int {
        states.reduce(0) { $0 + (counts[$1] ?? 0) }
    }

    public var json: JSON {
        [
            "mailing": .string(mailing.id.text), "title": .string(mailing.title),
            "state": .string(mailing.state.rawValue), "job": .optional(job?.text),
            "isPreparing": .bool(isPreparing), "isFinished": .bool(isFinished), "total": .int(total),
            "sent": .int(sent), "unsent": .int(unsent), "failed": .int(failed), "uncertain": .int(uncertain),
            "counts": .object(
                JSONObject(OutboxMessage.State.allCases.map { ($0.rawValue, .int(counts[$0] ?? 0)) })),
            "trouble": .optional(trouble), "nextAt": .optional(nextAt?.iso8601),
            "begunAt": .string(mailing.madeAt.iso8601), "begunBy": .string(mailing.madeByName),
        ]
    }
}
