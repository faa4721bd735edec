import Crypto
import Markup
import SigningKeys
import Work

/// In whose name one signs, and whom the desk believes.
struct IdentitiesPage: Sendable {
    struct Line: Sendable {
        var id: String
        var name: String
        var issuer: String
        var ends: Moment

        init(id: String, name: String, issuer: String, ends: Moment) {
            self.id = id
            self.name = name
            self.issuer = issuer
            self.ends = ends
        }

        init(_ id: String, _ name: String, _ certificate: X509Certificate) {
            self.init(
                id: id, name: name, issuer: certificate.issuerName,
                ends: Moment(milliseconds: certificate.ends * 1000))
        }
    }

    var identities: [Line] = []
    /// The desk's own authority.
    var authority: String?
    var trusted: [Line] = []
    /// For Apple Wallet: what each signs, and whether it can.
    var passes: [(type: String, state: PassCertificate.State)] = []
    var error: String?
    var errorField: String?
}

extension Pages {
    static func identities(_ frame: Frame, _ model: IdentitiesPage) -> HTML {
        let t = frame.texts
        let own = model.identities.map { identity -> HTML in
            let certificate = "/identities/\(identity.id)/certificate"
            let tools: HTML = """
                <span class="row">\(Part.link(frame, certificate, t("identities.certificate"), icon: .download, css: "button button-s"))\
                \(frame.canEdit ? Form.button(
                    frame, "DELETE", "/identities/\(identity.id)", t("form.remove"),
                    css: "button button-s button-danger",
                    confirm: t("identities.confirm", ["name": .text(identity.name)])) : .empty)</span>
                """
            return item(frame, identity.name, note(frame, identity), tools)
        }
        let believed =
            (model.authority.map { authority in
                item(frame, authority, HTML(plain: t("identities.own")), .empty)
            }.map { [$0] } ?? [])
            + model.trusted.map { trusted in
                item(
                    frame, trusted.name, until(frame, trusted.ends),
                    frame.isOwner
                        ? Form.button(
                            frame, "DELETE", "/trusted-certificates/\(trusted.id)", t("form.remove"),
                            css: "button button-s button-danger",
                            confirm: t("identities.distrust", ["name": .text(trusted.name)])) : .empty)
            }
        func card(_ key: String, _ items: [HTML]) -> HTML {
            items.isEmpty
                ? .empty
                : """
                <section class="card card-flush"><div class="card-head"><h2>\(t(key))</h2></div>\
                \(Part.list(items))</section>
                """
        }
        return settingsPage(
            frame, "settings.identities",
            """
            <p class="soft">\(t("identities.lede"))</p>
            \(card("identities.yours", own))
            \(frame.canEdit ? Part.card(t("identities.new"), id: "new", making(frame, model)) : .empty)
            \(frame.canEdit ? Part.card(t("identities.import"), id: "import", importing(frame, model)) : .empty)
            \(card("identities.trusted", believed))
            \(frame.isOwner ? Part.card(t("identities.trust"), id: "trust", trusting(frame, model)) : .empty)
            \(Part.card(t("identities.wallet"), id: "wallet", wallet(frame, model)))
            """)
    }

    /// What is missing before cards can go into Apple Wallet, and how to get it.
    private static func wallet(_ frame: Frame, _ model: IdentitiesPage) -> HTML {
        let t = frame.texts
        let states = model.passes.map { type, state -> HTML in
            let mood: Part.Mood = state == .ready ? .good : .warn
            return
                "<li><span dir=\"ltr\">\(type)</span> \(Part.chip(frame, t("identities.wallet.\(state.rawValue)"), mood))</li>"
        }
        let known: HTML = states.isEmpty ? "<p>\(t("identities.wallet.none"))</p>" : "<ul>\(states)</ul>"
        let steps = (1...4).map { "<li>\(t("identities.wallet.step\($0)"))</li>" as HTML }
        return "<p class=\"soft\">\(t("identities.wallet.text"))</p>\(known)<ol>\(steps)</ol>"
    }

    private static func item(_ frame: Frame, _ name: String, _ note: HTML, _ tools: HTML) -> HTML {
        """
        <div class="item">\(frame.icon(.shield))<span class="item-text"><span class="item-title" dir="auto">\(name)</span>\
        <span class="item-note">\(note)</span></span>\(tools)</div>
        """
    }

    private static func note(_ frame: Frame, _ identity: IdentitiesPage.Line) -> HTML {
        let t = frame.texts
        let issuer = t("identities.issuer", ["name": .text(identity.issuer)])
        return "\(issuer) · \(until(frame, identity.ends))"
    }

    private static func until(_ frame: Frame, _ end: Moment) -> HTML {
        frame.texts.html("identities.until", markup: ["when": Part.time(end, style: .date)])
    }

    private static func making(_ frame: Frame, _ model: IdentitiesPage) -> HTML {
        let t = frame.texts
        func problem(_ field: String) -> String? { model.errorField == field ? model.error : nil }
        return Form.form(
            frame, "POST", "/identities",
            """
            \(Form.field(
                frame,
                Form.Field(
                    name: "name", label: t("identities.name"), hint: t("identities.name.hint"),
                    error: problem("name"), autocomplete: "name", isRequired: true, maximumLength: 64)))
            \(Form.field(
                frame,
                Form.Field(
                    name: "mail", label: t("identities.mail"), type: "email", autocomplete: "email",
                    optionalNote: t("form.optional"))))
            \(Form.select(
                frame, name: "key", label: t("identities.key"),
                options: [("ec", t("identities.key.ec")), ("rsa", t("identities.key.rsa"))], chosen: "ec"))
            <div><button class="button button-main">\(frame.icon(.plus))\(t("identities.make"))</button></div>
            """)
    }

    private static func importing(_ frame: Frame, _ model: IdentitiesPage) -> HTML {
        let t = frame.texts
        func problem(_ field: String) -> String? { model.errorField == field ? model.error : nil }
        return """
            <form method="post" action="/identities/import" enctype="multipart/form-data" class="stack">\(Form.csrf(frame))
            <div class="field"><label class="field-label" for="f-p12">\(t("identities.file"))</label>
            <input id="f-p12" type="file" name="file" accept=".p12,.pfx" required>\(Form.error(frame, "f-p12", problem("file")))</div>
            \(Form.field(
                frame,
                Form.Field(
                    name: "password", label: t("identities.password"), type: "password",
                    error: problem("password"), autocomplete: "off")))
            <div><button class="button">\(frame.icon(.upload))\(t("identities.take"))</button></div></form>
            """
    }

    private static func trusting(_ frame: Frame, _ model: IdentitiesPage) -> HTML {
        let t = frame.texts
        let problem = model.errorField == "certificate" ? model.error : nil
        return """
            <p class="soft">\(t("identities.trust.hint"))</p>
            <form method="post" action="/trusted-certificates" enctype="multipart/form-data" class="stack">\(Form.csrf(frame))
            <div class="field"><label class="field-label" for="f-pem">\(t("identities.pem"))</label>
            <input id="f-pem" type="file" name="file" accept=".pem,.crt,.cer" required>\(Form.error(frame, "f-pem", problem))</div>
            <div><button class="button">\(frame.icon(.plus))\(t("identities.trust"))</button></div></form>
            """
    }
}
