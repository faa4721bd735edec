import Storage
import SQL
import TestSupport
import Testing
import Work

@Suite("The shelf of files")
struct BlobShelfTests {
    @Test("Bytes lie under their digest, unchangeable and for nobody else to read")
    func putting() throws {
        try withStore { store in
            let digest = try store.blobs.put(Array("hello".utf8))
            #expect(digest.hex == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
            let path = try store.blobs.path(of: digest)
            #expect(path == "\(store.home.path)/blobs/2c/\(digest.hex)")
            #expect(permissions(path) == 0o400)
            #expect(permissions(store.home.path) == 0o700)
            #expect(permissions(store.home.keys) == 0o700)
            #expect(permissions(store.home.database) == 0o600)
            #expect(try store.blobs.byteCount(of: digest) == 5)
            #expect(files(below: store.home.temporary) == [])
        }
    }

    @Test("The same bytes are kept once, however they come")
    func deduplication() throws {
        try withStore { store in
            let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let upload = store.home.temporary + "/upload"
            let elsewhere = store.home.path + "/../elsewhere"
            writeFile(upload, bytes)
            writeFile(elsewhere, bytes)
            let digests = [
                try store.blobs.put(bytes), try store.blobs.put(file: elsewhere),
                try store.blobs.put(moving: upload),
                try store.blobs.put { writer in
                    for start in stride(from: 0, to: bytes.count, by: 99_999) {
                        try writer.write(Array(bytes[start..<min(start + 99_999, bytes.count)]))
                    }
                },
            ]
            #expect(Set(digests).count == 1)
            #expect(files(below: store.home.blobs).filter { !$0.hasPrefix(".") }.count == 1)
            #expect(!exists(upload))
            #expect(exists(elsewhere))
            #expect(try store.blobs.read(digests[0]) == bytes)
        }
    }

    @Test("Small bytes that are kept come to the shelf a little later, and are there for everyone meanwhile")
    func fresh() throws {
        try withDeskPlace(.sqlite) { place in
            let (store, other) = (try place.open(), try place.open())
            let upload = store.home.temporary + "/upload"
            writeFile(upload, Array("an upload".utf8))
            let digests = try [store.blobs.take(Array("a letter".utf8)), store.blobs.take(moving: upload)]
            #expect(!exists(upload))
            #expect(try digests.map { digest in try store.write { tx in try tx.keep(digest) } } == [8, 9])
            // The same bytes once more, before they are there.
            try store.write { tx in _ = try tx.keep(store.blobs.take(Array("a letter".utf8))) }
            #expect(try store.blobs.read(digests[0]) == Array("a letter".utf8))
            #expect(try store.blobs.byteCount(of: digests[1]) == 9)
            #expect(other.blobs.contains(digests[0]))
            #expect(try other.blobs.byteCount(of: digests[0]) == 8)
            #expect(try other.blobs.read(digests[0]) == Array("a letter".utf8))
            #expect(permissions(try store.blobs.path(of: digests[1])) == 0o400)
            other.close()
            store.close()
            #expect(files(below: place.home + "/blobs").filter { !$0.hasPrefix(".") }.count == 2)
            #expect(files(below: place.home + "/tmp") == [])
            let next = try place.open()
            #expect(try next.read { desk in try desk.rows("SELECT digest FROM fresh_blob") }.isEmpty)
            #expect(try next.verify().problems == [])
            next.close()
        }
    }

    @Test(
        "After a power cut small bytes are brought from the database to the shelf",
        arguments: Database.Kind.here)
    func powerCut(kind: Database.Kind) throws {
        try withDeskPlace(kind) { place in
            let letters = (1...3).map { Array("letter \($0)".utf8) }
            // As if it had ended before anything came to the shelf.
            let cut = try place.open()
            let digests = try letters.map { letter in
                let digest = try cut.blobs.put(letter)
                try cut.write { tx in
                    try tx.keep(digest)
                    try tx.run("INSERT INTO fresh_blob (digest, bytes) VALUES (\(digest), \(letter))")
                }
                removeFile(try cut.blobs.path(of: digest))
                return digest
            }
            cut.close()
            let reader = try place.open()
            #expect(try reader.blobs.read(digests[1]) == letters[1])
            #expect(try reader.verify().problems == [])
            reader.close()
            let server = try place.open()
            try server.lockForServing()
            #expect(try server.read { desk in try desk.rows("SELECT digest FROM fresh_blob") }.isEmpty)
            #expect(try digests.map { try server.blobs.read($0) } == letters)
            #expect(try server.verify().problems == [])
            server.close()
        }
    }

    @Test("Small bytes are not lost when their place on the shelf cannot be made; they wait in the database")
    func noPlace() throws {
        try withStore { store in
            // No folder can be made where a file lies.
            let shelf = store.home.blobs + "/2c"
            writeFile(shelf, [])
            let digest = try store.blobs.take(Array("hello".utf8))
            try store.write { tx in try tx.keep(digest) }
            #expect(throws: Failure.self) { try store.blobs.path(of: digest) }
            #expect(try store.blobs.read(digest) == Array("hello".utf8))
            #expect(throws: Failure.self) { try store.sweep() }
            removeFile(shelf)
            try store.sweep()
            #expect(exists("\(shelf)/\(digest.hex)"))
        }
    }

    @Test("What nobody kept is swept like all else that nobody needs")
    func notKept() throws {
        let hand = HandClock()
        try withStore(clock: hand.clock) { store in
            let digest = try store.blobs.take(Array("hello".utf8))
            try store.sweep()
            #expect(store.blobs.contains(digest))
            hand.advance(.seconds(100_000))
            #expect(try store.sweep() == Swept(count: 1, byteCount: 5))
            #expect(!store.blobs.contains(digest))
        }
    }

    @Test("A backup brings along what came a moment before it, and so does moving to another database")
    func backedUp() throws {
        try withDeskPlace(.sqlite) { place in
            let store = try place.open()
            let digest = try store.blobs.take(Array("hello".utf8))
            try store.write { tx in try tx.keep(digest) }
            let report = try Backups(store).make(to: place.home + "-backup", madeBy: "1")
            #expect(report.problems == [] && report.newFileCount == 1)
            store.close()
            _ = try Backups.restore(from: place.home + "-backup", to: place.home + "-new", areas: [])
            #expect(exists("\(place.home)-new/blobs/2c/\(digest.hex)"))
        }
    }

    @Test("What breaks off leaves nothing behind")
    func brokenOff() throws {
        try withStore { store in
            #expect(throws: Failure.self) {
                try store.blobs.put { writer in
                    try writer.write([1, 2, 3])
                    throw Failure(.cancelled, "The upload broke off.")
                }
            }
            #expect(files(below: store.home.temporary) == [])
            #expect(files(below: store.home.blobs).filter { !$0.hasPrefix(".") } == [])
        }
    }

    @Test("A file that cannot be read or is none is refused with a reason")
    func strangeSources() throws {
        try withStore { store in
            #expect(throws: Failure.self) { try store.blobs.put(file: "/nowhere") }
            #expect(throws: Failure.self) { try store.blobs.put(file: "/tmp") }
            #expect(throws: Failure.self) { try store.blobs.put(moving: "/dev/null") }
            #expect(exists("/dev/null"))
        }
    }

    @Test("Only the holder of the serving lock clears away what interrupted work left behind")
    func emptying() throws {
        try withDeskPlace(.sqlite) { place in
            try place.open().close()
            writeFile(place.home + "/tmp/blob-left-behind", [1, 2])
            let visitor = try place.open()
            #expect(exists(place.home + "/tmp/blob-left-behind"))
            // A put in progress in another process is locked by it, and stays.
            _ = try visitor.blobs.put { writer in
                try writer.write([3])
                let server = try place.open()
                defer { server.close() }
                try server.lockForServing()
                #expect(!exists(place.home + "/tmp/blob-left-behind"))
                #expect(files(below: place.home + "/tmp").count == 1)
            }
            visitor.close()
        }
    }

    @Test(
        "A sweep removes what no row refers to, and leaves what may still be on its way",
        arguments: Database.Kind.here)
    func sweeping(kind: Database.Kind) throws {
        let hand = HandClock()
        try withStore(kind, areas: [Paper.migrations], clock: hand.clock) { store in
            try store.addPaper("Lease", "kept")
            let draft = try store.addPaper("Draft", "thrown away")
            let never = try store.blobs.put(Array("never kept".utf8))
            hand.advance(.seconds(7200))
            let onItsWay = try store.blobs.put(Array("on its way".utf8))
            try store.write { tx in try tx.run("DELETE FROM paper WHERE id = \(draft)") }
            #expect(try store.sweep(grace: .seconds(3600)) == Swept(count: 2, byteCount: 21))
            #expect(!store.blobs.contains(never))
            #expect(!store.blobs.contains(Digest(of: Array("thrown away".utf8))))
            #expect(store.blobs.contains(onItsWay))
            #expect(store.blobs.contains(Digest(of: Array("kept".utf8))))
            #expect(try store.verify().problems == [])
            #expect(try store.sweep(grace: .seconds(3600)) == Swept())
        }
    }

    @Test("A file that the disk has changed is not handed to those who send it away")
    func soundPath() throws {
        try withStore { store in
            let digest = try store.blobs.put(Array("lease".utf8))
            #expect(try store.blobs.soundPath(of: digest) == store.blobs.path(of: digest))
            writeFile(try store.blobs.path(of: digest), Array("leasE".utf8))
            let failure = #expect(throws: Failure.self) { try store.blobs.soundPath(of: digest) }
            #expect(failure?.code == .damaged)
        }
    }

    @Test("Old bytes that get a new use are not swept away under it")
    func usedAnew() throws {
        let hand = HandClock()
        try withStore(areas: [Paper.migrations], clock: hand.clock) { store in
            let old = try store.blobs.put(Array("old".utf8))
            hand.advance(.seconds(100_000))
            _ = try store.blobs.put(Array("old".utf8))
            try store.sweep(grace: .seconds(3600))
            #expect(store.blobs.contains(old))
            hand.advance(.seconds(100_000))
            try store.write { tx in try tx.keep(old) }
            try store.sweep(grace: .seconds(3600))
            #expect(store.blobs.contains(old))
            hand.advance(.seconds(100_000))
            try store.sweep(grace: .seconds(3600))
            #expect(!store.blobs.contains(old))
            // It has waited for its last day.
            hand.advance(.seconds(31 * 86_400))
            try store.sweep(grace: .seconds(3600))
            #expect(throws: Failure.self) { try store.write { tx in try tx.keep(old) } }
        }
    }

    @Test("Sweeps, additions and removals at the same time never take away what is in use")
    func sweepingMeanwhile() throws {
        let hand = HandClock()
        try withStore(areas: [Paper.migrations], clock: hand.clock) { store in
            let workers = Workers(name: "desk", threads: 4)
            for worker in 0..<3 {
                workers.submit {
                    let chance = Chance.seeded(UInt64(worker))
                    for n in 0..<25 {
                        // A file swept between shelf and row is refused, and so not lost but tried again.
                        let text = "\(chance.integer(below: 4))"
                        while (try? store.addPaper("\(worker)-\(n)", text)) == nil {}
                        _ = try? store.write { tx in
                            try tx.run("DELETE FROM paper WHERE title = \("\(worker)-\(n - 1)")")
                        }
                    }
                }
            }
            workers.submit {
                for _ in 0..<40 {
                    hand.advance(.seconds(10))
                    _ = try? store.sweep(grace: .seconds(5))
                }
            }
            workers.stop()
            let titles = try store.titles()
            #expect(titles.sorted() == ["0-24", "1-24", "2-24"])
            #expect(try store.verify().problems == [])
        }
    }

    @Test(
        "Verifying finds flipped bits, half files, missing files and strangers", arguments: Database.Kind.here
    )
    func verifying(kind: Database.Kind) throws {
        try withStore(kind, areas: [Paper.migrations]) { store in
            for text in ["flipped", "half", "missing", "whole"] { try store.addPaper(text, text) }
            func path(_ text: String) throws -> String {
                try store.blobs.path(of: Digest(of: Array(text.utf8)))
            }
            #expect(try store.verify().isSound)
            writeFile(try path("flipped"), Array("flopped".utf8))
            writeFile(try path("half"), Array("ha".utf8))
            try removeFile(path("missing"))
            writeFile(store.home.blobs + "/notes.txt", [])
            let found = try store.verify()
            #expect(found.filesChecked == 3)
            #expect(
                Set(found.blobs.map(\.sentence)) == [
                    "The file \(Digest(of: Array("flipped".utf8))) has other bytes than it was saved with.",
                    "The file \(Digest(of: Array("half".utf8))) has 2 of 4 bytes.",
                    "The file \(Digest(of: Array("missing".utf8))) is missing.",
                    "blobs/notes.txt is not from Quire.",
                ])
            let failure = #expect(throws: Failure.self) {
                try store.blobs.read(Digest(of: Array("flipped".utf8)))
            }
            #expect(failure?.code == .damaged)
            // Whoever still has the bytes mends the damage by adding them again.
            _ = try store.blobs.put(Array("flipped".utf8))
            #expect(try store.verify().blobs.count == 3)
        }
    }
}
