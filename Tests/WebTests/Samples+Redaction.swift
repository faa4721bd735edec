import Redaction

@testable import Web

extension Samples {
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
