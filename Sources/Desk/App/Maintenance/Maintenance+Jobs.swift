public import Access
import Bytes
public import Jobs
public import Storage
import Work

extension JobKind {
    public static let backup = JobKind("backup", title: "Back up the desk", maximumAttempts: 3)
    public static let verification = JobKind("verification", title: "Check every file", maximumAttempts: 2)
    public static let sweep = JobKind("sweep", title: "Clear away unused files", maximumAttempts: 3)
    public static let purge = JobKind("purge", title: "Empty the bin of old papers", maximumAttempts: 3)
    public static let prune = JobKind("prune", title: "Forget old jobs and sessions", maximumAttempts: 3)
    public static let engineTrial = JobKind(
        "engine-trial", title: "Convert a page with each engine", maximumAttempts: 1, timeLimit: .seconds(600)
    )
    /// Once: a test that is repeated silently tells nothing.
    public static let testMail = JobKind(
        "test-mail", title: "Send a test mail", maximumAttempts: 1, timeLimit: .seconds(120))
}

extension Maintenance {
    /// Names who does these jobs.
    func handle(in runner: JobRunner) {
        runner.handle(.backup) { run in
            try answer(run) {
                try backUp(
                    to: run.payload["folder"]?.string, encrypted: run.payload["encrypted"]?.bool, by: $0,
                    progress: run.progress)
            }
        }
        runner.handle(.verification) { run in
            try answer(run) {
                // Nobody waits for the one by plan.
                try verify(by: $0, rests: run.payload["by"]?.string == nil, progress: run.progress)
            }
        }
        runner.handle(.sweep) { run in
            try answer(run) { try afterLeap(.sweep, run) ?? sweep(by: $0, progress: run.progress) }
        }
        runner.handle(.purge) { run in
            try answer(run) { try afterLeap(.purge, run) ?? purge(by: $0, progress: run.progress) }
        }
        runner.handle(.prune) { run in
            try answer(run) { try afterLeap(.prune, run) ?? prune(by: $0, progress: run.progress) }
        }
        runner.handle(.engineTrial) { run in
            try answer(run) { try tryEngines(by: $0, progress: run.progress) }
        }
        runner.handle(.testMail) { run in
            try answer(run) {
                try sendTestMail(to: run.payload["to"]?.string, by: $0, progress: run.progress)
            }
        }
    }

    /// What is done each night lets go of what is old enough. When much more time has passed since the last night, the desk
    /// was switched off, or its clock is wrong: then nothing goes until the next night, and that is told.
    private func afterLeap(_ kind: Report.Kind, _ run: JobRun) throws -> Report? {
        guard run.payload["by"]?.string == nil, let last = try reports.latest(kind),
            last.detail["leap"] == nil, store.clock.now() - last.at > Self.longestNight
        else { return nil }
        let sentence =
            "The last time was \(last.at.iso8601). In case the clock is wrong, nothing is cleared away this time."
        store.log.warning(
            "the clock leapt, or the desk was off", ["work": kind.rawValue, "last": last.at.iso8601])
        return try reporting(kind, by: "quire/schedule") { (true, sentence, ["leap": true]) }
    }

    private static let longestNight = Duration.seconds(8 * 86_400)

    public func backUpLater(
        to folder: String? = nil, encrypted: Bool? = nil, by caller: Caller
    ) throws -> ID<Job> {
        if let folder, !folder.hasPrefix("/") {
            throw Failure(.invalid, "Write the whole path of the folder, from / on.", field: "folder")
        }
        guard try folder != nil || !settings.backups().folder.isEmpty else {
            throw Failure(
                .conflict, "There is no folder for backups yet. Choose one under Settings › Storage.",
                field: "folder")
        }
        if let encrypted {
            try settings.refuseMixing(in: folder ?? settings.backups().folder, encrypted: encrypted)
        }
        return try promise(
            .backup, ["folder": .optional(folder), "encrypted": .optional(encrypted)], by: caller
        )
    }

    public func verifyLater(by caller: Caller) throws -> ID<Job> {
        try promise(.verification, [:], by: caller)
    }

    public func tryEnginesLater(by caller: Caller) throws -> ID<Job> {
        try promise(.engineTrial, [:], by: caller)
    }

    public func testMailLater(to address: String? = nil, by caller: Caller) throws -> ID<Job> {
        _ = try settings.mailAccount()
        return try promise(.testMail, ["to": .optional(address)], by: caller)
    }

    private func promise(_ kind: JobKind, _ payload: JSON, by caller: Caller) throws -> ID<Job> {
        try caller.require(.administer)
        var payload = payload
        payload["by"] = .string(caller.actor)
        return try store.write { tx in try queue.add(kind, payload: payload, in: tx, unique: kind.name) }
    }

    private func answer(_ run: JobRun, _ work: (_ actor: String) throws -> Report) throws {
        let report = try work(run.payload["by"]?.string ?? "quire/schedule")
        run.answer([
            "sentence": .string(report.sentence), "good": .bool(report.isGood), "detail": report.detail,
        ])
    }
}
