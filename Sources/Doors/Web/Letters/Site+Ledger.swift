import Access
import App
import Bytes
import Delivery
import Filling
import HTTP
import Jobs
import Storage
import Work

extension Site {
    /// The honest account, and figures drawn from it.
    static let ledgerActions: [Action] = [
        Action(
            .get, "/ledger", .member(.view),
            .init(
                "List what became of every packet", tag: "Ledger",
                parameters: deliveryParameters + [
                    .init("run", "Only those of this batch or mailing: `batch/…`, `mailing/…`")
                ], answers: [.ok("LedgerPage", "The newest first", headers: ["Link"])])
        ) { visit in
            let caller = try visit.member()
            let query = visit.request.query
            let run = query["run"].flatMap { $0.isEmpty ? nil : $0 }
            let before = try query["after"].flatMap { $0.isEmpty ? nil : $0 }.map { text throws(Failure) in
                guard let number = Int64(text) else {
                    throw Failure(.invalid, "“after” is a number.", field: "after")
                }
                return number
            }
            let page = try visit.quire.ledger.list(
                Ledger.Filter(visit.ledgerPart(), run: run, search: query["q"] ?? ""), before: before,
                limit: visit.limit(otherwise: 60, most: Ledger.mostPerPage), by: caller)
            if visit.wantsPage {
                return visit.page(try visit.ledgerPage(page, visit.tally(of: run), run: run))
            }
            let accounts = try visit.quire.sendings.accounts(of: page.items, by: caller)
            return visit.list(
                "items", zip(page.items, accounts).map { $0.json($1) },
                next: page.next.map { "\($0)" },
                more: ["tally": try visit.tally(of: run).json])
        },
        Action(
            .get, "/ledger/lines", .member(.view),
            .init(
                "List the lines of the ledger", tag: "Ledger",
                parameters: [
                    .init("subject", "Only those about this: `packet/…`, `message/…`"),
                    .init("limit", "How many at most", schema: Schema.integer(1, 1_000)),
                    .init("after", "`next` of the page before"),
                ], answers: [.ok("LedgerLines", "The oldest first", headers: ["Link"])])
        ) { visit in
            _ = try visit.member()
            let query = visit.request.query
            if let subject = query["subject"], !subject.isEmpty {
                if visit.wantsPage, let letter = try visit.letter(of: subject) {
                    return .redirect(to: "/outbox/\(letter.id)")
                }
                let lines = try visit.quire.ledger.lines(of: subject)
                if visit.wantsPage { return visit.page(try visit.ledgerLinesPage(subject, lines)) }
                return visit.list("lines", lines.map(\.json), next: nil)
            }
            if visit.wantsPage { return .redirect(to: "/ledger") }
            let limit = try visit.limit(otherwise: 100, most: 1_000)
            guard let after = Int64(query["after"].flatMap { $0.isEmpty ? nil : $0 } ?? "0") else {
                throw Failure(.invalid, "“after” is a number.", field: "after")
            }
            let lines = try visit.quire.ledger.lines(after: after, limit: limit)
            return visit.list(
                "lines", lines.map(\.json),
                next: lines.count == limit ? lines.last.map { "\($0.number)" } : nil)
        },
        Action(
            .get, "/ledger/export", .member(.view),
            .init(
                "Take the ledger out",
                description:
                    "Sent while it is made. What somebody typed never becomes a formula in a spreadsheet.",
                tag: "Ledger",
                parameters: deliveryParameters.filter { ["show", "q"].contains($0.name) } + [
                    .init(
                        "form", "In which form",
                        schema: Schema.choice(Ledger.ExportForm.allCases.map(\.rawValue))),
                    .init(
                        "content", "Each packet with its state, or every line",
                        schema: Schema.choice(Ledger.ExportContent.allCases.map(\.rawValue))),
                    .init("run", "Only those of this batch or mailing: `batch/…`, `mailing/…`"),
                ], answers: [.init(.ok, "The file", [.anything])])
        ) { visit in
            let caller = try visit.member()
            let query = visit.request.query
            guard let form = Ledger.ExportForm(rawValue: query["form"] ?? "csv") else {
                throw Failure(.invalid, "An export is “csv”, “xlsx” or “ndjson”.", field: "form")
            }
            guard let content = Ledger.ExportContent(rawValue: query["content"] ?? "packets") else {
                throw Failure(.invalid, "Take out “packets” or “lines”.", field: "content")
            }
            let filter = Ledger.Filter(
                try visit.ledgerPart(), run: query["run"].flatMap { $0.isEmpty ? nil : $0 },
                search: query["q"] ?? "")
            let (ledger, sendings) = (visit.quire.ledger, visit.quire.sendings)
            return Response(
                headers: ["Content-Type": form.mediaType],
                body: .stream { sink in
                    try ledger.export(
                        content, as: form, filter, by: caller,
                        accounts: { try sendings.accounts(of: $0, by: caller) },
                        to: { try sink.write($0) })
                }
            ).with(
                "Content-Disposition", Disposition.text(inline: false, fileName: "ledger.\(form.rawValue)")
            ).with("Cache-Control", "no-store")
        },
        Action(
            .post, "/ledger/verification", .member(.view),
            .init(
                "Verify the ledger",
                description:
                    "Works out every line's digest again, and what is shown of each packet. `kept` is the `head` of an earlier answer, kept somewhere else: then it shows as well when all lines were written anew.",
                tag: "Ledger",
                requestBody: [
                    .init(.json, Schema.object([("kept", Schema.orNull(Schema.string))], optional: ["kept"]))
                ],
                answers: [.ok("LedgerVerification", "What is wrong, in sentences; nothing when all is well")]),
            isOnlyAsking: true
        ) { visit in
            let caller = try visit.member()
            // Copied from a mail, it may come with spaces and ends of lines.
            let text = (try visit.input.text("kept") ?? "").filter { !$0.isWhitespace }
            let kept = Ledger.Head(text)
            guard text.isEmpty || kept != nil else {
                let failure = Failure(
                    .invalid, "A kept line is its number, a colon and its digest, as in 18:9f86….",
                    field: "kept")
                guard visit.wantsPage else { throw failure }
                return visit.page(try visit.ledgerVerdict(kept: text, failure: failure), .unprocessable)
            }
            let problems = try visit.quire.ledger.verify(keeping: kept)
            if visit.wantsPage {
                return visit.page(try visit.ledgerVerdict(kept: text, problems: problems))
            }
            let figures = try visit.quire.ledger.figures(weeks: 1, by: caller)
            return visit.done(
                [
                    "isSound": .bool(problems.isEmpty),
                    "head": .optional(try visit.quire.ledger.head(by: caller)?.text),
                    "lines": .integer(figures.lineCount),
                    "problems": .texts(problems),
                ], next: "/activity")
        },
        Action(
            .get, "/activity/figures", .member(.view),
            .init(
                "Get figures about what has been going on",
                description: "From this desk alone, for this desk alone.",
                tag: "Ledger",
                parameters: [
                    .init("weeks", "How many weeks back", schema: Schema.integer(1, Ledger.mostWeeks))
                ], answers: [.ok("ActivityFigures", "Week by week")])
        ) { visit in
            let caller = try visit.member()
            guard let weeks = Int(visit.request.query["weeks"] ?? "26"),
                (1...Ledger.mostWeeks).contains(weeks)
            else {
                throw Failure(.invalid, "Choose between 1 and \(Ledger.mostWeeks) weeks.", field: "weeks")
            }
            let own = try visit.quire.figures(weeks: weeks, by: caller)
            var json = try visit.quire.ledger.figures(weeks: weeks, by: caller).json(own)
            json["storage"] = try visit.quire.usage(for: caller).json
            return Response.json(json).kept(false)
        },
    ]
}

extension Visit {
    /// The letter that a line is about, as long as it is kept.
    fileprivate func letter(of subject: String) throws -> OutboxMessage? {
        guard subject.hasPrefix("message/"), let id = ID<OutboxMessage>(String(subject.dropFirst(8))) else {
            return nil
        }
        return try? quire.outbox.get(id, by: member())
    }

    /// Of a batch, those as well who got nothing because their packet was never made.
    fileprivate func tally(of run: String?) throws -> Ledger.Tally {
        let batch = run.flatMap { $0.hasPrefix("batch/") ? ID<Batch>(String($0.dropFirst(6))) : nil }
        if let batch, let tally = try? quire.sendings.tally(of: batch, by: member()) { return tally }
        return try quire.ledger.tally(of: run, by: member())
    }
}
