import Access
import App
import Bytes
import HTTP
import Library
import PDF
import PDFReading
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite(
    "Whoever opens a link fills in the form there, signs it by hand and sends it back",
    .enabled(if: PageReader.isReady, "poppler is not installed"))
struct RepliesTests {
    /// A name that is required, a place to sign that is required, and a day beside it.
    private static let form: [UInt8] = PageMaker.make { maker in
        let notes = maker.draft.newReference()
        let page = maker.page("BT /F 12 Tf 40 270 Td (Trip to the lake) Tj ET", ["Annots": .reference(notes)])
        func field(_ name: String, _ kind: String, _ label: String, _ place: PDFObject, _ flags: Int = 0) {
            maker.fields.append(
                maker.draft.add(
                    .dictionary([
                        "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name(PDFName(kind)),
                        "T": .text(name), "TU": .text(label), "P": .reference(page), "F": .integer(4),
                        "DA": .text("/F 10 Tf 0 g"), "Rect": place, "Ff": .integer(flags),
                    ])))
        }
        field("child", "Tx", "Name of the child", maker.box(150, 200, 300, 218), 2)
        field("parent", "Sig", "Signature of a parent", maker.box(40, 100, 200, 140), 2)
        field("day", "Tx", "Date", maker.box(220, 110, 300, 128))
        maker.draft.put(.array(maker.fields.map(PDFObject.reference)), at: notes)
        maker.form = [
            "Fields": .array(maker.fields.map(PDFObject.reference)),
            "DR": .dictionary(["Font": .dictionary(["F": .reference(maker.font)])]),
        ]
        maker.fields = []
    }

    private static let strokes: JSON = [
        "strokes": [[[0, 0], [40, 30], [80, 0], [120, 30]], [[10, 40], [110, 42]]], "width": 128,
        "height": 50,
    ]

    private func bring(_ desk: Desk) throws -> String {
        let made = try desk.command(
            .post, "/documents?name=trip.pdf", ["Content-Type": "application/octet-stream"],
            body: .bytes(Self.form))
        return try #require(made.headers["Location"])
    }

    /// Somebody outside who has opened a link.
    private func guest(_ desk: Desk, at place: String, _ terms: JSON) throws -> (Browser, link: String) {
        let made = try desk.command(.post, place + "/shares", json: terms)
        let address = try #require(made.json["address"]?.string, "\(made.text)")
        let link = String(address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
        let visitor = desk.browser(from: "192.0.2.9")
        try visitor.get(link)
        return (visitor, link)
    }

    private func replies(_ desk: Desk, _ query: String = "") throws -> [JSON] {
        try desk.command(.get, "/replies" + query).json["replies"]?.array ?? []
    }

    @Test(
        "it comes in as a paper of its own, and everybody can see by whose link, when, and that it is signed by hand"
    )
    func signed() throws {
        try withDesk { desk throws in
            let place = try bring(desk)
            let (visitor, link) = try guest(desk, at: place, ["takesReplies": true, "note": "Ana Miller"])
            #expect(try visitor.get(link).text.contains("Fill in and sign"))
            let page = try visitor.get(link + "/form")
            #expect(page.status == .ok && page.text.contains("Sign here"))
            #expect(page.text.contains("data-date=\"day\""))
            #expect(try visitor.get(link + "/pages/1").mediaType?.essence == "image/jpeg")
            let sent = try visitor.submit(
                link + "/form", ["v:child": "Bo Miller", "drawn:parent": Self.strokes.text])
            #expect(sent.status == .ok && sent.text.contains("signed by hand in 1 place"), "\(sent.text)")
            let reply = try #require(try replies(desk).first)
            #expect(reply["sentFor"] == "Ana Miller" && reply["signed"] == 1)
            let paper = "/documents/\(reply["document"]?.string ?? "")"
            let shown = try desk.command(.get, paper, ["Accept": "text/html"]).text
            #expect(
                shown.contains("Signed by hand") && shown.contains("Sent back by the link for Ana Miller"))
            #expect(try desk.command(.get, place, ["Accept": "text/html"]).text.contains(paper))
            #expect(shown.contains("Filled in and sent back at a link"))
            #expect(shown.contains("trip – Ana Miller.pdf"))
            #expect(
                try desk.command(.get, place, ["Accept": "text/html"]).text.contains("For Ana Miller"))
            let notice = try #require(
                try desk.command(.get, "/notices").json["notices"]?.array?.first { $0["kind"] == "formBack" })
            #expect(notice["sentence"] == "A form you sent out was filled in and sent back")
            #expect(notice["notes"] == ["trip.pdf"] && notice["link"]?.string == place + "#share")
            // What was asked is as it was; what came says what was written, and asks for no signature any more.
            #expect(try desk.command(.get, place).json["version"] == 1)
            let fields = try desk.command(.get, paper + "/form").json["fields"]?.array ?? []
            #expect(fields.map { $0["name"]?.string } == ["child", "day"])
            #expect(fields.first?["value"] == ["Bo Miller"])
            #expect(try desk.command(.get, paper).json["digest"] == reply["digest"])
            // Nothing but the date was left to be written, and nobody wrote it.
            #expect(fields.last?["value"] == [])
            let journal = try desk.command(.get, "/journal").text
            #expect(journal.contains("share.replied"))
        }
    }

    @Test("a name that is typed signs as well, in a browser without scripts")
    func typed() throws {
        try withDesk { desk throws in
            let (visitor, link) = try guest(desk, at: try bring(desk), ["takesReplies": true])
            let sent = try visitor.submit(link + "/form", ["v:child": "Bo", "sign:parent": " Ana  Miller "])
            #expect(sent.status == .ok, "\(sent.text)")
            let id = try #require(ID<Document>(try replies(desk).first?["document"]?.string ?? ""))
            let words = try desk.quire.pages.texts(of: desk.quire.documents.get(id, by: .local)).joined()
            #expect(words.contains("Ana Miller") && words.contains("Bo"))
            let french: Headers = ["Accept": "text/html", "Accept-Language": "fr-CA"]
            #expect(try desk.command(.get, "/documents/\(id)", french).text.contains("une personne invitée"))
        }
    }

    @Test(
        "what is required and missing is told before anything is sent, and goes all the same when one says so"
    )
    func missing() throws {
        try withDesk { desk throws in
            let (visitor, link) = try guest(desk, at: try bring(desk), ["takesReplies": true])
            let told = try visitor.submit(link + "/form", ["v:child": "Bo"])
            #expect(told.status == .unprocessable)
            #expect(told.text.contains("“Signature of a parent” is required and still empty."))
            #expect(told.text.contains("value=\"Bo\"") && told.text.contains("name=\"anyway\""))
            #expect(try replies(desk).isEmpty)
            let both = try visitor.submit(link + "/form", ["v:day": "11/28/2026"])
            #expect(both.text.contains("“Name of the child” is required and still empty."))
            let sent = try visitor.submit(link + "/form", ["v:child": "Bo", "anyway": "yes"])
            #expect(sent.status == .ok)
            #expect(try replies(desk).first?["signed"] == 0)
        }
    }

    @Test("a link that was not made for it, that is for looking only, or was not opened takes nothing in")
    func closed() throws {
        try withDesk { desk throws in
            let place = try bring(desk)
            let (visitor, link) = try guest(desk, at: place, [:])
            #expect(try !visitor.get(link).text.contains("Fill in"))
            #expect(try visitor.get(link + "/form").status == .seeOther)
            #expect(try visitor.submit(link + "/form", ["v:child": "Bo"]).status == .seeOther)
            let both = try desk.command(
                .post, place + "/shares", json: ["takesReplies": true, "viewOnly": true])
            #expect(both.status == .unprocessable && both.json["field"] == "takesReplies")
            let locked = try desk.command(
                .post, place + "/shares", json: ["takesReplies": true, "password": "open sesame"])
            let address = try #require(locked.json["address"]?.string)
            let other = String(address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
            #expect(try visitor.get(other + "/form").status == .seeOther)
            #expect(try visitor.submit(other + "/form", ["v:child": "Bo"]).status == .seeOther)
            #expect(try replies(desk).isEmpty)
        }
    }

    @Test("what is no signature, or larger than one can be, is refused in a sentence")
    func hostile() throws {
        try withDesk { desk throws in
            let (visitor, link) = try guest(desk, at: try bring(desk), ["takesReplies": true])
            // A picture that says of itself that it is as large as a wall.
            var bomb: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            bomb += Array("IHDR".utf8) + [0, 0, 0x40, 0, 0, 0, 0x40, 0] + Array(repeating: 0, count: 30)
            let many = JSON.array(Array(repeating: [[1, 1]], count: 401))
            let refused: [(JSON, String)] = [
                (["strokes": many], "larger than can be kept"),
                (["strokes": [[["a", 1]]]], "cannot be read"),
                (["strokes": [[[1e300, 1]]]], "cannot be read"), (["strokes": [[]]], "cannot be read"),
                (["picture": "data:image/png;base64,AAAA"], "cannot be read"), ([:], "cannot be read"),
                (["picture": .string("data:image/png;base64," + Base64.encode(bomb))], "cannot be read"),
                (["picture": .string(String(repeating: "A", count: 2 << 20))], "larger than can be kept"),
                (["text": " "], "cannot be read"),
            ]
            for (content, sentence) in refused {
                let answer = try visitor.submit(
                    link + "/form", ["v:child": "Bo", "drawn:parent": content.text])
                #expect(answer.status == .unprocessable, "\(content.text.prefix(80))")
                #expect(answer.text.contains(sentence), "\(content.text.prefix(80))")
            }
            #expect(
                try visitor.submit(link + "/form", ["v:child": "Bo", "drawn:parent": "{"]).status
                    == .unprocessable)
            let elsewhere = try visitor.fetch(
                .post, link + "/form", json: ["values": [:], "signatures": ["child": ["text": "Bo"]]])
            #expect(elsewhere.status == .unprocessable && elsewhere.json["field"] == "child")
            #expect(try replies(desk).isEmpty)
        }
    }

    @Test("what is said of a reply goes for good with the paper it became")
    func gone() throws {
        try withDesk { desk throws in
            let (visitor, link) = try guest(desk, at: try bring(desk), ["takesReplies": true])
            for _ in 1...2 { _ = try visitor.submit(link + "/form", ["v:child": "Bo", "anyway": "yes"]) }
            func kept() throws -> Int? {
                try desk.quire.store.read { try $0.row("SELECT count(*) AS n FROM form_reply")?.int("n") }
            }
            #expect(try kept() == 2)
            let paper = "/documents/\(try #require(try replies(desk).first?["document"]?.string))"
            _ = try desk.command(.delete, paper)
            #expect(try kept() == 2 && replies(desk).count == 1)
            _ = try desk.command(.delete, paper + "?forever=1")
            #expect(try kept() == 1 && replies(desk).count == 1)
        }
    }

    @Test(
        "a link to somebody's papers of a send-out takes their reply, and the record says that it came back")
    func packets() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let packet = try desk.packet("Bo", of: batch)
            let made = try desk.command(.post, "/packets/\(packet)/shares", json: [:])
            let address = try #require(made.json["address"]?.string)
            let link = String(address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
            let visitor = desk.browser(from: "192.0.2.9")
            try visitor.get(link)
            _ = try visitor.submit(link, [:])
            let form = try visitor.get(link + "/form")
            #expect(form.status == .ok, "\(form.status)")
            #expect(try visitor.get(link + "/pages/1").mediaType?.essence == "image/jpeg")
            let fields = try visitor.fetch(.get, link + "/form").json["fields"]?.array ?? []
            let name = try #require(fields.first { $0["kind"] == "text" }?["name"]?.string)
            let sent = try visitor.submit(link + "/form", ["v:\(name)": "written at home", "anyway": "yes"])
            #expect(sent.status == .ok, "\(sent.text)")
            #expect(try replies(desk, "?batch=\(batch)").count == 1)
            let delivery = try desk.command(.get, "/packets/\(packet)/delivery").json
            #expect(delivery["delivery"]?["state"] == "returned")
            let page = try desk.command(.get, "/harvests?batch=\(batch)", ["Accept": "text/html"]).text
            #expect(page.contains("Filled in at a link") && page.contains("Read it into a table"))
            // What came by links becomes a table, row by row compared with what was sent.
            let papers = JSON.array(try replies(desk, "?batch=\(batch)").map { $0["document"] ?? .null })
            let table = try desk.command(
                .post, "/harvests", json: ["document": papers, "batch": .string(batch)])
            #expect(table.status == .created, "\(table.text)")
            #expect(table.text.contains("written at home"), "\(table.text)")
            let none = try desk.command(.post, "/harvests", json: ["document": ["nothing"]])
            #expect(none.status == .notFound)
        }
    }
}
