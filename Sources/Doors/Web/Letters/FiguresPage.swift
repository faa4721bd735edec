import Markup
import Work

/// What this desk has done, in numbers and pictures. They are counted here and go nowhere.
struct FiguresPage: Sendable {
    struct Week: Sendable {
        var begins: Moment
        var kept = 0
        var made = 0
        var delivered = 0
        var bounced = 0
        var opened = 0
        var returned = 0
    }

    var weeks: [Week]
    var papers = 0
    /// Nil where the desk keeps in step with no place.
    var inStep: Int?
    var untilFirstPaper: Duration?
    /// In these weeks.
    var searches = 0
    var tools: [(name: String, uses: Int)] = []
    var made = 0
    var sent = 0
    var bounced = 0
    var returned = 0
    var storage: [(name: String, byteCount: Int64)] = []
    var ledgerLines = 0
    var ledgerIsSound: Bool?
    var ledgerCheckedAt: Moment?
}

extension Pages {
    static func figures(_ frame: Frame, _ model: FiguresPage) -> HTML {
        let t = frame.texts
        let stats = [
            ("kept", model.papers, "/documents"), ("made", model.made, "/batches"),
            ("sent", model.sent, "/ledger?show=sent"),
            ("bounced", model.bounced, "/ledger?show=bounced"),
            ("returned", model.returned, "/ledger?show=returned"),
        ].map { key, count, address -> HTML in
            "<a class=\"stat\" href=\"\(url: address)\"><b>\(Part.number(count))</b><span>\(t("figures.\(key)"))</span></a>"
        }
        let isEmpty = model.weeks.allSatisfy { week in
            week.kept + week.made + week.delivered + week.bounced + week.opened + week.returned == 0
        }
        let kept = WeekChart(
            weeks: model.weeks.map(\.begins),
            rows: [.init(css: "bar-made", name: t("figures.kept"), values: model.weeks.map(\.kept))])
        let made = WeekChart(
            weeks: model.weeks.map(\.begins),
            rows: [.init(css: "bar-made", name: t("figures.made"), values: model.weeks.map(\.made))])
        let fate = WeekChart(
            weeks: model.weeks.map(\.begins),
            rows: [
                .init(
                    css: "bar-delivered", name: t("figures.delivered"), values: model.weeks.map(\.delivered)),
                .init(css: "bar-opened", name: t("figures.opened"), values: model.weeks.map(\.opened)),
                .init(css: "bar-returned", name: t("figures.returned"), values: model.weeks.map(\.returned)),
                .init(css: "bar-bounced", name: t("figures.bounced"), values: model.weeks.map(\.bounced)),
            ])
        let none = Part.empty(
            frame, icon: .activity, title: t("figures.empty"), "<p>\(t("figures.empty.text"))</p>")
        let charts: HTML =
            isEmpty
            ? none
            : """
            \(Part.card(t("figures.keptPerWeek"), kept.html(frame, t("figures.keptPerWeek"))))
            \(Part.card(t("figures.perWeek"), made.html(frame, t("figures.perWeek"))))
            \(Part.card(t("figures.fate"), fate.html(frame, t("figures.fate"))))
            """
        return """
            <p class="soft">\(t("figures.lede"))</p><div class="stats">\(stats)</div>
            <div class="stack">\(charts)\(use(frame, model))\(storage(frame, model))\(chain(frame, model))</div>
            """
    }

    private static func use(_ frame: Frame, _ model: FiguresPage) -> HTML {
        let t = frame.texts
        var facts: [(name: String, value: HTML)] = []
        if let inStep = model.inStep {
            facts.append(
                (
                    t("figures.inStep"),
                    HTML(
                        plain: t(
                            "figures.inStep.of", ["count": .number(inStep), "all": .number(model.papers)]))
                ))
        }
        if let span = model.untilFirstPaper {
            let minutes = Int(span.wholeMilliseconds / 60_000)
            let (unit, count) =
                minutes < 120
                ? ("minutes", minutes) : minutes < 2880 ? ("hours", minutes / 60) : ("days", minutes / 1440)
            facts.append((t("figures.first"), HTML(plain: t("figures.\(unit)", ["count": .number(count)]))))
        }
        if model.searches > 0 {
            facts.append((t("figures.searches"), Part.number(model.searches)))
        }
        let most = model.tools.map(\.uses).max() ?? 0
        let tools = model.tools.map { tool -> HTML in
            """
            <li><span>\(tool.name)</span><meter max="\(most)" value="\(tool.uses)" aria-label="\(tool.name)"></meter>\
            <span class="figure">\(Part.number(tool.uses))</span></li>
            """
        }
        let used: HTML =
            tools.isEmpty
            ? .empty
            : "<h3>\(t("figures.tools"))</h3><p class=\"soft small\">\(t("figures.tools.text"))</p><ul class=\"meters\">\(tools)</ul>"
        guard !facts.isEmpty || !tools.isEmpty else { return .empty }
        return Part.card(t("figures.use"), "\(facts.isEmpty ? .empty : Part.facts(facts))\(used)")
    }

    private static func storage(_ frame: Frame, _ model: FiguresPage) -> HTML {
        let t = frame.texts
        let most = model.storage.map(\.byteCount).max() ?? 0
        guard most > 0 else { return .empty }
        let rows = model.storage.map { part -> HTML in
            """
            <li><span>\(part.name)</span><meter max="\(most)" value="\(part.byteCount)" aria-label="\(part.name)"></meter>\
            <span class="figure">\(Part.size(part.byteCount))</span></li>
            """
        }
        return Part.card(
            t("figures.storage"),
            "<ul class=\"meters\">\(rows)</ul><p><a href=\"/settings/storage\">\(t("settings.storage"))</a></p>"
        )
    }

    private static func chain(_ frame: Frame, _ model: FiguresPage) -> HTML {
        guard model.ledgerLines > 0 else { return .empty }
        let t = frame.texts
        let state: HTML =
            switch model.ledgerIsSound {
            case true?: Part.chip(frame, t("figures.ledger.sound"), .good, icon: .check)
            case false?: Part.chip(frame, t("figures.ledger.broken"), .bad, icon: .warning)
            case nil: Part.chip(frame, t("figures.ledger.unchecked"))
            }
        let at: HTML? = model.ledgerCheckedAt.map {
            "<span class=\"soft small\">\(Part.time($0))</span>"
        }
        return Part.card(
            t("outbox.title"),
            """
            <div class="row"><span class="grow">\(t("figures.ledger.lines", ["count": .number(model.ledgerLines)]))</span>\(state)\(at)\
            \(Part.link(frame, "/ledger", t("figures.ledger.open"), icon: .next, css: "button button-s"))</div>
            """)
    }
}

/// Bars over weeks, drawn by us as SVG; the same numbers stand in a table below for whoever cannot see bars.
struct WeekChart {
    struct Row {
        var css: String
        var name: String
        var values: [Int]
    }

    var weeks: [Moment]
    var rows: [Row]

    private static let height = 120.0

    func html(_ frame: Frame, _ title: String) -> HTML {
        let t = frame.texts
        let most = max(1, weeks.indices.map { week in rows.reduce(0) { $0 + value($1, week) } }.max() ?? 1)
        let top = Self.roundedUp(most)
        let step = 100.0 / Double(max(1, weeks.count))
        var bars: HTML = .empty
        for week in weeks.indices {
            var y = Self.height
            for row in rows where value(row, week) > 0 {
                let length = max(1, Double(value(row, week)) / Double(top) * Self.height)
                y -= length
                bars += """
                    <rect class="\(row.css)" x="\(Self.number(step * Double(week) + step * 0.12))" y="\(Self.number(max(0, y)))" \
                    width="\(Self.number(step * 0.76))" height="\(Self.number(length))"></rect>
                    """
            }
        }
        let legend: HTML =
            rows.count < 2
            ? .empty
            : """
            <ul class="legend">\(rows.map { row -> HTML in
                "<li><svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"\(row.css)\" width=\"10\" height=\"10\" rx=\"2\"></rect></svg>\(row.name) <span class=\"soft\">\(Part.number(row.values.reduce(0, +)))</span></li>"
            })</ul>
            """
        let summary = rows.map { "\($0.name): \($0.values.reduce(0, +))" }.joined(separator: ", ")
        let middle = weeks.count / 2
        let days = [weeks.first, weeks.indices.contains(middle) ? weeks[middle] : nil, weeks.last]
        return """
            \(legend)<figure class="chart"><span class="chart-top soft small" aria-hidden="true">\(Part.number(top))</span>\
            <svg viewBox="0 0 100 \(Int(Self.height))" preserveAspectRatio="none" role="img" aria-label="\(title). \(summary)">\
            <line class="chart-line" x1="0" x2="100" y1="0" y2="0"></line><line class="chart-line" x1="0" x2="100" y1="\(Int(Self.height / 2))" y2="\(Int(Self.height / 2))"></line>\
            <line class="chart-base" x1="0" x2="100" y1="\(Int(Self.height))" y2="\(Int(Self.height))"></line>\(bars)</svg>\
            <div class="chart-days soft small" aria-hidden="true">\(days.map { $0.map { Part.time($0, style: .date) } ?? .empty })</div></figure>
            <details class="more"><summary>\(t("figures.table"))</summary>\(table(frame, title))</details>
            """
    }

    private func table(_ frame: Frame, _ title: String) -> HTML {
        let lines = weeks.indices.reversed().filter { week in rows.contains { value($0, week) > 0 } }.map {
            week -> HTML in
            """
            <tr><th scope="row">\(Part.time(weeks[week], style: .date))</th>\(rows.map { "<td>\(Part.number(value($0, week)))</td>" as HTML })</tr>
            """
        }
        return """
            <div class="plain-table" tabindex="0" role="region" aria-label="\(title)"><table><caption class="unseen">\(title)</caption><thead><tr><th scope="col">\(frame.texts("figures.week"))</th>\
            \(rows.map { "<th scope=\"col\">\($0.name)</th>" as HTML })</tr></thead><tbody>\(lines)</tbody></table></div>
            """
    }

    private func value(_ row: Row, _ week: Int) -> Int {
        row.values.indices.contains(week) ? max(0, row.values[week]) : 0
    }

    /// 1, 2 or 5 times a power of ten: a number one can read bars against.
    static func roundedUp(_ value: Int) -> Int {
        var step = 1
        while step <= value / 10 { step = step.multipliedReportingOverflow(by: 10).partialValue }
        for factor in [1, 2, 5, 10] {
            let (candidate, isTooLarge) = step.multipliedReportingOverflow(by: factor)
            if isTooLarge { return value }
            if candidate >= value { return candidate }
        }
        return value
    }

    /// Hundredths are finer than any screen.
    private static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return rest == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
