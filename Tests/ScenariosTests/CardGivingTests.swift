import Archives
import Bytes
import HTTP
import PDF
import PDFReading
import Storage
import TestSupport
import Testing
import Web
import Work
import Writings

/// A card on paper, at the end of mails, and as files for any web server.
@Suite("A card that is given away on paper, in mails and as files")
struct CardGivingTests {
    private let settings = SiteSettings(publicOrigin: "https://desk.example")

    private static let secrets = ["9999", "7777", "Secretlabel"]

    // MARK: On paper

    @Test(
        "is printed ten times on a sheet, with what is public alone",
        .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
    func sheet() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard(["pronouns": "she/her"])
            let answer = try desk.command(.get, "/cards/\(card.id)/sheet?paper=a4")
            #expect(answer.headers["Content-Type"] == "application/pdf")
            let text = try PageReader(jail: .detect()).text(of: Sheets(bytes: answer.bytes))[0].text
            for part in ["Ana López", "she/her", "Architect", "Lumière", "+1 514 555 0100", "GitHub · ana"] {
                #expect(text.ranges(of: part).count == 10, "\(part)")
            }
            for word in Self.secrets { #expect(!text.contains(word)) }
            let about = try desk.command(.get, "/cards/\(card.id)/sheet?paper=letter&side=both&as=json").json
            #expect(about["size"] == "3.5x2in" && about["count"] == 10 && about["leftOut"] == [])
            #expect(about["code"]?["text"] == .string("https://desk.example/c/\(card.slug)"))
            for wrong in ["paper=a5", "size=9x9", "side=left", "marks=some", "as=poem", "holds=poem"] {
                #expect(
                    try desk.command(.get, "/cards/\(card.id)/sheet?\(wrong)").status.code == 422, "\(wrong)")
            }
        }
    }

    @Test("is put on a tag with its address, and with what is public behind it where that is wished")
    func tag() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let path = "/cards/\(card.id)/tag"
            let plain = try desk.command(.get, path).json
            #expect(
                plain["address"] == .string("https://desk.example/c/\(card.slug)") && plain["vcard"] == .null)
            #expect(plain["tag"] == "NTAG213" && plain["hex"]?.string?.hasPrefix("d101") == true)
            let file = try desk.command(.get, path + "?as=ndef&holds=vcard")
            #expect(file.headers["Content-Disposition"]?.contains(".ndef") == true)
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(text.contains("text/vcardBEGIN:VCARD") && text.contains("Ana"))
            for word in Self.secrets { #expect(!text.contains(word)) }
            #expect(try desk.command(.get, path + "?holds=mecard").status == .unprocessable)
            #expect(try desk.command(.get, path + "?as=poem").status == .unprocessable)
        }
        // Where no telephone finds the desk a tag has only the card to hold.
        try withDesk { desk throws in
            let card = try desk.makeCard()
            let tag = try desk.command(.get, "/cards/\(card.id)/tag").json
            #expect(tag["address"] == .null && tag["holds"] == "vcard")
            #expect(try desk.command(.get, "/cards/\(card.id)/tag?holds=address").status == .conflict)
        }
    }

    @Test(
        "is drawn for a screen, each in its size",
        .enabled(if: PageReader.isReady, "poppler-utils is not installed"),
        arguments: [("wallpaper", 1170, 2532), ("call", 1920, 1080), ("glance", 396, 484)])
    func screens(kind: String, width: Int, height: Int) throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let drawn = try desk.command(.get, "/cards/\(card.id)/picture?kind=\(kind)").bytes
            func number(_ at: Int) -> Int { drawn[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
            try #require(drawn.starts(with: [0x89, 0x50, 0x4E, 0x47]) && drawn.count > 24)
            #expect(number(16) == width && number(20) == height)
            #expect(try desk.command(.get, "/cards/\(card.id)/picture?kind=poem").status.code == 422)
        }
    }

    @Test("is printed by its owner alone, and so are its signature and its copy")
    func whose() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let stranger = desk.browser(at: "desk.example", from: "192.0.2.7")
            for end in ["\(card.id)/sheet", "\(card.id)/signature", "\(card.id)/picture", "copy"] {
                #expect(try stranger.fetch(.get, "/cards/\(end)").status == .unauthorized)
            }
            #expect(try desk.command(.get, "/cards/copy?cards=nobody").status == .notFound)
        }
    }

    // MARK: In mails

    @Test("ends a mail as a table with its rules inside, which runs nothing and asks for nothing")
    func signature() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard(["pronouns": "she/her"])
            let made = try desk.command(.get, "/cards/\(card.id)/signature").json
            let html = try #require(made["html"]?.string)
            let text = try #require(made["text"]?.string)
            #expect(
                text == """
                    Ana López (she/her)
                    Architect
                    Lumière
                    +1 514 555 0100
                    ana@example.org
                    GitHub · github.com/ana
                    https://desk.example/c/\(card.slug)

                    """)
            for part in [
                "href=\"tel:+15145550100\"", "href=\"mailto:ana@example.org\"",
                "href=\"https://github.com/ana\"", "href=\"https://desk.example/c/\(card.slug)\"",
            ] { #expect(html.contains(part), "\(part)") }
            for part in ["class=", "<script", "<style", "<img", "<link", "url("] {
                #expect(!html.contains(part), "\(part)")
            }
            for word in Self.secrets { #expect(!html.contains(word) && !text.contains(word)) }
            // A program that takes words out of mails finds each of them.
            let words = WrittenWords.text(ofPage: html)
            for word in ["Ana López (she/her)", "Architect", "Lumière", "ana@example.org"] {
                #expect(words.contains(word), "\(word)")
            }
            #expect(try desk.command(.get, "/cards/\(card.id)/signature?as=text").text == text)
            #expect(try desk.command(.get, "/cards/\(card.id)/signature?as=html").text.contains(html))
            #expect(try desk.command(.get, "/cards/\(card.id)/signature?as=poem").status.code == 422)
        }
    }

    @Test("shows whatever is typed into it in a mail, and runs none of it")
    func hostile() throws {
        try withDesk(settings: settings) { desk throws in
            let wicked = "\"><script>alert(1)</script><img src=x onerror=alert(2)>"
            let card = try desk.makeCard(
                [
                    "given": .string(wicked), "title": "' onmouseover='alert(3)' x='",
                    "organization": "</table></td>&lt;b&gt;", "pronouns": "<!--",
                    "fields": [
                        ["kind": "discord", "value": "\" onclick=\"alert(4)"],
                        ["kind": "mobile", "value": "+1 514 555 0100", "title": "\"><svg onload=alert(5)>"],
                    ],
                ])
            let html = try #require(
                try desk.command(.get, "/cards/\(card.id)/signature").json["html"]?.string)
            let names = html.split(separator: "<").dropFirst(html.hasPrefix("<") ? 0 : 1).map { tag in
                tag.prefix { $0 != " " && $0 != ">" }
            }
            #expect(Set(names).isSubset(of: ["table", "tr", "td", "a", "/table", "/tr", "/td", "/a"]))
            for tag in html.split(separator: "<").map({ $0.prefix { $0 != ">" } }) {
                #expect(!tag.contains(" on") && !tag.contains("javascript:"), "\(tag)")
            }
            #expect(WrittenWords.text(ofPage: html).contains("<script>alert(1)</script>"))
        }
    }

    @Test("has no link in a mail where others cannot reach the desk, and its page says so")
    func onlyHere() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let card = try ada.fetch(.post, "/cards", json: ["given": "Ana"]).json
            let id = try #require(card["id"]?.string)
            let made = try ada.fetch(.get, "/cards/\(id)/signature").json
            #expect(made["address"] == .null && made["text"] == "Ana\n")
            let page = try ada.get("/cards/\(id)/signature")
            #expect(page.text.contains("no link to the card") && page.text.contains("data-copy-rich="))
            #expect(page.headers["Content-Security-Policy"]?.hasSuffix("frame-src 'self'") == true)
            let framed = try ada.get("/cards/\(id)/signature?as=html")
            #expect(framed.headers["Content-Security-Policy"]?.hasSuffix("sandbox") == true)
            #expect(framed.headers["X-Frame-Options"] == "SAMEORIGIN")
            #expect(try ada.get("/cards/\(id)/share").text.contains("Print cards"))
        }
    }

    // MARK: As files

    private func files(_ response: Response) throws -> [String: [UInt8]] {
        let zip = try ZIPReader(bytes: response.bytes)
        return Dictionary(uniqueKeysWithValues: try zip.entries.map { ($0.name, try zip.bytes($0)) })
    }

    @Test("is copied as a folder that leads nowhere but into itself, small and without scripts")
    func copy() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let files = try files(desk.command(.get, "/cards/copy?cards=\(card.id)"))
            let expected: Set<String> = ["index.html", "card.vcf", "code.svg", "code.png", "glance.html"]
            #expect(Set(files.keys).isSuperset(of: expected.map { "\(card.slug)/\($0)" }))
            #expect(files["index.html"] == nil)
            let page = String(decoding: try #require(files["\(card.slug)/index.html"]), as: UTF8.self)
            #expect(page.utf8.count < 30_000 && page.contains("h-card") && page.contains("Ana López"))
            #expect(!page.contains("<script") || page.contains("<script type=\"application/ld+json\">"))
            for part in ["href=\"/", "src=\"/", "/answer", "desk.example"] {
                #expect(!page.contains(part), "\(part)")
            }
            #expect(page.contains("href=\"card.vcf\"") && page.contains("href=\"glance.html\""))
            let file = String(decoding: try #require(files["\(card.slug)/card.vcf"]), as: UTF8.self)
            #expect(file.hasPrefix("BEGIN:VCARD\r\nVERSION:3.0\r\n"))
            for (name, bytes) in files {
                for word in Self.secrets {
                    #expect(!String(decoding: bytes, as: UTF8.self).contains(word), "\(name)")
                }
            }
        }
    }

    @Test("leads to where the copy will lie, once that is said, and has a list where there are several")
    func address() throws {
        try withDesk(settings: settings) { desk throws in
            let (one, two) = (try desk.makeCard(), try desk.makeCard(["given": "Béa", "language": "fr-CA"]))
            let files = try files(desk.command(.get, "/cards/copy?address=https://example.org/cards/"))
            let list = String(decoding: try #require(files["index.html"]), as: UTF8.self)
            #expect(list.contains("\(one.slug)/index.html") && list.contains("Béa López"))
            let page = String(decoding: try #require(files["\(two.slug)/index.html"]), as: UTF8.self)
            let there = "https://example.org/cards/\(two.slug)/"
            #expect(page.contains("rel=\"canonical\" href=\"\(there)\"") && page.contains("lang=\"fr-CA\""))
            let file = String(decoding: try #require(files["\(two.slug)/card.vcf"]), as: UTF8.self)
            #expect(file.contains(there) && !file.contains("desk.example"))
            for wrong in ["javascript:alert(1)", "example.org", "https://", "https://a@b", "https://a/?q"] {
                let answer = try desk.command(
                    .get, "/cards/copy?address=\(PercentCoding.encode(wrong))")
                #expect(answer.status.code == 422, "\(wrong)")
            }
        }
    }
}
