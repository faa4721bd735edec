import Markup

/// Step three: what goes where, as a list and on the page.
struct MatchPage: Sendable {
    enum Source: Sendable, Equatable {
        case nothing
        case empty
        case column(String)
        case fixed(String)
        case formula(String)
    }

    struct Suggestion: Sendable {
        /// The source as a mapping writes it.
        var column: String
        var shown: Source
        var reason: String
        var runnerUp: String?
    }

    struct Entry: Sendable {
        var field: FieldLine
        var source: Source = .nothing
        /// What the shown row puts there.
        var value: String?
        var problem: String?
        /// Why it was matched by itself, until somebody decides.
        var reason: String?
        var suggestion: Suggestion?
    }

    struct Column: Sendable {
        var name: String
        var kind: String
        var example: String
        var isUsed = false
    }

    /// What is known besides the columns.
    struct Pick: Sendable {
        var label: String
        var formula: String
        var source: Source
        /// What it is for the shown row.
        var example: String
    }

    /// A column that went nowhere by itself, and where it may belong.
    struct Offer: Sendable {
        struct Choice: Sendable {
            var fields: [String]
            /// What people call the first of them.
            var label: String
            var reason: String
        }

        var column: String
        var choices: [Choice]
    }

    /// The words that the list has for a field with choices, for somebody to say what each means.
    struct Words: Sendable {
        struct Word: Sendable {
            var text: String
            var count: Int
            /// As a mapping writes it: the name of a choice, nothing, or a question mark.
            var answer: String
            var isDecided = false
            /// Nobody has looked at it yet, and it was not certain.
            var isOpen: Bool { !isDecided && !isPlain }
            var isPlain = false
        }

        var field: String
        var label: String
        /// Each with what people see.
        var choices: [(answer: String, label: String)]
        var words: [Word]

        var openCount: Int { words.count(where: \.isOpen) }
    }

    /// What is being written for the chosen field.
    struct Draft: Sendable {
        var formula: String
        /// Where in the text it goes wrong, counted in characters.
        var errorAt: Int?
        var error: String?
        var value: String?
        var steps: [(what: String, value: String)] = []
    }

    var batch: BatchLine
    var parts: [(number: Int, name: String)]
    var part: Int
    var pages: [PagePicture]
    var entries: [Entry]
    var columns: [Column]
    var picks: [Pick] = []
    var chosen: String?
    var draft: Draft?
    var row: Int
    var rowCount: Int
    var rowName: String
    var suggestionCount = 0
    var offers: [Offer] = []
    var words: [Words] = []
    /// So many rows were gone through for them, when it was not all.
    var wordRows: Int?
    /// Somebody came from the check and goes back there.
    var comesFromCheck = false
    var savedMappings: [(id: String, name: String)] = []
    /// The lists that it may be matched with instead, and the one it is.
    var lists: [(id: String, name: String)] = []
    var chosenList = ""
    var error: String?

    var matchedCount: Int { entries.count { $0.source != .nothing } }
}

extension Pages {
    static func match(_ frame: Frame, _ model: MatchPage) -> HTML {
        let t = frame.texts
        let actions: HTML =
            model.suggestionCount > 0
            ? Form.form(
                frame, "POST", "/batches/\(model.batch.id)/suggestions", css: nil,
                """
                <input type="hidden" name="part" value="\(model.part)"><button class="button">\(frame.icon(.check))\
                \(t("match.takeAll", ["count": .number(model.suggestionCount)]))</button>
                """) : .empty
        let parts: HTML =
            model.parts.count < 2
            ? .empty
            : Part.tabs(
                frame, t("papers.chosen"),
                model.parts.map {
                    ($0.name, matchAddress(model, part: $0.number), $0.number == model.part, 0)
                })
        return stepPage(
            frame, model.batch, .match, actions: actions,
            """
            \(Form.failure(frame, model.error))\(parts)
            <soft-page><match-board class="beside">
            <div class="stack stack-s beside-picture">\(rowPicker(frame, model))
            <div class="page-well" data-well tabindex="0" role="region" aria-label="\(t("template.pages"))" data-swap="pages">\
            \(model.pages.map { Part.picture(frame, $0, of: model.rowName) })</div></div>
            <div class="stack">\(otherList(frame, model))\(tray(frame, model))\(undecided(frame, model))\(words(frame, model))
            <section class="stack" aria-label="\(t("template.fields"))" data-swap="fields">
            <p class="soft small" role="status">\(t("match.count", ["done": .number(model.matchedCount), "count": .number(model.entries.count)]))</p>
            <ol class="field-list" data-field-list>\(model.entries.map { matchEntry(frame, model, $0) })</ol></section></div>
            \(Form.form(
                frame, "POST", "/batches/\(model.batch.id)/mapping", css: nil, id: "assign", soft: true,
                """
                <input type="hidden" name="part" value="\(model.part)"><input type="hidden" name="row" value="\(model.row)">\
                <input type="hidden" name="field"><input type="hidden" name="column">
                """))
            </match-board></soft-page>
            \(savedMappings(frame, model))
            \(forward(frame, model.batch, to: .check))
            """)
    }

    private static func matchAddress(
        _ model: MatchPage, part: Int? = nil, field: String? = nil, row: Int? = nil
    )
        -> String
    {
        var address =
            "/batches/\(model.batch.id)/mapping?part=\(part ?? model.part)&row=\(row ?? model.row)"
        if let field { address += "&field=\(queryEncoded(field))" }
        return address
    }

    private static func rowPicker(_ frame: Frame, _ model: MatchPage) -> HTML {
        let t = frame.texts
        func step(_ row: Int, _ icon: Icon, _ label: String) -> HTML {
            guard (1...max(1, model.rowCount)).contains(row) else {
                return "<span class=\"button button-icon\" aria-disabled=\"true\">\(frame.icon(icon))</span>"
            }
            return """
                <a class="button button-icon" href="\(url: matchAddress(model, field: model.chosen, row: row))" data-soft id="row-\(icon.rawValue)" aria-label="\(label)">\(frame.icon(icon))</a>
                """
        }
        return """
            <div class="row-picker" data-swap="row">\(step(model.row - 1, .previous, t("match.previous")))\
            <p role="status"><span class="unseen">\(t("match.shown"))</span> <strong dir="auto">\(model.rowName)</strong><br>\
            \(model.rowCount == 0 ? HTML.empty : "<span class=\"soft small\">\(t("match.row", ["row": .number(model.row), "count": .number(model.rowCount)]))</span>")</p>\
            \(step(model.row + 1, .next, t("match.next")))</div>
            """
    }

    /// Whose columns these are, to be seen with another list at once.
    private static func otherList(_ frame: Frame, _ model: MatchPage) -> HTML {
        guard frame.canEdit, !model.lists.isEmpty else { return "<div data-swap=\"list\"></div>" }
        let t = frame.texts
        return """
            <details class="more" data-swap="list"><summary>\(t("people.step.whom"))\(model.batch.list.isEmpty ? "" : ": ")<span dir="auto">\(model.batch.list)</span></summary>\
            <div class="card stack stack-s">\(Form.form(
                frame, "PATCH", "/batches/\(model.batch.id)", css: "with-button",
                """
                <input type="hidden" name="then" value="mapping">\
                \(Form.select(
                    frame, name: "list", label: t("match.list"), options: model.lists.map { ($0.id, $0.name) },
                    chosen: model.chosenList))<button class="button align-end">\(t("match.list.take"))</button>
                """))
            <div>\(Part.link(frame, "/lists/new?batch=\(model.batch.id)", t("people.step.new"), icon: .plus))</div></div></details>
            """
    }

    /// Columns to drag, or to tap and then tap a field. The same can be said in each field's own choices.
    private static func tray(_ frame: Frame, _ model: MatchPage) -> HTML {
        let t = frame.texts
        return """
            <section class="tray script-only" aria-label="\(t("match.columns"))"><p class="soft small">\(t("match.columns.hint"))</p>
            <ul data-swap="tray">\(model.columns.map { column -> HTML in
                """
                <li><button type="button" class="column-chip\(column.isUsed ? " is-used" : "")" draggable="true" data-column="\(column.name)" aria-pressed="false">\
                <span dir="auto">\(column.name)</span><small dir="auto">\(column.example)</small></button></li>
                """
            })</ul></section>
            """
    }

    /// What is not certain is asked: each such column with the fields it may be meant for, and why.
    private static func undecided(_ frame: Frame, _ model: MatchPage) -> HTML {
        let t = frame.texts
        guard !model.offers.isEmpty else { return "<div data-swap=\"undecided\"></div>" }
        let offers = model.offers.map { offer -> HTML in
            let choices = offer.choices.enumerated().map { place, choice -> HTML in
                """
                <li><button class="column-choice" name="choice" value="\(place + 1)"><span dir="auto">\(choice.label)</span>\
                <small>\(choice.reason)</small></button></li>
                """
            }
            return """
                <li>\(Form.form(
                    frame, "POST", "/batches/\(model.batch.id)/mapping", css: nil, soft: true,
                    """
                    <input type="hidden" name="part" value="\(model.part)"><input type="hidden" name="row" value="\(model.row)">\
                    <input type="hidden" name="undecided" value="\(offer.column)">\
                    <p>\(t.html("match.undecided.where", markup: ["column": sourceWords(frame, .column(offer.column))]))</p><ul class="offer">\(choices)</ul>
                    """))</li>
                """
        }
        return """
            <section class="card stack stack-s" data-swap="undecided" aria-label="\(t("match.undecided"))"><h2 class="small">\(t("match.undecided"))</h2>\
            <p class="soft small">\(t("match.undecided.hint"))</p><ul class="offers">\(offers)</ul></section>
            """
    }

    /// Your word, the form's choice: a small table for each field whose words the form does not know as they stand.
    private static func words(_ frame: Frame, _ model: MatchPage) -> HTML {
        let t = frame.texts
        guard !model.words.isEmpty else { return "<div data-swap=\"words\"></div>" }
        let back: HTML =
            model.comesFromCheck
            ? "<p>\(Part.link(frame, "/batches/\(model.batch.id)/plan", t("match.words.back"), icon: .previous))</p>"
            : .empty
        return """
            <section class="card stack stack-s" data-swap="words" id="words" aria-label="\(t("match.words"))"><h2 class="small">\(t("match.words"))</h2>\
            <p class="soft small">\(t("match.words.hint"))\(model.wordRows.map { " \(t("match.words.some", ["count": .number($0)]))" as HTML })</p>\(back)\(model.words.enumerated().map { wordTable(frame, model, $1, $0 + 1) })</section>
            """
    }

    private static func wordTable(
        _ frame: Frame, _ model: MatchPage, _ words: MatchPage.Words, _ number: Int
    ) -> HTML {
        let t = frame.texts
        let isOpen = words.openCount > 0 || words.field == model.chosen
        let rows = words.words.enumerated().map { place, word -> HTML in
            let id = "w-\(number)-\(place + 1)"
            let options = words.choices + [("", t("match.words.empty")), ("?", t("match.words.hold"))]
            return """
                <tr><th scope="row"><label for="\(id)"><span dir="auto">\(word.text)</span> <span class="soft">\(t("match.words.count", ["count": .number(word.count)]))</span></label></th>\
                <td><select id="\(id)" name="word:\(word.text)">\(options.map { option -> HTML in
                    "<option value=\"\(option.0)\"\(attribute: "selected", if: option.0 == word.answer)>\(option.1)</option>"
                })</select>\(word.isOpen && word.answer != "?" ? "<small class=\"soft\">\(t("match.words.guess"))</small>" as HTML : .empty)</td></tr>
                """
        }
        let form = Form.form(
            frame, "POST", "/batches/\(model.batch.id)/mapping", css: "stack stack-s", soft: true,
            """
            <input type="hidden" name="part" value="\(model.part)"><input type="hidden" name="row" value="\(model.row)">\
            <input type="hidden" name="field" value="\(words.field)">\(model.comesFromCheck ? "<input type=\"hidden\" name=\"then\" value=\"plan\">" as HTML : .empty)\
            <table class="words"><thead><tr><th scope="col">\(t("match.words.yours"))</th><th scope="col">\(t("match.words.theirs"))</th></tr></thead>\
            <tbody>\(rows)</tbody></table>
            <div><button class="button">\(frame.icon(.check))\(t("match.words.use"))</button></div>
            """)
        return """
            <details class="more"\(attribute: "open", if: isOpen)><summary><span dir="auto">\(words.label)</span>\
            \(words.openCount > 0 ? " <span class=\"count\">\(t("match.words.open", ["count": .number(words.openCount)]))</span>" as HTML : .empty)</summary>\(form)</details>
            """
    }

    static func sourceWords(_ frame: Frame, _ source: MatchPage.Source) -> HTML {
        let t = frame.texts
        switch source {
        case .nothing: return "<span class=\"soft\">\(t("match.nothing"))</span>"
        case .empty: return "<span class=\"soft\">\(t("match.leftEmpty"))</span>"
        case .column(let name): return "<span class=\"source-chip\" dir=\"auto\">\(name)</span>"
        case .fixed(let text): return "<span dir=\"auto\">“\(text)”</span>"
        case .formula(let text): return "<code dir=\"ltr\">\(text)</code>"
        }
    }

    private static func matchEntry(_ frame: Frame, _ model: MatchPage, _ entry: MatchPage.Entry) -> HTML {
        let t = frame.texts
        let field = entry.field
        let isChosen = field.name == model.chosen
        let suggestion = entry.suggestion.map { suggestion -> HTML in
            """
            <div class="suggestion"><p>\(t.html("match.suggestion", markup: ["column": sourceWords(frame, suggestion.shown)]))\
             <span class="soft">\(suggestion.reason)\(suggestion.runnerUp.map { " \(t("match.runnerUp", ["column": .text($0)]))" as HTML })</span></p>\
            \(assigning(frame, model, field, "<button class=\"button button-s\" name=\"suggestion\" value=\"\(suggestion.column)\">\(t("match.take"))</button>"))</div>
            """
        }
        let value: HTML =
            entry.value.map { value -> HTML in
                value.isEmpty
                    ? "<span class=\"soft\">\(t("match.blank"))</span>"
                    : "<span class=\"value\" dir=\"auto\">\(value)</span>"
            } ?? .empty
        return """
            <li data-entry="\(field.name)"\(attribute: "class", isChosen ? "is-chosen" : nil)>
            <a class="field-row" id="e-\(field.name)" href="\(url: matchAddress(model, field: isChosen ? nil : field.name))" data-soft data-field="\(field.name)"\
            \(attribute: "aria-expanded", isChosen ? "true" : nil)>
            <span class="field-kind" aria-hidden="true">\(kindLetter(field.kind))</span>
            <span class="item-text"><span class="item-title" dir="auto">\(field.label)\(field.isRequired ? "<span class=\"needed\" title=\"\(t("field.required"))\">*</span>" as HTML : .empty)</span>\
            <span class="item-note">\(sourceWords(frame, entry.source))\
            \(entry.reason.map { " \(t("match.byItself", ["reason": .text($0)]))" as HTML })</span></span>\(value)</a>
            \(entry.problem.map { "<p class=\"field-error\">\(frame.icon(.warning))<span>\($0)</span></p>" as HTML })
            \(isChosen ? .empty : suggestion)
            \(isChosen ? editor(frame, model, entry) : .empty)</li>
            """
    }

    private static func assigning(
        _ frame: Frame, _ model: MatchPage, _ field: FieldLine, keeps: Form.KeptTexts? = nil, _ content: HTML
    )
        -> HTML
    {
        Form.form(
            frame, "POST", "/batches/\(model.batch.id)/mapping", css: nil, soft: true, keeps: keeps,
            """
            <input type="hidden" name="part" value="\(model.part)"><input type="hidden" name="row" value="\(model.row)">\
            <input type="hidden" name="field" value="\(field.name)">\(content)
            """)
    }

    private static func editor(_ frame: Frame, _ model: MatchPage, _ entry: MatchPage.Entry) -> HTML {
        let t = frame.texts
        let field = entry.field
        let columns = model.columns.map { column -> HTML in
            """
            <button class="column-choice" name="column" value="\(column.name)"\(attribute: "aria-pressed", entry.source == .column(column.name) ? "true" : "false")>\
            <span dir="auto">\(column.name)</span><small dir="auto">\(column.example)</small></button>
            """
        }
        let picks = model.picks.map { pick -> HTML in
            """
            <button class="column-choice" name="formula" value="\(pick.formula)"\(attribute: "aria-pressed", entry.source == pick.source ? "true" : "false")>\
            <span>\(pick.label)</span><small dir="auto">\(pick.example)</small></button>
            """
        }
        let known: HTML =
            picks.isEmpty
            ? .empty
            : "<fieldset><legend class=\"field-label\">\(t("match.known"))</legend><div class=\"column-choices\">\(picks)</div></fieldset>"
        let formula: String =
            switch entry.source {
            case .formula(let text): model.draft?.formula ?? text
            default: model.draft?.formula ?? ""
            }
        let fixed: String = if case .fixed(let text) = entry.source { text } else { "" }
        let others: HTML = """
            <div class="row"><button class="button button-s" name="empty" value="yes">\(t("match.leaveEmpty"))</button>\
            \(entry.source == .nothing ? HTML.empty : "<button class=\"button button-s\" name=\"nothing\" value=\"yes\">\(t("match.undo"))</button>")</div>
            """
        return """
            <div class="editor">
            \(entry.suggestion.map { suggestion -> HTML in
                "<p class=\"small\">\(t.html("match.suggestion", markup: ["column": sourceWords(frame, suggestion.shown)])) <span class=\"soft\">\(suggestion.reason)</span></p>"
            })
            \(assigning(frame, model, field, "<fieldset><legend class=\"field-label\">\(t("match.fromColumn"))</legend><div class=\"column-choices\">\(columns)</div></fieldset>\(known)\(others)"))
            \(assigning(
                frame, model, field, keeps: .written,
                """
                <div class="with-button"><div class="field"><label for="fixed">\(t("match.fixed"))</label>\
                <input type="text" id="fixed" name="fixed" value="\(fixed)" autocomplete="off" dir="auto"></div><button class="button align-end">\(t("match.set"))</button></div>
                """))
            <formula-field data-preview="\(matchAddress(model, field: field.name))">\(assigning(
                frame, model, field, keeps: .written,
                """
                <div class="field"><label for="formula">\(t("match.formula"))</label>
                <textarea id="formula" name="formula" class="mono" rows="2" spellcheck="false" autocomplete="off" dir="ltr" \
                aria-describedby="formula-said"\(attribute: "aria-invalid", model.draft?.error == nil ? nil : "true") placeholder="\(t("match.formula.example"))">\(formula)</textarea>
                <div id="formula-said" data-swap="said" role="status">\(draftSaid(frame, model.draft))</div>
                <p class="field-hint">\(t("match.formula.hint"))</p></div>
                <div><button class="button">\(t("match.set"))</button></div>
                """))</formula-field></div>
            """
    }

    /// The error where it is, or the value as it will be.
    private static func draftSaid(_ frame: Frame, _ draft: MatchPage.Draft?) -> HTML {
        guard let draft, !draft.formula.isEmpty else { return .empty }
        let t = frame.texts
        if let error = draft.error {
            let place = min(max(0, draft.errorAt ?? draft.formula.count), draft.formula.count)
            let before = draft.formula.prefix(place)
            let rest = draft.formula.dropFirst(place)
            let at: HTML =
                rest.isEmpty ? "<mark>␣</mark>" : "<mark>\(rest.prefix(1))</mark>\(rest.dropFirst())"
            return """
                <p class="formula-echo mono" dir="ltr">\(before)\(at)</p><p class="field-error">\(frame.icon(.warning))<span>\(error)</span></p>
                """
        }
        let steps: HTML =
            draft.steps.count < 2
            ? .empty
            : """
            <details class="more"><summary>\(t("match.explain"))</summary><dl class="facts">\(draft.steps.map { step -> HTML in
                "<div><dt class=\"mono\" dir=\"ltr\">\(step.what)</dt><dd dir=\"auto\">\(step.value)</dd></div>"
            })</dl></details>
            """
        return "<p>\(t("match.value")) <strong dir=\"auto\">\(draft.value ?? "")</strong></p>\(steps)"
    }

    private static func savedMappings(_ frame: Frame, _ model: MatchPage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)/mapping"
        let use: HTML =
            model.savedMappings.isEmpty
            ? .empty
            : Form.form(
                frame, "POST", path, css: "with-button",
                """
                <input type="hidden" name="part" value="\(model.part)"><div class="field"><label for="saved">\(t("match.saved.use"))</label>\
                <select id="saved" name="saved">\(model.savedMappings.map { "<option value=\"\($0.id)\">\($0.name)</option>" as HTML })</select></div>\
                <button class="button align-end">\(t("match.saved.go"))</button>
                """)
        return """
            <details class="more"><summary>\(t("match.saved"))</summary><div class="card measure"><p class="soft">\(t("match.saved.text"))</p>\(use)
            \(Form.form(
                frame, "POST", path, css: "with-button",
                """
                <input type="hidden" name="part" value="\(model.part)"><div class="field"><label for="save-as">\(t("match.saved.name"))</label>\
                <input type="text" id="save-as" name="saveAs" required maxlength="200" autocomplete="off"></div>\
                <button class="button align-end">\(t("form.save"))</button>
                """))</div></details>
            """
    }
}
