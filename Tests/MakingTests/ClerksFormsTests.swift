import Formulas
import Making
import Mappings
import PDF
import PDFForms
import PDFReading
import Tables
import Testing
import Work

/// Whether a clerk can trust what is matched by itself: forms and lists in many styles, and for each column what is right.
@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct ClerksFormsTests {
    private static let reader = PageReader(jail: .detect())

    struct Tally {
        var right: [String] = []
        var wrong: [String] = []
        var offered: [String] = []
        var silent: [String] = []
        var total: Int { right.count + offered.count + silent.count + wrongOfTheirOwn }
        var wrongOfTheirOwn = 0
    }

    private func judge(_ form: ClerksForm, _ tally: inout Tally) throws {
        let file = try PDFFile(bytes: form.bytes)
        let fields = try Form(bytes: form.bytes).fields
        let labels = FieldLabels(of: try Form(bytes: form.bytes), in: file, reader: Self.reader)
        let facts = FieldFacts.all(fields, labels.all)
        let columns = form.headers.map { ColumnFacts(name: $0.name, samples: $0.values) }
        var mapping = try Mapping(
            parsing: form.locale == "us" ? "" : "locale = \(form.locale == "gb" ? "en-GB" : form.locale)\n")
        mapping.takeSuggestions(facts, columns)
        let offers = mapping.offers(facts, columns)
        let context = FormulaContext(
            columns: FormulaColumns(columns), today: try #require(WallTime(year: 2026, month: 11, day: 21)),
            rowCount: 2, template: "Form")
        let compiled = try CompiledMapping(mapping, fields: facts, context: context)
        let row = compiled.row(form.headers.map { Cell($0.values[0]) }, number: 1)
        var values: [String: String] = [:]
        for (name, value) in zip(compiled.fields, row.values) {
            if case .text(let text)? = value, let key = form.keys[name] { values[key] = text }
        }
        for header in form.headers {
            let reference = Mapping.Source.column(header.name).text
            let fed = Set(
                mapping.entries.filter { $0.source.text.contains(reference) }.compactMap {
                    form.keys[$0.field]
                })
            let said = "\(form.title) · \(header.name) -> \(fed.sorted().joined(separator: " "))"
            switch header.right {
            case .nowhere:
                if !fed.isEmpty { tally.wrong.append(said) }
            case .choice:
                if !fed.isEmpty { tally.wrong.append(said) }
            case .fields(let wanted):
                if !fed.isSubset(of: Set(wanted.keys)) {
                    tally.wrong.append(said)
                    tally.wrongOfTheirOwn += 1
                } else if fed == Set(wanted.keys) {
                    let off = wanted.filter { $0.value != nil && values[$0.key] != $0.value }
                    if off.isEmpty {
                        tally.right.append(said)
                    } else {
                        tally.wrong.append(
                            "\(said) \(off.keys.sorted().map { "\($0)=\(values[$0] ?? "")" })")
                        tally.wrongOfTheirOwn += 1
                    }
                } else {
                    let offer = offers.first { $0.column == header.name }
                    let offered = offer?.choices.map { $0.parts.compactMap { form.keys[$0.field] } } ?? []
                    let words =
                        "\(said) (\(wanted.keys.sorted().joined(separator: " "))) offered \(offered) \(offer?.choices.first?.reason ?? "")"
                    if fed.isEmpty, (1...3).contains(offered.count),
                        offered.joined().contains(where: wanted.keys.contains)
                    {
                        tally.offered.append(words)
                    } else {
                        tally.silent.append(words)
                    }
                }
            }
        }
    }

    @Test("What is matched by itself is right, and what is not certain is offered with reasons")
    func trust() throws {
        var tally = Tally()
        let forms = (americanForms + europeanForms + otherForms).map(ClerksForm.init)
        for form in forms { try judge(form, &tally) }
        #expect(forms.count >= 40)
        #expect(tally.wrong == [], "nothing may go where it does not belong")
        #expect(tally.right.count * 100 >= tally.total * 75, "right: \(tally.right.count) of \(tally.total)")
        #expect(tally.silent == [], "what is not certain is offered with the right field among it")
    }
}
