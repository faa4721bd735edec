import PDF
import PDFForms
import PDFReading
import TestSupport
import Testing
import Work

@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct ProposalTests {
    private static let reader = PageReader(jail: .detect())

    private func flat(_ content: String, _ entries: PDFDictionary = [:]) -> [UInt8] {
        PageMaker.make { $0.page(content, entries) }
    }

    private func proposals(_ bytes: [UInt8]) throws -> [FieldProposal] {
        try FieldProposals(for: PDFFile(bytes: bytes), reader: Self.reader).all
    }

    private static func words(_ text: String, _ x: Int, _ y: Int) -> String {
        "BT /F 10 Tf \(x) \(y) Td (\(text)) Tj ET "
    }

    private static let page =
        words("Full name: ______________________________", 20, 260)
        + words("Signature", 20, 232) + "70 230 m 250 230 l S "
        + words("I agree", 36, 202) + "20 200 11 11 re S "
        + words("Number", 20, 180) + (0..<6).map { "\(80 + $0 * 14) 176 14 16 re S " }.joined()
        + words("Remarks", 23, 150) + "20 90 300 70 re S "
        + "0.85 g 20 40 300 20 re f 0 g " + words("For the office", 24, 46)

    @Test func aFlatFormIsSeenAsAReaderSeesIt() throws {
        let found = try proposals(flat(Self.page))
        #expect(found.map(\.kind) == [.text, .signature, .checkBox, .comb, .multiline])
        #expect(found.map(\.name) == ["Full name", "Signature", "I agree", "Number", "Remarks"])
        #expect(found.allSatisfy { $0.confidence > 0.5 })
        #expect(found.dropFirst(3).first?.cellCount == 6)
        let remarks = try #require(found.last)
        #expect(remarks.place.top < 151 && remarks.place.bottom < 92)
    }

    @Test func acceptedProposalsAreRealFieldsAndCanBeFilled() throws {
        let bytes = flat(Self.page)
        let form = try FieldProposals.add(proposals(bytes), to: bytes)
        #expect(form.starts(with: bytes))
        let prepared = try PreparedForm(bytes: form)
        let filled = prepared.fill([
            "Full name": .text("Zoë Müller"), "I agree": .flag(true), "Number": .text("123456"),
            "Remarks": .text("None"),
        ])
        #expect(filled.findings.isEmpty)
        let again = try Form(bytes: filled.bytes)
        #expect(again.fields.first { $0.name == "Number" }?.flags.contains(.comb) == true)
        let text = try #require(try Self.reader.text(of: Sheets(bytes: filled.bytes)).first)
        let name = try #require(again.fields.first { $0.name == "Full name" }?.widgets.first)
        #expect(text.text(in: name.rectangle).contains("Zoë Müller"))
        guard Child.find("qpdf") != nil else { return }
        try Self.reader.jail.cell { cell in
            try cell.put(filled.bytes, named: "filled.pdf")
            let said = try cell.run("qpdf", ["--check", "filled.pdf"])
            #expect(said.succeeded, "\(said.outputText) \(said.errorText)")
        }
    }

    @Test func proposalsOnATurnedPageStandWhereTheReaderSeesThem() throws {
        let turned = "0 1 -1 0 400 0 cm " + Self.words("Name: ____________________", 20, 200)
        let bytes = flat(turned, ["Rotate": .integer(90)])
        let found = try proposals(bytes)
        #expect(found.count == 1)
        let place = try #require(found.first).place
        // Along the page's height, as the words run.
        #expect(place.height > place.width)
        let form = try FieldProposals.add(found, to: bytes)
        let filled = try PreparedForm(bytes: form).fill(["Name": .text("Anna")])
        let text = try #require(try Self.reader.text(of: Sheets(bytes: filled.bytes)).first)
        let word = try #require(text.words.first { $0.text == "Anna" })
        #expect(word.place.width > word.place.height)
    }

    @Test func twoFieldsNeverHaveOneName() throws {
        let bytes = flat(
            Self.words("Date ____________", 20, 260) + Self.words("Date ____________", 20, 230)
                + Self.words("Birth.date ____________", 20, 200))
        let found = try proposals(bytes)
        #expect(found.map(\.name) == ["Date", "Date 2", "Birth date"])
        let form = try FieldProposals.add(found, to: bytes)
        let more = FieldProposal(
            kind: .text, page: 0, place: PDFRectangle(left: 20, bottom: 20, right: 90, top: 34), name: "Date")
        let fields = try Form(bytes: FieldProposals.add([more], to: form)).fields.map(\.name)
        #expect(Set(fields).count == 4 && fields.count == 4)
    }

    @Test func whatIsAFieldAlreadyIsNotProposedAgain() throws {
        let bytes = flat(Self.words("Name ____________", 20, 260) + Self.words("City ____________", 20, 230))
        let found = try proposals(bytes)
        let form = try FieldProposals.add(Array(found.prefix(1)), to: bytes)
        #expect(try proposals(form).map(\.name) == ["City"])
    }

    @Test func theSameProposalsGiveTheSameBytes() throws {
        let bytes = flat(Self.page)
        let found = try proposals(bytes)
        #expect(try FieldProposals.add(found, to: bytes) == FieldProposals.add(found, to: bytes))
    }

    @Test func aDrawingWithThousandsOfLinesIsNoFormAndComesToAnEnd() throws {
        var content = ""
        for index in 0..<12_000 {
            let x = index * 37 % 390
            let y = index * 91 % 290
            content +=
                index.isMultiple(of: 2)
                ? "\(x) \(y) m \(x + 40) \(y) l S " : "\(x) \(y) m \(x) \(y + 40) l S "
        }
        for index in 0..<3_000 { content += Self.words("w\(index)", index * 53 % 380, index * 29 % 290) }
        #expect(try proposals(flat(content)).count < 3_000)
    }

    @Test func aPageOfTextHasNoPlacesToFillIn() throws {
        let lines = (0..<20).map {
            Self.words("This is a sentence of a letter that nobody fills in.", 20, 280 - $0 * 12)
        }
        #expect(try proposals(flat(lines.joined())).isEmpty)
    }
}
