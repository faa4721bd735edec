import Cards
import Testing

@Suite("Cards that are changed")
struct CardEditingTests {
    private let odd =
        "BEGIN:VCARD\nVERSION:3.0\nX-ODD;a=B:one\n  two\nFN:Ana Pérez\nN:Pérez;Ana;;;\nwhat is this\n"
        + "item1.TEL;type=CELL;type=pref:+52 55 1234\nitem1.X-ABLabel:_$!<Mobile>!$_\nEMAIL;TYPE=WORK:ana@example.org\n"
        + "NOTE:likes\\, tea\nCATEGORIES:Friends,Choir\nEND:VCARD\n"

    private func edited(
        _ card: ContactCard, _ body: (inout CardEdit) -> Void
    ) throws(CardEditFault) -> ContactCard {
        var edit = CardEdit()
        body(&edit)
        return try card.edited(edit)
    }

    @Test(
        "Only the line that is changed is written anew; all others stay byte for byte, also what is no line of a card"
    )
    func untouched() throws {
        let card = try #require(cards(odd).first)
        let phone = try #require(card.lines.first { $0.line.kind == .phone })
        #expect(phone.line == CardLine(.phone, "+52 55 1234", type: "cell", label: "Mobile"))
        let other = try edited(card) {
            var line = phone.line
            line.parts = ["+52 55 9999"]
            $0.lines.append(.init(line, insteadOf: phone.key))
        }
        let before = "item1.TEL;type=CELL;type=pref:+52 55 1234\n"
        #expect(
            text(other, .vcard3)
                == odd.replacing(before, with: "item1.TEL;TYPE=CELL,PREF:+52 55 9999\r\n"))
        let noted = try edited(card) { $0.set(.note, "likes coffee;\nand tea") }
        #expect(
            text(noted, .vcard3)
                == odd.replacing("NOTE:likes\\, tea\n", with: "NOTE:likes coffee\\;\\nand tea\r\n"))
        #expect(try edited(card) { $0.set(.note, " likes, tea ") }.untouched == Array(odd.utf8))
    }

    @Test("What is taken away takes what it was called along, and what is new stands before the end")
    func adding() throws {
        let card = try #require(cards(odd).first)
        let key = try #require(card.lines.first { $0.line.kind == .phone }?.key)
        let other = try edited(card) {
            $0.remove(key, .phone)
            $0.add(CardLine(.address, ["", "", "Calle 1", "Puebla", "", "72000", "México"], type: "home"))
            $0.add(CardLine(.link, "ana.example", label: "Blog"))
            $0.add(CardLine(.date, "--04-15", type: "birthday"))
        }
        let written = text(other, .vcard3)
        #expect(!written.contains("item1.TEL") && !written.contains("Mobile"))
        #expect(
            written.hasSuffix(
                "CATEGORIES:Friends,Choir\nADR;TYPE=HOME:;;Calle 1;Puebla;;72000;México\r\nitem1.URL:https://ana.example\r\n"
                    + "item1.X-ABLabel:Blog\r\nBDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-04-15\r\nEND:VCARD\n"
            ))
        let again = try #require(cards(written).first)
        #expect(again.lines.contains { $0.line == CardLine(.link, "https://ana.example", label: "Blog") })
        #expect(again.lines.contains { $0.line == CardLine(.date, "--04-15", type: "birthday") })
    }

    @Test("A name that was made of its parts follows them; one that was given stays")
    func naming() throws {
        let card = try #require(cards(odd).first)
        #expect(try edited(card) { $0.set(.family, "Pérez Gil") }.name == "Ana Pérez Gil")
        let called = try edited(card) { $0.set(.name, "Anita") }
        #expect(called.name == "Anita")
        #expect(try edited(called) { $0.set(.family, "Gil") }.name == "Anita")
        var new = CardEdit()
        new.set(.given, "Zoë")
        new.set(.family, "Ng, Jr")
        #expect(
            text(try ContactCard().edited(new), .vcard4).contains("N:Ng\\, Jr;Zoë;;;\r\nFN:Zoë Ng\\, Jr\r\n"))
    }

    @Test("Tags come and go, and the others stay as they are spelled")
    func tags() throws {
        let card = try #require(cards(odd).first)
        #expect(card.tags == ["Friends", "Choir"])
        var other = card
        other.setTags(["Choir", "Work, too"])
        #expect(text(other, .vcard3).contains("\nCATEGORIES:Choir,Work\\, too\r\n"))
        other.setTags([])
        #expect(!text(other, .vcard3).contains("CATEGORIES"))
    }

    @Test("What somebody else changed meanwhile is told; what one only looked at is let be")
    func meanwhile() throws {
        let card = try #require(cards(odd).first)
        let phone = try #require(card.lines.first { $0.line.kind == .phone })
        let seen = card.fingerprint(of: .note)
        let theirs = try edited(card) {
            $0.lines.append(.init(CardLine(.phone, "1"), insteadOf: phone.key))
            $0.set(.note, "theirs")
        }
        // Looked at and left.
        let left = try edited(theirs) {
            $0.lines.append(.init(phone.line, insteadOf: phone.key))
            $0.parts.append(.init(.note, "likes, tea", seen: seen))
            $0.parts.append(.init(.metAt, "a fair", seen: card.fingerprint(of: .metAt)))
        }
        #expect(left[.metAt] == "a fair")
        #expect(left[.note] == "theirs")
        #expect(
            throws: CardEditFault.changedMeanwhile(parts: [.note], lines: [CardLine(.phone, "2")])
        ) {
            try edited(theirs) {
                $0.lines.append(.init(CardLine(.phone, "2"), insteadOf: phone.key))
                $0.parts.append(.init(.note, "mine", seen: seen))
            }
        }
    }

    @Test(
        "What can be no line of its kind is told",
        arguments: [
            (CardLine(.email, "nobody"), CardLineFault.Reason.email), (CardLine(.phone, "call me"), .phone),
            (CardLine(.link, "two words"), .link), (CardLine(.date, "soon"), .date),
            (CardLine(.date, "2020-13-01"), .date),
            (CardLine(.phone, String(repeating: "1", count: 3_000)), .long),
        ])
    func faults(line: CardLine, reason: CardLineFault.Reason) {
        #expect {
            try edited(ContactCard()) { $0.add(line) }
        } throws: { error in
            guard case .line(let fault) = error as? CardEditFault else { return false }
            return fault.reason == reason
        }
    }

    @Test("A card in JSON says what was changed, and carries on what nobody knows")
    func json() throws {
        let source =
            "{\"@type\":\"Card\",\"version\":\"1.0\",\"uid\":\"2\",\"name\":{\"full\":\"Bo\"},\"example.com:x\":{\"a\":1}}"
        let card = try #require(cards(source).first)
        let other = try edited(card) { $0.add(CardLine(.phone, "+1 514", type: "work")) }
        let again = try #require(cards(text(other, .jscontact)).first)
        #expect(again.lines.map(\.line) == [CardLine(.phone, "+1 514", type: "work")])
        #expect(text(again, .jscontact).contains("example.com:x"))
    }
}
