import Bytes
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("The runner")
struct RunnerTests {
    struct Refusal: Error, CustomStringConvertible {
        var description: String { "The pen is empty." }
    }

    @Test("What fails is tried again, later each time, and then given up", arguments: Database.Kind.here)
    func backoff(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let id = try queue.addLetter()
            for (attempt, longest) in [(1, 10), (2, 20)] {
                run(queue) { _ in throw Refusal() }
                let job = try #require(try queue.get(id))
                #expect(job.state == .waiting)
                #expect(job.attempts == attempt)
                #expect(job.reason == "The pen is empty.")
                let delay = job.runAt - clock.now
                #expect(delay >= .seconds(longest / 2) && delay <= .seconds(longest))
                clock.advance(.seconds(longest))
            }
            run(queue) { _ in throw Refusal() }
            let job = try #require(try queue.get(id))
            #expect(job.state == .failed)
            #expect(job.reason == "The pen is empty.")
            try queue.retry(id)
            run(queue)
            #expect(try queue.state(of: id) == .done)
        }
    }

    @Test("What can never succeed is not tried again", arguments: Database.Kind.here)
    func final(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.addLetter()
            run(queue) { _ in throw Failure(.invalid, "Ada has no address.") }
            let job = try #require(try queue.get(id))
            #expect(job.state == .failed)
            #expect(job.attempts == 1)
            #expect(job.reason == "Ada has no address.")
            // Nor what somebody has to decide first.
            let second = try queue.addLetter()
            run(queue) { _ in throw Undecided(Failure(.conflict, "Is that meant?")) }
            let asking = try #require(try queue.get(second))
            #expect(asking.state == .failed && asking.attempts == 1 && asking.reason == "Is that meant?")
        }
    }

    @Test("Work that takes too long is asked to stop and counts as failed", arguments: Database.Kind.here)
    func timeLimit(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let slow = JobKind(
                "slow", title: "Slow", maximumAttempts: 1, timeLimit: .milliseconds(30))
            let id = try queue.store.write { tx in try queue.add(slow, in: tx) }
            let runner = JobRunner(queue)
            runner.handle(slow) { run in try waitForCancellation(of: run) }
            runner.runUntilIdle()
            runner.stop()
            let job = try #require(try queue.get(id))
            #expect(job.state == .failed)
            #expect(job.reason?.hasPrefix("It took longer than") == true)
        }
    }

    @Test("Progress is shown live and kept", arguments: Database.Kind.here)
    func progress(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.addLetter()
            let seen = Record<JobChange>()
            let subscription = queue.changes.subscribe { seen.add($0) }
            run(queue) { run in
                run.progress.set(done: 0, total: 2)
                run.progress.phase("Folding")
                run.progress.advance()
                run.progress.phase("Sealing")
                run.progress.advance()
                run.answer(["pages": 2])
            }
            subscription.cancel()
            #expect(seen.all.allSatisfy { $0.id == id && $0.title == "Write a letter" })
            let phases = seen.all.map(\.progress.phase)
            #expect(phases.contains("Folding") && phases.contains("Sealing"))
            #expect(seen.all.map(\.state).last == .done)
            let job = try #require(try queue.get(id))
            #expect(job.progress == Progress.Snapshot(done: 2, total: 2, phase: "Sealing"))
            #expect(job.result?["pages"]?.int == 2)
        }
    }

    @Test("Effects and ending are saved together", arguments: Database.Kind.here)
    func finish(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.addLetter()
            run(queue) { run in
                try queue.store.write { tx in
                    _ = try queue.add(JobKind("reply", title: "Reply"), in: tx)
                    try run.finish(result: "sent", in: tx)
                }
                // Too late: it is done.
                throw Refusal()
            }
            let job = try #require(try queue.get(id))
            #expect(job.state == .done)
            #expect(job.result?.string == "sent")
            #expect(try queue.list(.init(kind: "reply")).count == 1)
        }
    }

    @Test("A job that wants to go on later does, and it costs it no attempt", arguments: Database.Kind.here)
    func postponed(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let later = clock.now + .seconds(3600)
            let id = try queue.addLetter()
            let turns = Record<Int>()
            let handler: JobRunner.Handler = { run in
                turns.add(run.job.attempts)
                if turns.all.count < 3 { throw Postponed(until: later) }
            }
            run(queue, handler)
            #expect(try queue.state(of: id) == .waiting)
            run(queue, handler)
            #expect(turns.all == [1])
            clock.advance(.seconds(3600))
            run(queue, handler)
            #expect(turns.all == [1, 1, 1])
            #expect(try queue.state(of: id) == .done)
        }
    }

    @Test("Asking for the same work again brings it forward", arguments: Database.Kind.here)
    func forward(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let kind = JobKind("letter", title: "Write a letter")
            let (first, second) = try queue.store.write { tx in
                (
                    try queue.add(kind, in: tx, unique: "x", runAt: clock.now + .seconds(3600)),
                    try queue.add(kind, in: tx, unique: "x")
                )
            }
            #expect(first == second)
            run(queue) { _ in }
            #expect(try queue.state(of: first) == .done)
        }
    }

    @Test("A checkpoint is there for the next attempt", arguments: Database.Kind.here)
    func checkpoint(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let id = try queue.addLetter()
            let steps = Record<Int>()
            let handler: JobRunner.Handler = { run in
                for step in (run.checkpoint?.int ?? 0)..<4 {
                    if step == 2, run.job.attempts == 1 { throw Refusal() }
                    steps.add(step)
                    try run.save(checkpoint: .int(step + 1))
                }
            }
            run(queue, handler)
            clock.advance(.seconds(60))
            run(queue, handler)
            #expect(steps.all == [0, 1, 2, 3])
            #expect(try queue.state(of: id) == .done)
        }
    }

    @Test("A runner that stops gives back what it cannot finish", arguments: Database.Kind.here)
    func stopping(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let ids = try (0..<4).map { _ in try queue.addLetter() }
            let begun = Record<ID<Job>>()
            let runner = JobRunner(queue, threads: 2)
            runner.handle(.letter) { run in
                begun.add(run.job.id)
                try waitForCancellation(of: run)
            }
            runner.start()
            _ = begun.wait { $0.count == 2 ? true : nil }
            runner.stop(grace: .zero)
            for id in ids {
                let job = try #require(try queue.get(id))
                #expect(job.state == .waiting)
                #expect(job.attempts == 0)
            }
            run(queue)
            #expect(try queue.counts() == [.done: 4])
        }
    }

    @Test("A runner that stops does not wait for work that goes on later where it was")
    func goingOnLater() throws {
        try withQueue(.sqlite) { queue, _ in
            let kind = JobKind("reading", title: "Read a book", goesOnLater: true)
            let id = try queue.store.write { tx in try queue.add(kind, in: tx) }
            let begun = Record<Bool>()
            let runner = JobRunner(queue)
            runner.handle(kind) { run in
                begun.add(true)
                try waitForCancellation(of: run)
            }
            runner.start()
            _ = begun.wait { $0.first }
            // Were it waited for, it would be for an hour.
            let watch = Stopwatch()
            runner.stop(grace: .seconds(3600))
            #expect(watch.elapsed < .seconds(600))
            #expect(try queue.state(of: id) == .waiting)
        }
    }

    @Test("A disk that takes nothing is told once, does not hold up the end, and loses no job")
    func unwritable() throws {
        let (log, recording) = Log.recording()
        try withDeskPlace(.sqlite, areas: [JobQueue.migrations]) { place in
            let store = try place.open(log: log)
            defer { store.close() }
            let queue = JobQueue(store)
            let id = try queue.addLetter()
            let begun = Record<Bool>()
            let mayEnd = Record<Bool>()
            let runner = JobRunner(queue)
            runner.handle(.letter) { _ in
                begun.add(true)
                _ = mayEnd.wait { $0.first }
            }
            runner.start()
            _ = begun.wait { $0.first }
            try store.database.write { db in
                try db.script(
                    "CREATE TRIGGER stuck BEFORE UPDATE ON job BEGIN SELECT RAISE(ABORT, 'no'); END")
            }
            mayEnd.add(true)
            let watch = Stopwatch()
            runner.stop(grace: .seconds(3600))
            #expect(watch.elapsed < .seconds(600))
            #expect(recording.entries.filter { $0.level == .error }.count == 1, "\(recording.messages)")
            #expect(store.troubles.all.map(\.name) == [JobRunner.trouble])
            #expect(try queue.state(of: id) == .running)

            try store.database.write { db in try db.script("DROP TRIGGER stuck") }
            let next = JobRunner(queue)
            next.handle(.letter) { _ in }
            try next.takeOver()
            next.runUntilIdle()
            next.stop()
            #expect(store.troubles.all.isEmpty)
        }
    }

    @Test("A runner that stops lets the work end that can", arguments: Database.Kind.here)
    func graceful(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.addLetter()
            let begun = Record<Bool>()
            let mayEnd = Record<Bool>()
            let runner = JobRunner(queue)
            runner.handle(.letter) { _ in
                begun.add(true)
                _ = mayEnd.wait { $0.first }
            }
            runner.start()
            _ = begun.wait { $0.first }
            let helper = Thread(name: "later") { mayEnd.add(true) }
            runner.stop(grace: .seconds(20))
            helper.join()
            #expect(try queue.state(of: id) == .done)
        }
    }

    @Test(
        "Jobs of a runner without sign of life are taken over, and it cannot end them any more",
        arguments: Database.Kind.here)
    func takeOver(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let id = try queue.addLetter()
            let begun = Record<Bool>()
            let mayEnd = Record<Bool>()
            let refused = Record<Bool>()
            let silent = JobRunner(queue)
            silent.handle(.letter) { run in
                begun.add(true)
                _ = mayEnd.wait { $0.first }
                do {
                    try queue.store.write { tx in
                        _ = try queue.add(JobKind("reply", title: "Reply"), in: tx)
                        try run.finish(in: tx)
                    }
                } catch is Cancelled { refused.add(true) }
            }
            silent.start()
            _ = begun.wait { $0.first }
            clock.advance(.seconds(31))
            run(queue) { run in #expect(run.job.attempts == 1) }
            #expect(try queue.state(of: id) == .done)
            mayEnd.add(true)
            #expect(refused.wait { $0.first } == true)
            silent.stop()
            #expect(try queue.list(.init(kind: "reply")).isEmpty)
        }
    }

    @Test(
        "What was interrupted is done again one after another, without a rest between",
        arguments: Database.Kind.here)
    func interrupted(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let begun = Record<Bool>()
            let mayEnd = Record<Bool>()
            let silent = JobRunner(queue, threads: 3)
            silent.handle(.letter) { _ in
                begun.add(true)
                _ = mayEnd.wait { $0.first }
            }
            for _ in 0..<3 { try queue.addLetter() }
            silent.start()
            _ = begun.wait { $0.count == 3 ? true : nil }
            clock.advance(.seconds(31))
            let atOnce = Record<Int>()
            let active = Monitor(0)
            // Returns when there is nothing left to take.
            run(queue) { _ in
                atOnce.add(
                    active.update {
                        $0 += 1; return $0
                    })
                active.update { $0 -= 1 }
            }
            #expect(try queue.counts() == [.done: 3])
            #expect(atOnce.all == [1, 1, 1])
            mayEnd.add(true)
            silent.stop()
        }
    }

    @Test("Two processes share the work, each job once", arguments: Database.Kind.here)
    func sharing(kind: Database.Kind) throws {
        try withDeskPlace(kind, areas: [JobQueue.migrations]) { place in
            let stores = try [place.open(clock: .system), place.open(clock: .system, chance: .seeded(2))]
            defer { for store in stores { store.close() } }
            let queues = stores.map { JobQueue($0) }
            let done = Record<ID<Job>>()
            let runners = queues.map { queue in
                let runner = JobRunner(queue)
                runner.handle(.letter) { run in done.add(run.job.id) }
                runner.start()
                return runner
            }
            var ids: Set<ID<Job>> = []
            for number in 0..<120 { ids.insert(try queues[number % 2].addLetter()) }
            _ = done.wait { $0.count >= 120 ? true : nil }
            for runner in runners { runner.stop() }
            #expect(done.all.count == 120)
            #expect(Set(done.all) == ids)
            #expect(try queues[0].counts() == [.done: 120])
        }
    }

    @Test("A job is cancelled from another process", arguments: Database.Kind.here)
    func cancelElsewhere(kind: Database.Kind) throws {
        try withDeskPlace(kind, areas: [JobQueue.migrations]) { place in
            let here = try place.open(clock: .system)
            let there = try place.open(clock: .system, chance: .seeded(2))
            defer {
                here.close()
                there.close()
            }
            let queue = JobQueue(here)
            let begun = Record<Bool>()
            let runner = JobRunner(queue)
            runner.handle(.letter) { run in
                begun.add(true)
                try waitForCancellation(of: run)
            }
            runner.start()
            let id = try queue.addLetter()
            _ = begun.wait { $0.first }
            try JobQueue(there).cancel(id, reason: "From the other room.")
            runner.stop(grace: .seconds(20))
            let job = try #require(try queue.get(id))
            #expect(job.state == .cancelled)
            #expect(job.reason == "From the other room.")
        }
    }

    @Test("Changes are heard in other processes", .enabled(if: PostgresCluster.isInstalled))
    func changesElsewhere() throws {
        try withDeskPlace(.postgres, areas: [JobQueue.migrations]) { place in
            let here = try place.open()
            let there = try place.open(chance: .seeded(2))
            defer {
                here.close()
                there.close()
            }
            let heard = Record<JobChange>()
            let listening = JobQueue(there)
            let subscription = listening.changes.subscribe { heard.add($0) }
            let queue = JobQueue(here)
            let id = try queue.addLetter()
            run(queue)
            #expect(heard.wait { $0.contains { $0.id == id && $0.state == .done } ? true : nil } == true)
            #expect(heard.all.map(\.state) == [.waiting, .running, .done])
            subscription.cancel()
        }
    }

    @Test("A job that cannot be read is set aside and stops no other", arguments: Database.Kind.here)
    func unreadable(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let broken = try queue.addLetter()
            let good = try queue.addLetter()
            try queue.store.write { tx in
                _ = try tx.run("UPDATE job SET payload = '{' WHERE id = \(broken)")
            }
            run(queue)
            #expect(try queue.state(of: good) == .done)
            let state = try queue.store.read { desk in
                try desk.row("SELECT state FROM job WHERE id = \(broken)")?.text("state")
            }
            #expect(state == "setAside")
        }
    }

    @Test("Work nobody here knows waits for somebody who does", arguments: Database.Kind.here)
    func unknownKind(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.store.write { tx in
                try queue.add(JobKind("sculpture", title: "Carve"), in: tx)
            }
            run(queue)
            #expect(try queue.state(of: id) == .waiting)
        }
    }
}

/// What a handler does that only ends when it is told to.
private func waitForCancellation(of run: JobRun) throws {
    let heard = Record<Bool>()
    run.cancellation.onCancel { heard.add(true) }
    _ = heard.wait { $0.first }
    try run.progress.check()
}
