import Cards
import Testing

func cards(_ text: String) -> [ContactCard] { CardFile(Array(text.utf8)).cards }

func card(_ lines: String, version: String = "4.0") -> ContactCard {
    let text = lines.split(separator: "\n").map { $0 + "\r\n" }.joined()
    let found = cards("BEGIN:VCARD\r\nVERSION:\(version)\r\n\(text)END:VCARD\r\n")
    return found.first ?? ContactCard()
}

func text(_ card: ContactCard, _ form: CardForm) -> String {
    String(decoding: card.bytes(as: form), as: UTF8.self)
}

@Suite("Cards that are read")
struct CardReadingTests {
    @Test("A card of an old telephone says its letters in hexadecimal and its types by name")
    func quotedPrintable() {
        let found = card(
            "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=\n=BCrgen\nTEL;CELL;PREF:+49 170\nNOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo",
            version: "2.1")
        #expect(found.name == "Jürgen Müller")
        #expect(found.first("TEL")?.types == ["cell", "pref"])
        #expect(found.first("NOTE")?.text == "one\ntwo")
    }

    @Test("Letters are those the card names, and Windows' where it names none and they are no UTF-8")
    func letters() {
        let latin: [UInt8] =
            Array("BEGIN:VCARD\nVERSION:2.1\nFN:Jos".utf8) + [0xE9] + Array("\nEND:VCARD\n".utf8)
        #expect(CardFile(latin).cards.first?.name == "José")
        #expect(
            card("FN;CHARSET=ISO-8859-15;ENCODING=QUOTED-PRINTABLE:10 =A4", version: "2.1").name == "10 €")
        let units = "BEGIN:VCARD\nFN:Zoë\nEND:VCARD\n".utf16.flatMap { unit in
            [UInt8(unit & 255), UInt8(unit >> 8)]
        }
        let wide: [UInt8] = [0xFF, 0xFE] + units
        #expect(CardFile(wide).cards.first?.name == "Zoë")
    }

    @Test("Lines end in whatever way and are folded in whatever way")
    func lines() {
        for end in ["\n", "\r\n", "\r"] {
            let found = cards(
                ["BEGIN:VCARD", "VERSION:3.0", "FN:Ana", "", "NOTE:one", "  two", "\tthree", "end:vcard", ""]
                    .joined(separator: end))
            #expect(found.map(\.name) == ["Ana"])
            #expect(found.first?.first("NOTE")?.text == "one twothree")
        }
    }

    @Test("Groups, quotation marks, doubled signs and addresses with strokes are understood")
    func odd() {
        let found = card(
            """
            item1.URL;type=pref:http\\://example.org/a\\,b
            item1.X-ABLabel:_$!<HomePage>!$_
            TEL;TYPE="work,voice";type=fax:+1
            ADR;LABEL="1 Main St^nTown":;;1 Main St;Town;;;
            X-GOOGLE TALK:ana
            """)
        #expect(found.first("URL")?.text == "http://example.org/a,b")
        #expect(found.first("URL")?.group == found.first("X-ABLABEL")?.group)
        #expect(found.first("TEL")?.types == ["work", "voice", "fax"])
        #expect(found.first("ADR")?["LABEL"] == "1 Main St\nTown")
        #expect(found.first("X-GOOGLE TALK")?.text == "ana")
    }

    @Test("The card of an agent stays inside the other one")
    func agents() {
        let found = cards(
            "BEGIN:VCARD\nVERSION:2.1\nFN:Ana\nAGENT:\nBEGIN:VCARD\nVERSION:2.1\nFN:Bo\nEND:VCARD\nTEL:1\nEND:VCARD\n"
        )
        #expect(found.map(\.name) == ["Ana"])
        #expect(found.first?.first("AGENT")?.text.contains("FN:Bo") == true)
        #expect(found.first?.phones == ["1"])
    }

    @Test("A card without an end ends where the next begins, and says that it is odd")
    func noEnd() {
        let found = cards("BEGIN:VCARD\nVERSION:3.0\nFN:Ana\nBEGIN:VCARD\nVERSION:3.0\nFN:Bo\n")
        #expect(found.map(\.name) == ["Ana", "Bo"])
        #expect(found.map { $0.oddities.map(\.kind) } == [[.noEnd], [.noEnd]])
        #expect(found.map(\.line) == [1, 4])
    }

    @Test("Whoever has no name on the card is called by its parts, the house or an address")
    func names() {
        #expect(card("N:Lima;Ana;Maria;Dr.;PhD").name == "Dr. Ana Maria Lima PhD")
        #expect(card("ORG:Institut Lumière;Biology").name == "Institut Lumière, Biology")
        #expect(card("EMAIL:a@example.org").name == "a@example.org")
        #expect(card("EMAIL:b@example.org\nEMAIL;PREF=1:a@example.org").emails.first == "a@example.org")
    }

    @Test("A birthday without a year has none, however it is written")
    func birthdays() {
        func birthday(_ line: String) -> String? {
            card(line).fields.first { $0.name == "Birthday" }?.value
        }
        #expect(birthday("BDAY:19900102") == "1990-01-02")
        #expect(birthday("BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-04-15") == "--04-15")
        #expect(birthday("BDAY:--0415") == "--04-15")
        #expect(birthday("BDAY:1604-04-15") == "--04-15")
        #expect(birthday("BDAY;VALUE=text:circa 1800") == "circa 1800")
    }

    @Test("Small codes are cards, and what does not fit is named")
    func codes() {
        let found = cards("MECARD:N:Lima,Ana;TEL:+351 1;EMAIL:ana@example.org;URL:https\\://example.org;;")
        #expect(found.first?.name == "Ana Lima")
        #expect(found.first?.familyName == "Lima")
        #expect(found.first?.first("URL")?.text == "https://example.org")
        let written = MECard.text(of: card("FN:Ana; Lima\nN:Li\\;ma;Ana;;;\nTEL:1\nTITLE:Boss"))
        #expect(written.text == "MECARD:N:Li\\;ma,Ana;TEL:1;;")
        #expect(written.leftOut == ["TITLE"])
        #expect(cards("BIZCARD:N:Sean;X:Owen;C:Google;B:+1212;E:s@example.org;;").first?.name == "Sean Owen")
    }
}

@Suite("Hostile cards")
struct HostileCardTests {
    private func refusals(_ text: String, _ change: (inout CardLimits) -> Void) -> [CardRefusal.Reason] {
        var limits = CardLimits()
        change(&limits)
        return CardFile(Array(text.utf8), limits: limits).refusals.map(\.reason)
    }

    @Test("What is too large, too long, too deep or too many is refused, and the cards around it are read")
    func limits() {
        func one(_ lines: String) -> String { "BEGIN:VCARD\nFN:Ana\n\(lines)END:VCARD\n" }
        let picture = one("PHOTO;ENCODING=b:\(String(repeating: "A", count: 400))\n")
        #expect(refusals(picture) { $0.fileByteCount = 100 } == [.pictureTooLarge(limit: 100)])
        let loose = one("PHOTO;ENCODING=BASE64:AAAA\n" + String(repeating: "AAAAAAAAAAAAAAAA\n", count: 20))
        #expect(refusals(loose) { $0.fileByteCount = 100 } == [.pictureTooLarge(limit: 100)])
        #expect(
            refusals(one("NOTE:\(String(repeating: "x", count: 400))\n")) { $0.cardByteCount = 300 }
                == [.cardTooLarge(limit: 300)])
        #expect(
            refusals(one(String(repeating: "TEL:1\n", count: 20))) { $0.propertyCount = 10 }
                == [.tooManyProperties(limit: 10)])
        #expect(refusals(one("") + one("") + one("")) { $0.cardCount = 2 } == [.tooManyCards(limit: 2)])
        let nested =
            String(repeating: "AGENT:\nBEGIN:VCARD\n", count: 20)
            + String(repeating: "END:VCARD\n", count: 20)
        #expect(refusals(one(nested)) { $0.depth = 4 } == [.tooDeep(limit: 4)])
        let deep = "[\"vcard\"," + String(repeating: "[", count: 90) + String(repeating: "]", count: 91)
        #expect(refusals(deep) { $0.depth = 4 } == [.tooDeep(limit: 16)])
        var limits = CardLimits()
        limits.propertyCount = 4
        let file = CardFile(
            Array((one("") + one(String(repeating: "TEL:1\n", count: 9)) + one("")).utf8), limits: limits)
        #expect(file.cards.count == 2)
        #expect(file.refusals.map(\.name) == ["Ana"])
        #expect(file.refusals.map(\.line) == [4])
    }

    @Test(
        "Cards cut off anywhere and turned about are read without harm, and written without control characters"
    )
    func spoiled() {
        let whole = Array(
            "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=89va;Zo=C3=\r\n=AB\r\nTEL;=:1\r\nX-A;\"b:2\r\nPHOTO;ENCODING=BASE64:iVBORw0KGgo=\r\n\r\nitem1..EMAIL:a\\\r\nEND:VCARD\r\n"
                .utf8)
        var chance = SystemRandomNumberGenerator.seeded(7)
        for cut in 0...whole.count {
            var bytes = Array(whole[..<cut])
            for form in CardForm.allCases {
                for card in CardFile(bytes).cards { _ = CardFile(card.bytes(as: form)).cards }
            }
            bytes = whole
            if cut < whole.count { bytes[cut] = UInt8(truncatingIfNeeded: chance.next()) }
            for card in CardFile(bytes).cards {
                #expect(card.untouched != nil)
                for form in CardForm.allCases where form != card.form {
                    let written = card.bytes(as: form)
                    #expect(!written.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) })
                }
            }
        }
    }

    @Test("One long line and many short ones take time by their length and no more")
    func long() {
        let line = "BEGIN:VCARD\nNOTE:" + String(repeating: "x", count: 4 << 20) + "\nEND:VCARD\n"
        #expect(cards(line).count == 1)
        let folds = "BEGIN:VCARD\nNOTE:" + String(repeating: "\n x", count: 100_000) + "\nEND:VCARD\n"
        #expect(cards(folds).first?.first("NOTE")?.text.utf8.count == 100_000)
    }
}

/// A small generator that gives the same numbers each time.
struct SeededChance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

extension SystemRandomNumberGenerator {
    static func seeded(_ seed: UInt64) -> SeededChance { SeededChance(state: seed) }
}
