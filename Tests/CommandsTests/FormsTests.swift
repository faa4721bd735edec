import Bytes
import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@testable import Commands

/// Forms on the command line, without a desk.
@Suite struct FormsTests {
    /// A form with a name and a box, and a table for it.
    private func inFolder(_ table: String, _ body: (String) throws -> Void) throws {
        try withScratchFolder { folder in
            var draft = PDFDraft()
            let page = draft.newReference()
            func widget(_ entries: PDFDictionary, _ bottom: Int) -> PDFObject {
                var widget = entries
                widget["Type"] = .name("Annot")
                widget["Subtype"] = .name("Widget")
                widget["F"] = .integer(4)
                widget["Rect"] = .array([10, bottom, 200, bottom + 20].map(PDFObject.integer))
                return .reference(draft.add(.dictionary(widget)))
            }
            let kids = [
                widget(
                    [
                        "FT": .name("Tx"), "T": .text("full name"), "TU": .text("Your name"),
                        "MaxLen": .integer(20),
                    ], 10),
                widget(["FT": .name("Btn"), "T": .text("agrees")], 40),
            ]
            let pages = draft.add(
                .dictionary([
                    "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
                ]))
            draft.put(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(pages), "Annots": .array(kids),
                    "MediaBox": .array([0, 0, 300, 300].map(PDFObject.integer)),
                ]), at: page)
            let root = draft.add(
                .dictionary([
                    "Type": .name("Catalog"), "Pages": .reference(pages),
                    "AcroForm": .dictionary(["Fields": .array(kids)]),
                ]))
            try put(draft.bytes(root: root), "\(folder)/form.pdf")
            try put(Array(table.utf8), "\(folder)/table.csv")
            try body(folder)
        }
    }

    /// A form of fields that stand below each other, with words printed at the right of each.
    private func form(_ fields: [(entries: PDFDictionary, words: String)]) -> [UInt8] {
        var draft = PDFDraft()
        let (page, top) = (draft.newReference(), draft.newReference())
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
        var content = ""
        var widgets: [PDFObject] = []
        let isGroup = fields.allSatisfy { $0.entries["T"] == nil }
        for (number, field) in fields.enumerated() {
            let bottom = 260 - number * 40
            var widget = field.entries
            widget["Type"] = .name("Annot")
            widget["Subtype"] = .name("Widget")
            widget["F"] = .integer(4)
            let right = isGroup ? 24 : 200
            widget["Rect"] = .array([10, bottom, right, bottom + 14].map(PDFObject.integer))
            if isGroup { widget["Parent"] = .reference(top) }
            content += "BT /F 11 Tf \(right + 6) \(bottom + 3) Td (\(field.words)) Tj ET\n"
            widgets.append(.reference(draft.add(.dictionary(widget))))
        }
        if isGroup {
            draft.put(
                .dictionary([
                    "FT": .name("Btn"), "T": .text("status"), "Ff": .integer(1 << 15),
                    "Kids": .array(widgets),
                ]), at: top)
        }
        let pages = draft.add(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
            ]))
        draft.put(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(pages), "Annots": .array(widgets),
                "MediaBox": .array([0, 0, 300, 300].map(PDFObject.integer)),
                "Contents": .reference(draft.addStream([:], Array(content.utf8))),
                "Resources": .dictionary(["Font": .dictionary(["F": .reference(font)])]),
            ]), at: page)
        let root = draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(pages),
                "AcroForm": .dictionary(["Fields": isGroup ? .array([.reference(top)]) : .array(widgets)]),
            ]))
        return draft.bytes(root: root)
    }

    @Test("a table that harvest wrote goes back into the form, whatever its fields are told apart by")
    func harvestedAndBack() throws {
        try withScratchFolder { folder in
            let names = ["Name", "name", "a b", "a  b", " edge ", "two\nlines"]
            let bytes = form(names.map { (["FT": .name("Tx"), "T": .text($0)], "") })
            let values = Dictionary(
                uniqueKeysWithValues: names.enumerated().map { ($1, FieldValue.text("v\($0)")) })
            try put(bytes, "\(folder)/form.pdf")
            try put(PreparedForm(bytes: bytes).fill(values).bytes, "\(folder)/full.pdf")
            let harvested = quire(["harvest", "full.pdf", "--out", "all.csv"], home: folder)
            #expect(harvested.code == .done, "\(harvested.error)")
            let filled = quire(
                ["fill", "form.pdf", "all.csv", "--out", "out", "--name", "again"], home: folder)
            #expect(filled.code == .done, "\(filled.error)")
            let fields = try Form(path: "\(folder)/out/again.pdf").fields
            #expect(fields.map(\.value) == names.indices.map { ["v\($0)"] }, "\(filled.error)")
        }
    }

    @Test(
        "where the states of a group of buttons say nothing, the words beside them are taken, and told in the mapping",
        .enabled(if: Child.find("pdftotext") != nil, "poppler-utils is not installed"))
    func wordsBesideButtons() throws {
        try withScratchFolder { folder in
            let buttons = [("0", "Single"), ("1", "Married"), ("2", "Widowed")].map { state, word in
                (
                    [
                        "AS": .name("Off"),
                        "MK": .dictionary(["CA": .text("l")]),
                        "AP": .dictionary(["N": .dictionary([PDFName(state): .dictionary([:])])]),
                    ] as PDFDictionary, word
                )
            }
            try put(form(buttons), "\(folder)/form.pdf")
            try put(Array("status\nMarried\nSingle\n".utf8), "\(folder)/table.csv")
            let filled = quire(
                ["fill", "form.pdf", "table.csv", "--out", "out", "--name", "{row}"], home: folder)
            #expect(filled.code == .done, "\(filled.error)")
            for (row, state) in [(1, "1"), (2, "0")] {
                #expect(try Form(path: "\(folder)/out/00\(row).pdf").fields[0].value == [state])
            }
            let mapped = quire(["map", "form.pdf", "table.csv", "--out", "form.map"], home: folder)
            #expect(mapped.code == .done, "\(mapped.error)")
            let text = String(decoding: try contents(of: "\(folder)/form.map"), as: UTF8.self)
            #expect(text.contains("Married = 1") && text.contains("Single = 0"), "\(text)")
            let again = quire(
                ["fill", "form.pdf", "table.csv", "--map", "form.map", "--out", "b", "--name", "{row}"],
                home: folder)
            #expect(again.code == .done, "\(again.error)")
            #expect(try Form(path: "\(folder)/b/001.pdf").fields[0].value == ["1"])
        }
    }

    private func put(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    @Test(
        "all documents go into one PDF, whose fields become part of the pages or stay, each record's by itself"
    )
    func merged() throws {
        try inFolder("full name,agrees\nAna,yes\nBo,no\n") { folder in
            let flat = quire(["fill", "form.pdf", "table.csv", "--merged", "flat.pdf"], home: folder)
            #expect(flat.code == .done, "\(flat.error)")
            #expect(try PDFFile(path: "\(folder)/flat.pdf").pages.count == 2)
            #expect(try PDFFile(path: "\(folder)/flat.pdf").form == nil)
            let words = [
                "fill", "form.pdf", "table.csv", "--merged", "kept.pdf", "--keep-fields", "--title",
                "All of them",
            ]
            let kept = quire(words, home: folder)
            #expect(kept.code == .done, "\(kept.error)")
            let fields = try Form(path: "\(folder)/kept.pdf").fields
            #expect(fields.first { $0.name == "2.full name" }?.value == ["Bo"])
            let info = try Child("/usr/bin/pdfinfo", ["\(folder)/kept.pdf"]).run().outputText
            #expect(info.contains("All of them"))

            let plan = quire(
                [
                    "plan", "form.pdf", "table.csv", "--merged", "planned.pdf", "--keep-fields", "--save",
                    "a.plan",
                ],
                home: folder)
            #expect(plan.code == .done, "\(plan.error)")
            #expect(quire(["apply", "a.plan"], home: folder).code == .done)
            #expect(try Form(path: "\(folder)/planned.pdf").fields.first?.name == "1.full name")

            let alone = quire(["fill", "form.pdf", "table.csv", "--keep-fields"], home: folder)
            #expect(alone.code == .usage)
            #expect(alone.error.contains("--keep-fields goes with --merged"))
            let both = quire(
                ["fill", "form.pdf", "table.csv", "--merged", "x.pdf", "--keep-fields", "--flatten"],
                home: folder)
            #expect(both.code == .usage)
        }
    }

    @Test("fields lists what can be filled, for people, programs and spreadsheets")
    func fields() throws {
        try inFolder("") { folder in
            let list = quire(["fields", "form.pdf"], home: folder)
            #expect(list.code == .done)
            for part in ["full name", "Your name", "10,10 190×20", "name, 20 letters"] {
                #expect(list.output.contains(part), "\(part)")
            }
            let view = try JSON(parsing: quire(["fields", "form.pdf", "--json"], home: folder).output)
            #expect(view["fields"]?[0]?["label"]?.string == "Your name")
            #expect(view["fields"]?[0]?["meaning"]?.string == "name")
            #expect(view["fields"]?[0]?["maximumLength"]?.int == 20)
            #expect(view["fields"]?[1]?["kind"]?.string == "checkBox")
            let table = quire(["fields", "form.pdf", "--csv"], home: folder).output
            #expect(table.split(whereSeparator: \.isNewline).count == 3)
        }
    }

    @Test("fields and fill say what was damaged in a form and has been repaired")
    func repaired() throws {
        try inFolder("full name\nAna\n") { folder in
            var bytes = try PDFFile.read("\(folder)/form.pdf")
            let mark = try #require(bytes.lastIndex(of: UInt8(ascii: "x")))
            bytes.replaceSubrange(mark..<bytes.count, with: Array("xref\n7\n%%EOF\n".utf8))
            try put(bytes, "\(folder)/form.pdf")
            let list = quire(["fields", "form.pdf"], home: folder)
            #expect(list.code == .done)
            #expect(list.error.contains("has been repaired: "), "\(list.error)")
            let repairs = try JSON(parsing: quire(["fields", "form.pdf", "--json"], home: folder).output)[
                "repairs"]
            #expect(
                repairs?.array?.contains { $0.string?.contains("xref") ?? false } == true,
                "\(repairs ?? .null)")
            let filled = quire(["fill", "form.pdf", "table.csv"], home: folder)
            #expect(filled.code == .done)
            #expect(filled.error.contains("has been repaired: "), "\(filled.error)")
        }
    }

    @Test("fields --xray writes a PDF with the names, and replaces nothing unless told to")
    func xray() throws {
        try inFolder("") { folder in
            #expect(quire(["fields", "form.pdf", "--xray", "x.pdf"], home: folder).code == .done)
            let pages = try Child("/usr/bin/pdftotext", ["\(folder)/x.pdf", "-"]).run().outputText
            #expect(pages.contains("full name"))
            #expect(quire(["fields", "form.pdf", "--xray", "x.pdf"], home: folder).error.contains("--force"))
        }
    }

    @Test("fill takes form data, gives documents a title, and lets long text go on behind the form")
    func formData() throws {
        try inFolder("") { folder in
            let data = FormData(entries: [
                .init(name: "full name", values: ["A name of far more than twenty letters"]),
                .init(name: "agrees", values: ["Yes"]),
            ])
            for (file, bytes) in [("data.fdf", data.fdf), ("data.xfdf", Array(data.xfdf.utf8))] {
                try put(bytes, "\(folder)/\(file)")
                let said = quire(
                    [
                        "fill", "form.pdf", file, "--out", "from-\(file)", "--name", "one", "--continue",
                        "--title", "For you",
                    ],
                    home: folder)
                #expect(said.code == .done, "\(said.error)")
                let made = try PDFFile(path: "\(folder)/from-\(file)/one.pdf")
                #expect(try Form(bytes: made.bytes).fields[1].value == ["Yes"])
                #expect(made.dictionary(made.trailer["Info"])?["Title"]?.text == "For you")
            }
        }
    }

    @Test("harvest gives form data for other programs, a file for each form")
    func exchange() throws {
        try inFolder("full name,agrees\nZoë,yes\nBob,no\n") { folder in
            _ = quire(
                ["fill", "form.pdf", "table.csv", "--out", "out", "--name", "{full name}"], home: folder)
            let one = quire(["harvest", "out/Zoë.pdf", "--to", "xfdf"], home: folder)
            #expect(one.output.contains("<field name=\"full name\"><value>Zoë</value></field>"))
            #expect(
                quire(["harvest", "out/Zoë.pdf", "out/Bob.pdf", "--to", "fdf"], home: folder).code == .usage)
            let both = quire(
                ["harvest", "out/Zoë.pdf", "out/Bob.pdf", "--to", "fdf", "--out", "data"], home: folder)
            #expect(both.output.hasPrefix("2 files in"))
            #expect(access("\(folder)/data/Bob.fdf", F_OK) == 0)
        }
    }

    @Test("fill makes a document for each row, and harvest takes the values out again")
    func fill() throws {
        try inFolder("full name,agrees,other\nZoë,yes,1\n王小明,no,2\n") { folder in
            let said = quire(
                ["fill", "form.pdf", "table.csv", "--out", "out", "--name", "{full name}"], home: folder)
            #expect(said.code == .done)
            #expect(said.output.hasPrefix("2 documents in \(folder)/out"))
            #expect(said.error.contains("other"))
            let harvest = quire(["harvest", "out/Zoë.pdf", "out/王小明.pdf"], home: folder)
            #expect(harvest.output == "file,full name,agrees\r\nout/Zoë.pdf,Zoë,Yes\r\nout/王小明.pdf,王小明,\r\n")
        }
    }

    @Test("a row that does not fit is told, the others are made, and the shell hears of it")
    func badRow() throws {
        try inFolder("full name\nAna\nBen,x\nCai\n") { folder in
            let said = quire(
                ["fill", "form.pdf", "table.csv", "--out", "out", "--report", "report.csv"], home: folder)
            #expect(said.code == .invalid)
            #expect(said.error.contains("Row 3: The row has 2 cells"))
            #expect(said.output.contains("2 documents"))
            let again = quire(["fill", "form.pdf", "table.csv", "--out", "out"], home: folder)
            #expect(again.error.contains("there already"))
            #expect(
                quire(["fill", "form.pdf", "table.csv", "--out", "out", "--force"], home: folder).output
                    .contains("2 documents"))
        }
    }

    @Test("a table that has nothing to do with the form is refused before anything is made")
    func strangers() throws {
        try inFolder("colour\nred\n") { folder in
            let said = quire(["fill", "form.pdf", "table.csv", "--out", "out"], home: folder)
            #expect(said.code == .invalid)
            #expect(access("\(folder)/out", F_OK) != 0)
            let mapped = quire(
                ["fill", "form.pdf", "table.csv", "--out", "out", "--set", "full name={colour}"], home: folder
            )
            #expect(mapped.code == .done)
        }
    }

    @Test("flatten leaves no field and replaces nothing unasked")
    func flatten() throws {
        try inFolder("full name\nAna\n") { folder in
            _ = quire(["fill", "form.pdf", "table.csv", "--out", "out"], home: folder)
            #expect(quire(["flatten", "out/form_Ana_001.pdf", "flat.pdf"], home: folder).code == .done)
            let flat = try PDFFile(path: "\(folder)/flat.pdf")
            #expect(flat.form == nil)
            #expect(quire(["flatten", "out/form_Ana_001.pdf", "flat.pdf"], home: folder).code == .conflict)
        }
    }

    @Test("what is no form is refused in words")
    func noForm() throws {
        try inFolder("full name\nAna\n") { folder in
            #expect(quire(["fill", "table.csv", "table.csv"], home: folder).code == .damaged)
            #expect(quire(["fields", "nothing.pdf"], home: folder).code == .notFound)
            #expect(quire(["fill", "form.pdf", "nothing.csv"], home: folder).code == .unavailable)
        }
    }

    @Test(
        "map --values lists words that a field does not know, and what is decided there holds for every row")
    func values() throws {
        try inFolder("full name,agrees\nAna,perhaps\nBo,ja\nCem,perhaps\n") { folder in
            let plan = quire(["plan", "form.pdf", "table.csv"], home: folder)
            #expect(
                plan.output.hasSuffix(
                    "3 documents would be made, 2 rows have problems.\n  2 rows: agrees: “perhaps” is neither yes nor no.\n"
                ), "\(plan.output)")
            let json = try JSON(
                parsing: quire(["plan", "form.pdf", "table.csv", "--json"], home: folder).output)
            #expect(json["problems"]?[0]?["value"] == "perhaps")
            #expect(json["problems"]?[0]?["rows"] == 2)
            let drafted = quire(["map", "form.pdf", "table.csv", "--values"], home: folder).output
            #expect(
                drafted.hasSuffix(
                    "\n# agrees is one of yes, no. Nothing leaves it empty, ? holds the paper back.\n[values agrees]\nperhaps = ?\n"
                ), "\(drafted)")
            try put(Array(drafted.replacing("perhaps = ?", with: "perhaps = no").utf8), "\(folder)/my.map")
            let made = quire(
                [
                    "fill", "form.pdf", "table.csv", "--map", "my.map", "--out", "out", "--name",
                    "{full name}",
                ],
                home: folder)
            #expect(made.code == .done)
            #expect(!made.error.contains("perhaps"), "\(made.error)")
            let harvested = quire(["harvest", "out/Ana.pdf", "out/Bo.pdf"], home: folder).output
            #expect(harvested.contains("Ana,"), "\(harvested)")
            #expect(harvested.contains("Bo,Yes\r\n"), "\(harvested)")
            #expect(!harvested.contains("Ana,Yes"), "\(harvested)")
        }
    }

    @Test("map writes a mapping that fill takes, and changes nothing that stands in it")
    func map() throws {
        try inFolder("Name,Consent\nAna,yes\n") { folder in
            let said = quire(["map", "form.pdf", "table.csv"], home: folder)
            #expect(said.code == .done)
            #expect(said.output.contains("text, 20 characters"))
            #expect(said.output.contains("full name = {Name}\n"))
            #expect(said.output.contains("agrees =\n"))
            try put(Array("[fields]\n# mine\nfull name = upper({Name})\n".utf8), "\(folder)/my.map")
            let more = quire(
                ["map", "form.pdf", "table.csv", "--map", "my.map", "--out", "new.map"], home: folder)
            #expect(more.code == .done)
            let refused = quire(["map", "form.pdf", "table.csv", "--out", "new.map"], home: folder)
            #expect(refused.code == .conflict)
            let made = quire(
                [
                    "fill", "form.pdf", "table.csv", "--map", "new.map", "--set", "agrees={Consent}", "--out",
                    "out", "--name", "x",
                ],
                home: folder)
            #expect(made.code == .done)
            #expect(
                quire(["harvest", "out/x.pdf"], home: folder).output
                    == "file,full name,agrees\r\nout/x.pdf,ANA,Yes\r\n")
            let json = try JSON(
                parsing: quire(["map", "form.pdf", "table.csv", "--json"], home: folder).output)
            #expect(json[0]?["source"]?.string == "{Name}")
            #expect(json[0]?["confident"]?.bool == true)
        }
    }

    @Test("What a mapping file does not name is suggested and told; what it leaves empty stays empty")
    func unnamedFields() throws {
        try inFolder("Full name,Agrees\nAna,yes\n") { folder in
            func filled(
                _ mapping: String, _ name: String
            ) throws -> (values: String, said: String, plan: JSON) {
                try put(Array(mapping.utf8), "\(folder)/my.map")
                let command = ["form.pdf", "table.csv", "--map", "my.map", "--name", name]
                let made = quire(["fill"] + command + ["--out", "out", "--strict"], home: folder)
                #expect(made.code == .done, "\(made.error)")
                let plan = try JSON(parsing: quire(["plan", "--json"] + command, home: folder).output)
                let values = quire(["harvest", "out/\(name).pdf"], home: folder).output
                return (values, made.error, plan)
            }
            let named = try filled("[fields]\nfull name = upper({Full name})\n", "a")
            #expect(named.values.hasSuffix("ANA,Yes\r\n"), "\(named.values)")
            #expect(named.said.contains("Suggested: agrees = {Agrees}"), "\(named.said)")
            #expect(named.plan["mapping"]?["fields"]?[0]?["suggested"]?.bool == false, "\(named.plan)")
            #expect(named.plan["mapping"]?["fields"]?[1]?["suggested"]?.bool == true)
            for text in [
                "[fields]\nfull name = {Full name}\nagrees =\n",
                "others = keep\n[fields]\nfull name = {Full name}\n",
            ] {
                let left = try filled(text, "b\(text.count)")
                #expect(
                    left.values.hasSuffix("Ana,\r\n") || left.values.hasSuffix("Ana,Off\r\n"),
                    "\(left.values)")
                #expect(!left.said.contains("Suggested"))
            }
        }
    }

    @Test("map --explain tells how one value comes about, cell by cell")
    func explain() throws {
        try inFolder("First,Last\nAna,Ruiz\nBo,Li\n") { folder in
            let said = quire(
                [
                    "map", "form.pdf", "table.csv", "--set", "full name=upper({First} & \" \" & {Last})",
                    "--explain", "full name", "--row", "2",
                ], home: folder)
            #expect(said.output.hasPrefix("full name, row 3: “BO LI”\n"), "\(said.output)\(said.error)")
            #expect(said.output.contains("{First} is “Bo”"))
            #expect(said.output.contains("→  “BO LI”"))
            let empty = quire(["map", "form.pdf", "table.csv", "--explain", "agrees"], home: folder)
            #expect(empty.error.contains("Nothing fills “agrees”"))
            let gone = quire(
                [
                    "map", "form.pdf", "table.csv", "--set", "agrees={First}", "--explain", "agrees", "--row",
                    "9",
                ],
                home: folder)
            #expect(gone.error.contains("The table has no row 9: it has 2 rows."))
        }
    }

    @Test("rows that a sheet hides are told before they are left out, and made on request")
    func hiddenRows() throws {
        try inFolder("") { folder in
            _ = try python(
                """
                import sys, openpyxl
                book = openpyxl.Workbook()
                for row in (["Name"], ["Ana"], ["Bo"], ["Cem"]): book.active.append(row)
                book.active.row_dimensions[3].hidden = True
                book.save(sys.argv[1])
                """, [folder + "/table.xlsx"])
            let command = ["fill", "form.pdf", "table.xlsx", "--set", "full name={Name}", "--name", "{Name}"]
            let some = quire(command + ["--out", "some"], home: folder)
            #expect(some.output.hasPrefix("2 documents"), "\(some.error)")
            #expect(
                some.error.contains(
                    "Warning: 1 row that the sheet hides is left out; --hidden-rows takes it."))
            #expect(quire(command + ["--out", "none", "--strict"], home: folder).code == .invalid)
            let all = quire(command + ["--out", "all", "--hidden-rows"], home: folder)
            #expect(all.output.hasPrefix("3 documents"), "\(all.error)")
            #expect(!all.error.contains("hides"))
        }
    }

    @Test("a mistake in a mapping is told with its line and a mark below its place, and nothing is made")
    func mistakes() throws {
        try inFolder("Name\nAna\n") { folder in
            try put(Array("[fields]\nfull name = upper({Nmae})\n".utf8), "\(folder)/my.map")
            let said = quire(
                ["fill", "form.pdf", "table.csv", "--map", "my.map", "--out", "out"], home: folder)
            #expect(said.code == .invalid)
            #expect(
                said.error.contains("line 2: full name: The table has no column “Nmae”. Did you mean “Name”?")
            )
            #expect(said.error.contains("    upper({Nmae})\n          ^^^^^^"))
            #expect(access("\(folder)/out", F_OK) != 0)
        }
    }

    @Test("a warning names a line only where somebody has written a mapping that has lines")
    func lines() throws {
        try inFolder("full name\nA name that is much too long\n") { folder in
            let said = quire(["fill", "form.pdf", "table.csv", "--out", "out"], home: folder)
            #expect(said.error.contains("Warning: full name: The field takes 20 characters"))
            try put(Array("[fields]\nfull name = {full name}\n".utf8), "\(folder)/my.map")
            let mapped = quire(
                ["fill", "form.pdf", "table.csv", "--map", "my.map", "--out", "mapped"], home: folder)
            #expect(mapped.error.contains("Warning: line 2: full name: The field takes 20 characters"))
        }
    }

    @Test("what is left empty is a warning: told, and a failure when strictness is asked for")
    func strict() throws {
        try inFolder("full name\nAna\n") { folder in
            let said = quire(["fill", "form.pdf", "table.csv", "--out", "out"], home: folder)
            #expect(said.code == .done)
            #expect(said.error.contains("Warning: Left empty: agrees."))
            let strict = quire(
                ["fill", "form.pdf", "table.csv", "--out", "strict", "--strict"], home: folder)
            #expect(strict.code == .invalid)
            #expect(access("\(folder)/strict", F_OK) != 0)
            #expect(
                quire(
                    ["fill", "form.pdf", "table.csv", "--out", "strict", "--strict", "--set", "agrees="],
                    home: folder
                ).code
                    == .done)
        }
    }

    @Test(
        "a plan lists what would be made and what is wrong, and apply makes it unless something has changed")
    func planning() throws {
        try inFolder("full name,agrees\nAna,yes\nA name that is much too long,maybe\nCai,no\n") { folder in
            let said = quire(
                [
                    "plan", "form.pdf", "table.csv", "--out", "out", "--name", "{full name}", "--save",
                    "my.plan",
                ], home: folder)
            #expect(said.code == .done)
            #expect(said.output.contains("Ana.pdf"))
            #expect(said.output.contains("The field takes") || said.output.contains("the field takes 20"))
            #expect(said.output.contains("3 documents would be made, 1 row has problems."))
            #expect(access("\(folder)/out", F_OK) != 0)
            let csv = quire(
                ["plan", "form.pdf", "table.csv", "--name", "{full name}", "--csv", "--problems"],
                home: folder)
            #expect(csv.output.split(whereSeparator: \.isNewline).count == 2)
            let json = try JSON(
                parsing: quire(["plan", "form.pdf", "table.csv", "--json"], home: folder).output)
            #expect(json["rows"]?.array?.count == 3)
            #expect(json["doubtful"]?.int == 1)

            #expect(
                quire(["apply", "my.plan"], home: folder).output.hasPrefix("3 documents in \(folder)/out"))
            #expect(access("\(folder)/out/Cai.pdf", F_OK) == 0)
            let plan = try readText("\(folder)/my.plan").split(separator: "\n").filter {
                !$0.contains("much too long")
            }
            try put(Array((plan.joined(separator: "\n") + "\n").utf8), "\(folder)/my.plan")
            #expect(
                quire(["apply", "my.plan", "--out", "less"], home: folder).output.hasPrefix("2 documents"))
            try put(Array("full name,agrees\nAna,no\n".utf8), "\(folder)/table.csv")
            let refused = quire(["apply", "my.plan", "--out", "changed"], home: folder)
            #expect(refused.code == .conflict)
            #expect(refused.error.contains("has changed since the plan"))
            #expect(access("\(folder)/changed", F_OK) != 0)
        }
    }

    @Test("what documents are besides their values is planned along with them")
    func plannedWishes() throws {
        try inFolder("full name,agrees\nAna,yes\n") { folder in
            let said = quire(
                [
                    "plan", "form.pdf", "table.csv", "--name", "one", "--save", "my.plan", "--title",
                    "For Ana",
                    "--flatten-fields", "agrees",
                ], home: folder)
            #expect(said.code == .done, "\(said.error)")
            #expect(quire(["apply", "my.plan", "--out", "out"], home: folder).code == .done)
            let made = try PDFFile(path: "\(folder)/out/one.pdf")
            #expect(made.dictionary(made.trailer["Info"])?["Title"]?.text == "For Ana")
            #expect(try Form(bytes: made.bytes).fields.map(\.name) == ["full name"])
            let unknown = quire(
                ["fill", "form.pdf", "table.csv", "--out", "no", "--flatten-fields", "agree"], home: folder)
            #expect(unknown.code == .usage)
            #expect(unknown.error.contains("no field “agree”"))
        }
    }

    @Test("flatten makes chosen fields part of the page, and leaves the others to be filled")
    func flattenSome() throws {
        try inFolder("full name,agrees\nAna,yes\n") { folder in
            _ = quire(["fill", "form.pdf", "table.csv", "--out", "out", "--name", "one"], home: folder)
            let said = quire(
                ["flatten", "out/one.pdf", "some.pdf", "--fields", "full name"], home: folder)
            #expect(said.code == .done, "\(said.error)")
            let fields = try Form(path: "\(folder)/some.pdf").fields
            #expect(fields.map(\.name) == ["agrees"])
            #expect(fields[0].value == ["Yes"])
            let pages = try Child("/usr/bin/pdftotext", ["\(folder)/some.pdf", "-"]).run().outputText
            #expect(pages.contains("Ana"))
            #expect(
                quire(["flatten", "out/one.pdf", "no.pdf", "--fields", "x"], home: folder).code == .usage)
        }
    }

    @Test("documents are looked at as pictures when that is asked for")
    func pictures() throws {
        try inFolder("full name,agrees\nAna,yes\nBen,no\n") { folder in
            let said = quire(
                [
                    "fill", "form.pdf", "table.csv", "--out", "out", "--name", "{full name}",
                    "--proof-pictures",
                ],
                home: folder)
            #expect(said.code == .done, "\(said.error)")
            #expect(said.output.hasPrefix("2 documents"))
            // The one file of all is looked at itself, whether its fields stay or not.
            for more in [[], ["--keep-fields"]] {
                let merged = quire(
                    ["fill", "form.pdf", "table.csv", "--merged", "all\(more.count).pdf", "--proof-pictures"]
                        + more, home: folder)
                #expect(merged.code == .done, "\(merged.error)")
            }
        }
    }

    @Test("only some rows, one archive, receipts and passwords are asked for on the command line")
    func options() throws {
        try inFolder("full name,code\nAna,a1\nBen,b2\n") { folder in
            let said = quire(
                [
                    "fill", "form.pdf", "table.csv", "--zip", "all.zip", "--only", "{code} = \"b2\"",
                    "--name", "{full name}", "--receipts",
                ], home: folder)
            #expect(said.code == .done)
            #expect(said.output.contains("1 row was not meant"))
            let archive = try readText("\(folder)/all.zip")
            #expect(archive.contains("Ben.receipt.json"))
            let locked = quire(
                [
                    "fill", "form.pdf", "table.csv", "--out", "locked", "--name", "{full name}", "--password",
                    "{code}",
                ], home: folder)
            #expect(locked.code == .done)
            #expect(quire(["fields", "locked/Ben.pdf"], home: folder).code == .denied)
            #expect(quire(["fields", "locked/Ben.pdf", "--password", "b2"], home: folder).code == .done)
            #expect(
                quire(["fill", "form.pdf", "table.csv", "--out", "x", "--zip", "y"], home: folder).code
                    == .usage)
        }
    }

    private func readText(_ path: String) throws -> String {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
