import Markup

/// The first minutes: an owner, a safe way back in, a first paper. All but the owner can be skipped.
struct WelcomePage: Sendable {
    enum Step: Sendable {
        /// Somebody at another machine also types the code that was printed on this one.
        case owner(name: String, login: String, error: String?, errorField: String?, asksCode: Bool = false)
        /// Codes that open the desk when passkey and password are lost; shown this once.
        case recovery(codes: [String])
        /// What it is for, and a first paper from whoever may add one. The last of the steps of a new desk, or the only one.
        case start(isLast: Bool, offersPlans: Bool = false)
    }
    var step: Step
}

extension Pages {
    static func welcome(_ frame: Frame, _ model: WelcomePage) -> HTML {
        let t = frame.texts
        let title = t("welcome.title")
        switch model.step {
        case .owner(let name, let login, let error, let errorField, let asksCode):
            return Shell.plain(
                frame, title: title, wide: true,
                """
                <div class="welcome"><div class="stack welcome-words"><h1>\(title)</h1><p class="lede">\(t("welcome.lede"))</p>
                <ul class="stack stack-s">\(promises(frame))</ul></div>
                <section class="card gate"><h2>\(t("welcome.owner"))</h2>
                \(newAccount(
                    frame, action: "/welcome", name: name, login: login, error: error, errorField: errorField,
                    asksCode: asksCode, isFirst: true))</section></div>
                """)
        case .recovery(let codes):
            return Shell.plain(
                frame, title: title,
                """
                <section class="card gate">\(steps(1, of: 2))<div><h1>\(t("welcome.recovery"))</h1>\
                <p class="soft">\(t("welcome.recovery.text"))</p></div>
                \(recoveryCodes(frame, codes))
                \(Part.link(frame, "/welcome?step=paper", t("welcome.recovery.kept"), css: "button button-main button-wide"))
                </section>
                """)
        case .start(let isLast, let offersPlans):
            return Shell.plain(
                frame, title: title, wide: true,
                """
                <section class="card">\(isLast ? steps(2, of: 2) : .empty)<h1>\(t("start.title"))</h1>
                \(threeSteps(frame))
                \(frame.canEdit ? firstPaper(frame) : .empty)
                <install-hint></install-hint>
                <div class="row row-end">\(offersPlans
                    ? Part.link(frame, "/settings/plans", t("welcome.plans"), css: "button button-quiet") : .empty)\(Part.link(
                    frame, "/", t(frame.canEdit ? "welcome.skip" : "start.go"),
                    css: "button\(frame.canEdit ? " button-quiet" : " button-main")"))</div></section>
                """)
        }
    }

    private static func firstPaper(_ frame: Frame) -> HTML {
        """
        <div><h2>\(frame.texts("welcome.paper"))</h2><p class="soft">\(frame.texts("welcome.paper.text"))</p></div>
        \(Part.uploadZone(frame, next: "/"))
        """
    }

    private static func promises(_ frame: Frame) -> [HTML] {
        let icons: [(Icon, String)] = [
            (.shield, "welcome.private"), (.restore, "welcome.safe"), (.device, "welcome.phone"),
        ]
        return icons.map { "<li class=\"promise\">\(frame.icon($0))<span>\(frame.texts($1))</span></li>" }
    }

    private static func steps(_ done: Int, of count: Int) -> HTML {
        "<ol class=\"steps\" aria-hidden=\"true\">\((1...count).map { "<li\(attribute: "class", $0 <= done ? "is-done" : nil)></li>" as HTML })</ol>"
    }

    static func recoveryCodes(_ frame: Frame, _ codes: [String]) -> HTML {
        """
        <ul class="codes">\(codes.map { "<li>\($0)</li>" as HTML })</ul>
        <div class="row">\(Part.copy(frame, codes.joined(separator: "\n")))\
        <button class="button button-s script-only" type="button" data-command="print">\(frame.icon(.printer))\(frame.texts("part.print"))</button></div>
        """
    }
}
