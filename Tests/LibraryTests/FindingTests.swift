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
        "While more may come, what arrives meanwhile is read in the same go; when nothing waits, it ends at once",
        arguments: Database.Kind.here)
    func swarms(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            _ = try documents.addText("first.txt", "the early bird")
            let reading = PaperReading(documents) { fatalError("texts are read without") }
            let looks = Monitor(0)
            let count = try reading.catchUp {
                let look = looks.update { looks in
                    looks += 1
                    return looks
                }
                if look == 1 { _ = try? documents.addText("second.txt", "the late bird") }
                return look == 1
            }
            #expect(count == 2)
            #expect(try documents.found("bird") == ["second.txt", "first.txt"])
            #expect(try reading.catchUp { true } == 0)
        }
    }

    @Test("A paper that ends the process three times is set aside by name, and the others are read")
    func dangerous() throws {
        try withLibrary { documents, _, store in
            let bad = try documents.addText("bad.txt", "the bird that kills")
            _ = try documents.addText("good.txt", "the good bird")
            let reading = PaperReading(documents) { fatalError("texts are read without") }
            let dangers = DangerousPapers(store)
            for death in 1...3 {
                // What a process leaves behind that is killed with the paper in hand.
                try write(
                    Array("\(bad.id.text) \(bad.blob.digest.hex)".utf8),
                    to: "\(store.home.temporary)/in-hand-\(death)")
                try dangers.count()
                let named = try store.database.read { try DangerousPapers.names(in: $0) }
                #expect(named == (death < 3 ? [] : ["bad.txt"]))
            }
            #expect(try reading.catchUp() == 2)
            #expect(try documents.found("bird") == ["good.txt"])
            #expect(
                try documents.wordState(of: bad.id, by: viewer)
                    == .none(reason: "Quire ended 3 times while it read this paper, so it is left unread."))
            // Another version is another paper.
            _ = try documents.revise(bad.id, with: .bytes(Array("the tame bird".utf8)), by: ada)
            try reading.catchUp()
            #expect(try documents.found("tame") == ["bad.txt"])
        }
    }

    @Test("What goes on where reading ends is told while others still wait to be read")
    func goesOn() throws {
        try withLibrary { documents, _, _ in
            for number in 0..<69 { _ = try documents.addText("\(number).txt", "paper \(number)") }
            let reading = PaperReading(documents) { fatalError("texts are read without") }
            let unread = Monitor<[Int]>([])
            try reading.catchUp(then: {
                let left = try documents.find("paper", by: viewer).unreadCount
                unread.update { $0.append(left) }
            })
            #expect(unread.read { $0 } == [5, 0])
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

    @Test(
        "Where no word begins so, names are found by parts of all the words, some at a time and counted whole",
        arguments: Database.Kind.here)
    func partsOfNames(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            for number in 1...5 {
                _ = try documents.addText("Unemployment insurance \(number).txt", "Paper \(number)")
                hand.advance(.seconds(1))
            }
            _ = try documents.addText("Unemployment.txt", "without insurance")
            try documents.read()
            func select(_ words: String, offset: Int = 0) throws -> (names: [String], count: Int) {
                var selection = Selection()
                selection.words = words
                let finds = try documents.select(selection, limit: 2, offset: offset, by: viewer)
                return (finds.finds.map(\.document.name), finds.matchCount)
            }
            #expect(
                try select("employ surance") == (
                    ["Unemployment insurance 5.txt", "Unemployment insurance 4.txt"], 5
                ))
            #expect(try select("employ surance", offset: 4) == (["Unemployment insurance 1.txt"], 5))
            #expect(try select("employ surance", offset: 6) == ([], 5))
            #expect(try select("employ -surance") == (["Unemployment.txt"], 1))
            #expect(try select("employ robbery") == ([], 0))
        }
    }

    @Test(
        "The beginning of few words and of many finds all papers with them, and leaves all of them out",
        arguments: Database.Kind.here)
    func beginnings(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            let endings =
                ["", "s", "ed", "ee", "ing", "or", "ors", "ual", "ually", "able", "ion", "ive", "ure", "書"]
                + (10..<20).map(String.init)
            for (number, ending) in endings.enumerated() {
                _ = try documents.addText("\(number).txt", "the contract\(ending) of lease \(number % 2)")
                hand.advance(.seconds(1))
            }
            _ = try documents.addText("other.txt", "a contra bass and the lease 0")
            try documents.read()
            func count(_ words: String) throws -> Int { try documents.find(words, by: viewer).matchCount }
            #expect(try count("contract") == endings.count)
            #expect(try count("contra") == endings.count + 1)
            #expect(try count("contract1") == 10)
            #expect(try count("contractu lease") == 3)
            #expect(try count("lease -contract") == 1)
            #expect(try count("lease -contractu") == endings.count + 1 - 3)
            #expect(try count("contract 0") == endings.count / 2)
            #expect(try documents.found("contractual contract") == ["8.txt", "7.txt"])
            // A phrase holds whole words.
            #expect(try count("\"the contract\"") == 2)
        }
    }

    @Test("A phrase holds together in thin papers and in thick ones alike", arguments: [1, 5_000])
    func phrases(pageCount: Int) throws {
        try withLibrary { documents, _, store in
            let signed = try documents.addText("a.txt", "Élodie Müller signed the lease in Zürich")
            _ = try documents.addText("Signed the lease.txt", "Nothing but a name")
            _ = try documents.addText("b.txt", "The lease was signed: the lessee has moved")
            try documents.read()
            try store.write { tx in _ = try tx.run("UPDATE document SET pages = \(pageCount)") }
            #expect(try documents.found("\"signed the lease\"") == ["Signed the lease.txt", "a.txt"])
            #expect(try documents.found("\"the lease\" zur") == ["a.txt"])
            #expect(try documents.found("\"lease signed\"") == [])
            let finds = try documents.find("\"müller signed\"", by: viewer).finds
            #expect(finds.map(\.document.id) == [signed.id] && finds.first?.page == 1)
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

    @Test(
        "Those with the words in their name come first, then those with them on the most pages, then the newest",
        arguments: Database.Kind.here)
    func order(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            _ = try documents.addText("a.txt", "rent")
            hand.advance(.seconds(60))
            _ = try documents.addText("Rent 2025.txt", "paid")
            hand.advance(.seconds(60))
            _ = try documents.addText("b.txt", "the rent, once")
            try documents.read()
            #expect(try documents.found("rent") == ["Rent 2025.txt", "b.txt", "a.txt"])
            // A word of the name and one of the page together are not the name.
            #expect(try documents.found("rent paid") == ["Rent 2025.txt"])
            let byName = try documents.find("rent", sortedBy: .name, by: viewer).finds.map(\.document.name)
            #expect(byName == ["a.txt", "b.txt", "Rent 2025.txt"])
            let newest = try documents.find("rent", sortedBy: .added, limit: 2, by: viewer)
            #expect(
                newest.finds.map(\.document.name) == ["b.txt", "Rent 2025.txt"] && newest.matchCount == 3)
        }
    }

    @Test(
        "Of hundreds of papers that have a word all are counted, and the newest come first",
        arguments: Database.Kind.here)
    func many(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            var ids: [ID<Document>] = []
            for number in 1...430 {
                hand.advance(.seconds(1))
                let text = number % 2 == 0 ? "the lease of flat \(number)" : "the bill of flat \(number)"
                ids.append(try documents.addText("paper \(number).txt", text).id)
            }
            try documents.read()
            let finds = try documents.find("the flat", limit: 300, by: viewer)
            #expect(finds.matchCount == 430 && finds.finds.count == 300)
            #expect(finds.finds.prefix(2).map(\.document.name) == ["paper 430.txt", "paper 429.txt"])
            #expect(finds.finds.allSatisfy { $0.page == 1 && $0.snippet != nil })
            #expect(try documents.find("the flat -lease", by: viewer).matchCount == 215)
            #expect(try documents.find("\"the lease\" flat", by: viewer).matchCount == 215)
            #expect(try documents.find("flat -\"the lease\"", by: viewer).matchCount == 215)
            #expect(
                try documents.found("flat 12")
                    == (120...129).reversed().map { "paper \($0).txt" } + ["paper 12.txt"])
            for id in ids.prefix(400) { try documents.trash(id, by: ada) }
            #expect(try documents.find("flat", by: viewer).matchCount == 30)
            #expect(try documents.find("flat type:text", by: viewer).matchCount == 30)
        }
    }

    @Test(
        "What a paper says anew is found, and what it said is not, as often as it changes",
        arguments: Database.Kind.here)
    func rewritten(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let paper = try documents.addText("paper.txt", "alpha beta")
            let other = try documents.addText("other.txt", "alpha")
            for word in ["gamma", "delta", "alpha", "omega"] {
                try documents.read()
                _ = try documents.revise(paper.id, with: .bytes(Array("beta \(word)".utf8)), by: ada)
                #expect(try documents.found("beta") == [], "its words are not read yet")
                #expect(try documents.found("paper") == ["paper.txt"])
                try documents.read()
                #expect(try documents.found("beta \(word)") == ["paper.txt"])
            }
            #expect(try documents.found("gamma") == [] && documents.found("delta") == [])
            try documents.trash(other.id, by: ada)
            try documents.purge(other.id, by: ada)
            #expect(try documents.found("alpha") == [] && documents.found("other") == [])
            if kind == .sqlite {
                // The index itself says whether it agrees with what it was told.
                try store.write { tx in
                    try tx.run("INSERT INTO page_words (page_words) VALUES ('integrity-check')")
                    try tx.run("INSERT INTO paper_words (paper_words) VALUES ('integrity-check')")
                }
                let left = try store.read {
                    try $0.row("SELECT count(*) AS n FROM paper_words_docsize")?.int("n")
                }
                #expect(left == 2)
            }
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
