import Work

/// A sort of work and how it is treated. A part of the program names its own:
///
/// ```swift
/// extension JobKind {
///     static let sweep = JobKind("sweep", title: "Clear away unused files", maximumAttempts: 3)
/// }
/// ```
public struct JobKind: Sendable {
    /// As it stands in the database; never changed once released.
    public let name: String
    public let title: String
    public let maximumAttempts: Int
    public let backoff: Backoff
    /// After this the work is asked to stop and counts as failed. None for work that takes as long as it takes.
    public let timeLimit: Duration?
    /// What was done is kept, and the next runner goes on where this one was: nothing is won by waiting for its end.
    public let goesOnLater: Bool

    public init(
        _ name: String, title: String, maximumAttempts: Int = 5, backoff: Backoff = Backoff(),
        timeLimit: Duration? = nil, goesOnLater: Bool = false
    ) {
        self.name = name
        self.title = title
        self.maximumAttempts = max(1, maximumAttempts)
        self.backoff = backoff
        self.timeLimit = timeLimit
        self.goesOnLater = goesOnLater
    }
}

/// How long to wait before trying again: longer each time, and never in step with others that failed together.
public struct Backoff: Sendable {
    public let first: Duration
    public let longest: Duration

    public init(first: Duration = .seconds(5), longest: Duration = .seconds(3600)) {
        self.first = first
        self.longest = longest
    }

    /// Doubles with each attempt; chance takes away up to half.
    func delay(afterAttempt attempt: Int, chance: Chance) -> Duration {
        let doubled = first * (1 << min(max(attempt - 1, 0), 30))
        let whole = min(doubled, longest).wholeMilliseconds
        guard whole > 1 else { return .milliseconds(whole) }
        let half = Int(clamping: whole / 2)
        return .milliseconds(whole - Int64(chance.integer(below: half + 1)))
    }
}
