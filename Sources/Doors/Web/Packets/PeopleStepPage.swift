import Markup

/// Step two: for whom.
struct PeopleStepPage: Sendable {
    var batch: BatchLine
    var lists: [ListLine]
    var chosenList: String?
    var audiences: [ListPage.Audience] = []
    var chosenAudience: String?
    var error: String?
}

extension Pages {
    static func peopleStep(_ frame: Frame, _ model: PeopleStepPage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        let lists = model.lists.map { line -> HTML in
            """
            <label class="item choice-item"><input type="radio" name="list" value="\(line.id)"\(attribute: "checked", if: line.id == model.chosenList)>\
            <span class="item-text"><span class="item-title" dir="auto">\(line.name)</span>\
            <span class="item-note">\(t("people.count", ["count": .number(line.count)]))\
            \(line.columns.isEmpty ? HTML.empty : " · <span dir=\"auto\">\(line.columns.prefix(5).joined(separator: ", "))</span>")</span></span></label>
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
        let choose: HTML =
            model.lists.isEmpty
            ? .empty
            : Form.form(
                frame, "PATCH", path, css: "stack",
                """
                <input type="hidden" name="then" value="mapping">
                <fieldset class="card card-flush"><legend class="unseen">\(t("people.lists"))</legend>\(Part.list(lists))</fieldset>
                \(audience)
                <div class="action-bar"><span class="soft small" data-kept>\(t("packets.kept"))</span><span class="push"></span>\
                <button class="button button-main button-forward">\(frame.icon(.next))\(t("packets.next", ["step": .text(t("step.match"))]))</button></div>
                """)
        return stepPage(
            frame, model.batch, .people,
            """
            \(Form.failure(frame, model.error))
            <div class="columns"><div class="stack stack-l">
            \(model.lists.isEmpty ? waysIn(frame, batch: model.batch.id) : choose)</div>
            \(model.lists.isEmpty
                ? HTML.empty
                : "<div class=\"stack\"><h2>\(t("people.step.new"))</h2>\(waysIn(frame, batch: model.batch.id))</div>")</div>
            """)
    }
}
