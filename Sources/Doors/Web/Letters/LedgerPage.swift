import Markup
import Work

/// What was sent, and what is still on its way: every packet and message with the state that what really happened
/// amounts to.
struct LedgerPage: Sendable {
    struct Item: Sendable {
        /// `packet/018f…`
        var subject: String
        var recipient: String
        var address: String
        var state: String
        var at: Moment
        /// The send-out, or the mail.
        var title = ""
        var form = ""
        var fileName = ""
        /// `mail`, `link`, `hand`; empty before it went.
        var method = ""
        var note = ""
    }

    struct Verdict: Sendable {
        var problems: [String]
        var at: Moment
        /// The newest line, for somebody to keep: `18:9f86…`.
        var head: String?
    }

    var items: [Item]
    var part = ""
    var parts: [(key: String, count: Int)] = []
    var filter = ""
    /// Only what belongs to this one.
    var run = ""
    var runTitle: String?
    var next: String?
    var sent: Int
    var total: Int
    /// Those that go on, or wait.
    var mailings: [MailingLine] = []
    /// How many letters could go out once more.
    var failedLetters = 0
    var hasAccount = true
    var verdict: Verdict?
    /// What somebody kept and compares with, and what is wrong about it.
    var kept = ""
    var keptProblem: String?
    /// For how many days lines are kept, empty for ever; nil for those who may not say.
    var keepDays: String?
}

/// All lines about one packet or message.
struct LedgerLinesPage: Sendable {
    struct Line: Sendable {
        var number: Int64
        var at: Moment
        var state: String
        var address: String
        var actor: String
        var detail: String
    }

    var item: LedgerPage.Item
    var lines: [Line]
}

extension Pages {
    static func ledger(_ frame: Frame, _ model: LedgerPage) -> HTML {
        let t = frame.texts
        func address(_ part: String) -> String {
            "/ledger?show=\(part)&q=\(queryEncoded(model.filter))"
                + (model.run.isEmpty ? "" : "&run=\(queryEncoded(model.run))")
        }
        let parts = model.parts.map { part in
            (key: part.key, name: t(partKey(part.key)), count: part.count)
        }
        let none = Part.empty(
            frame, icon: .mail, title: t("ledger.empty"), "<p>\(t("ledger.empty.text"))</p>",
            actions: Part.link(frame, "/batches", t("packets.title"), icon: .packets))
        let nothing = Part.empty(
            frame, icon: .search, title: t("deliveries.none"), "<p>\(t("deliveries.none.text"))</p>")
        let results: HTML = """
            <soft-page class="stack"><div class="stack" data-swap="chips">\(filterChips(frame, label: t("check.filter"), chosen: model.part, parts, address: address))</div>
            \(Part.search(
                frame, "/ledger", model.filter, label: t("list.search"), hidden: [("show", model.part), ("run", model.run)]))
            <div class="stack" data-swap="results">\(retryAll(frame, model.part == "failed" ? model.failedLetters : 0))\
            <div data-live="items">\(model.items.isEmpty ? nothing : items(frame, model))</div>
            \(further(frame, model.next.map { "\(address(model.part))&after=\($0)" }))
            \(exports(frame, model.part, model.filter, run: model.run))</div></soft-page>
            """
        let isWhole = model.run.isEmpty
        return Shell.page(
            frame, title: model.runTitle ?? t("outbox.title"),
            """
            \(Part.header(
                frame, model.runTitle ?? t("outbox.title"), lede: t("ledger.lede"),
                crumbs: isWhole ? [] : [(name: t("outbox.title"), address: "/ledger")]))
            \(packetTabs(frame, .sent))\(accountNote(frame, model.hasAccount))
            <live-part event="sending"><div class="stack"><div class="stack" data-live>\(mailings(frame, model.mailings))\
            \(model.total == 0 ? .empty : tally(frame, sent: model.sent, total: model.total))</div>
            \(model.total == 0 ? none : results)</div></live-part>
            \(verdict(frame, model))\(isWhole ? keeping(frame, model) : .empty)
            \(isWhole ? blocked(frame) : .empty)
            """)
    }

    /// They follow what becomes of them, as the mailings above do.
    private static func items(_ frame: Frame, _ model: LedgerPage) -> HTML {
        let isMoving = model.items.contains { $0.state == "posted" }
        return """
            <section class="card card-flush"\(attribute: "data-moving", if: isMoving) \
            aria-label="\(frame.texts("outbox.title"))">\(Part.list(model.items.map { ledgerItem(frame, $0) }))</section>
            """
    }

    private static func blocked(_ frame: Frame) -> HTML {
        "<div class=\"row\">\(Part.link(frame, "/suppressions", frame.texts("suppressions.title"), icon: .stop, css: "button button-quiet"))</div>"
    }

    private static func keeping(_ frame: Frame, _ model: LedgerPage) -> HTML {
        guard let keepDays = model.keepDays else { return .empty }
        let t = frame.texts
        return """
            <section class="card"><details class="more"\(attribute: "open", if: !keepDays.isEmpty)><summary>\(t("ledger.keep"))</summary>\(Form.form(
                frame, "POST", "/settings/ledger", confirm: t("ledger.keep.sure"), css: "with-button with-label",
                """
                \(Form.field(
                    frame,
                    .init(
                        name: "keepDays", label: t("ledger.keep.days"), value: keepDays, hint: t("ledger.keep.hint"),
                        autocomplete: "off", inputMode: "numeric", optionalNote: t("form.optional"))))
                <button class="button">\(t("form.save"))</button>
                """))</details></section>
            """
    }

    static func subjectAddress(_ subject: String) -> String {
        subject.hasPrefix("packet/")
            ? "/packets/\(subject.dropFirst(7))/delivery" : "/ledger/lines?subject=\(queryEncoded(subject))"
    }

    private static func ledgerItem(_ frame: Frame, _ item: LedgerPage.Item) -> HTML {
        let address: HTML? =
            item.address.isEmpty ? nil : "<span dir=\"auto\">\(item.address)</span> · "
        return """
            <div class="item"><span class="item-text"><a class="item-title item-link" href="\(url: subjectAddress(item.subject))" dir="auto">\
            \(item.recipient.isEmpty ? item.subject : item.recipient)</a>\
            <span class="item-note">\(address)\(Part.time(item.at))</span>\(ledgerAbout(frame, item))</span>\(deliveryChip(frame, item.state))</div>
            """
    }

    /// The send-out with its form, the way it went, the file, and what was said.
    private static func ledgerAbout(_ frame: Frame, _ item: LedgerPage.Item) -> HTML {
        var about: [HTML] = []
        if !item.title.isEmpty { about.append("<span dir=\"auto\">\(item.title)</span>") }
        if !item.form.isEmpty, item.form != item.title {
            about.append("<span dir=\"auto\">\(item.form)</span>")
        }
        if !item.fileName.isEmpty { about.append("<span dir=\"auto\">\(item.fileName)</span>") }
        if !item.method.isEmpty { about.append("\(frame.texts("ledger.method.\(item.method)"))") }
        // What a server said when all was well is looked up where the tries are.
        let note: HTML =
            item.note.isEmpty || item.state == "accepted"
            ? .empty : "<span class=\"item-note\" dir=\"auto\">\(frame.texts.said(item.note))</span>"
        return about.isEmpty
            ? note : "<span class=\"item-note\">\(about.joined(separator: " · "))</span>\(note)"
    }

    static func exports(_ frame: Frame, _ part: String, _ filter: String, run: String) -> HTML {
        let t = frame.texts
        let links = [("csv", "CSV"), ("xlsx", "Excel"), ("ndjson", "NDJSON")].map { form, name -> HTML in
            let address =
                "/ledger/export?form=\(form)&show=\(part)&q=\(queryEncoded(filter))&run=\(queryEncoded(run))"
            return """
                <a class="button button-s" href="\(url: address)" download>\(frame.icon(.download))\(name)</a>
                """
        }
        return """
            <div class="row"><span class="soft small">\(t("ledger.export"))</span>\(links)</div>
            """
    }

    /// Whether the chain holds, said only after somebody asked.
    private static func verdict(_ frame: Frame, _ model: LedgerPage) -> HTML {
        let t = frame.texts
        let said = model.verdict.map { verdict -> HTML in
            verdict.problems.isEmpty
                ? Part.note(
                    frame, .good,
                    """
                    <p>\(t("ledger.sound"))\(model.kept.isEmpty ? "" : " \(t("ledger.kept.holds"))")</p>\
                    <p class="soft small">\(Part.time(verdict.at, style: .full))</p>\(verdict.head.map { head(frame, $0) })
                    """, role: "status")
                : Part.note(
                    frame, .bad,
                    "<p>\(t("ledger.tampered"))</p><ul class=\"small\">\(verdict.problems.map { "<li>\(t.said($0))</li>" as HTML })</ul>",
                    role: "alert")
        }
        guard model.total > 0 else { return said ?? .empty }
        return """
            \(said)<div class="row"><span class="soft small grow">\(t("ledger.chain"))</span>\
            \(Form.button(frame, "POST", "/ledger/verification", t("ledger.verify"), icon: .shield))</div>
            \(model.verdict == nil && model.keptProblem == nil ? .empty : comparison(frame, model))
            """
    }

    /// Whoever can write into the database could seal everything anew; not what lies in somebody's drawer.
    private static func head(_ frame: Frame, _ head: String) -> HTML {
        """
        <p class="small">\(frame.texts("ledger.head"))</p><div class="row"><code class="small grow">\(head)</code>\
        \(Part.copy(frame, head))</div>
        """
    }

    private static func comparison(_ frame: Frame, _ model: LedgerPage) -> HTML {
        let t = frame.texts
        let isOpen = !model.kept.isEmpty || model.keptProblem != nil
        return """
            <details class="more"\(attribute: "open", if: isOpen)><summary>\(t("ledger.kept"))</summary>\(Form.form(
                frame, "POST", "/ledger/verification", css: "with-button with-label",
                """
                \(Form.field(
                    frame,
                    .init(
                        name: "kept", label: t("ledger.kept.label"), value: model.kept, hint: t("ledger.kept.hint"),
                        error: model.keptProblem, autocomplete: "off")))
                <button class="button">\(t("ledger.verify"))</button>
                """))</details>
            """
    }

    static func ledgerLines(_ frame: Frame, _ model: LedgerLinesPage) -> HTML {
        let t = frame.texts
        let items = model.lines.reversed().map { line -> HTML in
            let address: HTML? =
                line.address.isEmpty ? nil : " · <span dir=\"auto\">\(line.address)</span>"
            let detail: HTML? =
                line.detail.isEmpty ? nil : "<span class=\"item-note\" dir=\"auto\">\(line.detail)</span>"
            return """
                <div class="item"><span class="planned-number">\(Part.number(Int(clamping: line.number)))</span><span class="item-text">\
                <span class="item-title">\(t("delivery.state.\(line.state)"))</span>\
                <span class="item-note">\(Part.time(line.at, style: .full)) · \(line.actor)\(address)</span>\(detail)</span></div>
                """
        }
        return Shell.page(
            frame, title: model.item.recipient,
            """
            \(Part.header(
                frame, model.item.recipient.isEmpty ? model.item.subject : model.item.recipient, lede: model.item.address,
                crumbs: [(t("packets.title"), "/batches"), (t("outbox.title"), "/ledger")],
                actions: deliveryChip(frame, model.item.state)))
            <section class="card card-flush"><div class="card-head"><h2>\(t("delivery.history"))</h2></div>\(Part.list(items))</section>
            """)
    }
}
