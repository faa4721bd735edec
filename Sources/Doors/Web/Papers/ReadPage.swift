import Markup

/// A PDF to be leafed through: its pages one below the other, small ones beside them, and what one needs to read.
struct ReadPage: Sendable {
    struct Sheet: Sendable {
        var number: Int
        /// In points.
        var width: Double
        var height: Double
    }

    var line: DocumentLine
    var folder: FolderLine?
    var sheets: [Sheet]
    /// A page that is among those sent.
    var page = 1
    /// What is looked for in it from the beginning.
    var words = ""
    /// Why no page can be shown.
    var trouble: String?
    /// It is locked, and that is the trouble.
    var isLocked = false
    /// They can soon.
    var isPrepared = false
    /// A form that can be filled in.
    var isFillable = false

    /// A book comes some sheets at a time; the reader itself makes the others, for which it knows their sizes.
    static let sheetsAtOnce = 24

    private var start: Int {
        (min(max(1, page), max(1, sheets.count)) - 1) / Self.sheetsAtOnce * Self.sheetsAtOnce
    }
    var sent: ArraySlice<Sheet> { sheets[start..<min(start + Self.sheetsAtOnce, sheets.count)] }

    /// `595x842*499 842x595*1`: how large the sheets are, as many as are alike together.
    var sizes: String {
        var runs: [(size: String, count: Int)] = []
        for sheet in sheets {
            let size = "\(Int(sheet.width))x\(Int(sheet.height))"
            if runs.last?.size == size {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((size, 1))
            }
        }
        return runs.map { "\($0.size)*\($0.count)" }.joined(separator: " ")
    }

    /// The first and the last sheet of those that come before and after the ones sent.
    var before: ClosedRange<Int>? { start == 0 ? nil : start - Self.sheetsAtOnce + 1...start }
    var after: ClosedRange<Int>? {
        sent.endIndex == sheets.count
            ? nil : sent.endIndex + 1...min(sent.endIndex + Self.sheetsAtOnce, sheets.count)
    }
}

extension ReadPage {
    /// A page of a paper in the reader, with words marked on it. A page beyond the first sheets is named to the server as
    /// well, which sends those around it; `isAlone` names it in any case.
    static func address(of paper: String, page: Int, words: String, isAlone: Bool = false) -> String {
        var query: [String] = []
        if !words.isEmpty { query.append("q=\(Pages.queryEncoded(words))") }
        if isAlone || page > sheetsAtOnce { query.append("page=\(page)") }
        let asked = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return "/documents/\(paper)/read\(asked)#page-\(page)"
    }
}

extension Pages {
    static func read(_ frame: Frame, _ model: ReadPage) -> HTML {
        let t = frame.texts
        let line = model.line
        var crumbs = [(name: t("documents.title"), address: "/documents")]
        if let folder = model.folder {
            crumbs.append((name: folder.path, address: "/documents?folder=\(folder.id)"))
        }
        crumbs.append((name: t("document.details"), address: "/documents/\(line.id)"))
        let download = Part.link(
            frame, "/documents/\(line.id)/file?download=1", t("document.download"), icon: .download)
        guard model.trouble == nil else {
            let open = Part.link(frame, "/documents/\(line.id)/file", t("document.open"), icon: .open)
            return Shell.page(
                frame, title: line.name,
                """
                \(Part.header(frame, line.name, crumbs: crumbs, actions: "\(open)\(download)"))
                \(Part.note(frame, model.isPrepared ? .plain : .warn, "<p>\(model.trouble ?? "")</p>\(model.isLocked ? unlocking(frame, line, then: "read") : .empty)", role: model.isPrepared ? "status" : nil))
                """)
        }
        return Shell.page(
            frame, title: line.name,
            """
            \(Part.header(
                frame, line.name, crumbs: crumbs,
                actions: "\(fillIn(frame, line, model.isFillable))\(download)\(keeping(frame, model))"))
            <page-reader class="reader" data-pages="/documents/\(line.id)/pages" data-paper="/documents/\(line.id)" \
            data-sizes="\(model.sizes)" data-alternative="\(t("template.page.of", ["number": .text("{number}"), "name": .text(line.name)]))">
            \(bar(frame, model))
            <section class="reader-outline stack" id="outline" aria-label="\(t("read.outline"))" data-outline hidden>\
            <p class="soft">\(t("read.outline.wait"))</p></section>
            <nav class="reader-side" aria-label="\(t("read.small"))"><ol>\(model.sent.map { small(frame, $0) })</ol></nav>
            <div class="reader-sheets" tabindex="0" role="group" aria-label="\(t("read.sheets"))" data-sheets>\
            \(model.sent.map { sheet(frame, model, $0) })</div>
            </page-reader>
            \(portions(frame, model))
            """)
    }

    /// The way to the page where a form is filled in.
    static func fillIn(_ frame: Frame, _ line: DocumentLine, _ isFillable: Bool) -> HTML {
        isFillable && frame.canEdit && line.trashedAt == nil
            ? Part.link(frame, "/documents/\(line.id)/form", frame.texts("byhand.title"), icon: .form)
            : .empty
    }

    /// Shown by its script, where a browser can keep papers.
    private static func keeping(_ frame: Frame, _ model: ReadPage) -> HTML {
        guard !frame.isPrivate else { return .empty }
        return """
            <keep-paper paper="/documents/\(model.line.id)" pages="\(model.sheets.count)" hidden>\
            <button class="button" type="button" aria-pressed="false">\(frame.icon(.device))<span></span></button></keep-paper>
            """
    }

    private static func bar(_ frame: Frame, _ model: ReadPage) -> HTML {
        let t = frame.texts
        func button(_ act: String, _ label: String, _ content: HTML, pressed: Bool? = nil) -> HTML {
            """
            <button class="button button-icon" type="button" data-act="\(act)" aria-label="\(label)" title="\(label)"\
            \(attribute: "aria-pressed", pressed.map { $0 ? "true" : "false" })>\(content)</button>
            """
        }
        return """
            <div class="reader-bar script-only">\
            <form class="row" data-search role="search"><label class="unseen" for="find-in">\(t("read.find"))</label>\
            <input id="find-in" type="search" name="q" value="\(model.words)" placeholder="\(t("read.find"))" autocomplete="off">\
            \(button("hit-before", t("read.hitBefore"), frame.icon(.up)))\(button("hit-after", t("read.hitAfter"), frame.icon(.down)))\
            <span class="soft small" role="status" data-hits></span></form>\
            <button class="button button-icon" type="button" data-act="outline" aria-label="\(t("read.outline"))" \
            title="\(t("read.outline"))" aria-expanded="false" aria-controls="outline">\(frame.icon(.rows))</button>\
            <span class="push"></span>\
            <label class="reader-place"><span>\(t("read.page"))</span><input type="number" min="1" max="\(model.sheets.count)" value="1" data-number>\
            <span>/ \(model.sheets.count)</span></label>\
            <span class="row">\(button("smaller", t("read.smaller"), "<span aria-hidden=\"true\">−</span>"))\
            \(button("larger", t("read.larger"), frame.icon(.plus)))\
            \(button("fit", t("read.fit"), frame.icon(.screen), pressed: false))\
            \(button("pairs", t("read.pairs"), frame.icon(.library), pressed: false))\
            \(button("turn", t("read.turn"), frame.icon(.again)))</span></div>
            """
    }

    /// Without a script, the other sheets of a book are on pages of their own.
    private static func portions(_ frame: Frame, _ model: ReadPage) -> HTML {
        let t = frame.texts
        func step(_ pages: ClosedRange<Int>?, _ icon: Icon, rel: String) -> HTML {
            guard let pages else { return .empty }
            let first = pages.lowerBound
            let address = ReadPage.address(of: model.line.id, page: first, words: model.words, isAlone: true)
            return """
                <a class="button" rel="\(rel)" href="\(url: address)">\(frame.icon(icon))\
                \(t("read.page")) \(first)–\(pages.upperBound)</a>
                """
        }
        guard model.before != nil || model.after != nil else { return .empty }
        return """
            <nav class="pager no-script" aria-label="\(t("pager.label"))"><div class="row">\
            \(step(model.before, .previous, rel: "prev"))\(step(model.after, .next, rel: "next"))</div></nav>
            """
    }

    /// The reader puts the small picture in, once the first page is there.
    private static func small(_ frame: Frame, _ sheet: ReadPage.Sheet) -> HTML {
        """
        <li><a href="#page-\(sheet.number)" data-small="\(sheet.number)">\
        <span><span class="unseen">\(frame.texts("read.page")) </span>\(sheet.number)</span></a></li>
        """
    }

    private static func sheet(_ frame: Frame, _ model: ReadPage, _ sheet: ReadPage.Sheet) -> HTML {
        let alternative = frame.texts(
            "template.page.of", ["number": .number(sheet.number), "name": .text(model.line.name)])
        return """
            <figure class="page-picture reader-sheet" id="page-\(sheet.number)" data-page="\(sheet.number)">\
            <img src="\(url: "/documents/\(model.line.id)/pages/\(sheet.number)?width=900")" alt="\(alternative)" \
            width="\(Int(sheet.width))" height="\(Int(sheet.height))" \(sheet.number > model.sent.startIndex + 1 ? "loading=\"lazy\"" as HTML : "fetchpriority=\"high\"")>\
            </figure>
            """
    }
}
