import PDF
import PDFReading
import TestSupport
import Testing

@Suite struct DrawingTests {
    private func drawing(_ content: String, _ entries: PDFDictionary = [:]) throws -> PageDrawing {
        PageDrawing(try PDFFile(bytes: PageMaker.make { $0.page(content, entries) }), page: 0)
    }

    @Test func aLineIsSeenHoweverItIsDrawn() throws {
        for content in [
            "50 100 m 350 100 l S", "50 99.5 300 1 re f", "q 300 0 0 1 50 99.5 cm 0 0 1 1 re f Q",
        ] {
            let rules = try drawing(content).rules
            #expect(rules.count == 1)
            let rule = try #require(rules.first)
            #expect(!rule.isUpright && abs(rule.length - 300) < 0.5)
            #expect(abs(rule.place.bottom - 99.5) < 0.5)
        }
    }

    @Test func piecesOfOneLineBecomeOneLine() throws {
        let rules = try drawing("50 100 m 150 100 l S 150 100 m 350 100 l S 50 120 m 150 120 l S").rules
        #expect(rules.map(\.length).sorted() == [100, 300])
    }

    @Test func aBoxHasFourSides() throws {
        let drawing = try drawing("50 100 80 20 re S")
        #expect(drawing.boxes.map(\.place) == [PDFRectangle(left: 50, bottom: 100, right: 130, top: 120)])
        #expect(drawing.boxes.first?.isOutlined == true)
        #expect(drawing.boxes.first?.lightness == nil)
        #expect(drawing.rules.count == 4)
    }

    @Test func whiteLinesAndPathsForClippingAreNothingOneSees() throws {
        let drawing = try drawing("1 G 50 100 m 350 100 l S 10 10 50 50 re W n 1 g 0 0 300 2 re f")
        #expect(drawing.rules.isEmpty && drawing.boxes.isEmpty)
    }

    @Test func aTurnedPageIsSeenAsItIsShown() throws {
        let rules = try drawing("50 100 m 350 100 l S", ["Rotate": .integer(90)]).rules
        #expect(rules.first?.isUpright == true)
        #expect(abs((rules.first?.place.left ?? 0) - 99.5) < 0.5)
    }

    @Test func picturesInsideTheStreamAndTextAreSteppedOver() throws {
        let rules = try drawing(
            "BT (not 1 2 m\\) l) Tj [(a) -20 (b)] TJ ET BI /W 1 /H 1 /BPC 8 /CS /G ID 5 5 m 9 9 l S EI 50 100 m 350 100 l S"
        ).rules
        #expect(rules.count == 1)
    }

    @Test func aStreamOfNonsenseEndsWithoutLines() throws {
        let noise = "<<< ((( [ [ /// 1e9 -- .. 5 re re S ) > } BI ID"
        #expect(try drawing(noise).rules.isEmpty)
    }
}
