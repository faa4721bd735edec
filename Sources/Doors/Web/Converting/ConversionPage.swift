import Markup

/// Papers on their way: what came in, what came of it, and what is to be done with it. Nothing is in the library
/// before somebody has looked.
struct ConversionPage: Sendable {
    struct Paper: Sendable {
        var id: String
        var name: String
        /// `DOCX`, `JPG`, or the address of a web page.
        var note: String
        var byteCount: Int64?
        var turn: Int
        var picture: String?
    }

    struct Result: Sendable {
        var number: Int
        var name: String
        var mediaType: String
        var byteCount: Int64
        var pageCount: Int?
        /// Of its first pages.
        var pictures: [String] = []
        var document: String?
    }

    struct Wishes: Sendable {
        var goal: String
        /// What all of the papers can become.
        var goals: [String]
        var isTogether = true
        var pageSize = "auto"
        /// What sheets are in the reader's region.
        var usualSize = "auto"
        /// How photos of papers are to look; empty where they stay as they are.
        var scan = ""
        /// Looks that can be chosen; none where no photo is among the papers.
        var looks: [String] = []
        var isFindable = false
        var isSmaller = false
        var isArchive = false
        var isReader = false
        var hasBackground = false
        /// What is done with the results, one after the other, as it is written; a lock without its password.
        var steps: [String] = []
        /// What a step may make of a PDF.
        var otherKinds: [String] = []
    }

    var line: ConversionLine
    var job: String?
    var fraction: Double?
    var phase = ""
    var papers: [Paper]
    var results: [Result] = []
    var resultCount = 0
    var wishes: Wishes
    var hasPages = false
    /// Where in the library they may lie, and where they are to.
    var folders: [FolderLine] = []
    var folder = ""
    /// What the report has to say to a person.
    var remarks: [String] = []
    /// What was found to be as it should.
    var assurances: [String] = []
    var details: [String] = []
    /// Why a change was not taken, and whether one of the steps was at fault.
    var error: String?
    var isStepWrong = false
    /// The tool it was begun with, which still has to be told something.
    var asked: Tool?
    /// The paper of the library this was made of.
    var versionOf: (id: String, name: String)?
}

extension Pages {
    static func conversion(_ frame: Frame, _ model: ConversionPage) -> HTML {
        let t = frame.texts
        let path = "/conversions/\(model.line.id)"
        let discard: HTML =
            frame.canEdit
            ? Form.button(
                frame, "DELETE", path, t("convert.discard"), icon: .trash, css: "button button-danger",
                confirm: model.line.isKept ? nil : t("convert.discard.confirm")) : .empty
        return Shell.page(
            frame, title: model.line.name,
            """
            \(Part.header(
                frame, model.line.name, lede: t("convert.papers", ["count": .number(model.papers.count)]),
                crumbs: [(t("tools.title"), "/tools"), (t("convert.title"), "/conversions")], actions: discard))
            <soft-page class="columns columns-wide">
            <div class="stack" data-swap="state"><live-part\(attribute: "job", model.job)><div class="stack" data-live>\
            \(conversionState(frame, model, path))</div></live-part></div>
            <div class="stack">
            <div class="stack" data-swap="papers">\(conversionPapers(frame, model, path))</div>
            \(frame.canEdit
                ? """
                <div data-swap="wishes">\(conversionWishes(frame, model, path))</div>
                <div class="stack" data-swap="steps">\(conversionSteps(frame, model, path))</div>
                """ : HTML.empty)</div>
            </soft-page>
            """)
    }

    // MARK: What has come of it

    private static func conversionState(_ frame: Frame, _ model: ConversionPage, _ path: String) -> HTML {
        let t = frame.texts
        func start(_ label: String, _ icon: Icon) -> HTML {
            frame.canEdit && !model.papers.isEmpty
                ? Form.button(frame, "POST", path + "/runs", label, icon: icon, css: "button button-main")
                : .empty
        }
        switch model.line.state {
        case .waiting, .running:
            let value = model.fraction.map { String(Int($0 * 100)) }
            let cancel: HTML =
                frame.canEdit
                ? Form.button(frame, "POST", path + "/cancellation", t("convert.cancel"), icon: .stop)
                : .empty
            return """
                <section class="card" aria-label="\(t("convert.progress"))">
                <p role="status"><strong>\(t("convert.state.\(model.line.state.rawValue)"))</strong> <span class="soft" dir="auto">\(model.phase)</span></p>
                <progress max="100"\(attribute: "value", value) aria-label="\(t("convert.progress"))"></progress>
                <p class="soft small">\(t("convert.leave"))</p><div class="row">\(cancel)</div></section>
                """
        case .draft:
            return """
                \(draftSaid(frame, model, path) ?? """
                    \(Part.note(frame, .plain, "<p>\(t(model.papers.isEmpty ? "convert.draft.empty" : "convert.draft"))</p>"))
                    <div class="row">\(start(t("convert.make"), .document))</div>
                    """)
                \(model.results.isEmpty ? HTML.empty : conversionResults(frame, model, path))
                """
        case .failed:
            return """
                \(Part.note(frame, .bad, "<p>\(model.line.reason.map(t.said) ?? t("convert.state.failed"))</p>"))
                <div class="row">\(start(t("convert.again"), .again))</div>
                """
        case .cancelled:
            return """
                \(Part.note(frame, .plain, "<p>\(t("convert.cancelled"))</p>"))
                <div class="row">\(start(t("convert.again"), .again))</div>
                \(model.results.isEmpty ? HTML.empty : conversionResults(frame, model, path))
                """
        case .done:
            return """
                \(model.remarks.isEmpty
                    ? HTML.empty
                    : Part.note(frame, .warn, "<ul>\(model.remarks.map { "<li>\($0)</li>" as HTML })</ul>"))
                \(model.assurances.map { Part.note(frame, .good, "<p>\($0)</p>") })
                \(conversionResults(frame, model, path))\(conversionReport(frame, model))
                """
        }
    }

    /// What a tool has to be told comes first, and with it the work begins.
    private static func draftSaid(_ frame: Frame, _ model: ConversionPage, _ path: String) -> HTML? {
        guard frame.canEdit, !model.papers.isEmpty, let tool = model.asked else { return nil }
        return Part.card(
            frame.texts("tool.\(tool.name)"),
            "\(Form.failure(frame, model.error))\(stepAsked(frame, tool, path, steps: model.wishes.steps))")
    }

    private static func conversionResults(_ frame: Frame, _ model: ConversionPage, _ path: String) -> HTML {
        let t = frame.texts
        let open = model.results.contains { $0.document == nil }
        let more = model.resultCount - model.results.count
        let results = model.results.map { conversionResult(frame, $0, path) }
        let keep: HTML =
            frame.canEdit && open && model.line.state == .done
            ? """
            <button class="button button-main">\(frame.icon(.check))\(t("convert.keep", ["count": .number(model.resultCount)]))</button>
            """ : .empty
        let folder: HTML =
            keep == .empty || model.folders.isEmpty
            ? .empty
            : Form.select(
                frame, name: "folder", label: t("filing.folder"),
                options: [("", t("filing.noFolder"))] + model.folders.map { ($0.id, $0.path) },
                chosen: model.folder)
        let download = Part.link(
            frame, model.resultCount == 1 ? "\(path)/results/1/file?download=1" : path + "/file",
            t(model.resultCount == 1 ? "document.download" : "convert.downloadAll"), icon: .download)
        return """
            <section class="card"><div class="card-head"><h2>\(t("convert.results", ["count": .number(model.resultCount)]))</h2></div>
            \(Form.form(
                frame, "POST", path + "/documents",
                """
                \(results)\(more > 0 ? "<p class=\"soft\">\(t("convert.more", ["count": .number(more)]))</p>" as HTML : .empty)
                \(folder)<div class="row">\(keep)\(download)</div>
                """))\(keep == .empty ? .empty : asVersion(frame, model))</section>
            """
    }

    /// Instead of a paper of its own it can be what the paper it was made of is from now on.
    private static func asVersion(_ frame: Frame, _ model: ConversionPage) -> HTML {
        guard let paper = model.versionOf else { return .empty }
        return Form.form(
            frame, "POST", "/documents/\(paper.id)/versions", css: nil,
            """
            <input type="hidden" name="conversion" value="\(model.line.id)">\
            <button class="button">\(frame.icon(.history))\(frame.texts("versions.ofConversion", ["name": .text(paper.name)]))</button>
            """)
    }

    private static func conversionResult(
        _ frame: Frame, _ result: ConversionPage.Result, _ path: String
    ) -> HTML {
        let t = frame.texts
        let file = "\(path)/results/\(result.number)/file"
        let pictures: HTML =
            result.pictures.isEmpty
            ? .empty
            : """
            <ul class="contact-sheet">\(result.pictures.enumerated().map { place, picture -> HTML in
                """
                <li class="sheet-item"><a href="\(url: file)\(result.pageCount == nil ? "" : "#page=\(place + 1)")" \
                aria-label="\(result.pageCount == nil ? result.name : t("template.page.of", ["number": .number(place + 1), "name": .text(result.name)]))">\
                \(Part.thumbnail(picture))</a></li>
                """
            })</ul>
            """
        var facts: [HTML] = [Part.size(result.byteCount)]
        if let pages = result.pageCount {
            facts.insert("\(t("templates.pages", ["count": .number(pages)]))", at: 0)
        }
        let line: HTML = "<span class=\"soft small\">\(facts.joined(separator: " · "))</span>"
        if let document = result.document {
            return """
                <div class="stack stack-s">\(pictures)<div class="row"><a href="\(url: "/documents/\(document)")" dir="auto">\(result.name)</a>\
                \(Part.chip(frame, t("convert.kept"), .good, icon: .check))\(line)</div></div>
                """
        }
        let name: HTML =
            frame.canEdit
            ? """
            <div class="field"><label for="name-\(result.number)">\(t("convert.name"))</label>\
            <input type="text" id="name-\(result.number)" name="name:\(result.number)" value="\(result.name)" maxlength="200" autocomplete="off" dir="auto"></div>
            """ : "<strong dir=\"auto\">\(result.name)</strong>"
        return """
            <div class="stack stack-s">\(pictures)\(name)<div class="row">\
            \(Part.link(frame, file, t("document.open"), icon: .open, css: "button button-s"))\(line)</div></div>
            """
    }

    private static func conversionReport(_ frame: Frame, _ model: ConversionPage) -> HTML {
        guard !model.details.isEmpty else { return .empty }
        return """
            <details class="more"><summary>\(frame.texts("convert.report"))</summary>\
            <ul class="small soft">\(model.details.map { "<li>\($0)</li>" as HTML })</ul></details>
            """
    }

    // MARK: What came in

    private static func conversionPapers(_ frame: Frame, _ model: ConversionPage, _ path: String) -> HTML {
        let t = frame.texts
        let all = model.papers.enumerated().map { place, paper in
            paperItem(frame, paper, number: place + 1, of: model.papers.count, path)
        }
        // Whoever brings forty papers wants to get at what is below them.
        let first = all.count > mostPapersShown + 2 ? mostPapersShown : all.count
        let rest: HTML =
            first == all.count
            ? .empty
            : """
            <details class="more" id="more-papers"><summary>\(t("convert.more", ["count": .number(all.count - first)]))</summary>\
            \(Part.list(Array(all[first...])))</details>
            """
        let items: HTML = "\(Part.list(Array(all[..<first])))\(rest)"
        let more: HTML =
            frame.canEdit
            ? """
            <details class="more"\(attribute: "open", if: model.papers.isEmpty)><summary>\(t("convert.addMore"))</summary>\
            \(Part.uploadZone(frame, to: .conversion(model.line.id, behind: model.papers.count), hint: "convert.files.hint"))</details>
            """ : .empty
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("convert.cameIn"))</h2></div>\
            \(model.papers.isEmpty ? HTML.empty : items)</section>\(more)
            """
    }

    private static let mostPapersShown = 8

    private static func paperItem(
        _ frame: Frame, _ paper: ConversionPage.Paper, number: Int, of count: Int, _ path: String
    ) -> HTML {
        let t = frame.texts
        let address = "\(path)/papers/\(paper.id)"
        let name = ["name": Catalog.Argument.text(paper.name)]
        func order(_ field: String, _ value: Int, _ icon: Icon, _ label: String) -> HTML {
            Form.form(
                frame, "PATCH", address, css: nil, soft: true,
                """
                <input type="hidden" name="\(field)" value="\(value)"><button class="button button-icon button-quiet" \
                id="\(field)-\(icon.rawValue)-\(number)" aria-label="\(label)">\(frame.icon(icon))</button>
                """)
        }
        let buttons: HTML =
            frame.canEdit
            ? """
            <div class="row">\(order("turn", 90, .rotate, t("convert.turn", name)))\
            \(number > 1 ? order("place", number - 1, .up, t("papers.up", name)) : .empty)\
            \(number < count ? order("place", number + 1, .down, t("papers.down", name)) : .empty)\
            \(Form.form(
                frame, "DELETE", address, css: nil, soft: true,
                "<button class=\"button button-icon button-quiet\" aria-label=\"\(t("members.remove.name", name))\">\(frame.icon(.close))</button>"))</div>
            """ : .empty
        let turned: HTML =
            paper.turn == 0 ? .empty : " · \(t("convert.turned", ["angle": .number(paper.turn)]))"
        let size: HTML = paper.byteCount.map { " · \(Part.size($0))" as HTML } ?? .empty
        return """
            <div class="item">\(paper.picture == nil ? frame.icon(paper.byteCount == nil ? .globe : .document) : Part.thumbnail(paper.picture))\
            <span class="item-text"><span class="item-title" dir="auto">\(paper.name)</span>\
            <span class="item-note">\(paper.note)\(size)\(turned)</span></span>\(buttons)</div>
            """
    }

    // MARK: What is wished

    private static func conversionWishes(_ frame: Frame, _ model: ConversionPage, _ path: String) -> HTML {
        let t = frame.texts
        let wishes = model.wishes
        let sizes =
            [
                (
                    wishes.pageSize.hasPrefix("auto") ? wishes.pageSize : wishes.usualSize,
                    t("convert.size.auto")
                ),
                ("picture", t("convert.size.picture")),
            ]
            + ["a3", "a4", "a5", "letter", "legal"].map { ($0, $0.prefix(1).uppercased() + $0.dropFirst()) }
        let isPDF = wishes.goal == "pdf"
        func box(_ name: String) -> HTML { "<input type=\"hidden\" name=\"boxes\" value=\"\(name)\">" }
        let photos: HTML =
            isPDF && !wishes.looks.isEmpty
            ? Form.select(
                frame, name: "scan", label: t("convert.scan"),
                options: [("", t("convert.size.auto"))] + wishes.looks.map { ($0, t("convert.scan.\($0)")) },
                chosen: wishes.scan) : .empty
        let together: HTML =
            model.papers.count > 1 && isPDF
            ? "\(box("together"))\(Form.check(name: "together", label: t("convert.together"), isOn: wishes.isTogether))"
            : .empty
        let web: HTML =
            model.hasPages
            ? """
            \(box("reader"))\(box("background"))\(Form.check(name: "reader", label: t("convert.reader"), hint: t("convert.reader.hint"), isOn: wishes.isReader))
            \(Form.check(name: "background", label: t("convert.background"), isOn: wishes.hasBackground))
            """ : .empty
        let afterwards: HTML =
            isPDF
            ? """
            \(["findable", "smaller", "archive"].map(box))\(Form.check(name: "findable", label: t("convert.findable"), hint: t("convert.findable.hint"), isOn: wishes.isFindable))
            \(Form.check(name: "smaller", label: t("convert.smaller"), hint: t("convert.smaller.hint"), isOn: wishes.isSmaller))
            \(Form.check(name: "archive", label: t("convert.archive"), hint: t("convert.archive.hint"), isOn: wishes.isArchive))
            """ : .empty
        return Part.card(
            t("convert.wishes"),
            Form.form(
                frame, "PATCH", path, soft: true,
                """
                \(model.isStepWrong || model.asked != nil ? HTML.empty : Form.failure(frame, model.error))
                \(Form.select(
                    frame, name: "to", label: t("convert.to"),
                    options: wishes.goals.map { ($0, $0.uppercased()) }, chosen: wishes.goal))
                \(isPDF ? Form.select(frame, name: "pageSize", label: t("convert.size"), options: sizes, chosen: wishes.pageSize) : .empty)
                \(photos)\(together)\(web)\(afterwards)\(stepsKept(wishes.steps))
                <details class="more"\(attribute: "open", if: model.line.state == .failed)><summary>\(t("convert.locked"))</summary><div class="stack">
                \(Form.field(frame, .init(name: "password", label: t("convert.password"), type: "password", hint: t("convert.password.hint"), autocomplete: "off")))</div></details>
                <div><button class="button">\(frame.icon(.again))\(t("convert.apply"))</button></div>
                """))
    }
}
