import App
import Bytes
import HTTP
import Jobs
import PDF
import PDFReading
import Storage
import TestSupport
import Testing
import Web
import Work

/// The desk in the clothes of its office, as those outside see it.
@Suite("A desk in its office's clothes", .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct LooksTests {
    private static let icon = "Sources/C/CWebAssets/files/icon-192.png"

    private func share(_ desk: Desk) throws -> String {
        let paper = try desk.upload("/documents?name=a.txt", Array("a paper".utf8))
        let location = try #require(
            paper.headers["Location"] ?? paper.json["documents"]?[0]?["id"]?.string.map { "/documents/\($0)" }
        )
        let made = try desk.command(.post, location + "/shares", json: [:])
        return "/s/" + (try #require(made.json["address"]?.string).split(separator: "/").last ?? "")
    }

    private func dress(_ desk: Desk) throws -> JSON {
        _ = try desk.command(
            .post, "/settings/looks",
            json: [
                "name": "Lumi\u{E8}re <Studio>", "colour": "#8a1c5c", "letterhead": "1 High Street\nLondon",
            ])
        return try desk.upload("/settings/looks/logo?name=logo.png", contents(of: Self.icon)).json
    }

    @Test(
        "shows name, logo and colour to those outside and to nobody else, and none where nothing was chosen")
    func outside() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let path = try share(desk)
            let stranger = desk.browser(from: "203.0.113.9")
            #expect(try stranger.get(path).text.contains("<span>Quire</span>"))
            let looks = try dress(desk)
            let logo = try #require(looks["logoAddress"]?.string)
            for page in [path, "/s/none", "/c/none"] {
                let text = try stranger.get(page).text
                #expect(
                    text.contains("Lumi\u{E8}re &lt;Studio&gt;") && !text.contains("<span>Quire</span>"),
                    "\(page)")
                #expect(
                    text.contains(logo) && text.contains("/looks/8a1c5c.css")
                        && text.contains("class=\"wears-8a1c5c\""))
            }
            for page in ["/sign-in"] { #expect(!(try stranger.get(page).text.contains("wears-")), "\(page)") }
            #expect(!(try ada.get("/documents").text.contains("wears-")))
        }
    }

    @Test("serves the logo as a picture and nothing else, and only while it is the logo")
    func files() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let looks = try dress(desk)
            let stranger = desk.browser(from: "203.0.113.9")
            let logo = try #require(looks["logoAddress"]?.string)
            let picture = try stranger.get(logo)
            #expect(picture.status == .ok && picture.headers["Content-Type"] == "image/jpeg")
            #expect(picture.headers["X-Content-Type-Options"] == "nosniff")
            #expect(picture.headers["Content-Security-Policy"]?.contains("sandbox") == true)
            #expect(picture.headers["Set-Cookie"] == nil)
            let sheet = try stranger.get("/looks/8a1c5c.css")
            #expect(
                sheet.headers["Content-Type"] == "text/css; charset=utf-8"
                    && sheet.text.contains("--lamp: light-dark(#8a1c5c,"))
            let paper =
                try #require(try desk.command(.get, "/documents").json["documents"]?.array).first?["digest"]?
                .string ?? String(repeating: "a", count: 64)
            for wrong in [
                "x", "x.css", "12345.css", "8a1c5c.js", "8a1c5c.css.css", "\(paper).jpg", "..%2f..%2fetc.css",
                ".jpg",
            ] {
                #expect(try stranger.get("/looks/\(wrong)").status == .notFound, "\(wrong)")
            }
            #expect(try desk.command(.delete, "/settings/looks/logo").status == .noContent)
            #expect(try stranger.get(logo).status == .notFound)
            // One press takes it back.
            let again = try desk.command(.post, "/settings/looks", json: ["logo": looks["logo"] ?? .null])
            #expect(again.json["logoAddress"]?.string == logo)
            #expect(try stranger.get(logo).status == .ok)
        }
    }

    @Test(
        "is chosen on a page that shows it before it is saved, tells of a colour too pale, and takes it back")
    func choosing() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let tried = try ada.get("/settings/looks?name=Try&colour=%23ffdd00").text
            #expect(tried.contains("<span dir=\"auto\">Try</span>") && tried.contains("name=\"take\""))
            #expect(try desk.quire.settings.worn() == nil)
            let saved = try ada.submit("/settings/looks", ["name": "Mill", "colour": "#ffdd00"])
            #expect(saved.headers["Location"] == "/settings/looks")
            let page = try ada.get("/settings/looks").text
            #expect(page.contains("value=\"Mill\"") && page.contains("data-undo"))
            let nearest = try #require(try desk.command(.get, "/settings/looks").json["nearest"]?.string)
            #expect(page.contains("value=\"\(nearest)\""))
            try ada.submit("/settings/looks", ["name": "Mill", "colour": "#ffdd00", "take": nearest])
            let now = try desk.command(.get, "/settings/looks").json
            #expect(now["colour"]?.string == nearest && now["nearest"] == .null)
            let wrong = try ada.submit("/settings/looks", ["name": "Mill", "colour": "blue"])
            #expect(
                wrong.status == .unprocessable && wrong.text.contains("id=\"f-colour-error\"")
                    && wrong.text.contains("value=\"blue\""))
            let guest = desk.browser()
            try ada.invite("Grace", as: "editor", into: guest)
            #expect(try guest.get("/settings/looks").status == .forbidden)
        }
    }

    @Test("stands at the top of new forms, its logo drawn and its words found again")
    func papers() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            _ = try dress(desk)
            let made = try desk.command(.post, "/templates", json: ["starter": "letter"])
            let id = try #require(
                made.json["templates"]?[0]?["id"]?.string ?? made.json["id"]?.string, "\(made.text)")
            let bytes = try desk.bytes(of: desk.command(.get, "/templates/\(id)/file"))
            let words = try PageReader(jail: .detect()).text(of: Sheets(bytes: bytes))[0].words.map(\.text)
            #expect(words.contains("Lumi\u{E8}re") && words.contains("London"))
            let pixels = try PageReader(jail: .detect()).pixels(of: Sheets(bytes: bytes), page: 0, width: 306)
            // Where the logo stands there is more than paper.
            #expect(pixels.darkness(in: (0.11, 0.04, 0.05, 0.05), threshold: 200) > 0.1)
        }
    }

    @Test(
        "goes with every letter that goes out as a page",
        .enabled(if: Peer.has("aiosmtpd"), "the Python package aiosmtpd is not installed (bin/setup --check)")
    )
    func mails() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                try desk.setMail(port: server.port)
                _ = try dress(desk)
                let batch = try desk.makeBatch()
                _ = try desk.command(
                    .patch, "/batches/\(batch)/letter",
                    json: ["subject": "Please", "body": "Dear {{guardian_name}},\n\n*please* sign."])
                _ = try desk.command(.post, "/batches/\(batch)/sending", json: ["count": 2])
                desk.quire.runner.runUntilIdle()
                let first = try JSON(parsing: contents(of: "\(folder)/1.json"))
                let html = try #require(first["html"]?.string)
                #expect(
                    html.contains("src=\"cid:") && html.contains("#8a1c5c")
                        && html.contains("<em>please</em>"))
                #expect(first["attachments"]?.array?.count == 1 && first["defects"] == [])
                let message = try #require(
                    try desk.command(.get, "/outbox").json["messages"]?[0]?["id"]?.string)
                let mail = try desk.command(.get, "/outbox/\(message)/file").text
                #expect(
                    mail.contains("multipart/related") && mail.contains("Content-ID: <")
                        && mail.contains("inline;"))
                let shown = try desk.command(.get, "/outbox/\(message)").json
                #expect(shown["attachments"]?.array?.count == 1)
                let ada = desk.browser()
                try ada.becomeOwner()
                let page = try ada.get("/outbox/\(message)").text
                #expect(page.contains("<em>please</em>") && !page.contains("cid:"))
            }
        }
    }
}
