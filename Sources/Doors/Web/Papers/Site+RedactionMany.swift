import Access
import App
import Bytes
import Converting
import HTTP
import Jobs
import Library
import Markup
import PDFDrawing
import Redaction
import Storage
import Work

/// The same words blacked out of several papers, with every hit looked through before.
extension Site {
    /// So long are papers looked through while somebody waits; what is left then is looked at by itself.
    private static let longestLook = Duration.seconds(25)

    static let redactionManyActions: [Action] = [
        Action(.get, "/redaction", .member(.edit)) { visit in
            let query = visit.request.query
            if let id = query["job"].flatMap(ID<Job>.init), let job = try visit.quire.queue.get(id),
                job.kind == JobKind.redactMany.name,
                job.payload["actor"]?.string == (try visit.member()).actor
            {
                return visit.page(Pages.redactedMany(visit.frame, job))
            }
            let ids = (query["papers"] ?? "").split(separator: ",").compactMap { ID<Document>(String($0)) }
            guard !ids.isEmpty else { return visit.goes(to: "/documents") }
            try RedactedPapers.check(ids)
            return visit.page(Pages.redactionMany(visit.frame, try redactionMany(ids, visit)))
        },
        Action(.get, "/redaction/proof", .member(.edit)) { visit in
            guard let id = visit.request.query["job"].flatMap(ID<Job>.init),
                let job = try visit.quire.queue.get(id),
                [JobKind.redact.name, JobKind.redactMany.name].contains(job.kind),
                job.payload["actor"]?.string == (try visit.member()).actor, let result = job.result
            else {
                throw Failure(.notFound, "There is no such job. Finished ones are forgotten after a while.")
            }
            let made = result["made"]?.array ?? [result]
            let lines = visit.texts.redactionReport(
                made.map {
                    ($0["name"]?.string ?? "", $0["remarks"]?.array ?? [], $0["proof"] ?? [:])
                }, at: job.finishedAt ?? visit.now)
            let bytes = try PlainReport(lines, onLetter: true).bytes()
            return .pdf(bytes, named: visit.texts("redact.proof.title"))
        },
        // What was answered to a form, loaded once more.
        Action(.get, "/redaction/hits", .member(.edit)) { visit in visit.goes(to: "/documents") },
        Action(.post, "/redaction/hits", .member(.edit)) { visit in
            let input = try visit.input
            let ids: [ID<Document>] = try input.ids("documents", of: "paper")
            try RedactedPapers.check(ids)
            var page = try redactionMany(ids, visit)
            do {
                page.wish = try redactionWish(input, pageCount: 0)
                try RedactedPapers.checkForMany(page.wish)
                let unticked = try untickedHits(input)
                let isLookedThrough = try input.text("looked") == RedactionManyPage.fingerprint(page.wish)
                if try input.text("action") == "make", isLookedThrough {
                    let orders = try orders(input, unticked)
                    let job = try visit.quire.redacted.begin(orders, page.wish, by: try visit.member())
                    return visit.goes(to: "/redaction?job=\(job)")
                }
                let left = try shown(input).filter { !$0.isChosen }.map(\.paper)
                try look(&page, unticked, leaving: Set(left), visit)
                if try input.text("action") == "make" { page.trouble = visit.texts("redact.many.looked") }
            } catch let failure as Failure where failure.code == .invalid {
                page.trouble = visit.said(failure)
                return visit.page(
                    Pages.redactionMany(visit.frameAt("/redaction"), page), .unprocessable)
            }
            return visit.page(Pages.redactionMany(visit.frameAt("/redaction"), page))
        },
        Action(
            .post, "/redaction", .member(.edit),
            .init(
                "Black out words in several PDFs for good",
                description:
                    "As for one document, with words, patterns and expressions. `papers` are the documents, each with hits that stay "
                    + "in it and the version that was looked at, where there are any. The job answers what was `made`, in which documents "
                    + "nothing stands (`untouched`), and which were `left` and why.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                (
                                    "papers",
                                    Schema.list(
                                        of: Schema.object(
                                            [
                                                ("document", Schema.id),
                                                ("version", Schema.integer(1, 1_000_000)),
                                                ("except", Schema.list(of: ["type": "object"])),
                                            ], optional: ["version", "except"]))
                                ), ("wish", wishSchema),
                            ]))
                ],
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            let json = try visit.request.json
            let wish = try RedactedPapers.wish(json["wish"] ?? .null)
            let orders = try RedactedPapers.orders(json["papers"] ?? .null)
            let job = try visit.quire.redacted.begin(orders, wish, by: try visit.member())
            return try visit.promised(job, next: "/redaction?job=\(job)")
        },
    ]

    private static func redactionMany(_ ids: [ID<Document>], _ visit: Visit) throws -> RedactionManyPage {
        let caller = try visit.member()
        return RedactionManyPage(
            papers: try ids.map {
                let document = try visit.quire.documents.get($0, by: caller)
                return .init(id: document.id.text, name: document.name, version: document.version)
            })
    }

    /// Papers that were shown with a tick, and whether they still have it; with the version that was looked at.
    private static func shown(
        _ input: Input
    ) throws -> [(paper: ID<Document>, version: Int, isChosen: Bool)] {
        let chosen = Set(try input.texts("chosen"))
        return try input.texts("versions").compactMap { text in
            let parts = text.split(separator: ":").map(String.init)
            guard parts.count == 2, let id = ID<Document>(parts[0]), let version = Int(parts[1]) else {
                return nil
            }
            return (id, version, chosen.contains(parts[0]))
        }
    }

    private static func look(
        _ page: inout RedactionManyPage, _ unticked: [(document: ID<Document>?, hit: RedactionHit)],
        leaving left: Set<ID<Document>>, _ visit: Visit
    ) throws {
        let caller = try visit.member()
        let start = ContinuousClock.now
        for index in page.papers.indices {
            let paper = page.papers[index]
            guard let id = ID<Document>(paper.id) else { continue }
            page.papers[index].isChosen = !left.contains(id)
            do {
                guard start.duration(to: .now) < longestLook else {
                    throw Failure(
                        .unavailable, "There was no time left to look through this one. Choose fewer papers.")
                }
                page.papers[index].preview = try visit.quire.redacted.look(at: id, page.wish, by: caller)
                page.papers[index].spared = spared(in: id, unticked)
            } catch let failure as Failure where failure.code != .invalid || failure.field == nil {
                page.papers[index].trouble = visit.said(failure)
            }
        }
    }

    private static func spared(
        in paper: ID<Document>, _ unticked: [(document: ID<Document>?, hit: RedactionHit)]
    ) -> [RedactionHit] {
        unticked.filter { $0.document == paper }.map(\.hit)
    }

    private static func orders(
        _ input: Input, _ unticked: [(document: ID<Document>?, hit: RedactionHit)]
    ) throws -> [RedactedPapers.Order] {
        try shown(input).filter(\.isChosen).map { shown in
            RedactedPapers.Order(
                shown.paper, version: shown.version, spared: spared(in: shown.paper, unticked))
        }
    }
}
