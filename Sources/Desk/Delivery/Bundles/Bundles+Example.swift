public import Access
import Bundling
import Bytes
public import Filling
import People
import SQL
public import Starters
import Storage

extension Bundles {
    /// The words of the example, in the language of whoever tries it.
    public struct ExampleWords: Sendable {
        public var name: String
        public var subject: String
        public var body: String
        public var paper: PaperSize

        public init(name: String, subject: String, body: String, paper: PaperSize) {
            self.name = name
            self.subject = subject
            self.body = body
            self.paper = paper
        }
    }

    /// The example that is on the desk; nil when there is none.
    public func example(by caller: Caller) throws -> KeptBundle? {
        try caller.require(.view)
        return try store.read { desk in
            try desk.row(
                """
                SELECT * FROM bundle WHERE is_example = 1 AND kept_at IS NOT NULL AND removed_at IS NULL
                ORDER BY id LIMIT 1
                """
            ).map(KeptBundle.init)
        }
    }

    /// A send-out to play with: a form of ours, people there are not, a letter. It goes the way of any other bundle; where
    /// it is on the desk already, that one.
    public func tryExample(_ words: ExampleWords, by caller: Caller) throws -> Batch {
        try caller.require(.edit)
        if let here = try example(by: caller) {
            for id in here.brought.batches {
                if let batch = try? batches.get(id, by: caller), !batch.isTrashed { return batch }
            }
            try remove(here.id, by: caller)
        }
        let kept = try look(at: Self.example(words).bytes(), isExample: true, by: caller)
        try keep(kept.id, by: caller)
        return try begin(kept.id, withExamples: true, by: caller)
    }

    private static func example(_ words: ExampleWords) throws -> Bundle {
        guard let form = StarterTemplates.bytes("consent", paper: words.paper) else {
            throw Failure(.notFound, "There is no such starter.")
        }
        var bundle = Bundle(name: words.name)
        bundle.parts = [Bundle.Part(words.name, .form(form, mapping: mapping))]
        bundle.letter = ["subject": .string(words.subject), "body": .string(words.body)]
        bundle.columns = [
            .init("First name", role: "firstName"), .init("Last name", role: "lastName"),
            .init("Date of birth"), .init("Class"), .init("Parent"), .init("E-mail", role: "email"),
            .init("Allergies"),
        ]
        bundle.rows = people
        return bundle
    }

    /// Said line by line, as an example is read to see how it is done.
    private static let mapping = """
        others = keep

        [fields]
        First name = {First name}
        Last name = {Last name}
        Date of birth = {Date of birth}
        Class or group = {Class}
        Parent name = {Parent} & " " & {Last name}
        E-mail = {E-mail}
        Activity = "A day at the lake"
        Health notes = {Allergies}

        """

    private static let people = [
        ["Ada", "Example", "2015-03-14", "4b", "Grace", "ada@example.org", ""],
        ["Bruno", "Sample", "2015-11-02", "4b", "Carlos", "bruno@example.org", "Peanuts"],
        ["Chloé", "Specimen", "2016-01-27", "4a", "Sophie", "chloe@example.org", ""],
        ["Dmitri", "Model", "2014-09-08", "5c", "Irina", "dmitri@example.org", "Bee stings"],
        ["Emi", "Muster", "2015-06-30", "5c", "Kenji", "emi@example.org", ""],
    ]
}

extension Sendings {
    /// Whether a send-out is the example, or one for its people: nobody lives at their addresses.
    func isForNobody(_ batch: Batch, in desk: borrowing some Readable & ~Copyable) throws -> Bool {
        try desk.rows("SELECT brought FROM bundle WHERE is_example = 1").contains { row in
            let brought = KeptBundle.Brought(kept: try JSON(parsing: row.text("brought")))
            return brought.batches.contains(batch.id)
                || brought.lists.contains { $0.text == batch.draft.list }
        }
    }

    static let exampleRefused = Failure(
        .conflict,
        "This is the example: its people are invented, so no mail goes out. Look at their letters, or take the papers away as files."
    )
}
