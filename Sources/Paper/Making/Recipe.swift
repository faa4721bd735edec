public import Formulas
public import Mappings
public import PDFForms

/// What papers are made of, whoever they are for: the command line's run of one form, and the packets of a desk.
public struct Recipe: Sendable {
    public struct Part: Sendable {
        public enum Content: Sendable {
            case form(FormPart)
            /// A paper as it is, by the key that whoever keeps it knows it by.
            case paper(key: String, pageCount: Int)
            /// A paper of the person's own, found by its name.
            case own(NamePattern)
        }

        public var name: String
        /// Nil goes to everybody.
        public var condition: Condition?
        public var content: Content

        public init(name: String, condition: Condition? = nil, content: Content) {
            self.name = name
            self.condition = condition
            self.content = content
        }
    }

    /// What a paper says about itself, by formulas.
    public struct Info: Sendable {
        public var title: Formula?
        public var author: Formula?
        public var subject: Formula?
        public var keywords: Formula?

        var formulas: [Formula] { [title, author, subject, keywords].compactMap(\.self) }
    }

    /// What every formula of it knows beside the row.
    public var context: FormulaContext
    public var parts: [Part]
    public var naming: NamePattern
    /// Only rows that it holds for are used.
    public var only: Condition?
    /// The password of each paper.
    public var password: Formula?
    /// What each paper says about itself, worked out for its row.
    public var info = Info()
    /// What all papers get besides their values: the same title, pages for what is too long.
    public var extras = DocumentExtras()

    public init(context: FormulaContext, parts: [Part], naming: NamePattern) {
        self.context = context
        self.parts = parts
        self.naming = naming
    }

    /// One form and nothing around it.
    public init(_ form: FormPart, naming: NamePattern) {
        self.init(
            context: form.mapping.scopes.context, parts: [Part(name: form.name, content: .form(form))],
            naming: naming)
    }
}
