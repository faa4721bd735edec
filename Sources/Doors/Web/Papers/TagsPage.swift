import Markup

/// The tags that papers wear, and the searches somebody kept.
struct TagsPage: Sendable {
    struct Tag: Sendable {
        var id: String
        /// What may be set.
        var lines: [SettableLine]
        var name: String
        var count: Int
    }

    struct Search: Sendable {
        var id: String
        var name: String
        var words: String
    }

    var tags: [Tag]
    var searches: [Search] = []
    var fields: [(id: String, name: String, kind: String, count: Int)] = []
}

extension Pages {
    static func tags(_ frame: Frame, _ model: TagsPage) -> HTML {
        let t = frame.texts
        let list: HTML =
            model.tags.isEmpty
            ? Part.empty(
                frame, icon: .tag, title: t("filing.tags.empty"), "<p>\(t("filing.tags.empty.text"))</p>",
                actions: Part.link(frame, "/documents", t("documents.title"), icon: .library))
            : "<section class=\"card card-flush\">\(Part.list(model.tags.map { tagItem(frame, $0) }))</section>"
        let searches: HTML =
            model.searches.isEmpty
            ? "<p class=\"soft\">\(t("filing.searches.empty"))</p>"
            : Part.list(model.searches.map { searchItem(frame, $0) })
        return Shell.page(
            frame, title: t("filing.tags"), narrow: true,
            """
            \(Part.header(
                frame, t("filing.tags"), lede: t("filing.tags.lede"), crumbs: [(t("documents.title"), "/documents")]))
            \(list)
            \(Part.card(t("filing.searches"), searches))
            \(Part.card(t("labels.fields"), id: "fields", fields(frame, model)))
            """)
    }

    private static func fields(_ frame: Frame, _ model: TagsPage) -> HTML {
        let t = frame.texts
        let items = model.fields.map { field -> HTML in
            let path = "/fields/\(field.id)"
            let name = Form.field(
                frame,
                Form.Field(
                    name: "name", label: t("filing.name"), value: field.name, autocomplete: "off",
                    isRequired: true, maximumLength: 60, id: "field-\(field.id)"))
            let tools: HTML =
                frame.canEdit
                ? """
                <details class="more item-more"><summary>\(frame.icon(.edit))\(t("document.rename"))\
                <span class="unseen"> \(field.name)</span></summary><div class="stack">\
                \(Form.form(frame, "PATCH", path, "\(name)<div><button class=\"button\">\(t("filing.save"))</button></div>"))\
                \(Form.button(
                    frame, "DELETE", path, t("labels.remove"), icon: .trash, css: "button button-danger",
                    confirm: t("labels.remove.confirm", ["name": .text(field.name)])))</div></details>
                """ : .empty
            return """
                <div class="item">\(frame.icon(.edit))<span class="item-text"><span class="item-title" dir="auto">\(field.name)</span>\
                <span class="item-note">\(t("labels.kind.\(field.kind)")) · \(t("filing.count", ["count": .number(field.count)]))</span></span></div>\(tools)
                """
        }
        let name = Form.field(
            frame,
            Form.Field(
                name: "name", label: t("labels.name"), hint: t("labels.name.hint"), autocomplete: "off",
                isRequired: true, maximumLength: 60, id: "new-field"))
        let kinds = ["text", "number", "date"].map { ($0, t("labels.kind.\($0)")) }
        let kind = Form.select(
            frame, name: "kind", id: "field-kind", label: t("labels.kind"), options: kinds, chosen: "text")
        let new: HTML =
            frame.canEdit
            ? """
            <details class="more"><summary>\(frame.icon(.plus))\(t("labels.new"))</summary>\
            \(Form.form(frame, "POST", "/fields", "\(name)\(kind)<div><button class=\"button\">\(t("labels.make"))</button></div>"))</details>
            """ : .empty
        let list: HTML = items.isEmpty ? "<p class=\"soft\">\(t("labels.none"))</p>" : Part.list(items)
        return "\(list)\(new)"
    }

    private static func tagItem(_ frame: Frame, _ tag: TagsPage.Tag) -> HTML {
        let t = frame.texts
        let path = "/tags/\(tag.id)"
        let fields = tag.lines.map { Form.field(frame, $0, id: "\($0.name)-\(tag.id)") }
        let tools: HTML =
            frame.canEdit
            ? """
            <details class="more item-more"><summary>\(frame.icon(.edit))\(t("filing.tag.change"))\
            <span class="unseen"> \(tag.name)</span></summary><div class="stack">\
            \(Form.form(frame, "PATCH", path, "\(fields)<div><button class=\"button\">\(t("filing.save"))</button></div>"))\
            \(Form.button(
                frame, "DELETE", path, t("filing.tag.remove"), icon: .trash, css: "button button-danger",
                confirm: t("filing.tag.remove.confirm", ["name": .text(tag.name)])))</div></details>
            """ : .empty
        return """
            <a class="item" href="\(url: "/documents?tag=" + queryEncoded(tag.name))"><span class="tag-mark\(frame.colour(ofTag: tag.name))">\(frame.icon(.tag))</span><span class="item-text">\
            <span class="item-title" dir="auto">\(tag.name)</span>\
            <span class="item-note">\(t("filing.count", ["count": .number(tag.count)]))</span></span></a>\(tools)
            """
    }

    private static func searchItem(_ frame: Frame, _ search: TagsPage.Search) -> HTML {
        let t = frame.texts
        let forget: HTML =
            frame.canEdit
            ? Form.button(
                frame, "DELETE", "/searches/\(search.id)", t("filing.forget"), css: "button button-s",
                name: t("filing.forgetNamed", ["name": .text(search.name)])) : .empty
        return """
            <div class="item">\(frame.icon(.search))<span class="item-text">\
            <a class="item-title" href="\(url: "/search?q=" + queryEncoded(search.words))">\(search.name)</a>\
            <span class="item-note" dir="auto">\(search.words)</span></span>\(forget)</div>
            """
    }
}
