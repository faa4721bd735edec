/// What to write to many people: a subject and a body with places for each person's own words.
///
///     Subject: Consent form for {{child}}
///     Dear {{first_name|family}}, … by {{= date_format({Due date}, "d mmmm")}}
///
/// A place is a name in double braces, with what to say when the person has nothing there after a bar; or, after an
/// equals sign, a formula over the columns.
public struct Letter: Sendable, Equatable {
    public enum Form: String, Sendable, CaseIterable {
        /// Sent as it is.
        case plain
        /// Sent as text with its marks, and as a page without them.
        case markdown
    }

    public var subject: String
    public var body: String
    public var form: Form

    public init(subject: String, body: String, form: Form = .markdown) {
        self.subject = subject
        self.body = body
        self.form = form
    }

    /// A letter with one person's words in it.
    public struct Written: Sendable, Equatable {
        public var subject: String
        public var text: String
        public var html: String?
        /// Places that nobody knows; they stand in the letter as they were typed.
        public var unknown: [String]
        /// Places for which this person has nothing.
        public var empty: [String]
        /// Formulas that cannot be worked out, each with why. Their places are left empty.
        public var problems: [String] = []
    }

    public func written(with words: LetterWords) -> Written { PreparedLetter(self).written(with: words) }

    /// All names in it, each once.
    public var places: [String] { PreparedLetter(self).places }
}
