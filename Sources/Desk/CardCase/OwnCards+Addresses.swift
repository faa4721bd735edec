public import Access
import Bytes
import Crypto
import SQL
public import Storage
public import Work

/// A link to a card that was made for one person.
public struct CardLink: Sendable, Equatable {
    public let id: ID<CardLink>
    public let card: ID<OwnCard>
    public let slug: String
    /// Who it is for.
    public let note: String
    /// What it shows: also what is for after an exchange, for somebody one has met.
    public let audience: FieldAudience
    public let madeAt: Moment
    public let expiresAt: Moment?
    public let isOnce: Bool
    public let openings: Int
    public let openedAt: Moment?
    public let revokedAt: Moment?

    public enum State: String, Sendable, CaseIterable { case active, expired, usedUp, revoked }

    public func state(at now: Moment) -> State {
        if revokedAt != nil { return .revoked }
        if let expiresAt, expiresAt <= now { return .expired }
        return isOnce && openings > 0 ? .usedUp : .active
    }
}

/// What an address of a card leads to.
public enum CardWay: Sendable {
    case card(ShownCard)
    /// The card has another address now.
    case moved(to: String)
    /// A link that opens once, and is not opened by being looked at.
    case once(CardLink)
    /// It was removed, revoked, has expired or has never been.
    case gone
}

/// A card as a visitor sees it: without what is not for them.
public struct ShownCard: Sendable {
    public let card: OwnCard
    public let audience: FieldAudience
    /// By which address it was reached.
    public let slug: String
    public let link: CardLink?
    /// Something of it is shown only after an exchange, and this visitor does not see it.
    public let hidesSome: Bool
    /// The visitor has sent a card back, and its owner has not said yes yet.
    public let isAwaited: Bool
}

extension OwnCards {
    /// Links that were made while the clock was ahead end as long after now as they were to last.
    public func returnFromFuture() throws { try store.returnFromFuture(["own_card_link"]) }

    // MARK: Following

    /// For anybody who has the address. Capitals and small letters are the same.
    public func follow(_ typed: String, pass: String? = nil) throws -> CardWay {
        guard let slug = Self.slug(typed) else { return .gone }
        let now = store.clock.now()
        return try store.read { desk in
            if let row = try desk.row("SELECT * FROM own_card WHERE slug = \(slug)") {
                return .card(Self.shown(try OwnCard(row, in: desk), to: .everybody, slug))
            }
            let former = try desk.row(
                """
                SELECT own_card.slug FROM own_card_slug JOIN own_card ON own_card.id = own_card_slug.card_id
                WHERE own_card_slug.slug = \(slug)
                """)
            if let former { return .moved(to: try former.text("slug")) }
            if let row = try desk.row("SELECT * FROM own_card_link WHERE slug = \(slug)") {
                let link = try CardLink(row)
                let state = link.state(at: now)
                let isOpened = link.isOnce && pass.map { opens(link.id, $0, at: now) } ?? false
                guard state == .active || state == .usedUp && isOpened else { return .gone }
                guard !link.isOnce || isOpened else { return .once(link) }
                guard let card = try desk.row("SELECT * FROM own_card WHERE id = \(link.card)") else {
                    return .gone
                }
                return .card(Self.shown(try OwnCard(card, in: desk), to: link.audience, slug, link: link))
            }
            let answer = try desk.row("SELECT card_id, taken_at FROM own_card_answer WHERE slug = \(slug)")
            guard let answer,
                let card = try desk.row("SELECT * FROM own_card WHERE id = \(answer.text("card_id"))")
            else { return .gone }
            let isTaken = try answer.optionalMoment("taken_at") != nil
            return .card(
                Self.shown(
                    try OwnCard(card, in: desk), to: isTaken ? .exchanged : .everybody, slug,
                    isAwaited: !isTaken))
        }
    }

    private static func shown(
        _ card: OwnCard, to audience: FieldAudience, _ slug: String, link: CardLink? = nil,
        isAwaited: Bool = false
    ) -> ShownCard {
        ShownCard(
            card: card.seen(by: audience), audience: audience, slug: slug, link: link,
            hidesSome: audience == .everybody && card.hasMoreAfterExchange, isAwaited: isAwaited)
    }

    /// Who gave a link away, for somebody who has not opened it yet.
    public func owner(of link: CardLink) throws -> String {
        try store.read { desk in
            guard let row = try desk.row("SELECT * FROM own_card WHERE id = \(link.card)") else {
                throw Self.gone
            }
            return try OwnCard(row, in: desk).shownName()
        }
    }

    /// Counts a look at a card through a link that may be opened as often as one likes.
    public func count(_ link: CardLink) throws {
        try store.write { tx in
            try tx.run(
                """
                UPDATE own_card_link SET openings = openings + 1, opened_at = \(tx.now)
                WHERE id = \(link.id)
                """)
        }
    }

    /// Opens a link that opens once, and gives a pass for the next hour to who did.
    public func openOnce(_ typed: String, from visitor: Visitor) throws -> String {
        try access.limits.take(.openLink, for: RateLimits.subject(ofAddress: visitor.address))
        guard let slug = Self.slug(typed) else { throw Self.gone }
        return try store.write { tx in
            let row = try tx.row("SELECT * FROM own_card_link WHERE slug = \(slug)")
            guard let link = try row.map(CardLink.init), link.state(at: tx.now) == .active else {
                throw Self.gone
            }
            try tx.run(
                """
                UPDATE own_card_link SET openings = openings + 1, opened_at = \(tx.now)
                WHERE id = \(link.id)
                """)
            let until = (tx.now + .seconds(3600)).milliseconds
            return "\(until).\(seal(link.id, until))"
        }
    }

    private func opens(_ id: ID<CardLink>, _ pass: String, at now: Moment) -> Bool {
        let parts = pass.split(separator: ".", maxSplits: 1)
        guard pass.utf8.count < 100, parts.count == 2, let until = Int64(parts[0]), until > now.milliseconds
        else { return false }
        return constantTimeEquals(Array(parts[1].utf8), Array(seal(id, until).utf8))
    }

    private func seal(_ id: ID<CardLink>, _ until: Int64) -> String {
        Base64.urlEncode(HMAC.sha256(key: passKey, message: Array("card pass \(id.text) \(until)".utf8)))
    }

    static let gone = Failure(
        .notFound,
        "This card is not here: it was taken away, or the link to it has ended. Ask for another one.")

    // MARK: Addresses

    /// Another address for a card. What was given away before goes on leading to it.
    public func readdress(_ id: ID<OwnCard>, to wish: String? = nil, by caller: Caller) throws -> OwnCard {
        try change(id, by: caller, verb: "card.addressed") { card, tx in
            guard let wish, !wish.trimmed.isEmpty else {
                card.slug = try freeSlug(in: tx)
                try keep(card.slug, for: id, in: tx)
                return
            }
            guard let slug = Self.slug(wish), !slug.hasPrefix("-"), !slug.hasSuffix("-") else {
                throw Failure(
                    .invalid, "An address of a card has 3 to 40 letters, digits and hyphens.", field: "slug")
            }
            guard slug != card.slug else { return }
            let before = try tx.row("SELECT card_id FROM own_card_slug WHERE slug = \(slug)")
            if let before {
                // One's own address of before may be taken again.
                guard try before.optionalText("card_id") == id.text else { throw Self.taken }
            } else {
                guard try isFree(slug, in: tx) else { throw Self.taken }
                try keep(slug, for: id, in: tx)
            }
            card.slug = slug
        }
    }

    private static let taken = Failure(
        .conflict, "This address leads to another card, or has done so. Choose another one.", field: "slug")

    private func keep(_ slug: String, for id: ID<OwnCard>, in tx: borrowing Transaction) throws {
        try tx.run("INSERT INTO own_card_slug (slug, card_id, given_at) VALUES (\(slug), \(id), \(tx.now))")
    }

    /// Small letters, digits and hyphens; nil for what can be no address.
    static func slug(_ typed: String) -> String? {
        let slug = typed.lowercased()
        let isFit = slug.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
        return (3...40).contains(slug.utf8.count) && isFit ? slug : nil
    }

    /// Base 32 without the letters that are taken for others (Crockford).
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

    func freeSlug(length: Int = 8, in tx: borrowing Transaction) throws -> String {
        while true {
            let slug = String(store.chance.bytes(length).map { Self.letters[Int($0 & 31)] })
            if try isFree(slug, in: tx) { return slug }
        }
    }

    private func isFree(_ slug: String, in tx: borrowing Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT slug FROM own_card_slug WHERE slug = \(slug)
            UNION ALL SELECT slug FROM own_card_link WHERE slug = \(slug)
            UNION ALL SELECT slug FROM own_card_answer WHERE slug = \(slug) LIMIT 1
            """) == nil
    }

    // MARK: Links for one person

    public func links(of id: ID<OwnCard>, by caller: Caller) throws -> [CardLink] {
        try caller.require(.view)
        return try store.read { desk in
            let card = try Self.found(id, by: caller, in: desk)
            return try desk.rows(
                "SELECT * FROM own_card_link WHERE card_id = \(card.id) ORDER BY made_at DESC, id DESC"
            ).map(CardLink.init)
        }
    }

    public func link(
        to id: ID<OwnCard>, for note: String, until expiresAt: Moment? = nil, once: Bool = false,
        showing audience: FieldAudience = .everybody, by caller: Caller
    ) throws -> CardLink {
        try caller.require(.view)
        let note = note.withoutNUL.trimmed
        guard !note.isEmpty, note.count <= 200, !note.contains(where: \.isNewline) else {
            throw Failure(.invalid, "Say who this link is for, in one line.", field: "note")
        }
        guard audience != .nobody else {
            throw Failure(
                .invalid, "A link shows what is public, or also what is for after an exchange.",
                field: "shows")
        }
        return try store.write { tx in
            let card = try Self.found(id, by: caller, in: tx)
            if let expiresAt, expiresAt <= tx.now {
                throw Failure(.invalid, "Choose a time in the future.", field: "expiresAt")
            }
            let count =
                try tx.row("SELECT count(*) AS n FROM own_card_link WHERE card_id = \(card.id)")?.int("n")
                ?? 0
            guard count < 1000 else {
                throw Failure(.tooMany, "This card has 1000 links already. Remove some that have ended.")
            }
            let link: ID<CardLink> = tx.newID()
            try tx.run(
                """
                INSERT INTO own_card_link (id, card_id, slug, note, audience, made_at, expires_at, is_once, openings)
                VALUES (\(link), \(card.id), \(try freeSlug(length: 12, in: tx)), \(note), \(audience.rawValue), \(tx.now),
                    \(expiresAt), \(once), 0)
                """)
            tx.note("card.shared", "card/\(card.id)", by: caller.actor)
            guard let row = try tx.row("SELECT * FROM own_card_link WHERE id = \(link)") else {
                throw Self.gone
            }
            return try CardLink(row)
        }
    }

    /// A second time it is removed altogether.
    public func revoke(_ link: ID<CardLink>, of id: ID<OwnCard>, by caller: Caller) throws {
        try caller.require(.view)
        try store.write { tx in
            let card = try Self.found(id, by: caller, in: tx)
            let row = try tx.row("SELECT * FROM own_card_link WHERE id = \(link) AND card_id = \(card.id)")
            guard let found = try row.map(CardLink.init) else {
                throw Failure(.notFound, "There is no such link. Perhaps it was revoked.")
            }
            guard found.revokedAt == nil else {
                try tx.run("DELETE FROM own_card_link WHERE id = \(link)")
                return
            }
            try tx.run("UPDATE own_card_link SET revoked_at = \(tx.now) WHERE id = \(link)")
            tx.note("card.unshared", "card/\(card.id)", by: caller.actor, ["openings": .int(found.openings)])
        }
    }
}

extension CardLink {
    init(_ row: Row) throws {
        id = try row.id("id")
        card = try row.id("card_id")
        slug = try row.text("slug")
        note = try row.text("note")
        audience = FieldAudience(rawValue: try row.text("audience")) ?? .everybody
        madeAt = try row.moment("made_at")
        expiresAt = try row.optionalMoment("expires_at")
        isOnce = try row.bool("is_once")
        openings = try row.int("openings")
        openedAt = try row.optionalMoment("opened_at")
        revokedAt = try row.optionalMoment("revoked_at")
    }
}
