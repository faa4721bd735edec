import Cards
import Glibc
import People
import SQL
import Storage
import TestSupport
import Testing
import Transfer

@Suite("Contacts", .serialized)
struct ContactsTests {
    private func card(_ uid: String, _ name: String, _ email: String) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:\(name);;;;\r\nEMAIL:\(email)\r\nEND:VCARD\r\n"
    }

    @Test("Cards of a file are contacts that can be searched, and come once", arguments: Database.Kind.here)
    func cards(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            let file = card("1", "Zoë Müller", "zoe@example.org") + card("2", "Bo", "bo@example.org")
            #expect(
                try contacts.bring(cards: Array(file.utf8), named: "phone.vcf", by: ada).counts.added == 2)
            let again = try contacts.bring(
                cards: Array(
                    (card("1", "Zoë Maier", "zoe@example.org") + card("2", "Bo", "bo@example.org")).utf8),
                named: "phone.vcf", by: ada
            ).counts
            #expect(again.changed == 1)
            #expect(again.unchanged == 1)
            let found = try contacts.page(search: "zoe MAIER", by: ada)
            #expect(found.contacts.map(\.name) == ["Zoë Maier"])
            #expect(found.contacts.first?.email == "zoe@example.org")
            #expect(try contacts.page(by: ada).matchCount == 2)
        }
    }

    @Test(
        "Of many, every page says how many there are, also behind the last; those without an own name stay apart, and what is too large is told",
        arguments: Database.Kind.here)
    func many(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            var file = ""
            for number in 0..<1_500 {
                // Each third calls itself nothing, and ten of those the same.
                let name = number % 3 == 0 ? "Nobody \(number % 10)" : "Ana \(number)"
                let own = card("\(number)", name, number % 3 == 0 ? "" : "ana\(number)@example.org")
                file += number % 3 == 0 ? own.replacing("UID:\(number)\r\n", with: "") : own
            }
            let large =
                "BEGIN:VCARD\r\nFN:Large\r\nPHOTO;ENCODING=b:\(String(repeating: "A", count: 9 << 20))"
            let counts = try contacts.bring(
                cards: Array((file + large + "\r\nEND:VCARD\r\n").utf8), named: "many.vcf", by: ada
            ).counts
            #expect((counts.added, counts.changed, counts.refusedCount) == (1_500, 0, 1))
            let again = try contacts.bring(cards: Array(file.utf8), named: "many.vcf", by: ada).counts
            #expect((again.added, again.unchanged) == (0, 1_500))
            for (search, offset, shown, all) in [
                ("", 0, 50, 1_500), ("ana", 0, 50, 1_000), ("ana", 950, 50, 1_000), ("ana", 990, 10, 1_000),
                ("nobody", 60, 50, 500), ("nobody 3", 0, 50, 50), ("ana", 1_000, 0, 1_000),
                ("ana", 5_000, 0, 1_000), ("ana 1499", 0, 1, 1), ("zoe", 0, 0, 0),
                ("zoe", 50, 0, 0),
            ] {
                let page = try contacts.page(search: search, offset: offset, by: ada)
                #expect(page.contacts.count == shown && page.matchCount == all, "\(search) \(offset)")
                #expect(page.contacts.map(\.name) == page.contacts.map(\.name).sorted())
            }
        }
    }

    @Test("Where a card of a large file cannot be kept, nothing of it is, and reading ends")
    func unkept() throws {
        try withRecipients(.sqlite) { recipients, store in
            let contacts = Contacts(recipients)
            let file = Array((0..<5_000).map { card("\($0)", "Ana \($0)", "") }.joined().utf8)
            for last in [0, 1, 128, 700, 4_999] {
                try store.write { tx in
                    try tx.run(
                        """
                        CREATE TRIGGER no_room BEFORE INSERT ON contact WHEN NEW.uid = '\(raw: String(last))'
                        BEGIN SELECT RAISE(ABORT, 'no room'); END
                        """)
                }
                #expect(throws: (any Error).self) {
                    try contacts.bring(cards: file, named: "many.vcf", by: ada)
                }
                #expect(try contacts.page(by: ada).matchCount == 0)
                _ = try store.write { tx in try tx.run("DROP TRIGGER no_room") }
            }
            #expect(
                try contacts.bring(cards: file, named: "many.vcf", by: ada).counts.added == 5_000)
        }
    }

    @Test(
        "A file that comes twice makes no doubles, and is kept and given out byte for byte",
        arguments: Database.Kind.here)
    func twice(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            let odd =
                "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Zo=C3=AB\nX-ODD:a;b\\c\n"
                + "PHOTO;ENCODING=BASE64;TYPE=GIF:\n R0lGODlhAQABAAAAACw=\n\nEND:VCARD\n"
            let mothers = ["1", "2"].map { "BEGIN:VCARD\nVERSION:3.0\nFN:Mom\nTEL:\($0)\nEND:VCARD\n" }
            let file = Array((odd + mothers.joined()).utf8)
            let first = try contacts.bring(cards: file, named: "old.vcf", by: ada)
            #expect(first.counts.added == 3)
            let second = try contacts.bring(cards: file, named: "old.vcf", by: ada)
            #expect((second.counts.added, second.counts.changed, second.counts.unchanged) == (0, 0, 3))
            let found = try #require(try contacts.page(search: "müller", by: ada).contacts.first)
            #expect(found.name == "Zoë Müller")
            let card = try contacts.card(of: found.id, by: ada)
            #expect(card.bytes(as: .vcard21) == Array(odd.utf8))
            #expect(found.fields.contains { $0.name == "First name" && $0.value == "Zoë" })
        }
    }

    @Test(
        "An import is taken back as one: who came goes, who was changed is as before",
        arguments: Database.Kind.here)
    func undoing(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            func bring(_ cards: String...) throws -> ContactAct {
                try contacts.bring(cards: Array(cards.joined().utf8), named: "a.vcf", by: ada)
            }
            let before = card("1", "Ana", "ana@example.org")
            _ = try bring(before, card("2", "Bo", "bo@example.org"))
            let act = try bring(card("1", "Anna", "ana@example.org"), card("3", "Cy", "cy@example.org"))
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Anna", "Bo", "Cy"])
            #expect(throws: Failure.self) { try contacts.undo(act.id, by: viewer) }
            let undone = try contacts.undo(act.id, by: ada)
            #expect((undone.removed, undone.restored, undone.kept) == (1, 1, 0))
            let all = try contacts.page(by: ada).contacts
            #expect(all.map(\.name) == ["Ana", "Bo"])
            #expect(try contacts.card(of: all[0].id, by: ada).untouched == Array(before.utf8))
            #expect(throws: Failure.self) { try contacts.undo(act.id, by: ada) }
            #expect(try contacts.acts(by: ada).map { $0.undoneAt != nil } == [true, false])
        }
    }

    @Test("Who has been changed since an import stays when it is taken back")
    func changedSince() throws {
        try withRecipients { recipients, _ in
            let contacts = Contacts(recipients)
            func bring(_ cards: String...) throws -> ContactAct {
                try contacts.bring(cards: Array(cards.joined().utf8), named: "a.vcf", by: ada)
            }
            let first = try bring(card("1", "Ana", "ana@example.org"), card("2", "Bo", "bo@example.org"))
            let second = try bring(card("1", "Anna", "ana@example.org"))
            let undone = try contacts.undo(first.id, by: ada)
            #expect((undone.removed, undone.kept) == (1, 1))
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Anna"])
            // The later one goes back to what the first had brought.
            #expect(try contacts.undo(second.id, by: ada).restored == 1)
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana"])
        }
    }

    @Test("Contacts are given out in every form, and as they came")
    func exporting() throws {
        try withRecipients { recipients, _ in
            let contacts = Contacts(recipients)
            let ana = card("1", "Ana", "ana@example.org") + "\r\n"
            let json = "{\"@type\":\"Card\", \"uid\":\"2\",\"name\":{\"full\":\"Bo\"}}"
            try contacts.bring(cards: Array(ana.utf8), named: "a.vcf", by: ada)
            try contacts.bring(cards: Array(json.utf8), named: "b.json", by: ada)
            func out(_ form: CardsForm, _ search: String = "") throws -> String {
                var bytes: [UInt8] = []
                try contacts.export(as: form, search: search, by: ada) { bytes += $0 }
                return String(decoding: bytes, as: UTF8.self)
            }
            #expect(try out(.cards, "ana") == card("1", "Ana", "ana@example.org"))
            #expect(try out(.vcard3).contains("\r\nFN:Bo\r\n"))
            for form in CardsForm.allCases where form != .csv {
                #expect(CardFile(Array(try out(form).utf8)).cards.map(\.name) == ["Ana", "Bo"], "\(form)")
            }
            #expect(try out(.jscontact).contains(json))
            #expect(
                try out(.csv) == "\u{FEFF}Name,Last name,E-mail\r\nAna,Ana,ana@example.org\r\nBo,,\r\n")
        }
    }

    @Test("Cards that cannot be taken are told with their line and why, and the others come")
    func refused() throws {
        try withRecipients { recipients, _ in
            let contacts = Contacts(recipients)
            let long = String(repeating: "TEL:1\r\n", count: 3_000)
            let file =
                card("1", "Ana", "a@example.org")
                + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bo\r\n\(long)END:VCARD\r\n"
                + "BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n"
            let act = try contacts.bring(cards: Array(file.utf8), named: "a.vcf", by: ada)
            #expect(act.counts.added == 1)
            #expect(act.counts.refusedCount == 2)
            let odd = try contacts.bring(
                cards: Array("BEGIN:VCARD\nVERSION:3.0\nFN:Cy\nnothing\n".utf8), named: "c.vcf", by: ada)
            #expect(odd.counts.odd.map(\.line) == [4, 1])
            #expect(odd.counts.odd.map(\.kind) == [.unreadable, .noEnd])
            #expect(act.counts.refused.map(\.name) == ["Bo", ""])
            #expect(
                act.counts.refused.map(\.failure.message) == [
                    "The card has more than 2000 lines.", "The card says nothing.",
                ])
            #expect(try contacts.act(act.id, by: ada) == act)
            #expect(throws: Failure.self) {
                try contacts.bring(cards: Array("no card".utf8), named: "a.txt", by: ada)
            }
        }
    }

    @Test("Contacts go on a list once, and stay when its file comes again")
    func ontoLists() throws {
        try withRecipients { recipients, _ in
            let contacts = Contacts(recipients)
            try contacts.bring(
                cards: Array((card("1", "Zoë", "zoe@example.org") + card("2", "Bo", "bo@example.org")).utf8),
                named: "phone.vcf", by: ada)
            let list = try recipients.make("Party", by: ada)
            try recipients.bring("Name;Mail\nBo;BO@example.org\n", into: list.id)
            let all = try contacts.page(by: ada).contacts.map(\.id)
            let (changed, alreadyThere) = try contacts.add(all, to: list.id, by: ada)
            #expect(changed?.count == 1)
            #expect(alreadyThere == 1)
            try recipients.bring("Name;Mail\nBo;bo@example.org\nCy;cy@example.org\n", into: list.id)
            #expect(
                try recipients.shown(list.id) == [
                    ["Bo", "bo@example.org"], ["Cy", "cy@example.org"], ["Zoë", "zoe@example.org"],
                ])
        }
    }

    @Test(
        "An address book on a server is found, pulled, and followed as it changes",
        .enabled(if: Peer.has("radicale"), "the Python package Radicale is not installed (bin/setup --check)")
    )
    func pulling() throws {
        try withScratchFolder { folder in
            let book = "\(folder)/collection-root/ana/friends"
            for path in ["\(folder)/collection-root", "\(folder)/collection-root/ana", book] {
                mkdir(path, 0o700)
            }
            try write(
                "{\"tag\": \"VADDRESSBOOK\", \"D:displayname\": \"Friends\"}", "\(book)/.Radicale.props")
            try write(card("a", "Ana & Co", "ana@example.org"), "\(book)/a.vcf")
            try write(card("b", "Bo", "bo@example.org"), "\(book)/b.vcf")
            let peer = try Peer("carddav.py", [folder])
            try withExtendedLifetime(peer) {
                try withRecipients { recipients, _ in
                    let contacts = Contacts(recipients, http: HTTPClient(guardian: .anywhere))
                    #expect(throws: Failure.self) {
                        try contacts.addBook(peer.url, userName: "ana", password: "wrong", by: ada)
                    }
                    #expect(throws: Failure.self) {
                        try contacts.addBook(peer.url, userName: "ana", password: "geheim", by: viewer)
                    }
                    let added = try contacts.addBook(peer.url, userName: "ana", password: "geheim", by: ada)
                    #expect(added.name == "Friends")
                    #expect(try contacts.pull(added.id, by: ada).added == 2)
                    #expect(try contacts.page(search: "ana", by: ada).contacts.map(\.name) == ["Ana & Co"])
                    try write(card("b", "Bob", "bob@example.org"), "\(book)/b.vcf")
                    unlink("\(book)/a.vcf")
                    let counts = try contacts.pull(added.id, by: ada)
                    #expect(counts.changed == 1)
                    #expect(counts.gone == 1)
                    #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Bob"])
                    #expect(try contacts.pull(added.id, by: ada).unchanged == 1)
                }
            }
        }
    }

    private func write(_ text: String, _ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = Array(text.utf8)
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }
}
