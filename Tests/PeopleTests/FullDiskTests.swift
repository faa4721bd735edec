import Access
import Jobs
import People
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("When the disk is full while recipients come in")
struct FullDiskTests {
    @Test(
        "It is said, the list stays as it was, and the same import goes through once there is room",
        .enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func fullDisk() throws {
        try SmallDisk.with(megabytes: 24) { disk in
            let store = try Store.open(
                home: disk.path + "/desk", clock: HandClock().clock, chance: .seeded(1),
                areas: [Gate.migrations, JobQueue.migrations, Recipients.migrations])
            defer { store.close() }
            let recipients = Recipients(Gate(store), queue: JobQueue(store))
            let list = try recipients.make("Everybody", by: ada)
            try recipients.bring("id,name\n1,Ana\n2,Bo\n", into: list.id)
            let filler = String(repeating: "x", count: 200)
            var text = "id,name,more\n"
            for id in 1...20_000 { text += "\(id),Person \(id),\(filler)\n" }
            let pending = try recipients.take(
                .bytes(Array(text.utf8)), named: "people.csv", into: list.id, by: ada)
            disk.fill(leaving: 600_000)
            let failure = #expect(throws: Failure.self) { try recipients.apply(pending.id, by: ada) }
            #expect(failure?.code == .full)
            #expect(failure?.message == "The disk is full: nothing was saved. Make room and try again.")
            #expect(try recipients.shown(list.id) == [["1", "Ana"], ["2", "Bo"]])
            #expect(try recipients.verify() == [])

            disk.makeRoom()
            try recipients.apply(pending.id, by: ada)
            try recipients.sweep(grace: .seconds(-1))
            #expect(try recipients.get(list.id, by: ada).count == 20_000)
            #expect(try recipients.verify() == [])
        }
    }
}
