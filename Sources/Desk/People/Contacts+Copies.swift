import Bytes
import Cards
import SQL
public import Storage
public import Work

extension Contacts {
    /// A contact that came from a file of cards, as another desk is told of it. Address books on servers are asked by each
    /// desk itself.
    public struct Copy: Sendable, Equatable {
        /// The card as it came, byte for byte.
        public var card: [UInt8]
        public var followUp: FollowUp?
        public var changedAt: Moment

        public init(card: [UInt8], followUp: FollowUp? = nil, changedAt: Moment) {
            self.card = card
            self.followUp = followUp
            self.changedAt = changedAt
        }
    }

    /// By what a card calls itself, which is the same on every desk.
    public func cardNames(
        after last: String, limit: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String] {
        try desk.rows(
            """
            SELECT contact.uid FROM contact JOIN contact_book ON contact_book.id = contact.book_id
            WHERE contact_book.kind = 'cards' AND contact.uid > \(last) ORDER BY contact.uid LIMIT \(limit)
            """
        ).map { try $0.text("uid") }
    }

    /// Nil when it is not here.
    public func copy(of uid: String, in desk: borrowing some Readable & ~Copyable) throws -> Copy? {
        try desk.row(
            """
            SELECT contact.card, contact.original, contact.follow_up, contact.changed_at FROM contact
            JOIN contact_book ON contact_book.id = contact.book_id
            WHERE contact_book.kind = 'cards' AND contact.uid = \(uid) ORDER BY contact.id LIMIT 1
            """
        ).map {
            Copy(
                card: try $0.optionalBlob("original") ?? Array($0.text("card").utf8),
                followUp: FollowUp(kept: try $0.text("follow_up")), changedAt: try $0.moment("changed_at"))
        }
    }

    /// Makes a contact what another desk says it is.
    public func put(_ copy: Copy, as uid: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let card = CardFile(copy.card).cards.first else {
            throw Failure(.damaged, "What came of a contact is no card.")
        }
        // What is the same begins no turn: a desk that comes anew brings everybody.
        let isSame = try self.copy(of: uid.withoutNUL, in: tx)?.card == copy.card
        let book = try isSame ? cardsBook(by: actor, in: tx) : turn(by: actor, in: tx)
        var counts = ContactCounts()
        try put(card, uid: uid, path: nil, tag: nil, into: book, &counts, in: tx)
        guard
            let row = try tx.row(
                "SELECT id, follow_up FROM contact WHERE book_id = \(book) AND uid = \(uid.withoutNUL)")
        else { return }
        if FollowUp(kept: try row.text("follow_up")) != copy.followUp {
            try set(copy.followUp, of: row.id("id"), in: tx)
            if counts.unchanged > 0 { (counts.unchanged, counts.changed) = (0, 1) }
        }
        guard counts.added + counts.changed > 0 else { return }
        note("contacts.brought", book, by: Author(actor: actor, name: ""), counts, in: tx)
    }

    /// Removes a contact that another desk removed.
    public func forget(_ uid: String, by actor: String, in tx: borrowing Transaction) throws {
        guard try copy(of: uid, in: tx) != nil else { return }
        let book = try turn(by: actor, in: tx)
        let count = try drop("uid = \(uid) AND book_id = \(book)", in: tx)
        guard count > 0 else { return }
        tx.record(
            JournalEntry(
                actor: actor, verb: "contacts.removed", subject: "contacts", detail: ["count": .int(count)]))
    }
}
