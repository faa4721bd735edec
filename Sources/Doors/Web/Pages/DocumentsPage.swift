import Markup
import Work

/// The library: a filtered, sorted, paged table of documents.
struct DocumentsPage: Sendable {
    enum Sort: String, Sendable, CaseIterable { case name, size, added }

    var lines: [DocumentLine]
    var filter = ""
    var sort: Sort = .added
    var isDescending = true
    var page = 1
    var pageCount = 1
    /// All that match, on every page together.
    var matchCount: Int
    /// All there are, to tell an empty library from a filter that finds nothing.
    var totalCount: Int
    var showsTrash = false
    var trashCount = 0
}

extension Pages {
    static func documents(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let title = t(model.showsTrash ? "documents.trash" : "documents.title")
        let lede =
            model.showsTrash
            ? t("documents.trash.lede") : t("documents.lede", ["count": .number(model.totalCount)])
        let add: HTML =
            frame.canEdit && !model.showsTrash
            ? Part.link(frame, "/documents/new", t("documents.add"), icon: .plus, css: "button button-main")
            : .empty
        return Shell.page(
            frame, title: title,
            """
            \(Part.header(frame, title, lede: lede, actions: add))
            \(tabs(frame, model))
            \(model.totalCount == 0 && model.filter.isEmpty ? emptyLibrary(frame, model) : table(frame, model))
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
            \(tab("/documents", t("documents.all"), !model.showsTrash))
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
            \(frame.canEdit ? Part.uploadZone(frame) : .empty)
            """
    }

    private static func table(_ frame: Frame, _ model: DocumentsPage) -> HTML {
        let t = frame.texts
        let nothing = Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
            "<p>\(t("documents.none.text"))</p>",
            actions: Part.link(frame, address(model, filter: ""), t("documents.clear")))
        let rows: HTML = """
            <form method="post" action="/documents/selection" id="selection">\(Form.csrf(frame))
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
            \(frame.canEdit ? selectionBar(frame, model) : .empty)
            </form>
            \(pager(frame, model))
            """
        return """
            <data-table>
            <form class="table-tools" method="get" action="/documents" role="search" data-live>
            \(model.showsTrash ? "<input type=\"hidden\" name=\"trash\" value=\"1\">" as HTML : .empty)
            <div class="filter">\(frame.icon(.search))<label class="unseen" for="q">\(t("documents.filter"))</label>\
            <input id="q" type="search" name="q" value="\(model.filter)" placeholder="\(t("documents.filter"))" autocomplete="off"></div>
            <button class="button no-script">\(t("documents.search"))</button>
            <p class="soft small" role="status" data-count>\(t("documents.matches", ["count": .number(model.matchCount)]))</p>
            </form>
            <div class="stack" data-results>\(model.lines.isEmpty ? nothing : rows)</div>
            </data-table>
            """
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

    private static func row(_ frame: Frame, _ line: DocumentLine) -> HTML {
        let t = frame.texts
        let tick: HTML = """
            <td class="table-tick"><label class="tick"><span class="unseen">\(t("documents.select", ["name": .text(line.name)]))</span>\
            <input type="checkbox" name="id" value="\(line.id)"></label></td>
            """
        let shared =
            line.shareCount > 0 ? Part.chip(frame, t("documents.shared"), .warn, icon: .share) : .empty
        return """
            <tr>\(frame.canEdit ? tick : .empty)\
            <td class="table-main"><div class="table-name">\(Part.sheet(line.mediaType, name: line.name))\
            <a href="\(url: "/documents/\(line.id)")">\(line.name)</a>\(shared)</div></td>\
            <td class="table-detail figure">\(Part.size(line.byteCount))</td>\
            <td class="table-detail">\(Part.time(line.trashedAt ?? line.addedAt))</td>\
            <td class="table-detail table-extra">\(line.addedBy)</td></tr>
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
            <button class="button button-danger" name="action" value="trash">\(frame.icon(.trash))\(t("documents.toTrash"))</button>
            """
        return """
            <div class="selection-bar" role="group" aria-label="\(t("documents.selection"))">\
            <span data-selected>\(t("documents.selection"))</span><span class="push"></span>\(actions)</div>
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
