import CardCase
import Pictures
import Storage
import Testing

@Suite("The kinds of fields")
struct FieldKindTests {
    @Test("are many, in eight families, each with a name of its own")
    func registry() {
        #expect(FieldKind.all.count >= 60)
        #expect(Set(FieldKind.all.map(\.id)).count == FieldKind.all.count)
        for family in FieldKind.Family.allCases {
            #expect(FieldKind.all.contains { $0.family == family }, "\(family)")
        }
    }

    @Test("take their own examples, and lead where they say")
    func examples() throws {
        for kind in FieldKind.all where !kind.example.contains("…") {
            let value = try kind.understood(kind.example)
            #expect(try kind.understood(value) == value, "\(kind.id)")
            guard let link = kind.link(to: value) else { continue }
            #expect(
                ["https://", "http://", "mailto:", "tel:"].contains { link.hasPrefix($0) },
                "\(kind.id): \(link)")
        }
    }

    @Test("make an address of a name, and know the name again by it")
    func thereAndBack() throws {
        for kind in FieldKind.all {
            guard case .account = kind.form else { continue }
            for name in [kind.example, "Zoë.López-1"] {
                let link = try #require(kind.link(to: name))
                for pasted in [
                    link, link + "/", link + "?ref=x", link.replacing("https://", with: "http://"),
                ] {
                    let found = try #require(FieldKind.recognise(pasted))
                    #expect(found.kind.id == kind.id && found.value == name, "\(pasted): \(found)")
                }
            }
        }
    }

    static let pasted: [(String, String, String)] = [
        ("https://www.linkedin.com/in/ana-lopez/?trk=x", "linkedin", "ana-lopez"),
        ("linkedin.com/in/ana-lopez", "linkedin", "ana-lopez"),
        ("https://www.linkedin.com/company/lumiere", "linkedin", "https://www.linkedin.com/company/lumiere"),
        ("https://twitter.com/ana", "x", "ana"),
        ("https://m.facebook.com/ana.lopez", "facebook", "ana.lopez"),
        ("https://www.youtube.com/watch?v=1", "youtube", "https://www.youtube.com/watch?v=1"),
        ("https://wa.me/525555550100", "whatsapp", "+525555550100"),
        ("https://signal.me/#p/+15145550100", "signal", "+15145550100"),
        ("https://mastodon.social/@ana", "mastodon", "@ana@mastodon.social"),
        ("https://social.example/@ana", "fediverse", "@ana@social.example"),
        ("@ana@social.example", "fediverse", "@ana@social.example"),
        ("@ana:matrix.org", "matrix", "@ana:matrix.org"),
        ("https://matrix.to/#/@ana:matrix.org", "matrix", "@ana:matrix.org"),
        ("https://ana.bandcamp.com/album/x", "bandcamp", "https://ana.bandcamp.com/album/x"),
        ("ana@example.org", "email", "ana@example.org"),
        ("mailto:ana@example.org?subject=x", "email", "ana@example.org"),
        ("tel:+15145550100", "phone", "+15145550100"), ("+1 (514) 555-0100", "phone", "+1 (514) 555-0100"),
        ("DE89 3704 0044 0532 0130 00", "iban", "DE89370400440532013000"),
        ("032180000118359719", "clabe", "032180000118359719"),
        ("example.org", "website", "https://example.org"),
        ("https://example.org/a/b", "link", "https://example.org/a/b"),
    ]

    @Test("are recognised by what is pasted", arguments: pasted)
    func recognising(pasted: String, kind: String, value: String) throws {
        let found = try #require(FieldKind.recognise(pasted))
        #expect(found.kind.id == kind && found.value == value)
    }

    @Test(
        "refuse what cannot be right, with a sentence",
        arguments: [
            ("email", "ana"), ("email", "a@b@c.org"), ("phone", "call me"), ("phone", "12"),
            ("whatsapp", "5551234"),
            ("iban", "DE88370400440532013000"), ("clabe", "032180000118359718"),
            ("website", "javascript:alert(1)"),
            ("website", "not a page"), ("github", "https://evil.example/octocat"), ("github", "a b"),
            ("birthday", "15 April"), ("matrix", "ana"), ("mastodon", "@ana"), ("text", " "),
            ("address", "1\n2\n3\n4\n5\n6"), ("link", "https://example.org/\"><script>"),
        ])
    func refusing(kind: String, value: String) throws {
        let kind = try #require(FieldKind.named(kind))
        #expect(throws: Failure.self) { try kind.understood(value) }
    }

    @Test(
        "say nothing of words that say nothing themselves",
        arguments: ["", "hello", "Ana López", "...", "@", "://"])
    func silent(text: String) { #expect(FieldKind.recognise(text) == nil) }

    @Test("dial with an extension as RFC 3966 has it")
    func dialling() throws {
        let phone = try #require(FieldKind.named("phone"))
        #expect(phone.link(to: "+1 (514) 555-0100 ext. 5") == "tel:+15145550100;ext=5")
    }
}

@Suite("The name on a card")
struct CardNameTests {
    @Test("is made of its parts, what somebody wants to be called in quotes and the rest behind")
    func shown() {
        var name = CardName()
        name.prefix = "Dr."
        name.given = "Ana"
        name.middle = "María"
        name.family = "López"
        name.preferred = "Anita"
        name.maiden = "Ruiz"
        name.pronouns = "she/her"
        #expect(name.plain == "Dr. Ana María López")
        #expect(name.shown() == "Dr. Ana “Anita” María López (Ruiz) (she/her)")
        #expect(name.shown(in: "fr-CA") == "Dr. Ana «\u{A0}Anita\u{A0}» María López (Ruiz) (she/her)")
        #expect(name.initials == "AL")
        name.preferred = "Ana"
        #expect(!name.shown().contains("“"))
    }

    @Test("stands without a space and the family first where it is written so")
    func together() {
        var name = CardName()
        name.given = "小龍"
        name.family = "李"
        #expect(name.plain == "李小龍" && name.shown() == "李小龍")
        #expect(CardName().isEmpty)
    }
}

@Suite("The colours of a card")
struct CardThemeTests {
    @Test("can be read, light and dark", arguments: CardTheme.allCases)
    func contrast(theme: CardTheme) {
        for colours in [theme.light, theme.dark] {
            for (front, back) in [
                (colours.text, colours.card), (colours.soft, colours.card), (colours.accent, colours.card),
                (colours.onAccent, colours.accent), (colours.text, colours.ground),
                (colours.soft, colours.ground),
                (colours.accent, colours.ground),
            ] {
                let ratio = Shade(front).contrast(with: Shade(back))
                #expect(
                    ratio >= Shade.readable,
                    "\(theme) \(CardTheme.css(front)) on \(CardTheme.css(back)): \(ratio)")
            }
        }
    }
}
