public import Bytes
import SQL
public import Storage
import Work

/// Whom one looks for among the contacts: words of their cards, a tag, how near the day is to get back to them.
public struct ContactQuestion: Sendable, Hashable {
    public enum Day: String, Sendable, CaseIterable {
        case any, overdue, week, planned

        public var due: Due? { Due(rawValue: rawValue) }
    }

    public var words: String
    public var tag: String
    public var due: Day

    public init(words: String = "", tag: String = "", due: Due? = nil) {
        self.words = words
        self.tag = tag
        self.due = due.flatMap { Day(rawValue: $0.rawValue) } ?? .any
    }

    static let mostWords = 8

    public static let fields: [ThingField<ContactQuestion>] = [
        .line(
            "words", \.words, longest: 200, label: "smart.words", "words that must occur on the card",
            called: "WORDS"),
        .line("tag", \.tag, longest: 100, label: "smart.tag", "a tag they have", called: "TAG"),
        .choice(
            "due", \.due, label: "smart.due", "how near the day is to get back to them", called: "WHEN"),
    ]

    func condition(_ today: WallTime, on kind: Database.Kind) -> Query {
        var condition = Contacts.isPerson + " AND " + Contacts.fitting(words, on: kind)
        if !tag.isEmpty {
            let line = "\n\(tag)\n"
            condition += " AND (\(.holds(line, in: "tags")) OR \(.holds(line, in: "group_tags")))"
        }
        if let due = due.due { condition += " AND " + due.condition(today) }
        return condition
    }
}

extension ContactQuestion {
    public var json: JSON { .object(Self.fields.json(of: self)) }

    /// What it leaves out stays as it was in `before`.
    public init(_ json: JSON, changing before: ContactQuestion = ContactQuestion()) throws(Failure) {
        self = before
        guard json.object != nil else {
            throw Failure(.invalid, "A question has words, a tag and how near the day is.", field: "question")
        }
        try Self.fields.take(json, into: &self)
    }

    /// As it is kept: it asks for something, so that nobody writes to everybody by a slip.
    func checked() throws(Failure) -> ContactQuestion {
        var question = self
        question.words = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        question.tag = tag.trimmed
        try Self.fields.check(question)
        guard question != ContactQuestion() else {
            throw Failure(
                .invalid, "Say whom the list is for: words, a tag, or how near the day is.", field: "words")
        }
        guard question.words.split(separator: " ").count <= Self.mostWords else {
            throw Failure(
                .invalid, "A question has at most \(Self.mostWords) words.", field: "words")
        }
        return question
    }
}
