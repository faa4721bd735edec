import Library
import Markup
import Work

/// A rule of filing as the page shows it.
struct RuleLine: Sendable {
    var id: String
    var name: String
    var from: FolderLine?
    var pattern: String
    var words: String
    var sender: String
    var folder: FolderLine?
    var tags: [String]
    var title: String
    var actsAtOnce: Bool
}

struct RulesPage: Sendable {
    var rules: [RuleLine]
    var folders: [FolderLine]
    var error: String?
}

/// What a rule would make of a paper.
struct SuggestionLine: Sendable {
    var id: String
    var paper: DocumentLine
    var rule: String
    var titleBefore: String
    /// Nil for what stays as it is.
    var title: String?
    var folderBefore: String?
    var folder: String?
    var tags: [String]
    var madeAt: Moment
}

struct SuggestionsPage: Sendable {
    var state: FilingSuggestion.State
    var lines: [SuggestionLine]
    /// To tell a desk without rules from one where nothing waits.
    var ruleCount: Int
}

extension Pages {
    static func suggestions(_ frame: Frame, _ model: SuggestionsPage) -> HTML {
        let t = frame.texts
        func tab(_ state: FilingSuggestion.State) -> HTML {
            """
            <a href="\(url: state == .open ? "/suggestions" : "/suggestions?state=\(state.rawValue)")"\
            \(attribute: "aria-current", state == model.state ? "page" : nil)>\(t("rules.state.\(state.rawValue)"))</a>
            """
        }
        let toRules = Part.link(
            frame, "/rules", t("rules.title"), icon: .edit,
            css: model.ruleCount == 0 ? "button button-main" : "button")
        let content: HTML =
            model.lines.isEmpty
            ? Part.empty(
                frame, icon: .check, title: t(model.ruleCount == 0 ? "rules.none" : "rules.nothing"),
                "<p>\(t("rules.nothing.text"))</p>", actions: model.ruleCount == 0 ? toRules : .empty)
            : suggestionForm(frame, model.lines, model.state, namesPaper: true)
        return Shell.page(
            frame, title: t("rules.tab"), narrow: true,
            """
            \(Part.header(
                frame, t("rules.tab"), lede: t("rules.lede"), crumbs: [(t("documents.title"), "/documents")],
                actions: model.ruleCount == 0 ? .empty : toRules))
            <nav class="tabs" aria-label="\(t("rules.states"))">\([.open, .taken, .left].map(tab))</nav>
            \(content)
            """)
    }

    /// Each before and after, to be ticked.
    static func suggestionForm(
        _ frame: Frame, _ lines: [SuggestionLine], _ state: FilingSuggestion.State, namesPaper: Bool
    ) -> HTML {
        let t = frame.texts
        let canDecide = frame.canEdit && (state == .open || state == .taken)
        let items = lines.map { line -> HTML in
            let tick: HTML =
                canDecide
                ? """
                <label class="tick"><span class="unseen">\(t("documents.select", ["name": .text(line.paper.name)]))</span>\
                <input type="checkbox" name="id" value="\(line.id)" checked></label>
                """ : .empty
            let name: HTML =
                namesPaper
                ? "<a class=\"item-title\" href=\"\(url: "/documents/\(line.paper.id)")\" dir=\"auto\">\(line.paper.name)</a>"
                : "<span class=\"item-title\" dir=\"auto\">\(line.rule)</span>"
            return """
                <div class="item">\(tick)<span class="item-text">\(name)\
                <span class="item-note">\(namesPaper ? "\(line.rule) · \(Part.time(line.madeAt))" : Part.time(line.madeAt))</span>\
                <span class="before-after">\(changes(frame, line))</span></span></div>
                """
        }
        let buttons: HTML =
            !canDecide
            ? .empty
            : state == .open
                ? """
                <div class="row"><button class="button button-main" name="action" value="take">\(frame.icon(.check))\(t("rules.take"))</button>\
                <button class="button" name="action" value="leave">\(t("rules.leave"))</button></div>
                """
                : """
                <div class="row"><button class="button" name="action" value="undo">\(frame.icon(.restore))\(t("rules.undo"))</button></div>
                """
        return Form.form(
            frame, "POST", "/suggestions/selection",
            """
            <input type="hidden" name="from" value="\(frame.path)">\
            <section class="card card-flush">\(Part.list(items))</section>\(buttons)
            """)
    }

    private static func changes(_ frame: Frame, _ line: SuggestionLine) -> HTML {
        let t = frame.texts
        var rows: [HTML] = []
        func row(_ label: String, _ before: String, _ after: String) -> HTML {
            let old: HTML = before.isEmpty ? .empty : "<del dir=\"auto\">\(before)</del> "
            return "<span><span class=\"soft\">\(label)</span> \(old)<ins dir=\"auto\">\(after)</ins></span>"
        }
        if let title = line.title { rows.append(row(t("documents.name"), line.titleBefore, title)) }
        if let folder = line.folder {
            rows.append(row(t("filing.folder"), line.folderBefore ?? t("filing.noFolder"), folder))
        }
        if !line.tags.isEmpty {
            let chips = line.tags.map { tagChip(frame, $0) }
            rows.append("<span><span class=\"soft\">\(t("filing.tags"))</span> \(chips)</span>")
        }
        return rows.joined()
    }

    static func rules(_ frame: Frame, _ model: RulesPage) -> HTML {
        let t = frame.texts
        let list: HTML =
            model.rules.isEmpty
            ? "<p class=\"soft\">\(t("rules.none.text"))</p>"
            : "<section class=\"card card-flush\">\(Part.list(model.rules.map { ruleItem(frame, model, $0) }))</section>"
        let new: HTML =
            frame.canEdit
            ? Part.card(t("rules.new"), "\(Form.failure(frame, model.error))\(ruleForm(frame, model, nil))")
            : .empty
        return Shell.page(
            frame, title: t("rules.title"), narrow: true,
            """
            \(Part.header(
                frame, t("rules.title"), lede: t("rules.title.lede"),
                crumbs: [(t("documents.title"), "/documents"), (t("rules.tab"), "/suggestions")]))
            \(list)\(new)
            """)
    }

    private static func ruleItem(_ frame: Frame, _ model: RulesPage, _ rule: RuleLine) -> HTML {
        let t = frame.texts
        let when = [rule.from?.path, rule.pattern, rule.words, rule.sender].compactMap { $0 }.filter {
            !$0.isEmpty
        }
        let then = [rule.folder?.path, rule.tags.joined(separator: ", "), rule.title].compactMap { $0 }.filter
        {
            !$0.isEmpty
        }
        let path = "/rules/\(rule.id)"
        let tools: HTML =
            frame.canEdit
            ? """
            <details class="more item-more"><summary>\(frame.icon(.edit))\(t("rules.change"))\
            <span class="unseen"> \(rule.name)</span></summary><div class="stack">\
            \(ruleForm(frame, model, rule))<hr><div class="row">\
            \(Form.button(frame, "POST", path + "/runs", t("rules.run"), icon: .search))\
            \(Form.button(
                frame, "DELETE", path, t("rules.remove"), icon: .trash, css: "button button-danger",
                confirm: t("rules.remove.confirm", ["name": .text(rule.name)])))</div></div></details>
            """ : .empty
        return """
            <div class="item">\(frame.icon(.folder))<span class="item-text"><span class="item-title" dir="auto">\(rule.name)</span>\
            <span class="item-note" dir="auto">\(when.joined(separator: " · ")) → \(then.joined(separator: " · "))</span></span>\
            \(rule.actsAtOnce ? Part.chip(frame, t("rules.atOnce.chip"), .warn) : .empty)</div>\(tools)
            """
    }

    private static func ruleForm(_ frame: Frame, _ model: RulesPage, _ rule: RuleLine?) -> HTML {
        let t = frame.texts
        let end = rule.map { "-\($0.id)" } ?? ""
        func field(
            _ name: String, _ label: String, _ value: String?, hint: String? = nil, required: Bool = false
        ) -> HTML {
            Form.field(
                frame,
                Form.Field(
                    name: name, label: t(label), value: value ?? "",
                    hint: hint.map { t($0, ["parts": .text("{name}, {line}, {date}, {by}")]) },
                    autocomplete: "off", isRequired: required, maximumLength: 300, id: "rule-\(name)\(end)"))
        }
        let places = model.folders.map { ($0.id, $0.path) }
        let fields: HTML = """
            \(field("name", "rules.name", rule?.name, required: true))
            <fieldset class="stack stack-s"><legend class="field-label">\(t("rules.when"))</legend>
            \(Form.select(
                frame, name: "from", id: "rule-from\(end)", label: t("rules.from"),
                options: [("", t("rules.anywhere"))] + places, chosen: rule?.from?.id ?? ""))
            \(field("pattern", "rules.pattern", rule?.pattern, hint: "rules.pattern.hint"))
            \(field("words", "rules.words", rule?.words, hint: "rules.words.hint"))
            \(field("sender", "rules.sender", rule?.sender, hint: "rules.sender.hint"))
            </fieldset>
            <fieldset class="stack stack-s"><legend class="field-label">\(t("rules.then"))</legend>
            \(Form.select(
                frame, name: "folder", id: "rule-folder\(end)", label: t("rules.folder"),
                options: [("", t("rules.stays"))] + places, chosen: rule?.folder?.id ?? ""))
            \(field("tags", "filing.tags", rule?.tags.joined(separator: ", "), hint: "filing.tags.hint"))
            \(field("title", "rules.pattern.title", rule?.title, hint: "rules.title.hint"))
            </fieldset>
            \(Form.check(name: "atOnce", label: t("rules.atOnce"), hint: t("rules.atOnce.hint"), isOn: rule?.actsAtOnce ?? false))
            <div><button class="button\(rule == nil ? " button-main" : "")">\(frame.icon(.check))\(t(rule == nil ? "rules.make" : "filing.save"))</button></div>
            """
        return rule.map { Form.form(frame, "PATCH", "/rules/\($0.id)", fields) }
            ?? Form.form(frame, "POST", "/rules", fields)
    }
}
