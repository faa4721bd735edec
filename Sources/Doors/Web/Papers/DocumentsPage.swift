import Library
import Markup
import Work

/// The library: a filtered, sorted, paged table of documents.
struct DocumentsPage: Sendable {
    enum Sort: String, Sendable, CaseIterable {
        case added, name, date, pages, size

        var order: Documents.Listing.Order { Documents.Listing.Order(rawValue: rawValue) ?? .added }
    }

    var lines: [DocumentLine]
    var filter = ""
    var sort: Sort = .added
    var isDescending = true
    var page = 1
    var pageCount = 1
    /// All that match, on every page together.
    var matchCount: Int
    /// Their words cannot be found yet.
    var unreadCount = 0
    var showsTrash = false
    var trashCount = 0
    /// When these were counted: what comes after is not thrown away with them.
    var trashSeenAt: Moment?
    /// What rules suggest and nobody has decided about.
    var suggestionCount = 0
    /// Papers that rules have filed by themselves since yesterday.
    var filedCount = 0
    var filing = FilingLines()
    /// Only papers with this tag are shown.
    var tag: String?
    /// As pictures of first pages instead of a table.
    var isGrid = false
    /// How long private folders stay open; nil when they are closed.
    var privateUntil: Moment?

    var isEverything: Bool { filter.isEmpty && filing.here == nil && tag == nil }
}

extension Pages {
    static func documents(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let here = model.filing.here
        let title =
            here?.name ?? model.tag.map { t("filing.withTag", ["name": .text($0)]) }
            ?? t(model.showsTrash ? "documents.trash" : "documents.title")
        let lede =
            model.showsTrash
            ? t("documents.trash.lede") : t("documents.lede", ["count": .number(model.matchCount)])
        let place = here.map { "?folder=\($0.id)" } ?? ""
        let act: HTML =
            !frame.canEdit
            ? .empty
            : !model.showsTrash
                ? Part.link(
                    frame, "/documents/new" + place, t("documents.add"), icon: .plus,
                    css: "button button-main")
                : model.trashCount == 0
                    ? .empty
                    : Form.button(
                        frame, "POST",
                        "/trash/emptying\(model.trashSeenAt.map { "?until=\($0.milliseconds)" } ?? "")",
                        t("documents.trash.clear"), icon: .trash,
                        css: "button button-danger",
                        confirm: t("documents.trash.clear.confirm", ["count": .number(model.trashCount)]))
        var crumbs: [(name: String, address: String)] = []
        if here != nil || model.tag != nil { crumbs.append((t("documents.title"), "/documents")) }
        crumbs += model.filing.way.map { ($0.name, "/documents?folder=\($0.id)") }
        let isEmptyLibrary = model.matchCount == 0 && model.isEverything
        let isEmptyFolder = here != nil && model.filter.isEmpty && model.lines.isEmpty
        let content: HTML =
            isEmptyLibrary
            ? emptyLibrary(frame, model) : isEmptyFolder ? emptyFolder(frame, model) : table(frame, model)
        let takesPapers = frame.canEdit && !model.showsTrash && !isEmptyLibrary && !isEmptyFolder
        let zone =
            takesPapers
            ? Part.uploadZone(frame, to: .library(folder: here?.id), isQuiet: true, reviews: true)
            : HTML.empty
        return Shell.page(
            frame, title: title,
            """
            \(Part.header(frame, title, lede: lede, crumbs: crumbs, actions: act))
            \(tabs(frame, model))
            \(openPrivate(frame, model))
            \(model.filedCount > 0 && !model.showsTrash ? Part.note(frame, .plain, """
                <p>\(frame.texts("rules.filed", ["count": .number(model.filedCount)])) \
                <a href="/suggestions?state=taken">\(frame.texts("rules.filed.look"))</a></p>
                """, role: "status") : .empty)
            \(folders(frame, model))
            \(zone)
            \(content)
            """)
    }

    private static func tabs(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        func tab(_ address: String, _ label: String, _ isHere: Bool, _ count: Int = 0) -> HTML {
            """
            <a href="\(url: address)"\(attribute: "aria-current", isHere ? "page" : nil)>\(label)\
            \(count > 0 ? "&nbsp;<span class=\"count\">\(count)</span>" as HTML : .empty)</a>
            """
        }
        return """
            <nav class="tabs" aria-label="\(t("documents.views"))">
            \(tab("/documents", t("documents.all"), !model.showsTrash && model.filing.here == nil && model.tag == nil))
            \(tab("/tags", t("filing.tags"), false))
            \(tab("/suggestions", t("rules.tab"), false, model.suggestionCount))
            \(tab("/shares", t("shares.title"), false))
            \(tab("/documents?trash=1", t("documents.trash"), model.showsTrash, model.trashCount))
            </nav>
            """
    }

    private static func emptyLibrary(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        if model.showsTrash {
            return Part.empty(
                frame, icon: .trash, title: t("documents.trash.empty"),
                "<p>\(t("documents.trash.empty.text"))</p>")
        }
        let steps: HTML =
            "<ol><li>\(t("documents.empty.1"))</li><li>\(t("documents.empty.2"))</li><li>\(t("documents.empty.3"))</li></ol>"
        return """
            \(Part.empty(frame, icon: .library, title: t("documents.empty.title"), steps))
            \(frame.canEdit ? Part.uploadZone(frame, reviews: true) : .empty)
            """
    }

    private static func emptyFolder(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        return """
            \(Part.empty(
                frame, icon: .folder, title: t("filing.emptyFolder"), "<p>\(t("filing.emptyFolder.text"))</p>"))
            \(frame.canEdit ? Part.uploadZone(frame, to: .library(folder: model.filing.here?.id), reviews: true) : .empty)
            """
    }

    /// Said for as long as what is private is shown, with the way to close it.
    private static func openPrivate(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        guard let until = model.privateUntil else { return .empty }
        let t = frame.texts
        let close = Form.button(
            frame, "POST", "/private/closing", t("private.close"), icon: .lock, css: "button button-s")
        return """
            <div class="row"><p class="soft small">\(t.html("private.until", markup: ["when": Part.time(until, style: .full)]))</p>\(close)</div>
            """
    }

    /// The folders in the one that is open, and what can be done with it.
    private static func folders(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let filing = model.filing
        let isFiling = !model.showsTrash && model.tag == nil
        guard isFiling, frame.canEdit || !filing.children.isEmpty else { return .empty }
        let cards = filing.children.map { folder -> HTML in
            """
            <li><a class="folder" href="\(url: "/documents?folder=\(folder.id)")" data-folder="\(folder.id)">\(frame.icon(folder.isPrivate ? .lock : .folder))\
            <span class="item-text"><span class="item-title" dir="auto">\(folder.name)</span>\
            <span class="item-note">\(folder.isLocked ? t("private.folder") : t("filing.count", ["count": .number(folder.count)]))</span></span></a></li>
            """
        }
        let tools: HTML =
            frame.canEdit
            ? "\(newFolder(frame, model))\(changeFolder(frame, model))\(shareFolder(frame, model))" : .empty
        return """
            <section class="stack stack-s" aria-label="\(t("filing.folders"))" data-folders>
            <div class="row folder-tools">\(model.filing.all.isEmpty ? HTML.empty : tree(frame, model))\(tools)</div>
            \(cards.isEmpty ? HTML.empty : "<ul class=\"folders\">\(cards)</ul>")
            </section>
            """
    }

    /// All folders there are, asked for when somebody unfolds them.
    private static func tree(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        return """
            <details class="more script-only"><summary>\(frame.icon(.folder))\(t("filing.tree"))</summary>\
            <folder-tree\(attribute: "here", model.filing.here?.id)><p class="soft">\(t("filing.tree.coming"))</p></folder-tree>\
            <p class="soft small keys-only">\(t(frame.canEdit ? "filing.tree.keys" : "filing.tree.keysToRead"))</p></details>
            """
    }

    private static func newFolder(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let parent =
            "<input type=\"hidden\" name=\"parent\" value=\"\(model.filing.here?.id ?? "")\">" as HTML
        let name = Form.field(
            frame,
            Form.Field(
                name: "name", label: t("filing.folderName"), autocomplete: "off", isRequired: true,
                maximumLength: 200, id: "folder"))
        return """
            <details class="more"><summary>\(frame.icon(.plus))\(t("filing.newFolder"))</summary>\
            \(Form.form(frame, "POST", "/folders", "\(parent)\(name)<div><button class=\"button\">\(frame.icon(.folder))\(t("filing.makeFolder"))</button></div>"))</details>
            """
    }

    private static func changeFolder(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        guard let here = model.filing.here else { return .empty }
        let t = frame.texts
        let path = "/folders/\(here.id)"
        let name = Form.field(
            frame,
            Form.Field(
                name: "name", label: t("filing.name"), value: here.name, autocomplete: "off",
                isRequired: true,
                maximumLength: 200, id: "folder-name"))
        let places = model.filing.all.filter { !model.filing.below.contains($0.id) }
        let parent = Form.select(
            frame, name: "parent", label: t("filing.parent"),
            options: [("", t("filing.top"))] + places.map { ($0.id, $0.path) }, chosen: here.parent ?? "")
        return """
            <details class="more"><summary>\(frame.icon(.edit))\(t("filing.manage"))</summary><div class="stack">\
            \(Form.form(frame, "PATCH", path, "\(name)\(parent)<div><button class=\"button\">\(t("filing.save"))</button></div>"))\
            \(Form.form(frame, "PATCH", path, """
                <input type="hidden" name="private" value="\(here.isPrivate ? "no" : "yes")">\
                <div><button class="button">\(frame.icon(.lock))\(t(here.isPrivate ? "private.undo" : "private.make"))</button></div>
                <p class="soft small">\(t("private.hint"))</p>
                """))
            \(Form.button(
                frame, "DELETE", path, t("filing.removeFolder"), icon: .trash, css: "button button-danger",
                confirm: t("filing.removeFolder.confirm", ["count": .number(here.count)]), id: "folder-remove"))</div></details>
            """
    }

    private static func shareFolder(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        guard let here = model.filing.here else { return .empty }
        let t = frame.texts
        let kind = Form.choices(
            name: "kind", label: t("request.kind"),
            options: [
                ("show", "\(t("request.kind.show"))"), ("request", "\(t("request.kind.request"))"),
            ], chosen: "show")
        return """
            <details class="more"><summary>\(frame.icon(.share))\(t("request.folder"))</summary>\
            \(Form.form(
                frame, "POST", "/folders/\(here.id)/shares",
                "\(kind)\(ShareTerms.viewOnly(frame))\(ShareTerms.days(frame))\(ShareTerms.password(frame))\(ShareTerms.note(frame))<div><button class=\"button button-main\">\(frame.icon(.link))\(t("shares.make"))</button></div>"))</details>
            """
    }

    private static func table(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let nothing = Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
            "<p>\(t("documents.none.text"))</p>",
            actions: Part.link(frame, address(model, filter: ""), t("documents.clear")))
        let sought = t(model.showsTrash ? "documents.filter" : "documents.find")
        let rows: HTML = """
            <form method="post" action="/documents/selection" id="selection">\(Form.csrf(frame))\
            <input type="hidden" name="from" value="\(address(model, page: model.page))">
            \(model.isGrid ? grid(frame, model) : """
            <div class="table-wrap"><table class="table">
            <caption class="unseen">\(t(model.showsTrash ? "documents.trash" : "documents.title"))</caption>
            <thead><tr>
            \(frame.canEdit ? """
                <th scope="col" class="table-tick"><label class="tick script-only"><span class="unseen">\(t("documents.selectAll"))</span>\
                <input type="checkbox" data-all></label></th>
                """ : HTML.empty)
            \(heading(frame, model, .name, t("documents.name")))
            \(heading(frame, model, .size, t("documents.size"), css: "figure"))
            \(heading(frame, model, .added, t(model.showsTrash ? "documents.trashedAt" : "documents.added")))
            <th scope="col">\(t("documents.by"))</th>
            </tr></thead>
            <tbody>\(model.lines.map { row(frame, $0) })</tbody></table></div>
            """ as HTML)
            \(frame.canEdit ? selectionBar(frame, model) : .empty)
            </form>
            \(pager(frame, model))
            """
        return """
            <data-table>
            <form class="table-tools" method="get" action="/documents" role="search" data-live>
            \(model.showsTrash ? "<input type=\"hidden\" name=\"trash\" value=\"1\">" as HTML : .empty)
            \(model.filing.here.map { "<input type=\"hidden\" name=\"folder\" value=\"\($0.id)\">" as HTML })
            \(model.tag.map { "<input type=\"hidden\" name=\"tag\" value=\"\($0)\">" as HTML })
            <div class="filter">\(frame.icon(.search))<label class="unseen" for="q">\(sought)</label>\
            <input id="q" type="search" name="q" value="\(model.filter)" placeholder="\(sought)" autocomplete="off"></div>
            \(model.showsTrash ? .empty : sorting(frame, model))\
            <button class="button no-script">\(t("documents.search"))</button>
            \(model.showsTrash ? .empty : views(frame, model))
            <p class="soft small" role="status" data-count>\(t("documents.matches", ["count": .number(model.matchCount)]))</p>
            </form>
            <div class="stack" data-results>\(unread(frame, model.unreadCount))\(model.lines.isEmpty ? nothing : rows)</div>
            </data-table>
            """
    }

    /// What is not read yet may hold the words all the same.
    static func unread(_ frame: Frame, _ count: Int) -> HTML {
        count == 0
            ? .empty
            : "<p class=\"soft small\">\(frame.texts("search.unread", ["count": .number(count)]))</p>"
    }

    private static func heading(
        _ frame: Frame, _ model: DocumentsPage, _ sort: DocumentsPage.Sort, _ label: String,
        css: String? = nil
    ) -> HTML {
        let isHere = model.sort == sort
        // Names start at A, sizes and dates at the largest: what people look for first.
        let descending = isHere ? !model.isDescending : sort != .name
        let arrow = isHere ? (model.isDescending ? "↓" : "↑") : ""
        return """
            <th scope="col"\(attribute: "class", css)\
            \(attribute: "aria-sort", isHere ? (model.isDescending ? "descending" : "ascending") : nil)>\
            <a href="\(url: address(model, sort: sort, descending: descending))">\(label)\
            <span aria-hidden="true">\(arrow)</span></a></th>
            """
    }

    private static func sorting(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        return """
            <label class="unseen" for="sort">\(t("documents.sort"))</label><select id="sort" name="sort">\
            \(DocumentsPage.Sort.allCases.map { sort -> HTML in
                "<option value=\"\(sort.rawValue)\"\(attribute: "selected", if: sort == model.sort)>\(t("documents.sort.\(sort.rawValue)"))</option>"
            })</select>
            """
    }

    /// A table or pictures; what was chosen last stays.
    private static func views(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        func view(_ name: String, _ icon: Icon, _ isHere: Bool) -> HTML {
            let here = address(model)
            let end = (here.contains("?") ? "&" : "?") + "view=\(name)"
            return """
                <a class="button button-icon" href="\(url: here + end)" aria-label="\(t("documents.view.\(name)"))" \
                title="\(t("documents.view.\(name)"))"\(attribute: "aria-current", isHere ? "true" : nil)>\(frame.icon(icon))</a>
                """
        }
        return """
            <span class="view-switch" role="group" aria-label="\(t("documents.view"))">\
            \(view("list", .rows, !model.isGrid))\(view("grid", .tiles, model.isGrid))</span>
            """
    }

    /// First pages side by side.
    private static func grid(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        "<ul class=\"papers library-grid\">\(model.lines.map { card(frame, $0) })</ul>"
    }

    private static func card(_ frame: Frame, _ line: DocumentLine) -> HTML {
        let t = frame.texts
        let picture: HTML =
            line.hasPicture
            ? """
            <span class="thumb"><img src="\(url: "/documents/\(line.id)/pages/1?width=240")" alt="" loading="lazy"\(attribute: "data-patient", if: line.isPrepared)>\
            <template>\(Part.sheet(line.mediaType, name: line.name, large: true))</template></span>
            """
            : "<span class=\"thumb\">\(Part.sheet(line.mediaType, name: line.name, large: true))</span>"
        let tick: HTML =
            frame.canEdit
            ? """
            <label class="tick"><span class="unseen">\(t("documents.select", ["name": .text(line.name)]))</span>\
            <input type="checkbox" name="id" value="\(line.id)"></label>
            """ : .empty
        let pages = line.pageCount.map { "\(t("read.pages", ["count": .number($0)])) · " as HTML } ?? .empty
        return """
            <li class="paper-card" data-paper><a href="\(url: "/documents/\(line.id)")">\(picture)\
            <span class="paper-name" dir="auto">\(line.name)</span>\
            <span class="paper-note">\(pages)\(Part.size(line.byteCount))</span></a>\(arrivalChip(frame, line.arrival))\(syncChip(frame, line.sync))\(tick)</li>
            """
    }

    private static func row(_ frame: Frame, _ line: DocumentLine) -> HTML {
        let t = frame.texts
        let tick: HTML = """
            <td class="table-tick"><label class="tick"><span class="unseen">\(t("documents.select", ["name": .text(line.name)]))</span>\
            <input type="checkbox" name="id" value="\(line.id)"></label></td>
            """
        let shared =
            line.shareCount > 0 ? Part.chip(frame, t("documents.shared"), .warn, icon: .share) : .empty
        let tags: HTML =
            line.tags.isEmpty
            ? .empty : "<span class=\"tag-row\">\(line.tags.map { tagChip(frame, $0) })</span>"
        return """
            <tr data-paper>\(frame.canEdit ? tick : .empty)\
            <td class="table-main"><div class="table-name">\(Part.sheet(line.mediaType, name: line.name))\
            <a href="\(url: "/documents/\(line.id)")">\(line.name)</a>\(shared)\(arrivalChip(frame, line.arrival))\(syncChip(frame, line.sync))\(tags)</div></td>\
            <td class="table-detail figure">\(Part.size(line.byteCount))</td>\
            <td class="table-detail">\(Part.time(line.trashedAt ?? line.addedAt))</td>\
            <td class="table-detail table-extra">\(frame.texts.said(line.addedBy))</td></tr>
            """
    }

    /// A word of how a paper came that nobody here brought themselves.
    static func arrivalChip(_ frame: Frame, _ arrival: PaperArrival?) -> HTML {
        guard let arrival else { return .empty }
        let icon: Icon =
            switch arrival {
            case .link: .link
            case .reply: .reply
            case .mail: .mail
            case .networkFolder: .folder
            case .app, .share: .device
            case .web: .globe
            case .inbox: .download
            case .mirror: .copy
            case .paperless: .document
            }
        return Part.chip(frame, frame.texts("arrival.\(arrival.rawValue)"), icon: icon)
    }

    static func tagChip(_ frame: Frame, _ name: String) -> HTML {
        """
        <a class="chip chip-link\(frame.colour(ofTag: name))" href="\(url: "/documents?tag=" + queryEncoded(name))">\(frame.icon(.tag))\(name)</a>
        """
    }

    private static func selectionBar(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let actions: HTML =
            model.showsTrash
            ? """
            <button class="button" name="action" value="restore">\(frame.icon(.restore))\(t("documents.restore"))</button>
            """
            : """
            \(filingActions(frame, model))\
            <button class="button" name="action" value="convert">\(frame.icon(.again))\(t("documents.convert"))</button>\
            <button class="button" name="action" value="merge">\(frame.icon(.packets))\(t("documents.merge"))</button>\
            <button class="button" name="action" value="compare">\(frame.icon(.layers))\(t("compare.title"))</button>\
            <button class="button" name="action" value="download" data-no-soft>\(frame.icon(.download))\(t("documents.zip"))</button>\
            <button class="button" name="action" value="recognise">\(frame.icon(.search))\(t("searchable.make"))</button>\
            <button class="button" name="action" value="sign">\(frame.icon(.edit))\(t("signatures.sign"))</button>\
            <button class="button" name="action" value="redact">\(frame.icon(.stop))\(t("redact.title"))</button>\
            <button class="button" name="action" value="share">\(frame.icon(.share))\(t("document.share"))</button>\
            <button class="button button-danger" name="action" value="trash">\(frame.icon(.trash))\(t("documents.toTrash"))</button>
            """
        return Part.selectionBar(frame, actions)
    }

    /// The tag stands first: a press of Enter in a form takes its first button, and a tag is easily taken off again.
    private static func filingActions(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let places: HTML =
            model.filing.all.isEmpty
            ? .empty
            : """
            <span class="with-button"><label class="unseen" for="move-to">\(t("filing.moveTo"))</label>\
            <select id="move-to" name="folder"><option value="">\(t("filing.noFolder"))</option>\
            \(model.filing.all.map { "<option value=\"\($0.id)\">\($0.path)</option>" as HTML })</select>\
            <button class="button" name="action" value="move">\(frame.icon(.folder))\(t("filing.move"))</button></span>
            """
        let off: HTML =
            model.tag == nil
            ? .empty
            : "<button class=\"button\" name=\"action\" value=\"untag\">\(t("filing.removeTag"))</button>"
        return """
            <span class="with-button"><label class="unseen" for="tag-as">\(t("filing.tag"))</label>\
            <input id="tag-as" name="tag" autocomplete="off" maxlength="60" placeholder="\(t("filing.tag"))"\
            \(attribute: "value", model.tag)>\
            <button class="button" name="action" value="tag">\(frame.icon(.tag))\(t("filing.addTag"))</button></span>\(off)\(places)\
            <span class="with-button" data-gather><input type="hidden" name="parent" value="\(model.filing.here?.id ?? "")">\
            <label class="unseen" for="gather-as">\(t("filing.gather.name"))</label>\
            <input id="gather-as" name="name" autocomplete="off" maxlength="200" placeholder="\(t("filing.newFolder"))">\
            <button class="button" formaction="/folders">\(frame.icon(.plus))\(t("filing.gather"))</button></span>
            """
    }

    private static func pager(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        guard model.pageCount > 1 else { return .empty }
        let t = frame.texts
        func step(_ page: Int, _ label: String, _ icon: Icon, rel: String) -> HTML {
            guard (1...model.pageCount).contains(page) else { return .empty }
            return """
                <a class="button button-icon" rel="\(rel)" href="\(url: address(model, page: page))" aria-label="\(label)">\(frame.icon(icon))</a>
                """
        }
        return """
            <nav class="pager" aria-label="\(t("pager.label"))">
            <span>\(t("pager.place", ["page": .number(model.page), "pages": .number(model.pageCount)]))</span>
            <div class="row">\(step(model.page - 1, t("pager.previous"), .previous, rel: "prev"))\
            \(step(model.page + 1, t("pager.next"), .next, rel: "next"))</div></nav>
            """
    }

    private static func address(
        _ model: DocumentsPage, filter: String? = nil, sort: DocumentsPage.Sort? = nil,
        descending: Bool? = nil,
        page: Int = 1
    ) -> String {
        var pairs: [(String, String)] = []
        if model.showsTrash { pairs.append(("trash", "1")) }
        if let here = model.filing.here { pairs.append(("folder", here.id)) }
        if let tag = model.tag { pairs.append(("tag", Pages.queryEncoded(tag))) }
        let filter = filter ?? model.filter
        if !filter.isEmpty { pairs.append(("q", Pages.queryEncoded(filter))) }
        let sort = sort ?? model.sort
        let descending = descending ?? model.isDescending
        if sort != .added || !descending {
            pairs.append(("sort", sort.rawValue))
            pairs.append(("order", descending ? "descending" : "ascending"))
        }
        if page > 1 { pairs.append(("page", String(page))) }
        return "/documents" + (pairs.isEmpty ? "" : "?" + pairs.map { "\($0)=\($1)" }.joined(separator: "&"))
    }

    /// Percent-encodes a value for a query (RFC 3986: everything but unreserved characters).
    static func queryEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded.append("%")
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
        return encoded
    }
}
