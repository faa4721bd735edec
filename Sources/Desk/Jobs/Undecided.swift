public import Storage

/// Thrown by work that waits for somebody's decision: trying again by itself would ask the same question.
public struct Undecided: Error {
    public let failure: Failure

    public init(_ failure: Failure) { self.failure = failure }
}
