import Bytes
import Filling
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Drafts of batches")
struct DraftTests {
    @Test("A draft says the same after it was kept and read again", arguments: Database.Kind.here)
    func keeping(kind: Database.Kind) throws {
        try withDesk(kind) { desk throws in
            let template = try desk.form()
            let mapping = try desk.mappings.save("a", for: template.id, by: ada)
            let paper = try desk.documents.add(.bytes(SampleForm.make { _ in }), named: "Rules.pdf", by: ada)
                .document
            var draft = BatchDraft(name: " Consent\t2026 ", list: "some list")
            draft.parts = [
                PacketPart(.template(template.id, mapping: mapping.id)),
                PacketPart(.document(paper.id), condition: "{class} = \"3a\""),
                PacketPart(.attachment(pattern: "Certificate {id}.pdf")),
            ]
            draft.options.numbering = .init(
                pattern: "{page} / {pages}", bates: .init(prefix: "A-", first: 7, digits: 4))
            draft.options.overflow = .continuation
            draft.options.metadata.title = "\"Consent of \" & {Name}"
            let batch = try desk.batches.make(draft, by: ada)
            draft.name = "Consent 2026"
            #expect(batch.draft == draft)
            #expect(batch.state == .draft)
            #expect(try desk.batches.get(batch.id, by: viewer) == batch)
            #expect(try BatchDraft(JSON(parsing: draft.json.text)) == draft)
        }
    }

    @Test("What a change leaves out stays as it was, and unseen changes are not written over")
    func changing() throws {
        try withDesk { desk throws in
            let batch = try desk.batches.make(BatchDraft(name: "One", naming: "{id}"), by: ada)
            let draft = try BatchDraft(["options": ["flatten": true]], changing: batch.draft)
            let changed = try desk.batches.change(batch.id, to: draft, ifVersion: 1, by: ada)
            #expect(changed.draft.naming == "{id}")
            #expect(changed.draft.options.flattens)
            #expect(changed.version == 2)
            #expect(throws: Failure.self) {
                try desk.batches.change(batch.id, to: batch.draft, ifVersion: 1, by: ada)
            }
        }
    }

    @Test("A copy gets a free name and remembers what it is a copy of")
    func copying() throws {
        try withDesk { desk throws in
            let batch = try desk.batches.make(BatchDraft(name: "Consent"), by: ada)
            let copy = try desk.batches.duplicate(batch.id, by: ada)
            #expect(copy.name == "Consent 2")
            #expect(copy.previous == batch.id)
        }
    }

    @Test("Batches are listed, the newest first, taken away and brought back")
    func listing() throws {
        try withDesk { desk throws in
            let first = try desk.batches.make(BatchDraft(name: "First"), by: ada)
            desk.hand.advance(.seconds(1))
            _ = try desk.batches.make(BatchDraft(name: "Second"), by: ada)
            #expect(try desk.batches.list(by: viewer).batches.map(\.name) == ["Second", "First"])
            try desk.batches.trash(first.id, by: ada)
            #expect(try desk.batches.list(by: viewer).batches.map(\.name) == ["Second"])
            #expect(try desk.batches.list(.init(isTrash: true), by: viewer).matchCount == 1)
            try desk.batches.restore(first.id, by: ada)
            #expect(try desk.batches.list(.init(filter: "fir"), by: viewer).matchCount == 1)
        }
    }

    @Test(
        "What cannot be a draft is refused in words",
        arguments: [
            #"{"name": ""}"#, #"{"name": "x", "parts": [{"kind": "picture"}]}"#,
            #"{"name": "x", "parts": [{"kind": "template"}]}"#,
            #"{"name": "x", "options": {"overflow": "cut"}}"#,
            #"{"name": "x", "options": {"numbering": {"kind": "bates", "digits": 99}}}"#, "[]",
        ])
    func refusal(text: String) throws {
        try withDesk { desk throws in
            let given = try JSON(parsing: text)
            let refused = #expect(throws: Failure.self) {
                try desk.batches.make(BatchDraft(given), by: ada)
            }
            #expect(refused?.code == .invalid)
        }
    }
}
