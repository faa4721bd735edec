import Bytes
import Cards
import Testing

@Suite("Cards that are written")
struct CardConversionTests {
    /// Somebody with a bit of everything, as an old telephone says it.
    private static let old = """
        BEGIN:VCARD\r
        VERSION:2.1\r
        N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Nu=C3=B1ez;Zo=C3=AB;Ana,Mar=C3=ADa;Dra.;\r
        FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Dra. Zo=C3=AB Nu=C3=B1ez\r
        NICKNAME:Zo\r
        TEL;CELL;PREF:+52 55 1234\r
        TEL;WORK;MSG:+52 55 9999\r
        EMAIL;INTERNET;HOME:zoe@example.org\r
        ADR;WORK;PREF:;;Calle 5, int. 3;CDMX;;06000;M\u{E9}xico\r
        LABEL;WORK;PREF;ENCODING=QUOTED-PRINTABLE:Calle 5=0D=0ACDMX\r
        ORG:Escuela 4\\;B;Primaria\r
        TITLE:Maestra\r
        ROLE:Directora\r
        URL;WORK:http://example.org\r
        BDAY:19800322\r
        X-ANNIVERSARY:20050607\r
        GEO:19.4;-99.1\r
        NOTE;ENCODING=QUOTED-PRINTABLE:uno, dos; tres=0D=0Acuatro\r
        PHOTO;ENCODING=BASE64;TYPE=JPEG:\r
         /9j/4AAQSkZJRgABAQAAAQABAAD/\r
        \r
        MAILER:Old Mail\r
        X-ODD;X-HOW=so:a;b\\,c\r
        UID:zoe-1\r
        END:VCARD\r

        """

    /// What a card says, whatever it is written in.
    private func said(_ card: ContactCard) -> [String] {
        card.fields.map { "\($0.name): \($0.value)" }
            + [
                card.first("NOTE")?.text, card.uid, card.first("X-ODD")?.value, card.first("X-ODD")?["X-HOW"],
                card.first("ROLE")?.text,
                card.first("PHOTO").map {
                    $0.value.contains("/9j/4AAQSkZJRgABAQAAAQABAAD/") ? "photo" : $0.value
                },
            ].map { $0 ?? "missing" }
    }

    @Test("Every property survives 2.1, 3.0, 4.0, JSContact and 4.0 again")
    func chain() throws {
        var card = try #require(cards(Self.old).first)
        let before = said(card)
        for form in [CardForm.vcard3, .vcard4, .jscontact, .vcard4, .jcard, .vcard4, .vcard3] {
            let count = Set(card.properties.map(\.name).filter { $0 != "VERSION" && $0 != "LABEL" }).count
            card = try #require(CardFile(card.bytes(as: form)).cards.first, "\(form)")
            #expect(said(card) == before, "\(form)")
            #expect(
                Set(card.properties.map(\.name).filter { $0 != "VERSION" && $0 != "LABEL" }).count >= count,
                "\(form)")
            let label = card.first("LABEL")?.text ?? card.first("ADR")?["LABEL"]
            #expect(label == "Calle 5\nCDMX", "\(form)")
        }
        #expect(card.first("MAILER")?.text == "Old Mail")
        #expect(card.all("TEL").last?.types.contains("msg") == true)
        #expect(card.first("TEL")?.isPreferred == true)
    }

    @Test("Who is not touched is written back byte for byte, and who is changed only where it was")
    func untouched() throws {
        for end in ["\r\n", "\n"] {
            let text = Self.old.replacing("\r\n", with: end)
            var card = try #require(cards("garbage\(end)\(text)\(text)").last)
            #expect(card.bytes(as: .vcard21) == Array(text.utf8))
            let place = try #require(card.properties.firstIndex { $0.name == "TITLE" })
            card.properties[place].value = "Jefa"
            let written = String(decoding: card.bytes(as: .vcard21), as: UTF8.self)
            #expect(written.contains("TITLE:Jefa"))
            #expect(written.contains("X-ODD;X-HOW=so:a;b\\,c"))
            #expect(written.contains("NOTE;ENCODING=QUOTED-PRINTABLE:uno, dos; tres=0D=0Acuatro"))
            #expect(!written.contains("Maestra"))
        }
        let json =
            "[{\"@type\":\"Card\",  \"uid\":\"a\",\"name\":{\"full\":\"Ana\"}} , {\"@type\":\"Card\",\"uid\":\"b\"}]"
        #expect(
            cards(json).map { String(decoding: $0.bytes(as: .jscontact), as: UTF8.self) } == [
                "{\"@type\":\"Card\",  \"uid\":\"a\",\"name\":{\"full\":\"Ana\"}}",
                "{\"@type\":\"Card\",\"uid\":\"b\"}",
            ])
    }

    @Test("vCard 4 has its version first, lines of at most 75 bytes and no word of older versions")
    func strict() throws {
        let card = try #require(cards(Self.old).first)
        let written = text(card, .vcard4)
        let lines = written.split(separator: "\r\n", omittingEmptySubsequences: false).map { String($0) }
        #expect(lines.prefix(2) == ["BEGIN:VCARD", "VERSION:4.0"])
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        for word in [
            "CHARSET", "ENCODING", "QUOTED", "LABEL:", "MAILER:Old", "INTERNET", "TYPE=PREF", "TYPE=MSG",
        ] {
            #expect(written.replacing("X-MAILER", with: "").contains(word) == false, "\(word)")
        }
        #expect(written.contains("PHOTO:data:image/jpeg;base64,/9j/"))
        #expect(written.contains("GEO:geo:19.4,-99.1"))
        #expect(written.contains("BDAY:19800322"))
        #expect(written.contains("ANNIVERSARY:20050607"))
        let long = text(named(String(repeating: "ä,", count: 100)), .vcard4)
        #expect(long.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 && !$0.hasSuffix("\\") })
        #expect(cards(long).first?.name == String(repeating: "ä,", count: 100))
    }

    private func named(_ name: String) -> ContactCard {
        ContactCard([CardProperty("FN", name.replacing(",", with: "\\,"))])
    }

    @Test("vCard 3 says what telephones of today know, and carries the rest under a name of its own")
    func older() {
        let new = card(
            """
            FN:Ana
            BDAY:--0415
            ANNIVERSARY:20050607
            TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+1-555-0100;ext=5
            PHOTO:data:image/png;base64,iVBORw0KGgo=
            KIND:group
            MEMBER:urn:uuid:1
            GENDER:F
            SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://example.org/@ana
            ADR;LABEL="1 Main^nTown":;;1 Main;Town;;;
            EMAIL;PREF=2:ana@example.org
            N;ALTID=1:Lima;Ana;;;
            N;ALTID=1;LANGUAGE=el:Λίμα;Άνα;;;
            KEY:https://example.org/key.asc
            TEL;TYPE=text:+1-555-0101
            """)
        let old = text(new, .vcard3)
        for line in [
            "N;X-ALTID=1:Lima;Ana;;;", "X-N;X-ALTID=1;LANGUAGE=el:Λίμα;Άνα;;;", "TEL;TYPE=X-TEXT:+1-555-0101",
            "X-KEY:https://example.org/key.asc", "BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-04-15",
            "X-ANNIVERSARY:20050607",
            "TEL;TYPE=VOICE,HOME,PREF:+1-555-0100 ext. 5", "PHOTO;TYPE=PNG;ENCODING=b:iVBORw0KGgo=",
            "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1", "X-GENDER:F",
            "X-SOCIALPROFILE;TYPE=Mastodon:https://example.org/@ana", "LABEL:1 Main\\nTown",
            "EMAIL;TYPE=INTERNET;X-PREF=2:ana@example.org",
        ] {
            #expect(
                old.contains("\r\n\(line)\r\n") || old.contains(line), "\(line) is not in\n\(old)")
        }
        let back = cards(old).first.map { text($0, .vcard4) } ?? ""
        for line in [
            "BDAY:--0415", "ANNIVERSARY:20050607", "KIND:group", "GENDER:F", "EMAIL;PREF=2:ana@example.org",
            "N;ALTID=1;LANGUAGE=el:Λίμα;Άνα;;;", "TEL;TYPE=text:+1-555-0101",
            "KEY:https://example.org/key.asc",
        ] {
            #expect(back.contains(line), "\(line) is not in\n\(back)")
        }
    }

    @Test("jCard is what RFC 7095 says")
    func jCard() throws {
        let found = card(
            "FN:Ana\\, Lima\nN:Lima;Ana;A,B;;\nTEL;TYPE=work,cell;VALUE=uri:tel:+1\nitem1.X-ODD:a;b\nBDAY:19960415"
        )
        let json = try JSON(parsing: found.bytes(as: .jcard))
        let expected = try JSON(
            parsing: """
                ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", "Ana, Lima"],
                ["n", {}, "text", ["Lima", "Ana", ["A", "B"], "", ""]],
                ["tel", {"type": ["work", "cell"]}, "uri", "tel:+1"],
                ["x-odd", {"group": "item1"}, "unknown", "a;b"], ["bday", {}, "date-and-or-time", "1996-04-15"]]]
                """)
        #expect(json == expected, "\(json.text)")
        #expect(
            CardFile(found.bytes(as: .jcard)).cards.first
                == ContactCard(found.properties.filter { $0.name != "VERSION" }))
    }

    @Test("What only JSContact can say goes through a vCard and comes back")
    func carried() throws {
        let json: JSON = [
            "@type": "Card", "version": "1.0", "uid": "urn:uuid:1", "name": ["full": "Ana"],
            "example.com:foo": ["bar": 1234],
            "emails": ["e": ["address": "a@example.org", "example.com:x": [1, 2]]],
            "anniversaries": ["x": ["kind": "other", "date": ["year": 2000]]],
            "localizations": ["fr": ["name/full": "Anne"]], "language": "en",
        ]
        let first = try #require(CardFile(json.bytes).cards.first)
        let second = try #require(CardFile(first.bytes(as: .vcard4)).cards.first)
        let back = try JSON(parsing: second.bytes(as: .jscontact))
        for key in ["uid", "example.com:foo", "emails", "localizations", "language"] {
            #expect(back[key] == json[key], "\(key): \(back.text)")
        }
        #expect(back["anniversaries"]?["x"] == json["anniversaries"]?["x"])
        #expect(back["name"]?["full"] == "Ana")
    }
}
