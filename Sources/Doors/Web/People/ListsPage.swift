import Markup

/// The lists of people that packets are made for.
struct ListsPage: Sendable {
    var lines: [ListLine]
    var filter = ""
    var totalCount: Int
    var showsTrash = false
    var trashCount = 0
}

extension Pages {
    enum PeopleTab { case lists, contacts, cards, trash }

    static func peopleTabs(_ frame: Frame, _ here: PeopleTab, trash: Int = 0) -> HTML {
        let t = frame.texts
        return Part.tabs(
            frame, t("people.views"),
            [
                (t("people.lists"), "/lists", here == .lists, 0),
                (t("people.contacts"), "/contacts", here == .contacts, 0),
                (t("cards.mine"), "/cards", here == .cards, 0),
                (t("templates.trash"), "/lists?trash=1", here == .trash, trash),
            ])
    }

    static func lists(_ frame: Frame, _ model: ListsPage) -> HTML {
        let t = frame.texts
        let add: HTML =
            frame.canEdit && !model.showsTrash
            ? Part.link(frame, "/lists/new", t("people.add"), icon: .plus, css: "button button-main") : .empty
        return Shell.page(
            frame, title: t("people.title"),
            """
            \(Part.header(frame, t("people.title"), lede: t("people.lede"), actions: add))
            \(peopleTabs(frame, model.showsTrash ? .trash : .lists, trash: model.trashCount))
            \(model.totalCount == 0 && model.filter.isEmpty ? noLists(frame, model) : listItems(frame, model))
            """)
    }

    private static func noLists(_ frame: Frame, _ model: ListsPage) -> HTML {
        let t = frame.texts
        if model.showsTrash {
            return Part.empty(
                frame, icon: .trash, title: t("documents.trash.empty"),
                "<p>\(t("documents.trash.empty.text"))</p>")
        }
        return Part.empty(
            frame, icon: .people, title: t("people.empty"), "<p>\(t("people.empty.text"))</p>",
            actions: frame.canEdit
                ? Part.link(frame, "/lists/new", t("people.add"), icon: .plus, css: "button button-main")
                : .empty)
    }

    private static func listItems(_ frame: Frame, _ model: ListsPage) -> HTML {
        let t = frame.texts
        let nothing = Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
            "<p>\(t("documents.none.text"))</p>",
            actions: Part.link(frame, "/lists", t("documents.clear")))
        let items = Part.list(
            model.lines.map { line -> HTML in
                let waiting: HTML =
                    line.quarantined > 0
                    ? Part.chip(
                        frame, t("people.waiting", ["count": .number(line.quarantined)]), .warn,
                        icon: .warning)
                    : .empty
                let restore: HTML =
                    line.trashedAt != nil && frame.canEdit
                    ? Form.button(
                        frame, "POST", "/lists/\(line.id)/restoration", t("documents.restore"),
                        icon: .restore, css: "button button-s",
                        name: t("templates.restore.name", ["name": .text(line.name)])) : .empty
                let columns =
                    line.columns.prefix(6).joined(separator: ", ") + (line.columns.count > 6 ? "…" : "")
                return """
                    <div class="item">\(frame.icon(line.question == nil ? .people : .search))<span class="item-text">\
                    <a class="item-title item-link" href="\(url: "/lists/\(line.id)")" dir="auto">\(line.name)</a>\
                    <span class="item-note">\(line.question.map { smartNote(frame, $0, count: line.count) } ?? """
                    \(t("people.count", ["count": .number(line.count)])) · \(Part.time(line.changedAt))\
                    \(columns.isEmpty ? HTML.empty : " · <span dir=\"auto\">\(columns)</span>")
                    """ as HTML)</span></span>\(waiting)\(restore)</div>
                    """
            })
        return """
            <soft-page>\(Part.search(
                frame, "/lists", model.filter, label: t("documents.filter"), hidden: model.showsTrash ? [("trash", "1")] : []))
            <div class="stack" data-swap="results">\(model.lines.isEmpty
                ? nothing : "<section class=\"card card-flush\" aria-label=\"\(t("people.lists"))\">\(items)</section>")</div></soft-page>
            """
    }
}

/// The ways people come in: a table, a block pasted from one, cards, or typing.
struct NewListPage: Sendable {
    var pasted = ""
    /// What a database was asked.
    var database = ""
    var query = ""
    var error: String?
    /// The packet that waits for these people.
    var batch: String?
}

extension Pages {
    static func newList(_ frame: Frame, _ model: NewListPage) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("people.add"), narrow: true,
            """
            \(Part.header(
                frame, t("people.add"), lede: t("people.add.lede"), crumbs: [(t("people.title"), "/lists")]))
            \(Form.failure(frame, model.error))
            \(waysIn(
                frame, batch: model.batch, pasted: model.pasted, database: model.database, query: model.query))
            """)
    }

    static let tableKinds =
        ".csv,.tsv,.txt,.tab,.xlsx,.ods,.json,.ndjson,.jsonl,.vcf,text/csv,text/tab-separated-values,text/vcard"

    static func waysIn(
        _ frame: Frame, batch: String?, pasted: String = "", database: String = "", query: String = ""
    ) -> HTML {
        let t = frame.texts
        let hidden = batch.map { [("batch", $0)] } ?? []
        let forward: HTML =
            batch.map { "<input type=\"hidden\" name=\"batch\" value=\"\($0)\">" } ?? .empty
        return """
            \(Part.fileZone(
                frame, action: "/lists", label: t("people.drop"), hint: t("people.drop.hint"), accept: tableKinds, many: false,
                hidden: hidden, id: "table-file"))
            <section class="card"><details class="more"\(attribute: "open", if: !pasted.isEmpty)>\
            <summary>\(frame.icon(.copy))\(t("people.paste"))</summary>\(Form.form(
                frame, "POST", "/lists",
                """
                \(forward)\(Form.field(
                    frame,
                    .init(
                        name: "block", label: t("people.paste.label"), value: pasted, hint: t("people.paste.hint"),
                        autocomplete: "off", isRequired: true, rows: 6)))
                <div><button class="button button-main">\(t("people.paste.go"))</button></div>
                """))</details>
            <hr>
            \(frame.isOwner ? askDatabase(frame, forward, database, query) : .empty)
            \(Form.form(
                frame, "POST", "/lists", css: "with-button",
                """
                \(forward)<div class="field"><label for="f-list-name">\(t("people.type"))</label>\
                <input type="text" id="f-list-name" name="name" required maxlength="200" autocomplete="off" \
                placeholder="\(t("people.type.example"))"></div>
                <button class="button align-end">\(frame.icon(.plus))\(t("people.type.go"))</button>
                """))</section>
            """
    }

    /// It reaches beyond the desk, so only owners may.
    private static func askDatabase(
        _ frame: Frame, _ forward: HTML, _ database: String, _ query: String
    ) -> HTML {
        let t = frame.texts
        return """
            <details class="more"\(attribute: "open", if: !query.isEmpty)><summary>\(frame.icon(.search))\(t("people.query"))</summary>\(Form.form(
                frame, "POST", "/lists",
                """
                <p class="soft small">\(t("people.query.text"))</p>\(forward)
                \(Form.field(
                    frame,
                    .init(
                        name: "database", label: t("people.query.database"), value: database,
                        hint: t("people.query.database.hint"), autocomplete: "off", isRequired: true)))
                \(Form.field(
                    frame,
                    .init(
                        name: "query", label: t("people.query.question"), value: query, autocomplete: "off",
                        isRequired: true, rows: 4, placeholder: "SELECT name, email FROM member")))
                <div><button class="button button-main">\(t("people.query.go"))</button></div>
                """))</details>
            <hr>
            """
    }
}
