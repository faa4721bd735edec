public import Markup
public import Storage

extension Texts {
    /// What a failure says; in English where nobody has said it otherwise.
    public func callAsFunction(_ failure: Failure) -> String {
        let pattern = failure.sentence.pattern
        return failure.sentence.filled(catalog.pattern(pattern, in: language) ?? pattern)
    }
}
