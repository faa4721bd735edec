import Cards
import Glibc
import Jobs
import People
import SQL
import Storage
import TestSupport
import Testing
import Transfer

@Suite(
    "Address books that go both ways", .serialized,
    .enabled(if: Peer.has("radicale"), "the Python package Radicale is not installed (bin/setup --check)"))
struct BothWaysTests {
    /// A book on a server of somebody else, and the files it keeps.
    private struct Server {
        let folder: String
        var book: String { "\(folder)/collection-root/ana/friends" }

        func put(_ uid: String, _ name: String, _ more: String = "") throws {
            try write(
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:\(name);;;;\r\n\(more)END:VCARD\r\n",
                "\(book)/\(uid).vcf")
        }

        func remove(_ uid: String) { unlink("\(book)/\(uid).vcf") }

        /// What each file says, by the name in it.
        func cards() throws -> [String: ContactCard] {
            var found: [String: ContactCard] = [:]
            for name in Inmates.names(in: book).sorted() where name.hasSuffix(".vcf") {
                let card = try #require(CardFile(contents(of: "\(book)/\(name)")).cards.first)
                found[card.name] = card
            }
            return found
        }

        func write(_ text: String, _ path: String) throws {
            try TestSupport.write(Array(text.utf8), to: path)
        }
    }

    private func withBook(
        _ kind: Database.Kind = .sqlite, _ body: (Server, Contacts, ID<ContactBook>) throws -> Void
    ) throws {
        try withScratchFolder { folder in
            let server = Server(folder: folder)
            for path in ["\(folder)/collection-root", "\(folder)/collection-root/ana", server.book] {
                mkdir(path, 0o700)
            }
            try server.write(
                "{\"tag\": \"VADDRESSBOOK\", \"D:displayname\": \"Friends\"}",
                "\(server.book)/.Radicale.props")
            for name in ["Ana", "Bo", "Cy"] { try server.put(name, name, "TEL:1\r\n") }
            let peer = try Peer("carddav.py", [folder])
            try withExtendedLifetime(peer) {
                try withRecipients(kind) { recipients, _ in
                    let contacts = Contacts(recipients, http: HTTPClient(guardian: .anywhere))
                    let book = try contacts.addBook(
                        peer.url, userName: "ana", password: "geheim", bothWays: true, by: ada)
                    try contacts.pull(book.id, by: ada)
                    try body(server, contacts, book.id)
                }
            }
        }
    }

    private func id(_ name: String, _ contacts: Contacts) throws -> ID<Contact> {
        try #require(try contacts.page(limit: 500, by: ada).contacts.first { $0.name == name }).id
    }

    private func add(_ kind: CardLine.Kind, _ value: String, to name: String, _ contacts: Contacts) throws {
        var edit = CardEdit()
        edit.add(CardLine(kind, value))
        try contacts.edit(id(name, contacts), edit, by: ada)
    }

    @Test("What is changed and taken out here is so on the server, once", arguments: Database.Kind.here)
    func writing(kind: Database.Kind) throws {
        try withBook(kind) { server, contacts, book in
            try add(.email, "ana@example.org", to: "Ana", contacts)
            try contacts.remove([id("Bo", contacts)], by: ada)
            #expect(try contacts.pull(book, by: ada).sent == 2)
            let cards = try server.cards()
            #expect(cards.keys.sorted() == ["Ana", "Cy"])
            #expect(cards["Ana"]?.emails == ["ana@example.org"] && cards["Ana"]?.phones == ["1"])
            let again = try contacts.pull(book, by: ada)
            #expect((again.sent, again.added, again.changed, again.gone) == (0, 0, 0, 0))
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana", "Cy"])
        }
    }

    @Test("Somebody new is written down into the book, and is on the server then")
    func newcomers() throws {
        try withBook { server, contacts, book in
            func make(_ name: String, from card: ContactCard? = nil) throws {
                var edit = CardEdit()
                edit.set(.name, name)
                try contacts.make(edit, from: card, into: book, by: ada)
            }
            try make("Dee")
            try contacts.pull(book, by: ada)
            #expect(try server.cards().keys.sorted() == ["Ana", "Bo", "Cy", "Dee"])
            let again = try contacts.pull(book, by: ada)
            #expect((again.sent, again.added, again.changed, again.gone) == (0, 0, 0, 0))
            // Nobody who is there already is written over by a card that was read somewhere.
            let card = ContactCard([CardProperty("UID", "Ana"), CardProperty("FN", "Ana")])
            #expect(throws: Failure.self) { try make("Ana", from: card) }
            // Who was not written there yet stays here, when the book is only read again.
            try make("Eve")
            try contacts.set(book, bothWays: false, by: ada)
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana", "Bo", "Cy", "Dee", "Eve"])
            #expect(try contacts.person(id("Eve", contacts), by: ada).book.kind == .cards)
            #expect(throws: Failure.self) { try make("Flo") }
            try contacts.pull(book, by: ada)
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana", "Bo", "Cy", "Dee", "Eve"])
        }
    }

    @Test(
        "Who was changed here and is known to the desk itself as well stays with both cards, when the book is only read again"
    )
    func twins() throws {
        try withBook { server, contacts, book in
            let card = ContactCard([CardProperty("UID", "dee"), CardProperty("FN", "Dee")])
            var edit = CardEdit()
            edit.add(CardLine(.email, "dee@example.org"))
            try contacts.make(edit, from: card, into: book, by: ada)
            let file = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:dee\r\nFN:Dee\r\nNOTE:from a file\r\nEND:VCARD\r\n"
            try contacts.bring(cards: Array(file.utf8), named: "a.vcf", by: ada)
            // She was not written there yet.
            try contacts.set(book, bothWays: false, by: ada)
            let both = try contacts.page(search: "Dee", by: ada).contacts
            #expect(both.count == 2)
            #expect(try contacts.page(search: "from a file", by: ada).matchCount == 1)
            #expect(try contacts.page(search: "dee@example.org", by: ada).matchCount == 1)
            #expect(Set(try contacts.served(by: ada).map(\.name)).count == 2)
        }
    }

    @Test("Whoever is tagged here as a group of the server is in the group there, and the other way round")
    func groups() throws {
        try withBook { server, contacts, book in
            func tags(_ name: String) throws -> [String] {
                try contacts.get(id(name, contacts), by: ada).tags
            }
            try server.put(
                "club", "Book club",
                "X-ADDRESSBOOKSERVER-KIND:group\r\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:Ana\r\n")
            let counts = try contacts.pull(book, by: ada)
            #expect((counts.added, counts.groups) == (0, 1))
            #expect(try tags("Ana") == ["Book club"])
            try contacts.tag([id("Bo", contacts)], adding: ["Book club"], by: ada)
            try contacts.tag([id("Ana", contacts)], adding: [], removing: ["Book club"], by: ada)
            try contacts.pull(book, by: ada)
            #expect(try server.cards()["Book club"]?.members == ["bo"])
            // Both sides take somebody in.
            try contacts.tag([id("Ana", contacts)], adding: ["Book club"], by: ada)
            try server.put(
                "club", "Book club",
                "X-ADDRESSBOOKSERVER-KIND:group\r\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:Bo\r\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:Cy\r\n"
            )
            try contacts.pull(book, by: ada)
            #expect(try server.cards()["Book club"]?.members.sorted() == ["ana", "bo", "cy"])
            #expect(try contacts.page(tag: "Book club", by: ada).matchCount == 3)
            server.remove("club")
            try contacts.pull(book, by: ada)
            #expect(try contacts.page(tag: "Book club", by: ada).matchCount == 0)

            // Kept as groups, a new tag is a card there.
            try contacts.set(book, tagsAreGroups: true, by: ada)
            try contacts.tag([id("Cy", contacts)], adding: ["Tall"], by: ada)
            try contacts.pull(book, by: ada)
            #expect(try server.cards()["Tall"]?.isGroup == true)
            #expect(try server.cards()["Tall"]?.members == ["cy"])
        }
    }

    @Test("What was changed on both sides is joined, and is the same on both afterwards")
    func joining() throws {
        try withBook { server, contacts, book in
            var edit = CardEdit()
            edit.add(CardLine(.email, "ana@example.org"))
            let act = try #require(try contacts.edit(id("Ana", contacts), edit, by: ada))
            try server.put("Ana", "Ana Lima", "TEL:1\r\nTEL:2\r\n")
            try contacts.pull(book, by: ada)
            // Taking the edit back would take what they did along.
            #expect(try contacts.undo(act.id, by: ada).kept == 1)
            let there = try #require(try server.cards()["Ana Lima"])
            #expect(there.phones == ["1", "2"] && there.emails == ["ana@example.org"])
            let here = try contacts.card(of: id("Ana Lima", contacts), by: ada)
            #expect(here.phones == ["1", "2"] && here.emails == ["ana@example.org"])
        }
    }

    @Test("Who was changed on one side and taken out on the other stays on both")
    func staying() throws {
        try withBook { server, contacts, book in
            try add(.email, "ana@example.org", to: "Ana", contacts)
            server.remove("Ana")
            try contacts.remove([id("Bo", contacts)], by: ada)
            try server.put("Bo", "Bo", "TEL:9\r\n")
            try contacts.pull(book, by: ada)
            #expect(try server.cards().keys.sorted() == ["Ana", "Bo", "Cy"])
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana", "Bo", "Cy"])
            #expect(try contacts.card(of: id("Bo", contacts), by: ada).phones == ["9"])
        }
    }

    @Test("What is undone here is undone there, before and after it was written")
    func undoing() throws {
        try withBook { server, contacts, book in
            let removal = try #require(try contacts.remove([id("Bo", contacts)], by: ada))
            try contacts.undo(removal.id, by: ada)
            #expect(try contacts.pull(book, by: ada).gone == 0)
            #expect(try server.cards().keys.sorted() == ["Ana", "Bo", "Cy"])
            let second = try #require(try contacts.remove([id("Bo", contacts)], by: ada))
            try contacts.pull(book, by: ada)
            #expect(try server.cards().keys.sorted() == ["Ana", "Cy"])
            try contacts.undo(second.id, by: ada)
            try contacts.pull(book, by: ada)
            #expect(try server.cards().keys.sorted() == ["Ana", "Bo", "Cy"])
        }
    }

    @Test(
        "A mistake on one side does not empty the other: where many would go, somebody says that it is meant")
    func asking() throws {
        try withBook { server, contacts, book in
            for number in 1...20 { try server.put("p\(number)", "Person \(number)") }
            try contacts.pull(book, by: ada)
            for number in 1...8 { server.remove("p\(number)") }
            #expect(throws: Failure.self) { try contacts.pull(book, by: ada) }
            #expect(try contacts.page(by: ada).matchCount == 23)
            let asked = try #require(try contacts.books(by: ada).first { $0.id == book })
            #expect(
                asked.isInQuestion
                    && asked.trouble?.hasPrefix("8 of 23 people are gone on the server.") == true)
            #expect(try contacts.pull(book, evenMany: true, by: ada).gone == 8)
            let ids = try contacts.page(by: ada).contacts.map(\.id)
            try contacts.remove(ids, by: ada)
            #expect(throws: Failure.self) { try contacts.pull(book, by: ada) }
            #expect(try server.cards().count == 15)
            try contacts.pull(book, evenMany: true, by: ada)
            #expect(try server.cards().isEmpty)
            #expect(try contacts.books(by: ada).first { $0.id == book }?.trouble == nil)
        }
    }

    @Test("Somebody is put into the book and taken out of it, is the same person, and Undo is the way back")
    func moving() throws {
        try withBook { server, contacts, book in
            var edit = CardEdit()
            edit.set(.name, "Dee")
            edit.add(CardLine(.phone, "555"))
            let dee = try contacts.make(edit, by: ada).contact.id
            #expect(try contacts.move(dee, into: nil, by: ada) == nil)
            let there = try #require(try contacts.move(dee, into: book, by: ada))
            try contacts.pull(book, by: ada)
            #expect(try server.cards()["Dee"]?.phones == ["555"])
            #expect(try contacts.person(dee, by: ada).book.id == book)
            try contacts.undo(there.id, by: ada)
            try contacts.pull(book, by: ada)
            #expect(try server.cards().keys.sorted() == ["Ana", "Bo", "Cy"])
            #expect(try contacts.person(dee, by: ada).book.kind == .cards)
            #expect(try contacts.card(of: dee, by: ada).phones == ["555"])
            // Out of the book, and back before the server heard of it.
            let bo = try id("Bo", contacts)
            let home = try #require(try contacts.move(bo, into: nil, by: ada))
            try contacts.undo(home.id, by: ada)
            let quiet = try contacts.pull(book, by: ada)
            #expect((quiet.added, quiet.changed, quiet.gone) == (0, 0, 0))
            #expect(try server.cards().keys.sorted() == ["Ana", "Bo", "Cy"])
            try contacts.move(bo, into: nil, by: ada)
            try contacts.pull(book, by: ada)
            #expect(try server.cards().keys.sorted() == ["Ana", "Cy"])
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana", "Bo", "Cy", "Dee"])
            #expect(try contacts.person(bo, by: ada).book.kind == .cards)
            // Into a book that is only read nobody is put, not by taking something back either.
            let away = try #require(try contacts.move(id("Ana", contacts), into: nil, by: ada))
            try contacts.pull(book, by: ada)
            try contacts.set(book, bothWays: false, by: ada)
            #expect(throws: Failure.self) { try contacts.move(bo, into: book, by: ada) }
            #expect(throws: Failure.self) { try contacts.move(id("Cy", contacts), into: nil, by: ada) }
            #expect(try contacts.undo(away.id, by: ada).kept == 1)
            try contacts.pull(book, by: ada)
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana", "Bo", "Cy", "Dee"])
            #expect(throws: Failure.self) { try contacts.move(dee, into: nil, by: viewer) }
        }
    }

    @Test(
        "A book that is only read is not changed here, and one that no longer goes both ways is as on the server"
    )
    func reading() throws {
        try withBook { server, contacts, book in
            try add(.email, "ana@example.org", to: "Ana", contacts)
            try contacts.set(book, bothWays: false, by: ada)
            #expect(throws: Failure.self) { try add(.email, "cy@example.org", to: "Cy", contacts) }
            try contacts.pull(book, by: ada)
            #expect(try contacts.card(of: id("Ana", contacts), by: ada).emails == [])
            #expect(try server.cards()["Ana"]?.emails == [])
            #expect(throws: Failure.self) { try contacts.set(book, bothWays: true, by: viewer) }
        }
    }

    @Test(
        "Random changes on both sides: nothing is lost, nobody comes back, and both are the same",
        arguments: [1, 2, 3])
    func histories(seed: UInt64) throws {
        try withBook { server, contacts, book in
            var chance = Dice(seed)
            var added: Set<String> = []
            var removed: Set<String> = []
            for round in 0..<8 {
                var touched: Set<String> = []
                for step in 0..<6 {
                    let names = try contacts.page(limit: 500, by: ada).contacts.map(\.name)
                    let there = try server.cards()
                    let uid = "r\(round)s\(step)"
                    let name = names.isEmpty ? "" : names[chance.below(names.count)]
                    switch chance.below(5) {
                    case 0:
                        try server.put(uid, uid)
                        touched.insert(uid)
                    case 1 where !name.isEmpty && !removed.contains(name):
                        try add(.email, "\(uid)@example.org", to: name, contacts)
                        added.insert("\(uid)@example.org")
                        touched.insert(name)
                    case 2 where there[name] != nil:
                        let card = try #require(there[name])
                        var more = card
                        more.properties.append(CardProperty("TEL", "555\(round)\(step)"))
                        added.insert("555\(round)\(step)")
                        touched.insert(name)
                        try server.write(
                            String(decoding: more.bytes(as: .vcard3), as: UTF8.self),
                            "\(server.book)/\(file(of: name, server)).vcf")
                    case 3 where !name.isEmpty && !touched.contains(name) && there[name] != nil:
                        try contacts.remove([id(name, contacts)], by: ada)
                        removed.insert(name)
                        touched.insert(name)
                    case 4 where there[name] != nil && !touched.contains(name):
                        unlink("\(server.book)/\(try file(of: name, server)).vcf")
                        removed.insert(name)
                        touched.insert(name)
                    default: break
                    }
                }
                try contacts.pull(book, evenMany: true, by: ada)
                let there = try server.cards()
                let here = try contacts.page(limit: 500, by: ada).contacts
                #expect(Set(there.keys) == Set(here.map(\.name)), "round \(round)")
                #expect(removed.isDisjoint(with: there.keys), "round \(round)")
                for contact in here {
                    let card = try contacts.card(of: contact.id, by: ada)
                    #expect(card.emails.sorted() == there[contact.name]?.emails.sorted())
                    #expect(card.phones.sorted() == there[contact.name]?.phones.sorted())
                }
            }
            let said = Set(try server.cards().values.flatMap { $0.emails + $0.phones })
            let gone = removed.count
            #expect(gone > 0 || !added.isEmpty)
            #expect(said.subtracting(added) == (said.isEmpty ? [] : ["1"]) || said.subtracting(added).isEmpty)
        }
    }

    @Test(
        "Another server, which keeps its cards in another way, is kept in step as well",
        .enabled(if: Peer.has("xandikos"), "the Python package xandikos is not installed (bin/setup --check)")
    )
    func another() throws {
        try withScratchFolder { folder in
            let peer = try Peer("xandikosbook.py", [folder])
            try withExtendedLifetime(peer) {
                try withRecipients { recipients, _ in
                    let http = HTTPClient(guardian: .anywhere)
                    let contacts = Contacts(recipients, http: http)
                    let client = try CardDAVClient(peer.url, over: http)
                    let remote = try #require(try client.books().first)
                    func card(_ name: String, _ more: String = "") -> [UInt8] {
                        Array(
                            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name)\r\nFN:\(name)\r\nN:\(name);;;;\r\n\(more)END:VCARD\r\n"
                                .utf8)
                    }
                    for name in ["Ana", "Bo"] {
                        let path = try client.path(of: "\(name).vcf", in: remote)
                        #expect(try client.put(card(name), at: path, of: remote, replacing: nil) == .done)
                        #expect(
                            try client.put(card(name), at: path, of: remote, replacing: nil)
                                == .changedMeanwhile)
                    }
                    let book = try contacts.addBook(peer.url, bothWays: true, by: ada).id
                    #expect(try contacts.pull(book, by: ada).added == 2)
                    try add(.email, "ana@example.org", to: "Ana", contacts)
                    try contacts.remove([id("Bo", contacts)], by: ada)
                    let tags = try client.tags(of: remote)
                    let path = try client.path(of: "Ana.vcf", in: remote)
                    let tag = try #require(tags.first { $0.path == path }).entityTag
                    #expect(
                        try client.put(card("Ana", "TEL:2\r\n"), at: path, of: remote, replacing: tag)
                            == .done)
                    #expect(try contacts.pull(book, by: ada).sent == 2)
                    let left = try client.cards(client.tags(of: remote).map(\.path), of: remote)
                    let kept = try #require(CardFile(Array(left.map(\.text).joined().utf8)).cards.first)
                    #expect(left.count == 1 && kept.phones == ["2"] && kept.emails == ["ana@example.org"])
                    let again = try contacts.pull(book, by: ada)
                    #expect((again.sent, again.changed, again.gone) == (0, 0, 0))
                }
            }
        }
    }

    private func file(of name: String, _ server: Server) throws -> String {
        for file in Inmates.names(in: server.book).sorted() where file.hasSuffix(".vcf") {
            if try CardFile(contents(of: "\(server.book)/\(file)")).cards.first?.name == name {
                return String(file.dropLast(4))
            }
        }
        return name
    }
}
