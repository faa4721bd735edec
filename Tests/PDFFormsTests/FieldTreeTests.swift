import PDF
import PDFForms
import Testing

@Suite("Reading a form")
struct FieldTreeTests {
    @Test("Type, flags and limits come down from ancestors, names are joined by dots")
    func inheritance() throws {
        let form = try Form(
            bytes: FormMaker.make { maker in
                let parent = maker.draft.newReference()
                let kid = maker.widget([
                    "T": .text("first"), "Parent": .reference(parent), "TU": .text("First name"),
                ])
                maker.draft.put(
                    .dictionary([
                        "T": .text("name"), "FT": .name("Tx"), "MaxLen": .integer(9), "Ff": .integer(2),
                        "Kids": .array([.reference(kid)]),
                    ]), at: parent)
                maker.fields.append(parent)
            })
        let field = try #require(form.fields.first)
        #expect(form.fields.count == 1)
        #expect(field.name == "name.first")
        #expect(field.kind == .text)
        #expect(field.maximumLength == 9)
        #expect(field.flags == .required)
        #expect(field.alternateName == "First name")
        #expect(field.widgets.map(\.page) == [0])
    }

    @Test("A widget that only the page knows is a field all the same")
    func orphan() throws {
        let form = try Form(
            bytes: FormMaker.make { maker in
                _ = maker.widget(["T": .text("lost[0].found"), "FT": .name("Tx"), "V": .text("here")])
            })
        #expect(form.fields.map(\.name) == ["lost[0].found"])
        #expect(form.fields.first?.isListed == false)
        #expect(form.fields.first?.value == ["here"])
    }

    @Test("A field that is its own ancestor is read once")
    func loop() throws {
        let form = try Form(
            bytes: FormMaker.make { maker in
                let field = maker.draft.newReference()
                maker.draft.put(
                    .dictionary(["T": .text("a"), "FT": .name("Tx"), "Kids": .array([.reference(field)])]),
                    at: field)
                maker.fields.append(field)
            })
        #expect(form.fields.count <= 1)
    }

    @Test("Acrobat's stock scripts are recognised as formats and sums, and not run")
    func scripts() throws {
        #expect(FieldFormat(script: "AFDate_FormatEx(\"dd.mm.yyyy\");") == .date(pattern: "dd.mm.yyyy"))
        #expect(
            FieldFormat(script: "AFNumber_Format(2, 0, 0, 0, \"$\", true);")
                == .number(decimals: 2, separators: 0, negative: 0, currency: "$", currencyIsFirst: true))
        #expect(FieldFormat(script: "AFSpecial_Format(3);") == .socialSecurity)
        #expect(FieldFormat(script: "event.value = 1") == .script)
        let sum = FieldCalculation(script: "AFSimple_Calculate(\"SUM\", new Array (\"a.b\", \"c\"));")
        #expect(sum?.operation == .sum)
        #expect(sum?.fields == ["a.b", "c"])
        for broken in [
            "AFDate_FormatEx(", "AF", "AFSimple_Calculate(\"SUM", "AFNumber_Format(9999999999999999999999)",
        ] {
            _ = FieldFormat(script: broken)
            _ = FieldCalculation(script: broken)
        }
    }
}
