import Bytes
import Filling
import Jobs
import Mappings
import PDF
import PDFForms
import SQL
import Storage
import Synchronization
import TestSupport
import Testing
import Work

@Suite("Making packets")
struct FillTests {
    @Test("Every recipient gets exactly one packet, with what the row says", arguments: Database.Kind.here)
    func making(kind: Database.Kind) throws {
        try withDesk(kind, list: .pupils(700)) { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            let job = try desk.batches.fill(batch.id, by: ada)
            desk.work()
            #expect(try desk.queue.get(job)?.state == .done)
            let done = try desk.batches.get(batch.id, by: ada)
            #expect(done.state == .done)
            #expect(done.job == nil)
            #expect(try desk.batches.counts(of: batch.id, by: viewer) == [.made: 700])
            let packet = try desk.packets(batch, .init(filter: "pupil 412"))[0]
            let (_, file, isAsMade) = try desk.batches.file(of: packet.id, by: viewer)
            #expect(isAsMade)
            #expect(Digest(of: file.bytes) == packet.digest)
            #expect(file.bytes.count == Int(packet.byteCount))
            let form = try Form(bytes: file.bytes)
            #expect(form.fields.map(\.value) == [["Pupil 412"], ["2a"], ["Yes"]])
        }
    }

    @Test("A batch that is being made is not begun twice")
    func twice() throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            let refused = #expect(throws: Failure.self) { try desk.batches.fill(batch.id, by: ada) }
            #expect(refused?.message == "This batch is being made already.")
            desk.work()
            #expect(throws: Failure.self) { try desk.batches.fill(batch.id, by: ada) }
            #expect(throws: Failure.self) { try desk.batches.plan(batch.id, by: ada) }
            #expect(throws: Failure.self) {
                try desk.batches.change(batch.id, to: BatchDraft(name: "x"), by: ada)
            }
        }
    }

    @Test("Paused work goes on where it stood, cancelled work can be made complete")
    func pausing() throws {
        try withDesk(list: .pupils(10)) { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            #expect(try desk.batches.pause(batch.id, by: ada).state == .paused)
            desk.work()
            #expect(try desk.batches.counts(of: batch.id, by: ada) == [.planned: 10])
            try desk.batches.resume(batch.id, by: ada)
            try desk.batches.cancel(batch.id, by: ada)
            desk.work()
            #expect(try desk.batches.get(batch.id, by: ada).state == .cancelled)
            try desk.batches.remake(batch.id, by: ada)
            desk.work()
            #expect(try desk.batches.counts(of: batch.id, by: ada) == [.made: 10])
            let refused = #expect(throws: Failure.self) { try desk.batches.remake(batch.id, by: ada) }
            #expect(refused?.message == "Nothing is missing: every packet has been made.")
        }
    }

    @Test("A template replaced, a mapping changed or taken away meanwhile changes no packet of the batch")
    func pinned() throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            let template = try desk.templates.list(by: ada).templates[0]
            let mapping = try desk.mappings.all(of: template.id, by: ada)[0]
            try desk.mappings.change(mapping.id, text: "[fields]\nname = \"Somebody else\"\n", by: ada)
            try desk.templates.trash(template.id, by: ada)
            desk.hand.advance(.seconds(40 * 86_400))
            try desk.templates.purgeTrash()
            _ = try desk.store.sweep(grace: .zero)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            let packet = try desk.packets(batch)[0]
            let form = try Form(bytes: desk.batches.file(of: packet.id, by: ada).file.bytes)
            #expect(form.fields[0].value == ["Pupil 1"])
        }
    }

    @Test("A template replaced in the middle of the making changes none of its packets")
    func replacedMeanwhile() throws {
        try withDesk(list: .pupils(200)) { desk throws in
            struct Interrupted: Error {}
            let portions = Mutex(0)
            let batches = Batches(
                templates: desk.templates, mappings: desk.mappings, documents: desk.documents,
                queue: desk.queue, rows: TestList.pupils(200).source,
                witness: .init(made: { _, _, _ in
                    let count = portions.withLock { portions in
                        portions += 1
                        return portions
                    }
                    if count == 2 { throw Interrupted() }
                }))
            func work() {
                let runner = JobRunner(desk.queue, threads: 1)
                batches.handle(in: runner)
                runner.runUntilIdle()
                runner.stop()
            }
            let batch = try desk.batch()
            try batches.plan(batch.id, by: ada)
            try batches.fill(batch.id, by: ada)
            work()
            let made = try batches.counts(of: batch.id, by: ada)[.made] ?? 0
            #expect(made > 0 && made < 200)

            let template = try desk.templates.list(by: ada).templates[0]
            let mapping = try desk.mappings.all(of: template.id, by: ada)[0]
            let other = SampleForm.make { form in
                form.text("class")
                form.text("name", width: 100)
            }
            _ = try desk.templates.replace(template.id, with: .bytes(other), by: ada)
            try desk.mappings.change(mapping.id, text: "[fields]\nname = \"Somebody else\"\n", by: ada)
            desk.hand.advance(.seconds(3600))
            work()
            #expect(try batches.counts(of: batch.id, by: ada) == [.made: 200])
            for packet in try desk.packets(batch, .init(limit: 200)) {
                let form = try Form(bytes: batches.file(of: packet.id, by: ada).file.bytes)
                #expect(form.fields.map(\.name) == ["name", "class", "agrees"])
                #expect(form.fields[0].value == [packet.name])
            }
        }
    }

    @Test("Somebody else has to approve, where the batch asks for it")
    func approval() throws {
        try withDesk { desk throws in
            let batch = try desk.batch { $0.options.needsSecondMember = true }
            try desk.batches.plan(batch.id, by: ada)
            let refused = #expect(throws: Failure.self) { try desk.batches.fill(batch.id, by: ada) }
            #expect(refused?.code == .conflict)
            #expect(throws: Failure.self) { try desk.batches.approve(batch.id, by: ada) }
            try desk.batches.approve(batch.id, by: member(2))
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            #expect(try desk.batches.get(batch.id, by: ada).state == .done)
        }
    }

    @Test("Packets held back are made when somebody says so")
    func held() throws {
        try withDesk(
            list: TestList(
                ["name", "email", "class", "agrees"], [["", "", "1a", "yes"], ["Bea", "", "1a", "no"]])
        ) {
            desk throws in
            let template = try desk.form(SampleForm.make { $0.text("name", ["Ff": .integer(2)]) })
            let mapping = try desk.mappings.save("[fields]\nname = {name}\n", for: template.id, by: ada)
            let batch = try desk.batch {
                $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            #expect(try desk.batches.counts(of: batch.id, by: ada) == [.made: 1, .held: 1])
            try desk.batches.remake(batch.id, held: true, by: ada)
            desk.work()
            #expect(try desk.batches.counts(of: batch.id, by: ada) == [.made: 2])
        }
    }

    @Test("A copy of a batch tells who would get something else than last time")
    func changes() throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            let copy = try desk.batches.duplicate(batch.id, by: ada)
            var summary = try #require(try desk.batches.plan(copy.id, by: ada).summary)
            #expect([summary.same, summary.changed, summary.new] == [3, 0, 0])
            var draft = copy.draft
            draft.options.onlyChanged = true
            let template = try desk.templates.list(by: ada).templates[0]
            let mapping = try desk.mappings.save(
                "[fields]\nclass = {class}\nname = if({name} = \"Pupil 2\", \"Changed\", {name})\nagrees = {agrees}\n",
                for: template.id,
                by: ada)
            draft.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            try desk.batches.change(copy.id, to: draft, by: ada)
            summary = try #require(try desk.batches.plan(copy.id, by: ada).summary)
            #expect([summary.same, summary.changed, summary.new] == [2, 1, 0])
            #expect([summary.left, summary.planned] == [2, 1])
            #expect(try desk.packets(copy, .init(state: .planned)).map(\.name) == ["Pupil 2"])
        }
    }

    @Test("A receipt says which template and which row made which value, and is the same each time")
    func receipts() throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            let packet = try desk.packets(batch)[1]
            let receipt = try desk.batches.receipt(of: packet.id, by: viewer)
            #expect(receipt == (try desk.batches.receipt(of: packet.id, by: viewer)))
            #expect(receipt["document"]?["sha256"]?.string == packet.digest?.hex)
            #expect(receipt["proven"]?.bool == true)
            let part = try #require(receipt["parts"]?[0])
            #expect(part["template"]?["sha256"]?.string == Digest(of: SampleForm.consent()).hex)
            #expect(part["fields"]?[0]?["field"]?.string == "name")
            #expect(part["fields"]?[0]?["value"]?.string == "Pupil 2")
            #expect(part["fields"]?[0]?["source"]?.string == "{name}, row 3")
        }
    }

    @Test("A value tells its cell and what was done with it")
    func origins() throws {
        try withDesk { desk throws in
            let template = try desk.form()
            let mapping = try desk.mappings.save(
                "[fields]\nname = upper({name}) & \" (\" & {class} & \")\"\nagrees =\n", for: template.id,
                by: ada)
            let batch = try desk.batch {
                $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            }
            try desk.batches.plan(batch.id, by: ada)
            let packet = try desk.packets(batch)[0]
            let origin = try desk.batches.origin(of: "name", in: packet.id, by: viewer)
            #expect(origin.value == "PUPIL 1 (1a)")
            #expect(origin.source == "people.csv")
            #expect(origin.origin.place == 2)
            #expect(origin.origin.cells.map(\.column) == ["name", "class"])
            #expect(origin.steps.map(\.value).joined().contains("PUPIL 1"))
            #expect(throws: Failure.self) { try desk.batches.origin(of: "agrees", in: packet.id, by: viewer) }
        }
    }

    @Test("Pages of packets come one after the other, however far down", arguments: Database.Kind.here)
    func paging(kind: Database.Kind) throws {
        try withDesk(kind, list: .pupils(120)) { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            var seen: [Int] = []
            var after = 0
            while true {
                let page = try desk.batches.packets(of: batch.id, .init(limit: 50, after: after), by: viewer)
                #expect(page.matchCount == 120)
                seen += page.packets.map(\.place)
                guard let next = page.next else { break }
                after = next
            }
            #expect(seen == Array(1...120))
            #expect(try desk.packets(batch, .init(filter: "p77@")).map(\.name) == ["Pupil 77"])
        }
    }
}
