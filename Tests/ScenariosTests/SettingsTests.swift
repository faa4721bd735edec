import Access
import App
import Bytes
import Crypto
import Glibc
import HTTP
import Jobs
import Storage
import TestSupport
import Testing
import Transfer
import Web
import Work

@Suite("Settings")
struct SettingsTests {
    private func withOwner(
        flags: [String: String] = [:], _ body: (Desk, Browser) throws -> Void
    ) throws {
        try withDesk(flags: flags) { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try body(desk, ada)
        }
    }

    @Test("one's own name and sign-in name are saved and shown again")
    func person() throws {
        try withOwner { desk, ada throws in
            try ada.get("/settings/identity")
            let saved = try ada.submit(
                "/settings/identity", ["part": "person", "name": "Ada King", "login": "ada.king"])
            #expect(saved.headers["Location"] == "/settings/identity")
            let page = try ada.get("/settings/identity")
            #expect(page.text.contains("value=\"Ada King\""))
            #expect(page.text.contains("value=\"ada.king\""))
            #expect(page.text.contains("class=\"toast\""))
            #expect(try ada.get("/settings/identity").text.contains("class=\"toast\"") == false)
            let wrong = try ada.submit(
                "/settings/identity", ["part": "person", "name": "Ada", "login": "two words"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("value=\"two words\""))
            #expect(wrong.text.contains("id=\"f-login-error\""))
        }
    }

    @Test("the desk's own name and address are saved and shown again")
    func identity() throws {
        try withOwner { desk, ada throws in
            try ada.get("/settings/identity")
            try ada.submit(
                "/settings/identity",
                [
                    "part": "desk", "organization": "Engines & Sons", "email": "office@example.org",
                    "phone": "+44 20 7946 0000", "address": "1 St James's Square\r\nLondon",
                ])
            let json = try ada.fetch(.get, "/settings/identity").json
            #expect(json["organization"] == "Engines & Sons")
            #expect(json["address"] == "1 St James's Square\nLondon")
            #expect(try ada.get("/settings/identity").text.contains("value=\"Engines &amp; Sons\""))

            let wrong = try ada.submit(
                "/settings/identity", ["part": "desk", "organization": "New Name", "email": "no address"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("id=\"f-email-error\""))
            #expect(wrong.text.contains("value=\"no address\""))
            #expect(wrong.text.contains("value=\"New Name\""))
            #expect(try desk.quire.settings.identity().organization == "Engines & Sons")
            let program = try ada.fetch(.post, "/settings/identity", json: ["email": "no address"])
            #expect(program.status == .unprocessable)
            #expect(program.json["field"] == "email")
        }
    }

    @Test("the mail account is saved without ever showing its password again")
    func mail() throws {
        try withOwner { desk, ada throws in
            try ada.get("/settings/mail")
            let form: Fields = [
                "fromAddress": "office@example.org", "fromName": "Office", "host": "smtp.example.org",
                "port": "465", "security": "tls", "username": "office", "password": "mail secret 1",
            ]
            #expect(try ada.submit("/settings/mail", form).headers["Location"] == "/settings/mail")
            let page = try ada.get("/settings/mail")
            for value in ["office@example.org", "Office", "smtp.example.org", "465", "office"] {
                #expect(page.text.contains("value=\"\(value)\""), "\(value)")
            }
            #expect(page.text.contains("<option value=\"tls\" selected"))
            #expect(!page.text.contains("mail secret 1"))
            let json = try ada.fetch(.get, "/settings/mail").json
            #expect(json["hasPassword"] == true)
            #expect(json["password"] == nil)
            #expect(try desk.quire.settings.mailAccount().account.password == "mail secret 1")

            // Left empty in the form it stays.
            var kept = form
            kept = Fields(kept.list.map { $0.name == "password" ? .init(name: "password", value: "") : $0 })
            try ada.submit("/settings/mail", kept)
            #expect(try desk.quire.settings.mail().hasPassword)

            let wrong = try ada.submit(
                "/settings/mail",
                [
                    "fromAddress": "nobody", "fromName": "X", "host": "smtp.example.org", "port": "587",
                    "security": "none", "username": "u", "password": "typed and lost",
                ])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("id=\"f-fromAddress-error\""))
            #expect(wrong.text.contains("value=\"nobody\""))
            #expect(wrong.text.contains("<option value=\"none\" selected"))
            #expect(!wrong.text.contains("typed and lost"))
            let port = try ada.submit(
                "/settings/mail", ["host": "smtp.example.org", "port": "many", "fromAddress": "a@b.example"])
            #expect(port.status == .unprocessable)
            #expect(port.text.contains("id=\"f-port-error\""))
        }
    }

    @Test("a test mail is promised as a job, once there is an account to send it with")
    func testMail() throws {
        try withOwner { desk, ada throws in
            try ada.get("/settings/mail")
            let early = try ada.submit("/settings/mail/test", [:])
            #expect(early.status == .conflict || early.status == .unprocessable)
            #expect(early.text.contains("There is no mail account yet."))
            try ada.submit(
                "/settings/mail",
                [
                    "fromAddress": "office@example.org", "host": "127.0.0.1", "port": "9", "security": "none",
                    "fromName": "", "username": "", "password": "",
                ])
            let promised = try ada.fetch(.post, "/settings/mail/test", json: [:])
            #expect(promised.status == .accepted)
            let id = try #require(promised.json["id"]?.string)
            #expect(promised.headers["Location"] == "/jobs/\(id)")
            desk.quire.runner.runUntilIdle()
            #expect(try ada.get("/settings/mail").text.contains("127.0.0.1"))
            #expect(try desk.quire.reports.latest(.mailTest)?.isGood == false)
        }
    }

    @Test("the lock after idle minutes is saved, and off when nothing is chosen")
    func lock() throws {
        try withOwner { desk, ada throws in
            try ada.get("/settings/security")
            try ada.submit("/settings/security/lock", ["minutes": "5"])
            #expect(try desk.quire.settings.lock().minutes == 5)
            #expect(try ada.get("/settings/security").text.contains("<option value=\"5\" selected"))
            #expect(try ada.get("/").text.contains("<app-lock minutes=\"5\">"))
            try ada.submit("/settings/security/lock", ["minutes": ""])
            #expect(try desk.quire.settings.lock().minutes == nil)
            let wrong = try ada.submit("/settings/security/lock", ["minutes": "100000"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("Choose between one minute and one day."))
            #expect(
                try ada.fetch(.post, "/settings/security/lock", json: ["minutes": 0]).json["field"]
                    == "minutes")
        }
    }

    @Test("what the configuration decides is shown and cannot be changed in the app")
    func decided() throws {
        try withOwner(flags: ["lock-after": "10m"]) { desk, ada throws in
            let page = try ada.get("/settings/security")
            #expect(page.text.contains("<option value=\"10\" selected"))
            let answer = try ada.submit("/settings/security/lock", ["minutes": "5"])
            #expect(answer.status == .unprocessable || answer.status == .conflict)
            #expect(answer.text.contains("--lock-after"))
        }
    }

    @Test("language and look are saved for oneself and hold on the next page")
    func language() throws {
        try withOwner { desk, ada throws in
            try ada.get("/settings/language")
            let saved = try ada.submit("/settings/language", ["language": "fr-CA", "theme": "dark"])
            #expect(saved.headers["Location"] == "/settings/language")
            let page = try ada.get("/settings/language")
            #expect(page.text.contains("<html lang=\"fr-CA\" data-theme=\"dark\">"))
            #expect(page.text.contains("<option value=\"fr-CA\" selected"))
            #expect(try ada.fetch(.get, "/settings/language").json["theme"] == "dark")

            // On another device as well, as soon as one is signed in there.
            let phone = desk.browser()
            _ = try phone.tries(["login": "ada@example.org", "password": Browser.password])
            #expect(try phone.get("/").text.contains("<html lang=\"fr-CA\" data-theme=\"dark\">"))

            #expect(
                try ada.submit("/settings/language", ["language": "tlh", "theme": "dark"]).status
                    == .unprocessable)
            #expect(
                try ada.fetch(.post, "/settings/language", json: ["theme": "pink"]).json["field"] == "theme")
        }
    }

    @Test("the desk's own language and time zone are its owners' to choose")
    func region() throws {
        try withOwner { desk, ada throws in
            try ada.get("/settings/language")
            let saved = try ada.submit(
                "/settings/region", ["language": "es-MX", "timeZone": "America/Mexico_City"])
            #expect(saved.headers["Location"] == "/settings/language")
            let region = try ada.fetch(.get, "/settings/region").json
            #expect(region == ["language": "es-MX", "timeZone": "America/Mexico_City"])
            #expect(try ada.get("/settings/language").text.contains("value=\"America/Mexico_City\""))
            #expect(try desk.browser().get("/sign-in").text.contains("<html lang=\"es-MX\""))
            let wrong = try ada.submit("/settings/region", ["language": "", "timeZone": "Middle/Earth"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("value=\"Middle/Earth\""))
            #expect(wrong.text.contains("id=\"f-timeZone-error\""))
        }
    }

    @Test("backups get a folder and a schedule, and the page tells what the desk takes")
    func storage() throws {
        try withOwner { desk, ada throws in
            let page = try ada.get("/settings/storage")
            #expect(page.text.contains(desk.quire.store.home.path))
            let saved = try ada.submit(
                "/settings/backups",
                ["folder": "/srv/backup", "rule": "FREQ=WEEKLY;BYDAY=SU;BYHOUR=3", "keeping": "12"])
            #expect(saved.headers["Location"] == "/settings/storage")
            let now = try desk.quire.settings.backups()
            #expect(
                now.folder == "/srv/backup" && now.rule == "FREQ=WEEKLY;BYDAY=SU;BYHOUR=3"
                    && now.keeping == 12)
            let again = try ada.get("/settings/storage")
            #expect(again.text.contains("value=\"/srv/backup\""))
            #expect(again.text.contains("value=\"12\""))
            #expect(try ada.fetch(.get, "/settings/backups").json["folder"] == "/srv/backup")
            #expect(try ada.fetch(.get, "/settings/storage").json["documents"] == 0)

            for (form, field) in [
                (["folder": "backup", "rule": "", "keeping": "12"] as Fields, "folder"),
                (["folder": "/srv/backup", "rule": "", "keeping": "0"] as Fields, "keeping"),
                (["folder": "/srv/backup", "rule": "every full moon", "keeping": "12"] as Fields, "rule"),
            ] {
                let wrong = try ada.submit("/settings/backups", form)
                #expect(wrong.status == .unprocessable)
                #expect(wrong.text.contains("id=\"f-\(field)-error\""), "\(field)")
            }
        }
    }

    @Test("about names the version and what the doctor found")
    func about() throws {
        try withOwner { _, ada throws in
            let page = try ada.get("/settings/about")
            #expect(page.text.contains(Version.number))
            #expect(page.text.contains("this desk connects to no address at all"))
            let json = try ada.fetch(.get, "/settings/about").json
            #expect(json["network"] == [])
            #expect(json["version"]?.string == Version.number)
            #expect(json["findings"]?.array?.isEmpty == false)
        }
    }

    @Test("the journal tells owners who did what")
    func journal() throws {
        try withOwner { _, ada throws in
            try ada.get("/settings/mail")
            try ada.submit("/settings/security/lock", ["minutes": "5"])
            let first = try ada.fetch(.get, "/journal?limit=2").json
            #expect(first["entries"]?[0]?["verb"] == "settings.changed")
            #expect(first["entries"]?[0]?["actorName"] == "Ada")
            let next = try #require(first["next"]?.string)
            let second = try ada.fetch(.get, "/journal?limit=2&after=\(next)").json
            #expect(second["entries"]?.array?.isEmpty == false)
            #expect(second["entries"]?[0]?["number"] != first["entries"]?[0]?["number"])
        }
    }
}
