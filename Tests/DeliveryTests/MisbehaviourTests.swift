import Access
import Delivery
import Glibc
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Transfer
import Work

@Suite("A mail server with bad manners")
struct MisbehaviourTests {
    /// Sends one letter to an address until nothing moves any more, and says where it ended and how often it arrived.
    private func outcome(
        _ address: String, attached: Int = 0
    ) throws -> (states: [OutboxMessage.State], arrived: Int, words: String) {
        try withScratchFolder { folder in
            let server = try Peer("moody.py", [folder])
            return try Post.with { post in
                var draft = try post.draft(address)
                if attached > 0 {
                    let digest = try post.store.blobs.put([UInt8](repeating: 7, count: attached))
                    draft.attachments = [
                        .init(fileName: "a.bin", mediaType: "application/octet-stream", digest: digest)
                    ]
                }
                // Somebody else's letter goes over the same connection.
                let mailing = try post.mailing([], released: false)
                try post.outbox.post([draft, post.draft("fine@example.org")], to: mailing.id, by: .local)
                try post.outbox.release(mailing.id, by: .local)
                var states: [OutboxMessage.State] = []
                for _ in 0..<4 {
                    post.work(with: server.port)
                    states.append(try post.message(to: address).state)
                    post.clock.advance(.seconds(400))
                }
                #expect(try post.message(to: "fine@example.org").state == .accepted)
                #expect(try post.ledger.verify() == [])
                let ledger = try post.ledger.item("packet/\(address)", by: .local)?.state.rawValue
                let message = try post.message(to: address)
                #expect(ledger == (message.state == .waiting ? "posted" : message.state.rawValue))
                let words = try post.outbox.attempts(of: message.id, by: .local).first?.words ?? ""
                var arrived = 0
                var number = 1
                while access("\(folder)/\(number).eml", F_OK) == 0 {
                    let text = String(decoding: try contents(of: "\(folder)/\(number).eml"), as: UTF8.self)
                    if text.contains(message.messageID) { arrived += 1 }
                    number += 1
                }
                return (states, arrived, words)
            }
        }
    }

    @Test("that says later is asked again later")
    func greylisting() throws {
        let (states, arrived, words) = try outcome("grey@example.org")
        #expect(states == [.waiting, .accepted, .accepted, .accepted])
        #expect(arrived == 1 && words.contains("451 4.7.1 Greylisted"))
    }

    @Test("that says never is not asked again, and its words are kept")
    func rejection() throws {
        let (states, arrived, words) = try outcome("no@example.org")
        #expect(Set(states) == [.refused] && arrived == 0)
        #expect(words.contains("550 5.1.1 No such mailbox"))
    }

    @Test("that hangs up in the middle of a letter gets it again, for it cannot have taken it over")
    func cut() throws {
        // More than fits on the way between the two, so that its end cannot have left.
        let (states, arrived, _) = try outcome("cut@example.org", attached: 12 << 20)
        #expect(states.first == .waiting && states.last == .accepted)
        #expect(arrived == 1)
    }

    @Test("that hangs up after a letter was whole gets it no second time")
    func dropped() throws {
        let (states, arrived, _) = try outcome("drop@example.org")
        #expect(Set(states) == [.uncertain] && arrived == 1)
    }

    @Test("that says nothing is left alone for a while")
    func hanging() throws {
        let (states, arrived, _) = try outcome("hang@example.org")
        #expect(states.first == .waiting && states.last == .accepted && arrived == 1)
    }

    @Test("that says why it hangs up is quoted")
    func farewell() throws {
        let (states, arrived, words) = try outcome("bye@example.org")
        #expect(states.first == .waiting && states.last == .accepted && arrived == 1)
        #expect(words.contains("421 4.7.0 Too many errors"), "\(words)")
    }

    @Test(
        "that drops the connection at one letter in four keeps nobody else's letter waiting, and each arrives once"
    )
    func dropsConnections() throws {
        try withScratchFolder { folder in
            let server = try Peer("moody.py", [folder, "4"])
            try Post.with { post in
                let people = (1...60).map { "fine\($0)@example.org" }
                let mailing = try post.mailing(people)
                post.work(with: server.port)
                // Without a moment's rest all have gone but those whose own connection broke.
                let states = try post.states(of: mailing)
                #expect((states[.accepted] ?? 0) >= 44, "\(states)")
                #expect((states[.accepted] ?? 0) + (states[.waiting] ?? 0) == 60)
                for _ in 0..<4 {
                    post.clock.advance(.seconds(13 * 3600))
                    post.work(with: server.port)
                }
                #expect(try post.states(of: mailing) == [.accepted: 60])
                #expect(access("\(folder)/60.eml", F_OK) == 0 && access("\(folder)/61.eml", F_OK) != 0)
                #expect(try post.ledger.verify() == [])
            }
        }
    }

    @Test("that says nothing after a letter was whole leaves its fate uncertain")
    func mute() throws {
        let (states, arrived, _) = try outcome("mute@example.org")
        #expect(Set(states) == [.uncertain] && arrived == 1)
    }

    @Test(
        "that answers out of order is believed nothing", arguments: ["order@example.org", "soon@example.org"])
    func order(address: String) throws {
        let (states, arrived, _) = try outcome(address)
        #expect(states.first != .accepted)
        // Whatever it is taken for, it never arrives twice, and is never said to have arrived when it has not.
        #expect(arrived <= 1)
        #expect((states.last == .accepted) == (arrived == 1))
    }
}

@Suite("Sending when the machine fails")
struct MachineFailureTests {
    @Test("loses nothing and doubles nothing on a full disk")
    func fullDisk() throws {
        try Post.with { post in
            let mailing = try post.mailing((1...30).map { "p\($0)@example.org" }, released: false)
            try post.outbox.release(mailing.id, by: .local)
            // The database may not grow by another page: as on a disk that is full.
            let pages = try post.store.write { tx in
                try tx.row("PRAGMA page_count")?.int("page_count") ?? 0
            }
            try post.store.write { tx in _ = try tx.row("PRAGMA max_page_count = \(raw: "\(pages + 1)")") }
            post.work()
            let carried = post.carrier.messageIDs
            try post.store.write { tx in _ = try tx.row("PRAGMA max_page_count = 1000000") }
            let during = try post.states(of: mailing)
            #expect((during[.accepted] ?? 0) <= carried.count)
            post.clock.advance(.seconds(3600))
            try post.outbox.release(mailing.id, by: .local)
            post.work()
            let all = post.carrier.messageIDs
            #expect(Set(all).count == all.count)
            let after = try post.states(of: mailing)
            #expect((after[.accepted] ?? 0) + (after[.uncertain] ?? 0) == 30)
            // What was carried but could not be written down is told as uncertain, never as not sent.
            #expect(all.count >= after[.accepted] ?? 0)
            #expect(try post.ledger.verify() == [])
        }
    }

    @Test(
        "goes on when the clock is put back or forward",
        arguments: [.seconds(3600), .days(1), .days(30), .days(4 * 365)] as [Duration])
    func clockJumps(error: Duration) throws {
        try Post.with { post in
            let mailing = try post.mailing((1...4).map { "p\($0)@example.org" }, pace: Pace(perMinute: 1))
            post.work()
            #expect(post.carrier.addresses.count == 1)
            post.clock.advance(.zero - error)
            try post.outbox.release(mailing.id, by: .local)
            // It waits for nothing in a time that has not come.
            post.work()
            #expect(post.carrier.addresses.count == 2)
            // Held stays held, whatever time it is.
            try post.outbox.pause(mailing.id, by: .local)
            post.clock.advance(error)
            post.work()
            #expect(post.carrier.addresses.count == 2)
            try post.outbox.release(mailing.id, by: .local)
            post.clock.advance(.seconds(60))
            post.work()
            #expect(post.carrier.addresses.count == 3)
            post.clock.advance(.seconds(60))
            post.work()
            #expect(post.carrier.addresses.count == 4)
            #expect(Set(post.carrier.messageIDs).count == 4)
            #expect(try post.ledger.verify() == [])
        }
    }
}
