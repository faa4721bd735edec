import Archives
import PDF
import Pictures
import Testing
import TestSupport
import Work

/// Small pictures made by hand, so that every byte of them is known.
enum Made {
    static func png(
        width: Int, height: Int, depth: UInt8 = 8, colors: UInt8, rows: [[UInt8]], palette: [UInt8] = [],
        transparency: [UInt8] = [], more: [(String, [UInt8])] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        func chunk(_ name: String, _ body: [UInt8]) {
            bytes += number(body.count) + Array(name.utf8) + body + [0, 0, 0, 0]
        }
        chunk("IHDR", number(width) + number(height) + [depth, colors, 0, 0, 0])
        for (name, body) in more { chunk(name, body) }
        if !palette.isEmpty { chunk("PLTE", palette) }
        if !transparency.isEmpty { chunk("tRNS", transparency) }
        chunk("IDAT", packed(rows))
        chunk("IEND", [])
        return bytes
    }

    static func packed(_ rows: [[UInt8]]) -> [UInt8] { deflated(rows.flatMap { [0] + $0 }) }

    static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A head that says what it must; its scan is no picture, which nobody looks at here.
    static func jpeg(
        width: Int, height: Int, components: Int = 3, turn: Int? = nil, dots: Int? = nil
    ) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        func segment(_ marker: UInt8, _ body: [UInt8]) {
            bytes += [0xFF, marker] + Array(number(body.count + 2).suffix(2)) + body
        }
        if let dots {
            let density = Array(number(dots).suffix(2))
            let body: [UInt8] = Array("JFIF\0".utf8) + [1, 1, 1] + density
            segment(0xE0, body + density + [0, 0])
        }
        if let turn {
            let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(turn), 0, 0]
            let body: [UInt8] = Array("Exif\0\0MM\0*".utf8) + number(8) + [0, 1]
            segment(0xE1, body + entry + number(0))
        }
        var frame: [UInt8] = [8] + number(height).suffix(2)
        frame += number(width).suffix(2) + [UInt8(components)]
        for component in 0..<components { frame += [UInt8(component + 1), 0x11, 0] }
        segment(0xC0, frame)
        segment(0xDA, [1, 1, 0, 0, 63, 0])
        return bytes + [1, 2, 3, 0xFF, 0xD9]
    }
}

@Suite struct PictureTests {
    private func pdf(_ pictures: [[UInt8]], _ layout: PictureLayout = PictureLayout()) throws -> PDFFile {
        var bytes: [UInt8] = []
        var pages = try PicturePages(layout: layout) { bytes += $0 }
        for picture in pictures { try pages.add(picture) }
        try pages.finish(title: "Pictures")
        return try PDFFile(bytes: bytes)
    }

    private func image(
        _ file: PDFFile, page: Int = 0
    ) throws -> (reference: PDFReference, about: PDFDictionary) {
        let about = try #require(file.dictionary(.reference(file.pages[page])))
        let pictures = file.dictionary(file.dictionary(about["Resources"])?["XObject"])
        let reference = try #require(pictures?["Picture"]?.reference)
        return (reference, try #require(file.dictionary(.reference(reference))))
    }

    private func box(_ file: PDFFile, page: Int = 0) -> [Double] {
        file.numbers(file.dictionary(.reference(file.pages[page]))?["MediaBox"])
    }

    @Test func aJPEGIsPassedThroughByteForByte() throws {
        let jpeg = Made.jpeg(width: 600, height: 300, dots: 150)
        let file = try pdf([jpeg])
        let image = try image(file)
        #expect(file.storedStream(image.reference) == jpeg)
        #expect(image.about["Filter"]?.name == "DCTDecode")
        #expect(box(file) == [0, 0, 288, 144])
    }

    @Test func aPhotoTakenOnItsSideStandsUpright() throws {
        let file = try pdf([Made.jpeg(width: 600, height: 300, turn: 6, dots: 150)])
        #expect(box(file) == [0, 0, 144, 288])
        let content = try #require(file.dictionary(.reference(file.pages[0]))?["Contents"]?.reference)
        let drawing = String(decoding: try #require(file.stream(content)), as: UTF8.self)
        #expect(drawing.contains("0 -288 144 0 0 288 cm"))
    }

    @Test func inksThatAdobeStoredUpsideDownAreTurnedBack() throws {
        var jpeg = Made.jpeg(width: 10, height: 10, components: 4)
        jpeg.insert(contentsOf: [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2], at: 2)
        let image = try image(try pdf([jpeg]))
        #expect(image.about["ColorSpace"]?.name == "DeviceCMYK")
        #expect(image.about["Decode"]?.array?.first == .integer(1))
    }

    @Test func aPNGsRowsArePassedThroughAsTheyArePacked() throws {
        let rows: [[UInt8]] = [[255, 0, 0, 0, 255, 0], [0, 0, 255, 9, 9, 9]]
        let file = try pdf([Made.png(width: 2, height: 2, colors: 2, rows: rows)])
        let image = try image(file)
        #expect(file.storedStream(image.reference) == Made.packed(rows))
        #expect(file.stream(image.reference) == rows.flatMap { $0 })
        #expect(file.flaws().isEmpty)
    }

    @Test func opacityBecomesAMask() throws {
        let rows: [[UInt8]] = [[10, 20, 30, 0, 40, 50, 60, 128]]
        let file = try pdf([Made.png(width: 2, height: 1, colors: 6, rows: rows)])
        let image = try image(file)
        #expect(file.stream(image.reference) == [10, 20, 30, 40, 50, 60])
        let mask = try #require(image.about["SMask"]?.reference)
        #expect(file.stream(mask) == [0, 128])
    }

    @Test func aClearColourOfAPaletteIsMaskedWithoutUnpacking() throws {
        let png = Made.png(
            width: 4, height: 1, depth: 2, colors: 3, rows: [[0b00_01_10_11]],
            palette: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], transparency: [255, 0])
        let image = try image(try pdf([png]))
        #expect(image.about["Mask"]?.array == [.integer(1), .integer(1)])
        let half = Made.png(
            width: 4, height: 1, depth: 2, colors: 3, rows: [[0b00_01_10_11]],
            palette: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], transparency: [255, 100, 0])
        let file = try pdf([half])
        let mask = try #require(try self.image(file).about["SMask"]?.reference)
        #expect(file.stream(mask) == [255, 100, 0, 255])
    }

    @Test func sheetsTurnForWidePicturesAndKeepTheirMargins() throws {
        var layout = PictureLayout()
        layout.size = PictureLayout.a4
        layout.margin = 36
        let file = try pdf(
            [Made.jpeg(width: 4000, height: 2000), Made.jpeg(width: 2000, height: 4000)], layout)
        #expect(box(file)[2] > box(file)[3])
        #expect(box(file, page: 1)[2] < box(file, page: 1)[3])
    }

    @Test func whereNothingIsSaidPhotosStandOnSheetsAndScansStayAsLargeAsTheyWere() throws {
        var layout = PictureLayout()
        layout.size = .usual(width: 612, height: 792)
        let pages = try pdf(
            [
                // A camera's picture, also one that claims 240 dots to the inch; a small one; a scan; a drawing.
                Made.jpeg(width: 4000, height: 3000), Made.jpeg(width: 6000, height: 4000, dots: 240),
                Made.jpeg(width: 300, height: 200), Made.jpeg(width: 2480, height: 3508, dots: 300),
                Made.png(width: 2, height: 1, colors: 6, rows: [[1, 2, 3, 4, 5, 6, 7, 8]]),
            ], layout)
        let sizes = (0..<5).map { page in box(pages, page: page)[2...].map { Int($0.rounded()) } }
        #expect(sizes[0] == [792, 612] && sizes[1] == [792, 612] && sizes[2] == [792, 612])
        #expect(sizes[3] == [595, 842])
        #expect(sizes[4] == [6, 3])
    }

    @Test func aBombEndsAtWhatItsHeadPromised() {
        let bomb = Made.png(width: 2, height: 1, colors: 6, rows: [[UInt8](repeating: 0, count: 1 << 20)])
        #expect(throws: PictureError.damaged("its pixels cannot be unpacked")) { _ = try pdf([bomb]) }
    }

    @Test func spoiledHeadsAreRefusedAndNeverTrap() {
        let whole = [
            Made.jpeg(width: 10, height: 10, turn: 3, dots: 72),
            Made.png(width: 2, height: 1, colors: 6, rows: [[1, 2, 3, 4, 5, 6, 7, 8]]),
        ]
        for picture in whole {
            for length in picture.indices { _ = try? Picture(Array(picture.prefix(length))) }
            for place in picture.indices {
                for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                    var spoiled = picture
                    spoiled[place] = value
                    _ = try? pdf([spoiled])
                }
            }
        }
    }

    @Test(.enabled(if: CorpusFiles.has("image"), "there is no corpus"))
    func everyPictureOfTheCorpusIsReadOrRefused() throws {
        var count = 0
        for name in CorpusFiles.names("image") {
            let bytes = try CorpusFiles.bytes("image/\(name)")
            guard Picture.format(of: bytes) != nil else { continue }
            do { _ = try pdf([bytes]) } catch is PictureError { continue }
            count += 1
        }
        #expect(count > 10)
    }
}
