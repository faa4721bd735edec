internal import Bytes
internal import SQL
internal import Storage
internal import Work

extension RateLimits.Rule {
    /// Words to the owners: enough for whoever has trouble, too few to be one.
    static let question = RateLimits.Rule("question", burst: 10, refill: .seconds(3_600))
}

/// A word of a member to those who look after the desk. It is kept nowhere but among what they were told.
struct Question {}

extension Notices {
    public static let longestQuestion = 1_000

    public func ask(_ text: String, by caller: Caller) throws {
        try caller.require(.view)
        guard !caller.may(.administer) else {
            throw Failure(.unsupported, "You look after this desk yourself: there is nobody to ask.")
        }
        let text = text.trimmed
        guard !text.isEmpty else {
            throw Failure(.invalid, "Write what you would like to say.", field: "text")
        }
        guard text.count <= Self.longestQuestion else {
            throw Failure(
                .invalid, "Say it in at most \(Self.longestQuestion) letters.", field: "text")
        }
        try access.limits.take(.question, for: caller.actor)
        try access.store.write { tx in
            try tell(
                .question, "question/\(tx.newID(of: Question.self))", "\(caller.name): \(text)", to: .owners,
                in: tx)
        }
    }
}
