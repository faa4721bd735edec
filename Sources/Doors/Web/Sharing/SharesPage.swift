import Markup
import Work

/// Every link that lets someone outside read a document.
struct SharesPage: Sendable {
    var shares: [ShareLine]
    /// The link just made: shown once, as only its hash is kept.
    var newAddress: String?
}

/// What the person with the link sees.
struct SharedPaperPage: Sendable {
    enum State: Sendable {
        /// A form can be filled in where it is opened, and signed where `reply` says so.
        case open(name: String, mediaType: String, byteCount: Int64, expiresAt: Moment?, reply: Reply? = nil)
        case passwordNeeded(error: String?)
        /// Opened by a button, so that programs which look into every link in a mail do not count as somebody.
        case waiting
        case gone
    }
    enum Reply: Sendable { case fill, sign }

    var token: String
    var sharedBy: String?
    var state: State
}

extension Pages {
    static func shares(_ frame: Frame, _ model: SharesPage) -> HTML {
        let t = frame.texts
        let body: HTML =
            model.shares.isEmpty
            ? Part.empty(
                frame, icon: .share, title: t("shares.empty.title"), "<p>\(t("shares.empty.text"))</p>",
                actions: Part.link(frame, "/documents", t("documents.title"), icon: .library))
            : "<section class=\"card card-flush\">\(Part.list(model.shares.map { shareItem(frame, $0, namesDocument: true) }))</section>"
        return Shell.page(
            frame, title: t("shares.title"),
            """
            \(Part.header(frame, t("shares.title"), lede: t("shares.lede"), crumbs: [(t("documents.title"), "/documents")]))
            \(model.newAddress.map { address -> HTML in
                Part.note(
                    frame, .good,
                    """
                    <p><strong>\(t("shares.made"))</strong> \(t("shares.once"))</p>
                    \(Part.newLink(frame, address))<div class="row">\(Part.copy(frame, address))\(Part.giveAway(frame, address, name: t("shares.title")))</div>
                    """, role: "status")
            })
            \(body)
            """)
    }

    static func shareItem(_ frame: Frame, _ share: ShareLine, namesDocument: Bool) -> HTML {
        let t = frame.texts
        let title: HTML =
            namesDocument
            ? "<a class=\"item-title\" href=\"\(url: share.address ?? "/documents/\(share.documentID)")\">\(share.documentName)</a>"
            : "<span class=\"item-title\">\(t.html("shares.madeAt", markup: ["when": Part.time(share.createdAt)]))</span>"
        var notes: [HTML] = []
        if !namesDocument, !share.note.isEmpty {
            notes.append(HTML(plain: t("shares.for", ["name": .text(share.note)])))
        }
        if let end = share.expiresAt {
            notes.append(t.html("shares.until", markup: ["when": Part.time(end, style: .date)]))
        } else {
            notes.append(HTML(plain: t("shares.never")))
        }
        if let limit = share.openingLimit {
            notes.append(
                HTML(
                    plain: t("shares.openedOf", ["count": .number(share.openings), "limit": .number(limit)])))
        } else {
            notes.append(HTML(plain: t("shares.opened", ["count": .number(share.openings)])))
        }
        if share.isViewOnly { notes.append(HTML(plain: t("shares.viewOnly.short"))) }
        if share.takesReplies { notes.append(HTML(plain: t("shares.takesReplies.short"))) }
        if share.hasPassword { notes.append(HTML(plain: t("shares.withPassword"))) }
        let state = Part.chip(
            frame, t("shares.state.\(share.state.rawValue)"), share.state == .active ? .good : .plain)
        let revoke: HTML =
            share.state == .active && frame.canEdit
            ? Form.button(
                frame, "DELETE", "/shares/\(share.id)", t("shares.revoke"),
                css: "button button-s button-danger",
                confirm: t("shares.revoke.confirm")) : .empty
        return """
            <div class="item">\(frame.icon(.link))<span class="item-text">\(title)\
            <span class="item-note">\(notes.joined(separator: " · "))</span></span>\(state)\(revoke)</div>
            """
    }

    static func sharedPaper(_ frame: Frame, _ model: SharedPaperPage) -> HTML {
        let t = frame.texts
        let from = model.sharedBy.map {
            "<p class=\"soft\">\(t("shared.from", ["name": .text($0)]))</p>" as HTML
        }
        switch model.state {
        case .open(let name, let mediaType, let byteCount, let expiresAt, let reply):
            let until = expiresAt.map {
                "<p class=\"soft small\">\(t.html("shares.until", markup: ["when": Part.time($0, style: .date)]))</p>"
                    as HTML
            }
            let file = "/s/\(model.token)/file"
            return Shell.plain(
                frame, title: name, isForStrangers: true,
                """
                <section class="card center shared">\(Part.sheet(mediaType, name: name, large: true))
                <div><h1>\(name)</h1>\(from)<p class="soft">\(kindName(frame, mediaType)) · \(Part.size(byteCount))</p></div>
                \(reply.map { Part.link(
                    frame, "/s/\(model.token)/form", t($0 == .sign ? "shared.reply.open.sign" : "shared.reply.open"), icon: .pen,
                    css: "button button-main button-wide") })
                \(Part.link(frame, file, t("document.open"), icon: .open, css: reply == nil ? "button button-main button-wide" : "button button-wide"))
                \(Part.link(frame, file + "?download=1", t("document.download"), icon: .download, css: "button button-wide"))
                \(until)</section>
                """)
        case .passwordNeeded(let error):
            return Shell.plain(
                frame, title: t("shared.locked"), isForStrangers: true,
                """
                <section class="card"><h1>\(t("shared.locked"))</h1>\(from)<p class="soft">\(t("shared.locked.text"))</p>
                \(Form.form(
                    frame, "POST", "/s/\(model.token)",
                    """
                    \(Form.field(
                        frame,
                        Form.Field(
                            name: "password", label: t("form.password"), type: "password", error: error,
                            autocomplete: "off", isRequired: true, isFocused: true)))
                    <button class="button button-main button-wide">\(t("shared.unlock"))</button>
                    """))</section>
                """)
        case .waiting:
            return Shell.plain(
                frame, title: t("shared.waiting"), isForStrangers: true,
                """
                <section class="card"><h1>\(t("shared.waiting"))</h1>\(from)<p class="soft">\(t("shared.waiting.text"))</p>
                \(Form.form(
                    frame, "POST", "/s/\(model.token)",
                    "<button class=\"button button-main button-wide\">\(t("shared.waiting.open"))</button>"))</section>
                """)
        case .gone:
            return Shell.plain(
                frame, title: t("shared.gone"), isForStrangers: true,
                """
                <section class="card center">\(Part.empty(
                    frame, icon: .link, title: t("shared.gone"), isPageTitle: true, "<p>\(t("shared.gone.text"))</p>"))</section>
                """)
        }
    }
}
