public import Access
import Bytes
import Cards
import Jobs
import SQL
public import Storage
import Work

// Address books on servers that are changed from here as well.
extension Contacts {
    /// Whether what is changed here is written to the server. What was changed here and not yet written is forgotten when it no
    /// longer is.
    @discardableResult
    public func set(_ id: ID<ContactBook>, bothWays: Bool, by caller: Caller) throws -> ContactBook {
        try caller.require(.administer)
        return try store.write { tx in
            let book = try found(id, in: tx)
            guard book.kind == .carddav else {
                throw Failure(.unsupported, "These contacts came from a file. Bring a newer one in instead.")
            }
            try set(id, bothWays: bothWays, in: tx)
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "contacts.bookChanged", subject: "contact-book/\(id)",
                    detail: ["name": .string(book.name), "writes": .bool(bothWays)]))
            let now = try found(id, in: tx)
            tx.afterCommit { [changes] in changes.send(now) }
            return now
        }
    }

    func set(_ id: ID<ContactBook>, bothWays: Bool, in tx: borrowing Transaction) throws {
        let name = "address book \(id)"
        try tx.run("UPDATE contact_book SET writes = \(bothWays) WHERE id = \(id)")
        if bothWays {
            // Also what is changed there comes by itself.
            let book = try found(id, in: tx)
            try Schedules(queue).set(
                name, .contactPull, payload: Self.payload(id, Self.own),
                title: Self.title(of: book), recurrence: Recurrence("FREQ=HOURLY"), zone: "UTC", in: tx)
        } else {
            try Schedules(queue).remove(name, in: tx)
            try tx.run("DELETE FROM contact_owed WHERE book_id = \(id)")
            try tx.run(
                "UPDATE contact SET tag = '', base = NULL WHERE book_id = \(id) AND base IS NOT NULL")
            try bringHome(id, in: tx)
        }
    }

    /// Whom the server does not have, since they were not written there yet, or were taken out there after they were changed
    /// here: they stay with the desk itself.
    private func bringHome(_ id: ID<ContactBook>, in tx: borrowing Transaction) throws {
        guard
            try tx.row("SELECT 1 AS one FROM contact WHERE book_id = \(id) AND path IS NULL LIMIT 1") != nil
        else { return }
        let own = try turn(by: Self.own.actor, in: tx)
        try tellApart(id, from: own, in: tx)
        try tx.run(
            """
            UPDATE contact SET book_id = \(own), tag = NULL, base = NULL,
                turn = (SELECT turn FROM contact_book WHERE id = \(own))
            WHERE book_id = \(id) AND path IS NULL AND uid NOT IN (SELECT uid FROM contact WHERE book_id = \(own))
            """)
        let left: Query = "book_id = \(id) AND path IS NULL"
        try disband(left, in: tx)
        try tx.run("DELETE FROM contact WHERE \(left)")
        let now = try found(own, in: tx)
        tx.afterCommit { [changes] in changes.send(now) }
    }

    /// Of whom a card lies with the desk itself already that says something else: what was changed here and is nowhere else is kept
    /// beside it, under a name of its own, and proposed as a double.
    private func tellApart(
        _ id: ID<ContactBook>, from own: ID<ContactBook>, in tx: borrowing Transaction
    ) throws {
        for row in try tx.rows(
            """
            SELECT contact.id, there.original FROM contact
            JOIN contact AS there ON there.uid = contact.uid AND there.book_id = \(own)
            WHERE contact.book_id = \(id) AND contact.path IS NULL
            """)
        {
            guard let kept = try kept(row.id("id"), in: tx),
                try row.optionalBlob("original") != kept.original
            else { continue }
            let uid = "urn:uuid:\(tx.newID(of: Contact.self).text)"
            var card = try kept.card
            card.properties.removeAll { $0.name == "UID" }
            card.properties.append(CardProperty("UID", uid))
            let bytes = Self.kept(card)
            guard let again = CardFile(bytes).cards.first else { continue }
            try tx.run("UPDATE contact SET uid = \(uid) WHERE id = \(kept.id)")
            try rewrite(kept.id, again, original: bytes, act: nil, in: tx)
        }
    }

    /// Has what was changed here written before long.
    func sendSoon(_ id: ID<ContactBook>, in tx: borrowing Transaction) throws {
        guard try tx.row("SELECT 1 AS one FROM contact_book WHERE id = \(id) AND writes = \(true)") != nil
        else { return }
        try pullLater(found(id, in: tx), by: Self.own, in: tx)
    }

    /// What is about to go is still to be taken out on its server.
    func owe(_ which: Query, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO contact_owed (book_id, path, tag, uid, base)
            SELECT book_id, path, tag, uid, COALESCE(base, original, \([UInt8]())) FROM contact
            WHERE path IS NOT NULL AND tag IS NOT NULL
                AND book_id IN (SELECT id FROM contact_book WHERE writes = \(true)) AND (\(which))
            ON CONFLICT (book_id, path) DO UPDATE SET tag = excluded.tag, uid = excluded.uid, base = excluded.base
            """)
    }

    /// Nothing is to be taken out after all, when that has not been done yet.
    func takeBack(
        _ uid: String, in book: String, _ tx: borrowing Transaction
    ) throws -> (path: String, tag: String, base: [UInt8])? {
        let found = try tx.row(
            "SELECT path, tag, base FROM contact_owed WHERE book_id = \(book) AND uid = \(uid)")
        guard let found else { return nil }
        try tx.run("DELETE FROM contact_owed WHERE book_id = \(book) AND uid = \(uid)")
        return (try found.text("path"), try found.text("tag"), try found.blob("base"))
    }

    /// Marks a refusal that somebody may answer with: it is meant.
    static let question = "evenMany"

    static func left(_ names: [String]) -> Failure {
        let shown = names.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        let count = names.count
        return count > 3
            ? Failure(
                .conflict,
                "The server did not take the changes of \(count) people, \(shown) among them. They stay here and are tried again."
            )
            : Failure(
                .conflict,
                "The server did not take the changes of \(shown). They stay here and are tried again.")
    }
}
