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

@Suite("People on a desk")
struct PeopleTests {
    @Test("an invitation lets one person join, once, with the role it names")
    func invitation() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/members")
            let page = try ada.submit("/invitations", ["note": "Grace", "role": "editor"])
            #expect(page.status == .ok)
            #expect(page.headers["Cache-Control"] == "no-store")
            let address = try #require(page.text.between("class=\"secret\">", "<"))
            let path = try #require(address.dropping("http://localhost:8484"))
            #expect(path.hasPrefix("/join/"))

            let grace = desk.browser()
            let invited = try grace.get(path)
            #expect(invited.text.contains("Ada"))
            let mistake = try grace.submit(path, ["name": "Grace", "login": "grace", "password": "short"])
            #expect(mistake.status == .unprocessable)
            #expect(mistake.text.contains("value=\"grace\""))
            #expect(
                try grace.submit(
                    path, ["name": "Grace", "login": "grace", "password": "compilers for everybody"]
                ).status == .seeOther)
            #expect(try grace.get("/").text.contains("Grace"))
            #expect(try desk.quire.access.members.find("grace")?.role == .editor)

            let eve = desk.browser()
            #expect(try eve.get(path).status == .notFound)
            let second = try eve.fetch(
                .post, path, json: ["name": "Eve", "login": "eve", "password": "another long password"])
            #expect(second.status.isError)
            #expect(try desk.quire.access.members.count() == 2)
        }
    }

    @Test("a name somebody signs in with already is refused beside its field")
    func taken() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let invitation = try desk.quire.access.invitations.make(role: .viewer, by: .local)
            let path = "/join/\(invitation.token.text)"
            let other = desk.browser()
            try other.get(path)
            let answer = try other.submit(
                path, ["name": "Ada too", "login": "ADA@example.org", "password": "another long password"])
            #expect(answer.status == .unprocessable)
            #expect(answer.text.contains("id=\"f-login-error\""))
            // The invitation is not used up by it.
            #expect(try other.get(path).status == .ok)
        }
    }

    @Test("withdrawn and expired invitations lead nowhere")
    func gone() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let first = try desk.quire.access.invitations.make(role: .viewer, by: .local)
            try ada.get("/members")
            #expect(
                try ada.submit("/invitations/\(first.invitation.id)", ["_method": "DELETE"]).status
                    == .seeOther)
            let guest = desk.browser()
            #expect(try guest.get("/join/\(first.token.text)").status == .notFound)
            let second = try desk.quire.access.invitations.make(role: .viewer, by: .local)
            desk.hands.advance(.seconds(8 * 86_400))
            #expect(try guest.get("/join/\(second.token.text)").status == .notFound)
            #expect(try guest.get("/join/nothing").status == .notFound)
        }
    }

    @Test(
        "editors and viewers may do what their roles say and nothing more", arguments: ["editor", "viewer"])
    func roles(role: String) throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let grace = desk.browser()
            try ada.invite("Grace", as: role, into: grace)

            for path in [
                "/", "/documents", "/activity", "/settings", "/settings/identity", "/settings/security",
                "/settings/language", "/settings/plans", "/settings/about", "/tokens",
            ] {
                #expect(try grace.get(path).status == .ok, "\(path)")
            }
            for path in [
                "/settings/mail", "/settings/storage", "/members", "/journal", "/invitations", "/backups",
            ] {
                #expect(try grace.fetch(.get, path).status == .forbidden, "\(path)")
                #expect(try grace.get(path).status == .forbidden, "\(path) as a page")
            }
            try grace.get("/")
            let adaID = try #require(try desk.quire.access.members.find("ada@example.org")?.id)
            let changes: [(HTTP.Method, String, JSON)] = [
                (.post, "/settings/mail", ["host": "smtp.example.org"]), (.post, "/settings/mail/test", [:]),
                (.post, "/settings/identity", ["organization": "Eve & Co"]),
                (.post, "/settings/security/lock", ["minutes": 5]),
                (.post, "/settings/region", ["timeZone": "UTC"]),
                (.post, "/settings/backups", ["folder": "/tmp"]),
                (.post, "/settings/plans", ["simulateFree": true]),
                (.post, "/invitations", ["role": "owner"]),
                (.patch, "/members/\(adaID)", ["role": "viewer"]),
                (.post, "/backups", ["folder": "/tmp/backup"]),
                (.post, "/verifications", [:]), (.post, "/tokens", ["name": "t", "scope": ["admin"]]),
            ]
            for (method, path, body) in changes {
                let answer = try grace.fetch(method, path, json: body)
                #expect(answer.status == .forbidden, "\(method) \(path): \(answer.status)")
                #expect(answer.json["detail"]?.string?.isEmpty == false)
            }
            #expect(try grace.fetch(.delete, "/members/\(adaID)").status == .forbidden)

            let token = try grace.fetch(.post, "/tokens", json: ["name": "t", "scope": ["write"]])
            #expect(token.status == (role == "editor" ? .created : .forbidden))
            let trash = try grace.fetch(.post, "/documents/selection", json: ["action": "trash", "id": []])
            #expect((trash.status == .forbidden) == (role == "viewer"))
        }
    }

    @Test("owners change roles and remove people, and what they had open ends")
    func changing() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let grace = desk.browser()
            try ada.invite("Grace", as: "viewer", into: grace)
            let id = try #require(try desk.quire.access.members.find("grace")?.id)
            try ada.get("/members")
            let changed = try ada.submit("/members/\(id)", ["_method": "PATCH", "role": "editor"])
            #expect(changed.headers["Location"] == "/members")
            #expect(try desk.quire.access.members.get(id).role == .editor)
            let toast = try ada.get("/members").text.between("class=\"toast\"", "</div>") ?? ""
            #expect(toast.contains("data-undo"))
            try ada.submit("/members/\(id)", ["_method": "PATCH", "role": "viewer"])
            #expect(try desk.quire.access.members.get(id).role == .viewer)
            #expect(try ada.fetch(.patch, "/members/\(id)", json: ["role": "queen"]).json["field"] == "role")

            let removed = try ada.submit("/members/\(id)", ["_method": "DELETE"])
            #expect(removed.status == .seeOther)
            #expect(try grace.fetch(.get, "/documents").status == .unauthorized)
            #expect(try ada.get("/members").text.contains("Grace") == false)
        }
    }

    @Test("the last owner can neither leave nor become something less")
    func lastOwner() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let id = try #require(try desk.quire.access.members.find("ada@example.org")?.id)
            #expect(try ada.fetch(.patch, "/members/\(id)", json: ["role": "viewer"]).status == .conflict)
            #expect(try ada.fetch(.delete, "/members/\(id)").status == .conflict)
            #expect(try ada.get("/").status == .ok)
        }
    }
}

@Suite("Keys for programs")
struct TokenTests {
    @Test("a token is shown once, does what its scopes say, and dies with its revocation")
    func scopes() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/tokens")
            let page = try ada.submit("/tokens", ["name": "Scanner", "scope": "read", "days": "30"])
            #expect(page.headers["Cache-Control"] == "no-store")
            let token = try #require(page.text.between("class=\"secret\">", "<"))
            #expect(try ada.get("/tokens").text.contains(token) == false)

            let program = desk.program(token)
            #expect(try program.fetch(.get, "/documents").status == .ok)
            let refused = try program.fetch(
                .post, "/documents/selection", json: ["action": "trash", "id": []])
            #expect(refused.status == .forbidden)
            #expect(refused.json["detail"]?.string?.contains("more scopes") == true)
            #expect(try program.fetch(.get, "/journal").status == .forbidden)
            #expect(
                try program.fetch(.post, "/tokens", json: ["name": "child", "scope": ["read"]]).status
                    == .forbidden)

            let list = try program.fetch(.get, "/tokens").json["tokens"]?.array ?? []
            #expect(list.count == 1)
            #expect(list.first?["scope"] == ["read"])
            let id = try #require(list.first?["id"]?.string)
            try ada.get("/tokens")
            #expect(try ada.submit("/tokens/\(id)", ["_method": "DELETE"]).status == .seeOther)
            #expect(try program.fetch(.get, "/documents").status == .unauthorized)
        }
    }

    @Test("a token expires on its day, and needs no token against forgery")
    func expiry() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/tokens")
            let made = try ada.fetch(
                .post, "/tokens", json: ["name": "Clerk", "scope": ["admin"], "days": 1])
            #expect(made.status == .created)
            let program = desk.program(try #require(made.json["token"]?.string))
            #expect(try program.fetch(.post, "/invitations", json: ["role": "viewer"]).status == .created)
            desk.hands.advance(.seconds(86_400))
            let late = try program.fetch(.get, "/documents")
            #expect(late.status == .unauthorized)
            #expect(late.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        }
    }

    @Test(
        "a token without a name or scope is refused beside its field",
        arguments: [
            (["name": "", "scope": "read"] as Fields, "name"), (["name": "Scanner"] as Fields, "scope"),
            (["name": "Scanner", "scope": "everything"] as Fields, "scope"),
            (["name": "Scanner", "scope": "read", "days": "never"] as Fields, "days"),
        ])
    func mistakes(form: Fields, field: String) throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/tokens")
            let answer = try ada.submit("/tokens", form)
            #expect(answer.status == .unprocessable)
            #expect(try desk.quire.access.tokens.list(by: .local).isEmpty)
            var json = JSONObject()
            for entry in form {
                json[entry.name] = entry.name == "scope" ? [.string(entry.value)] : .string(entry.value)
            }
            #expect(try ada.fetch(.post, "/tokens", json: .object(json)).json["field"]?.string == field)
        }
    }
}
