import Bytes
import Filling
import Glibc
import PDF
import PDFForms
import Storage
import TestSupport
import Testing
import Work

@Suite("Text too long for its place")
struct OverflowTests {
    private let long = (1...90).map { "sentence \($0) of a long story." }.joined(separator: " ")

    private func made(
        _ change: @escaping (inout BatchDraft) -> Void = { _ in },
        _ body: (Desk, Batch, [Packet]) throws -> Void
    ) throws {
        let list = TestList(
            ["name", "email", "story"], [["Ana", "a@example.org", "short"], ["Bo", "b@example.org", long]])
        try withDesk(list: list) { desk throws in
            let template = try desk.form(
                SampleForm.make { form in
                    form.text("name")
                    form.text("story", width: 120)
                })
            let mapping = try desk.mappings.save(
                "[fields]\nname = {name}\nstory = {story}\n", for: template.id, by: ada)
            let batch = try desk.batch {
                $0.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
                $0.options.overflow = .continuation
                change(&$0)
            }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            try body(desk, batch, try desk.packets(batch))
        }
    }

    /// The words of each page as poppler reads them.
    private func words(_ bytes: [UInt8]) throws -> [String] {
        try withScratchFolder { folder in
            let file = try #require(fopen("\(folder)/a.pdf", "wb"))
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
            let said = try Child("/usr/bin/pdftotext", ["-raw", "\(folder)/a.pdf", "-"]).run().outputText
            return said.split(separator: "\u{C}").map { String($0.map { $0.isNewline ? " " : $0 }) }
        }
    }

    @Test(
        "goes on on pages behind the form when the batch says so; the plan counts them, the proof reads them")
    func goesOn() throws {
        try made { desk, batch, packets in
            #expect(packets.map(\.state) == [.made, .made], "\(packets.map(\.reason))")
            #expect(packets.map(\.pageCount) == [1, 2])
            #expect(try desk.batches.get(batch.id, by: ada).summary?.pages == 3)
            let details = try desk.batches.packet(packets[1].id, by: viewer)
            #expect(details.problems.map(\.kind) == [.continued])
            #expect(details.problems.allSatisfy { !$0.isSerious })
            let (_, file, isAsMade) = try desk.batches.file(of: packets[1].id, by: viewer)
            #expect(isAsMade)
            let pages = try words(file.bytes)
            #expect(pages[0].contains("see attachment, item 1"))
            #expect(pages[1].contains("sentence 89 of a long story."))
        }
    }

    @Test("is held back as it does not fit, when the batch only shrinks")
    func shrinks() throws {
        try made({ $0.options.overflow = .shrink }) { _, _, packets in
            #expect(packets.map(\.state) == [.made, .held])
            #expect(packets[1].reason?.contains("does not fit") == true)
        }
    }

    @Test(
        "goes on in one PDF of all packets too, with fields kept or not, and numbers count its pages",
        arguments: [false, true])
    func merged(keepsFields: Bool) throws {
        try made({ $0.options.numbering = .init(pattern: nil, bates: .init(prefix: "B-", digits: 4)) }) {
            desk, batch, _ in
            var bytes: [UInt8] = []
            let summary = try desk.batches.export(
                batch.id, ExportChoice(.merged, keepsFields: keepsFields), by: viewer
            ) { bytes += $0 }
            #expect(summary.packets == 2)
            let pages = try words(bytes)
            #expect(pages.count == 3)
            #expect(
                pages.enumerated().allSatisfy { $1.contains("B-000\($0 + 1)") },
                "\(pages.map { $0.suffix(20) })")
            #expect(pages[2].contains("sentence 89 of a long story."))
            #expect(try PDFFile(bytes: bytes).repairs.isEmpty)
        }
    }

    @Test("is locked and flattened with its form")
    func locked() throws {
        try made({
            $0.options.password = "\"open \" & {name}"
            $0.options.flattens = true
        }) { desk, _, packets in
            #expect(packets.map(\.state) == [.made, .made], "\(packets.map(\.reason))")
            let file = try desk.batches.file(of: packets[1].id, by: viewer).file
            let opened = try PDFFile(bytes: file.bytes, password: "open Bo")
            #expect(opened.pages.count == 2)
            let fields = opened.form?["Fields"]
            #expect(opened.array(fields).isEmpty)
        }
    }
}
