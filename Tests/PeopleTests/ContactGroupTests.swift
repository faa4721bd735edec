import Access
import Cards
import Jobs
import People
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Groups of telephones and servers", .serialized)
struct ContactGroupTests {
    private static let ana =
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a-1\r\nFN:Ana\r\nCATEGORIES:Choir\r\nEND:VCARD\r\n"
    private static let bo = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:urn:uuid:B-2\r\nFN:Bo\r\nEND:VCARD\r\n"
    private static let cy = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c-3\r\nFN:Cy\r\nEND:VCARD\r\n"

    /// As Apple's programs write it.
    private static func club(_ name: String = "Book club", _ members: String...) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:g-1\r\nN:\(name);;;;\r\nFN:\(name)\r\nX-ADDRESSBOOKSERVER-KIND:group\r\n"
            + members.map { "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\($0)\r\n" }.joined() + "END:VCARD\r\n"
    }

    private func withContacts<R>(
        _ cards: String, on kind: Database.Kind = .sqlite, _ body: (Contacts, ContactAct) throws -> R
    ) throws -> R {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            return try body(contacts, try contacts.bring(cards: Array(cards.utf8), named: "all.vcf", by: ada))
        }
    }

    private func tags(_ contacts: Contacts) throws -> [String: [String]] {
        Dictionary(uniqueKeysWithValues: try contacts.page(by: ada).contacts.map { ($0.name, $0.tags) })
    }

    private func id(of name: String, _ contacts: Contacts) throws -> ID<Contact> {
        try #require(try contacts.page(by: ada).contacts.first { $0.name == name }).id
    }

    private func exported(_ contacts: Contacts) throws -> String {
        var bytes: [UInt8] = []
        try contacts.export(as: .cards, by: ada) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A group is nobody: it is a tag of those it names, wherever it stands in the file, and goes out again as it came",
        arguments: Database.Kind.here)
    func brought(kind: Database.Kind) throws {
        for file in [
            Self.club("Book club", "a-1", "B-2") + Self.ana + Self.bo + Self.cy,
            Self.ana + Self.bo + Self.cy + Self.club("Book club", "A-1", "b-2"),
        ] {
            try withContacts(file, on: kind) { contacts, act in
                #expect(act.counts.added == 3)
                #expect(act.counts.groups == 1)
                #expect(
                    try tags(contacts) == ["Ana": ["Choir", "Book club"], "Bo": ["Book club"], "Cy": []])
                #expect(try contacts.page(tag: "Book club", by: ada).contacts.map(\.name) == ["Ana", "Bo"])
                #expect(try contacts.page(search: "club", by: ada).matchCount == 0)
                #expect(try contacts.tags(by: ada) == ["Book club", "Choir"])
                #expect(try contacts.books(by: ada).map(\.count) == [3])
                #expect(try contacts.letters(by: ada).map(\.count) == [1, 1, 1])
                #expect(try contacts.matches(by: ada).total == 0)
                let out = try exported(contacts)
                for card in file.split(separator: "BEGIN:VCARD") {
                    #expect(out.contains("BEGIN:VCARD" + card))
                }
                // The same file again is the same.
                let again = try contacts.bring(cards: Array(file.utf8), named: "all.vcf", by: ada)
                #expect(again.counts.unchanged == 3)
                #expect(again.counts.added + again.counts.changed == 0)
                let undone = try contacts.undo(act.id, by: ada)
                #expect(undone.removed == 3)
                #expect(undone.kept == 0)
                #expect(try contacts.tags(by: ada) == [])
            }
        }
    }

    @Test("A group that is called otherwise, names others, or is one no more changes the tags with it")
    func changed() throws {
        try withContacts(Self.ana + Self.bo + Self.club("Book club", "a-1")) { contacts, _ in
            func bring(_ card: String) throws {
                try contacts.bring(cards: Array(card.utf8), named: "g.vcf", by: ada)
            }
            try bring(Self.club("Readers, late", "a-1", "b-2"))
            #expect(try tags(contacts) == ["Ana": ["Choir", "Readers late"], "Bo": ["Readers late"]])
            try bring(Self.club("Readers", "b-2", "nobody-here"))
            #expect(try tags(contacts) == ["Ana": ["Choir"], "Bo": ["Readers"]])
            try bring("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:g-1\r\nFN:Gus\r\nEND:VCARD\r\n")
            #expect(try tags(contacts) == ["Ana": ["Choir"], "Bo": [], "Gus": []])
        }
    }

    @Test(
        "Who is given a tag that is a group is named by the group's card, and taking it away or back changes that card alone",
        arguments: Database.Kind.here)
    func tagging(kind: Database.Kind) throws {
        try withContacts(Self.ana + Self.bo + Self.cy + Self.club("Book club", "a-1"), on: kind) {
            contacts, _ in
            let before = try exported(contacts)
            let bo = try id(of: "Bo", contacts)
            let cy = try id(of: "Cy", contacts)
            let act = try #require(
                try contacts.tag([bo, cy], adding: ["book club", "Tenor"], by: ada))
            #expect(act.counts.changed == 2)
            #expect(try tags(contacts)["Bo"] == ["Tenor", "Book club"])
            #expect(
                try exported(contacts).contains(
                    "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:a-1\r\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:B-2\r\n"
                        + "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:c-3\r\nEND:VCARD"))
            #expect(try contacts.card(of: bo, by: ada).tags == ["Tenor"])
            #expect(try contacts.tag([bo], adding: ["Book club"], by: ada) == nil)

            let left = try #require(
                try contacts.tag([bo, cy], adding: [], removing: ["Book club"], by: ada))
            #expect(left.counts.changed == 2)
            #expect(try tags(contacts)["Cy"] == ["Tenor"])
            #expect(try contacts.undo(left.id, by: ada).kept == 0)
            #expect(try tags(contacts)["Cy"] == ["Tenor", "Book club"])
            #expect(try contacts.undo(act.id, by: ada).kept == 0)
            #expect(try exported(contacts) == before)
        }
    }

    @Test(
        "The form of a person shows their groups among the tags, and a tag that is left out there leaves the group"
    )
    func form() throws {
        try withContacts(Self.ana + Self.club("Book club", "a-1")) { contacts, _ in
            let ana = try id(of: "Ana", contacts)
            let shown = try contacts.person(ana, by: ada).shown
            #expect(shown[.tags] == "Choir, Book club")
            func write(_ tags: String, seeing: ContactCard? = nil) throws -> ContactAct? {
                var edit = CardEdit()
                edit.parts = [.init(.tags, tags, seen: seeing?.fingerprint(of: .tags))]
                return try contacts.edit(ana, edit, by: ada)
            }
            #expect(try write("Choir, Book club", seeing: shown) == nil)
            let act = try #require(try write("Choir, Tall", seeing: shown))
            #expect(try tags(contacts)["Ana"] == ["Choir", "Tall"])
            #expect(try contacts.undo(act.id, by: ada).kept == 0)
            #expect(try tags(contacts)["Ana"] == ["Choir", "Book club"])
            #expect(try contacts.card(of: ana, by: ada).untouched == Array(Self.ana.utf8))

            var edit = CardEdit()
            edit.set(.given, "Zoë")
            edit.set(.tags, "Book club, New")
            let zoe = try contacts.make(edit, by: ada)
            #expect(try contacts.get(zoe.contact.id, by: ada).tags == ["New", "Book club"])
            try contacts.undo(zoe.act.id, by: ada)
            #expect(!(try exported(contacts).contains("Zo")))
        }
    }

    @Test(
        "Who becomes one with somebody brings their groups along, and a group is nobody to be opened, changed or merged"
    )
    func merging() throws {
        try withContacts(Self.ana + Self.bo + Self.club("Book club", "b-2")) { contacts, _ in
            let (ana, bo) = (try id(of: "Ana", contacts), try id(of: "Bo", contacts))
            let act = try contacts.merge(ana, with: bo, by: ada)
            #expect(try tags(contacts) == ["Ana": ["Choir", "Book club"]])
            try contacts.undo(act.id, by: ada)
            #expect(try tags(contacts) == ["Ana": ["Choir"], "Bo": ["Book club"]])

            let group = try #require(
                try contacts.served(by: ada).first {
                    try contacts.served($0.name, by: ada)?.card.isGroup == true
                })
            #expect(throws: Failure.self) { try contacts.get(group.id, by: ada) }
            #expect(throws: Failure.self) { try contacts.person(group.id, by: ada) }
            #expect(try contacts.remove([group.id], by: ada) == nil)
            #expect(throws: Failure.self) { try contacts.merge(ana, with: group.id, by: ada) }
        }
    }

    @Test(
        "A telephone makes a group, changes and ends it; each is told as tagging and can be taken back",
        arguments: Database.Kind.here)
    func phones(kind: Database.Kind) throws {
        try withContacts(Self.ana + Self.bo, on: kind) { contacts, _ in
            func write(_ card: String) throws {
                try contacts.write(card: Array(card.utf8), as: "g.vcf", by: ada) { _ in }
            }
            try write(Self.club("Book club", "a-1"))
            #expect(try tags(contacts) == ["Ana": ["Choir", "Book club"], "Bo": []])
            try write(Self.club("Book club", "a-1", "b-2"))
            let second = try #require(try contacts.acts(by: ada).first)
            #expect(second.kind == .tagged)
            #expect(second.name == "Book club")
            #expect(second.counts.changed == 1)
            let token = try contacts.servedToken(by: ada)
            #expect(try contacts.remove(named: "g.vcf", by: ada) { _ in })
            #expect(try contacts.changes(since: token, by: ada).gone == ["g.vcf"])
            #expect(try tags(contacts) == ["Ana": ["Choir"], "Bo": []])
            let ended = try #require(try contacts.acts(by: ada).first)
            #expect(try contacts.undo(ended.id, by: ada).restored == 2)
            #expect(try contacts.undo(second.id, by: ada).restored == 1)
            #expect(try tags(contacts) == ["Ana": ["Choir", "Book club"], "Bo": []])

            // Who is tagged here is in the group there.
            let known = try contacts.servedToken(by: ada)
            try contacts.tag([id(of: "Bo", contacts)], adding: ["Book club"], by: ada)
            let changed = try contacts.changes(since: known, by: ada).changed
            try #require(changed.count == 1)
            let card = try #require(try contacts.served(changed[0].name, by: ada)).card
            #expect(card.members == ["a-1", "b-2"])
        }
    }

    @Test(
        "A group that nobody is in is told among the groups, is filled by its tag, and one that goes leaves everybody",
        arguments: Database.Kind.here)
    func empty(kind: Database.Kind) throws {
        try withContacts(Self.ana + Self.bo + Self.club("Book club", "nobody-here"), on: kind) {
            contacts, _ in
            func said() throws -> [String] {
                try contacts.groups(by: ada).map {
                    "\($0.name) \($0.count) \($0.absentCount) \($0.book.name)"
                }
            }
            #expect(try said() == ["Book club 0 1 Contacts"])
            let (ana, bo) = (try id(of: "Ana", contacts), try id(of: "Bo", contacts))
            try contacts.tag([ana, bo], adding: ["book club"], by: ada)
            #expect(try said() == ["Book club 2 1 Contacts"])
            try contacts.tag([ana, bo], adding: [], removing: ["Book club"], by: ada)
            try contacts.bring(cards: Array(Self.club("Book club").utf8), named: "g.vcf", by: ada)
            #expect(try said() == ["Book club 0 0 Contacts"])
            let group = try #require(try contacts.groups(by: ada).first).id

            #expect(throws: Failure.self) { try contacts.removeGroup(group, by: viewer) }
            #expect(throws: Failure.self) { try contacts.removeGroup(ana, by: ada) }
            let gone = try contacts.removeGroup(group, by: ada)
            #expect(gone.kind == .removed && gone.name == "Book club" && gone.counts.groups == 1)
            #expect(try said() == [])
            #expect(try contacts.undo(gone.id, by: ada).kept == 0)
            try contacts.tag([bo], adding: ["Book club"], by: ada)
            #expect(try said() == ["Book club 1 0 Contacts"])

            let filled = try contacts.removeGroup(group, by: ada)
            #expect(filled.counts.changed == 1)
            #expect(try tags(contacts) == ["Ana": ["Choir"], "Bo": []])
            #expect(try contacts.undo(filled.id, by: ada).restored == 1)
            #expect(try tags(contacts) == ["Ana": ["Choir"], "Bo": ["Book club"]])
        }
    }

    @Test(
        "Who calls themselves nothing has on the card what the group calls them, where the two go elsewhere")
    func nameless() throws {
        let nameless = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Di\r\nEND:VCARD\r\n"
        try withContacts(Self.ana + nameless + Self.club("Book club", "a-1")) { contacts, _ in
            #expect(try exported(contacts).contains(nameless))
            try contacts.tag([id(of: "Di", contacts)], adding: ["Book club"], by: ada)
            let out = try exported(contacts)
            #expect(out.contains(Self.ana) && !out.contains(nameless))
            try withContacts(out) { others, _ in
                let there = try tags(others)
                #expect(there == ["Ana": ["Choir", "Book club"], "Di": ["Book club"]])
            }
        }
    }

    @Test("A smart list asks for a group as for any tag, and follows who comes and goes")
    func audience() throws {
        try withRecipients { recipients, _ in
            let contacts = Contacts(recipients)
            try contacts.bring(
                cards: Array((Self.ana + Self.bo + Self.club("Book club", "a-1")).utf8), named: "a.vcf",
                by: ada)
            let list = try recipients.make(
                "Club", asking: ContactQuestion(tag: "Book club"), by: ada)
            func names() throws -> [String] {
                try recipients.page(list.id, by: ada).recipients.map(\.name)
            }
            #expect(try names() == ["Ana"])
            try contacts.tag([id(of: "Bo", contacts)], adding: ["Book club"], by: ada)
            #expect(try names() == ["Ana", "Bo"])
            try contacts.tag([id(of: "Ana", contacts)], adding: [], removing: ["Book club"], by: ada)
            #expect(try names() == ["Bo"])
        }
    }

    @Test(
        "Tags become groups for telephones that show groups alone, new ones too; they come back onto the cards, each with its way back",
        arguments: Database.Kind.here)
    func kept(kind: Database.Kind) throws {
        let file = Self.ana + Self.bo + Self.cy.replacing("END", with: "CATEGORIES:Tall,Choir\r\nEND")
        try withContacts(file, on: kind) { contacts, _ in
            let book = try #require(try contacts.books(by: ada).first).id
            let before = try tags(contacts)
            #expect(throws: Failure.self) { try contacts.set(book, tagsAreGroups: true, by: viewer) }
            let gathered = try #require(try contacts.set(book, tagsAreGroups: true, by: ada))
            #expect(gathered.counts.changed == 2)
            #expect(try contacts.set(book, tagsAreGroups: true, by: ada) == nil)
            #expect(try tags(contacts).mapValues { $0.sorted() } == before.mapValues { $0.sorted() })
            #expect(try contacts.books(by: ada).map(\.count) == [3])
            func groups() throws -> [String: [String]] {
                var found: [String: [String]] = [:]
                for file in try contacts.served(by: ada) {
                    guard let card = try contacts.served(file.name, by: ada)?.card, card.isGroup else {
                        continue
                    }
                    found[card.name] = card.members
                }
                return found
            }
            #expect(try groups() == ["Choir": ["a-1", "c-3"], "Tall": ["c-3"]])
            #expect(!(try exported(contacts).contains("CATEGORIES")))

            let bo = try id(of: "Bo", contacts)
            let tagged = try #require(try contacts.tag([bo], adding: ["Bass"], by: ada))
            #expect(try groups()["Bass"] == ["b-2"])
            #expect(try contacts.undo(tagged.id, by: ada).kept == 0)
            #expect(try groups()["Bass"] == nil)

            let spread = try #require(try contacts.set(book, tagsAreGroups: false, by: ada))
            #expect(spread.counts.changed == 2)
            #expect(try groups().isEmpty)
            #expect(try contacts.card(of: id(of: "Ana", contacts), by: ada).tags == ["Choir"])
            #expect(try contacts.undo(spread.id, by: ada).kept == 0)
            #expect(try groups()["Choir"] == ["a-1", "c-3"])
            #expect(try contacts.books(by: ada).first?.tagsAreGroups == true)
            #expect(try contacts.undo(gathered.id, by: ada).kept == 0)
            #expect(try contacts.books(by: ada).first?.tagsAreGroups == false)
            #expect(try exported(contacts) == file)
        }
    }

    @Test(
        "A desk of before, to which groups were people, learns what they are", arguments: Database.Kind.here)
    func older(kind: Database.Kind) throws {
        let areas = [Gate.migrations, JobQueue.migrations]
        let steps = Recipients.migrations.migrations
        let before = MigrationArea(
            Recipients.migrations.name, Array(steps.prefix { $0.name != "groups of contacts" }))
        try #require(before.migrations.count < steps.count)
        try withDeskPlace(kind, areas: areas + [Recipients.migrations]) { place in
            let old = try place.open(chance: .seeded(1), areas: areas + [before])
            try old.write { tx in
                try tx.run(
                    "INSERT INTO contact_book (id, kind, name, made_at, made_by) VALUES ('b', 'cards', 'Contacts', 0, '')"
                )
                for (place, card) in [Self.ana, Self.bo, Self.club("Book club", "a-1")].enumerated() {
                    let (id, uid) = ("\(place)", try #require(CardFile(Array(card.utf8)).cards.first?.uid))
                    try tx.run(
                        """
                        INSERT INTO contact (id, book_id, uid, name, name_order, search, emails, organization, card, changed_at)
                        VALUES (\(id), 'b', \(uid), \(id), \(id), '', '', '', \(card), 0)
                        """)
                }
            }
            old.close()
            let store = try place.open(chance: .seeded(2))
            defer { store.close() }
            let found = try store.read { desk in
                try desk.rows("SELECT name, is_group, group_tags FROM contact ORDER BY id").map {
                    "\(try $0.text("name")) \(try $0.int("is_group")) \(try $0.text("group_tags"))"
                }
            }
            #expect(found == ["0 0 \n2\n", "1 0 ", "2 1 "])
        }
    }
}
