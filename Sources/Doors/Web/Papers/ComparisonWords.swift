public import Comparing
public import Markup

extension Texts {
    /// A change between two papers in a line: where, and what.
    public func comparisonLine(_ change: PaperComparison.Change) -> String {
        "\(comparisonPlace(change)): \(comparisonSentence(change))"
    }

    /// On which pages, of both papers where they have other numbers.
    public func comparisonPlace(_ change: PaperComparison.Change) -> String {
        let before = (change.before?.page).map { $0 + 1 }
        let after = (change.after?.page).map { $0 + 1 }
        switch (before, after) {
        case (let before?, let after?) where before == after:
            return self("compare.page", ["page": .number(after)])
        case (let before?, let after?):
            return self("compare.page.both", ["before": .number(before), "after": .number(after)])
        case (let before?, nil): return self("compare.page.before", ["page": .number(before)])
        case (nil, let after?): return self("compare.page.after", ["page": .number(after)])
        case (nil, nil): return self("compare.page.none")
        }
    }

    public func comparisonSentence(_ change: PaperComparison.Change) -> String {
        let way = change.removed.isEmpty ? "added" : change.added.isEmpty ? "removed" : "replaced"
        let said: [String: Catalog.Argument] = [
            "removed": .text(Self.short(change.removed)), "added": .text(Self.short(change.added)),
            "name": .text(change.label ?? change.field ?? ""), "count": .number(change.pageCount),
        ]
        switch change.kind {
        case .words:
            let line = self("compare.words.\(way)", said)
            return change.lead.isEmpty
                ? line : line + " " + self("compare.context", ["lead": .text(change.lead)])
        case .look where !change.added.isEmpty: return self("compare.look.words", said)
        case .moved, .look, .pageSize: return self("compare.\(change.kind.rawValue)", said)
        case .pageAdded, .pageRemoved:
            let text = change.kind == .pageAdded ? change.added : change.removed
            let name = "compare.\(change.kind.rawValue)"
            return text.isEmpty
                ? self(name) : self(name + ".begins", ["text": .text(Self.short(text, 80))])
        case .running, .field: return self("compare.\(change.kind.rawValue).\(way)", said)
        }
    }

    public func comparisonSummary(_ comparison: PaperComparison) -> String {
        comparison.isSame
            ? self("compare.none") : self("compare.count", ["count": .number(comparison.changes.count)])
    }

    public func comparisonRemark(_ remark: PaperComparison.Remark) -> String {
        func numbers(_ pages: [Int]) -> Catalog.Argument {
            let shown = pages.prefix(12).map { "\($0 + 1)" }.joined(separator: ", ")
            return .text(pages.count > 12 ? shown + ", …" : shown)
        }
        return switch remark {
        case .cut(let isAfter, let pages):
            self("compare.remark.cut.\(isAfter ? "after" : "before")", ["pages": numbers(pages)])
        case .undrawn(let pages): self("compare.remark.undrawn", ["pages": numbers(pages)])
        case .more(let count): self("compare.remark.more", ["count": .number(count)])
        case .wordsOnly: self("compare.remark.wordsOnly")
        }
    }

    public func comparisonReport(
        _ comparison: PaperComparison, names: (before: String, after: String)
    ) -> ComparisonReport.Words {
        ComparisonReport.Words(
            title: self("compare.report"),
            lede: [
                self(
                    "compare.report.before",
                    ["name": .text(names.before), "count": .number(comparison.pagesBefore)]),
                self(
                    "compare.report.after",
                    ["name": .text(names.after), "count": .number(comparison.pagesAfter)]),
                comparisonSummary(comparison),
            ] + comparison.remarks.map(comparisonRemark),
            lines: comparison.changes.map(comparisonLine),
            pageAdded: self("compare.report.pageAdded"), pageRemoved: self("compare.report.pageRemoved"),
            more: self("compare.report.more"))
    }

    private static func short(_ text: String, _ longest: Int = 300) -> String {
        text.unicodeScalars.count > longest ? String(text.unicodeScalars.prefix(longest)) + "…" : text
    }
}
