import Access
import App
import Bytes
import Conversion
import Converting
import Glibc
import HTTP
import Jobs
import Kinds
import Library
import PDF
import PDFReading
import SQL
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("The library")
struct LibraryTests {
    private func add(_ desk: Desk, _ text: String, named name: String) throws -> String {
        let made = try desk.command(
            .post, "/documents?name=\(name)", ["Content-Type": "application/octet-stream"],
            body: .bytes(Array(text.utf8)))
        return try #require(made.json["documents"]?[0]?["id"]?.string)
    }

    private let mail = """
        From: ben@example.org\r
        Subject: The lease\r
        Content-Type: multipart/mixed; boundary=b\r
        \r
        --b\r
        Content-Type: text/plain\r
        \r
        Here it is.\r
        --b\r
        Content-Disposition: attachment; filename=lease.txt\r
        \r
        Four rooms and a kitchen\r
        --b--\r

        """

    @Test("takes what came with a mail out of it, at once or later, and says what belongs together")
    func mails() throws {
        try withDesk { desk throws in
            let made = try desk.command(
                .post, "/documents?name=lease.eml&unpack=1", ["Content-Type": "application/octet-stream"],
                body: .bytes(Array(mail.utf8)))
            #expect(made.status == .created && made.json["documents"]?.array?.count == 2)
            let letter = try #require(made.json["documents"]?[0]?["id"]?.string)
            #expect(made.json["documents"]?[1]?["origin"]?.string == letter)
            #expect(made.json["documents"]?.array?.map { $0["arrival"] } == [.null, "mail"])
            #expect(
                try desk.command(.get, "/documents/\(letter)/contents").json["documents"]?[0]?["name"]
                    == "lease.txt")
            #expect(
                try desk.command(.post, "/documents/\(letter)/contents").json["left"]?.array?.isEmpty == true)
            let note = try add(desk, "a note", named: "note.txt")
            #expect(try desk.command(.post, "/documents/\(note)/contents").status == .unprocessable)
            // Nothing of the desk's own network is fetched.
            let inside = try desk.command(
                .post, "/documents/addresses", json: ["address": "http://127.0.0.1:1/secret"])
            #expect(inside.status == .unprocessable)
        }
    }

    @Test("says what failed in the language of who asks, on pages and to programs")
    func languages() throws {
        try withDesk { desk throws in
            let nothing = "/documents/0190a5b2-7c3e-7000-8000-000000000000"
            let french: Headers = ["Accept-Language": "fr-CA,en;q=0.5"]
            let program = try desk.command(.get, nothing, french)
            #expect(
                program.json["detail"] == "Ce papier n’existe pas. Il a peut-être été retiré."
                    && program.json["code"] == "notFound")
            #expect(
                try desk.command(.get, nothing).json["detail"]
                    == "There is no such document. It may have been removed.")
            let page = try desk.command(
                .get, nothing, ["Accept": "text/html", "Accept-Language": "es"])
            #expect(page.text.contains("Este papel no existe. Tal vez se quitó."))
            // What a page's scripts are told stands on that page, whatever the browser's own language is.
            let ada = desk.browser()
            try ada.becomeOwner()
            _ = try ada.fetch(.post, "/settings/language", json: ["language": "fr-CA"])
            let told = try ada.get(nothing, ["Accept": "application/json", "Accept-Language": "en"])
            #expect(told.json["detail"] == "Ce papier n’existe pas. Il a peut-être été retiré.")
        }
    }

    @Test("files by rules that suggest, with what they would change, and that can be taken back")
    func rules() throws {
        try withDesk { desk throws in
            let folder = try #require(
                try desk.command(.post, "/folders", json: ["path": "Bills"]).json["id"]?.string)
            let rule = try desk.command(
                .post, "/rules",
                json: [
                    "name": "Bills", "words": "invoice", "folder": .string(folder), "tags": ["bill"],
                    "title": "Bill {date}",
                ])
            #expect(rule.status == .created)
            #expect(try desk.command(.post, "/rules", json: ["name": "x"]).status == .unprocessable)
            let bill = try add(desk, "Invoice of 2026-03-01", named: "scan.txt")
            try desk.quire.reading.catchUp()
            let open = try desk.command(.get, "/suggestions").json["suggestions"]?[0]
            #expect(open?["title"] == "Bill 2026-03-01.txt" && open?["titleBefore"] == "scan.txt")
            let id = try #require(open?["id"]?.string)
            func decide(_ action: String) throws -> JSON {
                try desk.command(
                    .post, "/suggestions/selection", json: ["id": [.string(id)], "action": .string(action)]
                ).json["documents"]?[0] ?? .null
            }
            #expect(try decide("take")["folder"]?.string == folder)
            #expect(try decide("undo")["name"] == "scan.txt")
            let path = "/rules/" + (rule.json["id"]?.string ?? "")
            #expect(
                try desk.command(.patch, path, json: ["name": "Bills", "words": "of", "tags": ["x"]]).json[
                    "words"]
                    == "of")
            #expect(try desk.command(.post, path + "/runs").json["suggestions"] == 0)
            #expect(try desk.command(.delete, path).status == .noContent)
            #expect(try desk.command(.get, "/documents/\(bill)").json["tags"] == [])
        }
    }

    @Test("lays papers into a folder made for them as one act, or does nothing")
    func gathering() throws {
        try withDesk { desk throws in
            let (bill, keys) = (
                try add(desk, "bill", named: "bill.txt"), try add(desk, "keys", named: "keys.txt")
            )
            func gather(_ ids: [String], _ name: String) throws -> Response {
                try desk.command(
                    .post, "/folders", json: ["name": .string(name), "id": .array(ids.map(JSON.string))])
            }
            func folder(of paper: String) throws -> String? {
                try desk.command(.get, "/documents/\(paper)").json["folder"]?.string
            }
            // One of them is not there: no folder is left behind.
            #expect(try gather([bill, "018f0000-0000-7000-8000-000000000000"], "House").status == .notFound)
            #expect(try desk.command(.get, "/folders").json["folders"] == [])
            #expect(try gather([bill, keys], "").status == .unprocessable)
            let made = try gather([bill, keys], "House")
            #expect(made.status == .created)
            #expect(try folder(of: bill) == made.json["id"]?.string)
            #expect(try folder(of: keys) == made.json["id"]?.string)
            // Its name is taken.
            #expect(try gather([bill], "House").status == .conflict)
        }
    }

    @Test("writes people and fields on papers, and finds papers by them")
    func labels() throws {
        try withDesk { desk throws in
            let field = try desk.command(.post, "/fields", json: ["name": "Amount", "kind": "number"])
            #expect(field.status == .created)
            let bill = try add(desk, "a bill", named: "bill.txt")
            let written = try desk.command(
                .patch, "/documents/\(bill)", json: ["people": ["Ben Meier"], "fields": ["amount": "12,50"]]
            ).json
            #expect(written["people"]?[0]?["name"] == "Ben Meier" && written["fields"]?["Amount"] == "12.50")
            #expect(try desk.command(.get, "/documents/matches?q=amount%3E12").json["total"] == 1)
            #expect(try desk.command(.get, "/documents/matches?q=person:meier&sort=name").json["total"] == 1)
            #expect(
                try desk.command(.patch, "/documents/\(bill)", json: ["fields": ["colour": "red"]]).status
                    == .unprocessable)
            let path = "/fields/" + (field.json["id"]?.string ?? "")
            #expect(try desk.command(.patch, path, json: ["name": "Sum"]).status == .noContent)
            #expect(try desk.command(.get, "/fields").json["fields"]?[0]?["documents"] == 1)
            #expect(try desk.command(.delete, path).status == .noContent)
            #expect(try desk.command(.get, "/documents/\(bill)").json["fields"] == [:])
        }
    }

    @Test("keeps what is held and what a rule keeps")
    func keeping() throws {
        try withDesk { desk throws in
            let letter = try add(desk, "a letter", named: "letter.txt")
            let path = "/documents/\(letter)"
            #expect(
                try desk.command(.post, path + "/hold", json: ["reason": "case 17"]).json["hold"] == "case 17"
            )
            #expect(try desk.command(.delete, path).status == .conflict)
            #expect(try desk.command(.delete, path + "/hold").json["hold"] == .null)
            _ = try desk.command(.patch, path, json: ["tags": ["tax"]])
            let rule = try desk.command(
                .post, "/retention", json: ["name": "Taxes", "tag": "tax", "months": 120])
            #expect(rule.status == .created)
            #expect(try desk.command(.get, path + "/keeping").json["rule"] == "Taxes")
            #expect(try desk.command(.delete, path).status == .conflict)
            #expect(
                try desk.command(.delete, "/retention/" + (rule.json["id"]?.string ?? "")).status
                    == .noContent)
            #expect(try desk.command(.delete, path).status == .ok)
        }
    }

    @Test("tells what happened to a paper, what is like it, and what was probably meant")
    func likeness() throws {
        try withDesk { desk throws in
            let lease = try add(desk, "landlord deposit heating balcony", named: "lease.txt")
            _ = try add(desk, "the landlord wants the deposit", named: "letter.txt")
            try desk.quire.reading.catchUp()
            let similar = try desk.command(.get, "/documents/\(lease)/similar").json["similar"]?[0]
            #expect(similar?["document"]?["name"] == "letter.txt")
            #expect(try desk.command(.get, "/documents/matches?q=landlrod").json["meant"] == "landlord")
            let lines = try desk.command(.get, "/documents/\(lease)/activity").json["entries"]?.array
            #expect(lines?.first?["verb"] == "document.added")
        }
    }

    @Test("a folder is shown to somebody outside, who sees it and nothing else")
    func sharedFolder() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let folder = try #require(
                try desk.command(.post, "/folders", json: ["path": "Trip"]).json["id"]?.string)
            let map = try add(desk, "a map", named: "map.txt")
            let secret = try add(desk, "a secret", named: "secret.txt")
            _ = try desk.command(.patch, "/documents/\(map)", json: ["folder": .string(folder)])
            let made = try desk.command(.post, "/folders/\(folder)/shares", json: ["kind": "show"])
            let path = "/s/" + (made.json["address"]?.string?.split(separator: "/").last ?? "")
            let stranger = desk.browser(from: "203.0.113.9")
            let page = try stranger.get(path).text
            #expect(page.contains("map.txt") && !page.contains("secret.txt"))
            guard case .file = try stranger.get("\(path)/papers/\(map)/file").body else {
                return #expect(Bool(false))
            }
            #expect(try stranger.get("\(path)/papers/\(secret)/file").status == .seeOther)
            #expect(try stranger.get("\(path)/file").headers["Content-Type"] == "application/zip")
            #expect(try stranger.get("/documents/\(map)").status == .seeOther)
        }
    }

    @Test("takes back what was done to many papers at once, wherever each of them was before")
    func undoing() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            func made(_ path: String) throws -> String {
                try #require(
                    try desk.command(.post, "/folders", json: ["path": .string(path)]).json["id"]?.string)
            }
            let folders = (one: try made("One"), two: try made("Two"), three: try made("Three"))
            var papers: [String] = []
            for number in 0..<24 {
                papers.append(try add(desk, "paper \(number)", named: "paper\(number).txt"))
            }
            _ = try desk.command(.patch, "/documents/\(papers[0])", json: ["folder": .string(folders.one)])
            _ = try desk.command(
                .patch, "/documents/\(papers[1])", json: ["folder": .string(folders.two), "tags": ["old"]])
            func paper(_ number: Int) throws -> JSON {
                try desk.command(.get, "/documents/\(papers[number])").json
            }
            func doing(
                _ fields: [(String, String)], at address: String = "/documents/selection"
            ) throws -> Response {
                var all = Fields()
                for (name, value) in fields { all.add(name, value) }
                let page = try ada.submit(address, all)
                #expect(page.status == .seeOther, "\(page.text)")
                return page
            }
            let chosen = papers.map { ("id", $0) }
            func undo() throws {
                let page = try ada.get("/documents").text
                let place = try #require(page.between("action=\"/undoings/", "\""))
                _ = try doing([("from", "/documents")], at: "/undoings/\(place)")
            }
            _ = try doing(chosen + [("action", "move"), ("folder", folders.three)])
            #expect(
                try paper(0)["folder"]?.string == folders.three
                    && paper(23)["folder"]?.string == folders.three)
            // What somebody moves elsewhere meanwhile stays there.
            _ = try desk.command(.patch, "/documents/\(papers[5])", json: ["folder": .string(folders.one)])
            try undo()
            #expect(
                try paper(0)["folder"]?.string == folders.one && paper(1)["folder"]?.string == folders.two)
            #expect(try paper(2)["folder"] == .null && paper(5)["folder"]?.string == folders.one)
            // Who wore the tag before goes on wearing it.
            _ = try doing(chosen + [("action", "tag"), ("tag", "old, new")])
            #expect(try paper(1)["tags"] == ["new", "old"])
            try undo()
            #expect(try paper(1)["tags"] == ["old"] && paper(2)["tags"] == [])
            _ = try doing(chosen + [("action", "trash")])
            #expect(try desk.command(.get, "/documents").json["total"] == 0)
            try undo()
            #expect(try desk.command(.get, "/documents").json["total"] == 24)
            // Converting and joining begin something that can be dropped at once.
            for action in ["convert", "merge"] {
                let begun = try #require(
                    try doing(chosen.prefix(2) + [("action", action)]).headers["Location"])
                let page = try ada.get(begun).text
                let place = try #require(page.between("action=\"/undoings/", "\""))
                _ = try doing([("from", "/documents")], at: "/undoings/\(place)")
                #expect(try desk.command(.get, begun).status == .notFound)
                // Once is enough.
                #expect(try ada.submit("/undoings/\(place)", [:]).status == .notFound)
            }
            #expect(try desk.command(.get, "/documents").json["total"] == 24)
        }
    }

    @Test("keeps each field of a paper by itself, and takes back what was written there and nothing else")
    func fieldByField() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            _ = try desk.command(.post, "/fields", json: ["name": "Class"])
            let paper = "/documents/\(try add(desk, "four rooms", named: "lease.txt"))"
            func write(_ field: String, _ value: String) throws -> Response {
                try ada.get(paper)
                return try ada.submit(paper, ["_method": "PATCH", field: value])
            }
            func undo() throws {
                let place = try #require(try ada.get(paper).text.between("action=\"/undoings/", "\""))
                #expect(try ada.submit("/undoings/\(place)", ["from": paper]).headers["Location"] == paper)
            }
            func now(_ field: String) throws -> JSON? { try desk.command(.get, paper).json[field] }
            #expect(try write("tags", "home, 2026").status == .seeOther)
            _ = try write("note", "Ask Ben")
            _ = try write("note", "Ask Eve")
            // Meanwhile somebody changes something else.
            _ = try desk.command(.patch, paper, json: ["tags": ["away"], "date": "2026-11-03"])
            try undo()
            #expect(try now("note") == "Ask Ben" && now("tags") == ["away"] && now("date") == "2026-11-03")
            _ = try write("name", "Lease")
            try undo()
            #expect(try now("name") == "lease.txt")
            _ = try write("people", "Ben Meier")
            _ = try write("field:Class", "3b")
            try undo()
            #expect(try now("fields") == [:] && now("people")?[0]?["name"] == "Ben Meier")
            // What cannot stand there is said beside its field, and stays there to be mended.
            let refused = try write("date", "the third")
            #expect(refused.status == .unprocessable)
            #expect(
                refused.text.contains("id=\"f-date-error\"") && refused.text.contains("value=\"the third\""))
            #expect(try now("date") == "2026-11-03")
        }
    }

    @Test("does not ask again for the picture of a paper of which none can be made")
    func noPicture() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper =
                "/documents/\(try add(desk, "%PDF-1.7\nnothing of what it promises", named: "broken.pdf"))"
            let picture = "\(paper)/pages/1?width=240"
            #expect(try ada.get("/documents?view=grid").text.contains(picture))
            #expect(try ada.get(picture).status == .unprocessable)
            let list = try ada.get("/documents?view=grid").text
            #expect(!list.contains(picture) && list.contains("sheet sheet-pdf"))
            #expect(try !ada.get(paper).text.contains("\(paper)/pages/1"))
        }
    }

    @Test("shows what a PDF says of its chapters, and hands over the files it carries")
    func outline() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            func bring(_ bytes: [UInt8], _ name: String) throws -> String {
                try #require(
                    try desk.upload("/documents?name=\(name)", bytes).json["documents"]?[0]?["id"]?.string)
            }
            var paper = Paper(
                name: "book.pdf", kind: .pdf, bytes: Array(SamplePaper.pages(["one", "two", "three"]).utf8))
            paper = try PDFTools.setting(
                bookmarks: [
                    ["title": "Begin", "page": 1, "children": [["title": "Deeper", "page": 2]]],
                    ["title": "End <b>", "page": 3],
                ], in: paper)
            let book = try bring(paper.bytes, "book.pdf")
            let outline = try desk.command(.get, "/documents/\(book)/outline").json
            #expect(outline["bookmarks"]?[0]?["title"] == "Begin" && outline["bookmarks"]?[1]?["page"] == 3)
            #expect(outline["bookmarks"]?[0]?["children"]?[0]?["page"] == 2)
            #expect(outline["attachments"] == [])
            let plain = try bring(Array(SamplePaper.pages(["one"]).utf8), "plain.pdf")
            #expect(
                try desk.command(.get, "/documents/\(plain)/outline").json == [
                    "bookmarks": [], "attachments": [],
                ])
            let text = try add(desk, "words", named: "words.txt")
            let noChapters = try patiently { try desk.command(.get, "/documents/\(text)/outline") }
            #expect(noChapters.json["bookmarks"] == [])
            #expect(try desk.command(.get, "/documents/\(text)/attachments/1").status == .notFound)
            let broken = try bring(Array("%PDF-1.7\nnothing".utf8), "broken.pdf")
            #expect(try desk.command(.get, "/documents/\(broken)/outline").status == .unprocessable)
            #expect(try desk.command(.get, "/documents/\(book)/attachments/1").status == .notFound)
        }
    }

    @Test("has its scans read in the languages that are chosen for it, and says which there are")
    func scanLanguages() throws {
        try #require(Recognizer.installed.contains("eng"), "needs Tesseract: bin/setup --engines")
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let before = try ada.fetch(.get, "/settings/recognition").json
            #expect(before["languages"] == [] && before["installed"]?.array?.contains("eng") == true)
            #expect(try ada.get("/settings/language").text.contains("Words in scans"))
            let refused = try ada.fetch(.post, "/settings/recognition", json: ["languages": ["klingon"]])
            #expect(refused.status == .unprocessable && refused.json["field"] == "languages")
            #expect(
                try ada.fetch(.post, "/settings/recognition", json: ["languages": ["eng"]]).json["languages"]
                    == ["eng"])
            let scan = try #require(
                try desk.upload("/documents?name=scan.pdf", SamplePaper.scan(["The harbour wall"])).json[
                    "documents"]?[0]?["id"]?.string)
            try desk.quire.reading.catchUp()
            try desk.quire.recognition.catchUp()
            #expect(try ada.get("/documents/\(scan)").text.contains("(English)"))
            let again = try ada.fetch(.post, "/documents/\(scan)/recognition", json: ["languages": ["auto"]])
            #expect(again.status == .accepted)
            #expect(try desk.quire.recognition.pendingCount() == 1)
            desk.quire.runner.runUntilIdle()
            #expect(try desk.quire.documents.find("harbour", by: .local).matchCount == 1)
            #expect(
                try ada.fetch(.post, "/documents/\(scan)/recognition", json: ["languages": ["klingon"]])
                    .status
                    == .unprocessable)
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "we"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    @Test("finds a single flipped bit in whatever it keeps")
    func flipped() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let paper = try add(desk, "the first words", named: "paper.txt")
            // A version, a mail with what came with it, a form, a conversion with what it made: each kind of file there is.
            _ = try desk.upload("/documents/\(paper)/versions?name=paper.txt", Array("other words".utf8))
            _ = try desk.upload("/documents?name=m.eml&unpack=1", Array(mail.utf8))
            _ = try desk.addConsentForm()
            let conversion = try desk.command(.post, "/conversions", json: ["document": .string(paper)])
            desk.quire.runner.runUntilIdle()
            #expect(try desk.command(.get, conversion.headers["Location"] ?? "").json["state"] == "done")
            let store = desk.quire.store
            let digests = try store.read { tx in
                try tx.rows("SELECT digest FROM blob ORDER BY digest").map { try $0.digest("digest") }
            }
            #expect(digests.count >= 6)
            #expect(try store.verify().problems == [])
            for (number, digest) in digests.enumerated() {
                let path = try store.blobs.path(of: digest)
                let whole = try PDFFile.read(path)
                var spoiled = whole
                // Somewhere else in each, the first and the last byte among them.
                let place = [0, spoiled.count - 1, spoiled.count / 2, spoiled.count / 3][number % 4]
                spoiled[place] ^= 1 << UInt8(number % 8)
                chmod(path, 0o600)
                try write(spoiled, to: path)
                let found = try store.verify().problems
                #expect(
                    found == ["The file \(digest) has other bytes than it was saved with."],
                    "bit in byte \(place)")
                try write(whole, to: path)
            }
            #expect(try store.verify().problems == [])
        }
    }

    @Test(
        "a link for looking only shows pages as pictures and gives no file",
        arguments: ["paper", "folder", "selection"])
    func viewOnly(kind: String) throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let folder = try #require(
                try desk.command(.post, "/folders", json: ["path": "Trip"]).json["id"]?.string)
            let made = try desk.command(
                .post, "/documents?name=lease.pdf&folder=\(folder)",
                ["Content-Type": "application/octet-stream"],
                body: .bytes(Array(SamplePaper.pages(["one", "two"]).utf8)))
            let lease = try #require(made.json["documents"]?[0]?["id"]?.string)
            let letter = try add(desk, "what no program\u{0}knows", named: "letter.bin")
            let address = [
                "paper": "/documents/\(lease)/shares", "folder": "/folders/\(folder)/shares",
                "selection": "/selections/shares",
            ][kind]
            var terms: JSONObject = ["viewOnly": true]
            if kind == "selection" { terms["documents"] = [.string(lease), .string(letter)] }
            let link = try desk.command(.post, try #require(address), json: .object(terms))
            #expect(link.status == .created && link.json["viewOnly"] == true)
            let path = "/s/" + (link.json["address"]?.string?.split(separator: "/").last ?? "")
            let stranger = desk.browser(from: "203.0.113.9")
            let first = try stranger.get(path).text
            let place = kind == "paper" ? path : "\(path)/papers/\(lease)"
            let page = kind == "paper" ? first : try stranger.get(place).text
            #expect(page.contains("\(place)/pages/1?") && page.contains("\(place)/pages/2?"))
            #expect(!page.contains("/file") && !first.contains("/file"))
            #expect(try stranger.get("\(place)/pages/1?width=160").headers["Content-Type"] == "image/jpeg")
            #expect(try stranger.get("\(path)/file").status == .forbidden)
            if kind != "paper" { #expect(try stranger.get("\(place)/file").status == .forbidden) }
            if kind == "selection" {
                #expect(first.contains("letter.bin"))
                let other = try stranger.get("\(path)/papers/\(letter)").text
                #expect(other.contains("cannot be looked at"))
            }
            // Counted once, however much was looked at, and gone when it is taken back.
            let listed = try desk.command(.get, "/shares").json["shares"]?[0]
            #expect(listed?["openings"] == 1)
            _ = try desk.command(.delete, "/shares/\(listed?["id"]?.string ?? "")")
            #expect(try stranger.get("\(place)/pages/1").status != .ok)
        }
    }

    @Test("a scan is made searchable as a new version, or as a copy, and what has words is left alone")
    func searchable() throws {
        try #require(!Recognizer.installed.isEmpty, "needs Tesseract: bin/setup --engines")
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let made = try desk.command(
                .post, "/documents?name=scan.pdf", ["Content-Type": "application/octet-stream"],
                body: .bytes(SamplePaper.scan(["The harbour wall"])))
            let scan = try #require(made.json["documents"]?[0]?["id"]?.string)
            let letter = try add(desk, "a letter", named: "letter.txt")
            let refused = try desk.command(
                .post, "/documents/searchable", json: ["documents": [.string(letter)]])
            #expect(refused.status == .unprocessable)
            let unknown = try desk.command(
                .post, "/documents/searchable", json: ["documents": [.string(scan)], "languages": "xxx"])
            #expect(unknown.json["field"] == "languages")
            let job = try desk.command(
                .post, "/documents/searchable", json: ["documents": [.string(scan)], "languages": "eng"])
            #expect(job.status == .accepted)
            let id = try #require(ID<Document>(scan))
            let outcome = try desk.quire.searchable.make([id], languages: "eng", by: .local)
            #expect(outcome["revised"] == 1 && outcome["left"] == [])
            let now = try desk.quire.documents.get(id, by: .local)
            #expect(now.version == 2)
            #expect(try desk.quire.pages.texts(of: now).joined().contains("harbour"))
            let first = try desk.quire.documents.get(id, version: 1, by: .local)
            #expect(try desk.quire.pages.texts(of: first).joined().contains("harbour") == false)
            #expect(try desk.quire.searchable.make([id], languages: "eng", by: .local)["unchanged"] == 1)
            _ = try desk.quire.documents.bringBack(version: 1, of: id, by: .local)
            #expect(
                try desk.quire.searchable.make([id], languages: "eng", asCopy: true, by: .local)["copied"]
                    == 1)
            let names = try desk.command(.get, "/documents").json["documents"]?.array?.compactMap {
                $0["name"]?.string
            }
            #expect(names?.contains("scan (searchable).pdf") == true)
        }
    }

    @Test("reading the words of chosen scans is taken back by one press, before and after it was done")
    func recognitionTakenBack() throws {
        try #require(!Recognizer.installed.isEmpty, "needs Tesseract: bin/setup --engines")
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            func bring(_ words: String, _ name: String) throws -> String {
                let made = try desk.command(
                    .post, "/documents?name=\(name)", ["Content-Type": "application/octet-stream"],
                    body: .bytes(SamplePaper.scan([words])))
                return try #require(made.json["documents"]?[0]?["id"]?.string)
            }
            let papers = [try bring("The harbour wall", "wall.pdf"), try bring("The old mill", "mill.pdf")]
            func recognise() throws -> String {
                var fields: Fields = ["action": "recognise", "from": "/documents"]
                for paper in papers { fields.add("id", paper) }
                #expect(try ada.submit("/documents/selection", fields).status == .seeOther)
                return try #require(try ada.get("/documents").text.between("action=\"/undoings/", "\""))
            }
            func state(_ paper: String) throws -> (version: Int, digest: String) {
                let document = try desk.quire.documents.get(try #require(ID<Document>(paper)), by: .local)
                return (document.version, document.blob.digest.hex)
            }
            let before = try papers.map(state)

            // Taken back before its turn came: nothing is done.
            let early = try recognise()
            #expect(try ada.submit("/undoings/\(early)", ["from": "/documents"]).status == .seeOther)
            desk.quire.runner.runUntilIdle()
            #expect(try papers.map { try state($0).version } == [1, 1])

            // Taken back afterwards: each is again what it was, and what was made stays among its versions.
            let late = try recognise()
            desk.quire.runner.runUntilIdle()
            #expect(try papers.map { try state($0).version } == [2, 2])
            #expect(try papers.map { try state($0).digest } != before.map(\.digest))
            // What somebody has changed since stays as they made it.
            let mill = try #require(ID<Document>(papers[1]))
            _ = try desk.quire.documents.revise(
                mill, with: .bytes(SamplePaper.scan(["The new mill"])), named: "mill.pdf", note: "",
                ifVersion: 2, by: .local)
            let changed = try state(papers[1]).digest
            #expect(try ada.submit("/undoings/\(late)", ["from": "/documents"]).status == .seeOther)
            #expect(try state(papers[0]).digest == before[0].digest)
            #expect(try state(papers[0]).version == 3)
            #expect(try state(papers[1]).digest == changed)
            let versions = try desk.quire.documents.versions(
                of: try #require(ID<Document>(papers[0])), by: .local)
            #expect(versions.count == 3)
        }
    }

    @Test("one link leads to chosen papers and to no other")
    func sharedSelection() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let ids = try ["a", "b", "c"].map { try add(desk, "text \($0)", named: "\($0).txt") }
            var chosen: Fields = ["id": ids[0], "action": "share"]
            chosen.add("id", ids[1])
            let form = try ada.submit("/documents/selection", chosen).text
            #expect(form.contains("a.txt") && form.contains("b.txt") && form.contains("/selections/shares"))
            let link = try desk.command(
                .post, "/selections/shares", json: ["documents": [.string(ids[0]), .string(ids[1])]])
            let path = "/s/" + (link.json["address"]?.string?.split(separator: "/").last ?? "")
            let stranger = desk.browser(from: "203.0.113.9")
            let page = try stranger.get(path).text
            #expect(page.contains("a.txt") && page.contains("b.txt") && !page.contains("c.txt"))
            guard case .file = try stranger.get("\(path)/papers/\(ids[1])/file").body else {
                return #expect(Bool(false))
            }
            #expect(try stranger.get("\(path)/papers/\(ids[2])/file").status == .seeOther)
            #expect(try stranger.get("\(path)/file").headers["Content-Type"] == "application/zip")
            _ = try desk.command(.delete, "/documents/\(ids[0])")
            #expect(!(try stranger.get(path).text.contains("a.txt")))
            let nothing = try desk.command(.post, "/selections/shares", json: ["documents": []])
            #expect(nothing.status == .unprocessable)
        }
    }

    @Test("a link that asks for papers takes them in and shows nothing, not even what is known already")
    func request() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let folder = try #require(
                try desk.command(.post, "/folders", json: ["path": "From Ben"]).json["id"]?.string)
            _ = try add(desk, "known", named: "known.txt")
            let made = try desk.command(
                .post, "/folders/\(folder)/shares", json: ["kind": "request", "note": "For the tax office"])
            let path = "/s/" + (made.json["address"]?.string?.split(separator: "/").last ?? "")
            let stranger = desk.browser(from: "203.0.113.9")
            let page = try stranger.get(path).text
            #expect(page.contains("For the tax office") && !page.contains("From Ben"))
            for text in ["new", "known", "new"] {
                let sent = try stranger.bring(Array(text.utf8), to: "\(path)/papers?name=\(text).txt")
                #expect(sent.status == .created && sent.json["received"] == 1)
            }
            #expect(try desk.command(.get, "/documents?folder=\(folder)").json["total"] == 2)
            let received =
                try desk.command(.get, "/documents?folder=\(folder)").json["documents"]?.array ?? []
            #expect(received.map { $0["arrival"] } == ["link", "link"])
            let known = try desk.command(.get, "/documents?q=known").json["documents"]?.array ?? []
            #expect(known.map { $0["arrival"] == "link" }.count { $0 } == 1)
            #expect(try stranger.get("\(path)/file").status != .ok)
            // As if much had come: nothing more is taken in, not even to be thrown away.
            try desk.quire.store.database.write { db in
                _ = try db.run(
                    "UPDATE document SET byte_count = \(Documents.mostReceivedByteCount + 1) WHERE folder = \(folder) AND name = 'new.txt'"
                )
            }
            let files = try desk.quire.usage().files
            #expect(
                try stranger.bring(Array("more".utf8), to: "\(path)/papers?name=more.txt").status
                    == .tooManyRequests)
            #expect(try desk.quire.usage().files == files)
            let other = desk.browser(from: "203.0.113.10")
            try other.get("/sign-in")
            #expect(try other.bring([0x41], to: "\(path)/papers?name=a.txt").status == .seeOther)
        }
    }

    @Test("several papers are downloaded together, joined, or handed to a conversion")
    func selection() throws {
        try withDesk { desk throws in
            let ids = try ["a", "b"].map { try add(desk, "text \($0)", named: "\($0).txt") }.map(JSON.string)
            let zip = try desk.command(
                .post, "/documents/selection", json: ["id": .array(ids), "action": "download"])
            #expect(zip.headers["Content-Type"] == "application/zip")
            let begun = try desk.command(
                .post, "/documents/selection", json: ["id": .array(ids), "action": "convert"])
            let place = try #require(begun.headers["Location"])
            #expect(try desk.command(.get, place).json["papers"]?.array?.count == 2)
        }
    }
}
