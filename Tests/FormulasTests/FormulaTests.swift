import Formulas
import Glibc
import TestSupport
import Testing
import Work

/// The row of the documentation.
enum Example {
    static let cells: [(column: String, cell: String)] = [
        ("First name", "Zoë"), ("Last name", "O'Brien"), ("Birth date", "2015-06-10"), ("Class", "5a"),
        ("ZIP", "01234"),
        ("SSN", "123-45-6789"), ("Amount", "1,234.50"), ("Nickname", ""), ("Member", "yes"),
        ("Address", "12 Elm Street\nSpringfield, IL 62701"),
    ]

    static func context(types: [FormulaType] = []) throws -> FormulaContext {
        FormulaContext(
            columns: FormulaColumns(cells.map(\.column), types: types),
            tables: [
                FormulaTable(
                    name: "teachers",
                    entries: [.init(key: "5a", value: "Ms Ito"), .init(key: "5b", value: "Mr Diaz")])
            ], today: try #require(WallTime(year: 2026, month: 11, day: 21)), rowCount: 300,
            template: "Consent")
    }

    static func scope() throws -> FormulaScope {
        FormulaScope(try context(), cells: cells.map { FormulaCell($0.cell) }, row: 7)
    }

    static func value(_ text: String) throws -> String { try Formula(text).result(scope()).shown }
}

@Suite("Formulas") struct FormulaTests {
    private static let documentation = "docs/formats/formulas.md"

    private func lines() throws -> [String] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = try #require(fopen("/\(root)/\(Self.documentation)", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }

    @Test("Every example of the documentation gives what it says")
    func documentedExamples() throws {
        var count = 0
        for line in try lines() where line.hasPrefix("| `") {
            guard let end = line.dropFirst(3).firstRange(of: "` |"), !line.contains("| `function") else {
                continue
            }
            let formula = String(line[line.index(line.startIndex, offsetBy: 3)..<end.lowerBound])
            let wanted = line[end.upperBound...].dropLast().drop { $0 == " " }
            // The list of functions at the end has no results.
            guard (try? Formula(formula)) != nil || !formula.contains("[") && !formula.contains("…") else {
                continue
            }
            if FormulaFunction.all.contains(where: { $0.usage == formula }) { continue }
            let result = try Example.value(formula).replacing("\n", with: "⏎")
            let text = String(wanted)
            #expect(result == (text.hasSuffix(" ") ? String(text.dropLast()) : text), "\(formula)")
            count += 1
        }
        #expect(count > 90)
    }

    @Test("The documentation lists every function as it is written, and shows an example of each")
    func documentedFunctions() throws {
        let all = try lines()
        let text = all.joined(separator: "\n")
        for function in FormulaFunction.all {
            let line = "| `\(function.usage)` | \(function.summary) |"
            #expect(all.contains(line), "missing: \(line)")
            #expect(
                text.contains("`\(function.name)(") || text.contains(" \(function.name)("),
                "no example of \(function.name)")
        }
    }

    @Test(
        "What cannot be right is refused before any row, with its place and what would be right",
        arguments: [
            ("", 0, "The formula is empty."), ("1 +", 3, "The formula ends too early: a value is missing."),
            ("\"abc\" * 2", 0, "“*” needs a number, but this is a text."),
            ("lft({a}, 2)", 0, "There is no function “lft”. Did you mean “left”?"),
            ("left({a})", 0, "“left” needs 2 values. It is written left(text, count)."),
            ("upper(\"a\", 2)", 0, "“upper” takes at most 1 values. It is written upper(text)."),
            ("{a", 0, "The column that begins here has no end. Close it with }."),
            ("\"abc", 0, "The text that begins here has no end. Close it with \"."),
            ("{a} {b}", 4, "The column “b” is not expected here. Texts are joined with &."),
            ("1 < 2 < 3", 6, "Only two values can be compared at a time. Join comparisons with “and”."),
            (
                "5a", 0,
                "“5a” is no number. Numbers are written like 1234.5; texts stand in quotation marks, columns in braces."
            ),
            ("(1 + 2", 0, "This bracket is not closed."),
            ("if {a} then 1", 0, "“if” needs brackets. if(condition, value, otherwise)"),
            ("today + today", 0, "“+” needs a number, but this is a date."),
            (
                "date_format(today, \"qqq\")", 19,
                "“qqq” is no pattern for a date: y, m, d, h and s stand for its parts, other letters in quotation marks."
            ),
            ("age(\"soon\")", 4, "“age” needs a date, but this is a text."),
            ("row = today", 0, "A number cannot be compared with a date."),
            ("1 } 2", 2, "“}” means nothing here. Columns are written {Last name}."),
        ])
    func refusals(formula: String, offset: Int, message: String) throws {
        let problem = #expect(throws: FormulaError.self) { try Formula(formula) }
        #expect(problem?.description == message)
        #expect(problem?.place.lowerBound == offset)
    }

    @Test("Columns and small tables that do not exist are found before any row, with the name that was meant")
    func unknownNames() throws {
        let context = try Example.context()
        #expect(
            try Formula("{Frist name} & {SSN}").check(context).map(\.description)
                == ["The table has no column “Frist name”. Did you mean “First name”?"])
        #expect(try Formula("{first_NAME} & ssn").check(context).isEmpty)
        #expect(
            try Formula("lookup({Class}, \"teacher\")").check(context).map(\.description)
                == ["There is no small table “teacher”. Did you mean “teachers”?"])
        let far = try Formula("{Shoe size}").check(context)
        #expect(far.first?.hint?.hasPrefix("It has First name, Last name") == true)
        #expect(far.first?.picture(in: "{Shoe size}") == "{Shoe size}\n^^^^^^^^^^^")
    }

    @Test("Kinds of columns are checked too; what only some rows may not hold is a warning")
    func types() throws {
        let types: [FormulaType] = [.text, .text, .date, .text, .text, .text, .number, .text, .flag, .text]
        let context = try Example.context(types: types)
        let warning = try Formula("{Class} * 2").check(context)
        #expect(warning.map(\.message) == ["A number is needed here, and “Class” may hold other texts."])
        #expect(warning.first?.isWarning == true)
        #expect(try Formula("{Birth date} * 2").check(context).first?.isWarning == false)
        #expect(
            try Formula("if({Birth date}, 1)").check(context).first?.message.contains("needs yes or no")
                == true)
        #expect(try Formula("{Amount} * 2 & {Member}").check(context).isEmpty)
        #expect(try Formula("{Birth date} < 3").check(context).count == 1)
        #expect(try Formula("{Birth date} + 3").type(context) == .date)
        #expect(try Formula("if({Member}, 1, \"a\")").type(context) == .any)
    }

    @Test("A row that does not allow a calculation says so, with the cell and the column")
    func rowProblems() throws {
        func message(_ formula: String) throws -> String? {
            #expect(throws: FormulaError.self) { try Example.value(formula) }?.description
        }
        #expect(try message("{Class} * 2") == "“5a” in the column “Class” is no number.")
        #expect(try message("{Amount} / length({Nickname})") == "Nothing can be divided by zero.")
        #expect(try message("if({Class}, 1)") == "“5a” in the column “Class” is neither yes nor no.")
        #expect(
            try message("lookup(\"9z\", \"teachers\")")?.hasPrefix(
                "The table “teachers” says nothing about “9z”.") == true)
        #expect(try message("problem(\"No \" & {Class})") == "No 5a")
        #expect(try message("date(2026, 2, 30)") == "There is no day 30 in month 2 of the year 2026.")
        #expect(try message("date(\"21/11/2026\")")?.hasPrefix("“21/11/2026” is no date.") == true)
        #expect(try message("99999999999999999999 * 99999999999999999999") == "The number grows too large.")
        #expect(try message("repeat(repeat(\"ab\", 1000), 1000)") == "The text grows too long.")
    }

    @Test("Explaining goes step by step from the cells to the value, and ends with what went wrong")
    func explaining() throws {
        let steps = try Formula("upper(left({First name}, 2)) & {ZIP} * 2").explain(Example.scope())
        #expect(
            steps.map { "\($0.part) = \($0.value)" } == [
                "{First name} = “Zoë”", "left({First name}, 2) = “Zo”", "upper(left({First name}, 2)) = “ZO”",
                "{ZIP} = “01234”", "{ZIP} * 2 = 2468", "upper(left({First name}, 2)) & {ZIP} * 2 = “ZO2468”",
            ])
        let failed = try Formula("1 + {Class}").explain(Example.scope())
        #expect(
            failed.last
                == FormulaStep(
                    part: "{Class}", value: "“5a” in the column “Class” is no number.", isProblem: true))
    }

    @Test("Only the branch that is taken is worked out")
    func laziness() throws {
        #expect(try Example.value("if({Class} = \"5a\", \"fine\", problem(\"never\"))") == "fine")
        #expect(try Example.value("{Member} or problem(\"never\")") == "yes")
    }

    @Test("A bound formula gives the same, and says which columns it needs")
    func binding() throws {
        let formula = try Formula("{zip} & {First name} & {ZIP}")
        #expect(formula.columns == ["zip", "First name", "ZIP"])
        #expect(
            try formula.bound(to: Example.context().columns).result(Example.scope()).shown == "01234Zoë01234")
        #expect(try Formula("today & 1").dependsOnMoreThanTheRow)
        #expect(try !Formula("{a} & template").dependsOnMoreThanTheRow)
    }

    @Test("Typed cells keep their look when they are passed on, and their value when they are used")
    func typedCells() throws {
        let date = try #require(WallTime(year: 2026, month: 3, day: 4))
        let context = FormulaContext(
            columns: FormulaColumns(["When", "Much"], types: [.date, .number]), today: date)
        let scope = FormulaScope(
            context,
            cells: [
                FormulaCell(.date(date), shown: "4 March"),
                FormulaCell(.number(Decimal(1500)), shown: "1.5 k"),
            ])
        #expect(try Formula("When & \", \" & Much").result(scope).shown == "4 March, 1.5 k")
        #expect(
            try Formula("date_format(When + 1, \"iso\") & Much * 2").result(scope).shown == "2026-03-053000")
        #expect(try Formula("if(yes, Much)").result(scope).shown == "1.5 k")
        // What reads as neither a number nor a day is compared with what the table shows.
        for (text, answer) in [
            ("Much = 1500", "yes"), ("Much = \"1.5 K\"", "yes"), ("Much = \"2 k\"", "no"),
            ("Much <> \"1.5 k\"", "no"), ("When = \"4 March\"", "yes"), ("When = \"2026-03-05\"", "no"),
        ] {
            #expect(try Formula("if(\(text), \"yes\", \"no\")").result(scope).shown == answer, "\(text)")
        }
    }

    @Test(
        "Names are found by what the columns are called",
        arguments: [
            (["First Name", "Surname"], "A B"), (["Vorname", "Nachname"], "A B"), (["Prénom", "Nom"], "A B"),
            (["first_name", "middle name", "last_name"], "A B C"), (["Name"], "A"),
            (["Full name", "x"], "A"),
            (["Name", "First name"], "B A"),
        ])
    func roles(columns: [String], name: String) throws {
        let today = try #require(WallTime(year: 2026, month: 1, day: 1))
        let context = FormulaContext(columns: FormulaColumns(columns), today: today)
        let scope = FormulaScope(context, cells: ["A", "B", "C"].map { FormulaCell($0) })
        #expect(try Formula("full_name()").result(scope).shown == name)
    }

    @Test(
        "Initials are of the first and the last name, whatever else a name has",
        arguments: [
            (["First name", "Last name"], ["Jan", "De Vries"], "JD"),
            (["First name", "Last name"], ["Mary Jane", "Smith-Jones"], "MS"),
            (["First name", "Middle name", "Last name"], ["Robert \"Bob\"", "Lee", "Smith"], "RS"),
            (["First name", "Last name"], ["\"Bob\" Robert", "Smith"], "RS"),
            (["First name", "Last name"], ["Ana", ""], "A"), (["Name"], ["Jan De Vries"], "JD"),
            (["Name"], ["De Vries, Jan"], "JD"), (["Name"], ["Robert “Bob” Smith"], "RS"),
            (["Name"], ["Robert (Bob) Lee Smith Jr."], "RS"), (["Name"], ["Martin King, Jr."], "MK"),
            (["Name"], ["ludwig van beethoven"], "LV"), (["Name"], ["María de los Ángeles Núñez"], "MN"),
            (["Name"], ["Zoë Ångström"], "ZÅ"), (["Name"], ["Plato"], "P"), (["Name"], ["王小明"], "王"),
            (["Name"], ["\"\""], ""),
        ])
    func initials(columns: [String], cells: [String], letters: String) throws {
        let today = try #require(WallTime(year: 2026, month: 1, day: 1))
        let context = FormulaContext(columns: FormulaColumns(columns), today: today)
        let scope = FormulaScope(context, cells: cells.map { FormulaCell($0) })
        #expect(try Formula("initials()").result(scope).shown == letters)
        #expect(try Formula("initials(\"Mary (May) Jane\", \"Smith-Jones\")").result(scope).shown == "MJSJ")
    }

    @Test("Without columns for a name, asking for the name is a problem before any row")
    func noName() throws {
        let today = try #require(WallTime(year: 2026, month: 1, day: 1))
        let context = FormulaContext(columns: FormulaColumns(["Size"]), today: today)
        #expect(try Formula("initials()").check(context).count == 1)
    }

    @Test(
        "Numbers are exact however they are reckoned with",
        arguments: [
            ("0.1 + 0.2", "0.3"), ("1.10 * 3", "3.3"), ("100 / 8", "12.5"), ("2 / 3", "0.666666666666666667"),
            ("-7 / 2", "-3.5"),
            ("round(-2.5)", "-3"), ("round(0.5)", "1"), ("round(1.005, 2)", "1.01"), ("mod(-7, 3)", "2"),
            ("floor(1.999)", "1"),
            ("9999999999999999 + 0.0001", "9999999999999999.0001"),
            ("number_format(1234567.891, \"#,##0.00\", \"fr\")", "1\u{A0}234\u{A0}567,89"),
            ("number_format(0, \"#.00\")", ".00"), ("number(\"1’234.5\", \"de-CH\")", "1234.5"),
            ("number(\"(1,200.50)\")", "-1200.5"),
            ("number(\"12 %\")", "0.12"), ("number(\"€ 1.234,5\", \"de\")", "1234.5"), ("1 = 1.000", "yes"),
            ("0.1 < 0.12", "yes"),
            ("number(\"1 234,5\", \"fr-CA\")", "1234.5"),
        ])
    func exactness(formula: String, result: String) throws { #expect(try Example.value(formula) == result) }

    @Test(
        "Dates are read as people of the locale write them",
        arguments: [
            ("6/10/2015", "en-US", "2015-06-10"), ("10/06/2015", "en-GB", "2015-06-10"),
            ("10.6.15", "de", "2015-06-10"),
            ("June 10, 2015", "en-US", "2015-06-10"), ("10 juin 2015", "fr", "2015-06-10"),
            ("10 de junio de 2015", "es-MX", "2015-06-10"),
            ("Wednesday, June 10th, 2015", "en", "2015-06-10"), ("2015/06/10", "ja", "2015-06-10"),
            ("10. Juni 2015", "de-AT", "2015-06-10"),
            ("12/31/99", "en-US", "1999-12-31"), ("2015-06-10T15:04", "de", "2015-06-10T15:04:00"),
            ("6/10/2015 3:04 pm", "en-US", "2015-06-10T15:04:00"),
            ("31/12/1999", "en-US", nil), ("29/02/2015", "en-GB", nil), ("1-2", "en-US", nil),
            ("tomorrow", "en-US", nil), ("1/2/3/4", "en-US", nil),
        ])
    func dateReading(text: String, locale: String, date: String?) throws {
        var scope = try Example.scope()
        scope.context.locale = try #require(FormulaLocale(locale))
        let formula = try Formula("if(is_date(\"\(text)\"), date(\"\(text)\") & \"\", \"none\")")
        #expect(try formula.result(scope).shown == date ?? "none")
    }

    @Test("What was written by a pattern is read back by it")
    func patternsBothWays() throws {
        for locale in FormulaLocale.all {
            var scope = try Example.scope()
            scope.context.locale = locale
            for style in ["short", "medium", "long", "iso", "dd.mm.yy", "yyyymmdd", "dddd, d mmmm yyyy"] {
                for day in ["2025-01-31", "2026-05-09", "2024-02-29", "2026-12-03"] {
                    let pattern = try Formula(
                        "date(date_format(date(\"\(day)\"), \"\(style)\"), \"\(style)\") & \"\"")
                    let back = try? pattern.result(scope).shown
                    // The styles are the locale's own for writing; reading takes the pattern in English order.
                    guard !["short", "medium", "long"].contains(style) else { continue }
                    #expect(back == day, "\(locale.code) \(style)")
                }
            }
        }
    }

    @Test("Nothing that is typed or stands in a cell makes a formula crash, hang or grow")
    func fuzzing() throws {
        var dice = Dice(4)
        let seeds = try lines().compactMap { line -> String? in
            guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstRange(of: "` |") else { return nil }
            return String(line[line.index(line.startIndex, offsetBy: 3)..<end.lowerBound])
        }
        let pieces = [
            "(", ")", ",", "{", "}", "\"", "&", "-", "not ", "if(", "date(", "9", "0.0", "repeat(", "split(",
            "{Amount}", "\\",
        ]
        var scope = try Example.scope()
        var worked = 0
        for round in 0..<6000 {
            var text = seeds[dice.below(seeds.count)]
            for _ in 0..<dice.below(3) { text = dice.spoil(text) }
            for _ in 0..<dice.below(3) {
                text += pieces[dice.below(pieces.count)] + seeds[dice.below(seeds.count)]
            }
            if round % 50 == 0 {
                text = String(repeating: pieces[dice.below(pieces.count)], count: 2000) + text
            }
            if round % 10 == 0 {
                scope.cells = scope.cells.map { _ in
                    FormulaCell(String(decoding: dice.bytes(upTo: 40), as: UTF8.self))
                }
            }
            guard let formula = try? Formula(text) else { continue }
            _ = formula.check(scope.context)
            _ = formula.explain(scope)
            if let result = try? formula.value(scope) {
                worked += 1
                #expect(result.text.utf8.count <= 200_000)
            }
        }
        #expect(worked > 200)
    }

    @Test("A formula that asks for the same thing again and again is ended")
    func runaway() throws {
        var text = "{Amount}"
        for _ in 0..<25 { text = "if(\(text) > 0, \(text.count < 3000 ? text : "1"), 2)" }
        let scope = try Example.scope()
        let time = workTime { _ = try? Formula(text).value(scope) }
        #expect(time < .seconds(5))
        #expect(throws: FormulaError.self) {
            try Formula(String(repeating: "(", count: 500) + "1" + String(repeating: ")", count: 500))
        }
        #expect(throws: FormulaError.self) { try Formula(String(repeating: "1+", count: 500) + "1") }
        #expect(try Example.value(String(repeating: "1&", count: 400) + "1").count == 401)
    }
}
