import Access
import App
import Bytes
import HTTP
import Library
import Markup
import PDF
import PDFReading
import Storage
import Work

// A paper page by page.

extension Site {
    static let readingActions: [Action] = [
        Action(.get, "/documents/{id}/read", .member(.view)) { visit in
            let document = try visit.document()
            let caller = try visit.member()
            let folders = try visit.quire.documents.folders(by: caller)
            let line = DocumentLine(document)
            let folder = document.folder.flatMap { folders[$0] }.map { FolderLine($0) }
            do {
                let pages = try visit.sheets(of: document)
                return visit.page(
                    Pages.read(
                        visit.frame,
                        ReadPage(
                            line: line, folder: folder, sheets: pages, page: visit.pageOfList,
                            words: visit.request.query["q"] ?? "",
                            isFillable: try visit.quire.documents.isFillable(document, by: visit.member())))
                )
            } catch let failure as Failure where failure.code != .notFound {
                // Being prepared, locked or broken: said in its place, with the ways that are left.
                let page = ReadPage(
                    line: line, folder: folder, sheets: [], trouble: visit.trouble(failure),
                    isLocked: failure.field == Failure.lockField,
                    isPrepared: failure.isBeingPrepared)
                return visit.page(Pages.read(visit.frame, page)).comingBack(
                    failure.isBeingPrepared, for: visit)
            }
        },
        Action(
            .get, "/documents/{id}/pages/{page}", .member(.view),
            .init(
                "Get a page of a paper as a picture", description: "Pages are counted from 1.",
                tag: "Documents",
                parameters: [
                    .init("width", "How many pixels wide at least (900)", schema: Schema.integer(1, 4_000))
                ],
                answers: [.init(.ok, "The picture", [.init(.jpeg, ["type": "string", "format": "binary"])])])
        ) { visit in try visit.picture(ofPageOf: visit.document()) },
        Action(
            .get, "/documents/{id}/pages/{page}/words", .member(.view),
            .init(
                "Get the words of a page of a paper",
                description: "Line by line, with the place of each word in points from the top left corner.",
                tag: "Documents", answers: [.ok("PageWords", "The words")])
        ) { visit in
            let document = try visit.document()
            let text = try visit.quire.pages.words(of: document, page: try visit.pageNumber() - 1)
            let frame = text.frame
            let lines = text.lines.map { line -> JSON in
                .array(
                    line.words.map { word -> JSON in
                        [
                            "text": .string(word.text), "x": .number(word.place.left),
                            "y": .number(frame.height - word.place.top), "width": .number(word.place.width),
                            "height": .number(word.place.height),
                        ]
                    })
            }
            return .json([
                "width": .number(frame.width), "height": .number(frame.height), "lines": .array(lines),
            ]).with("Cache-Control", "private, no-cache").kept(on: visit)
        },
    ]
}

extension Visit {
    /// Why no page can be shown, in words of this page's own where they are known.
    func trouble(_ failure: Failure) -> String {
        failure.isBeingPrepared ? texts("read.preparing") : said(failure)
    }
}

extension Response {
    /// The browser may keep it with the page it belongs to, on the same terms, to be read without a connection.
    func kept(on visit: Visit) -> Response {
        visit.keepTerms.map { with("X-Quire-Keep", $0) } ?? self
    }

    /// Asked for again in a moment, also without scripts.
    func comingBack(_ comesBack: Bool, for visit: Visit) -> Response {
        guard comesBack else { return self }
        // A browser that was sent to a place on the page loads nothing again unless it is told what.
        return with("Refresh", "2; url=/\(visit.request.target.drop { $0 == "/" })")
    }
}

extension Visit {
    /// The pages of a paper, as they are seen.
    func sheets(of document: Document) throws -> [ReadPage.Sheet] {
        try quire.pages.frames(of: document).enumerated().map { place, frame in
            ReadPage.Sheet(number: place + 1, width: frame.width, height: frame.height)
        }
    }
}
