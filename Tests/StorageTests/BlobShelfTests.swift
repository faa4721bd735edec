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

    @Test("A small upload may be on its way yet; who looks for it and what keeps it waits until it is there")
    func settling() throws {
        try withStore { store in
            func upload(_ text: String) throws -> Digest {
                let path = store.home.temporary + "/upload"
                writeFile(path, Array(text.utf8))
                return try store.blobs.put(moving: path, maySettle: true)
            }
            for number in 0..<50 {
                let looked = try upload("looked for \(number)")
                #expect(try store.blobs.read(looked) == Array("looked for \(number)".utf8))
                let kept = try upload("kept \(number)")
                let byteCount = try store.write { tx in try tx.keep(kept) }
                #expect(try store.blobs.byteCount(of: kept) == byteCount)
                #expect(permissions("\(store.home.blobs)/\(kept.hex.prefix(2))/\(kept.hex)") == 0o400)
                #expect(files(below: store.home.temporary) == [])
            }
        }
    }

    @Test("Nothing is saved with bytes that did not get to their place, and the same bytes can come again")
    func notSettled() throws {
        try withStore { store in
            let bytes = Array("hello".utf8)
            let shelf = store.home.blobs + "/2c"
            let upload = store.home.temporary + "/upload"
            // No folder can be made where a file lies.
            writeFile(shelf, [])
            writeFile(upload, bytes)
            #expect(throws: Failure.self) {
                let digest = try store.blobs.put(moving: upload, maySettle: true)
                _ = try store.write { tx in try tx.keep(digest) }
            }
            #expect(try store.read { desk in try desk.rows("SELECT digest FROM blob") }.isEmpty)
            removeFile(shelf)
            writeFile(upload, bytes)
            let digest = try store.blobs.put(moving: upload, maySettle: true)
            _ = try store.write { tx in try tx.keep(digest) }
            #expect(try store.blobs.read(digest) == bytes)
            // Once there it stays there, whatever becomes of the same bytes that come later.
            writeFile(upload, bytes)
            #expect(try store.blobs.put(moving: upload, maySettle: true) == digest)
            removeFile(upload)
            #expect(try store.blobs.read(digest) == bytes)
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
