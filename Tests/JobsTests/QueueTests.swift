import Bytes
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("The job queue")
struct QueueTests {
    struct Refusal: Error {}

    @Test("Work is promised with the act that needs it, or not at all", arguments: Database.Kind.here)
    func transaction(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            #expect(throws: Refusal.self) {
                try queue.store.write { tx in
                    try queue.add(.letter, in: tx)
                    throw Refusal()
                }
            }
            let none = try queue.list()
            #expect(none.isEmpty)
            let id = try queue.addLetter(to: "Grace")
            let job = try #require(try queue.get(id))
            #expect(job.state == .waiting)
            #expect(job.title == "Write a letter")
            #expect(job.payload["to"]?.string == "Grace")
        }
    }

    @Test(
        "One member's work does not wait without end: the rest is asked for later",
        arguments: Database.Kind.here)
    func quota(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            func ask(_ member: String?, unique: String? = nil) throws {
                try queue.store.write { tx in try queue.add(.letter, in: tx, unique: unique, asks: member) }
            }
            try queue.store.write { tx in
                for number in 0..<JobQueue.mostWaiting {
                    try queue.add(.letter, in: tx, unique: "\(number)", asks: "member/ada")
                }
            }
            do {
                try ask("member/ada")
                Issue.record("one more waits")
            } catch let failure as Failure {
                #expect(failure.code == .tooMany && failure.retryAfter != nil)
                #expect(failure.message.contains("You have 500 jobs waiting already."))
            }
            // What waits already may be asked for again, and others are not held up.
            try ask("member/ada", unique: "7")
            try ask("member/ben")
            try ask(nil)
            #expect(try queue.counts()[.waiting] == JobQueue.mostWaiting + 2)
            run(queue) { _ in }
            try ask("member/ada")
        }
    }

    @Test("Each job is done once, and remembered", arguments: Database.Kind.here)
    func done(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let letters = Record<String>()
            for number in 0..<50 { try queue.addLetter(to: "\(number)") }
            run(queue) { run in letters.add(run.payload["to"]?.string ?? "") }
            #expect(Set(letters.all).count == 50)
            #expect(letters.all.count == 50)
            let counts = try queue.counts()
            #expect(counts == [.done: 50])
            let job = try #require(try queue.list(limit: 1).first)
            #expect(job.finishedAt == clock.now)
            #expect(job.attempts == 1)
        }
    }

    @Test("The urgent go first, then the older", arguments: Database.Kind.here)
    func priority(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let letters = Record<String>()
            try queue.addLetter(to: "first")
            clock.advance(.milliseconds(5))
            try queue.addLetter(to: "second")
            try queue.addLetter(to: "urgent", priority: 10)
            try queue.addLetter(to: "whenever", priority: -1)
            run(queue, threads: 1) { run in letters.add(run.payload["to"]?.string ?? "") }
            #expect(letters.all == ["urgent", "first", "second", "whenever"])
        }
    }

    @Test("Nothing is begun before its time", arguments: Database.Kind.here)
    func later(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let id = try queue.addLetter(runAt: clock.now + .seconds(60))
            run(queue)
            #expect(try queue.state(of: id) == .waiting)
            clock.advance(.seconds(60))
            run(queue)
            #expect(try queue.state(of: id) == .done)
        }
    }

    @Test("Of jobs with the same key one waits", arguments: Database.Kind.here)
    func uniqueWaiting(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let first = try queue.addLetter(unique: "Ada")
            #expect(try queue.addLetter(unique: "Ada") == first)
            #expect(try queue.addLetter(unique: "Grace") != first)
            run(queue)
            #expect(try queue.addLetter(unique: "Ada") != first)
        }
    }

    @Test("A job asked for while one of its key runs comes after it", arguments: Database.Kind.here)
    func uniqueRunning(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let running = Record<Int>()
            let letters = Record<ID<Job>>()
            let first = try queue.addLetter(unique: "Ada")
            run(queue, threads: 4) { run in
                running.add(1)
                if letters.all.isEmpty {
                    letters.add(run.job.id)
                    let second = try queue.addLetter(unique: "Ada")
                    #expect(second != first)
                } else {
                    letters.add(run.job.id)
                    #expect(try queue.state(of: first) == .done)
                }
            }
            #expect(letters.all.count == 2)
        }
    }

    @Test("A failed job whose work has been asked for again makes way", arguments: Database.Kind.here)
    func uniqueRetry(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let first = try queue.addLetter(unique: "Ada")
            run(queue) { run in
                guard run.job.id == first else { return }
                try queue.addLetter(unique: "Ada")
                throw Refusal()
            }
            #expect(try queue.state(of: first) == .cancelled)
            let counts = try queue.counts()
            #expect(counts == [.cancelled: 1, .done: 1])
        }
    }

    @Test(
        "A job whose process was killed is not cancelled by the same work asked for anew, but counted",
        arguments: Database.Kind.here)
    func askedAfterDeath(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let id = try queue.addLetter(unique: "papers")
            for death in 1...4 {
                try queue.store.database.write { db in
                    try db.run(
                        """
                        INSERT INTO job_runner (id, process, alive_until)
                        VALUES ('dead', 'elsewhere', \(clock.now))
                        """)
                    try db.run(
                        "UPDATE job SET state = 'running', runner = 'dead', attempts = 1 WHERE id = \(id)")
                }
                clock.advance(.seconds(1))
                // As each start does.
                let asked = try queue.addLetter(unique: "papers")
                #expect(asked != id)
                let runner = JobRunner(queue)
                try runner.takeOver()
                runner.stop()
                #expect(try queue.state(of: id) == (death < 4 ? .waiting : .setAside), "\(death)")
                #expect(try queue.state(of: asked) == (death < 4 ? nil : .waiting), "\(death)")
            }
        }
    }

    @Test("A cancelled job is not begun", arguments: Database.Kind.here)
    func cancelWaiting(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.addLetter()
            #expect(try queue.cancel(id, reason: "Not needed."))
            run(queue) { _ in Issue.record("begun") }
            let job = try #require(try queue.get(id))
            #expect(job.state == .cancelled)
            #expect(job.reason == "Not needed.")
            #expect(try !queue.cancel(id))
        }
    }

    @Test("A running job hears that it is cancelled", arguments: Database.Kind.here)
    func cancelRunning(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.addLetter()
            run(queue) { run in
                try queue.cancel(id, reason: "Changed my mind.")
                // Heard at once in the same process; a handler would ask between its steps.
                let heard = Record<Bool>()
                run.cancellation.onCancel { heard.add(true) }
                #expect(heard.wait { $0.first } == true)
                try run.progress.check()
            }
            let job = try #require(try queue.get(id))
            #expect(job.state == .cancelled)
            #expect(job.reason == "Changed my mind.")
        }
    }

    @Test(
        "What failed waits for somebody: to try again, to let it go, or until it is done after all",
        arguments: Database.Kind.here)
    func dismissed(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            func fail(_ name: String) throws -> ID<Job> {
                let id = try queue.addLetter(to: name)
                run(queue) { _ in throw Failure(.unsupported, "There is no ink.") }
                #expect(try queue.state(of: id) == .failed)
                return id
            }
            let first = try fail("Ada")
            try queue.dismiss(first)
            let job = try #require(try queue.get(first))
            #expect(job.state == .cancelled && job.reason == "There is no ink.")
            #expect(failure { try queue.dismiss(first) }?.code == .conflict)
            try queue.retry(first)
            run(queue)
            #expect(try queue.state(of: first) == .done)
            // The same for somebody else is something else.
            let (second, other) = (try fail("Grace"), try fail("Edith"))
            try queue.addLetter(to: "Grace")
            run(queue)
            #expect(try queue.state(of: second) == .cancelled)
            #expect(try queue.state(of: other) == .failed)
        }
    }

    @Test("Removed, retried and unknown jobs", arguments: Database.Kind.here)
    func verbs(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let id = try queue.addLetter()
            #expect(throws: Failure.self) { try queue.retry(id) }
            try queue.cancel(id)
            try queue.retry(id)
            #expect(try queue.state(of: id) == .waiting)
            run(queue)
            #expect(throws: Failure.self) { try queue.retry(id) }
            try queue.remove(id)
            #expect(try queue.get(id) == nil)
            let said = failure { try queue.cancel(id) }
            #expect(said?.code == .notFound)
        }
    }

    @Test("The list is paged and filtered, the newest first", arguments: Database.Kind.here)
    func pages(kind: Database.Kind) throws {
        try withQueue(kind) { queue, _ in
            let ids = try (0..<7).map { _ in try queue.addLetter() }
            try queue.cancel(ids[3])
            let first = try queue.list(limit: 3).map(\.id)
            #expect(first == [ids[6], ids[5], ids[4]])
            let next = try queue.list(before: first.last, limit: 3).map(\.id)
            #expect(next == [ids[3], ids[2], ids[1]])
            #expect(try queue.list(.init(states: [.cancelled])).map(\.id) == [ids[3]])
            #expect(try queue.list(.init(kind: "other")).isEmpty)
        }
    }

    @Test("Done jobs are forgotten after a while, failed ones are not", arguments: Database.Kind.here)
    func pruning(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            for _ in 0..<3 { try queue.addLetter() }
            let bad = try queue.addLetter(to: "nobody")
            run(queue) { run in
                if run.job.id == bad { throw Failure(.invalid, "Nobody lives there.") }
            }
            clock.advance(.seconds(15 * 86_400))
            run(queue)
            #expect(try queue.list().map(\.id) == [bad])
            #expect(try queue.prune(finishedBefore: clock.now, all: true) == 1)
        }
    }

    private func failure<R>(_ body: () throws -> R) -> Failure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? Failure
        }
    }
}
