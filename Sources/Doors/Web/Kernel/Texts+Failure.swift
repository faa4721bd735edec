public import Markup
public import Storage

extension Texts {
    /// What a failure says; in English where nobody has said it otherwise.
    public func callAsFunction(_ failure: Failure) -> String {
        let own = failure.sentence.pattern
        // What was put together elsewhere is known by its parts.
        guard own != "{1}", let pattern = catalog.pattern(own, in: language) else {
            return said(failure.sentence.filled(own))
        }
        return failure.sentence.filled(pattern)
    }
}
