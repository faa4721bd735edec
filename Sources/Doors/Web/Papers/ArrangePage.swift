import Markup

/// The pages of a paper side by side, to be put into another order.
struct ArrangePage: Sendable {
    var line: DocumentLine
    var version: Int
    var sheets: [ReadPage.Sheet]
    /// Whose signature would not hold any more.
    var signer: String?
    /// As it was typed where there are no scripts, and what was wrong with it.
    var order = ""
    var crop = ""
    var trouble: String?

    /// The tools, in rows: what each is called in texts.
    static let tools: [[(name: String, icon: Icon)]] = [
        [("undo", .undo), ("redo", .redo)],
        [("earlier", .previous), ("later", .next), ("left", .rotate), ("right", .rotate)],
        [("crop", .square), ("double", .copy), ("blank", .document), ("add", .plus), ("remove", .trash)],
        [("cut", .split)],
    ]
}

extension Pages {
    static func arrange(_ frame: Frame, _ model: ArrangePage) -> HTML {
        let t = frame.texts
        let line = model.line
        let crumbs = [
            (name: t("documents.title"), address: "/documents"),
            (name: line.name, address: "/documents/\(line.id)"),
        ]
        let signed = model.signer.map {
            Part.note(frame, .warn, "<p>\(t("arrange.signed", ["name": .text($0)]))</p>")
        }
        return Shell.page(
            frame, title: t("arrange.title"),
            """
            \(Part.header(frame, t("arrange.title"), lede: t("arrange.lede"), crumbs: crumbs))
            \(signed ?? .empty)
            \(model.trouble.map { Part.note(frame, .bad, "<p>\($0)</p>", role: "alert") } ?? .empty)
            <page-board class="arrange" data-save="/documents/\(line.id)/pages" data-take="/documents/\(line.id)/extracts" \
            data-paper="/documents/\(line.id)" data-version="\(model.version)"\(attribute: "data-folder", line.folder)\
            \(attribute: "data-signer", model.signer)\(attribute: "data-private", if: frame.isPrivate)>
            \(toolbar(frame))
            <ol class="arrange-pages" data-pages aria-label="\(t("arrange.pages"))">\(model.sheets.map { card(frame, line, $0) })</ol>
            \(typed(frame, model))
            </page-board>
            """)
    }

    private static func toolbar(_ frame: Frame) -> HTML {
        let t = frame.texts
        let tools = ArrangePage.tools.map { group -> HTML in
            let buttons = group.map { tool -> HTML in
                """
                <button class="button button-icon" type="button" data-act="\(tool.name)" disabled \
                aria-label="\(t("arrange.\(tool.name)"))" title="\(t("arrange.\(tool.name)"))">\(frame.icon(tool.icon))</button>
                """
            }
            return "<span class=\"mark-group\">\(buttons)</span>"
        }
        func act(_ name: String, _ icon: Icon) -> HTML {
            "<button class=\"button\" type=\"button\" data-act=\"\(name)\" disabled>\(frame.icon(icon))<span>\(t("arrange.\(name)"))</span></button>"
        }
        func choose(_ name: String) -> HTML {
            "<button class=\"button button-s\" type=\"button\" data-choose=\"\(name)\">\(t("arrange.choose.\(name)"))</button>"
        }
        return """
            <div class="mark-bar script-only">
            <div class="arrange-tools" role="toolbar" aria-label="\(t("arrange.tools"))">\(tools)<span class="push"></span>\
            <button class="button button-main" type="button" data-act="save" disabled>\(frame.icon(.check))<span>\(t("arrange.save"))</span></button></div>
            <p class="soft small" role="status" data-said>\(t("arrange.hint"))</p>
            </div>
            <div class="arrange-tools script-only">\
            <details class="more" data-more><summary>\(t("arrange.choose"))</summary><div class="row">\(["all", "none", "odd", "even", "blank", "others"].map(choose))</div>
            <div class="row"><label class="field arrange-every"><span class="field-label">\(t("arrange.every"))</span>\
            <input type="number" min="1" max="9999" value="1" inputmode="numeric" data-every></label>\(act("cutEvery", .split))\(act("cutBookmarks", .tag))</div>
            <div class="row">\(act("reverse", .history))\(act("weave", .merge))\(act("weaveBack", .merge))</div></details>
            <span class="push"></span>\(act("take", .split))</div>
            <p class="soft small keys-only script-only">\(t("arrange.keys"))</p>
            """
    }

    private static func card(_ frame: Frame, _ line: DocumentLine, _ sheet: ReadPage.Sheet) -> HTML {
        let alternative = frame.texts(
            "template.page.of", ["number": .number(sheet.number), "name": .text(line.name)])
        return """
            <li class="arrange-page" data-page="\(sheet.number)" data-width="\(Int(sheet.width.rounded()))" data-height="\(Int(sheet.height.rounded()))">\
            <span class="arrange-face"><img src="\(url: "/documents/\(line.id)/pages/\(sheet.number)?width=240")" alt="\(alternative)" \
            width="\(Int(sheet.width.rounded()))" height="\(Int(sheet.height.rounded()))" loading="lazy" draggable="false"></span>\
            <span class="arrange-number">\(sheet.number)</span></li>
            """
    }

    /// The same in words, for browsers without scripts.
    private static func typed(_ frame: Frame, _ model: ArrangePage) -> HTML {
        let t = frame.texts
        let breaking = model.signer.map { _ in
            Form.check(name: "breakSignatures", label: t("arrange.signed.yes"), isOn: false)
        }
        return """
            <div class="card stack no-script">\(Form.form(frame, "POST", "/documents/\(model.line.id)/pages", """
                <div class="stack">\(Form.field(
                    frame,
                    .init(
                        name: "order", label: t("arrange.order"), value: model.order, hint: t("arrange.order.hint"),
                        autocomplete: "off")))
                \(Form.select(
                    frame, name: "turn", label: t("arrange.turn"),
                    options: ["0", "90", "180", "270"].map { ($0, t("arrange.turn.\($0)")) }, chosen: "0"))
                \(Form.field(
                    frame,
                    .init(
                        name: "crop", label: t("arrange.crop.edges"), value: model.crop, hint: t("arrange.crop.hint"),
                        autocomplete: "off", maximumLength: 100)))
                \(breaking ?? .empty)
                <div><button class="button button-main">\(t("arrange.save"))</button></div></div>
                """))</div>
            """
    }
}
