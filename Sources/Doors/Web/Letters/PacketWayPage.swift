import Markup
import Work

/// One person's packet on its way to them: every way of giving it, and all that has happened.
struct PacketWayPage: Sendable {
    struct Event: Sendable {
        var at: Moment
        var state: String
        var actor: String
        var address = ""
        var detail = ""
    }

    /// A link just made; its address is told this once.
    struct NewLink: Sendable {
        var address: String
        /// A drawing, as SVG.
        var code: String?
        var hasPassword = false
    }

    var batch: BatchLine
    var line: DeliveryItem
    var fileName: String
    var history: [Event] = []
    var messages: [OutboxLine] = []
    var links: [ShareLine] = []
    var newLink: NewLink?
    var hasAccount = true
    /// Without a file there is nothing to give.
    var isMade = true
    /// `mailto:…`
    var mailAddress: String?
    /// The last mark that was set by hand can be taken back.
    var canRevert = false
    var linkError: String?
    /// About the other address somebody typed.
    var addressError: String?
    var error: String?
}

extension Pages {
    static func delivery(_ frame: Frame, _ model: PacketWayPage) -> HTML {
        let t = frame.texts
        let path = "/packets/\(model.line.packet)"
        let reason = model.line.reason.map {
            Part.note(frame, .warn, "<p dir=\"auto\">\(frame.texts.said($0))</p>")
        }
        return Shell.page(
            frame, title: "\(t("delivery.title")): \(model.line.name)",
            """
            \(Part.header(
                frame, model.line.name, lede: model.line.address.isEmpty ? t("deliveries.noAddress") : model.line.address,
                crumbs: [
                    (t("packets.title"), "/batches"), (model.batch.name, "/batches/\(model.batch.id)/deliveries"),
                ], actions: "\(deliveryChip(frame, model.line.state))\(Part.link(frame, path, t("delivery.look"), icon: .eye))"))
            \(Form.failure(frame, model.error))\(reason)
            \(newLink(frame, model))
            <div class="columns"><div class="stack">\(model.isMade ? waysOfGiving(frame, model, path) : notMade(frame))\(model.isMade ? linkCard(frame, model, path) : .empty)</div>
            <div class="stack">\(model.isMade ? marks(frame, model, path) : .empty)\(happened(frame, model))</div></div>
            """)
    }

    private static func notMade(_ frame: Frame) -> HTML {
        Part.empty(
            frame, icon: .document, title: frame.texts("delivery.unmade"),
            "<p>\(frame.texts("delivery.unmade.text"))</p>")
    }

    private static func newLink(_ frame: Frame, _ model: PacketWayPage) -> HTML {
        guard let link = model.newLink else { return .empty }
        let t = frame.texts
        let code = link.code.map { drawing -> HTML in
            """
            <figure class="qr"><div>\(raw: drawing)</div>\
            <figcaption class="soft small">\(t("delivery.qr"))</figcaption></figure>
            """
        }
        let password: HTML? =
            link.hasPassword ? "<p class=\"soft small\">\(t("delivery.link.password"))</p>" : nil
        return """
            <section class="card card-lamp new-link" role="status"><div class="stack"><h2>\(t("delivery.link.made"))</h2>
            <p class="soft">\(t("delivery.link.once"))</p>\(Part.newLink(frame, link.address))
            <div class="row">\(Part.copy(frame, link.address))\(shareButton(frame, model, address: link.address, file: nil))</div>\(password)</div>\(code)</section>
            """
    }

    /// Shown only where the browser can share; the ledger is told once the device says that it was done.
    private static func shareButton(
        _ frame: Frame, _ model: PacketWayPage, address: String?, file: String?
    ) -> HTML {
        """
        <share-button hidden\(attribute: "address", address)\(attribute: "file", file) name="\(model.fileName)"\
        \(attribute: "told", frame.canEdit ? "/packets/\(model.line.packet)/handover" : nil)>\
        <button class="\(file == nil ? "button button-s" : "way")" type="button">\(frame.icon(.share))\
        \(file == nil
            ? "\(frame.texts("delivery.share"))" as HTML
            : "<span><strong>\(frame.texts("delivery.share"))</strong><small>\(frame.texts("delivery.share.text"))</small></span>")</button></share-button>
        """
    }

    private static func waysOfGiving(_ frame: Frame, _ model: PacketWayPage, _ path: String) -> HTML {
        let t = frame.texts
        func words(_ key: String) -> HTML {
            "<span><strong>\(t("delivery.\(key)"))</strong><small>\(t("delivery.\(key).text"))</small></span>"
        }
        func way(_ key: String, _ address: String, _ icon: Icon, download: Bool = false) -> HTML {
            """
            <a class="way" href="\(url: address)"\(attribute: "download", if: download)>\(frame.icon(icon))\(words(key))</a>
            """
        }
        var ways: HTML = .empty
        let isUnsent = ["made", "cancelled", "refused", "suppressed"].contains(model.line.state)
        if frame.canEdit, model.hasAccount, !model.line.address.isEmpty {
            ways += Form.form(
                frame, "POST", path + "/sending",
                confirm: isUnsent ? nil : t("delivery.send.again", ["name": .text(model.line.name)]),
                css: nil,
                """
                <button class="way\(isUnsent ? " way-main" : "")">\(frame.icon(.mail))\(words("send"))</button>
                """)
        }
        ways += shareButton(frame, model, address: nil, file: path + "/file")
        ways += way("download", path + "/file?download=1", .download, download: true)
        ways += way("eml", path + "/message", .mail, download: true)
        if let address = model.mailAddress { ways += way("mailto", address, .open) }
        ways += way("letter", "/batches/\(model.batch.id)/letter?packet=\(model.line.packet)", .eye)
        let elsewhere: HTML =
            frame.canEdit && model.hasAccount
            ? otherAddress(
                frame, path + "/sending", isUnsent ? nil : model.line.name, error: model.addressError)
            : .empty
        return Part.card(t("delivery.ways"), "<div class=\"ways\">\(ways)</div>") + elsewhere
    }

    /// For an address that was missing or wrong on the list. `name` is of somebody who has got theirs already.
    static func otherAddress(
        _ frame: Frame, _ path: String, _ name: String? = nil, error: String? = nil
    ) -> HTML {
        let t = frame.texts
        return Part.card(
            t("delivery.other"),
            Form.form(
                frame, "POST", path, confirm: name.map { t("delivery.send.again", ["name": .text($0)]) },
                css: "with-button with-label",
                """
                \(Form.field(
                    frame,
                    .init(
                        name: "to", label: t("identity.email"), type: "email", error: error, autocomplete: "off",
                        isRequired: true)))
                <button class="button">\(frame.icon(.mail))\(t("delivery.other.do"))</button>
                """))
    }

    private static func linkCard(_ frame: Frame, _ model: PacketWayPage, _ path: String) -> HTML {
        let t = frame.texts
        let links = model.links.map { shareItem(frame, $0, namesDocument: false) }
        let list: HTML = links.isEmpty ? .empty : Part.list(links)
        guard frame.canEdit else {
            return links.isEmpty ? .empty : Part.card(t("delivery.links"), list)
        }
        return Part.card(
            t("delivery.links"), id: "links",
            """
            <p class="soft">\(t("delivery.links.text"))</p>
            \(Form.failure(frame, model.linkError))
            \(Form.form(
                frame, "POST", path + "/shares",
                """
                <div class="form-grid">\(ShareTerms.days(frame, [7, 30, 90], chosen: 30))\
                \(Form.field(
                    frame,
                    .init(
                        name: "password", label: t("form.password"), type: "password", autocomplete: "new-password",
                        optionalNote: t("form.optional"))))</div>
                <div><button class="button">\(frame.icon(.link))\(t("delivery.link.make"))</button></div>
                """))
            \(list)
            """)
    }

    private static func marks(_ frame: Frame, _ model: PacketWayPage, _ path: String) -> HTML {
        guard frame.canEdit else { return .empty }
        let t = frame.texts
        func mark(_ what: String, _ icon: Icon, _ placeholder: String) -> HTML {
            Form.form(
                frame, "POST", "\(path)/\(what)", css: "with-button with-label",
                """
                <div class="field"><label for="note-\(what)">\(t("delivery.\(what).note")) <span class="optional">\(t("form.optional"))</span></label>
                <input type="text" id="note-\(what)" name="note" maxlength="200" autocomplete="off" placeholder="\(placeholder)"></div>
                <button class="button">\(frame.icon(icon))\(t("delivery.\(what)"))</button>
                """)
        }
        let revert: HTML =
            model.canRevert
            ? Form.button(
                frame, "DELETE", "\(path)/handover", t("delivery.revert"), icon: .restore,
                css: "button button-quiet")
            : .empty
        return Part.card(
            t("delivery.marks"),
            """
            <p class="soft">\(t("delivery.marks.text"))</p>
            \(mark("handover", .check, t("delivery.handover.example")))\(mark("return", .restore, t("delivery.return.example")))\(revert)
            """)
    }

    private static func happened(_ frame: Frame, _ model: PacketWayPage) -> HTML {
        let t = frame.texts
        let events = model.history.reversed().map { event -> HTML in
            var notes: [HTML] = [Part.time(event.at, style: .full), HTML(plain: event.actor)]
            if !event.address.isEmpty { notes.append("<span dir=\"auto\">\(event.address)</span>") }
            let detail: HTML? =
                event.detail.isEmpty ? nil : "<span class=\"item-note\" dir=\"auto\">\(event.detail)</span>"
            return """
                <div class="item"><span class="item-text"><span class="item-title">\(t("delivery.state.\(event.state)"))</span>\
                <span class="item-note">\(notes.joined(separator: " · "))</span>\(detail)</span></div>
                """
        }
        let messages = model.messages.map { message -> HTML in
            """
            <div class="item">\(frame.icon(.mail))<span class="item-text"><a class="item-title item-link" href="\(url: "/outbox/\(message.id)")" dir="auto">\(message.title)</a>\
            <span class="item-note"><span dir="auto">\(message.address)</span> · \(Part.time(message.at))</span></span>\(outboxChip(frame, message.state))</div>
            """
        }
        let mails: HTML =
            messages.isEmpty
            ? .empty
            : "<section class=\"card card-flush\"><div class=\"card-head\"><h2>\(t("delivery.messages"))</h2></div>\(Part.list(messages))</section>"
        let list: HTML =
            events.isEmpty
            ? "<p class=\"soft about-lede\">\(t("delivery.history.empty"))</p>" : Part.list(events)
        return """
            \(mails)<section class="card card-flush"><div class="card-head"><h2>\(t("delivery.history"))</h2></div>\(list)</section>
            """
    }
}
