public import Markup
public import Storage
import Work

extension Texts {
    private static let system = Set(systemMessages.values)

    /// What a failure says; in English where nobody has said it otherwise.
    public func callAsFunction(_ failure: Failure) -> String {
        let own = failure.sentence.pattern
        // What was put together elsewhere is known by its parts.
        guard own != "{1}", let pattern = catalog.pattern(own, in: language) else {
            return said(failure.sentence.filled(own))
        }
        // Names stay as they are; what the system said of a file is a sentence too.
        return failure.sentence.filled(pattern) { Self.system.contains($0) ? said($0) : $0 }
    }
}
