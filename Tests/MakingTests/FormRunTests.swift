import Bytes
import Making
import Formulas
import Glibc
import Mappings
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@Suite("Filling a form from a table")
final class FormRunTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/quire-formrun-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = try? Program("rm", "-rf", folder) }

    private func form(locks: Bool = false) throws -> PreparedForm {
        var draft = PDFDraft()
        let page = draft.newReference()
        let kids: [PDFObject] = ["name", "city"].map { name in
            .reference(
                draft.add(
                    .dictionary([
                        "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"),
                        "T": .text(name), "F": .integer(4),
                        "Rect": .array([.integer(10), .integer(10), .integer(200), .integer(30)]),
                    ])))
        }
        let pages = draft.add(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]))
        draft.put(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(pages), "Annots": .array(kids),
                "MediaBox": .array([.integer(0), .integer(0), .integer(300), .integer(300)]),
            ]), at: page)
        let root = draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(pages),
                "AcroForm": .dictionary(["Fields": .array(kids)]),
            ]))
        var options = PreparedForm.Options()
        options.locks = locks
        return try PreparedForm(bytes: draft.bytes(root: root), options: options)
    }

    private struct Result {
        var report: FormRun.Report
        var outcomes: [FormRun.Outcome]
    }

    private func run(
        _ table: String, _ mapping: String = "[fields]\nname = {name}\n", name: String? = "{row}",
        only: String = "", password: String? = nil, _ change: (inout FormRun.Settings) -> Void = { _ in }
    ) throws -> Result {
        let path = "\(folder)/table"
        let file = try #require(fopen(path, "we"))
        fputs(table, file)
        fclose(file)
        var settings = FormRun.Settings(destination: .folder("\(folder)/out"))
        settings.provesAll = true
        change(&settings)
        let form = try form(locks: password != nil)
        var rows = try FormTable(InputFile(path: path))
        let context = FormulaContext(
            columns: FormulaColumns(rows.columns),
            today: try #require(WallTime(year: 2026, month: 11, day: 21)),
            rowCount: rows.count, template: "Form")
        let compiled = try CompiledMapping(
            Mapping(parsing: mapping), fields: form.form.fields.map { FieldFacts($0) }, context: context)
        let part = FormPart(name: "Form", form: form, mapping: compiled)
        var recipe = Recipe(part, naming: try NamePattern(name, context: context))
        recipe.only = try Condition(only, context)
        recipe.password = try password.map { try Formula($0).bound(to: context.columns) }
        let run = FormRun(recipe, of: part, settings: settings)
        var outcomes: [FormRun.Outcome] = []
        let report = try run.run(&rows, progress: Progress()) { outcomes.append($0) }
        return Result(report: report, outcomes: outcomes)
    }

    private func value(_ file: String, _ field: String, password: String? = nil) throws -> [String] {
        try Form(path: "\(folder)/out/\(file)", password: password).fields.first { $0.name == field }?.value
            ?? []
    }

    private static let both = "[fields]\nname = {name}\ncity = {city}\n"

    @Test("Each row becomes a document, named by its cells and never outside its folder")
    func names() throws {
        let result = try run("name,city\nZoë,Rome\n../../etc/x,Paris\nZOË,Bern\n", Self.both, name: "{name}")
        #expect(result.report.made == 3)
        #expect(result.outcomes.map(\.fileName) == ["Zoë.pdf", "-..-etc-x.pdf", "ZOË-2.pdf"])
        #expect(try value("Zoë.pdf", "city") == ["Rome"])
        #expect(try value("ZOË-2.pdf", "city") == ["Bern"])
    }

    @Test("A pattern may put documents into folders of their own")
    func folders() throws {
        let result = try run("name,city\nAna,5a\nBen,../x\nCai,\n", name: "{city}/{name}")
        #expect(result.outcomes.map(\.fileName) == ["5a/Ana.pdf", "-x/Ben.pdf", "Cai.pdf"])
        #expect(try value("5a/Ana.pdf", "name") == ["Ana"])
    }

    @Test(
        "Names in every script make files of that name",
        arguments: [
            "محمد الأحمد", "王小明", "प्रिया शर्मा", "👩‍👩‍👧 Family", "נועה כהן", "Žofie Dvořáková", "한국어", "ไทย",
        ])
    func scripts(name: String) throws {
        let result = try run("name\n\(name)\n", name: "{name}")
        #expect(result.outcomes.map(\.fileName) == ["\(name).pdf"])
        #expect(try value("\(name).pdf", "name") == [name])
    }

    @Test("A row that cannot be used is told, and the others are made")
    func badRow() throws {
        let result = try run("name,city\nAna,Rome\nBen,Paris,too much\nCai,Bern\n")
        #expect(result.report.made == 2)
        #expect(result.report.failed == 1)
        #expect(result.outcomes[1].failure == "The row has 3 cells, but the table has 2 columns.")
        #expect(result.outcomes[1].place == 3)
        #expect(try value("003.pdf", "name") == ["Cai"])
    }

    @Test("What is there already stays, unless told otherwise")
    func overwriting() throws {
        _ = try run("name\nAna\n")
        let second = try run("name\nBen\n")
        #expect(second.report.failed == 1)
        #expect(second.report.byteCount == 0)
        #expect(second.outcomes[0].failure?.contains("is there already") == true)
        #expect(try value("001.pdf", "name") == ["Ana"])
        _ = try run("name\nBen\n") { $0.overwrites = true }
        #expect(try value("001.pdf", "name") == ["Ben"])
    }

    @Test("JSON rows may hold texts, numbers and booleans; what is null stays empty")
    func json() throws {
        let result = try run(
            "[{\"name\": \"Ana\", \"city\": 7}, {\"name\": null, \"city\": \"Rome\"}, 3]", Self.both)
        #expect(result.report.made == 2)
        #expect(result.outcomes[2].failure == "Item 3 of the JSON is no object.")
        #expect(try value("001.pdf", "city") == ["7"])
        #expect(try value("002.pdf", "name") == [])
    }

    @Test("Only the rows that are meant are made")
    func only() throws {
        let result = try run("name,city\nAna,Rome\nBen,Bern\nCai,ROME\n", only: "{city} = \"rome\"")
        #expect(result.report.made == 2)
        #expect(result.report.skipped == 1)
        #expect(result.outcomes.map(\.number) == [1, 2])
        #expect(try value("002.pdf", "name") == ["Cai"])
    }

    @Test("A value that cannot be worked out is told; with strictness its document is not kept")
    func problems() throws {
        let mapping = "[fields]\nname = {name}\ncity = {city} * 2\n"
        let table = "name,city\nAna,2\nBen,x\n"
        let result = try run(table, mapping)
        #expect(result.report.made == 2)
        #expect(result.outcomes[1].problems.map(\.message) == ["“x” in the column “city” is no number."])
        #expect(try value("001.pdf", "city") == ["4"])
        let strict = try run(table, mapping) {
            $0.isStrict = true
            $0.overwrites = true
        }
        #expect(strict.report.failed == 1)
        #expect(strict.outcomes[1].fileName == nil)
    }

    @Test("Each document can have a password of its own, and none is made without one")
    func passwords() throws {
        let result = try run("name,city\nAna,secret-1\nBen,secret-2\nCai,\n", password: "{city}")
        #expect(result.report.made == 2)
        #expect(result.outcomes[2].failure == "The password is empty.")
        #expect(try value("001.pdf", "name", password: "secret-1") == ["Ana"])
        #expect(throws: PDFError.self) { try Form(path: "\(folder)/out/001.pdf", password: "secret-2") }
        #expect(throws: PDFError.self) { try Form(path: "\(folder)/out/002.pdf") }
    }

    @Test("A plan tries everything and makes nothing")
    func planning() throws {
        let result = try run("name,city\nAna,1\nBen,x\n", "[fields]\ncity = {city} + 1\n", name: "{name}") {
            $0.destination = .nowhere
        }
        #expect(result.outcomes.map(\.fileName) == ["Ana.pdf", "Ben.pdf"])
        #expect(result.outcomes.map(\.isClean) == [true, false])
        #expect(result.outcomes.allSatisfy { $0.rowHash?.count == 64 })
        #expect(access("\(folder)/out", F_OK) != 0)
    }

    @Test("A receipt says what each field got and from which cell, and which template it was")
    func receipts() throws {
        _ = try run(
            "name,city\nAna,Rome\n", "[fields]\nname = upper({name})\ncity = {city}\n", name: "{name}"
        ) {
            $0.receipts = .init(templateName: "form.pdf", templateHash: "abc", tableName: "table.csv")
        }
        let text = try Program("cat", "\(folder)/out/Ana.receipt.json").output
        let receipt = try JSON(parsing: text)
        #expect(receipt["file"]?.string == "Ana.pdf")
        #expect(receipt["template"]?["sha256"]?.string == "abc")
        #expect(receipt["row"]?["place"]?.int == 2)
        #expect(receipt["row"]?["sha256"]?.string?.count == 64)
        #expect(receipt["row"]?["cells"]?[1] == ["column": "city", "raw": "Rome", "shown": "Rome"])
        #expect(receipt["proven"]?.bool == true)
        #expect(receipt["fields"]?[0]?["value"]?.string == "ANA")
        #expect(receipt["fields"]?[0]?["source"]?.string == "upper({name}), row 2")
        #expect(receipt["fields"]?[0]?["cells"]?[0]?["raw"]?.string == "Ana")
        let digest = try Program("sha256sum", "\(folder)/out/Ana.pdf").output.prefix(64)
        #expect(receipt["document"]?["sha256"]?.string == String(digest))
    }

    @Test("An archive holds what a folder would, and is there only when it is whole")
    func archives() throws {
        _ = try run("name\nAna\nBen\n", name: "{name}")
        _ = try run("name\nAna\nBen\n", name: "a/{name}") { $0.destination = .zip("\(self.folder)/all.zip") }
        _ = try Program("unzip", "-q", "\(folder)/all.zip", "-d", "\(folder)/unpacked")
        for name in ["Ana", "Ben"] {
            _ = try Program("cmp", "\(folder)/out/\(name).pdf", "\(folder)/unpacked/a/\(name).pdf")
        }
        #expect(throws: FileTrouble.self) {
            try run("name\nAna\n") { $0.destination = .zip("\(self.folder)/all.zip") }
        }
        #expect(access("\(folder)/all.zip.part", F_OK) != 0)
    }

    @Test("One merged file holds a page for every row, in the table's order, with a bookmark for each")
    func merged() throws {
        let result = try run("name\nAna\nZoë\nBen,x\nCai\n", name: "{name}") {
            $0.destination = .merged("\(self.folder)/all.pdf")
            $0.provesAll = false
        }
        #expect(result.report.made == 3 && result.report.failed == 1)
        #expect(result.report.byteCount > 0)
        _ = try Program("qpdf", "--check", "\(folder)/all.pdf")
        #expect(try Program("qpdf", "--show-npages", "\(folder)/all.pdf").output == "3\n")
        let text = try Program("pdftotext", "\(folder)/all.pdf", "-").output
        #expect(text.split(whereSeparator: \.isWhitespace).map(String.init) == ["Ana", "Zoë", "Cai"])
        let outlines = try Program("qpdf", "--json", "--json-key=outlines", "\(folder)/all.pdf").output
        #expect(outlines.contains("Ana") && outlines.contains("Cai"))
        #expect(access("\(folder)/all.pdf.part", F_OK) != 0)
    }

    @Test("A merged file has its receipts in a folder beside it")
    func mergedReceipts() throws {
        _ = try run("name\nAna\n", name: "{name}") {
            $0.destination = .merged("\(self.folder)/all.pdf")
            $0.receipts = .init(templateName: "form.pdf", templateHash: "abc", tableName: "table.csv")
        }
        #expect(access("\(folder)/all-receipts/Ana.receipt.json", F_OK) == 0)
    }

    @Test("A merged file refuses what only documents of their own can have")
    func mergedRefusals() throws {
        #expect(throws: FileTrouble.self) {
            _ = try self.run("name\nAna\n", name: "{name}", password: "\"secret\"") {
                $0.destination = .merged("\(self.folder)/all.pdf")
            }
        }
        #expect(access("\(folder)/all.pdf", F_OK) != 0)
    }

    @Test("The same table on any number of threads gives the same files in the same order")
    func manyRows() throws {
        let rows = (1...500).map { "Person \($0),City" }.joined(separator: "\n")
        let result = try run("name,city\n" + rows)
        #expect(result.report.made == 500)
        #expect(result.outcomes.map(\.place) == Array(2...501))
        #expect(try value("500.pdf", "name") == ["Person 500"])
    }
}

/// A program that must succeed.
private struct Program {
    let output: String

    init(_ words: String...) throws {
        let line = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
        let pipe = try #require(popen(line, "re"))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
            bytes += buffer.prefix(count)
        }
        #expect(pclose(pipe) == 0, "\(line)")
        output = String(decoding: bytes, as: UTF8.self)
    }
}
