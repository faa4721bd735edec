import Markup

/// One person's packet: its pages, and for each value where it came from.
struct PacketPage: Sendable {
    struct Value: Sendable {
        var field: FieldLine
        var text: String
        /// "members.csv, line 14, column “First name”"
        var source: String
        /// What was done with it on the way, step by step.
        var steps: [(what: String, value: String)] = []
        var warning: String?
    }

    struct Fact: Sendable {
        var name: String
        var value: String
    }

    var batch: BatchLine
    var packet: PacketLine
    var pages: [PagePicture]
    var values: [Value]
    var chosen: String?
    var warnings: [String] = []
    var facts: [Fact] = []
    var previous: String?
    var next: String?
    /// Taken out by hand; nil where nobody may do that now.
    var isOut: Bool?
}

extension Pages {
    static func packet(_ frame: Frame, _ model: PacketPage) -> HTML {
        let t = frame.texts
        let path = "/packets/\(model.packet.id)"
        func neighbour(_ id: String?, _ icon: Icon, _ label: String) -> HTML {
            guard let id else { return .empty }
            return """
                <a class="button button-icon" href="\(url: "/packets/\(id)")" aria-label="\(label)">\(frame.icon(icon))</a>
                """
        }
        let failed: HTML =
            model.packet.isFailed
            ? Part.note(frame, .bad, "<p>\(model.packet.problem ?? t("packet.failed"))</p>") : .empty
        let download: HTML =
            model.packet.isFailed
            ? .empty
            : Part.link(
                frame, path + "/file?download=1", t("document.download"), icon: .download,
                css: "button button-main")
        return Shell.page(
            frame, title: model.packet.name,
            """
            \(Part.header(
                frame, model.packet.name, lede: model.packet.fileName,
                crumbs: [(t("packets.title"), "/batches"), (model.batch.name, "/batches/\(model.batch.id)/packets")],
                actions: """
                    \(neighbour(model.previous, .previous, t("packet.previous")))\(neighbour(model.next, .next, t("packet.next")))\(download)
                    """))
            \(model.isOut == true ? Part.note(frame, .plain, "<p>\(t("packet.isOut"))</p>") : .empty)\(failed)\(model.warnings.map { Part.note(frame, .warn, "<p>\($0)</p>") })
            <soft-page><page-fields class="beside">
            <div class="page-well" data-well tabindex="0" role="region" aria-label="\(t("template.pages"))">\
            \(model.pages.map { Part.picture(frame, $0, of: model.packet.name) })</div>
            <section class="stack" aria-label="\(t("packet.values"))"><p class="soft">\(t("packet.values.text"))</p>
            <ol class="field-list" data-field-list data-swap="fields">\(model.values.map { packetValue(frame, model, $0) })</ol>
            \(Part.card(
                t("packet.receipt"),
                """
                \(Part.facts(model.facts.map { ($0.name, "<span class=\"mono small\">\($0.value)</span>") }))
                <p><a href="\(url: path + "/receipt")" type="application/json">\(t("packet.receipt.json"))</a></p>
                """))\(packetOut(frame, model, path))</section></page-fields></soft-page>
            """)
    }

    /// The way out of the batch for one packet, and the way back.
    private static func packetOut(_ frame: Frame, _ model: PacketPage, _ path: String) -> HTML {
        guard let isOut = model.isOut else { return .empty }
        return isOut
            ? Form.button(frame, "POST", path + "/restoration", frame.texts("packet.in"))
            : Form.button(frame, "DELETE", path, frame.texts("packet.out"), css: "button button-quiet")
    }

    private static func packetValue(_ frame: Frame, _ model: PacketPage, _ value: PacketPage.Value) -> HTML {
        let t = frame.texts
        let isChosen = value.field.name == model.chosen
        let steps = value.steps.map { step -> HTML in
            "<div><dt class=\"mono\" dir=\"ltr\">\(step.what)</dt><dd dir=\"auto\">\(step.value)</dd></div>"
        }
        return """
            <li data-entry="\(value.field.name)"><details\(attribute: "open", if: isChosen || value.warning != nil)><summary>\
            <span class="item-text"><span class="item-note" dir="auto">\(value.field.label)</span>\
            <span class="item-title" dir="auto">\(value.text.isEmpty ? "–" : value.text)</span></span>\
            \(value.warning == nil ? HTML.empty : Part.chip(frame, t("packet.warning"), .bad, icon: .warning))</summary>
            \(value.warning.map { "<p class=\"field-error\">\(frame.icon(.warning))<span>\($0)</span></p>" as HTML })
            <p class="small">\(t("packet.from")) \(value.source)</p>
            \(steps.isEmpty ? HTML.empty : "<dl class=\"facts\">\(steps)</dl>")</details></li>
            """
    }
}
