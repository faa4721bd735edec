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
    var error: String?
    var errorField: String?
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
            \(Form.failure(frame, model.errorField == "address" ? nil : model.error))
            <div class="columns">
            <div class="stack stack-l">
            \(Part.fileZone(
                frame, action: "/templates", label: t("templates.drop"), hint: t("templates.drop.hint"),
                accept: "application/pdf,.pdf"))
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

    private static func fromLibrary(_ frame: Frame, _ model: NewTemplatePage) -> HTML {
        guard !model.documents.isEmpty else { return .empty }
        let t = frame.texts
        return Part.card(
            t("templates.fromLibrary"),
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
                }))
    }
}
