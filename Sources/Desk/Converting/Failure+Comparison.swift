public import Comparing
public import Storage

extension Failure {
    /// Why two papers were not compared.
    public init(_ error: ComparisonError, names: (before: String, after: String)) {
        func name(_ isAfter: Bool) -> String { isAfter ? names.after : names.before }
        switch error {
        case .locked(let isAfter):
            self = Failure(
                .denied, "“\(name(isAfter))” is locked with a password, so it cannot be compared.")
        case .unreadable(let isAfter, let reason):
            self = Failure(
                .unsupported, "“\(name(isAfter))” cannot be read, so it cannot be compared.", cause: reason)
        case .tooManyPages(let isAfter, let limit):
            self = Failure(
                .tooLarge, "“\(name(isAfter))” has more than \(limit) pages. That is too much to compare.")
        case .tooManyWords(let isAfter, let limit):
            self = Failure(
                .tooLarge, "“\(name(isAfter))” has more than \(limit) words. That is too much to compare.")
        case .cancelled(let reason): self = Failure(.cancelled, reason)
        case .machine(let reason): self = Failure(.unavailable, reason)
        }
    }
}
