import Formulas
import Mappings
import TestSupport
import Testing

@Suite("Mapping files") struct MappingTests {
    static let sample = """
        # Consent form
        name = {Class}/{Template}_{Full name}
        locale = en-GB

        [fields]
        child name = {First name} & " " & {Last name}
        # the last four
        ssn = slice(digits({SSN}), -4)
        form1[0].#subform[0].a[0] = {A}
        "odd = name" = "yes"
        guardian =
        long = if({Class} = "5a",
            "Ms Ito",
            "the office")

        [table teachers]
        5a = Ms Ito
        "a = b" = "two\\nlines"

        """

    @Test("A file is written as it was read")
    func roundTrip() throws {
        let mapping = try Mapping(parsing: Self.sample)
        #expect(mapping.text == Self.sample)
        #expect(
            mapping.entries.map(\.field) == [
                "child name", "ssn", "form1[0].#subform[0].a[0]", "odd = name", "guardian", "long",
            ])
        #expect(mapping.entries.map(\.line) == [6, 8, 9, 10, 11, 12])
        #expect(mapping["form1[0].#subform[0].a[0]"] == .column("A"))
        #expect(mapping["odd = name"] == .fixed("yes"))
        #expect(mapping["guardian"] == .empty)
        #expect(mapping["nothing"] == nil)
        #expect(mapping[.name] == "{Class}/{Template}_{Full name}")
        #expect(mapping.locale.code == "en-GB")
        #expect(mapping.tables.first?.value("5A") == "Ms Ito")
        #expect(mapping.tables.first?.value("a = b") == "two\nlines")
        #expect(try Formula(mapping["long"]?.text ?? "").columns == ["Class"])
    }

    @Test("Changing one field leaves everything else as it stands, comments included")
    func editing() throws {
        var mapping = try Mapping(parsing: Self.sample)
        mapping["ssn"] = .column("Social {security}")
        mapping["new = one"] = .fixed("a \"b\"\nc")
        mapping[.name] = "{row}"
        mapping[.blank] = "keep"
        mapping["guardian"] = nil
        let expected = Self.sample.replacing("slice(digits({SSN}), -4)", with: "{Social \\{security\\}}")
            .replacing("{Class}/{Template}_{Full name}", with: "{row}").replacing(
                "locale = en-GB", with: "locale = en-GB\nblank = keep"
            )
            .replacing("guardian =\n", with: "")
            .replacing(
                "    \"the office\")\n", with: "    \"the office\")\n\"new = one\" = \"a \"\"b\"\"\\nc\"\n")
        #expect(mapping.text == expected)
        let again = try Mapping(parsing: mapping.text)
        #expect(again["ssn"] == .column("Social {security}"))
        #expect(again["new = one"] == .fixed("a \"b\"\nc"))
        mapping.setComment(["one\ntwo", "three"], above: "ssn")
        #expect(mapping.text.contains("# one two\n# three\nssn = "))
        #expect(!mapping.text.contains("the last four"))
    }

    @Test("A mapping made from nothing is a file like any other")
    func fromNothing() throws {
        var mapping = Mapping()
        mapping["b"] = .column("B")
        mapping["a"] = .empty
        mapping[.name] = "{row}"
        #expect(mapping.text == "name = {row}\n[fields]\nb = {B}\na =\n")
        #expect(try Mapping(parsing: mapping.text).entries.map(\.field) == ["b", "a"])
    }

    @Test(
        "Any name of a field and any text survive the file",
        arguments: [
            "a", " a ", "=", "#a", "[x]", "[fields]", "a = b", "\"q\"", "名前", "form1[0].x", "a\nb", "a\tb",
            "{a}", "\\", "ä=",
        ])
    func oddNames(name: String) throws {
        for source in [
            Mapping.Source.column(name), .fixed(name), .empty,
            .formula("upper(\(Mapping.Source.column(name).text))"),
        ] {
            // Blanks around a column's name are nobody's intention.
            if name.first?.isWhitespace == true || name.contains("\n") || name.contains("\t"),
                source != .fixed(name), source != .empty
            {
                continue
            }
            var mapping = Mapping()
            mapping[name] = source
            let again = try Mapping(parsing: mapping.text)
            #expect(again.entries.map(\.field) == [name])
            #expect(again[name] == source)
        }
    }

    @Test(
        "A mistake is told with its line and what would be right",
        arguments: [
            ("nmae = x", 1, "There is no setting “nmae”. Did you mean “name”?"),
            (
                "\n[feilds]", 2,
                "“[feilds]” is no heading. There are [fields], [table NAME] and [values FIELD]."
            ),
            (
                "[fields]\nabc", 2,
                "“abc” has no equals sign. A line is written: field = {Column}. Comments begin with #."
            ),
            ("[fields]\n= {x}", 2, "Nothing stands before the equals sign."),
        ])
    func mistakes(text: String, line: Int, message: String) throws {
        let problem = #expect(throws: MappingProblem.self) { try Mapping(parsing: text) }
        #expect(problem?.line == line)
        #expect(problem?.description == "line \(line): \(message)")
    }

    @Test("Whatever is read is written the same, or refused; nothing crashes")
    func fuzzing() throws {
        var dice = Dice(11)
        var read = 0
        for _ in 0..<3000 {
            var text = Self.sample
            for _ in 0...dice.below(4) { text = dice.spoil(text) }
            guard var mapping = try? Mapping(parsing: text) else { continue }
            read += 1
            let again = try Mapping(parsing: mapping.text)
            #expect(again == mapping)
            for entry in mapping.entries { mapping[entry.field] = .fixed("x") }
            #expect((try? Mapping(parsing: mapping.text)) != nil)
        }
        #expect(read > 500)
    }
}
