import CardCase
import Markup
import Storage
import WebAssets
import Work

/// One's own cards, and those that visitors sent back.
struct CardsPage: Sendable {
    var cards: [OwnCard]
    /// What waits for a yes.
    var answers: [CardAnswer] = []
    var reader = ""
    var error: String?
}

extension Pages {
    static func cards(_ frame: Frame, _ model: CardsPage) -> HTML {
        let t = frame.texts
        let list: HTML =
            model.cards.isEmpty
            ? Part.empty(frame, icon: .person, title: t("cards.empty"), "<p>\(t("cards.empty.text"))</p>")
            : "<ul class=\"card-case\" aria-label=\"\(t("cards.mine"))\">\(model.cards.map { "<li>\(cardTile(frame, $0))</li>" as HTML })</ul>"
        return Shell.page(
            frame, title: t("cards.mine"),
            """
            <link rel="stylesheet" href="\(url: frame.assets.address(of: "card.css"))">\(CardIcons.sprite)
            \(Part.header(frame, t("people.title"), lede: t("cards.lede")))
            \(peopleTabs(frame, .cards))
            <div class="columns"><div class="stack">\(answers(frame, model))\(list)</div><div class="stack">\(newCard(frame, model))\(model.cards.count > 1 ? copying(frame) : .empty)</div></div>
            """)
    }

    private static func cardTile(_ frame: Frame, _ card: OwnCard) -> HTML {
        let t = frame.texts
        var small = card.seen(by: .everybody)
        small.fields = Array(small.fields.prefix(3))
        small.note = ""
        let view = CardView(
            card: small, texts: t,
            pictures: .ofOwner(card))
        let name = card.called
        let chip: HTML = card.isDefault ? Part.chip(frame, t("cards.default"), .good) : .empty
        let makeDefault: HTML =
            card.isDefault
            ? .empty
            : Form.button(
                frame, "POST", "/cards/\(card.id.text)/default", t("cards.makeDefault"),
                css: "button button-s",
                name: t("cards.makeDefault.name", ["name": .text(name)]))
        return """
            <section class="card-tile"><div class="card-head"><h2 dir="auto">\(name)</h2>\(chip)</div>\(view.html)
            <div class="row"><a class="button button-main" href="/cards/\(card.id.text)/share">\(frame.icon(.share))\(t("cards.share"))<span class="unseen"> \(name)</span></a>\
            <a class="button" href="/cards/\(card.id.text)">\(frame.icon(.edit))\(t("cards.edit"))<span class="unseen"> \(name)</span></a>\(makeDefault)</div></section>
            """
    }

    private static func answers(_ frame: Frame, _ model: CardsPage) -> HTML {
        let t = frame.texts
        guard !model.answers.isEmpty else { return .empty }
        let items = model.answers.map { answer -> HTML in
            let facts = answer.fields.filter { $0.name != "Name" && $0.name != "Note" }.map(\.value)
            let said = ([answer.note, answer.message].filter { !$0.isEmpty } + facts).joined(separator: " · ")
            let yes: HTML =
                frame.canEdit
                ? Form.button(
                    frame, "POST", "/cards/answers/\(answer.id.text)", t("cards.answer.yes"), icon: .check,
                    css: "button button-s button-main",
                    name: t("cards.answer.yes.name", ["name": .text(answer.name)])) : .empty
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(answer.name)</span>\
                <span class="item-note" dir="auto">\(said)</span><span class="item-note">\(answer.cardName) · \(Part.time(answer.at))</span></span>\
                <span class="row">\(yes)\(Form.button(
                    frame, "DELETE", "/cards/answers/\(answer.id.text)", t("cards.answer.no"), css: "button button-s",
                    name: t("cards.answer.no.name", ["name": .text(answer.name)])))</span></div>
                """
        }
        return """
            <section class="card card-flush" id="answers"><div class="card-head"><h2>\(t("cards.answers.waiting"))</h2></div>\
            \(Part.list(items))</section>
            """
    }

    private static func newCard(_ frame: Frame, _ model: CardsPage) -> HTML {
        let t = frame.texts
        func field(_ name: String, _ label: String, _ autocomplete: String, isOptional: Bool = true) -> HTML {
            Form.field(
                frame,
                Form.Field(
                    name: name, label: label, autocomplete: autocomplete, maximumLength: 120,
                    optionalNote: isOptional ? t("form.optional") : nil))
        }
        return Part.card(
            t("cards.new"), id: "new",
            Form.form(
                frame, "POST", "/cards",
                """
                \(Form.failure(frame, model.error))\(field("given", t("cards.given"), "given-name", isOptional: false))\
                \(field("family", t("cards.family"), "family-name"))\(field("title", t("cards.title"), "organization-title"))\
                \(field("organization", t("cards.organization"), "organization"))\
                <input type="hidden" name="language" value="\(t.language.tag)">\
                <button class="button button-main">\(frame.icon(.plus))\(t("cards.new.make"))</button>
                """))
    }
}
