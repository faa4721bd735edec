import Markup
import Work

/// One form: its pages with the fields laid over, the fields in words, what was found in the file, its editions.
struct TemplatePage: Sendable {
    enum View: String, Sendable, CaseIterable { case fields, mappings, report, editions }

    struct Edition: Sendable {
        var number: Int
        var addedAt: Moment
        var addedBy: String
        var fieldCount: Int
        var isCurrent: Bool
    }

    /// What goes where, kept under a name apart from any list.
    struct Mapping: Sendable {
        var id: String
        var name: String
        var changedAt: Moment
        /// As `quire fill --map` reads it.
        var text: String
    }

    var line: TemplateLine
    var view: View = .fields
    var pages: [PagePicture]
    var fields: [FieldLine]
    var chosen: String?
    var findings: [FindingLine] = []
    var editions: [Edition] = []
    var mappings: [Mapping] = []
    var folders: [String] = []
    /// How many places look like fields on a paper that has none yet.
    var proposalCount = 0
    var nameError: String?
    /// How it came in just now.
    var isNew = false
}

extension Pages {
    static func template(_ frame: Frame, _ model: TemplatePage) -> HTML {
        let t = frame.texts
        let path = "/templates/\(model.line.id)"
        let tabs = TemplatePage.View.allCases.map { view in
            (
                t("template.\(view.rawValue)"), view == .fields ? path : "\(path)?view=\(view.rawValue)",
                view == model.view,
                view == .mappings
                    ? model.mappings.count
                    : view == .report ? model.findings.count { $0.mood == .warn || $0.mood == .bad } : 0
            )
        }
        let content: HTML =
            switch model.view {
            case .fields: fieldsBeside(frame, model)
            case .mappings: templateMappings(frame, model)
            case .report: templateReport(frame, model)
            case .editions: templateEditions(frame, model)
            }
        return Shell.page(
            frame, title: model.line.name,
            """
            \(Part.header(
                frame, model.line.name,
                lede: t("templates.size", [
                    "pages": .text(t("templates.pages", ["count": .number(model.line.pageCount)])),
                    "fields": .text(t("templates.fields", ["count": .number(model.line.fieldCount)])),
                ]),
                crumbs: [(t("packets.title"), "/batches"), (t("templates.title"), "/templates")],
                actions: templateActions(frame, model)))
            \(trashedNote(frame, model))
            \(Part.tabs(frame, t("template.views"), tabs))
            \(content)
            """)
    }

    private static func templateActions(_ frame: Frame, _ model: TemplatePage) -> HTML {
        guard model.line.trashedAt == nil else { return .empty }
        let t = frame.texts
        let fill: HTML =
            frame.canEdit && model.line.fieldCount > 0
            ? Form.form(
                frame, "POST", "/batches", css: nil,
                """
                <input type="hidden" name="template" value="\(model.line.id)">\
                <button class="button button-main">\(frame.icon(.packets))\(t("template.fill"))</button>
                """) : .empty
        return
            "\(fill)\(Part.link(frame, "/templates/\(model.line.id)/file", t("document.open"), icon: .open))"
    }

    private static func trashedNote(_ frame: Frame, _ model: TemplatePage) -> HTML {
        guard model.line.trashedAt != nil else { return .empty }
        let t = frame.texts
        return Part.note(
            frame, .warn,
            """
            <p>\(t("template.trashed"))</p>
            <div>\(Form.button(frame, "POST", "/templates/\(model.line.id)/restoration", t("documents.restore"), icon: .restore))</div>
            """)
    }

    /// The picture stays in sight while the list is read; what is chosen in one is shown in the other.
    private static func fieldsBeside(_ frame: Frame, _ model: TemplatePage) -> HTML {
        let t = frame.texts
        let proposals: HTML =
            model.proposalCount > 0 && frame.canEdit
            ? Part.note(
                frame, .plain,
                """
                <p>\(t("template.proposals", ["count": .number(model.proposalCount)]))</p>
                <div>\(Part.link(frame, "/templates/\(model.line.id)/proposals", t("template.proposals.review"), icon: .eye, css: "button button-main"))</div>
                """) : .empty
        let list: HTML =
            model.fields.isEmpty
            ? Part.empty(
                frame, icon: .form, title: t("template.noFields"), "<p>\(t("template.noFields.text"))</p>")
            : """
            <ol class="field-list" data-field-list>\(model.fields.map { fieldEntry(frame, model, $0) })</ol>
            """
        return """
            \(proposals)
            <soft-page><page-fields class="beside">
            <div class="page-well" data-well tabindex="0" role="region" aria-label="\(t("template.pages"))">\
            \(model.pages.map { Part.picture(frame, $0, of: model.line.name) })</div>
            <section aria-label="\(t("template.fields"))" class="stack" data-swap="fields">\(list)</section>
            </page-fields></soft-page>
            """
    }

    private static func fieldEntry(_ frame: Frame, _ model: TemplatePage, _ field: FieldLine) -> HTML {
        let t = frame.texts
        let isChosen = field.name == model.chosen
        var facts: [(name: String, value: HTML)] = [
            (t("field.name"), "<code dir=\"auto\">\(field.name)</code>")
        ]
        if let limit = field.maximumLength { facts.append((t("field.limit"), Part.number(limit))) }
        if !field.choices.isEmpty {
            facts.append(
                (
                    t("field.choices"),
                    "<span dir=\"auto\">\(field.choices.prefix(30).joined(separator: ", "))\(field.choices.count > 30 ? "…" : "")</span>"
                ))
        }
        if !field.value.isEmpty {
            facts.append((t("field.value"), "<span dir=\"auto\">\(field.value)</span>"))
        }
        if let place = field.places.first {
            facts.append((t("field.page"), Part.number(place.page)))
        }
        let chips: HTML = """
            \(field.isRequired ? Part.chip(frame, t("field.required"), .warn) : HTML.empty)\
            \(field.isReadOnly ? Part.chip(frame, t("field.readOnly")) : HTML.empty)
            """
        return """
            <li data-entry="\(field.name)"><details\(attribute: "open", if: isChosen)><summary>\
            <span class="field-kind" aria-hidden="true">\(kindLetter(field.kind))</span>\
            <span class="item-text"><span class="item-title" dir="auto">\(field.label)</span>\
            <span class="item-note">\(t("field.kind.\(field.kind.rawValue)"))</span></span>\(chips)</summary>
            \(Part.facts(facts))</details></li>
            """
    }

    static func kindLetter(_ kind: FieldLine.Kind) -> String {
        switch kind {
        case .text: "Aa"
        case .multiline: "¶"
        case .comb: "▯▯"
        case .date: "31"
        case .number: "12"
        case .check: "☑"
        case .radio: "◉"
        case .choice, .list: "▾"
        case .image: "▨"
        case .signature: "✍"
        case .barcode: "▦"
        case .button: "□"
        }
    }

    private static func templateReport(_ frame: Frame, _ model: TemplatePage) -> HTML {
        let t = frame.texts
        guard !model.findings.isEmpty else {
            return Part.note(frame, .good, "<p>\(t("template.report.clean"))</p>")
        }
        return """
            <div class="stack measure">
            <p class="soft">\(t("template.report.lede"))</p>
            \(model.findings.map { Part.note(frame, $0.mood, "<p>\($0.sentence)</p>") })</div>
            """
    }

    /// Goes back to an edition, or forward again; its mappings are as they were then.
    static func useAgain(_ frame: Frame, _ path: String, _ edition: Int) -> HTML {
        guard frame.canEdit else { return .empty }
        let t = frame.texts
        return Form.form(
            frame, "PATCH", path, css: nil,
            """
            <input type="hidden" name="edition" value="\(edition)"><button class="button button-s">\(frame.icon(.restore))\
            \(t("template.edition.use", ["number": .number(edition)]))</button>
            """)
    }

    private static func templateMappings(_ frame: Frame, _ model: TemplatePage) -> HTML {
        let t = frame.texts
        guard !model.mappings.isEmpty else {
            return Part.empty(
                frame, icon: .form, title: t("template.mappings.none"),
                "<p>\(t("template.mappings.none.text"))</p>")
        }
        let items = model.mappings.map { mapping -> HTML in
            let path = "/mappings/\(mapping.id)"
            let change: HTML =
                frame.canEdit
                ? """
                \(Form.form(
                    frame, "PATCH", path, css: "with-button",
                    """
                    <div class="field"><label for="name-\(mapping.id)">\(t("documents.name"))</label><input type="text" id="name-\(mapping.id)" name="name" \
                    value="\(mapping.name)" required maxlength="200" autocomplete="off" dir="auto"></div><button class="button align-end">\(t("document.rename"))</button>
                    """))
                \(Form.button(
                    frame, "DELETE", path, t("form.remove"), icon: .trash, css: "button button-s button-danger",
                    name: t("members.remove.name", ["name": .text(mapping.name)])))
                """ : .empty
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(mapping.name)</span>\
                <span class="item-note">\(Part.time(mapping.changedAt))</span></span>\
                \(Part.link(frame, path + "/file", t("document.download"), icon: .download, css: "button button-s"))
                <details class="more item-more"><summary>\(t("template.mappings.read"))</summary><div class="stack">\
                <pre class="card mono" dir="ltr" tabindex="0">\(mapping.text)</pre>\(change)</div></details></div>
                """
        }
        return
            "<section class=\"card measure\"><p class=\"soft\">\(t("template.mappings.text"))</p>\(Part.list(items))</section>"
    }

    private static func templateEditions(_ frame: Frame, _ model: TemplatePage) -> HTML {
        let t = frame.texts
        let path = "/templates/\(model.line.id)"
        let editions = Part.list(
            model.editions.map { edition -> HTML in
                """
                <div class="item">\(Part.thumbnail("\(path)/pages/1?edition=\(edition.number)&width=120"))<span class="item-text">\
                <span class="item-title">\(t("template.edition", ["number": .number(edition.number)]))</span>\
                <span class="item-note">\(t.said(edition.addedBy)) · \(Part.time(edition.addedAt)) · \(t("templates.fields", ["count": .number(edition.fieldCount)]))</span></span>\
                \(edition.isCurrent
                    ? Part.chip(frame, t("template.edition.current"), .good)
                    : "\(Part.link(frame, "\(path)/comparison?with=\(edition.number)", t("template.compare"), css: "button button-s"))\(useAgain(frame, path, edition.number))")</div>
                """
            })
        guard frame.canEdit else { return "<section class=\"card\">\(editions)</section>" }
        let name = Form.field(
            frame,
            .init(
                name: "name", label: t("documents.name"), value: model.line.name, error: model.nameError,
                autocomplete: "off", isRequired: true, maximumLength: 200))
        let folder: HTML = """
            <div class="field"><label for="f-folder">\(t("templates.folder")) <span class="optional">\(t("form.optional"))</span></label>
            <input type="text" id="f-folder" name="folder" value="\(model.line.folder)" list="folders" maxlength="200" autocomplete="off" aria-describedby="f-folder-hint">
            <datalist id="folders">\(model.folders.map { "<option value=\"\($0)\">" as HTML })</datalist>
            <p class="field-hint" id="f-folder-hint">\(t("templates.folder.hint"))</p></div>
            """
        return """
            <div class="columns"><div class="stack">
            \(Part.card(
                t("template.replace"), id: "replace",
                """
                <p class="soft">\(t("template.replace.text"))</p>
                \(Part.fileZone(
                    frame, action: path + "/editions", label: t("template.replace.drop"), hint: t("template.replace.hint"),
                    accept: "application/pdf,.pdf", many: false, mayBeLocked: true))
                """))
            \(Part.card(t("template.editions"), editions))</div>
            \(Part.card(
                t("document.manage"),
                """
                \(Form.form(frame, "PATCH", path, "\(name)\(folder)<div><button class=\"button\">\(frame.icon(.check))\(t("form.save"))</button></div>"))
                <hr>\(Form.button(frame, "DELETE", path, t("documents.toTrash"), icon: .trash, css: "button button-danger"))
                """))</div>
            """
    }
}
