import Codes
import PDF
import PDFReading
import Starters
import TestSupport
import Testing
import Work

@Suite("Business cards on a sheet", .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct CardSheetTests {
    private static let reader = PageReader(jail: .detect())
    private static let address = "https://desk.example/c/7k2m9q4x"

    private func content(_ name: String = "Ana López", fields: [String] = []) throws -> CardSheet.Content {
        CardSheet.Content(
            name: name, pronouns: "she/her", about: ["Architect", "Lumière"],
            fields: ["+1 514 555 0100", "ana@example.org"] + fields,
            code: try #require(QRCode(Self.address, boosts: true)))
    }

    /// What one page says, without the places where its lines break.
    private func words(_ bytes: [UInt8], page: Int = 0) throws -> String {
        try Self.reader.text(of: Sheets(bytes: bytes))[page].text.filter { !$0.isWhitespace }
    }

    private func count(_ part: String, in text: String) -> Int {
        text.ranges(of: part.filter { !$0.isWhitespace }).count
    }

    @Test(
        "are ten of the size that is usual where the paper is, and eight where ten do not fit",
        arguments: [
            (PaperSize.a4, nil, 10), (.letter, nil, 10), (.a4, .inches, 10), (.letter, .metric, 8),
        ] as [(PaperSize, CardSheet.Size?, Int)])
    func sizes(paper: PaperSize, size: CardSheet.Size?, count: Int) throws {
        let sheet = try CardSheet(content(), paper: paper, size: size)
        #expect(sheet.count == count && sheet.leftOut.isEmpty)
        let bytes = sheet.bytes()
        let file = try PDFFile(bytes: bytes)
        #expect(file.pages.count == 1 && file.repairs.isEmpty)
        let words = try words(bytes)
        for part in ["Ana López", "she/her", "Architect", "Lumière", "+1 514 555 0100", "ana@example.org"] {
            #expect(self.count(part, in: words) == count, "\(part)")
        }
        #expect(try CardSheet(content(), paper: paper, size: size).bytes() == bytes)
    }

    @Test("bring each font along, of which only the letters that are used")
    func fonts() throws {
        let bytes = try CardSheet(content()).bytes()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("/FontFile2") && !text.contains("/Type1") && bytes.count < 80_000)
    }

    @Test(
        "keep each name whole, in any script and of any length",
        arguments: [
            "محمد بن عبد الله العربي", "欧阳娜娜", "Νίκος Καζαντζάκης", "Γιώργος & Ana",
            "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft",
            String(repeating: "Maximiliane Theodora ", count: 20) + "Ende",
        ])
    func names(name: String) throws {
        for (paper, sides) in [(PaperSize.a4, CardSheet.Sides.code), (.letter, .plain)] {
            let sheet = try CardSheet(content(name), paper: paper, sides: sides)
            let words = try words(sheet.bytes())
            for word in name.split(separator: " ") {
                #expect(count(String(word), in: words) >= sheet.count, "\(word)")
            }
        }
    }

    @Test(
        "show the logo below the words about somebody, smaller where there is less room, and nothing less for it"
    )
    func logo() throws {
        var content = try content()
        let without = try CardSheet(content).bytes()
        content.logo = try Self.reader.picture(
            of: Sheets(bytes: without), page: 0, width: 300, format: .jpeg(quality: 80))
        content.photo = content.logo
        for (paper, sides) in [(PaperSize.a4, CardSheet.Sides.code), (.letter, .plain)] {
            let sheet = try CardSheet(content, paper: paper, sides: sides)
            let file = try PDFFile(bytes: sheet.bytes())
            #expect(sheet.leftOut.isEmpty && file.repairs.isEmpty)
            let words = try words(file.bytes)
            for part in ["Ana López", "Lumière", "ana@example.org"] {
                #expect(count(part, in: words) == 10, "\(part)")
            }
        }
        let long = String(repeating: "Maximiliane Theodora ", count: 20) + "Ende"
        content.name = long
        let longest = try words(CardSheet(content).bytes())
        #expect(count("Ende", in: longest) == 10)
        // A picture of nothing is left out.
        content.logo = [1, 2, 3]
        content.photo = nil
        content.name = "Ana López"
        let again = try CardSheet(content).bytes()
        #expect(again == without)
    }

    @Test("tell which fields find no room, and which letters no font has")
    func leftOut() throws {
        let more = (1...9).map { "https://example.org/a/rather/long/address/\($0)" }
        let sheet = try CardSheet(content(fields: more))
        #expect(sheet.leftOut.upperBound == 11 && sheet.leftOut.lowerBound >= 2)
        let words = try words(sheet.bytes())
        #expect(sheet.missing.isEmpty)
        #expect(try CardSheet(self.content("Ana \u{10FFFD}")).missing == "\u{10FFFD}")
        #expect(!words.contains("address/9") && count("ana@example.org", in: words) == 10)
    }

    @Test("have a code on the front, on a page of its own for the back, or none")
    func sides() throws {
        #expect(try PDFFile(bytes: CardSheet(content(), sides: .both).bytes()).pages.count == 2)
        #expect(try PDFFile(bytes: CardSheet(content(), sides: .plain).bytes()).pages.count == 1)
        let marked = try CardSheet(content()).bytes()
        #expect(try CardSheet(content(), hasMarks: false).bytes().count < marked.count)
    }

    @Test(
        "have codes that another program reads from the printed page, each of them",
        .enabled(
            if: Peer.has("zxingcpp"), "the Python package zxing-cpp is not installed (bin/setup --check)"),
        arguments: PaperSize.allCases, [CardSheet.Sides.code, .both])
    func codes(paper: PaperSize, sides: CardSheet.Sides) throws {
        for text in [
            Self.address, "BEGIN:VCARD\r\nFN:\(String(repeating: "Ana López ", count: 24))END:VCARD",
        ] {
            var content = try content()
            content.code = try #require(QRCode(text, boosts: true))
            let bytes = try CardSheet(content, paper: paper, sides: sides).bytes()
            try withScratchFolder { folder in
                try write(bytes, to: "\(folder)/cards.pdf")
                let read = try python(
                    """
                    import sys, numpy, pypdfium2, zxingcpp
                    paper = pypdfium2.PdfDocument(sys.argv[1])
                    page = paper[len(paper) - 1]
                    for code in zxingcpp.read_barcodes(numpy.ascontiguousarray(page.render(scale=3).to_numpy())):
                        print(repr(code.text))
                    """, ["\(folder)/cards.pdf"])
                let lines = read.split(separator: "\n")
                #expect(lines.count == 10 && Set(lines).count == 1)
                #expect(lines.first?.contains(String(text.prefix(11))) == true)
            }
        }
    }

    @Test(
        "have codes on screens, too, that another program reads",
        .enabled(
            if: Peer.has("zxingcpp"), "the Python package zxing-cpp is not installed (bin/setup --check)"),
        arguments: CardScreen.Kind.allCases)
    func screens(kind: CardScreen.Kind) throws {
        let long = String(repeating: "Maximiliane Theodora ", count: 9) + "محمد"
        for name in ["Ana López", long] {
            let bytes = try CardScreen(content(name), kind, ground: 0x0B101B).bytes()
            let words = try words(bytes)
            for word in name.split(separator: " ") { #expect(words.contains(word), "\(word)") }
            try withScratchFolder { folder in
                try write(bytes, to: "\(folder)/screen.pdf")
                let read = try python(
                    """
                    import sys, numpy, pypdfium2, zxingcpp
                    page = pypdfium2.PdfDocument(sys.argv[1])[0]
                    for code in zxingcpp.read_barcodes(numpy.ascontiguousarray(page.render(scale=1).to_numpy())):
                        print(code.text)
                    """, ["\(folder)/screen.pdf"])
                #expect(read == Self.address + "\n")
            }
        }
    }
}
