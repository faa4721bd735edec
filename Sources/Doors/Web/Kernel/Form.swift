import Markup

/// The parts of forms. Every field has a label; its hint and its error are tied to it for screen readers.
enum Form {
    static func csrf(_ frame: Frame) -> HTML {
        "<input type=\"hidden\" name=\"_csrf\" value=\"\(frame.csrfToken)\">"
    }

    /// A form that sends: `PATCH` and `DELETE` travel as POST with `_method`, as browsers know no others. A soft one
    /// changes parts of the page in place where scripts run; a live one sends itself when something in it changes, and
    /// one with texts that are kept sends itself when one goes on from it.
    static func form(
        _ frame: Frame, _ method: String = "POST", _ action: String, confirm: String? = nil,
        css: String? = "stack",
        id: String? = nil, soft: Bool = false, live: Bool = false, keeps: KeptTexts? = nil, _ content: HTML
    ) -> HTML {
        let override: HTML =
            method == "POST" ? .empty : "<input type=\"hidden\" name=\"_method\" value=\"\(method)\">"
        return """
            <form method="post" action="\(url: action)"\(attribute: "class", css)\(attribute: "id", id)\
            \(attribute: "data-confirm", confirm)\(attribute: "data-soft", if: soft)\(attribute: "data-soft-live", if: live)\
            \(attribute: "data-soft-left", keeps?.rawValue)>\(csrf(frame))\(override)\(content)</form>
            """
    }

    /// Which texts somebody has changed, and not sent, are kept all the same.
    enum KeptTexts: String {
        case all
        /// One that was emptied says nothing.
        case written
    }

    /// A form of a single button.
    static func button(
        _ frame: Frame, _ method: String = "POST", _ action: String, _ label: String, icon: Icon? = nil,
        css: String = "button", confirm: String? = nil, name: String? = nil, id: String? = nil
    ) -> HTML {
        form(
            frame, method, action, confirm: confirm, css: nil,
            """
            <button class="\(css)"\(attribute: "id", id)\(attribute: "aria-label", name)>\(icon.map { frame.icon($0) })\(label)</button>
            """)
    }

    struct Field: Sendable {
        var name: String
        var label: String
        var value: String = ""
        var type: String = "text"
        var hint: String?
        var error: String?
        var autocomplete: String?
        var inputMode: String?
        var isRequired = false
        var isFocused = false
        var minimumLength: Int?
        var maximumLength: Int?
        var rows: Int?
        var placeholder: String?
        /// Where another form on the page has a field of this name.
        var id: String?
        /// Said beside the label of fields that may stay empty.
        var optionalNote: String?
        /// Its form stays while parts of the page change; only the error follows.
        var isLive = false
    }

    static func field(_ frame: Frame, _ field: Field) -> HTML {
        let id = "f-\(field.id ?? field.name)"
        var described: [String] = []
        if field.error != nil { described.append("\(id)-error") }
        if field.hint != nil { described.append("\(id)-hint") }
        let shared: HTML = """
            id="\(id)" name="\(field.name)"\(attribute: "autocomplete", field.autocomplete)\
            \(attribute: "inputmode", field.inputMode)\(attribute: "required", if: field.isRequired)\
            \(attribute: "autofocus", if: field.isFocused)\
            \(attribute: "minlength", field.minimumLength.map(String.init))\
            \(attribute: "maxlength", field.maximumLength.map(String.init))\
            \(attribute: "placeholder", field.placeholder)\
            \(attribute: "aria-invalid", field.error == nil ? nil : "true")\
            \(attribute: "aria-describedby", described.isEmpty ? nil : described.joined(separator: " "))
            """
        let control: HTML
        if let rows = field.rows {
            control = "<textarea \(shared) rows=\"\(rows)\">\(field.value)</textarea>"
        } else {
            control = """
                <input type="\(field.type)" \(shared)\(attribute: "value", field.value.isEmpty ? nil : field.value)>
                """
        }
        let optional = field.optionalNote.map { " <span class=\"optional\">\($0)</span>" as HTML }
        return """
            <div class="field"><label for="\(id)">\(field.label)\(optional)</label>
            \(control)
            \(field.isLive ? liveError(frame, id, field.error) : error(frame, id, field.error))\(field.hint.map { "<p class=\"field-hint\" id=\"\(id)-hint\">\($0)</p>" as HTML })
            </div>
            """
    }

    static func select(
        _ frame: Frame, name: String, id: String? = nil, label: String,
        options: [(value: String, label: String)], chosen: String?, hint: String? = nil, error: String? = nil
    ) -> HTML {
        // Two forms on one page may both have a field of this name.
        let id = "f-\(id ?? name)"
        return """
            <div class="field"><label for="\(id)">\(label)</label>
            <select id="\(id)" name="\(name)"\(attribute: "aria-describedby", hint == nil ? nil : "\(id)-hint")>
            \(options.map { option -> HTML in
                "<option value=\"\(option.value)\"\(attribute: "selected", if: option.value == chosen)>\(option.label)</option>"
            })
            </select>
            \(Form.error(frame, id, error))\(hint.map { "<p class=\"field-hint\" id=\"\(id)-hint\">\($0)</p>" as HTML })
            </div>
            """
    }

    /// A few choices side by side, of which one holds.
    static func choices(
        name: String, label: String, options: [(value: String, label: HTML)], chosen: String
    ) -> HTML {
        """
        <fieldset class="field"><legend class="field-label">\(label)</legend><div class="choices">
        \(options.map { option -> HTML in
            """
            <label><input type="radio" name="\(name)" value="\(option.value)"\
            \(attribute: "checked", if: option.value == chosen)> \(option.label)</label>
            """
        })
        </div></fieldset>
        """
    }

    static func check(
        name: String, value: String = "yes", label: String, hint: String? = nil, isOn: Bool
    ) -> HTML {
        """
        <label class="choice"><input type="checkbox" name="\(name)" value="\(value)"\(attribute: "checked", if: isOn)>
        <span>\(label)\(hint.map { "<small>\($0)</small>" as HTML })</span></label>
        """
    }

    static func error(_ frame: Frame, _ id: String, _ error: String?) -> HTML {
        guard let error else { return .empty }
        return "<p class=\"field-error\" id=\"\(id)-error\">\(frame.icon(.warning))<span>\(error)</span></p>"
    }

    /// The same, where it comes and goes while one types.
    static func liveError(_ frame: Frame, _ id: String, _ sentence: String?) -> HTML {
        "<div data-swap=\"\(id)-said\">\(error(frame, id, sentence))</div>"
    }

    /// What went wrong with the form as a whole, above it, so that it is read first.
    static func failure(_ frame: Frame, _ sentence: String?) -> HTML {
        guard let sentence else { return .empty }
        return Part.note(frame, .bad, "<p>\(sentence)</p>", role: "alert")
    }
}
