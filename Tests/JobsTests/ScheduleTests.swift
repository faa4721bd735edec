import Bytes
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Schedules")
struct ScheduleTests {
    private let nightly = "FREQ=DAILY;BYHOUR=3;BYMINUTE=30"

    @Test("Add a job when they are due", arguments: Database.Kind.here)
    func due(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            clock.set(Moment(iso8601: "2026-11-21T11:35:00Z")!)
            try set(schedules, nightly)
            let letters = Record<String>()
            let handler: JobRunner.Handler = { run in letters.add(run.payload["to"]?.string ?? "") }
            run(queue, handler)
            #expect(letters.all.isEmpty)
            clock.set(Moment(iso8601: "2026-11-22T02:30:00Z")!)
            run(queue, handler)
            #expect(letters.all == ["Ada"])
            run(queue, handler)
            #expect(letters.all == ["Ada"])
            let schedule = try #require(try schedules.get("nightly"))
            #expect(schedule.lastAt == clock.now)
            #expect(schedule.nextAt?.iso8601 == "2026-11-23T02:30:00.000Z")
        }
    }

    @Test("One job makes up for all that were missed", arguments: Database.Kind.here)
    func missed(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            try set(schedules, nightly)
            clock.advance(.seconds(10 * 86_400))
            run(queue)
            #expect(try queue.counts() == [.done: 1])
            let next = try #require(try schedules.get("nightly")?.nextAt)
            #expect(next > clock.now && next <= clock.now + .seconds(86_400))
        }
    }

    /// An hour, a day, four years.
    static let errors: [Duration] = [.seconds(3600), .days(1), .days(4 * 365)]

    @Test(
        "One start with the clock ahead stops nothing", arguments: Database.Kind.here, errors)
    func clockAhead(kind: Database.Kind, error: Duration) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            try set(schedules, nightly)
            clock.advance(error)
            run(queue)
            // Promised for at once, and for soon, in a time that has not come.
            let early = try queue.addLetter(to: "Early")
            let soon = try queue.addLetter(to: "Soon", runAt: clock.now + .seconds(600))
            clock.advance(.seconds(60) - error)
            run(queue)
            let next = try #require(try schedules.get("nightly")?.nextAt)
            #expect(next <= clock.now + .seconds(86_400))
            #expect(try queue.state(of: early) == .done)
            #expect(try queue.state(of: soon) == .waiting)
            clock.advance(.seconds(600))
            run(queue)
            #expect(try queue.state(of: soon) == .done)
            clock.advance(.seconds(86_400))
            let letters = Record<String>()
            run(queue) { run in letters.add(run.payload["to"]?.string ?? "") }
            #expect(letters.all == ["Ada"])
        }
    }

    @Test(
        "What a runner held that died with the clock ahead is taken up within a minute",
        arguments: Database.Kind.here, errors)
    func leaseAhead(kind: Database.Kind, error: Duration) throws {
        try withQueue(kind) { queue, clock in
            let letter = try queue.addLetter()
            clock.advance(error)
            try queue.store.write { tx in
                // Of another machine, so that nobody can know that it is gone.
                try tx.run(
                    """
                    INSERT INTO job_runner (id, process, alive_until)
                    VALUES ('dead', 'elsewhere pid:[1] 1 1', \(clock.now + .seconds(30)))
                    """)
                try tx.run(
                    "UPDATE job SET state = 'running', runner = 'dead', attempts = 1, started_at = \(clock.now)"
                )
            }
            clock.advance(.seconds(60) - error)
            run(queue)
            clock.advance(.seconds(40))
            // Alone: it may be what ended the other.
            run(queue)
            clock.advance(.seconds(40))
            run(queue)
            #expect(try queue.state(of: letter) == .done)
        }
    }

    @Test("A clock that was behind makes up for what was missed, once", arguments: Database.Kind.here, errors)
    func clockBehind(kind: Database.Kind, error: Duration) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            let right = clock.now
            clock.set(right - error)
            try set(schedules, "FREQ=HOURLY")
            let letters = Record<String>()
            let handler: JobRunner.Handler = { run in letters.add(run.payload["to"]?.string ?? "") }
            run(queue, handler)
            clock.set(right)
            run(queue, handler)
            #expect(letters.all == ["Ada"])
            let next = try #require(try schedules.get("nightly")?.nextAt)
            #expect(next > right && next <= right + .seconds(3600))
        }
    }

    @Test("A schedule that was set with the clock ahead begins now")
    func setAhead() throws {
        try withQueue(.sqlite) { queue, clock in
            let schedules = Schedules(queue)
            clock.advance(.seconds(4 * 365 * 86_400))
            try set(schedules, "FREQ=DAILY")
            clock.advance(.seconds(-4 * 365 * 86_400))
            run(queue)
            #expect(try schedules.get("nightly")?.nextAt == clock.now + .seconds(86_400))
        }
    }

    @Test(
        "Set again as they were, they keep their time; changed, they find a new one",
        arguments: Database.Kind.here)
    func again(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            try set(schedules, "FREQ=DAILY")
            let next = try schedules.get("nightly")?.nextAt
            clock.advance(.seconds(3600))
            try set(schedules, "FREQ=DAILY")
            #expect(try schedules.get("nightly")?.nextAt == next)
            try set(schedules, "FREQ=DAILY;INTERVAL=2")
            #expect(try schedules.get("nightly")?.nextAt == clock.now + .seconds(2 * 86_400))
        }
    }

    @Test("Paused, they do nothing and later make up for nothing", arguments: Database.Kind.here)
    func paused(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            try set(schedules, nightly)
            try schedules.setPaused(true, "nightly")
            clock.advance(.seconds(3 * 86_400))
            run(queue)
            #expect(try queue.list().isEmpty)
            try schedules.setPaused(false, "nightly")
            run(queue)
            #expect(try queue.list().isEmpty)
            try schedules.runNow("nightly")
            run(queue)
            #expect(try queue.counts() == [.done: 1])
            try schedules.remove("nightly")
            #expect(try schedules.list().isEmpty)
            #expect(throws: Failure.self) { try schedules.runNow("nightly") }
        }
    }

    @Test("One that cannot be read keeps no other from its time", arguments: Database.Kind.here)
    func broken(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            try set(schedules, nightly, name: "broken")
            try set(schedules, nightly)
            try queue.store.write { tx in
                _ = try tx.run("UPDATE job_schedule SET recurrence = 'FREQ=NEVER' WHERE name = 'broken'")
            }
            clock.advance(.seconds(86_400))
            run(queue)
            #expect(try queue.counts() == [.done: 1])
        }
    }

    @Test("A zone that does not exist is refused")
    func zone() throws {
        try withQueue(.sqlite) { queue, _ in
            #expect(throws: Failure.self) { try set(Schedules(queue), nightly, zone: "Europe/Atlantis") }
            let none = try Schedules(queue).list()
            #expect(none.isEmpty)
        }
    }

    private func set(
        _ schedules: Schedules, _ rule: String, name: String = "nightly", zone: String = "Europe/Berlin"
    ) throws {
        let recurrence = try Recurrence(rule)
        try schedules.store.write { tx in
            try schedules.set(
                name, .letter, payload: ["to": "Ada"], recurrence: recurrence, zone: zone, in: tx)
        }
    }
}

extension Schedules {
    fileprivate var store: Store { queue.store }
}
