import PDF
import PDFForms
import PDFReading
import TestSupport
import Testing
import Work

@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct ReaderTests {
    private static let jail = Jail.detect()
    private let reader = PageReader(jail: jail)

    private func page(_ content: String, _ entries: PDFDictionary = [:]) throws -> Sheets {
        try Sheets(bytes: PageMaker.make { $0.page(content, entries) })
    }

    @Test func wordsStandWhereTheyWereDrawn() throws {
        let sheets = try page("BT /F 20 Tf 100 200 Td (Hello & <world>) Tj ET")
        let text = try #require(try reader.text(of: sheets).first)
        #expect(text.words.map(\.text) == ["Hello", "&", "<world>"])
        let hello = try #require(text.words.first).place
        #expect(abs(hello.left - 100) < 1)
        #expect(hello.bottom < 200 && hello.top > 214)
        #expect(text.text(in: PDFRectangle(left: 90, bottom: 190, right: 150, top: 230)) == "Hello")
    }

    /// One and the same word, drawn so that it reads upright on a page turned each way.
    @Test(arguments: [
        (0, "1 0 0 1 60 70"), (90, "0 1 -1 0 330 60"), (180, "-1 0 0 -1 340 230"), (270, "0 -1 1 0 70 240"),
    ])
    func wordsOfATurnedPageStandWhereTheyAreSeen(rotation: Int, matrix: String) throws {
        let sheets = try page(
            "BT /F 20 Tf \(matrix) Tm (Anna) Tj ET",
            ["Rotate": .integer(rotation), "CropBox": PageMaker().box(0, 0, 400, 300)])
        let text = try #require(try reader.text(of: sheets).first)
        let word = try #require(text.words.first)
        #expect(word.text == "Anna")
        #expect(abs(word.place.left - 60) < 1)
        #expect(word.place.bottom < 70 && word.place.top > 84)
    }

    @Test(arguments: ["محمد العربي", "שלום עולם", "Anna", "王小明"])
    func wordsAreReadInTheDirectionOfTheirScript(name: String) throws {
        let form = PageMaker.make { maker in
            let widget = maker.draft.add(
                .dictionary([
                    "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"), "T": .text("name"),
                    "Rect": maker.box(50, 100, 350, 130), "DA": .text("/Helv 14 Tf 0 g"), "F": .integer(4),
                ]))
            maker.page("", ["Annots": .array([.reference(widget)])])
            maker.fields = [widget]
        }
        let filled = try PreparedForm(bytes: form).fill(["name": .text(name)])
        #expect(filled.findings.isEmpty)
        let text = try #require(try reader.text(of: Sheets(bytes: filled.bytes)).first)
        #expect(text.text == name)
    }

    @Test func aCropBoxMovesTheSheet() throws {
        let sheets = try page(
            "BT /F 20 Tf 100 200 Td (Hello) Tj ET", ["CropBox": PageMaker().box(50, 150, 350, 300)])
        let word = try #require(try reader.text(of: sheets).first?.words.first)
        #expect(abs(word.place.left - 50) < 1)
        #expect(word.place.bottom < 50 && word.place.top > 64)
    }

    @Test func aPictureIsAsWideAsAskedAndShowsTheCropBox() throws {
        let sheets = try page(
            "0 g 50 150 150 150 re f",
            ["CropBox": PageMaker().box(50, 150, 350, 300), "Rotate": .integer(90)])
        let pixels = try reader.pixels(of: sheets, page: 0, width: 150)
        #expect(pixels.width == 150 && pixels.height == 300)
        // The black half lay on the left; turned to the right it is the upper one.
        #expect(pixels.darkness(in: (0.1, 0.05, 0.8, 0.4)) == 1)
        #expect(pixels.darkness(in: (0.1, 0.55, 0.8, 0.4)) == 0)
    }

    @Test func picturesComeInBothFormats() throws {
        let sheets = try page("1 0 0 rg 50 50 100 100 re f")
        let png = try reader.picture(of: sheets, page: 0, width: 120)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let jpeg = try reader.picture(of: sheets, page: 0, width: 120, format: .jpeg(quality: 80))
        #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test func aReaderAtHandSeesTheSameAsOneThatIsMadeEachTime() throws {
        let atHand = PageReader(jail: Self.jail, isAtHand: true)
        defer { atHand.close() }
        for number in 1...4 {
            let sheets = try page("BT /F 20 Tf 100 200 Td (Hello \(number)) Tj ET")
            let format = PageReader.Format.jpeg(quality: 86)
            #expect(
                try atHand.picture(of: sheets, page: 0, width: 240, format: format)
                    == reader.picture(of: sheets, page: 0, width: 240, format: format))
            #expect(try atHand.text(of: sheets).map(\.text) == ["Hello \(number)"])
        }
        let broken = try page("BT /F 20 Tf")
        #expect(try atHand.text(of: broken).map(\.text) == [""])
    }

    @Test func aLockedDocumentIsReadWithItsPassword() throws {
        let plain = PageMaker.make { $0.page("BT /F 20 Tf 100 200 Td (Secret) Tj ET") }
        var writing = PDFFile.Writing()
        writing.passwords = ("open", "owner")
        let locked = try PDFFile(bytes: plain).rewritten(writing)
        #expect(throws: ReadingError.unreadable(PDFError.passwordNeeded.description)) {
            try Sheets(bytes: locked)
        }
        let sheets = try Sheets(bytes: locked, password: "open")
        #expect(try reader.text(of: sheets).first?.text == "Secret")
    }

    @Test func aPageThatIsNotThereIsNamed() throws {
        let sheets = try page("")
        #expect(throws: ReadingError.noPage(3, of: 1)) { try reader.picture(of: sheets, page: 2, width: 100) }
        #expect(throws: ReadingError.noPage(2, of: 1)) { try reader.text(of: sheets, pages: 0..<2) }
    }

    @Test func aGiantPageIsDrawnSmallerThanAsked() throws {
        var limits = PageReader.Limits()
        limits.pixelCount = 10_000
        let small = PageReader(jail: Self.jail, limits: limits)
        let sheets = try page("", ["MediaBox": PageMaker().box(0, 0, 10, 14_400)])
        let pixels = try small.pixels(of: sheets, page: 0, width: 4000)
        #expect(pixels.width * pixels.height <= 10_000)
    }

    @Test func aPageThatNeverEndsIsGivenUp() throws {
        var limits = PageReader.Limits()
        limits.time = .milliseconds(700)
        let hasty = PageReader(jail: Self.jail, limits: limits)
        // Each form draws the one before it many times: more strokes than anyone can wait for.
        let bytes = PageMaker.make { maker in
            var form = maker.draft.addStream(
                ["Type": .name("XObject"), "Subtype": .name("Form"), "BBox": maker.box(0, 0, 400, 300)],
                Array(String(repeating: "0 0 m 400 300 l S ", count: 400).utf8))
            for _ in 0..<9 {
                form = maker.draft.addStream(
                    [
                        "Type": .name("XObject"), "Subtype": .name("Form"),
                        "BBox": maker.box(0, 0, 400, 300),
                        "Resources": .dictionary(["XObject": .dictionary(["X": .reference(form)])]),
                    ], Array(String(repeating: "/X Do ", count: 20).utf8))
            }
            let page = maker.page("/X Do")
            maker.draft.put(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(maker.tree),
                    "MediaBox": maker.box(0, 0, 400, 300),
                    "Contents": .reference(PDFReference(page.number - 1)),
                    "Resources": .dictionary(["XObject": .dictionary(["X": .reference(form)])]),
                ]), at: page)
        }
        let sheets = try Sheets(bytes: bytes)
        #expect(throws: ReadingError.tooSlow(page: 1)) { try hasty.picture(of: sheets, page: 0, width: 600) }
        // Our own reader of lines ends by itself.
        #expect(PageDrawing(try PDFFile(bytes: bytes), page: 0).rules.count <= 40_000)
    }

    @Test func aPictureThatNobodyWantsAnyMoreIsNotMade() throws {
        let cancellation = Cancellation()
        cancellation.cancel(reason: "the reader left")
        let sheets = try page("")
        #expect(throws: ReadingError.cancelled(reason: "the reader left")) {
            try reader.picture(of: sheets, page: 0, width: 100, cancellation: cancellation)
        }
    }

    @Test func whatIsNoDocumentIsRefusedWithASentence() {
        #expect(throws: ReadingError.self) { try Sheets(bytes: Array("not a document".utf8)) }
    }

    @Test func aMovedLineIsFoundByComparing() throws {
        let old = try reader.pixels(of: page("2 w 50 100 m 350 100 l S"), page: 0, width: 400)
        let new = try reader.pixels(of: page("2 w 50 200 m 350 200 l S"), page: 0, width: 400)
        #expect(PageDifference(old, old).place == nil)
        let difference = PageDifference(old, new)
        #expect(difference.share > 0.005 && difference.share < 0.02)
        let place = try #require(difference.place)
        #expect(abs(place.top - 1.0 / 3) < 0.01 && abs(place.bottom - 2.0 / 3) < 0.01)
    }
}

@Suite("Damaged files", .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct DamagedFilesTests {
    private static let reader = PageReader(jail: Jail.detect())

    /// A page that says Hello, and what is wrong with the file.
    private func file(_ damage: String) -> [UInt8] {
        let kids = damage == "a loop in the page tree" ? "3 0 R 2 0 R" : "3 0 R"
        let count = damage == "no page counted" ? 0 : damage == "a loop in the page tree" ? 2 : 1
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count \(count)/Kids[\(kids)]>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Rotate 90/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
            "<</Length 42>>stream\nBT /F 40 Tf 30 80 Td (Hello there) Tj ET  \nendstream",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        var text = damage == "a bad header" ? "%xyz-1.4\n" : "%PDF-1.4\n"
        var table = "xref\n0 6\n0000000000 65535 f \n"
        for (place, object) in objects.enumerated() {
            let offset = String(text.utf8.count)
            let generation = damage == "wrong generations in the table" ? "00001" : "00000"
            table += String(repeating: "0", count: 10 - offset.count) + "\(offset) \(generation) n \n"
            text += "\(place + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        if damage != "no end" {
            let root = damage == "an end that names nothing" ? 9 : 1
            text += table + "trailer\n<</Size 6/Root \(root) 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        }
        return Array(text.utf8)
    }

    @Test(
        "are drawn and read by whichever way leads through them",
        arguments: [
            "wrong generations in the table", "a loop in the page tree", "a bad header", "no page counted",
            "no end", "an end that names nothing",
        ])
    func drawn(_ damage: String) throws {
        let sheets = try Sheets(damaged: file(damage), reader: { Self.reader })
        #expect(sheets.count >= 1)
        let frame = try #require(sheets.frames.first)
        #expect(frame.width == 200 && frame.height == 300)
        let pixels = try Self.reader.pixels(of: sheets, page: 0, width: 100)
        #expect(pixels.width == 100 && pixels.height == 150)
        #expect(pixels.shades.contains { $0 < 100 }, "nothing is to be seen")
        let text = try Self.reader.text(of: sheets)
        #expect(text.first?.text.contains("Hello") == true)
    }

    @Test("that only poppler opens are shown as it finds them")
    func byPopplerAlone() throws {
        // Objects that begin in the middle of a line.
        let line =
            "%PDF-1.0\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 30 20]/Rotate 90>>endobj trailer<</Size 4/Root 1 0 R>>"
        #expect((try? Sheets(bytes: Array(line.utf8)))?.frames.isEmpty ?? true)
        let sheets = try Sheets(damaged: Array(line.utf8), reader: { Self.reader })
        #expect(sheets.frames.map(\.width) == [20] && sheets.frames.map(\.rotation) == [90])
        let pixels = try Self.reader.pixels(of: sheets, page: 0, width: 100)
        #expect(pixels.width == 100 && pixels.height == 150)
    }

    @Test("that nobody can open say what qpdf found, and locked ones that they are locked")
    func refused() throws {
        let nothing = Array("%PDF-1.4\nnothing at all".utf8)
        #expect(throws: ReadingError.self) { try Sheets(damaged: nothing, reader: { Self.reader }) }
        let locked = try LockableFile(PDFFile(bytes: PageMaker.make { $0.page("") }).rewritten()).locked(
            try PDFLock(userPassword: "a", ownerPassword: "b"))
        #expect(throws: ReadingError.unreadable(PDFError.passwordNeeded.description)) {
            try Sheets(damaged: locked, reader: { Self.reader })
        }
    }
}
