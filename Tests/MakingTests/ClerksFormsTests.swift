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

    /// What became of the columns that have a right field, and of those that have none.
    struct Tally: CustomStringConvertible {
        var right = 0
        var wrong: [String] = []
        /// Nothing is filled in, and the right field is among two or three to choose from.
        var offered: [String] = []
        var silent: [String] = []
        /// Columns with a right field.
        var total = 0

        var description: String {
            let share = total > 0 ? right * 1000 / total : 0
            return
                "\(total) columns: \(right) right (\(share / 10).\(share % 10) %), \(wrong.count) wrong, \(offered.count) offered, \(silent.count) left empty"
        }

        static func + (a: Tally, b: Tally) -> Tally {
            Tally(
                right: a.right + b.right, wrong: a.wrong + b.wrong, offered: a.offered + b.offered,
                silent: a.silent + b.silent, total: a.total + b.total)
        }
    }

    private func judge(_ form: ClerksForm) throws -> Tally {
        let file = try PDFFile(bytes: form.bytes)
        let fields = try Form(bytes: form.bytes).fields
        let labels = FieldLabels(of: try Form(bytes: form.bytes), in: file, reader: Self.reader)
        let facts = FieldFacts.all(fields, labels.all)
        return try form.lists.map { try judge($0, form, facts) }.reduce(Tally(), +)
    }

    private func judge(_ list: ClerksForm.List, _ form: ClerksForm, _ facts: [FieldFacts]) throws -> Tally {
        var tally = Tally()
        let columns = list.headers.map { ColumnFacts(name: $0.name, samples: $0.values) }
        var mapping = try Mapping(
            parsing: form.locale == "us" ? "" : "locale = \(form.locale == "gb" ? "en-GB" : form.locale)\n")
        mapping.takeSuggestions(facts, columns)
        let offers = mapping.offers(facts, columns)
        let context = FormulaContext(
            columns: FormulaColumns(columns), today: try #require(WallTime(year: 2026, month: 11, day: 21)),
            rowCount: 2, template: "Form")
        let compiled = try CompiledMapping(mapping, fields: facts, context: context)
        let row = compiled.row(list.headers.map { Cell($0.values[0]) }, number: 1)
        var values: [String: String] = [:]
        for (name, value) in zip(compiled.fields, row.values) {
            if case .text(let text)? = value, let key = form.keys[name] { values[key] = text }
        }
        for header in list.headers {
            let reference = Mapping.Source.column(header.name).text
            let fed = Set(
                mapping.entries.filter { $0.source.text.contains(reference) }.compactMap {
                    form.keys[$0.field]
                })
            let offer = offers.first { $0.column == header.name }
            let offered = offer?.choices.map { $0.parts.compactMap { form.keys[$0.field] } } ?? []
            func said(_ right: some Sequence<String>) -> String {
                let right = right.sorted().joined(separator: " ")
                return
                    "\(form.title) · \(header.name): right is \(right.isEmpty ? "nothing" : right), got \(fed.isEmpty ? "nothing" : fed.sorted().joined(separator: " ")); offered \(offered.map { $0.joined(separator: "+") }) \(offer?.choices.first?.reason ?? "")"
            }
            switch header.right {
            case .nowhere, .choice:
                if !fed.isSubset(of: header.harmless) { tally.wrong.append(said([])) }
            case .fields(let wanted):
                let wantedKeys = Set(wanted.keys)
                let off = wanted.filter {
                    $0.value != nil && fed.contains($0.key) && values[$0.key] != $0.value
                }
                tally.total += 1
                if !fed.isSubset(of: wantedKeys.union(header.harmless)) {
                    tally.wrong.append(said(wanted.keys))
                } else if !off.isEmpty {
                    tally.wrong.append(
                        "\(said(wanted.keys)) \(off.keys.sorted().map { "\($0)=\(values[$0] ?? "")" })")
                } else if fed.isSuperset(of: wantedKeys) {
                    tally.right += 1
                } else if fed.isEmpty, (1...3).contains(offered.count),
                    offered.joined().contains(where: wantedKeys.contains)
                {
                    tally.offered.append(said(wanted.keys))
                } else {
                    tally.silent.append(said(wanted.keys))
                }
            }
        }
        return tally
    }

    @Test(
        "What is matched by itself is right, and what is not certain is offered with reasons",
        arguments: [false, true])
    func trust(isHeldBack: Bool) throws {
        let forms =
            (americanForms + europeanForms + otherForms + schoolForms + workForms + houseForms + officeForms
            + foreignForms).map(ClerksForm.init).filter { $0.isHeldBack == isHeldBack }
        let tally = try forms.map(judge).reduce(Tally(), +)
        print("\(forms.count) forms\(isHeldBack ? " held back" : ""), \(tally)")
        #expect(tally.wrong == [], "nothing may go where it does not belong")
        #expect(tally.right * 100 >= tally.total * 75, "\(tally)")
        // Some columns have no word in common with their field: “Payment method” and “Paid by”.
        #expect(
            tally.silent.count * 100 <= tally.total * 2,
            "what is not certain is offered with the right field among it: \(tally.silent)")
    }
}
