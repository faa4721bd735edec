import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("What a sweep takes")
struct WaitingRoomTests {
    private static let day = Duration.seconds(86_400)

    @Test("It waits for a month and then is gone", arguments: Database.Kind.here)
    func waits(kind: Database.Kind) throws {
        let hand = HandClock()
        try withStore(kind, areas: [Paper.migrations], clock: hand.clock) { store in
            let digest = try letGo("Draft", of: store)
            hand.advance(Self.day * 2)
            #expect(try store.sweep().count == 1)
            #expect(!store.blobs.contains(digest))
            hand.advance(Self.day * 29)
            #expect(try store.sweep().goneCount == 0)
            hand.advance(Self.day * 2)
            #expect(try store.sweep().goneCount == 1)
            #expect(throws: Failure.self) { try store.blobs.read(digest) }
        }
    }

    @Test("It comes back when it is read, and when a row names it again")
    func comesBack() throws {
        let hand = HandClock()
        try withStore(areas: [Paper.migrations], clock: hand.clock) { store in
            let (read, kept) = (try letGo("Read", of: store), try letGo("Kept", of: store))
            hand.advance(Self.day * 2)
            #expect(try store.sweep().count == 2)
            #expect(try store.blobs.read(read) == Array("Read".utf8))
            try store.write { tx in try tx.keep(kept) }
            #expect(store.blobs.contains(read) && store.blobs.contains(kept))
        }
    }

    @Test("It comes back by itself to a database that was set back to when it was needed")
    func olderDatabase() throws {
        let hand = HandClock()
        try withStore(areas: [Paper.migrations], clock: hand.clock) { store in
            let digest = try letGo("Draft", of: store)
            hand.advance(Self.day * 2)
            try store.sweep()
            try store.database.write { connection in
                try connection.run(
                    "INSERT INTO blob (digest, byte_count, kept_at) VALUES (\(digest), 5, 0)")
                try connection.run("INSERT INTO paper (id, title, digest) VALUES ('1', 'Draft', \(digest))")
            }
            let verified = try store.verify()
            #expect(verified.problems == [] && verified.filesChecked == 1)
            #expect(store.blobs.contains(digest))
            try store.sweep()
            #expect(try store.blobs.read(digest) == Array("Draft".utf8))
        }
    }

    @Test("A sweep of much that the database does not know takes nothing and asks")
    func unknown() throws {
        let hand = HandClock()
        try withStore(areas: [Paper.migrations], clock: hand.clock) { store in
            for n in 0..<40 { try store.addPaper("\(n)", "\(n)") }
            // As in a database from before these came.
            try store.database.write { connection in
                try connection.run("DELETE FROM paper")
                try connection.run("DELETE FROM blob")
            }
            hand.advance(Self.day * 2)
            let failure = #expect(throws: Failure.self) { try store.sweep() }
            #expect(failure?.message.contains("40 of the 40 files") == true)
            #expect(failure?.message.contains("quire sweep --all") == true)
            #expect(store.blobs.contains(Digest(of: Array("7".utf8))))
            #expect(try store.sweep(all: true).count == 40)
            #expect(try store.blobs.read(Digest(of: Array("7".utf8))) == Array("7".utf8))
        }
    }

    @Test("Things made in passing are cleared away without asking, old papers by the hundred are not")
    func inPassing() throws {
        let hand = HandClock()
        try withStore(areas: [Paper.migrations], clock: hand.clock) { store in
            for n in 0..<150 { try letGo("converted \(n)", of: store) }
            hand.advance(Self.day * 2)
            #expect(try store.sweep().count == 150)
            for n in 0..<150 { try store.addPaper("\(n)", "paper \(n)") }
            hand.advance(Self.day * 40)
            try store.write { tx in try tx.run("DELETE FROM paper") }
            #expect(throws: Failure.self) { try store.sweep() }
            #expect(try store.sweep(all: true).count == 150)
        }
    }

    @discardableResult
    private func letGo(_ text: String, of store: Store) throws -> Digest {
        let paper = try store.addPaper(text, text)
        try store.write { tx in try tx.run("DELETE FROM paper WHERE id = \(paper)") }
        return Digest(of: Array(text.utf8))
    }
}
