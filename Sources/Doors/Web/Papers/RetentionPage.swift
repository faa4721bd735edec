import Markup

/// How long papers have to be kept.
struct RetentionPage: Sendable {
    struct Rule: Sendable {
        var id: String
        var name: String
        var tag: String
        var folder: String?
        var months: Int
        var trashesAfter: Bool
    }

    var rules: [Rule]
    var folders: [FolderLine]
}

extension Pages {
    static func retention(_ frame: Frame, _ model: RetentionPage) -> HTML {
        let t = frame.texts
        let list: HTML =
            model.rules.isEmpty
            ? "<p class=\"soft\">\(t("keeping.none"))</p>"
            : "<section class=\"card card-flush\">\(Part.list(model.rules.map { item(frame, $0) }))</section>"
        return Shell.page(
            frame, title: t("keeping.title"), narrow: true,
            """
            \(Part.header(
                frame, t("keeping.title"), lede: t("keeping.lede"),
                crumbs: [(t("documents.title"), "/documents"), (t("filing.tags"), "/tags")]))
            \(list)
            \(frame.isOwner ? Part.card(t("keeping.new"), form(frame, model)) : .empty)
            """)
    }

    private static func item(_ frame: Frame, _ rule: RetentionPage.Rule) -> HTML {
        let t = frame.texts
        let which = [rule.tag.isEmpty ? nil : rule.tag, rule.folder].compactMap { $0 }.joined(
            separator: " · ")
        let time =
            rule.months % 12 == 0
            ? t("keeping.years", ["count": .number(rule.months / 12)])
            : t("keeping.months", ["count": .number(rule.months)])
        let remove: HTML =
            frame.isOwner
            ? Form.button(
                frame, "DELETE", "/retention/\(rule.id)", t("rules.remove"),
                css: "button button-s button-danger",
                confirm: t("keeping.remove.confirm", ["name": .text(rule.name)])) : .empty
        return """
            <div class="item">\(frame.icon(.lock))<span class="item-text"><span class="item-title" dir="auto">\(rule.name)</span>\
            <span class="item-note" dir="auto">\(which) → \(time)\(rule.trashesAfter ? " · " + t("keeping.thenTrash") : "")</span></span>\(remove)</div>
            """
    }

    private static func form(_ frame: Frame, _ model: RetentionPage) -> HTML {
        let t = frame.texts
        let name = Form.field(
            frame,
            Form.Field(
                name: "name", label: t("rules.name"), autocomplete: "off", isRequired: true,
                maximumLength: 100))
        let tag = Form.field(
            frame, Form.Field(name: "tag", label: t("filing.tag"), autocomplete: "off", maximumLength: 60))
        let folder = Form.select(
            frame, name: "folder", label: t("filing.folder"),
            options: [("", t("rules.anywhere"))] + model.folders.map { ($0.id, $0.path) }, chosen: "")
        let years = Form.field(
            frame,
            Form.Field(
                name: "years", label: t("keeping.howLong"), value: "10", type: "number",
                hint: t("keeping.howLong.hint"), inputMode: "numeric", isRequired: true))
        return Form.form(
            frame, "POST", "/retention",
            """
            \(name)\(tag)\(folder)\(years)
            \(Form.check(name: "trashes", label: t("keeping.trashes"), isOn: false))
            <div><button class="button button-main">\(frame.icon(.check))\(t("rules.make"))</button></div>
            """)
    }
}
