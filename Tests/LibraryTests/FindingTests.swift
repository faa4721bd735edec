import Access
import Bytes
import Library
import PDFReading
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Finding papers")
struct FindingTests {
    @Test(
        "Papers are found by their name at once, and by what they say when they are read",
        arguments: Database.Kind.here)
    func nameAndWords(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            _ = try documents.addText("Lease.txt", "Four rooms and a kitchen, Main Street 7")
            _ = try documents.addText("Kitchen plan.txt", "Oven to the left")
            #expect(try documents.found("kitchen") == ["Kitchen plan.txt"])
            #expect(try documents.find("kitchen", by: viewer).unreadCount == 2)
            #expect(try documents.read() == 2)
            // The name counts for more than the page.
            #expect(try documents.found("kitchen") == ["Kitchen plan.txt", "Lease.txt"])
            #expect(try documents.found("rooms kitchen") == ["Lease.txt"])
            #expect(try documents.found("lease oven") == [])
            #expect(try documents.find("kitchen", by: viewer).unreadCount == 0)
        }
    }

    @Test(
        "Case and accents do not matter, words may be begun, phrases hold together, a minus leaves out",
        arguments: Database.Kind.here)
    func wishes(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            _ = try documents.addText("a.txt", "Élodie Müller signed the lease in Zürich")
            _ = try documents.addText("b.txt", "The lease of Zoe was a draft; signed later")
            _ = try documents.addText("c.txt", "東京都の住民票 が届きました")
            _ = try documents.addText("d.txt", "Quarterly unemployment figures")
            try documents.read()
            #expect(try documents.found("elodie MULLER") == ["a.txt"])
            #expect(try documents.found("zur") == ["a.txt"])
            #expect(try documents.found("lease signed") == ["b.txt", "a.txt"])
            #expect(try documents.found("\"signed the lease\"") == ["a.txt"])
            #expect(try documents.found("lease -draft") == ["a.txt"])
            #expect(try documents.found("lease -\"in zürich\"") == ["b.txt"])
            #expect(try documents.found("住民票") == ["c.txt"])
            #expect(try documents.found("京都") == ["c.txt"])
            #expect(try documents.found("民住") == [])
            // Only when nothing begins like it, words are looked into.
            #expect(try documents.found("employment") == ["d.txt"])
            #expect(try documents.found("-lease") == ["d.txt", "c.txt"])
        }
    }

    @Test("Filters narrow by kind, by who, by when", arguments: Database.Kind.here)
    func filters(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            _ = try documents.addText("notes.txt", "lease")
            hand.advance(.seconds(3 * 86_400))
            _ = try documents.addText("table.csv", "lease,1\nlease,2", by: editor)
            try documents.read()
            let day = hand.now.iso8601.prefix(10)
            #expect(try documents.found("lease type:table") == ["table.csv"])
            #expect(try documents.found("by:eddie") == ["table.csv"])
            #expect(try documents.found("lease before:\(day)") == ["notes.txt"])
            #expect(try documents.found("lease after:\(day)") == ["table.csv"])
            #expect(try documents.found("type:pdf") == [])
            // What is no filter is a word.
            #expect(try documents.found("colour:red") == [])
        }
    }

    @Test(
        "A find says on which page, with the words in their place",
        .enabled(if: PageReader.isReady, "poppler is not installed"))
    func places() throws {
        try withLibrary { documents, _, _ in
            let pdf = Array(SamplePaper.pages(["Nothing here.", "The deposit is two months of rent."]).utf8)
            _ = try documents.add(.bytes(pdf), named: "lease.pdf", by: ada)
            try documents.read()
            let finds = try documents.find("deposit months", by: viewer).finds
            #expect(finds.map(\.page) == [2])
            let snippet = try #require(finds.first?.snippet)
            #expect(snippet.text == "The deposit is two months of rent")
            #expect(snippet.pieces.filter(\.isHit).map(\.text) == ["deposit", "months"])
            #expect(try documents.found("deposit pages>1") == ["lease.pdf"])
            #expect(try documents.found("deposit pages>2") == [])
        }
    }

    @Test("A new name is found, the old one no more; the bin is not looked in", arguments: Database.Kind.here)
    func changes(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let scan = try documents.addText("scan0001.txt", "Water bill")
            try documents.read()
            try documents.rename(scan.id, to: "Stadtwerke.txt", by: ada)
            #expect(try documents.found("stadtwerke") == ["Stadtwerke.txt"])
            #expect(try documents.found("scan0001") == [])
            try documents.trash(scan.id, by: ada)
            #expect(try documents.found("water") == [])
            try documents.restore(scan.id, by: ada)
            #expect(try documents.found("water") == ["Stadtwerke.txt"])
            try documents.trash(scan.id, by: ada)
            try documents.purge(scan.id, by: ada)
            let left = try store.read { try $0.row("SELECT count(*) AS n FROM document_page")?.int("n") }
            #expect(left == 0)
        }
    }

    @Test("Whatever is typed is an answer and never a fault", arguments: Database.Kind.here)
    func anything(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            _ = try documents.addText("a.txt", "plain words")
            try documents.read()
            for text in [
                "", " ", "\"", "\"\"", "-", "--", "*", "a*", "'", "';--", "NEAR(a b)", "AND OR NOT", "(",
                "a:b:c",
                "pages>", "pages>x", "before:2026-13-99", "type:", "%_!", "\\", "\0", "’", "🦆",
                "a & b | !c <-> d",
                String(repeating: "a ", count: 5000), "\u{301}\u{301}", "नमस्ते", "शिक्षा -शुल्क",
            ] {
                _ = try documents.find(text, by: viewer)
            }
            let broken = Array("%PDF-1.7\nnot really".utf8)
            _ = try documents.add(.bytes(broken), named: "broken.pdf", by: ada)
            #expect(try documents.read() == 1)
            #expect(try documents.found("broken") == ["broken.pdf"])
        }
    }
}

extension Documents {
    func found(_ text: String) throws -> [String] {
        try find(text, by: viewer).finds.map(\.document.name)
    }

    @discardableResult
    func read() throws -> Int {
        try PaperReading(self) { PageReader(jail: .detect()) }.catchUp()
    }
}
