import Bytes
import Glibc
import Jobs
import SQL
import Storage
import Work

/// Adds jobs and does them until it is killed, and says which were promised as soon as they were.
///
///     quire-bench job-work HOME sqlite|CONNINFO SEED     without end
///     quire-bench job-work HOME sqlite|CONNINFO drain    does what is there and ends
///
/// Every job leaves one line in the table `effect`; a job that adds another leaves that one's too.
enum JobWork {
    static let effects = MigrationArea(
        "effects",
        [
            Migration(
                "effect",
                script: """
                    CREATE TABLE effect (job TEXT NOT NULL);
                    CREATE INDEX effect_job ON effect (job);
                    CREATE TABLE mark (job TEXT NOT NULL PRIMARY KEY);
                    """)
        ])

    /// Effect and ending in one transaction.
    static let once = JobKind("once", title: "Once")
    /// An effect that can be repeated, the ending later.
    static let again = JobKind("again", title: "Again")
    /// Promises another job with its own ending.
    static let chain = JobKind("chain", title: "Chain")
    /// Fails the first time it can.
    static let flaky = JobKind("flaky", title: "Flaky", backoff: Backoff(first: .milliseconds(1)))
    /// Takes several steps and remembers them.
    static let steps = JobKind("steps", title: "Steps")
    /// Ends the process.
    static let poison = JobKind("poison", title: "Poison")

    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3 else {
            throw Failure(.invalid, "job-work HOME sqlite|CONNINFO SEED|drain")
        }
        let store = try Store.open(
            home: arguments[0], database: arguments[1] == "sqlite" ? .sqlite : .postgres(arguments[1]),
            areas: [JobQueue.migrations, effects])
        defer { store.close() }
        let queue = JobQueue(store)
        let runner = JobRunner(queue, threads: 3)
        handle(runner, queue)
        guard let seed = UInt64(arguments[2]) else {
            repeat { runner.runUntilIdle() } while try !isDrained(queue)
            runner.stop()
            return
        }
        runner.start()
        try promise(queue, .seeded(seed))
    }

    private static func isDrained(_ queue: JobQueue) throws -> Bool {
        let counts = try queue.counts()
        return counts[.waiting, default: 0] + counts[.running, default: 0] == 0
    }

    private static func promise(_ queue: JobQueue, _ chance: Chance) throws {
        let kinds = [once, again, chain, flaky, steps]
        while true {
            let ids = try queue.store.write { tx in
                try (0...chance.integer(below: 12)).map { _ in
                    // No two are the same work: of those, one that is done would do for the other.
                    try queue.add(
                        kinds[chance.integer(below: kinds.count)],
                        payload: ["number": .int(chance.integer(below: 1 << 48))], in: tx,
                        priority: chance.integer(below: 3))
                }
            }
            Bench.say(ids.map { "+ \($0)" }.joined(separator: "\n"))
            // Doing should keep up with promising, or the queue only grows.
            while try queue.counts()[.waiting, default: 0] > 200 { usleep(500) }
        }
    }

    private static func handle(_ runner: JobRunner, _ queue: JobQueue) {
        let store = queue.store
        @Sendable func effect(of run: JobRun, in tx: borrowing Transaction) throws {
            try tx.run("INSERT INTO effect (job) VALUES (\(run.job.id))")
        }
        runner.handle(once) { run in
            try store.write { tx in
                try effect(of: run, in: tx)
                try run.finish(in: tx)
            }
        }
        runner.handle(again) { run in
            try store.write { tx in
                let isNew =
                    try tx.run("INSERT INTO mark (job) VALUES (\(run.job.id)) ON CONFLICT DO NOTHING") == 1
                if isNew { try effect(of: run, in: tx) }
            }
        }
        runner.handle(chain) { run in
            try store.write { tx in
                try effect(of: run, in: tx)
                try queue.add(once, payload: ["after": .string(run.job.id.text)], in: tx)
                try run.finish(in: tx)
            }
        }
        runner.handle(flaky) { run in
            if run.job.attempts == 1 { throw Failure(.unavailable, "Not today.") }
            try store.write { tx in
                try effect(of: run, in: tx)
                try run.finish(in: tx)
            }
        }
        runner.handle(steps) { run in
            let begun = run.checkpoint?.int ?? 0
            for step in begun..<3 {
                run.progress.set(done: Int64(step), total: 3)
                try store.write { tx in
                    if step == 0 { try effect(of: run, in: tx) }
                    try run.save(checkpoint: .int(step + 1), in: tx)
                }
            }
        }
        runner.handle(poison) { _ in kill(getpid(), SIGKILL) }
    }
}
