import Bytes
import Cards
import SQL
import Storage
import Transfer
import Work

/// One visit to an address book on a server: what changed there comes here, and what changed here goes there.
///
/// Nothing is written over that somebody changed meanwhile: the server is asked to take a card only in place of the one that was
/// read, and when it does not, the newer one is fetched and both are joined. Who was changed on one side and taken out on the
/// other stays.
struct CardExchange {
    let contacts: Contacts
    let book: ContactBook
    let remote: CardDAVClient.Book
    let client: CardDAVClient
    let evenMany: Bool
    private(set) var counts = ContactCounts()
    /// Whom the server did not take.
    private(set) var left: [String] = []

    /// Somebody may be changed there between the look and the writing; more than a few times in a row is left for the next
    /// visit.
    mutating func run(_ progress: Progress) throws {
        for turn in 1...4 {
            try fetch(isFirst: turn == 1, progress)
            guard book.writes, try send(progress) else { return }
        }
    }

    private func asked<R>(_ body: () throws(TransferError) -> R) throws(Failure) -> R {
        try contacts.explained(body)
    }

    // MARK: From there

    private mutating func fetch(isFirst: Bool, _ progress: Progress) throws {
        let (known, owed) = try contacts.store.read { desk in
            var known: [String: (tag: String, isChanged: Bool)] = [:]
            for row in try desk.rows(
                """
                SELECT path, tag, CASE WHEN base IS NULL THEN 0 ELSE 1 END AS changed FROM contact
                WHERE book_id = \(book.id) AND path IS NOT NULL
                """)
            {
                known[try row.text("path")] = (try row.optionalText("tag") ?? "", try row.bool("changed"))
            }
            var owed: [String: String] = [:]
            for row in try desk.rows("SELECT path, tag FROM contact_owed WHERE book_id = \(book.id)") {
                owed[try row.text("path")] = try row.text("tag")
            }
            return (known, owed)
        }
        let tags = try asked { () throws(TransferError) in try client.tags(of: remote) }
        let there = Dictionary(tags.map { ($0.path, $0.entityTag) }, uniquingKeysWith: { $1 })
        let gone = known.keys.filter { there[$0] == nil }.sorted()
        if isFirst, !evenMany {
            try ask(
                whether: gone.count { known[$0]?.isChanged == false }, of: known.count, areGoneThere: true)
            let count = owed.count { there[$0.key] == $0.value }
            try ask(whether: count, of: known.count + count, areGoneThere: false)
        }
        let wanted = tags.filter { (known[$0.path]?.tag ?? owed[$0.path]) != $0.entityTag }.map(\.path)
        progress.set(done: 0, total: Int64(wanted.count))
        let cards = try asked { () throws(TransferError) in
            try client.cards(wanted, of: remote, progress: progress)
        }
        if isFirst { counts.unchanged = tags.count - wanted.count }
        counts = try contacts.store.write { [counts] tx in
            var now = counts
            let changed = try changedHere(in: tx)
            for card in cards {
                // Taken out here, and changed there since: it stays.
                if owed[card.path] != nil { try forgetOwed(card.path, in: tx) }
                try take(card, changed, &now, in: tx)
            }
            for path in gone {
                let which: Query = "book_id = \(book.id) AND path = \(path) AND base IS NULL"
                try contacts.disband(which, in: tx)
                now.gone += try tx.run("DELETE FROM contact WHERE \(which)")
                // Changed here, and taken out there since: it is written there anew.
                try tx.run(
                    """
                    UPDATE contact SET path = NULL, tag = NULL, base = NULL
                    WHERE book_id = \(book.id) AND path = \(path) AND base IS NOT NULL
                    """)
            }
            for path in owed.keys where there[path] == nil { try forgetOwed(path, in: tx) }
            return now
        }
    }

    private func forgetOwed(_ path: String, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM contact_owed WHERE book_id = \(book.id) AND path = \(path)")
    }

    /// Those that the server does not have as they are here, by where they lie and by what they call themselves: mostly none, so
    /// that of thousands that come not each is looked for.
    private func changedHere(in tx: borrowing Transaction) throws -> [String: ID<Contact>] {
        var found: [String: ID<Contact>] = [:]
        for row in try tx.rows(
            "SELECT id, uid, path FROM contact WHERE book_id = \(book.id) AND (base IS NOT NULL OR path IS NULL)"
        ) {
            for name in [try row.text("uid"), try row.optionalText("path")] {
                if let name { found[name] = try row.id("id") }
            }
        }
        return found
    }

    /// A mistake on one side must not empty the other.
    private func ask(whether count: Int, of all: Int, areGoneThere: Bool) throws(Failure) {
        guard count > 5, count * 10 > all else { return }
        throw areGoneThere
            ? Failure(
                .conflict,
                "\(count) of \(all) people are gone on the server. Nobody was removed here: look there first, then say that it is meant.",
                field: Contacts.question)
            : Failure(
                .conflict,
                "\(count) of \(all) people were removed here. On the server nobody was removed yet: look here first, then say that it is meant.",
                field: Contacts.question)
    }

    /// A card that is different there: taken as it is, or joined with what was changed here.
    private func take(
        _ card: CardDAVClient.Card, _ changed: [String: ID<Contact>], _ counts: inout ContactCounts,
        in tx: borrowing Transaction
    ) throws {
        let theirs = Array(card.text.utf8)
        guard let other = CardFile(theirs).cards.first else { return }
        let uid = other.uid ?? card.path
        let row = try (changed[card.path] ?? changed[uid]).flatMap { id in
            try tx.row("SELECT id, original, base FROM contact WHERE id = \(id)")
        }
        guard let row, let mine = try row.optionalBlob("original").flatMap({ CardFile($0).cards.first })
        else {
            return try contacts.put(
                other, uid: uid, path: card.path, tag: card.entityTag, into: book.id, &counts, in: tx)
        }
        let base = try row.optionalBlob("base").flatMap { CardFile($0).cards.first } ?? ContactCard()
        // Taking back what was done here before would take theirs along.
        try settle(
            row.id("id"), mine.joined(with: other, since: base), as: card, theirs, act: nil, in: tx)
        counts.changed += 1
    }

    /// What it is now, with what the server has of it; nothing is left to be written where that is the same.
    private func settle(
        _ id: ID<Contact>, _ card: ContactCard, as sent: CardDAVClient.Card, _ theirs: [UInt8], act: String?,
        in tx: borrowing Transaction
    ) throws {
        let bytes = card.untouched ?? card.bytes(as: card.form)
        if let again = CardFile(bytes).cards.first {
            try contacts.rewrite(id, again, original: bytes, act: act, in: tx)
        }
        let base = bytes == theirs ? nil : theirs
        try tx.run(
            "UPDATE contact SET path = \(sent.path), tag = \(sent.entityTag), base = \(base) WHERE id = \(id)"
        )
    }

    // MARK: To there

    private struct Waiting {
        var id: ID<Contact>
        var name: String
        var path: String?
        var tag: String?
        var original: [UInt8]
    }

    /// True when somebody changed meanwhile what was to be written, so that another look is needed.
    private mutating func send(_ progress: Progress) throws -> Bool {
        let (waiting, owed) = try contacts.store.read { desk in
            let waiting = try desk.rows(
                """
                SELECT id, name, path, tag, original, card FROM contact
                WHERE book_id = \(book.id) AND (base IS NOT NULL OR path IS NULL) ORDER BY id
                """
            ).map { row in
                Waiting(
                    id: try row.id("id"), name: try row.text("name"), path: try row.optionalText("path"),
                    tag: try row.optionalText("tag"),
                    original: try row.optionalBlob("original") ?? Array(row.text("card").utf8))
            }
            let owed = try desk.rows(
                "SELECT path, tag FROM contact_owed WHERE book_id = \(book.id) ORDER BY path"
            ).map { (path: try $0.text("path"), tag: try $0.text("tag")) }
            return (waiting, owed)
        }
        left = []
        guard !waiting.isEmpty || !owed.isEmpty else { return false }
        progress.phase("Writing to \(book.name)")
        var isStale = false
        var sent: [String: Waiting] = [:]
        for card in waiting {
            try progress.check()
            let path = try asked { () throws(TransferError) in
                if let path = card.path { return path }
                return try client.path(of: "\(card.id).vcf", in: remote)
            }
            let written = try asked { () throws(TransferError) in
                try client.put(Self.bytes(of: card), at: path, of: remote, replacing: card.tag)
            }
            switch written {
            case .done: sent[path] = card
            case .changedMeanwhile:
                isStale = true
                left.append(card.name)
            case .refused: left.append(card.name)
            }
        }
        var removed: [String] = []
        for card in owed {
            try progress.check()
            let written = try asked { () throws(TransferError) in
                try client.delete(card.path, of: remote, being: card.tag)
            }
            switch written {
            case .done: removed.append(card.path)
            case .changedMeanwhile: isStale = true
            // Who may not be taken out there comes back.
            case .refused: removed.append(card.path)
            }
        }
        // A server may keep a card in its own way; what it has now is what the next change is compared with.
        let kept = try asked { () throws(TransferError) in
            try client.cards(sent.keys.sorted(), of: remote)
        }
        try contacts.store.write { tx in
            for card in kept {
                guard let known = sent[card.path] else { continue }
                try settle(card, known, in: tx)
            }
            for path in removed { try forgetOwed(path, in: tx) }
        }
        counts.sent += kept.count + removed.count
        return isStale
    }

    private func settle(
        _ card: CardDAVClient.Card, _ known: Waiting, in tx: borrowing Transaction
    ) throws {
        let theirs = Array(card.text.utf8)
        guard let row = try tx.row("SELECT original, act_id FROM contact WHERE id = \(known.id)"),
            let other = CardFile(theirs).cards.first
        else { return }
        let now = try row.optionalBlob("original") ?? known.original
        // Changed here once more while it was on its way.
        let isNewer = now != known.original
        let mine = isNewer ? CardFile(now).cards.first : nil
        let base = CardFile(known.original).cards.first ?? other
        // A server that keeps a card in its own way has not changed it.
        try settle(
            known.id, mine.map { $0.joined(with: other, since: base) } ?? other, as: card, theirs,
            act: row.optionalText("act_id"), in: tx)
    }

    /// In the version it is kept in, or the one that every server takes; with what it calls itself, which servers ask for.
    private static func bytes(of waiting: Waiting) -> [UInt8] {
        guard var card = CardFile(waiting.original).cards.first else { return waiting.original }
        if card.uid == nil { card.properties.append(CardProperty("UID", waiting.id.text)) }
        let isTaken = waiting.path != nil && card.form == .vcard4 || card.form == .vcard3
        return card.bytes(as: isTaken ? card.form : .vcard3)
    }
}
