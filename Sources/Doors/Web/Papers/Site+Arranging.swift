import Access
import App
import Bytes
import Conversion
import Converting
import HTTP
import Library
import Markup
import PDF
import PDFReading
import Storage

// The pages of a paper in another order, turned, left out, doubled, joined with those of others, or as papers of their own.

extension Site {
    private static let sheetsSchema = Schema.list(
        of: Schema.object(
            [
                ("page", Schema.integer(1, 100_000)), ("document", Schema.string), ("blank", Schema.boolean),
                ("turn", Schema.integer(-360, 360)), ("crop", cropSchema),
            ], optional: ["page", "document", "blank", "turn", "crop"]))

    private static let sides = ["top", "right", "bottom", "left"]
    private static let cropSchema = Schema.object(
        sides.map { ($0, ["type": "number", "minimum": 0, "maximum": 14_400]) }, optional: Set(sides))

    private static let wishing =
        "Each page is `{\"page\": 3}`, of another document with `document`, or `{\"blank\": true}`; `turn` turns it clockwise by "
        + "90, 180 or 270 degrees. `crop` hides so much of its edges, as it is seen before it is turned, in the measure of its "
        + "width; what is hidden stays in the file."

    static let arrangeActions: [Action] = [
        Action(
            .get, "/documents/{id}/pages", .member(.view),
            .init(
                "List the pages of a paper",
                description:
                    "With their size in points; with `q` only those that have the words. What is no PDF may be prepared "
                    + "first: 503, and `Retry-After` says when again.",
                tag: "Documents", parameters: [.init("q", "Words that must all stand on the page")],
                answers: [.ok("PaperPages", "The pages")])
        ) { visit in
            let document = try visit.document()
            if visit.wantsPage {
                try visit.member().require(.edit)
                return visit.page(Pages.arrange(visit.frame, try arrangePage(visit, document)))
            }
            let frames = try visit.quire.pages.frames(of: document)
            var chosen = Array(1...max(1, frames.count))
            if let words = visit.request.query["q"], !words.isEmpty {
                chosen = try visit.quire.pages.pages(of: document, with: words, by: try visit.member())
            }
            let pages = chosen.filter { $0 <= frames.count }.map { number -> JSON in
                [
                    "number": .int(number), "width": .number(frames[number - 1].width),
                    "height": .number(frames[number - 1].height),
                ]
            }
            return .json(["pages": .array(pages), "count": .int(frames.count)])
                .with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/documents/{id}/pages", .member(.edit),
            .init(
                "Arrange the pages of a PDF",
                description:
                    "It becomes a new version with these pages; what it was is kept. \(wishing) What is not named is left out. Where "
                    + "a signature would not hold any more, nothing is changed unless `breakSignatures` says so. `base` is the version "
                    + "that was looked at. `remarks` say what could not be carried over.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("pages", sheetsSchema), ("breakSignatures", Schema.boolean),
                                ("base", Schema.integer(1, 1_000_000)),
                            ], optional: ["breakSignatures", "base"]))
                ],
                answers: [.ok("ArrangedDocument", "It has these pages")]), body: .bytes(limit: 8 << 20)
        ) { visit in
            let document = try visit.document()
            let caller = try visit.member()
            guard visit.wantsPage else {
                let json = try visit.request.json
                let arranged = try visit.quire.arranged.arrange(
                    document, ArrangedPapers.sheets(json["pages"]),
                    breaksSignatures: json["breakSignatures"]?.bool == true, ifVersion: json["base"]?.int,
                    by: caller)
                return .json(arranged.json)
            }
            let input = try visit.input
            do {
                _ = try visit.quire.arranged.arrange(
                    document, try typed(input, count: visit.quire.pages.frames(of: document).count),
                    breaksSignatures: try input.flag("breakSignatures"), by: caller)
            } catch let failure as Failure where failure.code != .notFound && failure.code != .denied {
                var page = try arrangePage(visit, document)
                page.order = try input.text("order") ?? ""
                page.crop = try input.text("crop") ?? ""
                page.trouble = visit.said(failure)
                return visit.page(Pages.arrange(visit.frame, page), .unprocessable)
            }
            return visit.goes(to: "/documents/\(document.id)/pages", notice: visit.texts("notice.arranged"))
        },
        Action(
            .get, "/documents/{id}/margins", .member(.edit),
            .init(
                "Find the white margins of pages",
                description:
                    "How far it is from each edge to what is drawn, on the first page or those of `pages`; a page that is white all "
                    + "over is left out, one on which nothing can be read, such as a scan of empty paper, is `blank`.",
                tag: "Documents",
                parameters: [.init("pages", "Up to \(mostMargins) pages, as in `1-3,7`")],
                answers: [.ok("PageMargins", "Page by page")])
        ) { visit in
            let document = try visit.document()
            let frames = try visit.quire.pages.frames(of: document)
            let pages = try pages(visit.request.query["pages"] ?? "1", of: frames.count, field: "pages")
            guard pages.count <= mostMargins else {
                throw Failure(
                    .tooLarge, "At most \(mostMargins) pages are looked at at once. Choose fewer.",
                    field: "pages")
            }
            let found = try visit.quire.pages.drawn(on: pages, of: document)
            let list = found.sorted { $0.key < $1.key }.map { page, drawn -> JSON in
                let place = drawn.place
                return [
                    "number": .int(page + 1), "top": .number(max(0, frames[page].height - place.top)),
                    "right": .number(max(0, frames[page].width - place.right)),
                    "bottom": .number(max(0, place.bottom)), "left": .number(max(0, place.left)),
                    "blank": .bool(drawn.isBlank),
                ]
            }
            return .json(["pages": .array(list)]).with("Cache-Control", "private, no-cache")
        },
        // What was answered to a form, loaded once more.
        Action(.get, "/documents/{id}/extracts", .member(.edit)) { visit in
            visit.goes(to: "/documents/\(visit.parameter("id"))/pages")
        },
        Action(
            .post, "/documents/{id}/extracts", .member(.edit),
            .init(
                "Make papers of pages of a PDF",
                description:
                    "The document stays as it is; each list in `papers` becomes a paper beside it. \(wishing)",
                tag: "Documents",
                requestBody: [.init(.json, Schema.object([("papers", Schema.list(of: sheetsSchema))]))],
                answers: [
                    .init(
                        .created, "The papers",
                        [
                            .init(
                                .json,
                                Schema.object([
                                    ("documents", Schema.list(of: Schema.ref("ArrangedDocument")))
                                ]))
                        ])
                ]), body: .bytes(limit: 8 << 20)
        ) { visit in
            let document = try visit.document()
            let papers = try (visit.request.json["papers"]?.array ?? []).map {
                try ArrangedPapers.sheets($0)
            }
            let made = try visit.quire.arranged.take(papers, outOf: document, by: visit.member())
            return .json(["documents": .array(made.map(\.json))], .created)
        },
    ]

    private static let mostMargins = 60

    private static func pages(_ text: String, of count: Int, field: String) throws -> [Int] {
        do throws(ConversionError) { return try PageRanges(text, of: count).pages } catch {
            var failure = Failure(error)
            failure.field = field
            throw failure
        }
    }

    private static func arrangePage(_ visit: Visit, _ document: Document) throws -> ArrangePage {
        guard PaperPages.isPDF(document) else { throw Failure.noPDF(document) }
        let sheets = try visit.sheets(of: document)
        return ArrangePage(
            line: DocumentLine(document), version: document.version, sheets: sheets,
            signer: try visit.quire.arranged.signer(of: document, by: visit.member()))
    }

    /// Pages in words, all of them turned and cropped alike.
    private static func typed(_ input: Input, count: Int) throws -> [ArrangedPapers.Sheet] {
        let turn = try input.text("turn").flatMap { Int($0) } ?? 0
        let text = try input.text("order") ?? ""
        let pages = text.isEmpty ? Array(0..<count) : try pages(text, of: count, field: "order")
        var crop: CropSides?
        if let lengths = try input.text("crop"), !lengths.isEmpty {
            do throws(ConversionError) { crop = try CropSides(lengths) } catch {
                var failure = Failure(error)
                failure.field = "crop"
                throw failure
            }
        }
        return pages.map { .init(.page($0 + 1), turn: turn, crop: crop) }
    }
}

extension ArrangedPapers.Outcome {
    var json: JSON {
        var json = document.json.object ?? [:]
        json["remarks"] = .array(remarks)
        return .object(json)
    }
}
