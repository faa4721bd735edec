import Bytes
import Filling
import Glibc
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Packets of a process that is killed")
struct InterruptedPacketsTests {
    @Test("A form that was taken in is there whole, or not at all", arguments: Database.Kind.here)
    func importing(kind: Database.Kind) throws {
        let chance = Chance.seeded(11)
        try withDeskPlace(kind, areas: Desk.areas) { place in
            var promised: [String] = []
            for _ in 0..<(kind == .sqlite ? rounds(30) : 4) {
                let work = try work(place, ["import"])
                let wasKilled = work.kill(
                    afterLines: 1 + chance.integer(below: 9), waiting: chance.integer(below: 20_000))
                try #require(wasKilled)
                promised += work.lines.filter { $0.hasPrefix("+ ") }.map { String($0.dropFirst(2)) }
            }
            let store = try place.open(clock: .system, chance: .system)
            defer { store.close() }
            let desk = Desk(store, hand: HandClock(), list: .pupils(1))
            for id in promised {
                let template = try desk.templates.get(try #require(ID<Template>(id)), by: ada)
                #expect(try desk.templates.fields(template.id, by: ada).count == template.edition.fieldCount)
            }
            let templates = try store.read { try $0.row("SELECT count(*) AS n FROM template")?.int("n") }
            let editions = try store.read {
                try $0.row("SELECT count(*) AS n FROM template_edition")?.int("n")
            }
            #expect(templates == editions)
            #expect(try store.verify().problems == [])
            #expect(promised.count > 3)
        }
    }

    @Test("A plan is there whole, or the one before it is", arguments: Database.Kind.here)
    func planning(kind: Database.Kind) throws {
        let chance = Chance.seeded(12)
        try withDeskPlace(kind, areas: Desk.areas) { place in
            let batch = try drafted(place)
            var wasPlanned = false
            for _ in 0..<(kind == .sqlite ? rounds(30) : 4) {
                let work = try work(place, ["plan", batch.text, "100"])
                let wasKilled = work.kill(
                    afterLines: 1 + chance.integer(below: 3), waiting: chance.integer(below: 200_000))
                try #require(wasKilled)
                let store = try place.open(clock: .system, chance: .system)
                defer { store.close() }
                let desk = Desk(store, hand: HandClock(), list: .pupils(1))
                let found = try desk.batches.get(batch, by: ada)
                if work.lines.contains("planned") { wasPlanned = true }
                #expect(!wasPlanned || found.state == .planned)
                let page = try desk.batches.packets(of: batch, by: ada)
                #expect(page.matchCount == (found.state == .planned ? 100 : 0))
            }
            #expect(wasPlanned)
        }
    }

    @Test(
        "Each recipient gets exactly one packet, however often the making is killed",
        arguments: Database.Kind.here)
    func making(kind: Database.Kind) throws {
        let chance = Chance.seeded(13)
        // A machine that is busy elsewhere may make them all before the first kill comes through. Then the same is made
        // again: what counts is what a kill finds half done.
        let all = kind == .sqlite ? max(2_000, rounds(0) * 100) : 600
        let wanted = kind == .sqlite ? rounds(40) : 4
        try withDeskPlace(kind, areas: Desk.areas) { place in
            var batches = [try planned(place, all)]
            var kills = 0
            for _ in 0..<wanted * 3 where kills < wanted {
                let work = try work(place, ["fill", batches[batches.count - 1].text])
                if work.kill(afterLines: 1, waiting: chance.integer(below: 60_000)) {
                    kills += 1
                } else {
                    batches.append(try planned(place, all))
                }
                try opened(place, all) { desk in
                    for batch in batches {
                        let counts = try desk.batches.counts(of: batch, by: ada)
                        #expect(counts.values.reduce(0, +) == all)
                    }
                    // What counts as made has everything a made packet has.
                    let half = try desk.store.read { reading in
                        try reading.row(
                            """
                            SELECT count(*) AS n FROM packet WHERE (state = 'made') <> (digest <> '')
                                OR (state = 'made') <> (made_at > 0) OR (state = 'made') <> (byte_count > 0)
                            """)?.int("n")
                    }
                    #expect(half == 0)
                }
            }
            let last = try work(place, ["fill", batches[batches.count - 1].text])
            let isDone = last.finish()
            #expect(isDone)
            #expect(kills > 3)
            print("killed \(kills) times while \(batches.count) × \(all) packets were made")
            try opened(place, all) { desk in
                for batch in batches {
                    #expect(try desk.batches.counts(of: batch, by: ada) == [.made: all])
                    for packet in try desk.batches.packets(of: batch, .init(limit: 5, after: 300), by: ada)
                        .packets
                    {
                        #expect(try desk.batches.file(of: packet.id, by: ada).isAsMade)
                    }
                }
                let recipients = try desk.store.read { reading in
                    try reading.rows("SELECT count(DISTINCT recipient) AS n FROM packet GROUP BY batch")
                        .map { try $0.int("n") }
                }
                #expect(recipients == batches.map { _ in all })
                #expect(try desk.store.verify().problems == [])
            }
        }
    }

    @Test(
        "Two programs that make the same batch at once make each packet once", arguments: Database.Kind.here)
    func twoPrograms(kind: Database.Kind) throws {
        try withDeskPlace(kind, areas: Desk.areas) { place in
            let batch = try planned(place, 600)
            let both = try [work(place, ["fill", batch.text]), work(place, ["fill", batch.text])]
            for one in both {
                let isDone = one.finish()
                #expect(isDone)
            }
            try opened(place) { desk in
                #expect(try desk.batches.counts(of: batch, by: ada) == [.made: 600])
                // Started once, filled once.
                let jobs = try desk.store.read { reading in
                    try reading.row("SELECT count(*) AS n FROM job")?.int("n")
                }
                #expect(jobs == 1)
            }
        }
    }

    /// `QUIRE_KILLS=100` kills a hundred times.
    private func rounds(_ usual: Int) -> Int {
        getenv("QUIRE_KILLS").flatMap { Int(String(cString: $0)) } ?? usual
    }

    private func drafted(_ place: DeskPlace) throws -> ID<Batch> {
        try opened(place) { desk in
            let template = try desk.form(SampleForm.make { $0.text("name") })
            let mapping = try desk.mappings.save("[fields]\nname = {name}\n", for: template.id, by: ada)
            var draft = BatchDraft(name: "Killed", list: "pupils", naming: "{name}")
            draft.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
            return try desk.batches.make(draft, by: ada).id
        }
    }

    private func planned(_ place: DeskPlace, _ count: Int) throws -> ID<Batch> {
        let batch = try drafted(place)
        try opened(place, count) { desk in
            try desk.batches.plan(batch, by: ada)
        }
        return batch
    }

    @discardableResult
    private func opened<R>(_ place: DeskPlace, _ count: Int = 600, _ body: (Desk) throws -> R) throws -> R {
        let store = try place.open(clock: .system, chance: .system)
        defer { store.close() }
        return try body(Desk(store, hand: HandClock(), list: .pupils(count)))
    }

    private func work(_ place: DeskPlace, _ what: [String]) throws -> KilledProgram {
        try KilledProgram("quire-bench", ["packet-work", place.home, place.address] + what)
    }
}
