import Access
import App
import Bytes
import Delivery
import HTTP
import Jobs
import People
import Storage
import TestSupport
import Testing
import Transfer
import Web
import Work

@Suite(
    "Being told",
    .enabled(if: Peer.has("aiosmtpd"), "the Python package aiosmtpd is not installed (bin/setup --check)"))
struct NoticeTests {
    private func tell(
        _ desk: Desk, _ kind: Notice.Kind, _ subject: String, about: String = "", _ words: String = ""
    ) throws {
        try desk.quire.store.write { tx in
            try desk.quire.access.notices.tell(kind, subject, about: about, words, in: tx)
        }
    }

    private func mails(_ folder: String) throws -> [JSON] {
        var found: [JSON] = []
        while let bytes = try? contents(of: "\(folder)/\(found.count + 1).json") {
            found.append(try JSON(parsing: bytes))
        }
        return found
    }

    private func wait(_ desk: Desk, _ duration: Duration) {
        desk.hands.advance(duration)
        for _ in 0..<3 { desk.quire.runner.runUntilIdle() }
    }

    private func subject(_ mail: JSON) -> String? {
        mail["headers"]?.array?.first { $0[0]?.string == "Subject" }?[1]?.string
    }

    @Test("A send-out that ran is said at the bell, leads to it, and is read at once")
    func repetition() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                #expect(try ada.get("/notices").text.contains("Nothing to tell you"))
                try desk.setMail(port: server.port)
                let batch = try desk.makeBatch()
                _ = try desk.command(.post, "/batches/\(batch)/sending", json: ["count": 2])
                let file = "\(folder)/pupils.csv"
                let made = try desk.command(
                    .post, "/repetitions", json: ["batch": .string(batch), "file": .string(file)])
                let id = made.json["id"]?.string ?? ""
                func run() throws {
                    _ = try desk.command(.post, "/repetitions/\(id)/run", json: [:])
                    for _ in 0..<8 { wait(desk, .seconds(3)) }
                }
                // Its file is not there: that failed, however often it is tried.
                try run()
                try run()
                #expect(
                    try ada.fetch(.get, "/notices").json["notices"]?.array?.map { $0["kind"] } == [
                        "repetitionFailed"
                    ])
                let row = "Cy New,5b,04042016,Dee New,father,555-0119,dee@example.org\n"
                try write(
                    Array(
                        ("child name,class,birth date,guardian name,relation,telephone number,e-mail\n" + row)
                            .utf8), to: file)
                try run()
                // What is mended needs nobody any more.
                let told = try ada.fetch(.get, "/notices?unread=true").json
                #expect(told["notices"]?.array?.map { $0["kind"] } == ["repetitionRan"], "\(told.text)")
                #expect(told["notices"]?[0]?["notes"]?[1] == "Papers made: 1, being sent: 1.")
                let page = try ada.get("/notices").text
                #expect(page.contains("Notices: one unread") && page.contains("/repetitions/\(id)"))
                #expect(page.contains("A repeating send-out ran"))
                let until = try #require(page.firstMatch(of: /name="until" value="([^"]+)"/)).output.1
                let read = try ada.submit("/notices/read", ["until": String(until)])
                #expect(read.headers["Location"] == "/notices")
                let after = try ada.get("/notices").text
                #expect(after.contains("aria-label=\"Notices\"") && !after.contains("Mark all as read"))
                #expect(try ada.fetch(.get, "/notices").json["unread"] == 0)
            }
        }
    }

    @Test("By mail, in one's own language, what is unread goes out together, at most once an hour")
    func mailed() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk(settings: SiteSettings(publicOrigin: "https://desk.example")) { desk throws in
                let ada = desk.browser(at: "desk.example")
                try ada.becomeOwner()
                #expect(try ada.get("/settings/notices").text.contains("has no mail account yet"))
                let chosen = try ada.fetch(
                    .post, "/settings/notices",
                    json: ["mail": "atOnce", "topics": ["mail", "repetitions", "cards"]])
                #expect(chosen.json["canMail"] == false && chosen.json["mail"] == "atOnce")
                try tell(desk, .mailBack, "batch/018f0000-0000-7000-8000-000000000000")
                wait(desk, .seconds(61))
                #expect(try mails(folder).isEmpty)
                // With an account what is unread goes out.
                try desk.setMail(port: server.port)
                _ = try ada.fetch(.post, "/settings/language", json: ["language": "fr-CA"])
                try tell(desk, .mailBack, "batch/018f0000-0000-7000-8000-000000000000")
                try tell(desk, .jobFailed, "job/x")
                wait(desk, .seconds(61))
                let first = try #require(try mails(folder).first)
                #expect(first["recipients"] == ["ada@example.org"])
                #expect(subject(first) == "1 avis de votre bureau")
                let text = first["plain"]?.string ?? ""
                #expect(text.contains("2 messages non livrés\n  https://desk.example/ledger?show=failed"))
                #expect(text.contains("https://desk.example/settings/notices"))
                #expect(
                    first["headers"]?.array?.contains { $0[0] == "Auto-Submitted" } == true, "\(first.text)")
                // Within the hour nothing more, then what has gathered.
                try tell(desk, .repetitionFailed, "repetition/x", "Out of paper.")
                wait(desk, .seconds(600))
                try tell(desk, .cardBack, "card/x")
                wait(desk, .seconds(600))
                #expect(try mails(folder).count == 1)
                wait(desk, .seconds(2_500))
                let second = try #require(try mails(folder).last)
                #expect(try mails(folder).count == 2 && subject(second) == "2 avis de votre bureau")
                #expect(second["plain"]?.string?.contains("Out of paper.") == true)
                // Once a day: in the morning, and not what was read meanwhile.
                _ = try ada.fetch(
                    .post, "/settings/notices", json: ["mail": "daily", "address": "a@b.example"])
                try tell(desk, .mailBack, "batch/1")
                wait(desk, .seconds(7_200))
                #expect(try mails(folder).count <= 3)
                wait(desk, .seconds(86_400))
                let daily = try #require(try mails(folder).last)
                #expect(daily["recipients"] == ["a@b.example"] && subject(daily) == "1 avis de votre bureau")
                let count = try mails(folder).count
                try tell(desk, .mailBack, "batch/2")
                try desk.quire.access.notices.markRead(
                    by: desk.quire.access.members.caller(
                        actor: "member/\(desk.quire.access.members.list()[0].id)"))
                wait(desk, .seconds(2 * 86_400))
                #expect(try mails(folder).count == count)
                // It stands among what was sent, and is nobody's packet.
                #expect(try desk.quire.ledger.verify() == [])
                #expect(try desk.quire.outbox.testCount(.accepted, by: .local) == count)
            }
        }
    }

    @Test(
        "On a device, also while no page is open: sealed for its browser, from this desk and no other, until somebody signs out there",
        .enabled(
            if: Peer.has("cryptography"),
            "the Python package cryptography is not installed (bin/setup --check)"))
    func pushed() throws {
        try withScratchFolder { folder in
            let service = try Peer("push.py", [folder])
            let place = "https://127.0.0.1:\(service.port)"
            var settings = HTTPClient.Settings(guardian: .loopbackOnly)
            settings.certificateAuthorities = folder + "/push.pem"
            let http = HTTPClient(settings)
            func said(_ path: String) throws -> JSON { try JSON(parsing: http.get(place + path).body) }
            func told() throws -> [JSON] { try said("/told").array ?? [] }
            func answers(_ device: String, _ status: Int) throws {
                _ = try http.post("\(place)/be/\(device)/\(status)", .bytes([]), mediaType: "text/plain")
            }
            try withDesk(settings: SiteSettings(publicOrigin: "https://desk.example")) { desk throws in
                let ada = desk.browser(at: "desk.example")
                try ada.becomeOwner()
                let keys = try said("/browser")
                func wish(_ device: String) -> JSON {
                    [
                        "endpoint": .string("\(place)/\(device)"), "p256dh": keys["p256dh"] ?? "",
                        "auth": keys["auth"] ?? "",
                    ]
                }
                let address = "/settings/notices/devices"
                func devices(_ browser: Browser) throws -> [JSON] {
                    try browser.fetch(.get, "/settings/notices").json["devices"]?.array ?? []
                }
                for (name, value): (String, JSON) in [
                    ("endpoint", "http://127.0.0.1/x"), ("endpoint", "x"), ("p256dh", "AAAA"),
                    ("auth", "AAAA"),
                ] {
                    var wrong = wish("phone")
                    wrong[name] = value
                    #expect(try ada.fetch(.post, address, json: wrong).status == .unprocessable)
                }
                #expect(try desk.command(.post, address, json: wish("x")).status == .unprocessable)
                #expect(try ada.fetch(.post, address, json: wish("phone")).status == .created)
                #expect(try ada.fetch(.post, address, json: wish("phone")).status == .created)
                let phone = try #require(try devices(ada).first?["id"]?.string)
                #expect(try devices(ada).count == 1)

                // Nothing goes to an address inside one's own network.
                #expect(try ada.fetch(.post, "\(address)/\(phone)/trial").status == .unavailable)
                #expect(try devices(ada)[0]["trouble"]?.string?.isEmpty == false)
                #expect(try told().isEmpty)
                desk.quire.noticePush.reach(through: http)
                #expect(try ada.fetch(.post, "\(address)/\(phone)/trial").status == .noContent)
                let trial = try #require(try told().first)
                #expect(trial["said"]?["title"] == "Your desk can reach you here", "\(trial.text)")
                #expect(trial["claims"]?["aud"] == .string(place))
                #expect(trial["claims"]?["sub"] == "https://desk.example")
                #expect(trial["encoding"] == "aes128gcm")
                let key = try ada.fetch(.get, "/settings/notices").json["pushKey"]
                #expect(trial["claims"]?["k"] == key)
                #expect(try devices(ada)[0]["trouble"] == .null)

                // What happens in the same moments comes together, and once.
                desk.hands.advance(.seconds(120))
                try tell(desk, .mailBack, "batch/018f0000-0000-7000-8000-000000000000")
                try tell(desk, .jobFailed, "job/x")
                wait(desk, .seconds(6))
                #expect(try told().count == 2)
                #expect(try told().last?["said"]?["title"] == "2 notices from your desk")
                #expect(try told().last?["said"]?["link"] == "/notices")
                wait(desk, .seconds(3_600))
                #expect(try told().count == 2)
                // In one's own language, with its place; what was read meanwhile is no news.
                _ = try ada.fetch(.post, "/settings/language", json: ["language": "es-MX"])
                try tell(desk, .sendingStopped, "batch/x")
                _ = try ada.fetch(.post, "/notices/read", json: [:])
                wait(desk, .seconds(120))
                #expect(try told().count == 2)
                try tell(desk, .question, "question/1", "Vera: \(String(repeating: "¿Dónde? ", count: 900))")
                wait(desk, .seconds(120))
                let long = try #require(try told().last?["said"])
                #expect(long["title"] == "Alguien del escritorio te escribe")
                #expect(long["text"]?.string?.hasPrefix("Vera: ¿Dónde?") == true)

                // A service that is busy is asked again; nobody is told twice.
                let eve = desk.browser(at: "desk.example")
                try ada.invite("Eve", as: "editor", into: eve)
                #expect(try eve.fetch(.post, address, json: wish("eve")).status == .created)
                #expect(try eve.fetch(.delete, "\(address)/\(phone)").status == .notFound)
                #expect(try devices(eve).count == 1)
                desk.hands.advance(.seconds(1))
                let count = try told().count
                try answers("phone", 503)
                try tell(desk, .sendingStopped, "batch/y")
                wait(desk, .seconds(6))
                wait(desk, .seconds(70))
                #expect(try told().count == count + 1)
                #expect(try devices(ada)[0]["trouble"]?.string?.contains("503") == true)
                try answers("phone", 201)
                for _ in 0..<6 { wait(desk, .seconds(3_600)) }
                #expect(try told().suffix(2).map { $0["device"] } == ["eve", "phone"])
                #expect(try told().count == count + 2)
                #expect(try desk.quire.queue.list(.init(states: [.failed, .setAside]), limit: 10).isEmpty)

                // Where nobody is signed in any more, and where the browser took its word back, nothing is kept.
                #expect(try eve.submit("/sign-out", [:]).status == .seeOther)
                try answers("phone", 410)
                try tell(desk, .sendingStopped, "batch/z")
                wait(desk, .seconds(120))
                #expect(try devices(ada).isEmpty)
                #expect(try told().count == count + 2)
                #expect(try desk.quire.network().contains { $0.address == place } == false)
            }
        }
    }

    @Test("Whom to get back to is told once a morning for all, in one mail, and settled when it is done")
    func followUps() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk(settings: SiteSettings(publicOrigin: "https://desk.example")) { desk throws in
                let ada = desk.browser(at: "desk.example")
                try ada.becomeOwner()
                try desk.setMail(port: server.port)
                _ = try ada.fetch(.post, "/settings/notices", json: ["mail": "daily"])
                _ = try ada.fetch(.post, "/settings/language", json: ["language": "es-MX"])
                let contacts = desk.quire.contacts
                let cards = ["Ana Pérez", "Bo", "Cy"].enumerated().map {
                    "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:\($0)\r\nFN:\($1)\r\nEND:VCARD\r\n"
                }
                try contacts.bring(cards: Array(cards.joined().utf8), named: "a.vcf", by: .local)
                let all = try contacts.page(by: .local).contacts.map(\.id)
                func plan(_ person: ID<Contact>, in days: Int) throws {
                    let day = contacts.today.adding(days: days).dayText
                    try contacts.plan(FollowUp(on: day), of: person, by: .local)
                }
                try plan(all[0], in: 1)
                try plan(all[1], in: 1)
                try plan(all[2], in: 5)
                func due() throws -> [JSON] {
                    (try ada.fetch(.get, "/notices?unread=true").json["notices"]?.array ?? []).filter {
                        $0["kind"] == "followUpsDue"
                    }
                }
                #expect(try due().isEmpty)
                func nextDay(times: Int = 1) throws {
                    for _ in 0..<times {
                        for _ in 0..<12 { wait(desk, .seconds(7_200)) }
                        try desk.quire.store.write { tx in
                            _ = try desk.quire.queue.add(.followUps, in: tx)
                        }
                        wait(desk, .seconds(1))
                    }
                }
                try nextDay()
                for _ in 0..<12 { wait(desk, .seconds(7_200)) }
                let told = try #require(try due().first)
                #expect(try due().count == 1 && told["count"] == 2)
                #expect(told["notes"] == ["Ana Pérez, Bo"] && told["link"] == "/contacts?due=planned")
                #expect(try mails(folder).count == 1)
                let text = try mails(folder).first?["plain"]?.string ?? ""
                #expect(text.contains("2 personas por contactar\n  Ana Pérez, Bo"), "\(text)")
                #expect(text.contains("https://desk.example/contacts?due=planned"))
                // Not again, though both still wait and the desk is started anew.
                try nextDay()
                #expect(try mails(folder).count == 1 && due().count == 1)
                try contacts.followedUp(all[0], by: .local)
                #expect(try due().count == 1)
                try plan(all[1], in: 30)
                #expect(try due().isEmpty)
                // A new day is told anew.
                try nextDay(times: 2)
                for _ in 0..<12 { wait(desk, .seconds(7_200)) }
                #expect(try due().map { $0["notes"] } == [["Cy"]])
                #expect(try mails(folder).count == 2)
                _ = try #require(try contacts.remove([all[2]], by: .local))
                #expect(try due().isEmpty)
            }
        }
    }

    @Test("Nothing private is named to whom it is closed, and one's own choice is kept")
    func choices() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let folder = try ada.fetch(.post, "/folders", json: ["path": "Diary"]).json["id"]?.string ?? ""
            let id =
                try ada.bring(
                    Array("secret".utf8), to: "/documents?name=confession.txt&folder=\(folder)"
                ).json["documents"]?[0]?["id"]?.string ?? ""
            _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["private": true])
            desk.hands.advance(.seconds(300))
            try tell(desk, .repetitionFailed, "document/\(id)", "confession.txt is not there.")
            try tell(desk, .formBack, "document/\(id)", "")
            let program = try ada.fetch(.get, "/notices").text
            #expect(program.contains("repetitionFailed") && program.contains("formBack"), "\(program)")
            for text in [program, try ada.get("/notices").text] {
                #expect(!text.contains("confession") && !text.contains(id), "\(text)")
            }
            // Where everything is seen, it is said.
            #expect(
                try desk.quire.access.notices.list(by: .local).last?.words == "confession.txt is not there.")

            let vera = desk.browser()
            try ada.invite("Vera", as: "viewer", into: vera)
            #expect(try vera.get("/settings/notices").text.contains("value=\"cards\""))
            #expect(try !vera.get("/settings/notices").text.contains("value=\"backups\""))
            #expect(try vera.fetch(.get, "/notices").json["unread"] == 0)
            // Vera signs in with no address: mail needs one.
            let refused = try vera.submit("/settings/notices", ["mail": "daily", "address": ""])
            #expect(refused.status == .unprocessable && refused.text.contains("f-address-error"))
            for json: JSON in [["mail": "hourly"], ["topics": ["gossip"]], ["address": "nobody"]] {
                #expect(try vera.fetch(.post, "/settings/notices", json: json).status == .unprocessable)
            }
            let kept = try vera.fetch(
                .post, "/settings/notices", json: ["mail": "daily", "address": "vera@example.org"])
            for (name, value): (String, JSON) in [
                ("topics", ["cards"]), ("mail", "daily"), ("address", "vera@example.org"), ("canMail", false),
            ] {
                #expect(kept.json[name] == value)
            }
            // A form without any box ticked turns all of them off.
            #expect(try vera.submit("/settings/notices", ["mail": "off", "address": ""]).status == .seeOther)
            #expect(try vera.fetch(.get, "/settings/notices").json["topics"] == [])
            #expect(try ada.fetch(.post, "/notices/read", json: ["until": "soon"]).status == .unprocessable)
        }
    }

    @Test("Bounces, answers to a card and work that failed tell those whom they concern")
    func happenings() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let eve = desk.browser()
            try ada.invite("Eve", as: "editor", into: eve)
            let kinds = { (browser: Browser) throws -> [JSON?] in
                try browser.fetch(.get, "/notices").json["notices"]?.array?.map { $0["kind"] } ?? []
            }
            let kind = JobKind("odd", title: "Fold a boat", maximumAttempts: 1)
            desk.quire.runner.handle(kind) { _ in throw Failure(.invalid, "“My secret” cannot be folded.") }
            let job = try desk.quire.store.write { tx in
                try desk.quire.queue.add(
                    kind, title: "Fold “My secret”", in: tx,
                    asks: "member/\(desk.quire.access.members.find("eve")?.id.text ?? "")")
            }
            for _ in 0..<6 {
                desk.quire.runner.runUntilIdle()
                desk.hands.advance(.seconds(7_200))
            }
            #expect(try desk.quire.queue.get(job)?.state == .failed)
            #expect(try kinds(eve) == ["jobFailed"] && kinds(ada) == [])
            let page = try eve.get("/notices").text
            #expect(page.contains("Fold a boat") && !page.contains("My secret"))
            // A card that Eve gave away, and one made at the machine, which is the first owner’s.
            for (owner, subject) in [(eve, "Eve"), (nil, "Office")] {
                let said: JSON = ["given": .string(subject), "family": "X"]
                let card =
                    try owner.map { try $0.fetch(.post, "/cards", json: said) }
                    ?? desk.command(.post, "/cards", json: said)
                let visitor = desk.browser(from: "192.0.2.7")
                let address = "/c/\(card.json["slug"]?.string ?? "")/answer"
                _ = try visitor.get(address)
                let sent = try visitor.submit(address, ["name": "Zoë", "email": "zoe@example.org"])
                #expect(sent.status == .ok, "\(sent.text)")
            }
            #expect(try kinds(eve) == ["cardBack", "jobFailed"] && kinds(ada) == ["cardBack"])
            #expect(try desk.quire.access.notices.list(by: .local) == [])
            desk.hands.advance(.seconds(1))
            _ = try eve.fetch(.post, "/notices/read", json: [:])
            #expect(try eve.fetch(.get, "/notices?unread=true").json["notices"] == [])
            _ = try? desk.quire.maintenance.backUp(to: "/proc/nowhere", by: "local")
            #expect(
                try kinds(ada) == ["backupFailed", "cardBack"] && kinds(eve) == ["cardBack", "jobFailed"])
        }
    }
}
