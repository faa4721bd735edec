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

    @Test(
        "comes to the same whether lines are written many at a time or one by one",
        arguments: Database.Kind.here)
    func together(kind: Database.Kind) throws {
        let made = (0..<600).map { note(.made, "\($0)", run: "batch/\($0 % 3)") }
        // Known and new packets side by side, and some twice in one portion.
        let rest =
            (500..<900).map { note($0 % 7 == 0 ? .refused : .accepted, "\($0)", run: "batch/1") }
            + [note(.bounced, "650"), note(.opened, "3"), note(.made, "new"), note(.handedOver, "new")]
            + [note(.corrected, "new"), note(.corrected, "nobody's")]
        func told(in portions: Int) throws -> [String] {
            try Post.with(kind) { post in
                for notes in [made, rest] {
                    for start in stride(from: 0, to: notes.count, by: portions) {
                        let part = Array(notes[start..<min(start + portions, notes.count)])
                        try post.store.write { tx in try post.ledger.write(part, in: tx) }
                    }
                }
                #expect(try post.ledger.verify() == [])
                let items = try post.ledger.list(limit: 500, by: .local).items
                let later = try post.ledger.list(before: items.last?.newest, limit: 500, by: .local).items
                let found = try post.ledger.list(.init(search: "zoë 89"), limit: 500, by: .local).items
                return try (items + later + found).map {
                    "\($0.subject) \($0.state) \($0.run) \($0.recipient) \($0.address)"
                }
                    + ["\(post.ledger.head(by: .local)?.text ?? "")"]
            }
        }
        let (together, apart) = (try told(in: 1000), try told(in: 1))
        #expect(together.count > 600 && together == apart)
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
        "finds one among many by part of a name or an address, old or new, and forgets whom it has forgotten",
        arguments: Database.Kind.here)
    func finds(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            try write(post, note(.made, "rare-one"), note(.made, "李小龙"))
            post.clock.advance(.seconds(3600))
            let crowd = (0..<10_500).map { note(.made, "p\($0)", run: "batch/2") }
            try post.store.write { tx in try post.ledger.write(crowd, in: tx) }
            func found(_ search: String, _ part: Ledger.Filter.Part = .all) throws -> [String] {
                try post.ledger.list(.init(part, search: search), limit: 3, by: .local).items.map(\.subject)
            }
            #expect(try found("rare-o") == ["packet/rare-one"])
            #expect(try found("zoë RARE") == ["packet/rare-one"])
            #expect(try found("小龙") == ["packet/李小龙"])
            #expect(try found("rare-one@example.org", .sent).isEmpty)
            #expect(try found("p1042@") == ["packet/p1042"])
            #expect(try found("p1").count == 3)
            #expect(try found("nobody \"at\" all").isEmpty)
            // An address that changes is found by the new one alone.
            var moved = note(.accepted, "rare-one")
            moved.address = "moved@elsewhere.example"
            try write(post, moved)
            #expect(try found("elsewhere") == ["packet/rare-one"])
            #expect(try found("rare-one@").isEmpty)
            #expect(try post.ledger.tally(by: .local).total == 10_502)
            try post.ledger.forget(before: post.clock.clock.now())
            #expect(try found("小龙").isEmpty && found("moved@") == ["packet/rare-one"])
            #expect(try post.ledger.tally(by: .local).total == 10_501)
        }
    }

    @Test("makes its index of names anew where a backup brought none")
    func indexedAnew() throws {
        try Post.with { post in
            try write(post, note(.made, "a"), note(.made, "b"))
            try post.ledger.prepare()
            try post.store.write { tx in
                _ = try tx.run("INSERT INTO ledger_words (ledger_words) VALUES ('delete-all')")
            }
            try post.ledger.prepare()
            let crowd = (0..<10_100).map { note(.made, "p\($0)") }
            try post.store.write { tx in try post.ledger.write(crowd, in: tx) }
            let found = try post.ledger.list(.init(search: "zoë b@ex"), by: .local).items
            #expect(found.map(\.subject) == ["packet/b"])
        }
    }

    @Test(
        "shows when somebody has tampered with it",
        arguments: [
            "UPDATE ledger SET recipient = 'Eve' WHERE number = 2",
            "UPDATE ledger SET event = 'accepted' WHERE number = 1", "DELETE FROM ledger WHERE number = 2",
            "DELETE FROM ledger WHERE number = 3",
            "UPDATE ledger_head SET number = 2",
            // What lists and exports show, without touching a line.
            "UPDATE ledger_item SET state = 'returned', sent = 1 WHERE subject = 'packet/b'",
            "UPDATE ledger_item SET sent = 1 WHERE subject = 'packet/b'",
            "UPDATE ledger_item SET recipient = 'Eve' WHERE subject = 'packet/b'",
            "UPDATE ledger_item SET address = 'eve@example.org' WHERE subject = 'packet/a'",
            "DELETE FROM ledger_item WHERE subject = 'packet/b'",
            "UPDATE ledger_count SET items = 2 WHERE state = 'accepted' AND run = ''",
            "DELETE FROM ledger_count",
        ])
    func tampering(act: String) throws {
        try Post.with { post in
            try write(post, note(.made, "a"), note(.made, "b"), note(.accepted, "a"))
            #expect(try post.ledger.verify() == [])
            try post.store.write { tx in _ = try tx.run("\(raw: act)") }
            #expect(try post.ledger.verify().isEmpty == false)
        }
    }

    @Test(
        "agrees with its lines whatever happens, is taken back, or is forgotten",
        arguments: Database.Kind.here)
    func agrees(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            try write(
                post, note(.made, "a"), note(.handedOver, "a"), note(.returned, "a"), note(.opened, "a"))
            try write(post, note(.corrected, "a"), note(.corrected, "b"), note(.handedOver, "c"))
            try write(post, note(.corrected, "c"), note(.made, "d"), note(.posted, "d"), note(.refused, "d"))
            var moved = note(.posted, "d")
            moved.address = "moved@example.org"
            try write(post, moved, note(.accepted, "d"), note(.bounced, "d"), note(.accepted, "d"))
            #expect(try post.ledger.verify() == [])
            post.clock.advance(.seconds(3600))
            try write(post, note(.posted, "a"), note(.cancelled, "d"))
            try post.ledger.forget(before: post.clock.clock.now())
            #expect(try post.ledger.verify() == [])
        }
    }

    @Test("shows that it was written anew to whoever kept a line of it elsewhere")
    func kept() throws {
        try Post.with { post in
            try write(post, note(.made, "a"), note(.made, "b"))
            let head = try #require(try post.ledger.head(by: .local))
            let kept = try #require(Ledger.Head(head.text))
            try write(post, note(.accepted, "a"))
            #expect(try post.ledger.verify(keeping: kept) == [])
            // Somebody empties it and lets Quire itself write another story, with digests that are right.
            try post.store.write { tx in
                for table in ["ledger", "ledger_item", "ledger_count"] {
                    try tx.run("DELETE FROM \(raw: table)")
                }
                let none = String(repeating: "0", count: 64)
                try tx.run("UPDATE ledger_head SET number = 0, chain = \(none)")
            }
            try write(post, note(.made, "a"), note(.made, "c"), note(.accepted, "a"))
            #expect(try post.ledger.verify() == [])
            #expect(
                try post.ledger.verify(keeping: kept) == [
                    "Line 2 is not the one you kept: the ledger was written anew."
                ])
            #expect(Ledger.Head("18") == nil && Ledger.Head("x:\(kept.chain)") == nil)
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
