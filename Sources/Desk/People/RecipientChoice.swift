public import Bytes
public import Storage

/// Who of a list was ticked one by one: only those, or all but those. Whoever joins the list later belongs to the second.
public struct RecipientChoice: Sendable, Hashable {
    /// The people are those who are left out.
    public private(set) var isExcept: Bool
    public private(set) var people: Set<ID<Recipient>>

    public static let mostPeople = 5_000

    public init(only people: Set<ID<Recipient>>) throws(Failure) {
        try self.init(people, isExcept: false)
    }

    public init(except people: Set<ID<Recipient>>) throws(Failure) {
        try self.init(people, isExcept: true)
    }

    private init(_ people: Set<ID<Recipient>>, isExcept: Bool) throws(Failure) {
        guard people.count <= Self.mostPeople else {
            throw Failure(
                .tooLarge,
                "No more than \(Self.mostPeople) people are chosen one by one. Search for them and save what is found as a group of the list.",
                field: "people")
        }
        self.people = people
        self.isExcept = isExcept
    }

    public func contains(_ person: ID<Recipient>) -> Bool { people.contains(person) != isExcept }

    /// With these ticked, or not, and all others as they were; `before` is nil where everybody was. Nil again when
    /// nobody is left out.
    public static func setting(
        _ people: some Sequence<ID<Recipient>>, _ isTicked: Bool, in before: RecipientChoice?
    ) throws(Failure) -> RecipientChoice? {
        var named = before?.people ?? []
        let isExcept = before?.isExcept ?? true
        if isTicked == isExcept { named.subtract(people) } else { named.formUnion(people) }
        return isExcept && named.isEmpty ? nil : try RecipientChoice(named, isExcept: isExcept)
    }
}

extension RecipientChoice {
    /// `{"only": [ids]}` or `{"except": [ids]}`.
    public var json: JSON {
        [isExcept ? "except" : "only": .array(people.map(\.text).sorted().map(JSON.string))]
    }

    /// Null is everybody.
    public init?(_ json: JSON) throws(Failure) {
        if json == .null { return nil }
        guard let object = json.object, object.count == 1, let word = object.first?.key,
            ["only", "except"].contains(word), let texts = json[word]?.array
        else {
            throw Failure(
                .invalid, "People are chosen by a list “only” of ids, or by a list “except”.", field: "people"
            )
        }
        var people: Set<ID<Recipient>> = []
        for text in texts {
            guard let id = text.string.flatMap({ ID<Recipient>($0) }) else {
                throw Failure(.invalid, "People are named by their ids.", field: "people")
            }
            people.insert(id)
        }
        try self.init(people, isExcept: word == "except")
    }
}
