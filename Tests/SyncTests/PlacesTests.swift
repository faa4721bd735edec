import Glibc
import Access
import Bytes
import Library
import SQL
import Storage
@testable import Sync
import TestSupport
import Testing
import Work

@Suite("What lies at a place")
struct PlacesTests {
    @Test("A place is called after its folder, its bucket or its machine; two of one name are told apart")
    func names() throws {
        func name(
            _ kind: SyncPlace.Kind, _ address: String, _ options: SyncPlace.Options = .init()
        ) throws -> String {
            try SyncDraft(kind, address: address, options: options, secrets: .init(password: "secret"))
                .checked().name
        }
        #expect(try name(.folder, "/mnt/disk in the drawer/quire/") == "quire")
        #expect(try name(.webdav, "https://cloud.example.org/dav/quire") == "cloud.example.org")
        #expect(
            try name(.s3, "https://s3.example.org", .init(user: "ana", bucket: "papers", prefix: "a/b"))
                == "papers a b")
        try withScratchFolder { folder in
            let desk = try TestDesk("home", in: folder, seed: 1)
            let places = try ["a/disk", "b/disk"].map { path in
                mkdir("\(folder)/\(path.prefix(1))", 0o700)
                mkdir("\(folder)/\(path)", 0o700)
                return try desk.places.add(SyncDraft(.folder, address: "\(folder)/\(path)"), by: .local)
            }
            #expect(places.map(\.name) == ["disk", "disk 2"])
        }
    }

    @Test(
        "What no desk needs any more is cleared away after a while, and nothing else",
        arguments: ["", "four plain words here"])
    func clearing(passphrase: String) throws {
        try withTwoDesks(passphrase: passphrase) { home, office, folder in
            func files() throws -> Int { try FolderShelf("\(folder)/place").names(in: "files").count }
            let papers = try (0..<10).map { try home.add("paper \($0).txt", "words \($0)") }
            try home.documents.revise(papers[0].id, with: .bytes(Array("newer".utf8)), by: .local)
            try home.visit()
            try office.visit()
            #expect(try files() == 11)
            for paper in papers[5...] {
                try home.documents.trash(paper.id, by: .local)
                try home.documents.purge(paper.id, by: .local)
            }
            try home.documents.trash(papers[4].id, by: .local)
            for _ in 0..<4 {
                for desk in [home, office] {
                    desk.hand.advance(.seconds(4 * 86_400))
                    try desk.visit()
                }
            }
            // What lies in the trash and what a paper was before is still needed.
            #expect(try files() == 6)
            let new = try TestDesk("new", in: folder, seed: 9)
            try new.keepInStep(
                SyncDraft(.folder, address: "\(folder)/place", secrets: .init(passphrase: passphrase)))
            #expect(try new.visit().state == .synced)
            #expect(try new.picture() == home.picture())
            // Whoever brings the same bytes again lays them again.
            try office.add("again.txt", "words 7")
            for _ in 0..<2 { for desk in [office, home] { try desk.visit() } }
            #expect(try home.all().contains { $0.name == "again.txt" })
        }
    }

    @Test(
        "A file that is missing or damaged at the place is laid again by a desk that has it",
        arguments: ["", "four plain words here"])
    func missing(passphrase: String) throws {
        try withTwoDesks(passphrase: passphrase) { home, office, folder in
            try home.add("one.txt", "one")
            try home.add("two.txt", "two")
            try home.visit()
            let shelf = FolderShelf("\(folder)/place")
            let files = try shelf.names(in: "files")
            unlink("\(folder)/place/\(files[0])")
            try write(Array("nonsense".utf8), to: "\(folder)/place/\(files[1])")
            let place = try office.visit()
            #expect(place.state == .failed && place.failed == 2)
            #expect(try shelf.names(in: "wanted").count == 2)
            try home.visit()
            #expect(try shelf.names(in: "wanted").isEmpty)
            #expect(try office.visit().state == .synced)
            #expect(try office.picture() == home.picture())
        }
    }

    @Test("A place that was set back to an older state is told again what it lost")
    func setBack() throws {
        try withTwoDesks { home, office, folder in
            try home.add("one.txt", "one")
            try home.visit()
            #expect(system("cp -a '\(folder)/place' '\(folder)/old'") == 0)
            try home.add("two.txt", "two")
            try home.visit()
            #expect(system("rm -rf '\(folder)/place' && mv '\(folder)/old' '\(folder)/place'") == 0)
            for _ in 0..<3 {
                try home.visit()
                try office.visit()
            }
            #expect(try office.all().count == 2)
            #expect(try office.picture() == home.picture())
        }
    }

    @Test(
        "The same file that two desks added is two papers, and the history of one says that the other is there"
    )
    func twins() throws {
        try withTwoDesks { home, office, _ in
            try home.add("Lease.txt", "two years")
            try office.add("Rent.txt", "two years")
            for _ in 0..<2 {
                try home.visit()
                try office.visit()
            }
            #expect(try home.picture() == office.picture())
            #expect(try home.all().count == 2)
            for (desk, twin) in [(home, "Lease.txt"), (office, "Rent.txt")] {
                let notes = try desk.store.read {
                    try $0.rows("SELECT detail FROM journal WHERE verb = 'document.twin'")
                }
                #expect(try notes.map { try JSON(parsing: $0.text("detail"))["twin"]?.string } == [twin])
            }
        }
    }

    @Test("A letter is what was written into it, and none that was cut off, grew or was changed is read")
    func letters() throws {
        try withScratchFolder { folder in
            let name = SyncLetter.Name("device", 7, isSum: true)
            for count in [0, 1, 500] {
                let path = "\(folder)/\(count)"
                let writer = try LetterWriter(path)
                var records: [SyncRecord] = []
                for number in 0..<count {
                    var record = SyncRecord(kind: "document", id: "\(number)")
                    record.set(
                        "name", .string(String(repeating: "x", count: number * 3)),
                        Stamp(milliseconds: Int64(number), count: 0, device: "device"))
                    records.append(record)
                    try writer.add(record)
                }
                try writer.finish(device: "device", desk: "home", number: 7)
                let reader = try LetterReader(path, name)
                var read: [SyncRecord] = []
                repeat { read += try reader.next(37) } while !reader.isAtEnd
                #expect(read == records)
                let whole = try contents(of: path)
                #expect(SyncLetter.write(records, device: "device", desk: "home", number: 7) == whole)
                for spoiled in [
                    Array(whole.dropLast()), whole + [0x0A], Array(whole.prefix(whole.count / 2)), [],
                ] {
                    let other = "\(path).spoiled"
                    try write(spoiled, to: other)
                    #expect(throws: SyncTrouble.self) {
                        let reader = try LetterReader(other, name)
                        repeat { _ = try reader.next(100) } while !reader.isAtEnd
                    }
                    unlink(other)
                }
            }
        }
    }
}
