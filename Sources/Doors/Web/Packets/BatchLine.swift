import Filling
import Markup
import Work

/// One job of making packets, from choosing a form to taking the papers out.
struct BatchLine: Sendable {
    enum State: String, Sendable, CaseIterable {
        case draft, planned, approved, running, paused, done, failed, cancelled
        /// Begun on another desk alone; `desk` says on which.
        case elsewhere

        init(_ state: Batch.State) {
            self =
                switch state {
                case .draft: .draft
                case .planned: .planned
                case .approved: .approved
                case .filling: .running
                case .paused: .paused
                case .done: .done
                case .cancelled: .cancelled
                case .elsewhere: .elsewhere
                }
        }
    }

    var id: String
    var name: String
    var state: State = .draft
    /// How far one has come: every earlier step can be gone back to.
    var reached: PacketStep = .people
    var papers: [String] = []
    var list: String = ""
    var recipientCount = 0
    var madeCount = 0
    var problemCount = 0
    /// How many of how many have theirs, and how many of those came back filled in.
    var sentCount = 0
    var sentOf = 0
    var replyCount = 0
    /// The other desk that has begun it; empty when there is none.
    var desk = ""
    var changedAt: Moment
    var trashedAt: Moment?
    var picture: String?
    /// The send-out to play with that Quire brings along.
    var isExample = false
}

/// The four steps from a form to the people.
enum PacketStep: String, Sendable, CaseIterable, Comparable {
    /// Which papers, and for whom.
    case people
    /// What goes where.
    case match
    /// Everything is looked at, and then made.
    case check
    /// Downloaded, printed, sent, and who has it.
    case give

    static func < (a: PacketStep, b: PacketStep) -> Bool { a.number < b.number }

    var number: Int { PacketStep.allCases.firstIndex(of: self).map { $0 + 1 } ?? 1 }

    /// Below `/batches/{id}/`. What was said yes to is looked at where it is made.
    func address(isApproved: Bool) -> String {
        switch self {
        case .people: "people"
        case .match: "mapping"
        case .check: isApproved ? "filling" : "plan"
        case .give: "packets"
        }
    }
}

extension BatchLine {
    /// The whole address of one of its steps.
    func address(of step: PacketStep) -> String {
        "/batches/\(id)/\(step.address(isApproved: state != .draft && state != .planned))"
    }
}

extension Pages {
    /// Where one stands. Steps that were reached are links, so that one can go back and nothing is lost.
    static func steps(_ frame: Frame, at here: PacketStep, of batch: BatchLine?) -> HTML {
        let t = frame.texts
        let reached = max(batch?.reached ?? here, here)
        return """
            <nav class="flow" aria-label="\(t("packets.steps"))"><ol>\(PacketStep.allCases.map { step -> HTML in
                let inside: HTML = "<span class=\"flow-number\">\(step.number)</span><span class=\"flow-name\">\(t("step.\(step.rawValue)"))</span>"
                let css = step == here ? "is-here" : step <= reached ? "is-done" : "is-ahead"
                guard let batch, step <= reached else {
                    return "<li class=\"\(css)\"><span\(attribute: "aria-current", step == here ? "step" : nil)>\(inside)</span></li>"
                }
                return """
                    <li class="\(css)"><a href="\(url: batch.address(of: step))"\
                    \(attribute: "aria-current", step == here ? "step" : nil)>\(inside)</a></li>
                    """
            })</ol></nav>
            """
    }

    /// What all steps have around them; `part` names one of the pages of a step that has several.
    static func stepPage(
        _ frame: Frame, _ batch: BatchLine, _ step: PacketStep, part: String? = nil, actions: HTML = .empty,
        _ content: HTML
    ) -> HTML {
        let t = frame.texts
        let said = "step.\(part ?? step.rawValue)"
        return Shell.page(
            frame, title: "\(t("step.\(step.rawValue)")): \(batch.name)",
            """
            \(steps(frame, at: step, of: batch))
            \(Part.header(
                frame, t("\(said).title"), lede: t("\(said).lede"),
                crumbs: [(t("packets.title"), "/batches"), (batch.name, "/batches/\(batch.id)")],
                actions: "\(batch.papers.isEmpty || step != .people ? HTML.empty : give(frame, batch))\(actions)"))
            \(batch.isExample ? exampleNote(frame) : .empty)\(alsoElsewhere(frame, batch))\(content)
            """)
    }

    /// Two desks pressed the button before they heard of each other.
    private static func alsoElsewhere(_ frame: Frame, _ batch: BatchLine) -> HTML {
        guard !batch.desk.isEmpty, batch.state != .elsewhere else { return .empty }
        return Part.note(
            frame, .warn, "<p>\(frame.texts("elsewhere.also", ["desk": .text(batch.desk)]))</p>")
    }

    private static func give(_ frame: Frame, _ batch: BatchLine) -> HTML {
        Part.link(
            frame, "/batches/\(batch.id)/bundle", frame.texts("bundle.give"), icon: .archive,
            css: "button button-quiet")
    }

    static func forward(_ frame: Frame, _ batch: BatchLine, to step: PacketStep, note: String? = nil) -> HTML
    {
        forward(
            frame, to: batch.address(of: step),
            frame.texts("packets.next", ["step": .text(frame.texts("step.\(step.rawValue)"))]), note: note)
    }

    static func forward(
        _ frame: Frame, to address: String, _ label: String, icon: Icon = .next, note: String? = nil
    ) -> HTML {
        """
        <div class="action-bar"><span class="soft small"\(attribute: "data-kept", if: note == nil)>\(note ?? frame.texts("packets.kept"))</span><span class="push"></span>\
        \(Part.link(frame, address, label, icon: icon, css: "button button-main button-forward"))</div>
        """
    }

    /// The same papers once more, for those who come next; `isNamed` where several stand below each other.
    static func sendAgain(
        _ frame: Frame, _ batch: BatchLine, css: String = "button", isNamed: Bool = false
    ) -> HTML {
        let t = frame.texts
        return Form.button(
            frame, "POST", "/batches/\(batch.id)/copies", t("packets.again"), icon: .copy, css: css,
            name: isNamed ? t("packets.again.name", ["name": .text(batch.name)]) : nil)
    }
}
