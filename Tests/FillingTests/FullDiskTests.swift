import Filling
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("When the disk is full while packets are planned and made")
struct FullDiskTests {
    @Test(
        "It is said, nothing half-done counts, and the work goes on once there is room",
        .enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func fullDisk() throws {
        try SmallDisk.with(megabytes: 32) { disk in
            let hand = HandClock()
            let store = try Store.open(
                home: disk.path + "/desk", clock: hand.clock, chance: .seeded(1), areas: Desk.areas)
            defer { store.close() }
            let desk = Desk(store, hand: hand, list: .pupils(3000))
            let batch = try desk.batch()
            func rows() throws -> Int {
                try store.read { try $0.row("SELECT count(*) AS n FROM packet")?.int("n") ?? -1 }
            }

            disk.fill(leaving: 500_000)
            let failure = #expect(throws: Failure.self) { try desk.batches.plan(batch.id, by: ada) }
            #expect(failure?.code == .full)
            #expect(try desk.batches.get(batch.id, by: ada).state == .draft)
            #expect(try desk.packets(batch).isEmpty)

            disk.makeRoom()
            #expect(try desk.batches.plan(batch.id, by: ada).summary?.planned == 3000)
            #expect(try rows() == 3000)

            disk.fill(leaving: 0)
            // The promise itself may find no room any more; then nothing has begun.
            _ = try? desk.batches.fill(batch.id, by: ada)
            desk.work()
            for packet in try desk.packets(batch, .init(state: .made, limit: 500)) {
                #expect(packet.digest != nil && packet.byteCount > 0)
            }
            let counts = try desk.batches.counts(of: batch.id, by: ada)
            #expect(counts.values.reduce(0, +) == 3000)
            #expect(counts[.failed] == nil, "a full disk is no fault of a packet")

            disk.makeRoom()
            for _ in 0..<5 {
                // Tried again after a while by itself, or when somebody says so.
                hand.advance(.seconds(3600))
                switch try desk.batches.get(batch.id, by: ada).state {
                case .planned, .approved: try desk.batches.fill(batch.id, by: ada)
                case .paused, .filling: _ = try? desk.batches.resume(batch.id, by: ada)
                default: break
                }
                desk.work()
            }
            #expect(try desk.batches.get(batch.id, by: ada).state == .done)
            #expect(try desk.batches.counts(of: batch.id, by: ada) == [.made: 3000])
            #expect(try rows() == 3000)
            #expect(try store.verify().problems == [])
        }
    }
}
