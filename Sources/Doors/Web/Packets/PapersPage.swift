import Markup

/// Step one: which papers make the packet, in which order, and for whom each.
struct PapersPage: Sendable {
    struct Part: Sendable {
        enum Kind: String, Sendable { case template, document, attachments }
        var number: Int
        var kind: Kind
        var name: String
        var note: String
        var condition: String = ""
        var conditionError: String?
        var picture: String?
    }

    var batch: BatchLine
    var parts: [Part]
    var templates: [TemplateLine] = []
    var documents: [DocumentLine] = []
    var error: String?
}

extension Pages {
    static func papers(_ frame: Frame, _ model: PapersPage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        let items = Part.list(model.parts.map { partItem(frame, $0, of: model.parts.count, path) })
        let name = Form.form(
            frame, "PATCH", path, css: "with-button",
            """
            <div class="field"><label for="f-name">\(t("batch.name"))</label><input type="text" id="f-name" name="name" \
            value="\(model.batch.name)" required maxlength="200" autocomplete="off" dir="auto"></div>\
            <button class="button align-end">\(t("form.save"))</button>
            """)
        return stepPage(
            frame, model.batch, .papers,
            """
            \(Form.failure(frame, model.error))
            <soft-page class="stack stack-l"><div class="stack" data-swap="parts">
            \(model.parts.isEmpty
                ? Part.empty(frame, icon: .form, title: t("papers.none"), "<p>\(t("papers.none.text"))</p>")
                : "<section class=\"card card-flush\" aria-label=\"\(t("step.papers"))\">\(items)</section>")
            </div>
            <div class="columns">\(addPart(frame, model, path))
            \(Part.card(t("batch.name"), name))</div></soft-page>
            \(forward(frame, model.batch, to: .people))
            """)
    }

    private static func partItem(
        _ frame: Frame, _ part: PapersPage.Part, of count: Int, _ path: String
    )
        -> HTML
    {
        let t = frame.texts
        let address = "\(path)/parts/\(part.number)"
        func move(_ by: Int, _ icon: Icon, _ label: String) -> HTML {
            guard (1...count).contains(part.number + by) else { return .empty }
            return Form.form(
                frame, "PATCH", address, css: nil, soft: true,
                """
                <input type="hidden" name="place" value="\(part.number + by)"><button class="button button-icon button-quiet" \
                aria-label="\(label)">\(frame.icon(icon))</button>
                """)
        }
        let condition = Form.form(
            frame, "PATCH", address, soft: true, keeps: .all,
            """
            <div class="field"><label for="when-\(part.number)">\(t("papers.when"))</label>
            <input type="text" class="mono" id="when-\(part.number)" name="condition" value="\(part.condition)" autocomplete="off" spellcheck="false" \
            placeholder="\(t("papers.when.example"))"\(attribute: "aria-invalid", part.conditionError == nil ? nil : "true")>\
            \(Form.error(frame, "when-\(part.number)", part.conditionError))<p class="field-hint">\(t("papers.when.hint"))</p></div>
            <div><button class="button">\(t("form.save"))</button></div>
            """)
        return """
            <div class="item">\(part.kind == .template ? Part.thumbnail(part.picture) : frame.icon(part.kind == .document ? .document : .link))\
            <span class="item-text"><span class="item-title" dir="auto">\(part.number). \(part.name)</span><span class="item-note">\(part.note)</span></span>\
            <div class="row">\(move(-1, .up, t("papers.up", ["name": .text(part.name)])))\(move(1, .down, t("papers.down", ["name": .text(part.name)])))\
            \(Form.button(frame, "DELETE", address, "", icon: .close, css: "button button-icon button-quiet", name: t("members.remove.name", ["name": .text(part.name)])))</div>
            <details class="more item-more"\(attribute: "open", if: !part.condition.isEmpty || part.conditionError != nil)>\
            <summary>\(part.condition.isEmpty ? t("papers.everyone") : t("papers.when"))</summary>\(condition)</details></div>
            """
    }

    private static func addPart(_ frame: Frame, _ model: PapersPage, _ path: String) -> HTML {
        let t = frame.texts
        func choose(_ name: String, _ label: String, _ options: [(String, String)]) -> HTML {
            guard !options.isEmpty else { return .empty }
            return Form.form(
                frame, "POST", path + "/parts", css: "with-button", soft: true,
                """
                <div class="field"><label for="add-\(name)">\(label)</label><select id="add-\(name)" name="\(name)">\
                \(options.map { "<option value=\"\($0.0)\">\($0.1)</option>" as HTML })</select></div>\
                <button class="button align-end">\(frame.icon(.plus))\(t("papers.add"))</button>
                """)
        }
        return Part.card(
            t("papers.more"),
            """
            <p class="soft">\(t("papers.more.text"))</p>
            \(choose("template", t("papers.addTemplate"), model.templates.map { ($0.id, $0.name) }))
            \(choose("document", t("papers.addDocument"), model.documents.map { ($0.id, $0.name) }))
            \(Form.form(
                frame, "POST", path + "/parts", soft: true,
                """
                <div class="field"><label for="add-pattern">\(t("papers.addPattern"))</label>\
                <input type="text" class="mono" id="add-pattern" name="attachments" required autocomplete="off" spellcheck="false" placeholder="{id}.pdf">\
                <p class="field-hint">\(t("papers.addPattern.hint"))</p></div><div><button class="button">\(frame.icon(.plus))\(t("papers.add"))</button></div>
                """))
            """)
    }
}
