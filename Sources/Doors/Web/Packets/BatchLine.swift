import Markup
import Work

/// One job of making packets, from choosing a form to taking the papers out.
struct BatchLine: Sendable {
    enum State: String, Sendable, CaseIterable {
        case draft, planned, approved, running, paused, done, failed, cancelled
    }

    var id: String
    var name: String
    var state: State = .draft
    /// How far one has come: every earlier step can be gone back to.
    var reached: PacketStep = .papers
    var papers: [String] = []
    var list: String = ""
    var recipientCount = 0
    var madeCount = 0
    var problemCount = 0
    var changedAt: Moment
    var trashedAt: Moment?
    var picture: String?
}

/// The seven steps from a paper to the people.
enum PacketStep: String, Sendable, CaseIterable, Comparable {
    case papers, people, match, check, make, take, send

    static func < (a: PacketStep, b: PacketStep) -> Bool { a.number < b.number }

    var number: Int { PacketStep.allCases.firstIndex(of: self).map { $0 + 1 } ?? 1 }

    /// Below `/batches/{id}/`.
    var address: String {
        switch self {
        case .papers: "parts"
        case .people: "people"
        case .match: "mapping"
        case .check: "plan"
        case .make: "filling"
        case .take: "packets"
        case .send: "letter"
        }
    }
}

extension Pages {
    /// Where one stands. Steps that were reached are links, so that one can go back and nothing is lost.
    static func steps(_ frame: Frame, at here: PacketStep, reached: PacketStep, batch: String?) -> HTML {
        let t = frame.texts
        return """
            <nav class="flow" aria-label="\(t("packets.steps"))"><ol>\(PacketStep.allCases.map { step -> HTML in
                let inside: HTML = "<span class=\"flow-number\">\(step.number)</span><span class=\"flow-name\">\(t("step.\(step.rawValue)"))</span>"
                let css = step == here ? "is-here" : step < here || step <= reached ? "is-done" : "is-ahead"
                guard let batch, step <= reached || step == here else {
                    return "<li class=\"\(css)\"><span\(attribute: "aria-current", step == here ? "step" : nil)>\(inside)</span></li>"
                }
                return """
                    <li class="\(css)"><a href="\(url: "/batches/\(batch)/\(step.address)")"\
                    \(attribute: "aria-current", step == here ? "step" : nil)>\(inside)</a></li>
                    """
            })</ol></nav>
            """
    }

    /// What all steps have around them.
    static func stepPage(
        _ frame: Frame, _ batch: BatchLine, _ step: PacketStep, actions: HTML = .empty, _ content: HTML
    ) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: "\(t("step.\(step.rawValue)")): \(batch.name)",
            """
            \(steps(frame, at: step, reached: max(batch.reached, step), batch: batch.id))
            \(Part.header(
                frame, t("step.\(step.rawValue).title"), lede: t("step.\(step.rawValue).lede"),
                crumbs: [(t("packets.title"), "/batches"), (batch.name, "/batches/\(batch.id)")], actions: actions))
            \(content)
            """)
    }

    static func forward(_ frame: Frame, _ batch: BatchLine, to step: PacketStep, note: String? = nil) -> HTML
    {
        """
        <div class="action-bar"><span class="soft small"\(attribute: "data-kept", if: note == nil)>\(note ?? frame.texts("packets.kept"))</span><span class="push"></span>\
        \(Part.link(
            frame, "/batches/\(batch.id)/\(step.address)", frame.texts("packets.next", ["step": .text(frame.texts("step.\(step.rawValue)"))]),
            icon: .next, css: "button button-main button-forward"))</div>
        """
    }
}
