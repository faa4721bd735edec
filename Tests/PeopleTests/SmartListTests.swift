import Access
import Jobs
import People
import SQL
import Storage
import Tables
import TestSupport
import Testing
import Work

@Suite("Smart lists", .serialized)
struct SmartListTests {
    private static func card(_ uid: Int, _ name: String, _ tags: String = "", _ more: String = "") -> String {
        let tags = tags.isEmpty ? "" : "CATEGORIES:\(tags)\n"
        return
            "BEGIN:VCARD\nVERSION:3.0\nUID:\(uid)\nFN:\(name)\nEMAIL:\(uid)@example.org\n\(tags)\(more)END:VCARD\n"
    }

    private static let three =
        card(1, "Ana Pérez", "Choir", "ADR:;;Gasse 1;Bern;;3000;\n") + card(2, "Bo Lind")
        + card(3, "Cy Ng", "Choir")

    private func withThree<R>(
        _ kind: Database.Kind = .sqlite, wall: HandClock = HandClock(),
        _ body: (Contacts, Recipients) throws -> R
    ) throws -> R {
        try withStore(
            kind, areas: [Gate.migrations, JobQueue.migrations, Recipients.migrations], clock: wall.clock
        ) { store in
            let recipients = Recipients(Gate(store), queue: JobQueue(store))
            let contacts = Contacts(recipients)
            try contacts.bring(cards: Array(Self.three.utf8), named: "a.vcf", by: ada)
            return try body(contacts, recipients)
        }
    }

    private func names(_ recipients: Recipients, _ list: ID<RecipientList>) throws -> [String] {
        try recipients.page(list, by: ada).recipients.map(\.name)
    }

    @Test(
        "Whoever matches now is on it, whoever reads it and however it came to be",
        arguments: Database.Kind.here)
    func following(kind: Database.Kind) throws {
        try withThree(kind) { contacts, recipients in
            let choir = try recipients.make("Choir", asking: ContactQuestion(tag: "Choir"), by: ada)
            #expect(choir.count == 2 && choir.question?.tag == "Choir")
            #expect(
                choir.columns.map(\.name) == [
                    "Name", "First name", "Last name", "E-mail", "Phone", "Street", "Postal code", "City",
                    "Country",
                ])
            #expect(try names(recipients, choir.id) == ["Ana Pérez", "Cy Ng"])
            let ana = try #require(try recipients.page(choir.id, by: ada).recipients.first)
            #expect(ana.email == "1@example.org" && ana.cells.map(\.shown).contains("Bern"))
            // Nothing has changed: it stays the edition it was.
            #expect(try recipients.get(choir.id, by: ada).edition == choir.edition)

            let bo = try #require(try contacts.page(search: "lind", by: ada).contacts.first)
            let tagged = try #require(try contacts.tag([bo.id], adding: ["Choir"], by: ada))
            #expect(try recipients.all(by: viewer).map(\.count) == [3])
            #expect(try recipients.count(choir.id, by: viewer) == 3)
            var each: [String] = []
            try recipients.each(choir.id, by: ada) { each.append($0.name) }
            #expect(each == ["Ana Pérez", "Bo Lind", "Cy Ng"])
            // A person stays who they are, whatever becomes of their card.
            try contacts.bring(
                cards: Array(Self.card(1, "Ana P.", "Choir").utf8), named: "b.vcf", by: ada)
            #expect(try recipients.recipient(ana.id, by: ada).name == "Ana P.")
            try contacts.undo(tagged.id, by: ada)
            #expect(try names(recipients, choir.id) == ["Ana P.", "Cy Ng"])
            let gone = try #require(
                try contacts.remove([try contacts.page(search: "ana", by: ada).contacts[0].id], by: ada))
            #expect(try names(recipients, choir.id) == ["Cy Ng"])
            #expect(try recipients.recipients([ana.id], of: choir.id, by: ada).isEmpty)
            // Who comes back has their old place.
            try contacts.undo(gone.id, by: ada)
            #expect(try recipients.recipient(ana.id, by: ada).name == "Ana P.")
        }
    }

    @Test("Nobody changes by hand who is on it, and it never holds more than its question asks for")
    func refusing() throws {
        try withThree { contacts, recipients in
            #expect(throws: Failure.self) {
                try recipients.make("Bern", asking: ContactQuestion(words: "bern"), by: viewer)
            }
            for question in [
                ContactQuestion(), ContactQuestion(words: "  "), ContactQuestion(words: "a b c d e f g h i"),
            ] {
                #expect(throws: Failure.self) { try recipients.make("All", asking: question, by: ada) }
            }
            #expect(try recipients.all(by: ada).isEmpty)
            let bern = try recipients.make("Bern", asking: ContactQuestion(words: "bern"), by: ada)
            let ana = try #require(try recipients.page(bern.id, by: ada).recipients.first)
            #expect(throws: Failure.self) { try recipients.add([["Name": "Eve"]], to: bern.id, by: ada) }
            #expect(throws: Failure.self) { try recipients.change(ana.id, ["Name": "Eve"], by: ada) }
            #expect(throws: Failure.self) { try recipients.remove([ana.id], from: bern.id, by: ada) }
            #expect(throws: Failure.self) { try recipients.undo(bern.id, edition: bern.edition, by: ada) }
            #expect(throws: Failure.self) {
                try recipients.take(.bytes(Array("a\n1".utf8)), named: "a.csv", into: bern.id, by: ada)
            }
            let bo = try contacts.page(search: "lind", by: ada).contacts[0].id
            #expect(throws: Failure.self) { try contacts.add([bo], to: bern.id, by: ada) }
            #expect(try names(recipients, bern.id) == ["Ana Pérez"])

            // Nobody matching is nobody, not everybody.
            let empty = try recipients.ask(ContactQuestion(tag: "Gone"), of: bern.id, by: ada)
            #expect(try empty.count == 0 && names(recipients, bern.id).isEmpty)
            let back = try recipients.ask(ContactQuestion(words: "ana"), of: bern.id, by: ada)
            #expect(try back.count == 1 && recipients.recipient(ana.id, by: ada).name == "Ana Pérez")
            let plain = try recipients.make("Plain", by: ada)
            #expect(throws: Failure.self) {
                try recipients.ask(ContactQuestion(words: "ana"), of: plain.id, by: ada)
            }
            // In the trash it rests; taken out it holds whoever matches by then.
            try recipients.trash(bern.id, by: ada)
            try contacts.remove([try contacts.page(search: "ana", by: ada).contacts[0].id], by: ada)
            #expect(throws: Failure.self) {
                try recipients.ask(ContactQuestion(words: "bo"), of: bern.id, by: ada)
            }
            #expect(try recipients.restore(bern.id, by: ada).name == "Bern")
            #expect(try recipients.get(bern.id, by: ada).count == 0)
        }
    }

    @Test("One that asks for a day lets people come and go as days pass")
    func days() throws {
        let hand = HandClock()
        try withThree(wall: hand) { contacts, recipients in
            let bo = try contacts.page(search: "lind", by: ada).contacts[0].id
            try contacts.plan(
                FollowUp(on: contacts.today.adding(days: 8).dayText, note: "tea"), of: bo, by: ada)
            let week = try recipients.make("Soon", asking: ContactQuestion(due: .week), by: ada)
            let late = try recipients.make("Late", asking: ContactQuestion(due: .overdue), by: ada)
            #expect(week.count == 0 && late.count == 0)
            hand.advance(.seconds(3 * 86_400))
            #expect(try names(recipients, week.id) == ["Bo Lind"])
            #expect(try names(recipients, late.id).isEmpty)
            hand.advance(.seconds(6 * 86_400))
            #expect(try names(recipients, week.id).isEmpty)
            #expect(try names(recipients, late.id) == ["Bo Lind"])
            try contacts.followedUp(bo, by: ada)
            #expect(try names(recipients, late.id).isEmpty)
        }
    }
}
