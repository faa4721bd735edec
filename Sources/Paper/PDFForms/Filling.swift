import PDF
import PDFDrawing

extension PreparedForm {
    /// Fills the named fields. A value that does not fit is a finding, never an abort; fields without a value stay
    /// as they are in the template.
    public func fill(_ values: [String: FieldValue]) -> Filled {
        var filling = Filling(self)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { filling.set(name, value) }
        return filling.finish()
    }

    /// The places of the columns of a table, found once for all its rows. Nil where no field has the name.
    public func columns(_ names: [String]) -> [[Int]?] { names.map { plansByName[$0] } }

    /// Fills one row of a table: `columns` as `columns(_:)` gave them, each with the row's value or none.
    public func fill(columns: [[Int]?], row: [FieldValue?]) -> Filled {
        var filling = Filling(self)
        for (index, cell) in row.enumerated() {
            guard let cell, index < columns.count, let places = columns[index] else { continue }
            for place in places { filling.set(place, cell) }
        }
        return filling.finish()
    }
}

/// The filling of one document: values go in, a revision comes out.
private struct Filling {
    private let form: PreparedForm
    private var revision: PDFRevision
    private var fonts = FallbackFonts()
    private var next: Int
    private var findings: [Finding] = []
    private var given: [Int: FieldValue] = [:]
    private var order: [Int] = []
    /// What each place shows now, for flattening.
    private var shown: [PDFReference: WidgetPlan.Placed?] = [:]
    private var needsPictures: Set<PDFReference> = []
    /// While fields are drawn that nobody filled, nobody need hear of them.
    private var isQuiet = false

    init(_ form: PreparedForm) {
        self.form = form
        next = form.firstFree
        revision = PDFRevision(
            behind: form.base.count, ending: form.ending, trailer: form.trailer, firstFree: form.size)
    }

    mutating func set(_ name: String, _ value: FieldValue) {
        guard let places = form.plansByName[name] else {
            findings.append(
                Finding(field: name, kind: .unknownField, message: "The form has no field of this name."))
            return
        }
        for place in places { set(place, value) }
    }

    /// What may not be changed, or would not be seen, is said.
    private mutating func mayFill(_ field: Field) -> Bool {
        if let signature = field.lockedBy {
            remark(field, .locked, "The signature “\(signature)” locks this field; it was left as it was.")
            return false
        }
        if !field.widgets.contains(where: \.isOnPage), field.kind != .signature {
            remark(
                field, .notSeen,
                "No page of the form shows this field: the value is kept, but nobody sees it.")
        }
        return true
    }

    mutating func set(_ place: Int, _ value: FieldValue) {
        if given.updateValue(value, forKey: place) == nil { order.append(place) }
    }

    mutating func finish() -> Filled {
        calculate()
        for place in order {
            if let value = given[place], mayFill(form.plans[place].field) { write(form.plans[place], value) }
        }
        isQuiet = true
        for (place, value) in form.undrawn where given[place] == nil { write(form.plans[place], value) }
        isQuiet = false
        for (reference, text) in form.fixedPictures where needsPictures.contains(reference) {
            revision.put(at: reference) { $0.append(contentsOf: text) }
        }
        for (reference, text) in form.fixedObjects {
            revision.put(at: reference) { $0.append(contentsOf: text) }
        }
        if let flattening = form.flattening { flattening.write(form.plans, shown: shown, into: &revision) }
        revision.reserve(upTo: next)
        fonts.write(into: &revision)
        let identity = Fingerprint.of(revision.out)
        return Filled(base: form.base, added: revision.finish(identity: identity), findings: findings)
    }

    private mutating func remark(_ field: Field, _ kind: Finding.Kind, _ message: String) {
        if isQuiet { return }
        findings.append(Finding(field: field.name, kind: kind, message: message))
    }

    // MARK: Values

    private mutating func write(_ plan: FieldPlan, _ value: FieldValue) {
        switch plan.field.kind {
        case .text: writeText(plan, value.texts.joined(separator: "\n"))
        case .checkBox, .radio: writeBox(plan, value)
        case .combo: writeCombo(plan, value)
        case .list: writeList(plan, value)
        case .pushButton: remark(plan.field, .notFillable, "A push button takes no value.")
        case .signature:
            remark(plan.field, .notFillable, "A signature is made with a certificate, not with a value.")
        case .barcode: remark(plan.field, .notFillable, "A barcode is computed by the form.")
        case .unknown: remark(plan.field, .notFillable, "The form does not say what kind of field this is.")
        }
    }

    /// Line ends become one kind; characters that are none (NUL, bells) go.
    private func cleaned(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 32 || $0 == 0x7F }) else { return text }
        var clean = String.UnicodeScalarView()
        var before: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": clean.append("\n")
            case "\n": if before != "\r" { clean.append("\n") }
            case "\t": clean.append("\t")
            case _ where scalar.value < 32 || scalar.value == 0x7F: break
            default: clean.append(scalar)
            }
            before = scalar
        }
        return String(clean)
    }

    private mutating func writeText(_ plan: FieldPlan, _ given: String) {
        let field = plan.field
        var text = cleaned(given)
        if let limit = field.maximumLength, text.utf16.count > limit, text.count > limit {
            remark(
                field, .tooLong,
                "The value has \(text.count) characters; the field takes \(limit). The rest was cut off.")
            text = String(text.prefix(limit))
        }
        let isSecret = field.flags.contains(.password)
        let layout: TextAppearance.Layout
        if field.flags.contains(.multiline) {
            layout = .paragraphs
        } else if let cells = field.combCells {
            layout = .comb(cells: cells)
        } else {
            layout = .line
        }
        let shown =
            isSecret ? String(repeating: "*", count: text.count) : ShownValue.text(text, format: field.format)
        if isSecret {
            remark(field, .notKept, "A password field: shown as stars, the value itself is not kept.")
        }
        // Line ends inside a value are written as CR (§12.7.5.3).
        let stored: PDFObject? =
            isSecret
            ? nil : .text(text.utf8.contains(10) ? String(text.map { $0 == "\n" ? "\r" : $0 }) : text)
        write(plan, value: stored.map { [(PDFName("V"), $0)] } ?? [])
        for widget in plan.widgets { drawText(shown, widget, field, layout) }
    }

    private mutating func writeCombo(_ plan: FieldPlan, _ value: FieldValue) {
        let field = plan.field
        let text = cleaned(value.texts.first ?? "")
        let option = field.options.first { $0.export == text } ?? field.options.first { $0.display == text }
        guard option != nil || text.isEmpty || field.flags.contains(.editable) || field.options.isEmpty else {
            remark(field, .noSuchChoice, "“\(text)” is none of the \(field.options.count) choices.")
            return
        }
        write(plan, value: [("V", .text(option?.export ?? text))])
        for widget in plan.widgets { drawText(option?.display ?? text, widget, field, .line) }
    }

    private mutating func writeList(_ plan: FieldPlan, _ value: FieldValue) {
        let field = plan.field
        func index(_ text: String) -> Int? {
            field.options.firstIndex { $0.export == text } ?? field.options.firstIndex { $0.display == text }
        }
        var wanted = value.texts.map(cleaned).filter { !$0.isEmpty }
        if wanted.count == 1, index(wanted[0]) == nil, field.flags.contains(.multiSelect) {
            // A cell of a table holds several choices with a separator of its own between them.
            wanted = wanted[0].split { $0 == ";" || $0 == "\n" || $0 == "|" }.map {
                String($0).trimmingSpaces
            }
        }
        var selected: Set<Int> = []
        for text in wanted {
            guard let found = index(text) else {
                remark(field, .noSuchChoice, "“\(text)” is none of the \(field.options.count) choices.")
                continue
            }
            if !field.flags.contains(.multiSelect), !selected.isEmpty {
                remark(field, .noSuchChoice, "The list takes one choice; “\(text)” was left out.")
            } else {
                selected.insert(found)
            }
        }
        if selected.isEmpty, !wanted.isEmpty { return }
        let chosen = selected.sorted()
        let exports: [PDFObject] = chosen.map { .text(field.options[$0].export) }
        let topLine = plan.widgets.first.map {
            ListAppearance(plan: $0, options: field.options.map(\.display), selected: selected).top
        }
        write(
            plan,
            value: [
                ("V", exports.count == 1 ? exports[0] : .array(exports)),
                ("I", .array(chosen.map(PDFObject.integer))), ("TI", .integer(topLine ?? 0)),
            ])
        for widget in plan.widgets {
            let list = ListAppearance(plan: widget, options: field.options.map(\.display), selected: selected)
            var content: [UInt8] = []
            let drawn = list.draw(into: &content, fonts: &fonts) { newReference(&next) }
            if !drawn.missing.isEmpty { remark(field, TextAppearance.Remark.missing(drawn.missing)) }
            put(content, widget, drawn.used)
        }
    }

    // MARK: Boxes

    private mutating func writeBox(_ plan: FieldPlan, _ value: FieldValue) {
        let field = plan.field
        guard let choice = BoxChoice(value, for: field) else {
            remark(
                field, .noSuchChoice,
                "“\(value.texts.joined(separator: ", "))” is no state of the field; it knows \(field.states.joined(separator: ", "))."
            )
            return
        }
        let state = choice.state ?? "Off"
        write(plan, value: [("V", .name(state))], states: state)
        for widget in plan.widgets where widget.picture != nil {
            if let picture = widget.picture { needsPictures.insert(picture) }
        }
    }

    /// Writes the field's own dictionary and, for boxes, each of its places.
    private mutating func write(_ plan: FieldPlan, value: [(PDFName, PDFObject)], states: PDFName? = nil) {
        func entries(_ out: inout [UInt8]) {
            for (key, object) in value {
                out.append(name: key)
                out.append(32)
                object.write(into: &out)
            }
        }
        if let head = plan.head {
            revision.put(at: plan.field.object) { out in
                out.append(contentsOf: head)
                entries(&out)
                out.append(text: ">>")
            }
        }
        guard let states else {
            pendingValue = plan.head == nil ? value : []
            return
        }
        for widget in plan.widgets {
            let isOn = widget.states.contains(states) || (widget.picture != nil && states != "Off")
            revision.put(at: widget.object) { out in
                out.append(contentsOf: widget.head)
                if plan.head == nil { entries(&out) }
                if let picture = widget.picture, states != "Off" {
                    out.append(text: "/AP<</N<<")
                    out.append(name: states)
                    out.append(32)
                    out.append(reference: picture)
                    out.append(text: ">>>>")
                }
                out.append(text: "/AS")
                out.append(name: isOn ? states : "Off")
                out.append(text: ">>")
            }
            guard form.flattening != nil else { continue }
            if let picture = widget.picture {
                let matrix = [1, 0, 0, 1, widget.rectangle.left, widget.rectangle.bottom]
                shown[widget.object] = .some(
                    states == "Off" ? nil : WidgetPlan.Placed(stream: picture, matrix: matrix))
            } else {
                shown[widget.object] = .some(widget.oldPictures[isOn ? states : "Off"])
            }
        }
    }

    /// The value of a merged field, to be written with its widget.
    private var pendingValue: [(PDFName, PDFObject)] = []

    // MARK: Drawing

    private mutating func drawText(
        _ text: String, _ widget: WidgetPlan, _ field: Field, _ layout: TextAppearance.Layout
    ) {
        var appearance = TextAppearance(widget, layout)
        var content: [UInt8] = []
        content.reserveCapacity(widget.frame.count + text.utf8.count + 200)
        let used = appearance.draw(text, into: &content, fonts: &fonts) { newReference(&next) }
        for remark in appearance.remarks { self.remark(field, remark) }
        put(content, widget, used)
    }

    private mutating func remark(_ field: Field, _ remark: TextAppearance.Remark) {
        switch remark {
        case .clipped:
            self.remark(field, .clipped, "The text does not fit its place; part of it cannot be seen.")
        case .shrunk(let size):
            self.remark(
                field, .shrunk, "Set in \(Int(size * 10) / 10).\(Int(size * 10) % 10) points so that it fits."
            )
        case .missing(let scalars):
            let names = scalars.map { "\($0) (U+\(String($0.value, radix: 16, uppercase: true)))" }
            self.remark(field, .notShown, "No font at hand can show \(names.joined(separator: ", ")).")
        }
    }

    /// The widget with its new appearance, and the appearance itself.
    private mutating func put(
        _ content: [UInt8], _ widget: WidgetPlan, _ used: [(name: PDFName, reference: PDFReference)]
    ) {
        guard let picture = widget.picture else { return }
        let value = pendingValue
        revision.put(at: widget.object) { out in
            out.append(contentsOf: widget.head)
            for (key, object) in value {
                out.append(name: key)
                out.append(32)
                object.write(into: &out)
            }
            out.append(text: "/AP<</N ")
            out.append(reference: picture)
            out.append(text: ">>>>")
        }
        revision.put(at: picture) { out in
            out.append(contentsOf: widget.pictureHead)
            out.append(text: "/Resources<</Font<<")
            out.append(name: widget.font.name)
            out.append(32)
            widget.font.resource.write(into: &out)
            for font in used {
                out.append(name: font.name)
                out.append(32)
                out.append(reference: font.reference)
            }
            out.append(text: ">>>>/Length ")
            out.append(number: content.count)
            out.append(text: ">>\nstream\n")
            out.append(contentsOf: content)
            out.append(text: "\nendstream")
        }
        if form.flattening != nil {
            let matrix = [1, 0, 0, 1, widget.rectangle.left, widget.rectangle.bottom]
            shown[widget.object] = .some(WidgetPlan.Placed(stream: picture, matrix: matrix))
        }
    }

    // MARK: Calculations

    /// Sums and the like that Acrobat's stock script would compute. Scripts of the form's own are not run, and said.
    private mutating func calculate() {
        for name in form.form.calculationOrder {
            guard let places = form.plansByName[name], let first = places.first, given[first] == nil else {
                continue
            }
            let field = form.plans[first].field
            guard let calculation = field.calculation else { continue }
            let numbers = calculation.fields.compactMap { source -> Double? in
                guard let place = form.plansByName[source]?.first else { return nil }
                let text = given[place]?.texts.first ?? form.plans[place].field.value.first ?? ""
                return Double(text.filter { $0 != "," && $0 != "$" && $0 != " " })
            }
            guard
                calculation.fields.contains(where: {
                    form.plansByName[$0]?.first.map { given[$0] != nil } ?? false
                }),
                let result = calculation.result(numbers)
            else { continue }
            for place in places { set(place, .text(result)) }
        }
    }
}

private func newReference(_ next: inout Int) -> PDFReference {
    defer { next += 1 }
    return PDFReference(next)
}

extension FieldCalculation {
    /// The result as people write it; nil when there is nothing to compute with.
    func result(_ numbers: [Double]) -> String? {
        guard let first = numbers.first else { return nil }
        let result: Double =
            switch operation {
            case .sum: numbers.reduce(0, +)
            case .product: numbers.dropFirst().reduce(first, *)
            case .average: numbers.reduce(0, +) / Double(numbers.count)
            case .least: numbers.min() ?? first
            case .most: numbers.max() ?? first
            }
        guard result.isFinite, abs(result) < 1e12 else { return nil }
        var text: [UInt8] = []
        text.append(number: result, decimals: 6)
        return String(decoding: text, as: UTF8.self)
    }
}
