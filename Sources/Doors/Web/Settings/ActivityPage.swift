import Markup
import Storage
import Work

/// A job as lists show it.
struct JobLine: Sendable {
    enum State: String, Sendable, CaseIterable { case waiting, running, done, failed, cancelled, setAside }

    var id: String
    var title: String
    var state: State
    /// How far, between 0 and 1; nil while nobody can tell.
    var fraction: Double?
    var phase: String?
    var attempt = 1
    var at: Moment
    /// Why it failed, in a sentence for a person.
    var note: String?

    var canCancel: Bool { state == .waiting || state == .running }
    var needsSomebody: Bool { state == .failed || state == .setAside }
    var canRetry: Bool { state == .failed || state == .cancelled || state == .setAside }
}

/// An entry of the journal, already in words: who did what to which thing.
struct JournalLine: Sendable {
    var at: Moment
    var actor: String
    /// `document.added`; the catalog has a sentence for each under `journal.`
    var verb: String
    var subject: String

    /// The name that stands in what the journal calls something by: of `folder/Bills` it does, an id is none.
    static func name(in subject: String) -> String? {
        let name = subject.firstIndex(of: "/").map { String(subject[$0...].dropFirst()) } ?? subject
        return ID<JournalLine>(name) == nil ? name : nil
    }
}

/// A thing that happens by itself.
struct ScheduleLine: Sendable {
    var id: String
    var title: String
    var nextAt: Moment?
    var rule: String
}

/// What the desk is doing, has done, and will do.
struct ActivityPage: Sendable {
    enum View: String, Sendable, CaseIterable { case jobs, figures, history, schedule, journal }

    var view: View = .jobs
    var jobs: [JobLine] = []
    var journal: [JournalLine] = []
    var schedules: [ScheduleLine] = []
    var figures: FiguresPage?
    var page = 1
    var hasMore = false
}

extension Pages {
    static func activity(_ frame: Frame, _ model: ActivityPage) -> HTML {
        let t = frame.texts
        let tabs = ActivityPage.View.allCases.map { view -> HTML in
            let address = view == .jobs ? "/activity" : "/activity?view=\(view.rawValue)"
            return """
                <a href="\(url: address)"\(attribute: "aria-current", model.view == view ? "page" : nil)>\
                \(t("activity.\(view.rawValue)"))</a>
                """
        }
        let content: HTML =
            switch model.view {
            case .jobs: liveJobs(frame, model)
            case .figures: model.figures.map { Pages.figures(frame, $0) } ?? .empty
            case .history: history(frame, model)
            case .schedule: schedule(frame, model)
            case .journal: journal(frame, model)
            }
        let more: HTML =
            model.hasMore
            ? Part.link(
                frame, "/activity?view=\(model.view.rawValue)&page=\(model.page + 1)", t("activity.older"),
                icon: .next) : .empty
        return Shell.page(
            frame, title: t("activity.title"),
            """
            \(Part.header(frame, t("activity.title"), lede: t("activity.lede")))
            <nav class="tabs" aria-label="\(t("activity.views"))">\(tabs)</nav>
            \(content)\(more)
            """)
    }

    private static func liveJobs(_ frame: Frame, _ model: ActivityPage) -> HTML {
        let t = frame.texts
        let empty = Part.empty(
            frame, icon: .activity, title: t("activity.empty.title"), "<p>\(t("activity.empty.text"))</p>")
        return """
            <live-jobs><section class="card card-flush" aria-label="\(t("activity.jobs"))">
            <div data-idle\(attribute: "hidden", if: !model.jobs.isEmpty)>\(empty)</div>
            <ul class="list" data-jobs>\(model.jobs.map { "<li id=\"job-\($0.id)\">\(jobItem(frame, $0))</li>" as HTML })</ul>
            </section></live-jobs>
            """
    }

    /// Also sent alone, as a fragment: the page asks for it anew when an event says that the job changed.
    static func jobItem(_ frame: Frame, _ job: JobLine) -> HTML {
        let t = frame.texts
        let title = t.said(job.title)
        let (mood, icon): (Part.Mood, Icon) =
            switch job.state {
            case .waiting: (.plain, .clock)
            case .running: (.good, .again)
            case .done: (.good, .check)
            case .failed: (.warn, .warning)
            case .setAside: (.bad, .warning)
            case .cancelled: (.plain, .stop)
            }
        let value = job.fraction.map { String(Int($0 * 100)) }
        let progress: HTML =
            job.state == .running
            ? "<progress max=\"100\"\(attribute: "value", value) aria-label=\"\(t("job.progress", ["title": .text(title)]))\"></progress>"
            : .empty
        var notes: [HTML] = []
        if let phase = job.phase, job.state == .running { notes.append(HTML(plain: t.said(phase))) }
        if let note = job.note { notes.append(HTML(plain: t.said(note))) }
        if job.attempt > 1 { notes.append(HTML(plain: t("job.attempt", ["number": .number(job.attempt)]))) }
        notes.append(Part.time(job.at))
        let cancel: HTML =
            job.canCancel && frame.canEdit
            ? Form.button(
                frame, "POST", "/jobs/\(job.id)/cancellation", t("job.cancel"), css: "button button-s",
                name: t("job.cancel.name", ["title": .text(title)])) : .empty
        let again: HTML =
            job.canRetry && frame.canEdit
            ? Form.button(
                frame, "POST", "/jobs/\(job.id)/retry", t("job.retry"), icon: .again, css: "button button-s",
                name: t("job.retry.name", ["title": .text(title)])) : .empty
        let dismiss: HTML =
            job.needsSomebody && frame.canEdit
            ? Form.button(
                frame, "POST", "/jobs/\(job.id)/dismissal", t("job.dismiss"), css: "button button-s",
                name: t("job.dismiss.name", ["title": .text(title)])) : .empty
        return """
            <div class="item"><span class="item-text"><span class="item-title">\(title)</span>\
            <span class="item-note">\(notes.joined(separator: " · "))</span>\(progress)</span>\
            \(Part.chip(frame, t("job.state.\(job.state.rawValue)"), mood, icon: icon))\(cancel)\(dismiss)\(again)</div>
            """
    }

    private static func history(_ frame: Frame, _ model: ActivityPage) -> HTML {
        let t = frame.texts
        guard !model.jobs.isEmpty else {
            return Part.empty(
                frame, icon: .history, title: t("activity.history.empty"),
                "<p>\(t("activity.empty.text"))</p>")
        }
        return """
            <section class="card card-flush" aria-label="\(t("activity.history"))">\
            \(Part.list(model.jobs.map { jobItem(frame, $0) }))</section>
            """
    }

    private static func schedule(_ frame: Frame, _ model: ActivityPage) -> HTML {
        let t = frame.texts
        guard !model.schedules.isEmpty else {
            return Part.empty(
                frame, icon: .clock, title: t("activity.schedule.empty"),
                "<p>\(t("activity.schedule.empty.text"))</p>")
        }
        return """
            <section class="card card-flush" aria-label="\(t("activity.schedule"))">\
            \(Part.list(model.schedules.map { line -> HTML in
                let next = line.nextAt.map { t.html("activity.next", markup: ["when": Part.time($0)]) } ?? HTML(plain: t("activity.never"))
                return """
                    <div class="item">\(frame.icon(.clock))<span class="item-text"><span class="item-title">\(t.said(line.title))</span>\
                    <span class="item-note">\(next) · \(rhythm(frame, line.rule))</span></span></div>
                    """
            }))</section>
            """
    }

    /// The rule in a word; when exactly is said by the next time.
    static func rhythm(_ frame: Frame, _ rule: String) -> String {
        if rule == "FREQ=MINUTELY;INTERVAL=5" { return frame.texts("schedule.fiveMinutes") }
        if rule.contains("FREQ=HOURLY") { return frame.texts("schedule.hourly") }
        if rule.contains("FREQ=DAILY") { return frame.texts("schedule.daily") }
        if rule.contains("FREQ=WEEKLY") { return frame.texts("schedule.weekly") }
        if rule.contains("FREQ=MONTHLY") { return frame.texts("schedule.monthly") }
        return rule
    }

    private static func journal(_ frame: Frame, _ model: ActivityPage) -> HTML {
        let t = frame.texts
        guard !model.journal.isEmpty else {
            return Part.empty(
                frame, icon: .history, title: t("activity.journal.empty"),
                "<p>\(t("activity.journal.empty.text"))</p>")
        }
        return """
            <section class="card card-flush" aria-label="\(t("activity.journal"))">\
            \(journalList(frame, model.journal))</section>
            """
    }

    static func journalList(_ frame: Frame, _ lines: [JournalLine]) -> HTML {
        Part.list(
            lines.map { line -> HTML in
                """
                <div class="item"><span class="item-text"><span>\(sentence(frame, line))</span>\
                <span class="item-note">\(Part.time(line.at))</span></span></div>
                """
            })
    }

    /// A verb without a sentence is shown as it is: better a bare word than a silent gap in the record.
    private static func sentence(_ frame: Frame, _ line: JournalLine) -> HTML {
        let key = "journal.\(line.verb)"
        let actor: HTML = "<strong>\(frame.texts.said(line.actor))</strong>"
        guard frame.texts(key) != key else { return "\(actor): \(line.verb) \(line.subject)" }
        return frame.texts.html(key, ["subject": .text(line.subject)], markup: ["actor": actor])
    }
}
