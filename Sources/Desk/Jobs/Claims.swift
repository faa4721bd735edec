import Bytes
import SQL
import Storage
import Work

/// What one runner writes into the list of jobs: which it takes and how they end. Everything here is a
/// statement that names the runner, so a runner that has been given up for dead changes nothing any more.
struct Claims {
    /// Without a sign of life for so long a runner counts as gone.
    static let lease = Duration.seconds(30)
    /// So often a job may end its process before it is set aside.
    static let mostCrashes = 3

    let runner: String
    let kinds: [String: JobKind]
    let chance: Chance

    func register(at now: Moment, in db: borrowing Connection) throws {
        try db.run(
            """
            INSERT INTO job_runner (id, process, alive_until)
            VALUES (\(runner), \(RunnerProcess.current.text), \(now + Self.lease))
            """)
    }

    /// False when others have taken this runner for dead and its jobs away.
    func beat(at now: Moment, in db: borrowing Connection) throws -> Bool {
        try db.run("UPDATE job_runner SET alive_until = \(now + Self.lease) WHERE id = \(runner)") == 1
    }

    func unregister(in db: borrowing Connection) throws {
        // What could not be stopped stays with the dead runner until somebody finds it.
        try db.run("UPDATE job_runner SET alive_until = 0 WHERE id = \(runner)")
        try db.run(
            """
            DELETE FROM job_runner WHERE id = \(runner)
                AND NOT EXISTS (SELECT 1 FROM job WHERE runner = \(runner) AND state = 'running')
            """)
    }

    /// What was written while the clock was ahead: runners that seem to live for years, and jobs that were promised, or
    /// begun, in a time that has not come. How many jobs are taken up sooner; those that were to rest first do so from now.
    static func returnFromFuture(at now: Moment, in database: Database) throws -> Int {
        let runners: Query = "alive_until > \(now + lease + lease)"
        let jobs: Query =
            "state = 'waiting' AND run_at > \(now) AND (started_at > \(now) OR created_at > \(now))"
        let isSome = try database.read { db in
            try db.row("SELECT 1 AS one FROM job WHERE \(jobs) LIMIT 1") != nil
                || db.row("SELECT 1 AS one FROM job_runner WHERE \(runners) LIMIT 1") != nil
        }
        guard isSome else { return 0 }
        return try database.write { db in
            try db.run("UPDATE job_runner SET alive_until = \(now + lease) WHERE \(runners)")
            return try db.run(
                """
                UPDATE job SET created_at = CASE WHEN created_at > \(now) THEN \(now) ELSE created_at END,
                    run_at = CASE WHEN started_at IS NULL AND run_at > created_at THEN \(now) + run_at - created_at
                        ELSE \(now) END
                WHERE \(jobs)
                """)
        }
    }

    /// Takes the next jobs, highest priority first. Suspects (see `takeOver`) come one at a time.
    func take(
        _ limit: Int, suspects: Bool, at now: Moment, in db: borrowing Connection
    ) throws -> [Job] {
        guard limit > 0, !kinds.isEmpty else { return [] }
        let locked: Query = db.kind == .postgres ? "FOR UPDATE OF job SKIP LOCKED" : ""
        let rows = try db.rows(
            """
            SELECT * FROM job
            WHERE state = 'waiting' AND run_at <= \(now) AND is_suspect = \(suspects)
                AND \(.column("kind", in: kinds.keys.sorted()))
                AND (unique_key IS NULL OR NOT EXISTS (
                    SELECT 1 FROM job AS other WHERE other.state = 'running'
                        AND other.kind = job.kind AND other.unique_key = job.unique_key))
            ORDER BY priority DESC, run_at, id LIMIT \(limit) \(locked)
            """)
        var jobs: [Job] = []
        for row in rows {
            do {
                jobs.append(try Job(row))
            } catch {
                try db.run(
                    """
                    UPDATE job SET state = 'setAside', finished_at = \(now),
                        reason = \("What was written down for this job cannot be read: \(error)")
                    WHERE id = \(try row.text("id"))
                    """)
            }
        }
        guard !jobs.isEmpty else { return [] }
        try db.run(
            """
            UPDATE job SET state = 'running', runner = \(runner), attempts = attempts + 1, started_at = \(now),
                reason = NULL
            WHERE \(.column("id", in: jobs.map(\.id)))
            """)
        for place in jobs.indices {
            jobs[place].state = .running
            jobs[place].attempts += 1
            jobs[place].startedAt = now
        }
        return jobs
    }

    /// Writes down how runs ended; what changed for those who watch.
    func settle(
        _ ended: [(run: JobRun, ending: Ending)], at now: Moment, in db: borrowing Connection
    ) throws -> [JobChange] {
        var changes: [JobChange] = []
        var plain: [ID<Job>] = []
        for (run, ending) in ended {
            switch ending {
            case .done where run.result == nil && run.progress.snapshot == Progress.Snapshot():
                plain.append(run.job.id)
                changes.append(JobChange(run.job, state: .done))
            case .done:
                try end(run, "done", nil, at: now, in: db)
                changes.append(JobChange(run.job, state: .done, progress: run.progress.snapshot))
            case .finishedItself:
                changes.append(JobChange(run.job, state: .done, progress: run.progress.snapshot))
            case .cancelled(let reason):
                try end(run, "cancelled", reason, at: now, in: db)
                changes.append(
                    JobChange(run.job, state: .cancelled, progress: run.progress.snapshot, reason: reason))
            case .failed(let reason, let isFinal):
                changes.append(try fail(run, reason, isFinal: isFinal, at: now, in: db))
            case .givenBack:
                try wait(
                    run.job.id, of: runner, "run_at = \(run.job.runAt), attempts = attempts - 1",
                    absorbing: true, at: now, in: db)
                changes.append(JobChange(run.job, state: .waiting))
            case .postponed(let moment):
                try wait(
                    run.job.id, of: runner, "run_at = \(moment), attempts = attempts - 1", at: now, in: db)
                changes.append(JobChange(run.job, state: .waiting, progress: run.progress.snapshot))
            case .takenAway: break
            }
        }
        if !plain.isEmpty {
            try db.run(
                """
                UPDATE job SET state = 'done', runner = NULL, finished_at = \(now)
                WHERE \(.column("id", in: plain)) AND runner = \(runner) AND state = 'running'
                """)
        }
        try dismiss(whatWasDoneBy: changes.filter { $0.state == .done }.map(\.id), in: db)
        return changes
    }

    /// What failed and was done by another job since needs nobody any more.
    private func dismiss(whatWasDoneBy jobs: [ID<Job>], in db: borrowing Connection) throws {
        guard !jobs.isEmpty else { return }
        try db.run(
            """
            UPDATE job SET state = 'cancelled', reason = 'It was done by a later try.'
            WHERE state IN ('failed', 'setAside') AND EXISTS (
                SELECT 1 FROM job AS later WHERE \(.column("later.id", in: jobs))
                    AND later.kind = job.kind AND later.payload = job.payload)
            """)
    }

    func save(_ progress: Progress.Snapshot, of run: JobRun, in db: borrowing Connection) throws {
        try db.run(
            """
            UPDATE job SET progress_done = \(progress.done), progress_total = \(progress.total),
                phase = \(progress.phase)
            WHERE id = \(run.job.id) AND runner = \(runner) AND state = 'running'
            """)
    }

    private func fail(
        _ run: JobRun, _ reason: String, isFinal: Bool, at now: Moment, in db: borrowing Connection
    ) throws -> JobChange {
        let kind = kinds[run.job.kind]
        if isFinal || run.job.attempts >= kind?.maximumAttempts ?? 1 {
            try end(run, "failed", reason, at: now, in: db)
            return JobChange(run.job, state: .failed, progress: run.progress.snapshot, reason: reason)
        }
        let delay = (kind?.backoff ?? Backoff()).delay(afterAttempt: run.job.attempts, chance: chance)
        try wait(
            run.job.id, of: runner,
            "run_at = \(now + delay), reason = \(reason), is_suspect = 0, crashes = 0",
            at: now, in: db)
        return JobChange(run.job, state: .waiting, reason: reason)
    }

    private func end(
        _ run: JobRun, _ state: String, _ reason: String?, at now: Moment, in db: borrowing Connection
    ) throws {
        let progress = run.progress.snapshot
        try db.run(
            """
            UPDATE job SET state = \(state), runner = NULL, finished_at = \(now), reason = \(reason),
                result = \(run.result?.text), progress_done = \(progress.done),
                progress_total = \(progress.total), phase = \(progress.phase)
            WHERE id = \(run.job.id) AND runner = \(runner) AND state = 'running'
            """)
    }

    /// Puts a job back into line, unless a newer one with the same key is there already: that one will do the
    /// work, and sees more. With `absorbing` it is the other way round, where the newer one asks for nothing else: nobody
    /// gave this one up, and it may be known to end its process.
    private func wait(
        _ id: ID<Job>, of runner: String, _ what: Query, absorbing: Bool = false, at now: Moment,
        in db: borrowing Connection
    ) throws {
        let ours: Query = "id = \(id) AND runner = \(runner) AND state = 'running'"
        if absorbing {
            try db.run(
                """
                DELETE FROM job WHERE state = 'waiting' AND attempts = 0 AND unique_key IS NOT NULL AND EXISTS (
                    SELECT 1 FROM job AS own WHERE own.id = \(id) AND own.kind = job.kind
                        AND own.unique_key = job.unique_key AND own.payload = job.payload
                        AND own.checkpoint IS NULL)
                """)
        }
        let changed = try db.run(
            """
            UPDATE job SET state = 'waiting', runner = NULL, \(what)
            WHERE \(ours) AND NOT EXISTS (
                SELECT 1 FROM job AS other WHERE other.state = 'waiting'
                    AND other.kind = job.kind AND other.unique_key = job.unique_key)
            """)
        guard changed == 0 else { return }
        try db.run(
            """
            UPDATE job SET state = 'cancelled', runner = NULL, finished_at = \(now),
                reason = 'The same work has been asked for again and is waiting.'
            WHERE \(ours)
            """)
    }
}

/// How a run came to its end.
enum Ending: Sendable {
    case done
    /// Its own transaction said so already.
    case finishedItself
    case failed(String, isFinal: Bool)
    case cancelled(String)
    /// Not begun, or asked to stop because the runner stops.
    case givenBack
    /// It wants to go on later.
    case postponed(Moment)
    /// Another runner has the job now.
    case takenAway
}

// Jobs of runners that have gone.
extension Claims {
    /// Puts the jobs of runners that have died back into line.
    ///
    /// A process often runs many jobs when it ends, of which at most one is to blame. So those are only suspects
    /// at first: they are tried again one at a time, and a job is counted as having ended its process when that
    /// happens while it is the one suspect running. After a few times it is set aside.
    func takeOver(at now: Moment, in db: borrowing Connection) throws -> [JobChange] {
        var changes: [JobChange] = []
        for (dead, aliveUntil) in try deadRunners(at: now, in: db) {
            // Its row is claimed by changing it: of two runners that noticed at once, one goes on.
            guard
                try db.run(
                    "UPDATE job_runner SET alive_until = 0 WHERE id = \(dead) AND alive_until = \(aliveUntil)"
                )
                    == 1
            else { continue }
            changes += try takeOver(from: dead, at: now, in: db)
            try db.run("DELETE FROM job_runner WHERE id = \(dead)")
        }
        return changes
    }

    /// Those whose lease is over or whose process is known to have ended.
    func deadRunners(
        at now: Moment, in db: borrowing Connection
    ) throws -> [(id: String, aliveUntil: Moment)] {
        try db.rows("SELECT id, process, alive_until FROM job_runner WHERE id <> \(runner)").compactMap {
            row in
            let aliveUntil = try row.moment("alive_until")
            let isGone = try RunnerProcess(row.text("process"))?.isCertainlyGone == true
            return aliveUntil < now || isGone ? (try row.text("id"), aliveUntil) : nil
        }
    }

    private func takeOver(
        from dead: String, at now: Moment, in db: borrowing Connection
    ) throws -> [JobChange] {
        var changes: [JobChange] = []
        let ended: Query = "runner = NULL, finished_at = \(now)"
        for row in try db.rows("SELECT * FROM job WHERE runner = \(dead) AND state = 'running'") {
            let id: ID<Job> = try row.id("id")
            let crashes = try row.int("crashes") + row.int("is_suspect")
            let state: Job.State
            var reason: String? = "The process ended while this was running; it is tried again."
            if try row.bool("is_cancelling") {
                state = .cancelled
                reason = try row.optionalText("reason")
                try db.run("UPDATE job SET state = 'cancelled', \(ended) WHERE id = \(id)")
            } else if crashes >= Self.mostCrashes {
                state = .setAside
                reason = "The process ended \(crashes) times while this was running."
                try db.run(
                    """
                    UPDATE job SET state = 'setAside', \(ended), crashes = \(crashes), reason = \(reason)
                    WHERE id = \(id)
                    """)
            } else {
                state = .waiting
                try wait(
                    id, of: dead,
                    """
                    run_at = \(now), attempts = attempts - 1, is_suspect = 1, crashes = \(crashes),
                    reason = \(reason)
                    """, absorbing: true, at: now, in: db)
                // The one that takes its place is as suspect as it was.
                try db.run(
                    """
                    UPDATE job SET is_suspect = 1, crashes = \(crashes) WHERE state = 'waiting' AND id <> \(id)
                        AND kind = \(try row.text("kind")) AND unique_key = \(try row.optionalText("unique_key"))
                    """)
            }
            if let job = try? Job(row) { changes.append(JobChange(job, state: state, reason: reason)) }
        }
        return changes
    }
}
