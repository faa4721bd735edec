import Bytes
import Crypto
import HTTP
import PDFReading
import Storage
import TestSupport
import Testing
import Web
import Work

/// A card that everybody who has its address can look at.
@Suite("A card on the web")
struct CardPageTests {
    private func stranger(_ desk: Desk) -> Browser { desk.browser(at: "desk.example", from: "192.0.2.7") }
    private let settings = SiteSettings(publicOrigin: "https://desk.example")

    @Test(
        "is a small page that runs one line, which keeps it, sets nothing, and says who it is to programs as well"
    )
    func page() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let answer = try stranger(desk).get("/c/\(card.slug.uppercased())")
            let text = answer.text
            #expect(answer.status == .ok && text.utf8.count < 30_000)
            #expect(answer.headers["Set-Cookie"] == nil)
            let policy = try #require(answer.headers["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'"))
            // The line is named by its digest, so nothing else runs; what is for programs to read runs never.
            let scripts = text.split(separator: "<script").dropFirst().filter {
                !$0.hasPrefix(" type=\"application/ld+json\">")
            }
            let line = try #require(scripts.first?.dropFirst().split(separator: "</script>").first)
            #expect(scripts.count == 1 && line.contains("serviceWorker?.register('/c/worker.js')"))
            let digest = Base64.encode(SHA256.hash(String(line)))
            #expect(policy.contains("script-src 'sha256-\(digest)'; worker-src 'self';"))
            let worker = try stranger(desk).fetch(.get, "/c/worker.js")
            #expect(worker.headers["Content-Type"]?.hasPrefix("text/javascript") == true)
            for part in [
                "h-card", "p-name", "Ana López", "p-job-title", "u-email", "tel:+15145550100",
                "rel=\"me noopener\"",
                "og:title", "\"@type\":\"Person\"", "Houses &amp; &lt;gardens&gt;", "/c/\(card.slug).vcf",
                "lang=\"en\"",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            let french = try desk.makeCard(["language": "fr-CA"])
            let page = try stranger(desk).get("/c/\(french.slug)").text
            #expect(page.contains("lang=\"fr-CA\"") && page.contains("Enregistrer dans les contacts"))
        }
    }

    @Test("comes as a file that a telephone takes, as a code, and for a glance")
    func others() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let visitor = stranger(desk)
            let file = try visitor.get("/c/\(card.slug).vcf")
            #expect(file.headers["Content-Type"] == "text/vcard; charset=utf-8")
            #expect(file.headers["Content-Disposition"]?.hasPrefix("inline") == true)
            #expect(file.text.hasPrefix("BEGIN:VCARD\r\nVERSION:3.0\r\n"))
            #expect(file.text.contains("https://desk.example/c/\(card.slug)"))
            #expect(try visitor.get("/c/\(card.slug).vcf?as=vcard4").text.contains("VERSION:4.0"))
            #expect(try visitor.get("/c/\(card.slug).svg").text.hasPrefix("<svg"))
            #expect(try visitor.get("/c/\(card.slug).png").status == .ok)
            #expect(try visitor.get("/c/\(card.slug).exe").status == .notFound)
            let glance = try visitor.get("/c/\(card.slug)/glance").text
            #expect(glance.utf8.count <= 6_000 && glance.contains("<svg"))
        }
    }

    @Test("shows nothing that is not for its reader, in no representation")
    func privacy() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let visitor = stranger(desk)
            var texts: [String] = []
            for end in [
                "", ".vcf", ".vcf?as=vcard4", ".vcf?as=jcard", ".vcf?as=jscontact", ".svg", ".json",
                "/glance", "/answer",
            ] {
                texts.append(try visitor.get("/c/\(card.slug)\(end)").text)
            }
            texts.append(try visitor.fetch(.get, "/c/\(card.slug)").text)
            for content in ["address", "vcard", "mecard"] {
                texts.append(try desk.command(.get, "/cards/\(card.id)/code?holds=\(content)").text)
            }
            for text in texts {
                for word in ["9999", "7777", "Secretlabel"] {
                    #expect(!text.contains(word), "\(word): \(text)")
                }
            }
        }
    }

    @Test("leads on from its old address, and says so clearly when it is gone")
    func addresses() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let visitor = stranger(desk)
            #expect(
                try desk.command(.post, "/cards/\(card.id)/address", json: ["slug": "ana"]).status == .ok)
            let moved = try visitor.get("/c/\(card.slug).vcf")
            #expect(moved.status == .seeOther || moved.status == .found)
            #expect(moved.headers["Location"] == "/c/ana.vcf")
            _ = try desk.command(.delete, "/cards/\(card.id)")
            for slug in [card.slug, "ana", "nobody"] {
                let answer = try visitor.get("/c/\(slug)")
                #expect(answer.status == .notFound && answer.text.contains("This card is not here"))
            }
            #expect(try visitor.fetch(.get, "/c/ana").status == .notFound)
        }
    }

    @Test("through a link for one person is counted, opened once with a press, and revoked")
    func links() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            func link(_ more: JSON) throws -> (id: String, path: String) {
                var said: JSON = ["note": "Zoë"]
                for (key, value) in more.object ?? [:] { said[key] = value }
                let made = try desk.command(.post, "/cards/\(card.id)/links", json: said).json
                let address = try #require(made["address"]?.string)
                return (
                    try #require(made["id"]?.string), String(address.dropFirst("https://desk.example".count))
                )
            }
            let open = try link(["shows": "exchange"])
            let visitor = stranger(desk)
            let page = try visitor.get(open.path)
            #expect(page.text.contains("7777") && !page.text.contains("9999"))
            // It ends, so nothing of it stays in a browser.
            #expect(page.headers["Cache-Control"] == "no-store" && !page.text.contains("serviceWorker"))
            for part in [".vcf", "/glance"] {
                #expect(try visitor.get(open.path + part).headers["Cache-Control"] == "no-store")
            }
            _ = try visitor.get(open.path)
            let known = try desk.command(.get, "/cards/\(card.id)/links").json["links"]?[0]
            #expect(known?["openings"] == 2)
            let once = try link(["once": true])
            let waiting = try visitor.get(once.path)
            #expect(waiting.text.contains("opens once") && !waiting.text.contains("ana@example.org"))
            #expect(try visitor.get("\(once.path).vcf").status == .notFound)
            _ = try visitor.submit("\(once.path)/opening", [:])
            #expect(try visitor.get(once.path).text.contains("ana@example.org"))
            #expect(try stranger(desk).get(once.path).status == .notFound)
            _ = try desk.command(.delete, "/cards/\(card.id)/links/\(open.id)")
            #expect(try visitor.get(open.path).status == .notFound)
        }
    }

    @Test("takes a card back only from its own form, and no more than somebody can look through")
    func answers() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let visitor = stranger(desk)
            _ = try visitor.get("/c/\(card.slug)/answer")
            let thanks = try visitor.submit(
                "/c/\(card.slug)/answer", ["name": "Zoë <b>", "email": "zoe@example.org", "message": "Hello"])
            #expect(thanks.status == .ok && thanks.text.contains("Your card is on its way"))
            let forged = try visitor.submit(
                "/c/\(card.slug)/answer", ["name": "Eve", "email": "eve@example.org", "_csrf": "x"])
            #expect(forged.status == .forbidden)
            let waiting = try desk.command(.get, "/cards/answers").json["answers"]?.array ?? []
            #expect(waiting.count == 1)
            let id = try #require(waiting.first?["id"]?.string)
            #expect(try desk.command(.post, "/cards/answers/\(id)").status == .ok)
            let contacts = try desk.command(.get, "/contacts").json["contacts"]?.array ?? []
            #expect(contacts.map { $0["name"]?.string } == ["Zoë <b>"])
            for number in 0..<5 {
                _ = try visitor.submit(
                    "/c/\(card.slug)/answer", ["name": "Z\(number)", "phone": "+1514555\(1000 + number)"])
            }
            let late = try visitor.submit("/c/\(card.slug)/answer", ["name": "Z", "phone": "+15145551000"])
            #expect(late.status == .tooManyRequests)
            _ = try desk.command(.patch, "/cards/\(card.id)", json: ["answers": "closed"])
            #expect(try visitor.get("/c/\(card.slug)/answer").status == .notFound)
        }
    }

    @Test(
        "carries a picture that is drawn anew, small, and without what the camera wrote",
        .enabled(if: PageReader.isReady, "poppler is not installed (bin/setup --check)"))
    func photo() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let sent = try desk.command(.get, "/cards/\(card.id)/code?as=png&holds=vcard").bytes
            let answer = try desk.upload("/cards/\(card.id)/photo?name=a.png", sent, "image/png")
            #expect(answer.status == .ok, "\(answer.text)")
            let photo = try stranger(desk).get("/c/\(card.slug)/photo")
            #expect(photo.headers["Content-Type"] == "image/jpeg")
            let drawn = photo.bytes
            #expect(drawn.starts(with: [0xFF, 0xD8]) && drawn.count < 160_000)
            #expect(!drawn.indices.contains { drawn[$0...].starts(with: Array("Exif".utf8)) })
            #expect(try stranger(desk).get("/c/\(card.slug)").text.contains("og:image"))
            #expect(try stranger(desk).get("/c/\(card.slug).vcf").text.contains("PHOTO;"))
            #expect(
                try desk.upload("/cards/\(card.id)/photo?name=a.png", Array("no".utf8), "image/png").status
                    == .unprocessable)
            #expect(try desk.command(.delete, "/cards/\(card.id)/photo").status == .noContent)
            #expect(try stranger(desk).get("/c/\(card.slug)/photo").status == .notFound)
        }
    }

    @Test("is its member's alone: a viewer makes one, and owners do not see it")
    func members() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let card = try ada.fetch(.post, "/cards", json: ["given": "Ada"])
            #expect(card.status == .created)
            let reader = try ada.fetch(.post, "/tokens", json: ["name": "r", "scope": ["read"]])
            let program = desk.program(try #require(reader.json["token"]?.string))
            #expect(try program.fetch(.post, "/cards", json: ["given": "Eve"]).status == .forbidden)
            for path in [
                "/cards", card.headers["Location"] ?? "", (card.headers["Location"] ?? "") + "/share",
            ] {
                #expect(try ada.get(path).status == .ok, "\(path)")
            }
        }
    }
}
