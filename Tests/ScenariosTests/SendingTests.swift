import Access
import App
import Archives
import Bytes
import Crypto
import Delivery
import Filling
import HTTP
import Jobs
import Storage
import TestSupport
import Testing
import Web

private let pupils = """
    child name,class,birth date,guardian name,relation,telephone number,e-mail
    Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113,zofie@example.org
    Ana Ruiz,5a,17012016,Eva Ruiz,mother,555-0114,eva@example.org
    Bo Li,5b,03032016,Li Na,mother,,
    """

extension Desk {
    /// A batch of consent forms, made, for three pupils of whom two have an address.
    func makeBatch() throws -> String {
        let template = try addConsentForm()
        let list = try addPupils(pupils)
        let batch = try command(
            .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
        guard let id = batch.json["id"]?.string else {
            throw Failure(.invalid, "batch: \(batch.status) \(batch.text)")
        }
        _ = try command(.post, "/batches/\(id)/plan")
        let begun = try command(.post, "/batches/\(id)/filling")
        guard begun.status == .accepted else {
            throw Failure(.invalid, "filling: \(begun.status) \(begun.text)")
        }
        quire.runner.runUntilIdle()
        return id
    }

    func packet(_ name: String, of batch: String) throws -> String {
        let page = try command(.get, "/batches/\(batch)/packets?q=\(name)").json
        guard let id = page["packets"]?[0]?["id"]?.string else {
            throw Failure(.notFound, "packet: \(page.text)")
        }
        return id
    }
}

@Suite(
    "Mail from a desk",
    .enabled(if: Peer.has("aiosmtpd"), "the Python package aiosmtpd is not installed (bin/setup --check)"))
struct SendingTests {
    @Test("is written, looked at, tried on oneself, confirmed by its number, sent once, and accounted for")
    func wholeWay() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                try desk.setMail(port: server.port)
                let batch = try desk.makeBatch()
                let path = "/batches/\(batch)"
                let letter = try desk.command(.get, path + "/letter")
                #expect(letter.json["version"] == 0)
                let saved = try desk.command(
                    .patch, path + "/letter",
                    json: [
                        "subject": "For {{child_name}}", "replyTo": "head@school.example",
                        "body": "Dear {{guardian_name}},\n\n*please* sign. {{nobody}}",
                    ])
                #expect(saved.status == .ok && saved.json["version"] == 1, "\(saved.text)")
                let wrong = try desk.command(
                    .patch, path + "/letter", json: ["subject": "a\r\nBcc: x@example.org"])
                #expect(wrong.status == .unprocessable && wrong.json["field"] == "subject")

                let preview = try desk.command(
                    .post, path + "/letter/preview", json: ["letter": ["subject": "Other {{class}}"]])
                #expect(preview.json["subject"] == "Other 5a", "\(preview.text)")
                #expect(preview.json["unknown"] == ["nobody"])
                #expect(preview.json["attachments"]?[0]?["mediaType"] == "application/pdf")

                let check = try desk.command(.get, path + "/sending/check").json
                #expect(check["ready"] == 2 && check["leftOut"] == 1 && check["canStart"] == true)
                let test = try desk.command(.post, path + "/sending/test", json: [:])
                #expect(test.status == .accepted, "\(test.text)")
                desk.quire.runner.runUntilIdle()
                let stale = try desk.command(.post, path + "/sending", json: ["count": 3])
                #expect(stale.status == .conflict && stale.json["field"] == "count")
                let begun = try desk.command(.post, path + "/sending", json: ["count": 2])
                #expect(begun.status == .accepted && begun.json["isPreparing"] == true, "\(begun.text)")
                desk.quire.runner.runUntilIdle()
                let sending = try desk.command(.get, path + "/sending").json["sending"]
                #expect(sending?["sent"] == 2 && sending?["isFinished"] == true)

                // What the server understood, by Python's own mail parser.
                let arrived = try (1...3).map {
                    try JSON(parsing: contents(of: "\(folder)/\($0).json"))
                }
                #expect(
                    arrived.map { $0["recipients"]?[0]?.string ?? "" }.sorted() == [
                        "eva@example.org", "office@school.example", "zofie@example.org",
                    ])
                #expect(arrived.allSatisfy { $0["defects"]?.array?.isEmpty == true })
                let eva = arrived.first { $0["recipients"]?[0] == "eva@example.org" }
                #expect(eva?["plain"] == "Dear Eva Ruiz,\n\nplease sign. {{nobody}}")
                #expect(eva?["html"]?.string?.contains("<em>please</em>") == true)
                #expect(eva?["attachments"]?[0]?[1] == "application/pdf")

                let deliveries = try desk.command(.get, path + "/deliveries").json
                #expect(deliveries["tally"]?["sent"] == 2 && deliveries["tally"]?["total"] == 3)
                // The list of send-outs says the same, and so does the first page of whoever looks after them.
                let listed = try desk.command(.get, "/batches").json["batches"]?[0]?["tally"]
                #expect(listed?["sent"] == 2 && listed?["total"] == 3)
                let unsent = try desk.command(.get, path + "/deliveries?show=unsent").json
                #expect(unsent["deliveries"]?.array?.count == 1 && unsent["total"] == 1)
                // From a person's page to the letter as that person gets it.
                let packet = unsent["deliveries"]?[0]?["packet"]?["id"]?.string ?? ""
                let ada = desk.browser()
                try ada.becomeOwner()
                let way = "\(path)/letter?packet=\(packet)"
                #expect(try ada.get("/packets/\(packet)/delivery").text.contains("href=\"\(way)\""))
                #expect(try ada.get(way).text.contains("For Bo Li"))
                for place in ["/batches", "/"] {
                    #expect(try ada.get(place).text.contains("Sent 2 of 3"), "\(place)")
                }
                let outbox = try desk.command(.get, "/outbox?show=sent").json
                #expect(outbox["messages"]?.array?.count == 3 && outbox["tally"]?["failed"] == 0)
                let verified = try desk.command(.post, "/ledger/verification").json
                #expect(verified["isSound"] == true)
                let figures = try desk.command(.get, "/activity/figures?weeks=2").json
                #expect(figures["weeks"]?[1]?["sent"] == 2)

                // The account names form, send-out, file, the way it went, and what was said, on every face of it.
                let handed = try desk.command(
                    .post, "/packets/\(packet)/handover", json: ["note": "at the door"])
                #expect(handed.status.isSuccess, "\(handed.text)")
                let run = "run=batch/\(batch)"
                let items = try desk.command(.get, "/ledger?\(run)").json["items"]?.array ?? []
                let byHand = items.first { $0["recipient"] == "Bo Li" }
                #expect(byHand?["method"] == "hand" && byHand?["note"] == "at the door")
                #expect(byHand?["forms"] == ["Consent form"] && byHand?["title"] == "Consent form")
                let file = byHand?["file"]?.string ?? ""
                #expect(file.hasSuffix(".pdf") && file.contains("Bo Li"), "\(file)")
                #expect(items.count { $0["method"] == "mail" } == 2)
                var bytes: [UInt8] = []
                try desk.quire.ledger.export(
                    as: .csv, .init(run: "batch/\(batch)"), by: .local,
                    accounts: { try desk.quire.sendings.accounts(of: $0, by: .local) }, to: { bytes += $0 })
                let table = String(decoding: bytes, as: UTF8.self)
                #expect(
                    table.contains("subject,run,recipient,address,state,sent,at,form,title,method,file,note"))
                #expect(table.contains("Consent form,Consent form,hand,\(file),at the door"), "\(table)")
                let page = try ada.get("/ledger").text
                #expect(page.contains("at the door") && page.contains("by hand") && page.contains(file))
                let replied = try desk.command(.post, "/packets/\(packet)/return")
                #expect(replied.status.isSuccess, "\(replied.text)")
                let list = try ada.get("/batches").text
                #expect(list.contains("Sent 3 of 3") && list.contains("One reply"))
            }
        }
    }

    @Test("begins in the language of whoever writes it on a page, and goes out as it was shown")
    func usualWords() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                try desk.setMail(port: server.port)
                let path = "/batches/\(try desk.makeBatch())"
                let ada = desk.browser()
                try ada.becomeOwner()
                let french: Headers = ["Accept": "text/html", "Accept-Language": "fr-CA"]
                // Whoever looks at it last decides nothing: it is the one who lets it go.
                #expect(try ada.get(path + "/letter").text.contains("please find your papers attached"))
                let shown = try ada.get(path + "/letter", french).text
                #expect(
                    shown.contains("Bonjour {{recipient_name}},") && shown.contains("Bonjour Zoë Ångström,"))
                _ = try ada.submit(path + "/sending", ["count": "2"], french)
                desk.quire.runner.runUntilIdle()
                let arrived = try (1...2).map { try JSON(parsing: contents(of: "\(folder)/\($0).json")) }
                #expect(
                    arrived.allSatisfy {
                        $0["plain"]?.string?.contains("vos papiers en pièce jointe") == true
                    })
                // From then on it is the message of this send-out, for everybody.
                #expect(try ada.get(path + "/letter").text.contains("vos papiers en pièce jointe"))
            }
        }
    }

    @Test("waits in the outbox for a server that refuses, and goes by a person's decision")
    func refused() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                try desk.setMail(port: server.port)
                let batch = try desk.makeBatch()
                let packet = try desk.packet("Bo", of: batch)
                let sent = try desk.command(
                    .post, "/packets/\(packet)/sending", json: ["to": "nobody@example.org"])
                desk.quire.runner.runUntilIdle()
                let id = try #require(sent.json["message"]?.string)
                let failed = try desk.command(.get, "/outbox/\(id)").json
                #expect(failed["state"] == "refused" && failed["attempts"]?[0]?["code"] == 550)
                #expect(try desk.command(.post, "/outbox/\(id)/retry").json["state"] == "waiting")
                #expect(try desk.command(.post, "/outbox/\(id)/cancellation").json["state"] == "cancelled")
                #expect(try desk.command(.post, "/outbox/\(id)/cancellation").status == .conflict)
                let file = try desk.command(.get, "/outbox/\(id)/file")
                #expect(file.text.contains("To: nobody@example.org"))
            }
        }
    }
}

@Suite("Links to packets")
struct PacketLinksTests {
    @Test("are opened by a button, with a password, count, and lead to one packet alone")
    func links() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let packet = try desk.packet("Bo", of: batch)
            let made = try desk.command(
                .post, "/packets/\(packet)/shares", json: ["days": 7, "password": "hazel", "limit": 2])
            #expect(made.status == .created, "\(made.text)")
            let address = try #require(made.json["address"]?.string)
            let target = String(address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
            let visitor = desk.browser(from: "192.0.2.9")
            #expect(try visitor.get(target).text.contains("type=\"password\""))
            let wrong = try visitor.submit(target, ["password": "birch"])
            #expect(wrong.status == .forbidden)
            let opened = try visitor.submit(target, ["password": "hazel"])
            #expect(opened.status == .seeOther)
            #expect(try visitor.get(target).text.contains("Bo"))
            let file = try visitor.get(target + "/file")
            #expect(file.status == .ok && file.mediaType?.essence == "application/pdf")
            let delivery = try desk.command(.get, "/packets/\(packet)/delivery").json
            #expect(delivery["delivery"]?["state"] == "opened" && delivery["delivery"]?["openings"] == 1)
        }
    }

    @Test("are not opened by programs that look into every link in a mail")
    func scanners() throws {
        try withDesk { desk throws in
            let packet = try desk.packet("Bo", of: desk.makeBatch())
            let made = try desk.command(.post, "/packets/\(packet)/shares", json: [:])
            let address = try #require(made.json["address"]?.string)
            let target = String(address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
            let scanner = desk.browser(from: "192.0.2.10")
            let page = try scanner.get(target)
            #expect(page.status == .ok && page.text.contains("<button"))
            #expect(try scanner.get(target + "/file").status == .seeOther)
            #expect(
                try desk.command(.get, "/packets/\(packet)/delivery").json["delivery"]?["openings"] == 0)
            let person = try scanner.submit(target, [:])
            #expect(person.status == .seeOther)
            #expect(try scanner.get(target + "/file").status == .ok)
            #expect(
                try desk.command(.get, "/packets/\(packet)/delivery").json["delivery"]?["openings"] == 1)
            // Only to look at it is no way to give a packet away, and a link that says so gives no file.
            #expect(
                try desk.command(.post, "/packets/\(packet)/shares", json: ["viewOnly": true]).json["field"]
                    == "viewOnly")
            let looking = try desk.quire.access.shareLinks.make(
                Subject(kind: "packet", id: packet), .init(isViewOnly: true), by: .local)
            let onlooker = desk.browser(from: "203.0.113.8")
            try onlooker.get("/s/\(looking.token.text)")
            try onlooker.submit("/s/\(looking.token.text)", [:])
            #expect(try onlooker.get("/s/\(looking.token.text)/file").status == .forbidden)
        }
    }
}

@Suite("Letters")
struct LettersOfExportsTests {
    @Test("lie beside the packets that are taken away, for those who have an address, once one is written")
    func exports() throws {
        try withDesk { desk throws in
            let id = try desk.makeBatch()
            let batch = try #require(ID<Batch>(id))
            func files() throws -> [String: [UInt8]] {
                var bytes: [UInt8] = []
                let letters = try desk.quire.sendings.letters(of: batch, by: .local)
                try desk.quire.batches.export(batch, by: .local, messages: letters) { bytes += $0 }
                let zip = try ZIPReader(bytes: bytes)
                var files: [String: [UInt8]] = [:]
                for entry in zip.entries { files[entry.name] = try zip.bytes(entry) }
                return files
            }
            #expect(try !files().keys.contains { $0.contains("Message") })
            var letter = try desk.quire.sendings.letter(of: batch, by: .local)
            letter.subject = "For {{child_name}}"
            letter.body = "Dear {{guardian_name}}, here it is."
            letter.sender = "school@example.org"
            try desk.quire.sendings.save(letter, of: batch, by: .local)
            let found = try files()
            let texts = found.filter { $0.key.hasSuffix("Message.txt") }
            // Bo Li has no address; whoever hands the paper over may read out what was to be said.
            #expect(texts.count == 3)
            #expect(found.count { $0.key.hasSuffix("Message.eml") } == 2)
            let text = texts.first { $0.key.contains("Ana Ruiz") }.map {
                String(decoding: $0.value, as: UTF8.self)
            }
            #expect(
                text?.contains("For Ana Ruiz") == true && text?.contains("Dear Eva Ruiz") == true,
                "\(text ?? "")")
            let mail = found.first { $0.key.hasSuffix("Message.eml") }.map {
                String(decoding: $0.value, as: UTF8.self)
            }
            #expect(mail?.contains("Content-Type: application/pdf") == true)
        }
    }
}
