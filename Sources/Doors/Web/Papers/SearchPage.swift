import Library
import Markup
import Work

/// What the command palette shows, as a page for those without scripts.
struct SearchPage: Sendable {
    struct Hit: Sendable {
        var title: String
        var address: String
        var icon: Icon
        var note: String = ""
        /// Where in a paper, and what stands there.
        var page: Int?
        var snippet: Snippet?
        /// By what papers that are called alike are told apart.
        var facts: Facts?
    }
    struct Facts: Sendable {
        /// With those around it.
        var folder: String?
        var pageCount: Int?
        var addedAt: Moment
    }
    var query: String
    var hits: [Hit]
    /// What was probably meant when nothing was found.
    var meant: String?
    var unreadCount = 0
    var sort = ""
}

extension Pages {
    static func search(_ frame: Frame, _ model: SearchPage) -> HTML {
        let t = frame.texts
        let results: HTML =
            model.hits.isEmpty
            ? nothing(frame, model)
            : """
            <section class="card card-flush">\(Part.list(model.hits.map { hit -> HTML in
                """
                <a class="item" href="\(url: hit.address)">\(frame.icon(hit.icon))<span class="item-text">\
                <span class="item-title" dir="auto">\(hit.title)</span>\(hit.facts.map { facts(frame, $0) })\
                <span class="item-note">\(note(frame, hit))</span></span></a>
                """
            }))</section>
            """
        return Shell.page(
            frame, title: t("search.title"), narrow: true,
            """
            \(Part.header(frame, t("search.title")))
            <form class="with-button" method="get" action="/search" role="search">
            <div class="filter">\(frame.icon(.search))<label class="unseen" for="q">\(t("shell.search"))</label>\
            <input id="q" type="search" name="q" value="\(model.query)" autocomplete="off" autofocus></div>
            <button class="button button-main">\(t("documents.search"))</button>
            \(model.query.isEmpty ? .empty : """
                <label class="unseen" for="sort">\(t("documents.sort"))</label><select id="sort" name="sort">\
                <option value="">\(t("documents.sort.relevance"))</option>\
                \(DocumentsPage.Sort.allCases.map { sort -> HTML in
                    "<option value=\"\(sort.rawValue)\"\(attribute: "selected", if: sort.rawValue == model.sort)>\(t("documents.sort.\(sort.rawValue)"))</option>"
                })</select>
                """ as HTML)</form>
            \(model.hits.isEmpty || model.query.isEmpty || !frame.canEdit ? HTML.empty : keeping(frame, model.query))
            \(model.meant.map { meant(frame, $0) })
            \(unread(frame, model.unreadCount))
            \(results)
            """)
    }

    private static func nothing(_ frame: Frame, _ model: SearchPage) -> HTML {
        let t = frame.texts
        if model.query.isEmpty { return "<p class=\"soft\">\(t("search.text"))</p>" }
        // What was meant is said, and that nothing was found with it.
        guard model.meant == nil else { return .empty }
        return Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.query)]),
            "<p>\(t("search.none"))</p>")
    }

    private static func meant(_ frame: Frame, _ words: String) -> HTML {
        let link: HTML = "<a href=\"\(url: "/search?q=" + queryEncoded(words))\" dir=\"auto\">\(words)</a>"
        return Part.note(
            frame, .plain, "<p>\(frame.texts.html("search.meant", markup: ["words": link]))</p>",
            role: "status")
    }

    private static func keeping(_ frame: Frame, _ words: String) -> HTML {
        let t = frame.texts
        let name = Form.field(
            frame,
            Form.Field(
                name: "name", label: t("filing.searchName"), autocomplete: "off", maximumLength: 100,
                optionalNote: t("form.optional")))
        let form = Form.form(
            frame, "POST", "/searches",
            """
            <input type="hidden" name="words" value="\(words)">\(name)
            <div><button class="button">\(frame.icon(.check))\(t("filing.save"))</button></div>
            """)
        return """
            <details class="more"><summary>\(frame.icon(.plus))\(t("filing.keepSearch"))</summary>\(form)</details>
            """
    }

    private static func facts(_ frame: Frame, _ facts: SearchPage.Facts) -> HTML {
        let folder: HTML = facts.folder.map { "<bdi>\($0)</bdi> · " } ?? .empty
        let pages = facts.pageCount.map { "\(frame.texts("read.pages", ["count": .number($0)])) · " as HTML }
        return "<span class=\"item-note\">\(folder)\(pages)\(Part.time(facts.addedAt))</span>"
    }

    private static func note(_ frame: Frame, _ hit: SearchPage.Hit) -> HTML {
        guard let snippet = hit.snippet else { return HTML(plain: hit.note) }
        let page =
            hit.page.map { "\(frame.texts("search.page", ["page": .number($0)])) · " as HTML } ?? .empty
        return
            "\(page)\(snippet.pieces.map { $0.isHit ? "<mark>\($0.text)</mark>" as HTML : HTML(plain: $0.text) })"
    }

    /// Places one can go to, for the palette and the search page.
    static func places(_ frame: Frame) -> [SearchPage.Hit] {
        let t = frame.texts
        var hits: [SearchPage.Hit] = [
            .init(title: t("nav.home"), address: "/", icon: .desk),
            .init(title: t("documents.title"), address: "/documents", icon: .library),
            .init(title: t("documents.trash"), address: "/documents?trash=1", icon: .trash),
            .init(title: t("filing.tags"), address: "/tags", icon: .tag),
            .init(title: t("rules.tab"), address: "/suggestions", icon: .check),
            .init(title: t("rules.title"), address: "/rules", icon: .folder),
            .init(title: t("shares.title"), address: "/shares", icon: .share),
            .init(title: t("packets.title"), address: "/batches", icon: .packets),
            .init(title: t("templates.title"), address: "/templates", icon: .form),
            .init(title: t("harvest.title"), address: "/harvests", icon: .form),
            .init(title: t("repeat.title"), address: "/repetitions", icon: .again),
            .init(title: t("people.title"), address: "/lists", icon: .people),
            .init(title: t("people.contacts"), address: "/contacts", icon: .person),
            .init(title: t("activity.title"), address: "/activity", icon: .activity),
            .init(title: t("help.title"), address: "/help", icon: .info),
            .init(title: t("privacy.title"), address: "/help/privacy", icon: .shield),
        ]
        if frame.canEdit {
            hits.append(.init(title: t("packets.new"), address: "/batches/new", icon: .packets))
            hits.append(.init(title: t("templates.add"), address: "/templates/new", icon: .form))
            hits.append(.init(title: t("people.add"), address: "/lists/new", icon: .people))
            hits.append(.init(title: t("make.papers"), address: "/documents/new", icon: .upload))
            hits.append(.init(title: t("tools.title"), address: "/tools", icon: .tools))
            hits += Tool.all.map {
                .init(title: t("tool.\($0.name)"), address: $0.address, icon: $0.icon, note: t("tools.title"))
            }
        }
        hits += SettingsPlace.visible(to: frame).map {
            .init(title: t($0.title), address: $0.address, icon: $0.icon, note: t("settings.title"))
        }
        return hits
    }
}
