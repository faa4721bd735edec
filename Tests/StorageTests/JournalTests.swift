import Bytes
import SQL
import Storage
import Synchronization
import TestSupport
import Testing
import Work

@Suite("The journal")
struct JournalTests {
    @Test("It lists who did what, the newest first, page by page", arguments: Database.Kind.here)
    func listing(kind: Database.Kind) throws {
        try withStore(kind, areas: [Paper.migrations]) { store in
            for n in 1...5 { try store.addPaper("Paper \(n)", by: n == 3 ? "member/bob" : "member/ada") }
            let journal = store.journal
            #expect(try journal.lines(limit: 2).map(\.number) == [5, 4])
            #expect(try journal.lines(before: 4, limit: 2).map(\.number) == [3, 2])
            let bob = try journal.lines(Journal.Filter(actor: "member/bob", verbPrefix: "paper."))
            #expect(bob.map(\.entry.detail) == [["title": "Paper 3"]])
            #expect(try journal.lines(Journal.Filter(subject: bob[0].entry.subject)) == bob)
            #expect(try journal.lines(Journal.Filter(verbPrefix: "paper%")) == [])
            #expect(try journal.lines(Journal.Filter(to: store.clock.now())) == [])
            #expect(try journal.verify() == [])
        }
    }

    @Test("A changed, a missing and a cut off entry show", arguments: Database.Kind.here)
    func tampering(kind: Database.Kind) throws {
        let spoilt: [(Query, String)] = [
            (
                "UPDATE journal SET actor = 'member/eve' WHERE number = 2",
                "Entry 2 of the journal or the one before it was changed."
            ),
            ("DELETE FROM journal WHERE number = 2", "Entries 2 to 2 of the journal are missing."),
            ("DELETE FROM journal WHERE number = 4", "The last entries of the journal are missing."),
        ]
        for (change, sentence) in spoilt {
            try withStore(kind, areas: [Paper.migrations]) { store in
                for n in 1...4 { try store.addPaper("Paper \(n)") }
                _ = try store.database.write { try $0.run(change) }
                #expect(try store.journal.verify().contains(sentence))
                #expect(try !store.verify().isSound)
            }
        }
    }

    @Test("Many writers at once leave one unbroken chain", arguments: Database.Kind.here)
    func manyWriters(kind: Database.Kind) throws {
        try withStore(kind, areas: [Paper.migrations], clock: .system) { store in
            let workers = Workers(name: "writers", threads: 4)
            defer { workers.stop() }
            let added = try workers.map(Array(1...60)) { n in try store.addPaper("Paper \(n)") }
            #expect(Set(added).count == 60)
            #expect(try store.journal.lines(limit: 100).map(\.number) == Array((1...60).reversed()))
            #expect(try store.journal.verify() == [])
        }
    }
}
