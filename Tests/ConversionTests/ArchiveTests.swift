import Conversion
import Kinds
import Marking
import PDF
import TestSupport
import Testing
import Work

@Suite("Papers for archives", .enabled(if: Child.find("gs") != nil, "Ghostscript is not installed"))
struct ArchiveTests {
    /// A page with notes as other programs leave them, without a picture of their own, and an answer that is hidden.
    private static func discussed() -> [UInt8] {
        PageMaker.make { maker in
            let page = maker.draft.newReference()
            func note(_ kind: String, _ entries: PDFDictionary) -> PDFReference {
                var note = entries
                note["Type"] = .name("Annot")
                note["Subtype"] = .name(PDFName(kind))
                note["P"] = .reference(page)
                note["C"] = .array([1, 0.8, 0].map(PDFObject.real))
                return maker.draft.add(.dictionary(note))
            }
            let box = maker.box(60, 195, 140, 215)
            let question = note(
                "Text", ["Rect": maker.box(200, 200, 220, 220), "Contents": .text("With heating?")])
            let notes = [
                question,
                note(
                    "Text",
                    [
                        "Rect": maker.box(200, 200, 220, 220), "Contents": .text("Yes."),
                        "IRT": .reference(question), "F": .integer(30),
                    ]),
                note(
                    "Highlight",
                    ["Rect": box, "QuadPoints": maker.box(60, 215, 140, 215, 60, 195, 140, 195)]),
                note("Ink", ["Rect": box, "InkList": .array([maker.box(60, 100, 80, 120, 100, 100)])]),
                note("Polygon", ["Rect": box, "Vertices": maker.box(60, 50, 90, 80, 120, 50)]),
            ]
            maker.page(
                "BT /F 12 Tf 60 200 Td (The rent is 900) Tj ET",
                ["Annots": .array(notes.map(PDFObject.reference))])
        }
    }

    private static func archived(
        _ bytes: [UInt8], part: Int, _ report: inout ConversionReport
    ) throws -> [UInt8] {
        try PaperSteps(ConverterTests.converter, ConversionOptions()).run(
            [.archive(part: part)], on: [Paper(name: "a.pdf", kind: .pdf, bytes: bytes)], report: &report)[0]
            .bytes
    }

    private static func report(_ bytes: [UInt8]) throws -> ArchiveReport? {
        ArchiveReport(try PDFFile(bytes: bytes))
    }

    @Test("keep to what they say of themselves, with notes that look the same to everybody", arguments: 1...3)
    func made(part: Int) throws {
        var report = ConversionReport()
        let made = try Self.archived(Self.discussed(), part: part, &report)
        let found = try #require(try Self.report(made))
        #expect(found.holds, "\(found.findings)")
        #expect(found.name == "PDF/A-\(part)b")
        // Ghostscript has no way for polygons, and in the first part for no note; that is told.
        #expect(
            report.remarks == ["Notes on “a.pdf” that could not be taken along: \(part == 1 ? 5 : 1)."])
        #expect(report.assurances == ["“a.pdf” was looked through afterwards, and keeps to PDF/A-\(part)b."])
        guard part > 1 else { return }
        let marks = try MarkedPaper(made).marks
        #expect(marks.map(\.kind).sorted() == ["highlight", "ink", "note", "note"])
        #expect(marks.map(\.text).filter { !$0.isEmpty } == ["With heating?", "Yes."])
    }

    @Test("are made of what is locked against changes, and of what has to be mended first, with its notes")
    func awkward() throws {
        let lock = try PDFLock(userPassword: "", ownerPassword: "x")
        for bytes in [
            try LockableFile(Self.discussed()).locked(lock),
            Array("junk before it\n".utf8) + Self.discussed(),
        ] {
            var report = ConversionReport()
            let made = try Self.archived(bytes, part: 2, &report)
            #expect(try Self.report(made)?.holds == true)
            #expect(try MarkedPaper(made).marks.count == 4)
        }
    }

    @Test("carry files as the third part wants them, and none before it")
    func carrying() throws {
        let paper = Paper(name: "a.pdf", kind: .pdf, bytes: Self.discussed())
        let data = PDFTools.Attachment(name: "hours.csv", mediaType: "text/csv", bytes: Array("a;b\n".utf8))
        let whole = try PDFTools.carrying([data], in: paper).bytes
        var report = ConversionReport()
        let third = try Self.archived(whole, part: 3, &report)
        #expect(try Self.report(third)?.holds == true)
        let inside = try PDFTools.attachments(in: Paper(name: "a.pdf", kind: .pdf, bytes: third))
        #expect(inside.map(\.name) == ["hours.csv"] && inside.map(\.bytes) == [data.bytes])
        let second = try Self.archived(whole, part: 2, &report)
        #expect(try Self.report(second)?.holds == true)
    }

    @Test("are found out when they do not keep to it")
    func spoiled() throws {
        var report = ConversionReport()
        let sound = try Self.archived(Self.discussed(), part: 2, &report)
        #expect(try Self.report(Self.discussed()) == nil)
        func rules(_ spoil: (PDFFile, inout PDFDictionary) -> Void) throws -> [ArchiveReport.Rule] {
            let file = try PDFFile(bytes: sound)
            let root = try #require(file.trailer["Root"]?.reference)
            var catalog = file.catalog
            spoil(file, &catalog)
            #expect(file.replace(root, with: .dictionary(catalog)))
            return try Self.report(file.rewritten())?.findings.map(\.rule) ?? []
        }
        func change(_ file: PDFFile, page: (inout PDFDictionary) -> Void) {
            var entries = file.dictionary(.reference(file.pages[0])) ?? [:]
            page(&entries)
            _ = file.replace(file.pages[0], with: .dictionary(entries))
        }
        #expect(try rules { _, _ in } == [])
        #expect(
            try rules { _, catalog in
                catalog["OpenAction"] = .dictionary(["S": .name("JavaScript"), "JS": .text("app.beep()")])
            } == [.actions])
        #expect(try rules { $1["OutputIntents"] = nil }.contains(.colours))
        #expect(
            try rules { file, _ in
                change(file) {
                    var resources = file.dictionary($0["Resources"]) ?? [:]
                    var fonts = file.dictionary(resources["Font"]) ?? [:]
                    for name in fonts.keys {
                        fonts[name] = .dictionary([
                            "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Courier"),
                        ])
                    }
                    resources["Font"] = .dictionary(fonts)
                    $0["Resources"] = .dictionary(resources)
                }
            } == [.fonts])
        #expect(
            try rules { file, _ in
                change(file) {
                    $0["Annots"] = .array([
                        .dictionary([
                            "Type": .name("Annot"), "Subtype": .name("Text"), "F": .integer(2),
                            "Rect": .array([0, 0, 20, 20].map(PDFObject.integer)),
                        ])
                    ])
                }
            } == [.looks, .hiddenNotes])
        #expect(
            try rules { _, catalog in
                catalog["AcroForm"] = .dictionary(["Fields": .array([]), "NeedAppearances": .boolean(true)])
            } == [.form])
        let first = try Self.archived(Self.discussed(), part: 1, &report)
        let file = try PDFFile(bytes: first)
        var page = file.dictionary(.reference(file.pages[0])) ?? [:]
        page["Resources"] = .dictionary([
            "ExtGState": .dictionary(["G": .dictionary(["ca": .real(0.5)])])
        ])
        #expect(file.replace(file.pages[0], with: .dictionary(page)))
        var plain = PDFFile.Writing()
        plain.packsObjects = false
        #expect(try Self.report(file.rewritten(plain))?.findings.map(\.rule).contains(.seeThrough) == true)
        #expect(try Self.report(sound + Array("more".utf8))?.findings.map(\.rule) == [.end])
        let locked = try LockableFile(sound).locked(try PDFLock(userPassword: "", ownerPassword: "x"))
        let found = try Self.report(locked)?.findings
        #expect(found?.first?.rule == .locked, "\(found ?? [])")
    }

    @Test(
        "of other makers are judged as they are known to be",
        .enabled(if: CorpusFiles.has("pdf/076-pyHanko-minimal-pdf-ua-and-a.pdf"), "the corpus is not here")
    )
    func others() throws {
        for (name, rules) in [
            ("pdf/076-pyHanko-minimal-pdf-ua-and-a.pdf", []),
            ("pdf/085-veraPDF-corpus-veraPDF_test_suite_6-3-3-t01-fail-b.pdf", [.looks]),
            ("form/027-veraPDF-corpus-veraPDF_test_suite_6-4-2-t01-fail-b.pdf", [.fonts, .form]),
        ] as [(String, [ArchiveReport.Rule])] {
            let found = try #require(try Self.report(CorpusFiles.bytes(name))).findings
            #expect(found.map(\.rule) == rules, "\(name): \(found)")
        }
    }
}
