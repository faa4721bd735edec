public import Access
import Bytes
import Cards
import SQL
public import Storage
import Work

/// A card that stands for several people, as they see it: a tag.
public struct ContactGroup: Sendable, Equatable {
    public let id: ID<Contact>
    /// The tag.
    public var name: String
    public var book: ContactBook
    /// How many people here have the tag of it.
    public var count: Int
    /// How many it names who are not here.
    public var absentCount: Int
}

// Telephones and servers keep groups as cards that name others. They lie among the cards, go wherever these go and stay as they
// came; to people a group is a tag of those it names. A tag that is called like a group of the book is that group: who is given it is
// named by the group's card.
extension Contacts {
    /// Cards of people alone.
    static let isPerson: Query = "is_group = 0"

    /// What a card is among groups.
    struct Membership {
        var isGroup: Bool
        /// By which groups name it; nil of a group, which none names.
        var key: String?
        /// The tags it has of groups, each between ends of lines.
        var groups: String
    }

    func membership(
        of card: ContactCard, _ id: ID<Contact>, hasGroups: Bool = true, in tx: borrowing Transaction
    ) throws -> Membership {
        guard !card.isGroup else { return Membership(isGroup: true, key: nil, groups: "") }
        // A card that calls itself nothing is given out under its id.
        let key = ContactCard.memberKey(card.uid ?? id.text).withoutNUL
        return Membership(isGroup: false, key: key, groups: hasGroups ? try groups(naming: key, in: tx) : "")
    }

    private func groups(naming key: String, in tx: borrowing Transaction) throws -> String {
        let names = try tx.rows(
            """
            SELECT DISTINCT contact.name FROM contact_member JOIN contact ON contact.id = contact_member.group_id
            WHERE contact_member.member = \(key) ORDER BY contact.name
            """
        ).map { Self.tag(ofGroup: try $0.text("name")) }
        return Self.lines(names)
    }

    /// Tags stand behind one another with commas, and end with the line.
    private static func tag(ofGroup name: String) -> String {
        name.split { $0 == "," || $0.isWhitespace }.joined(separator: " ")
    }

    /// Keeps whom a group names, and tells them. Of a card that is none, or none any more, nobody.
    func setMembers(of id: ID<Contact>, _ card: ContactCard, in tx: borrowing Transaction) throws {
        let before = Set(
            try tx.rows("SELECT member FROM contact_member WHERE group_id = \(id)").map {
                try $0.text("member")
            })
        let now = Set(card.isGroup ? card.members.map(\.withoutNUL) : [])
        for member in before.subtracting(now) {
            try tx.run("DELETE FROM contact_member WHERE group_id = \(id) AND member = \(member)")
        }
        for member in now.subtracting(before) {
            try tx.run("INSERT INTO contact_member (group_id, member) VALUES (\(id), \(member))")
        }
        // The group may be called otherwise now.
        try retag(before.union(now), in: tx)
    }

    private func retag(_ members: Set<String>, in tx: borrowing Transaction) throws {
        for member in members.sorted() {
            let groups = try groups(naming: member, in: tx)
            try tx.run(
                "UPDATE contact SET group_tags = \(groups) WHERE member_key = \(member) AND group_tags <> \(groups)"
            )
        }
    }

    /// Of cards that are about to go: who was named by groups among them is so no more.
    func disband(_ which: Query, in tx: borrowing Transaction) throws {
        let groups: Query = "(SELECT id FROM contact WHERE is_group = 1 AND (\(which)))"
        let members = try tx.rows("SELECT DISTINCT member FROM contact_member WHERE group_id IN \(groups)")
        guard !members.isEmpty else { return }
        try tx.run("DELETE FROM contact_member WHERE group_id IN \(groups)")
        try retag(Set(members.map { try $0.text("member") }), in: tx)
    }

    /// How many people cards of groups name.
    func memberCount(_ which: Query, in tx: borrowing Transaction) throws -> Int {
        try tx.row(
            """
            SELECT count(*) AS n FROM contact_member
            WHERE group_id IN (SELECT id FROM contact WHERE is_group = 1 AND (\(which)))
            """)?.int("n") ?? 0
    }

    /// How many people have a tag more or less when a group's card becomes another.
    static func difference(_ before: ContactCard?, _ now: ContactCard) -> Int {
        let (old, new) = (Set(before?.members ?? []), Set(now.members))
        return before?.name == now.name ? old.symmetricDifference(new).count : old.union(new).count
    }

    // MARK: Looking

    /// By name, also those that name nobody.
    public func groups(by caller: Caller) throws -> [ContactGroup] {
        try caller.require(.view)
        return try store.read { desk in
            var known: [String: Int] = [:]
            for row in try desk.rows(
                """
                SELECT member_key, count(*) AS n FROM contact
                WHERE member_key IN (SELECT member FROM contact_member) GROUP BY member_key
                """)
            {
                known[try row.text("member_key")] = try row.int("n")
            }
            let books = try desk.rows("SELECT \(ContactBook.columns) FROM contact_book").map(ContactBook.init)
            let groups = try groups(in: desk).compactMap { group -> ContactGroup? in
                guard let book = books.first(where: { $0.id == group.book }) else { return nil }
                return ContactGroup(
                    id: group.id, name: group.tag, book: book,
                    count: group.members.reduce(0) { $0 + (known[$1] ?? 0) },
                    absentCount: group.members.count(where: { known[$0] == nil }))
            }
            return groups.sorted { (Folding.key($0.name), $0.id.text) < (Folding.key($1.name), $1.id.text) }
        }
    }

    /// Takes a group out: those it names stay, without its tag.
    @discardableResult
    public func removeGroup(_ id: ID<Contact>, by caller: Caller) throws -> ContactAct {
        try caller.require(.edit)
        return try store.write { tx in
            guard let kept = try kept(id, in: tx), kept.isGroup else {
                throw Failure(.notFound, "There is no such group.")
            }
            guard kept.isOwn else { throw Self.keptElsewhere(kept.name) }
            let act = try begin(.removed, kept.name, by: caller, in: tx)
            var counts = ContactCounts()
            counts.groups = 1
            counts.changed = try kept.card.members.count
            try keep(kept, before: act, in: tx)
            try drop("id = \(id)", in: tx)
            note(
                "contacts.groupRemoved", kept.book, by: Author(caller), counts, ["name": .string(kept.name)],
                in: tx)
            return try finish(act, counts, in: tx)
        }
    }

    // MARK: Tagging

    struct Group {
        var id: ID<Contact>
        var book: ID<ContactBook>
        var tag: String
        var members: Set<String>
    }

    /// All there are, mostly a few.
    private func groups(in desk: borrowing some Readable & ~Copyable) throws -> [Group] {
        var members: [String: Set<String>] = [:]
        for row in try desk.rows("SELECT group_id, member FROM contact_member") {
            members[try row.text("group_id"), default: []].insert(try row.text("member"))
        }
        return try desk.rows("SELECT id, book_id, name FROM contact WHERE is_group = 1 ORDER BY id").map {
            row in
            Group(
                id: try row.id("id"), book: try row.id("book_id"),
                tag: Self.tag(ofGroup: try row.text("name")), members: members[try row.text("id")] ?? [])
        }
    }

    func groupCards(by caller: Caller) throws -> [ContactCard] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT id FROM contact WHERE is_group = 1 ORDER BY name_order, id").compactMap {
                try kept($0.id("id"), in: desk)?.card
            }
        }
    }

    /// Whom groups are to name and whom no more, gathered while people are tagged.
    struct Regrouping {
        private let contacts: Contacts
        private let groups: [Group]
        /// Where a tag that is no group yet becomes one.
        private let making: Set<ID<ContactBook>>
        private var joining: [ID<Contact>: [String]] = [:]
        private var leaving: [ID<Contact>: [String]] = [:]
        private var fresh: [ID<ContactBook>: [String: (tag: String, members: [String])]] = [:]

        init(in desk: borrowing some Readable & ~Copyable, of contacts: Contacts) throws {
            self.contacts = contacts
            groups = try contacts.groups(in: desk)
            making = Set(
                try desk.rows("SELECT id FROM contact_book WHERE tags_are_groups = 1").map { try $0.id("id") }
            )
        }

        /// Where no tag is touched there is nothing to look at.
        init(withoutTagsOf contacts: Contacts) {
            self.contacts = contacts
            groups = []
            making = []
        }

        var isOther: Bool { !joining.isEmpty || !leaving.isEmpty || !fresh.isEmpty }

        func tags(of kept: Kept) throws -> [String] {
            guard !groups.isEmpty else { return [] }
            let key = ContactCard.memberKey(try kept.card.uid ?? kept.id.text)
            return groups.filter { $0.members.contains(key) }.map(\.tag)
        }

        /// Gives somebody these tags and takes those, as far as they are groups; the others are to be written on the card itself.
        mutating func change(
            _ kept: Kept, adding: [String], removing: [String]
        ) throws -> (others: [String], isOther: Bool) {
            guard !groups.isEmpty || making.contains(kept.book) else { return (adding, false) }
            return change(
                try kept.card.uid ?? kept.id.text, of: kept.book, adding: adding, removing: removing)
        }

        mutating func change(
            _ uid: String, of book: ID<ContactBook>, adding: [String], removing: [String] = []
        ) -> (others: [String], isOther: Bool) {
            let key = ContactCard.memberKey(uid)
            let gone = Set(removing.map(Folding.key))
            var isOther = false
            for group in groups where gone.contains(Folding.key(group.tag)) && group.members.contains(key) {
                leaving[group.id, default: []].append(uid)
                isOther = true
            }
            var others: [String] = []
            for tag in adding {
                let named = groups.first { $0.book == book && Folding.key($0.tag) == Folding.key(tag) }
                if let named {
                    guard !named.members.contains(key) else { continue }
                    joining[named.id, default: []].append(uid)
                } else if making.contains(book) {
                    fresh[book, default: [:]][Folding.key(tag), default: (tag, [])].members.append(uid)
                } else {
                    others.append(tag)
                    continue
                }
                isOther = true
            }
            return (others, isOther)
        }

        /// Whoever a group named is named by it also when they become one with another.
        mutating func change(_ gone: Kept, into one: Kept) throws {
            let (old, new) = (try gone.card.uid ?? gone.id.text, try one.card.uid ?? one.id.text)
            for group in groups where group.members.contains(ContactCard.memberKey(old)) {
                leaving[group.id, default: []].append(old)
                if !group.members.contains(ContactCard.memberKey(new)) {
                    joining[group.id, default: []].append(new)
                }
            }
        }

        /// True when a group names others now.
        func write(_ act: ID<ContactAct>, in tx: borrowing Transaction) throws -> Bool {
            var isOther = false
            for id in Set(joining.keys).union(leaving.keys).sorted(by: { $0.text < $1.text }) {
                guard let kept = try contacts.kept(id, in: tx) else { continue }
                guard kept.isOwn else { throw Contacts.keptElsewhere(kept.name) }
                var card = try kept.card
                card.change(members: joining[id] ?? [], without: leaving[id] ?? [])
                if try contacts.write(card, insteadOf: kept, act, in: tx) { isOther = true }
            }
            for (book, groups) in fresh.sorted(by: { $0.key.text < $1.key.text }) {
                for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
                    let uid = "urn:uuid:\(tx.newID(of: Contact.self).text)"
                    var card = ContactCard.group(group.tag, uid: uid)
                    card.change(members: group.members)
                    var counts = ContactCounts()
                    try contacts.put(
                        card, uid: uid, path: nil, tag: nil, into: book, act: act, &counts, in: tx)
                    isOther = true
                }
                try contacts.sendSoon(book, in: tx)
            }
            return isOther
        }
    }

    // MARK: Where tags are kept

    /// Makes groups of the tags of a book's people, for telephones that show groups alone; or writes the groups onto the cards as tags.
    /// Nil when that changes no card.
    @discardableResult
    public func set(
        _ id: ID<ContactBook>, tagsAreGroups: Bool, by caller: Caller
    ) throws -> ContactAct? {
        try caller.require(.administer)
        return try store.write { tx in
            let book = try found(id, in: tx)
            guard book.isChangedHere else {
                throw Failure(
                    .conflict, "“\(book.name)” is only read. Let it go both ways first.",
                    field: "tagsAreGroups")
            }
            guard book.tagsAreGroups != tagsAreGroups else { return nil }
            try keepAsGroups(tagsAreGroups, "id = \(id)", in: tx)
            let act = try begin(.regrouped, book.name, by: caller, in: tx)
            var counts = ContactCounts()
            counts.changed =
                try tagsAreGroups ? gather(id, act, in: tx) : spread(id, act, in: tx)
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "contacts.bookChanged", subject: "contact-book/\(id)",
                    detail: ["name": .string(book.name), "tagsAreGroups": .bool(tagsAreGroups)]))
            let now = try found(id, in: tx)
            tx.afterCommit { [changes] in changes.send(now) }
            guard counts.changed > 0 else {
                try tx.run("DELETE FROM contact_act WHERE id = \(act)")
                return nil
            }
            return try finish(act, counts, in: tx)
        }
    }

    private func keepAsGroups(_ areGroups: Bool, _ which: Query, in tx: borrowing Transaction) throws {
        try tx.run("UPDATE contact_book SET tags_are_groups = \(areGroups) WHERE \(which)")
    }

    /// Where the tags were kept before such an act.
    func turnBack(_ act: ID<ContactAct>, in tx: borrowing Transaction) throws {
        let which: Query = "id IN (SELECT book_id FROM contact_before WHERE act_id = \(act))"
        let isOn =
            try tx.row("SELECT 1 AS one FROM contact_book WHERE tags_are_groups = 1 AND \(which)") != nil
        try keepAsGroups(!isOn, which, in: tx)
    }

    private func gather(
        _ book: ID<ContactBook>, _ act: ID<ContactAct>, in tx: borrowing Transaction
    ) throws -> Int {
        var regrouping = try Regrouping(in: tx, of: self)
        var count = 0
        for row in try tx.rows(
            "SELECT id FROM contact WHERE book_id = \(book) AND \(Self.isPerson) AND tags <> '' ORDER BY name_order, id"
        ) {
            guard let kept = try kept(row.id("id"), in: tx) else { continue }
            var card = try kept.card
            _ = try regrouping.change(kept, adding: card.tags, removing: [])
            card.setTags([])
            if try write(card, insteadOf: kept, act, in: tx) { count += 1 }
        }
        _ = try regrouping.write(act, in: tx)
        return count
    }

    /// A group that names somebody who is not here stays, and names them.
    private func spread(
        _ book: ID<ContactBook>, _ act: ID<ContactAct>, in tx: borrowing Transaction
    ) throws -> Int {
        var tags: [ID<Contact>: [String]] = [:]
        for group in try groups(in: tx) where group.book == book {
            var found: [String] = []
            for member in group.members {
                let row = try tx.row(
                    "SELECT id FROM contact WHERE book_id = \(book) AND member_key = \(member)")
                guard let row else { continue }
                tags[try row.id("id"), default: []].append(group.tag)
                found.append(member)
            }
            guard let kept = try kept(group.id, in: tx) else { continue }
            if found.count == group.members.count {
                try keep(kept, before: act, in: tx)
                try drop("id = \(group.id)", in: tx)
            } else {
                var card = try kept.card
                card.change(members: [], without: found)
                _ = try write(card, insteadOf: kept, act, in: tx)
            }
        }
        var count = 0
        for (id, tags) in tags.sorted(by: { $0.key.text < $1.key.text }) {
            guard let kept = try kept(id, in: tx) else { continue }
            var card = try kept.card
            card.setTags(card.tags + tags.filter { !card.tags.contains($0) })
            if try write(card, insteadOf: kept, act, in: tx) { count += 1 }
        }
        return count
    }

    // MARK: Older desks

    /// For cards that were brought in by an older Quire, to which groups were people.
    static func groupAll(in db: borrowing Connection) throws {
        try eachKept("id, card", in: db) { id, row in
            guard let card = CardFile(Array(try row.text("card").utf8)).cards.first else { return }
            guard card.isGroup else {
                let key = ContactCard.memberKey(card.uid ?? id).withoutNUL
                try db.run("UPDATE contact SET member_key = \(key) WHERE id = \(id)")
                return
            }
            try db.run("UPDATE contact SET is_group = 1 WHERE id = \(id)")
            for member in card.members.map(\.withoutNUL) {
                try db.run("INSERT INTO contact_member (group_id, member) VALUES (\(id), \(member))")
            }
        }
        var groups: [String: [String]] = [:]
        for row in try db.rows(
            """
            SELECT DISTINCT contact_member.member, contact.name FROM contact_member
            JOIN contact ON contact.id = contact_member.group_id ORDER BY contact.name
            """)
        {
            groups[try row.text("member"), default: []].append(tag(ofGroup: try row.text("name")))
        }
        for (member, names) in groups {
            try db.run(
                "UPDATE contact SET group_tags = \(lines(names)) WHERE member_key = \(member)"
            )
        }
    }
}
