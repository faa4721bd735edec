import FormRuns
import Glibc
import PDF
import PDFForms
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

    deinit {
        for inner in ["\(folder)/out", folder] {
            guard let list = opendir(inner) else { continue }
            while let entry = readdir(list) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(inner)/\(name)")
            }
            closedir(list)
            rmdir(inner)
        }
    }

    private func form() throws -> PreparedForm {
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
        return try PreparedForm(bytes: draft.bytes(root: root))
    }

    private func run(
        _ table: String, name: String = "{row}", overwrites: Bool = false
    ) throws -> (report: FormRun.Report, outcomes: [FormRun.Outcome]) {
        let path = "\(folder)/table"
        let file = try #require(fopen(path, "w"))
        fputs(table, file)
        fclose(file)
        var settings = FormRun.Settings(folder: "\(folder)/out", namePattern: name)
        settings.overwrites = overwrites
        settings.provesAll = true
        let run = try FormRun(form: form(), settings: settings)
        var records = try Records(path: path)
        var outcomes: [FormRun.Outcome] = []
        let report = try run.run(&records, columns: run.match(records.columns), progress: Progress()) {
            outcomes.append($0)
        }
        return (report, outcomes)
    }

    private func value(_ file: String, _ field: String) throws -> [String] {
        try Form(path: "\(folder)/out/\(file)").fields.first { $0.name == field }?.value ?? []
    }

    @Test("Each row becomes a document, named by its cells and never outside its folder")
    func names() throws {
        let (report, outcomes) = try run("name,city\nZoë,Rome\n../../etc/x,Paris\nZoë,Bern\n", name: "{name}")
        #expect(report.made == 3)
        #expect(outcomes.map(\.fileName) == ["Zoë.pdf", "-..-etc-x.pdf", "Zoë-2.pdf"])
        #expect(try value("Zoë.pdf", "city") == ["Rome"])
        #expect(try value("Zoë-2.pdf", "city") == ["Bern"])
    }

    @Test("A row that cannot be used is told, and the others are made")
    func badRow() throws {
        let (report, outcomes) = try run("name,city\nAna,Rome\nBen,Paris,too much\nCai,Bern\n")
        #expect(report.made == 2)
        #expect(report.failed == 1)
        #expect(outcomes[1].failure == "The row has 3 cells, but the table has 2 columns.")
        #expect(outcomes[1].place == 3)
        #expect(try value("003.pdf", "name") == ["Cai"])
    }

    @Test("What is there already stays, unless told otherwise")
    func overwriting() throws {
        _ = try run("name\nAna\n")
        let second = try run("name\nBen\n")
        #expect(second.report.failed == 1)
        #expect(second.outcomes[0].failure?.contains("is there already") == true)
        #expect(try value("001.pdf", "name") == ["Ana"])
        _ = try run("name\nBen\n", overwrites: true)
        #expect(try value("001.pdf", "name") == ["Ben"])
    }

    @Test("JSON records may hold texts, numbers and booleans; what is null stays as it is")
    func json() throws {
        let (report, outcomes) = try run("[{\"name\": \"Ana\", \"city\": 7}, {\"name\": null}, 3]")
        #expect(report.made == 2)
        #expect(outcomes[2].failure == "Item 3 of the JSON is no object.")
        #expect(try value("001.pdf", "city") == ["7"])
        #expect(try value("002.pdf", "name") == [])
    }

    @Test("Columns find their fields by name, and by the words a person would use")
    func matching() throws {
        let run = try FormRun(form: form(), settings: .init(folder: folder))
        #expect(run.match(["NAME ", "City", "nothing"]).map(\.field) == ["name", "city", nil])
        #expect(run.match(["a"], mapping: ["a": "city"]).map(\.field) == ["city"])
    }

    @Test("A pattern that names no column is refused before anything is made")
    func unknownColumn() throws {
        #expect(throws: DocumentName.Unknown(column: "nmae")) { try run("name\nAna\n", name: "{nmae}") }
        #expect(access("\(folder)/out", F_OK) != 0)
    }

    @Test("The same table on any number of threads gives the same files in the same order")
    func manyRows() throws {
        let rows = (1...500).map { "Person \($0),City" }.joined(separator: "\n")
        let (report, outcomes) = try run("name,city\n" + rows)
        #expect(report.made == 500)
        #expect(outcomes.map(\.place) == Array(2...501))
        #expect(try value("500.pdf", "name") == ["Person 500"])
    }
}
