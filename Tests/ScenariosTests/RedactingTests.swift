import Access
import App
import Bytes
import Converting
import HTTP
import Jobs
import Library
import PDF
import PDFReading
import Storage
import TestSupport
import Testing
import Work

/// Words taken out of papers of the library, one or several, in new papers beside them.
@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct RedactingTests {
    private func add(_ text: String, named name: String, to desk: Desk) throws -> Document {
        try desk.quire.documents.add(
            .bytes(PageMaker.make { $0.page("BT /F 12 Tf 20 200 Td (\(text)) Tj ET") }), named: name,
            by: .local
        ).document
    }

    private func words(of id: String?, _ desk: Desk) throws -> String {
        let paper = try #require(id.flatMap(ID<Document>.init))
        let document = try desk.quire.documents.get(paper, by: .local)
        let bytes = try desk.quire.store.blobs.read(document.blob.digest, atMost: 1 << 20)
        return try PageReader(jail: .detect()).text(of: Sheets(bytes: bytes))[0].words.map(\.text)
            .joined(separator: " ")
    }

    private func answer(_ job: String?, _ desk: Desk) throws -> Job {
        desk.quire.runner.runUntilIdle()
        let id = try #require(job.flatMap(ID<Job>.init))
        return try #require(try desk.quire.queue.get(id))
    }

    @Test(
        "of several papers each is made anew beside itself, but for those where nothing stands or can be looked for"
    )
    func several() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let papers = [
                try add("Ann Miller owes", named: "bill.pdf", to: desk),
                try add("Miller Street, Ann Miller", named: "letter.pdf", to: desk),
                try add("Nobody is named", named: "other.pdf", to: desk),
                try desk.quire.documents.add(.bytes(Array("Miller".utf8)), named: "note.txt", by: .local)
                    .document,
            ]
            let hits = try ada.fetch(
                .post, "/documents/\(papers[1].id)/redaction/hits", json: ["words": ["Miller"]]
            ).json["hits"]
            var orders: [JSON] = papers.map { ["document": .string($0.id.text)] }
            let spared = try #require(hits?[0])
            orders[1] = [
                "document": .string(papers[1].id.text), "version": 1, "except": [spared],
            ]
            let promised = try ada.fetch(
                .post, "/redaction", json: ["papers": .array(orders), "wish": ["words": ["Miller"]]])
            #expect(promised.status == .accepted)
            let done = try answer(promised.json["id"]?.string, desk)
            let result = try #require(done.result)
            let made = try #require(result["made"]?.array)
            #expect(made.map { $0["name"]?.string } == ["bill (redacted).pdf", "letter (redacted).pdf"])
            #expect(try words(of: made[0]["document"]?.string, desk) == "Ann owes")
            #expect(try words(of: made[1]["document"]?.string, desk) == "Miller Street, Ann")
            #expect(made[1]["remarks"]?.array?.contains { $0["kind"] == "spared" } == true)
            #expect(result["untouched"]?.array?.map { $0["name"]?.string } == ["other.pdf"])
            #expect(result["left"]?.array?.map { $0["name"]?.string } == ["note.txt"])
            #expect(try words(of: papers[0].id.text, desk) == "Ann Miller owes")
        }
    }

    @Test("done once more after an interruption, it makes the paper that is there already")
    func again() throws {
        try withDesk { desk throws in
            let paper = try add("Ann Miller owes", named: "bill.pdf", to: desk)
            let wish = try RedactedPapers.wish(["words": ["Miller"]])
            let first = try desk.quire.redacted.make(paper.id, wish, by: .local)
            #expect(try desk.quire.redacted.make(paper.id, wish, by: .local)["document"] == first["document"])
        }
    }

    @Test("what was looked at in one version is not done to the next")
    func changed() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try add("Ann Miller owes", named: "bill.pdf", to: desk)
            let answer = try ada.fetch(
                .post, "/documents/\(paper.id)/redaction", json: ["words": ["Miller"], "version": 2])
            #expect(answer.status == .conflict)
            #expect(answer.json["detail"]?.string?.contains("changed meanwhile") == true)
        }
    }

    @Test("places and pages are refused for several papers, and so is a wish for nothing")
    func places() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try add("Ann Miller owes", named: "bill.pdf", to: desk)
            for wish: JSON in [["words": ["Ann"], "pages": [1]], ["words": []]] {
                let answer = try ada.fetch(
                    .post, "/redaction",
                    json: ["papers": [["document": .string(paper.id.text)]], "wish": wish])
                #expect(answer.status == .unprocessable)
            }
        }
    }
}
