import Bytes
import PDF
import PDFForms
import PDFReading
import Storage
import Tables
import Work

extension Command {
    static let fields = Command(
        name: "fields", summary: "list the fields of a PDF form",
        discussion: """
            Says for each field its name, its kind, where it stands, what it takes and what is in it now, as far as \
            the form tells. The names are what the columns of a table are called for “quire fill”. Labels are the form's \
            own words, or else what stands beside the field on the page.

            --xray writes a PDF in which each field shows its name in its place: blue for text, green for boxes, orange for \
            choices, red for signatures. Names without room get a number, told on pages at the end.

            With --json the answer is an object with pages, xfa, protection, remarks and fields; docs/formats/fields.md \
            describes it, and it only ever grows.
            """,
        arguments: [Argument(name: "FORM", summary: "a PDF form", completion: .file)],
        options: [
            Option("csv", nil, "as a table with commas"),
            Option("xray", "RESULT", "write a PDF with each field's name in its place", completion: .file),
            Option("force", letter: "f", nil, "replace the result of --xray if it is there already"),
            Option("password", "PASSWORD", "opens a locked form"),
        ],
        examples: [
            Example("quire fields consent.pdf", "see what can be filled"),
            Example("quire fields consent.pdf --csv > fields.csv", "the same for a spreadsheet"),
            Example("quire fields consent.pdf --xray names.pdf", "see on the page which field is which"),
        ],
        run: { call in
            let list = try withForms {
                let bytes = try PDFFile.read(call.absolute(call.arguments[0]))
                if let result = call.value("xray") {
                    let drawn = try XRay(bytes, password: call.value("password")).bytes
                    let place = call.absolute(result)
                    try writeWhole(drawn, to: place, overwrites: call.has("force"))
                    call.hint("The names of the fields are drawn in \(place).")
                }
                let form = try Form(bytes: bytes, password: call.value("password"))
                let file = try PDFFile(bytes: bytes, password: call.value("password"))
                // Without poppler the labels are those that the fields bring with them.
                return FieldList(
                    form,
                    labels: FieldLabels(
                        of: form, in: file, reader: PageReader(jail: .detect()),
                        cancellation: call.cancellation))
            }
            if call.has("csv") {
                call.terminal.write(list.csv)
            } else {
                call.answer(list.json) { list.text(call.terminal.outputStyle) }
                for remark in list.remarks { call.hint(remark) }
            }
        })
}

/// The fields of a form in three shapes.
struct FieldList {
    private let form: Form
    private let labels: FieldLabels

    init(_ form: Form, labels: FieldLabels) {
        self.form = form
        self.labels = labels
    }

    var remarks: [String] {
        var remarks: [String] = []
        if form.fields.isEmpty { remarks.append("The file has no form fields.") }
        if form.xfa == .dynamic { remarks.append(FormError.dynamicXFA.description) }
        switch form.protection {
        case .none: break
        case .signed: remarks.append("The form is signed; filling it shows as a change after signing.")
        case .certified(.noChanges): remarks.append(FormError.certifiedAgainstChanges.description)
        case .certified: remarks.append("The form is certified; filling it is allowed.")
        }
        if form.hasUsageRights {
            remarks.append(
                "Adobe's usage rights are in the form; they stay as long as it is only appended to.")
        }
        if form.isEncrypted { remarks.append("The form is encrypted.") }
        if !form.mayFill { remarks.append(FormError.fillingForbidden.description) }
        if let sentence = form.repairSentence { remarks.append(sentence) }
        return remarks
    }

    var json: JSON {
        [
            "pages": .int(form.pageCount), "xfa": .string(form.xfa.rawValue),
            "protection": .string(protection),
            "usageRights": .bool(form.hasUsageRights), "encrypted": .bool(form.isEncrypted),
            "mayFill": .bool(form.mayFill),
            "remarks": .array(remarks.map(JSON.string)),
            "repairs": .array(form.repairs.prefix(100).map(JSON.string)),
            "fields": .array(zip(form.fields, labels.all).map(view)),
        ]
    }

    private var protection: String {
        switch form.protection {
        case .none: "none"
        case .signed: "signed"
        case .certified(.noChanges): "certifiedAgainstChanges"
        case .certified(.formFilling): "certifiedForFilling"
        case .certified(.formFillingAndNotes): "certifiedForFillingAndNotes"
        }
    }

    private func view(_ field: Field, _ label: FieldLabel) -> JSON {
        [
            "name": .string(field.name), "kind": .string(field.kind.rawValue), "label": .string(label.text),
            "labelSource": .string(label.source.rawValue),
            "labelConfidence": .number((label.confidence * 100).rounded() / 100),
            "choices": .array(label.choices.map(JSON.string)),
            "meaning": .optional(field.meaning?.rawValue), "format": .optional(field.format?.word),
            "pattern": .optional(field.format?.pattern), "computed": .optional(computed(field)),
            "least": limit(field, isLeast: true), "most": limit(field, isLeast: false),
            "flags": .array(field.flags.words(for: field.kind).map(JSON.string)),
            "maximumLength": .optional(field.maximumLength), "value": .array(field.value.map(JSON.string)),
            "default": .array(field.defaultValue.map(JSON.string)),
            "states": .array(field.states.map(JSON.string)),
            "options": .array(
                field.options.map { ["export": .string($0.export), "display": .string($0.display)] }),
            "listed": .bool(field.isListed),
            "section": .optional(label.section),
            "places": .array(
                field.widgets.map { widget in
                    [
                        "page": .optional(widget.page.map { $0 + 1 }),
                        "rectangle": .array(
                            widget.rectangle.numbers.map { .number(($0 * 100).rounded() / 100) }),
                        "hidden": .bool(widget.isHidden),
                    ]
                }),
        ]
    }

    /// How the form computes the field: `SUM` and the like, `formula`, or `script`, which is not run.
    private func computed(_ field: Field) -> String? {
        if field.isComputedByScript { return "script" }
        return field.calculation.map { $0.notation == nil ? $0.operation.rawValue : "formula" }
    }

    private func limit(_ field: Field, isLeast: Bool) -> JSON {
        guard case .range(let least, let most) = field.validation, let limit = isLeast ? least : most else {
            return .null
        }
        return .number(limit)
    }

    func text(_ style: Style) -> String {
        guard !form.fields.isEmpty else { return "" }
        var table = TextTable(["Name", "Label", "Kind", "Page", "Place", "Takes", "Now"], rightAligned: [3])
        for (field, label) in zip(form.fields, labels.all) {
            table.add([
                field.name, label.source == .name ? "–" : shortened(label.text), kind(field),
                field.widgets.first?.page.map { String($0 + 1) } ?? "–", place(field), takes(field),
                shortened(field.value.joined(separator: ", ")),
            ])
        }
        return table.text(style)
    }

    /// The lower left corner of the first place and its size, in points.
    private func place(_ field: Field) -> String {
        guard let rectangle = field.widgets.first?.rectangle else { return "–" }
        func whole(_ number: Double) -> String { String(Int(number.rounded())) }
        let size = "\(whole(rectangle.width))×\(whole(rectangle.height))"
        let more = field.widgets.count > 1 ? " +\(field.widgets.count - 1)" : ""
        return "\(whole(rectangle.left)),\(whole(rectangle.bottom)) \(size)\(more)"
    }

    private func kind(_ field: Field) -> String {
        switch field.kind {
        case .checkBox: "box"
        case .pushButton: "button"
        case .text, .radio, .combo, .list, .signature, .barcode, .unknown: field.kind.rawValue
        }
    }

    private func takes(_ field: Field) -> String {
        var words: [String] = []
        if let format = field.format, format != .script {
            words.append(format.word)
        } else if let meaning = field.meaning {
            words.append(meaning.rawValue)
        }
        if let limit = field.maximumLength { words.append("\(limit) letters") }
        if field.flags.contains(.multiline), field.kind == .text { words.append("lines") }
        if !field.states.isEmpty { words.append(field.states.joined(separator: " / ")) }
        if !field.options.isEmpty, !field.isBox {
            words.append(field.options.map(\.display).joined(separator: " / "))
        }
        return shortened(words.joined(separator: ", "))
    }

    private func shortened(_ text: String) -> String { text.count > 48 ? text.prefix(47) + "…" : text }

    var csv: String {
        let head = [
            "name", "kind", "label", "meaning", "format", "page", "left", "bottom", "right", "top", "flags",
            "maximumLength",
            "states", "options", "value",
        ]
        var text = CSVLine.text(head)
        for (field, label) in zip(form.fields, labels.all) {
            let place = field.widgets.first
            let numbers =
                place?.rectangle.numbers.map { String(($0 * 100).rounded() / 100) } ?? ["", "", "", ""]
            text += CSVLine.text(
                [
                    field.name, field.kind.rawValue, label.text, field.meaning?.rawValue ?? "",
                    field.format?.word ?? "",
                    place?.page.map { String($0 + 1) } ?? "",
                ] + numbers + [
                    field.flags.words(for: field.kind).joined(separator: " "),
                    field.maximumLength.map(String.init) ?? "",
                    field.states.joined(separator: "|"), field.options.map(\.export).joined(separator: "|"),
                    field.value.joined(separator: "|"),
                ])
        }
        return text
    }
}
