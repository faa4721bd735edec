import Bytes
import PDF
import PDFForms
import Storage
import Tables

extension Command {
    static let fields = Command(
        name: "fields", summary: "list the fields of a PDF form",
        discussion: """
            Says for each field its name, its kind, where it stands, what it takes and what is in it now, as far as \
            the form tells. The names are what the columns of a table are called for “quire fill”.

            With --json the answer is an object with pages, xfa, protection, remarks and fields; docs/formats/fields.md \
            describes it, and it only ever grows.
            """,
        arguments: [Argument(name: "FORM", summary: "a PDF form", completion: .file)],
        options: [
            Option("csv", nil, "as a table with commas"),
            Option("password", "PASSWORD", "opens a locked form"),
        ],
        examples: [
            Example("quire fields consent.pdf", "see what can be filled"),
            Example("quire fields consent.pdf --csv > fields.csv", "the same for a spreadsheet"),
        ],
        run: { call in
            let form = try withForms {
                try Form(path: call.absolute(call.arguments[0]), password: call.value("password"))
            }
            if call.has("csv") {
                call.terminal.write(FieldList(form).csv)
            } else {
                call.answer(FieldList(form).json) { FieldList(form).text(call.terminal.outputStyle) }
                for remark in FieldList(form).remarks { call.hint(remark) }
            }
        })
}

/// The fields of a form in three shapes.
struct FieldList {
    private let form: Form

    init(_ form: Form) { self.form = form }

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
        if !form.repairs.isEmpty { remarks.append("The file has flaws that were repaired on opening.") }
        return remarks
    }

    var json: JSON {
        [
            "pages": .int(form.pageCount), "xfa": .string(form.xfa.rawValue),
            "protection": .string(protection),
            "usageRights": .bool(form.hasUsageRights), "encrypted": .bool(form.isEncrypted),
            "mayFill": .bool(form.mayFill),
            "remarks": .array(remarks.map(JSON.string)), "fields": .array(form.fields.map(view)),
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

    private func view(_ field: Field) -> JSON {
        [
            "name": .string(field.name), "kind": .string(field.kind.rawValue), "label": .string(field.label),
            "meaning": .optional(field.meaning?.rawValue), "format": .optional(field.format?.word),
            "flags": .array(field.flags.words(for: field.kind).map(JSON.string)),
            "maximumLength": .optional(field.maximumLength), "value": .array(field.value.map(JSON.string)),
            "default": .array(field.defaultValue.map(JSON.string)),
            "states": .array(field.states.map(JSON.string)),
            "options": .array(
                field.options.map { ["export": .string($0.export), "display": .string($0.display)] }),
            "listed": .bool(field.isListed),
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

    func text(_ style: Style) -> String {
        guard !form.fields.isEmpty else { return "" }
        var table = TextTable(["Name", "Kind", "Page", "Takes", "Now"], rightAligned: [2])
        for field in form.fields {
            table.add([
                field.name, kind(field), field.widgets.first?.page.map { String($0 + 1) } ?? "–",
                takes(field),
                shortened(field.value.joined(separator: ", ")),
            ])
        }
        return table.text(style)
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
        if let format = field.format, format != .script { words.append(format.word) }
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
        for field in form.fields {
            let place = field.widgets.first
            let numbers =
                place?.rectangle.numbers.map { String(($0 * 100).rounded() / 100) } ?? ["", "", "", ""]
            text += CSVLine.text(
                [
                    field.name, field.kind.rawValue, field.label, field.meaning?.rawValue ?? "",
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
