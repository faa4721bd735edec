@testable import Access
import People
import SQL
import Storage
import TestSupport
import Testing

@Suite("Working on recipients", .serialized)
struct EditingTests {
    private func numbered(_ count: Int) -> String {
        "Number,Name,Score\n" + (1...count).map { "\($0),Person \($0),\($0 * 7 % 1000)\n" }.joined()
    }

    @Test(
        "An address typed by hand is one, or is refused; what a table brought stays, and does not stand in the way"
    )
    func addresses() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("People", by: ada)
            try recipients.bring("Name,E-mail,Class\nAna,not yet,5a\nBo,bo@example.org,5b\n", into: list.id)
            #expect(try recipients.get(list.id, by: ada).columns[1].role == .email)
            let ana = try #require(try recipients.page(list.id, by: ada).recipients.first).id
            try recipients.change(ana, ["E-mail": "not yet", "Class": "5c"], by: ada)
            for wrong in ["not-an-address", "a@b", "ana@example.org, bo"] {
                let failure = try #require(throws: Failure.self) {
                    try recipients.change(ana, ["E-mail": wrong], by: ada)
                }
                #expect(
                    failure.field == "cell:E-mail"
                        && failure.message.contains("“\(wrong)” is not a mail address"))
                #expect(throws: Failure.self) {
                    try recipients.add([["Name": "Cem", "E-mail": wrong]], to: list.id, by: ada)
                }
            }
            for right in ["", "ana@example.org", "Ana <ana@example.org>, bo@example.org"] {
                try recipients.change(ana, ["E-mail": right], by: ada)
            }
            #expect(
                try recipients.shown(list.id) == [
                    ["Ana", "Ana <ana@example.org>, bo@example.org", "5c"], ["Bo", "bo@example.org", "5b"],
                ])
        }
    }

    @Test(
        "Pages, searches, filters and sorts find the right ones over many chunks",
        arguments: Database.Kind.here)
    func finding(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let list = try recipients.make("Many", by: ada)
            try recipients.bring(numbered(3000), into: list.id)
            #expect(
                try recipients.shown(list.id, .init(offset: 2998, limit: 10)).map(\.first) == [
                    "2999", "3000",
                ])
            #expect(
                try recipients.shown(list.id, .init(isDescending: true, limit: 2)).map(\.first) == [
                    "3000", "2999",
                ])
            let found = try recipients.page(list.id, .init(RecipientFilter(search: "PÉRSON 2999")), by: ada)
            #expect(found.recipients.map(\.name) == ["Person 2999"])
            let sorted = try recipients.shown(list.id, .init(sort: "Score", isDescending: true, limit: 3))
            #expect(sorted.map { $0[2] } == ["999", "999", "999"])
            let above = RecipientFilter(conditions: [.init("Score", .isAbove, "990")])
            #expect(try recipients.count(list.id, above, by: ada) == 27)
            #expect(
                try recipients.shown(list.id, .init(sort: "Name", offset: 1, limit: 1)) == [
                    ["2", "Person 2", "14"]
                ])
        }
    }

    @Test("Removing many can be taken back", arguments: Database.Kind.here)
    func removing(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let list = try recipients.make("Many", by: ada)
            try recipients.bring(numbered(2000), into: list.id)
            let removed = try recipients.remove(
                RecipientFilter(conditions: [.init("Score", .isBelow, "500")]), from: list.id, by: ada)
            #expect(removed.count == 1000)
            #expect(try recipients.get(list.id, by: ada).count == 1000)
            let back = try recipients.undo(list.id, edition: removed.edition, by: ada)
            #expect(back.count == 2000)
            #expect(try recipients.shown(list.id, .init(limit: 1)).first == ["1", "Person 1", "7"])
        }
    }

    @Test("Nobody takes back what somebody else has done since")
    func undoConflict() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Few", by: ada)
            let one = try recipients.add([["Name": "Ana"]], to: list.id, by: ada)
            try recipients.add([["Name": "Bo"]], to: list.id, by: ada)
            #expect(throws: Failure.self) { try recipients.undo(list.id, edition: one.edition, by: ada) }
            #expect(try recipients.get(list.id, by: ada).count == 2)
        }
    }

    @Test("Chunks and editions that nobody can go back to are let go", arguments: Database.Kind.here)
    func forgetting(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, store in
            let list = try recipients.make("Few", by: ada)
            let added = try recipients.add([["Name": "Ana"]], to: list.id, by: ada)
            let id = try #require(added.recipients.first?.id)
            for number in 0..<60 { try recipients.change(id, column: "Name", to: "Ana \(number)", by: ada) }
            try store.read { desk in
                let editions = try desk.row("SELECT count(*) AS n FROM recipient_edition")?.int("n")
                let chunks = try desk.row("SELECT count(*) AS n FROM recipient_chunk")?.int("n")
                #expect(editions ?? 99 <= 22)
                #expect(chunks ?? 99 <= 22)
            }
            #expect(try recipients.recipient(id, by: ada).name == "Ana 59")
        }
    }

    @Test("A saved audience grows with its list")
    func audiences() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Few", by: ada)
            try recipients.add(
                [["Name": "Ana", "Town": "Rome"], ["Name": "Bo", "Town": "Oslo"]], to: list.id, by: ada)
            let audience = try recipients.saveAudience(
                "Romans", RecipientFilter(conditions: [.init("Town", .is, "rome")]), of: list.id, by: ada)
            try recipients.add([["Name": "Cy", "Town": "Rome"]], to: list.id, by: ada)
            #expect(
                try recipients.count(list.id, try recipients.audience(audience.id, by: ada).filter, by: ada)
                    == 2)
            var names: [String] = []
            try recipients.each(list.id, audience.filter, by: ada) { names.append($0.name) }
            #expect(names == ["Ana", "Cy"])
        }
    }

    @Test("A source goes with all that came from it, and comes back when that is taken back")
    func sources() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Two", by: ada)
            try recipients.bring("name\nAna\n", named: "a.csv", into: list.id)
            try recipients.bring("name\nBo\n", named: "b.csv", into: list.id)
            let source = try #require(
                try recipients.get(list.id, by: ada).sources.first { $0.name == "a.csv" })
            let removed = try recipients.removeSource(source.number, from: list.id, by: ada)
            #expect(try recipients.shown(list.id) == [["Bo"]])
            try recipients.undo(list.id, edition: removed.edition, by: ada)
            #expect(try recipients.shown(list.id) == [["Ana"], ["Bo"]])
        }
    }

    @Test("A table left half brought in makes no second list of its name")
    func halfBrought() throws {
        try withRecipients(.sqlite) { recipients, _ in
            func table(_ text: String) throws -> (list: ID<RecipientList>, table: ID<RecipientImport>) {
                let list = try recipients.begin("Pupils", by: ada).id
                let taken = try recipients.take(
                    .bytes(Array(text.utf8)), named: "Pupils.csv", into: list, by: ada)
                return (list, taken.id)
            }
            let left = try table("Name\nAna\n")
            let again = try table("Name\nAna\nBo\n")
            #expect(again.list == left.list)
            #expect(try recipients.all(by: ada).count == 1)
            #expect(throws: Failure.self) { try recipients.apply(left.table, by: ada) }
            // It is there to be gone on with, until it is brought in.
            #expect(try recipients.leftLying(in: again.list, by: ada)?.id == again.table)
            try recipients.apply(again.table, by: ada)
            #expect(try recipients.leftLying(in: again.list, by: ada) == nil)
            #expect(try recipients.shown(again.list) == [["Ana"], ["Bo"]])
            // One that holds something, or that somebody else began, is theirs.
            #expect(try table("Name\nCem\n").list != again.list)
            let mine = try table("Name\nDee\n").list
            let member = Caller(
                memberID: ID<Member>("00000000-0000-7000-8000-000000000001"), name: "Bo", role: .owner,
                via: .local)
            #expect(try recipients.begin("Pupils", by: member).id != mine)
        }
    }

    @Test(
        "A column is for the telephone when its heading says so in English, Spanish or French, or when somebody says so"
    )
    func phones() throws {
        try withRecipients(.sqlite) { recipients, _ in
            for (place, name) in [
                "Phone", "Telephone number", "Tel.", "Cell phone", "Teléfono", "Número de teléfono",
                "Celular",
                "Téléphone", "No de téléphone", "Cellulaire",
            ].enumerated() {
                let list = try recipients.make("List \(place)", by: ada)
                let typed = try recipients.addColumns(["Name", name], to: list.id, by: ada)
                #expect(typed.columns.map(\.role) == [.name, .phone], "\(name)")
            }
            let list = try recipients.make("Two", by: ada)
            let two = try recipients.addColumns(["Phone", "Mobile"], to: list.id, by: ada)
            #expect(two.columns.map(\.role) == [.phone, nil])
            try recipients.setRole(.phone, ofColumn: "Mobile", in: list.id, by: ada)
            #expect(try recipients.get(list.id, by: ada).columns.map(\.role) == [nil, .phone])
        }
    }

    @Test("Columns typed by hand are what their names say, and a list that never held anything is forgotten")
    func typedColumns() throws {
        try withRecipients(.sqlite) { recipients, _ in
            let list = try recipients.make("By hand", by: ada)
            let typed = try recipients.addColumns(["Last name", "E-mail", "Class"], to: list.id, by: ada)
            #expect(typed.columns.map(\.role) == [.lastName, .email, nil])
            // Of two that could hold the address nobody can tell which is meant.
            let two = try recipients.make("Two", by: ada)
            let asked = try recipients.addColumns(["Mother e-mail", "Father e-mail"], to: two.id, by: ada)
            #expect(asked.columns.map(\.role) == [nil, nil])
            #expect(try !recipients.forgetUnused(list.id, by: ada))
            let none = try recipients.make("Nothing", by: ada)
            #expect(try recipients.forgetUnused(none.id, by: ada))
            #expect(try recipients.all(isTrash: true, by: ada).isEmpty)
        }
    }
}
