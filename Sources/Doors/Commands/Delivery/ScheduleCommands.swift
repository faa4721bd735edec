import App
import Bytes
import Jobs
import Storage
import Work

extension Command {
    static let schedule = Command(
        name: "schedule", summary: "make and send a batch again by itself",
        discussion: """
            Each time, only recipients who are new or whose papers have changed get something. It happens while quire serve \
            runs; what a time without it has missed is made up for at its next start.
            """,
        examples: [
            Example("quire schedule add Consent --file pupils.csv", "whenever the file changes"),
            Example(
                "quire schedule add Payslips --every \"FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=8\"", "every month"),
        ],
        subcommands: [
            Command(
                name: "add", summary: "make a batch again from now on", arguments: [.batch],
                options: [
                    Option("every", "RULE", "daily, weekly, monthly, or a rule such as FREQ=DAILY;BYHOUR=7"),
                    Option(
                        "file", "FILE", "the table its list came from: looked at every five minutes",
                        completion: .file),
                    Option(
                        "in-place-of", "TABLE",
                        "the table of the list whose rows the file's take the place of, where it has several"),
                    Option("no-send", nil, "make packets, but send nothing"), .database,
                ],
                examples: [Example("quire schedule add Consent --every daily", "each morning at seven")],
                run: { call in
                    guard call.has("every") || call.has("file") else {
                        throw UsageError(message: "say when", hint: "Use --every RULE, --file FILE, or both.")
                    }
                    let desk = try call.desk()
                    defer { desk.close() }
                    let batch = try desk.client.one(.batches, call.arguments[0])
                    var json: JSON = ["batch": batch["id"] ?? .null, "sends": .bool(!call.has("no-send"))]
                    if let every = call.value("every") { json["rule"] = .string(Self.rule(every)) }
                    if let file = call.value("file") {
                        if !desk.isRemote { _ = try Files.byteCount(call.absolute(file)) }
                        json["file"] = .string(desk.isRemote ? file : call.absolute(file))
                        if let source = call.value("in-place-of") { json["source"] = .string(source) }
                    }
                    let made = try desk.client.send("POST", "/repetitions", json)
                    call.answer(made) { Self.line(made) }
                }),
            Command(
                name: "list", summary: "show what repeats, and what the last time brought",
                options: [.database],
                examples: [Example("quire schedule list", "all of them")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let found = try desk.client.get("/repetitions")
                    call.answer(found) {
                        let all = found["repetitions"]?.array ?? []
                        guard !all.isEmpty else { return "Nothing repeats.\n" }
                        return all.map { Self.line($0) }.joined()
                    }
                }),
            Command(
                name: "show", summary: "show what the last times brought, and what the next would bring",
                arguments: [.repetition], options: [.database],
                examples: [Example("quire schedule show Consent", "nothing is made for this")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let path = "/repetitions/\(try Self.id(call.arguments[0], desk))"
                    var answer = try desk.client.get(path)
                    let runs = try desk.client.get(path + "/runs")["runs"] ?? .array([])
                    let forecast = try desk.client.send("POST", path + "/forecast", [:])
                    // What the last time brought stands among the times.
                    let line = Self.line(answer, withOutcome: (runs.array ?? []).isEmpty)
                    answer["runs"] = runs
                    answer["forecast"] = forecast
                    call.answer(answer) {
                        var text = line
                        for run in runs.array ?? [] {
                            text += "  \(Words.time(run["at"]?.string)): \(run["outcome"]?.string ?? "")\n"
                        }
                        let planned = forecast["planned"]?.int ?? 0
                        let names = (forecast["names"]?.array ?? []).compactMap(\.string)
                        text +=
                            planned == 0
                            ? "Nothing is new or changed at the moment.\n"
                            : "Next: \(Words.count(planned, "packet", "packets")), \(forecast["new"]?.int ?? 0) new, \(forecast["changed"]?.int ?? 0) changed: \(names.joined(separator: ", "))\(planned > names.count ? ", …" : "")\n"
                        return text.split(separator: "\n").map { TextTable.harmless(String($0)) + "\n" }
                            .joined()
                    }
                }),
            pausing("pause", "hold a repetition", "pause", "It waits."),
            pausing("resume", "let a repetition go on", "resumption", "It goes on."),
            Command(
                name: "remove", summary: "end a repetition; what it has made stays",
                arguments: [.repetition], options: [.database],
                examples: [Example("quire schedule remove ID", "nothing more comes of it")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let id = try Self.id(call.arguments[0], desk)
                    try desk.client.send("DELETE", "/repetitions/\(id)")
                    call.answer(["removed": .string(id)]) { "It does not repeat any more.\n" }
                }),
            Command(
                name: "run", summary: "do it once now", arguments: [.repetition], options: [.database],
                examples: [Example("quire schedule run Consent", "whatever the time")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let id = try Self.id(call.arguments[0], desk)
                    let job = try desk.client.send("POST", "/repetitions/\(id)/run")["job"]?.string ?? ""
                    let pause = Pause(call.cancellation)
                    var now: JSON = .null
                    try call.withProgress("Making") { _ in
                        while !call.cancellation.isCancelled {
                            desk.local?.runner.runUntilIdle()
                            now = try desk.client.get("/jobs/\(job)")
                            let state = now["state"]?.string ?? ""
                            guard ["waiting", "running"].contains(state) else { break }
                            // What failed is tried again by itself, and told now.
                            if state == "waiting", now["reason"]?.string != nil { break }
                            _ = pause.wait(.milliseconds(300))
                        }
                    }
                    if let reason = now["reason"]?.string { throw Failure(.unavailable, reason) }
                    desk.local?.runner.runUntilIdle()
                    let told = try desk.client.get("/repetitions/\(id)")
                    call.answer(told) { "\(TextTable.harmless(told["outcome"]?.string ?? ""))\n" }
                }),
        ])

    private static func pausing(
        _ name: String, _ summary: String, _ act: String, _ words: String
    ) -> Command {
        Command(
            name: name, summary: summary, arguments: [.repetition], options: [.database],
            examples: [Example("quire schedule \(name) Consent", summary)],
            run: { call in
                let desk = try call.desk()
                defer { desk.close() }
                let id = try Self.id(call.arguments[0], desk)
                let now = try desk.client.send("POST", "/repetitions/\(id)/\(act)", [:])
                call.answer(now) { "\(words)\n" }
            })
    }

    private static func rule(_ words: String) -> String {
        switch words.lowercased() {
        case "hourly": "FREQ=HOURLY"
        case "daily": "FREQ=DAILY;BYHOUR=7;BYMINUTE=0"
        case "weekly": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=7;BYMINUTE=0"
        case "monthly": "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=7;BYMINUTE=0"
        default: words
        }
    }

    private static func line(_ repetition: JSON, withOutcome: Bool = true) -> String {
        let file = repetition["file"]?.string ?? ""
        let isPaused = repetition["isPaused"]?.bool ?? false
        let next =
            isPaused ? ", paused" : repetition["nextAt"]?.string.map { ", next \(Words.time($0))" } ?? ""
        let source = repetition["source"]?.string ?? ""
        let place =
            source.isEmpty || Files.name(file) == source ? "" : " (in place of the rows of \(source))"
        var text =
            "“\(repetition["name"]?.string ?? "")” \(repetition["rule"]?.string ?? "")\(next)\(file.isEmpty ? "" : ", when \(file) changes\(place)") (\(repetition["id"]?.string ?? ""))"
        if withOutcome, let outcome = repetition["outcome"]?.string, !outcome.isEmpty {
            text += "\n  \(Words.time(repetition["ranAt"]?.string)): \(outcome)"
        }
        return text.split(separator: "\n").map { TextTable.harmless(String($0)) + "\n" }.joined()
    }

    /// By its own id, or by the name of the batch it repeats.
    private static func id(_ reference: String, _ desk: DeskSession) throws -> String {
        let all = try desk.client.get("/repetitions")["repetitions"]?.array ?? []
        let found = all.filter { $0["id"]?.string == reference || $0["name"]?.string == reference }
        guard let first = found.first?["id"]?.string else {
            throw Failure(.notFound, "Nothing called “\(reference)” repeats. See: quire schedule list")
        }
        guard found.count == 1 else {
            throw Failure(.conflict, "“\(reference)” repeats \(found.count) times; say which by its id.")
        }
        return first
    }
}

extension Argument {
    fileprivate static let repetition = Argument(
        name: "REPETITION", summary: "its id or the batch's name, as quire schedule list shows them")
}
