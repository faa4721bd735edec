import Markup
import Work

/// Everybody of a batch, and who has it by now.
struct DeliveriesPage: Sendable {
    var batch: BatchLine
    var lines: [DeliveryItem]
    /// `""`, `unsent`, `sent`, or a state.
    var part = ""
    var parts: [(key: String, count: Int)] = []
    var filter = ""
    var next: Int?
    var matchCount: Int
    var sent: Int
    var total: Int
    var repetitions: [RepetitionLine] = []
}

extension Pages {
    static func deliveries(_ frame: Frame, _ model: DeliveriesPage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)/deliveries"
        guard model.total > 0 else {
            return givingStep(
                frame, model.batch, .deliveries,
                Part.empty(
                    frame, icon: .packets, title: t("deliveries.empty"),
                    "<p>\(t("deliveries.empty.text"))</p>",
                    actions: Part.link(
                        frame, model.batch.address(of: .check), t("step.check"), icon: .next)))
        }
        let parts = model.parts.map { part in
            (key: part.key, name: t(partKey(part.key)), count: part.count)
        }
        return givingStep(
            frame, model.batch, .deliveries,
            """
            \(tally(frame, sent: model.sent, total: model.total))
            <soft-page class="stack"><div class="stack" data-swap="chips">\(filterChips(frame, label: t("check.filter"), chosen: model.part, parts) { part in
                "\(path)?show=\(part)&q=\(queryEncoded(model.filter))"
            })</div>
            \(Part.search(frame, path, model.filter, label: t("list.search"), hidden: [("show", model.part)]))
            <div class="stack" data-swap="results">
            <p class="soft small" role="status">\(t("people.count", ["count": .number(model.matchCount)]))</p>
            \(model.lines.isEmpty
                ? Part.empty(frame, icon: .search, title: t("deliveries.none"), "<p>\(t("deliveries.none.text"))</p>")
                : "<section class=\"card card-flush\" aria-label=\"\(t("sending.part.deliveries"))\">\(Part.list(model.lines.map { deliveryItem(frame, $0) }))</section>")
            \(further(frame, model.next.map { "\(path)?after=\($0)&show=\(model.part)&q=\(queryEncoded(model.filter))" }))
            \(exports(frame, model.part, model.filter, run: "batch/\(model.batch.id)"))</div></soft-page>
            \(repeating(frame, model.batch, model.repetitions))
            """)
    }

    /// The words for a part of a list: all, sent, unsent, or one state.
    static func partKey(_ part: String) -> String {
        switch part {
        case "", "all": "deliveries.part.all"
        case "sent", "unsent", "failed", "uncertain": "deliveries.part.\(part)"
        default: "delivery.state.\(part)"
        }
    }

    private static func deliveryItem(_ frame: Frame, _ line: DeliveryItem) -> HTML {
        let t = frame.texts
        var notes: [HTML] = [
            line.address.isEmpty
                ? "<span>\(t("deliveries.noAddress"))</span>" : "<span dir=\"auto\">\(line.address)</span>"
        ]
        if let at = line.at { notes.append(Part.time(at)) }
        if line.openings > 0 {
            notes.append(HTML(plain: t("shares.opened", ["count": .number(line.openings)])))
        }
        let reason: HTML? = line.reason.map {
            "<span class=\"item-note\" dir=\"auto\">\(frame.texts.said($0))</span>"
        }
        return """
            <div class="item"><span class="planned-number">\(line.number)</span><span class="item-text">\
            <a class="item-title item-link" href="\(url: "/packets/\(line.packet)/delivery")" dir="auto">\(line.name)</a>\
            <span class="item-note">\(notes.joined(separator: " · "))</span>\(reason)</span>\
            \(deliveryChip(frame, line.state))</div>
            """
    }
}
