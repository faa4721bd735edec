import Access
import App
import Bytes
import HTTP
import Storage
import TestSupport
import Testing
import Transfer
import Web

@Suite("How the desk is guarded")
struct GuardingTests {
    @Test("is seen in one look: walls, who is signed in, keys of programs, links, and who tried to come in")
    func look() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let grace = desk.browser(from: "192.0.2.44")
            try ada.invite("Grace", as: "editor", into: grace)
            _ = try ada.fetch(.post, "/tokens", json: ["name": "Scanner", "scope": ["write"]])
            let paper = try ada.bring(Array("Dear Ana".utf8), to: "/documents?name=letter.txt")
            let id = try #require(paper.json["documents"]?[0]?["id"]?.string)
            _ = try ada.fetch(.post, "/documents/\(id)/shares", json: ["days": 7, "password": "plum tree"])
            _ = try ada.fetch(.post, "/documents/\(id)/shares", json: [:])
            let eve = desk.browser(from: "198.51.100.66")
            _ = try eve.tries(["login": "ada@example.org", "password": "guessed"])

            let seen = try ada.fetch(.get, "/security").json
            let names = (seen["walls"]?.array ?? []).compactMap { $0["name"]?.string }
            #expect(names.contains("privacy") && names.contains("listening"))
            #expect(names.contains("papers from strangers"))
            let sessions = seen["sessions"]?.array ?? []
            #expect(Set(sessions.compactMap { $0["member"]?.string }) == ["Ada", "Grace"])
            #expect(sessions.contains { $0["address"]?.string == "192.0.2.44" })
            #expect(seen["tokens"]?[0]?["name"] == "Scanner")
            #expect(seen["links"] == ["count": 2, "withoutEnd": 1, "withoutPassword": 1])
            #expect(seen["signIns"]?[0]?["verb"] == "sign-in.failed")
            #expect(seen["signIns"]?[0]?["detail"]?["address"] == "198.51.100.66")

            let page = try ada.get("/security").text
            for text in [
                "Grace", "192.0.2.44", "Scanner", "198.51.100.66", "Was refused", "Only its owner may look",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(try ada.get("/settings").text.contains("href=\"/security\""))
            #expect(try grace.get("/security").status == .forbidden)
            #expect(!(try grace.get("/settings").text.contains("href=\"/security\"")))
        }
    }

    @Test("tells of a proxy that is not named, and of one that is")
    func proxies() throws {
        func proxies(_ flags: [String: String]) throws -> JSON? {
            try withDesk(flags: flags) { desk in
                let walls = try desk.command(.get, "/security").json["walls"]?.array ?? []
                return walls.first { $0["name"] == "proxies" }
            }
        }
        let outside = ["host": "0.0.0.0", "public-origin": "https://desk.example"]
        #expect(try proxies([:]) == nil)
        #expect(try proxies(outside)?["state"] == "limited")
        let named = try proxies(outside.merging(["trusted-proxies": "192.0.2.7, 10.0.0.0/8"]) { $1 })
        #expect(named?["state"] == "good")
        #expect(named?["sentence"]?.string?.contains("192.0.2.7/32, 10.0.0.0/8") == true)
        for wrong in ["everybody", "192.0.2.300", "10.0.0.0/99", "0.0.0.0/0"] {
            #expect(throws: Failure.self) { try Config.load(flags: ["trusted-proxies": wrong]) }
        }
    }
}
