public import Access
import Bytes
import Cards
import Crypto
public import Jobs
import SQL
public import Storage
import Synchronization
import Tables
public import Transfer
public import Work

/// The people a desk knows, whatever list they are on: brought in from files of cards and pulled from address books.
///
/// ```swift
/// try contacts.bring(cards: bytes, named: "phone.vcf", by: caller)
/// let book = try contacts.addBook("https://cloud.example.org", userName: "ana", password: secret, by: caller)
/// try contacts.pull(book.id, by: caller)
/// let found = try contacts.page(search: "mill", by: caller)
/// try contacts.add(found.contacts.map(\.id), to: list.id, by: caller)
/// ```
public struct Contacts: Sendable {
    public let changes = Broadcast<ContactBook>()
    let recipients: Recipients
    let http: HTTPClient
    let keys: KeptKey
    var store: Store { recipients.store }
    public var queue: JobQueue { recipients.queue }

    /// An address book is set up by an owner of the desk, so any address may be asked, also one in the house.
    public init(
        _ recipients: Recipients, http: HTTPClient = HTTPClient(guardian: .anywhere)
    ) {
        self.recipients = recipients
        self.http = http
        keys = KeptKey(recipients.store)
    }

    // MARK: Looking

    public struct Page: Sendable, Equatable {
        public var contacts: [Contact]
        public var matchCount: Int
    }

    /// By name; those to get back to by the day. Every word of `search` has to be somewhere on the card, without regard to case and accents; a telephone number is
    /// found however it is written.
    public func page(
        search: String = "", letter: Letter? = nil, tag: String? = nil, due: Due? = nil,
        book: ID<ContactBook>? = nil,
        offset: Int = 0,
        limit: Int = 50, by caller: Caller
    ) throws -> Page {
        try caller.require(.view)
        let (limit, offset) = (min(max(1, limit), 1000), max(0, offset))
        return try store.read { desk in
            var condition = ContactQuestion(words: search, tag: tag ?? "", due: due).condition(
                today, on: desk.kind)
            if let book { condition += " AND book_id = \(book)" }
            if let letter { condition += " AND " + letter.condition }
            let order: Query = due == nil ? "name_order, id" : "follow_on, name_order, id"
            // The index says who; one more than is shown says whether the rest has to be counted.
            let found = try desk.rows(
                """
                SELECT id, name_order FROM contact WHERE \(condition)
                ORDER BY \(order) LIMIT \(limit + 1) OFFSET \(offset)
                """)
            let shown = try found.prefix(limit).map { try $0.text("id") }
            let rows = try desk.rows(
                "SELECT \(Contact.columns) FROM contact WHERE \(.column("id", in: shown)) ORDER BY \(order)")
            var count = offset + found.count
            if let last = found.last, found.count > limit, due == nil {
                // Going on behind the last one, nobody is looked at twice.
                let (name, id) = (try last.text("name_order"), try last.text("id"))
                count += try Self.count(condition + " AND (name_order, id) > (\(name), \(id))", in: desk)
            } else if found.count > limit || found.isEmpty && offset > 0 {
                count = try Self.count(condition, in: desk)
            }
            return Page(contacts: try rows.map(Contact.init), matchCount: count)
        }
    }

    private static func count(
        _ condition: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> Int {
        try desk.row("SELECT count(*) AS n FROM contact WHERE \(condition)")?.int("n") ?? 0
    }

    static func fitting(_ search: String, on kind: Database.Kind) -> Query {
        let words = search.split(whereSeparator: \.isWhitespace).prefix(ContactQuestion.mostWords)
        let folded = words.map { String(decoding: Folding.text(String($0)), as: UTF8.self) }
        let asTyped = Query.holds(all: folded, in: "search", of: kind)
        let digits = search.filter(\.isWholeNumber)
        guard digits != search, digits.utf8.count >= 5,
            search.allSatisfy({ $0.isWholeNumber || " +-()./".contains($0) })
        else { return asTyped }
        // Numbers stand among the words too, in digits alone.
        return "(\(.holds(all: [digits], in: "search", of: kind)) OR \(asTyped))"
    }

    /// How names begin: a letter, or anything else.
    public enum Letter: Sendable, Equatable {
        case letter(Character)
        case other

        public init?(_ text: String) {
            if text == "#" { self = .other; return }
            guard text.utf8.count == 1, let letter = text.lowercased().first, ("a"..."z").contains(letter)
            else { return nil }
            self = .letter(letter)
        }

        public var text: String {
            switch self {
            case .letter(let letter): letter.uppercased()
            case .other: "#"
            }
        }

        /// Names are kept folded, in the order of their bytes.
        fileprivate var condition: Query {
            switch self {
            case .letter(let letter):
                let next = UnicodeScalar(UInt8(letter.asciiValue ?? 0x61) + 1)
                return "name_order >= \(String(letter)) AND name_order < \(String(next))"
            case .other: return "(name_order < 'a' OR name_order >= '{')"
            }
        }
    }

    /// With which letters names begin, and how many each.
    public func letters(by caller: Caller) throws -> [(letter: Letter, count: Int)] {
        try caller.require(.view)
        return try store.read { desk in
            var counts: [String: Int] = [:]
            for row in try desk.rows(
                "SELECT substr(name_order, 1, 1) AS letter, count(*) AS n FROM contact WHERE is_group = 0 GROUP BY 1"
            ) {
                let letter = Letter(try row.text("letter")) ?? .other
                counts[letter.text, default: 0] += try row.int("n")
            }
            return counts.sorted { $0.key < $1.key }.compactMap { text, count in
                Letter(text).map { ($0, count) }
            }
        }
    }

    /// Tags people have, by name.
    public func tags(by caller: Caller) throws -> [String] {
        try caller.require(.view)
        return try store.read { desk in
            var tags: Set<String> = []
            for row in try desk.rows(
                """
                SELECT DISTINCT tags FROM contact WHERE tags <> '' AND is_group = 0
                UNION SELECT DISTINCT group_tags FROM contact WHERE group_tags <> ''
                """)
            {
                tags.formUnion(try row.text("tags").split(separator: "\n").map { String($0) })
            }
            return tags.sorted()
        }
    }

    public func get(_ id: ID<Contact>, by caller: Caller) throws -> Contact {
        try caller.require(.view)
        return try store.read { desk in
            let row = try desk.row(
                "SELECT \(Contact.columns) FROM contact WHERE id = \(id) AND \(Self.isPerson)")
            guard let row else { throw Self.nobody }
            return try Contact(row)
        }
    }

    public func books(by caller: Caller) throws -> [ContactBook] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT \(ContactBook.columns) FROM contact_book ORDER BY name, id").map(
                ContactBook.init)
        }
    }

    public func book(_ id: ID<ContactBook>, by caller: Caller) throws -> ContactBook {
        try caller.require(.view)
        return try store.read { desk in try found(id, in: desk) }
    }

    func found(_ id: ID<ContactBook>, in desk: borrowing some Readable & ~Copyable) throws -> ContactBook {
        let row = try desk.row("SELECT \(ContactBook.columns) FROM contact_book WHERE id = \(id)")
        guard let row else { throw Failure(.notFound, "There is no such address book.") }
        return try ContactBook(row)
    }

    /// The desk's own; nil before anybody was brought in.
    func ownBook(in desk: borrowing some Readable & ~Copyable) throws -> ID<ContactBook>? {
        try desk.row("SELECT id FROM contact_book WHERE kind = 'cards' ORDER BY id LIMIT 1")?.id("id")
    }

    func cardsBook(by actor: String, in tx: borrowing Transaction) throws -> ID<ContactBook> {
        if let book = try ownBook(in: tx) { return book }
        let id = tx.newID(of: ContactBook.self)
        try tx.run(
            """
            INSERT INTO contact_book (id, kind, name, made_at, made_by)
            VALUES (\(id), 'cards', 'Contacts', \(tx.now), \(actor))
            """)
        return id
    }

    /// Keeps a card: its bytes as they came, and beside them what is looked for and shown.
    func put(
        _ card: ContactCard, uid: String, path: String?, tag: String?, into book: ID<ContactBook>,
        act: ID<ContactAct>? = nil, _ counts: inout ContactCounts, in tx: borrowing Transaction
    ) throws {
        try put(
            PreparedCard(card), uid: uid, path: path, tag: tag, into: book, act: act, &counts, in: tx)
    }

    /// What is known beforehand need not be asked for each card: that the book has none of them yet, that there are no groups.
    func put(
        _ prepared: PreparedCard, uid: String, path: String?, tag: String?, into book: ID<ContactBook>,
        act: ID<ContactAct>?, isNew: Bool = false, hasGroups: Bool = true, _ counts: inout ContactCounts,
        in tx: borrowing Transaction
    ) throws {
        let (card, original, text, shown) = (prepared.card, prepared.original, prepared.text, prepared.shown)
        let uid = uid.withoutNUL
        let before =
            isNew
            ? nil
            : try tx.row(
                "SELECT id, original, card, act_id, is_group FROM contact WHERE book_id = \(book) AND uid = \(uid)"
            )
        let isGroup = prepared.isGroup
        if isGroup { counts.groups += 1 }
        if let before {
            let kept = try before.optionalBlob("original")
            let isSame = try kept.map { $0 == original } ?? (before.text("card") == text)
            if isSame {
                if !isGroup { counts.unchanged += 1 }
                let own = try before.id("id") as ID<Contact>
                if kept == nil {
                    try tx.run(
                        "UPDATE contact SET original = \(original), mark = \(prepared.mark) WHERE id = \(own)"
                    )
                }
                if let tag {
                    try tx.run("UPDATE contact SET tag = \(tag), path = \(path) WHERE id = \(own)")
                }
                return
            }
            if let act {
                let was = try kept ?? Array(before.text("card").utf8)
                try tx.run(
                    """
                    INSERT INTO contact_before (act_id, contact_id, original, act_before)
                    VALUES (\(act), \(before.text("id")), \(was), \(before.optionalText("act_id")))
                    ON CONFLICT (act_id, contact_id) DO NOTHING
                    """)
            }
            if !isGroup { counts.changed += 1 }
        } else if !isGroup {
            counts.added += 1
        }
        let id: ID<Contact> = try before?.id("id") ?? tx.newID(of: Contact.self)
        let membership = try membership(of: card, id, hasGroups: hasGroups, in: tx)
        try tx.run(
            """
            INSERT INTO contact (id, book_id, uid, path, tag, name, name_order, search, emails, phones, tags,
                organization, card, changed_at, original, act_id, mark, turn, is_group,
                member_key, group_tags)
            VALUES (\(id), \(book), \(uid), \(path), \(tag), \(shown.name),
                \(shown.order), \(shown.search), \(shown.emails), \(shown.phones), \(shown.tags), \(shown.organization), \(text), \(tx.now),
                \(original), \(act), \(prepared.mark), (SELECT turn FROM contact_book WHERE id = \(book)),
                \(isGroup), \(membership.key), \(membership.groups))
            ON CONFLICT (book_id, uid) DO UPDATE SET path = COALESCE(excluded.path, contact.path), tag = excluded.tag, name = excluded.name,
                name_order = excluded.name_order, search = excluded.search, emails = excluded.emails,
                phones = excluded.phones, tags = excluded.tags, organization = excluded.organization, card = excluded.card, changed_at = excluded.changed_at,
                original = excluded.original, act_id = excluded.act_id, mark = excluded.mark, turn = excluded.turn,
                base = NULL, is_group = excluded.is_group, member_key = excluded.member_key, group_tags = excluded.group_tags
            """)
        if try isGroup || before?.bool("is_group") == true { try setMembers(of: id, card, in: tx) }
    }

    /// Tags as they are kept, each between ends of lines, so that one is looked for as a whole.
    static func lines(_ tags: [String]) -> String {
        tags.isEmpty ? "" : "\n\(tags.joined(separator: "\n"))\n"
    }

    /// What of a card is looked for and shown.
    struct Shown: Sendable {
        var name: String
        var order: String
        var search: String
        var emails: String
        /// Digits alone, as they are looked for however they are written.
        var phones: String
        /// Each between ends of lines, as they are looked for as a whole.
        var tags: String
        var organization: String

        init(_ card: ContactCard) {
            let called = card.name.trimmed
            name = String((called.isEmpty ? "Unnamed" : called).prefix(200)).withoutNUL
            order = String(decoding: Folding.text(name), as: UTF8.self)
            var phones: [String] = []
            var text = name
            for property in card.properties where !Self.unsought.contains(property.name) {
                if property.value.utf8.count > 4_096, property.value.hasPrefix("data:") { continue }
                text += "\n"
                text += property.text
                if property.name == "TEL" {
                    let digits = property.number.filter(\.isWholeNumber)
                    if !digits.isEmpty { phones.append(digits) }
                }
            }
            if !phones.isEmpty { text += "\n" + phones.joined(separator: "\n") }
            search = String(decoding: Folding.text(text), as: UTF8.self).withoutNUL
            emails = card.emails.joined(separator: "\n").withoutNUL
            let tags = card.tags
            self.tags = Contacts.lines(tags).withoutNUL
            self.phones = phones.joined(separator: "\n")
            organization = card.organization.withoutNUL
        }

        /// What is for programs.
        private static let unsought: Set<String> = [
            "VERSION", "UID", "REV", "PRODID", "PHOTO", "LOGO", "SOUND", "KEY", "X-ABLABEL", "X-ABADR",
        ]
    }

    /// Works out anew what is looked for, for those that were brought in by an older Quire.
    static func lookForAll(in db: borrowing Connection) throws {
        try eachKept("id, card", in: db) { id, row in
            guard let card = CardFile(Array(try row.text("card").utf8)).cards.first else { return }
            let shown = Shown(card)
            try db.run(
                """
                UPDATE contact SET search = \(shown.search), phones = \(shown.phones), tags = \(shown.tags)
                WHERE id = \(id)
                """)
        }
    }

    /// All that are kept, a few hundred at a time, for work that a newer Quire has to do once. The columns are named, since others
    /// come while an older desk is brought up to date.
    static func eachKept(
        _ columns: Query, in db: borrowing Connection, _ body: (_ id: String, Row) throws -> Void
    ) throws {
        var last = ""
        while true {
            let rows = try db.rows("SELECT \(columns) FROM contact WHERE id > \(last) ORDER BY id LIMIT 500")
            for row in rows {
                last = try row.text("id")
                try body(last, row)
            }
            guard rows.count == 500 else { return }
        }
    }

    // MARK: Onto a list

    static let usualColumns = [
        "Name", "First name", "Last name", "E-mail", "Phone", "Street", "Postal code", "City", "Country",
    ]

    /// Puts contacts on a list, in its own columns. Those whose address is on it already are left out.
    @discardableResult
    public func add(
        _ ids: [ID<Contact>], to list: ID<RecipientList>, by caller: Caller
    ) throws -> (changed: Recipients.Changed?, alreadyThere: Int) {
        try caller.require(.edit)
        let found = try recipients.get(list, by: caller)
        var there: Set<String> = []
        try recipients.each(list, by: caller) { recipient in
            for email in recipient.emails { there.insert(email.lowercased()) }
        }
        let emailColumn = found.columns.first { $0.role == .email }?.name ?? "E-mail"
        let phoneColumn = found.columns.first { $0.role == .phone }?.name ?? "Phone"
        var people: [[String: String]] = []
        var alreadyThere = 0
        for id in ids {
            let contact = try get(id, by: caller)
            if !contact.email.isEmpty, !there.insert(contact.email.lowercased()).inserted {
                alreadyThere += 1
                continue
            }
            var person: [String: String] = [:]
            for (name, value) in contact.fields {
                let column = name == "E-mail" ? emailColumn : name == "Phone" ? phoneColumn : name
                let isWanted =
                    found.columns.isEmpty
                    ? Self.usualColumns.contains(name) : found.place(of: column) != nil
                if isWanted || name == "Name" || name == "E-mail" { person[column] = value }
            }
            people.append(person)
        }
        guard !people.isEmpty else { return (nil, alreadyThere) }
        return (
            try recipients.add(people, to: list, source: .contacts, named: "Contacts", by: caller),
            alreadyThere
        )
    }

    func note(
        _ verb: String, _ book: ID<ContactBook>, by author: Author, _ counts: ContactCounts,
        _ more: JSONObject = [:],
        in tx: borrowing Transaction
    ) {
        var detail: JSON = [
            "added": .int(counts.added), "changed": .int(counts.changed), "gone": .int(counts.gone),
        ]
        for (name, value) in more { detail[name] = value }
        tx.record(
            JournalEntry(actor: author.actor, verb: verb, subject: "contact-book/\(book)", detail: detail))
        if let found = try? found(book, in: tx) { tx.afterCommit { [changes] in changes.send(found) } }
    }
}

/// The key that seals passwords, read when it is first needed.
final class KeptKey: Sendable {
    private let store: Store
    private let held = Mutex<SealingKey?>(nil)

    init(_ store: Store) { self.store = store }

    func key() throws -> SealingKey {
        try held.withLock { held in
            if let held { return held }
            do throws(CryptoError) {
                let key = try SealingKey.kept(at: store.home.keys + "/contacts.key")
                held = key
                return key
            } catch {
                throw Failure(.unavailable, "Quire cannot seal secrets: \(error).", cause: "\(error)")
            }
        }
    }
}
