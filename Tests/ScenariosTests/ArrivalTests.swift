import Access
import App
import Bytes
import Converting
import HTTP
import Jobs
import Library
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Papers from outside")
struct ArrivalTests {
    @Test("wear on which way they came, on their page, in lists and for programs; one's own wear nothing")
    func shown() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let own = try ada.bring(Array("by hand".utf8), to: "/documents?name=own.txt")
            #expect(own.json["documents"]?[0]?["arrival"] == .null)
            let laid = try Request(
                #require(Method("PUT")), "/dav/scan.txt", body: .bytes(Array("from a scanner".utf8)))
            #expect(desk.site.router.response(to: laid).status == .created)
            let made = try ada.fetch(.post, "/tokens", json: ["name": "Scanner", "scope": ["write"]])
            let program = desk.program(try #require(made.json["token"]?.string))
            let sent = try program.bring(Array("by a program".utf8), to: "/documents?name=sent.txt")
            #expect(sent.json["documents"]?[0]?["arrival"] == "app")
            let all = try ada.fetch(.get, "/documents").json["documents"]?.array ?? []
            let ways = Dictionary(
                uniqueKeysWithValues: all.map { ($0["name"]?.string ?? "", $0["arrival"]?.string ?? "") })
            #expect(ways == ["own.txt": "", "scan.txt": "network-folder", "sent.txt": "app"])
            let list = try ada.get("/documents").text
            #expect(list.contains("Network folder") && list.contains("By app"))
            for paper in all {
                let page = try ada.get("/documents/\(paper["id"]?.string ?? "")").text
                #expect(page.contains("How it came") == (paper["arrival"] != .null))
                #expect(
                    page.contains("Laid into the network folder") == (paper["arrival"] == "network-folder"))
            }
            let grid = try ada.get("/documents?view=grid").text
            #expect(grid.contains("Network folder"))
        }
    }

    @Test("keep it through new versions, other names, the bin and a folder of their own")
    func kept() throws {
        try withDesk { desk throws in
            let documents = desk.quire.documents
            let paper = try documents.arriving(by: .link).add(
                .bytes(Array("one".utf8)), named: "a.txt", by: .local
            ).document
            #expect(paper.arrival == .link)
            try documents.revise(paper.id, with: .bytes(Array("two".utf8)), by: .local)
            try documents.rename(paper.id, to: "b.txt", by: .local)
            try documents.trash(paper.id, by: .local)
            try documents.restore(paper.id, by: .local)
            #expect(try documents.get(paper.id, by: .local).arrival == .link)
            // What is there already keeps what it wears.
            let again = try documents.arriving(by: .web).add(
                .bytes(Array("two".utf8)), named: "c.txt", by: .local
            ).document
            #expect(again.id == paper.id && again.arrival == .link)
        }
    }

    @Test("what is made of them wears the same: shared from another app, converted, redacted")
    func made() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let conversions = desk.quire.conversions
            let documents = desk.quire.documents
            func kept(_ add: (ID<Conversion>) throws -> Void) throws -> Document {
                let id = try conversions.begin(ConversionWishes(), by: .local).id
                try add(id)
                try conversions.start(id, by: .local)
                desk.quire.runner.runUntilIdle()
                let added = try conversions.keep(id, by: .local)
                return try #require(added.first).document
            }
            let words = Array("The boiler is serviced on Monday.".utf8)
            let shared = try kept { id in
                _ = try ada.bring(words, to: "/conversions/\(id)/papers?shared=1&name=note.txt")
            }
            #expect(shared.arrival == .share)
            let own = try kept { id in
                _ = try ada.bring(words + [0x21], to: "/conversions/\(id)/papers?name=own.txt")
            }
            #expect(own.arrival == nil)
            let sent = try documents.arriving(by: .link).add(
                .bytes(words + [0x3F]), named: "sent.txt", by: .local
            ).document
            let converted = try kept { id in
                try conversions.add(.document(sent.id), named: "", to: id, by: .local)
            }
            #expect(converted.arrival == .link)
            let made = try desk.quire.redacted.make(
                converted.id, RedactedPapers.wish(["words": ["boiler"]]), by: .local)
            let redacted = try #require(made["document"]?.string.flatMap(ID<Document>.init))
            #expect(try documents.get(redacted, by: .local).arrival == .link)
        }
    }
}
