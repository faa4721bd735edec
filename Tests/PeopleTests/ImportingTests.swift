import Archives
import People
import SQL
import Storage
import Tables
import TestSupport
import Testing
import Work

@Suite("Bringing recipients in", .serialized)
struct ImportingTests {
    private let first =
        "Id;Name;E-Mail;Town\n1;Ana;ana@example.org;Rome\n2;Bo;bo@example.org;Oslo\n3;Cy;cy@example.org;Lima\n"

    @Test("The rows of a file are recipients with names and addresses", arguments: Database.Kind.here)
    func simple(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            #expect(try recipients.bring(first, into: list.id).added == 3)
            let page = try recipients.page(list.id, by: ada)
            #expect(page.matchCount == 3)
            #expect(page.recipients.map(\.name) == ["Ana", "Bo", "Cy"])
            #expect(page.recipients.map(\.email) == ["ana@example.org", "bo@example.org", "cy@example.org"])
            #expect(page.recipients.map(\.place) == [2, 3, 4])
            #expect(page.list.sources.map(\.name) == ["people.csv"])
            let id = try #require(page.recipients.last?.id)
            #expect(try recipients.recipient(id, by: ada) == page.recipients.last)
        }
    }

    @Test("A preview says what will happen and changes nothing", arguments: Database.Kind.here)
    func preview(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            try recipients.bring(first, into: list.id)
            let second =
                "Id;Name;E-Mail;Town\n1;Ana;ana@example.org;Rome\n2;Bo;bo@example.org;Bergen\n4;Di;di@example.org;Bonn\n5;Ed\n"
            let pending = try recipients.take(
                .bytes(Array(second.utf8)), named: "people.csv", into: list.id, by: ada)
            let preview = try recipients.preview(pending.id, by: ada)
            #expect(preview.replacesSource)
            #expect(preview.key.column == "Id")
            #expect(preview.counts.added == 1)
            #expect(preview.counts.changed == 1)
            #expect(preview.counts.unchanged == 1)
            #expect(preview.counts.gone == 1)
            #expect(preview.counts.flawed == 1)
            #expect(preview.examples.first { $0.what == .changed }?.detail == "Town: Oslo → Bergen")
            #expect(preview.examples.first { $0.what == .gone }?.detail.contains("Cy") == true)
            #expect(preview.shape.separator == ";")
            #expect(try recipients.get(list.id, by: ada).count == 3)
        }
    }

    @Test(
        "Bringing a file in again replaces its rows, keeps ids, and leaves the others alone",
        arguments: Database.Kind.here)
    func again(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            try recipients.bring(first, into: list.id)
            try recipients.add([["Name": "Zoe", "E-Mail": "zoe@example.org"]], to: list.id, by: ada)
            let before = try recipients.page(list.id, by: ada).recipients
            try recipients.bring(
                "Town;Name;Id;E-Mail\nBergen;Bo;2;bo@example.org\nBonn;Di;4;di@example.org\n", into: list.id)
            let after = try recipients.page(list.id, by: ada).recipients
            #expect(
                after.map { $0.cells.map(\.shown) } == [
                    ["2", "Bo", "bo@example.org", "Bergen"], ["4", "Di", "di@example.org", "Bonn"],
                    ["", "Zoe", "zoe@example.org", ""],
                ])
            #expect(after[0].id == before[1].id)
            #expect(after[2].id == before[3].id)
            #expect(!before.map(\.id).contains(after[1].id))
        }
    }

    @Test("A small file that says a long text many times does not fill the disk, and nothing of it stays")
    func growing() throws {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        let long = String(repeating: "quire ", count: 150_000)
        let content =
            "<document><table name=\"A\"><table-row number-rows-repeated=\"9000\"><table-cell><p>\(long)</p></table-cell></table-row></table></document>"
        try zip.add("content.xml", Array(content.utf8), modified: Moment(milliseconds: 0))
        try zip.finish()
        try withRecipients { recipients, store in
            let list = try recipients.make("Members", by: ada)
            let pending = try recipients.take(.bytes(bytes), named: "long.ods", into: list.id, by: ada)
            for look in [true, false] {
                let failure = #expect(throws: Failure.self) {
                    if look {
                        _ = try recipients.preview(pending.id, by: ada)
                    } else {
                        try recipients.apply(pending.id, by: ada)
                    }
                }
                #expect(failure?.message.contains("its cells take more than 128 MB") == true)
            }
            #expect(try recipients.get(list.id, by: ada).count == 0)
            let chunks = try store.read { desk in
                try desk.row("SELECT COUNT(*) AS n FROM recipient_chunk")?.integer("n")
            }
            #expect(chunks == 0)
        }
    }

    @Test("A look at the beginning of a long table does not call the rest of it gone")
    func beginning() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            let rows = "Id,Name\n" + (1...500).map { "\($0),P\($0)\n" }.joined()
            try recipients.bring(rows, into: list.id)
            let pending = try recipients.take(
                .bytes(Array(rows.utf8)), named: "people.csv", into: list.id, by: ada)
            let look = try recipients.preview(pending.id, comparing: false, by: ada)
            #expect(!look.isWhole && look.counts.gone == 0 && look.examples.isEmpty)
            let whole = try recipients.preview(pending.id, by: ada)
            #expect(whole.isWhole && whole.counts.unchanged == 500 && whole.counts.gone == 0)
        }
    }

    @Test("The same file again changes nothing")
    func same() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            try recipients.bring(first, into: list.id)
            let counts = try recipients.bring(first, into: list.id)
            #expect(counts.unchanged == 3)
            #expect(counts.added + counts.changed + counts.gone == 0)
        }
    }

    @Test("A family with one address for all stays the same people when the table comes again")
    func family() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            let first = "Name,E-Mail,Class\nAna,f@example.org,1a\nBo,f@example.org,2a\nCy,c@example.org,3a\n"
            try recipients.bring(first, into: list.id)
            let ids = try recipients.page(list.id, by: ada).recipients.map(\.id)
            let same = try recipients.bring(first, into: list.id)
            #expect(same.unchanged == 3 && same.added + same.changed + same.gone == 0)
            // One who is new stands first, and the elder one is in another class.
            let next =
                "Name,E-Mail,Class\nDi,f@example.org,1a\nBo,f@example.org,2b\nAna,f@example.org,1a\nCy,c@example.org,3a\n"
            let pending = try recipients.take(
                .bytes(Array(next.utf8)), named: "people.csv", into: list.id, by: ada)
            let promised = try recipients.preview(pending.id, by: ada).counts
            let counts = try #require(try recipients.apply(pending.id, by: ada).counts)
            #expect(counts == promised)
            #expect([counts.added, counts.changed, counts.unchanged, counts.gone] == [1, 1, 2, 0])
            let now = try recipients.page(list.id, by: ada).recipients
            #expect(now.map(\.name) == ["Di", "Bo", "Ana", "Cy"])
            #expect(now.dropFirst().map(\.id) == [ids[1], ids[0], ids[2]])
        }
    }

    @Test("A row without a key is known again by all it says")
    func keyless() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            let table = first + ";Di;;Rome\n;Ed;;Rome\n"
            try recipients.bring(table, into: list.id)
            let before = try recipients.page(list.id, by: ada).recipients
            let counts = try recipients.bring(table.replacing(";Ed;;Rome", with: ";Ed;;Bonn"), into: list.id)
            #expect(counts.unchanged == 4)
            #expect(counts.added == 1 && counts.gone == 1)
            #expect(try recipients.page(list.id, by: ada).recipients[3].id == before[3].id)
        }
    }

    @Test("A cell typed over by hand stays, unless the file has changed it meanwhile")
    func edits() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            try recipients.bring(first, into: list.id)
            let people = try recipients.page(list.id, by: ada).recipients
            try recipients.change(people[0].id, column: "Town", to: "Roma", by: ada)
            try recipients.change(people[1].id, column: "Town", to: "Trondheim", by: ada)
            let cell = try recipients.recipient(people[0].id, by: ada).cells[3]
            #expect(cell.isEdited)
            #expect(cell.raw == "Rome")
            #expect(cell.shown == "Roma")
            let counts = try recipients.bring(first.replacing("Oslo", with: "Bergen"), into: list.id)
            #expect(counts.keptEdits == 1)
            #expect(counts.lostEdits == 1)
            #expect(try recipients.shown(list.id).map(\.last) == ["Roma", "Bergen", "Lima"])
        }
    }

    @Test(
        "A flawed row is set aside, mended, and known again when its file comes again",
        arguments: Database.Kind.here)
    func mending(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            let text = "Id;Name;Town\n1;Ana;Rome\n2;Bo\n3;Cy;Lima\n"
            #expect(try recipients.bring(text, into: list.id).flawed == 1)
            let (rows, count) = try recipients.quarantine(list.id, by: ada)
            #expect(count == 1)
            let row = try #require(rows.first)
            #expect(row.place == 3)
            #expect(row.sourceText == "2;Bo")
            #expect(row.flaw == "The row has only 2 of 3 cells.")
            #expect(throws: Failure.self) { try recipients.mend(row.id, text: "2;Bo;Oslo;x", by: ada) }
            let mended = try recipients.mend(row.id, text: "2;Bo;Oslo", by: ada)
            #expect(mended.recipients.first?.cells.map(\.shown) == ["2", "Bo", "Oslo"])
            #expect(try recipients.shown(list.id).map(\.last) == ["Rome", "Oslo", "Lima"])
            #expect(try recipients.get(list.id, by: ada).flawCount == 0)
            let counts = try recipients.bring(text, into: list.id)
            #expect(counts.mended == 1)
            #expect(counts.flawed == 0)
            #expect(try recipients.shown(list.id).map(\.last) == ["Rome", "Oslo", "Lima"])
        }
    }

    @Test("Exactly one e-mail column is taken; otherwise it is asked for, with a reason")
    func emails() throws {
        try withRecipients { recipients, _ in
            func choice(_ text: String) throws -> EmailChoice {
                let list = try recipients.make("Some", by: ada)
                let pending = try recipients.take(
                    .bytes(Array(text.utf8)), named: "a.csv", into: list.id, by: ada)
                return try recipients.preview(pending.id, by: ada).email
            }
            #expect(try choice("name,e-mail\nAna,ana@example.org\n").column == "e-mail")
            #expect(try choice("name,contact\nAna,ana@example.org\nBo,bo@example.org\n").column == "contact")
            let two = try choice("name,email,parent email\nAna,ana@example.org,mum@example.org\n")
            #expect(two.column == nil)
            #expect(two.isAsked)
            #expect(two.candidates == ["email", "parent email"])
            let none = try choice("name,town\nAna,Rome\n")
            #expect(none.column == nil)
            #expect(!none.isAsked)
        }
    }

    @Test("What cannot be read fails with a sentence and leaves the list as it was")
    func unreadable() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            let pending = try recipients.take(
                .bytes(Array("%PDF-1.7".utf8)), named: "x.csv", into: list.id, by: ada)
            #expect {
                try recipients.preview(pending.id, by: ada)
            } throws: { ($0 as? Failure)?.message == "This is a PDF, not a table." }
            #expect(throws: Failure.self) { try recipients.apply(pending.id, by: ada) }
            #expect(try recipients.get(list.id, by: ada).edition == list.edition)
        }
    }

    @Test("Applying twice brings the rows in once")
    func twice() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            let pending = try recipients.take(
                .bytes(Array(first.utf8)), named: "a.csv", into: list.id, by: ada)
            try recipients.apply(pending.id, by: ada)
            try recipients.apply(pending.id, by: ada)
            #expect(try recipients.get(list.id, by: ada).count == 3)
        }
    }

    @Test("Viewers look and do not change")
    func rights() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Members", by: ada)
            #expect(try recipients.get(list.id, by: viewer).name == "Members")
            #expect(throws: Failure.self) { try recipients.add([["Name": "X"]], to: list.id, by: viewer) }
        }
    }
}
