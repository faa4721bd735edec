import Markup
import People
import Work

/// One list: its people in a grid that is changed where it is read.
struct ListPage: Sendable {
    struct Column: Sendable {
        var name: String
        /// What it is used as: `email`, `name`, `firstName`, `lastName`, `key`.
        var role: String?
    }
    struct Source: Sendable {
        var id: String
        var name: String
        var count: Int
        var addedAt: Moment
        var canReplace = true
    }
    struct Audience: Sendable {
        var id: String
        var name: String
        var count: Int
    }
    struct Flaw: Sendable {
        var id: String
        var place: Int
        var sentence: String
        var text: String
    }

    var line: ListLine
    var columns: [Column]
    var people: [PersonLine]
    var filter = ""
    var audience: String?
    var sort: String?
    var isDescending = false
    var page = 1
    var pageCount = 1
    var matchCount: Int
    var sources: [Source] = []
    var audiences: [Audience] = []
    var flaws: [Flaw] = []
    /// "Two columns look like addresses: choose one."
    var notice: String?
    var leftTable: LeftTable?
    var error: String?
    /// Of a smart list; as it was typed where it cannot be asked.
    var question: ContactQuestion?

    /// Who is on a smart list follows from its question.
    func canChange(_ frame: Frame) -> Bool { frame.canEdit && line.question == nil }
}

extension Pages {
    static func list(_ frame: Frame, _ model: ListPage) -> HTML {
        let t = frame.texts
        let path = "/lists/\(model.line.id)"
        let actions: HTML =
            frame.canEdit && model.line.trashedAt == nil
            ? """
            \(Form.form(frame, "POST", "/batches", css: nil, "<input type=\"hidden\" name=\"list\" value=\"\(model.line.id)\"><button class=\"button button-main\">\(frame.icon(.packets))\(t("list.fill"))</button>"))\
            \(model.canChange(frame) ? Part.link(frame, "#add", t("list.add"), icon: .plus) : .empty)
            """ : .empty
        return Shell.page(
            frame, title: model.line.name,
            """
            \(Part.header(
                frame, model.line.name,
                lede: t(
                    model.question == nil ? "people.count" : "smart.count", ["count": .number(model.line.count)]),
                crumbs: [(t("people.title"), "/lists")], actions: actions))
            \(Form.failure(frame, model.error))
            \(model.notice.map { Part.note(frame, .warn, "<p>\($0)</p>") })
            \(model.leftTable.map { leftTable(frame, $0) })
            \(flaws(frame, model, path))\(model.question.map { smartQuestion(frame, $0, model, path) })
            <soft-page class="stack stack-l">
            \(grid(frame, model, path))
            \(model.canChange(frame) ? addPerson(frame, model, path) : .empty)
            \(listManagement(frame, model, path))
            </soft-page>
            """)
    }

    private static func flaws(_ frame: Frame, _ model: ListPage, _ path: String) -> HTML {
        guard !model.flaws.isEmpty else { return .empty }
        let t = frame.texts
        return Part.card(
            t("people.waiting", ["count": .number(model.flaws.count)]), id: "flaws",
            """
            <p class="soft">\(t("list.flaws.text"))</p>
            <ul class="list">\(model.flaws.prefix(50).map { "<li>\(flawItem(frame, $0, path + "/quarantine"))</li>" as HTML })</ul>
            """)
    }

    static func flawItem(_ frame: Frame, _ flaw: ListPage.Flaw, _ path: String) -> HTML {
        let t = frame.texts
        return """
            <div class="item flaw"><span class="item-text"><span class="item-title">\
            \(t("import.line", ["line": .number(flaw.place)]))</span><span class="item-note">\(flaw.sentence)</span></span>
            \(Form.form(
                frame, "PATCH", "\(path)/\(flaw.id)", css: "with-button",
                """
                <label class="unseen" for="flaw-\(flaw.id)">\(t("import.line.text", ["line": .number(flaw.place)]))</label>\
                <input type="text" class="mono" id="flaw-\(flaw.id)" name="text" value="\(flaw.text)" autocomplete="off" spellcheck="false" dir="auto">\
                <button class="button button-s">\(t("import.mend"))</button>
                """))\
            \(Form.button(
                frame, "DELETE", "\(path)/\(flaw.id)", t("import.leaveOut"), css: "button button-s button-quiet",
                name: t("import.leaveOut.name", ["line": .number(flaw.place)])))</div>
            """
    }

    private static func grid(_ frame: Frame, _ model: ListPage, _ path: String) -> HTML {
        let t = frame.texts
        if model.people.isEmpty && model.filter.isEmpty && model.audience == nil {
            guard model.question == nil else {
                return Part.empty(
                    frame, icon: .person, title: t("smart.nobody"), "<p>\(t("smart.nobody.text"))</p>")
            }
            return Part.empty(
                frame, icon: .person, title: t("list.empty"), "<p>\(t("list.empty.text"))</p>",
                actions: model.canChange(frame)
                    ? Part.link(frame, "#add", t("list.add"), icon: .plus) : .empty)
        }
        let audiences: HTML =
            model.audiences.isEmpty
            ? .empty
            : """
            <label class="unseen" for="audience">\(t("list.audience"))</label>\
            <select id="audience" name="audience" class="narrow"><option value="">\(t("list.audience.all"))</option>\
            \(model.audiences.map { audience -> HTML in
                "<option value=\"\(audience.id)\"\(attribute: "selected", if: audience.id == model.audience)>\(audience.name) (\(audience.count))</option>"
            })</select>
            """
        let nobody = Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
            "<p>\(t("list.none.text"))</p>", actions: Part.link(frame, path, t("documents.clear")))
        return """
            <data-table>
            \(Part.search(frame, path, model.filter, label: t("list.search"), more: audiences))
            \(columnFilter(frame, model, path))
            <div class="stack" data-swap="results">
            <p class="soft small" role="status">\(t("people.count", ["count": .number(model.matchCount)]))</p>
            \(model.people.isEmpty ? nobody : gridTable(frame, model, path))
            </div></data-table>
            """
    }

    private static func gridTable(_ frame: Frame, _ model: ListPage, _ path: String) -> HTML {
        let t = frame.texts
        let tickAll: HTML = """
            <th scope="col" class="grid-tick"><label class="tick script-only"><span class="unseen">\(t("documents.selectAll"))</span>\
            <input type="checkbox" data-all></label></th>
            """
        let heads = model.columns.map { column -> HTML in
            let isHere = model.sort == column.name
            let descending = isHere && !model.isDescending
            return """
                <th scope="col"\(attribute: "aria-sort", isHere ? (model.isDescending ? "descending" : "ascending") : nil)>\
                <a href="\(url: "\(path)?sort=\(queryEncoded(column.name))\(descending ? "&order=descending" : "")&q=\(queryEncoded(model.filter))")" data-soft dir="auto">\
                \(column.name)\(isHere ? " <span aria-hidden=\"true\">\(model.isDescending ? "↓" : "↑")</span>" as HTML : .empty)</a>\
                \(column.role.map { "<span class=\"role\">\(t("column.\($0)"))</span>" as HTML })</th>
                """
        }
        let rows = model.people.map { person -> HTML in
            let cells = zip(model.columns, person.cells).enumerated().map { place, pair -> HTML in
                """
                <td data-column="\(pair.0.name)" dir="auto"\(attribute: "class", place == 0 ? "grid-first" : nil)>\(pair.1)</td>
                """
            }
            let open: HTML = """
                <td class="grid-open"><a href="\(url: "\(path)/recipients/\(person.id)")" \
                aria-label="\(t("list.open", ["name": .text(person.name)]))">\(frame.icon(model.canChange(frame) ? .edit : .eye, small: true))</a></td>
                """
            let tick: HTML = """
                <td class="grid-tick"><label class="tick"><span class="unseen">\(t("documents.select", ["name": .text(person.name)]))</span>\
                <input type="checkbox" name="id" value="\(person.id)"></label></td>
                """
            return """
                <tr data-person="\(person.id)"\(attribute: "class", person.flaw == nil ? nil : "is-flawed")>\
                \(model.canChange(frame) ? tick : .empty)\(open)\(cells)</tr>
                """
        }
        return """
            <form method="post" action="\(url: path + "/selection")" id="selection" class="stack">\(Form.csrf(frame))
            <grid-table\(attribute: "action", model.canChange(frame) ? path + "/recipients" : nil)>
            <div class="grid-wrap" tabindex="0" role="region" aria-label="\(model.line.name)"><table class="grid">
            <caption class="unseen">\(model.line.name)</caption>
            <thead><tr>\(model.canChange(frame) ? tickAll : .empty)<th scope="col" class="grid-open"><span class="unseen">\(t("document.open"))</span></th>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
            \(model.canChange(frame) ? "<p class=\"soft small script-only\">\(t("list.keys"))</p>" as HTML : .empty)</grid-table>
            \(model.canChange(frame) ? Part.selectionBar(
                frame, "<button class=\"button button-danger\" name=\"action\" value=\"remove\">\(frame.icon(.trash))\(t("list.remove"))</button>",
                areMany: false) : HTML.empty)
            </form>
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount, soft: true) { page in
                var address = "\(path)?page=\(page)"
                if !model.filter.isEmpty { address += "&q=\(queryEncoded(model.filter))" }
                if let sort = model.sort { address += "&sort=\(queryEncoded(sort))" }
                if model.isDescending { address += "&order=descending" }
                if let audience = model.audience { address += "&audience=\(audience)" }
                return address
            })
            """
    }

    private static func addPerson(_ frame: Frame, _ model: ListPage, _ path: String) -> HTML {
        let t = frame.texts
        guard !model.columns.isEmpty else {
            return Part.card(
                t("list.columns"), id: "add",
                Form.form(
                    frame, "PATCH", path,
                    """
                    \(Form.field(
                        frame,
                        .init(
                            name: "columns", label: t("list.columns.label"), value: t("list.columns.example"),
                            hint: t("list.columns.hint"), autocomplete: "off", isRequired: true)))
                    <div><button class="button button-main">\(t("form.save"))</button></div>
                    """))
        }
        let fields = model.columns.prefix(40).enumerated().map { place, column -> HTML in
            """
            <div class="field"><label for="new-\(place)" dir="auto">\(column.name)</label>\
            <input type="text"\(attribute: "inputmode", column.role == "email" ? "email" : nil) id="new-\(place)" name="cell:\(column.name)" autocomplete="off" dir="auto"></div>
            """
        }
        return Part.card(
            t("list.add"), id: "add",
            aside:
                "<contact-picker columns=\"\(model.columns.map(\.name).joined(separator: "\u{1F}"))\"></contact-picker>",
            Form.form(
                frame, "POST", path + "/recipients",
                """
                <div class="form-grid">\(fields)</div>
                <div><button class="button button-main">\(frame.icon(.plus))\(t("list.add.go"))</button></div>
                """))
    }

    /// What each column is for, and room for more.
    private static func listColumns(_ frame: Frame, _ model: ListPage, _ path: String) -> HTML {
        guard !model.columns.isEmpty else { return .empty }
        let t = frame.texts
        let roles = model.columns.enumerated().map { place, column -> HTML in
            """
            <label><span dir="auto">\(column.name)</span><select name="role-\(place)">\
            \(columnRoles.map { role -> HTML in
                "<option value=\"\(role)\"\(attribute: "selected", if: role == column.role ?? "")>\(t(role.isEmpty ? "column.plain" : "column.\(role)"))</option>"
            })</select></label>
            """
        }
        return Part.card(
            t("import.roles"), id: "columns",
            """
            \(Form.form(
                frame, "PATCH", path,
                """
                <p class="soft small">\(t("import.roles.text"))</p><div class="roles">\(roles)</div>
                <div><button class="button">\(t("form.save"))</button></div>
                """))
            \(Form.form(
                frame, "PATCH", path, css: "with-button",
                """
                <div class="field"><label for="f-columns">\(t("list.columns.more"))</label>\
                <input type="text" id="f-columns" name="columns" required maxlength="2000" autocomplete="off" dir="auto"></div>\
                <button class="button align-end">\(frame.icon(.plus))\(t("list.add.go"))</button>
                """))
            """)
    }

    private static func listManagement(_ frame: Frame, _ model: ListPage, _ path: String) -> HTML {
        guard frame.canEdit else { return .empty }
        let t = frame.texts
        if model.line.trashedAt != nil {
            return Form.button(
                frame, "POST", path + "/restoration", t("documents.restore"), icon: .restore)
        }
        let sources = Part.list(
            model.sources.map { source -> HTML in
                """
                <div class="item">\(frame.icon(.document))<span class="item-text"><span class="item-title" dir="auto">\(source.name)</span>\
                <span class="item-note">\(t("people.count", ["count": .number(source.count)])) · \(Part.time(source.addedAt))</span></span>\
                \(Form.button(
                    frame, "DELETE", "\(path)/sources/\(source.id)", t("list.source.remove"), css: "button button-s",
                    confirm: t("list.source.confirm", ["name": .text(source.name), "count": .number(source.count)]),
                    name: t("list.source.remove.name", ["name": .text(source.name)])))</div>
                """
            })
        let saveAudience: HTML =
            model.filter.isEmpty
            ? "<p class=\"soft\">\(t("list.audience.hint"))</p>"
            : Form.form(
                frame, "POST", path + "/audiences", css: "with-button",
                """
                <input type="hidden" name="q" value="\(model.filter)"><div class="field"><label for="f-audience">\
                \(t("list.audience.save", ["filter": .text(model.filter)]))</label>\
                <input type="text" id="f-audience" name="name" required maxlength="100" autocomplete="off"></div>\
                <button class="button align-end">\(t("form.save"))</button>
                """)
        let audiences: HTML =
            model.audiences.isEmpty
            ? .empty
            : Part.list(
                model.audiences.map { audience -> HTML in
                    """
                    <div class="item"><span class="item-text"><a class="item-title item-link" href="\(url: "\(path)?audience=\(audience.id)")" dir="auto">\(audience.name)</a>\
                    <span class="item-note">\(t("people.count", ["count": .number(audience.count)]))</span></span>\
                    \(Form.button(
                    frame, "DELETE", "\(path)/audiences/\(audience.id)", t("form.remove"), css: "button button-s button-quiet",
                    name: t("members.remove.name", ["name": .text(audience.name)])))</div>
                    """
                })
        let name = Form.field(
            frame,
            .init(
                name: "name", label: t("documents.name"), value: model.line.name, autocomplete: "off",
                isRequired: true, maximumLength: 200))
        let manage = Part.card(
            t("document.manage"),
            """
            \(Form.form(frame, "PATCH", path, "\(name)<div><button class=\"button\">\(frame.icon(.edit))\(t("document.rename"))</button></div>"))
            <hr>\(Form.button(frame, "DELETE", path, t("documents.toTrash"), icon: .trash, css: "button button-danger"))
            """)
        guard model.question == nil else {
            return """
                <div class="columns columns-even">\(Part.card(t("list.audience"), "<div class=\"stack\" data-swap=\"groups\">\(audiences)\(saveAudience)</div>"))
                \(manage)</div>
                """
        }
        return """
            <div class="columns"><div class="stack">\(Part.card(
                t("list.sources"), id: "sources",
                """
                \(sources)
                \(Part.fileZone(
                    frame, action: path + "/imports", label: t("list.import"), hint: t("list.import.hint"), accept: tableKinds,
                    many: false, id: "import-file"))
                """))\(listColumns(frame, model, path))</div>
            <div class="stack">\(Part.card(t("list.audience"), "<div class=\"stack\" data-swap=\"groups\">\(audiences)\(saveAudience)</div>"))
            \(manage)</div></div>
            """
    }
}
