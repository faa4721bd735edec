import Formulas
import Mappings
import TestSupport
import Testing
import Work

@Suite("Names of documents") struct NamePatternTests {
    private func context(_ columns: [String], count: Int? = 300) throws -> FormulaContext {
        FormulaContext(
            columns: FormulaColumns(columns), today: try #require(WallTime(year: 2026, month: 11, day: 21)),
            rowCount: count,
            template: "Consent form")
    }

    private func name(_ pattern: String?, _ cells: [(String, String)], row: Int = 7) throws -> String {
        let context = try context(cells.map(\.0))
        let pattern = try NamePattern(pattern, context: context)
        var problems: [MappingProblem] = []
        return pattern.path(
            FormulaScope(context, cells: cells.map { FormulaCell($0.1) }, row: row), problems: &problems)
    }

    @Test("Without a pattern a document is called after the form, the person and the row")
    func standard() throws {
        #expect(
            try name(nil, [("First name", "Zoë"), ("Last name", "O'Brien")]) == "Consent form_Zoë O'Brien_007"
        )
        #expect(try name(nil, [("Name", "王小明"), ("ID", "A-12")]) == "Consent form_王小明_A-12")
        #expect(try name(nil, [("Size", "3")]) == "Consent form_007")
        #expect(try name(nil, [("Name", " ")]) == "Consent form_007")
    }

    @Test(
        "A pattern takes columns, dates, case, numbers, folders and formulas",
        arguments: [
            ("{Class}/{Name}", "5a/Zoë B"), ("{class}-{row}", "5a-007"), ("{row:00000}", "00007"),
            ("{Name:upper}", "ZOË B"),
            ("{Born:yyyy-mm}", "2015-06"), ("{left({Name}, 1) & \"}\"}", "Z}"),
            ("{if({Class} = \"5a\", \"a/b\", \"c\")}", "a-b"),
            ("{today} {template}", "2026-11-21 Consent form"), ("{{{Class}}}", "{5a}"),
            ("a//b/", "a-b".replacing("-", with: "/")),
            ("{Empty}_{Class}", "5a"), ("x_{Empty}_{Class}", "x_5a"),
        ])
    func patterns(pattern: String, path: String) throws {
        let cells = [("Name", "Zoë B"), ("Class", "5a"), ("Born", "6/10/2015"), ("Empty", "")]
        #expect(try name(pattern, cells) == path)
    }

    @Test("What no column and no word is called is refused before anything is made, with what was meant")
    func unknown() throws {
        let context = try context(["Last name"])
        let problem = #expect(throws: MappingProblem.self) {
            try NamePattern("{Lsat name}", context: context)
        }
        #expect(
            problem?.description
                == "The table has no column “Lsat name” to name files by. Did you mean {Last name}?")
        #expect(throws: MappingProblem.self) { try NamePattern("{Last name", context: context) }
        #expect(throws: MappingProblem.self) { try NamePattern("", context: context) }
        #expect(throws: MappingProblem.self) { try NamePattern("/", context: context) }
        #expect(throws: MappingProblem.self) { try NamePattern("{left(1)}", context: context) }
    }

    @Test(
        "Whatever a cell holds, the name stays below its folder and every system takes it",
        arguments: [
            ("../../etc/passwd", "-..-etc-passwd"), ("..", "007"), (".hidden", "hidden"),
            ("a\\b:c*d?e\"f<g>h|i", "a-b-c-d-e-f-g-h-i"),
            ("CON", "CON_"), ("nul.txt", "nul_.txt"), ("com1", "com1_"), ("COM¹", "COM¹_"), ("end. ", "end"),
            ("a\u{0}b\nc", "a b c"),
            ("gpj\u{202E}exe", "gpjexe"), ("a／b∕c", "a-b-c"), ("\u{200B}\u{FEFF}", "007"), ("  ", "007"),
            ("~", "~"), ("محمد الأحمد", "محمد الأحمد"),
            ("प्रिया", "प्रिया"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("می‌خواهم", "می‌خواهم"), ("-rf", "-rf"), ("C:\\x", "C--x"),
            ("a\u{A0}b\t c", "a b c"),
        ])
    func tricks(cell: String, safe: String) throws {
        #expect(try name("{x}", [("x", cell)]) == safe)
        let nested = try name("{x}/{x}", [("x", cell)])
        #expect(!nested.split(separator: "/").contains { $0 == ".." || $0 == "." } && !nested.hasPrefix("/"))
    }

    @Test("A long name loses its middle, not its number, and never half a letter")
    func long() throws {
        for letter in ["x", "é", "王", "👩‍👩‍👧", "क्षि"] {
            let path = try name("{x}_{row}", [("x", String(repeating: letter, count: 300))])
            #expect(path.utf8.count <= 200)
            #expect(path.hasSuffix("_007") && path.contains("…"))
        }
    }

    @Test("Names that some system holds for the same get numbers")
    func collisions() {
        let taken = TakenNames()
        let names = ["Zoë", "ZOË", "Zoe\u{308}", "zoë-2", "straße", "STRASSE", "a/b", "A/B"]
        #expect(
            names.map { taken.unique($0) } == [
                "Zoë", "ZOË-2", "Zoe\u{308}-3", "zoë-2-2", "straße", "STRASSE-2", "a/b", "A/B-2",
            ])
    }

    @Test("Of a hundred thousand names no two are alike, also where thousands of rows have the same one")
    func many() {
        let taken = TakenNames()
        var dice = Dice(7)
        var given: Set<String> = []
        for row in 0..<100_000 {
            let name = row % 2 == 0 ? "letter" : "Person \(dice.below(20_000))"
            let unique = taken.unique(name)
            #expect(unique == name || unique.hasPrefix("\(name)-"))
            given.insert(unique.lowercased())
        }
        #expect(given.count == 100_000)
        #expect(taken.unique("letter") == "letter-50001")
        #expect(taken.unique("Nobody") == "Nobody")
    }

    @Test(
        "Patterns that tell rows apart by themselves really do",
        arguments: [
            "{row}", "{x}_{row}", "{row} {x}", "{x}/{row}", "{x}{row}", "{row}{x}", "{x}", "a{row}",
            "{x}_{id}", "1{row}", "{x} {row:0}",
        ])
    func apart(pattern: String) throws {
        let context = try context(["x"], count: 500)
        let naming = try NamePattern(pattern, context: context)
        guard naming.tellsRowsApart else { return }
        var dice = Dice(3)
        var seen: Set<String> = []
        let cells = [
            "1", "", "_", "-2", "a", "A", "é", "..", "001", " 0", String(repeating: "9", count: 300), "x_00",
        ]
        for row in 1...2000 {
            var problems: [MappingProblem] = []
            let scope = FormulaScope(context, cells: [FormulaCell(cells[dice.below(cells.count)])], row: row)
            #expect(
                seen.insert(naming.path(scope, problems: &problems).lowercased()).inserted,
                "\(pattern) row \(row)")
        }
    }

    @Test("No pattern and no cell leads out of the folder, crashes, or makes a name that some system refuses")
    func fuzzing() throws {
        var dice = Dice(8)
        let seeds = [
            "{x}/{y}", "{x:upper}_{row:000}", "{if({x} = \"a\", {y}, \"/..\")}", "../{x}/./..",
            "{y:yyyy-mm}{{{x}}}", "{Template}.{x}",
        ]
        let context = try context(["x", "y"])
        var made = 0
        for _ in 0..<3000 {
            guard let naming = try? NamePattern(dice.spoil(seeds[dice.below(seeds.count)]), context: context)
            else { continue }
            let cells = (0..<2).map { _ in FormulaCell(String(decoding: dice.bytes(upTo: 60), as: UTF8.self))
            }
            var problems: [MappingProblem] = []
            let path = naming.path(FormulaScope(context, cells: cells, row: 7), problems: &problems)
            made += 1
            #expect(!path.isEmpty && !path.hasPrefix("/"))
            for part in path.split(separator: "/", omittingEmptySubsequences: false) {
                #expect(
                    !part.isEmpty && !part.hasPrefix(".") && !part.hasSuffix(".") && !part.hasSuffix(" ")
                        && part.utf8.count <= 203)
                #expect(
                    !part.unicodeScalars.contains {
                        $0.value < 32 || "\\:*?\"<>|".unicodeScalars.contains($0)
                    })
            }
        }
        #expect(made > 300)
    }

    @Test("A value that cannot be worked out is left out of the name and told")
    func problems() throws {
        let context = try context(["x"])
        let pattern = try NamePattern("n{x + 1}", context: context)
        var problems: [MappingProblem] = []
        #expect(
            pattern.path(FormulaScope(context, cells: [FormulaCell("abc")], row: 1), problems: &problems)
                == "n")
        #expect(problems.map(\.message) == ["“abc” in the column “x” is no number."])
    }
}
