import Markup

/// A table on its way into a list: what was found and why, the first rows, what is wrong with which, and what would change.
struct ImportPage: Sendable {
    struct Choice: Sendable {
        /// `separator`, `encoding`, `sheet`, `headerRow`: named so in the form.
        var what: String
        var value: String
        var options: [(value: String, label: String)]
        var why: String
    }
    struct Column: Sendable {
        var name: String
        var kind: String
        var role: String = ""
    }
    struct Row: Sendable {
        var place: Int
        var cells: [String]
        var isFlawed = false
    }
    struct Change: Sendable {
        var name: String
        var note: String
    }
    struct Changes: Sendable {
        var added: Int
        var changed: Int
        var gone: Int
        var unchanged: Int
        var changedExamples: [Change] = []
        var goneExamples: [Change] = []
    }

    var list: ListLine
    var id: String
    var fileName: String
    /// Nil while only the beginning of a long table was read.
    var rowCount: Int?
    var columns: [Column]
    var choices: [Choice]
    var rows: [Row]
    var flaws: [ListPage.Flaw] = []
    var flawCount = 0
    var notices: [String] = []
    /// How many rows the sheet hides, and whether they are taken all the same; nil when it hides none.
    var hidden: (count: Int, isTaken: Bool)?
    var emailReason: String?
    var asksForEmail = false
    var changes: Changes?
    var key: String?
    var batch: String?
    var error: String?
}

/// A table that somebody looked at and left.
struct LeftTable: Sendable {
    var name: String
    /// Where it can be gone on with, or given up.
    var address: String
}

extension Pages {
    static func leftTable(_ frame: Frame, _ table: LeftTable) -> HTML {
        let t = frame.texts
        return Part.note(
            frame, .plain,
            """
            <p>\(t("import.left", ["name": .text(table.name)]))</p>
            <div class="row">\(Part.link(frame, table.address, t("import.left.go"), icon: .next))\
            \(Form.button(frame, "DELETE", table.address, t("import.left.drop"), css: "button button-quiet"))</div>
            """)
    }

    static let columnRoles = ["", "email", "name", "firstName", "lastName", "phone", "cc", "bcc", "key"]

    static func importing(_ frame: Frame, _ model: ImportPage) -> HTML {
        var frame = frame
        // Whoever gives something out is still at it.
        if model.batch != nil { frame.path = "/batches" }
        let t = frame.texts
        let path = "/lists/\(model.list.id)/imports/\(model.id)"
        let query = model.batch.map { "?batch=\(queryEncoded($0))" } ?? ""
        let columns = t("import.columns", ["count": .number(model.columns.count)])
        let counts =
            model.rowCount.map { count in
                t(
                    "import.lede",
                    ["rows": .text(t("people.count", ["count": .number(count)])), "columns": .text(columns)])
            } ?? t("import.lede.beginning", ["columns": .text(columns)])
        let crumbs =
            model.batch.map {
                [(t("packets.title"), "/batches"), (t("step.people"), "/batches/\($0)/people")]
            }
            ?? [(t("people.title"), "/lists"), (model.list.name, "/lists/\(model.list.id)")]
        return Shell.page(
            frame, title: t("import.title", ["file": .text(model.fileName)]),
            """
            \(model.batch.map { _ in steps(frame, at: .people, of: nil) })
            \(Part.header(
                frame, t("import.title", ["file": .text(model.fileName)]), lede: counts,
                crumbs: crumbs))
            <soft-page class="stack stack-l">
            <div class="stack" data-swap="import">
            \(Form.failure(frame, model.error))
            \(found(frame, model, path + query))
            \(preview(frame, model))
            \(model.notices.isEmpty
                ? HTML.empty : Part.note(frame, .plain, "\(model.notices.map { "<p>\($0)</p>" as HTML })"))
            \(importFlaws(frame, model))
            \(changes(frame, model))
            </div>
            \(Form.form(
                frame, "POST", path + "/application", css: "action-bar",
                """
                \(model.batch.map { "<input type=\"hidden\" name=\"batch\" value=\"\($0)\">" as HTML })\
                <span class="soft small">\(t("import.undo.hint"))</span><span class="push"></span>\
                \(Form.quietDelete(t("import.cancel"), "import-cancel"))\
                <button class="button button-main">\(frame.icon(.check))\(t("import.go"))</button>
                """))
            \(Form.form(frame, "DELETE", path + query, css: nil, id: "import-cancel", .empty))
            </soft-page>
            """)
    }

    /// Each thing that was guessed, with its reason, to be changed in one click.
    private static func found(_ frame: Frame, _ model: ImportPage, _ path: String) -> HTML {
        let t = frame.texts
        let choices = model.choices.map { choice -> HTML in
            """
            <div class="field"><label for="f-\(choice.what)">\(t("import.\(choice.what)"))</label>
            <select id="f-\(choice.what)" name="\(choice.what)" aria-describedby="f-\(choice.what)-why">\
            \(choice.options.map { option -> HTML in
                "<option value=\"\(option.value)\"\(attribute: "selected", if: option.value == choice.value)>\(option.label)</option>"
            })</select><p class="field-hint" id="f-\(choice.what)-why">\(choice.why)</p></div>
            """
        }
        let roles = model.columns.enumerated().map { place, column -> HTML in
            """
            <label><span dir="auto">\(column.name)</span><select name="role-\(place)" id="role-\(place)">\
            \(columnRoles.map { role -> HTML in
                "<option value=\"\(role)\"\(attribute: "selected", if: role == column.role)>\(t(role.isEmpty ? "column.plain" : "column.\(role)"))</option>"
            })</select></label>
            """
        }
        let notice: HTML =
            model.asksForEmail
            ? Part.note(frame, .warn, "<p>\(t("import.email.ask"))</p>")
            : model.emailReason.map { Part.note(frame, .good, "<p>\($0)</p>") } ?? .empty
        return Part.card(
            t("import.found"),
            Form.form(
                frame, "PATCH", path, css: "stack", id: "import-choices", soft: true, live: true,
                """
                <div class="form-grid">\(choices)</div>
                \(hiddenRows(frame, model))
                \(notice)
                <details class="more" id="import-roles"\(attribute: "open", if: model.asksForEmail)><summary>\(t("import.roles"))</summary>
                <p class="soft small">\(t("import.roles.text"))</p><div class="roles">\(roles)</div></details>
                <div class="no-script"><button class="button">\(t("import.look"))</button></div>
                """))
    }

    private static func hiddenRows(_ frame: Frame, _ model: ImportPage) -> HTML {
        guard let hidden = model.hidden else { return .empty }
        let t = frame.texts
        return """
            <input type="hidden" name="mayTakeHidden" value="yes">\
            \(Form.check(
                name: "hiddenRows", label: t("import.hiddenRows.take"),
                hint: hidden.isTaken ? t("import.hiddenRows.taken") : t("import.hiddenRows.count", ["count": .number(hidden.count)]),
                isOn: hidden.isTaken))
            """
    }

    private static func preview(_ frame: Frame, _ model: ImportPage) -> HTML {
        let t = frame.texts
        let heads = model.columns.map { column -> HTML in
            """
            <th scope="col" dir="auto">\(column.name)\(column.role.isEmpty ? HTML.empty : "<span class=\"role\">\(t("column.\(column.role)"))</span>")</th>
            """
        }
        let rows = model.rows.map { row -> HTML in
            """
            <tr\(attribute: "class", row.isFlawed ? "is-flawed" : nil)><th scope="row" class="grid-place">\(row.place)</th>\
            \(row.cells.map { "<td dir=\"auto\">\($0)</td>" as HTML })</tr>
            """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("import.preview"))</h2></div>
            <div class="grid-wrap grid-plain" tabindex="0" role="region" aria-label="\(t("import.preview"))"><table class="grid">
            <thead><tr><th scope="col" class="grid-place"><span class="unseen">\(t("import.place"))</span></th>\(heads)</tr></thead>
            <tbody>\(rows)</tbody></table></div></section>
            """
    }

    private static func importFlaws(_ frame: Frame, _ model: ImportPage) -> HTML {
        guard model.flawCount > 0 else { return .empty }
        let t = frame.texts
        return Part.card(
            t("import.flaws", ["count": .number(model.flawCount)]), id: "flaws",
            """
            <p class="soft">\(t("import.flaws.text"))</p>
            \(Part.list(model.flaws.map { flaw -> HTML in
                """
                <div class="item"><span class="item-text"><span class="item-title">\(t("import.line", ["line": .number(flaw.place)]))</span>\
                <span class="item-note" dir="auto">\(flaw.sentence)</span></span></div>
                """
            }))
            """)
    }

    private static func changes(_ frame: Frame, _ model: ImportPage) -> HTML {
        guard let changes = model.changes else { return .empty }
        let t = frame.texts
        func stat(_ count: Int, _ key: String) -> HTML {
            "<div class=\"stat\"><b>\(Part.number(count))</b><span>\(t(key))</span></div>"
        }
        func examples(_ title: String, _ list: [ImportPage.Change]) -> HTML {
            guard !list.isEmpty else { return .empty }
            return """
                <details class="more"><summary>\(title)</summary>\(Part.list(list.map { change -> HTML in
                    """
                    <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(change.name)</span>\
                    <span class="item-note" dir="auto">\(change.note)</span></span></div>
                    """
                }))</details>
                """
        }
        return Part.card(
            t("import.changes"),
            """
            <div class="stats">\(stat(changes.added, "import.added"))\(stat(changes.changed, "import.changed"))\
            \(stat(changes.gone, "import.gone"))\(stat(changes.unchanged, "import.unchanged"))</div>
            \(examples(t("import.changed.which"), changes.changedExamples))
            \(examples(t("import.gone.which"), changes.goneExamples))
            """)
    }
}

extension Form {
    /// A button of another form: the one that takes the whole thing back.
    static func quietDelete(_ label: String, _ form: String) -> HTML {
        "<button class=\"button button-quiet\" form=\"\(form)\">\(label)</button>"
    }
}
