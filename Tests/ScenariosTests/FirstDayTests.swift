import Access
import App
import Work
import Bytes
import HTTP
import Storage
import Testing
import Web

@Suite("The first day of a desk")
struct FirstDayTests {
    @Test("leads whoever opens it to the welcome, and no further")
    func welcome() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            #expect(try ada.get("/").headers["Location"] == "/welcome")
            #expect(try ada.get("/sign-in").headers["Location"] == "/welcome")
            #expect(try ada.get("/welcome").text.contains("<form"))
            #expect(try ada.fetch(.get, "/documents").status == .unauthorized)
        }
    }

    @Test("gives the first person the desk, recovery codes and a start page")
    func owner() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.get("/welcome")
            let response = try ada.submit(
                "/welcome", ["name": "Ada", "login": "ada@example.org", "password": "correct horse battery"])
            #expect(response.status == .ok)
            #expect(response.text.components("<li>").count >= 10)
            #expect(response.headers["Cache-Control"] == "no-store")
            let start = try ada.get("/")
            #expect(start.status == .ok)
            #expect(start.text.contains("Ada"))
            #expect(try ada.get("/welcome").headers["Location"] == "/")
        }
    }

    @Test("says beside the field what is wrong with it")
    func mistakes() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.get("/welcome")
            let response = try ada.submit("/welcome", ["name": "Ada", "login": "ada", "password": "short"])
            #expect(response.status == .unprocessable)
            #expect(response.text.contains("value=\"Ada\""))
            #expect(response.text.contains("field-error"))
        }
    }

    @Test("asks people from elsewhere for the code that was printed")
    func setUpCode() throws {
        try withDesk(settings: SiteSettings(allowedHosts: ["desk.example"])) { desk throws in
            let stranger = desk.browser(at: "desk.example", from: "203.0.113.9")
            try stranger.get("/welcome")
            let form: Fields = ["name": "Eve", "login": "eve", "password": "correct horse battery"]
            #expect(try stranger.submit("/welcome", form).status == .unprocessable)
            try stranger.get("/welcome?code=\(desk.quire.access.firstOwner.code)")
            #expect(try stranger.submit("/welcome", form).status == .ok)
        }
    }

    @Test("opens every page for its owner")
    func everyPage() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            for path in [
                "/", "/documents", "/documents?trash=1", "/documents/new", "/shares", "/activity",
                "/activity?view=history", "/activity?view=schedule", "/activity?view=journal", "/settings",
                "/settings/identity", "/settings/security", "/settings/language", "/settings/mail",
                "/settings/storage", "/settings/plans", "/settings/about", "/members", "/tokens",
                "/search?q=a",
                "/offline", "/manifest.webmanifest", "/sw.js", "/openapi.json", "/version",
            ] {
                let response = try ada.get(path)
                #expect(response.status == .ok, "\(path): \(response.status) \(response.text.prefix(500))")
            }
            #expect(desk.log.messages.isEmpty)
        }
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
