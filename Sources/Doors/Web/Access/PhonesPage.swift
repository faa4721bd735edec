import Access
import Codes
import Converting
import Markup
import Storage
import Work

/// Phones that photograph for somebody: the code that lets one in, and those that are in.
struct PhonesPage: Sendable {
    struct Phone: Sendable {
        var id: String
        var device: String
        var seenAt: Moment
        var until: Moment
    }
    /// Just made, and shown this once.
    var address: String?
    /// The desk is open to nobody but this computer.
    var isOnlyHere = false
    var phones: [Phone] = []
    /// Where a phone learns to trust a desk that vouches for itself.
    var trust: Trust?

    struct Trust: Sendable {
        var address: String
        var fingerprint: String
    }
}

extension Pages {
    static func phones(_ frame: Frame, _ model: PhonesPage) -> HTML {
        let t = frame.texts
        let code: HTML =
            model.address.flatMap { address in
                QRCode(address, boosts: true).flatMap { code in
                    code.text == address
                        ? """
                        <div class="card-code">\(raw: code.svg(label: t("phones.code")))</div>
                        <p>\(t("phones.code.text"))</p>
                        \(Part.copy(frame, address))
                        <p class="soft small">\(t("phones.code.until", ["count": .number(Int(Phones.codeLife.components.seconds / 60))]))</p>
                        """ : nil as HTML?
                }
            } ?? "<p class=\"soft\">\(t("phones.text"))</p>"
        let here: HTML =
            model.isOnlyHere
            ? Part.note(
                frame, .warn, "<p>\(t("phones.onlyHere"))</p><p><code>quire serve --lan</code></p>")
            : .empty
        let ask = Form.form(
            frame, "POST", "/phones",
            """
            <button class="button\(model.address == nil ? " button-main" : "")">\(frame.icon(.device))\
            \(t(model.address == nil ? "phones.show" : "phones.another"))</button>
            """)
        let phones: HTML =
            model.phones.isEmpty
            ? .empty
            : Part.card(
                t("phones.in"),
                Part.list(
                    model.phones.map { phone -> HTML in
                        """
                        <div class="item">\(frame.icon(.device))<span class="item-text"><span class="item-title">\(phone.device)</span>\
                        <span class="item-note">\(Part.time(phone.seenAt)) · \(t.html("shares.until", markup: ["when": Part.time(phone.until, style: .full)]))</span></span>\
                        \(Form.button(
                            frame, "DELETE", "/sessions/\(phone.id)?next=/phones", t("security.end"),
                            css: "button button-s",
                            name: t("security.end.name", ["device": .text(phone.device)])))</div>
                        """
                    }))
        return Shell.page(
            frame, title: t("phones.title"), narrow: true,
            """
            \(Part.header(frame, t("phones.title"), lede: t("phones.lede"), crumbs: [(t("scan.title"), "/scan")]))
            <section class="card stack">\(here)\(code)\(ask)</section>
            \(model.trust.map { trust(frame, $0) })
            \(phones)
            """)
    }

    /// For a phone that warns of the desk.
    private static func trust(_ frame: Frame, _ model: PhonesPage.Trust) -> HTML {
        let t = frame.texts
        let code = QRCode(model.address, boosts: true).flatMap { code in
            code.text == model.address
                ? "<div class=\"card-code\">\(raw: code.svg(label: t("phones.trust.code")))</div>" as HTML
                : nil
        }
        return Part.fold(
            t("phones.trust"), id: "trust",
            """
            <p>\(t("phones.trust.text"))</p>\(code)
            <p><a href="\(url: model.address)" dir="ltr">\(model.address)</a></p>
            <p>\(t("phones.trust.sign"))</p>
            <p class="secret" dir="ltr">\(model.fingerprint.replacing(":", with: " "))</p>
            """)
    }

    /// What the phone sees that has opened the code.
    static func letIn(_ frame: Frame, address: String, owner: String) -> HTML {
        let t = frame.texts
        let title = t("phones.letIn")
        return Shell.plain(
            frame, title: title,
            """
            <section class="card gate"><h1>\(title)</h1><p>\(t("phones.letIn.text", ["owner": .text(owner)]))</p>
            \(Form.form(
                frame, "POST", address,
                "<button class=\"button button-main button-wide\">\(frame.icon(.camera))\(t("phones.letIn.go"))</button>"))
            <p class="soft small">\(t("phones.letIn.hint", ["owner": .text(owner)]))</p></section>
            """)
    }

    /// What becomes of what a phone has photographed.
    static func captured(_ frame: Frame, _ line: ConversionLine) -> HTML {
        let t = frame.texts
        let (key, icon): (String, Icon) =
            switch line.state {
            case .done: ("phones.captured.done", .check)
            case .failed, .cancelled: ("phones.captured.failed", .warning)
            case .draft, .waiting, .running: ("phones.captured.making", .clock)
            }
        let title = t(key)
        return Shell.plain(
            frame, title: title,
            Part.empty(
                frame, icon: icon, title: title, isPageTitle: true,
                """
                <p role="status"><strong dir="auto">\(line.name)</strong></p>\
                \(line.reason.map { "<p>\($0)</p>" as HTML })
                """,
                actions: Part.link(
                    frame, "/scan", t("phones.captured.more"), icon: .camera, css: "button button-main")))
    }
}
