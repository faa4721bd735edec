import Access
import App
import Bytes
import Pictures
import PDFReading
import SQL
import Storage
import TestSupport
import Testing

@Suite("What a desk wears")
struct LooksTests {
    static let icon = "Sources/C/CWebAssets/files/icon-192.png"

    @Test("dyes pages so that everything on them is read, by day and by night, whatever the colour is")
    func everyColour() {
        let light = [0xF8F7F2, 0xFFFEFD, 0xFFFFFF, 0xF1EFE9, 0xEDEDE6].map { Shade($0) }
        let dark = [0x0E1412, 0x161E1B, 0x1F2725, 0x090F0D, 0x242E2B].map { Shade($0) }
        for colour in stride(from: UInt32(0), through: 0xFFFFFF, by: 0x01A3F7).map({ Shade($0) }) {
            let dye = Dye(colour)
            for (shades, grounds) in [(dye.byDay, light), (dye.byNight, dark)] {
                for (front, back) in grounds.flatMap({ [(shades.accent, $0), (shades.strong, $0)] })
                    + [
                        (shades.accent, shades.tint), (shades.strong, shades.tint),
                        (shades.onAccent, shades.accent), (shades.onAccent, shades.strong),
                    ]
                {
                    #expect(
                        front.contrast(with: back) >= Shade.readable,
                        "\(colour.css): \(front.css) on \(back.css)")
                }
            }
            #expect(dye.nearest == nil || dye.nearest == dye.byDay.accent)
            if let nearest = dye.nearest { #expect(Dye(nearest).nearest == nil, "\(nearest.css)") }
        }
    }

    @Test(
        "tells of a colour that is too pale, and of none that can be read",
        arguments: [
            ("#1e4ba8", true), ("#155f43", true), ("#000000", true), ("#ffdd00", false), ("#ffffff", false),
            ("#7fd3a2", false),
        ])
    func pale(colour: String, isRead: Bool) throws {
        #expect((Dye(try #require(Shade(colour))).nearest == nil) == isRead)
    }

    @Test(
        "is nothing until somebody says something, then filled up from what the desk is",
        arguments: Database.Kind.here)
    func saving(kind: Database.Kind) throws {
        try withQuire(kind) { quire in
            let settings = quire.settings
            try settings.change(
                Identity(
                    organization: "The Mill", email: "mill@example.org", phone: "+1 514 555 0100",
                    address: "1 High St\nLondon"),
                by: .local)
            #expect(try settings.worn() == nil)
            let (before, now) = try settings.changeLooks(["colour": " 1E4BA8 "], by: .local)
            #expect(!before.isWorn && now.colour == "#1e4ba8")
            let worn = try #require(try settings.worn())
            #expect(worn.name == "The Mill" && worn.showsName)
            #expect(worn.lines == ["1 High St", "London", "+1 514 555 0100", "mill@example.org"])
            _ = try settings.changeLooks(["name": "Mill & Sons", "letterhead": "Only this"], by: .local)
            #expect(try settings.worn()?.name == "Mill & Sons")
            #expect(try settings.worn()?.lines == ["Only this"])
            #expect(try quire.store.journal.lines().first?.entry.verb == "looks.changed")
            _ = try settings.changeLooks(["name": "", "colour": "", "letterhead": ""], by: .local)
            #expect(try settings.worn() == nil)
        }
    }

    @Test("refuses what it cannot be, with a sentence at its field")
    func refusing() throws {
        try withQuire { quire in
            func field(_ said: JSON) -> String? {
                do {
                    _ = try quire.settings.changeLooks(said, by: .local)
                    return "nothing"
                } catch { return (error as? Failure)?.field }
            }
            #expect(field(["colour": "blue"]) == "colour")
            #expect(field(["colour": "#12345"]) == "colour")
            #expect(field(["name": "two\nlines"]) == "name")
            #expect(field(["letterhead": "1\n2\n3\n4\n5\n6\n7"]) == "letterhead")
            #expect(field(["letterhead": "1\n2\n3\n4\n5\n6"]) == "nothing")
            let viewer = try viewer(on: quire)
            #expect(throws: Failure.self) { _ = try quire.settings.changeLooks(["name": "x"], by: viewer) }
        }
    }

    @Test(
        "has a logo that is drawn anew, comes back at one press, and is no other file of the desk",
        .enabled(if: PageReader.isReady, "poppler-utils is not installed"), arguments: Database.Kind.here)
    func logo(kind: Database.Kind) throws {
        try withQuire(kind) { quire in
            let settings = quire.settings
            let first = try #require(try settings.setLogo(contents(of: Self.icon), by: .local).now.logo)
            let drawn = try #require(try settings.logo(first))
            #expect(drawn.starts(with: [0xFF, 0xD8, 0xFF]) && drawn.count < 120_000)
            #expect(try settings.worn()?.showsName == false)
            _ = try settings.removeLogo(by: .local)
            #expect(try settings.logo(first) == nil && settings.worn() == nil)
            _ = try settings.changeLooks([:], logo: .some(first), by: .local)
            #expect(try settings.looks().logo == first && quire.store.verify().problems == [])
            // A paper of the desk cannot be made its logo by its name alone.
            let paper = try quire.store.blobs.put(drawn + [0])
            try quire.store.write { tx in _ = try tx.keep(paper) }
            #expect(throws: Failure.self) {
                _ = try settings.changeLooks([:], logo: .some(paper), by: .local)
            }
            #expect(try settings.logo(paper) == nil)
        }
    }

    @Test(
        "takes no picture that is none, is spoiled, or is far too large",
        .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
    func hostile() throws {
        try withQuire { quire in
            let icon = try contents(of: Self.icon)
            var wide = icon
            // A head that claims 60,000 by 60,000 points.
            wide.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
            let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8)
            for bytes in [
                [], svg, Array("%PDF-1.7".utf8), Array("<html>".utf8), Array(icon.prefix(30)),
                Array(icon.prefix(400)),
                wide, [0xFF, 0xD8, 0xFF], [UInt8](repeating: 0, count: (8 << 20) + 1),
            ] {
                #expect(throws: Failure.self, "\(bytes.prefix(12))") {
                    _ = try quire.settings.setLogo(bytes, by: .local)
                }
            }
            #expect(try quire.settings.looks().logo == nil)
        }
    }
}
