import Filling
import Library
import Mappings
import PDF
import PDFForms
import SQL
import Storage
import TestSupport
import Testing
import Work
import Jobs

@Suite("Plans")
struct PlanTests {
    @Test("A plan shows what everybody would get, and makes nothing", arguments: Database.Kind.here)
    func planning(kind: Database.Kind) throws {
        try withDesk(kind) { desk throws in
            let batch = try desk.batch()
            let planned = try desk.batches.plan(batch.id, by: ada)
            #expect(planned.state == .planned)
            let summary = try #require(planned.summary)
            #expect(summary.recipients == 3)
            #expect(summary.planned == 3)
            #expect(summary.pages == 3)
            #expect(summary.problems.isEmpty)
            let packets = try desk.packets(batch)
            #expect(
                packets.map(\.fileName) == [
                    "Consent form_Pupil 1", "Consent form_Pupil 2", "Consent form_Pupil 3",
                ])
            #expect(packets.allSatisfy { $0.state == .planned && $0.digest == nil })
            #expect(try desk.queue.list().isEmpty)
        }
    }

    @Test(
        "What is missing, does not fit or has no letters is found for each packet, and such packets are held back"
    )
    func problems() throws {
        let list = TestList(
            ["name", "email", "class"],
            [
                ["", "a@example.org", "1a"],
                [
                    "Ada", "not an address",
                    "a class name that is very much too long for its narrow place on the form, really",
                ],
                ["Bea", "b@example.org", "2b"],
            ])
        try withDesk(list: list) { desk throws in
            let template = try desk.form(
                SampleForm.make { form in
                    form.text("name", ["Ff": .integer(2)])
                    form.text("class", width: 60)
                })
            let mapping = try desk.mappings.save(
                "[fields]\nname = {name}\nclass = {class}\n", for: template.id, by: ada)
            let batch = try desk.batch {
                $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            }
            let summary = try #require(try desk.batches.plan(batch.id, by: ada).summary)
            #expect(summary.planned == 1)
            #expect(summary.held == 2)
            let found = Dictionary(uniqueKeysWithValues: summary.problems.map { ($0.kind, $0.packets) })
            #expect(found[.missingValue] == 1)
            #expect(found[.doesNotFit] == 1)
            #expect(found[.badAddress] == 1)
            let held = try desk.packets(batch, .init(withProblems: true))
            #expect(held.map(\.place) == [1, 2])
            #expect(held[0].reason?.contains("must be filled in") == true)
            let details = try desk.batches.packet(held[1].id, by: viewer)
            #expect(details.problems.map(\.field).contains("class"))
            #expect(details.cells.map(\.column) == ["name", "email", "class"])
        }
    }

    @Test("Words of the list find the choices of the form; each word that needs a look is counted by itself")
    func choices() throws {
        let list = TestList(
            ["name", "email", "school", "care"],
            [
                ["Ada", "", "Elem", "Y"], ["Bea", "", "elementary SCHOOL", "n"],
                ["Cem", "", "kita", "maybe"],
                ["Dan", "", "kita", "yes"], ["Eve", "", "elem", ""],
            ])
        try withDesk(list: list) { desk throws in
            let template = try desk.form(
                SampleForm.make { form in
                    form.choice("School type", ["Kindergarten", "Elementary school", "High school"])
                    form.choice("Care", ["Yes", "No"])
                })
            let mapping = try desk.mappings.save(
                "[fields]\nSchool type = {school}\nCare = {care}\n", named: "M", for: template.id, by: ada)
            let batch = try desk.batches.make(
                BatchDraft(
                    name: "B", list: "pupils",
                    parts: [PacketPart(.template(template.id, mapping: mapping.id))], naming: "{name}"),
                by: ada)
            func counts() throws -> [String] {
                let summary = try #require(try desk.batches.plan(batch.id, by: ada).summary)
                return summary.problems.filter { $0.field != nil }.map {
                    "\($0.packets) \($0.kind) \($0.field ?? "") \($0.value ?? "") > \($0.meant ?? "")"
                }
            }
            #expect(
                try counts() == [
                    "2 noSuchChoice School type kita > ", "1 noSuchChoice Care maybe > ",
                    "1 takenAs School type Elem > Elementary school",
                    "1 takenAs School type elem > Elementary school",
                ])
            #expect(try desk.packets(batch).map(\.state) == [.planned, .planned, .held, .held, .planned])

            var decided = try Mapping(parsing: mapping.text)
            decided.decide(
                [("kita", .choice("Kindergarten")), ("elem", .choice("Elementary school"))],
                for: "School type")
            decided.decide([("maybe", .empty)], for: "Care")
            try desk.mappings.change(mapping.id, text: decided.text, by: ada)
            #expect(try counts().isEmpty)
            #expect(try desk.packets(batch).allSatisfy { $0.state == .planned })
        }
    }

    @Test(
        "Who cannot be written to is said and is among those to look at, and the packet is made all the same")
    func unreachable() throws {
        let list = TestList(
            ["name", "email"], [["Ada", ""], ["Bea", "bea at home"], ["Cem", "cem@example.org"]])
        try withDesk(list: list) { desk throws in
            let template = try desk.form()
            let mapping = try desk.mappings.save("[fields]\nname = {name}\n", for: template.id, by: ada)
            let batch = try desk.batch {
                $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            }
            let summary = try #require(try desk.batches.plan(batch.id, by: ada).summary)
            #expect(summary.planned == 3)
            #expect(Set(summary.problems.map(\.kind)) == [.noAddress, .badAddress])
            let found = try desk.packets(batch, .init(withProblems: true))
            #expect(found.map(\.name) == ["Ada", "Bea"])
            #expect(found.allSatisfy { $0.isUnreachable && $0.state == .planned })
        }
    }

    @Test(
        "Page numbers that mean nothing are said before anything is planned",
        arguments: ["p {nope}", "{page"])
    func wrongNumbers(pattern: String) throws {
        try withDesk { desk throws in
            let batch = try desk.batch { $0.options.numbering = .init(pattern: pattern) }
            let refused = #expect(throws: Failure.self) { try desk.batches.plan(batch.id, by: ada) }
            #expect(refused?.field == "numbering")
            #expect(refused?.message.contains("{pages}") == true)
        }
    }

    @Test("Two rows whose names some system takes for the same get names of their own")
    func collisions() throws {
        let list = TestList(
            ["name", "email"], [["Zoë", ""], ["ZOË", ""], ["../../etc/passwd", ""], ["CON", ""]])
        try withDesk(list: list) { desk throws in
            let batch = try desk.batch {
                $0.naming = "{name}"
                $0.parts = [PacketPart($0.parts[0].content)]
            }
            let template = try desk.templates.list(by: ada).templates[0]
            let mapping = try desk.mappings.save("[fields]\nname = {name}\n", for: template.id, by: ada)
            var draft = batch.draft
            draft.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            try desk.batches.change(batch.id, to: draft, by: ada)
            try desk.batches.plan(batch.id, by: ada)
            let names = try desk.packets(batch).map(\.fileName)
            #expect(Set(names.map { $0.lowercased() }).count == 4)
            #expect(names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && $0.lowercased() != "con" })
        }
    }

    @Test("A condition leaves parts out, and who gets nothing is held back")
    func conditions() throws {
        try withDesk { desk throws in
            let batch = try desk.batch { $0.parts[0].condition = "{agrees} = \"yes\"" }
            let summary = try #require(try desk.batches.plan(batch.id, by: ada).summary)
            #expect(summary.planned == 1)
            #expect(summary.held == 2)
            #expect(summary.problems.map(\.kind) == [.noParts])
        }
    }

    @Test("What cannot be planned says why, in words")
    func refusals() throws {
        try withDesk { desk throws in
            func reason(_ change: (inout BatchDraft) -> Void) throws -> String? {
                let batch = try desk.batch(change)
                let failure = #expect(throws: Failure.self) { try desk.batches.plan(batch.id, by: ada) }
                return failure?.message
            }
            #expect(try reason { $0.list = nil } == "Choose the list of recipients first.")
            #expect(try reason { $0.parts = [] } == "Choose what the packets are made from first.")
            #expect(try reason { $0.naming = "{nobody}" }?.contains("nobody") == true)
            #expect(try reason { $0.parts[0].condition = "{class" } != nil)
            #expect(try reason { $0.options.locale = "xx-YY" } == "There is no locale “xx-YY”.")
        }
    }

    @Test("A draft that changes needs a new plan, and loses its approval")
    func changing() throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.approve(batch.id, by: ada)
            var draft = batch.draft
            draft.name = "Another name"
            #expect(try desk.batches.change(batch.id, to: draft, by: ada).state == .approved)
            draft.naming = "{name}"
            let changed = try desk.batches.change(batch.id, to: draft, by: ada)
            #expect(changed.state == .draft)
            #expect(changed.approvedAt == nil)
            #expect(throws: Failure.self) { try desk.batches.fill(batch.id, by: ada) }
        }
    }

    @Test("A row says the same after it was kept, whatever stands in it", arguments: Database.Kind.here)
    func keptRows(kind: Database.Kind) throws {
        let texts = [
            ["Zoë \"Zo\" Ångström", "a\\b", "", "two\nlines"], ["Bo", "", "", ""], ["null", "[]", ",", "]"],
            ["سارة", "01.02.2024", "1.50", "TRUE"],
        ]
        try withDesk(kind, list: TestList(["name", "email", "class", "agrees"], texts)) { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            for (packet, row) in zip(try desk.packets(batch), TestList(["name"], texts).rows) {
                let details = try desk.batches.packet(packet.id, by: ada)
                #expect(details.cells.map(\.cell) == row.cells)
                #expect(details.source == "people.csv")
            }
        }
    }

    @Test("The second plan takes the place of the first, whole")
    func again() throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            let first = try desk.packets(batch)
            var draft = batch.draft
            draft.naming = "{name}"
            try desk.batches.change(batch.id, to: draft, by: ada)
            try desk.batches.plan(batch.id, by: ada)
            #expect(try desk.packets(batch).map(\.fileName) == ["Pupil 1", "Pupil 2", "Pupil 3"])
            #expect(throws: Failure.self) { try desk.batches.packet(first[0].id, by: ada) }
            let rows = try desk.store.read { desk in
                try desk.row("SELECT count(*) AS n FROM packet")?.int("n")
            }
            #expect(rows == 3)
        }
    }

    @Test("Without a mapping what is certain is filled in, and the rest is said")
    func suggestions() throws {
        try withDesk { desk throws in
            let batch = try desk.batch { draft in
                guard case .template(let id, _) = draft.parts[0].content else { return }
                draft.parts = [PacketPart(.template(id, mapping: nil))]
            }
            let planned = try desk.batches.plan(batch.id, by: ada)
            #expect(planned.summary?.held == 0)
            let packet = try desk.packets(batch)[0]
            let form = try Form(bytes: desk.batches.file(of: packet.id, by: viewer).file.bytes)
            #expect(form.fields.first { $0.name == "name" }?.value == ["Pupil 1"])
        }
    }
}
