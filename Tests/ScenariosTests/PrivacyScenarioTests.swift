import Bytes
import HTTP
import Library
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Private folders in the browser")
struct PrivacyScenarioTests {
    private func desk<R>(_ body: (Desk, Browser, String, String) throws -> R) throws -> R {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let folder = try #require(
                try ada.fetch(.post, "/folders", json: ["path": "Health"]).json["id"]?.string)
            let paper = try #require(
                try ada.bring(Array("the clinic".utf8), to: "/documents?name=result.txt&folder=\(folder)")
                    .json["documents"]?[0]?["id"]?.string)
            _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["private": true])
            return try body(desk, ada, folder, paper)
        }
    }

    @Test("ask for the password before they show anything, and close by themselves")
    func asks() throws {
        try desk { desk, ada, folder, paper in
            desk.hands.advance(.seconds(300))
            #expect(!(try ada.get("/documents").text.contains("result.txt")))
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .forbidden)
            #expect(try ada.fetch(.get, "/documents/\(paper)/file").status == .forbidden)
            #expect(!(try ada.get("/search?q=clinic").text.contains("result.txt")))
            #expect(!(try ada.get("/activity?view=journal").text.contains("result.txt")))
            let page = try ada.get("/documents?folder=\(folder)")
            #expect(page.status == .seeOther && page.headers["Location"]?.hasPrefix("/private?next=") == true)
            let asked = try ada.get(try #require(page.headers["Location"]))
            let unlock = try #require(asked.headers["Location"])
            #expect(unlock.hasPrefix("/unlock?next="))
            #expect(try ada.get(unlock).text.contains("name=\"password\""))
            let next = try #require(
                unlock.between("next=", "\u{0}")
                    ?? unlock.split(separator: "=", maxSplits: 1).last.map(String.init))
            let wrong = try ada.submit("/unlock", ["password": "not it", "next": try decoded(next)])
            #expect(wrong.status == .unprocessable)
            #expect(!(try ada.get("/documents").text.contains("result.txt")))
            try ada.get(unlock)
            let opened = try ada.submit(
                "/unlock", ["password": "correct horse battery", "next": try decoded(next)])
            let back = try ada.get(try #require(opened.headers["Location"]))
            #expect(back.headers["Location"] == "/documents?folder=\(folder)")
            let shown = try ada.get("/documents?folder=\(folder)")
            #expect(shown.text.contains("result.txt") && shown.text.contains("/private/closing"))
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .ok)
            // A quarter of an hour later, though somebody is still there.
            desk.hands.advance(.seconds(16 * 60))
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .forbidden)
        }
    }

    private func decoded(_ text: String) throws -> String {
        try #require(try Fields(urlEncoded: "next=\(text)").first("next"))
    }

    @Test("close at once when asked to, and stay closed to tokens and WebDAV")
    func closing() throws {
        try desk { desk, ada, folder, paper in
            // Who signed in a moment ago has proved enough.
            _ = try ada.get("/private?next=/documents")
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .ok)
            _ = try ada.fetch(.post, "/private/closing")
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .forbidden)
            let token = try #require(
                try ada.fetch(.post, "/tokens", json: ["name": "all", "scope": ["admin"]]).json["token"]?
                    .string)
            let program = desk.program(token)
            #expect(try program.fetch(.get, "/documents").json["total"] == 0)
            #expect(try program.fetch(.get, "/documents/\(paper)").status == .forbidden)
            let list = try desk.site.router.response(
                to: Request(#require(Method("PROPFIND")), "/dav/", headers: ["Depth": "1"]))
            #expect(!list.text.contains("Health"))
            #expect(try desk.command(.get, "/api/documents/").json["count"] == 0)
        }
    }

    @Test("are shown on the machine itself to who asks for them by name")
    func machine() throws {
        try desk { desk, _, _, paper in
            #expect(try desk.command(.get, "/documents").json["total"] == 0)
            let refused = try desk.command(.get, "/documents/\(paper)")
            #expect(
                refused.status == .forbidden && refused.json["detail"]?.string?.contains("--private") == true)
            #expect(try desk.command(.get, "/documents", ["X-Quire-Private": "show"]).json["total"] == 1)
            // The word means nothing to who comes over the network.
            let stranger = desk.browser(from: "192.0.2.8")
            #expect(try stranger.raw(.get, "/documents", ["X-Quire-Private": "show"]).status == .unauthorized)
        }
    }
}
