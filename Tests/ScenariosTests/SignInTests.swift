import Access
import App
import Bytes
import Crypto
import HTTP
import Jobs
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("At the door")
struct SignInTests {
    @Test("the desk has one first owner, whoever asks second")
    func firstOwnerOnce() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            let eve = desk.browser()
            try ada.get("/welcome")
            try eve.get("/welcome")
            let form: Fields = ["name": "Ada", "login": "ada@example.org", "password": Browser.password]
            #expect(try ada.submit("/welcome", form).status == .ok)
            let late = try eve.submit(
                "/welcome", ["name": "Eve", "login": "eve", "password": "another long password"])
            #expect(late.status.isError)
            #expect(late.text.contains("has an owner already"))
            #expect(try eve.fetch(.get, "/documents").status == .unauthorized)
            #expect(try desk.quire.access.members.list().map(\.name) == ["Ada"])
        }
    }

    @Test("a name and password let in, lead on to the page that was wanted, and signing out closes the door")
    func inAndOut() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let ada = desk.browser()
            #expect(
                try ada.get("/documents?q=will").headers["Location"]
                    == "/sign-in?next=%2Fdocuments%3Fq%3Dwill")
            try ada.get("/sign-in?next=/documents%3Fq%3Dwill")
            let answer = try ada.signIn("ada@example.org", Browser.password, next: "/documents?q=will")
            #expect(answer.status == .seeOther)
            #expect(answer.headers["Location"] == "/documents?q=will")
            #expect(answer.headers["Cache-Control"] == "no-store")
            #expect(try ada.get("/documents?q=will").status == .ok)

            let stolen = ada.cookies
            try ada.get("/")
            let out = try ada.submit("/sign-out", [:])
            #expect(out.headers["Location"] == "/sign-in")
            #expect(out.headers["Clear-Site-Data"] != nil)
            #expect(try ada.get("/").headers["Location"]?.hasPrefix("/sign-in") == true)
            // The cookie itself is worth nothing any more.
            let thief = desk.browser()
            thief.cookies = stolen
            #expect(try thief.fetch(.get, "/documents").status == .unauthorized)
        }
    }

    @Test(
        "nobody is sent to another site after signing in",
        arguments: [
            "https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)",
            "/\r\nSet-Cookie: a=b",
        ])
    func openRedirect(next: String) throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let ada = desk.browser()
            try ada.get("/sign-in")
            #expect(
                try ada.signIn("ada@example.org", Browser.password, next: next).headers["Location"] == "/")
        }
    }

    @Test("a wrong password and a wrong name read alike, and what was typed as name stays")
    func wrong() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let browser = desk.browser()
            try browser.get("/sign-in")
            let password = try browser.signIn("ada@example.org", "not her password")
            let name = try browser.signIn("eve@example.org", "not her password")
            let sentence = "The name or the password is not right."
            for answer in [password, name] {
                #expect(answer.status == .unprocessable)
                #expect(answer.text.contains(sentence))
            }
            #expect(password.text.contains("value=\"ada@example.org\""))
            #expect(!password.text.contains("not her password"))

            let program = try browser.fetch(
                .post, "/sign-in", json: ["login": "ada@example.org", "password": "no"])
            #expect(program.status == .unauthorized)
            #expect(program.mediaType?.essence == "application/problem+json")
            #expect(program.json["detail"]?.string == sentence)
        }
    }

    @Test("after five wrong passwords one has to wait, however good the next one is")
    func lockOut() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let browser = desk.browser()
            try browser.get("/sign-in")
            for _ in 0..<6 { try browser.signIn("ada@example.org", "not her password") }
            let early = try browser.signIn("ada@example.org", Browser.password)
            #expect(early.status == .tooManyRequests)
            #expect(early.headers["Retry-After"].flatMap { Int($0) }.map { (1...61).contains($0) } == true)
            #expect(early.text.contains("Too many failed tries"))
            let program = try browser.fetch(
                .post, "/sign-in", json: ["login": "ada@example.org", "password": .string(Browser.password)])
            #expect(program.status == .tooManyRequests)
            #expect(program.headers["Retry-After"] != nil)

            desk.hands.advance(.seconds(3600))
            #expect(try browser.signIn("ada@example.org", Browser.password).status == .seeOther)
        }
    }

    @Test("a recovery code lets in once, with a new password")
    func recovery() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.get("/welcome")
            let welcome = try ada.fetch(
                .post, "/welcome",
                json: ["name": "Ada", "login": "ada@example.org", "password": .string(Browser.password)])
            #expect(welcome.status == .created)
            let codes = (welcome.json["recoveryCodes"]?.array ?? []).compactMap(\.string)
            #expect(codes.count == 10)

            let elsewhere = desk.browser()
            let page = try elsewhere.get("/sign-in?with=recovery")
            #expect(page.text.contains("name=\"recovery\""))
            #expect(page.text.contains("name=\"newPassword\""))
            let form: Fields = [
                "login": "ada@example.org", "recovery": codes[3].lowercased(),
                "newPassword": "a fresh start 1852",
            ]
            #expect(try elsewhere.submit("/sign-in", form).status == .seeOther)
            #expect(try elsewhere.get("/").status == .ok)
            #expect(try ada.fetch(.get, "/documents").status == .unauthorized)
            #expect(try desk.browser().tries(form).status == .unprocessable)
            let again = desk.browser()
            try again.get("/sign-in")
            #expect(try again.signIn("ada@example.org", "a fresh start 1852").status == .seeOther)
        }
    }
}

@Suite("A locked desk")
struct LockTests {
    private func withLockedDesk(_ body: (Desk, Browser) throws -> Void) throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(try ada.submit("/settings/security/lock", ["minutes": "15"]).status == .seeOther)
            try ada.get("/")
            desk.hands.advance(.seconds(16 * 60))
            try body(desk, ada)
        }
    }

    @Test("shows nothing of what lies on it until its owner unlocks it")
    func refusesReading() throws {
        try withLockedDesk { desk, ada throws in
            let page = try ada.get("/settings/identity")
            #expect(page.status == .unauthorized)
            #expect(page.text.contains("action=\"/unlock\""))
            #expect(!page.text.contains("ada@example.org"))
            #expect(!page.text.contains("<nav class=\"nav\""))
            for path in [
                "/documents", "/jobs", "/members", "/settings/mail", "/journal", "/search?q=a", "/events",
            ] {
                let answer = try ada.fetch(.get, path)
                #expect(answer.status == .unauthorized, "\(path)")
            }
            // The lock is the server's: asking for something else, or waiting, does not open it.
            #expect(
                try ada.fetch(.post, "/tokens", json: ["name": "t", "scope": ["read"]]).status
                    == .unauthorized)

            let wrong = try ada.submit("/unlock", ["password": "not hers", "next": "/settings/identity"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("This is not your password."))
            let open = try ada.submit(
                "/unlock", ["password": Browser.password, "next": "/settings/identity"])
            #expect(open.headers["Location"] == "/settings/identity")
            #expect(try ada.get("/settings/identity").status == .ok)
        }
    }

    @Test("locks by itself, or at once when its owner leaves")
    func asked() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/")
            #expect(try ada.fetch(.post, "/lock").status == .noContent)
            #expect(try ada.fetch(.get, "/documents").status == .unauthorized)
            try ada.get("/")
            #expect(
                try ada.fetch(.post, "/unlock", json: ["password": .string(Browser.password)]).status
                    .isSuccess)
            #expect(try ada.fetch(.get, "/documents").status == .ok)
        }
    }

    @Test("opens with the passkey of whoever locked it, and nobody else's")
    func passkey() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            var phone = try ada.addPasskey()
            try ada.get("/")
            try ada.fetch(.post, "/lock")
            try ada.get("/")
            let question = try ada.fetch(.post, "/unlock/passkey-options", json: [:])
            #expect(question.json["publicKey"]?["allowCredentials"]?.array?.count == 1)
            let answer = try phone.get(question.json["publicKey"] ?? .null)
            let open = try ada.fetch(
                .post, "/unlock/passkey",
                json: [
                    "credential": answer, "ceremony": question.json["ceremony"] ?? .null,
                    "next": "/documents",
                ])
            #expect(open.json["next"] == "/documents")
            #expect(try ada.fetch(.get, "/documents").status == .ok)
        }
    }

    @Test("can always be signed out of")
    func signOut() throws {
        try withLockedDesk { _, ada throws in
            try ada.get("/")
            #expect(try ada.submit("/sign-out", [:]).headers["Location"] == "/sign-in")
            #expect(try ada.get("/documents").headers["Location"]?.hasPrefix("/sign-in") == true)
        }
    }
}
