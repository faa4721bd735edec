import PDF
import PDFForms
import Testing

/// Dates, limits and computations that a form asks for by its scripts.
@Suite("Customs of a form")
struct CustomsTests {
    private func script(_ text: String) -> PDFObject {
        .dictionary(["S": .name("JavaScript"), "JS": .text(text)])
    }

    private func fill(
        _ values: [String: FieldValue], _ describe: (inout FormMaker) -> Void
    ) throws -> (values: [String: [String]], findings: [Finding], doubts: [Finding]) {
        let form = try PreparedForm(bytes: FormMaker.make(describe))
        let names = values.keys.sorted()
        let columns = form.columns(names)
        let row = names.map { values[$0] }
        let filled = form.fill(columns: columns, row: row)
        let fields = try Form(bytes: filled.bytes).fields
        return (
            Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
            filled.findings, form.prove(filled, columns: columns, row: row)
        )
    }

    @Test(
        "Dates are brought into the form's own pattern",
        arguments: [
            ("mm/dd/yyyy", "2026-02-05", "02/05/2026"), ("mm/dd/yyyy", "5.2.2026", "02/05/2026"),
            ("mm/dd/yyyy", "2/5/2026", "02/05/2026"), ("mm/dd/yyyy", "5 February 2026", "02/05/2026"),
            ("mm/dd/yyyy", "Feb 5, 2026", "02/05/2026"), ("dd.mm.yyyy", "2026-02-05T14:30:00Z", "05.02.2026"),
            ("d-mmm-yyyy", "2026-02-05", "5-Feb-2026"), ("mmmm d, yyyy", "2026/12/24", "December 24, 2026"),
            ("yyyy-mm-dd", "24.12.2026", "2026-12-24"), ("dddd, mmm d", "2026-11-21", "Saturday, Nov 21"),
            ("m/d/yy", "2026-02-05", "2/5/26"), ("mm/dd/yyyy", "13/02/2026", "02/13/2026"),
            ("dd/mm/yyyy", "05/02/2026", "05/02/2026"), ("yyyy-mm-dd", "5/5/2026", "2026-05-05"),
            ("mm/dd/yyyy HH:MM", "2026-02-05 09:07", "02/05/2026 09:07"),
            ("MMDDYYYY", "2026-02-05", "02052026"), ("DD.MM.YYYY", "2026-02-05", "05.02.2026"),
            ("h:MM tt", "14:05", "2:05 pm"), ("HH:MM", "2:30 PM", "14:30"), ("HH:MM:ss", "9:05", "09:05:00"),
        ])
    func dates(pattern: String, given: String, written: String) {
        #expect(DateNotation(pattern: pattern).read(given) == .text(written))
    }

    @Test(
        "Months are read in many languages, and written in the form's",
        arguments: [
            ("d. mmmm yyyy", "de-AT", "2026-03-05", "5. März 2026"),
            ("d mmmm yyyy", "fr", "2026-08-05", "5 août 2026"),
            ("d-mmm-yyyy", "es_MX", "2026-01-05", "5-ene-2026"),
            ("mmmm d, yyyy", nil, "5. März 2026", "March 5, 2026"),
            ("mm/dd/yyyy", "en-US", "5 août 2026", "08/05/2026"),
            ("yyyy-mm-dd", "xx", "21 listopada 2026", "2026-11-21"),
        ] as [(String, String?, String, String)])
    func months(pattern: String, language: String?, given: String, written: String) {
        #expect(DateNotation(pattern: pattern, language: language).read(given) == .text(written))
        // What was written is read again as the same.
        #expect(DateNotation(pattern: pattern, language: language).read(written) == .text(written))
    }

    @Test(
        "A date that could be two is never guessed",
        arguments: [
            ("yyyy-mm-dd", "05/02/2026"), ("dd.mm.yyyy", "05/02/2026"), ("mm/dd/yyyy", "05-02-2026"),
            ("yyyy-mm-dd", "5 Feb 26"), ("mm/dd/yyyy", "05/02/26"),
        ])
    func ambiguous(pattern: String, given: String) {
        #expect(DateNotation(pattern: pattern).read(given) == .ambiguous)
    }

    @Test(
        "What is no date is left alone",
        arguments: ["N/A", "2026-02-30", "soon", "12", "1/2", "99/99/2026", "२०२६-०२-०५", "\u{301}", "25:00"])
    func none(given: String) {
        #expect(DateNotation(pattern: "mm/dd/yyyy").read(given) == .none)
    }

    @Test("Any pattern and any text are read without harm")
    func hostile() {
        var state: UInt64 = 7
        func letter(_ from: String) -> Character {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return Array(from)[Int(state >> 33) % from.count]
        }
        for _ in 0..<20_000 {
            let pattern = String((0..<8).map { _ in letter("mdyHhMst/.-\\ :é") })
            let text = String((0..<10).map { _ in letter("0123456789/.-: TZapmFeb٣") })
            _ = DateNotation(pattern: pattern).read(text)
        }
    }

    @Test("A date is stored and shown in the form's pattern, and the proof agrees")
    func dateField() throws {
        let result = try fill(["born": .text("1999-12-31"), "signed": .text("1/2/2026")]) { maker in
            maker.text(
                "born", ["AA": .dictionary(["F": script("AFDate_FormatEx(\"dd/mm/yyyy\");")])])
            maker.text(
                "signed", ["AA": .dictionary(["F": script("AFDate_FormatEx(\"yyyy-mm-dd\");")])])
        }
        #expect(result.values["born"] == ["31/12/1999"])
        #expect(result.values["signed"] == ["1/2/2026"])
        #expect(result.findings.map(\.kind) == [.ambiguous])
        #expect(result.doubts.isEmpty)
    }

    @Test("A number the form would refuse is said")
    func range() throws {
        let result = try fill(["low": .text("3"), "high": .text("1,200.50"), "fine": .text("7")]) { maker in
            for name in ["low", "high", "fine"] {
                maker.text(
                    name, ["AA": .dictionary(["V": script("AFRange_Validate(true, 5, true, 1000);")])])
            }
        }
        #expect(result.findings.map(\.kind) == [.outOfRange, .outOfRange])
        #expect(result.findings[0].message == "The form would refuse “3”: it takes numbers from 5 to 1000.")
    }

    @Test("A computation its author typed is computed")
    func simpleNotation() throws {
        let typed = """
            /** BVCALC (Quantity + 1) * Unit\\ price - -2 / rate.b EVCALC **/
            event.value = (AFMakeNumber(getField("Quantity").value) + 1) * 0;
            """
        let result = try fill(["Quantity": .text("3"), "Unit price": .text("2.5"), "rate.b": .text("4")]) {
            maker in
            maker.text("Quantity")
            maker.text("Unit price")
            let parent = maker.draft.newReference()
            let kid = maker.widget(["T": .text("b"), "FT": .name("Tx"), "Parent": .reference(parent)])
            maker.draft.put(.dictionary(["T": .text("rate"), "Kids": .array([.reference(kid)])]), at: parent)
            maker.fields.append(parent)
            let total = maker.text("total", ["AA": .dictionary(["C": script(typed)])])
            maker.form["CO"] = .array([.reference(total)])
        }
        #expect(result.values["total"] == ["10.5"])
        #expect(result.findings.isEmpty)
    }

    @Test("What only the form's own program could do is said, for each field")
    func scripts() throws {
        let result = try fill(["code": .text("x")]) { maker in
            maker.text(
                "code", ["AA": .dictionary(["V": script("if (!check(event.value)) event.rc = false;")])])
            maker.text("total", ["AA": .dictionary(["C": script("event.value = secret() * 2;")])])
        }
        #expect(result.findings.map(\.field) == ["code", "total"])
        #expect(result.findings.allSatisfy { $0.kind == .scriptNotRun && !$0.isSerious })
        #expect(
            result.findings[1].message
                == "This field is computed by the form's own script; it was not computed.")
    }
}
