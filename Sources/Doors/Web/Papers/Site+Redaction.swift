import Access
import App
import Bytes
import Conversion
import Converting
import HTTP
import Jobs
import Library
import Markup
import PDFReading
import Redaction
import Storage
import Work

// Words, places and pages of a paper taken out for good, in a paper of its own.

extension Site {
    static let wishSchema: JSON = Schema.object(
        [
            ("words", Schema.list(of: Schema.string)), ("expressions", Schema.list(of: Schema.string)),
            ("patterns", Schema.list(of: Schema.choice(RedactionWish.Pattern.allCases.map(\.rawValue)))),
            ("areas", Schema.list(of: ["type": "object"])),
            ("pages", Schema.list(of: Schema.integer(1, 100_000))),
            ("colour", Schema.choice(RedactionWish.Colour.allCases.map(\.rawValue))),
            ("asPictures", Schema.boolean), ("skipPictures", Schema.boolean),
            ("except", Schema.list(of: ["type": "object"])), ("version", Schema.integer(1, 1_000_000)),
        ],
        optional: [
            "words", "expressions", "patterns", "areas", "pages", "colour", "asPictures", "skipPictures",
            "except", "version",
        ])

    private static let wishing =
        "`words` are whole words, a star stands for the rest of one; `areas` have `page`, `x`, `y`, `width` and `height` in "
        + "points from the upper left corner of the page as it is seen. `except` are hits of place `page`, as they were told, that stay; "
        + "with `version` nothing is done when the document has meanwhile become another."

    static let redactionActions: [Action] = [
        Action(.get, "/documents/{id}/redaction", .member(.edit)) { visit in
            var page = try redactionPage(visit)
            if let text = visit.request.query["job"], let id = ID<Job>(text),
                let job = try visit.quire.queue.get(id),
                job.kind == JobKind.redact.name, job.payload["document"]?.string == page.line.id
            {
                page.job = job
            }
            return visit.page(Pages.redaction(visit.frame, page))
        },
        // What was answered to a form, loaded once more.
        Action(.get, "/documents/{id}/redaction/hits", .member(.edit)) { visit in
            visit.goes(to: "/documents/\(visit.parameter("id"))/redaction")
        },
        Action(
            .post, "/documents/{id}/redaction/hits", .member(.edit),
            .init(
                "Show what would be blacked out",
                description: "Nothing is changed. \(wishing) Pages whose words cannot be read are named.",
                tag: "Documents", requestBody: [.init(.json, wishSchema)],
                answers: [
                    .init(
                        .ok, "The hits",
                        [
                            .init(
                                .json,
                                Schema.object([
                                    ("hits", Schema.list(of: ["type": "object"])),
                                    ("unreadablePages", Schema.list(of: Schema.integer(1, 100_000))),
                                    ("pages", Schema.integer(0, 100_000)),
                                ]))
                        ])
                ])
        ) { visit in
            let id: ID<Document> = try visit.id(of: "document")
            let caller = try visit.member()
            guard visit.wantsPage else {
                let wish = try RedactedPapers.wish(visit.request.json)
                return .json(try visit.quire.redacted.look(at: id, wish, by: caller).json)
            }
            return try answered(visit) { page in
                // "Black out" of the same form.
                if try visit.input.text("action") == "make" {
                    let version = try visit.input.integer("version")
                    let job = try visit.quire.redacted.begin(id, page.wish, version: version, by: caller)
                    return visit.goes(to: "/documents/\(id)/redaction?job=\(job)")
                }
                page.preview = try visit.quire.redacted.look(at: id, page.wish, by: caller)
                return nil
            }
        },
        Action(
            .post, "/documents/{id}/redaction", .member(.edit),
            .init(
                "Black out words, places or pages of a PDF for good",
                description:
                    "A paper of its own is made beside the document, which stays as it is. What is found is taken out, not "
                    + "covered, and it is proven that it is gone; on any doubt nothing is kept, and the job says why. \(wishing)",
                tag: "Documents", requestBody: [.init(.json, wishSchema)],
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            let id: ID<Document> = try visit.id(of: "document")
            let wish = try RedactedPapers.wish(visit.request.json)
            let job = try visit.quire.redacted.begin(
                id, wish, version: try visit.input.integer("version"), by: try visit.member())
            return try visit.promised(job, next: "/documents/\(id)/redaction?job=\(job)")
        },
    ]

    private static func redactionPage(_ visit: Visit) throws -> RedactionPage {
        let document = try visit.document()
        try RedactedPapers.requirePDF(document)
        var page = RedactionPage(line: DocumentLine(document), sheets: try visit.sheets(of: document))
        page.version = document.version
        return page
    }

    /// The page again, with what was typed, and with what went wrong where something did.
    private static func answered(
        _ visit: Visit, _ work: (inout RedactionPage) throws -> Response?
    ) throws -> Response {
        var page = try redactionPage(visit)
        let input = try visit.input
        do {
            page.pagesText = try input.text("pages") ?? ""
            page.wish = try redactionWish(input, pageCount: page.sheets.count)
            page.wish.spared = try untickedHits(input).map(\.hit)
            if let response = try work(&page) { return response }
        } catch let failure as Failure where failure.code != .notFound && failure.code != .denied {
            page.trouble = visit.frame.texts(failure)
            return visit.page(Pages.redaction(visit.frame, page), .unprocessable)
        }
        return visit.page(Pages.redaction(visit.frame, page))
    }

    /// What was found, shown with a tick, and lost it.
    static func untickedHits(_ input: Input) throws -> [(document: ID<Document>?, hit: RedactionHit)] {
        let gone = Set(try input.texts("gone"))
        return try input.texts("hits").enumerated().filter { !gone.contains("\($0.offset)") }.flatMap {
            told in
            let json = try JSON(parsing: told.element)
            let document = json["document"]?.string.flatMap(ID<Document>.init)
            do throws(RedactionError) {
                return try RedactionWish.spared([json]).map { (document, $0) }
            } catch {
                throw Failure(error)
            }
        }
    }

    static func redactionWish(_ input: Input, pageCount: Int) throws -> RedactionWish {
        var pages: [Int] = []
        if let text = try input.text("pages"), !text.isEmpty {
            do throws(ConversionError) {
                pages = try PageRanges(text, of: pageCount).pages
            } catch {
                throw Failure(error)
            }
        }
        let areas = try input.text("areas").flatMap { $0.isEmpty ? nil : try? JSON(parsing: $0) } ?? .null
        return try RedactedPapers.wish([
            "words": .string(try input.text("words") ?? ""),
            "expressions": .string(try input.text("expressions") ?? ""),
            "patterns": .array(try input.texts("patterns").map(JSON.string)), "areas": areas,
            "pages": .array(pages.map { .int($0 + 1) }), "colour": .string(try input.text("colour") ?? ""),
            "asPictures": .bool(try input.flag("asPictures")),
            "skipPictures": .bool(try input.flag("skipPictures")),
        ])
    }
}

extension Redactor.Preview {
    var json: JSON {
        [
            "hits": .array(hits.map(\.json)),
            "unreadablePages": .array(unreadablePages.map { .int($0 + 1) }), "pages": .int(pageCount),
        ]
    }
}
