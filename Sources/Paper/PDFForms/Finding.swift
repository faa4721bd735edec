/// Something about one field of one document that a person should know: nothing is dropped in silence.
public struct Finding: Sendable, Equatable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// No field has this name.
        case unknownField
        /// The field takes no value: a push button, a signature.
        case notFillable
        /// No option or state of the field is meant by the value; the field was left as it was.
        case noSuchChoice
        /// Longer than the field allows; cut.
        case tooLong
        /// Letters no font at hand can show.
        case notShown
        /// The text does not fit its place even at the smallest size: part of it cannot be seen.
        case clipped
        /// Set smaller than the form says, so that it fits.
        case shrunk
        /// Too long for its place: it goes on on a page behind the form.
        case continued
        /// No page shows the field: the value is in the file, but nobody sees it.
        case notSeen
        /// A signature forbids changing the field; it was left as it was.
        case locked
        /// A secret: shown as stars and not kept in the file.
        case notKept
        /// The form would compute or check this with a script of its own, which is not run.
        case scriptNotRun
        /// Could be read in two ways, as a date can; left as it was given.
        case ambiguous
        /// Nothing that the form's pattern can show; left as it was given.
        case notInPattern
        /// The form would refuse it: too small or too large.
        case outOfRange
        /// Read again, the finished document does not say what it was given.
        case notProven
    }

    public var field: String
    public var kind: Kind
    public var message: String
    /// The word that means no choice, where it is about one.
    public var value: String?

    public init(field: String, kind: Kind, message: String, value: String? = nil) {
        self.field = field
        self.kind = kind
        self.message = message
        self.value = value
    }

    /// True when the document does not show what it was given, or the form would not take it.
    public var isSerious: Bool { ![.shrunk, .continued, .notKept, .scriptNotRun].contains(kind) }
    public var description: String { "\(field): \(message)" }
}
