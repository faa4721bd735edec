@testable import Access
import Bytes
import Crypto
import Filling
import PDF
import SQL
import Signing
import SigningKeys
import Storage
import Synchronization
import TestSupport
import Testing
import Work

@Suite("Signing packets")
struct SigningTests {
    /// A desk on which packets can be signed, with two members.
    private func withSigners<R>(
        _ kind: Database.Kind = .sqlite, list: TestList = .pupils(3),
        _ body: (Desk, Identities, _ ana: Caller, _ bo: Caller) throws -> R
    ) throws -> R {
        let hand = HandClock()
        let areas = Desk.areas + [Identities.migrations]
        return try withStore(kind, areas: areas, clock: hand.clock) { store in
            let key = try SealingKey(bytes: [UInt8](repeating: 7, count: 32))
            let identities = Identities(Gate(store), desk: { "Desk of trial" }, key: { key })
            func member(_ name: String) throws -> Caller {
                try store.write { tx in
                    let id: ID<Member> = tx.newID()
                    try tx.run(
                        """
                        INSERT INTO member (id, name, sign_in_name, role, handle, joined_at)
                        VALUES (\(id), \(name), \(name.lowercased()), 'owner', \(Array(name.utf8)), \(tx.now))
                        """)
                    return Caller(memberID: id, name: name, role: .owner, via: .local)
                }
            }
            let desk = Desk(store, hand: hand, rows: list.source, identities: identities)
            return try body(desk, identities, member("Ana"), member("Bo"))
        }
    }

    @Test(
        "each packet is signed when it is made, holds on the desk, and is the same file each time",
        arguments: Database.Kind.here)
    func signing(kind: Database.Kind) throws {
        try withSigners(kind, list: .pupils(40)) { desk, identities, ana, _ throws in
            let me = try identities.make(named: "Ana Gómez", by: ana)
            let batch = try desk.batch { $0.options.signer = me.id }
            try desk.batches.plan(batch.id, by: ana)
            try desk.batches.fill(batch.id, by: ana)
            desk.work()
            #expect(try desk.batches.counts(of: batch.id, by: ana) == [.made: 40])
            let now = desk.hand.clock.now().milliseconds / 1000
            for packet in try desk.packets(batch) {
                let (_, file, isAsMade) = try desk.batches.file(of: packet.id, by: viewer)
                #expect(isAsMade)
                #expect(file.digest == packet.digest)
                #expect(file.byteCount == Int(packet.byteCount))
                let paper = try SignedPaper(file.bytes, trusting: identities.anchors(), now: now)
                #expect(paper.signatures.map(\.verdict) == [.good], "\(paper.signatures.map(\.findings))")
                #expect(paper.signatures.first?.signer == "Ana Gómez")
                #expect(paper.signatures.first?.coversWholeFile == true)
            }
            // What was signed outlives the key.
            try identities.remove(me.id, by: ana)
            let first = try desk.packets(batch)[0]
            #expect(try desk.batches.file(of: first.id, by: viewer).file.digest == first.digest)
        }
    }

    @Test("each packet bears a time stamp and what later checks need, where that was chosen")
    func witnesses() throws {
        try withStamps { address, root in
            try withSigners { desk, identities, ana, _ throws in
                _ = try identities.trust(pem: Array(root.pem.utf8), by: ana)
                let me = try identities.make(named: "Ana", by: ana)
                let batch = try desk.batch {
                    $0.options.signer = me.id
                    $0.options.timestamp = address
                    $0.options.asksForProofs = true
                }
                try desk.batches.plan(batch.id, by: ana)
                try desk.batches.fill(batch.id, by: ana)
                desk.work()
                #expect(try desk.batches.counts(of: batch.id, by: ana) == [.made: 3])
                let now = desk.hand.clock.now().milliseconds / 1000
                for packet in try desk.packets(batch) {
                    // Asked once: what is handed out is what was stamped then.
                    let file = try desk.batches.file(of: packet.id, by: viewer).file
                    #expect(file.digest == packet.digest)
                    let paper = try SignedPaper(file.bytes, trusting: identities.anchors(), now: now)
                    let one = try #require(paper.signatures.first)
                    #expect(one.verdict == .good, "\(one.findings)")
                    #expect(one.stamp?.authority == "Clock" && one.stamp?.isTrusted == true)
                    #expect(String(decoding: file.bytes, as: UTF8.self).contains("/DSS"))
                }
            }
        }
    }

    @Test("packets whose time stamp did not come are not made, say why, and are made by a later try")
    func silentWitness() throws {
        let silence = Silence()
        try withStamps(unless: { silence.lasts.withLock { $0 } }) { address, _ in
            try withSigners { desk, identities, ana, _ throws in
                let me = try identities.make(named: "Ana", by: ana)
                let batch = try desk.batch {
                    $0.options.signer = me.id
                    $0.options.timestamp = address
                }
                try desk.batches.plan(batch.id, by: ana)
                try desk.batches.fill(batch.id, by: ana)
                desk.work()
                #expect(try desk.batches.counts(of: batch.id, by: ana) == [.failed: 3])
                #expect(
                    try Set(desk.packets(batch).map(\.reason)) == [
                        "The time stamp authority refused with the status 503. Nothing was signed."
                    ])
                silence.lasts.withLock { $0 = false }
                try desk.batches.remake(batch.id, by: ana)
                desk.work()
                #expect(try desk.batches.counts(of: batch.id, by: ana) == [.made: 3])
                let first = try desk.packets(batch)[0]
                let file = try desk.batches.file(of: first.id, by: viewer).file
                let paper = try SignedPaper(file.bytes, trusting: identities.anchors(), now: 0)
                #expect(paper.signatures.first?.stamp?.authority == "Clock")
            }
        }
    }

    private final class Silence: Sendable {
        let lasts = Mutex(true)
    }

    @Test("a time stamp without a signature, or from no address, is refused before anything is made")
    func witnessesOfNothing() throws {
        try withSigners { desk, identities, ana, _ throws in
            let unsigned = try desk.batch { $0.options.timestamp = "http://stamps.example/tsa" }
            let refused = #expect(throws: Failure.self) { try desk.batches.plan(unsigned.id, by: ana) }
            #expect(refused?.field == "signer")
            let me = try identities.make(named: "Ana", by: ana)
            let nowhere = try desk.batch {
                $0.options.signer = me.id
                $0.options.timestamp = "stamps.example"
            }
            let unknown = #expect(throws: Failure.self) { try desk.batches.plan(nowhere.id, by: ana) }
            #expect(unknown?.field == "timestamp")
            // It is told at the check, where it can be put right.
            #expect(try desk.batches.get(nowhere.id, by: ana).state == .draft)
        }
    }

    @Test("packets are signed in nobody's name but that of whoever has them made")
    func inWhoseName() throws {
        try withSigners { desk, identities, ana, bo throws in
            let hers = try identities.make(named: "Ana", by: ana)
            let batch = try desk.batch { $0.options.signer = hers.id }
            try desk.batches.plan(batch.id, by: bo)
            let refused = #expect(throws: Failure.self) { try desk.batches.fill(batch.id, by: bo) }
            #expect(refused?.code == .denied)
            #expect(try desk.batches.get(batch.id, by: bo).state == .planned)
            try desk.batches.fill(batch.id, by: ana)
            desk.work()
            #expect(try desk.batches.counts(of: batch.id, by: bo) == [.made: 3])
        }
    }

    @Test("a signer that is no identity is refused, instead of leaving the packets unsigned")
    func noIdentity() throws {
        let refused = #expect(throws: Failure.self) {
            try BatchDraft(["name": "Trip", "options": ["signer": "Ana"]])
        }
        #expect(refused?.field == "signer")
        #expect(try BatchDraft(["name": "Trip", "options": ["signer": .null]]).options.signer == nil)
    }

    @Test("a password and a signature exclude each other, and that is said before anything is made")
    func withPassword() throws {
        try withSigners { desk, identities, ana, _ throws in
            let me = try identities.make(named: "Ana", by: ana)
            let batch = try desk.batch {
                $0.options.signer = me.id
                $0.options.password = "{class}"
            }
            let refused = #expect(throws: Failure.self) { try desk.batches.plan(batch.id, by: ana) }
            #expect(refused?.field == "signer")
        }
    }

    @Test("a packet that is planned anew takes its signed file along when it goes")
    func gone() throws {
        try withSigners { desk, identities, ana, _ throws in
            let me = try identities.make(named: "Ana", by: ana)
            let batch = try desk.batch { $0.options.signer = me.id }
            try desk.batches.plan(batch.id, by: ana)
            try desk.batches.fill(batch.id, by: ana)
            desk.work()
            func kept() throws -> Int {
                try desk.store.read { try $0.row("SELECT count(*) AS n FROM signed_packet")?.int("n") ?? -1 }
            }
            #expect(try kept() == 3)
            try desk.batches.trash(batch.id, by: ana)
            _ = try desk.batches.purgeTrash(after: .zero)
            #expect(try kept() == 0)
        }
    }
}
