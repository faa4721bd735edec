import Archives
import Bytes
import Filling
import PDF
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
