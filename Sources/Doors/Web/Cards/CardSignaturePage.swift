import CardCase
import Markup
import Storage

/// Where the end of a mail is looked at and taken along.
struct CardSignaturePage: Sendable {
    var card: OwnCard
    var signature: CardSignature
}

extension Pages {
    static func cardSignature(_ frame: Frame, _ model: CardSignaturePage) -> HTML {
        let t = frame.texts
        let path = "/cards/\(model.card.id.text)"
        let hasPhoto = model.signature.photo != nil
        let choices = [(false, "no"), (true, "yes")].map { isWith, word -> HTML in
            let isHere = isWith == hasPhoto
            return """
                <a class="button button-s\(isHere ? " button-main" : "")" href="\(url: "\(path)/signature?photo=\(word)")"\(attribute: "aria-current", isHere ? "true" : nil)>\(t("cards.signature.photo.\(word)"))</a>
                """
        }
        let nav: HTML =
            model.card.pictures[.photo] == nil
            ? .empty : "<nav class=\"row\" aria-label=\"\(t("cards.photo"))\">\(choices)</nav>"
        let warning: HTML =
            model.signature.address == nil
            ? Part.note(frame, .plain, "<p>\(t("cards.signature.onlyHere"))</p>") : .empty
        return Shell.page(
            frame, title: t("cards.signature"),
            """
            \(Part.header(
                frame, t("cards.signature"), lede: t("cards.signature.lede"),
                crumbs: [
                    (t("cards.mine"), "/cards"), (model.card.called, path), (t("cards.share"), "\(path)/share"),
                ]))
            <div class="columns"><div class="stack">\(Part.card(
                t("cards.signature.seen"),
                """
                \(nav)<iframe class="card-signature" src="\(url: "\(path)/signature?as=html&photo=\(hasPhoto ? "yes" : "no")")" title="\(t("cards.signature.seen"))"></iframe>\(warning)\
                <div class="row">\(Part.copy(frame, model.signature.plain, rich: model.signature.html.text))</div>
                """))</div>\
            <div class="stack">\(Part.card(
                t("cards.signature.plain"),
                """
                <pre class="card-signature-plain" dir="auto" tabindex="0">\(model.signature.plain)</pre>\
                <div class="row">\(Part.copy(frame, model.signature.plain))</div>
                """))\(Part.card(
                t("cards.signature.how"), "<p>\(t("cards.signature.how.text"))</p>"))</div></div>
            """)
    }
}
