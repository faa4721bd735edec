import Access
import App
import Bytes
import Delivery
import Filling
import Jobs
import Library
import People
import SQL
import Storage
@testable import Sync
import TestSupport
import Testing
import Work

@Suite("Send-outs that are kept in step")
struct BatchKindTests {
    @Test(
        "A send-out comes with its letter, the files of that, its form and its list, and can be made on the other desk",
        arguments: ["", "four plain words here"])
    func whole(passphrase: String) throws {
        try withPair([.batches], passphrase: passphrase) { home, office in
            let batch = try home.batch("Consent", for: "Name,E-mail\nAna Ruiz,ana@example.org\nBen,\n")
            let copy = try home.quire.batches.duplicate(batch, by: .local)
            try home.letter(of: batch) { $0.subject = "Your form, {{Name}}" }
            try home.quire.sendings.attach(
                .bytes(Array("Bring it".utf8)), named: "read.txt", to: batch, by: .local)
            try home.visit()
            #expect(try office.visit().failed == 0)
            let there = try office.quire.batches.get(batch, by: .local)
            #expect(try there.draft == home.quire.batches.get(batch, by: .local).draft)
            #expect(there.state == .draft && there.madeElsewhere == nil)
            #expect(try office.quire.batches.get(copy.id, by: .local).previous == batch)
            let letter = try office.quire.sendings.letter(of: batch, by: .local)
            #expect(letter.subject == "Your form, {{Name}}" && letter.files.map(\.name) == ["read.txt"])
            #expect(try office.quire.store.blobs.read(letter.files[0].digest) == Array("Bring it".utf8))
            #expect(try office.quire.store.verify().problems == [])
            // What the other desk decides comes back: the file is taken out, the letter is for others.
            try office.quire.sendings.detach(0, from: batch, by: .local)
            var draft = there.draft
            draft.naming = "{Name}"
            draft.options.flattens = true
            try office.quire.batches.change(batch, to: draft, by: .local)
            try office.visit()
            try home.visit()
            #expect(try home.quire.batches.get(batch, by: .local).draft == draft)
            #expect(try home.quire.sendings.letter(of: batch, by: .local).files.isEmpty)
            try office.make(batch)
            #expect(try office.quire.batches.counts(of: batch, by: .local) == [.made: 2])
            for desk in [home, office] { #expect(try desk.visit().failed == 0) }
        }
    }

    @Test("A plan that somebody has looked at no longer holds when another desk has decided anew")
    func planned() throws {
        try withPair([.batches]) { home, office in
            let batch = try home.batch("Consent", for: "Name\nAna Ruiz\n")
            try home.visit()
            try office.visit()
            let seen = try office.quire.batches.plan(batch, by: .local)
            // Another name is no other plan.
            try home.change(batch) { $0.name = "Consent 2026" }
            try home.visit()
            try office.visit()
            #expect(try office.quire.batches.get(batch, by: .local).edition == seen.edition)
            try home.change(batch) { $0.options.duplex = true }
            try home.visit()
            try office.visit()
            let now = try office.quire.batches.get(batch, by: .local)
            #expect(now.state == .draft && now.edition != seen.edition && now.name == "Consent 2026")
            #expect(throws: Failure.self) { try office.quire.batches.fill(batch, by: .local) }
        }
    }

    @Test(
        "What one desk makes, the others look at: how far it is and who has it; nobody gets it from two desks"
    )
    func madeElsewhere() throws {
        try withPair([.batches]) { home, office in
            let batch = try home.batch("Consent", for: "Name,E-mail\nAna Ruiz,ana@example.org\nBen Olsen,\n")
            try home.visit()
            try office.visit()
            _ = try office.quire.batches.plan(batch, by: .local)
            try home.make(batch)
            let packets = try home.quire.batches.packets(of: batch, .init(), by: .local).packets
            try home.quire.sendings.handOver(packets[0].id, by: .local)
            try home.visit()
            try office.visit()
            let there = office.quire.batches
            let seen = try there.get(batch, by: .local)
            #expect(seen.state == .elsewhere && seen.state.isBegun && !seen.isBegunHere)
            let made = try #require(seen.madeElsewhere)
            #expect(made.desk == home.quire.deskName && made.state == .done)
            #expect((made.made, made.missing, made.sent, made.replies) == (2, 0, 1, 0))
            let account = try #require(try office.quire.sendings.accountElsewhere(of: batch, by: .local))
            #expect(account.items.map(\.recipient) == ["Ana Ruiz", "Ben Olsen"])
            #expect(account.items.map(\.state) == [.handedOver, .made])
            // What somebody got there is known here, by their address or by their name where there is none.
            func got(_ addresses: [String], _ name: String) throws -> [LedgerEvent] {
                let all = try office.quire.sendings.sentElsewhere(to: addresses, orCalled: name, by: .local)
                #expect(all.allSatisfy { $0.desk == home.quire.deskName && $0.batch == batch })
                return all.map(\.item.state)
            }
            #expect(try got(["ANA@example.org"], "Somebody else") == [.handedOver])
            #expect(try got([], "Ben Olsen") == [.made] && got([], "Ana Ruiz").isEmpty && got([], "").isEmpty)
            #expect(try there.list(.init(state: .elsewhere), by: .local).batches.map(\.id) == [batch])
            #expect(try there.list(.init(state: .planned), by: .local).batches.isEmpty)
            #expect(try there.counts(of: [seen], by: .local)[batch]?[.made] == nil)
            // None of the ways to make or send it is open here.
            for act in [
                { _ = try there.plan(batch, by: .local) }, { _ = try there.approve(batch, by: .local) },
                { _ = try there.fill(batch, by: .local) }, { _ = try there.remake(batch, by: .local) },
                { _ = try there.resume(batch, by: .local) }, { try there.discard(batch, by: .local) },
                { try office.change(batch) { $0.options.duplex = true } },
                { try office.letter(of: batch) { $0.subject = "Hello" } },
                { _ = try office.quire.sendings.start(batch, confirming: 2, by: .local) },
            ] as [() throws -> Void] {
                #expect(throws: Failure.self) { try act() }
            }
            // A copy is for others; who would get something new is known only where it was made.
            let copy = try there.duplicate(batch, by: .local).id
            try office.change(copy) { $0.options.onlyChanged = true }
            let refused = #expect(throws: Failure.self) { try there.plan(copy, by: .local) }
            #expect(refused?.message.contains("was made on the desk") == true)
            try office.change(copy) { $0.options.onlyChanged = false }
            try office.make(copy)
            // One comes back; that is told, and the send-out itself has not changed.
            try home.quire.sendings.returned(packets[0].id, by: .local)
            try home.visit()
            try office.visit()
            let later = try there.get(batch, by: .local)
            #expect(later.madeElsewhere?.replies == 1 && later.version == seen.version)
            #expect(later.changedAt == seen.changedAt)
            #expect(try got(["ana@example.org"], "") == [.returned])
            #expect(
                try office.quire.sendings.accountElsewhere(of: batch, by: .local)?.items[0].state == .returned
            )
            // It is thrown away and brought back as anything else, and the packets stay where they are.
            try there.trash(batch, by: .local)
            try office.visit()
            try home.visit()
            #expect(try home.quire.batches.get(batch, by: .local).isTrashed)
            try home.quire.batches.restore(batch, by: .local)
            try home.visit()
            try office.visit()
            #expect(try !there.get(batch, by: .local).isTrashed)
            #expect(try home.quire.batches.counts(of: batch, by: .local) == [.made: 2])
            #expect(try home.quire.batches.get(copy, by: .local).madeElsewhere?.made == 2)
            for desk in [home, office] {
                #expect(try desk.visit().failed == 0)
                #expect(try desk.visit().waiting == 0)
                #expect(try desk.quire.store.verify().problems == [])
            }
        }
    }

    @Test("What two desks decide at the same time is there twice, each with its own letter")
    func apart() throws {
        try withPair([.batches]) { home, office in
            let batch = try home.batch("Consent", for: "Name\nAna Ruiz\n")
            try home.visit()
            try office.visit()
            for (desk, word) in [(home, "north"), (office, "south")] {
                desk.hand.advance(.seconds(60))
                try desk.change(batch) { $0.naming = "{Name} \(word)" }
                try desk.letter(of: batch) { $0.body = word }
                try desk.quire.sendings.attach(
                    .bytes(Array(word.utf8)), named: "\(word).txt", to: batch, by: .local)
            }
            for _ in 0..<3 {
                try home.visit()
                try office.visit()
            }
            for desk in [home, office] {
                let all = try desk.quire.batches.list(by: .local).batches
                #expect(all.count == 2 && all.contains { $0.name.hasPrefix("Consent (conflict, ") })
                for batch in all {
                    let letter = try desk.quire.sendings.letter(of: batch.id, by: .local)
                    #expect(batch.draft.naming == "{Name} \(letter.body)")
                    #expect(letter.files.map(\.name) == ["\(letter.body).txt"])
                    #expect(
                        try desk.quire.store.blobs.read(letter.files[0].digest) == Array(letter.body.utf8))
                }
                #expect(Set(all.map(\.draft.naming)) == ["{Name} north", "{Name} south"])
                #expect(try desk.visit().failed == 0)
            }
        }
    }

    @Test(
        "What has begun stays as it was begun, also when another desk decided anew meanwhile; begun on both, each goes on"
    )
    func begunOnBoth() throws {
        try withPair([.batches]) { home, office in
            let batch = try home.batch("Consent", for: "Name\nAna Ruiz\n")
            try home.visit()
            try office.visit()
            try home.make(batch)
            office.hand.advance(.seconds(60))
            try office.change(batch) { $0.naming = "{Name} south" }
            try office.letter(of: batch) { $0.body = "south" }
            // The other begins as well before it hears.
            try office.make(batch)
            for _ in 0..<3 {
                try office.visit()
                try home.visit()
            }
            let here = try home.quire.batches.get(batch, by: .local)
            #expect(here.state == .done && here.draft.naming == BatchDraft.usualNaming)
            #expect(try home.quire.sendings.letter(of: batch, by: .local).body != "south")
            #expect(try home.quire.batches.counts(of: batch, by: .local) == [.made: 1])
            for (desk, other) in [(home, office), (office, home)] {
                let batch = try desk.quire.batches.get(batch, by: .local)
                #expect(batch.state == .done && batch.madeElsewhere?.desk == other.quire.deskName)
                #expect(batch.elsewhere.count == 1)
                #expect(try desk.quire.batches.packets(of: batch.id, .init(), by: .local).matchCount == 1)
            }
            // Nothing goes to and fro between them for ever.
            let before = try home.letterCount()
            for _ in 0..<3 {
                try office.visit()
                try home.visit()
            }
            #expect(try home.letterCount() == before)
        }
    }

    @Test(
        "A send-out that one desk has removed for good goes on the others too, unless it is being made there")
    func removed() throws {
        try withPair([.batches]) { home, office in
            let batch = try home.batch("Consent", for: "Name\nAna Ruiz\n")
            try home.visit()
            try office.visit()
            try office.make(batch)
            try office.visit()
            try home.visit()
            try home.quire.batches.trash(batch, by: .local)
            home.hand.advance(.seconds(90 * 86_400))
            #expect(try home.quire.batches.purgeTrash() == 1)
            // Nor does anything stay of who got it there.
            try home.quire.sendings.readAccounts()
            #expect(try home.quire.store.read { try $0.row("SELECT 1 AS one FROM sent_elsewhere") } == nil)
            try home.visit()
            office.hand.advance(.seconds(90 * 86_400))
            try office.visit()
            #expect(throws: Failure.self) { try office.quire.batches.get(batch, by: .local) }
            #expect(try office.quire.store.verify().problems == [])
        }
    }

    @Test("What came of a send-out and is not whole is told, and the send-out stays as it was")
    func broken() throws {
        let account = try SentAccount(
            Array("{\"account\":1}\n[\"Ana\",\"a@example.org\",\"made\",5]\n".utf8))
        #expect(account.items.map(\.recipient) == ["Ana"])
        for text in [
            "", "{}", #"{"account":2}"#, "{\"account\":1}\n[1]", "{\"account\":1}\n[\"A\",\"\",\"x\",1]",
        ] {
            #expect(throws: Failure.self) { try SentAccount(Array(text.utf8)) }
        }
        #expect(MadeElsewhere([:]) == nil)
        #expect(MadeElsewhere(["desk": "x", "state": "draft", "begun": 1]) == nil)
        #expect(MadeElsewhere(["desk": "x", "state": "done", "begun": 1, "made": -4])?.made == 0)
        try withPair([.batches]) { home, _ in
            let batch = try home.batch("Consent", for: "Name\nAna Ruiz\n")
            let kind = try #require(home.quire.sync.others.first { $0.name == "batch" })
            for text in ["", "{", "[]", #"{"draft":7}"#, #"{"draft":{"parts":[{"kind":"x"}]}}"#] {
                let digest = try home.quire.store.blobs.put(Array(text.utf8))
                var item = SyncItem()
                item.fields["name"] = "Consent"
                item.blob = Blob(digest: digest, byteCount: Int64(text.utf8.count), mediaType: "x/y")
                #expect(throws: Failure.self) {
                    try home.quire.store.write { tx in
                        try kind.write(item, as: batch.text, by: "sync/x", in: tx)
                    }
                }
            }
            #expect(try home.quire.batches.get(batch, by: .local).draft.parts.count == 1)
        }
    }
}

extension PairedDesk {
    func batch(_ name: String, for table: String) throws -> ID<Batch> {
        let form = try quire.templates.take(
            .bytes(contents(of: "Examples/02-consent-forms/consent.pdf")), named: "Consent form.pdf",
            by: .local
        ).template
        let people = try list("Class 4b", table)
        return try quire.batches.make(
            BatchDraft(
                name: name, list: people.text, parts: [PacketPart(.template(form.id, mapping: nil))]),
            by: .local
        ).id
    }

    func change(_ batch: ID<Batch>, _ body: (inout BatchDraft) -> Void) throws {
        var draft = try quire.batches.get(batch, by: .local).draft
        body(&draft)
        try quire.batches.change(batch, to: draft, by: .local)
    }

    func letter(of batch: ID<Batch>, _ body: (inout BatchLetter) -> Void) throws {
        var letter = try quire.sendings.letter(of: batch, by: .local)
        body(&letter)
        try quire.sendings.save(letter, of: batch, by: .local)
    }

    func make(_ batch: ID<Batch>) throws {
        _ = try quire.batches.plan(batch, by: .local)
        try quire.batches.fill(batch, by: .local)
        quire.runner.runUntilIdle()
    }

    /// How many letters this desk has written to the others.
    func letterCount() throws -> Int {
        try quire.store.read { desk in try desk.row("SELECT number FROM sync_place")?.int("number") ?? 0 }
    }
}
