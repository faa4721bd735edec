public import PDF
import PDFDrawing
import Synchronization

extension PreparedForm {
    /// Fills the named fields. A value that does not fit is a finding, never an abort; fields without a value stay
    /// as they are in the template.
    public func fill(_ values: [String: FieldValue]) -> Filled {
        var filling = Filling(self)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { filling.set(name, value) }
        return filling.finish()
    }

    /// The places of the columns of a table, found once for all its rows.
    public func columns(_ names: [String]) -> FormColumns { FormColumns(names.map { plansByName[$0] ?? [] }) }

    /// Fills one row of a table: `columns` as `columns(_:)` gave them, each with the row's value or none.
    public func fill(columns: FormColumns, row: [FieldValue?]) -> Filled {
        if writesAtOnce {
            var filling = Filling(self)
            if filling.write(columns, row) { return filling.completed() }
        }
        var filling = Filling(self)
        filling.set(columns, row)
        return filling.finish()
    }

    /// The same for one of many records of a merged file, which has the fonts of all of them in it once.
    func fill(columns: FormColumns, row: [FieldValue?], sharing fonts: MergedFonts) -> Filled {
        // Two hands on the same fonts would each make a copy of them.
        var own = FallbackFonts()
        swap(&own, &fonts.fonts)
        var filling = Filling(self, fonts: consume own, sharing: fonts)
        filling.set(columns, row)
        return filling.finish()
    }

    /// What filling would find and how many pages would come behind the form, without making a document of it. The rules
    /// are those of `fill`, and so are the words.
    public func look(
        columns: FormColumns, row: [FieldValue?], continuation: Continuation? = nil
    ) throws(PDFError) -> (findings: [Finding], addedPages: Int) {
        let findings = looked(columns, row)
        guard let continuation,
            continued(
                columns: columns, row: row, Filled(base: [], added: [], findings: findings), continuation)
                != nil
        else { return (findings, 0) }
        // How many pages a text takes is known when it stands on them; few rows have such texts.
        let filled = try fill(
            columns: columns, row: row, extras: DocumentExtras(continuation: continuation))
        return (filled.findings, filled.addedPages)
    }

    private func looked(_ columns: FormColumns, _ row: [FieldValue?]) -> [Finding] {
        if writesAtOnce {
            var filling = Filling(self)
            if filling.write(columns, row) { return filling.findings }
        }
        var filling = Filling(self)
        filling.set(columns, row)
        return filling.drawn()
    }

    /// True when no field's value depends on those of others, and none is drawn that was not filled.
    private var writesAtOnce: Bool { customs.isEmpty && form.calculationOrder.isEmpty && undrawn.isEmpty }
}

extension PreparedForm {
    /// Draws values onto the pages of a merged file. The rules are those of `fill`.
    func draw(columns: FormColumns, row: [FieldValue?], onto overlay: MergedOverlay) -> [Finding] {
        guard writesAtOnce, columns.areDistinct else {
            var filling = Filling(self, overlay: overlay)
            filling.set(columns, row)
            return filling.drawn()
        }
        // Only the first that needs a second thought asks for more than the overlay.
        var findings: [Finding] = []
        let first = Filling.drawPlainly(columns, row, self, onto: overlay, &findings)
        if first == row.count { return findings }
        var filling = Filling(self, overlay: overlay)
        filling.write(columns, row, from: first)
        return findings + filling.findings
    }
}

/// The filling of one document: values go in, a revision comes out.
private struct Filling {
    private let form: PreparedForm
    private var revision: PDFRevision
    private var fonts: FallbackFonts
    private var next: Int
    private(set) var findings: [Finding] = []
    /// What each field gets, when all must be known before the first is written.
    private var given: [FieldValue?] = []
    /// Fields whose values stand in objects of their own now.
    private var pointing: FieldSet
    /// What each place shows now, for flattening.
    private var shown: [PDFReference: WidgetPlan.Placed?] = [:]
    private var needsPictures: Set<PDFReference> = []
    private var writer: PlainWriter
    /// While fields are drawn that nobody filled, nobody need hear of them.
    private var isQuiet = false
    /// The pages of a merged file, when values are drawn there and nowhere else.
    private let overlay: MergedOverlay?
    /// Those that write the fonts, when this document does not.
    private let sharedFonts: MergedFonts?

    init(
        _ form: PreparedForm, overlay: MergedOverlay? = nil, fonts: FallbackFonts = FallbackFonts(),
        sharing shared: MergedFonts? = nil
    ) {
        self.form = form
        self.overlay = overlay
        self.fonts = fonts
        sharedFonts = shared
        next = form.firstFree
        writer = PlainWriter(form.plain)
        pointing = form.noFields
        revision = PDFRevision(
            on: form.ground, reserving: overlay == nil ? form.usualByteCount.load(ordering: .relaxed) : 0)
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
        let twins = form.plansByName[field.name] ?? []
        if field.kind != .signature,
            !twins.contains(where: { form.plans[$0].field.widgets.contains(where: \.isOnPage) })
        {
            remark(
                field, .notSeen,
                "No page of the form shows this field: the value is kept, but nobody sees it.")
        }
        return true
    }

    mutating func set(_ place: Int, _ value: FieldValue) {
        if given.isEmpty { given = [FieldValue?](repeating: nil, count: form.plans.count) }
        given[place] = value
    }

    mutating func set(_ columns: FormColumns, _ row: [FieldValue?]) {
        for (index, cell) in row.enumerated() {
            if let cell { columns.forEach(index) { set($0, cell) } }
        }
    }

    /// Writes the values of a row as they come. False when two of them are for one field: then the last must be found
    /// before anything is written.
    mutating func write(_ columns: FormColumns, _ row: [FieldValue?]) -> Bool {
        guard columns.areDistinct else { return false }
        write(columns, row, from: 0)
        return true
    }

    mutating func write(_ columns: FormColumns, _ row: [FieldValue?], from first: Int) {
        var next = first
        while next < row.count {
            if overlay == nil {
                next = Self.writePlainly(
                    columns, row, from: next, form, into: &revision, &writer, &pointing, &findings)
                if next == row.count { break }
            }
            if let cell = row[next] { columns.forEach(next) { write($0, cell) } }
            next += 1
        }
    }

    /// Draws values one behind the other for as long as they need no second thought. Gives the first column that does.
    static func drawPlainly(
        _ columns: FormColumns, _ row: [FieldValue?], _ form: PreparedForm, onto overlay: MergedOverlay,
        _ findings: inout [Finding]
    ) -> Int {
        var next = 0
        row.withUnsafeBufferPointer { cells in
            while next < cells.count {
                if let cell = cells[next] {
                    guard case .text(let text) = cell, let place = columns.only(next) else { return }
                    if place >= 0, !draw(text, at: place, form, onto: overlay, &findings) { return }
                }
                next += 1
            }
        }
        return next
    }

    /// Writes values one behind the other for as long as they need no second thought. Gives the first column that does.
    private static func writePlainly(
        _ columns: FormColumns, _ row: [FieldValue?], from first: Int, _ form: PreparedForm,
        into revision: inout PDFRevision, _ writer: inout PlainWriter, _ pointing: inout FieldSet,
        _ findings: inout [Finding]
    ) -> Int {
        var next = first
        var wanted: (bytes: Int, objects: Int)? = (0, 0)
        while let (bytes, objects) = wanted {
            wanted = nil
            revision.write(bytes: bytes, objects: objects) { room in
                row.withUnsafeBufferPointer { cells in
                    while next < cells.count {
                        guard let place = columns.only(next) else { return }
                        let step = put(
                            cells[next], at: place, form, into: &room, &writer, &pointing, &findings)
                        switch step {
                        case .done: next += 1
                        case .notPlain: return
                        case .noRoom(let bytes, let objects):
                            wanted = (bytes, objects)
                            return
                        }
                    }
                }
            }
        }
        return next
    }

    private enum Step { case done, notPlain, noRoom(bytes: Int, objects: Int) }

    @inline(__always)
    private static func put(
        _ cell: FieldValue?, at place: Int, _ form: PreparedForm, into room: inout PDFRevision.Room,
        _ writer: inout PlainWriter, _ pointing: inout FieldSet, _ findings: inout [Finding]
    ) -> Step {
        switch cell {
        case nil: return .done
        case .text(let text):
            if place < 0 { return .done }
            return put(text, at: place, form, into: &room, &writer, &pointing, &findings)
        default: return .notPlain
        }
    }

    /// Text in the form's own font, a state of a box whose dictionary is packed: what needs no second thought.
    @inline(__always)
    private static func put(
        _ text: String, at place: Int, _ form: PreparedForm, into room: inout PDFRevision.Room,
        _ writer: inout PlainWriter, _ pointing: inout FieldSet, _ findings: inout [Finding]
    ) -> Step {
        let field = writer.view.fields + place
        switch field.pointee.kind {
        case .none: return .notPlain
        case .box:
            guard let found = writer.state(field, meant: text) else { return .notPlain }
            let state = writer.view.states + found
            if state.pointee.isOriginal { return .done }
            guard state.pointee.isPlain, let box = field.pointee.packedBox else { return .notPlain }
            pointing.put(box: box, in: found - field.pointee.firstState)
            return .done
        case .text:
            if field.pointee.isEmptyAnyway, text.isEmpty { return .done }
            switch writer.write(field, text, into: &room) {
            case .notPlain: return .notPlain
            case .noRoom(let bytes, let objects): return .noRoom(bytes: bytes, objects: objects)
            case .done: break
            case .remarks(let shrunk, let clipped):
                let field = form.plans[place].field
                if let shrunk { findings.append(Finding(field, .shrunk(to: shrunk))) }
                if clipped { findings.append(Finding(field, .clipped)) }
            }
            pointing.insert(place)
            return .done
        }
    }

    private mutating func write(_ place: Int, _ value: FieldValue) {
        if case .text(let text) = value, writePlainly(place, text) { return }
        let plan = form.plans[place]
        if plan.isOpen || mayFill(plan.field) { write(plan, place, value) }
    }

    /// Draws what was set.
    mutating func drawn() -> [Finding] {
        writeAll()
        return findings
    }

    private mutating func writeAll() {
        if !form.customs.isEmpty { keepCustoms() }
        if !form.form.calculationOrder.isEmpty { calculate() }
        for place in given.indices {
            if let value = given[place] { write(place, value) }
        }
        if !form.undrawn.isEmpty {
            isQuiet = true
            for (place, value) in form.undrawn where self.value(place) == nil {
                write(form.plans[place], place, value)
            }
            isQuiet = false
        }
    }

    private func value(_ place: Int) -> FieldValue? { given.indices.contains(place) ? given[place] : nil }

    mutating func finish() -> Filled {
        writeAll()
        return completed()
    }

    mutating func completed() -> Filled {
        if !needsPictures.isEmpty {
            for (reference, text) in form.fixedPictures where needsPictures.contains(reference) {
                revision.put(at: reference) { $0.append(contentsOf: text) }
            }
        }
        if let flattening = form.flattening { flattening.write(form.plans, shown: shown, into: &revision) }
        revision.reserve(upTo: next)
        if let sharedFonts {
            sharedFonts.fonts = fonts
        } else {
            fonts.write(into: &revision)
        }
        let identity = Fingerprint.of(revision.out)
        let pack = form.pack(pointing)
        if let pack { revision.put(pack) }
        // Objects of a second generation cannot be packed.
        if pack == nil || form.hasOddObjects {
            for (reference, text) in form.fixedObjects where pack == nil || reference.generation > 0 {
                revision.put(at: reference) { $0.append(contentsOf: text) }
            }
        }
        let added = revision.finish(identity: identity)
        if added.count > form.usualByteCount.load(ordering: .relaxed) {
            form.usualByteCount.store(added.count + added.count / 8, ordering: .relaxed)
        }
        return Filled(base: form.base, added: added, findings: findings)
    }

    private mutating func remark(
        _ field: Field, _ kind: Finding.Kind, _ message: String, about value: String? = nil
    ) {
        if isQuiet { return }
        findings.append(Finding(field: field.name, kind: kind, message: message, value: value))
    }

    private mutating func remarkNoChoice(_ field: Field, _ text: String) {
        remark(
            field, .noSuchChoice, "“\(text)” is none of the \(field.options.count) choices.", about: text)
    }

    // MARK: Values

    /// One value by itself, when it needs no second thought.
    private mutating func writePlainly(_ place: Int, _ text: String) -> Bool {
        let remarks = findings.count
        if let overlay {
            let isDrawn = Self.draw(text, at: place, form, onto: overlay, &findings)
            if isQuiet { findings.removeSubrange(remarks...) }
            return isDrawn
        }
        if writeBoxPlainly(writer.view.fields + place, text) { return true }
        var step = Step.noRoom(bytes: 0, objects: 0)
        while case .noRoom(let bytes, let objects) = step {
            step = Self.writePlainly(
                text, at: place, form, bytes, objects, into: &revision, &writer, &pointing, &findings)
        }
        if isQuiet { findings.removeSubrange(remarks...) }
        if case .done = step { return true }
        return false
    }

    private static func writePlainly(
        _ text: String, at place: Int, _ form: PreparedForm, _ bytes: Int, _ objects: Int,
        into revision: inout PDFRevision, _ writer: inout PlainWriter, _ pointing: inout FieldSet,
        _ findings: inout [Finding]
    ) -> Step {
        var step = Step.notPlain
        revision.write(bytes: bytes, objects: objects) { room in
            step = put(text, at: place, form, into: &room, &writer, &pointing, &findings)
        }
        return step
    }

    /// A box whose dictionary is not packed writes the objects of its state.
    private mutating func writeBoxPlainly(_ field: UnsafePointer<PlainFields.Field>, _ text: String) -> Bool {
        guard field.pointee.kind == .box, field.pointee.packedBox == nil,
            let found = writer.state(field, meant: text)
        else { return false }
        if writer.view.states[found].isOriginal { return true }
        guard writer.view.states[found].isPlain else { return false }
        writer.write(state: found, into: &revision)
        return true
    }

    private mutating func write(_ plan: FieldPlan, _ place: Int, _ value: FieldValue) {
        switch plan.field.kind {
        case .text:
            if case .text(let text) = value {
                writeText(plan, place, text)
            } else {
                writeText(plan, place, value.texts.joined(separator: "\n"))
            }
        case .checkBox, .radio: writeBox(plan, place, value)
        case .combo: writeCombo(plan, place, value)
        case .list: writeList(plan, place, value)
        case .pushButton: writeImage(plan, value.texts.first ?? "")
        case .signature:
            remark(plan.field, .notFillable, "A signature is made with a certificate, not with a value.")
        case .barcode: writeBarcode(plan, place, value.texts.joined(separator: "\n"))
        case .unknown: remark(plan.field, .notFillable, "The form does not say what kind of field this is.")
        }
    }

    /// One value by itself onto the pages of a merged file, when it needs no second thought.
    @inline(__always)
    private static func draw(
        _ text: String, at place: Int, _ form: PreparedForm, onto overlay: MergedOverlay,
        _ findings: inout [Finding]
    ) -> Bool {
        let field = form.plain.view.fields + place
        switch field.pointee.kind {
        case .none: return false
        case .box:
            guard let state = overlay.writer?.state(field, meant: text) else { return false }
            overlay.fill(place)
            overlay.show(state: state, number: state - field.pointee.firstState, of: form.plans[place])
            return true
        case .text: break
        }
        if field.pointee.isEmptyAnyway, text.isEmpty { return true }
        guard let result = overlay.writer?.draw(field, text, onto: overlay) else { return false }
        if case .notPlain = result { return false }
        overlay.fill(place)
        if case .remarks(let shrunk?, _) = result {
            findings.append(Finding(form.plans[place].field, .shrunk(to: shrunk)))
        }
        return true
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

    private mutating func writeText(_ plan: FieldPlan, _ place: Int, _ given: String) {
        if given.isEmpty, plan.isEmptyAnyway { return }
        overlay?.fill(place)
        var text = cleaned(given)
        // Bytes are never fewer than characters, and far cheaper to count.
        if let limit = plan.field.maximumLength, text.utf8.count > limit, text.count > limit {
            remark(
                plan.field, .tooLong,
                "The value has \(text.count) characters; the field takes \(limit). The rest was cut off.")
            text = String(text.prefix(limit))
        }
        if plan.isSecret {
            remark(
                plan.field, .notKept, "A password field: shown as stars, the value itself is not kept.")
            writeValue(plan, place, nil)
            draw(String(repeating: "*", count: text.count), plan)
        } else {
            writeValue(plan, place, text)
            draw(plan.field.format.map { ShownValue.text(text, format: $0) } ?? text, plan)
        }
    }

    private mutating func writeBarcode(_ plan: FieldPlan, _ place: Int, _ given: String) {
        let text = cleaned(given)
        if text.isEmpty, plan.isEmptyAnyway { return }
        guard let barcode = plan.barcode else {
            return remark(
                plan.field, .notFillable, "The form asks for a barcode of a kind that is not known here.")
        }
        var symbol: Barcode?
        if !text.isEmpty {
            symbol = barcode.symbol(text)
            if symbol == nil {
                return remark(
                    plan.field, .tooLong,
                    "The value does not fit a barcode of this kind; the field was left as it was.")
            }
        }
        let pictures = plan.widgets.map { widget in
            symbol.flatMap { barcode.draw($0, widget) } ?? widget.frame
        }
        overlay?.fill(place)
        writeValue(plan, place, text)
        for (widget, picture) in zip(plan.widgets, pictures) {
            if symbol != nil, picture.count == widget.frame.count {
                remark(
                    plan.field, .clipped,
                    "The barcode of this value would be too fine to be read from paper; its place shows none."
                )
            }
            if overlay != nil {
                overlay?.draw(picture, in: widget)
                continue
            }
            openPicture(widget)
            revision.out.append(contentsOf: picture)
            closePicture(widget, [])
        }
    }

    private mutating func writeCombo(_ plan: FieldPlan, _ place: Int, _ value: FieldValue) {
        let field = plan.field
        let text = cleaned(value.texts.first ?? "")
        if text.isEmpty, plan.isEmptyAnyway { return }
        let option = field.options.first { $0.export == text } ?? field.options.first { $0.display == text }
        guard option != nil || text.isEmpty || field.flags.contains(.editable) || field.options.isEmpty else {
            remarkNoChoice(field, text)
            return
        }
        overlay?.fill(place)
        writeValue(plan, place, option?.export ?? text)
        draw(option?.display ?? text, plan)
    }

    private mutating func writeList(_ plan: FieldPlan, _ place: Int, _ value: FieldValue) {
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
                remarkNoChoice(field, text)
                continue
            }
            if !field.flags.contains(.multiSelect), !selected.isEmpty {
                remark(
                    field, .noSuchChoice, "The list takes one choice; “\(text)” was left out.", about: text)
            } else {
                selected.insert(found)
            }
        }
        if selected.isEmpty, !wanted.isEmpty { return }
        overlay?.fill(place)
        let chosen = selected.sorted()
        let exports: [PDFObject] = chosen.map { .text(field.options[$0].export) }
        let topLine = plan.widgets.first.map {
            ListAppearance(plan: $0, options: field.options.map(\.display), selected: selected).top
        }
        let entries: PDFDictionary = [
            "V": exports.count == 1 ? exports[0] : .array(exports),
            "I": .array(chosen.map(PDFObject.integer)), "TI": .integer(topLine ?? 0),
        ]
        var value: [UInt8] = []
        entries.writeEntries(into: &value)
        writeDictionaries(plan, value: value)
        for widget in plan.widgets {
            let list = ListAppearance(plan: widget, options: field.options.map(\.display), selected: selected)
            if overlay != nil {
                if let missing = overlay?.draw(list, in: widget), !missing.isEmpty {
                    remark(field, TextAppearance.Remark.missing(missing))
                }
                continue
            }
            openPicture(widget)
            var content: [UInt8] = []
            let shared = sharedFonts
            let drawn = list.draw(into: &content, fonts: &fonts) {
                shared?.newDistantReference() ?? newReference(&next)
            }
            if !drawn.missing.isEmpty { remark(field, TextAppearance.Remark.missing(drawn.missing)) }
            revision.out.append(contentsOf: content)
            closePicture(widget, drawn.used)
        }
    }

    /// A button takes a picture; it has no value beside what it shows.
    private mutating func writeImage(_ plan: FieldPlan, _ text: String) {
        guard text.hasPrefix(EmbeddedImage.prefix) else {
            remark(
                plan.field, .notFillable,
                "A push button takes no value but a picture, as data:image/png or data:image/jpeg.")
            return
        }
        guard let image = EmbeddedImage(text) else {
            remark(
                plan.field, .notFillable,
                "The picture is no JPEG, or no PNG without interlacing; the field was left as it was.")
            return
        }
        // Pages of a merged file share their resources, and a picture of one record has no place there.
        if overlay != nil {
            remark(
                plan.field, .notFillable,
                "Pictures are left out of merged files; make files of their own for these records.")
            return
        }
        let dots = newReference(&next)
        image.put(at: dots, mask: image.isMasked ? newReference(&next) : nil, into: &revision)
        for (widget, fit) in zip(plan.widgets, plan.imageFits) {
            let picture = newReference(&next)
            let place = fit.place(image, width: widget.width, height: widget.height, inset: widget.inset)
            var content = widget.frame
            content.append(text: "q 0 0 ")
            for number in [widget.width, widget.height] {
                content.append(number: number)
                content.append(32)
            }
            content.append(text: "re W n ")
            for number in [place.width, 0, 0, place.height, place.x, place.y] {
                content.append(number: number)
                content.append(32)
            }
            content.append(text: "cm /Image Do Q\n")
            revision.put(at: picture) { out in
                out.append(contentsOf: widget.pictureHead)
                out.append(text: "/Resources<</XObject<</Image ")
                out.append(reference: dots)
                out.append(text: ">>>>/Length ")
                out.append(number: content.count)
                out.append(text: ">>\nstream\n")
                out.append(contentsOf: content)
                out.append(text: "\nendstream")
            }
            if !isFlattened(plan) {
                revision.put(at: widget.object) { out in
                    out.append(contentsOf: widget.head)
                    out.append(text: "/AP<</N ")
                    out.append(reference: picture)
                    out.append(text: ">>>>")
                }
            }
            if form.flattening != nil {
                let matrix = [1, 0, 0, 1, widget.rectangle.left, widget.rectangle.bottom]
                shown[widget.object] = .some(WidgetPlan.Placed(stream: picture, matrix: matrix))
            }
        }
    }

    // MARK: Dictionaries

    private func isFlattened(_ plan: FieldPlan) -> Bool {
        if overlay != nil { return true }
        return form.flattening?.takes(plan) ?? false
    }

    /// The value of a field of text, nil for none, where the form keeps it: in an object of its own, or in the
    /// field's dictionary.
    private mutating func writeValue(_ plan: FieldPlan, _ place: Int, _ text: String?) {
        // What is flattened has no value any more.
        if isFlattened(plan) { return }
        if let value = plan.value {
            pointing.insert(place)
            revision.willWrite(value)
            revision.out.append(contentsOf: plan.valueStart)
            if let text {
                revision.out.append(value: text)
            } else {
                revision.out.append(text: "null")
            }
            revision.out.append(text: "\nendobj\n")
            return
        }
        var entry: [UInt8] = []
        if let text {
            entry.append(text: "/V")
            entry.append(value: text)
        }
        writeDictionaries(plan, value: entry)
    }

    /// The dictionaries of a field and its widgets, each with what filling changes.
    private mutating func writeDictionaries(_ plan: FieldPlan, value: [UInt8]) {
        if isFlattened(plan) { return }
        if let head = plan.head {
            revision.put(at: plan.field.object) { out in
                out.append(contentsOf: head)
                out.append(contentsOf: value)
                out.append(text: ">>")
            }
        }
        for widget in plan.widgets {
            guard let picture = widget.picture else { continue }
            revision.put(at: widget.object) { out in
                out.append(contentsOf: widget.head)
                if plan.head == nil { out.append(contentsOf: value) }
                out.append(text: "/AP<</N ")
                out.append(reference: picture)
                out.append(text: ">>>>")
            }
        }
    }

    private mutating func writeBox(_ plan: FieldPlan, _ place: Int, _ value: FieldValue) {
        guard let number = plan.state(value) else {
            let states = plan.field.states
            let text = value.texts.joined(separator: ", ")
            remark(
                plan.field, .noSuchChoice,
                states.count > 1
                    ? "“\(text)” is none of the choices: \(states.joined(separator: ", "))."
                    : "“\(text)” is neither yes nor no.", about: text)
            return
        }
        overlay?.fill(place)
        let state = plan.boxStates[number]
        if !isFlattened(plan) {
            if state.isOriginal { return }
            if let box = writer.view.fields[place].packedBox {
                pointing.put(box: box, in: number)
            } else {
                for (reference, text) in state.objects {
                    revision.put(at: reference) { $0.append(contentsOf: text) }
                }
            }
        }
        if overlay == nil { needsPictures.formUnion(state.pictures) }
        for (index, widget) in plan.widgets.enumerated() {
            if overlay != nil {
                if let shown = state.shown[index] { overlay?.show(shown, in: widget) }
                continue
            }
            if form.flattening != nil { shown[widget.object] = .some(state.shown[index]) }
        }
    }

    // MARK: Drawing

    private mutating func draw(_ text: String, _ plan: FieldPlan) {
        for widget in plan.widgets {
            if overlay != nil {
                for remark in overlay?.draw(text, in: widget, plan.layout) ?? [] {
                    self.remark(plan.field, remark)
                }
                continue
            }
            openPicture(widget)
            var appearance = TextAppearance(widget, plan.layout)
            var pen = TextPen(widget)
            let shared = sharedFonts
            appearance.draw(text, with: &pen, into: &revision.out, fonts: &fonts) {
                shared?.newDistantReference() ?? newReference(&next)
            }
            closePicture(widget, pen.used)
            for remark in appearance.remarks { self.remark(plan.field, remark) }
        }
    }

    private mutating func remark(_ field: Field, _ remark: TextAppearance.Remark) {
        if !isQuiet { findings.append(Finding(field, remark)) }
    }

    private var lengthPlace = 0
    private var contentPlace = 0

    /// The beginning of an appearance. Its length is written when it is known, into room left for it.
    private mutating func openPicture(_ widget: WidgetPlan) {
        guard let picture = widget.picture else { return }
        revision.willWrite(picture)
        revision.out.append(contentsOf: widget.pictureStart)
        lengthPlace = revision.out.count
        revision.out.append(text: "    >>\nstream\n")
        contentPlace = revision.out.count
    }

    private mutating func closePicture(
        _ widget: WidgetPlan, _ used: [(name: PDFName, reference: PDFReference)]
    ) {
        guard let picture = widget.picture else { return }
        let count = revision.out.count - contentPlace
        if used.isEmpty, count < 10_000 {
            var rest = count
            var place = lengthPlace + (count < 100 ? 1 : count < 1000 ? 2 : 3)
            while place >= lengthPlace {
                revision.out[place] = UInt8(48 + rest % 10)
                rest /= 10
                place -= 1
            }
        } else {
            // Fonts that only this copy needs stand in resources of its own.
            var start: [UInt8] = []
            start.append(number: picture.number)
            start.append(text: " 0 obj\n")
            start.append(contentsOf: widget.pictureHead)
            start.append(text: "/Resources")
            start.append(contentsOf: WidgetPlan.resources(of: widget.font).dropLast(4))
            for font in used {
                start.append(name: font.name)
                start.append(32)
                start.append(reference: font.reference)
            }
            start.append(text: ">>>>/Length ")
            start.append(number: count)
            start.append(text: ">>\nstream\n")
            revision.out.replaceSubrange(
                lengthPlace - widget.pictureStart.count..<contentPlace, with: start)
        }
        revision.out.append(text: "\nendstream\nendobj\n")
        if form.flattening != nil {
            let matrix = [1, 0, 0, 1, widget.rectangle.left, widget.rectangle.bottom]
            shown[widget.object] = .some(WidgetPlan.Placed(stream: picture, matrix: matrix))
        }
    }

    // MARK: Scripts

    private mutating func keepCustoms() {
        let form = form
        let given = given
        var changes: [(Int, FieldValue)] = []
        var said: [Finding] = []
        form.customs.apply(
            to: { form.plans[$0].field }, value: { given.indices.contains($0) ? given[$0] : nil },
            change: { changes.append(($0, $1)) },
            finding: { said.append($0) })
        for (place, value) in changes { set(place, value) }
        findings += said
    }

    /// Sums and the like that Acrobat's stock script would compute. Scripts of the form's own are not run, and said.
    private mutating func calculate() {
        for name in form.form.calculationOrder {
            guard let places = form.plansByName[name], let first = places.first, value(first) == nil else {
                continue
            }
            let field = form.plans[first].field
            guard let calculation = field.calculation else { continue }
            func number(_ source: String) -> Double? {
                guard let place = form.plansByName[source]?.first else { return nil }
                let text = value(place)?.texts.first ?? form.plans[place].field.value.first ?? ""
                return Double(text.filter { $0 != "," && $0 != "$" && $0 != " " })
            }
            guard
                calculation.fields.contains(where: {
                    form.plansByName[$0]?.first.map { value($0) != nil } ?? false
                }),
                let result = calculation.result(number)
            else { continue }
            for place in places { set(place, .text(result)) }
        }
    }
}

private func newReference(_ next: inout Int) -> PDFReference {
    defer { next += 1 }
    return PDFReference(next)
}

extension Finding {
    fileprivate init(_ field: Field, _ remark: TextAppearance.Remark) {
        switch remark {
        case .clipped:
            self.init(
                field: field.name, kind: .clipped,
                message: "The text does not fit its place; part of it cannot be seen.")
        case .shrunk(let size):
            let tenths = Int(size * 10)
            self.init(
                field: field.name, kind: .shrunk,
                message: "Set in \(tenths / 10).\(tenths % 10) points so that it fits.")
        case .missing(let scalars):
            let names = scalars.map { "\($0) (U+\(String($0.value, radix: 16, uppercase: true)))" }
            self.init(
                field: field.name, kind: .notShown,
                message: "No font at hand can show \(names.joined(separator: ", ")).")
        }
    }
}

extension FieldCalculation {
    /// The result as people write it; nil when there is nothing to compute with.
    func result(_ number: (String) -> Double?) -> String? {
        let result: Double
        if let notation {
            // What is empty counts as nothing here.
            guard let computed = notation.result({ number($0) ?? 0 }) else { return nil }
            result = computed
        } else {
            let numbers = fields.compactMap(number)
            guard let first = numbers.first else { return nil }
            switch operation {
            case .sum: result = numbers.reduce(0, +)
            case .product: result = numbers.dropFirst().reduce(first, *)
            case .average: result = numbers.reduce(0, +) / Double(numbers.count)
            case .least: result = numbers.min() ?? first
            case .most: result = numbers.max() ?? first
            }
        }
        guard result.isFinite, abs(result) < 1e12 else { return nil }
        var text: [UInt8] = []
        text.append(number: result, decimals: 6)
        return String(decoding: text, as: UTF8.self)
    }
}
