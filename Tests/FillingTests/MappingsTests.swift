import Filling
import Mappings
import PDFForms
import SQL
import Storage
import TestSupport
import Testing

@Suite("Saved mappings")
struct MappingsTests {
    @Test("A template has several mappings, each with a name of its own", arguments: Database.Kind.here)
    func several(kind: Database.Kind) throws {
        try withDesk(kind) { desk throws in
            let template = try desk.form()
            let first = try desk.mappings.save("name = Name", named: "School", for: template.id, by: ada)
            let second = try desk.mappings.save("name = Full", named: "school", for: template.id, by: ada)
            #expect(second.name == "school 2")
            #expect(try desk.mappings.all(of: template.id, by: viewer).map(\.id) == [first.id, second.id])
        }
    }

    @Test("What was decided once for a form is known for the next list, and texts of one list stay with it")
    func remembered() throws {
        let list = TestList(["name", "email", "Phone"], [["Ada", "a@example.org", "617-555-0100"]])
        try withDesk(list: list) { desk throws in
            let template = try desk.form(
                SampleForm.make { form in
                    for name in ["name", "home phone", "work phone"] { form.text(name) }
                })
            let batch = try desk.batch { $0.parts = [PacketPart(.template(template.id, mapping: nil))] }
            let before = try desk.batches.match(batch, by: ada)
            #expect(before.mapping["name"] == .column("name"))
            #expect(before.mapping["work phone"] == nil, "two fields fit alike")
            _ = try desk.mappings.save(
                "[fields]\nwork phone = {Phone}\nhome phone = \"none\"\n", named: "Spring", for: template.id,
                by: ada)
            let after = try desk.batches.match(batch, by: ada)
            #expect(after.mapping["work phone"] == .column("Phone"))
            #expect(after.reasons["work phone"] == "as decided before in “Spring”")
            #expect(after.mapping["home phone"] == nil)
            #expect(after.mapping["name"] == .column("name"))
        }
    }

    @Test(
        "What a mapping does not name gets what is certain, and the plan says so; what it leaves empty stays empty"
    )
    func unnamed() throws {
        let list = TestList(
            ["name", "email", "class", "Phone"], [["Ada", "a@example.org", "5a", "617-555-0100"]])
        try withDesk(list: list) { desk throws in
            let template = try desk.form(
                SampleForm.make { form in
                    for name in ["name", "class", "email", "pupil's phone"] { form.text(name) }
                })
            let text = "[fields]\nemail =\npupil's phone = {Phone}\n"
            func planned(_ text: String) throws -> (match: PartMatch, remarks: [String], values: [String]) {
                let mapping = try desk.mappings.save(text, named: "Spring", for: template.id, by: ada)
                let batch = try desk.batch {
                    $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
                }
                let match = try desk.batches.match(batch, by: ada)
                let remarks = try #require(try desk.batches.plan(batch.id, by: ada).summary).remarks
                #expect(try desk.mappings.get(mapping.id, by: ada).text == text, "nothing is written down")
                try desk.batches.fill(batch.id, by: ada)
                desk.work()
                let packet = try #require(try desk.packets(batch).first)
                let bytes = try desk.batches.file(of: packet.id, by: ada).file.bytes
                return (match, remarks, try Form(bytes: bytes).fields.map { $0.value.joined() })
            }
            let (match, remarks, values) = try planned(text)
            #expect(match.mapping["name"] == .column("name"))
            #expect(match.reasons["name"] != nil)
            #expect(match.mapping["email"] == .empty)
            #expect(match.reasons["email"] == nil)
            #expect(remarks.count == 1)
            #expect(remarks[0].contains("does not name these fields: name = {name}; class = {class}"))
            #expect(values == ["Ada", "5a", "", "617-555-0100"])
            let (kept, silent, empty) = try planned("others = keep\n\n\(text)")
            #expect(kept.mapping["name"] == nil)
            #expect(silent.isEmpty)
            #expect(empty == ["", "", "", "617-555-0100"])
        }
    }

    @Test("Nobody writes over a change they have not seen")
    func versions() throws {
        try withDesk { desk throws in
            let template = try desk.form()
            let mapping = try desk.mappings.save("a", for: template.id, by: ada)
            let changed = try desk.mappings.change(mapping.id, text: "b", ifVersion: 1, by: ada)
            #expect(changed.version == 2)
            let refused = #expect(throws: Failure.self) {
                try desk.mappings.change(mapping.id, text: "c", ifVersion: 1, by: ada)
            }
            #expect(refused?.code == .conflict)
            #expect(try desk.mappings.get(mapping.id, by: ada).text == "b")
        }
    }

    @Test("A mapping taken away comes back")
    func trash() throws {
        try withDesk { desk throws in
            let template = try desk.form()
            let mapping = try desk.mappings.save("a", for: template.id, by: ada)
            try desk.mappings.trash(mapping.id, by: ada)
            #expect(try desk.mappings.all(of: template.id, by: ada).isEmpty)
            #expect(try desk.mappings.all(of: template.id, inTrash: true, by: ada).count == 1)
            try desk.mappings.restore(mapping.id, by: ada)
            #expect(try desk.mappings.all(of: template.id, by: ada).map(\.text) == ["a"])
        }
    }
}
