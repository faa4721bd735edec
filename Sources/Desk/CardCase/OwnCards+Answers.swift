public import Access
import Bytes
import Cards
import People
import SQL
public import Storage
public import Work

/// A card that a visitor sent back. It waits until the owner of the card says yes.
public struct CardAnswer: Sendable, Equatable {
    public let id: ID<CardAnswer>
    public let card: ID<OwnCard>
    /// What the card is called that was answered.
    public let cardName: String
    public let name: String
    /// Through whose link they came.
    public let note: String
    public let message: String
    public let at: Moment
    public let takenAt: Moment?
    let content: [UInt8]

    /// What they sent, by the names of columns.
    public var fields: [(name: String, value: String)] { CardFile(content).cards.first?.fields ?? [] }

    public static func == (a: CardAnswer, b: CardAnswer) -> Bool { a.id == b.id && a.takenAt == b.takenAt }
}

/// What a visitor says of themselves.
public struct VisitorCard: Sendable {
    public var name = ""
    public var email = ""
    public var phone = ""
    public var organization = ""
    public var title = ""
    public var website = ""
    public var message = ""
    /// A whole card instead: a vCard of any version, a jCard, JSContact, MECARD.
    public var card = ""

    public init() {}
}

extension OwnCards {
    private static let perAddress = RateLimits.Rule("answer-card", burst: 6, refill: .seconds(600))
    /// More than these nobody looks through, and whoever sends more is nobody one has met.
    static let mostWaiting = 100

    /// - Returns: the address by which the visitor sees the card from now on, and more of it once its owner says yes.
    public func answer(
        _ typed: String, _ visitorCard: VisitorCard, pass: String? = nil, from visitor: Visitor
    ) throws -> String {
        guard case .card(let shown) = try follow(typed, pass: pass) else { throw Self.gone }
        guard shown.card.answers == .welcome else {
            throw Failure(.denied, "The owner of this card takes no cards back.")
        }
        let card = try Self.card(of: visitorCard)
        let name = String(card.name.trimmed.withoutNUL.prefix(200))
        try access.limits.take(Self.perAddress, for: RateLimits.subject(ofAddress: visitor.address))
        return try store.write { tx in
            let waiting =
                try tx.row(
                    """
                    SELECT count(*) AS n FROM own_card_answer WHERE card_id = \(shown.card.id) AND taken_at IS NULL
                    """)?.int("n") ?? 0
            guard waiting < Self.mostWaiting else {
                throw Failure(.tooMany, "Too many cards wait for an answer here. Try again in a few days.")
            }
            let id: ID<CardAnswer> = tx.newID()
            let slug = try freeSlug(length: 12, in: tx)
            var kept = card
            // Whatever it calls itself: by the name of another card it would take that one's place among the contacts.
            kept.properties.removeAll { $0.name == "UID" }
            kept.properties.append(CardProperty("UID", "urn:uuid:\(id)"))
            let message = String(visitorCard.message.withoutNUL.trimmed.prefix(1000))
            try tx.run(
                """
                INSERT INTO own_card_answer (id, card_id, slug, name, note, message, card, at)
                VALUES (\(id), \(shown.card.id), \(slug), \(name), \(shown.link?.note ?? ""), \(message),
                    \(kept.bytes(as: .vcard4)), \(tx.now))
                """)
            tx.note("card.answered", "card/\(shown.card.id)", by: "quire/cards")
            let owner: ID<Member>? = try tx.row("SELECT member_id FROM own_card WHERE id = \(shown.card.id)")?
                .optionalID("member_id")
            try access.notices.tell(
                .cardBack, "card/\(shown.card.id)", to: owner.map { .member($0) } ?? .owners, in: tx)
            return slug
        }
    }

    /// Checked as one's own cards are, so that nothing odd lands among the contacts.
    private static func card(of said: VisitorCard) throws -> ContactCard {
        guard said.card.utf8.count <= 64 << 10 else {
            throw Failure(.tooLarge, "This card is too large. Send it without its picture.", field: "card")
        }
        if !said.card.trimmed.isEmpty {
            guard let card = CardFile(Array(said.card.utf8)).cards.first, !card.name.isEmpty else {
                throw Failure(.invalid, "This is no card.", field: "card")
            }
            return card
        }
        func line(_ text: String, _ field: String) throws -> String {
            let text = text.withoutNUL.trimmed
            guard text.count <= 200, !text.contains(where: \.isNewline) else {
                throw Failure(.tooLarge, "This line is too long.", field: field)
            }
            return text
        }
        func value(_ kind: String, _ text: String, _ field: String) throws -> String {
            let text = try line(text, field)
            guard !text.isEmpty, let kind = FieldKind.named(kind) else { return "" }
            do { return try kind.understood(text) } catch {
                throw Failure(error.code, error.sentence, field: field)
            }
        }
        let name = try line(said.name, "name")
        guard !name.isEmpty else { throw Failure(.invalid, "Say what you are called.", field: "name") }
        let email = try value("email", said.email, "email")
        let phone = try value("phone", said.phone, "phone")
        guard !email.isEmpty || !phone.isEmpty else {
            throw Failure(.invalid, "Give an e-mail address or a telephone number.", field: "email")
        }
        guard said.message.count <= 1000 else {
            throw Failure(.tooLarge, "This text is too long.", field: "message")
        }
        var properties: [CardProperty] = [.text("FN", name)]
        if !email.isEmpty { properties.append(.text("EMAIL", email)) }
        if !phone.isEmpty { properties.append(.text("TEL", phone)) }
        let organization = try line(said.organization, "organization")
        if !organization.isEmpty { properties.append(.parts("ORG", [[organization]])) }
        let title = try line(said.title, "title")
        if !title.isEmpty { properties.append(.text("TITLE", title)) }
        let website = try value("website", said.website, "website")
        if !website.isEmpty { properties.append(CardProperty("URL", website)) }
        let message = said.message.withoutNUL.trimmed
        if !message.isEmpty { properties.append(.text("NOTE", message)) }
        return ContactCard(properties)
    }

    // MARK: For the owner

    /// Those that wait, the latest first; on all of one's cards.
    public func answers(by caller: Caller) throws -> [CardAnswer] {
        let cards = try list(by: caller).map(\.id)
        guard !cards.isEmpty else { return [] }
        return try store.read { desk in
            try desk.rows(
                """
                SELECT own_card_answer.*, own_card.name AS card_name FROM own_card_answer
                JOIN own_card ON own_card.id = own_card_answer.card_id
                WHERE own_card_answer.taken_at IS NULL AND \(Query.column("own_card_answer.card_id", in: cards))
                ORDER BY own_card_answer.at DESC, own_card_answer.id DESC LIMIT 500
                """
            ).map(CardAnswer.init)
        }
    }

    private func answer(_ id: ID<CardAnswer>, by caller: Caller) throws -> CardAnswer {
        guard let answer = try answers(by: caller).first(where: { $0.id == id }) else {
            throw Failure(.notFound, "There is no such card waiting. It may have been answered already.")
        }
        return answer
    }

    /// Yes: they become a contact, and see what is for after an exchange.
    @discardableResult
    public func take(_ id: ID<CardAnswer>, by caller: Caller) throws -> CardAnswer {
        let answer = try answer(id, by: caller)
        // A card is known by what it calls itself: should this stop here and be done again, nobody is there twice.
        try contacts.bring(cards: answer.content, named: answer.name, by: caller)
        try store.write { tx in
            let count = try tx.run(
                "UPDATE own_card_answer SET taken_at = \(tx.now) WHERE id = \(id) AND taken_at IS NULL")
            if count > 0 { tx.note("card.answerTaken", "card/\(answer.card)", by: caller.actor) }
        }
        return answer
    }

    /// No: it is gone, and nothing was kept of it.
    public func decline(_ id: ID<CardAnswer>, by caller: Caller) throws {
        let answer = try answer(id, by: caller)
        try store.write { tx in
            let count = try tx.run("DELETE FROM own_card_answer WHERE id = \(id)")
            if count > 0 { tx.note("card.answerDeclined", "card/\(answer.card)", by: caller.actor) }
        }
    }
}

extension CardAnswer {
    init(_ row: Row) throws {
        id = try row.id("id")
        card = try row.id("card_id")
        cardName = try row.text("card_name")
        name = try row.text("name")
        note = try row.text("note")
        message = try row.text("message")
        at = try row.moment("at")
        takenAt = try row.optionalMoment("taken_at")
        content = try row.blob("card")
    }
}
