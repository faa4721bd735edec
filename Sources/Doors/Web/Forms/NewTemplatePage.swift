import Markup

/// The ways a form comes in: a file, a paper that is here already, an address, one of our own to begin with.
struct NewTemplatePage: Sendable {
    struct Starter: Sendable {
        var key: String
        var name: String
        var about: String
        var picture: String?
    }

    var starters: [Starter]
    /// PDF documents of the library.
    var documents: [DocumentLine] = []
    var address = ""
    /// What the library was searched for.
    var search = ""
    var error: String?
    var errorField: String?
    /// The paper that opens only with a password: what the form calls it, and which it is.
    var locked: (field: String, value: String)?
}

extension Pages {
    static func newTemplate(_ frame: Frame, _ model: NewTemplatePage) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("templates.add"),
            """
            \(Part.header(
                frame, t("templates.add"), lede: t("templates.add.lede"),
                crumbs: [(t("packets.title"), "/batches"), (t("templates.title"), "/templates")]))
            \(model.locked.map { unlocking(frame, model, $0) } ?? Form.failure(frame, model.errorField == "address" ? nil : model.error))
            <div class="columns">
            <div class="stack stack-l">
            \(Part.fileZone(
                frame, action: "/templates", label: t("templates.drop"), hint: t("templates.drop.hint"),
                accept: "application/pdf,.pdf", mayBeLocked: true))
            \(starters(frame, model.starters))
            </div>
            <div class="stack">\(fromAddress(frame, model))\(fromLibrary(frame, model))</div>
            </div>
            """)
    }

    static func starters(_ frame: Frame, _ starters: [NewTemplatePage.Starter], batch: Bool = false) -> HTML {
        guard !starters.isEmpty else { return .empty }
        let t = frame.texts
        return Part.card(
            t("templates.starters"), id: "starters",
            """
            <p class="soft">\(t("templates.starters.text"))</p>
            <ul class="papers papers-s">\(starters.map { starter -> HTML in
                """
                <li class="paper-card">\(Form.form(
                    frame, "POST", "/templates", css: nil,
                    """
                    <input type="hidden" name="starter" value="\(starter.key)">\
                    \(batch ? "<input type=\"hidden\" name=\"then\" value=\"batch\">" : HTML.empty)\
                    <button class="paper-button">\(Part.thumbnail(starter.picture))\
                    <span class="paper-name">\(starter.name)</span><span class="paper-note">\(starter.about)</span></button>
                    """))</li>
                """
            })</ul>
            """)
    }

    private static func fromAddress(_ frame: Frame, _ model: NewTemplatePage) -> HTML {
        let t = frame.texts
        let field = Form.field(
            frame,
            .init(
                name: "address", label: t("templates.address"), value: model.address, type: "url",
                hint: t("templates.address.hint"), error: model.errorField == "address" ? model.error : nil,
                autocomplete: "off", inputMode: "url", isRequired: true, placeholder: "https://"))
        return Part.card(
            t("templates.fromAddress"),
            Form.form(
                frame, "POST", "/templates",
                "\(field)<div><button class=\"button\">\(frame.icon(.download))\(t("templates.fetch"))</button></div>"
            ))
    }

    /// A paper of the library or the web that is locked: it is not chosen again, only opened.
    private static func unlocking(
        _ frame: Frame, _ model: NewTemplatePage, _ locked: (field: String, value: String)
    ) -> HTML {
        let t = frame.texts
        return Part.card(
            t("templates.locked"), id: "locked",
            Form.form(
                frame, "POST", "/templates",
                """
                <input type="hidden" name="\(locked.field)" value="\(locked.value)">
                \(Form.field(
                    frame,
                    .init(
                        name: "password", label: t("form.password"), type: "password", hint: t("templates.locked.hint"),
                        error: model.error, autocomplete: "off", isRequired: true, isFocused: true)))
                <div><button class="button button-main">\(t("templates.unlock"))</button></div>
                """))
    }

    private static func fromLibrary(_ frame: Frame, _ model: NewTemplatePage) -> HTML {
        guard !model.documents.isEmpty || !model.search.isEmpty else { return .empty }
        let t = frame.texts
        let nothing: HTML =
            model.documents.isEmpty
            ? "<p class=\"soft\">\(t("documents.none", ["filter": .text(model.search)]))</p>" : .empty
        return Part.card(
            t("templates.fromLibrary"),
            """
            <soft-page class="stack">\(Part.search(frame, "/templates/new", model.search, label: t("documents.filter")))
            <div class="stack" data-swap="papers">\(nothing)\(libraryPapers(frame, model))</div></soft-page>
            """)
    }

    private static func libraryPapers(_ frame: Frame, _ model: NewTemplatePage) -> HTML {
        let t = frame.texts
        return
            Part.list(
                model.documents.map { line -> HTML in
                    """
                    <div class="item">\(Part.sheet(line.mediaType, name: line.name))<span class="item-text">\
                    <span class="item-title" dir="auto">\(line.name)</span><span class="item-note">\(Part.time(line.addedAt))</span></span>\
                    \(Form.form(
                        frame, "POST", "/templates", css: nil,
                        """
                        <input type="hidden" name="document" value="\(line.id)"><button class="button button-s" \
                        aria-label="\(t("templates.use.name", ["name": .text(line.name)]))">\(t("templates.use"))</button>
                        """))</div>
                    """
                })
    }
}
