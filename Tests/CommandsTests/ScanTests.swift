import Bytes
import Glibc
import PDF
import TestSupport
import Testing
import Work

@testable import Commands

/// Photos of papers, looked at by poppler, qpdf and Tesseract once they are PDF.
@Suite struct ScanTests {
    private static let lines = [
        "Consent to the school trip", "I agree that my child takes part in the trip to the lake",
        "on the twelfth of September, and that the school may call", "a doctor if there is need of one.",
        "Name of the child and signature of a parent", "Please return this sheet before Friday",
    ]

    /// A sheet of A4 with these words, as it is seen by a camera above a dark table: somewhat turned, in falling light.
    private func photo(_ folder: String) throws -> (path: String, corners: [[Double]]) {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Times-Roman")]))
        var text = "BT /F1 17 Tf 60 760 Td 30 TL "
        for _ in 0..<3 { for line in Self.lines { text += "(\(line)) ' " } }
        let content = draft.addStream([:], Array((text + "ET").utf8))
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
                "MediaBox": .array([0, 0, 595, 842].map(PDFObject.integer)),
                "Resources": .dictionary(["Font": .dictionary(["F1": .reference(font)])]),
            ]))
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
            ]), at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        try write(draft.bytes(root: root), to: "\(folder)/sheet.pdf")
        let drawn = try Child(
            "pdftoppm", ["-gray", "-r", "150", "-singlefile", "\(folder)/sheet.pdf", "\(folder)/sheet"]
        ).run()
        #expect(drawn.succeeded, "\(drawn.errorText)")
        let (wide, high) = (1240, 1754)
        let sheet = Array(try contents(of: "\(folder)/sheet.pgm").suffix(wide * high))
        // The sheet's own sides in the picture, from its top left corner.
        let (width, height) = (1500, 2000)
        let (left, top, across, down) = (170.0, 70.0, (1.0, 0.07), (-0.07, 1.0))
        let scale = across.0 * down.1 - across.1 * down.0
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let (dx, dy) = (Double(x) - left, Double(y) - top)
                let (u, v) = ((dx * down.1 - dy * down.0) / scale, (dy * across.0 - dx * across.1) / scale)
                let light = 0.95 - 0.4 * Double(x) / Double(width)
                var color = (70.0 + Double((x * 7 + y * 3) % 11), 50.0, 40.0)
                if u >= 0, v >= 0, u < Double(wide), v < Double(high) {
                    let ink = Double(sheet[Int(v) * wide + Int(u)])
                    color = (ink, ink, ink * 0.93)
                }
                let at = (y * width + x) * 3
                (pixels[at], pixels[at + 1], pixels[at + 2]) = (
                    UInt8(color.0 * light), UInt8(color.1 * light), UInt8(color.2 * light)
                )
            }
        }
        try write(Array("P6\n\(width) \(height)\n255\n".utf8) + pixels, to: "\(folder)/photo.ppm")
        let corners = [(0.0, 0.0), (1240, 0), (1240, 1754), (0, 1754)].map { u, v in
            [left + u * across.0 + v * down.0, top + u * across.1 + v * down.1]
        }
        return ("photo.ppm", corners)
    }

    private func text(_ path: String) throws -> String {
        let check = try Child("/usr/bin/qpdf", ["--check", path]).run()
        #expect(check.succeeded, "\(check.outputText)\(check.errorText)")
        return try Child("/usr/bin/pdftotext", [path, "-"]).run().outputText
    }

    @Test("a photo of a sheet becomes a small page of its size whose words are found")
    func words() throws {
        try withScratchFolder { folder in
            let photo = try photo(folder)
            let said = quire(
                ["scan", photo.path, "--out", "scan.pdf", "--look", "bw", "--language", "eng", "--json"],
                home: folder)
            #expect(said.code == .done, "\(said)")
            let answer = try JSON(parsing: said.output)
            let page = try #require(answer["pages"]?.array?.first)
            #expect(page["whole"]?.bool == false)
            #expect(page["size"]?.string == "a4")
            #expect(page["turn"]?.int == 0)
            #expect((page["byteCount"]?.int ?? .max) < 40_000)
            for (found, known) in zip(page["corners"]?.array ?? [], photo.corners) {
                let (x, y) = (found.array?.first?.number ?? 0, found.array?.last?.number ?? 0)
                #expect(hypot(x - known[0], y - known[1]) < 25, "\(found) is not \(known)")
            }
            let words = try text("\(folder)/scan.pdf")
            for word in ["Consent", "school", "September", "signature", "return", "Friday"] {
                #expect(words.contains(word), "\(word)")
            }
            let info = try Child("/usr/bin/pdfinfo", ["\(folder)/scan.pdf"]).run().outputText
            #expect(info.contains("595") && info.contains("84"), "\(info)")

            // What is there is not written over.
            let again = quire(["scan", photo.path, "--out", "scan.pdf", "--no-text"], home: folder)
            #expect(again.code != .done && again.error.contains("there already"), "\(again)")
        }
    }

    @Test("corners can be said, photos be kept, and a photo without a sheet stays a photo")
    func corners() throws {
        try withScratchFolder { folder in
            let photo = try photo(folder)
            // The upper half of the sheet, lying.
            let (one, two, three, four) = (
                photo.corners[0], photo.corners[1], photo.corners[2], photo.corners[3]
            )
            func half(_ a: [Double], _ b: [Double]) -> [Double] { [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] }
            let wanted = [one, two, half(two, three), half(one, four)]
            try write(
                Array("[\(wanted), null]".utf8), to: "\(folder)/corners.json")
            var plain = Array("P6\n600 400\n255\n".utf8)
            for i in 0..<600 * 400 { plain += [UInt8(i % 600 / 4), UInt8(100 + i / 6000), 150] }
            try write(plain, to: "\(folder)/view.ppm")
            let said = quire(
                [
                    "scan", photo.path, "view.ppm", "--out", "scan.pdf", "--look", "colour", "--no-text",
                    "--corners-json", "corners.json", "--keep-photo", "--json",
                ], home: folder)
            #expect(said.code == .done, "\(said)")
            let pages = try #require(try JSON(parsing: said.output)["pages"]?.array)
            #expect(pages[0]["confidence"]?.number == 1)
            #expect(pages[0]["width"]?.int ?? 0 > pages[0]["height"]?.int ?? 0)
            #expect(pages[0]["look"]?.string == "colour")
            #expect(pages[1]["whole"]?.bool == true)
            let list = try Child("/usr/bin/pdfdetach", ["-list", "\(folder)/scan.pdf"]).run().outputText
            #expect(list.contains("photo.ppm") && list.contains("view.ppm"), "\(list)")
            #expect(try text("\(folder)/scan.pdf").contains("Consent") == false)

            // The answer is taken back, too.
            try write(Array(said.output.utf8), to: "\(folder)/answer.json")
            let again = quire(
                [
                    "scan", photo.path, "view.ppm", "--out", "again.pdf", "--no-text", "--corners-json",
                    "answer.json", "--json",
                ], home: folder)
            #expect(again.code == .done, "\(again)")
            let same = try JSON(parsing: again.output)["pages"]?.array
            #expect(same?[0]["width"] == pages[0]["width"] && same?[0]["height"] == pages[0]["height"])
        }
    }

    @Test(
        "both sides of a card come on one sheet, as large as they are, and a third side has a sheet of its own"
    )
    func sides() throws {
        try withScratchFolder { folder in
            // Grey cards on black, somewhat turned: 85.6 by 53.98 mm.
            for name in ["front", "back", "other"] {
                let (width, height) = (1200, 900)
                var pixels = [UInt8](repeating: 20, count: width * height * 3)
                for y in 0..<height {
                    for x in 0..<width {
                        let (dx, dy) = (Double(x) - 600, Double(y) - 450)
                        let (u, v) = (dx * 0.998 + dy * 0.06, dy * 0.998 - dx * 0.06)
                        guard abs(u) < 428, abs(v) < 269.9 else { continue }
                        let isInk = abs(v) < 200 && Int(v + 300) % 60 < 12 && abs(u) < 350
                        let at = (y * width + x) * 3
                        for colour in 0..<3 { pixels[at + colour] = isInk ? 60 : 225 }
                    }
                }
                try write(Array("P6\n\(width) \(height)\n255\n".utf8) + pixels, to: "\(folder)/\(name).ppm")
            }
            let said = quire(
                ["scan", "front.ppm", "back.ppm", "other.ppm", "--out", "card.pdf", "--sides", "--no-text"],
                home: folder)
            #expect(said.code == .done, "\(said)")
            #expect(said.output.contains("2 pages"), "\(said.output)")
            let info = try Child("/usr/bin/pdfinfo", ["\(folder)/card.pdf"]).run().outputText
            #expect(info.contains("Pages:           2"), "\(info)")
            let pictures = try Child("/usr/bin/pdfimages", ["-list", "\(folder)/card.pdf"]).run().outputText
            let rows = pictures.split(separator: "\n").dropFirst(2).map {
                $0.split(separator: " ").map(String.init)
            }
            #expect(rows.map(\.first) == ["1", "1", "2"], "\(pictures)")
            // At 200 dots to the inch a card is 674 dots long.
            #expect(rows.allSatisfy { abs((Int($0[3]) ?? 0) - 674) < 4 }, "\(pictures)")
            let book = quire(
                ["scan", "front.ppm", "--out", "b.pdf", "--sides", "--size", "book"], home: folder)
            #expect(book.code == .usage, "\(book)")
        }
    }

    @Test("what cannot be done is said in a sentence")
    func refused() throws {
        try withScratchFolder { folder in
            try write(Array("P6\n1 1\n255\nabc".utf8), to: "\(folder)/dot.ppm")
            try write([0x89] + Array("PNG\r\n\u{1A}\nno picture".utf8), to: "\(folder)/broken.png")
            try write(Array("[1, 2]".utf8), to: "\(folder)/odd.json")
            for (words, sentence) in [
                (["broken.png", "--out", "a.pdf"], "broken.png"),
                (["none.jpg", "--out", "a.pdf"], "none.jpg"),
                (["dot.ppm"], "--out"), (["dot.ppm", "--out", "a.pdf", "--look", "blue"], "colour"),
                (["dot.ppm", "--out", "a.pdf", "--size", "poster"], "letter"),
                (["dot.ppm", "--out", "a.pdf", "--corners-json", "odd.json"], "2 photos"),
                (["dot.ppm", "--out", "a.pdf", "--no-text", "--language", "eng"], "opposite"),
            ] {
                let said = quire(["scan"] + words, home: folder)
                #expect(said.code != .done && said.error.contains(sentence), "\(words): \(said)")
            }
            #expect(access("\(folder)/a.pdf", F_OK) != 0)
            // The smallest of pictures is a page, too.
            let dot = quire(["scan", "dot.ppm", "--out", "dot.pdf", "--no-text"], home: folder)
            #expect(dot.code == .done, "\(dot)")
        }
    }
}
