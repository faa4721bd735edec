import Markup

/// The forms this desk can fill.
struct TemplatesPage: Sendable {
    var lines: [TemplateLine]
    var filter = ""
    var folder: String?
    var folders: [String] = []
    var page = 1
    var pageCount = 1
    var matchCount: Int
    var totalCount: Int
    var showsTrash = false
    var trashCount = 0
}

extension Pages {
    static func templates(_ frame: Frame, _ model: TemplatesPage) -> HTML {
        let t = frame.texts
        let add: HTML =
            frame.canEdit && !model.showsTrash
            ? Part.link(frame, "/templates/new", t("templates.add"), icon: .plus, css: "button button-main")
            : .empty
        let body: HTML =
            model.totalCount == 0 && model.filter.isEmpty && model.folder == nil
            ? emptyTemplates(frame, model) : templateCards(frame, model)
        return Shell.page(
            frame, title: t("templates.title"),
            """
            \(Part.header(frame, t("packets.title"), lede: t("templates.lede"), actions: add))
            \(packetTabs(frame, model.showsTrash ? .trash : .templates, trash: model.trashCount))
            \(body)
            """)
    }

    enum PacketTab { case packets, templates, sent, harvests, repetitions, trash, packetTrash }

    static func packetTabs(_ frame: Frame, _ here: PacketTab, trash: Int = 0) -> HTML {
        let t = frame.texts
        // Forms and packets are thrown away apart from each other.
        let trashed = [.packets, .packetTrash].contains(here) ? "/batches?trash=1" : "/templates?trash=1"
        return Part.tabs(
            frame, t("packets.views"),
            [
                (t("packets.title"), "/batches", here == .packets, 0),
                (t("templates.title"), "/templates", here == .templates, 0),
                (t("outbox.title"), "/ledger", here == .sent, 0),
                (t("harvest.tab"), "/harvests", here == .harvests, 0),
                (t("repeat.title"), "/repetitions", here == .repetitions, 0),
                (t("templates.trash"), trashed, here == .trash || here == .packetTrash, trash),
            ])
    }

    private static func emptyTemplates(_ frame: Frame, _ model: TemplatesPage) -> HTML {
        let t = frame.texts
        if model.showsTrash {
            return Part.empty(
                frame, icon: .trash, title: t("documents.trash.empty"),
                "<p>\(t("documents.trash.empty.text"))</p>")
        }
        return Part.empty(
            frame, icon: .form, title: t("templates.empty"), "<p>\(t("templates.empty.text"))</p>",
            actions: frame.canEdit
                ? Part.link(
                    frame, "/templates/new", t("templates.add"), icon: .plus, css: "button button-main")
                : .empty)
    }

    private static func templateCards(_ frame: Frame, _ model: TemplatesPage) -> HTML {
        let t = frame.texts
        let hidden = model.showsTrash ? [("trash", "1")] : []
        let folders: HTML =
            model.folders.isEmpty || model.showsTrash
            ? .empty
            : """
            <label class="unseen" for="folder">\(t("templates.folder"))</label>\
            <select id="folder" name="folder" class="narrow">\
            <option value="">\(t("templates.folder.all"))</option>\
            \(model.folders.map { folder -> HTML in
                "<option\(attribute: "selected", if: folder == model.folder)>\(folder)</option>"
            })</select>
            """
        let nothing = Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
            "<p>\(t("documents.none.text"))</p>",
            actions: Part.link(frame, "/templates", t("documents.clear")))
        let cards: HTML = "<ul class=\"papers\">\(model.lines.map { templateCard(frame, $0) })</ul>"
        return """
            <soft-page>
            \(Part.search(frame, "/templates", model.filter, label: t("documents.filter"), hidden: hidden, more: folders))
            <div class="stack" data-swap="results">
            <p class="soft small" role="status">\(t("templates.count", ["count": .number(model.matchCount)]))</p>
            \(model.lines.isEmpty ? nothing : cards)
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount) { page in
                "/templates?q=\(queryEncoded(model.filter))&page=\(page)\(model.showsTrash ? "&trash=1" : "")"
                    + (model.folder.map { "&folder=\(queryEncoded($0))" } ?? "")
            })</div></soft-page>
            """
    }

    private static func templateCard(_ frame: Frame, _ line: TemplateLine) -> HTML {
        let t = frame.texts
        let restore: HTML =
            line.trashedAt != nil && frame.canEdit
            ? Form.button(
                frame, "POST", "/templates/\(line.id)/restoration", t("documents.restore"), icon: .restore,
                css: "button button-s", name: t("templates.restore.name", ["name": .text(line.name)]))
            : .empty
        let size = t(
            "templates.size",
            [
                "pages": .text(t("templates.pages", ["count": .number(line.pageCount)])),
                "fields": .text(t("templates.fields", ["count": .number(line.fieldCount)])),
            ])
        return """
            <li class="paper-card"><a href="\(url: "/templates/\(line.id)")">\(Part.thumbnail(line.picture))
            <span class="paper-name" dir="auto">\(line.name)</span><span class="paper-note">\(size)\
            \(line.folder.isEmpty ? HTML.empty : "<br><span dir=\"auto\">\(line.folder)</span>")</span></a>\(restore)</li>
            """
    }
}
