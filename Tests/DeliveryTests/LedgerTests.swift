import Access
import Delivery
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("The ledger")
struct LedgerTests {
    private func note(_ event: LedgerEvent, _ packet: String, run: String = "batch/1") -> LedgerNote {
        LedgerNote(
            event, subject: "packet/\(packet)", run: run, recipient: "Zoë \(packet)",
            address: "\(packet)@example.org", actor: "local")
    }

    private func write(_ post: Post, _ notes: LedgerNote...) throws {
        try post.store.write { tx in try post.ledger.write(notes, in: tx) }
    }

    @Test("sums up what really happened, and no later hope hides it", arguments: Database.Kind.here)
    func sums(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            try write(post, note(.made, "a"), note(.made, "b"), note(.made, "c", run: "batch/2"))
            try write(post, note(.posted, "a"), note(.accepted, "a"))
            #expect(try post.ledger.item("packet/a", by: .local)?.state == .accepted)
            try write(post, note(.bounced, "a"))
            #expect(try post.ledger.tally(of: "batch/1", by: .local).sent == 0)
            try write(post, note(.opened, "a"), note(.accepted, "a"))
            #expect(try post.ledger.item("packet/a", by: .local)?.state == .opened)
            let tally = try post.ledger.tally(by: .local)
            #expect(tally.states == [.opened: 1, .made: 2] && tally.sent == 1 && tally.total == 3)
        }
    }

    @Test("is listed by part, run and words, the newest first", arguments: Database.Kind.here)
    func lists(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            try write(
                post, note(.made, "a"), note(.made, "b"), note(.accepted, "b"),
                note(.made, "c", run: "batch/2"))
            func found(_ filter: Ledger.Filter) throws -> [String] {
                try post.ledger.list(filter, by: .local).items.map(\.subject)
            }
            #expect(try found(.init()) == ["packet/c", "packet/b", "packet/a"])
            #expect(try found(.init(.sent)) == ["packet/b"])
            #expect(try found(.init(.unsent, run: "batch/1")) == ["packet/a"])
            #expect(try found(.init(.state(.made))) == ["packet/c", "packet/a"])
            #expect(try found(.init(search: "ZOË b@")) == ["packet/b"])
            #expect(try found(.init(search: "100%")).isEmpty)
            let page = try post.ledger.list(limit: 2, by: .local)
            #expect(try post.ledger.list(before: page.next, by: .local).items.map(\.subject) == ["packet/a"])
        }
    }

    @Test(
        "shows when somebody has tampered with it",
        arguments: [
            "UPDATE ledger SET recipient = 'Eve' WHERE number = 2",
            "UPDATE ledger SET event = 'accepted' WHERE number = 1", "DELETE FROM ledger WHERE number = 2",
            "DELETE FROM ledger WHERE number = 3",
            "UPDATE ledger_head SET number = 2",
        ])
    func tampering(act: String) throws {
        try Post.with { post in
            try write(post, note(.made, "a"), note(.made, "b"), note(.accepted, "a"))
            #expect(try post.ledger.verify() == [])
            try post.store.write { tx in _ = try tx.run("\(raw: act)") }
            #expect(try post.ledger.verify().isEmpty == false)
        }
    }

    @Test("forgets what is old, and the rest can still be verified", arguments: Database.Kind.here)
    func forgets(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            try write(post, note(.made, "a"), note(.made, "b"))
            post.clock.advance(.seconds(3600))
            try write(post, note(.accepted, "b"))
            #expect(try post.ledger.forget(before: post.clock.clock.now()) == 2)
            #expect(try post.ledger.verify() == [])
            #expect(try post.ledger.list(by: .local).items.map(\.subject) == ["packet/b"])
            #expect(try post.ledger.tally(by: .local).states == [.accepted: 1])
            try write(post, note(.made, "c"))
            #expect(try post.ledger.verify() == [])
        }
    }
}
