import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@Suite("Text too long for its place")
struct ContinuationTests {
    private let long = (1...120).map { "sentence \($0) of a long story." }.joined(separator: " ")

    private func template() -> [UInt8] {
        FormMaker.make { maker in
            maker.text("name")
            maker.text(
                "story", ["Ff": .integer(1 << 12), "TU": .text("Your story"), "DA": .text("/Helv 9 Tf 0 g")],
                box: [20, 100, 220, 160])
            maker.text("code", ["MaxLen": .integer(5)])
        }
    }

    private func fill(
        _ values: [String: FieldValue], _ rule: Continuation = Continuation(),
        _ adjust: (inout PreparedForm.Options, inout DocumentExtras) throws -> Void = { _, _ in }
    ) throws -> (form: PreparedForm, filled: Filled, doubts: [Finding]) {
        var options = PreparedForm.Options()
        var extras = DocumentExtras(continuation: rule)
        try adjust(&options, &extras)
        let form = try PreparedForm(bytes: template(), options: options)
        let names = values.keys.sorted()
        let row = names.map { values[$0] }
        let columns = form.columns(names)
        let filled = try form.fill(columns: columns, row: row, extras: extras)
        return (form, filled, form.prove(filled, columns: columns, row: row))
    }

    /// The words on each page as poppler reads them; after qpdf has found nothing wrong.
    private func pages(_ filled: Filled, password: String = "") throws -> [String] {
        try withScratchFolder { folder in
            let file = try #require(fopen("\(folder)/a.pdf", "wb"))
            fwrite(filled.bytes, 1, filled.byteCount, file)
            fclose(file)
            let check = try Child("/usr/bin/qpdf", ["--check", "--password=\(password)", "\(folder)/a.pdf"])
                .run()
            #expect(check.succeeded, "\(check.outputText)\(check.errorText)")
            let text = try Child("/usr/bin/pdftotext", ["-raw", "-upw", password, "\(folder)/a.pdf", "-"])
                .run()
            return text.outputText.split(separator: "\u{C}").map {
                String($0.map { $0.isNewline ? " " : $0 })
            }
        }
    }

    @Test("goes on behind the form: all of it there, its beginning and where to look in the field")
    func goesOn() throws {
        let (form, filled, doubts) = try fill(["name": .text("Ann"), "story": .text(long)])
        #expect(doubts.isEmpty)
        #expect(filled.addedPages > 0)
        #expect(filled.findings.map(\.kind) == [.continued])
        #expect(filled.findings.allSatisfy { !$0.isSerious })
        let isUntouched = filled.bytes.starts(with: template())
        #expect(isUntouched && form.keepsOriginal)
        let story = try #require(Form(bytes: filled.bytes).fields.first { $0.name == "story" }?.value.first)
        #expect(story.hasPrefix("sentence 1 of") && story.hasSuffix("… (see attachment, item 1)"))
        let pages = try pages(filled)
        #expect(pages.count == 1 + filled.addedPages)
        #expect(pages[0].contains("see attachment, item 1"))
        #expect(pages[1].contains("Continuation – item 1: Your story"))
        #expect(pages.dropFirst().joined().contains(long))
    }

    @Test("is linked there and back")
    func links() throws {
        let filled = try fill(["story": .text(long)]).filled
        let file = try PDFFile(bytes: filled.bytes)
        func target(_ page: Int) -> PDFReference? {
            let notes = file.array(file.dictionary(.reference(file.pages[page]))?["Annots"])
            let link = notes.compactMap { file.dictionary($0) }.first { $0["Subtype"]?.name == "Link" }
            return file.array(link?["Dest"]).first?.reference
        }
        #expect(target(0) == file.pages[1])
        #expect(target(1) == file.pages[0])
    }

    @Test("of any script goes on, over as many pages as it needs")
    func scripts() throws {
        let story = (1...400).map { "Łódź \($0) 北京 سلام" }.joined(separator: "\n")
        let filled = try fill(["story": .text(story)]).filled
        #expect(filled.addedPages > 3)
        let pages = try pages(filled)
        #expect(pages.count == 1 + filled.addedPages)
        let all = pages.dropFirst().joined(separator: " ")
        #expect(all.contains("Łódź 1 ") && all.contains("Łódź 400") && all.contains("北京"))
    }

    @Test("goes on in flattened, rewritten and locked copies too")
    func everywhere() throws {
        for flattening in [PreparedForm.Flattening.none, .all] {
            let (_, filled, doubts) = try fill(["story": .text(long)]) { options, extras in
                options.base = .rewrite
                options.flattens = flattening
                options.locks = true
                extras.lock = try PDFLock(userPassword: "pw")
                extras.info.title = "A story"
            }
            #expect(doubts.isEmpty)
            let pages = try pages(filled, password: "pw")
            #expect(pages.count == 1 + filled.addedPages)
            #expect(pages[0].contains("see attachment, item 1"))
            #expect(pages.dropFirst().joined().contains(long))
        }
    }

    @Test("goes on only where the rule says so, and is counted")
    func rules() throws {
        let (_, without, _) = try fill(["story": .text(long)], Continuation(fields: ["name"]))
        #expect(without.addedPages == 0)
        #expect(without.findings.map(\.kind) == [.clipped])
        let (_, both, _) = try fill([
            "story": .text(long), "code": .text("1234567"), "name": .text(String(long.prefix(300))),
        ])
        let fields = try Form(bytes: both.bytes).fields
        #expect(fields.first { $0.name == "code" }?.value == ["12345"])
        #expect(fields.first { $0.name == "name" }?.value.first?.hasSuffix("item 2)") == true)
        let pages = try pages(both)
        let behind = pages.dropFirst().joined(separator: " ")
        #expect(behind.contains("item 1: code 1234567") && behind.contains("item 2: name"))
    }

    @Test("that fits goes nowhere")
    func fits() throws {
        let (_, filled, _) = try fill(["story": .text("short"), "name": .text("Ann")])
        #expect(filled.addedPages == 0)
        #expect(filled.findings.isEmpty)
    }
}
