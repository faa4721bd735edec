import Bytes
public import Cards
import SQL
public import Storage
public import Work

/// Somebody one knows, as a card tells.
public struct Contact: Sendable, Equatable {
    public let id: ID<Contact>
    public let book: ID<ContactBook>
    public var name: String
    public var emails: [String]
    public var organization: String
    /// Also the names of the groups it is in.
    public var tags: [String]
    /// When somebody means to get back to them.
    public var followUp: FollowUp?
    public var changedAt: Moment
    /// What the card says, without its pictures.
    let card: String
    let isInGroups: Bool

    public var email: String { emails.first ?? "" }
    /// The number to call first.
    public var phone: String { CardFile(Array(card.utf8)).cards.first?.phones.first ?? "" }

    /// Everything the card says, by the names of columns: `Phone`, `City`, `Birthday`, …
    public var fields: [(name: String, value: String)] {
        var fields = CardFile(Array(card.utf8)).cards.first?.fields ?? []
        guard isInGroups else { return fields }
        fields.removeAll { $0.name == "Categories" }
        return fields + [("Categories", tags.joined(separator: ", "))]
    }
}

/// Contacts that come from one place: a file of cards, or an address book on a server.
public struct ContactBook: Sendable, Equatable {
    public enum Kind: String, Sendable { case cards, carddav }

    public let id: ID<ContactBook>
    public var kind: Kind
    public var name: String
    public var address: String?
    public var userName: String?
    public var count: Int
    public var pulledAt: Moment?
    /// Why the last pull failed; nil when it did not.
    public var trouble: String?
    /// Whether what is changed here is written to the server.
    public var writes: Bool
    /// Whether so many would go that somebody has to say that it is meant.
    public var isInQuestion: Bool
    /// Whether the tags of its people are kept as groups, as some telephones show them, and not on their cards.
    public var tagsAreGroups: Bool
    /// Whether its people are changed here; those of a book that is only read are changed on its server.
    public var isChangedHere: Bool { Self.isChangedHere(kind, writes: writes) }

    static func isChangedHere(_ kind: Kind?, writes: Bool) -> Bool { kind == .cards || writes }
}

/// What bringing contacts in changed.
public struct ContactCounts: Sendable, Equatable {
    public var added = 0
    public var changed = 0
    public var unchanged = 0
    public var gone = 0
    /// Cards that stand for several people.
    public var groups = 0
    /// How many were written to a server, or taken out there.
    public var sent = 0
    /// Cards that were not taken, and why; of very many only the first.
    public var refused: [CardRefusal] = []
    public var refusedCount = 0
    /// What was odd and was taken all the same; of very much only the first.
    public var odd: [CardOddity] = []

    /// A file of thousands of broken cards needs no more than these to be understood.
    static let toldAtMost = 200

    mutating func refuse(_ refusal: CardRefusal) {
        refusedCount += 1
        if refused.count < Self.toldAtMost { refused.append(refusal) }
    }

    mutating func note(_ oddities: [CardOddity]) {
        odd += oddities.prefix(Self.toldAtMost - odd.count)
    }

    public init() {}
}

extension Contact {
    /// Without the bytes of the card, which may hold pictures.
    static let columns: Query =
        "id, book_id, name, emails, organization, tags, group_tags, card, follow_up, changed_at"

    init(_ row: Row) throws {
        id = try row.id("id")
        book = try row.id("book_id")
        name = try row.text("name")
        emails = try row.text("emails").split(separator: "\n").map { String($0) }
        organization = try row.text("organization")
        let own = try row.text("tags").split(separator: "\n").map { String($0) }
        let groups = try row.text("group_tags").split(separator: "\n").map { String($0) }
        tags = own + groups.filter { !own.contains($0) }
        isInGroups = !groups.isEmpty
        followUp = FollowUp(kept: try row.text("follow_up"))
        changedAt = try row.moment("changed_at")
        card = try row.text("card")
    }
}

extension ContactBook {
    /// Groups are few, and counted apart: people are counted in an index.
    static let columns: Query =
        """
        contact_book.*, (SELECT count(*) FROM contact WHERE book_id = contact_book.id)
            - (SELECT count(*) FROM contact WHERE is_group = 1 AND book_id = contact_book.id) AS count
        """

    init(_ row: Row) throws {
        id = try row.id("id")
        kind = Kind(rawValue: try row.text("kind")) ?? .cards
        name = try row.text("name")
        address = try row.optionalText("address")
        userName = try row.optionalText("user_name")
        count = try row.int("count")
        pulledAt = try row.optionalMoment("pulled_at")
        trouble = try row.optionalText("trouble")
        writes = try row.bool("writes")
        isInQuestion = try row.bool("in_question")
        tagsAreGroups = try row.bool("tags_are_groups")
    }
}
