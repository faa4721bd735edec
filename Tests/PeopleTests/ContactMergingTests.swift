import Cards
import People
import SQL
import Storage
import TestSupport
import Testing

@Suite("People who could be one", .serialized)
struct ContactMergingTests {
    private static let ana =
        "BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:Ana Pérez\nTEL;TYPE=CELL:+52 55 1234 5678\nNOTE:Tenor\nX-ODD;a=b:c\nEND:VCARD\n"
    private static let other =
        "BEGIN:VCARD\nVERSION:4.0\nUID:2\nFN:Pérez\\, Ana\nTEL:(55) 1234-5678\nitem1.EMAIL:ana@example.org\nitem1.X-ABLabel:Choir\n"
        + "NOTE:Knows Bo\nX-OTHER:kept\nCATEGORIES:Choir\nEND:VCARD\n"
    private static let bo = "BEGIN:VCARD\nVERSION:3.0\nUID:3\nFN:Bo Lind\nEMAIL:bo@example.org\nEND:VCARD\n"

    private func withThree<R>(
        _ kind: Database.Kind = .sqlite,
        _ body: (Contacts, _ ana: ID<Contact>, _ other: ID<Contact>) throws -> R
    ) throws -> R {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            try contacts.bring(
                cards: Array((Self.ana + Self.other + Self.bo).utf8), named: "a.vcf", by: ada)
            func id(_ words: String) throws -> ID<Contact> {
                try #require(try contacts.page(search: words, by: ada).contacts.first).id
            }
            return try body(contacts, try id("tenor"), try id("knows"))
        }
    }

    @Test(
        "Doubles are proposed with their reasons, are not joined by themselves, and not proposed again when they are none",
        arguments: Database.Kind.here)
    func proposing(kind: Database.Kind) throws {
        try withThree(kind) { contacts, ana, other in
            let found = try contacts.matches(by: ada)
            #expect(found.total == 1)
            let match = try #require(found.matches.first)
            #expect([match.first.id, match.second.id] == [ana, other])
            #expect(match.reasons == [.name, .phone("512345678")])
            #expect(try contacts.page(by: ada).matchCount == 3)
            try contacts.keepApart(other, ana, by: ada)
            #expect(try contacts.matches(by: ada).total == 0)
            // An office's number is nobody's alone.
            let office = (0..<9).map { "BEGIN:VCARD\nVERSION:3.0\nFN:P\($0)\nTEL:514 555 9999\nEND:VCARD\n" }
            try contacts.bring(cards: Array(office.joined().utf8), named: "b.vcf", by: ada)
            #expect(try contacts.matches(by: ada).total == 0)
        }
    }

    @Test(
        "One of two says what both said, and both are what they were when that is taken back",
        arguments: Database.Kind.here)
    func merging(kind: Database.Kind) throws {
        try withThree(kind) { contacts, ana, other in
            #expect(throws: Failure.self) { try contacts.merge(ana, with: ana, by: ada) }
            #expect(throws: Failure.self) { try contacts.merge(ana, with: other, by: viewer) }
            let act = try contacts.merge(ana, with: other, taking: [.note: .both], by: ada)
            let card = try contacts.card(of: ana, by: ada)
            #expect(
                String(decoding: card.untouched ?? [], as: UTF8.self)
                    == Self.ana.replacing(
                        "NOTE:Tenor\n", with: "NOTE:Tenor\\n\\nKnows Bo\r\n"
                    ).replacing(
                        "END:VCARD\n",
                        with:
                            "CATEGORIES:Choir\r\nitem1.EMAIL;TYPE=INTERNET:ana@example.org\r\nitem1.X-ABLabel:Choir\r\nX-OTHER:kept\r\nEND:VCARD\n"
                    ))
            #expect(try contacts.page(by: ada).contacts.map(\.name) == ["Ana Pérez", "Bo Lind"])
            #expect(try contacts.mergedInto(other, by: ada) == ana)
            #expect(try contacts.formerly(ana, by: ada) == [other])
            // The same file once more makes no double.
            let again = try contacts.bring(cards: Array(Self.other.utf8), named: "a.vcf", by: ada)
            #expect((again.counts.added, again.counts.unchanged) == (0, 1))
            #expect(try contacts.undo(act.id, by: ada).restored == 2)
            #expect(try contacts.card(of: ana, by: ada).untouched == Array(Self.ana.utf8))
            #expect(try contacts.card(of: other, by: ada).untouched == Array(Self.other.utf8))
            #expect(try contacts.mergedInto(other, by: ada) == nil)
        }
    }

    @Test("Who was changed after two became one stays so, and the other comes back")
    func undoingLater() throws {
        try withThree { contacts, ana, other in
            let act = try contacts.merge(ana, with: other, by: ada)
            var edit = CardEdit()
            edit.set(.note, "Alto")
            try contacts.edit(ana, edit, by: ada)
            let undone = try contacts.undo(act.id, by: ada)
            #expect((undone.restored, undone.kept) == (1, 1))
            #expect(try contacts.card(of: ana, by: ada)[.note] == "Alto")
            #expect(try contacts.card(of: other, by: ada).untouched == Array(Self.other.utf8))
        }
    }

    @Test("Where two differ the one is right who is chosen, and a line that is not wanted stays behind")
    func choosing() throws {
        try withThree { contacts, ana, other in
            var merge = try contacts.merge(of: ana, and: other, by: ada)
            #expect(merge.differing == [.name, .note])
            #expect(merge.lines.filter(\.isDouble).map(\.line.value) == ["(55) 1234-5678"])
            merge.choices = [.name: .second]
            #expect(merge.merged.name == "Pérez, Ana")
            let email = try #require(merge.lines.first { $0.line.kind == .email })
            try contacts.merge(ana, with: other, taking: [.note: .second], without: [email.key], by: ada)
            let card = try contacts.card(of: ana, by: ada)
            #expect(card[.note] == "Knows Bo")
            #expect(card.emails == [])
            // Nobody asked to leave the second number out.
            #expect(card.lines.filter { $0.line.kind == .phone }.count == 2)
        }
    }
}
