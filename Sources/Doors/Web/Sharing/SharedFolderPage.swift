import Markup
import Work

/// A folder as somebody outside sees it.
struct SharedFolderPage: Sendable {
    var token: String
    var sharedBy: String
    var name: String
    var papers: [(line: DocumentLine, path: String)]
    var expiresAt: Moment?
    /// Pages can be looked at, files are not given.
    var isViewOnly = false
}

/// The pages of a paper as somebody outside looks at them, who is not given the file.
struct SharedLookPage: Sendable {
    var sharedBy: String
    var name: String
    /// Where the pictures are: `…/1`, `…/2`.
    var pictures: String
    var sheets: [(width: Double, height: Double)]
    /// Back to the other papers behind the link.
    var back: String?
    var expiresAt: Moment?
    /// Why it cannot be looked at.
    var trouble: String?
}

/// Where somebody outside brings papers, and sees nothing of the desk.
struct RequestLinkPage: Sendable {
    var token: String
    var askedBy: String
    var note = ""
    /// How many just arrived.
    var received = 0
}

extension Pages {
    static func sharedFolder(_ frame: Frame, _ model: SharedFolderPage) -> HTML {
        let t = frame.texts
        let until = model.expiresAt.map {
            "<p class=\"soft small\">\(t.html("shares.until", markup: ["when": Part.time($0, style: .date)]))</p>"
                as HTML
        }
        let items = model.papers.map { paper -> HTML in
            let file = "/s/\(model.token)/papers/\(paper.line.id)" + (model.isViewOnly ? "" : "/file")
            let place: HTML = paper.path.isEmpty ? .empty : "\(paper.path) · "
            return """
                <a class="item" href="\(url: file)">\(Part.sheet(paper.line.mediaType, name: paper.line.name))\
                <span class="item-text"><span class="item-title" dir="auto">\(paper.line.name)</span>\
                <span class="item-note">\(place)\(Part.size(paper.line.byteCount))</span></span></a>
                """
        }
        let list: HTML =
            items.isEmpty ? "<p class=\"soft\">\(t("shared.folder.empty"))</p>" : Part.list(items)
        let all: HTML =
            items.isEmpty || model.isViewOnly
            ? .empty
            : Part.link(
                frame, "/s/\(model.token)/file", t("shared.folder.all"), icon: .download,
                css: "button button-main button-wide")
        return Shell.plain(
            frame, title: model.name, isForStrangers: true,
            """
            <section class="card shared"><h1 dir="auto">\(model.name)</h1>\
            <p class="soft">\(t("shared.from", ["name": .text(model.sharedBy)]))</p>\(list)\(all)\(until)</section>
            """)
    }

    static func sharedLook(_ frame: Frame, _ model: SharedLookPage) -> HTML {
        let t = frame.texts
        let until = model.expiresAt.map {
            "<p class=\"soft small\">\(t.html("shares.until", markup: ["when": Part.time($0, style: .date)]))</p>"
                as HTML
        }
        let sheets = model.sheets.enumerated().map { place, sheet -> HTML in
            let (width, height) = (Int(sheet.width.rounded()), Int(sheet.height.rounded()))
            return """
                <img class="shared-sheet" src="\(url: "\(model.pictures)/\(place + 1)?width=900")" width="\(width)" height="\(height)" \
                alt="\(t("read.page", ["number": .number(place + 1)]))"\(attribute: "loading", place == 0 ? nil : "lazy")>
                """
        }
        let trouble: HTML =
            model.trouble.map { Part.note(frame, .warn, "<p>\($0)</p>", role: "status") } ?? .empty
        let back: HTML =
            model.back.map { Part.link(frame, $0, t("shared.back"), icon: .library) } ?? .empty
        return Shell.plain(
            frame, title: model.name, isForStrangers: true,
            """
            <section class="card shared"><h1 dir="auto">\(model.name)</h1>\
            <p class="soft">\(t("shared.from", ["name": .text(model.sharedBy)]))</p><p class="soft">\(t("shared.lookOnly"))</p>\(trouble)\(sheets)\(until)\(back)</section>
            """)
    }

    static func requestLink(_ frame: Frame, _ model: RequestLinkPage) -> HTML {
        let t = frame.texts
        let thanks: HTML =
            model.received > 0
            ? Part.note(
                frame, .good, "<p>\(t("request.received", ["count": .number(model.received)]))</p>",
                role: "status")
            : .empty
        let sender = Form.field(
            frame,
            Form.Field(
                name: "sender", label: t("request.sender"), autocomplete: "name", maximumLength: 100,
                optionalNote: t("form.optional")))
        return Shell.plain(
            frame, title: t("request.title"), isForStrangers: true,
            """
            <section class="card"><h1>\(t("request.title"))</h1>\
            <p class="soft">\(t("request.text", ["name": .text(model.askedBy)]))</p>\
            \(model.note.isEmpty ? HTML.empty : "<p dir=\"auto\">\(model.note)</p>")\(thanks)
            <form class="stack" method="post" action="\(url: "/s/\(model.token)/papers")" enctype="multipart/form-data">\(Form.csrf(frame))
            <div class="field"><label for="f-file">\(t("request.files"))</label>\
            <input id="f-file" type="file" name="file" multiple required></div>
            \(sender)
            <button class="button button-main button-wide">\(frame.icon(.upload))\(t("request.send"))</button></form></section>
            """)
    }
}
