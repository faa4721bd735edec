import Access
import Jobs
import People
import SQL
import Storage
import Tables
import TestSupport
import Testing
import Work

@Suite("Killed while recipients are brought in", .serialized)
struct InterruptionTests {
    /// What the list held at a moment: every row is of one version of the file.
    private struct State: Equatable {
        var version: Int
        var count: Int
        var isCut: Bool
    }

    @Test("The list is as it was or as it should be, and never half of either", arguments: Database.Kind.here)
    func kills(kind: Database.Kind) throws {
        let rounds = kind == .sqlite ? 100 : 8
        let chance = Chance.seeded(2026)
        let areas = [Gate.migrations, JobQueue.migrations, Recipients.migrations]
        try withDeskPlace(kind, areas: areas) { place in
            var known = State(version: 0, count: 0, isCut: true)
            for round in 0..<rounds {
                let work = try KilledProgram("quire-bench", ["people-work", place.home, place.address])
                let wasKilled = work.kill(
                    afterLines: chance.integer(below: 3), waiting: chance.integer(below: 120_000))
                try #require(wasKilled)
                if let said = work.lines.last { known = try state(said) }
                let store = try place.open(clock: .system, chance: .system)
                defer { store.close() }
                try store.lockForServing()
                let recipients = Recipients(Gate(store), queue: JobQueue(store))
                try recipients.sweep(grace: .seconds(-1))
                #expect(try recipients.verify() == [], "round \(round)")
                guard let list = try recipients.all(by: .local).first else { continue }
                var versions: Set<String> = []
                var count = 0
                try recipients.each(list.id, by: .local) { recipient in
                    versions.insert(recipient.cells[1].shown)
                    count += 1
                }
                #expect(versions.count <= 1, "round \(round): \(versions)")
                #expect(count == list.count)
                let version = versions.first.flatMap { Int($0) } ?? 0
                let now = State(version: version, count: count, isCut: count != full(version))
                #expect(now == known || now == next(known), "round \(round): \(now) after \(known)")
                known = now
            }
            #expect(known.version > 2)
        }
    }

    /// As in quire-bench.
    private func full(_ version: Int) -> Int { version == 0 ? -1 : 400 + version * 137 % 900 }

    private func next(_ state: State) -> State {
        guard state.isCut else {
            let kept = (1...full(state.version)).count { !"\($0)".hasPrefix("1") }
            return State(version: state.version, count: kept, isCut: true)
        }
        return State(version: state.version + 1, count: full(state.version + 1), isCut: false)
    }

    private func state(_ line: String) throws -> State {
        let words = line.split(separator: " ")
        return State(
            version: try #require(Int(words[1])), count: try #require(Int(words[2])), isCut: words[0] == "-")
    }
}
