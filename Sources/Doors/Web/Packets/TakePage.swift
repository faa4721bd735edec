import Markup

/// A packet as the contact sheet shows it.
struct PacketLine: Sendable {
    var id: String
    var number: Int
    var name: String
    var fileName: String
    var pageCount: Int
    var picture: String?
    var problem: String?
    var isFailed = false
    /// It could not be sent by mail.
    var isUnreachable = false
}

/// Step four: look at all of them, and take them out.
struct TakePage: Sendable {
    var batch: BatchLine
    var packets: [PacketLine]
    var show = ""
    var filter = ""
    var page = 1
    var pageCount = 1
    /// Where the next page begins, when pages cannot be counted.
    var next: Int?
    var matchCount: Int
    var totalCount: Int
    var problemCount: Int
    var madeCount = 0
    var error: String?
}

extension Pages {
    static func take(_ frame: Frame, _ model: TakePage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        return givingStep(
            frame, model.batch, .packets,
            actions: frame.canEdit ? sendAgain(frame, model.batch) : .empty,
            """
            \(Form.failure(frame, model.error))
            \(model.madeCount > 0 ? takeOut(frame, model, path) : HTML.empty)
            <soft-page class="stack">\(sheetFilter(frame, model, path))
            <div class="stack" data-swap="sheet">
            <p class="soft small" role="status">\(t("take.count", ["count": .number(model.matchCount)]))</p>
            \(model.packets.isEmpty
                ? Part.empty(frame, icon: .search, title: t("take.none"), "<p>\(t("take.none.text"))</p>")
                : "<ul class=\"contact-sheet\">\(model.packets.map { sheetItem(frame, $0) })</ul>")
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount, soft: true) { page in
                "\(path)/packets?page=\(page)"
            })\(further(frame, model.next.map { "\(path)/packets?after=\($0)&show=\(model.show)&q=\(queryEncoded(model.filter))" }))</div></soft-page>
            \(model.madeCount > 0
                ? forward(frame, to: path + "/letter", t("take.letter"), icon: .mail, note: t("take.forward")) : .empty)
            """)
    }

    /// Links rather than orders: what is asked for is put together while it is sent.
    private static func takeOut(_ frame: Frame, _ model: TakePage, _ path: String) -> HTML {
        let t = frame.texts
        func way(_ form: String, _ icon: Icon, main: Bool = false) -> HTML {
            """
            <button class="way\(main ? " way-main" : "")" name="form" value="\(form)">\(frame.icon(icon))\
            <span><strong>\(t("take.\(form)"))</strong><small>\(t("take.\(form).text"))</small></span></button>
            """
        }
        let order = Form.select(
            frame, name: "order", label: t("take.order"),
            options: [
                ("list", t("take.order.list")), ("name", t("take.order.name")),
                ("fileName", t("take.order.fileName")),
            ], chosen: "list")
        return """
            <form method="get" action="\(url: path + "/exports")" class="stack">
            <div class="ways">\(way("folders", .download, main: true))\(way("files", .document))\(way("merged", .printer))</div>
            <details class="more"><summary>\(t("take.how"))</summary><div class="form-grid">\(order)
            <div>\(Form.check(name: "receipts", label: t("take.receipts"), hint: t("take.receipts.hint"), isOn: false))\
            \(Form.check(name: "duplex", label: t("check.duplex"), hint: t("check.duplex.hint"), isOn: false))\
            \(Form.check(name: "fields", label: t("take.fields"), hint: t("take.fields.hint"), isOn: false))</div></div></details></form>
            """
    }

    private static func sheetFilter(_ frame: Frame, _ model: TakePage, _ path: String) -> HTML {
        let t = frame.texts
        let kinds = [
            ("", t("check.all"), model.totalCount), ("problems", t("check.withProblems"), model.problemCount),
        ]
        return """
            <div class="row" role="group" aria-label="\(t("check.filter"))">\(kinds.map { kind -> HTML in
                """
                <a class="filter-chip" href="\(url: "\(path)/packets?show=\(kind.0)")" data-soft\(attribute: "aria-current", kind.0 == model.show ? "true" : nil)>\
                \(kind.1) <span class="count">\(Part.number(kind.2))</span></a>
                """
            })</div>
            \(Part.search(frame, path + "/packets", model.filter, label: t("list.search"), hidden: [("show", model.show)]))
            """
    }

    private static func sheetItem(_ frame: Frame, _ packet: PacketLine) -> HTML {
        let mood = packet.isFailed || packet.problem != nil ? " is-bad" : ""
        return """
            <li class="sheet-item\(mood)"><a href="\(url: "/packets/\(packet.id)")">\(Part.thumbnail(packet.picture))\
            <span class="paper-name" dir="auto">\(packet.name)</span>\
            <span class="paper-note">\(packet.problem.map { "<span class=\"problem problem-bad\">\(frame.icon(.warning, small: true))<span>\(frame.texts.said($0))</span></span>" as HTML }
                ?? "\(frame.texts("templates.pages", ["count": .number(packet.pageCount)]))\(packet.isUnreachable ? " · \(frame.texts("packet.noAddress"))" : "")")</span></a></li>
            """
    }
}
