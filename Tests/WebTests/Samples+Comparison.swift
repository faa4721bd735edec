import Comparing

@testable import Web

extension Samples {
    /// What differs, nothing that does, what could not be compared, and what is yet to be chosen.
    static var comparedPapers: [ComparedPage] {
        let sheets = [
            ReadPage.Sheet(number: 1, width: 612, height: 792),
            ReadPage.Sheet(number: 2, width: 612, height: 792),
            ReadPage.Sheet(number: 3, width: 612, height: 792),
        ]
        var found = ComparedPage(
            line: documents[0], before: .init(id: "d1", version: 1, name: documents[0].name, sheets: sheets),
            after: .init(id: "d2", version: 1, name: documents[1].name, sheets: sheets), isOnePaper: false)
        found.others = [documents[1]]
        func area(_ page: Int, _ width: Double = 62) -> PaperComparison.Area {
            .init(page: page, x: 90, y: 84, width: width, height: 14)
        }
        var words = PaperComparison.Change(.words)
        (words.removed, words.added, words.lead) = ("twelve", "eighteen", "the notice period is")
        (words.before, words.after) = (.init(page: 0, areas: [area(0)]), .init(page: 0, areas: [area(0)]))
        var gap = PaperComparison.Change(.words)
        gap.removed = "without notice"
        (gap.before, gap.after) = (.init(page: 0, areas: [area(0)]), .init(page: 0, areas: [area(0, 0)]))
        var field = PaperComparison.Change(.field)
        (field.field, field.added) = ("tenant.name", "Ann Miller")
        field.after = .init(page: 0, areas: [area(0)])
        var look = PaperComparison.Change(.look)
        (look.before, look.after) = (.init(page: 1, areas: [area(1)]), .init(page: 2, areas: [area(2)]))
        var page = PaperComparison.Change(.pageAdded)
        (page.added, page.after) = ("Annex", .init(page: 1))
        var gone = PaperComparison.Change(.pageRemoved)
        gone.before = .init(page: 2)
        var running = PaperComparison.Change(.running)
        (running.removed, running.added, running.pageCount) = ("Draft 3", "Draft 4", 3)
        (running.before, running.after) = (.init(page: 0, areas: [area(0)]), .init(page: 0, areas: [area(0)]))
        found.found = PaperComparison(
            pairs: [
                .init(before: 0, after: 0), .init(before: nil, after: 1), .init(before: 1, after: 2),
                .init(before: 2, after: nil),
            ], changes: [running, words, gap, field, page, look, gone],
            remarks: [.cut(isAfter: true, pages: [1]), .more(3)], pagesBefore: 3, pagesAfter: 3)
        var same = ComparedPage(
            line: documents[0], before: .init(id: "d1", version: 1, name: documents[0].name, sheets: sheets),
            after: .init(id: "d1", version: 2, name: documents[0].name, sheets: sheets), isOnePaper: true)
        same.versions = 2
        same.found = PaperComparison(pairs: [], changes: [], pagesBefore: 3, pagesAfter: 3)
        var trouble = found
        trouble.found = nil
        trouble.trouble = "“Lease.pdf” is locked with a password, so it cannot be compared."
        var choice = same
        choice.found = nil
        choice.versions = 1
        var choosing = choice
        choosing.others = [documents[1]]
        return [found, same, trouble, choice, choosing]
    }
}
