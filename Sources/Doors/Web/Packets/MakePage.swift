import Markup

/// Step three, after the yes: the packets are made; this page tells how far, and what did not work.
struct MakePage: Sendable {
    struct Failure: Sendable {
        var id: String
        var name: String
        var reason: String
    }

    var batch: BatchLine
    var job: String?
    var made: Int
    var failed: Int
    /// Of those that could not be made, so many were only held back.
    var heldCount = 0
    var total: Int
    var perSecond: Int?
    /// Not where somebody else has approved the rows as they were.
    var mayTakeNewest = false
    var waitsForSecond = false
    var mayApprove = false
    /// The desk can send, and there are addresses to send to.
    var goesByMail = false
    var failures: [Failure] = []
}

extension Pages {
    static func make(_ frame: Frame, _ model: MakePage) -> HTML {
        stepPage(
            frame, model.batch, .check, part: "make",
            """
            <live-part\(attribute: "job", model.job)><div data-live>\(making(frame, model))</div></live-part>
            """)
    }

    /// Also sent alone: the page asks for it anew when an event says that the work has gone on.
    static func making(_ frame: Frame, _ model: MakePage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        let share = model.total > 0 ? min(100, (model.made + model.failed) * 100 / model.total) : 0
        let state = model.batch.state
        let head: HTML =
            switch state {
            case .done:
                Part.note(
                    frame, model.failed == 0 ? .good : .warn,
                    "<p>\(model.failed == 0 ? t("make.done", ["count": .number(model.made)]) : t("make.doneBut", ["count": .number(model.failed)]))</p>"
                )
            case .failed: Part.note(frame, .bad, "<p>\(t("make.failed"))</p>")
            case .cancelled: Part.note(frame, .warn, "<p>\(t("make.cancelled"))</p>")
            case .paused: Part.note(frame, .plain, "<p>\(t("make.paused"))</p>")
            default: model.waitsForSecond ? Part.note(frame, .plain, "<p>\(t("make.waits"))</p>") : .empty
            }
        var buttons: HTML = .empty
        if frame.canEdit {
            if model.waitsForSecond, model.mayApprove {
                buttons += Form.button(
                    frame, "POST", path + "/approval", t("make.approve"), icon: .check,
                    css: "button button-main")
            }
            if state == .running {
                buttons += Form.button(
                    frame, "POST", path + "/filling/pause", t("make.pause"), icon: .clock)
            }
            if state == .paused {
                buttons += Form.button(
                    frame, "POST", path + "/filling", t("make.resume"), icon: .again,
                    css: "button button-main")
            }
            if state == .running || state == .paused {
                buttons += Form.button(
                    frame, "POST", path + "/filling/cancellation", t("make.cancel"), icon: .stop,
                    confirm: t("make.cancel.confirm"))
            }
            if state == .approved || state == .failed {
                buttons += Form.button(
                    frame, "POST", path + "/filling", t(model.made > 0 ? "make.missing" : "make.start"),
                    icon: .again, css: "button button-main")
            }
        }
        let remake: HTML = frame.canEdit ? remaking(frame, model, path) : .empty
        let failures: HTML =
            model.failures.isEmpty
            ? .empty
            : Part.card(
                t("make.failures", ["count": .number(model.failed)]),
                Part.list(
                    model.failures.map { failure -> HTML in
                        """
                        <div class="item">\(frame.icon(.warning))<span class="item-text"><a class="item-title item-link" href="\(url: "/packets/\(failure.id)")" dir="auto">\(failure.name)</a>\
                        <span class="item-note">\(frame.texts.said(failure.reason))</span></span></div>
                        """
                    }))
        let speed: HTML =
            model.perSecond.map { " · \(t("make.speed", ["count": .number($0)]))" as HTML } ?? .empty
        return """
            <div class="stack">\(head)
            <section class="card making"><p class="making-count"><b>\(Part.number(model.made))</b> <span class="soft">/ \(Part.number(model.total))</span></p>
            <progress max="100" value="\(share)" aria-label="\(t("step.make.title"))"></progress>
            <p class="soft small">\(t("batch.state.\(state.rawValue)", ["count": .number(model.made), "number": .number(PacketStep.check.number), "step": .text(t("step.check"))]))\(speed)</p>
            <div class="row">\(buttons)</div>\(remake)</section>\(failures)
            \(onward(frame, model))</div>
            """
    }

    /// What goes by mail is written next; what has to be looked at, or goes by hand, is looked at first.
    private static func onward(_ frame: Frame, _ model: MakePage) -> HTML {
        let t = frame.texts
        guard model.made > 0 else { return .empty }
        guard model.goesByMail, model.failed == 0, frame.canEdit else {
            return forward(frame, model.batch, to: .give, note: t("make.forward"))
        }
        let path = "/batches/\(model.batch.id)"
        return """
            <div class="action-bar">\(Part.link(frame, path + "/packets", t("make.look"), icon: .eye))<span class="push"></span>\
            \(Part.link(frame, path + "/letter", t("take.letter"), icon: .mail, css: "button button-main button-forward"))</div>
            """
    }

    /// What is missing is made after all, from the rows as they were planned or as they are now.
    private static func remaking(_ frame: Frame, _ model: MakePage, _ path: String) -> HTML {
        let t = frame.texts
        let isCancelled = model.batch.state == .cancelled
        let missesSome = isCancelled || model.failed > model.heldCount
        guard isCancelled || model.batch.state == .done, missesSome || model.heldCount > 0 else {
            return .empty
        }
        let missing: HTML =
            missesSome
            ? "<button class=\"button button-main\">\(frame.icon(.again))\(t(model.made > 0 ? "make.missing" : "make.start"))</button>"
            : .empty
        let held: HTML =
            model.heldCount > 0
            ? "<button class=\"button\" name=\"held\" value=\"yes\">\(t("make.held"))</button>" : .empty
        let newest: HTML =
            model.mayTakeNewest
            ? Form.check(
                name: "newestRows", label: t("make.newest"), hint: t("make.newest.hint"), isOn: false)
            : .empty
        return Form.form(
            frame, "POST", path + "/filling", css: "stack stack-s",
            "\(newest)<div class=\"row\">\(missing)\(held)</div>")
    }
}
