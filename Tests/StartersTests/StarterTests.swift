import PDF
import PDFForms
import PDFReading
import Starters
import Testing
import Work

@Suite struct StarterTests {
    static let all = StarterTemplates.all.flatMap { template in
        PaperSize.allCases.map { (template.key, $0) }
    }

    @Test func thereIsOneForEachUsualOccasion() {
        #expect(StarterTemplates.all.map(\.key) == ["certificate", "consent", "invoice", "letter", "badges"])
        #expect(StarterTemplates.bytes("poem") == nil)
    }

    @Test(arguments: all) func everyStarterIsAFormWhoseFieldsSayWhatTheyAreFor(
        key: String, paper: PaperSize
    ) throws {
        let form = try Form(bytes: try #require(StarterTemplates.bytes(key, paper: paper)))
        #expect(form.repairs.isEmpty)
        #expect(form.pageCount == 1)
        #expect(form.fields.count >= 6)
        #expect(Set(form.fields.map(\.name)).count == form.fields.count)
        for field in form.fields {
            #expect(field.isListed)
            #expect((field.alternateName ?? "").count > 2, "\(field.name) has no tooltip")
            #expect(!field.name.contains("."))
            #expect(field.widgets.allSatisfy { $0.page == 0 })
        }
    }

    @Test(arguments: all) func fieldsStandOnThePageAndNotOnEachOther(key: String, paper: PaperSize) throws {
        let bytes = try #require(StarterTemplates.bytes(key, paper: paper))
        let frame = try #require(try PDFFile(bytes: bytes).frames.first)
        let sheet = frame.mediaBox
        let places = try Form(bytes: bytes).fields.flatMap(\.widgets).map(\.rectangle)
        for (index, place) in places.enumerated() {
            #expect(place.left > 14 && place.right < sheet.right - 14)
            #expect(place.bottom > 14 && place.top < sheet.top - 14)
            for other in places[(index + 1)...] {
                let width = min(place.right, other.right) - max(place.left, other.left)
                let height = min(place.top, other.top) - max(place.bottom, other.bottom)
                #expect(width < 1 || height < 1.5, "\(place) lies on \(other)")
            }
        }
    }

    static let headed = ["certificate", "consent", "invoice", "letter"].flatMap { key in
        PaperSize.allCases.map { (key, $0) }
    }

    @Test(
        .enabled(if: PageReader.isReady, "poppler-utils is not installed"), arguments: headed)
    func aLetterheadStandsAtTheTopInsteadOfTheFieldsForIt(key: String, paper: PaperSize) throws {
        let head = Letterhead(
            name: "Lumière & Sons", showsName: true,
            lines: ["1 High Street", "London N1", "+44 20 7946 0000", "hello@lumiere.example"], logo: nil,
            colour: (0x8A, 0x1C, 0x5C))
        let bytes = try #require(StarterTemplates.bytes(key, paper: paper, letterhead: head))
        let form = try Form(bytes: bytes)
        #expect(form.repairs.isEmpty && form.pageCount == 1)
        #expect(!form.fields.contains { ["Sender", "Organisation", "Return address"].contains($0.name) })
        let words = try PageReader(jail: .detect()).text(of: Sheets(bytes: bytes))[0].words.map(\.text)
        #expect(words.contains("Lumière"))
        if ["letter", "invoice"].contains(key) { #expect(words.contains("hello@lumiere.example")) }
        #expect(StarterTemplates.bytes(key, paper: paper, letterhead: head) == bytes)
        #expect(StarterTemplates.bytes(key, paper: paper) != bytes)
    }

    @Test(arguments: all) func everyFieldCanBeFilled(key: String, paper: PaperSize) throws {
        let form = try PreparedForm(bytes: try #require(StarterTemplates.bytes(key, paper: paper)))
        var values: [String: FieldValue] = [:]
        for field in form.form.fields {
            switch field.kind {
            case .checkBox: values[field.name] = .flag(true)
            case .text, .combo: values[field.name] = .text(Self.value(for: field))
            default: break
            }
        }
        let filled = form.fill(values)
        #expect(filled.findings.isEmpty, "\(filled.findings)")
        let again = try Form(bytes: filled.bytes)
        for field in again.fields where field.kind == .text { #expect(!field.value.isEmpty) }
    }

    private static func value(for field: Field) -> String {
        switch field.format {
        case .number: "12.50"
        case .percent: "0.19"
        case .date: "4 June 2026"
        default: field.flags.contains(.multiline) ? "Two\nlines" : "Zoë"
        }
    }

    @Test(arguments: all) func theSameStarterHasTheSameBytes(key: String, paper: PaperSize) {
        #expect(StarterTemplates.bytes(key, paper: paper) == StarterTemplates.bytes(key, paper: paper))
    }

    @Test(arguments: all) func everyStarterHasATitleALanguageAndAReadingOrder(
        key: String, paper: PaperSize
    ) throws {
        let file = try PDFFile(bytes: try #require(StarterTemplates.bytes(key, paper: paper)))
        #expect(file.resolve(file.catalog["Lang"]).text == "en")
        let info = file.dictionary(file.trailer["Info"])
        #expect(file.resolve(info?["Title"]).text?.isEmpty == false)
        let structure = try #require(file.dictionary(file.catalog["StructTreeRoot"]))
        let document = try #require(file.dictionary(structure["K"]))
        let kinds = file.array(document["K"]).compactMap {
            file.resolve(file.dictionary($0)?["S"]).name?.text
        }
        let widgets = try Form(bytes: file.bytes).fields.flatMap(\.widgets).count
        #expect(kinds.filter { $0 == "Form" }.count == widgets)
    }

    @Test func theInvoiceWorksItselfOut() throws {
        let form = try Form(bytes: try #require(StarterTemplates.bytes("invoice")))
        #expect(form.calculationOrder.count == 11)
        #expect(
            form.fields.first { $0.name == "Amount 3" }?.calculation?.fields == ["Quantity 3", "Price 3"])
        #expect(form.fields.first { $0.name == "Invoice date" }?.format == .date(pattern: "d mmmm yyyy"))
        let letter = try Form(bytes: try #require(StarterTemplates.bytes("invoice", paper: .letter)))
        #expect(letter.fields.first { $0.name == "Due date" }?.format == .date(pattern: "mmmm d, yyyy"))
    }

    @Test(
        .enabled(if: Child.find("qpdf") != nil && PageReader.isReady, "qpdf or poppler is not installed"),
        arguments: all)
    func otherProgramsFindNothingWrong(key: String, paper: PaperSize) throws {
        let bytes = try #require(StarterTemplates.bytes(key, paper: paper))
        try Jail.detect().cell { cell in
            try cell.put(bytes, named: "paper.pdf")
            let check = try cell.run("qpdf", ["--check", "paper.pdf"])
            #expect(check.succeeded, "\(check.outputText)\(check.errorText)")
            let fonts = try cell.run("pdffonts", ["paper.pdf"])
            #expect(fonts.errorText.isEmpty)
            let draw = try cell.run("pdftoppm", ["-r", "40", "paper.pdf", "page"])
            #expect(draw.succeeded && draw.errorText.isEmpty, "\(draw.errorText)")
        }
    }
}
