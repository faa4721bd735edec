import PDF
import PDFReading
import TestSupport
import Testing

@Suite struct FrameTests {
    private let media = PDFRectangle(left: 10, bottom: 20, right: 410, top: 320)

    @Test(arguments: [0, 90, 180, 270, -90, 450])
    func aPlaceSeenOnTheSheetLeadsBackToWhereItIsWritten(rotation: Int) {
        let frame = PageFrame(mediaBox: media, rotation: rotation)
        let place = PDFRectangle(left: 30, bottom: 40, right: 90, top: 60)
        #expect(frame.written(frame.shown(place)) == place)
    }

    @Test func aPageTurnedToTheRightShowsItsLowerLeftCornerAtTheUpperLeft() {
        let frame = PageFrame(mediaBox: media, rotation: 90)
        #expect(frame.width == 300 && frame.height == 400)
        let corner = frame.shown(PDFRectangle(left: 10, bottom: 20, right: 30, top: 25))
        #expect(corner == PDFRectangle(left: 0, bottom: 380, right: 5, top: 400))
        let seen = frame.fractions(PDFRectangle(left: 10, bottom: 20, right: 30, top: 25))
        #expect(seen.left == 0 && abs(seen.top) < 1e-9)
    }

    @Test func aCropBoxBesideTheSheetIsIgnored() {
        let frame = PageFrame(
            mediaBox: media, cropBox: PDFRectangle(left: 900, bottom: 900, right: 950, top: 950))
        #expect(frame.cropBox == media)
    }

    @Test func aPageTakesItsSizeAndItsTurnFromItsAncestors() throws {
        var maker = PageMaker()
        maker.page("", ["MediaBox": .null])
        var draft = maker.draft
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(maker.pages.map(PDFObject.reference)),
                "Count": .integer(1),
                "MediaBox": maker.box(0, 0, 200, 500), "Rotate": .integer(270),
            ]), at: maker.tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(maker.tree)]))
        let frames = try PDFFile(bytes: draft.bytes(root: root)).frames
        #expect(frames.count == 1)
        #expect(frames.first?.rotation == 270)
        #expect(frames.first?.width == 500)
    }
}
