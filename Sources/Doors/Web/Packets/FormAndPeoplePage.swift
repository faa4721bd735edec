import Markup

/// Step one: which papers make the packet, in which order, and for whom.
struct FormAndPeoplePage: Sendable {
    struct Paper: Sendable {
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
    var papers: [Paper]
    var templates: [TemplateLine] = []
    var documents: [DocumentLine] = []
    var lists: [ListLine] = []
    var leftTables: [LeftTable] = []
    var chosenList: String?
    var audiences: [ListPage.Audience] = []
    var chosenAudience: String?
    /// Where not everybody is ticked.
    var tickedCount: Int?
    /// What was made stays as it was made.
    var isBegun = false
}

extension Pages {
    static func formAndPeople(_ frame: Frame, _ model: FormAndPeoplePage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        guard !model.isBegun, frame.canEdit else { return chosen(frame, model) }
        let papers = Part.list(model.papers.map { paper(frame, $0, of: model.papers.count, path) })
        let name = Form.form(
            frame, "PATCH", path, css: "with-button",
            """
            <input type="hidden" name="then" value="people"><div class="field"><label for="f-name">\(t("batch.name"))</label>\
            <input type="text" id="f-name" name="name" value="\(model.batch.name)" required maxlength="200" autocomplete="off" dir="auto"></div>\
            <button class="button align-end">\(t("form.save"))</button>
            """)
        return stepPage(
            frame, model.batch, .people,
            """
            <soft-page><div class="columns columns-even">
            <div class="stack"><h2>\(t("papers.chosen"))</h2>
            <div class="stack" data-swap="papers">
            \(model.papers.isEmpty
                ? Part.empty(frame, icon: .form, title: t("papers.none"), "<p>\(t("papers.none.text"))</p>")
                : "<section class=\"card card-flush\" aria-label=\"\(t("papers.chosen"))\">\(papers)</section>")</div>
            <details class="more"\(attribute: "open", if: model.papers.isEmpty)><summary>\(t("papers.more"))</summary>\
            <div class="stack">\(addPaper(frame, model, path))</div></details>
            <details class="more"><summary>\(t("batch.name"))</summary>\(name)</details></div>
            <div class="stack"><h2>\(t("people.step.whom"))</h2>
            \(model.leftTables.map { leftTable(frame, $0) })
            \(model.lists.isEmpty ? waysIn(frame, batch: model.batch.id) : chooseList(frame, model, path))
            \(model.lists.isEmpty
                ? HTML.empty
                : """
                <details class="more"><summary>\(t("people.step.new"))</summary><div class="stack">\
                \(waysIn(frame, batch: model.batch.id))</div></details>
                """)</div></div>
            \(goOn(frame, model))</soft-page>
            """)
    }

    /// What cannot be changed any more is told, with the way to do it again.
    private static func chosen(_ frame: Frame, _ model: FormAndPeoplePage) -> HTML {
        let t = frame.texts
        let papers = Part.list(
            model.papers.map { paper -> HTML in
                "<div class=\"item\">\(mark(frame, paper))\(words(paper))</div>"
            })
        return stepPage(
            frame, model.batch, .people,
            actions: model.isBegun && frame.canEdit
                ? sendAgain(frame, model.batch, css: "button button-main") : .empty,
            """
            \(model.isBegun ? Part.note(frame, .plain, "<p>\(t("batch.begun"))</p>") : .empty)<div class="columns columns-even">\(Part.card(t("papers.chosen"), papers))
            \(Part.card(
                t("people.step.whom"),
                """
                <p><strong dir="auto">\(model.batch.list)</strong></p>\
                <p class="soft">\(t("people.count", ["count": .number(model.batch.recipientCount)]))</p>
                """))</div>
            """)
    }

    // MARK: The papers

    private static func mark(_ frame: Frame, _ paper: FormAndPeoplePage.Paper) -> HTML {
        paper.kind == .template
            ? Part.thumbnail(paper.picture) : frame.icon(paper.kind == .document ? .document : .link)
    }

    private static func words(_ paper: FormAndPeoplePage.Paper) -> HTML {
        """
        <span class="item-text"><span class="item-title" dir="auto">\(paper.number). \(paper.name)</span>\
        <span class="item-note">\(paper.note)</span></span>
        """
    }

    private static func paper(
        _ frame: Frame, _ paper: FormAndPeoplePage.Paper, of count: Int, _ path: String
    ) -> HTML {
        let t = frame.texts
        let address = "\(path)/parts/\(paper.number)"
        func move(_ by: Int, _ icon: Icon, _ label: String) -> HTML {
            guard (1...count).contains(paper.number + by) else { return .empty }
            return Form.form(
                frame, "PATCH", address, css: nil, soft: true,
                """
                <input type="hidden" name="place" value="\(paper.number + by)"><button class="button button-icon button-quiet" \
                aria-label="\(label)">\(frame.icon(icon))</button>
                """)
        }
        let condition = Form.form(
            frame, "PATCH", address, soft: true, keeps: .all,
            """
            <div class="field"><label for="when-\(paper.number)">\(t("papers.when"))</label>
            <input type="text" class="mono" id="when-\(paper.number)" name="condition" value="\(paper.condition)" autocomplete="off" spellcheck="false" \
            placeholder="\(t("papers.when.example"))"\(attribute: "aria-invalid", paper.conditionError == nil ? nil : "true")>\
            \(Form.error(frame, "when-\(paper.number)", paper.conditionError))<p class="field-hint">\(t("papers.when.hint"))</p></div>
            <div><button class="button">\(t("form.save"))</button></div>
            """)
        return """
            <div class="item">\(mark(frame, paper))\(words(paper))\
            <div class="row">\(move(-1, .up, t("papers.up", ["name": .text(paper.name)])))\(move(1, .down, t("papers.down", ["name": .text(paper.name)])))\
            \(Form.button(frame, "DELETE", address, "", icon: .close, css: "button button-icon button-quiet", name: t("members.remove.name", ["name": .text(paper.name)])))</div>
            <details class="more item-more"\(attribute: "open", if: !paper.condition.isEmpty || paper.conditionError != nil)>\
            <summary>\(paper.condition.isEmpty ? t("papers.everyone") : t("papers.when"))</summary>\(condition)</details></div>
            """
    }

    private static func addPaper(_ frame: Frame, _ model: FormAndPeoplePage, _ path: String) -> HTML {
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
        return """
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
            """
    }

    // MARK: The people

    private static func chooseList(_ frame: Frame, _ model: FormAndPeoplePage, _ path: String) -> HTML {
        let t = frame.texts
        let lists = model.lists.map { line -> HTML in
            """
            <label class="item choice-item"><input type="radio" name="list" value="\(line.id)" required\(attribute: "checked", if: line.id == model.chosenList)>\
            <span class="item-text"><span class="item-title" dir="auto">\(line.name)</span>\
            <span class="item-note">\(line.question.map { smartNote(frame, $0, count: line.count) } ?? """
            \(t("people.count", ["count": .number(line.count)]))\
            \(line.columns.isEmpty ? HTML.empty : " · <span dir=\"auto\">\(line.columns.prefix(5).joined(separator: ", "))</span>")
            """ as HTML)</span></span></label>
            """
        }
        let audience: HTML =
            model.audiences.isEmpty
            ? .empty
            : Form.select(
                frame, name: "audience", label: t("list.audience"),
                options: [("", t("list.audience.all"))]
                    + model.audiences.map { ($0.id, "\($0.name) (\($0.count))") },
                chosen: model.chosenAudience ?? "")
        return Form.form(
            frame, "PATCH", path, css: "stack", id: "whom",
            """
            <input type="hidden" name="then" value="mapping">
            <fieldset class="card card-flush"><legend class="unseen">\(t("people.lists"))</legend>\(Part.list(lists))</fieldset>
            \(audience)
            <div class="row"><button class="button" name="choose" value="yes">\(frame.icon(.check))\(t("whom.open"))</button>\
            \(model.tickedCount.map { "<span class=\"soft\">\(t("whom.ticked", ["count": .number($0)]))</span>" as HTML })</div>
            """)
    }

    private static func goOn(_ frame: Frame, _ model: FormAndPeoplePage) -> HTML {
        guard !model.lists.isEmpty else { return .empty }
        let t = frame.texts
        let button: HTML =
            model.papers.isEmpty
            ? "<span class=\"soft\">\(t("papers.none"))</span>"
            : """
            <button class="button button-main button-forward" id="on" form="whom">\(frame.icon(.next))\
            \(t("packets.next", ["step": .text(t("step.match"))]))</button>
            """
        return """
            <div class="action-bar"><span class="soft small" data-kept>\(t("packets.kept"))</span><span class="push"></span>\
            <span class="ready" data-swap="ready">\(button)</span></div>
            """
    }
}
