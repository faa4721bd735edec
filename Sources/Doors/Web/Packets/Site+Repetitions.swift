import Access
import App
import Bytes
import Delivery
import Filling
import HTTP
import Jobs
import Markup
import Storage
import Work

extension Site {
    /// Batches that are made again by themselves.
    static let repetitionActions: [Action] = [
        Action(
            .get, "/repetitions", .member(.view),
            .init(
                "List batches that are made again by themselves", tag: "Sending",
                answers: [.ok("RepetitionList", "The newest first")])
        ) { visit in
            let all = try visit.quire.repetitions.list(by: visit.member())
            if visit.wantsPage { return visit.page(try visit.repetitionsPage(all)) }
            return Response.json(["repetitions": .array(try all.map { try visit.json($0) })]).kept(false)
        },
        Action(
            .post, "/repetitions", .member(.edit),
            .init(
                "Make a batch again by itself",
                description:
                    "By `rule` (RFC 5545), or when `file` in the desk's folder `inbox` changes; only who is new or changed gets something. The file's rows take the place of those the list has from a table; `source` names the table where there are several.",
                tag: "Sending",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("batch", Schema.id), ("rule", Schema.string), ("file", Schema.string),
                                ("source", Schema.string), ("sends", Schema.boolean),
                            ], optional: ["rule", "file", "source", "sends"]))
                ], answers: [.made("Repetition", "It looks for the first time when its time comes")])
        ) { visit in
            let input = try visit.input
            guard let batch = ID<Batch>(try input.requiredText("batch")) else {
                throw Failure(.notFound, "There is no such batch.", field: "batch")
            }
            let rule = try input.text("rule") ?? ""
            let file = try input.text("file") ?? ""
            let source = try input.text("source") ?? ""
            // A box that is not ticked says nothing in a form, and a program that says nothing wants what is usual.
            let sends = input.has("sends") ? try input.flag("sends") : !visit.wantsPage
            do {
                guard !visit.wantsPage || !rule.isEmpty || !file.isEmpty else {
                    throw Failure(.invalid, visit.texts("repeat.file.missing"), field: "file")
                }
                let made = try visit.quire.repetitions.add(
                    batch, rule: rule, file: file, source: source, sends: sends, by: visit.member())
                return visit.done(
                    try visit.json(made), .created, at: "/repetitions/\(made.id)",
                    next: "/repetitions/\(made.id)", notice: "notice.repeats")
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                var model = try visit.repetitionsModel(visit.quire.repetitions.list(by: visit.member()))
                (model.chosen, model.rule, model.file, model.sends) = (batch.text, rule, file, sends)
                model.source = source
                model.error = visit.said(failure)
                model.errorField = failure.field
                return visit.page(
                    Pages.repetitions(visit.frameAt("/repetitions"), model), .unprocessable)
            }
        },
        Action(
            .get, "/repetitions/{id}", .member(.view),
            .init(
                "Get a repetition", tag: "Sending",
                answers: [.ok("Repetition", "With what the last time brought")])
        ) { visit in
            let repetition = try visit.repetition()
            if visit.wantsPage { return visit.page(try visit.repetitionPage(repetition)) }
            return Response.json(try visit.json(repetition)).kept(false)
        },
        Action(
            .get, "/repetitions/{id}/runs", .member(.view),
            .init(
                "List what the last times brought", tag: "Sending",
                answers: [.ok("RepetitionRuns", "The newest first, at most fifty")])
        ) { visit in
            let repetition = try visit.repetition()
            if visit.wantsPage { return .redirect(to: "/repetitions/\(repetition.id)") }
            let runs = try visit.quire.repetitions.runs(of: repetition.id, by: visit.member())
            return Response.json(["runs": .array(runs.map(\.json))]).kept(false)
        },
        Action(
            .post, "/repetitions/{id}/forecast", .member(.edit),
            .init(
                "Find out what the next time would bring",
                description: "From the list as it is now. A file that is watched is not brought in for this.",
                tag: "Sending", answers: [.ok("RepetitionForecast", "Nothing is made")])
        ) { visit in
            let repetition = try visit.repetition()
            do {
                let forecast = try visit.quire.repetitions.forecast(repetition.id, by: visit.member())
                return try visit.show(forecast.json) { try visit.repetitionPage(repetition, forecast) }
            } catch let failure as Failure where visit.wantsPage && failure.code != .notFound {
                return visit.page(try visit.repetitionPage(repetition, failure: failure), .conflict)
            }
        },
        pausing("pause", "Hold a repetition", "It waits") { try $0.pause($1, by: $2) },
        pausing("resumption", "Let a repetition go on", "It goes on") { try $0.resume($1, by: $2) },
        Action(
            .delete, "/repetitions/{id}", .member(.edit),
            .init("End a repetition", tag: "Sending", answers: [.init(.noContent, "What it has made stays")])
        ) { visit in
            try visit.quire.repetitions.remove(visit.id(of: "repetition"), by: visit.member())
            return visit.done([:], .noContent, next: "/repetitions", notice: "notice.removed")
        },
        Action(
            .post, "/repetitions/{id}/run", .member(.edit),
            .init(
                "Look now", tag: "Sending",
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("BatchProgressJob"))])])
        ) { visit in
            let id: ID<Repetition> = try visit.id(of: "repetition")
            let job = try visit.quire.repetitions.run(id, by: visit.member())
            return visit.done(
                ["job": .string(job.text)], .accepted, at: "/jobs/\(job)", next: "/repetitions/\(id)",
                notice: "notice.looking")
        },
    ]

    private static func pausing(
        _ act: String, _ summary: String, _ outcome: String,
        _ body: @escaping @Sendable (Repetitions, ID<Repetition>, Caller) throws -> Void
    ) -> Action {
        Action(
            .post, "/repetitions/{id}/\(act)", .member(.edit),
            .init(summary, tag: "Sending", answers: [.ok("Repetition", outcome)])
        ) { visit in
            let id: ID<Repetition> = try visit.id(of: "repetition")
            try body(visit.quire.repetitions, id, visit.member())
            return visit.done(try visit.json(visit.repetition()), next: "/repetitions/\(id)")
        }
    }
}

extension Visit {
    fileprivate func repetition() throws -> Repetition {
        try quire.repetitions.get(id(of: "repetition"), by: member())
    }

    fileprivate func json(_ repetition: Repetition) throws -> JSON {
        var json = repetition.json
        let schedule = try quire.repetitions.next(repetition)
        json["nextAt"] = .moment(schedule?.nextAt)
        json["isPaused"] = .bool(schedule?.isPaused ?? false)
        return json
    }

    fileprivate func line(_ repetition: Repetition) throws -> RepetitionLine {
        let schedule = try quire.repetitions.next(repetition)
        return RepetitionLine(
            id: repetition.id.text, batch: repetition.batch.text, name: repetition.name,
            rule: repetition.rule, file: repetition.file, source: repetition.source,
            sends: repetition.sends, isPaused: schedule?.isPaused ?? false,
            isRunning: repetition.current != nil, waits: repetition.waits,
            nextAt: schedule?.nextAt, outcome: repetition.outcome, ranAt: repetition.ranAt)
    }

    /// Those by which one batch is made again, or which made it last.
    func repetitions(of batch: Batch) throws -> [RepetitionLine] {
        try quire.repetitions.list(by: member()).filter { $0.batch == batch.id || $0.newest == batch.id }.map(
            line)
    }

    fileprivate func repetitionsModel(_ all: [Repetition]) throws -> RepetitionsPage {
        var model = RepetitionsPage(lines: try all.map(line))
        model.batches = try newestBatches()
        model.chosen = request.query["batch"] ?? ""
        return model
    }

    fileprivate func repetitionsPage(_ all: [Repetition]) throws -> HTML {
        Pages.repetitions(frameAt("/repetitions"), try repetitionsModel(all))
    }

    fileprivate func repetitionPage(
        _ repetition: Repetition, _ forecast: RepetitionForecast? = nil, failure: Failure? = nil
    ) throws -> HTML {
        var model = RepetitionPage(
            line: try line(repetition), zone: repetition.zone, newest: repetition.newest.text)
        model.runs = try quire.repetitions.runs(of: repetition.id, by: member()).map {
            .init(at: $0.at, outcome: $0.outcome, batch: $0.batch?.text)
        }
        model.forecast = forecast.map {
            .init(planned: $0.planned, new: $0.new, changed: $0.changed, names: $0.names)
        }
        model.error = failure.map(said)
        return Pages.repetition(frameAt("/repetitions/\(repetition.id)"), model)
    }
}
