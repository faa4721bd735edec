import Markup

/// Who of a list gets papers: ticked one by one, found by words, all and none at one press.
struct ChoosePeoplePage: Sendable {
    struct Person: Sendable {
        var line: PersonLine
        var isTicked: Bool
    }

    var batch: BatchLine
    var people: [Person]
    var filter = ""
    var page = 1
    var pageCount = 1
    /// Who the search finds, of those the list or its group has; and who of all these is ticked.
    var matchCount: Int
    var totalCount: Int
    var tickedCount: Int
    /// How many may be at once.
    var limit: Int?
}

extension Pages {
    static func choosePeople(_ frame: Frame, _ model: ChoosePeoplePage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)/whom"
        return stepPage(
            frame, model.batch, .people, part: "whom",
            actions: Part.link(frame, "/batches/\(model.batch.id)/people", t("whom.back"), icon: .previous),
            """
            <soft-page class="stack">\(Part.search(frame, path, model.filter, label: t("whom.search")))
            <div class="stack" data-swap="results">\(ticks(frame, model, path))
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount, soft: true) { address(path, model.filter, $0) })</div>
            \(onward(frame, model))</soft-page>
            """)
    }

    private static func address(_ path: String, _ filter: String, _ page: Int) -> String {
        "\(path)?q=\(queryEncoded(filter))&page=\(page)"
    }

    /// Without scripts the button below keeps what is ticked on this page; with them each tick is kept as it is set.
    private static func ticks(_ frame: Frame, _ model: ChoosePeoplePage, _ path: String) -> HTML {
        let t = frame.texts
        let count = t(
            "whom.count", ["count": .number(model.tickedCount), "total": .number(model.totalCount)])
        guard !model.people.isEmpty else {
            return Part.empty(
                frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
                "<p role=\"status\">\(count)</p>", actions: Part.link(frame, path, t("documents.clear")))
        }
        let people = model.people.map { person -> HTML in
            let line = person.line
            let facts =
                [line.email]
                + line.cells.filter { !$0.isEmpty && $0 != line.name && $0 != line.email }.prefix(4)
            return """
                <label class="item choice-item"><input type="checkbox" name="people" value="\(line.id)"\(attribute: "checked", if: person.isTicked)>\
                <span class="item-text"><span class="item-title" dir="auto">\(line.name)</span>\
                <span class="item-note" dir="auto">\(facts.filter { !$0.isEmpty }.joined(separator: " · "))</span></span></label>\
                <input type="hidden" name="shown" value="\(line.id)">
                """
        }
        func all(_ ticks: String, _ label: String) -> HTML {
            Form.form(
                frame, "PATCH", address(path, model.filter, model.page), css: nil, soft: true,
                "<input type=\"hidden\" name=\"found\" value=\"\(ticks)\"><button class=\"button button-s\">\(label)</button>"
            )
        }
        let isSearch = !model.filter.isEmpty
        let found: [String: Catalog.Argument] = ["count": .number(model.matchCount)]
        return """
            <div class="row"><strong role="status">\(count)</strong><span class="push"></span>\
            \(all("yes", isSearch ? t("whom.tickFound", found) : t("whom.tickAll")))\
            \(all("no", isSearch ? t("whom.untickFound", found) : t("whom.untickAll")))</div>
            \(overLimit(frame, model))
            \(Form.form(
                frame, "PATCH", address(path, model.filter, model.page), soft: true, live: true,
                """
                <fieldset class="card card-flush"><legend class="unseen">\(t("people.step.whom"))</legend>\(Part.list(people))</fieldset>\
                <noscript><button class="button">\(t("form.save"))</button></noscript>
                """))
            """
    }

    private static func overLimit(_ frame: Frame, _ model: ChoosePeoplePage) -> HTML {
        guard let limit = model.limit else { return .empty }
        return Part.note(
            frame, model.tickedCount > limit ? .warn : .plain,
            "<p>\(frame.texts("whom.limit", ["count": .number(limit)]))</p>")
    }

    private static func onward(_ frame: Frame, _ model: ChoosePeoplePage) -> HTML {
        let t = frame.texts
        let isTooMany = model.limit.map { model.tickedCount > $0 } ?? false
        let way: HTML =
            model.tickedCount == 0 || isTooMany
            ? "<span class=\"soft\">\(t(isTooMany ? "whom.tooMany" : "whom.nobody"))</span>"
            : Part.link(
                frame, model.batch.address(of: .match), t("packets.next", ["step": .text(t("step.match"))]),
                icon: .next, css: "button button-main button-forward")
        return """
            <div class="action-bar"><span class="soft small" data-kept>\(t("packets.kept"))</span><span class="push"></span>\
            <span class="ready" data-swap="ready">\(way)</span></div>
            """
    }
}
