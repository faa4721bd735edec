import App
import Bytes
import HTTP
import Office
import Testing
import Web
import Work

@Suite(
    "Cards that are read",
    .enabled(
        if: EngineProgram.path != nil && Jail.detect().keepsFromFiles, "quire-engine cannot be jailed here"))
struct ReadCardTests {
    private func scan(_ desk: Desk, _ bytes: [UInt8], named name: String) throws -> Response {
        try desk.command(
            .post, "/contacts/scan?name=\(name)", ["Content-Type": "application/octet-stream"],
            body: .bytes(bytes))
    }

    private func picture(_ desk: Desk, _ place: String) throws -> [UInt8] {
        let answer = try desk.command(.get, place)
        guard answer.status == .ok, case .bytes(let bytes) = answer.body else {
            Issue.record("\(place): \(answer.status)")
            return []
        }
        return bytes
    }

    @Test(
        "The code of a card, photographed, is the person: looked over, kept with all it said, and taken back")
    func code() throws {
        try withDesk { desk throws in
            let card = try desk.makeCard()
            let code = try picture(desk, "/cards/\(card.id)/code?holds=vcard&as=png")
            let read = try scan(desk, code, named: "badge.png").json
            #expect(read["source"]?.string == "code")
            #expect(read["cards"]?.array?.count == 1)
            let found = try #require(read["cards"]?[0])
            #expect(found["name"]?.string == "Ana López")
            #expect(found["card"]?["organizations"]?[0]?["value"]?.string == "Lumière")
            #expect(found["known"]?.array?.isEmpty == true)
            let vCard = try #require(found["vcard"]?.string)
            #expect(read["text"]?.string == vCard)
            // Nobody said yes yet.
            #expect(try desk.command(.get, "/contacts").json["total"]?.int == 0)

            let made = try desk.command(
                .post, "/contacts/new",
                json: [
                    "card": .string(vCard.replacing("END:VCARD", with: "X-ODD:kept\r\nEND:VCARD")),
                    "metAt": "Fair",
                ])
            #expect(made.status == .created)
            let id = try #require(made.json["id"]?.string)
            #expect(made.json["card"]?["metAt"]?.string == "Fair")
            let out = String(
                decoding: try desk.bytes(of: desk.command(.get, "/contacts/cards?as=cards&id=\(id)")),
                as: UTF8.self)
            #expect(out.contains("X-ODD:kept") && out.contains("FN:Ana López"))
            let again = try scan(desk, code, named: "badge.png").json
            #expect(again["cards"]?[0]?["known"]?[0]?["name"]?.string == "Ana López")
        }
    }

    @Test("A code that leads to a card of this desk is that card, with what everybody may see and no more")
    func own() throws {
        try withDesk { desk throws in
            let card = try desk.makeCard()
            let code = try picture(desk, "/c/\(card.slug).png")
            let read = try scan(desk, code, named: "code.png").json
            #expect(read["source"]?.string == "page")
            #expect(read["cards"]?[0]?["name"]?.string == "Ana López")
            #expect(read["cards"]?[0]?["vcard"]?.string?.contains("5555") == false)
            let gone = try desk.command(
                .post, "/contacts/scan", json: ["text": "https://elsewhere.example/c/7k2m9q4x?x=1"]
            ).json
            #expect(gone["address"]?.string == "https://elsewhere.example/c/7k2m9q4x?x=1")
            #expect(gone["cards"]?.array?.isEmpty == true)
            // Nothing inside the own network is asked, whoever wrote the code.
            let inner = try desk.command(
                .post, "/contacts/scan", json: ["text": "http://127.0.0.1:9/c/7k2m9q4x", "fetch": true])
            #expect(inner.status == .unprocessable)
        }
    }

    @Test("A picture of a code comes in like any file of cards; one without is refused with what to do")
    func file() throws {
        try withDesk { desk throws in
            let card = try desk.makeCard()
            let code = try picture(desk, "/cards/\(card.id)/code?holds=vcard&as=png")
            let bring = { (bytes: [UInt8], name: String) in
                try desk.command(
                    .post, "/contacts?name=\(name)", ["Content-Type": "application/octet-stream"],
                    body: .bytes(bytes))
            }
            #expect(try bring(code, "badge.png").json["added"]?.int == 1)
            #expect(try bring(code, "badge.png").json["unchanged"]?.int == 1)
            let address = try picture(desk, "/c/\(card.slug).png")
            let refused = try bring(address, "shop.png")
            #expect(refused.status == .unprocessable)
            #expect(refused.text.contains("neither a QR code with a card"))
            let damaged = try scan(desk, Array(code.prefix(300)), named: "badge.png")
            #expect(damaged.status == .unprocessable && damaged.json["field"]?.string == "file")
        }
    }

    @Test(
        "On the page what was read stands in the fields, a mistake keeps it, and saving leads to the person")
    func page() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/contacts/scan")
            let nothing = try ada.submit("/contacts/scan", ["text": "  "])
            #expect(nothing.status == .unprocessable && nothing.text.contains("id=\"f-text-error\""))
            let words = try ada.submit("/contacts/scan", ["text": "WIFI:S:<Guests>;;"])
            #expect(words.text.contains("This is no card") && words.text.contains("WIFI:S:&lt;Guests&gt;;;"))
            let page = try ada.submit(
                "/contacts/scan", ["text": "MECARD:N:Lind,Bo;TEL:+41441234567;X-ODD:kept;;"])
            #expect(page.status == .ok && page.text.contains("value=\"+41441234567\""))
            let mecard = "MECARD:N:Lind,Bo;TEL:+41441234567;X-ODD:kept;;"
            let refused = try ada.submit(
                "/contacts/new", ["card": mecard, "metOn": "whenever"])
            #expect(
                refused.status == .unprocessable
                    && refused.text.contains("name=\"card\" value=\"MECARD:N:Lind,Bo"))
            let made = try ada.submit("/contacts/new", ["card": mecard])
            #expect(made.status == .seeOther)
            #expect(try ada.get(try #require(made.headers["Location"])).text.contains("Bo Lind"))
            let two =
                "BEGIN:VCARD\nVERSION:3.0\nFN:One\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:Two\nEND:VCARD\n"
            #expect(try ada.submit("/contacts/scan", ["text": two]).headers["Location"] == "/contacts")
            #expect(try ada.get("/contacts").text.contains("Two"))
        }
    }
}
