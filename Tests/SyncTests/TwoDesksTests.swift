import Access
import Bytes
import Glibc
import Library
import Storage
@testable import Sync
import TestSupport
import Testing
import Transfer
import Work

@Suite("Two desks and a folder")
struct TwoDesksTests {
    @Test(
        "What is on one desk comes to the other: papers, folders, labels, versions and what lies in the trash"
    )
    func everything() throws {
        try withTwoDesks { home, office, folder in
            let taxes = try home.documents.makeFolder(path: "Taxes/2026", by: .local)
            let lease = try home.add("Lease.pdf", "first", into: taxes.id)
            try home.documents.revise(
                lease.id, with: .bytes(Array("second".utf8)), note: "longer", by: .local)
            _ = try home.documents.addField(named: "Amount", .number, by: .local)
            try home.documents.file(
                [lease.id],
                as: .init(
                    addedTags: ["Tax"], note: "keep", date: "2026-01-31",
                    people: [.init(name: "Ana Ruiz")], values: [.init(field: "Amount", value: "12.50")]),
                by: .local)
            let old = try home.add("old.txt", "old")
            try home.documents.trash(old.id, by: .local)
            try home.visit()
            #expect(try office.visit().state == .synced)
            #expect(try office.picture() == home.picture())
            let there = try office.documents.get(lease.id, by: .local)
            #expect(there.people.map(\.name) == ["Ana Ruiz"])
            #expect(there.values.map(\.value) == ["12.50"] && there.date == "2026-01-31")
            #expect(try office.documents.versions(of: lease.id, by: .local).map(\.note) == ["longer", ""])
            #expect(try office.documents.get(old.id, by: .local).isTrashed)
            #expect(try office.store.verify().problems == [])
        }
    }

    @Test("What two desks wrote into one paper at the same time is kept twice, on both alike")
    func conflict() throws {
        try withTwoDesks { home, office, _ in
            let lease = try home.add("Lease.txt", "two years")
            try home.visit()
            try office.visit()
            try home.documents.revise(lease.id, with: .bytes(Array("three years".utf8)), by: .local)
            office.hand.advance(.seconds(3600))
            try office.documents.revise(lease.id, with: .bytes(Array("four years".utf8)), by: .local)
            for _ in 0..<2 {
                try home.visit()
                try office.visit()
            }
            #expect(try home.picture() == office.picture())
            let papers = try home.all().sorted { $0.name < $1.name }
            #expect(papers.map(\.name) == ["Lease (conflict, home, 2026-11-21).txt", "Lease.txt"])
            #expect(try papers.map { try home.text($0) } == ["three years", "four years"])
        }
    }

    @Test("Who writes into a paper that somebody throws away elsewhere does not lose what they wrote")
    func writtenWhileThrownAway() throws {
        try withTwoDesks { home, office, _ in
            let lease = try home.add("Lease.txt", "two years")
            try home.visit()
            try office.visit()
            try home.documents.trash(lease.id, by: .local)
            try home.documents.purge(lease.id, by: .local)
            try office.documents.revise(lease.id, with: .bytes(Array("three years".utf8)), by: .local)
            for _ in 0..<2 {
                try home.visit()
                try office.visit()
            }
            #expect(try home.text(home.documents.get(lease.id, by: .local)) == "three years")
            #expect(try home.picture() == office.picture())
        }
    }

    @Test("What was deleted stays deleted, also for a desk that was away for many months")
    func monthsAway() throws {
        try withTwoDesks { home, office, _ in
            let papers = try (0..<100).map { try home.add("paper \($0).txt", "words \($0)") }
            try home.visit()
            try office.visit()
            for paper in papers.prefix(50) {
                try home.documents.trash(paper.id, by: .local)
                try home.documents.purge(paper.id, by: .local)
            }
            // So often that what was said is summed up and the single letters are cleared away.
            for round in 0..<60 {
                home.hand.advance(.seconds(5 * 86_400))
                try home.documents.rename(papers[60].id, to: "round \(round).txt", by: .local)
                try home.visit()
            }
            try office.add("made meanwhile.txt", "meanwhile")
            office.hand.advance(.seconds(301 * 86_400))
            for _ in 0..<2 {
                try office.visit()
                try home.visit()
            }
            #expect(try office.all().count == 51)
            #expect(try home.picture() == office.picture())
            #expect(try home.all().contains { $0.name == "round 59.txt" })
        }
    }

    @Test("A new machine gets everything back, from a place whose letters were summed up")
    func newMachine() throws {
        try withTwoDesks { home, _, folder in
            for number in 0..<30 { try home.add("paper \(number).txt", "words \(number)") }
            for round in 0..<50 {
                try home.documents.rename(home.all()[3].id, to: "round \(round).txt", by: .local)
                try home.visit()
            }
            let new = try TestDesk("new", in: folder, seed: 77)
            try new.keepInStep(SyncDraft(.folder, address: "\(folder)/place"))
            #expect(try new.visit().state == .synced)
            #expect(try new.picture() == home.picture())
            #expect(try FolderShelf("\(folder)/place").names(in: "letters").count < 20)
        }
    }

    @Test("Two desks that had the same folders before become one tree")
    func sameFolders() throws {
        try withTwoDesks { home, office, _ in
            for desk in [home, office] {
                let folder = try desk.documents.makeFolder(path: "Taxes/2026", by: .local)
                try desk.add("\(desk.name).txt", "of \(desk.name)", into: folder.id)
            }
            for _ in 0..<3 {
                try home.visit()
                try office.visit()
            }
            let paths = try home.documents.folders(by: .local).nodes.map { "\($0.path) \($0.paperCount)" }
            #expect(paths == ["Taxes 0", "Taxes/2026 2"])
            #expect(try home.picture() == office.picture())
        }
    }

    @Test("A colour that a tag is given on one desk comes to the other, and so does its going")
    func colouredTags() throws {
        try withTwoDesks { home, office, _ in
            let paper = try home.add("Bill.txt", "42")
            try home.documents.file([paper.id], as: .init(addedTags: ["Bills"]), by: .local)
            let tag = try #require(try home.documents.tags(by: .local).first)
            try home.documents.changeTag(tag.id, ["colour": "teal"], by: .local)
            try home.visit()
            try office.visit()
            #expect(try office.documents.tagColours() == ["Bills": .teal])
            let there = try #require(try office.documents.tags(by: .local).first)
            #expect(there.paperCount == 1)
            try office.documents.changeTag(there.id, ["colour": "none"], by: .local)
            try office.visit()
            try home.visit()
            #expect(try home.documents.tagColours() == [:])
            try home.documents.changeTag(tag.id, ["colour": "pink"], by: .local)
            try home.visit()
            try office.visit()
            #expect(try office.documents.tagColours() == ["Bills": .pink])
        }
    }

    @Test("A place that is not there is unavailable, nothing waits for it, and later it goes on by itself")
    func away() throws {
        try withTwoDesks { home, office, folder in
            let paper = try home.add("Lease.txt", "two years")
            try home.visit()
            #expect(rename("\(folder)/place", "\(folder)/unplugged") == 0)
            try home.documents.revise(paper.id, with: .bytes(Array("three".utf8)), by: .local)
            let place = try home.visit()
            #expect(place.state == .unavailable)
            #expect(place.sentence == "The folder \(folder)/place is not there. Is its disk connected?")
            let state = try home.places.states(of: [paper.id], by: .local)[paper.id]?.chip
            #expect(state?.word == .unavailable)
            // Each time it is tried later, an hour at most.
            #expect(
                [1, 2, 3, 20].map { SyncPlaces.pause(afterTries: $0) } == [
                    .seconds(15), .seconds(30), .seconds(60), .seconds(3600),
                ])
            #expect(rename("\(folder)/unplugged", "\(folder)/place") == 0)
            #expect(try home.visit().state == .synced)
            #expect(try home.places.states(of: [paper.id], by: .local)[paper.id]?.chip?.word == .synced)
            try office.visit()
            #expect(try office.picture() == home.picture())
        }
    }

    @Test("A paper is in step as soon as it came, and what changed during a visit is told soon after it")
    func inStepAtOnce() throws {
        try withTwoDesks { home, office, _ in
            let paper = try home.add("Lease.txt", "two years")
            try home.visit()
            let place = try #require(office.place)
            let usual = try #require(try office.places.visit(place.id))
            #expect(usual - office.hand.clock.now() == SyncPlaces.usualPause)
            #expect(try office.places.states(of: [paper.id], by: .local)[paper.id]?.chip?.word == .synced)
            // Somebody works on it while the letters of others are heard, after this desk was looked through.
            try home.add("Bill.txt", "42")
            try home.visit()
            let shelf = InterruptedShelf(place.address) { [documents = office.documents] in
                try documents.rename(paper.id, to: "Lease, signed.txt", by: .local)
            }
            let soon = try #require(try office.places.visit(place) { shelf })
            #expect(soon - office.hand.clock.now() == SyncPlaces.restAfterChange)
            #expect(try office.places.states(of: [paper.id], by: .local)[paper.id]?.chip?.word == .syncing)
        }
    }

    @Test("A disk that was emptied, or is another one, takes nothing away here and is not filled by itself")
    func emptied() throws {
        try withTwoDesks { home, _, folder in
            try home.add("Lease.txt", "two years")
            try home.visit()
            #expect(rename("\(folder)/place", "\(folder)/old") == 0)
            #expect(mkdir("\(folder)/place", 0o700) == 0)
            let place = try home.visit()
            #expect(place.state == .refused && place.sentence.hasPrefix("What this desk laid there is gone."))
            #expect(try home.all().count == 1)
            #expect(try FolderShelf("\(folder)/place").names(in: "letters") == [])
        }
    }

    @Test("A desk that was set back to an old backup loses nothing of what it had said before")
    func setBack() throws {
        try withTwoDesks { _, office, folder in
            func attic(_ seed: UInt64) throws -> TestDesk {
                try TestDesk("attic", in: folder, seed: seed, database: .sqlite)
            }
            do {
                let desk = try attic(21)
                try desk.keepInStep(SyncDraft(.folder, address: "\(folder)/place"))
                try desk.add("one.txt", "one")
                try desk.visit()
            }
            try office.visit()
            #expect(system("cp -a '\(folder)/attic' '\(folder)/backup'") == 0)
            do {
                let desk = try attic(22)
                try desk.add("two.txt", "two")
                try desk.visit()
            }
            #expect(system("rm -rf '\(folder)/attic' && mv '\(folder)/backup' '\(folder)/attic'") == 0)
            let desk = try attic(23)
            try desk.add("three.txt", "three")
            for _ in 0..<2 {
                try desk.visit()
                try office.visit()
            }
            #expect(try Set(desk.all().map(\.name)) == ["one.txt", "two.txt", "three.txt"])
            #expect(try desk.picture() == office.picture())
        }
    }

    @Test("A paper that is held stays where it is held")
    func held() throws {
        try withTwoDesks { home, office, _ in
            let lease = try home.add("Lease.txt", "two years")
            try home.visit()
            try office.visit()
            try office.documents.hold([lease.id], because: "case 17", by: .local)
            try home.documents.trash(lease.id, by: .local)
            for _ in 0..<2 {
                try home.visit()
                try office.visit()
            }
            #expect(try !office.documents.get(lease.id, by: .local).isTrashed)
            #expect(try !home.documents.get(lease.id, by: .local).isTrashed)
        }
    }

    @Test("What lies at an encrypted place tells nothing, and opens only with its passphrase")
    func encrypted() throws {
        try withTwoDesks(passphrase: "four plain words here") { home, office, folder in
            let words = "The rent is 900 a month. " + String(repeating: "x", count: 200_000)
            try home.add("Secret lease.txt", words)
            try home.add("empty.txt", "")
            try home.visit()
            #expect(try office.visit().state == .synced)
            #expect(try office.picture() == home.picture())
            let shelf = FolderShelf("\(folder)/place")
            for name in try shelf.names(in: "files") + shelf.names(in: "letters") {
                let bytes = try contents(of: "\(folder)/place/\(name)")
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(!text.contains("rent") && !text.contains("Secret") && !text.contains("home"))
                #expect(!name.contains(Digest(of: Array(words.utf8)).hex))
            }
            let stranger = try TestDesk("stranger", in: folder, seed: 9)
            try stranger.keepInStep(
                SyncDraft(
                    .folder, address: "\(folder)/place", secrets: .init(passphrase: "four other words here")))
            #expect(
                try stranger.visit().sentence == "This is not the passphrase with which this place was begun."
            )
            let open = try TestDesk("open", in: folder, seed: 10)
            try open.keepInStep(SyncDraft(.folder, address: "\(folder)/place"))
            #expect(try open.visit().state == .refused)
            #expect(try open.all().isEmpty && stranger.all().isEmpty)
        }
    }

    @Test("A file that was changed at the place is not taken in, and everything else is")
    func tampered() throws {
        for passphrase in ["", "four plain words here"] {
            try withTwoDesks(passphrase: passphrase) { home, office, folder in
                try home.add("one.txt", "one")
                try home.visit()
                let shelf = FolderShelf("\(folder)/place")
                let before = try shelf.names(in: "files")
                try home.add("two.txt", "two")
                try home.visit()
                let path = "\(folder)/place/\(before[0])"
                var bytes = try contents(of: path)
                bytes[bytes.count - 1] ^= 1
                try write(bytes, to: path)
                let place = try office.visit()
                #expect(place.state == .failed && place.failed == 1)
                #expect(try office.all().map(\.name) == ["two.txt"])
            }
        }
    }
}

/// A folder whose letters take so long that something happens on the desk while they are read.
private struct InterruptedShelf: SyncShelf {
    private let folder: FolderShelf
    private let happens: @Sendable () throws -> Void

    init(_ folder: String, _ happens: @escaping @Sendable () throws -> Void) {
        self.folder = FolderShelf(folder)
        self.happens = happens
    }

    func names(in place: String) throws -> [String] { try folder.names(in: place) }
    func lay(_ name: String, _ body: Upload) throws -> Bool { try folder.lay(name, body) }
    func remove(_ name: String) throws { try folder.remove(name) }
    func fetch(_ name: String, into destination: Destination) throws {
        try folder.fetch(name, into: destination)
        if name.hasPrefix(SyncLetter.folder) { try happens() }
    }
}

/// Two desks that keep in step with one folder.
func withTwoDesks(
    passphrase: String = "", _ body: (TestDesk, TestDesk, String) throws -> Void
) throws {
    try withQuickFolder { folder in
        #expect(mkdir("\(folder)/place", 0o700) == 0)
        let desks = try [("home", 1), ("office", 2)].map { name, seed in
            let desk = try TestDesk(name, in: folder, seed: UInt64(seed))
            try desk.keepInStep(
                SyncDraft(.folder, address: "\(folder)/place", secrets: .init(passphrase: passphrase)))
            return desk
        }
        try body(desks[0], desks[1], folder)
    }
}
