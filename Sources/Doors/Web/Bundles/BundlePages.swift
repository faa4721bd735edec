import Delivery
import Filling
import Mappings
import Markup
import Storage
import Work

/// Bundles that were kept, and where new ones come in.
struct BundlesPage: Sendable {
    struct Line: Sendable {
        var id: String
        var name: String
        var byteCount: Int64
        var at: Moment

        init(id: String, name: String, byteCount: Int64, at: Moment) {
            self.id = id
            self.name = name
            self.byteCount = byteCount
            self.at = at
        }

        init(_ bundle: KeptBundle) {
            self.init(
                id: bundle.id.text, name: bundle.name, byteCount: bundle.byteCount,
                at: bundle.keptAt ?? bundle.takenAt)
        }
    }

    var lines: [Line]
}

/// One of them, to look at before it is kept, or to begin from.
struct BundlePage: Sendable {
    var id: String
    var content: BundleView
    var isKept: Bool
    var isRemoved = false
    /// Send-outs that began from it.
    var batches: [BatchLine] = []
}

/// What of a send-out would be given away.
struct GivingPage: Sendable {
    var batch: BatchLine
    var content: BundleView
    var heldBack: [Bundles.HeldBack]
    var realRows = 0
}

extension Pages {
    static func bundles(_ frame: Frame, _ model: BundlesPage) -> HTML {
        let t = frame.texts
        let kept: HTML =
            model.lines.isEmpty
            ? Part.empty(
                frame, icon: .archive, title: t("bundles.empty"), "<p>\(t("bundles.empty.text"))</p>")
            : Part.list(
                model.lines.map { line -> HTML in
                    """
                    <a class="item" href="\(url: "/bundles/\(line.id)")">\(frame.icon(.archive))<span class="item-text">\
                    <span class="item-title" dir="auto">\(line.name)</span>\
                    <span class="item-note">\(Part.size(line.byteCount)) · \(Part.time(line.at))</span></span>\(frame.icon(.next, small: true))</a>
                    """
                })
        return Shell.page(
            frame, title: t("bundles.title"),
            """
            \(Part.header(
                frame, t("bundles.title"), lede: t("bundles.lede"), crumbs: [(t("packets.title"), "/batches")]))
            <div class="stack">\(frame.canEdit
                ? Part.fileZone(
                    frame, action: "/bundles", label: t("bundles.drop"), hint: t("bundles.drop.hint"),
                    accept: "application/zip,.zip", many: false) : .empty)
            <section class="card card-flush" aria-label="\(t("bundles.title"))">\(kept)</section></div>
            """)
    }

    static func bundle(_ frame: Frame, _ model: BundlePage) -> HTML {
        let t = frame.texts
        let content = model.content
        let state = model.isRemoved ? "bundle.gone" : model.isKept ? "bundle.kept" : "bundle.look"
        let remove: HTML =
            frame.canEdit && model.isKept
            ? Form.button(
                frame, "DELETE", "/bundles/\(model.id)", t("bundle.remove"), icon: .trash,
                css: "button button-quiet") : .empty
        let begun: HTML =
            model.batches.isEmpty
            ? .empty
            : Part.card(
                t("bundle.begun"), Part.list(model.batches.map { batchItem(frame, $0) }))
        return Shell.page(
            frame, title: content.name,
            """
            \(Part.header(
                frame, content.name, lede: t(state),
                crumbs: [(t("packets.title"), "/batches"), (t("bundles.title"), "/bundles")], actions: remove))
            <div class="stack">\(warnings(frame, content))\(begun)
            \(inside(frame, content) { "/bundles/\(model.id)/parts/\($0)/picture" })</div>
            \(frame.canEdit ? bundleActs(frame, model) : .empty)
            """)
    }

    private static func bundleActs(_ frame: Frame, _ model: BundlePage) -> HTML {
        let t = frame.texts
        let path = "/bundles/\(model.id)"
        guard !model.isRemoved else {
            return """
                <div class="action-bar"><span class="push"></span>\(Form.button(
                    frame, "POST", path + "/restoration", t("documents.restore"), icon: .restore, css: "button button-main"))</div>
                """
        }
        guard model.isKept else {
            return """
                <div class="action-bar">\(Form.button(frame, "DELETE", path, t("bundle.notNow"), css: "button button-quiet"))<span class="push"></span>\
                \(Form.button(frame, "POST", path + "/keeping", t("bundle.keep"), icon: .check, css: "button button-main"))</div>
                """
        }
        let examples: HTML =
            model.content.rows.isEmpty
            ? .empty
            : Form.form(
                frame, "POST", path + "/batches", css: nil,
                """
                <button class="button" name="examples" value="yes">\(frame.icon(.people))\(t("bundle.begin.examples"))</button>
                """)
        return """
            <div class="action-bar"><span class="push"></span>\(examples)\
            \(Form.button(frame, "POST", path + "/batches", t("bundle.begin"), icon: .next, css: "button button-main button-forward"))</div>
            """
    }

    static func giving(_ frame: Frame, _ model: GivingPage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)/bundle"
        let file = model.realRows > 0 ? path + "/file?realRows=\(model.realRows)" : path + "/file"
        let heldBack: HTML =
            model.heldBack.isEmpty
            ? .empty
            : Part.note(
                frame, .plain,
                "<ul>\(model.heldBack.map { "<li>\(t("bundle.heldBack.\($0.rawValue)"))</li>" as HTML })</ul>"
            )
        let real: HTML =
            model.batch.recipientCount == 0
            ? .empty
            : """
            <details class="more"\(attribute: "open", if: model.realRows > 0)><summary>\(t("bundle.real"))</summary>
            <form class="stack" method="get" action="\(url: path)"><p class="soft">\(t("bundle.real.text"))</p>
            \(Form.field(
                frame,
                .init(
                    name: "realRows", label: t("bundle.real.count"), value: "\(model.realRows)", type: "number",
                    hint: t("bundle.real.hint"), autocomplete: "off", inputMode: "numeric")))
            <div><button class="button">\(t("bundle.real.show"))</button></div></form></details>
            """
        return Shell.page(
            frame, title: "\(t("bundle.give")): \(model.batch.name)",
            """
            \(Part.header(
                frame, t("bundle.give"), lede: t("bundle.give.lede"),
                crumbs: [(t("packets.title"), "/batches"), (model.batch.name, "/batches/\(model.batch.id)")]))
            <div class="stack">\(model.realRows > 0
                ? Part.note(frame, .warn, "<p>\(t("bundle.real.warning", ["count": .number(model.content.rows.count)]))</p>")
                : .empty)\(heldBack)\(warnings(frame, model.content))
            \(inside(frame, model.content) { _ in model.batch.picture })\(real)</div>
            <div class="action-bar"><span class="soft small">\(t("bundle.give.note"))</span><span class="push"></span>\
            <a class="button button-main" href="\(url: file)" download>\(frame.icon(.download))\(t("bundle.download"))</a></div>
            """)
    }

    // MARK: What is in it

    private static func warnings(_ frame: Frame, _ content: BundleView) -> HTML {
        let t = frame.texts
        let problems = content.parts.flatMap { part in
            part.problems.map { "<li><strong dir=\"auto\">\(part.name)</strong>: \($0)</li>" as HTML }
        }
        let misfits: HTML =
            problems.isEmpty
            ? .empty
            : Part.note(frame, .warn, "<p>\(t("bundle.misfits"))</p><ul>\(problems)</ul>")
        let unknown: HTML =
            content.leftOut.isEmpty
            ? .empty
            : Part.note(
                frame, .warn,
                "<p>\(t("bundle.unknown", ["things": .text(content.leftOut.joined(separator: ", "))]))</p>")
        let notTaken = content.notTaken.sorted.map { what in
            Part.note(frame, .warn, "<p>\(t("bundle.notTaken.\(what.rawValue)"))</p>")
        }
        return "\(misfits)\(unknown)\(notTaken)"
    }

    private static func inside(
        _ frame: Frame, _ content: BundleView, picture: (Int) -> String?
    ) -> HTML {
        let t = frame.texts
        let papers = content.parts.enumerated().map { place, part in
            bundlePart(frame, part, picture: part.kind == .form ? picture(place + 1) : nil)
        }
        return """
            <div class="columns columns-even"><div class="stack">
            \(Part.card(t("papers.chosen"), Part.list(papers)))\(choices(frame, content))</div>
            <div class="stack">\(message(frame, content))\(examplePeople(frame, content))</div></div>
            """
    }

    private static func bundlePart(_ frame: Frame, _ part: BundleView.Part, picture: String?) -> HTML {
        let t = frame.texts
        let note: HTML =
            switch part.kind {
            case .form:
                """
                \(t(
                    "templates.size",
                    [
                        "pages": .text(t("templates.pages", ["count": .number(part.pageCount)])),
                        "fields": .text(t("templates.fields", ["count": .number(part.fieldCount)])),
                    ]))
                """
            case .paper: "\(t("papers.sameForAll"))"
            case .attachment: "\(t("papers.addPattern"))"
            }
        let condition: HTML =
            part.condition.isEmpty
            ? .empty
            : "<p class=\"small\">\(t("papers.when")): <span class=\"mono\">\(part.condition)</span></p>"
        let lines: HTML =
            part.mapping == nil
            ? .empty
            : """
            <details class="more item-more"><summary>\(t("bundle.lines", ["count": .number(part.lines.count)]))</summary>
            <dl class="facts">\(part.lines.map { line -> HTML in
                "<div><dt dir=\"auto\">\(line.field)</dt><dd dir=\"auto\">\(source(frame, line.source))</dd></div>"
            })</dl>
            <details class="more"><summary>\(t("bundle.lines.text"))</summary><pre class="card mono" dir="ltr" tabindex="0">\(part.mapping ?? "")</pre></details>
            </details>
            """
        return """
            <div class="item">\(part.kind == .form ? Part.thumbnail(picture) : frame.icon(part.kind == .paper ? .document : .link))\
            <span class="item-text"><span class="item-title" dir="auto">\(part.name)</span><span class="item-note">\(note)</span>\
            \(condition)</span>\(lines)</div>
            """
    }

    /// In words: a column, a text that is the same for all, or worked out.
    private static func source(_ frame: Frame, _ text: String) -> HTML {
        let t = frame.texts
        return switch Mapping.Source(text) {
        case .empty: .empty
        case .column(let name): "\(t("bundle.line.column", ["name": .text(name)]))"
        case .fixed(let words): "\(t("bundle.line.fixed", ["text": .text(words)]))"
        case .formula(let formula): "<span class=\"mono\">\(formula)</span>"
        }
    }

    private static func choices(_ frame: Frame, _ content: BundleView) -> HTML {
        let t = frame.texts
        let options = content.options
        var facts: [(name: String, value: HTML)] = [
            (t("check.naming"), "<span class=\"mono\" dir=\"ltr\">\(content.naming)</span>")
        ]
        let yes: HTML = "\(t("bundle.yes"))"
        if options.flattens { facts.append((t("check.flatten"), yes)) }
        if options.overflow == .continuation {
            facts.append((t("check.overflow"), "\(t("check.overflow.continuation"))"))
        }
        if options.makesDespiteProblems { facts.append((t("check.despite"), yes)) }
        if options.needsSecondMember { facts.append((t("check.second"), yes)) }
        if options.duplex { facts.append((t("check.duplex"), yes)) }
        if !options.password.isEmpty {
            facts.append((t("check.password"), "<span class=\"mono\">\(options.password)</span>"))
        }
        if !options.locale.isEmpty { facts.append((t("check.locale"), "\(options.locale)")) }
        if let pattern = options.numbering?.pattern {
            facts.append((t("check.pageNumbers"), "<span class=\"mono\">\(pattern)</span>"))
        }
        if let prefix = options.numbering?.bates?.prefix { facts.append((t("check.bates"), "\(prefix)")) }
        return Part.card(t("check.options"), Part.facts(facts))
    }

    private static func message(_ frame: Frame, _ content: BundleView) -> HTML {
        let t = frame.texts
        guard let letter = content.letter else {
            return Part.card(t("bundle.letter"), "<p class=\"soft\">\(t("bundle.letter.none"))</p>")
        }
        let files: HTML =
            content.files.isEmpty
            ? .empty
            : "<p class=\"small\">\(frame.icon(.clip))<span dir=\"auto\">\(content.files.joined(separator: ", "))</span></p>"
        return Part.card(
            t("bundle.letter"),
            """
            <p><strong dir="auto">\(letter.subject)</strong></p>\
            <p class="wrapped" dir="auto">\(letter.body)</p>\(files)
            """)
    }

    private static func examplePeople(_ frame: Frame, _ content: BundleView) -> HTML {
        let t = frame.texts
        guard !content.columns.isEmpty else {
            return Part.card(t("bundle.people"), "<p class=\"soft\">\(t("bundle.people.none"))</p>")
        }
        let heads = content.columns.map { "<th scope=\"col\" dir=\"auto\">\($0)</th>" as HTML }
        let rows = content.rows.map { row -> HTML in
            "<tr>\(row.map { "<td dir=\"auto\">\($0)</td>" as HTML })</tr>"
        }
        return Part.card(
            t("bundle.people"),
            """
            <p class="soft">\(t(content.hasRealRows ? "bundle.people.real" : "bundle.people.invented"))</p>
            <div class="grid-wrap grid-plain" tabindex="0" role="region" aria-label="\(t("bundle.people"))"><table class="grid">
            <thead><tr>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
            """)
    }

    // MARK: The example

    static func tryExample(_ frame: Frame, css: String = "button") -> HTML {
        Form.button(
            frame, "POST", "/bundles/example", frame.texts("example.try"), icon: .packets, css: css)
    }

    /// Above everything that is the example's: what it is, and the way to be rid of it.
    static func exampleNote(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Part.note(
            frame, .plain,
            """
            <p>\(t("example.note"))</p>\(frame.canEdit
                ? "<div>\(Form.button(frame, "DELETE", "/bundles/example", t("example.remove"), icon: .trash, css: "button button-s"))</div>" as HTML
                : .empty)
            """)
    }
}
