import Bytes
import Glibc
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Backup and restore")
struct BackupTests {
    /// From and to either database, as a desk may move from one to the other by a backup.
    static let journeys = Database.Kind.here.flatMap { from in Database.Kind.here.map { (from, $0) } }

    @Test("A restored desk is the desk that was saved", arguments: journeys)
    func drill(from: Database.Kind, to: Database.Kind) throws {
        try withDesk(from) { store, folder in
            let parent = try store.addPaper("Contract", "twelve pages")
            try store.write { tx in
                try tx.run(
                    """
                    INSERT INTO paper (id, title, above, size, scribble)
                    VALUES ('00000000-child', \("Annex „ß“ 😀\n\u{1}"), \(parent), \(-0.1), \([0, 255, 10] as [UInt8]))
                    """)
                try tx.run("INSERT INTO paper (id, title, size) VALUES ('0', '', \(Double.infinity))")
                try tx.run("INSERT INTO paper (id, title, size) VALUES ('1', 'ten', \(10.0))")
            }
            writeFile(store.home.keys + "/sealing", [1, 2, 3])
            let report = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            #expect(report.problems == [])
            #expect(report.newFileCount == 1)
            try withDeskPlace(to, areas: [Paper.migrations]) { place in
                let restored = try Backups.restore(
                    from: "\(folder)/backup", to: place.home, database: place.database, areas: place.areas)
                #expect(restored.rowCount == report.rowCount)
                #expect(restored.fileCount == 1)
                #expect(restored.madeBy == "1.0")
                let desk = try place.open()
                defer { desk.close() }
                #expect(try desk.everyPaper() == store.everyPaper())
                #expect(try desk.verify().problems == [])
                #expect(try desk.journal.lines().last == store.journal.lines().last)
                #expect(try desk.journal.lines().first?.entry.verb == "desk.restored")
                #expect(readFile(desk.home.keys + "/sealing") == [1, 2, 3])
                #expect(permissions(desk.home.keys + "/sealing") == 0o600)
                #expect(!exists(desk.home.path + "/restoring"))
                try desk.addPaper("After the restore", "new")
                #expect(try desk.verify().problems == [])
            }
        }
    }

    @Test("A second backup brings only what is new, and either can be restored")
    func incremental() throws {
        let hand = HandClock()
        try withDesk(.sqlite, clock: hand.clock) { store, folder in
            try store.addPaper("First", "one")
            let first = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            try store.addPaper("Second", "two two")
            hand.advance(.seconds(60))
            let second = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            #expect(second.knownFileCount == 1)
            #expect(second.newFileCount == 1)
            #expect(second.newByteCount == 7)
            #expect(try Backups.list(in: "\(folder)/backup").map(\.path) == [first.path, second.path])
            for (number, path) in [(1, first.path), (2, "\(folder)/backup")] {
                _ = try Backups.restore(from: path, to: "\(folder)/desk\(number)", areas: [Paper.migrations])
                let desk = try Store.open(home: "\(folder)/desk\(number)", areas: [Paper.migrations])
                defer { desk.close() }
                #expect(try desk.titles().count == number)
            }
        }
    }

    @Test("Old snapshots go when asked, with the files only they had")
    func pruning() throws {
        let hand = HandClock()
        try withDesk(.sqlite, clock: hand.clock) { store, folder in
            let draft = try store.addPaper("Draft", "draft")
            try store.addPaper("Kept", "kept")
            let backups = Backups(store)
            _ = try backups.make(to: "\(folder)/backup", madeBy: "1.0")
            try store.write { tx in try tx.run("DELETE FROM paper WHERE id = \(draft)") }
            hand.advance(.seconds(100_000))
            try store.sweep(grace: .seconds(3600))
            let latest = try backups.make(to: "\(folder)/backup", madeBy: "1.0", keeping: 1)
            #expect(try Backups.list(in: "\(folder)/backup").map(\.path) == [latest.path])
            #expect(
                files(below: "\(folder)/backup/blobs").map { $0.suffix(64) } == [
                    Digest(of: Array("kept".utf8)).hex[...]
                ])
        }
    }

    @Test(
        "The newest is the one that was made last, also when the clock was ahead in between",
        arguments: [.seconds(3600), .seconds(86_460), .days(4 * 365)] as [Duration])
    func clockAhead(error: Duration) throws {
        let hand = HandClock()
        try withDesk(.sqlite, clock: hand.clock) { store, folder in
            let backups = Backups(store)
            try store.addPaper("First", "one")
            hand.advance(error)
            let ahead = try backups.make(to: "\(folder)/backup", madeBy: "1.0", keeping: 2)
            hand.advance(.zero - error)
            for title in ["Second", "Third"] {
                try store.addPaper(title, title)
                hand.advance(.seconds(86_400))
                let made = try backups.make(to: "\(folder)/backup", madeBy: "1.0", keeping: 1)
                #expect(exists(made.path))
                #expect(!exists(ahead.path))
                #expect(try Backups.list(in: "\(folder)/backup").map(\.path) == [made.path])
            }
            _ = try Backups.restore(
                from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations])
            let desk = try Store.open(home: "\(folder)/restored", areas: [Paper.migrations])
            defer { desk.close() }
            #expect(try desk.titles().count == 3)
        }
    }

    @Test("Without what is damaged, a restore brings back the rest and lists what is missing")
    func withoutDamaged() throws {
        let hand = HandClock()
        try withDesk(.sqlite, clock: hand.clock) { store, folder in
            for title in ["Whole", "Spoilt", "Gone"] { try store.addPaper(title, title) }
            writeFile(store.home.keys + "/sealing", [1, 2, 3])
            let backup = "\(folder)/backup"
            let first = try Backups(store).make(to: backup, madeBy: "1.0")
            let digests = ["Spoilt", "Gone"].map { Digest(of: Array($0.utf8)) }
            func place(_ digest: Digest) -> String { "\(backup)/blobs/\(digest.hex.prefix(2))/\(digest.hex)" }
            writeFile(place(digests[0]), Array("SpoIlt".utf8))
            removeFile(place(digests[1]))
            writeFile("\(first.path)/keys/sealing", [1, 2, 4])
            writeFile("\(first.path)/blobs.ndjson", [])
            func restored(_ name: String) throws -> Backups.Restored {
                try Backups.restore(
                    from: backup, to: "\(folder)/\(name)", areas: [Paper.migrations], withoutDamaged: true)
            }
            let failure = #expect(throws: Failure.self) {
                try Backups.restore(from: backup, to: "\(folder)/none", areas: [Paper.migrations])
            }
            #expect(failure?.message.contains("--without-damaged") == true)
            let found = try restored("one")
            #expect(Set(found.missing) == Set(digests))
            #expect(found.fileCount == 1)
            #expect(found.damaged.count == 3)
            let desk = try Store.open(home: "\(folder)/one", areas: [Paper.migrations])
            defer { desk.close() }
            #expect(try desk.titles().count == 3)
            #expect(try desk.blobs.read(Digest(of: Array("Whole".utf8))) == Array("Whole".utf8))
            #expect(try desk.verify().blobs.count == 2)
            #expect(!exists(desk.home.keys + "/sealing"))

            // Of two backups the one with whole tables is taken.
            hand.advance(.seconds(60))
            let second = try Backups(store).make(to: backup, madeBy: "1.0")
            writeFile("\(second.path)/tables/paper.ndjson", Array("[]\n".utf8))
            let older = try restored("two")
            #expect(older.snapshot == first.path)
            #expect(older.damaged.contains { $0.hasPrefix(second.path) })
            // What was asked for is not advised once more.
            #expect(!(found.damaged + older.damaged).contains { $0.contains("--without-damaged") })
        }
    }

    @Test("Clearing old snapshots removes no files when it cannot be known which are needed")
    func damagedList() throws {
        let hand = HandClock()
        try withDesk(.sqlite, clock: hand.clock) { store, folder in
            for title in ["One", "Two", "Three"] {
                try store.addPaper(title, title)
                let made = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0", keeping: 2)
                if title == "Two" { writeFile("\(made.path)/blobs.ndjson", []) }
                hand.advance(.seconds(60))
            }
            #expect(try Backups.list(in: "\(folder)/backup").count == 2)
            #expect(files(below: "\(folder)/backup/blobs").count == 3)
            #expect(try Backups.verify("\(folder)/backup") == [])
        }
    }

    @Test("A backup made while others write is one moment of the desk", arguments: Database.Kind.here)
    func whileRunning(kind: Database.Kind) throws {
        try withDesk(kind, clock: .system) { store, folder in
            let workers = Workers(name: "writer", threads: 1)
            let stop = Cancellation()
            let writing = Latch()
            workers.submit {
                var n = 0
                while !stop.isCancelled {
                    n += 1
                    // Two papers in one transaction: a backup has both or neither.
                    try? store.write { tx in
                        for half in ["a", "b"] {
                            try tx.run("INSERT INTO paper (id, title) VALUES (\("\(n)\(half)"), \("\(n)"))")
                        }
                    }
                    if n == 3 { writing.open() }
                }
            }
            writing.wait()
            _ = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            stop.cancel()
            workers.stop()
            _ = try Backups.restore(
                from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations])
            let desk = try Store.open(home: "\(folder)/restored", areas: [Paper.migrations])
            defer { desk.close() }
            let halves = try desk.read { desk in
                try desk.rows("SELECT title, count(*) AS n FROM paper GROUP BY title").map { try $0.int("n") }
            }
            #expect(halves.count >= 3)
            #expect(halves.allSatisfy { $0 == 2 })
        }
    }

    @Test("A backup made by an older Quire is brought up to date", arguments: Database.Kind.here)
    func olderSchema(kind: Database.Kind) throws {
        let newer = MigrationArea(
            "papers",
            Paper.migrations.migrations + [
                Migration("ink", script: "ALTER TABLE paper ADD COLUMN ink TEXT NOT NULL DEFAULT 'blue'")
            ])
        try withDesk(kind) { store, folder in
            try store.addPaper("Old", "old")
            _ = try Backups(store).make(to: "\(folder)/backup", madeBy: "0.9")
            try withDeskPlace(kind, areas: [newer]) { place in
                _ = try Backups.restore(
                    from: "\(folder)/backup", to: place.home, database: place.database, areas: place.areas)
                let desk = try place.open()
                defer { desk.close() }
                #expect(try desk.read { try $0.row("SELECT ink FROM paper")?.text("ink") } == "blue")
            }
        }
    }

    @Test("A backup made by a newer Quire is refused before anything is written")
    func newerBackup() throws {
        let newer = MigrationArea(
            "papers", Paper.migrations.migrations + [Migration("ink", script: "CREATE TABLE ink (id TEXT)")])
        try withDesk(.sqlite, areas: [newer]) { store, folder in
            _ = try Backups(store).make(to: "\(folder)/backup", madeBy: "2.0")
            let failure = #expect(throws: Failure.self) {
                try Backups.restore(
                    from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations])
            }
            #expect(failure?.code == .unsupported)
            #expect(failure?.message.contains("2.0") == true)
            #expect(!exists("\(folder)/restored"))
        }
    }

    @Test(
        "A spoilt backup is refused, whichever file is spoilt, and the directory stays free for another try")
    func spoiltBackup() throws {
        try withDesk(.sqlite) { store, folder in
            try store.addPaper("Paper", "bytes")
            writeFile(store.home.keys + "/sealing", [1, 2, 3])
            _ = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            let all = files(below: "\(folder)/backup").filter { !$0.hasPrefix(".") }
            #expect(all.count > 5)
            for name in all {
                let path = "\(folder)/backup/\(name)"
                let bytes = try #require(readFile(path))
                let spoilt =
                    bytes.isEmpty
                    ? [10]
                    : bytes.prefix(bytes.count / 2) + [bytes[bytes.count / 2] ^ 4]
                        + bytes.suffix(bytes.count - bytes.count / 2 - 1)
                writeFile(path, Array(spoilt))
                let problems = try Backups.verify("\(folder)/backup")
                #expect(!problems.isEmpty, "\(name)")
                #expect(throws: Failure.self, "\(name)") {
                    try Backups.restore(
                        from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations])
                }
                writeFile(path, bytes)
            }
            _ = try Backups.restore(
                from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations])
        }
    }

    @Test(
        "A directory or database with something in it is never restored over", arguments: Database.Kind.here)
    func notEmpty(kind: Database.Kind) throws {
        try withDesk(kind) { store, folder in
            try store.addPaper("Paper")
            _ = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            try withDeskPlace(kind, areas: [Paper.migrations]) { place in
                let there = try place.open()
                try there.addPaper("Mine")
                there.close()
                let home = kind == .sqlite ? place.home : "\(folder)/other"
                let failure = #expect(throws: Failure.self) {
                    try Backups.restore(
                        from: "\(folder)/backup", to: home, database: place.database, areas: place.areas)
                }
                #expect(failure?.code == .conflict)
                let still = try place.open()
                defer { still.close() }
                #expect(try still.titles() == ["Mine"])
            }
        }
    }

    @Test("What the desk has lost is said, and the rest is saved")
    func lostFile() throws {
        try withDesk(.sqlite) { store, folder in
            try store.addPaper("Whole", "whole")
            try store.addPaper("Lost", "lost")
            let lost = Digest(of: Array("lost".utf8))
            removeFile(try store.blobs.path(of: lost))
            let report = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            #expect(report.problems == ["The file \(lost) is missing."])
            let restored = try Backups.restore(
                from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations])
            #expect(restored.missing == [lost])
            #expect(restored.fileCount == 1)
        }
    }

    @Test("A file that is not what it was, or cannot be read, is no copy: it is named, and the rest is saved")
    func damagedFile() throws {
        try withDesk(.sqlite) { store, folder in
            try store.addPaper("Whole", "whole")
            try store.addPaper("Flipped", "flipped")
            let flipped = Digest(of: Array("flipped".utf8))
            let place = try store.blobs.path(of: flipped)
            removeFile(place)
            writeFile(place, Array("flopped".utf8))
            // A folder reads as a file of a broken disk does: with an error.
            makeFolder("\(folder)/empty")
            var about = stat()
            #expect(stat("\(folder)/empty", &about) == 0)
            let text = String(repeating: "x", count: Int(about.st_size))
            try store.addPaper("Unreadable", text)
            let unreadable = Digest(of: Array(text.utf8))
            let other = try store.blobs.path(of: unreadable)
            removeFile(other)
            makeFolder(other)
            let report = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            #expect(report.newFileCount == 1)
            #expect(report.problems.contains("The file \(flipped) has other bytes than it was saved with."))
            #expect(report.problems.contains { $0.hasPrefix("The file \(unreadable) cannot be read: ") })
            #expect(try Backups.verify("\(folder)/backup").isEmpty)
            let restored = try Backups.restore(
                from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations])
            #expect(Set(restored.missing) == [flipped, unreadable])
        }
    }

    @Test("An interrupted backup is no backup, and the next one clears it away")
    func interrupted() throws {
        try withDesk(.sqlite) { store, folder in
            let leftover = "\(folder)/backup/snapshots/2026-01-01T00-00-00.000Z.unfinished"
            for path in ["\(folder)/backup", "\(folder)/backup/snapshots", leftover] { makeFolder(path) }
            writeFile("\(leftover)/blobs.ndjson", [])
            let failure = #expect(throws: Failure.self) {
                try Backups.restore(from: "\(folder)/backup", to: "\(folder)/restored", areas: [])
            }
            #expect(failure?.code == .notFound)
            _ = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            #expect(!exists(leftover))
        }
    }

    @Test("A backup does not go into the desk, nor the desk into a backup")
    func places() throws {
        try withDesk(.sqlite) { store, folder in
            #expect(throws: Failure.self) {
                try Backups(store).make(to: store.home.path + "/backup", madeBy: "1")
            }
            #expect(throws: Failure.self) { try Backups(store).make(to: folder, madeBy: "1") }
            // What was refused leaves no folders behind.
            #expect(throws: Failure.self) {
                try Backups(store).make(to: store.home.path + "/../desk/a/b", madeBy: "1")
            }
            #expect(!exists(store.home.path + "/backup") && !exists(store.home.path + "/a"))
            #expect(!exists(folder + "/snapshots"))
        }
    }

    private func withDesk(
        _ kind: Database.Kind, areas: [MigrationArea] = [Paper.migrations], clock: Clock = HandClock().clock,
        _ body: (Store, String) throws -> Void
    ) throws {
        try withDeskPlace(kind, areas: areas) { place in
            let store = try place.open(clock: clock)
            defer { store.close() }
            try body(store, String(place.home.dropLast("/desk".count)))
        }
    }
}

extension Store {
    fileprivate func everyPaper() throws -> [[SQLValue]] {
        try read { desk in
            try desk.rows("SELECT id, title, digest, above, size, scribble FROM paper ORDER BY id").map(
                \.values)
        }
    }
}
