import Bytes
import PDF
import PDFReading
import TestSupport
import Testing
import Work

@testable import Commands

/// `quire compare` as it is typed; what it finds is tried in ComparingTests.
@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct CompareTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        try withScratchFolder { folder in
            for (name, lines) in [
                ("a.pdf", ["The rent is 900 a month", "Signed by both sides"]),
                ("b.pdf", ["The rent is 950 a month", "Signed by both sides", "Annex about the garden"]),
                ("c.pdf", ["The rent is 900 a month", "Signed by both sides"]),
            ] {
                try writeWhole(
                    Array(SamplePaper.pages(lines).utf8), to: "\(folder)/\(name)", overwrites: false)
            }
            try body(folder)
        }
    }

    @Test("Ends with 0 when nothing differs, with 1 when something does, and with more for what is no paper")
    func codes() throws {
        try inFolder { folder in
            let same = quire(["compare", "a.pdf", "c.pdf"], home: folder)
            #expect(same.code == .done && same.output == "Nothing differs.\n", "\(same)")
            let other = quire(["compare", "a.pdf", "b.pdf"], home: folder)
            #expect(other.code.rawValue == 1, "\(other)")
            #expect(
                other.output == """
                    2 differences.
                    1  Page 1: “900” became “950” (after “The rent is”)
                    2  Page 3 of the later paper: the page was added; it begins with “Annex about the garden”

                    """)
            let none = quire(["compare", "a.pdf", "nowhere.pdf"], home: folder)
            #expect(none.code == .notFound, "\(none)")
            try writeWhole(Array("no paper".utf8), to: "\(folder)/d.pdf", overwrites: false)
            let bad = quire(["compare", "a.pdf", "d.pdf"], home: folder)
            #expect(bad.code.rawValue >= 2 && bad.error.contains("d.pdf"), "\(bad)")
            var writing = PDFFile.Writing()
            writing.passwords = ("secret", "owner")
            let locked = try PDFFile(path: "\(folder)/a.pdf").rewritten(writing)
            try writeWhole(locked, to: "\(folder)/e.pdf", overwrites: false)
            let shut = quire(["compare", "a.pdf", "e.pdf"], home: folder)
            #expect(shut.code == .denied && shut.error.contains("--password"), "\(shut)")
            let open = quire(["compare", "a.pdf", "e.pdf", "--password", "secret"], home: folder)
            #expect(open.code == .done, "\(open)")
        }
    }

    @Test("Says it as JSON, whose keys stay as they are")
    func json() throws {
        try inFolder { folder in
            let said = quire(["compare", "a.pdf", "b.pdf", "--json"], home: folder)
            let json = try JSON(parsing: said.output)
            #expect(json["same"] == .bool(false) && json["before"] == "a.pdf")
            #expect(json["pagesBefore"]?.int == 2 && json["pagesAfter"]?.int == 3)
            #expect(json["counts"]?["words"]?.int == 1 && json["counts"]?["pageAdded"]?.int == 1)
            #expect(json["pages"]?[2]?["kind"] == "added" && json["pages"]?[2]?["after"]?.int == 3)
            let change = json["changes"]?[0]
            #expect(change?["number"]?.int == 1 && change?["kind"] == "words")
            #expect(change?["removed"] == "900" && change?["added"] == "950")
            #expect(change?["after"]?["page"]?.int == 1)
            #expect(change?["after"]?["areas"]?[0]?["width"] != nil)
        }
    }

    @Test("Writes a report beside, and replaces none unasked; its words are the reader's")
    func report() throws {
        try inFolder { folder in
            let said = quire(
                ["compare", "a.pdf", "b.pdf", "--pdf", "r.pdf"], home: folder,
                environment: ["LANG": "fr_CA.UTF-8"])
            #expect(said.code == .differs, "\(said)")
            #expect(said.output.hasPrefix("2 différences"))
            let text = try Child("/usr/bin/pdftotext", ["\(folder)/r.pdf", "-"]).run().outputText
            #expect(text.contains("Différences") && text.contains("Page ajoutée"))
            #expect(try PDFFile(path: "\(folder)/r.pdf").pages.count == 4)
            let again = quire(["compare", "a.pdf", "b.pdf", "--pdf", "r.pdf"], home: folder)
            #expect(again.code == .conflict, "\(again)")
        }
    }
}
