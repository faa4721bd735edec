import Archives
import Bytes
import Filling
import Glibc
import Library
import PDF
import PDFForms
import Storage
import TestSupport
import Testing
import Work

@Suite("Exports")
struct ExportTests {
    private func made(_ list: TestList = .pupils(3), _ body: (Desk, Batch) throws -> Void) throws {
        try withDesk(list: list) { desk throws in
            let batch = try desk.batch { $0.options.makesDespiteProblems = true }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            try body(desk, batch)
        }
    }

    private func archive(
        _ desk: Desk, _ batch: Batch, _ choice: ExportChoice, messages: Batches.Messages? = nil
    ) throws -> [String: [UInt8]] {
        var bytes: [UInt8] = []
        try desk.batches.export(batch.id, choice, by: viewer, messages: messages) { bytes += $0 }
        let zip = try ZIPReader(bytes: bytes)
        var files: [String: [UInt8]] = [:]
        for entry in zip.entries {
            var content: [UInt8] = []
            try zip.stream(entry) { content += $0 }
            files[entry.name] = content
        }
        return files
    }

    @Test("An archive has a folder for each recipient, a table of all, and a manifest")
    func folders() throws {
        try made { desk, batch in
            let files = try archive(desk, batch, ExportChoice(.folders, receipts: true)) { packet in
                packet.place == 1 ? ExportedMessage(text: "Dear all", whole: Array("Subject: x".utf8)) : nil
            }
            #expect(
                files.keys.sorted() == [
                    "Consent form_Pupil 1/Message.eml", "Consent form_Pupil 1/Message.txt",
                    "Consent form_Pupil 1/Packet.pdf", "Consent form_Pupil 1/Receipt.json",
                    "Consent form_Pupil 2/Packet.pdf", "Consent form_Pupil 2/Receipt.json",
                    "Consent form_Pupil 3/Packet.pdf", "Consent form_Pupil 3/Receipt.json", "Summary.csv",
                    "manifest.json",
                ])
            let packet = try desk.packets(batch)[1]
            #expect(Digest(of: files["Consent form_Pupil 2/Packet.pdf"] ?? []) == packet.digest)
            let manifest = try JSON(parsing: files["manifest.json"] ?? [])
            #expect(manifest["packets"]?[1]?["sha256"]?.string == packet.digest?.hex)
            #expect(manifest["packets"]?[1]?["asMade"]?.bool == true)
            let table = String(decoding: files["Summary.csv"] ?? [], as: UTF8.self)
            #expect(table.split(separator: "\r\n").count == 4)
        }
    }

    @Test("The table is safe to open in a spreadsheet, whatever people are called")
    func formulas() throws {
        let list = TestList(
            ["name", "email", "class", "agrees"], [["=HYPERLINK(\"http://x\")", "@a", "1", "no"]])
        try made(list) { desk, batch in
            let files = try archive(desk, batch, ExportChoice(.files))
            let table = String(decoding: files["Summary.csv"] ?? [], as: UTF8.self)
            #expect(table.contains("1,\"'=HYPERLINK(\"\"http://x\"\")\",'@a,"))
        }
    }

    @Test("Names that would put a file where a folder is stay apart")
    func names() throws {
        let list = TestList(
            ["name", "email", "class", "agrees"],
            [
                ["a", "", "", ""], ["a/Packet.pdf", "", "", ""], ["Summary.csv", "", "", ""],
                ["A", "", "", ""],
            ])
        try made(list) { desk, batch in
            let files = try archive(desk, batch, ExportChoice(.folders))
            #expect(files.count == 6)
            #expect(Set(files.keys.map { $0.lowercased() }).count == 6)
            for file in files.keys {
                #expect(!files.keys.contains { $0.hasPrefix(file + "/") })
            }
        }
    }

    @Test("One PDF has all packets one behind the other, each on a new sheet if wanted, with bookmarks")
    func merged() throws {
        try made { desk, batch in
            var bytes: [UInt8] = []
            var summary = try desk.batches.export(batch.id, ExportChoice(.merged), by: viewer) { bytes += $0 }
            #expect(summary.packets == 3)
            #expect(try PDFFile(bytes: bytes).pages.count == 3)
            bytes = []
            summary = try desk.batches.export(batch.id, ExportChoice(.merged, duplex: true), by: viewer) {
                bytes += $0
            }
            let pdf = try PDFFile(bytes: bytes)
            #expect(pdf.pages.count == 5)
            let first = pdf.dictionary(pdf.dictionary(pdf.catalog["Outlines"])?["First"])
            #expect(pdf.resolve(first?["Title"]).text == "Pupil 1")
        }
    }

    @Test("One PDF of all packets keeps the fields on request, each packet's under names of their own")
    func keptFields() throws {
        try made { desk, batch in
            var bytes: [UInt8] = []
            try desk.batches.export(batch.id, ExportChoice(.merged, keepsFields: true), by: viewer) {
                bytes += $0
            }
            let fields = try Form(bytes: bytes).fields
            #expect(fields.count == 9)
            #expect(fields.first { $0.name == "2.name" }?.value == ["Pupil 2"])
            #expect(fields.first { $0.name == "3.agrees" }?.value == ["Off"])
        }
    }

    @Test("One PDF has forms, papers for all, papers with fields and papers of one's own, without passwords")
    func mergedParts() throws {
        try withDesk { desk throws in
            func paper(_ words: String, _ name: String) throws -> Document {
                try desk.documents.add(.bytes(Papers.page(words)), named: name, by: ada).document
            }
            let notice = try paper("Notice for everybody", "Notice.pdf")
            _ = try paper("Report about one", "Report Pupil 1.pdf")
            _ = try paper("Report about two", "Report Pupil 2.pdf")
            _ = try paper("Report about three", "Report Pupil 3.pdf")
            let filled = try desk.documents.add(
                .bytes(
                    try PreparedForm(bytes: SampleForm.consent()).fill(["name": .text("An example")]).bytes),
                named: "Example.pdf", by: ada
            ).document
            let batch = try desk.batch {
                $0.parts += [
                    PacketPart(.document(notice.id)), PacketPart(.attachment(pattern: "Report {name}")),
                    PacketPart(.document(filled.id)),
                ]
                $0.options.password = "{name}"
                $0.options.duplex = true
            }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            #expect(try desk.batches.counts(of: batch.id, by: viewer) == [.made: 3])
            var bytes: [UInt8] = []
            let summary = try desk.batches.export(batch.id, ExportChoice(.merged), by: viewer) { bytes += $0 }
            #expect(summary.packets == 3 && summary.failed.isEmpty)
            // Four parts of one page each, and the back of a sheet behind all but the last of a packet.
            let pages = try Papers.words(bytes)
            #expect(pages.count == 21)
            #expect(pages[7].contains("Pupil 2"))
            #expect(pages[9].contains("Notice for everybody"))
            #expect(pages[11].contains("Report about two"))
            #expect(pages[13].contains("An example"))
        }
    }

    @Test("One sheet shows the first pages of all packets, and those that were held back with the reason")
    func sheet() throws {
        try withDesk(list: .pupils(3)) { desk throws in
            let batch = try desk.batch { $0.options.password = "{Name}" }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            var bytes: [UInt8] = []
            let summary = try desk.batches.export(batch.id, ExportChoice(.sheet), by: viewer) { bytes += $0 }
            #expect(summary.packets == 3)
            #expect(try PDFFile(bytes: bytes).pages.count == 1)
            // Locked packets are named, and their pages do not lie about open.
            #expect(!bytes.contains([0xFF, 0xD8, 0xFF]))
        }
    }

    @Test("Words that no packet has are told before anything is taken away")
    func noneFits() throws {
        try made { desk, batch in
            let failure = #expect(throws: Failure.self) {
                try desk.batches.exportCount(batch.id, ExportChoice(filter: "zebra"), by: viewer)
            }
            #expect(
                failure?.message == "None of the 3 packets that were made has “zebra” in its name or address."
            )
        }
    }

    @Test("Nothing can be taken away before something was made")
    func nothing() throws {
        try withDesk { desk throws in
            let batch = try desk.batch()
            try desk.batches.plan(batch.id, by: ada)
            let refused = #expect(throws: Failure.self) {
                try desk.batches.export(batch.id, by: ada) { _ in }
            }
            #expect(refused?.code == .conflict)
        }
    }
}

/// Papers of one page, and what poppler reads on pages.
private enum Papers {
    static func page(_ words: String) -> [UInt8] {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
        let content = draft.addStream([:], Array("BT /F 12 Tf 50 700 Td (\(words)) Tj ET".utf8))
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
                "MediaBox": .array([0, 0, 595, 842].map(PDFObject.integer)),
                "Resources": .dictionary(["Font": .dictionary(["F": .reference(font)])]),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]),
            at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }

    static func words(_ bytes: [UInt8]) throws -> [String] {
        try withScratchFolder { folder in
            let file = try #require(fopen("\(folder)/a.pdf", "wb"))
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
            let said = try Child("/usr/bin/pdftotext", ["-raw", "\(folder)/a.pdf", "-"]).run().outputText
            return said.split(separator: "\u{C}", omittingEmptySubsequences: false).dropLast().map(
                String.init)
        }
    }
}
