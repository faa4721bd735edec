import App
import Markup
import People
import Work

/// The first thing one sees: what came in last, what is being done, what could be done next.
struct DeskPage: Sendable {
    var recent: [DocumentLine]
    var documentCount: Int
    /// What one is giving out, the newest first.
    var sendouts: [BatchLine] = []
    var jobs: [JobLine]
    var hints: [Hint]
    /// Whom to get back to by today, the longest waiting first.
    var followUps: [FollowUp] = []
    var followUpCount = 0
    /// Nothing is here that one could lose sight of.
    var offersExample = false
    /// It is time to ask how the desk is to work with.
    var asksHowItIs = false

    struct FollowUp: Sendable {
        var id: String
        var name: String
        var line: FollowUpLine
    }

    /// A next step that makes sense now. Each goes away by itself when it is done.
    enum Hint: String, Sendable, CaseIterable {
        case addPasskey, saveRecoveryCodes, inviteMember, connectMail, makeBackup, verifyFailed, jobsNeedYou,
            troubles, printRecoverySheet
    }
}

extension Pages {
    static func desk(_ frame: Frame, _ model: DeskPage) -> HTML {
        let t = frame.texts
        let name = frame.reader?.name.split(separator: " ").first.map(String.init) ?? ""
        let title = name.isEmpty ? t("desk.title") : t("desk.greeting", ["name": .text(name)])
        return Shell.page(
            frame, title: t("desk.title"), isFirst: true,
            """
            \(Part.header(frame, title, lede: t("desk.lede", ["count": .number(model.documentCount)]),
                actions: frame.canEdit ? beginnings(frame) : .empty))
            <div class="columns">
            <div class="stack stack-l">
            \(frame.canEdit ? Part.uploadZone(frame) : .empty)
            \(recent(frame, model))\(sendouts(frame, model))\(example(frame, model))
            </div>
            <div class="stack">
            \(waiting(frame, model))
            \(running(frame, model))
            \(next(frame, model))
            \(model.asksHowItIs ? feedback(frame) : .empty)
            </div>
            </div>
            """)
    }

    /// What people come for most, in one press; papers are dropped below.
    private static func beginnings(_ frame: Frame) -> HTML {
        let t = frame.texts
        return """
            \(Part.link(frame, "/batches/new", t("make.packet"), icon: .packets))\
            \(Part.link(frame, "/scan", t("make.photo"), icon: .camera))
            """
    }

    private static func recent(_ frame: Frame, _ model: DeskPage) -> HTML {
        let t = frame.texts
        guard !model.recent.isEmpty else {
            guard model.sendouts.isEmpty else { return .empty }
            return """
                <section class="card">\(
                    Part.empty(frame, icon: .document, title: t("desk.empty.title"), "<p>\(t("desk.empty.text"))</p>"))</section>
                """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("desk.recent"))</h2>\
            <a href="/documents">\(t("desk.all"))</a></div>
            \(Part.list(model.recent.map { documentItem(frame, $0) }))</section>
            """
    }

    private static func sendouts(_ frame: Frame, _ model: DeskPage) -> HTML {
        guard !model.sendouts.isEmpty else { return .empty }
        let t = frame.texts
        let items = model.sendouts.map { line -> HTML in
            """
            <a class="item" href="\(url: "/batches/\(line.id)")">\(Part.thumbnail(line.picture))<span class="item-text">\
            <span class="item-title" dir="auto">\(line.name)</span>\
            <span class="item-note">\(batchNotes(frame, line))</span></span>\(batchChip(frame, line))</a>
            """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("packets.title"))</h2>\
            <a href="/batches">\(t("desk.sendouts.all"))</a></div>\(Part.list(items))</section>
            """
    }

    private static func example(_ frame: Frame, _ model: DeskPage) -> HTML {
        guard model.offersExample, frame.canEdit else { return .empty }
        let t = frame.texts
        return Part.card(
            t("example.try.title"),
            "<p class=\"soft\">\(t("example.try.text"))</p><div>\(tryExample(frame))</div>")
    }

    static func documentItem(_ frame: Frame, _ line: DocumentLine) -> HTML {
        """
        <a class="item" href="\(url: "/documents/\(line.id)")">\(Part.sheet(line.mediaType, name: line.name))
        <span class="item-text"><span class="item-title">\(line.name)</span>\
        <span class="item-note">\(Part.size(line.byteCount)) · \(Part.time(line.addedAt))</span></span>\
        \(line.shareCount > 0 ? Part.chip(frame, frame.texts("documents.shared"), .warn, icon: .share) : .empty)</a>
        """
    }

    /// Above what runs by itself: these wait for a person.
    private static func waiting(_ frame: Frame, _ model: DeskPage) -> HTML {
        guard !model.followUps.isEmpty else { return .empty }
        let t = frame.texts
        let items = model.followUps.map { person -> HTML in
            let said = person.line.followUp
            let about: HTML = said.note.isEmpty ? .empty : " · <span dir=\"auto\">\(said.note)</span>"
            return """
                <a class="item" href="\(url: "/contacts/\(person.id)#follow-up")">\(frame.icon(.person))<span class="item-text">\
                <span class="item-title" dir="auto">\(person.name)</span>\
                <span class="item-note">\(Part.day(said.on))\(about)</span></span>\(followUpChip(frame, person.line))</a>
                """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("desk.followUps", ["count": .number(model.followUpCount)]))</h2>\
            <a href="/contacts?due=planned">\(t("desk.followUps.all"))</a></div>\(Part.list(items))</section>
            """
    }

    private static func running(_ frame: Frame, _ model: DeskPage) -> HTML {
        let t = frame.texts
        let body: HTML =
            model.jobs.isEmpty
            ? "<p class=\"soft\" data-idle>\(t("desk.quiet"))</p>"
            : .empty
        return """
            <live-jobs><section class="card"><div class="card-head"><h2>\(t("desk.running"))</h2>\
            <a href="/activity">\(t("nav.activity"))</a></div>
            \(body)<ul class="list" data-jobs>\(model.jobs.map { "<li id=\"job-\($0.id)\">\(jobItem(frame, $0))</li>" as HTML })</ul>
            </section></live-jobs>
            """
    }

    /// The first of two steps; the second is said in words, to those who look after the desk.
    private static func feedback(_ frame: Frame) -> HTML {
        let t = frame.texts
        let answers = FeedbackPrompt.Answer.allCases.map { answer -> HTML in
            """
            <button class="\(answer.isOpinion ? "button" : "button button-quiet")" name="answer" value="\(answer.rawValue)">\
            \(t("feedback.\(answer.rawValue)"))</button>
            """
        }
        return """
            <section class="card" id="feedback"><h2>\(t("feedback.title"))</h2><p class="soft small">\(t("feedback.text"))</p>\
            \(Form.form(frame, "POST", "/help/feedback", css: nil, "<div class=\"row\">\(answers)</div>"))</section>
            """
    }

    private static func next(_ frame: Frame, _ model: DeskPage) -> HTML {
        guard !model.hints.isEmpty else { return .empty }
        let t = frame.texts
        return """
            <section class="card card-lamp"><h2>\(t("desk.next"))</h2>
            \(Part.list(model.hints.map { hint in
                let (icon, address) = target(hint)
                return """
                    <a class="item" href="\(url: address)">\(frame.icon(icon))<span class="item-text">\
                    <span class="item-title">\(t("hint.\(hint.rawValue)"))</span>\
                    <span class="item-note">\(t("hint.\(hint.rawValue).why"))</span></span>\(frame.icon(.next, small: true))</a>
                    """
            }))</section>
            """
    }

    private static func target(_ hint: DeskPage.Hint) -> (Icon, String) {
        switch hint {
        case .addPasskey: (.passkey, "/settings/security")
        case .saveRecoveryCodes: (.shield, "/settings/security#recovery")
        case .inviteMember: (.people, "/members#invite")
        case .connectMail: (.mail, "/settings/mail")
        case .makeBackup: (.backup, "/settings/storage#backup")
        case .printRecoverySheet: (.printer, "/settings/storage#sheet")
        case .verifyFailed: (.warning, "/settings/storage")
        case .troubles: (.warning, "/settings/about")
        case .jobsNeedYou: (.activity, "/activity?state=failed")
        }
    }
}
