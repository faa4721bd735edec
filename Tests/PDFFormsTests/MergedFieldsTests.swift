import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@Suite("Many records in one file, with fields that can still be filled")
struct MergedFieldsTests {
    private func options(_ change: (inout MergedForms.Options) -> Void = { _ in }) -> MergedForms.Options {
        var options = MergedForms.Options()
        options.keepsFields = true
        change(&options)
        return options
    }

    private func merge(
        _ options: MergedForms.Options, _ work: (MergedForms) throws -> Void
    ) throws -> (bytes: [UInt8], remarks: [String]) {
        let output = Output()
        let merged = try MergedForms(options) { output.bytes += $0 }
        try work(merged)
        try merged.finish()
        return (output.bytes, merged.remarks)
    }

    /// The Python of the tests, where it is set up.
    private static let python: String? = {
        guard access(".venv/bin/python", X_OK) == 0, let here = getcwd(nil, 0) else { return nil }
        defer { free(here) }
        return String(cString: here) + "/.venv/bin/python"
    }()

    private final class Output { var bytes: [UInt8] = [] }

    private func template(_ more: (inout FormMaker) -> Void = { _ in }) -> [UInt8] {
        FormMaker.make { maker in
            maker.text("name", ["DA": .text("/Helv 10 Tf 0 g")])
            let on = maker.appearance("1 1 8 8 re S")
            maker.fields.append(
                maker.widget([
                    "T": .text("agrees"), "FT": .name("Btn"), "AS": .name("Off"),
                    "AP": .dictionary(["N": .dictionary(["On": .reference(on)])]),
                ]))
            maker.content = "0 0 100 100 re f"
            more(&maker)
        }
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    private func strangers(
        _ bytes: [UInt8], _ look: (_ run: (String, [String]) throws -> String) throws -> Void
    ) throws {
        try withScratchFolder { folder in
            try write(bytes, "\(folder)/a.pdf")
            try look { program, arguments in
                let said = try Child(
                    program, arguments.map { $0 == "FILE" ? "\(folder)/a.pdf" : $0 },
                    limits: .init(time: .seconds(60))
                ).run()
                #expect(said.succeeded, "\(program): \(said.outputText)\(said.errorText)")
                return said.outputText
            }
        }
    }

    @Test(
        "Each record has fields of its own with its own values",
        arguments: [PreparedForm.Base.append, .rewrite])
    func values(base: PreparedForm.Base) throws {
        var prepared = PreparedForm.Options()
        prepared.base = base
        let form = try PreparedForm(bytes: template(), options: prepared)
        let (bytes, remarks) = try merge(options()) { merged in
            for (name, agrees) in [("Ana", true), ("Bo (x)", false), ("Zoë Ł", true)] {
                try merged.add(form, ["name": .text(name), "agrees": .flag(agrees)], title: name)
            }
        }
        #expect(remarks == [])
        let file = try PDFFile(bytes: bytes)
        #expect(file.repairs.isEmpty)
        #expect(file.pages.count == 3)
        let fields = try Form(bytes: bytes).fields
        #expect(
            fields.map(\.name) == ["1.name", "1.agrees", "2.name", "2.agrees", "3.name", "3.agrees"])
        #expect(fields.map(\.value) == [["Ana"], ["On"], ["Bo (x)"], [], ["Zoë Ł"], ["On"]])
        // Each lies on its own page and nowhere else.
        #expect(fields.map { $0.widgets.map(\.page) } == [[0], [0], [1], [1], [2], [2]])
    }

    @Test("They can be filled once more, and one record's field changes no other")
    func filledOn() throws {
        let form = try PreparedForm(bytes: template())
        let (bytes, _) = try merge(options()) { merged in
            for name in ["Ana", "Bo"] { try merged.add(form, ["name": .text(name)]) }
        }
        let again = try PreparedForm(bytes: bytes)
        let filled = again.fill(["2.name": .text("Bo the Second"), "2.agrees": .flag(true)])
        #expect(filled.findings.isEmpty)
        let fields = try Form(bytes: filled.bytes).fields
        #expect(fields.first { $0.name == "1.name" }?.value == ["Ana"])
        #expect(fields.first { $0.name == "2.name" }?.value == ["Bo the Second"])
        #expect(fields.first { $0.name == "1.agrees" }?.value.first != "On")
    }

    @Test("Page contents and fonts are in the file once, letters of other fonts too")
    func shared() throws {
        let form = try PreparedForm(bytes: template())
        let (bytes, _) = try merge(options()) { merged in
            for row in 0..<40 { try merged.add(form, ["name": .text(row % 2 == 0 ? "王小明 \(row)" : "Ana")]) }
        }
        let file = try PDFFile(bytes: bytes)
        let contents = file.pages.map { file.dictionary(.reference($0))?["Contents"] }
        #expect(Set(contents).count == 1)
        try strangers(bytes) { run in
            let fonts = try run("/usr/bin/pdffonts", ["FILE"])
            #expect(
                fonts.split(separator: "\n").count { $0.contains("CID TrueType") || $0.contains("Type 0") }
                    <= 2, "\(fonts)")
        }
    }

    @Test("qpdf, poppler, MuPDF and pypdf agree about every value")
    func strangersAgree() throws {
        let form = try PreparedForm(bytes: template())
        let (bytes, _) = try merge(options()) { merged in
            for name in ["Ana", "王小明", "محمد"] {
                try merged.add(form, ["name": .text(name), "agrees": .flag(true)], title: name)
            }
        }
        try strangers(bytes) { run in
            #expect(
                try run("/usr/bin/qpdf", ["--check", "FILE"]).contains("No syntax or stream encoding errors"))
            let text = try run("/usr/bin/pdftotext", ["-raw", "FILE", "-"])
            let pages = text.split(separator: "\u{C}")
            #expect(pages.count == 3)
            #expect(pages[0].contains("Ana") && pages[1].contains("王小明"))
            let drawn = try run("/usr/bin/mutool", ["draw", "-F", "txt", "FILE", "3"])
            #expect(drawn.contains("محمد") || !drawn.isEmpty)
            let python = """
                import sys, pypdf
                fields = pypdf.PdfReader(sys.argv[1]).get_fields()
                print("|".join(str(fields[n].get("/V")) for n in ("1.name", "2.name", "3.name", "3.agrees")))
                """
            if let interpreter = Self.python {
                let said = try run(interpreter, ["-c", python, "FILE"])
                #expect(said.contains("Ana|王小明|محمد|/On"), "\(said)")
            }
        }
    }

    @Test("Parts of different forms keep their fields apart too; a paper for everybody stays a paper")
    func parts() throws {
        let letter = try PreparedForm(bytes: template())
        let card = try PreparedForm(bytes: FormMaker.make { $0.text("name") })
        let notice = try MergedDocument(bytes: FormMaker.make { $0.content = "1 0 0 rg 0 0 9 9 re f" })
        let (bytes, _) = try merge(options()) { merged in
            for name in ["Ana", "Bo"] {
                try merged.add([
                    .form(letter, values: ["name": .text(name)]), .document(notice),
                    .form(card, values: ["name": .text("card of \(name)")]),
                ])
            }
        }
        let fields = try Form(bytes: bytes).fields.filter { !$0.name.hasSuffix("agrees") }
        #expect(fields.map(\.name) == ["1.name", "1-3.name", "2.name", "2-3.name"])
        #expect(fields.map(\.value) == [["Ana"], ["card of Ana"], ["Bo"], ["card of Bo"]])
        #expect(try PDFFile(bytes: bytes).pages.count == 6)
    }

    @Test("Fields that compute from others and tags that are left out are said")
    func remarks() throws {
        let form = try PreparedForm(
            bytes: template { maker in
                let sum = maker.text(
                    "sum",
                    [
                        "AA": .dictionary([
                            "C": .dictionary([
                                "S": .name("JavaScript"),
                                "JS": .text("AFSimple_Calculate(\"SUM\", new Array(\"a\", \"b\"));"),
                            ])
                        ])
                    ])
                maker.form["CO"] = .array([.reference(sum)])
                maker.catalog["StructTreeRoot"] = .reference(
                    maker.draft.add(.dictionary(["Type": .name("StructTreeRoot")])))
            })
        let (bytes, remarks) = try merge(options()) { try $0.add(form, ["name": .text("Ana")]) }
        #expect(remarks.count == 2)
        #expect(remarks.contains { $0.contains("screen readers") })
        #expect(remarks.contains { $0.contains("compute") })
        #expect(try Form(bytes: bytes).fields.allSatisfy { $0.calculation == nil })
    }

    @Test("Thousands of records pass through in pieces, with their fields")
    func flat() throws {
        let form = try PreparedForm(bytes: template())
        var largest = 0
        let output = Output()
        let merged = try MergedForms(options()) { piece in
            largest = max(largest, piece.count)
            output.bytes += piece
        }
        for row in 0..<3000 { try merged.add(form, ["name": .text("Person \(row)")], title: "\(row)") }
        try merged.finish()
        #expect(largest < 2 << 20)
        let file = try PDFFile(bytes: output.bytes)
        #expect(file.repairs.isEmpty)
        #expect(file.pages.count == 3000)
        let fields = try Form(bytes: output.bytes).fields
        #expect(fields.count == 6000)
        #expect(fields.first { $0.name == "2346.name" }?.value == ["Person 2345"])
    }
}

@Suite("Long texts in one file for all")
struct MergedContinuationTests {
    private let long = (1...40).map { "sentence \($0) of a long story." }.joined(separator: " ")

    private func template() -> [UInt8] {
        FormMaker.make { maker in
            maker.text("name")
            maker.text(
                "story", ["Ff": .integer(1 << 12), "TU": .text("Your story"), "DA": .text("/Helv 9 Tf 0 g")],
                box: [20, 100, 220, 160])
        }
    }

    private final class Output { var bytes: [UInt8] = [] }

    @Test("go on on pages of the same record, linked there and back", arguments: [false, true])
    func goesOn(keepsFields: Bool) throws {
        let form = try PreparedForm(bytes: template())
        var options = MergedForms.Options()
        options.keepsFields = keepsFields
        options.continuation = Continuation()
        let output = Output()
        let merged = try MergedForms(options) { output.bytes += $0 }
        try merged.add(form, ["name": .text("Short"), "story": .text("little")], title: "Short")
        let findings = try merged.add(form, ["name": .text("Long"), "story": .text(long)], title: "Long")
        try merged.add(form, ["name": .text("Last")], title: "Last")
        try merged.finish()
        #expect(findings.map(\.kind) == [.continued])
        let file = try PDFFile(bytes: output.bytes)
        #expect(file.repairs.isEmpty)
        #expect(file.pages.count == 4)
        #expect(merged.pageCount == 4)
        func link(_ page: Int) -> PDFReference? {
            let notes = file.array(file.dictionary(.reference(file.pages[page]))?["Annots"])
            let link = notes.compactMap { file.dictionary($0) }.first { $0["Subtype"]?.name == "Link" }
            return file.array(link?["Dest"]).first?.reference
        }
        #expect(link(1) == file.pages[2])
        #expect(link(2) == file.pages[1])
        #expect(link(0) == nil)
        try withScratchFolder { folder in
            let path = "\(folder)/a.pdf"
            let target = try #require(fopen(path, "we"))
            fwrite(output.bytes, 1, output.bytes.count, target)
            fclose(target)
            #expect(try Child("/usr/bin/qpdf", ["--check", path]).run().succeeded)
            let text = try Child("/usr/bin/pdftotext", ["-raw", path, "-"]).run().outputText
            let pages = text.split(separator: "\u{C}").map { String($0.map { $0.isNewline ? " " : $0 }) }
            #expect(pages[1].contains("see attachment, item 1"))
            #expect(pages[2].contains("Continuation – item 1: Your story"))
            #expect(pages[2].contains("sentence 39 of a long story."))
            #expect(pages[3].contains("Last"))
        }
    }

    @Test("Numbers at the foot count the pages of continuation too, and sheets begin on their fronts")
    func numbers() throws {
        let form = try PreparedForm(bytes: template())
        var options = MergedForms.Options()
        options.continuation = Continuation()
        let output = Output()
        let merged = try MergedForms(options) { output.bytes += $0 }
        var sheets = MergedForms.Sheets { counts in
            let count = counts.reduce(0, +)
            return (1...count).map { "\($0) of \(count)" }
        }
        sheets.nextBeginsOnFront = true
        let columns = form.columns(["name", "story"])
        try merged.add([.row(form, columns: columns, values: [.text("Short"), nil])], sheets)
        try merged.add([.row(form, columns: columns, values: [.text("Long"), .text(long)])], sheets)
        try merged.finish()
        #expect(try PDFFile(bytes: output.bytes).pages.count == 4)
        try withScratchFolder { folder in
            let path = "\(folder)/a.pdf"
            let target = try #require(fopen(path, "we"))
            fwrite(output.bytes, 1, output.bytes.count, target)
            fclose(target)
            let text = try Child("/usr/bin/pdftotext", ["-raw", path, "-"]).run().outputText
            let pages = text.split(separator: "\u{C}", omittingEmptySubsequences: false)
            #expect(pages[0].contains("1 of 1"))
            #expect(!pages[1].contains("of"))
            #expect(pages[2].contains("1 of 2"), "\(pages[2])")
            #expect(pages[3].contains("2 of 2"))
        }
    }
}
