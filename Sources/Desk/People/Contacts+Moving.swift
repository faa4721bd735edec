public import Access
import Cards
import SQL
public import Storage
import Work

// People who are to lie in another address book.
extension Contacts {
    /// Puts somebody into an address book on a server that goes both ways, or with this desk alone where no book is said: they
    /// are written there and taken out where they were, before long. Nil when they lie there.
    @discardableResult
    public func move(
        _ id: ID<Contact>, into wanted: ID<ContactBook>?, by caller: Caller
    ) throws -> ContactAct? {
        try caller.require(.edit)
        return try store.write { tx in
            guard let kept = try own([id], in: tx).first else { throw Self.nobody }
            let own = try cardsBook(by: caller.actor, in: tx)
            guard (wanted ?? own) != kept.book else { return nil }
            let book = try served(wanted ?? own, without: kept.uid, in: tx)
            let act = try begin(.moved, kept.name, by: caller, in: tx)
            try keep(kept, before: act, in: tx)
            guard try relocate(id, to: book, in: tx) else {
                throw Failure(
                    .conflict, "“\(kept.name)” is on this desk already. Merge the two, or change them there.",
                    field: "book")
            }
            try rewrite(id, kept.card, original: kept.original, act: act.text, in: tx)
            tell("contacts.moved", id, book, by: caller, in: tx)
            try sendSoon(book, in: tx)
            var counts = ContactCounts()
            counts.changed = 1
            return try finish(act, counts, in: tx)
        }
    }

    /// False when a card that says the same of itself lies there already.
    func relocate(_ id: ID<Contact>, to book: ID<ContactBook>, in tx: borrowing Transaction) throws -> Bool {
        guard let uid = try tx.row("SELECT uid FROM contact WHERE id = \(id)")?.text("uid"),
            try tx.row("SELECT 1 AS one FROM contact WHERE book_id = \(book) AND uid = \(uid)") == nil
        else { return false }
        try leave("id = \(id)", in: tx)
        let back = try takeBack(uid, in: book.text, tx)
        try tx.run(
            "DELETE FROM contact_gone WHERE book_id = \(book) AND name = \(Self.fileName(of: id.text))")
        try tx.run(
            """
            UPDATE contact SET book_id = \(book), path = \(back?.path), tag = \(back?.tag), base = \(back?.base)
            WHERE id = \(id)
            """)
        return true
    }
}
