import Formulas
import Mappings
import PDFForms
import Tables
import Testing
import Work

@Suite("Mappings at work") struct CompiledMappingTests {
    private let columns = ["Name", "Born", "Amount", "Member", "Class", "Empty"]
    private var cells: [Cell] { ["Zoë", "2015-06-10", "1,234.50", "yes", "5a", ""].map { Cell($0) } }

    private func context() throws -> FormulaContext {
        FormulaContext(
            columns: FormulaColumns(columns), today: try #require(WallTime(year: 2026, month: 11, day: 21)),
            rowCount: 3, template: "T")
    }

    private func fields() -> [FieldFacts] {
        var date = FieldFacts(name: "date")
        date.format = .date(pattern: "dd.mm.yyyy")
        var prefilled = FieldFacts(name: "prefilled")
        prefilled.value = ["sample"]
        var choice = FieldFacts(name: "choice", kind: .combo)
        choice.options = [.init(export: "1", display: "One"), .init(export: "2", display: "Two")]
        var needed = FieldFacts(name: "needed", maximumLength: 3)
        needed.isRequired = true
        return [
            FieldFacts(name: "text"), date, prefilled, choice, needed,
            FieldFacts(name: "box", kind: .checkBox),
            FieldFacts(name: "sign", kind: .signature),
        ]
    }

    private func row(
        _ mapping: String, _ cells: [Cell]? = nil
    ) throws -> CompiledMapping.Row {
        let compiled = try CompiledMapping(
            Mapping(parsing: mapping), fields: fields(), context: context())
        return compiled.row(cells ?? self.cells, number: 2)
    }

    @Test("Columns, texts and formulas become the values of their fields, in the mapping's order")
    func values() throws {
        let row = try row(
            "[fields]\nbox = {Member} and {Amount} > 1000\ntext = {Name}\nchoice = \"Two\"\nneeded =\n")
        #expect(row.values == [.flag(true), .text("Zoë"), .text("Two")])
        #expect(row.problems.isEmpty)
    }

    @Test("An empty cell clears what stands in the form, unless it is to be kept")
    func blanks() throws {
        #expect(try row("[fields]\nprefilled = {Empty}\ntext = {Empty}\n").values == [.text(""), nil])
        #expect(try row("blank = keep\n[fields]\nprefilled = {Empty}\n").values == [nil])
        #expect(try row("[fields]\nprefilled = digits({Empty})\n").values == [.text("")])
    }

    @Test("A date goes into its field as the field writes dates; others as the locale does")
    func dates() throws {
        #expect(try row("[fields]\ndate = {Born} + 1\n").values == [.text("11.06.2015")])
        #expect(try row("[fields]\ntext = {Born} + 1\n").values == [.text("6/11/2015")])
        #expect(try row("[fields]\ntext = {Born}\n").values == [.text("2015-06-10")])
        let typed =
            [cells[0], Cell(kind: .date, raw: "42165", shown: "June 10", date: "2015-06-10")]
            + cells.dropFirst(2)
        #expect(
            try row("[fields]\ndate = {Born}\ntext = {Born}\n", typed).values == [
                .text("10.06.2015"), .text("June 10"),
            ])
    }

    @Test("Cells of workbooks are reckoned with as they are stored and shown as they look")
    func typedCells() throws {
        let typed =
            [cells[0], cells[1], Cell(kind: .number, raw: "0.30000000000000004", shown: "30 %")]
            + cells.dropFirst(3)
        #expect(
            try row("[fields]\ntext = {Amount}\nneeded = {Amount} * 10\n", typed).values == [
                .text("30 %"), .text("3"),
            ])
    }

    @Test("A value that cannot be worked out leaves its field empty and is told; the others are there")
    func rowProblems() throws {
        let row = try row("[fields]\nneeded = {Class} * 2\ntext = {Name}\n")
        #expect(row.values == [nil, .text("Zoë")])
        #expect(
            row.problems.map(\.description) == ["line 2: needed: “5a” in the column “Class” is no number."])
    }

    @Test("A row that has nothing for a field that the form requires is told")
    func missing() throws {
        let row = try row("[fields]\nneeded = {Empty}\n")
        #expect(row.problems.map(\.kind) == [.required])
        #expect(try self.row("[fields]\nneeded = {Class}\n").problems.isEmpty)
    }

    @Test("Where a value comes from can be told cell by cell")
    func origins() throws {
        let compiled = try CompiledMapping(
            Mapping(parsing: "[fields]\ntext = {Name}\nneeded = slice({Class}, 1, 1)\nbox = \"yes\"\n"),
            fields: fields(), context: context())
        let origins = compiled.origins(cells, place: 12)
        #expect(
            origins.map(\.text) == [
                "{Name}, row 12", "slice({Class}, 1, 1), row 12", "\"yes\", the same in every row",
            ])
        #expect(origins[1].cells.map(\.column) == ["Class"])
        #expect(origins[1].cells.map(\.cell.raw) == ["5a"])
        #expect(
            compiled.explain("needed", cells, number: 2).last
                == FormulaStep(part: "slice({Class}, 1, 1)", value: "“5”"))
    }

    @Test("What cannot work is refused before any row")
    func refusals() throws {
        #expect(throws: MappingProblem.self) { try row("[fields]\nnothing = {Name}\n") }
        #expect(throws: MappingProblem.self) { try row("[fields]\ntext = {Nmae}\n") }
        #expect(throws: MappingProblem.self) { try row("[fields]\ntext = left({Name})\n") }
        #expect(throws: MappingProblem.self) { try row("locale = xx\n[fields]\ntext = {Name}\n") }
    }

    @Test("Checks find what is wrong or worth knowing, worst first")
    func checks() throws {
        let mapping = try Mapping(
            parsing: """
                blank = maybe
                only = {Clas} = "5a"

                [fields]
                txet = {Name}
                text = {Nmae}
                text = left({Name})
                sign = {Name}
                choice = {Class}
                date = {Amount}

                """)
        let facts = columns.map { name in
            ColumnFacts(
                name: name, type: name == "Amount" ? .number : .any,
                samples: name == "Class" ? ["5a", "One"] : ["x"])
        }
        let problems = mapping.check(fields(), facts, today: try context())
        func has(_ text: String, _ severity: MappingProblem.Severity) -> Bool {
            problems.contains { $0.severity == severity && $0.description == text }
        }
        #expect(has("The setting blank is keep or clear, not “maybe”.", .error))
        #expect(has("only: The table has no column “Clas”. Did you mean “Class”?", .error))
        #expect(has("line 5: txet: The form has no field “txet”. Did you mean “text”?", .error))
        #expect(has("line 6: text: The table has no column “Nmae”. Did you mean “Name”?", .error))
        #expect(has("line 7: text: The field is mapped twice.", .error))
        #expect(has("line 7: text: “left” needs 2 values. It is written left(text, count).", .error))
        #expect(has("line 8: sign: A field of this kind takes no value.", .warning))
        #expect(has("line 9: choice: No choice of the form: “5a”. It has One, Two.", .warning))
        #expect(has("line 10: date: The field takes a date, and this is a number.", .warning))
        #expect(has("needed: The form requires this field, and nothing fills it.", .warning))
        #expect(problems.last?.severity == .note)
        #expect(problems.last?.message == "Not used: Born, Member, Empty.")
        #expect(problems.map(\.severity) == problems.map(\.severity).sorted(by: >))
    }

    @Test("A column of days is not doubted; one with other words names them, and no function")
    func days() throws {
        func told(
            _ cells: [Cell], _ formula: String = "date_format({Born}, \"mm/dd/yyyy\")"
        ) throws -> [String] {
            try Mapping(parsing: "[fields]\ntext = \(formula)\n").check(
                fields(), [ColumnFacts(name: "Born", type: .text, cells: cells)], today: context()
            ).filter { $0.field == "text" }.map(\.message)
        }
        let typed = Cell(kind: .date, raw: "42165", shown: "10-Jun-15", date: "2015-06-10")
        #expect(try told([typed, Cell("03/31/2015"), Cell("4/1/15"), Cell("May 5, 2015"), Cell("")]).isEmpty)
        #expect(
            try told([typed, Cell("soon"), Cell("13/13/2015"), Cell("soon")])
                == ["In “Born” this is no date: “soon”, “13/13/2015”."])
        #expect(try told([Cell("3"), Cell("x")], "{Born} * 2") == ["In “Born” this is no number: “x”."])
        #expect(try told([Cell("Y"), Cell("nein")], "if({Born}, 1, 2)").isEmpty)
    }

    @Test("Texts that are too long for their field are found before any row")
    func tooLong() throws {
        let fixed = try Mapping(parsing: "[fields]\nneeded = \"abcd\"\n").check(
            fields(), [], today: context())
        #expect(fixed.first?.severity == .error && fixed.first?.kind == .tooLong)
        let facts = [ColumnFacts(name: "Name", samples: ["abc", "abcd"])]
        let cell = try Mapping(parsing: "[fields]\nneeded = {Name}\n").check(
            fields(), facts, today: context())
        #expect(cell.first?.severity == .warning && cell.first?.kind == .tooLong)
    }
}
