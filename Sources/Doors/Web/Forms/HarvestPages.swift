import Markup
import Work

/// Where filled forms come in that came back.
struct HarvestsPage: Sendable {
    struct Line: Sendable {
        var id: String
        /// What they were compared with.
        var batch: String?
        var formCount: Int
        var at: Moment
        var madeBy: String
    }

    var lines: [Line] = []
    /// What they can be compared with, the newest first.
    var batches: [(id: String, name: String)] = []
    var chosen = ""
    /// Only what came back to this one, as a part of it.
    var part: BatchLine?
    var error: String?
    /// What came back by links, filled in there.
    var replies: [ReplyLine] = []
}

/// What was in them, side by side, and whose they are.
struct HarvestPage: Sendable {
    struct Row: Sendable {
        var file: String
        /// Whose it is; nil when it was compared with nothing.
        var match: Match?
        var cells: [String]
    }

    struct Match: Sendable {
        var packet: String?
        var name: String
        /// `name`, `texts`, `unclear` or `unknown`.
        var how: String
        var changed: [(field: String, sent: String, returned: String)]
        var added: [String]
    }

    var id: String
    var batch: (id: String, name: String)?
    var names: [String]
    /// The first of them.
    var rows: [Row]
    var formCount: Int
    var found = 0
    var problems: [(file: String, message: String)] = []
    var at: Moment
}

extension Pages {
    static func harvests(_ frame: Frame, _ model: HarvestsPage) -> HTML {
        let t = frame.texts
        let options = [("", t("harvest.against.nothing"))] + model.batches.map { ($0.id, $0.name) }
        let taking: HTML =
            frame.canEdit
            ? Part.card(
                t("harvest.take"),
                """
                <form class="stack" method="post" action="/harvests" enctype="multipart/form-data">\(Form.csrf(frame))
                \(model.part.map { "<input type=\"hidden\" name=\"batch\" value=\"\($0.id)\">" as HTML }
                    ?? Form.select(
                        frame, name: "batch", label: t("harvest.against"), options: options, chosen: model.chosen,
                        hint: t("harvest.against.hint")))
                <div class="field file-field"><label for="f-file">\(t("harvest.files"))</label>\
                <input id="f-file" type="file" name="file" multiple required accept=".pdf,.fdf,.xfdf,.json"\
                \(attribute: "aria-invalid", model.error == nil ? nil : "true")\
                aria-describedby="\(model.error == nil ? "" : "f-file-error ")f-file-hint">
                \(Form.error(frame, "f-file", model.error))<p class="field-hint" id="f-file-hint">\(t("harvest.files.hint"))</p></div>
                \(Form.field(
                    frame,
                    .init(
                        name: "password", label: t("form.password"), type: "password",
                        hint: t("harvest.password.hint"), autocomplete: "off", optionalNote: t("form.optional"))))
                <div class="row"><button class="button button-main">\(frame.icon(.upload))\(t("harvest.do"))</button></div></form>
                """) : .empty
        let items = model.lines.map { line -> HTML in
            let compared: HTML? = line.batch.map { " · <span dir=\"auto\">\($0)</span>" }
            return """
                <div class="item">\(frame.icon(.form))<span class="item-text"><a class="item-title item-link" href="\(url: "/harvests/\(line.id)")">\
                \(t("harvest.forms", ["count": .number(line.formCount)]))</a>\
                <span class="item-note">\(Part.time(line.at)) · \(frame.texts.said(line.madeBy))\(compared)</span></span></div>
                """
        }
        let list: HTML =
            items.isEmpty
            ? Part.empty(
                frame, icon: .form, title: t("harvest.empty"), "<p>\(t("harvest.empty.text"))</p>")
            : "<section class=\"card card-flush\"><div class=\"card-head\"><h2>\(t("harvest.recent"))</h2></div>\(Part.list(items))</section>"
        let byLink: HTML =
            model.replies.isEmpty
            ? .empty
            : "<section class=\"card card-flush\">\(replies(frame, model.replies, of: model.part?.id, level: "h2"))</section>"
        if let batch = model.part {
            return givingStep(
                frame, batch, .replies,
                "\(byLink)\(taking)\(items.isEmpty && !model.replies.isEmpty ? .empty : list)")
        }
        return Shell.page(
            frame, title: t("harvest.title"),
            """
            \(Part.header(frame, t("harvest.title"), lede: t("harvest.lede")))
            \(packetTabs(frame, .harvests))\(taking)\(list)
            """)
    }

    static func harvest(_ frame: Frame, _ model: HarvestPage) -> HTML {
        let t = frame.texts
        let count = t("harvest.forms", ["count": .number(model.formCount)])
        var lede = count
        if let batch = model.batch {
            lede = t(
                "harvest.found",
                [
                    "found": .number(model.found), "total": .number(model.formCount),
                    "batch": .text(batch.name),
                ])
        }
        var actions: HTML = .empty
        if frame.canEdit {
            if model.batch != nil, model.found > 0 {
                actions += Form.button(
                    frame, "POST", "/harvests/\(model.id)/marks",
                    t("harvest.mark", ["count": .number(model.found)]), icon: .check,
                    css: "button button-main")
            }
            actions += Form.button(
                frame, "DELETE", "/harvests/\(model.id)", t("harvest.remove"), icon: .trash,
                css: "button button-quiet", confirm: t("harvest.remove.confirm"))
        }
        return Shell.page(
            frame, title: t("harvest.title"),
            """
            \(Part.header(
                frame, t("harvest.title"), lede: lede,
                crumbs: [(t("packets.title"), "/batches"), (t("harvest.title"), "/harvests")], actions: actions))
            \(harvestProblems(frame, model))\(harvestTable(frame, model))\(harvestChanges(frame, model))
            <p class="soft small">\(t("harvest.kept"))</p>
            """)
    }

    private static func harvestProblems(_ frame: Frame, _ model: HarvestPage) -> HTML {
        guard !model.problems.isEmpty else { return .empty }
        let items = model.problems.map { problem -> HTML in
            "<li><span dir=\"auto\">\(problem.file)</span>: \(problem.message)</li>"
        }
        return Part.note(
            frame, .warn,
            """
            <p>\(frame.texts("harvest.problems", ["count": .number(model.problems.count)]))</p><ul class="small">\(items)</ul>
            """, role: "status")
    }

    private static func harvestTable(_ frame: Frame, _ model: HarvestPage) -> HTML {
        let t = frame.texts
        guard !model.rows.isEmpty else {
            return Part.empty(
                frame, icon: .form, title: t("harvest.none"), "<p>\(t("harvest.none.text"))</p>",
                actions: Part.link(frame, "/harvests", t("harvest.again"), icon: .again))
        }
        let isCompared = model.batch != nil
        let rows = model.rows.map { row -> HTML in
            let whose: HTML = isCompared ? "<td>\(harvestMatch(frame, row.match))</td>" : .empty
            return """
                <tr><th scope="row" dir="auto">\(row.file)</th>\(whose)\(row.cells.map { "<td dir=\"auto\">\($0)</td>" as HTML })</tr>
                """
        }
        let whose: HTML = isCompared ? "<th scope=\"col\">\(t("harvest.whose"))</th>" : .empty
        let links = [("csv", "CSV"), ("xlsx", "Excel"), ("json", "JSON"), ("fdf", "FDF"), ("xfdf", "XFDF")]
            .map {
                form, name -> HTML in
                """
                <a class="button button-s" href="\(url: "/harvests/\(model.id)/file?form=\(form)")" download>\(frame.icon(.download))\(name)</a>
                """
            }
        let more: HTML? =
            model.rows.count < model.formCount
            ? "<p class=\"soft small\">\(t("harvest.more", ["count": .number(model.formCount - model.rows.count)]))</p>"
            : nil
        return """
            <section class="card"><div class="card-head"><h2>\(t("harvest.table"))</h2></div>
            <div class="plain-table word-table" tabindex="0" role="region" aria-label="\(t("harvest.table"))"><table>\
            <caption class="unseen">\(t("harvest.table"))</caption><thead><tr><th scope="col">\(t("harvest.file"))</th>\(whose)\
            \(model.names.map { "<th scope=\"col\" dir=\"auto\">\($0)</th>" as HTML })</tr></thead><tbody>\(rows)</tbody></table></div>
            \(more)<div class="row"><span class="soft small">\(t("ledger.export"))</span>\(links)</div></section>
            """
    }

    private static func harvestMatch(_ frame: Frame, _ match: HarvestPage.Match?) -> HTML {
        let t = frame.texts
        guard let match, let packet = match.packet else {
            return Part.chip(
                frame, t(match?.how == "unclear" ? "harvest.unclear" : "harvest.unknown"), .warn,
                icon: .warning)
        }
        return "<a href=\"\(url: "/packets/\(packet)/delivery")\" dir=\"auto\">\(match.name)</a>"
    }

    /// What came back otherwise than it was sent.
    private static func harvestChanges(_ frame: Frame, _ model: HarvestPage) -> HTML {
        let t = frame.texts
        guard model.batch != nil else { return .empty }
        let items = model.rows.compactMap { row -> HTML? in
            guard let match = row.match, match.packet != nil, !(match.changed.isEmpty && match.added.isEmpty)
            else { return nil }
            let changed = match.changed.map { change -> HTML in
                """
                <span class="item-note"><span dir="auto">\(change.field)</span>: <del dir="auto">\(change.sent)</del> → \
                <ins dir="auto">\(change.returned.isEmpty ? "–" : change.returned)</ins></span>
                """
            }
            let added: HTML? =
                match.added.isEmpty
                ? nil
                : "<span class=\"item-note\">\(t("harvest.added", ["fields": .text(match.added.joined(separator: ", "))]))</span>"
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(match.name)</span>\(changed)\(added)</span></div>
                """
        }
        guard !items.isEmpty else {
            return model.found > 0 ? Part.note(frame, .good, "<p>\(t("harvest.same"))</p>") : .empty
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("harvest.changes"))</h2></div>\(Part.list(items))</section>
            """
    }
}
