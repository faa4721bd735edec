import Cards
import Testing

@Suite("Two who changed a card at the same time")
struct CardJoinTests {
    private func card(_ lines: String...) throws -> ContactCard {
        let text = (["BEGIN:VCARD", "VERSION:3.0", "UID:1"] + lines + ["END:VCARD", ""]).joined(
            separator: "\r\n")
        return try #require(CardFile(Array(text.utf8)).cards.first)
    }

    private func joined(_ base: [String], _ mine: [String], _ other: [String]) throws -> [String] {
        func read(_ lines: [String]) throws -> ContactCard {
            let text =
                (["BEGIN:VCARD", "VERSION:3.0", "UID:1"] + lines + ["END:VCARD", ""]).joined(
                    separator: "\r\n")
            return try #require(CardFile(Array(text.utf8)).cards.first)
        }
        let card = try read(mine).joined(with: read(other), since: read(base))
        return String(decoding: card.bytes(as: .vcard3), as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { String($0) }.filter { !["BEGIN:VCARD", "VERSION:3.0", "UID:1", "END:VCARD"].contains($0) }
    }

    @Test("What either added is there, and what either took away is gone")
    func lines() throws {
        let now = try joined(
            ["FN:Ada", "TEL:1", "TEL:2", "EMAIL:a@x.org"],
            ["FN:Ada", "TEL:1", "EMAIL:a@x.org", "EMAIL:b@x.org"],
            ["FN:Ada", "TEL:1", "TEL:2", "TEL:3"])
        #expect(now == ["FN:Ada", "TEL:1", "TEL:3", "EMAIL;TYPE=INTERNET:b@x.org"])
    }

    @Test("Where nothing was changed here, the other's card stays byte for byte")
    func untouched() throws {
        let base = try card("FN:Ada", "X-ODD;A=b:c\\,d")
        let other = try card("FN:Ada L.", "X-ODD;A=b:c\\,d", "NOTE:new")
        #expect(base.joined(with: other, since: base).untouched == other.untouched)
    }

    @Test(
        "Of what a card says once, this side is believed where both changed it, and the other where it alone did"
    )
    func once() throws {
        #expect(
            try joined(
                ["FN:Ada", "BDAY:1990-01-01", "ORG:One"], ["FN:Ada L.", "BDAY:1990-01-01", "ORG:One"],
                ["FN:Ada K.", "BDAY:1991-02-02", "ORG:One"]
            ).sorted() == ["BDAY:1991-02-02", "FN:Ada L.", "NICKNAME:Ada K.", "ORG:One"])
    }

    @Test(
        "Of a name each part is from whoever changed it; where both changed the same, the other's name becomes a nickname"
    )
    func names() throws {
        let base = ["FN:Jon Smit", "N:Smit;Jon;;;", "NICKNAME:Jo"]
        #expect(
            try joined(
                base, ["FN:John Smit", "N:Smit;John;;;", "NICKNAME:Jo"],
                ["FN:Jon Smith", "N:Smith;Jon;;;", "NICKNAME:Jo"]
            ).sorted() == ["FN:John Smith", "N:Smith;John;;;", "NICKNAME:Jo"])
        #expect(
            try joined(
                base, ["FN:Jon Smit-Gray", "N:Smit-Gray;Jon;;;", "NICKNAME:Jo"],
                ["FN:Dr. Jon Gray", "N:Gray;Jon;;Dr.;", "NICKNAME:Jo"]
            ).sorted() == ["FN:Dr. Jon Smit-Gray", "N:Smit-Gray;Jon;;Dr.;", "NICKNAME:Jo,Dr. Jon Gray"])
        let same = ["FN:John Smit", "N:Smit;John;;;", "NICKNAME:Jo"]
        #expect(try joined(base, same, same).sorted() == same.sorted())
        let shown = ["FN:Jonny", "N:Smit;Jon;;;", "NICKNAME:Jo"]
        #expect(
            try joined(base, shown, ["FN:Jon Gray", "N:Gray;Jon;;;", "NICKNAME:Jo"]).sorted()
                == ["FN:Jonny", "N:Gray;Jon;;;", "NICKNAME:Jo,Jon Gray"])
    }

    @Test(
        "A number that both changed stands twice, two notes become one, and tags are added and taken one by one"
    )
    func both() throws {
        #expect(
            try joined(
                ["FN:A", "TEL:1", "NOTE:old", "CATEGORIES:x,y"],
                ["FN:A", "TEL:2", "NOTE:mine", "CATEGORIES:y,z"],
                ["FN:A", "TEL:3", "NOTE:theirs", "CATEGORIES:x,y,w"])
                == ["FN:A", "TEL:3", "NOTE:mine\\n\\ntheirs", "CATEGORIES:y,w,z", "TEL:2"])
    }

    @Test("Both adding the same adds it once; both taking the same away takes nothing else")
    func same() throws {
        #expect(
            try joined(
                ["FN:A", "TEL:1", "TEL:1"], ["FN:A", "TEL:1", "EMAIL:a@x.org"],
                ["FN:A", "TEL:1", "EMAIL:a@x.org"]
            )
            .filter { $0.hasPrefix("EMAIL") } == ["EMAIL:a@x.org"])
    }

    @Test("A line comes with what it is called, under a group of its own")
    func groups() throws {
        let lines = try joined(
            ["FN:A"], ["FN:A", "item1.TEL:1", "item1.X-ABLABEL:Cabin"],
            ["FN:A", "item1.URL:https://x.org", "item1.X-ABLABEL:Blog"])
        #expect(lines.contains("item1.URL:https://x.org") && lines.contains("item1.X-ABLABEL:Blog"))
        let tel = try #require(lines.first { $0.hasSuffix("TEL:1") })
        let group = try #require(tel.split(separator: ".").first)
        #expect(group != "item1")
        #expect(lines.filter { $0.hasPrefix("\(group).") }.count == 2, "\(lines)")
    }

    @Test("A server that writes cards anew in another version loses nothing of what was changed here")
    func versions() throws {
        let base = try card("FN:Ada", "N:L;Ada;;;", "TEL;TYPE=CELL:1")
        var mine = base
        mine.properties.append(CardProperty("EMAIL", "ada@x.org"))
        let four =
            "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:1\r\nFN:Ada\r\nN:L;Ada;;;\r\nTEL;TYPE=cell:1\r\nTITLE:Countess\r\nEND:VCARD\r\n"
        let other = try #require(CardFile(Array(four.utf8)).cards.first)
        let joined = mine.joined(with: other, since: base)
        #expect(joined.emails == ["ada@x.org"] && joined.phones == ["1"])
        #expect(joined.first("TITLE")?.value == "Countess")
    }
}
