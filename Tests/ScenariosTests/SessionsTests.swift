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

@Suite("Signed in on several devices")
struct SessionsTests {
    @Test(
        "a session from a while ago makes no keys to everything, no owners and no roles before it is proved again"
    )
    func grave() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let grace = desk.browser()
            try ada.invite("Grace", as: "viewer", into: grace)
            let member = try #require(try desk.quire.access.members.find("grace")?.id)
            func acts() throws -> [Status] {
                [
                    try ada.fetch(.post, "/tokens", json: ["name": "a", "scope": ["admin"]]).status,
                    try ada.fetch(.post, "/tokens", json: ["name": "b", "scope": ["sync"]]).status,
                    try ada.fetch(.post, "/invitations", json: ["role": "owner"]).status,
                    try ada.fetch(.patch, "/members/\(member)", json: ["role": "editor"]).status,
                ]
            }
            desk.hands.advance(.seconds(20 * 60))
            #expect(try acts().allSatisfy { $0 == .unauthorized })
            #expect(try desk.quire.access.tokens.list(by: .local).isEmpty)
            #expect(try desk.quire.access.invitations.list(by: .local).isEmpty)
            #expect(try desk.quire.access.members.get(member).role == .viewer)
            // What is not grave goes on.
            #expect(
                try ada.fetch(.post, "/tokens", json: ["name": "c", "scope": ["read"]]).status == .created)
            #expect(try ada.fetch(.post, "/invitations", json: ["role": "viewer"]).status == .created)
            try ada.get("/tokens")
            let asked = try ada.submit("/tokens", ["name": "a", "scope": "admin"])
            #expect(asked.status == .unauthorized && asked.text.contains("name=\"password\""))
            try ada.submit("/unlock", ["password": Browser.password, "next": "/tokens"])
            #expect(try acts() == [.created, .created, .created, .ok])
        }
    }

    @Test("a session that is ended elsewhere is over at its next request")
    func revoked() throws {
        try withDesk { desk throws in
            let laptop = desk.browser()
            try laptop.becomeOwner()
            let phone = desk.browser()
            _ = try phone.tries(["login": "ada@example.org", "password": Browser.password])
            try phone.get("/settings/security")

            let sessions = try phone.fetch(.get, "/sessions").json["sessions"]?.array ?? []
            #expect(sessions.count == 2)
            #expect(sessions.filter { $0["isCurrent"] == true }.count == 1)
            let other = try #require(sessions.first { $0["isCurrent"] == false }?["id"]?.string)
            #expect(try phone.get("/settings/security").text.contains("/sessions/\(other)"))
            #expect(try phone.submit("/sessions/\(other)", ["_method": "DELETE"]).status == .seeOther)
            #expect(try laptop.fetch(.get, "/documents").status == .unauthorized)
            #expect(try phone.fetch(.get, "/documents").status == .ok)
            #expect(try phone.fetch(.delete, "/sessions/\(other)").status == .notFound)
        }
    }

    @Test("all others can be ended at once")
    func others() throws {
        try withDesk { desk throws in
            let laptop = desk.browser()
            try laptop.becomeOwner()
            let phone = desk.browser()
            _ = try phone.tries(["login": "ada@example.org", "password": Browser.password])
            try phone.get("/settings/security")
            let answer = try phone.submit("/sessions", ["_method": "DELETE"])
            #expect(answer.headers["Location"] == "/settings/security")
            #expect(try laptop.fetch(.get, "/documents").status == .unauthorized)
            #expect(try phone.fetch(.get, "/documents").status == .ok)
        }
    }

    @Test("nobody ends the session of somebody else")
    func foreign() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let grace = desk.browser()
            try ada.invite("Grace", as: "editor", into: grace)
            let adas = try #require(try ada.fetch(.get, "/sessions").json["sessions"]?[0]?["id"]?.string)
            #expect(try grace.fetch(.delete, "/sessions/\(adas)").status == .forbidden)
            #expect(try ada.get("/").status == .ok)
        }
    }

    @Test("a changed password ends what was open elsewhere, and only with the one before")
    func password() throws {
        try withDesk { desk throws in
            let laptop = desk.browser()
            try laptop.becomeOwner()
            let phone = desk.browser()
            _ = try phone.tries(["login": "ada@example.org", "password": Browser.password])
            try phone.get("/settings/security")

            let wrong = try phone.submit(
                "/settings/security/password", ["current": "not this", "password": "a new long password"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("id=\"f-current-error\""))
            let short = try phone.submit(
                "/settings/security/password", ["current": Browser.password, "password": "short"])
            #expect(short.status == .unprocessable)
            #expect(short.text.contains("id=\"f-password-error\""))
            let good = try phone.submit(
                "/settings/security/password",
                ["current": Browser.password, "password": "a new long password"])
            #expect(good.headers["Location"] == "/settings/security")
            #expect(try laptop.fetch(.get, "/documents").status == .unauthorized)
            #expect(try phone.get("/settings/security").status == .ok)
            #expect(
                try desk.browser().tries(["login": "ada@example.org", "password": "a new long password"])
                    .status
                    == .seeOther)
        }
    }

    @Test(
        "after a changed password or a recovery the tokens of that member are shown to be revoked, all at once"
    )
    func tokens() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let grace = desk.browser()
            try ada.invite("Grace", as: "editor", into: grace)
            func makeTokens(_ who: Browser) throws -> [Browser] {
                try ["Scanner", "Phone"].map { name in
                    let made = try who.fetch(
                        .post, "/tokens", json: ["name": .string(name), "scope": ["write"]])
                    return desk.program(try #require(made.json["token"]?.string))
                }
            }
            let hers = try makeTokens(ada)
            let others = try makeTokens(grace)
            let codes = try ada.fetch(.post, "/settings/security/recovery-codes").json["codes"]?.array
            try ada.get("/settings/security")
            let changed = try ada.submit(
                "/settings/security/password",
                ["current": Browser.password, "password": "a new long password"])
            #expect(changed.headers["Location"] == "/tokens?after=password")
            let page = try ada.get("/tokens?after=password").text
            #expect(page.contains("Programs with these tokens still get in"))
            #expect(page.contains("Revoke all of mine"))
            let phone = desk.browser()
            let recovered = try phone.tries([
                "login": "ada@example.org", "recovery": codes?.first?.string ?? "",
                "newPassword": "another long password",
            ])
            #expect(recovered.headers["Location"] == "/tokens?after=password")
            #expect(try hers[0].fetch(.get, "/documents").status == .ok)
            try phone.get("/tokens")
            #expect(try phone.submit("/tokens", ["_method": "DELETE"]).headers["Location"] == "/tokens")
            for program in hers { #expect(try program.fetch(.get, "/documents").status == .unauthorized) }
            for program in others { #expect(try program.fetch(.get, "/documents").status == .ok) }
            #expect(!(try phone.get("/tokens?after=password").text.contains("still get in")))
            // With none left it goes where it always went.
            try phone.get("/settings/security")
            let again = try phone.submit(
                "/settings/security/password",
                ["current": "another long password", "password": "a third long password"])
            #expect(again.headers["Location"] == "/settings/security")
        }
    }

    @Test("new recovery codes need somebody who was there lately, and the page says how to prove it")
    func freshProof() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            desk.hands.advance(.seconds(20 * 60))
            try ada.get("/settings/security")
            let program = try ada.fetch(.post, "/settings/security/recovery-codes")
            #expect(program.status == .unauthorized)
            #expect(program.json["field"] == "proof")
            let page = try ada.submit("/settings/security/recovery-codes", [:])
            #expect(page.text.contains("action=\"/unlock\""))
            let proof = try ada.submit(
                "/unlock", ["password": Browser.password, "next": "/settings/security"])
            #expect(proof.headers["Location"] == "/settings/security")
            let codes = try ada.submit("/settings/security/recovery-codes", [:])
            #expect(codes.status == .ok)
            #expect(codes.headers["Cache-Control"] == "no-store")
            #expect(codes.text.contains("class=\"codes\""))
        }
    }
}

@Suite("Passkeys through the pages")
struct PasskeyTests {
    private func phone(_ browser: Browser, credential: UInt8 = 1) throws -> Phone {
        var phone = try Phone(credential: credential)
        phone.origin = "http://\(browser.host)"
        phone.relyingParty = "localhost"
        return phone
    }

    @Test("the first owner starts with a passkey alone, and signs in with it")
    func firstOwner() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.get("/welcome")
            let account: JSON = ["name": "Ada", "login": "ada@example.org"]
            var phone = try phone(ada)
            let question = try ada.fetch(.post, "/welcome/passkey-options", json: account)
            #expect(question.status == .ok)
            // Whoever closes the device's dialog has not become anybody yet.
            #expect(try desk.quire.access.firstOwner.isMissing())
            let made = try phone.create(question.json["publicKey"] ?? .null)
            let answer = try ada.fetch(
                .post, "/welcome/passkey",
                json: [
                    "name": "Ada", "login": "ada@example.org", "credential": made,
                    "ceremony": question.json["ceremony"] ?? .null,
                ])
            #expect(answer.json["next"] == "/welcome?step=codes")
            #expect(try ada.get("/welcome?step=codes").text.contains("class=\"codes\""))
            #expect(try desk.quire.access.members.find("ada@example.org")?.hasPassword == false)

            let elsewhere = desk.browser()
            try elsewhere.get("/sign-in")
            let asked = try elsewhere.fetch(.post, "/sign-in/passkey-options", json: [:])
            let signed = try elsewhere.fetch(
                .post, "/sign-in/passkey",
                json: [
                    "credential": try phone.get(asked.json["publicKey"] ?? .null),
                    "ceremony": asked.json["ceremony"] ?? .null, "next": "/documents",
                ])
            #expect(signed.json["next"] == "/documents")
            #expect(try elsewhere.get("/documents").status == .ok)
        }
    }

    @Test("an invited person joins with a passkey")
    func join() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let invitation = try desk.quire.access.invitations.make(role: .editor, by: .local)
            let path = "/join/\(invitation.token.text)"
            let grace = desk.browser()
            try grace.get(path)
            var phone = try phone(grace)
            let question = try grace.fetch(
                .post, path + "/passkey-options", json: ["name": "Grace", "login": "grace"])
            #expect(try desk.quire.access.members.count() == 1)
            let answer = try grace.fetch(
                .post, path + "/passkey",
                json: [
                    "name": "Grace", "login": "grace",
                    "credential": try phone.create(question.json["publicKey"] ?? .null),
                    "ceremony": question.json["ceremony"] ?? .null,
                ])
            #expect(answer.status.isSuccess)
            #expect(try grace.get("/").text.contains("Grace"))
        }
    }

    @Test("a passkey from another site, or an answer sent twice, lets nobody in")
    func refused() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            var phone = try ada.addPasskey()
            let door = desk.browser()
            try door.get("/sign-in")
            func question() throws -> JSON {
                try door.fetch(.post, "/sign-in/passkey-options", json: [:]).json["publicKey"] ?? .null
            }
            func answer(_ credential: JSON) throws -> Status {
                try door.fetch(.post, "/sign-in/passkey", json: ["credential": credential, "ceremony": ""])
                    .status
            }
            var phished = phone
            phished.origin = "http://localhost:9999"
            #expect(try answer(phished.get(question())) == .unauthorized)
            let good = try phone.get(question())
            #expect(try answer(good).isSuccess)
            #expect(try answer(good) == .unauthorized)
            #expect(try answer([:]) == .unauthorized)
            #expect(try door.fetch(.post, "/sign-in/passkey", json: [:]).status == .unprocessable)
        }
    }

    @Test("passkeys are listed, renamed and removed, but never the last way in")
    func keeping() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            _ = try ada.addPasskey("Old phone")
            let page = try ada.get("/settings/security")
            #expect(page.text.contains("Old phone"))
            let list = try ada.fetch(.get, "/passkeys").json["passkeys"]?.array ?? []
            let id = try #require(list.first?["id"]?.string)
            #expect(list.first?["site"] == "localhost")
            let renamed = try ada.fetch(.patch, "/passkeys/\(id)", json: ["name": "Red phone"])
            #expect(renamed.json["name"] == "Red phone")
            #expect(
                try ada.submit("/passkeys/\(id)", ["_method": "DELETE"]).headers["Location"]
                    == "/settings/security")
            #expect(try ada.fetch(.get, "/passkeys").json["passkeys"] == [])
        }
    }

    @Test("where browsers offer no passkeys, the desk says so")
    func numericHost() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let browser = desk.browser(at: "192.168.1.7:8484")
            try browser.get("/sign-in")
            let answer = try browser.fetch(.post, "/sign-in/passkey-options", json: [:])
            #expect(answer.status == .unprocessable)
            #expect(answer.json["detail"]?.string?.contains("HTTPS") == true)
        }
    }
}
