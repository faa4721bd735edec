import Markup

/// One person of a list, every cell a field: the way without scripts, and for long texts.
struct PersonPage: Sendable {
    struct Cell: Sendable {
        var column: String
        var shown: String
        /// Where the file said something else than what is shown.
        var raw: String?
        var kind: String
    }

    var list: ListLine
    var person: PersonLine
    var cells: [Cell]
}

extension Pages {
    static func person(_ frame: Frame, _ model: PersonPage) -> HTML {
        let t = frame.texts
        let path = "/lists/\(model.list.id)/recipients/\(model.person.id)"
        let canEdit = frame.canEdit && model.list.question == nil
        let fields = model.cells.enumerated().map { place, cell -> HTML in
            let hint = cell.raw.map { t("person.raw", ["raw": .text($0)]) }
            return """
                <div class="field"><label for="c-\(place)" dir="auto">\(cell.column)</label>\
                <input type="text" id="c-\(place)" name="cell:\(cell.column)" value="\(cell.shown)" autocomplete="off" dir="auto"\
                \(attribute: "aria-describedby", hint == nil ? nil : "c-\(place)-hint")\(attribute: "disabled", if: !canEdit)>\
                \(hint.map { "<p class=\"field-hint\" id=\"c-\(place)-hint\">\($0)</p>" as HTML })</div>
                """
        }
        let buttons: HTML =
            canEdit
            ? "<div><button class=\"button button-main\">\(frame.icon(.check))\(t("form.save"))</button></div>"
            : .empty
        return Shell.page(
            frame, title: model.person.name, narrow: true,
            """
            \(Part.header(
                frame, model.person.name, lede: model.person.source.isEmpty ? nil : t("person.source", ["source": .text(model.person.source)]),
                crumbs: [(t("people.title"), "/lists"), (model.list.name, "/lists/\(model.list.id)")]))
            \(model.person.flaw.map { Part.note(frame, .warn, "<p>\($0)</p>") })
            <section class="card">\(Form.form(frame, "PATCH", path, "<div class=\"form-grid\">\(fields)</div>\(buttons)"))</section>
            \(canEdit ? Form.button(frame, "DELETE", path, t("list.remove"), icon: .trash, css: "button button-danger") : .empty)
            """)
    }
}
