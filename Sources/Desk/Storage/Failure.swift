/// The only error a person sees: what failed, why, and what to do about it.
///
/// Rooms below throw small errors of their own; the desk turns what it understands into a `Failure`, and each
/// door has one table from `code` to its own language (a status, an exit code). Any other error that reaches a
/// door is a mistake of ours.
public struct Failure: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        /// What was given cannot be right, whoever asks.
        case invalid
        case notFound
        /// Right in itself, but not with what is there now.
        case conflict
        /// This person may not.
        case denied
        case signInNeeded
        case tooLarge
        /// Too often; `retryAfter` says when again.
        case tooMany
        /// Something Quire needs does not answer at the moment.
        case unavailable
        /// Quire cannot do this here.
        case unsupported
        /// Bytes on disk are not what was once written.
        case damaged
        case cancelled
        /// No room left on the disk.
        case full
    }

    public var code: Code
    /// Whole sentences for a person, without secrets and without the words of a library.
    public var sentence: Sentence
    /// The name of the field in what was given, when one is to blame.
    public var field: String?
    /// What the machine said, for the log and for those who want to know.
    public var cause: String?
    public var retryAfter: Duration?

    public init(
        _ code: Code, _ sentence: Sentence, field: String? = nil, cause: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.code = code
        self.sentence = sentence
        self.field = field
        self.cause = cause
        self.retryAfter = retryAfter
    }

    /// With words that come from elsewhere as they are. What stands between quotation marks in the code is a `Sentence`, which
    /// every language can say: the compiler takes it for one as long as this asks for any text and not for a `String`.
    @_disfavoredOverload
    public init<Words: StringProtocol>(
        _ code: Code, _ message: Words, field: String? = nil, cause: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.init(
            code, Sentence(verbatim: String(message)), field: field, cause: cause, retryAfter: retryAfter)
    }

    /// In English: for logs, and where nobody's language is known.
    public var message: String {
        get { sentence.english }
        set { sentence = Sentence(verbatim: newValue) }
    }
}

extension Failure: CustomStringConvertible {
    public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension Failure {
    /// Wherever somebody types the address of a mail, the same is said of what is none.
    public static func notAnAddress(_ text: String, field: String) -> Failure {
        Failure(
            .invalid, "“\(text)” is not a mail address. One looks like ada@example.org.", field: field)
    }
}
