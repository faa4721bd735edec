public import Access
import Bytes
public import Cards
import Crypto
import SQL
public import Storage
public import Work

// The desk's own book as programs see it that keep a copy of it: a file for each card, marks that change with what they say,
// and turns, by which they ask what has changed since they last did.
extension Contacts {
    /// The file of a card.
    public struct Served: Sendable, Equatable {
        public var name: String
        /// Changes with whatever the card says.
        public var mark: String
        public var changedAt: Moment
        public let id: ID<Contact>
    }

    /// What is different from what a program knows.
    public struct Changes: Sendable, Equatable {
        public var changed: [Served] = []
        /// Names of files that are there no more.
        public var gone: [String] = []
        /// By what the program asks the next time.
        public var token: String
        /// More are waiting, to be asked for by the token.
        public var hasMore = false
    }

    /// Why something is not kept as a program wants it, in the terms of its protocol.
    public enum ServingFault: Error, Equatable {
        case noCard
        /// A card of a form that is too old to be given back as it came.
        case oldForm
        /// This file is where the person is, or somebody else than was said.
        case taken(by: String)
        case unknownToken
    }

    /// All cards, by their names.
    public func served(by caller: Caller) throws -> [Served] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                "SELECT \(Served.columns) FROM contact WHERE \(Self.isOwn) ORDER BY contact.id"
            ).map(Served.init)
        }
    }

    /// One card with all it came with, and what it calls itself, which every card that is given out has to say.
    public func served(_ name: String, by caller: Caller) throws -> (file: Served, card: ContactCard)? {
        try caller.require(.view)
        return try store.read { desk in
            guard let file = try file(name, in: desk), var card = try kept(file.id, in: desk)?.card else {
                return nil
            }
            if card.uid == nil { card.properties.append(CardProperty("UID", file.id.text)) }
            return (file, card)
        }
    }

    /// Where the book stands.
    public func servedToken(by caller: Caller) throws -> String {
        try caller.require(.view)
        return try store.read { desk in
            guard let book = try ownBook(in: desk) else { return Self.token(Self.beginning) }
            return Self.token(try turnName(of: book, in: desk))
        }
    }

    /// What has changed since a program was given a token; everything to one that knows nothing yet.
    public func changes(since token: String?, limit: Int = .max, by caller: Caller) throws -> Changes {
        try caller.require(.view)
        return try store.read { desk in
            let place = try token.map { try self.place($0, in: desk) }
            guard let book = try ownBook(in: desk) else { return Changes(token: Self.token(Self.beginning)) }
            let now = try turnName(of: book, in: desk)
            var changes = Changes(token: Self.token(now))
            let turn = place?.turn ?? -1
            let after = place?.after ?? ""
            let limit = min(max(1, limit), 1_000_000)
            let rows = try desk.rows(
                """
                SELECT \(Served.columns), turn FROM contact
                WHERE book_id = \(book) AND (turn > \(turn) OR turn = \(turn) AND \(after) <> '' AND id > \(after))
                ORDER BY turn, id LIMIT \(limit + 1)
                """)
            changes.changed = try rows.prefix(limit).map(Served.init)
            if rows.count > limit, let last = rows.prefix(limit).last {
                changes.hasMore = true
                changes.token = Self.token(now, turn: try last.int("turn"), after: try last.text("id"))
            }
            if place != nil {
                let first = after.isEmpty ? turn + 1 : turn
                changes.gone = try desk.rows(
                    "SELECT name FROM contact_gone WHERE book_id = \(book) AND turn >= \(first) ORDER BY name"
                ).map { try $0.text("name") }
            }
            return changes
        }
    }

    // MARK: Writing

    /// Keeps a card under a name, as it came, and says in which form when it is kept byte for byte. `holds` is asked whether what
    /// is there now is what the program means to write over.
    @discardableResult
    public func write(
        card bytes: [UInt8], as name: String, by caller: Caller, where holds: (_ mark: String?) throws -> Void
    ) throws -> (file: Served, isNew: Bool, asItCame: CardForm?) {
        try caller.require(.edit)
        let file = CardFile(bytes)
        guard let found = file.cards.first, file.cards.count == 1, file.refusals.isEmpty else {
            throw ServingFault.noCard
        }
        guard found.form != .vcard21 else { throw ServingFault.oldForm }
        guard found.form == .vcard3 || found.form == .vcard4 else { throw ServingFault.noCard }
        return try store.write { tx in
            let there = try self.file(name, in: tx)
            try holds(there?.mark)
            let book = try cardsBook(by: caller.actor, in: tx)
            var card = found
            if card.uid == nil {
                let own = there?.id.text ?? "urn:uuid:\(tx.newID(of: Contact.self))"
                card.properties.append(CardProperty("UID", own))
                guard let again = CardFile(card.bytes(as: card.form)).cards.first else {
                    throw ServingFault.noCard
                }
                card = again
            }
            guard let uid = card.uid?.withoutNUL, let original = card.untouched else {
                throw ServingFault.noCard
            }
            if let there, let kept = try kept(there.id, in: tx) {
                // Somebody stays who they are: a program that writes somebody else there has lost its way.
                guard [kept.uid, try kept.card.uid ?? there.id.text].contains(uid) else {
                    throw ServingFault.taken(by: name)
                }
                if kept.original != original {
                    let isGroup = kept.isGroup || card.isGroup
                    let act = try begin(isGroup ? .tagged : .edited, kept.name, by: caller, in: tx)
                    try keep(kept, before: act, in: tx)
                    try rewrite(kept.id, card, original: original, act: act.text, in: tx)
                    var counts = ContactCounts()
                    counts.changed = isGroup ? try Self.difference(kept.card, card) : 1
                    if isGroup {
                        note("contacts.tagged", book, by: Author(caller), counts, in: tx)
                    } else {
                        tell("contacts.edited", kept.id, book, by: caller, in: tx)
                    }
                    _ = try finish(act, counts, in: tx)
                }
            } else {
                let other = try tx.row(
                    "SELECT \(Served.columns) FROM contact WHERE book_id = \(book) AND uid = \(uid)")
                if let other { throw ServingFault.taken(by: try Served(other).name) }
                let act = try begin(card.isGroup ? .tagged : .made, card.name, by: caller, in: tx)
                var counts = ContactCounts()
                try tx.run("DELETE FROM contact_gone WHERE book_id = \(book) AND name = \(name)")
                try put(card, uid: uid, path: name, tag: nil, into: book, act: act, &counts, in: tx)
                if card.isGroup {
                    counts.changed = card.members.count
                    note("contacts.tagged", book, by: Author(caller), counts, in: tx)
                } else if let made = try self.file(name, in: tx) {
                    tell("contacts.made", made.id, book, by: caller, in: tx)
                }
                _ = try finish(act, counts, in: tx)
            }
            guard let now = try self.file(name, in: tx) else { throw Self.nobody }
            return (now, there == nil, original == bytes ? card.form : nil)
        }
    }

    /// Takes out whom a file names, or ends the group that it is; false when there is nothing.
    public func remove(
        named name: String, by caller: Caller, where holds: (_ mark: String?) throws -> Void
    ) throws -> Bool {
        try caller.require(.edit)
        return try store.write { tx in
            let there = try file(name, in: tx)
            try holds(there?.mark)
            guard let there, let kept = try kept(there.id, in: tx) else { return false }
            guard kept.isGroup else {
                _ = try remove([kept], by: caller, in: tx)
                return true
            }
            let act = try begin(.tagged, kept.name, by: caller, in: tx)
            try keep(kept, before: act, in: tx)
            try drop("id = \(kept.id)", in: tx)
            var counts = ContactCounts()
            counts.changed = try kept.card.members.count
            note("contacts.tagged", kept.book, by: Author(caller), counts, in: tx)
            _ = try finish(act, counts, in: tx)
            return true
        }
    }

    /// Calls the file of a card otherwise; who it is about stays as they are. False when there is nothing.
    public func rename(
        named name: String, to other: String, by caller: Caller, where holds: (_ mark: String?) throws -> Void
    ) throws -> Bool {
        try caller.require(.edit)
        return try store.write { tx in
            let there = try file(name, in: tx)
            try holds(there?.mark)
            guard let there else { return false }
            guard try file(other, in: tx) == nil else { throw ServingFault.taken(by: other) }
            let book = try turn(by: caller.actor, in: tx)
            try leave("id = \(there.id)", in: tx)
            try tx.run("DELETE FROM contact_gone WHERE book_id = \(book) AND name = \(other)")
            try tx.run(
                """
                UPDATE contact SET path = \(other), turn = (SELECT turn FROM contact_book WHERE id = \(book))
                WHERE id = \(there.id)
                """)
            return true
        }
    }

    // MARK: Below

    static func mark(of card: [UInt8]) -> String { Hex.encode(Array(SHA256.hash(card).prefix(8))) }

    /// For contacts that were brought in by an older Quire.
    static func markAll(in db: borrowing Connection) throws {
        try eachKept("id, card, original", in: db) { id, row in
            let card = try row.optionalBlob("original") ?? Array(row.text("card").utf8)
            try db.run("UPDATE contact SET mark = \(mark(of: card)) WHERE id = \(id)")
        }
    }

    static func fileName(of id: String) -> String { id + ".vcf" }

    /// Begins a turn: what changes the desk's own book from here on belongs to it, and nobody else changes it meanwhile.
    @discardableResult
    func turn(by actor: String, in tx: borrowing Transaction) throws -> ID<ContactBook> {
        let book = try cardsBook(by: actor, in: tx)
        try tx.run("UPDATE contact_book SET turn = turn + 1 WHERE id = \(book)")
        try tx.run(
            """
            INSERT INTO contact_turn (book_id, number, name)
            SELECT id, turn, \(tx.newID(of: ContactBook.self)) FROM contact_book WHERE id = \(book)
            """)
        // Who has not asked for so long begins anew.
        let forgotten: Query =
            "(SELECT turn FROM contact_book WHERE id = \(book)) - \(Self.keptTurns)"
        try tx.run("DELETE FROM contact_turn WHERE book_id = \(book) AND number < \(forgotten)")
        try tx.run("DELETE FROM contact_gone WHERE book_id = \(book) AND turn < \(forgotten)")
        return book
    }

    private static let keptTurns = 10_000

    /// Lets go of cards and says of how many people; programs that know them are told when they ask, and a server whose book goes both ways is told.
    @discardableResult
    func drop(_ which: Query, in tx: borrowing Transaction) throws -> Int {
        try leave(which, in: tx)
        let people =
            try tx.row("SELECT count(*) AS n FROM contact WHERE \(Self.isPerson) AND (\(which))")?.int("n")
            ?? 0
        try disband(which, in: tx)
        try tx.run("DELETE FROM contact WHERE \(which)")
        return people
    }

    /// Who is about to be in their books no more is to be taken out on servers, and phones hear of it.
    func leave(_ which: Query, in tx: borrowing Transaction) throws {
        try owe(which, in: tx)
        try tx.run(
            """
            INSERT INTO contact_gone (book_id, name, turn)
            SELECT book_id, \(Served.file), (SELECT turn FROM contact_book WHERE contact_book.id = contact.book_id)
            FROM contact WHERE \(Self.isOwn) AND (\(which))
            ON CONFLICT (book_id, name) DO UPDATE SET turn = excluded.turn
            """)
    }

    private static let isOwn: Query = "book_id IN (SELECT id FROM contact_book WHERE kind = 'cards')"

    private func file(_ name: String, in desk: borrowing some Readable & ~Copyable) throws -> Served? {
        let named = try desk.row(
            "SELECT \(Served.columns) FROM contact WHERE \(Self.isOwn) AND path = \(name)")
        if let named { return try Served(named) }
        guard name.hasSuffix(".vcf") else { return nil }
        return try desk.row(
            """
            SELECT \(Served.columns) FROM contact
            WHERE id = \(String(name.dropLast(4))) AND path IS NULL AND \(Self.isOwn)
            """
        ).map(Served.init)
    }

    // MARK: Tokens

    private static let beginning = "0"
    private static let prefix = "urn:quire:contacts:"

    private static func token(_ name: String) -> String { prefix + name }

    /// In the middle of a long answer.
    private static func token(_ name: String, turn: Int, after id: String) -> String {
        "\(prefix)\(name):\(turn):\(id)"
    }

    private func turnName(
        of book: ID<ContactBook>, in desk: borrowing some Readable & ~Copyable
    ) throws -> String {
        try desk.row(
            """
            SELECT name FROM contact_turn
            WHERE book_id = \(book) AND number = (SELECT turn FROM contact_book WHERE id = \(book))
            """)?.text("name") ?? Self.beginning
    }

    private func place(
        _ token: String, in desk: borrowing some Readable & ~Copyable
    ) throws -> (turn: Int, after: String) {
        guard token.hasPrefix(Self.prefix) else { throw ServingFault.unknownToken }
        let parts = token.dropFirst(Self.prefix.count).split(separator: ":", omittingEmptySubsequences: false)
        let name = parts.first.map { String($0) } ?? ""
        var turn = 0
        if name != Self.beginning {
            guard let row = try desk.row("SELECT number FROM contact_turn WHERE name = \(name)") else {
                throw ServingFault.unknownToken
            }
            turn = try row.int("number")
        }
        guard parts.count == 3 else {
            guard parts.count == 1 else { throw ServingFault.unknownToken }
            return (turn, "")
        }
        guard let number = Int(parts[1]), number <= turn, !parts[2].isEmpty else {
            throw ServingFault.unknownToken
        }
        return (number, String(parts[2]))
    }
}

extension Contacts.Served {
    /// What a program called it, or a name of its own.
    static let file: Query = "COALESCE(path, id || '.vcf')"
    static let columns: Query = "id, \(file) AS file, mark, changed_at"

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("file")
        mark = try row.text("mark")
        changedAt = try row.moment("changed_at")
    }
}
