import Archives
import Conversion
import Testing
import TestSupport
import Work

@Suite struct DetectionTests {
    private func zip(_ entries: [(String, String)]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = ZIPWriter { bytes += $0 }
        for (name, text) in entries {
            try writer.add(name, Array(text.utf8), modified: Moment(milliseconds: 1_795_260_900_000))
        }
        try writer.finish()
        return bytes
    }

    @Test func bytesAreBelievedAndNamesAreNot() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(PaperKind.detect(png, name: "photo.jpg") == .png)
        #expect(PaperKind.detect([0xFF, 0xD8, 0xFF, 0xE0], name: "letter.docx") == .jpeg)
        #expect(PaperKind.detect(Array("%PDF-1.7\n".utf8), name: "x") == .pdf)
        #expect(PaperKind.detect(Array("junk\n%PDF-1.4".utf8), name: "mail.bin") == .pdf)
        #expect(PaperKind.detect(Array("{\\rtf1 hello}".utf8), name: "a.doc") == .rtf)
    }

    @Test func textInUTF16IsKnownByWhatItSays() throws {
        func wide(_ text: String) -> [UInt8] {
            [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        }
        #expect(PaperKind.detect(wide("<!DOCTYPE html><p>está"), name: "x") == .html)
        #expect(PaperKind.detect(wide("Grüße"), name: "x") == .text)
        #expect(PaperKind.detect(wide("a;b\n1;2"), name: "x.csv") == .csv)
    }

    @Test func archivesAreKnownByTheirMembers() throws {
        #expect(PaperKind.detect(try zip([("word/document.xml", "<w/>")]), name: "a.zip") == .docx)
        #expect(PaperKind.detect(try zip([("xl/workbook.xml", "<w/>")]), name: "a.docx") == .xlsx)
        #expect(PaperKind.detect(try zip([("ppt/presentation.xml", "<w/>")])) == .pptx)
        let odt = try zip([("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<x/>")])
        #expect(PaperKind.detect(odt) == .odt)
        #expect(PaperKind.detect(try zip([("mimetype", "application/epub+zip")])) == .epub)
        #expect(PaperKind.detect(try zip([("holiday.jpg", "x")]), name: "a.zip") == nil)
    }

    @Test func oldKindsThatOnlyLibreOfficeReadsAreKnown() throws {
        #expect(PaperKind.detect([0xFF, 0x57, 0x50, 0x43, 1, 2], name: "a.bin") == .wpd)
        #expect(PaperKind.detect(try zip([("mimetype", "application/vnd.sun.xml.calc")])) == .sxc)
        #expect(PaperKind.detect(try zip([("visio/document.xml", "<x/>")])) == .vsdx)
        let apple = try zip([("Index/Document.iwa", "x")])
        #expect(PaperKind.detect(apple, name: "a.numbers") == .numbers)
        #expect(PaperKind.detect(apple, name: "a.zip") == nil)
        // A table with a column that is called ID is no SYLK, whatever some programs say.
        #expect(PaperKind.detect(Array("ID;Price\n1;2\n".utf8), name: "a.csv") == .csv)
        #expect(PaperKind.detect(Array("ID;PSCALC3\nC;X1;Y1;K1\nE\n".utf8), name: "a.slk") == .slk)
        let table: [UInt8] = [3] + Array(repeating: 0, count: 40)
        #expect(PaperKind.detect(table, name: "a.dbf") == .dbf && PaperKind.detect(table, name: "a") == nil)
        for kind in PaperKind.all where ![.pdf, .csv].contains(kind) {
            let isMade = ConversionMap.route(from: kind, to: .pdf) != nil
            #expect(isMade, "there is no way from \(kind) to PDF")
        }
    }

    @Test func theNameDecidesAmongKindsOfText() {
        let text = Array("# Title\n\nwords, and more\n".utf8)
        #expect(PaperKind.detect(text, name: "a.md") == .markdown)
        #expect(PaperKind.detect(text, name: "a.csv") == .csv)
        #expect(PaperKind.detect(text, name: "a.pdf") == .text)
        #expect(PaperKind.detect(Array("<!DOCTYPE html><p>".utf8), name: "a.txt") == .html)
        #expect(PaperKind.detect(Array("<svg xmlns='x'/>".utf8)) == .svg)
        let mail = Array("From: a@b.example\r\nDate: now\r\nSubject: x\r\n\r\nHello".utf8)
        #expect(PaperKind.detect(mail) == .mail)
        #expect(PaperKind.detect([0, 1, 2, 3, 4], name: "a.txt") == nil)
    }

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

    @Test(.enabled(if: CorpusFiles.root != nil, "there is no corpus"))
    func realFilesAreWhatTheirNamesSay() throws {
        for folder in ["office", "ebook", "image"] {
            for name in CorpusFiles.names(folder) {
                guard let expected = PaperKind.named(PaperKind.ending(of: name)) else { continue }
                guard let found = PaperKind.detect(try CorpusFiles.bytes("\(folder)/\(name)"), name: name)
                else {
                    continue
                }
                // Made to be something else than its name says.
                if name.hasSuffix("-not-ocf-error.epub") { continue }
                let isNear = found.family == expected.family
                #expect(isNear, "\(name) was taken for \(found)")
            }
        }
    }
}
