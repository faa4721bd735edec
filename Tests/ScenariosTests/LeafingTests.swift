import Access
import App
import Bytes
import Converting
import HTTP
import Library
import PDFReading
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Papers that are no PDF", .enabled(if: PageReader.isReady, "poppler is not installed"))
struct LeafingTests {
    private func bring(_ bytes: [UInt8], _ name: String, to desk: Desk) throws -> String {
        let made = try desk.command(
            .post, "/documents?name=\(name)", ["Content-Type": "application/octet-stream"],
            body: .bytes(bytes))
        return try #require(made.headers["Location"])
    }

    private func pages(_ paper: String, _ desk: Desk) throws -> Response {
        try patiently { try desk.command(.get, paper + "/pages") }
    }

    private static let words = ["The harbour wall", "The old mill", "The garden of the house"]

    @Test("a TIFF has all its pages, as pictures and in number, and stays as it came")
    func tiff() throws {
        try withDesk { desk throws in
            let bytes = try SamplePaper.tiff(Self.words)
            let fax = try bring(bytes, "fax.tiff", to: desk)
            let pages = try pages(fax, desk)
            #expect(pages.json["count"] == 3, "\(pages.text)")
            // A sheet of letter paper at 150 dots to an inch.
            let width = try #require(pages.json["pages"]?[2]?["width"]?.number)
            #expect(abs(width - 612) < 1)
            let third = try desk.command(.get, fax + "/pages/3?width=160")
            #expect(third.status == .ok && third.headers["Content-Type"] == "image/jpeg")
            #expect(try desk.command(.get, fax + "/pages/4").status == .notFound)
            #expect(try desk.command(.get, fax).json["pages"] == 3)
            let document = try #require(ID<Document>(String(fax.split(separator: "/").last ?? "")))
            let kept = try desk.quire.documents.file(document, by: .local)
            #expect(try desk.quire.store.blobs.read(kept.document.blob.digest) == bytes)
            #expect(kept.document.blob.mediaType == "image/tiff" && kept.document.version == 1)
        }
    }

    @Test("a TIFF is found by the words on each of its pages, which are marked where they are seen")
    func recognised() throws {
        try #require(Recognizer.installed.contains("eng"), "needs Tesseract: bin/setup --engines")
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let fax = try bring(SamplePaper.tiff(Self.words), "fax.tiff", to: desk)
            try desk.quire.reading.catchUp()
            #expect(try desk.quire.recognition.catchUp() == 3)
            let found = try desk.command(.get, "/documents/matches?q=mill").json["matches"]?[0]
            #expect(found?["page"] == 2)
            #expect(found?["snippet"]?.text.contains("old") == true)
            #expect(try ada.get("/search?q=mill").text.contains("\(fax)/read?q=mill#page-2"))
            let line = try desk.command(.get, fax + "/pages/2/words").json["lines"]?[0]
            #expect(line?.array?.compactMap { $0["text"]?.string } == ["The", "old", "mill"])
            // Twelve points high on a line at 72, 700, counted from the top here.
            let first = try #require(line?[0])
            let (x, y) = (try #require(first["x"]?.number), try #require(first["y"]?.number))
            #expect(abs(x - 72) < 3 && (75...100).contains(y))
            #expect(try desk.command(.get, fax + "/pages?q=garden").json["pages"]?[0]?["number"] == 3)
            #expect(try ada.get(fax + "/read").text.contains("data-sizes=\"612x792*3\""))
        }
    }

    @Test("a photo is read like any paper, its words where they are seen")
    func photo() throws {
        try #require(Recognizer.installed.contains("eng"), "needs Tesseract: bin/setup --engines")
        try withDesk { desk throws in
            let sheets = try Sheets(bytes: Array(SamplePaper.pages([Self.words[0]]).utf8))
            let picture = try PageReader(jail: .detect()).picture(
                of: sheets, page: 0, width: 1600, format: .jpeg(quality: 90))
            let photo = try bring(picture, "photo.jpg", to: desk)
            try desk.quire.reading.catchUp()
            try desk.quire.recognition.catchUp()
            #expect(try desk.command(.get, "/documents/matches?q=harbour").json["matches"]?[0]?["page"] == 1)
            let page = try desk.command(.get, photo + "/pages/1/words").json
            let first = try #require(page["lines"]?[0]?[0])
            let across = try #require(first["x"]?.number) / #require(page["width"]?.number)
            let down = try #require(first["y"]?.number) / #require(page["height"]?.number)
            #expect(abs(across - 72.0 / 612) < 0.01 && abs(down - 85.0 / 792) < 0.02)
            #expect(try desk.command(.get, photo).json["pages"] == 1)
        }
    }

    @Test("a picture of any kind has a page", arguments: ["webp", "gif", "bmp", "heic", "heif", "tif"])
    func kinds(kind: String) throws {
        try withDesk { desk throws in
            let bytes: [UInt8]
            switch kind {
            // Two by two dots of red, in 24 bits.
            case "bmp":
                bytes =
                    Array("BM".utf8) + [
                        70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
                    ]
                    + [1, 0, 24, 0, 0, 0, 0, 0, 16, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
                    + [0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0]
            default:
                let file = [
                    "webp": "031-hopper.webp", "gif": "028-dispose_bgnd.gif", "heic": "006-zPug_3.heic",
                    "heif": "005-RGBA_8__29x100.heif", "tif": "029-g4-multi.tiff",
                ][kind]
                guard let file, CorpusFiles.has("image/\(file)") else { return }
                bytes = try CorpusFiles.bytes("image/\(file)")
            }
            let paper = try bring(bytes, "picture.\(kind)", to: desk)
            let pages = try pages(paper, desk)
            if pages.text.contains("is needed and not installed") { return }
            #expect((pages.json["count"]?.int ?? 0) >= 1, "\(pages.text)")
            #expect(try desk.command(.get, paper + "/pages/1?width=160").status == .ok)
        }
    }

    @Test("a broken or much too large picture says so at once and every time, and the desk goes on")
    func hostile() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            // A page of a hundred thousand dots by as many.
            var huge = Array("II*\0".utf8) + [8, 0, 0, 0, 9, 0]
            for (tag, value) in [
                (256, 100_000), (257, 100_000), (258, 8), (259, 1), (262, 1), (273, 122), (277, 1),
                (278, 100_000), (279, 4),
            ] {
                huge += [UInt8(tag & 255), UInt8(tag >> 8), 4, 0, 1, 0, 0, 0]
                huge += (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            }
            huge += [0, 0, 0, 0, 1, 2, 3, 4]
            let heic: [UInt8] = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 7, count: 400)
            for (name, bytes, reason) in [
                ("huge.tiff", huge, "pixels"), ("broken.heic", heic, "damaged"),
                ("short.tiff", Array(try SamplePaper.tiff(["x"]).prefix(300)), "damaged"),
            ] {
                let paper = try bring(bytes, name, to: desk)
                let told = try pages(paper, desk)
                if told.text.contains("is needed and not installed") { continue }
                #expect(
                    told.status.code >= 400 && told.json["detail"]?.string?.contains(reason) == true,
                    "\(told.text)")
                let again = try desk.command(.get, paper + "/pages")
                #expect(again.json["detail"] == told.json["detail"] && again.headers["Retry-After"] == nil)
                #expect(try ada.get(paper + "/read").text.contains(reason))
                #expect(try desk.command(.get, paper + "/file").status == .ok)
            }
            try desk.quire.reading.catchUp()
            if desk.quire.recognition.isReady { try desk.quire.recognition.catchUp() }
            #expect(try desk.quire.recognition.pendingCount() == 0 || !desk.quire.recognition.isReady)
        }
    }

    @Test("one who looks is told to come back while pages are prepared, and need not wait for them")
    func prepared() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            // Some that take a moment each, and more at once than are waited for.
            let papers = try (0..<6).map { number in
                try bring(
                    SamplePaper.tiff((0..<8).map { "Page \($0) of \(number)" }, dotsPerInch: 200),
                    "fax\(number).tiff", to: desk)
            }
            let watch = Stopwatch()
            let answers = try papers.map { try desk.command(.get, $0 + "/pages/1") }
            #expect(watch.elapsed < .seconds(120))
            for answer in answers where answer.status != .ok {
                #expect(answer.status.code == 503 && answer.headers["Retry-After"] != nil)
            }
            for paper in papers {
                #expect(try patiently { try desk.command(.get, paper + "/pages/8") }.status == .ok)
                #expect(try patiently { try ada.get(paper + "/read") }.text.contains("page-reader"))
            }
        }
    }

    @Test(
        "a TIFF is made searchable, shown by a link for looking only, and given to apps of Paperless as PDF")
    func elsewhere() throws {
        try #require(Recognizer.installed.contains("eng"), "needs Tesseract: bin/setup --engines")
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let bytes = try SamplePaper.tiff(Self.words)
            let fax = try bring(bytes, "fax.tiff", to: desk)
            _ = try pages(fax, desk)
            let link = try desk.command(.post, fax + "/shares", json: ["viewOnly": true])
            let path = "/s/" + (link.json["address"]?.string?.split(separator: "/").last ?? "")
            let stranger = desk.browser(from: "203.0.113.9")
            let page = try stranger.get(path).text
            #expect(page.contains("\(path)/pages/3?"))
            #expect(try stranger.get("\(path)/pages/3?width=160").headers["Content-Type"] == "image/jpeg")
            #expect(try desk.command(.get, "/api/documents/").json["results"]?[0]?["id"] == 1)
            #expect(try desk.command(.get, "/api/documents/1/thumb/").headers["Content-Type"] == "image/jpeg")
            #expect(
                try desk.command(.get, "/api/documents/1/preview/").headers["Content-Type"]
                    == "application/pdf")
            #expect(
                try desk.command(.get, "/api/documents/1/download/").headers["Content-Type"] == "image/tiff")
            let id = try #require(ID<Document>(String(fax.split(separator: "/").last ?? "")))
            let made = try desk.quire.searchable.make([id], languages: "eng", by: .local)
            #expect(made["revised"] == 1)
            // It is called otherwise now, and that is said.
            #expect(made["renamed"] == [["from": "fax.tiff", "to": "fax.pdf"]])
            let now = try desk.quire.documents.get(id, by: .local)
            #expect(now.blob.mediaType == "application/pdf")
            #expect(try desk.quire.pages.texts(of: now).joined(separator: " ").contains("mill"))
            let first = try desk.quire.documents.get(id, version: 1, by: .local)
            #expect(try desk.quire.store.blobs.read(first.blob.digest) == bytes)
        }
    }

    @Test("what was written is shown by a link for looking only, and its file is not given")
    func looking() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let letter = try bring(Array("{\\rtf1 The old mill is for sale}".utf8), "letter.rtf", to: desk)
            let link = try desk.command(.post, letter + "/shares", json: ["viewOnly": true])
            let path = "/s/" + (link.json["address"]?.string?.split(separator: "/").last ?? "")
            let stranger = desk.browser(from: "203.0.113.9")
            let page = try patiently { try stranger.get(path) }.text
            if page.contains("is needed and not installed") { return }
            #expect(page.contains("\(path)/pages/1?"))
            #expect(try stranger.get("\(path)/pages/1?width=160").headers["Content-Type"] == "image/jpeg")
            #expect(try stranger.get("\(path)/file").status == .forbidden)
        }
    }

    @Test("the previews may be thrown away at any time, copies of papers with them")
    func thrownAway() throws {
        try withDesk { desk throws in
            let fax = try bring(SamplePaper.tiff(Self.words), "fax.tiff", to: desk)
            #expect(try pages(fax, desk).status == .ok)
            #expect(try Child("rm", ["-rf", desk.quire.store.home.previews]).run().succeeded)
            #expect(try patiently { try desk.command(.get, fax + "/pages/2?width=160") }.status == .ok)
        }
    }

    @Test("of a paper that was removed for good nothing is left among the previews")
    func removed() throws {
        try withDesk { desk throws in
            let fax = try bring(SamplePaper.tiff(Self.words), "fax.tiff", to: desk)
            #expect(try pages(fax, desk).status == .ok)
            #expect(try desk.command(.get, fax + "/pages/2?width=160").status == .ok)
            func kept() throws -> Int {
                try Child("find", [desk.quire.store.home.previews, "-type", "f"]).run().outputText
                    .split(separator: "\n").count
            }
            #expect(try kept() == 2)
            _ = try desk.command(.delete, fax)
            _ = try desk.command(.delete, fax + "?forever=1")
            #expect(try kept() == 0)
        }
    }

    @Test("a PDF of more than 64 MB is leafed through and found by its words, too")
    func largePDF() throws {
        try withDesk { desk throws in
            let text = SamplePaper.pages(["meadow", "orchard"])
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: 66 << 20)
            let large = try bring(Array(text.utf8) + padding + Array("\n%%EOF\n".utf8), "large.pdf", to: desk)
            #expect(try desk.command(.get, large + "/pages").json["count"] == 2)
            try desk.quire.reading.catchUp()
            #expect(try desk.command(.get, "/documents/matches?q=orchard").json["matches"]?[0]?["page"] == 2)
        }
    }

    private static let mail = """
        From: ben@example.org\r
        To: ada@example.org\r
        Date: Mon, 2 Nov 2026 09:00:00 +0000\r
        Subject: The lease\r
        Content-Type: text/html\r
        \r
        <p>Four rooms and a <b>kitchen</b>. <img src="http://192.0.2.1/seen.png"></p>\r

        """

    @Test("a mail is read on pages that are made when somebody opens it, and not before")
    func mail() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let letter = try bring(Array(Self.mail.utf8), "lease.eml", to: desk)
            try desk.quire.reading.catchUp()
            func isInGrid() throws -> Bool {
                try ada.get("/documents?view=grid").text.contains("\(letter)/pages/1?")
            }
            let offer = try ada.get(letter).text
            #expect(offer.contains("\(letter)/read") && !offer.contains("\(letter)/pages/1?"))
            #expect(try !isInGrid())
            let page = try patiently { try ada.get(letter + "/read") }.text
            if page.contains("is needed and not installed") {
                #expect(page.contains("\(letter)/file?download=1"))
                return
            }
            #expect(page.contains("page-reader"))
            let words = try desk.command(.get, letter + "/pages/1/words").text
            #expect(words.contains("kitchen") && words.contains("ben@example.org"))
            #expect(try desk.command(.get, letter + "/pages?q=kitch").json["pages"]?[0]?["number"] == 1)
            #expect(try desk.command(.get, letter + "/pages?q=cellar").json["pages"] == [])
            #expect(try isInGrid())
            #expect(try ada.get(letter).text.contains("\(letter)/pages/1?"))
            #expect(try desk.command(.get, letter).json["pages"] == 1)
            // What was written is found as it was before.
            #expect(try ada.get("/search?q=kitchen").text.contains("\(letter)/read?q=kitchen#page-1\""))
        }
    }

    @Test(
        "what was written is leafed through, whoever wrote it",
        arguments: ["txt", "md", "csv", "json", "html", "rtf", "docx", "odt", "xlsx", "pptx", "epub"])
    func written(kind: String) throws {
        try withDesk { desk throws in
            let bytes: [UInt8]
            switch kind {
            case "txt": bytes = Array((1...200).map { "Line \($0)\n" }.joined().utf8)
            case "md": bytes = Array("# Harbour\n\nThe *wall*\n".utf8)
            case "csv": bytes = Array("name,sum\nHarbour,12\n".utf8)
            case "json": bytes = Array("{\"harbour\": 12}".utf8)
            case "html": bytes = Array("<!doctype html><h1>Harbour</h1>".utf8)
            case "rtf": bytes = Array("{\\rtf1 Harbour}".utf8)
            default:
                let folder = kind == "epub" ? "ebook" : "office"
                guard let file = CorpusFiles.names(folder).first(where: { $0.hasSuffix(".\(kind)") }) else {
                    return
                }
                bytes = try CorpusFiles.bytes("\(folder)/\(file)")
            }
            let paper = try bring(bytes, "paper.\(kind)", to: desk)
            let pages = try pages(paper, desk)
            if pages.text.contains("is needed and not installed") { return }
            #expect((pages.json["count"]?.int ?? 0) >= 1, "\(pages.text)")
            #expect(try desk.command(.get, paper + "/pages/1?width=160").status == .ok)
            if kind == "md" {
                let chapters = try desk.command(.get, paper + "/outline").json["bookmarks"]
                #expect(chapters?[0]?["title"] == "Harbour", "\(chapters?.text ?? "")")
            }
            if kind == "txt" {
                #expect((pages.json["count"]?.int ?? 0) > 1)
                let last = pages.json["count"]
                #expect(
                    try desk.command(.get, paper + "/pages?q=%22line+200%22").json["pages"]?[0]?["number"]
                        == last)
            }
        }
    }
}
