import CardCase
import Markup
import Storage
import WebAssets
import Work

/// The editor of a card: what is changed is kept, and seen beside it at once.
struct CardEditPage: Sendable {
    var card: OwnCard
    var failure: (sentence: String, field: String?)?
    /// What was typed for a field that could not be taken.
    var typed = ""
    var typedKind = ""
}

extension Pages {
    static func cardEditor(_ frame: Frame, _ model: CardEditPage) -> HTML {
        let t = frame.texts
        let card = model.card
        return Shell.page(
            frame, title: card.called,
            """
            <link rel="stylesheet" href="\(url: frame.assets.address(of: "card.css"))">\(CardIcons.sprite)<soft-page>
            \(Part.header(
                frame, card.called, lede: t("cards.edit.lede"), crumbs: [(t("cards.mine"), "/cards")],
                actions: Part.link(
                    frame, "/cards/\(card.id.text)/share", t("cards.share"), icon: .share, css: "button button-main")))
            <div data-swap="card-failure">\(Form.failure(frame, model.failure?.sentence))</div>
            <div class="columns card-editor"><div class="stack">\(about(frame, card))\(fields(frame, model))\(adding(frame, model))\(looks(frame, card))</div>\
            <div class="stack"><section class="card card-preview" aria-label="\(t("cards.preview"))"><div data-swap="card-preview">\(preview(frame, card))</div></section>\
            \(pictures(frame, card))\(end(frame, card))</div></div></soft-page>
            """)
    }

    private static func preview(_ frame: Frame, _ card: OwnCard) -> HTML {
        CardView(
            card: card.seen(by: .everybody), texts: frame.texts,
            pictures: .ofOwner(card)
        ).html
    }

    private static func lines(_ frame: Frame, _ card: OwnCard, _ names: [String]) -> HTML {
        let parts = names.compactMap { name in OwnCard.settable.first { $0.name == name } }.map {
            field -> HTML in
            let line = SettableLine(field, of: card)
            if !line.choices.isEmpty { return Form.field(frame, line) }
            var shown = Form.Field(frame, line)
            if field.name == "note" { shown.rows = 3 }
            return Form.field(frame, shown)
        }
        return "\(parts)"
    }

    private static func cardSave(_ frame: Frame) -> HTML {
        "<button class=\"button without-script\">\(frame.texts("cards.save"))</button>"
    }

    private static func about(_ frame: Frame, _ card: OwnCard) -> HTML {
        let t = frame.texts
        let more = [
            "prefix", "middle", "suffix", "preferred", "maiden", "pronouns", "department", "accreditations",
            "label",
        ]
        let settable = OwnCard.settable
        let isOpen = more.contains { name in
            !(settable.first { $0.name == name }?.text(of: card) ?? "").isEmpty
        }
        return Part.card(
            t("cards.about"),
            Form.form(
                frame, "PATCH", "/cards/\(card.id.text)", id: "about", soft: true, live: true,
                """
                \(lines(frame, card, ["given", "family", "title", "organization", "headline", "note"]))\
                <details class="more"\(attribute: "open", if: isOpen)><summary>\(t("cards.more"))</summary><div class="stack">\(lines(frame, card, more))</div></details>\
                \(cardSave(frame))
                """))
    }

    private static func fields(_ frame: Frame, _ model: CardEditPage) -> HTML {
        let t = frame.texts
        let fields = model.card.fields
        guard !fields.isEmpty else {
            return
                "<div data-swap=\"card-fields\"><p class=\"soft\">\(t("cards.fields.none"))</p></div>"
        }
        let rows = fields.enumerated().map { place, field -> HTML in
            fieldRow(frame, field, place, of: fields.count)
        }
        return """
            <div data-swap="card-fields">\(Part.card(
                t("cards.fields"),
                Form.form(
                    frame, "PATCH", "/cards/\(model.card.id.text)", id: "fields", soft: true, live: true,
                    "<input type=\"hidden\" name=\"hasFields\" value=\"yes\"><sort-list><ol class=\"card-fields\">\(rows)</ol></sort-list>\(cardSave(frame))")))</div>
            """
    }

    private static func fieldRow(
        _ frame: Frame, _ field: OwnCard.Field, _ place: Int, of count: Int
    ) -> HTML {
        let t = frame.texts
        let name = t.name(of: field)
        let audiences = FieldAudience.allCases.map { audience -> HTML in
            "<option value=\"\(audience.rawValue)\"\(attribute: "selected", if: audience == field.audience)>\(t("cards.seen.\(audience.rawValue)"))</option>"
        }
        let control: HTML =
            field.kind.isLong
            ? "<textarea id=\"v-\(place)\" name=\"value\" rows=\"3\">\(field.value)</textarea>"
            : "<input id=\"v-\(place)\" type=\"text\" name=\"value\" value=\"\(field.value)\" inputmode=\"\(field.kind.inputMode)\" autocomplete=\"off\">"
        func button(_ act: String, _ icon: Icon, _ label: String, isOff: Bool = false) -> HTML {
            """
            <button class="button button-icon button-s" name="do" value="\(act):\(place)"\(attribute: "disabled", if: isOff) \
            aria-label="\(t(label, ["name": .text(name)]))">\(frame.icon(icon))</button>
            """
        }
        return """
            <li class="card-field" data-place="\(place)"><input type="hidden" name="kind" value="\(field.kind.id)">\
            <div class="card-field-head"><span class="card-grip script-only" aria-hidden="true"></span>\
            <label for="v-\(place)">\(t.name(of: field.kind))</label><span class="push"></span>\
            \(button("up", .up, "cards.field.up", isOff: place == 0))\(button("down", .down, "cards.field.down", isOff: place == count - 1))\
            \(button("remove", .trash, "cards.field.remove"))</div>\(control)\
            <div class="card-field-more"><label class="unseen" for="t-\(place)">\(t("cards.field.title", ["name": .text(name)]))</label>\
            <input id="t-\(place)" type="text" name="fieldTitle" value="\(field.title)" placeholder="\(t("cards.field.ownName"))" maxlength="60" autocomplete="off">\
            <label class="unseen" for="a-\(place)">\(t("cards.field.seen", ["name": .text(name)]))</label>\
            <select id="a-\(place)" name="visibility">\(audiences)</select></div></li>
            """
    }

    private static func adding(_ frame: Frame, _ model: CardEditPage) -> HTML {
        let t = frame.texts
        let groups = FieldKind.Family.allCases.map { family -> HTML in
            let kinds = FieldKind.all.filter { $0.family == family }
            return """
                <optgroup label="\(t("cards.kinds.\(family.rawValue)"))">\(kinds.map { kind -> HTML in
                    "<option value=\"\(kind.id)\"\(attribute: "selected", if: kind.id == model.typedKind)>\(t.name(of: kind))</option>"
                })</optgroup>
                """
        }
        let value = Form.Field(
            name: "newValue", label: t("cards.add.value"), value: model.typed, hint: t("cards.add.hint"),
            autocomplete: "off", maximumLength: 500)
        return Part.card(
            t("cards.add"), id: "add",
            """
            <div data-swap="card-add">\(Form.form(
                frame, "PATCH", "/cards/\(model.card.id.text)", id: "adding", soft: true,
                """
                \(Form.field(frame, value))<div class="field"><label for="f-newKind">\(t("cards.add.kind"))</label>\
                <select id="f-newKind" name="newKind"><option value="">\(t("cards.add.recognise"))</option>\(groups)</select></div>\
                \(Form.select(
                    frame, name: "newVisibility", label: t("cards.add.seen"),
                    options: FieldAudience.allCases.map { ($0.rawValue, t("cards.seen.\($0.rawValue)")) },
                    chosen: FieldAudience.everybody.rawValue))\
                <button class="button button-main">\(frame.icon(.plus))\(t("cards.add.do"))</button>
                """))</div>
            """)
    }

    private static func looks(_ frame: Frame, _ card: OwnCard) -> HTML {
        Part.card(
            frame.texts("cards.looks"),
            Form.form(
                frame, "PATCH", "/cards/\(card.id.text)", id: "looks", soft: true, live: true,
                "\(lines(frame, card, ["theme", "layout", "language", "answers"]))\(cardSave(frame))"))
    }

    /// Each has a page of its own, where it is chosen and cut.
    private static func pictures(_ frame: Frame, _ card: OwnCard) -> HTML {
        let t = frame.texts
        let places = CardView.Pictures.ofOwner(card).places
        let rows = CardPicture.Kind.allCases.map { kind -> HTML in
            let name = t("cards.picture.\(kind.rawValue)")
            let seen: HTML =
                places[kind].map { "<img class=\"card-picture\" src=\"\(url: $0)\" alt=\"\">" }
                ?? "<span class=\"card-picture card-picture-none\">\(frame.icon(.camera))</span>"
            return """
                <a class="item" href="/cards/\(card.id.text)/\(kind.rawValue)/crop">\(seen)\
                <span class="item-text"><span class="item-title">\(name)</span>\
                <span class="item-note">\(t(places[kind] == nil ? "cards.picture.\(kind.rawValue).none" : "cards.picture.change"))</span></span></a>
                """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("cards.pictures"))</h2></div>\(Part.list(rows))</section>
            """
    }

    private static func end(_ frame: Frame, _ card: OwnCard) -> HTML {
        let t = frame.texts
        return Part.card(
            t("cards.remove"),
            """
            <p class="soft">\(t("cards.remove.text"))</p>\(Form.button(
                frame, "DELETE", "/cards/\(card.id.text)", t("cards.remove.do"), icon: .trash, css: "button button-danger",
                confirm: t("cards.remove.confirm")))
            """)
    }
}
