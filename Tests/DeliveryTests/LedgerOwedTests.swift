import Access
import Delivery
import Filling
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("The ledger's lines about packets that were made")
struct LedgerOwedTests {
    @Test("are written when the making has ended, each once", arguments: Database.Kind.here)
    func afterwards(kind: Database.Kind) throws {
        try Office.with(kind) { office in
            let batch = try office.batch(accounts: false)
            #expect(try office.ledger.lines(after: 0).isEmpty)
            // Everybody who looks is told the truth all the same.
            #expect(try office.sendings.tally(of: batch.id, by: .local).states == [.made: 3])
            office.work()
            try office.ledger.settle()
            let lines = try office.ledger.lines(after: 0)
            #expect(lines.map(\.note.event) == [.made, .made, .made])
            #expect(Set(lines.map(\.note.subject)).count == 3)
            #expect(
                lines.allSatisfy { $0.note.run == "batch/\(batch.id)" && $0.note.actor == "quire/filling" })
            #expect(try office.sendings.tally(of: batch.id, by: .local).states == [.made: 3])
            #expect(try office.ledger.verify() == [])
        }
    }

    @Test("come before whatever else is said about the packet", arguments: Database.Kind.here)
    func first(kind: Database.Kind) throws {
        try Office.with(kind) { office in
            let batch = try office.batch(accounts: false)
            let packet = try office.packet("bo", of: batch)
            try office.sendings.handOver(packet.id, by: .local)
            #expect(
                try office.ledger.lines(of: "packet/\(packet.id)").map(\.note.event) == [.made, .handedOver])
            office.work()
            #expect(
                try office.ledger.lines(of: "packet/\(packet.id)").map(\.note.event) == [.made, .handedOver])
            #expect(try office.ledger.lines(after: 0).count == 4)
        }
    }

    @Test("are promised again by a desk that was stopped before they were written")
    func promisedAgain() throws {
        try Office.with { office in
            _ = try office.batch(accounts: false)
            try office.store.write { tx in _ = try tx.run("DELETE FROM job WHERE kind = 'account'") }
            try office.ledger.promiseAccount(in: office.queue)
            office.work()
            #expect(try office.ledger.lines(after: 0).count == 3)
            try office.ledger.promiseAccount(in: office.queue)
            #expect(try office.queue.list().allSatisfy { $0.state == .done })
        }
    }

    @Test("are promised when a making is stopped in the middle too")
    func paused() throws {
        try Office.with { office in
            let batch = try office.batch(made: false)
            try office.batches.fill(batch.id, by: .local)
            #expect(try office.queue.list().allSatisfy { $0.kind != "account" })
            try office.batches.pause(batch.id, by: .local)
            #expect(try office.queue.list().contains { $0.kind == "account" && $0.state == .waiting })
            try office.batches.resume(batch.id, by: .local)
            office.work()
            #expect(try office.ledger.lines(after: 0).count == 3)
        }
    }
}
