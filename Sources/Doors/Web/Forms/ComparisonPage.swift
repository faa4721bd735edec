import Markup

/// What a new edition of a form changed, field by field, and how each mapping came along.
struct ComparisonPage: Sendable {
    struct Change: Sendable {
        enum Kind: String, Sendable, CaseIterable { case renamed, moved, changed, added, gone, unsure }

        var kind: Kind
        var before: String
        var after: String
        /// In hundredths.
        var confidence: Int?
        /// Why the two are taken for the same field, or are not.
        var reason: String
    }

    struct Moved: Sendable {
        var mapping: String
        var kept: Int
        var lost: [String]
    }

    var line: TemplateLine
    var before: Int
    var after: Int
    var sameCount: Int
    var changes: [Change]
    var mappings: [Moved] = []
}

extension Pages {
    static func comparison(_ frame: Frame, _ model: ComparisonPage) -> HTML {
        let t = frame.texts
        let path = "/templates/\(model.line.id)"
        let kinds = ComparisonPage.Change.Kind.allCases.filter { kind in
            model.changes.contains { $0.kind == kind }
        }
        let groups = kinds.map { kind -> HTML in
            let changes = model.changes.filter { $0.kind == kind }
            return Part.card(
                t("comparison.\(kind.rawValue)", ["count": .number(changes.count)]),
                Part.list(changes.map { changeItem(frame, $0) }))
        }
        let mappings = model.mappings.map { moved -> HTML in
            Part.note(
                frame, moved.lost.isEmpty ? .good : .warn,
                """
                <p><strong dir="auto">\(moved.mapping)</strong>: \(t("comparison.kept", ["count": .number(moved.kept)]))</p>
                \(moved.lost.isEmpty
                    ? HTML.empty
                    : "<p>\(t("comparison.lost", ["fields": .text(moved.lost.joined(separator: ", "))]))</p>")
                """)
        }
        return Shell.page(
            frame, title: t("comparison.title"),
            """
            \(Part.header(
                frame, t("comparison.title"),
                lede: t("comparison.lede", ["before": .number(model.before), "after": .number(model.after)]),
                crumbs: [(t("templates.title"), "/templates"), (model.line.name, path)],
                actions: "\(Part.link(frame, path, t("comparison.open"), css: "button button-main"))\(useAgain(frame, path, model.before))"))
            <div class="stats">
            <div class="stat"><b>\(Part.number(model.sameCount))</b><span>\(t("comparison.same"))</span></div>
            \(kinds.map { kind -> HTML in
                "<div class=\"stat\"><b>\(Part.number(model.changes.count { $0.kind == kind }))</b><span>\(t("comparison.short.\(kind.rawValue)"))</span></div>"
            })</div>
            <div class="stack">\(mappings)</div>
            <div class="stack measure">\(groups)</div>
            """)
    }

    private static func changeItem(_ frame: Frame, _ change: ComparisonPage.Change) -> HTML {
        let names: HTML =
            switch (change.before.isEmpty, change.after.isEmpty) {
            case (true, _): "<ins dir=\"auto\">\(change.after)</ins>"
            case (_, true): "<del dir=\"auto\">\(change.before)</del>"
            case _ where change.before == change.after: "<span dir=\"auto\">\(change.after)</span>"
            default:
                "<del dir=\"auto\">\(change.before)</del> <span aria-hidden=\"true\">→</span> <ins dir=\"auto\">\(change.after)</ins>"
            }
        let sure = change.confidence.map { percent -> HTML in
            Part.chip(
                frame, frame.texts("comparison.sure", ["percent": .number(percent)]),
                percent >= 90 ? .good : percent >= 60 ? .warn : .bad)
        }
        return """
            <div class="item"><span class="item-text"><span class="item-title">\(names)</span>\
            <span class="item-note">\(change.reason)</span></span>\(sure)</div>
            """
    }
}
