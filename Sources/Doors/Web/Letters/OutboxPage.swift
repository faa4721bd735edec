import Markup
import Work

/// One act of sending.
struct MailingLine: Sendable {
    enum State: String, Sendable, CaseIterable { case running, paused, cancelled, done }

    var id: String
    var title: String
    /// Where one goes on with it.
    var batch: String?
    var state: State
    var sent: Int
    var total: Int
    var reason: String?
    var at: Moment
    var madeBy: String
}

/// The letters of one mailing.
struct OutboxPage: Sendable {
    var lines: [OutboxLine]
    var mailing: MailingLine
    var part = ""
    var parts: [(key: String, count: Int)] = []
    var filter = ""
    var next: String?
    var hasAccount = true
}

/// A letter as it went out, or will.
struct MessagePage: Sendable {
    struct Attempt: Sendable {
        var at: Moment
        var outcome: String
        var words: String
        var refused: String?
        var digest: String?
    }

    var line: OutboxLine
    var heads: [(name: String, value: String)]
    var text: String
    var html: String?
    var files: [EnclosureLine] = []
    var attempts: [Attempt] = []
    var tries = 0
    var dueAt: Moment?
    var packet: String?
    var mailing: MailingLine?
    /// About the other address somebody typed.
    var addressError: String?
    var error: String?
}

/// Addresses nothing is sent to any more.
struct SuppressionsPage: Sendable {
    var entries: [(address: String, reason: String, at: Moment)]
    var error: String?
    var typed = ""
}

extension Pages {
    static func outbox(_ frame: Frame, _ model: OutboxPage) -> HTML {
        let t = frame.texts
        let mailing = model.mailing
        func address(_ part: String) -> String {
            "/outbox?show=\(part)&q=\(queryEncoded(model.filter))&mailing=\(mailing.id)"
        }
        let parts = model.parts.map { part in
            (key: part.key, name: t(partKey(part.key)), count: part.count)
        }
        let nothing = Part.empty(
            frame, icon: .search, title: t("deliveries.none"), "<p>\(t("deliveries.none.text"))</p>")
        let failed = model.part == "failed" ? model.parts.first { $0.key == "failed" }?.count ?? 0 : 0
        return Shell.page(
            frame, title: mailing.title,
            """
            \(Part.header(
                frame, mailing.title, lede: t("outbox.lede"), crumbs: [(name: t("outbox.title"), address: "/ledger")]))
            \(packetTabs(frame, .sent))\(accountNote(frame, model.hasAccount))
            <live-part class="stack"><div data-live>\(mailings(frame, [mailing]))</div>
            <soft-page class="stack"><div class="stack" data-swap="chips">\(filterChips(frame, label: t("check.filter"), chosen: model.part, parts, address: address))</div>
            \(Part.search(
                frame, "/outbox", model.filter, label: t("list.search"), hidden: [("show", model.part), ("mailing", mailing.id)]))
            <div class="stack" data-swap="results">\(retryAll(frame, failed, of: mailing.id))\(model.lines.isEmpty ? nothing : letters(frame, model))
            \(further(frame, model.next.map { "\(address(model.part))&after=\($0)" }))</div></soft-page></live-part>
            """)
    }

    /// They follow what becomes of them, as the sendings above do.
    private static func letters(_ frame: Frame, _ model: OutboxPage) -> HTML {
        let isMoving = model.lines.contains { ["waiting", "sending", "ending"].contains($0.state) }
        return """
            <div data-live="letters"><section class="card card-flush"\(attribute: "data-moving", if: isMoving) \
            aria-label="\(frame.texts("outbox.title"))">\(Part.list(model.lines.map { outboxItem(frame, $0) }))</section></div>
            """
    }

    /// One button for all that failed, where one looks at them.
    static func retryAll(_ frame: Frame, _ failed: Int, of mailing: String? = nil) -> HTML {
        let t = frame.texts
        guard frame.canEdit, failed > 0 else { return .empty }
        let count = ["count": Catalog.Argument.number(failed)]
        return Form.form(
            frame, "POST", "/outbox/retry", confirm: t("outbox.retryAll.confirm", count), css: "row",
            """
            \(mailing.map { "<input type=\"hidden\" name=\"mailing\" value=\"\($0)\">" as HTML })\
            <button class="button">\(frame.icon(.again))\(t("outbox.retryAll", count))</button>
            """)
    }

    static func mailings(_ frame: Frame, _ mailings: [MailingLine]) -> HTML {
        guard !mailings.isEmpty else { return .empty }
        let t = frame.texts
        let items = mailings.map { mailing -> HTML in
            let (mood, icon): (Part.Mood, Icon) =
                switch mailing.state {
                case .running: (.good, .again)
                case .paused: (mailing.reason == nil ? .plain : .bad, .clock)
                case .cancelled: (.plain, .stop)
                case .done: (.good, .check)
                }
            let words = t(
                "deliveries.tally", ["sent": .number(mailing.sent), "total": .number(mailing.total)])
            var buttons: HTML = .empty
            if frame.canEdit {
                let path = "/mailings/\(mailing.id)"
                let name = ["name": Catalog.Argument.text(mailing.title)]
                if mailing.state == .running {
                    buttons += Form.button(
                        frame, "POST", path + "/pause", t("make.pause"), css: "button button-s",
                        name: t("outbox.pause.name", name))
                }
                if mailing.state == .paused {
                    buttons += Form.button(
                        frame, "POST", path + "/resumption", t("make.resume"), css: "button button-s",
                        name: t("outbox.resume.name", name))
                }
            }
            let progress: HTML =
                mailing.state == .running
                ? "<progress max=\"\(max(1, mailing.total))\" value=\"\(mailing.sent)\" aria-label=\"\(words)\"></progress>"
                : .empty
            let reason: HTML? = mailing.reason.map {
                "<span class=\"item-note\" dir=\"auto\">\(frame.texts.said($0))</span>"
            }
            let address =
                mailing.batch.map { "/batches/\($0)/sending" } ?? "/outbox?mailing=\(mailing.id)"
            return """
                <div class="item"><span class="item-text"><a class="item-title item-link" href="\(url: address)" dir="auto">\(mailing.title)</a>\
                <span class="item-note">\(words) · \(frame.texts.said(mailing.madeBy)) · \(Part.time(mailing.at))</span>\(reason)\(progress)</span>\
                \(Part.chip(frame, t("sending.state.\(mailing.state.rawValue)"), mood, icon: icon))\(buttons)</div>
                """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("outbox.mailings"))</h2></div>\(Part.list(items))</section>
            """
    }

    private static func outboxItem(_ frame: Frame, _ line: OutboxLine) -> HTML {
        let reason: HTML? = line.reason.map {
            "<span class=\"item-note\" dir=\"auto\">\(frame.texts.said($0))</span>"
        }
        return """
            <div class="item"><span class="item-text"><a class="item-title item-link" href="\(url: "/outbox/\(line.id)")" dir="auto">\(line.name)</a>\
            <span class="item-note"><span dir="auto">\(line.address)</span> · <span dir="auto">\(line.title)</span> · \(Part.time(line.at))</span>\(reason)</span>\
            \(outboxChip(frame, line.state))</div>
            """
    }

    static func message(_ frame: Frame, _ model: MessagePage) -> HTML {
        let t = frame.texts
        let path = "/outbox/\(model.line.id)"
        var actions: HTML = Part.link(frame, path + "/file", t("delivery.eml"), icon: .download)
        if frame.canEdit, model.line.canRetry {
            actions += Form.button(
                frame, "POST", path + "/retry", t("outbox.retry"), icon: .again, css: "button button-main",
                confirm: model.line.state == "uncertain" ? t("outbox.retry.uncertain") : nil)
        }
        if frame.canEdit, model.line.canCancel {
            actions += Form.button(
                frame, "POST", path + "/cancellation", t("outbox.cancel"), icon: .stop, css: "button")
        }
        let reason = model.line.reason.map {
            Part.note(
                frame, ["refused", "bounced"].contains(model.line.state) ? .bad : .warn,
                "<p dir=\"auto\">\($0)</p>")
        }
        let due: HTML? =
            model.line.state == "waiting" && model.tries > 0
            ? model.dueAt.map {
                Part.note(
                    frame, .plain,
                    "<p>\(t.html("outbox.again", markup: ["when": Part.time($0, style: .full)]))</p>")
            } : nil
        let attempts = model.attempts.reversed().map { attempt -> HTML in
            let refused: HTML? = attempt.refused.map { "<span class=\"item-note\" dir=\"auto\">\($0)</span>" }
            let digest: HTML? = attempt.digest.map {
                "<span class=\"item-note mono\" dir=\"ltr\">SHA-256 \($0.prefix(16))…</span>"
            }
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(attempt.words)</span>\
                <span class="item-note">\(Part.time(attempt.at, style: .full))</span>\(refused)\(digest)</span>\(outboxChip(frame, attempt.outcome))</div>
                """
        }
        let list: HTML =
            attempts.isEmpty
            ? "<p class=\"soft about-lede\">\(t("outbox.attempts.none"))</p>" : Part.list(attempts)
        let elsewhere: HTML =
            frame.canEdit && model.line.canRetry && model.line.state != "uncertain"
            ? otherAddress(frame, path + "/retry", error: model.addressError) : .empty
        let packet = model.packet.map {
            Part.link(frame, "/packets/\($0)/delivery", t("outbox.packet"), icon: .packets)
        }
        return Shell.page(
            frame, title: model.line.title,
            """
            \(Part.header(
                frame, model.line.name, lede: model.line.title,
                crumbs: [(t("packets.title"), "/batches"), (t("outbox.title"), "/ledger")],
                actions: "\(outboxChip(frame, model.line.state))\(actions)"))
            \(Form.failure(frame, model.error))\(reason)\(due)
            <div class="columns"><div class="stack">\(mail(
                frame, heads: model.heads, subject: model.line.title, text: model.text, html: model.html,
                enclosures: model.files))</div>
            <div class="stack"><section class="card card-flush"><div class="card-head"><h2>\(t("outbox.attempts"))</h2></div>\(list)</section>\(elsewhere)\(packet)</div></div>
            """)
    }

    static func suppressions(_ frame: Frame, _ model: SuppressionsPage) -> HTML {
        let t = frame.texts
        let items = model.entries.map { entry -> HTML in
            let remove: HTML =
                frame.canEdit
                ? Form.form(
                    frame, "DELETE", "/suppressions/\(queryEncoded(entry.address))", css: nil,
                    """
                    <button class="button button-s" \
                    aria-label="\(t("suppressions.remove.name", ["name": .text(entry.address)]))">\(t("suppressions.remove"))</button>
                    """) : .empty
            return """
                <div class="item">\(frame.icon(.stop))<span class="item-text"><span class="item-title" dir="ltr">\(entry.address)</span>\
                <span class="item-note"><span dir="auto">\(frame.texts.said(entry.reason))</span> · \(Part.time(entry.at, style: .date))</span></span>\(remove)</div>
                """
        }
        let list: HTML =
            items.isEmpty
            ? Part.empty(
                frame, icon: .check, title: t("suppressions.empty"),
                "<p>\(t("suppressions.empty.text"))</p>")
            : "<section class=\"card card-flush\" aria-label=\"\(t("suppressions.title"))\">\(Part.list(items))</section>"
        let add: HTML =
            frame.canEdit
            ? Part.card(
                t("suppressions.add"),
                Form.form(
                    frame, "POST", "/suppressions", css: "with-button with-label",
                    """
                    \(Form.field(
                        frame,
                        .init(
                            name: "address", label: t("identity.email"), value: model.typed, type: "email", error: model.error,
                            autocomplete: "off", isRequired: true)))
                    <button class="button">\(frame.icon(.plus))\(t("suppressions.add.do"))</button>
                    """)) : .empty
        return Shell.page(
            frame, title: t("suppressions.title"),
            """
            \(Part.header(
                frame, t("suppressions.title"), lede: t("suppressions.lede"),
                crumbs: [(t("packets.title"), "/batches"), (t("outbox.title"), "/ledger")]))
            \(add)\(list)
            """)
    }
}
