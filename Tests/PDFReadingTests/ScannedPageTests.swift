import PDF
import PDFReading
import TestSupport
import Testing

@Suite("A page as a scanner makes it")
struct ScannedPageTests {
    /// A page of two by one inches at 300 dots per inch.
    private static let width = 600
    private static let height = 300
    private static let plain = "q 144 0 0 72 0 0 cm /Scan Do Q"

    private func scanned(
        _ content: String = plain, page more: PDFDictionary = [:], picture changes: PDFDictionary = [:],
        bytes: [UInt8]? = nil
    ) throws -> ScannedPage? {
        let document = PageMaker.make { maker in
            var about: PDFDictionary = [
                "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(Self.width),
                "Height": .integer(Self.height), "ColorSpace": .name("DeviceGray"),
                "BitsPerComponent": .integer(8),
            ]
            for key in changes.keys { about[key] = changes[key] }
            let bytes = bytes ?? [UInt8](repeating: 200, count: Self.width * Self.height)
            let picture = maker.draft.addStream(about, bytes)
            var entries = more
            entries["MediaBox"] = maker.box(0, 0, 144, 72)
            entries["Resources"] = .dictionary([
                "XObject": .dictionary(["Scan": .reference(picture), "Other": .reference(picture)])
            ])
            maker.page(content, entries)
        }
        return try ScannedPage(of: Sheets(bytes: document), page: 0)
    }

    private func begins(_ scan: ScannedPage?, _ head: String, byteCount: Int) -> Bool {
        scan?.width == Self.width && scan?.picture.starts(with: head.utf8) == true
            && scan?.picture.count == head.utf8.count + byteCount
    }

    @Test("is taken off it as it is: grey, coloured, black and white")
    func dots() throws {
        #expect(begins(try scanned(), "P5\n600 300\n255\n", byteCount: 600 * 300))
        let tan = [[UInt8]](repeating: [200, 100, 50], count: 600 * 300).flatMap(\.self)
        let colored = try scanned(picture: ["ColorSpace": .name("DeviceRGB")], bytes: tan)
        #expect(begins(colored, "P5\n600 300\n255\n", byteCount: 600 * 300))
        #expect(colored?.picture.last == 124)
        let bits = [UInt8](repeating: 200, count: 600 / 8 * 300)
        let black = try scanned(picture: ["BitsPerComponent": .integer(1)], bytes: bits)
        #expect(begins(black, "P4\n600 300\n", byteCount: 600 / 8 * 300))
        // In a PDF 1 is light, in such a file it is ink.
        #expect(black?.picture.last == ~200)
    }

    @Test("hands over a JPEG untouched")
    func jpeg() throws {
        let bytes = Array("what a camera wrote".utf8)
        #expect(try scanned(picture: ["Filter": .name("DCTDecode")], bytes: bytes)?.picture == bytes)
    }

    @Test(
        "may say where the picture stands in more than one way",
        arguments: [
            "/Scan Do", "144 0 0 72 0 0 cm /Scan Do", "q q 72 0 0 72 0 0 cm 2 0 0 1 0 0 cm /Scan Do Q Q",
            "/Artifact BMC q 143.5 0 0 72 .2 0 cm /Scan Do Q EMC",
        ])
    func ways(content: String) throws {
        let isUnscaled = content == "/Scan Do"
        #expect(try (scanned(content) == nil) == isUnscaled)
    }

    @Test(
        "is none with anything else on it, and where the picture is not the whole upright page",
        arguments: [
            "", "144 0 0 72 0 0 cm", "q 144 0 0 72 0 0 cm /Scan Do Q q 20 0 0 20 0 0 cm /Other Do Q",
            "q 144 0 0 72 0 0 cm /Scan Do Q 0 0 m 100 100 l S", "q 144 0 0 72 0 0 cm /Missing Do Q",
            "q 144 0 0 72 0 0 cm /Scan Do Q BT /F 12 Tf (words) Tj ET", "q 100 0 0 72 0 0 cm /Scan Do Q",
            "q 144 0 0 72 30 0 cm /Scan Do Q", "q 0 72 -144 0 144 0 cm /Scan Do Q",
            "q 144 0 0 -72 0 72 cm /Scan Do Q", "/Soft gs q 144 0 0 72 0 0 cm /Scan Do Q",
            "0 0 20 20 re W n q 144 0 0 72 0 0 cm /Scan Do Q", "q 144 0 0 72 0 0 cm Q /Scan Do",
        ])
    func others(content: String) throws {
        #expect(try scanned(content) == nil)
    }

    @Test("is none where it is turned, has notes on it, or its picture needs more than its dots")
    func unusual() throws {
        #expect(try scanned(page: ["Rotate": .integer(90)]) == nil)
        let note = PDFObject.dictionary(["Subtype": .name("FreeText")])
        #expect(try scanned(page: ["Annots": .array([note])]) == nil)
        let changes: [PDFDictionary] = [
            ["SMask": .integer(1)], ["Decode": .array([.integer(1), .integer(0)])],
            ["ImageMask": .boolean(true)],
            ["ColorSpace": .name("DeviceCMYK")],
            ["ColorSpace": .array([.name("Indexed"), .name("DeviceRGB"), .integer(1), .text("abcdef")])],
            ["BitsPerComponent": .integer(16)], ["Filter": .name("CCITTFaxDecode")],
            ["Subtype": .name("Form")], ["Width": .integer(-600)], ["Height": .integer(.max)],
            // Coarser, finer, and with other dots across than up.
            ["Width": .integer(300), "Height": .integer(150)],
            ["Width": .integer(1200), "Height": .integer(600)],
            ["Height": .integer(150)],
        ]
        for change in changes { #expect(try scanned(picture: change) == nil, "\(change)") }
        #expect(try scanned(bytes: [1, 2, 3]) == nil)
    }
}
