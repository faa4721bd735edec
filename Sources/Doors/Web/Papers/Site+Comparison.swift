import Access
import App
import Bytes
import Comparing
import Converting
import HTTP
import Library
import Markup
import Storage

// Two papers held against each other, or two versions of one.

extension Site {
    private static let comparisonParameters: [RouteDocumentation.Parameter] = [
        .init(
            "with", "The id of the later paper; without it the same paper is compared with itself as it was",
            schema: Schema.id),
        .init(
            "from",
            "Which version of the earlier paper; without it the newest, and of one paper the one before `to`",
            schema: Schema.integer(1, 1_000)),
        .init(
            "to", "Which version of the later paper; without it the newest", schema: Schema.integer(1, 1_000)),
    ]

    static let comparisonActions: [Action] = [
        Action(
            .get, "/documents/{id}/comparison", .member(.view),
            .init(
                "Compare two papers page by page",
                description:
                    "This one is the earlier paper. Pages are put together by what they say; told are words, wherever they stand, "
                    + "what looks different, values of fields, and pages that are on one side only. Places are points from the "
                    + "upper left corner of the page; one without a width is a gap where the other paper says more.",
                tag: "Documents", parameters: comparisonParameters,
                answers: [.ok("PaperComparison", "What differs")])
        ) { visit in try comparison(visit) },
        Action(
            .get, "/documents/{id}/comparison/report", .member(.view),
            .init(
                "Get a report of what differs between two papers",
                description:
                    "A list, then the later paper with each change marked by its number, and the pages that are gone.",
                tag: "Documents", parameters: comparisonParameters,
                answers: [.init(.ok, "The report", [.init(.pdf, ["type": "string", "format": "binary"])])])
        ) { visit in
            let both = try Both(visit)
            let names = both.names(visit.texts)
            let bytes = try visit.quire.compared.report(both.before, both.after) {
                visit.texts.comparisonReport($0, names: names)
            }
            return .pdf(bytes, named: visit.texts("compare.report"))
        },
    ]

    /// What is asked for, as far as the caller may see it.
    private struct Both {
        var before: Document
        var after: Document
        var isOnePaper: Bool

        init(_ visit: Visit) throws {
            let query = visit.request.query
            let caller = try visit.member()
            let documents = visit.quire.documents
            func version(_ name: String) throws -> Int? {
                guard let text = query[name], !text.isEmpty else { return nil }
                guard let number = Int(text), (1...Documents.mostVersions).contains(number) else {
                    throw Failure(.notFound, "There is no such version.")
                }
                return number
            }
            let first = try visit.document()
            var second = first
            if let text = query["with"], !text.isEmpty {
                guard let id = ID<Document>(text) else {
                    throw Failure(.notFound, "There is no such document.")
                }
                second = try documents.get(id, by: caller)
            }
            isOnePaper = first.id == second.id
            let to = try version("to")
            let from = try version("from") ?? (isOnePaper ? max(1, (to ?? second.version) - 1) : nil)
            before = try from.map { try documents.get(first.id, version: $0, by: caller) } ?? first
            after = try to.map { try documents.get(second.id, version: $0, by: caller) } ?? second
        }

        func names(_ texts: Texts) -> (before: String, after: String) {
            guard isOnePaper else { return (before.name, after.name) }
            func name(_ document: Document) -> String {
                document.name + " – " + texts("versions.number", ["number": .number(document.version)])
            }
            return (name(before), name(after))
        }
    }

    private static func comparison(_ visit: Visit) throws -> Response {
        let both = try Both(visit)
        guard visit.wantsPage else {
            return .json(try visit.quire.compared.compare(both.before, both.after).json)
                .with("Cache-Control", "private, no-cache")
        }
        let names = both.names(visit.texts)
        var page = ComparedPage(
            line: DocumentLine(try visit.document()),
            before: .init(id: both.before.id.text, version: both.before.version, name: names.before),
            after: .init(id: both.after.id.text, version: both.after.version, name: names.after),
            isOnePaper: both.isOnePaper)
        page.others = try others(both.before, visit)
        page.versions = both.isOnePaper ? both.after.version : 1
        if both.isOnePaper, both.before.version == both.after.version {
            return visit.page(Pages.compared(visit.frame, page))
        }
        do {
            page.found = try visit.quire.compared.compare(both.before, both.after)
            page.before.sheets = try visit.sheets(of: both.before)
            page.after.sheets = try visit.sheets(of: both.after)
        } catch let failure as Failure where failure.code != .notFound && failure.code != .signInNeeded {
            page.trouble = visit.trouble(failure)
            return visit.page(Pages.compared(visit.frame, page)).comingBack(
                failure.isBeingPrepared, for: visit)
        }
        return visit.page(Pages.compared(visit.frame, page))
    }

    /// Papers beside it, to choose from.
    private static func others(_ document: Document, _ visit: Visit) throws -> [DocumentLine] {
        var listing = Documents.Listing(folder: .some(document.folder))
        listing.limit = 100
        return try visit.quire.documents.list(listing, by: try visit.member()).documents
            .filter { $0.id != document.id && PaperPages.isReadable($0) }.map { DocumentLine($0) }
    }
}
