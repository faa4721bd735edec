import Bytes
import SQL
import Storage
import Work

/// What a runner's one writing thread does, again and again: write down how jobs ended, take the next.
struct RunnerTurns {
    private let runner: JobRunner
    private var claims: Claims
    private var isRegistered = false
    private var sinceBeat = Stopwatch()
    private var sinceTakeOver: Stopwatch?
    private var sincePruned: Stopwatch?
    private var sinceFired: Stopwatch?
    /// When it was fired last, by the clock: an earlier time now means that the clock was put back.
    private var firedAt: Moment?
    /// Written down at the next turn again when the database could not be reached.
    private var unsettled: [(job: ActiveJob, ending: Ending)] = []
    /// How often it could not be written down how jobs ended, since the runner stops.
    private var lastTries = 0
    private(set) var isOver = false

    private static let mostLastTries = 3
    private static let beat = Duration.seconds(10)
    private static let patience = Duration.seconds(1)
    /// How long a finished job is remembered; failed ones stay until somebody has dealt with them.
    private static let memory = Duration.seconds(14 * 86_400)

    init(_ runner: JobRunner) {
        self.runner = runner
        claims = Self.newClaims(runner)
    }

    static func newClaims(_ runner: JobRunner) -> Claims {
        Claims(
            runner: Hex.encode(Chance.system.bytes(16)),
            kinds: runner.state.read { $0.handlers.mapValues(\.kind) }, chance: runner.queue.store.chance)
    }

    private var store: Store { runner.queue.store }

    /// Until when nothing needs to be looked at, if nobody calls.
    var pause: Duration {
        let soonest = runner.state.read { state in state.active.values.compactMap(\.timeLeft).min() }
        return max(.milliseconds(1), min(Self.patience, soonest ?? Self.patience))
    }

    mutating func take() {
        enforceTimeLimits()
        unsettled += runner.state.update(waking: .nobody) { state in
            state.isWoken = false
            defer { state.ended = [] }
            return state.ended
        }
        lookAtMemory()
        var hasFailed = false
        do {
            try fireSchedules()
            try exchange()
            try prune()
            store.troubles.isOver(JobRunner.trouble)
        } catch {
            hasFailed = true
            store.troubles.happened(
                JobRunner.trouble,
                "The list of jobs cannot be written; trying again. \(store.sentence(of: error))",
                reason: "\(error)")
        }
        lastTries += hasFailed && runner.isStopping ? 1 : 0
        runner.state.update { [ended = unsettled.count, lastTries] state in
            guard state.isStopping, state.ended.isEmpty, state.active.count <= ended else { return }
            // A disk that takes nothing must not hold up the end. What became of these jobs is not known then, as
            // after a power cut, and the next start takes them up.
            state.isOver = ended == 0 || lastTries >= Self.mostLastTries
        }
        isOver = runner.state.read { $0.isOver }
    }

    /// The runner will not be back.
    func leave() {
        guard isRegistered else { return }
        try? store.database.write { db in try claims.unregister(in: db) }
    }

    private func lookAtMemory() {
        if MemoryRoom.isShort {
            store.troubles.happened(
                JobRunner.memoryTrouble,
                "There is too little memory. Nothing new is begun until there is more.")
        } else {
            store.troubles.isOver(JobRunner.memoryTrouble)
        }
    }

    private func enforceTimeLimits() {
        for job in runner.state.read({ Array($0.active.values) }) {
            if let left = job.timeLeft, left <= .zero, let limit = job.kind.timeLimit {
                job.stop(.outOfTime(limit))
            }
        }
    }

    /// One transaction: endings in, new jobs out.
    private mutating func exchange() throws {
        let active = runner.state.read { Array($0.active.values) }
        // One that has ended is written down by this turn, and the next suspect need not wait for another.
        let ended = Set(unsettled.map(\.job.run.job.id))
        let running = active.filter { !ended.contains($0.run.job.id) }
        let room = room(active: running.count)
        let isSuspectRunning = running.contains { $0.run.job.isSuspect }
        let progress = active.compactMap { job in job.progressToSave().map { (job.run, $0) } }
        let isBeatDue = sinceBeat.elapsed >= Self.beat
        let isTakeOverDue = sinceTakeOver.map { $0.elapsed >= Self.beat } ?? true
        let now = store.clock.now()
        // An idle desk is only looked at: nothing is written, and no disk wakes up.
        guard
            try !unsettled.isEmpty || !progress.isEmpty || (isBeatDue && !active.isEmpty)
                || hasNews(room: room, active: active, orphans: isTakeOverDue, at: now)
        else {
            if isTakeOverDue { sinceTakeOver = Stopwatch() }
            return settleIdle(taken: 0)
        }
        let outcome = try store.database.write(.eachStatement) {
            [claims, unsettled, isRegistered, queue = runner.queue] db in
            var outcome = Outcome()
            if !isRegistered {
                try claims.register(at: now, in: db)
            } else if isBeatDue, try !claims.beat(at: now, in: db) {
                // While it was idle, others may have cleared it away; with jobs in hand it has lost them.
                guard active.isEmpty else {
                    outcome.isGivenUp = true
                    return outcome
                }
                try claims.register(at: now, in: db)
            }
            for (run, snapshot) in progress { try claims.save(snapshot, of: run, in: db) }
            outcome.changes = try claims.settle(unsettled.map { ($0.job.run, $0.ending) }, at: now, in: db)
            if isTakeOverDue { outcome.changes += try claims.takeOver(at: now, in: db) }
            outcome.taken = try claims.take(room, suspects: false, at: now, in: db)
            if room > 0, !isSuspectRunning {
                outcome.taken += try claims.take(1, suspects: true, at: now, in: db)
            }
            outcome.changes += outcome.taken.map { JobChange($0) }
            try queue.tellOthers(outcome.changes + progress.map { JobChange($0.job, progress: $1) }, in: db)
            outcome.cancelled = try cancelled(active, in: db)
            return outcome
        }
        if !isRegistered || isBeatDue { sinceBeat = Stopwatch() }
        if isTakeOverDue { sinceTakeOver = Stopwatch() }
        isRegistered = true
        accept(outcome)
    }

    private struct Outcome {
        var changes: [JobChange] = []
        var taken: [Job] = []
        var cancelled: [(id: ID<Job>, reason: String)] = []
        var isGivenUp = false
    }

    private mutating func accept(_ outcome: Outcome) {
        let queue = runner.queue
        if outcome.isGivenUp {
            runner.log.warning("This runner was silent for too long; its jobs were given to another.")
            for job in runner.state.read({ Array($0.active.values) }) { job.stop(.takenAway) }
            unsettled = unsettled.map { ($0.job, .takenAway) }
            claims = Self.newClaims(runner)
            isRegistered = false
            return
        }
        for (job, ending) in unsettled {
            guard case .failed(let reason, _) = ending else { continue }
            runner.log.warning(
                "A job failed.",
                [
                    "kind": job.kind.name, "job": job.run.job.id.text, "attempt": "\(job.run.job.attempts)",
                    "reason": reason,
                ])
        }
        let settled = unsettled.map(\.job.run.job.id)
        unsettled = []
        let begun = outcome.taken.compactMap { job -> (ActiveJob, JobRunner.Handler)? in
            guard let (kind, handler) = runner.state.read({ $0.handlers[job.kind] }) else { return nil }
            let active = ActiveJob(job, kind: kind, runner: claims.runner, store: store) { change in
                queue.tell([change])
            }
            return (active, handler)
        }
        runner.state.update { state in
            for id in settled { state.active[id] = nil }
            for (job, _) in begun { state.active[job.run.job.id] = job }
        }
        queue.tell(outcome.changes)
        runner.tellGivenUp(outcome.changes)
        for (job, handler) in begun { runner.begin(job, handler) }
        for (id, reason) in outcome.cancelled { runner.cancel(id, reason: reason) }
        settleIdle(taken: begun.count)
    }

    private func settleIdle(taken: Int) {
        runner.state.update { state in
            state.isIdle = taken == 0 && state.active.isEmpty && state.ended.isEmpty && !state.isWoken
        }
    }

    /// How many more jobs to take: one for each free thread, and of quick ones as many as keep all threads busy
    /// for some milliseconds, so that writing stays far behind doing. Never so many that a more urgent job would
    /// have to wait long.
    private func room(active: Int) -> Int {
        let mean = runner.state.read { $0.isStopping ? nil : $0.meanTime }
        guard let mean, !MemoryRoom.isShort else { return 0 }
        let ahead = Int(min(128, max(1, Duration.milliseconds(20) / max(mean, .microseconds(1)))))
        let wanted = runner.threads * ahead
        return active <= wanted / 2 ? wanted - active : 0
    }

    /// A look without writing: most seconds of an idle desk need no more.
    private func hasNews(room: Int, active: [ActiveJob], orphans: Bool, at now: Moment) throws -> Bool {
        guard !active.isEmpty || room > 0 || orphans else { return false }
        return try store.database.read { db in
            if room > 0,
                try db.row(
                    """
                    SELECT 1 AS one FROM job WHERE state = 'waiting' AND run_at <= \(now)
                        AND \(.column("kind", in: claims.kinds.keys.sorted())) LIMIT 1
                    """) != nil
            {
                return true
            }
            if orphans, try !claims.deadRunners(at: now, in: db).isEmpty { return true }
            return try !cancelled(active, in: db).isEmpty
        }
    }

    /// Of our running jobs those that another process wants stopped.
    private func cancelled(
        _ active: [ActiveJob], in db: borrowing Connection
    ) throws -> [(id: ID<Job>, reason: String)] {
        guard !active.isEmpty else { return [] }
        return try db.rows(
            """
            SELECT id, reason FROM job
            WHERE runner = \(claims.runner) AND state = 'running' AND is_cancelling = 1
            """
        ).map { (try $0.id("id"), try $0.optionalText("reason") ?? "Cancelled.") }
    }

    private mutating func fireSchedules() throws {
        if let sinceFired, sinceFired.elapsed < Self.patience { return }
        guard !runner.isStopping else { return }
        let now = store.clock.now()
        if firedAt.map({ $0 > now }) ?? true { try returnFromFuture(at: now) }
        firedAt = now
        try Schedules(runner.queue).fire()
        sinceFired = Stopwatch()
    }

    /// At the start, and when the clock goes back. Looks first, as most starts find nothing.
    private func returnFromFuture(at now: Moment) throws {
        for sentence in try Schedules(runner.queue).reckonAnew() {
            runner.log.warning("The clock was ahead. A schedule was reckoned anew.", ["schedule": sentence])
        }
        let jobs = try Claims.returnFromFuture(at: now, in: store.database)
        if jobs > 0 {
            runner.log.warning("The clock was ahead. Jobs from then are done now.", ["jobs": "\(jobs)"])
        }
        for body in runner.state.read({ $0.puttingRight }) { try body() }
    }

    private mutating func prune() throws {
        if let sincePruned, sincePruned.elapsed < .seconds(3600) { return }
        let now = store.clock.now()
        let count = try runner.queue.prune(finishedBefore: now - Self.memory)
        if count == 0 { sincePruned = Stopwatch() }
    }
}
