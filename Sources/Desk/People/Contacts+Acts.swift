public import Access
import Bytes
import Cards
import SQL
public import Storage
public import Work

/// What changed contacts, so that it can be taken back as one.
public struct ContactAct: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case imported = "import"
        case made, edited, tagged, removed, merged, followUp, moved, regrouped
    }

    public let id: ID<ContactAct>
    public var kind: Kind
    /// The name of the file, or of whom it was about when it was about one.
    public var name: String
    public var at: Moment
    public var actor: String
    public var actorName: String
    public var counts: ContactCounts
    public var undoneAt: Moment?
}

/// What taking an act back did.
public struct ContactUndoing: Sendable, Equatable {
    public var act: ContactAct
    /// Whom the act had brought, and who are gone again.
    public var removed = 0
    /// Who are as they were before.
    public var restored = 0
    /// Who have been changed since, and stay.
    public var kept = 0
}

extension Contacts {
    /// The latest first.
    public func acts(
        _ kind: ContactAct.Kind? = nil, limit: Int = 20, by caller: Caller
    ) throws -> [ContactAct] {
        try caller.require(.view)
        let only: Query = kind.map { "WHERE kind = \($0.rawValue)" } ?? ""
        return try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM contact_act \(only) ORDER BY at DESC, id DESC LIMIT \(min(max(1, limit), 1000))
                """
            ).map(ContactAct.init)
        }
    }

    public func act(_ id: ID<ContactAct>, by caller: Caller) throws -> ContactAct {
        try caller.require(.view)
        return try store.read { desk in try act(id, in: desk) }
    }

    func act(_ id: ID<ContactAct>, in desk: borrowing some Readable & ~Copyable) throws -> ContactAct {
        guard let row = try desk.row("SELECT * FROM contact_act WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such change to contacts. It may have been long ago.")
        }
        return try ContactAct(row)
    }

    func begin(
        _ kind: ContactAct.Kind, _ name: String, by caller: Caller, in tx: borrowing Transaction
    ) throws -> ID<ContactAct> {
        let id = tx.newID(of: ContactAct.self)
        try tx.run(
            """
            INSERT INTO contact_act (id, kind, name, at, by_actor, by_name, report)
            VALUES (\(id), \(kind.rawValue), \(String(name.withoutNUL.prefix(200))), \(tx.now), \(caller.actor),
                \(caller.name), '{}')
            """)
        if kind != .followUp { try turn(by: caller.actor, in: tx) }
        return id
    }

    func finish(
        _ id: ID<ContactAct>, _ counts: ContactCounts, in tx: borrowing Transaction
    ) throws -> ContactAct {
        try tx.run("UPDATE contact_act SET report = \(counts.json.text) WHERE id = \(id)")
        return try act(id, in: tx)
    }

    /// Keeps how somebody is before an act changes or removes them.
    func keep(_ kept: Kept, before act: ID<ContactAct>, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO contact_before (act_id, contact_id, original, act_before, book_id, uid, follow_up)
            VALUES (\(act), \(kept.id), \(kept.original), \(kept.act), \(kept.book), \(kept.uid),
                \(kept.followUp))
            ON CONFLICT (act_id, contact_id) DO NOTHING
            """)
        if kept.writes { try sendSoon(kept.book, in: tx) }
    }

    /// Takes an act back: whom it brought goes, whom it changed or removed is as before. Who has been changed since stays.
    @discardableResult
    public func undo(_ id: ID<ContactAct>, by caller: Caller) throws -> ContactUndoing {
        try caller.require(.edit)
        return try store.write { tx in
            var found = try act(id, in: tx)
            guard found.undoneAt == nil else {
                throw Failure(.conflict, "This change has been undone already.")
            }
            let book = try turn(by: caller.actor, in: tx)
            var undoing = ContactUndoing(act: found)
            let before = try tx.rows(
                """
                SELECT contact_before.*, contact.id AS there, contact.act_id AS act_now, contact.book_id AS book_now
                FROM contact_before LEFT JOIN contact ON contact.id = contact_before.contact_id
                WHERE contact_before.act_id = \(id)
                """)
            for row in before {
                guard let card = CardFile(try row.blob("original")).cards.first else { continue }
                let now = card.isGroup ? try kept(row.id("contact_id"), in: tx)?.card : nil
                let isThere = try row.optionalText("there") != nil
                if isThere {
                    guard try row.optionalText("act_now") == id.text, try returns(row, in: tx) else {
                        continue
                    }
                } else {
                    guard try bringBack(row, in: tx) else { continue }
                }
                try rewrite(
                    try row.id("contact_id"), card, original: row.blob("original"),
                    act: row.optionalText("act_before"), in: tx)
                if let text = try row.optionalText("follow_up") {
                    try set(FollowUp(kept: text), of: row.id("contact_id"), in: tx)
                }
                undoing.restored += card.isGroup ? Self.difference(now, card) : 1
                if let text = try row.optionalText("book_id"), let book = ID<ContactBook>(text) {
                    try sendSoon(book, in: tx)
                }
            }
            let brought: Query =
                "act_id = \(id) AND id NOT IN (SELECT contact_id FROM contact_before WHERE act_id = \(id))"
            if found.kind == .regrouped { try turnBack(id, in: tx) }
            if found.kind == .tagged { undoing.restored += try memberCount(brought, in: tx) }
            undoing.removed = try drop(brought, in: tx)
            let touched = found.counts.added + found.counts.changed + found.counts.gone
            undoing.kept = max(0, touched - undoing.removed - undoing.restored)
            try tx.run("DELETE FROM contact_before WHERE act_id = \(id)")
            try tx.run("UPDATE contact_act SET undone_at = \(tx.now) WHERE id = \(id)")
            found.undoneAt = tx.now
            undoing.act = found
            var counts = ContactCounts()
            counts.gone = undoing.removed
            counts.changed = undoing.restored
            note(
                "contacts.undone", book, by: Author(caller), counts,
                found.kind == .imported ? ["file": .string(found.name)] : [:], in: tx)
            return undoing
        }
    }

    /// Puts somebody into the book in which they were; false when it does not take them any more.
    private func returns(_ row: Row, in tx: borrowing Transaction) throws -> Bool {
        guard let text = try row.optionalText("book_id"), try text != row.optionalText("book_now"),
            let book = ID<ContactBook>(text)
        else { return true }
        guard (try? found(book, in: tx))?.isChangedHere == true else { return false }
        return try relocate(row.id("contact_id"), to: book, in: tx)
    }

    /// Puts a row of who was removed in its place again; false when somebody else has taken it, or the book is gone.
    private func bringBack(_ row: Row, in tx: borrowing Transaction) throws -> Bool {
        guard let book = try row.optionalText("book_id"), let uid = try row.optionalText("uid"),
            try tx.row("SELECT 1 AS one FROM contact_book WHERE id = \(book)") != nil
        else { return false }
        let id = try row.text("contact_id")
        let owed = try takeBack(uid, in: book, tx)
        try tx.run("DELETE FROM contact_gone WHERE book_id = \(book) AND name = \(Self.fileName(of: id))")
        return try tx.run(
            """
            INSERT INTO contact (id, book_id, uid, name, name_order, search, emails, organization, card, changed_at,
                path, tag, base)
            VALUES (\(id), \(book), \(uid), '', '', '', '', '', '', \(tx.now), \(owed?.path), \(owed?.tag), \(owed?.base))
            ON CONFLICT (book_id, uid) DO NOTHING
            """) > 0
    }

    /// Makes a contact what a card says.
    func rewrite(
        _ id: ID<Contact>, _ card: ContactCard, original: [UInt8], act: String?, in tx: borrowing Transaction
    ) throws {
        let shown = Shown(card)
        let membership = try membership(of: card, id, in: tx)
        try tx.run(
            """
            UPDATE contact SET name = \(shown.name), name_order = \(shown.order), search = \(shown.search),
                emails = \(shown.emails), phones = \(shown.phones), tags = \(shown.tags),
                organization = \(shown.organization), card = \(card.withoutFiles.withoutNUL), original = \(original), act_id = \(act),
                changed_at = \(tx.now), base = CASE WHEN base IS NULL AND tag IS NOT NULL THEN original ELSE base END, mark = \(Self.mark(of: original)),
                turn = (SELECT turn FROM contact_book WHERE contact_book.id = contact.book_id),
                is_group = \(membership.isGroup), member_key = \(membership.key), group_tags = \(membership.groups)
            WHERE id = \(id)
            """)
        try setMembers(of: id, card, in: tx)
    }
}

extension ContactAct {
    init(_ row: Row) throws {
        id = try row.id("id")
        kind = try row.choice("kind")
        name = try row.text("name")
        at = try row.moment("at")
        actor = try row.text("by_actor")
        actorName = try row.text("by_name")
        counts = ContactCounts((try? JSON(parsing: row.text("report"))) ?? .null)
        undoneAt = try row.optionalMoment("undone_at")
    }
}
