import Conversion
import Kinds
import Testing

@Suite struct WaysTests {
    @Test func everyKindFindsItsWayToPDF() {
        for kind in PaperKind.all where kind != .pdf {
            #expect(ConversionMap.route(from: kind, to: .pdf) != nil, "\(kind) has no way")
        }
        #expect(ConversionMap.route(from: .docx, to: .png)?.map(\.engine) == [.libreoffice, .poppler])
        #expect(ConversionMap.route(from: .mobi, to: .pdf)?.map(\.engine) == [.calibre, .chromium])
        #expect(ConversionMap.route(from: .png, to: .docx) == nil)
    }

    @Test func numbersInNamesCountAsNumbers() {
        let names = ["scan10.png", "scan9.png", "Scan1.png", "a.png"]
        #expect(names.sorted(by: PaperNames.areInOrder) == ["a.png", "Scan1.png", "scan9.png", "scan10.png"])
    }

    @Test func stepsAreReadAsTheyAreWritten() throws {
        #expect(try PaperStep("ocr=deu+eng") == .recognise(languages: "deu+eng"))
        // In which language is found out where nobody says it.
        for bare in ["ocr", "ocr=", "ocr=auto"] {
            #expect(try PaperStep(bare) == .recognise(languages: "auto"), "\(bare)")
        }
        #expect(try PaperStep("pdfa") == .archive(part: 2))
        #expect(try PaperStep("pdfa=PDF/A-3b") == .archive(part: 3))
        #expect(try PaperStep("png") == .become(.png))
        for wrong in ["pdfa=4b", "rotate=45", "split=0", "nonsense", "encrypt"] {
            #expect(throws: ConversionError.self, "\(wrong)") { _ = try PaperStep(wrong) }
        }
    }
}
