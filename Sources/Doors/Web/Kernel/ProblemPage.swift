import Markup

/// Something did not work: what, why, and what to do now.
struct ProblemPage: Sendable {
    /// HTTP status, which chooses the words.
    var status: Int
    /// The sentence of the failure, when there is one better than our general words.
    var message: String?
    /// For errors that are our fault: lets the log be found.
    var reference: String?
    var retryAfterSeconds: Int?
    /// Another plan would allow it.
    var isAboutPlan = false
    /// Something was sent, and what was typed is there on the page before.
    var isAnswer = false
}

extension Pages {
    static func problem(_ frame: Frame, _ model: ProblemPage) -> HTML {
        let t = frame.texts
        let known = [400, 401, 403, 404, 405, 409, 413, 415, 421, 429, 500, 503, 507]
        let status = known.contains(model.status) ? model.status : model.status < 500 ? 400 : 500
        let icon: Icon =
            switch status {
            case _ where model.isAboutPlan: .gauge
            case 401, 403, 421: .lock
            case 404: .search
            case 429, 503: .clock
            default: .warning
            }
        let kind = model.isAboutPlan ? "plan" : "\(status)"
        let title = t("problem.\(kind).title")
        let reference = model.reference.map {
            "<p class=\"small\">\(t("problem.reference", ["id": .text($0)]))</p>" as HTML
        }
        let wait = model.retryAfterSeconds.map {
            "<p>\(t("problem.wait", ["count": .number($0)]))</p>" as HTML
        }
        let home: HTML =
            status == 401
            ? Part.link(frame, "/sign-in", t("signIn.title"), css: "button button-main")
            : Part.link(
                frame, "/", t("problem.home"), icon: .desk,
                css: model.isAboutPlan || model.isAnswer ? "button" : "button button-main")
        let again: HTML =
            [429, 500, 503].contains(status)
            ? Part.link(frame, frame.path, t("problem.again"), icon: .again) : .empty
        let plans: HTML =
            model.isAboutPlan
            ? Part.link(
                frame, "/settings/plans", t("settings.plans"), icon: .gauge, css: "button button-main")
            : .empty
        let back: HTML =
            model.isAnswer && [400, 403, 409, 413, 415].contains(status)
            ? """
            <button class="button\(model.isAboutPlan ? "" : " button-main") script-only" type="button" data-command="back">\
            \(frame.icon(.previous))\(t("problem.back"))</button>
            """ : .empty
        let content = Part.empty(
            frame, icon: icon, title: title, isPageTitle: true,
            "\(model.message.map { "<p data-problem><strong>\($0)</strong></p>" as HTML })<p data-trouble>\(t("problem.\(kind).text"))</p>\(wait)\(reference)",
            actions: "\(plans)\(back)\(home)\(again)")
        return frame.reader == nil
            ? Shell.plain(frame, title: title, wide: true, content)
            : Shell.page(frame, title: title, narrow: true, content)
    }

    /// What the service worker shows for a page that was never seen.
    static func offline(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Shell.plain(
            frame, title: t("offline.title"), wide: true,
            Part.empty(
                frame, icon: .globe, title: t("offline.title"), isPageTitle: true,
                "<p data-offline>\(t("offline.text"))</p>",
                actions: Part.link(frame, "/", t("problem.home"), icon: .desk, css: "button button-main"))
                    + """
                    <kept-pages hidden><section class="card card-flush"><div class="card-head"><h2>\(t("offline.here"))</h2></div>\
                    <ul class="list"></ul></section></kept-pages>
                    """)
    }
}
