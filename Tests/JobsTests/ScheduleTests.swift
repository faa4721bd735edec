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

    @Test("One start with the clock years ahead stops nothing", arguments: Database.Kind.here)
    func clockAhead(kind: Database.Kind) throws {
        try withQueue(kind) { queue, clock in
            let schedules = Schedules(queue)
            try set(schedules, nightly)
            let years = Duration.seconds(4 * 365 * 86_400)
            clock.advance(years)
            run(queue)
            // Promised for at once, in a time that has not come.
            let early = try queue.addLetter(to: "Early")
            clock.advance(.seconds(60) - years)
            run(queue)
            let next = try #require(try schedules.get("nightly")?.nextAt)
            #expect(next <= clock.now + .seconds(86_400))
            #expect(try queue.state(of: early) == .done)
            clock.advance(.seconds(86_400))
            let letters = Record<String>()
            run(queue) { run in letters.add(run.payload["to"]?.string ?? "") }
            #expect(letters.all == ["Ada"])
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
