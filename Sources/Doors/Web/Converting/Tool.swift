import Markup

/// What people look for by name: a conversion whose step is chosen already, or a page that does it.
struct Tool: Sendable {
    /// In addresses and texts: `split`.
    var name: String
    var icon: Icon
    /// Where it leads, if it has a page of its own.
    var page: String?
    /// The step as it is written: `compress`, `rotate=90`.
    var step: String?
    /// What has to be told before the step can be taken: the pages, the words, the password.
    var asks = false
    /// Several files become one; otherwise each becomes its own.
    var joins = false
    /// Done with a paper that is here already, on this page of it: `redaction`.
    var ofPaper: String?

    var address: String { page ?? "/tools/\(name)" }

    struct Shelf: Sendable {
        var name: String
        var tools: [Tool]
    }

    /// In the order in which people look for them.
    static let shelves: [Shelf] = [
        .init(
            name: "make",
            tools: [
                .init(name: "convert", icon: .document, page: "/conversions/new"),
                .init(name: "scan", icon: .camera, page: "/scan"),
                .init(name: "photos", icon: .camera, page: "/conversions/new?from=photos"),
                .init(name: "web", icon: .globe, page: "/conversions/new?from=web"),
                .init(name: "paste", icon: .copy, page: "/conversions/new?from=paste"),
                .init(name: "ocr", icon: .words, step: "ocr"),
            ]),
        .init(
            name: "from",
            tools: [
                .init(name: "word", icon: .letters, step: "docx"),
                .init(name: "excel", icon: .rows, step: "xlsx"),
                .init(name: "book", icon: .library, step: "epub"),
                .init(name: "replies", icon: .form, page: "/harvests"),
            ]),
        .init(
            name: "pages",
            tools: [
                .init(name: "arrange", icon: .tiles, ofPaper: "pages"),
                .init(name: "merge", icon: .merge, joins: true),
                .init(name: "split", icon: .split, step: "split", asks: true),
                .init(name: "alternate", icon: .layers, step: "alternate", asks: true),
                .init(name: "printed", icon: .document, step: "pages=printed"),
                .init(name: "pages", icon: .rows, step: "pages", asks: true),
                .init(name: "rotate", icon: .rotate, step: "rotate=90"),
                .init(name: "number", icon: .letters, step: "number", asks: true),
                .init(name: "watermark", icon: .stamp, step: "watermark", asks: true),
                .init(name: "stamp", icon: .edit, step: "stamp", asks: true),
                .init(name: "picture", icon: .picture, step: "picture", asks: true),
                .init(name: "background", icon: .letters, step: "background", asks: true),
                .init(name: "nup", icon: .tiles, step: "nup", asks: true),
                .init(name: "booklet", icon: .library, step: "booklet", asks: true),
                .init(name: "poster", icon: .square, step: "poster", asks: true),
                .init(name: "resize", icon: .document, step: "resize", asks: true),
                .init(name: "crop", icon: .square, step: "crop", asks: true),
                .init(name: "bookmarks", icon: .tag, step: "bookmarks", asks: true),
            ]),
        .init(
            name: "finish",
            tools: [
                .init(name: "compress", icon: .compress, step: "compress"),
                .init(name: "protect", icon: .lock, step: "encrypt", asks: true),
                .init(name: "unlock", icon: .key, ofPaper: "password"),
                .init(name: "redact", icon: .stop, ofPaper: "redaction"),
                .init(name: "sign", icon: .shield, ofPaper: "signatures"),
                .init(name: "sanitise", icon: .eye, step: "sanitise"),
                .init(name: "flatten", icon: .layers, step: "flatten"),
                .init(name: "archive", icon: .archive, step: "pdfa=2b"),
                .init(name: "facts", icon: .info, step: "title", asks: true),
                .init(name: "attach", icon: .clip, step: "attach", joins: true),
                .init(name: "attachments", icon: .download, step: "attachments"),
                .init(name: "web-view", icon: .gauge, step: "linearize"),
            ]),
    ]

    static let all = shelves.flatMap(\.tools)

    static func named(_ name: String) -> Tool? { all.first { $0.name == name && $0.page == nil } }
}

extension Pages {
    static func tools(_ frame: Frame, onTheirWay: [ConversionLine]) -> HTML {
        let t = frame.texts
        let shelves = Tool.shelves.map { shelf -> HTML in
            """
            <section class="stack stack-s"><h2 class="section-title">\(t("tools.\(shelf.name)"))</h2>
            <ul class="tool-shelf">\(shelf.tools.map { "<li>\(toolTile(frame, $0))</li>" as HTML })</ul></section>
            """
        }
        let waiting: HTML =
            onTheirWay.isEmpty
            ? .empty
            : Part.card(
                t("convert.title"),
                """
                \(Part.list(onTheirWay.map { conversionItem(frame, $0) }))
                <p><a href="/conversions">\(t("convert.waiting.all"))</a></p>
                """)
        return Shell.page(
            frame, title: t("tools.title"),
            """
            \(Part.header(frame, t("tools.title"), lede: t("tools.lede")))
            \(waiting)\(shelves)
            """)
    }

    private static func toolTile(_ frame: Frame, _ tool: Tool) -> HTML {
        """
        <a class="tool-tile" href="\(url: tool.address)">\(frame.icon(tool.icon))\
        <span><strong>\(frame.texts("tool.\(tool.name)"))</strong><small>\(frame.texts("tool.\(tool.name).hint"))</small></span></a>
        """
    }

    /// A tool for papers that are here: which it is to be.
    static func toolPapers(
        _ frame: Frame, _ tool: Tool, page: String, filter: String, papers: [DocumentLine]
    ) -> HTML {
        let t = frame.texts
        let title = t("tool.\(tool.name)")
        let items = papers.map { paper -> HTML in
            """
            <a class="item" href="\(url: "/documents/\(paper.id)/\(page)")">\(Part.sheet(paper.mediaType, name: paper.name))\
            <span class="item-text"><span class="item-title" dir="auto">\(paper.name)</span>\
            <span class="item-note">\(Part.time(paper.addedAt))</span></span></a>
            """
        }
        return Shell.page(
            frame, title: title, narrow: true,
            """
            \(Part.header(
                frame, title, lede: t("tool.\(tool.name).hint"), crumbs: [(t("tools.title"), "/tools")],
                actions: Part.link(frame, "/documents/new", t("documents.add"), icon: .upload)))
            <form class="table-tools" method="get" action="\(url: tool.address)" role="search">
            <div class="filter">\(frame.icon(.search))<label class="unseen" for="q">\(t("documents.filter"))</label>\
            <input id="q" type="search" name="q" value="\(filter)" placeholder="\(t("documents.filter"))" autocomplete="off"></div>
            <button class="button">\(t("documents.search"))</button></form>
            \(papers.isEmpty
                ? "<p>\(t(filter.isEmpty ? "tool.papers.none" : "tool.papers.noMatch"))</p>"
                : "<section class=\"card card-flush\" aria-label=\"\(t("tool.papers"))\">\(Part.list(items))</section>" as HTML)
            """)
    }

    /// One tool: what it does, and where its files go.
    static func tool(_ frame: Frame, _ tool: Tool, error: String? = nil) -> HTML {
        let t = frame.texts
        let title = t("tool.\(tool.name)")
        return Shell.page(
            frame, title: title, narrow: true,
            """
            \(Part.header(
                frame, title, lede: t("tool.\(tool.name).hint"), crumbs: [(t("tools.title"), "/tools")]))
            \(Form.failure(frame, error))
            \(Part.uploadZone(frame, .files, to: .tool(tool), hint: "tool.files.hint"))
            <p class="soft small">\(t(tool.asks ? "tool.asks" : "tool.review"))</p>
            """)
    }
}
