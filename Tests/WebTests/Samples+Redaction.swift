import Redaction

@testable import Web

extension Samples {
    /// Several papers: before anything is looked for, and with what was found.
    static var redactionsOfMany: [RedactionManyPage] {
        let names = [("1", "Statement.pdf"), ("2", "Letter.pdf"), ("3", "Note.txt")]
        let papers = names.map { RedactionManyPage.Paper(id: $0.0, name: $0.1, version: 1) }
        var found = RedactionManyPage(papers: papers)
        found.wish.words = ["Ann Miller"]
        found.papers[0].preview = redactions[0].preview
        found.papers[1].preview = Redactor.Preview(hits: [], unreadablePages: [], pageCount: 1)
        found.papers[2].trouble =
            "“Note.txt” is no PDF. Make one of it first, then words and places can be blacked out."
        return [RedactionManyPage(papers: papers), found]
    }

    /// What was found, and what could not be done.
    static var redactions: [RedactionPage] {
        let sheets = [
            ReadPage.Sheet(number: 1, width: 612, height: 792),
            ReadPage.Sheet(number: 2, width: 612, height: 792),
        ]
        var found = RedactionPage(line: documents[0], sheets: sheets)
        found.wish.words = ["Ann Miller"]
        found.wish.patterns = [.phone]
        let area = RedactionWish.Area(page: 0, x: 90, y: 84, width: 62, height: 14)
        found.preview = Redactor.Preview(
            hits: [
                RedactionHit(
                    place: .page, page: 0, text: "Ann Miller", before: "Dear", after: "good day",
                    areas: [area]),
                RedactionHit(
                    place: .bookmark, page: nil, text: "Ann Miller", before: "", after: "", areas: []),
            ], unreadablePages: [1], pageCount: 2)
        var trouble = RedactionPage(line: documents[0], sheets: sheets)
        trouble.trouble = "Say what is to be blacked out: words, a pattern, an expression, an area or a page."
        trouble.wish.areas = [area]
        return [found, trouble]
    }
}
