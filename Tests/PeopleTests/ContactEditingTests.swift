import Cards
import People
import SQL
import Storage
import TestSupport
import Testing

@Suite("People written down and changed by hand", .serialized)
struct ContactEditingTests {
    private static let ana =
        "BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:Ana Pérez\nX-ODD;a=b:c\nTEL:+52 (55) 1234-5678\nCATEGORIES:Choir\nEND:VCARD\n"
    private static let bo = "BEGIN:VCARD\nVERSION:3.0\nUID:2\nFN:Bo\nEMAIL:bo@example.org\nEND:VCARD\n"

    private func withTwo<R>(
        _ kind: Database.Kind = .sqlite, _ body: (Contacts, _ ana: ID<Contact>, _ bo: ID<Contact>) throws -> R
    ) throws -> R {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            try contacts.bring(cards: Array((Self.ana + Self.bo).utf8), named: "a.vcf", by: ada)
            let all = try contacts.page(by: ada).contacts
            return try body(contacts, all[0].id, all[1].id)
        }
    }

    private func edit(_ body: (inout CardEdit) -> Void) -> CardEdit {
        var edit = CardEdit()
        body(&edit)
        return edit
    }

    @Test(
        "A change touches one line of the card, shows in the search, and is taken back byte for byte",
        arguments: Database.Kind.here)
    func editing(kind: Database.Kind) throws {
        try withTwo(kind) { contacts, ana, _ in
            let wish = edit { $0.set(.note, "Tenor") }
            #expect(throws: Failure.self) { try contacts.edit(ana, wish, by: viewer) }
            let act = try #require(try contacts.edit(ana, wish, by: ada))
            let card = try contacts.card(of: ana, by: ada)
            #expect(
                card.untouched
                    == Array(Self.ana.replacing("END:VCARD", with: "NOTE:Tenor\r\nEND:VCARD").utf8))
            #expect(try contacts.page(search: "tenor", by: ada).contacts.map(\.name) == ["Ana Pérez"])
            #expect(try contacts.edit(ana, wish, by: ada) == nil)
            #expect(try contacts.undo(act.id, by: ada).restored == 1)
            #expect(try contacts.card(of: ana, by: ada).untouched == Array(Self.ana.utf8))
            // The import before it can still be taken back.
            let brought = try #require(try contacts.acts(.imported, by: ada).first)
            #expect(try contacts.undo(brought.id, by: ada).removed == 2)
        }
    }

    @Test("Who looked at an older card is told, and nothing is written over")
    func meanwhile() throws {
        try withTwo { contacts, ana, _ in
            let seen = try contacts.person(ana, by: ada).version
            try contacts.edit(ana, edit { $0.set(.note, "first") }, version: seen, by: ada)
            #expect {
                try contacts.edit(ana, edit { $0.set(.note, "second") }, version: seen, by: ada)
            } throws: {
                ($0 as? Failure)?.code == .conflict
            }
            #expect(try contacts.card(of: ana, by: ada)[.note] == "first")
        }
    }

    @Test("A person is written down with what one knows, and needs a name or a way to be reached")
    func making() throws {
        try withTwo { contacts, _, _ in
            let made = try contacts.make(
                edit {
                    $0.set(.given, "Zoë")
                    $0.add(CardLine(.phone, "514 555 0100", type: "cell"))
                }, by: ada)
            #expect(made.contact.name == "Zoë")
            let mail = try contacts.make(edit { $0.add(CardLine(.email, "nobody@example.org")) }, by: ada)
            #expect(mail.contact.name == "nobody@example.org")
            #expect(throws: Failure.self) { try contacts.make(edit { $0.set(.note, "") }, by: ada) }
            #expect(try contacts.undo(made.act.id, by: ada).removed == 1)
            #expect(try contacts.page(search: "zoe", by: ada).matchCount == 0)
        }
    }

    @Test("An address typed by hand is one, or is refused")
    func addresses() throws {
        try withTwo { contacts, ana, _ in
            for wrong in ["not-an-address", "a@b", "ana@exa mple.org", "a..b@example.org"] {
                let failure = #expect(throws: Failure.self) {
                    try contacts.edit(ana, edit { $0.add(CardLine(.email, wrong)) }, by: ada)
                }
                #expect(
                    failure?.message == "“\(wrong)” is not a mail address. One looks like ada@example.org.")
            }
            try contacts.edit(ana, edit { $0.add(CardLine(.email, " ana@example.org ")) }, by: ada)
            #expect(try contacts.get(ana, by: ada).email == "ana@example.org")
        }
    }

    @Test(
        "People taken out are who they were when that is taken back, with their place on papers and in imports",
        arguments: Database.Kind.here)
    func removing(kind: Database.Kind) throws {
        try withTwo(kind) { contacts, ana, bo in
            let act = try #require(try contacts.remove([ana, bo, ana], by: ada))
            #expect(act.counts.gone == 2)
            #expect(try contacts.page(by: ada).matchCount == 0)
            #expect(try contacts.undo(act.id, by: ada).restored == 2)
            #expect(try contacts.page(by: ada).contacts.map(\.id) == [ana, bo])
            #expect(try contacts.card(of: ana, by: ada).untouched == Array(Self.ana.utf8))
            // Who came again meanwhile stays, and is no double.
            let again = try #require(try contacts.remove([ana], by: ada))
            try contacts.bring(cards: Array(Self.ana.utf8), named: "a.vcf", by: ada)
            let undone = try contacts.undo(again.id, by: ada)
            #expect((undone.restored, undone.kept) == (0, 1))
            #expect(try contacts.page(by: ada).matchCount == 2)
        }
    }

    @Test("Many get a tag at once, are found by it, and lose it again", arguments: Database.Kind.here)
    func tagging(kind: Database.Kind) throws {
        try withTwo(kind) { contacts, ana, bo in
            let act = try #require(try contacts.tag([ana, bo], adding: ["choir", "Fair 2026"], by: ada))
            #expect(act.counts.changed == 2)
            #expect(try contacts.tags(by: ada) == ["Choir", "Fair 2026", "choir"])
            #expect(try contacts.page(tag: "Fair 2026", by: ada).matchCount == 2)
            #expect(try contacts.page(tag: "Fair", by: ada).matchCount == 0)
            try contacts.tag([ana, bo], adding: [], removing: ["fair 2026"], by: ada)
            #expect(try contacts.page(tag: "Fair 2026", by: ada).matchCount == 0)
            #expect(try contacts.tag([ana], adding: ["Choir"], by: ada) == nil)
            #expect(throws: Failure.self) { try contacts.tag([ana], adding: ["a,b"], by: ada) }
        }
    }

    @Test("A number is found however it is written, and names by their first letter")
    func looking() throws {
        try withTwo { contacts, _, _ in
            for written in ["5512345678", "+52 55 12", "(55) 1234-5678"] {
                #expect(try contacts.page(search: written, by: ada).contacts.map(\.name) == ["Ana Pérez"])
            }
            #expect(try contacts.page(search: "99999", by: ada).matchCount == 0)
            try contacts.make(edit { $0.set(.name, "Åsa") }, by: ada)
            try contacts.make(edit { $0.set(.name, "王") }, by: ada)
            let letters = try contacts.letters(by: ada)
            #expect(letters.map(\.letter.text) == ["#", "A", "B"])
            #expect(letters.map(\.count) == [1, 2, 1])
            #expect(
                try contacts.page(letter: .init("a"), by: ada).contacts.map(\.name) == ["Ana Pérez", "Åsa"])
            #expect(try contacts.page(letter: .other, by: ada).contacts.map(\.name) == ["王"])
        }
    }

    @Test("A photo is kept in the card, and one that is too large is refused")
    func photo() throws {
        try withTwo { contacts, ana, _ in
            let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 3]
            try contacts.setPhoto(("image/jpeg", picture), of: ana, by: ada)
            let card = try contacts.card(of: ana, by: ada)
            #expect(card.photo?.bytes == picture)
            #expect(card.photo?.mediaType == "image/jpeg")
            #expect(throws: Failure.self) {
                try contacts.setPhoto(
                    ("image/jpeg", [UInt8](repeating: 0, count: Contacts.largestPhoto + 1)), of: ana, by: ada)
            }
            try contacts.setPhoto(nil, of: ana, by: ada)
            #expect(try contacts.card(of: ana, by: ada).photo == nil)
        }
    }
}
