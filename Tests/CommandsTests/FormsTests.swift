import Bytes
import Glibc
import PDF
import TestSupport
import Testing

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

    private func put(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    @Test("fields lists what can be filled, for people, programs and spreadsheets")
    func fields() throws {
        try inFolder("") { folder in
            let list = quire(["fields", "form.pdf"], home: folder)
            #expect(list.code == .done)
            #expect(list.output.contains("full name"))
            let view = try JSON(parsing: quire(["fields", "form.pdf", "--json"], home: folder).output)
            #expect(view["fields"]?[0]?["label"]?.string == "Your name")
            #expect(view["fields"]?[0]?["meaning"]?.string == "name")
            #expect(view["fields"]?[0]?["maximumLength"]?.int == 20)
            #expect(view["fields"]?[1]?["kind"]?.string == "checkBox")
            let table = quire(["fields", "form.pdf", "--csv"], home: folder).output
            #expect(table.split(whereSeparator: \.isNewline).count == 3)
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
                ["fill", "form.pdf", "table.csv", "--out", "out", "--map", "colour=full name"], home: folder)
            #expect(mapped.code == .done)
        }
    }

    @Test("flatten leaves no field and replaces nothing unasked")
    func flatten() throws {
        try inFolder("full name\nAna\n") { folder in
            _ = quire(["fill", "form.pdf", "table.csv", "--out", "out"], home: folder)
            #expect(quire(["flatten", "out/001.pdf", "flat.pdf"], home: folder).code == .done)
            let flat = try PDFFile(path: "\(folder)/flat.pdf")
            #expect(flat.form == nil)
            #expect(quire(["flatten", "out/001.pdf", "flat.pdf"], home: folder).code == .conflict)
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
}
