import Comparing
import Markup

/// Two papers beside each other, with what differs marked on their pages and listed.
struct ComparedPage: Sendable {
    struct Side: Sendable {
        var id: String
        var version: Int
        var name: String
        var sheets: [ReadPage.Sheet] = []
    }

    /// The paper one came from.
    var line: DocumentLine
    var before: Side
    var after: Side
    var isOnePaper: Bool
    /// How many there are to choose from; papers beside it, too.
    var versions = 1
    var others: [DocumentLine] = []
    /// Nothing before it is known what is to be compared.
    var found: PaperComparison?
    var trouble: String?

    /// Of more the pages are in the report.
    static let mostPairs = 150
    static let mostListed = 1_000
    private static let mostAreas = 400

    var query: String { "with=\(after.id)&from=\(before.version)&to=\(after.version)" }
}

extension Pages {
    static func compared(_ frame: Frame, _ model: ComparedPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)"
        let report: HTML =
            model.found.map {
                $0.isSame
                    ? .empty
                    : Part.link(
                        frame, path + "/comparison/report?" + model.query, t("compare.report.get"),
                        icon: .download)
            }
            ?? .empty
        return Shell.page(
            frame, title: t("compare.title"),
            """
            \(Part.header(
                frame, t("compare.title"), lede: t("compare.lede"),
                crumbs: [(t("documents.title"), "/documents"), (model.line.name, path)], actions: report))
            \(chooser(frame, model))
            \(model.trouble.map { Part.note(frame, .bad, "<p>\($0)</p>", role: "alert") } ?? .empty)
            \(model.found.map { found(frame, model, $0) } ?? .empty)
            """)
    }

    /// Which paper, or which version of this one.
    private static func chooser(_ frame: Frame, _ model: ComparedPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)/comparison"
        let versions = (1...max(1, model.versions)).reversed().map {
            (String($0), t("versions.number", ["number": .number($0)]))
        }
        let other: HTML =
            model.others.isEmpty
            ? .empty
            : """
            <form class="row choose-two" method="get" action="\(url: path)">
            \(Form.select(
                frame, name: "with", label: t("compare.with"),
                options: model.others.map { ($0.id, $0.name) }, chosen: model.after.id))
            <button class="button">\(t("versions.compare"))</button></form>
            """
        let version: HTML =
            model.isOnePaper && model.versions > 1
            ? """
            <form class="row choose-two" method="get" action="\(url: path)">
            \(Form.select(frame, name: "from", label: t("versions.from"), options: versions, chosen: String(model.before.version)))
            \(Form.select(frame, name: "to", label: t("versions.to"), options: versions, chosen: String(model.after.version)))
            <button class="button">\(t("versions.compare"))</button></form>
            """ : .empty
        guard model.found != nil || model.trouble != nil else {
            let none: HTML =
                model.others.isEmpty && model.versions < 2
                ? Part.note(frame, .plain, "<p>\(t("compare.alone"))</p>") : .empty
            return "\(version)\(other)\(none)"
        }
        return model.isOnePaper
            ? version
            : """
            <p class="compare-names"><span class="soft">\(t("compare.before"))</span> <a href="\(url: "/documents/" + model.before.id)" dir="auto">\(model.before.name)</a> \
            <span class="soft">\(t("compare.after"))</span> <a href="\(url: "/documents/" + model.after.id)" dir="auto">\(model.after.name)</a></p>
            <details class="more"><summary>\(t("compare.other"))</summary>\(other)</details>
            """
    }

    private static func found(_ frame: Frame, _ model: ComparedPage, _ found: PaperComparison) -> HTML {
        let t = frame.texts
        let remarks: HTML =
            found.remarks.isEmpty
            ? .empty
            : Part.note(frame, .warn, "\(found.remarks.map { "<p>\(t.comparisonRemark($0))</p>" as HTML })")
        guard !found.isSame else {
            return
                "\(Part.empty(frame, icon: .check, title: t("compare.none"), "<p>\(t("compare.none.text"))</p>"))\(remarks)"
        }
        let items = found.changes.prefix(ComparedPage.mostListed).enumerated().map {
            number, change -> HTML in
            """
            <li value="\(number + 1)" data-change="\(number + 1)"><a class="compare-line" href="#change-\(number + 1)">\
            <span class="soft small">\(t.comparisonPlace(change))</span> <span dir="auto">\(t.comparisonSentence(change))</span></a></li>
            """
        }
        let more = found.changes.count - items.count
        return """
            \(remarks)
            <compare-desk class="stack" data-said="\(t("compare.at"))">
            <div class="compare-bar with-script"><button class="button button-s" type="button" data-go="-1">\(frame.icon(.previous))\(t("compare.previous"))</button>\
            <button class="button button-s" type="button" data-go="1">\(frame.icon(.next))\(t("compare.next"))</button>\
            <output class="small" data-at aria-live="polite">\(t.comparisonSummary(found))</output>\
            <span class="push"></span><span class="soft small compare-keys">\(t("compare.keys"))</span></div>
            <div class="compare-columns">
            <section class="card compare-list"><div class="card-head"><h2>\(t.comparisonSummary(found))</h2></div>
            <ol>\(items)</ol>\(more > 0 ? "<p class=\"soft\">\(t("compare.remark.more", ["count": .number(more)]))</p>" : .empty)</section>
            <div class="stack">\(pairs(frame, model, found))</div>
            </div></compare-desk>
            """
    }

    private typealias Box = (number: Int, css: String, area: PaperComparison.Area)

    private static func pairs(_ frame: Frame, _ model: ComparedPage, _ found: PaperComparison) -> HTML {
        let t = frame.texts
        var before: [Int: [Box]] = [:]
        var after: [Int: [Box]] = [:]
        var touched: (before: Set<Int>, after: Set<Int>) = ([], [])
        // Where a change has no place on a page, its page is what is led to.
        var whole: (before: [Int: [Int]], after: [Int: [Int]]) = ([:], [:])
        for (index, change) in found.changes.prefix(ComparedPage.mostListed).enumerated() {
            let other = change.kind != .words
            for (place, isAfter) in [(change.before, false), (change.after, true)] {
                guard let place else { continue }
                if isAfter { touched.after.insert(place.page) } else { touched.before.insert(place.page) }
                if place.areas.isEmpty {
                    if isAfter {
                        whole.after[place.page, default: []].append(index + 1)
                    } else {
                        whole.before[place.page, default: []].append(index + 1)
                    }
                }
                for area in place.areas {
                    let css = other ? "compare-other" : isAfter ? "compare-new" : "compare-gone"
                    if isAfter {
                        after[area.page, default: []].append((index + 1, css, area))
                    } else {
                        before[area.page, default: []].append((index + 1, css, area))
                    }
                }
            }
        }
        // A number is led to once: on the later paper, where it is there.
        var led: Set<Int> = []
        func anchors(_ numbers: [Int]) -> HTML {
            var html = HTML.empty
            for number in numbers where led.insert(number).inserted {
                html = "\(html)<span id=\"change-\(number)\"></span>"
            }
            return html
        }
        func side(_ side: ComparedPage.Side, _ page: Int?, _ boxes: [Box], isAfter: Bool) -> HTML {
            guard let page, page < side.sheets.count else {
                return
                    "<div class=\"compare-none soft\">\(t(isAfter ? "compare.page.gone" : "compare.page.new"))</div>"
            }
            let sheet = side.sheets[page]
            let label = t("compare.picture", ["page": .number(page + 1), "name": .text(side.name)])
            let size = (width: Int(sheet.width.rounded()), height: Int(sheet.height.rounded()))
            let picture = "/documents/\(side.id)/versions/\(side.version)/pages/\(page + 1)?width=700"
            return """
                <figure class="compare-sheet"><div class="compare-paper"><img src="\(url: picture)" alt="\(label)" width="\(size.width)" height="\(size.height)" loading="lazy">\
                <svg viewBox="0 0 \(size.width) \(size.height)" aria-hidden="true">\(groups(boxes))</svg></div>\
                <figcaption class="soft small">\(t(isAfter ? "compare.after" : "compare.before")) \(t("compare.page", ["page": .number(page + 1)]))</figcaption></figure>
                """
        }
        func groups(_ boxes: [Box]) -> [HTML] {
            boxes.prefix(400).map { box in
                let area = box.area
                // A gap is shown as a thin line.
                let width = area.width > 0 ? area.width + 2 : 2
                func points(_ value: Double) -> String { String(Int(value.rounded())) }
                return """
                    <rect class="\(box.css)" data-change="\(box.number)" x="\(points(area.x - 1))" y="\(points(area.y - 1))" \
                    width="\(points(max(2, width)))" height="\(points(area.height + 2))"></rect>
                    """
            }
        }
        var rows: [HTML] = []
        var skipped = 0
        var left = 0
        func tellSkipped() {
            if skipped > 0 {
                rows.append(
                    "<p class=\"soft compare-skipped\">\(t("compare.alike", ["count": .number(skipped)]))</p>"
                )
            }
            skipped = 0
        }
        for pair in found.pairs {
            let isTouched =
                pair.before.map(touched.before.contains) ?? false
                || pair.after.map(touched.after.contains) ?? false
            guard isTouched else {
                skipped += 1
                continue
            }
            guard rows.count < ComparedPage.mostPairs else {
                left += 1
                continue
            }
            tellSkipped()
            let (old, new) = (
                pair.before.flatMap { before[$0] } ?? [], pair.after.flatMap { after[$0] } ?? []
            )
            let numbers =
                (pair.after.flatMap { whole.after[$0] } ?? []) + new.map(\.number)
                + (pair.before.flatMap { whole.before[$0] } ?? []) + old.map(\.number)
            rows.append(
                """
                <div class="compare-pair">\(anchors(numbers))\(side(model.before, pair.before, old, isAfter: false))\
                \(side(model.after, pair.after, new, isAfter: true))</div>
                """)
        }
        tellSkipped()
        if left > 0 {
            rows.append("<p class=\"soft\">\(t("compare.pairs.more", ["count": .number(left)]))</p>")
        }
        return rows.joined()
    }
}
