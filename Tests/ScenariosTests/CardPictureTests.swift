import Archives
import Bytes
import HTTP
import PDFReading
import Pictures
import Storage
import TestSupport
import Testing
import Web
import Work

/// The photo, the cover and the logo of a card.
@Suite(
    "The pictures of a card",
    .enabled(if: PageReader.isReady, "poppler is not installed (bin/setup --check)"))
struct CardPictureTests {
    private func stranger(_ desk: Desk) -> Browser { desk.browser(at: "desk.example", from: "192.0.2.7") }
    private let settings = SiteSettings(publicOrigin: "https://desk.example")

    /// Of four quarters in shades of grey: dark, half dark above; half light, light below.
    private static let shades: [[UInt8]] = [[20, 90], [160, 235]]

    private static func png(
        _ width: Int = 400, _ height: Int = 200, more: [(String, [UInt8])] = [], end: Bool = true
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        func number(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        func chunk(_ name: String, _ body: [UInt8]) {
            bytes += number(body.count) + Array(name.utf8) + body + [0, 0, 0, 0]
        }
        chunk("IHDR", number(width) + number(height) + [8, 0, 0, 0, 0])
        for (name, body) in more { chunk(name, body) }
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows.append(shades[y * 2 / height][x * 2 / width]) }
        }
        chunk("IDAT", deflated(rows))
        if end { chunk("IEND", []) }
        return bytes
    }

    /// What a picture shows in its middle and in its corners, row by row, as shades from 0 to 9.
    private func seen(_ jpeg: [UInt8]) throws -> (size: [Int], middles: [Int]) {
        let picture = try Picture(jpeg)
        var sheet: [UInt8] = []
        var pages = try PicturePages { sheet += $0 }
        try pages.add(jpeg, width: 100, height: 100)
        try pages.finish()
        let pixels = try PageReader(jail: .detect()).pixels(of: Sheets(bytes: sheet), page: 0, width: 100)
        let places = [(20, 20), (80, 20), (50, 50), (20, 80), (80, 80)]
        return (
            [picture.width, picture.height], places.map { Int(pixels.shades[$1 * pixels.width + $0]) }
        )
    }

    private func isNear(_ seen: [Int], _ wanted: [Int?]) -> Bool {
        zip(seen, wanted).allSatisfy { $1 == nil || abs($0 - ($1 ?? 0)) < 12 }
    }

    @Test("are shown by their middles at first, each in its shape, and the files stay as they came")
    func coming() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            // A text chunk such as a camera's program writes.
            let sent = Self.png(more: [("tEXt", Array("GPS\0 45.5 N 73.6 W".utf8))])
            for (word, size, corners) in [
                ("photo", [512, 512], [20, 90, nil, 160, 235]),
                ("cover", [1200, 400], [20, 90, nil, 160, 235]),
                ("logo", [400, 200], [20, 90, nil, 160, 235]),
            ] as [(String, [Int], [Int?])] {
                let answer = try desk.upload("/cards/\(card.id)/\(word)?name=a.png", sent, "image/png")
                #expect(answer.status == .ok && answer.json[word] == .bool(true), "\(answer.text)")
                let shown = try stranger(desk).get("/c/\(card.slug)/\(word)")
                #expect(shown.headers["Content-Type"] == "image/jpeg")
                let found = try seen(shown.bytes)
                #expect(found.size == size && isNear(found.middles, corners), "\(word): \(found)")
                #expect(!String(decoding: shown.bytes, as: UTF8.self).contains("73.6"))
                #expect(try desk.command(.get, "/cards/\(card.id)/\(word)/original").bytes == sent)
                #expect(try stranger(desk).get("/c/\(card.slug)/\(word)/original").status == .notFound)
                #expect(try stranger(desk).get("/cards/\(card.id)/\(word)/original").status != .ok)
                let whole = try desk.command(.get, "/cards/\(card.id)/\(word)/whole").bytes
                #expect(try seen(whole).size == [400, 200])
            }
            let page = try stranger(desk).get("/c/\(card.slug)").text
            #expect(page.utf8.count < 30_000)
            for css in ["bizcard-cover", "u-photo", "u-logo"] { #expect(page.contains(css), "\(css)") }
            #expect(try !stranger(desk).get("/c/\(card.slug)/glance").text.contains("<img"))
            let file = try stranger(desk).get("/c/\(card.slug).vcf")
            #expect(file.text.contains("PHOTO;") && file.text.contains("LOGO;"))
            #expect(file.bytes.count <= 256_000)
            let modern = try stranger(desk).get("/c/\(card.slug).vcf?as=jscontact").json
            let kinds = (modern["media"]?.object ?? [:]).map { $0.value["kind"]?.string ?? "" }
            #expect(kinds.sorted() == ["logo", "photo"])
        }
    }

    @Test("are cut by what was chosen, which can be chosen again, and the file is never touched")
    func cropping() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let sent = Self.png()
            _ = try desk.upload("/cards/\(card.id)/photo?name=a.png", sent, "image/png")
            func crop(_ said: JSON) throws -> JSON {
                let answer = try desk.command(.patch, "/cards/\(card.id)/photo", json: said)
                #expect(answer.status == .ok, "\(answer.text)")
                return answer.json["pictures"]?[0]?["crop"] ?? [:]
            }
            func middles() throws -> [Int] {
                try seen(stranger(desk).get("/c/\(card.slug)/photo").bytes).middles
            }
            // The upper left quarter, whole; what would stand out of the picture is moved into it.
            let settled = try crop(["x": 0, "y": 0, "size": 450])
            #expect(settled["x"]?.int == 113 && settled["y"]?.int == 225 && settled["size"]?.int == 450)
            #expect(isNear(try middles(), [20, 20, 20, 20, 20]))
            _ = try crop(["x": 1000, "y": 1000])
            #expect(isNear(try middles(), [235, 235, 235, 235, 235]))
            // Turned to the right the lower left quarter is above on the left.
            _ = try crop(["x": 500, "y": 500, "size": 1000, "turn": "90"])
            #expect(isNear(try middles(), [160, 20, nil, 235, 90]))
            _ = try crop(["turn": "180"])
            #expect(isNear(try middles(), [235, 160, nil, 90, 20]))
            _ = try crop(["turn": "270"])
            #expect(isNear(try middles(), [90, 235, nil, 20, 160]))
            for wrong: JSON in [["x": 1001], ["size": 0], ["size": "big"], ["turn": "45"], ["y": -1]] {
                #expect(
                    try desk.command(.patch, "/cards/\(card.id)/photo", json: wrong).status == .unprocessable)
            }
            #expect(isNear(try middles(), [90, 235, nil, 20, 160]))
            #expect(try desk.command(.get, "/cards/\(card.id)/photo/original").bytes == sent)
            // A logo has any shape.
            _ = try desk.upload("/cards/\(card.id)/logo?name=a.png", sent, "image/png")
            _ = try desk.command(
                .patch, "/cards/\(card.id)/logo", json: ["x": 250, "y": 250, "size": 500, "height": 250])
            let logo = try seen(stranger(desk).get("/c/\(card.slug)/logo").bytes)
            #expect(logo.size == [400, 100] && isNear(logo.middles, [20, 20, 20, 20, 20]))
        }
    }

    @Test("that are taken off or replaced are brought back, with what was chosen of them")
    func undoing() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let path = "/cards/\(card.id)/cover"
            #expect(try desk.command(.post, "\(path)/restoration").status == .conflict)
            _ = try desk.upload("\(path)?name=a.png", Self.png(), "image/png")
            _ = try desk.command(.patch, path, json: ["size": 300, "x": 0])
            let first = try desk.command(.get, path).bytes
            #expect(try desk.command(.delete, path).status == .noContent)
            #expect(try stranger(desk).get("/c/\(card.slug)/cover").status == .notFound)
            #expect(try desk.command(.patch, path, json: ["size": 300]).status == .notFound)
            let back = try desk.command(.post, "\(path)/restoration")
            #expect(back.json["pictures"]?[0]?["crop"]?["size"]?.int == 300)
            #expect(try desk.command(.get, path).bytes == first)
            _ = try desk.upload("\(path)?name=b.png", Self.png(300, 300), "image/png")
            #expect(try desk.command(.get, path).bytes != first)
            _ = try desk.command(.post, "\(path)/restoration")
            #expect(try desk.command(.get, path).bytes == first)
            _ = try desk.command(.post, "\(path)/restoration")
            #expect(try desk.command(.get, path).bytes != first)
        }
    }

    @Test("that cannot be used are told apart, and what was there stays")
    func refusing() throws {
        try withDesk(settings: settings) { desk throws in
            let card = try desk.makeCard()
            let path = "/cards/\(card.id)/photo"
            _ = try desk.upload("\(path)?name=a.png", Self.png(), "image/png")
            let before = try desk.command(.get, path).bytes
            var lying = Self.png(64, 64)
            lying.replaceSubrange(16..<24, with: [0, 0, 8, 0, 0, 0, 8, 0])
            var huge = Self.png(64, 64)
            huge.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
            let jpeg = before
            for (bytes, words) in [
                (Array("no".utf8), "no picture"),
                (Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 64), "no picture"),
                (Self.png(1, 1), "1 × 1 pixels"), (huge, "65536 × 65536"), (lying, "breaks off"),
                (Self.png(end: false), "breaks off"), (Array(Self.png().prefix(60)), "damaged"),
                (Self.png(more: [("acTL", [0, 0, 0, 9, 0, 0, 0, 0])]), "moves"),
                (Array(jpeg.prefix(jpeg.count / 2)), "breaks off"), (Array(jpeg.prefix(20)), "damaged"),
            ] as [([UInt8], String)] {
                let answer = try desk.upload("\(path)?name=b.png", bytes, "image/png")
                #expect([.unprocessable, .contentTooLarge].contains(answer.status), "\(answer.status)")
                #expect(answer.text.contains(words), "\(words): \(answer.text)")
            }
            #expect(try desk.command(.get, path).bytes == before)
        }
    }

    @Test("are chosen on a page that says in words what went wrong, and works without scripts")
    func page() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let made = try ada.fetch(.post, "/cards", json: ["given": "Ada"])
            let path = "\(try #require(made.headers["Location"]))/logo"
            #expect(try ada.get("\(path)/crop").text.contains("Choose a picture"))
            let id = try #require(made.json["id"]?.string)
            _ = try desk.upload("/cards/\(id)/logo?name=a.png", Self.png(), "image/png")
            let page = try ada.get("\(path)/crop").text
            for part in ["crop-image", "name=\"x\"", "name=\"height\"", "value=\"90\"", "M0 0h400v200H0Z"] {
                #expect(page.contains(part), "\(part)")
            }
            #expect(try ada.get("/cards/\(id)").text.contains("/logo/crop"))
        }
    }
}
