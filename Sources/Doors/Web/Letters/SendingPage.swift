import Markup
import Work

/// What there is to know before the messages go, and how far they are once they do.
struct SendingPage: Sendable {
    struct Group: Sendable {
        var kind: String
        /// The name in the letter that it is about.
        var token: String?
        var count: Int
        var stops: Bool
        var examples: [(name: String, message: String, packet: String?)] = []
    }

    struct Check: Sendable {
        var total: Int
        var ready: Int
        var byteCount: Int64
        var sender: String
        var groups: [Group] = []
        var canStart = true
        var reason: String?
        /// What was chosen about speed and hours, in words.
        var pace: String?
    }

    struct Trouble: Sendable {
        var message: String
        var packet: String?
        var name: String
        var address: String
        var state: String
        var reason: String
    }

    struct Progress: Sendable {
        enum State: String, Sendable, CaseIterable { case preparing, running, paused, cancelled, done }

        var state: State
        var job: String?
        var mailing: String
        var total: Int
        var sent: Int
        var waiting: Int
        var failed: Int
        var uncertain: Int
        /// Why it stands still by itself.
        var trouble: String?
        var nextAt: Moment?
        var troubles: [Trouble] = []
    }

    var batch: BatchLine
    var check: Check?
    var progress: Progress?
    var hasAccount = true
    var ownAddress = ""
    var testError: String?
    var error: String?
}

extension Pages {
    static func sending(_ frame: Frame, _ model: SendingPage) -> HTML {
        let progress = model.progress.map { progress -> HTML in
            """
            <live-part\(attribute: "job", progress.job) event="sending"><div data-live>\(sendingProgress(frame, model, progress))</div></live-part>
            """
        }
        let isDone = model.progress?.state == .done || model.progress?.state == .cancelled
        let check: HTML? =
            model.progress == nil || (isDone && model.check?.ready ?? 0 > 0)
            ? model.check.map { sendingCheck(frame, model, $0) } : nil
        return givingStep(
            frame, model.batch, .sending,
            """
            \(accountNote(frame, model.hasAccount))\(Form.failure(frame, model.error))
            \(progress)\(check)
            """)
    }

    // MARK: Before

    private static func sendingCheck(_ frame: Frame, _ model: SendingPage, _ check: SendingPage.Check) -> HTML
    {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        func line(_ mood: Part.Mood, _ content: HTML) -> HTML {
            let (css, icon): (String, Icon) =
                switch mood {
                case .good: ("check-good", .check)
                case .plain: ("check-plain", .info)
                case .warn: ("check-warn", .warning)
                case .bad: ("check-bad", .warning)
                }
            return "<li class=\"\(css)\">\(frame.icon(icon))<div>\(content)</div></li>"
        }
        var lines: [HTML] = [
            line(
                check.ready > 0 ? .good : .bad,
                "<strong>\(t("sending.check.ready", ["count": .number(check.ready)]))</strong>")
        ]
        for group in check.groups {
            lines.append(line(group.stops ? .bad : .warn, checkGroup(frame, group)))
        }
        if !check.sender.isEmpty {
            lines.append(
                line(.plain, "\(t("sending.check.sender", ["sender": .text(check.sender)]))"))
        }
        if check.ready > 0 {
            lines.append(
                line(
                    .plain,
                    t.html("sending.check.size", markup: ["size": Part.size(check.byteCount)])))
        }
        if let pace = check.pace { lines.append(line(.plain, "\(pace)")) }
        let cannot: HTML? = check.canStart ? nil : check.reason.map { Part.note(frame, .bad, "<p>\($0)</p>") }
        return """
            \(Part.card(t("sending.check"), "<ul class=\"checks\">\(lines)</ul>\(cannot)"))
            \(frame.canEdit && model.hasAccount ? testMail(frame, model, path) : HTML.empty)
            \(frame.canEdit ? confirmation(frame, check, path) : HTML.empty)
            """
    }

    private static func checkGroup(_ frame: Frame, _ group: SendingPage.Group) -> HTML {
        let t = frame.texts
        let sentence = t(
            "sending.check.\(group.kind)",
            ["count": .number(group.count), "name": .text(group.token ?? "")])
        guard !group.examples.isEmpty else { return "\(sentence)" }
        let examples = group.examples.map { example -> HTML in
            let name: HTML =
                example.packet.map {
                    "<a href=\"\(url: "/packets/\($0)/delivery")\" dir=\"auto\">\(example.name)</a>"
                } ?? "<span dir=\"auto\">\(example.name)</span>"
            return "<li>\(name) <span class=\"soft\">\(example.message)</span></li>"
        }
        let more: HTML =
            group.count > group.examples.count
            ? "<p class=\"soft small\">\(t("sending.check.more", ["count": .number(group.count - group.examples.count)]))</p>"
            : .empty
        return """
            <details class="check-who"><summary>\(sentence)</summary><ul class="small">\(examples)</ul>\(more)</details>
            """
    }

    private static func testMail(_ frame: Frame, _ model: SendingPage, _ path: String) -> HTML {
        let t = frame.texts
        return Part.card(
            t("sending.test"),
            """
            <p class="soft">\(t("sending.test.text"))</p>
            \(Form.form(
                frame, "POST", path + "/sending/test", css: "with-button with-label",
                """
                \(Form.field(
                    frame,
                    .init(
                        name: "to", label: t("sending.test.to"), value: model.ownAddress, type: "email",
                        error: model.testError, autocomplete: "email")))
                <button class="button">\(frame.icon(.mail))\(t("sending.test.send"))</button>
                """))
            """)
    }

    private static func confirmation(_ frame: Frame, _ check: SendingPage.Check, _ path: String) -> HTML {
        let t = frame.texts
        let back = Part.link(
            frame, path + "/letter", t("sending.back"), icon: .previous, css: "button button-quiet on-wide")
        guard check.canStart, check.ready > 0 else {
            return """
                <div class="action-bar">\(back)<span class="push"></span><span class="soft">\(t("sending.notReady"))</span></div>
                """
        }
        return Form.form(
            frame, "POST", path + "/sending",
            confirm: t("sending.confirm", ["count": .number(check.ready)]), css: "action-bar",
            """
            <input type="hidden" name="count" value="\(check.ready)">\(back)<span class="push"></span>\
            <button class="button button-main button-forward">\(frame.icon(.mail))\(t("sending.go", ["count": .number(check.ready)]))</button>
            """)
    }

    // MARK: While

    /// Also sent alone: the page asks for it anew when an event says that something has happened.
    static func sendingProgress(
        _ frame: Frame, _ model: SendingPage, _ progress: SendingPage.Progress
    ) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        let answered = progress.sent + progress.failed + progress.uncertain
        let share = progress.total > 0 ? min(100, answered * 100 / progress.total) : 0
        let trouble = progress.trouble.map { why -> HTML in
            let way: HTML =
                frame.isOwner
                ? "<p><a href=\"/settings/mail\">\(t("sending.trouble.settings"))</a></p>" : .empty
            return Part.note(frame, .bad, "<p>\(t("sending.trouble"))</p><p>\(why)</p>\(way)")
        }
        let head: HTML =
            switch progress.state {
            case .preparing: Part.note(frame, .plain, "<p>\(t("sending.preparing"))</p>")
            case .paused: trouble ?? Part.note(frame, .plain, "<p>\(t("sending.paused"))</p>")
            case .cancelled:
                Part.note(
                    frame, .warn,
                    "<p>\(t("sending.cancelled", ["count": .number(progress.total - answered)]))</p>")
            case .done:
                progress.failed + progress.uncertain == 0
                    ? Part.note(
                        frame, .good, "<p>\(t("sending.done", ["count": .number(progress.sent)]))</p>")
                    : Part.note(
                        frame, .warn,
                        "<p>\(t("sending.doneBut", ["count": .number(progress.failed + progress.uncertain)]))</p>"
                    )
            case .running:
                trouble
                    ?? progress.nextAt.map {
                        Part.note(
                            frame, .plain,
                            "<p>\(t.html("sending.nextAt", markup: ["when": Part.time($0, style: .full)]))</p>"
                        )
                    } ?? .empty
            }
        let counts = [
            ("waiting", progress.waiting, Part.Mood.plain, Icon.clock),
            ("failed", progress.failed, .bad, .warning),
            ("uncertain", progress.uncertain, .warn, .warning),
        ].filter { $0.1 > 0 }.map { kind, count, mood, icon in
            Part.chip(frame, t("sending.count.\(kind)", ["count": .number(count)]), mood, icon: icon)
        }
        let isEnded = progress.state == .done || progress.state == .cancelled
        let onward: HTML =
            isEnded
            ? """
            <div class="row">\(Part.link(frame, path + "/deliveries", t("sending.whoHasIt"), icon: .people))\
            \(frame.canEdit ? sendAgain(frame, model.batch) : .empty)</div>
            """ : "<p class=\"soft small\">\(t("sending.leave"))</p>"
        // Before they are written nobody knows how many there will be.
        let count: HTML =
            progress.total > 0
            ? """
            <p class="making-count"><b>\(Part.number(progress.sent))</b> <span class="soft">/ \(Part.number(progress.total))</span></p>
            """ : .empty
        return """
            <div class="stack">\(head)
            <section class="card making" aria-label="\(t("sending.part.sending"))">\(count)
            <progress max="100" value="\(share)" aria-label="\(t("deliveries.tally", ["sent": .number(progress.sent), "total": .number(progress.total)]))"></progress>
            <div class="row"><p class="soft small">\(t("sending.state.\(progress.state.rawValue)"))</p>\(counts)</div>
            <div class="row">\(sendingButtons(frame, progress, path))</div>\(onward)</section>
            \(troubles(frame, progress))</div>
            """
    }

    private static func sendingButtons(
        _ frame: Frame, _ progress: SendingPage.Progress, _ path: String
    ) -> HTML {
        guard frame.canEdit else { return .empty }
        let t = frame.texts
        var buttons: HTML = .empty
        if progress.state == .running {
            buttons += Form.button(
                frame, "POST", path + "/sending/pause", t("make.pause"), icon: .clock)
        }
        if progress.state == .paused {
            buttons += Form.button(
                frame, "POST", path + "/sending/resumption", t("make.resume"), icon: .again,
                css: "button button-main")
        }
        if progress.state == .running || progress.state == .paused {
            buttons += Form.button(
                frame, "POST", path + "/sending/cancellation", t("sending.cancel"), icon: .stop,
                confirm: t("sending.cancel.confirm", ["count": .number(progress.waiting)]))
        }
        return buttons
    }

    private static func troubles(_ frame: Frame, _ progress: SendingPage.Progress) -> HTML {
        guard !progress.troubles.isEmpty else { return .empty }
        let t = frame.texts
        let items = progress.troubles.map { trouble -> HTML in
            let name: HTML =
                trouble.packet.map {
                    "<a class=\"item-title item-link\" href=\"\(url: "/packets/\($0)/delivery")\" dir=\"auto\">\(trouble.name)</a>"
                } ?? "<span class=\"item-title\" dir=\"auto\">\(trouble.name)</span>"
            let retry: HTML =
                frame.canEdit
                ? Form.button(
                    frame, "POST", "/outbox/\(trouble.message)/retry", t("outbox.retry"), icon: .again,
                    css: "button button-s",
                    confirm: trouble.state == "uncertain" ? t("outbox.retry.uncertain") : nil,
                    name: t("outbox.retry.name", ["name": .text(trouble.name)])) : .empty
            return """
                <div class="item"><span class="item-text">\(name)<span class="item-note" dir="auto">\(trouble.address)</span>\
                <span class="item-note" dir="auto">\(frame.texts.said(trouble.reason))</span></span>\(outboxChip(frame, trouble.state))\(retry)</div>
                """
        }
        let count = progress.failed + progress.uncertain
        let more: HTML =
            count > items.count
            ? Part.link(
                frame, "/outbox?mailing=\(progress.mailing)&show=failed", t("sending.failures.all"),
                icon: .next)
            : .empty
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t(progress.uncertain > 0 ? "sending.failures.uncertain" : "sending.failures", ["count": .number(count)]))</h2></div>\
            \(Part.list(items))</section>\(more)
            """
    }
}
