import App
import Delivery
import Filling
import Markup
import Storage

/// A send-out that another desk has begun: how far it came there, and who has it.
struct ElsewherePage: Sendable {
    var batch: BatchLine
    /// What it is at on that desk.
    var state: BatchLine.State
    var missing: Int
    var items: [LedgerPage.Item] = []
    var next: String?
    var trouble: String?
}

extension Pages {
    static func elsewhere(_ frame: Frame, _ model: ElsewherePage) -> HTML {
        let t = frame.texts
        let line = model.batch
        var facts: [(name: String, value: HTML)] = [
            (
                t("elsewhere.state"),
                "\(t("batch.state.\(model.state.rawValue)", ["count": .number(line.madeCount)]))"
            )
        ]
        if model.state != .done, line.madeCount > 0 {
            facts.append((t("elsewhere.made"), "\(Part.number(line.madeCount))"))
        }
        if model.missing > 0 { facts.append((t("elsewhere.missing"), "\(Part.number(model.missing))")) }
        facts.append((t("elsewhere.sent"), "\(Part.number(line.sentCount))"))
        if line.replyCount > 0 { facts.append((t("elsewhere.replies"), "\(Part.number(line.replyCount))")) }
        let list = Part.list(
            model.items.map { item -> HTML in
                let address: HTML =
                    item.address.isEmpty ? .empty : "<span dir=\"auto\">\(item.address)</span> · "
                return """
                    <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(item.recipient)</span>\
                    <span class="item-note">\(address)\(Part.time(item.at))</span></span>\(deliveryChip(frame, item.state))</div>
                    """
            })
        let who: HTML =
            if let trouble = model.trouble {
                Part.note(frame, .warn, "<p>\(trouble)</p>")
            } else if model.items.isEmpty {
                "<p class=\"soft\">\(t("elsewhere.who.none"))</p>"
            } else {
                "\(list)\(further(frame, model.next))"
            }
        return stepPage(
            frame, line, .check, part: "elsewhere",
            actions: frame.canEdit ? sendAgain(frame, line, css: "button button-main") : .empty,
            """
            <div class="stack">\(Part.note(frame, .plain, "<p>\(t("elsewhere.note", ["desk": .text(line.desk)]))</p>"))
            <section class="card">\(Part.facts(facts))</section>
            <soft-page>\(Part.card(t("elsewhere.who"), "<div data-swap=\"who\">\(who)</div>"))</soft-page></div>
            """)
    }
}

extension Site {
    /// So many people on one page.
    private static let usual = 100

    static func elsewhere(_ visit: Visit, _ batch: Batch, _ there: MadeElsewhere) throws -> HTML {
        var model = ElsewherePage(
            batch: try visit.line(of: batch), state: BatchLine.State(there.state), missing: there.missing)
        do {
            let account = try visit.quire.sendings.accountElsewhere(of: batch.id, by: visit.member())
            let items = account?.items ?? []
            let from = min((visit.pageOfList - 1) * usual, items.count)
            let to = min(from + usual, items.count)
            model.items = items[from..<to].map {
                .init(
                    subject: "", recipient: $0.recipient, address: $0.address, state: $0.state.rawValue,
                    at: $0.at)
            }
            if to < items.count {
                model.next = "/batches/\(batch.id)/filling?page=\(visit.pageOfList + 1)"
            }
        } catch let failure as Failure {
            model.trouble = visit.said(failure)
        }
        return Pages.elsewhere(visit.frame, model)
    }
}
