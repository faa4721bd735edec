import Glibc
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("A desk's store")
struct StoreTests {
    @Test("What was written is there when the desk is opened again", arguments: Database.Kind.here)
    func persistence(kind: Database.Kind) throws {
        try withDeskPlace(kind, areas: [Paper.migrations]) { place in
            let first = try place.open()
            try first.addPaper("Lease", "four rooms")
            first.close()
            let second = try place.open()
            defer { second.close() }
            #expect(try second.titles() == ["Lease"])
            #expect(try second.blobs.read(Digest(of: Array("four rooms".utf8))) == Array("four rooms".utf8))
        }
    }

    @Test("A folder that others may look into is closed when the desk is opened")
    func closed() throws {
        try withDeskPlace(.sqlite) { place in
            try place.open().close()
            for open in [0o755, 0o750, 0o707] as [mode_t] {
                chmod(place.home, open)
                chmod(place.home + "/keys", open)
                try place.open().close()
                #expect(permissions(place.home) == 0o700 && permissions(place.home + "/keys") == 0o700)
            }
        }
    }

    @Test(
        "A write that throws leaves nothing, and what waited for its end never happens",
        arguments: Database.Kind.here)
    func undone(kind: Database.Kind) throws {
        try withStore(kind, areas: [Paper.migrations]) { store in
            var happened: [String] = []
            #expect(throws: Failure.self) {
                try store.write { tx in
                    try tx.run("INSERT INTO paper (id, title) VALUES ('x', 'Draft')")
                    tx.record(JournalEntry(actor: "member/ada", verb: "paper.added", subject: "paper/x"))
                    tx.afterCommit { happened.append("undone") }
                    throw Failure(.invalid, "No.")
                }
            }
            try store.write { tx in tx.afterCommit { happened.append("saved") } }
            #expect(happened == ["saved"])
            #expect(try store.titles() == [])
            #expect(try store.journal.lines() == [])
        }
    }

    @Test("What a process has in hand is found when it has ended, and left alone while it lives")
    func inHand() throws {
        try withStore { store in
            try store.holding("a paper") { () throws in #expect(try store.leftInHand() == []) }
            #expect(try store.leftInHand() == [])
            writeFile(store.home.temporary + "/in-hand-1", Array("another paper".utf8))
            #expect(try store.leftInHand() == ["another paper"])
            #expect(try store.leftInHand() == [])
        }
    }

    @Test("Rows written together carry one time")
    func oneNow() throws {
        let hand = HandClock()
        try withStore(clock: hand.clock) { store in
            try store.write { tx in
                let first = tx.now
                hand.advance(.seconds(5))
                #expect(tx.now == first)
            }
        }
    }

    @Test("Ids rise, also within a millisecond and when the clock goes backwards, also across a restart")
    func risingIDs() throws {
        let hand = HandClock()
        try withDeskPlace(.sqlite, areas: [Paper.migrations]) { place in
            var ids: [ID<Paper>] = []
            for days in [0, 1, -400] {
                hand.advance(.seconds(days * 86_400))
                let store = try place.open(clock: hand.clock)
                defer { store.close() }
                for _ in 0..<200 { ids.append(try store.write { tx in tx.newID() }) }
                hand.advance(.seconds(-60))
                for _ in 0..<200 { ids.append(try store.write { tx in tx.newID() }) }
                hand.advance(.seconds(120))
                ids.append(try store.addPaper("Day \(days)"))
            }
            #expect(ids == ids.sorted())
            #expect(Set(ids).count == ids.count)
            #expect(ids.map(\.text) == ids.map(\.text).sorted())
        }
    }

    @Test("An id is a UUID of version 7 that carries its time")
    func idForm() throws {
        let moment = try #require(Moment(iso8601: "2026-11-21T11:35:00.000Z"))
        try withStore(clock: .fixed(moment)) { store in
            let id: ID<Paper> = try store.write { tx in tx.newID() }
            let digits = id.text.filter { $0 != "-" }
            #expect(UInt64(digits.prefix(12), radix: 16) == UInt64(moment.milliseconds))
            #expect(digits.dropFirst(12).first == "7")
            #expect("89ab".contains(digits.dropFirst(16).first!))
            #expect(ID<Paper>(id.text) == id)
        }
    }

    @Test(
        "Only the usual spelling of an id is one",
        arguments: [
            "", "018f", "019AA62A-7320-7000-8000-000000000000", "019aa62a73207000800000000000000000000",
            "019aa62a-7320-7000-8000-00000000000g", "019aa62a-7320-7000-8000-0000000000000",
            "019aa62a-7320-7000_8000-000000000000",
        ])
    func idRefusal(text: String) {
        #expect(ID<Paper>(text) == nil)
    }

    @Test("A desk written by a newer Quire is refused and left alone", arguments: Database.Kind.here)
    func newerSchema(kind: Database.Kind) throws {
        let newer = MigrationArea(
            "papers", Paper.migrations.migrations + [Migration("ink", script: "CREATE TABLE ink (id TEXT)")])
        try withDeskPlace(kind, areas: [newer]) { place in
            try place.open().close()
            let failure = #expect(throws: Failure.self) { try place.open(areas: [Paper.migrations]) }
            #expect(failure?.code == .unsupported)
            #expect(failure?.message.contains("newer version") == true)
            try place.open().close()
        }
    }

    @Test("A second server on one directory is refused and told whom it meets")
    func twoServers() throws {
        try withDeskPlace(.sqlite) { place in
            let first = try place.open()
            try first.lockForServing()
            try first.lockForServing()
            let second = try place.open()
            defer { second.close() }
            let failure = #expect(throws: Failure.self) { try second.lockForServing() }
            #expect(failure?.code == .conflict)
            #expect(failure?.message.contains("process \(processID())") == true)
            first.close()
            try second.lockForServing()
        }
    }
}
