import PDF
import PDFForms
import PDFReading
import Starters
import Testing
import Work

@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct ContactSheetTests {
    private static let reader = PageReader(jail: .detect())

    private func picture() throws -> [UInt8] {
        let paper = try #require(StarterTemplates.bytes("invoice"))
        return try Self.reader.picture(
            of: Sheets(bytes: paper), page: 0, width: 200, format: .jpeg(quality: 80))
    }

    @Test func manyPapersAreSeenAtAGlance() throws {
        let picture = try picture()
        let tiles = (1...45).map { ContactSheet.Tile(picture: picture, name: "Paper \($0)") }
        let file = try PDFFile(bytes: ContactSheet(title: "Summer trip", tiles: tiles).bytes())
        #expect(file.pages.count == 3)
        let texts = try Self.reader.text(of: Sheets(file))
        #expect(texts[0].text.contains("Summer trip") && texts[0].text.contains("45 papers"))
        #expect(texts[0].text.contains("Paper 20") && !texts[0].text.contains("Paper 21"))
        #expect(texts[2].text.contains("Paper 45"))
        #expect(try Form(bytes: file.bytes).fields.isEmpty)
    }

    @Test func whatIsWrongIsSaidInRed() throws {
        let sheet = try ContactSheet(
            title: "Forms",
            tiles: [
                .init(picture: try picture(), name: "Zoë"),
                .init(picture: nil, name: "محمد العربي", problem: "Name: will not fit"),
            ]
        ).bytes()
        let file = try PDFFile(bytes: sheet)
        let text = try #require(try Self.reader.text(of: Sheets(file)).first).text
        #expect(text.contains("1 with a problem") && text.contains("Name: will not fit"))
        // Names keep their script.
        #expect(text.contains("محمد"))
        #expect(PageDrawing(file, page: 0).boxes.count >= 2)
    }

    @Test func whatIsNoJPEGIsAnEmptySheet() throws {
        let tiles = [ContactSheet.Tile(picture: [0xFF, 0xD8, 0xFF, 0xC0, 0, 3, 1], name: "Broken")]
        let bytes = try ContactSheet(title: "Forms", tiles: tiles).bytes()
        #expect(try PDFFile(bytes: bytes).pages.count == 1)
    }

    @Test func nothingToShowIsStillAPage() throws {
        #expect(try PDFFile(bytes: ContactSheet(title: "Forms", tiles: []).bytes()).pages.count == 1)
    }
}
