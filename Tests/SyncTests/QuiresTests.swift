import Access
import Glibc
import Library
import Storage
@testable import Sync
import TestSupport
import Testing
import Transfer
import Work

@Suite("Two Quires", .serialized)
struct QuiresTests {
    @Test("Two Quires keep in step by the address and a code of one of them")
    func life() throws {
        try withQuires { home, office in
            let taxes = try home.documents.makeFolder(path: "Taxes/2026", by: .local)
            let lease = try home.add("Lease.txt", "two years", into: taxes.id)
            try home.visit()
            #expect(try office.visit().state == .synced)
            #expect(try office.picture() == home.picture())
            try office.documents.revise(lease.id, with: .bytes(Array("three years".utf8)), by: .local)
            try office.add("large.bin", String(repeating: "0123456789abcdef", count: 40_000))
            try office.visit()
            #expect(try home.visit().state == .synced)
            #expect(try home.picture() == office.picture())
            #expect(try home.store.verify().problems == [])
            #expect(try office.places.list(by: .local).map(\.kind) == [.quire])
        }
    }

    @Test(
        "A file that lies on the desk lies on its shelf for others without being there twice, and stays while it does"
    )
    func shelf() throws {
        try withQuires { home, office in
            let words = String(repeating: "The rent is 900 a month. ", count: 1000)
            let paper = try home.add("Lease.txt", words)
            try home.visit()
            try home.documents.trash(paper.id, by: .local)
            try home.documents.purge(paper.id, by: .local)
            home.hand.advance(.seconds(100 * 3600))
            try home.store.sweep()
            // The other desk heard of the paper before it heard that it is gone.
            #expect(try home.store.verify().problems == [])
            try home.visit()
            #expect(try office.visit().state == .synced)
            #expect(try office.all().isEmpty)
        }
    }

    @Test("On which way a paper came is known on every desk")
    func arrivals() throws {
        try withQuires { home, office in
            let documents = home.documents.arriving(by: .networkFolder)
            let scan = try documents.add(.bytes(Array("a scan".utf8)), named: "Scan.txt", by: .local).document
            let own = try home.add("Own.txt", "laid here by hand")
            try home.visit()
            try office.visit()
            #expect(try office.documents.get(scan.id, by: .local).arrival == .networkFolder)
            #expect(try office.documents.get(own.id, by: .local).arrival == nil)
            try office.documents.rename(scan.id, to: "Seen.txt", by: .local)
            try office.visit()
            try home.visit()
            let back = try home.documents.get(scan.id, by: .local)
            #expect(back.name == "Seen.txt" && back.arrival == .networkFolder)
        }
    }

    @Test("A key that was taken back, a desk that ended it and a wrong address are said in words that help")
    func refused() throws {
        try withQuires { home, office in
            try home.add("Lease.txt", "two years")
            try home.visit()
            try office.visit()
            try home.places.setPaused(true, home.place!.id, by: .local)
            #expect(try office.visit().state == .unavailable)
            try home.places.setPaused(false, home.place!.id, by: .local)
            #expect(try office.visit().state == .synced)
            try home.places.remove(home.place!.id, by: .local)
            let ended = try office.visit()
            #expect(ended.state == .refused)
            #expect(ended.sentence.contains("keeps in step with no other Quire any more"))
            #expect(try office.all().count == 1)
            try office.moveTo("http://127.0.0.1:\(home.port)/nowhere")
            #expect(try office.visit().sentence.contains("There is no Quire at this address"))
        }
        try withQuires { home, office in
            try home.visit()
            try home.revokeCodes()
            let place = try office.visit()
            #expect(place.state == .refused && place.sentence.contains("does not know this key any more"))
        }
    }

    @Test("A desk does not keep in step with itself, and a key does not travel where all can read it")
    func addresses() throws {
        try withQuickFolder { folder in
            let home = try TestDesk(serving: "home", in: folder, seed: 1)
            let place = try home.places.add(
                SyncDraft(.quire, address: home.code(at: "http://127.0.0.1:\(home.port)")), by: .local)
            #expect(place.address == "http://127.0.0.1:\(home.port)")
            try home.places.visit(place.id)
            #expect(try home.places.get(place.id, by: .local).sentence == "This address is this very desk.")
            func field(_ draft: SyncDraft) -> String? {
                do { try home.places.add(draft, by: .local) } catch { return (error as? Failure)?.field }
                return nil
            }
            #expect(field(SyncDraft(.quire, address: "https://desk.example.org")) == "address")
            #expect(field(SyncDraft(.quire, address: "http://desk.example.org#quire_api_x")) == "address")
            #expect(field(SyncDraft(.quire, address: "desk#quire_api_x")) == "address")
            #expect(
                field(
                    SyncDraft(
                        .quire, address: "https://desk.example.org#k",
                        secrets: .init(passphrase: "four plain words")))
                    == "passphrase")
            for near in [
                "http://192.168.1.7:8484#k", "http://attic.local#k", "http://[::1]:8484#k", "http://nas#k",
            ] {
                #expect(field(SyncDraft(.quire, address: near)) == nil, "\(near)")
            }
        }
    }

    @Test("A Quire that was set back to an old backup is told again what it lost")
    func setBack() throws {
        try withQuickFolder { folder in
            let office = try TestDesk("office", in: folder, seed: 2)
            var home: TestDesk? = try TestDesk(serving: "home", in: folder, seed: 1)
            try office.keepInStep(
                SyncDraft(.quire, address: home!.code(at: "http://127.0.0.1:\(home!.port)")))
            try office.add("one.txt", "one")
            try office.visit()
            try home!.visit()
            home = nil
            #expect(system("cp -a '\(folder)/home' '\(folder)/backup'") == 0)
            home = try TestDesk(serving: "home", in: folder, seed: 3)
            try office.moveTo("http://127.0.0.1:\(home!.port)")
            try office.add("two.txt", "two")
            try office.visit()
            try home!.visit()
            #expect(try home!.all().count == 2)
            home = nil
            #expect(system("rm -rf '\(folder)/home' && mv '\(folder)/backup' '\(folder)/home'") == 0)
            home = try TestDesk(serving: "home", in: folder, seed: 4)
            try office.moveTo("http://127.0.0.1:\(home!.port)")
            try home!.add("three.txt", "three")
            for _ in 0..<3 {
                try office.visit()
                try home!.visit()
            }
            #expect(try home!.picture() == office.picture())
            #expect(try office.all().count == 3)
            home = nil
        }
    }

    @Test("Over a line that fails in every way at any request nothing is lost and nothing comes back")
    func histories() throws {
        for seed in 0..<5 {
            try History(seed: UInt64(60_000 + seed), over: .quires(percent: 8), mostSteps: 20).run()
        }
    }
}

/// One that serves as the place, and one that goes there.
func withQuires(_ body: (TestDesk, TestDesk) throws -> Void) throws {
    try withQuickFolder { folder in
        let home = try TestDesk(serving: "home", in: folder, seed: 1)
        let office = try TestDesk("office", in: folder, seed: 2)
        try office.keepInStep(SyncDraft(.quire, address: home.code(at: "http://127.0.0.1:\(home.port)")))
        try body(home, office)
    }
}
