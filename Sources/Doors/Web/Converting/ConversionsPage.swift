import Markup

/// Papers that came in and wait to be kept: whatever window was closed, they are here.
struct ConversionsPage: Sendable {
    var lines: [ConversionLine]
}

extension Pages {
    static func conversions(_ frame: Frame, _ model: ConversionsPage) -> HTML {
        let t = frame.texts
        let add: HTML =
            frame.canEdit
            ? Part.link(
                frame, "/conversions/new", t("convert.new"), icon: .plus, css: "button button-main")
            : .empty
        let empty = Part.empty(
            frame, icon: .upload, title: t("convert.empty"), "<p>\(t("convert.empty.text"))</p>", actions: add
        )
        return Shell.page(
            frame, title: t("convert.title"),
            """
            \(Part.header(
                frame, t("convert.title"), lede: t("convert.lede"), crumbs: [(t("tools.title"), "/tools")],
                actions: model.lines.isEmpty ? .empty : add))
            <live-part><div data-live>\(model.lines.isEmpty
                ? empty
                : "<section class=\"card card-flush\" aria-label=\"\(t("convert.title"))\">\(Part.list(model.lines.map { conversionItem(frame, $0) }))</section>")
            </div></live-part>
            """)
    }

    static func conversionItem(_ frame: Frame, _ line: ConversionLine) -> HTML {
        let t = frame.texts
        let (mood, icon): (Part.Mood, Icon) =
            switch line.state {
            case .draft: (.plain, .edit)
            case .waiting: (.plain, .clock)
            case .running: (.good, .again)
            case .done: (.good, .check)
            case .failed: (.bad, .warning)
            case .cancelled: (.plain, .stop)
            }
        let note: HTML =
            line.state == .failed
            ? HTML(plain: line.reason.map(t.said) ?? "")
            : "\(t("convert.papers", ["count": .number(line.paperCount)])) · \(Part.time(line.changedAt))"
        return """
            <div class="item">\(Part.thumbnail(line.picture, letters: ""))<span class="item-text">\
            <a class="item-title item-link" href="\(url: "/conversions/\(line.id)")" dir="auto">\(line.name)</a>\
            <span class="item-note">\(note)</span></span>\
            \(Part.chip(frame, t(line.isKept ? "convert.state.kept" : "convert.state.\(line.state.rawValue)"), mood, icon: icon))</div>
            """
    }
}
