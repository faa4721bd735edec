import Cards
import Testing

@Suite("What somebody shows of themselves")
struct CodeTextTests {
    private func card(_ text: String) throws -> ContactCard {
        guard case .cards(let cards) = CodeText(text) else {
            Issue.record("\(text) is no card")
            throw CancellationError()
        }
        #expect(cards.count == 1)
        return try #require(cards.first)
    }

    @Test(
        "A code is a card whatever it is written as: vCard, MECARD, BIZCARD, jCard, a mail or a number to call"
    )
    func cardsOfCodes() throws {
        let vCard = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Pérez\r\nX-ODD:kept\r\nEND:VCARD\r\n"
        #expect(try card(vCard).name == "Ana Pérez")
        #expect(try card(" \n" + vCard.replacing("\r\n", with: "\n")).first("X-ODD")?.text == "kept")
        #expect(try card("MECARD:N:Pérez,Ana;TEL:+525512345678;;").phones == ["+525512345678"])
        #expect(try card("BIZCARD:N:Ana;X:Pérez;C:Choir;B:+525512345678;;").organization == "Choir")
        #expect(try card(#"["vcard",[["version",{},"text","4.0"],["fn",{},"text","Ana"]]]"#).name == "Ana")
        #expect(try card("mailto:ana%2Bchoir@example.org?subject=Hello").emails == ["ana+choir@example.org"])
        #expect(try card("MATMSG:TO:ana@example.org;SUB:Hello;BODY:;;").emails == ["ana@example.org"])
        #expect(try card("tel:+41-44-123-45-67;ext=5").phones == ["+41-44-123-45-67"])
        #expect(try card("SMSTO:+41441234567:Hello").lines.first?.line.type == "cell")
        #expect(try card("ana@example.org").emails == ["ana@example.org"])
    }

    @Test("A page is where it leads, and all else is only words")
    func elsewhere() {
        for (text, address) in [
            ("https://example.org/c/7k2m9q4x", "https://example.org/c/7k2m9q4x"),
            ("URLTO:http://example.org", "http://example.org"),
            ("www.example.org", "https://www.example.org"),
        ] {
            guard case .address(address) = CodeText(text) else {
                Issue.record("\(text) leads nowhere")
                continue
            }
        }
        for text in [
            "WIFI:T:WPA;S:Guests;P:secret;;", "", "javascript:alert(1)", "mailto:", "tel:",
            "two@words here@there",
            "first@example.org\nsecond", "BEGIN:VCARD", "https://example.org and more", "MATMSG:SUB:x;;",
            "{}", "[[[[",
        ] {
            guard case .words = CodeText(text) else {
                Issue.record("\(text) is more than words")
                continue
            }
        }
    }
}

@Suite("Printed cards")
struct PrintedCardTests {
    private func read(_ text: String, heights: [Double] = []) -> PrintedCard {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return PrintedCard(
            lines.enumerated().map { place, line in
                .init(String(line), height: place < heights.count ? heights[place] : nil)
            })
    }

    private func lines(_ card: ContactCard, _ kind: CardLine.Kind) -> [String] {
        card.lines.filter { $0.line.kind == kind }.map {
            $0.line.type.isEmpty || kind == .title || kind == .address
                ? $0.line.text : "\($0.line.type) \($0.line.text)"
        }
    }

    @Test("A card of an American school becomes a person with all that it says")
    func american() {
        let card = read(
            """
            HILLSIDE SCHOOL
            Ana M. Miller, PhD
            School Counselor
            1200 Main Street, Suite 5
            Springfield, IL 62704-1234
            Office: (217) 555-0100 Cell: (217) 555-0199
            ana.miller@hillsideschool.org
            www.hillsideschool.org
            """, heights: [20, 34, 16, 14, 14, 14, 14, 14]
        ).card
        #expect(card[.given] == "Ana M.")
        #expect(card[.family] == "Miller")
        #expect(card[.suffix] == "PhD")
        #expect(lines(card, .organization) == ["HILLSIDE SCHOOL"])
        #expect(lines(card, .title) == ["School Counselor"])
        #expect(lines(card, .phone) == ["work (217) 555-0100", "cell (217) 555-0199"])
        #expect(lines(card, .email) == ["ana.miller@hillsideschool.org"])
        #expect(lines(card, .link) == ["https://www.hillsideschool.org"])
        #expect(
            card.lines.first { $0.line.kind == .address }?.line.parts == [
                "", "", "1200 Main Street, Suite 5", "Springfield", "IL", "62704-1234", "",
            ])
        #expect(card[.note] == "")
    }

    @Test(
        "Cards of other countries say the same in their own way",
        arguments: [
            (
                "Dr. Zoë Keller\nLeiterin Verkauf\nKeller & Söhne AG\nBahnhofstrasse 12\n8001 Zürich\nTel. +41 44 123 45 67 · Natel +41 79 123 45 67\nzoe.keller@keller-soehne.ch",
                ["Zoë", "Keller", "Keller & Söhne AG", "Leiterin Verkauf", "Bahnhofstrasse 12, 8001 Zürich"]
            ),
            (
                "Lic. José Ramírez Ortiz\nDirector General\nComercial del Norte, S.A. de C.V.\nAv. Juárez 45, Col. Centro, 06000 Ciudad de México\nCel: 55 1234 5678\njose@comercialdelnorte.mx",
                [
                    "José", "Ramírez Ortiz", "Comercial del Norte, S.A. de C.V.", "Director General",
                    "Av. Juárez 45, Col. Centro, 06000 Ciudad de México",
                ]
            ),
            (
                "Marie-Ève Côté\nAvocate\nCôté Lavoie Avocats Inc.\n1250, rue Peel\nMontréal (Québec) H3B 2T9\nTél. : 514 555-0100\nmecote@cotelavoie.ca",
                [
                    "Marie-Ève", "Côté", "Côté Lavoie Avocats Inc.", "Avocate",
                    "1250, rue Peel, H3B 2T9 Montréal (Québec)",
                ]
            ),
        ])
    func others(_ text: String, _ wanted: [String]) {
        let card = read(text).card
        #expect(
            [card[.given], card[.family]] + lines(card, .organization) + lines(card, .title)
                + lines(card, .address) == wanted)
        #expect(!card.phones.isEmpty && !card.emails.isEmpty)
    }

    @Test("What is not understood is a note, so that nothing of the card is lost; capitals become a name")
    func rest() {
        let card = read(
            "JEAN O'NEIL-SMITH\nWe paint houses\nsince 1987\nTel 514 555 0100"
        ).card
        #expect(card.name == "Jean O'Neil-Smith")
        #expect(card[.note] == "We paint houses\nsince 1987")
        #expect(card.phones == ["514 555 0100"])
    }

    @Test("A letter is no card, and neither is nothing")
    func noCard() {
        #expect(!read("").isCard)
        #expect(!read("Dear families,\nthe trip begins at eight.\nBring lunch.").isCard)
    }
}
