import Bytes
import Storage
import Work

extension Argument {
    fileprivate static let job = Argument(name: "JOB", summary: "its id, as quire jobs list shows it")
}

extension Command {
    static let jobs = Command(
        name: "jobs", summary: "see and steer the work that runs in the background",
        discussion: """
            Backups, checks and other longer work are jobs: kept in the database, taken up again after a crash, tried \
            again when they fail. A server does them; without one they wait.
            """,
        examples: [
            Example("quire jobs list", "what waits, runs and has ended"),
            Example("quire jobs watch", "see it happen"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show jobs, the newest first",
                options: [
                    Option(
                        "state", "STATE", "only waiting, running, done, failed, cancelled or setAside ones",
                        completion: .choices([
                            "waiting", "running", "done", "failed", "cancelled", "setAside",
                        ])),
                    Option("limit", "COUNT", "at most so many (50)"), .database,
                ],
                examples: [Example("quire jobs list --state failed", "what needs attention")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    var query = [("limit", call.value("limit") ?? "50")]
                    if let state = call.value("state") { query.append(("state", state)) }
                    let page = try desk.client.get("/jobs", query)
                    call.answer(page) {
                        let jobs = page["jobs"]?.array ?? []
                        guard !jobs.isEmpty else { return "There are no jobs.\n" }
                        var table = TextTable(["Job", "State", "Progress", "Since", "Id"])
                        for job in jobs.map(JobView.init) {
                            table.add([job.title, job.state, job.progress, job.since, job.id])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "show", summary: "say all there is to know about a job", arguments: [.job],
                options: [.database],
                examples: [
                    Example("quire jobs show 0190a1b2-0000-7000-8000-000000000000", "why it failed, for one")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let job = try desk.client.get("/jobs/\(call.arguments[0])")
                    call.answer(job) { JobView(job).text(call.terminal.outputStyle) }
                }),
            Command(
                name: "cancel", summary: "end a job, or never begin it", arguments: [.job],
                options: [.database],
                examples: [
                    Example(
                        "quire jobs cancel 0190a1b2-0000-7000-8000-000000000000",
                        "what it has done so far is undone")
                ],
                run: { call in
                    try act("cancellation", call) {
                        $0.isFinished ? "It is \($0.state)." : "It ends as soon as it can."
                    }
                }),
            Command(
                name: "dismiss", summary: "let go of a job that failed", arguments: [.job],
                options: [.database],
                examples: [
                    Example(
                        "quire jobs dismiss 0190a1b2-0000-7000-8000-000000000000",
                        "it counts no more as work that needs somebody")
                ],
                run: { call in try act("dismissal", call) { _ in "It needs nobody any more." } }),
            Command(
                name: "retry", summary: "try a failed or cancelled job again", arguments: [.job],
                options: [.database],
                examples: [
                    Example(
                        "quire jobs retry 0190a1b2-0000-7000-8000-000000000000", "after the cause is gone")
                ],
                run: { call in try act("retry", call) { _ in "It waits for its turn again." } }),
            Command(
                name: "watch", summary: "show what happens until Ctrl-C",
                arguments: [Argument(name: "JOB", summary: "only this job, until it ends", isOptional: true)],
                options: [.database],
                examples: [Example("quire jobs watch", "every job of the desk")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    try JobWatch(call, desk.client).run()
                }),
        ])

    private static func act(_ verb: String, _ call: Invocation, _ words: (JobView) -> String) throws {
        let desk = try call.desk()
        defer { desk.close() }
        let job = try desk.client.send("POST", "/jobs/\(call.arguments[0])/\(verb)")
        call.answer(job) { "\(TextTable.harmless(JobView(job).title)): \(words(JobView(job)))\n" }
    }
}

/// A job as the API shows it.
struct JobView {
    let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    var id: String { json["id"]?.string ?? "" }
    var title: String { json["title"]?.string ?? json["kind"]?.string ?? "?" }
    var state: String { json["state"]?.string ?? "?" }
    var isFinished: Bool { state != "waiting" && state != "running" }

    var since: String {
        Words.time(json["finishedAt"]?.string ?? json["startedAt"]?.string ?? json["createdAt"]?.string)
    }

    var progress: String {
        guard !isFinished else { return json["reason"]?.string ?? "" }
        let phase = json["phase"]?.string ?? ""
        guard let done = json["done"]?.integer, let total = json["total"]?.integer, total > 0 else {
            return phase
        }
        return "\(Int(Double(done) * 100 / Double(total))) % \(phase)"
    }

    func text(_ style: Style) -> String {
        var rows = [
            ("Job", title), ("Id", id), ("Kind", json["kind"]?.string ?? ""), ("State", state),
            ("Since", since),
        ]
        if !progress.isEmpty { rows.append((isFinished ? "Reason" : "Progress", progress)) }
        if let attempts = json["attempts"]?.integer, attempts > 1 { rows.append(("Attempts", "\(attempts)")) }
        return rows.map { title, text in
            style.dim(title) + String(repeating: " ", count: max(1, 12 - title.count))
                + TextTable.harmless(text) + "\n"
        }.joined()
    }
}

/// Follows jobs by asking again and again: that works for a desk without a server as well.
private struct JobWatch {
    let call: Invocation
    let client: DeskClient

    init(_ call: Invocation, _ client: DeskClient) {
        self.call = call
        self.client = client
    }

    func run() throws {
        var seen: [String: String] = [:]
        let pause = Pause(call.cancellation)
        while true {
            let jobs =
                try call.arguments.first.map { [JobView(try client.get("/jobs/\($0)"))] }
                ?? (client.get("/jobs", [("limit", "50")])["jobs"]?.array ?? []).reversed().map(JobView.init)
            for job in jobs {
                let line = "\(job.state) \(job.progress)"
                guard seen[job.id] != line else { continue }
                // What had ended before we looked is no news.
                if seen[job.id] != nil || !job.isFinished || !call.arguments.isEmpty { tell(job) }
                seen[job.id] = line
            }
            if !call.arguments.isEmpty, jobs.allSatisfy(\.isFinished) { return }
            guard pause.wait(.milliseconds(500)) else { return }
        }
    }

    private func tell(_ job: JobView) {
        call.answer(job.json) {
            let progress = job.progress.isEmpty ? "" : " – \(job.progress)"
            return TextTable.harmless("\(job.title): \(job.state)\(progress)") + "\n"
        }
    }
}
