import Markup
import Storage

/// One field of a thing as a page shows it: what its list of fields says, and what stands in it now.
struct SettableLine: Sendable {
    var name: String
    var label: String
    var value: String
    var type = "text"
    var inputMode: String?
    var maximumLength: Int?
    var isRequired = false
    var choices: [String] = []

    init<Thing>(_ field: ThingField<Thing>, of thing: Thing) {
        name = field.name
        label = field.label
        value = field.text(of: thing)
        switch field.kind {
        case .line(let longest, let isRequired):
            maximumLength = longest
            self.isRequired = isRequired
        case .text(let longest): maximumLength = longest
        case .whole: inputMode = "numeric"
        case .time: type = "time"
        case .day(let isRequired):
            type = "date"
            self.isRequired = isRequired
        case .choice(let words): choices = words
        }
    }
}

extension Form.Field {
    init(
        _ frame: Frame, _ line: SettableLine, id: String? = nil, error: String? = nil,
        isOptional: Bool = false
    ) {
        let t = frame.texts
        self.init(
            name: line.name, label: t(line.label), value: line.value, type: line.type,
            hint: t.find(line.label + ".hint"), error: error, autocomplete: "off", inputMode: line.inputMode,
            isRequired: line.isRequired, maximumLength: line.maximumLength, id: id,
            optionalNote: isOptional ? t("form.optional") : nil)
    }
}

extension Form {
    /// As suits its kind.
    static func field(_ frame: Frame, _ line: SettableLine, id: String? = nil, error: String? = nil) -> HTML {
        line.choices.isEmpty
            ? field(frame, Field(frame, line, id: id, error: error)) : select(frame, line, id: id)
    }

    /// Its words side by side, of which one holds.
    static func choices(_ frame: Frame, _ line: SettableLine) -> HTML {
        choices(
            name: line.name, label: frame.texts(line.label),
            options: line.choices.map { ($0, "\(frame.texts("\(line.label).\($0)"))") }, chosen: line.value)
    }

    static func select(_ frame: Frame, _ line: SettableLine, id: String? = nil) -> HTML {
        select(
            frame, name: line.name, id: id, label: frame.texts(line.label),
            options: line.choices.map { ($0, frame.texts("\(line.label).\($0)")) }, chosen: line.value,
            hint: frame.texts.find(line.label + ".hint"))
    }
}
