import Archives
import Browsing
import Bytes
import Conversion
import Kinds
import Office
import PDF
import Testing
import Work

@Suite("A PDF becomes a paper to be gone on with", .serialized)
struct FlowTests {
    static let engines = Engines(jail: Jail.detect())
    static let converter = Converter(engines)

    private func convert(
        _ name: String, _ bytes: [UInt8], to goal: PaperKind
    ) throws -> (
        paper: Paper, remarks: [String]
    ) {
        let made = try Self.converter.convert([ConversionInput(name: name, .bytes(bytes))], to: goal)
        return (try #require(made.papers.first), made.report.remarks)
    }

    /// Pages with words at places, made without any engine: each word its size, its place from the lower left, and whether
    /// it is bold.
    private func pages(_ pages: [[(x: Int, y: Int, size: Int, isBold: Bool, text: String)]]) -> [UInt8] {
        var draft = PDFDraft()
        func font(_ name: String) -> PDFReference {
            draft.add(
                .dictionary([
                    "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name(PDFName(name)),
                    "Encoding": .name("WinAnsiEncoding"),
                ]))
        }
        let (plain, bold) = (font("Helvetica"), font("Helvetica-Bold"))
        let tree = draft.newReference()
        let kids = pages.map { words -> PDFObject in
            let content = words.map { word in
                "BT /\(word.isBold ? "B" : "F") \(word.size) Tf 1 0 0 1 \(word.x) \(word.y) Tm (\(word.text)) Tj ET\n"
            }.joined()
            return .reference(
                draft.add(
                    .dictionary([
                        "Type": .name("Page"), "Parent": .reference(tree),
                        "MediaBox": .array([.integer(0), .integer(0), .integer(612), .integer(792)]),
                        "Contents": .reference(draft.addStream([:], Array(content.utf8))),
                        "Resources": .dictionary([
                            "Font": .dictionary(["F": .reference(plain), "B": .reference(bold)])
                        ]),
                    ])))
        }
        draft.put(
            .dictionary(["Type": .name("Pages"), "Count": .integer(pages.count), "Kids": .array(kids)]),
            at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }

    private let lease: [(x: Int, y: Int, size: Int, isBold: Bool, text: String)] = [
        (72, 700, 22, true, "The lease"),
        (72, 660, 11, false, "This is a long line of a paragraph that goes on be-"),
        (72, 646, 11, false, "low, and ends there."), (72, 610, 15, true, "What it costs"),
        (72, 580, 11, false, "Month"), (200, 580, 11, false, "Rent"), (300, 580, 11, false, "Heat"),
        (72, 566, 11, false, "May"), (200, 566, 11, false, "900"), (300, 566, 11, false, "80"),
        (72, 552, 11, false, "June"), (200, 552, 11, false, "900"), (300, 552, 11, false, "70"),
        (72, 510, 11, false, "1. First a thing"), (72, 494, 11, false, "2. Then another"),
    ]

    @Test("Headings, paragraphs, tables and lists are found, and a broken word is whole again")
    func markdown() throws {
        let (paper, remarks) = try convert("lease.pdf", pages([lease]), to: .markdown)
        #expect(
            String(decoding: paper.bytes, as: UTF8.self) == """
                # The lease

                This is a long line of a paragraph that goes on below, and ends there.

                ## What it costs

                | Month | Rent | Heat |
                |---|---|---|
                | May | 900 | 80 |
                | June | 900 | 70 |

                1. First a thing
                2. Then another

                """)
        #expect(remarks.first?.contains("exact places are not kept") == true)
        #expect(remarks.contains { $0.hasPrefix("Tables found in “lease.pdf”: 1. How sure that is: ") })
    }

    @Test("What stands at the edge of each page is left out, and a sentence goes on over the page")
    func running() throws {
        let texts = [
            "The first page says something that goes", "on here, and the second says more that is",
            "at last at its end.",
        ]
        let (paper, remarks) = try convert(
            "book.pdf",
            pages(
                texts.enumerated().map { number, text in
                    [
                        (72, 760, 9, false, "Annual report"), (72, 700, 11, false, text),
                        (300, 30, 9, false, "Page \(number + 1) of 3"),
                    ]
                }), to: .markdown)
        #expect(
            String(decoding: paper.bytes, as: UTF8.self)
                == "The first page says something that goes on here, and the second says more that is at last at its end.\n"
        )
        #expect(remarks.contains("What stands at the edge of each page of “book.pdf” was left out."))
    }

    @Test(
        "LibreOffice opens the Word file and reads the same words in it",
        .enabled(if: Offices.isInstalled, "LibreOffice is not installed"))
    func word() throws {
        let made = try convert("lease.pdf", pages([lease]), to: .docx).paper
        #expect(made.name == "lease.docx")
        let text = String(
            decoding: try convert("lease.docx", made.bytes, to: .text).paper.bytes, as: UTF8.self)
        for words in [
            "The lease", "goes on below, and ends there.", "What it costs", "June", "70", "Then another",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        let zip = try ZIPReader(bytes: made.bytes)
        let document = String(decoding: try zip.bytes(try #require(zip["word/document.xml"])), as: UTF8.self)
        #expect(
            document.contains("<w:pStyle w:val=\"Heading1\"/>")
                && document.contains("<w:pStyle w:val=\"Heading2\"/>"))
        #expect(document.ranges(of: "<w:tr>").count == 3)
    }

    @Test(
        "A book is made that Chromium reads again",
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func book() throws {
        let made = try convert("lease.pdf", pages([lease]), to: .epub).paper
        #expect(PaperKind.detect(made.bytes) == .epub)
        let back = try convert("lease.epub", made.bytes, to: .pdf).paper
        let text = String(
            decoding: try convert("lease.pdf", back.bytes, to: .text).paper.bytes, as: UTF8.self)
        #expect(text.contains("What it costs") && text.contains("Then another"))
    }

    @Test("As a step it says the same of what is not kept")
    func step() throws {
        var report = ConversionReport()
        let made = try PaperSteps(Self.converter, ConversionOptions()).run(
            [try PaperStep("docx")], on: [Paper(name: "lease.pdf", kind: .pdf, bytes: pages([lease]))],
            report: &report)
        #expect(made.map(\.name) == ["lease.docx"])
        #expect(report.remarks.first?.contains("exact places are not kept") == true)
    }

    @Test("A scan without words is refused with what to do first")
    func scan() {
        let failure = #expect(throws: ConversionError.self) {
            _ = try convert("scan.pdf", pages([[]]), to: .docx)
        }
        #expect(failure.map { "\($0)" }?.contains("Make it searchable first.") == true)
    }

    @Test("What is read off pages is not drawn again as another paper")
    func ways() {
        #expect(ConversionMap.route(from: .pdf, to: .webp) == nil)
        #expect(ConversionMap.route(from: .pdf, to: .odt)?.map(\.engine) == [.reading, .libreoffice])
        #expect(ConversionMap.route(from: .jpeg, to: .docx) == nil)
    }
}
