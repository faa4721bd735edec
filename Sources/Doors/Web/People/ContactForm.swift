import Cards
import Markup
import People
import Storage

/// What of a person is written: each field with what it said when it was shown, so that only what was touched is changed.
struct ContactForm: Sendable {
    struct Part: Sendable {
        var part: CardPart
        var value: String
        var seen: String
        /// What somebody else wrote there meanwhile.
        var now: String?
    }

    struct Row: Sendable {
        /// Empty for a new one.
        var key: String
        var line: CardLine
    }

    var parts: [Part]
    var rows: [Row]
    var error: String?
    var errorField: String?

    init(_ card: ContactCard) {
        parts = CardPart.allCases.map {
            Part(part: $0, value: card[$0], seen: card.fingerprint(of: $0))
        }
        rows = card.lines.map { Row(key: $0.key, line: $0.line) }
    }

    /// What was typed and could not be taken, over what there is now.
    init(_ card: ContactCard, typed: ContactInput, failure: Failure, said: String) {
        self.init(card)
        error = said
        errorField = failure.field
        for typed in typed.parts {
            guard let place = parts.firstIndex(where: { $0.part == typed.part }) else { continue }
            let now = parts[place]
            guard typed.text != now.value else { continue }
            parts[place].value = typed.text
            if let seen = typed.seen, seen != now.seen {
                parts[place].now = now.value
            }
        }
        var shown: Set<String> = []
        var kept: [Row] = []
        for row in typed.rows {
            if rows.contains(where: { $0.key == row.key }) {
                shown.insert(row.key)
                kept.append(Row(key: row.key, line: row.line))
            } else if !row.line.isEmpty, row.key.isEmpty || !row.line.isKnown(by: row.key) {
                // It took the place of one that is not there any more: now it is one beside the others.
                kept.append(Row(key: "", line: row.line))
            }
        }
        rows = rows.filter { !shown.contains($0.key) } + kept
    }
}

extension Pages {
    /// The fields of a person; without scripts one line more of each kind comes with each saving.
    static func contactFields(_ frame: Frame, _ form: ContactForm) -> HTML {
        let t = frame.texts
        func part(_ part: CardPart, _ css: String = "field") -> HTML {
            guard let field = form.parts.first(where: { $0.part == part }) else { return .empty }
            let id = "p-\(part.rawValue)"
            let isWrong = form.errorField == part.rawValue
            let hint =
                field.now.map {
                    t("contact.now", ["text": .text($0.isEmpty ? t("contact.now.nothing") : $0)])
                } ?? t.find("contact.part.\(part.rawValue).hint")
            let described: HTML = """
                \(attribute: "aria-describedby", hint == nil ? nil : "\(id)-hint")\(attribute: "aria-invalid", isWrong ? "true" : nil)
                """
            let control: HTML =
                part == .note
                ? "<textarea id=\"\(id)\" name=\"\(part.rawValue)\" rows=\"4\" dir=\"auto\"\(described)>\n\(field.value)</textarea>"
                : "<input type=\"text\" id=\"\(id)\" name=\"\(part.rawValue)\" value=\"\(field.value)\" autocomplete=\"off\" dir=\"auto\"\(described)>"
            return """
                <div class="\(css)"><label for="\(id)">\(t("contact.part.\(part.rawValue)"))</label>\(control)\
                <input type="hidden" name="seen-\(part.rawValue)" value="\(field.seen)">\
                \(hint.map { "<p class=\"field-hint\" id=\"\(id)-hint\">\($0)</p>" as HTML })</div>
                """
        }
        let names = [CardPart.given, .family, .name, .pronouns].map { part($0) }
        let more = [CardPart.prefix, .middle, .suffix, .maiden, .nickname, .language].map { part($0) }
        let lines = [
            CardLine.Kind.phone, .email, .organization, .title, .address, .link, .date,
        ].map { lineFields(frame, form, $0) }
        return """
            \(Form.failure(frame, form.error))
            <fieldset class="stack stack-s"><legend class="field-label">\(t("contact.names"))</legend><div class="form-grid">\(names)</div>\
            <details class="more"><summary>\(t("contact.names.more"))</summary><div class="form-grid">\(more)</div></details></fieldset>
            \(lines)
            <div class="form-grid">\(part(.tags))\(part(.metAt))\(part(.metOn))</div>\(part(.note))
            """
    }

    private static func lineFields(_ frame: Frame, _ form: ContactForm, _ kind: CardLine.Kind) -> HTML {
        let t = frame.texts
        let rows = form.rows.enumerated().filter { $0.element.line.kind == kind }
        let here = rows.map { lineRow(frame, $0.element, id: "l-\($0.offset)", form) }
        let blank = lineRow(
            frame, .init(key: "", line: CardLine(kind, "")), id: "new-\(kind.rawValue)", form)
        return """
            <fieldset class="stack stack-s lines"><legend class="unseen">\(t("contact.kind.\(kind.rawValue)"))</legend>\(here)\
            <more-lines><details class="more"\(attribute: "open", if: rows.isEmpty && (kind == .phone || kind == .email))>\
            <summary>\(frame.icon(.plus))\(t("contact.add.\(kind.rawValue)"))</summary><div data-line>\(blank)</div></details></more-lines></fieldset>
            """
    }

    private static func lineRow(
        _ frame: Frame, _ row: ContactForm.Row, id: String, _ form: ContactForm
    ) -> HTML {
        let t = frame.texts
        let kind = row.line.kind
        let parts = zip(kind.partNames, row.line.parts + Array(repeating: "", count: 7)).enumerated().map {
            place, part -> HTML in
            let (name, value) = part
            let label =
                name == "value" ? t("contact.kind.\(kind.rawValue)") : t("contact.field.\(name)")
            // A box is written for those who have one.
            guard name != "box" || !value.isEmpty else {
                return "<input type=\"hidden\" name=\"part\" value=\"\">"
            }
            let control: HTML =
                name == "street" && value.contains("\n")
                ? "<textarea id=\"\(id)-\(place)\" name=\"part\" rows=\"2\" dir=\"auto\">\n\(value)</textarea>"
                : """
                <input type="\(type(of: kind))" id="\(id)-\(place)" name="part" value="\(value)" autocomplete="off" dir="auto"\
                \(attribute: "placeholder", kind == .date ? "2026-04-15" : nil)>
                """
            return "<div class=\"field\"><label for=\"\(id)-\(place)\">\(label)</label>\(control)</div>"
        }
        let chosen = row.line.type
        // A name of a property, and no word, tells these: none of them is not said at all.
        let none: HTML =
            kind == .title || kind == .date ? .empty : "<option value=\"\">\(t("contact.type.none"))</option>"
        let types: HTML =
            kind.types.isEmpty
            ? .empty
            : """
            <div class="field"><label for="\(id)-type">\(t("contact.type"))</label><select id="\(id)-type" name="type">\(none)\
            \(kind.types.map { "<option value=\"\($0)\"\(attribute: "selected", if: $0 == chosen)>\(t("contact.type.\($0)"))</option>" as HTML })\
            </select></div>
            """
        let label: HTML = """
            <div class="field"><label for="\(id)-label">\(t("contact.label")) <span class="optional">\(t("form.optional"))</span></label>\
            <input type="text" id="\(id)-label" name="label" value="\(row.line.label)" autocomplete="off" dir="auto"></div>
            """
        return """
            <div class="line-fields" role="group" aria-label="\(row.line.isEmpty ? t("contact.add.\(kind.rawValue)") : row.line.text)">\
            <input type="hidden" name="line" value="\(kind.rawValue):\(row.key)">\(parts)\(types)\(label)</div>
            """
    }

    /// Keyboards of telephones; what is right is decided by the desk, in the reader's language.
    private static func type(of kind: CardLine.Kind) -> String { kind == .phone ? "tel" : "text" }
}
