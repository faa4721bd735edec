import Bytes
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Jobs of a process that is killed")
struct InterruptionTests {
    @Test("Nothing promised is lost, and nothing happens twice", arguments: Database.Kind.here)
    func kills(kind: Database.Kind) throws {
        let rounds = kind == .sqlite ? 20 : 6
        let chance = Chance.seeded(2026)
        try withDeskPlace(kind, areas: [JobQueue.migrations, effects]) { place in
            var promised: Set<String> = []
            for round in 0..<rounds {
                let work = try work(place, "\(round)")
                let wasKilled = work.kill(
                    afterLines: 1 + chance.integer(below: 60), waiting: chance.integer(below: 100_000))
                try #require(wasKilled)
                promised.formUnion(work.lines.filter { $0.hasPrefix("+ ") }.map { String($0.dropFirst(2)) })
            }
            let isDrained = try work(place, "drain").finish()
            #expect(isDrained)
            let store = try place.open(clock: .system, chance: .system)
            defer { store.close() }
            // One that was hit three times while it ran alone is set aside and says so; asked for again, it is done.
            let unlucky = try store.read { desk in
                try desk.rows("SELECT id, reason FROM job WHERE state = 'setAside'").map { row in
                    (id: try row.id("id") as ID<Job>, reason: try row.text("reason"))
                }
            }
            for job in unlucky {
                #expect(job.reason == "The process ended 3 times while this was running.")
                try JobQueue(store).retry(job.id)
            }
            let isDrainedAgain = try unlucky.isEmpty || work(place, "drain").finish()
            #expect(isDrainedAgain)
            let states = try store.read { desk in
                try desk.rows("SELECT id, kind, state, coalesce(reason, '') AS reason FROM job").reduce(
                    into: [String: String]()
                ) { states, row in
                    let state = try row.text("state")
                    states[try row.text("id")] =
                        try state == "done"
                        ? state : "\(row.text("kind")) is \(state): \(row.text("reason"))"
                }
            }
            let effects = try store.read { desk in
                try desk.rows("SELECT job, count(*) AS n FROM effect GROUP BY job").reduce(
                    into: [String: Int]()
                ) {
                    $0[try $1.text("job")] = try $1.int("n")
                }
            }
            let lost = promised.filter { states[$0] == nil }
            #expect(lost.isEmpty)
            #expect(states.values.filter { $0 != "done" } == [])
            #expect(Set(effects.keys) == Set(states.keys))
            let repeated = effects.filter { $0.value != 1 }
            #expect(repeated.isEmpty)
            #expect(promised.count > rounds)
            #expect(try JobQueue(store).counts()[.running] == nil)
        }
    }

    @Test("A job that ends its process is set aside, those beside it are done", arguments: Database.Kind.here)
    func poison(kind: Database.Kind) throws {
        try withDeskPlace(kind, areas: [JobQueue.migrations, effects]) { place in
            let store = try place.open(clock: .system, chance: .system)
            defer { store.close() }
            let queue = JobQueue(store)
            let poison = try store.write { tx in
                for _ in 0..<5 { try queue.add(JobKind("again", title: "Again"), in: tx) }
                let poison = try queue.add(JobKind("poison", title: "Poison"), in: tx)
                for _ in 0..<5 { try queue.add(JobKind("again", title: "Again"), in: tx) }
                return poison
            }
            var deaths = 0
            while deaths < 10, try !work(place, "drain").finish() { deaths += 1 }
            // Once in company, then three times alone.
            #expect(deaths == 4)
            let job = try #require(try queue.get(poison))
            #expect(job.state == .setAside)
            #expect(job.reason == "The process ended 3 times while this was running.")
            let counts = try queue.counts()
            #expect(counts == [.done: 10, .setAside: 1])
        }
    }

    private func work(_ place: DeskPlace, _ what: String) throws -> KilledProgram {
        try KilledProgram("quire-bench", ["job-work", place.home, place.address, what])
    }

    /// As in quire-bench.
    private let effects = MigrationArea(
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
}
