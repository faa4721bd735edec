import App
import Bytes
import HTTP
import SQL
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Figures of a desk")
struct FiguresTests {
    private func kept(_ browser: Browser) throws -> [Int] {
        try browser.fetch(.get, "/activity/figures?weeks=3").json["weeks"]?.array?.map {
            $0["kept"]?.int ?? -1
        } ?? []
    }

    @Test("count papers by the week they came in, and how long the first one took")
    func weeks() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let empty = try ada.fetch(.get, "/activity/figures?weeks=3").json
            #expect(empty["papers"] == 0 && empty["firstPaperSeconds"] == .null && empty["inStep"] == .null)
            #expect(empty["tools"] == [])
            desk.hands.advance(.seconds(600))
            _ = try ada.bring(Array("one".utf8), to: "/documents?name=one.txt")
            desk.hands.advance(.seconds(7 * 86_400))
            _ = try ada.bring(Array("two".utf8), to: "/documents?name=two.txt")
            let gone = try ada.bring(Array("three".utf8), to: "/documents?name=three.txt").json["documents"]?[
                0]?["id"]
            #expect(try kept(ada) == [0, 1, 2])
            _ = try ada.fetch(.delete, "/documents/\(try #require(gone?.string))")
            #expect(try kept(ada) == [0, 1, 1])
            let figures = try ada.fetch(.get, "/activity/figures").json
            #expect(figures["papers"] == 2 && (600...660).contains(figures["firstPaperSeconds"]?.int ?? 0))
            let page = try ada.get("/activity?view=figures").text
            #expect(page.contains("Papers kept per week") && page.contains("10 minutes"))
        }
    }

    @Test("count how often somebody searched, not what for, and typing on is one search")
    func searches() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            func counted() throws -> [Int] {
                try ada.fetch(.get, "/activity/figures?weeks=2").json["weeks"]?.array?.map {
                    $0["searches"]?.int ?? -1
                } ?? []
            }
            #expect(try counted() == [0, 0])
            // The palette asks at every key.
            for words in ["l", "le", "lease"] { _ = try ada.fetch(.get, "/search?q=\(words)") }
            #expect(try counted() == [0, 1])
            desk.hands.advance(.seconds(120))
            _ = try ada.get("/documents?q=harbour")
            // Somebody else, in the same moment.
            _ = try desk.command(.get, "/documents/matches?q=harbour")
            desk.hands.advance(.seconds(60))
            _ = try ada.get("/search?q=mill")
            #expect(try counted() == [0, 4])
            // Looking around is no search.
            _ = try ada.get("/documents")
            _ = try ada.fetch(.get, "/search?q=")
            desk.hands.advance(.seconds(7 * 86_400))
            _ = try desk.command(.get, "/documents/matches?q=harbour")
            #expect(try counted() == [4, 1])
            #expect(try ada.get("/activity?view=figures").text.contains("Searches in the last six months"))
            let kept = try desk.quire.store.read { tx in
                try tx.rows("SELECT value FROM setting WHERE name = 'searches'").map { try $0.text("value") }
            }
            #expect(kept.count == 1 && !kept[0].contains("harbour") && !kept[0].contains("ada"))
        }
    }

    @Test("count no private paper for whom it is closed")
    func privacy() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let folder = try #require(
                try ada.fetch(.post, "/folders", json: ["path": "Health"]).json["id"]?.string)
            _ = try ada.bring(Array("the clinic".utf8), to: "/documents?name=result.txt&folder=\(folder)")
            _ = try ada.bring(Array("open".utf8), to: "/documents?name=open.txt")
            #expect(try kept(ada).last == 2)
            _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["private": true])
            desk.hands.advance(.seconds(300))
            let figures = try ada.fetch(.get, "/activity/figures").json
            #expect(try kept(ada).last == 1)
            #expect(figures["papers"] == 1 && figures["tools"] == .null)
        }
    }
}
