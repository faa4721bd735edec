import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Killed in the middle of work")
struct InterruptionTests {
    @Test(
        "Nothing that was said to be saved is lost, and no file is half written",
        arguments: Database.Kind.here)
    func kills(kind: Database.Kind) throws {
        let rounds = kind == .sqlite ? 50 : 8
        let chance = Chance.seeded(2026)
        try withDeskPlace(kind, areas: [papers]) { place in
            var expected: [String: String] = [:]
            for round in 0..<rounds {
                let work = try KilledProgram(
                    "quire-bench", ["storage-work", place.home, place.address, "\(round)"])
                let wasKilled = work.kill(
                    afterLines: 1 + chance.integer(below: 60), waiting: chance.integer(below: 60))
                try #require(wasKilled)
                // A removal may have been saved in the moment before its line.
                let removable = Set(
                    work.lines.filter { $0.hasPrefix("+") }.map { String($0.split(separator: " ")[1]) })
                for line in work.lines {
                    let words = line.split(separator: " ").map(String.init)
                    expected[words[1]] = words[0] == "-" ? "removed" : words.count > 2 ? words[2] : "note"
                }
                let store = try place.open(clock: .system, chance: .system)
                defer { store.close() }
                try store.lockForServing()
                var found: [String: String] = [:]
                try store.read { desk in
                    try desk.each("SELECT id, digest FROM paper") { row in
                        found[try row.text("id")] = try row.optionalText("digest") ?? "note"
                    }
                }
                let lost = expected.filter { id, what in
                    what != "removed" && found[id] != what && !removable.contains(id)
                }
                #expect(lost.isEmpty, "round \(round) lost \(lost)")
                let undead = expected.filter { id, what in what == "removed" && found[id] != nil }
                #expect(undead.isEmpty, "round \(round) still has \(undead)")
                for id in expected.keys where found[id] == nil { expected[id] = "removed" }
                #expect(try store.verify().problems == [], "round \(round)")
                #expect(files(below: store.home.temporary) == [])
            }
            #expect(expected.count > rounds)
        }
    }

    /// As in quire-bench.
    private let papers = MigrationArea(
        "papers",
        [
            Migration(
                "paper",
                script: """
                    CREATE TABLE paper (
                        id TEXT NOT NULL PRIMARY KEY,
                        digest TEXT REFERENCES blob (digest)
                    )
                    """)
        ])
}
