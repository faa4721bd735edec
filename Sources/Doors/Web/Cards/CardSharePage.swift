import CardCase
import Codes
import Markup
import Starters
import Storage
import Work

/// Where a card is given away: its code, its file, its address, and links for one person each.
struct CardSharePage: Sendable {
    var card: OwnCard
    var address: String
    /// Telephones find it there.
    var isReachable: Bool
    var code: MadeCode?
    var codeError: String?
    var links: [(link: CardLink, address: String)] = []
    var error: String?
    var note = ""
    var slug = ""
    /// What is usual where the reader is, and what has no place on it.
    var paper = PaperSize.a4
    var leftOut: [String] = []
    var missing = ""
    /// Whether it can go into Apple Wallet.
    var hasPass = false
    /// How many telephones keep it up to date there.
    var wallets = 0
}

extension Pages {
    static func cardShare(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        let card = model.card
        return Shell.page(
            frame, title: t("cards.share.title", ["name": .text(card.called)]),
            """
            \(Part.header(
                frame, t("cards.share.title", ["name": .text(card.called)]),
                crumbs: [(t("cards.mine"), "/cards"), (card.called, "/cards/\(card.id.text)")]))
            \(Form.failure(frame, model.error))
            <div class="columns"><div class="stack">\(code(frame, model))\(place(frame, model))\(signature(frame, model))\(copying(frame, cards: model.card.id.text))</div>\
            <div class="stack">\(links(frame, model))\(newLink(frame, model))\(tag(frame, model))\(printing(frame, model))\(screens(frame, model))</div></div>
            """)
    }

    private static func code(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        let path = "/cards/\(model.card.id.text)"
        let choices = CodeContent.allCases.map { content -> HTML in
            let isHere = content == model.code?.content
            return """
                <a class="button button-s\(isHere ? " button-main" : "")" href="\(url: "\(path)/share?holds=\(content.rawValue)")"\(attribute: "aria-current", isHere ? "true" : nil)>\(t("cards.code.\(content.rawValue)"))</a>
                """
        }
        var body: HTML = "<nav class=\"row\" aria-label=\"\(t("cards.code.holds"))\">\(choices)</nav>"
        if let error = model.codeError { body += Part.note(frame, .warn, "<p>\(error)</p>") }
        if let made = model.code {
            let leftOut: HTML =
                made.leftOut.isEmpty
                ? .empty
                : "<p class=\"soft small\">\(t("cards.code.leftOut", ["names": .text(made.leftOut.joined(separator: ", "))]))</p>"
            let fine: HTML = made.isFine ? .empty : Part.note(frame, .warn, "<p>\(t("cards.code.large"))</p>")
            let query = "holds=\(made.content.rawValue)"
            body += """
                <div class="card-code">\(raw: made.code.svg(label: made.label))</div>\(leftOut)\(fine)\
                <div class="row">\(Part.link(frame, "\(path)/code?as=png&\(query)", "PNG", icon: .download, css: "button button-s"))\
                \(Part.link(frame, "\(path)/code?as=svg&\(query)", "SVG", icon: .download, css: "button button-s"))\
                \(Part.link(frame, "\(path)/file", t("cards.share.file"), icon: .download, css: "button button-s"))\(model.hasPass
                    ? Part.link(frame, "\(path)/pass", t("card.wallet"), icon: .download, css: "button button-s") : .empty)</div>\
                \(model.wallets > 0 ? "<p class=\"soft small\">\(t("cards.share.wallets", ["count": .number(model.wallets)]))</p>" : .empty)
                """
        }
        return Part.card(t("cards.code"), body)
    }

    private static func place(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        let warning: HTML =
            model.isReachable ? .empty : Part.note(frame, .plain, Part.onlyHere(frame))
        let slug = Form.Field(
            name: "slug", label: t("cards.address.wish"), value: model.slug, hint: t("cards.address.hint"),
            autocomplete: "off", maximumLength: 40, optionalNote: t("form.optional"))
        return Part.card(
            t("cards.address"),
            """
            <p dir="ltr" class="card-address"><a href="\(url: "/c/\(model.card.slug)")">\(model.address)</a></p>\(warning)\
            <div class="row">\(Part.copy(frame, model.address))\(Part.giveAway(frame, model.address, name: model.card.shownName()))\
            \(Part.link(frame, "/c/\(model.card.slug)/glance", t("card.showCode"), icon: .screen, css: "button button-s"))</div>\
            <details class="more"><summary>\(t("cards.address.change"))</summary>\(Form.form(
                frame, "POST", "/cards/\(model.card.id.text)/address",
                "\(Form.field(frame, slug))<button class=\"button\">\(t("cards.address.do"))</button>"))</details>
            """)
    }

    private static func signature(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        return Part.card(
            t("cards.signature"),
            """
            <p>\(t("cards.signature.lede"))</p><div class="row">\(Part.link(
                frame, "/cards/\(model.card.id.text)/signature", t("cards.signature.see"), icon: .mail, css: "button"))</div>
            """)
    }

    private static func printing(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        func choice<Choice: RawRepresentable<String> & CaseIterable>(
            _ name: String, _ all: Choice.Type, _ chosen: Choice
        ) -> HTML {
            Form.select(
                frame, name: name, label: t("cards.print.\(name)"),
                options: all.allCases.map { ($0.rawValue, t("cards.print.\(name).\($0.rawValue)")) },
                chosen: chosen.rawValue)
        }
        var notes: [String] = []
        if !model.leftOut.isEmpty {
            notes.append(t("cards.print.leftOut", ["names": .text(model.leftOut.joined(separator: ", "))]))
        }
        if !model.missing.isEmpty {
            notes.append(t("cards.print.missing", ["letters": .text(model.missing)]))
        }
        return Part.card(
            t("cards.print"),
            """
            <p>\(t("cards.print.text"))</p>\(notes.map { "<p class=\"soft small\">\($0)</p>" as HTML })<form class="stack" method="get" action="\(url: "/cards/\(model.card.id.text)/sheet")" target="_blank">\
            \(choice("paper", PaperSize.self, model.paper))\(choice("side", CardSheet.Sides.self, .code))\
            <button class="button">\(frame.icon(.printer))\(t("cards.print.do"))</button></form>
            """)
    }

    /// Written here where the browser can (Chrome on Android); elsewhere any app for tags takes the address.
    private static func tag(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        guard model.isReachable else { return .empty }
        return Part.card(
            t("cards.tag"),
            """
            <nfc-writer class="stack stack-s" data-address="\(model.address)"><p>\(t("cards.tag.text"))</p>\
            <p class="soft small" data-elsewhere>\(t("cards.tag.elsewhere"))</p>\
            <div class="row"><button class="button" type="button" data-write hidden>\(frame.icon(.device))\(t("cards.tag.write"))</button>\
            \(Part.copy(frame, model.address))\
            \(Part.link(frame, "/cards/\(model.card.id.text)/tag?as=ndef", t("cards.tag.file"), icon: .download, css: "button button-s"))</div>\
            <p role="status" data-word></p></nfc-writer>
            """)
    }

    private static func screens(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        let links = CardScreen.Kind.allCases.map { kind in
            Part.link(
                frame, "/cards/\(model.card.id.text)/picture?kind=\(kind.rawValue)",
                t("cards.screen.\(kind.rawValue)"), icon: .download, css: "button button-s")
        }
        return Part.card(
            t("cards.screen"), "<p>\(t("cards.screen.text"))</p><div class=\"row\">\(links)</div>")
    }

    /// Of one card, or of all.
    static func copying(_ frame: Frame, cards: String? = nil) -> HTML {
        let t = frame.texts
        let which: HTML = cards.map { "<input type=\"hidden\" name=\"cards\" value=\"\($0)\">" } ?? .empty
        let address = Form.Field(
            name: "address", label: t("cards.copy.address"), hint: t("cards.copy.address.hint"),
            autocomplete: "off", inputMode: "url", maximumLength: 400, optionalNote: t("form.optional"))
        return Part.card(
            t(cards == nil ? "cards.copy.all" : "cards.copy"),
            """
            <p>\(t("cards.copy.text"))</p><form class="stack" method="get" action="/cards/copy">\(which)\(Form.field(frame, address))\
            <button class="button">\(frame.icon(.download))\(t("cards.copy.do"))</button></form>
            """)
    }

    private static func links(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        guard !model.links.isEmpty else { return .empty }
        let items = model.links.map { each -> HTML in
            let state = each.link.state(at: frame.now)
            let chip =
                state == .active ? HTML.empty : Part.chip(frame, t("cards.link.\(state.rawValue)"), .warn)
            var facts: [HTML] = ["\(t("cards.link.openings", ["count": .number(each.link.openings)]))"]
            if let opened = each.link.openedAt { facts.append(Part.time(opened)) }
            if each.link.isOnce { facts.append("\(t("cards.link.once"))") }
            if each.link.audience == .exchanged { facts.append("\(t("cards.link.more"))") }
            if state == .active, let until = each.link.expiresAt {
                facts.append(t.html("shares.until", markup: ["when": Part.time(until, style: .date)]))
            }
            let said = facts.enumerated().map { $0 == 0 ? $1 : " · \($1)" as HTML }
            let copy: HTML = state == .active ? Part.copy(frame, each.address) : .empty
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(each.link.note) \(chip)</span>\
                <span class="item-note">\(said)</span>\(state == .active ? "<span class=\"item-note\" dir=\"ltr\">\(each.address)</span>" as HTML : .empty)</span>\
                <span class="row">\(copy)\(Form.button(
                    frame, "DELETE", "/cards/\(model.card.id.text)/links/\(each.link.id.text)",
                    t(state == .revoked ? "cards.link.remove" : "cards.link.revoke"), css: "button button-s",
                    name: t("cards.link.revoke.name", ["name": .text(each.link.note)])))</span></div>
                """
        }
        return """
            <section class="card card-flush" id="links"><div class="card-head"><h2>\(t("cards.links"))</h2></div>\(Part.list(items))</section>
            """
    }

    private static func newLink(_ frame: Frame, _ model: CardSharePage) -> HTML {
        let t = frame.texts
        return Part.card(
            t("cards.link.new"),
            Form.form(
                frame, "POST", "/cards/\(model.card.id.text)/links",
                """
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "note", label: t("cards.link.who"), value: model.note, hint: t("cards.link.who.hint"),
                        autocomplete: "off", isRequired: true, maximumLength: 200)))\
                \(ShareTerms.days(frame, [1, 7, 30, 365], chosen: 30))\
                \(Form.check(name: "once", label: t("cards.link.once.check"), hint: t("cards.link.once.hint"), isOn: false))\
                \(Form.check(
                    name: "shows", value: FieldAudience.exchanged.rawValue, label: t("cards.link.shows"),
                    hint: t("cards.link.shows.hint"), isOn: false))\
                <button class="button button-main">\(frame.icon(.link))\(t("cards.link.make"))</button>
                """))
    }
}
