import Access
import Filling
import Glibc
import PDF
import PDFReading
import SQL
import Storage
import Synchronization
import Tables
import TestSupport
import Testing
import Work

@Suite("What was left over")
struct CompletingTests {
    /// A list that somebody puts right.
    private final class Register: Sendable {
        let list: Mutex<TestList>
        init(_ list: TestList) { self.list = Mutex(list) }

        var source: RowSource {
            RowSource(
                list: { [self] in try now.source.list($0) },
                each: { [self] in try now.source.each($0, $1) },
                some: { [self] in try now.source.some($0, $1, $2) },
                current: { [self] in try now.source.current($0, $1) })
        }

        private var now: TestList { list.withLock { $0 } }
    }

    private func withRegister(_ body: (Desk, Register, Batch) throws -> Void) throws {
        let rows = [["Ana", "a@example.org", "1a"], ["", "b@example.org", "1b"]]
        let register = Register(TestList(["name", "email", "class"], rows))
        let hand = HandClock()
        try withStore(areas: Desk.areas, clock: hand.clock) { store in
            let desk = Desk(store, hand: hand, rows: register.source)
            let template = try desk.form(
                SampleForm.make { form in
                    form.text("name", ["Ff": .integer(2)])
                    form.text("class")
                })
            let mapping = try desk.mappings.save(
                "[fields]\nname = {name}\nclass = {class}\n", for: template.id, by: ada)
            let batch = try desk.batch {
                $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
                $0.naming = "{class}"
            }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            try body(desk, register, batch)
        }
    }

    @Test("is made from the rows as they were planned, unless the newest are asked for")
    func newestRows() throws {
        try withRegister { desk, register, batch in
            #expect(try desk.packets(batch).map(\.state) == [.made, .held])
            register.list.withLock { $0.rows[1].cells[0] = Cell("Bo") }
            register.list.withLock { $0.rows[1].name = "Bo" }
            try desk.batches.remake(batch.id, held: true, rows: .newest, by: ada)
            desk.work()
            let packets = try desk.packets(batch)
            #expect(packets.map(\.state) == [.made, .made])
            #expect(packets[1].name == "Bo")
            #expect(packets[1].fileName == "1b")
            let details = try desk.batches.packet(packets[1].id, by: viewer)
            #expect(details.problems.isEmpty)
            #expect(details.cells[0].cell.shown == "Bo")
        }
    }

    @Test("stays as it was planned when nobody asks for anything newer")
    func asPlanned() throws {
        try withRegister { desk, register, batch in
            register.list.withLock { $0.rows[1].cells[0] = Cell("Bo") }
            try desk.batches.remake(batch.id, held: true, by: ada)
            desk.work()
            let packet = try desk.packets(batch)[1]
            #expect(packet.state == .made)
            #expect(try desk.batches.packet(packet.id, by: viewer).cells[0].cell.shown == "")
        }
    }

    @Test("is not made from other rows than somebody else has approved, nor from other columns")
    func refused() throws {
        try withRegister { desk, register, batch throws in
            register.list.withLock {
                $0 = TestList(["other", "email", "class"], [["Ana", "", ""], ["Bo", "", ""]])
            }
            let failure = #expect(throws: Failure.self) {
                try desk.batches.remake(batch.id, held: true, rows: .newest, by: ada)
            }
            #expect(failure?.message.contains("other columns") == true)
            #expect(try desk.packets(batch).map(\.state) == [.made, .held])
        }
        try withDesk { desk throws in
            let batch = try desk.batch { $0.options.needsSecondMember = true }
            try desk.batches.plan(batch.id, by: member(1))
            try desk.batches.approve(batch.id, by: member(2))
            try desk.batches.fill(batch.id, by: member(1))
            desk.work()
            let failure = #expect(throws: Failure.self) {
                try desk.batches.remake(batch.id, rows: .newest, by: member(1))
            }
            #expect(failure?.message.contains("approved") == true)
        }
    }
}

@Suite("Going back to an earlier edition of a form")
struct EditionsTests {
    @Test("brings back what its mappings said for it, and going on again what they said for the later one")
    func mappings() throws {
        try withDesk { desk throws in
            let template = try desk.form(SampleForm.make { $0.text("name") })
            let mapping = try desk.mappings.save("[fields]\nname = {name}\n", for: template.id, by: ada)
            let newer = SampleForm.make { form in
                form.text("full name")
                form.text("class")
            }
            _ = try desk.templates.replace(template.id, with: .bytes(newer), by: ada)
            try desk.mappings.follow(template.id, from: 1, names: ["name": "full name"], by: ada)
            var now = try desk.mappings.get(mapping.id, by: ada)
            #expect(now.edition == 2)
            #expect(now.text.contains("full name = {name}"))
            try desk.mappings.change(now.id, text: now.text + "class = {class}\n", by: ada)

            try desk.templates.use(edition: 1, of: template.id, by: ada)
            now = try desk.mappings.get(mapping.id, by: ada)
            #expect(now.edition == 1)
            #expect(now.text == "[fields]\nname = {name}\n")

            try desk.templates.use(edition: 2, of: template.id, by: ada)
            now = try desk.mappings.get(mapping.id, by: ada)
            #expect(now.edition == 2)
            #expect(now.text.contains("class = {class}"))
        }
    }

    @Test("A mapping that fits a new edition as it is counts as written for it")
    func unchanged() throws {
        try withDesk { desk throws in
            let template = try desk.form(SampleForm.make { $0.text("name") })
            let text = "[fields]\nname = {name}\n"
            let mapping = try desk.mappings.save(text, for: template.id, by: ada)
            let newer = SampleForm.make(pages: 2) { $0.text("name") }
            _ = try desk.templates.replace(template.id, with: .bytes(newer), by: ada)
            try desk.mappings.follow(template.id, from: 1, names: ["name": "name"], by: ada)
            #expect(try desk.mappings.get(mapping.id, by: ada).edition == 2)
            let batch = try desk.batch {
                $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            }
            #expect(try desk.batches.plan(batch.id, by: ada).summary?.remarks == [])
        }
    }
}

@Suite("What is not left lying about")
struct TracesTests {
    private func files(below folder: String) -> [String] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var found: [String] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            found += entry.pointee.d_type == UInt8(DT_DIR) ? files(below: "\(folder)/\(name)") : [name]
        }
        return found
    }

    @Test(
        "Pictures of packets with passwords are not kept among the previews, where they would be open",
        .enabled(if: PageReader.isReady, "poppler is not installed"))
    func lockedPictures() throws {
        let hand = HandClock()
        try withStore(areas: Desk.areas, clock: hand.clock) { store in
            let desk = Desk(
                store, hand: hand, rows: TestList.pupils(2).source)
            for (formula, kept) in [("\"secret \" & {name}", 0), ("", 1)] {
                let batch = try desk.batch { $0.options.password = formula }
                try desk.batches.plan(batch.id, by: ada)
                let packet = try desk.packets(batch)[0]
                let picture = try desk.batches.picture(of: packet.id, by: viewer)
                #expect(picture.starts(with: [0xFF, 0xD8]))
                #expect(files(below: store.home.previews).count == kept, "\(formula)")
            }
        }
    }

    @Test("A batch that lay in the trash for a month goes with all its packets", arguments: [10, 40])
    func purged(days: Int) throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            try desk.batches.trash(batch.id, by: ada)
            desk.hand.advance(.seconds(days * 86_400))
            let isGone = days > 30
            #expect(try desk.batches.purgeTrash() == (isGone ? 1 : 0))
            for table in ["batch", "packet", "packet_content", "batch_plan", "batch_pin"] {
                let count = try desk.store.read { desk in
                    try desk.row("SELECT count(*) AS n FROM \(raw: table)")?.int("n") ?? -1
                }
                #expect((count == 0) == isGone, "\(table)")
            }
        }
    }
}
