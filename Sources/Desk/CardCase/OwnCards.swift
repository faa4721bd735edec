public import Access
public import Bytes
import Crypto
import Jobs
public import PDFReading
public import People
import SQL
public import Storage
public import Work

/// The cards that people of this desk give away of themselves.
///
/// A card belongs to its member, whatever their role; somebody at the machine itself sees all of them.
///
/// ```swift
/// let card = try cards.make(["given": "Ana", "fields": […]], by: caller)
/// try cards.change(card.id, ["title": "Architect"], by: caller)
/// guard case .card(let shown) = try cards.follow(slug) else { … }     // as a visitor sees it
/// ```
public struct OwnCards: Sendable {
    let access: Gate
    let contacts: Contacts
    let queue: JobQueue
    let reader: @Sendable () -> PageReader?
    /// Seals the passes of those who opened a link that opens once.
    let passKey: [UInt8]
    var store: Store { access.store }

    /// `reader` draws pictures anew, so that nothing of what a camera wrote is left in them.
    public init(
        _ access: Gate, contacts: Contacts, reader: @escaping @Sendable () -> PageReader? = { nil }
    ) {
        self.access = access
        self.contacts = contacts
        queue = contacts.queue
        self.reader = reader
        passKey = access.store.chance.bytes(32)
    }

    /// More of them nobody tells apart.
    public static let most = 50

    // MARK: Looking

    /// One's own, the default one first.
    public func list(by caller: Caller) throws -> [OwnCard] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM own_card WHERE \(Self.belonging(to: caller))
                ORDER BY is_default DESC, made_at, id
                """
            ).map { try OwnCard($0, in: desk) }
        }
    }

    public func get(_ id: ID<OwnCard>, by caller: Caller) throws -> OwnCard {
        try caller.require(.view)
        return try store.read { desk in try Self.found(id, by: caller, in: desk) }
    }

    /// The one somebody shows who does not say which.
    public func defaultCard(by caller: Caller) throws -> OwnCard? { try list(by: caller).first }

    // MARK: Making

    /// What the JSON does not say stays as it is.
    public func make(_ said: JSON, by caller: Caller) throws -> OwnCard {
        try caller.require(.view)
        return try store.write { tx in
            let member = try caller.memberID ?? Self.firstOwner(in: tx)
            let whose = Self.whose(member)
            let count = try tx.row("SELECT count(*) AS n FROM own_card WHERE \(whose)")?.int("n") ?? 0
            guard count < Self.most else {
                throw Failure(
                    .tooMany, "You have \(Self.most) cards already. Remove one that you no longer show.")
            }
            let slug = try freeSlug(in: tx)
            var card = OwnCard(
                id: tx.newID(), member: member, slug: slug, isDefault: count == 0, at: tx.now)
            try Self.take(said, into: &card)
            try tx.run(
                """
                INSERT INTO own_card (id, member_id, slug, name, is_default, content, made_at, changed_at)
                VALUES (\(card.id), \(member), \(slug), \(card.called), \(card.isDefault), \(card.content.text), \(tx.now),
                    \(tx.now))
                """)
            try tx.run(
                "INSERT INTO own_card_slug (slug, card_id, given_at) VALUES (\(slug), \(card.id), \(tx.now))")
            tx.note("card.made", "card/\(card.id)", by: caller.actor)
            return card
        }
    }

    @discardableResult
    public func change(_ id: ID<OwnCard>, _ said: JSON, by caller: Caller) throws -> OwnCard {
        try change(id, by: caller) { card, _ in try Self.take(said, into: &card) }
    }

    func change(
        _ id: ID<OwnCard>, by caller: Caller, verb: String = "card.changed",
        _ body: (inout OwnCard, borrowing Transaction) throws -> Void
    ) throws -> OwnCard {
        try caller.require(.view)
        return try store.write { tx in
            let before = try Self.found(id, by: caller, in: tx)
            var card = before
            try body(&card, tx)
            guard card != before else { return before }
            card.changedAt = tx.now
            let isSameAct = try verb == "card.changed" && Self.isJustChanged(id, by: caller.actor, in: tx)
            try tx.run(
                """
                UPDATE own_card SET slug = \(card.slug), name = \(card.called), content = \(card.content.text),
                    changed_at = \(tx.now) WHERE id = \(id)
                """)
            if !isSameAct { tx.record(JournalEntry(actor: caller.actor, verb: verb, subject: "card/\(id)")) }
            try promiseWallets(of: id, in: tx)
            return card
        }
    }

    /// An editor sends what is typed bit by bit; all of it within ten minutes is one act.
    private static func isJustChanged(
        _ id: ID<OwnCard>, by actor: String, in tx: borrowing Transaction
    ) throws -> Bool {
        let last = try tx.row(
            "SELECT at, actor, verb FROM journal WHERE subject = \("card/\(id)") ORDER BY number DESC LIMIT 1"
        )
        guard let last, try last.text("actor") == actor, try last.text("verb") == "card.changed" else {
            return false
        }
        return try last.moment("at") + .seconds(600) > tx.now
    }

    private static func take(_ said: JSON, into card: inout OwnCard) throws {
        try OwnCard.settable.take(said, into: &card)
        card.tidy()
        try OwnCard.settable.check(card)
        if let given = said["fields"] {
            guard let list = given.array else {
                throw Failure(.invalid, "“fields” must be a list.", field: "fields")
            }
            guard list.count <= OwnCard.mostFields else {
                throw Failure(.tooMany, "A card has at most \(OwnCard.mostFields) fields.", field: "fields")
            }
            card.fields = try list.map { try OwnCard.Field(given: $0) }
        }
        guard !card.name.isEmpty || !card.organization.isEmpty else {
            throw Failure(.invalid, "A card needs a name, or an organization.", field: "given")
        }
    }

    /// The one that is shown when nobody says which.
    @discardableResult
    public func makeDefault(_ id: ID<OwnCard>, by caller: Caller) throws -> OwnCard {
        try caller.require(.view)
        return try store.write { tx in
            let card = try Self.found(id, by: caller, in: tx)
            guard !card.isDefault else { return card }
            try tx.run("UPDATE own_card SET is_default = 0 WHERE \(Self.whose(card.member))")
            try tx.run("UPDATE own_card SET is_default = 1 WHERE id = \(id)")
            tx.note("card.default", "card/\(id)", by: caller.actor)
            return try Self.found(id, by: caller, in: tx)
        }
    }

    /// Its addresses stay taken, and say that it is gone.
    public func remove(_ id: ID<OwnCard>, by caller: Caller) throws {
        try caller.require(.view)
        try store.write { tx in
            let card = try Self.found(id, by: caller, in: tx)
            try tx.run("DELETE FROM own_card WHERE id = \(id)")
            if card.isDefault {
                let next = try tx.row(
                    """
                    SELECT id FROM own_card WHERE \(Self.whose(card.member)) ORDER BY made_at, id LIMIT 1
                    """)
                if let next { try tx.run("UPDATE own_card SET is_default = 1 WHERE id = \(next.text("id"))") }
            }
            tx.note("card.removed", "card/\(id)", by: caller.actor, ["name": .string(card.called)])
        }
    }

    // MARK: Whose

    private static func belonging(to caller: Caller) -> Query {
        // Somebody at the machine itself, or a token that was made there.
        guard let member = caller.memberID else { return "1 = 1" }
        let orphans: Query = caller.role == .owner ? " OR member_id IS NULL" : ""
        return "(member_id = \(member)\(orphans))"
    }

    private static func whose(_ member: ID<Member>?) -> Query {
        member.map { "member_id = \($0)" } ?? "member_id IS NULL"
    }

    private static func firstOwner(in tx: borrowing Transaction) throws -> ID<Member>? {
        try tx.row("SELECT id FROM member WHERE role = 'owner' ORDER BY joined_at, id LIMIT 1").map {
            try $0.id("id")
        }
    }

    /// A card of somebody else is as good as none.
    static func found(
        _ id: ID<OwnCard>, by caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> OwnCard {
        let row = try desk.row("SELECT * FROM own_card WHERE id = \(id) AND \(belonging(to: caller))")
        guard let row else { throw Failure(.notFound, "There is no such card. It may have been removed.") }
        return try OwnCard(row, in: desk)
    }
}

extension OwnCard {
    public init(
        id: ID<OwnCard>, member: ID<Member>?, slug: String, isDefault: Bool,
        _ pictures: [CardPicture.Kind: CardPicture] = [:], at now: Moment
    ) {
        self.id = id
        self.member = member
        self.slug = slug
        self.isDefault = isDefault
        self.pictures = pictures
        madeAt = now
        changedAt = now
    }

    /// Nobody means the spaces around what they type.
    mutating func tidy() {
        for path in Self.lines { self[keyPath: path] = self[keyPath: path].trimmed }
    }

    private static var lines: [WritableKeyPath<OwnCard, String>] {
        [
            \.label, \.name.prefix, \.name.given, \.name.middle, \.name.family, \.name.suffix,
            \.name.preferred,
            \.name.maiden, \.name.pronouns, \.title, \.organization, \.department, \.headline,
            \.accreditations,
            \.note,
        ]
    }
}

extension String {
    var trimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
