import Bytes
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("An encrypted backup")
struct SealedBackupTests {
    private let key = RecoveryKey(.seeded(1))

    @Test("brings back the desk that was saved, on either database", arguments: Database.Kind.here)
    func drill(kind: Database.Kind) throws {
        try withDesk(kind) { store, folder in
            try store.addPaper("Contract", "twelve pages")
            try store.addPaper("Large", String(repeating: "0123456789", count: 40_000))
            try store.addPaper("Empty", "")
            writeFile(store.home.keys + "/sealing", [1, 2, 3])
            let report = try backUp(store, folder)
            #expect(report.problems == [] && report.newFileCount == 3)
            #expect(try Backups.verify("\(folder)/backup", key) == [])
            try withDeskPlace(kind, areas: [Paper.migrations]) { place in
                let restored = try Backups.restore(
                    from: "\(folder)/backup", to: place.home, database: place.database, areas: place.areas,
                    key: key)
                #expect(restored.rowCount == report.rowCount && restored.fileCount == 3)
                let desk = try place.open()
                defer { desk.close() }
                #expect(try desk.titles() == store.titles())
                #expect(try desk.verify().problems == [])
                #expect(readFile(desk.home.keys + "/sealing") == [1, 2, 3])
            }
        }
    }

    @Test(
        "tells nothing: no word, name, digest or length of a paper stands in any file or name of its folder")
    func telling() throws {
        try withDesk { store, folder in
            try store.addPaper("Dismissal of Jo Miller", "Dear Jo, with regret we end your contract.")
            try store.addPaper("Payroll", String(repeating: "Jo Miller earns too little. ", count: 9_000))
            writeFile(store.home.keys + "/sealing", Array("the key that unlocks everything".utf8))
            _ = try backUp(store, folder)
            let digests = ["Dear Jo, with regret we end your contract."].map {
                Digest(of: Array($0.utf8)).hex
            }
            let words = ["Miller", "Dismissal", "regret", "Payroll", "unlocks", "paper", "journal"] + digests
            let all = files(below: "\(folder)/backup")
            #expect(all.count > 5)
            for name in all {
                let bytes = try #require(readFile("\(folder)/backup/\(name)"))
                for word in words {
                    #expect(!name.contains(word) && !bytes.contains(Array(word.utf8)), "\(name) has \(word)")
                }
            }
            // A plain backup of the same desk holds all of them, so the search finds what there is to find.
            _ = try Backups(store).make(to: "\(folder)/plain", madeBy: "1.0")
            let plain = files(below: "\(folder)/plain")
            for word in words {
                #expect(
                    plain.contains { name in
                        name.contains(word)
                            || readFile("\(folder)/plain/\(name)")?.contains(Array(word.utf8)) == true
                    }, "\(word)")
            }
        }
    }

    @Test("gives papers of about the same length files of exactly the same")
    func lengths() throws {
        try withDesk { store, folder in
            try store.addPaper("One", String(repeating: "a", count: 100))
            try store.addPaper("Two", String(repeating: "b", count: 3_000))
            try store.addPaper("Three", String(repeating: "c", count: 100_000))
            try store.addPaper("Four", String(repeating: "d", count: 100_300))
            _ = try backUp(store, folder)
            let sizes = files(below: "\(folder)/backup/blobs").compactMap {
                readFile("\(folder)/backup/blobs/\($0)")?.count
            }
            #expect(sizes.count == 4 && Set(sizes).count == 2)
            #expect((sizes.max() ?? 0) < 114_000)
        }
    }

    @Test("writes only what is new, and each of its backups can be restored")
    func incremental() throws {
        let hand = HandClock()
        try withDesk(clock: hand.clock) { store, folder in
            try store.addPaper("First", "one")
            let first = try backUp(store, folder)
            let old = files(below: "\(folder)/backup/blobs")
            let written = old.map { readFile("\(folder)/backup/blobs/\($0)") }
            try store.addPaper("Second", "two two")
            hand.advance(.seconds(60))
            let second = try backUp(store, folder)
            #expect(second.knownFileCount == 1 && second.newFileCount == 1 && second.newByteCount == 7)
            // Sealed anew, it would be another file.
            #expect(old.map { readFile("\(folder)/backup/blobs/\($0)") } == written)
            #expect(try Backups.list(in: "\(folder)/backup", key).map(\.path) == [first.path, second.path])
            for (number, path) in [(1, first.path), (2, "\(folder)/backup")] {
                _ = try Backups.restore(
                    from: path, to: "\(folder)/desk\(number)", areas: [Paper.migrations], key: key)
                let desk = try Store.open(home: "\(folder)/desk\(number)", areas: [Paper.migrations])
                defer { desk.close() }
                #expect(try desk.titles().count == number)
            }
        }
    }

    @Test("lets go of old ones with the files only they had")
    func pruning() throws {
        let hand = HandClock()
        try withDesk(clock: hand.clock) { store, folder in
            let draft = try store.addPaper("Draft", "draft")
            try store.addPaper("Kept", "kept")
            _ = try backUp(store, folder)
            #expect(files(below: "\(folder)/backup/blobs").count == 2)
            try store.write { tx in try tx.run("DELETE FROM paper WHERE id = \(draft)") }
            hand.advance(.seconds(100_000))
            try store.sweep(grace: .seconds(3600))
            let latest = try backUp(store, folder, keeping: 1)
            #expect(try Backups.list(in: "\(folder)/backup", key).map(\.path) == [latest.path])
            #expect(files(below: "\(folder)/backup/blobs").count == 1)
            #expect(try Backups.verify("\(folder)/backup", key) == [])
        }
    }

    @Test("is refused with another key or none, before anything is written")
    func wrongKey() throws {
        try withDesk { store, folder in
            try store.addPaper("Paper", "bytes")
            let made = try backUp(store, folder)
            for path in ["\(folder)/backup", made.path] {
                for withoutDamaged in [false, true] {
                    let wrong = #expect(throws: Failure.self) {
                        try Backups.restore(
                            from: path, to: "\(folder)/restored", areas: [Paper.migrations],
                            withoutDamaged: withoutDamaged, key: RecoveryKey(.seeded(2)))
                    }
                    #expect(wrong?.message.hasPrefix("This is not the key of these backups.") == true)
                    let none = #expect(throws: Failure.self) {
                        try Backups.restore(
                            from: path, to: "\(folder)/restored", areas: [Paper.migrations],
                            withoutDamaged: withoutDamaged)
                    }
                    #expect(none?.message.hasPrefix("These backups are encrypted.") == true)
                }
                #expect(throws: Failure.self) { try Backups.verify(path, RecoveryKey(.seeded(2))) }
            }
            #expect(!exists("\(folder)/restored"))
        }
    }

    @Test("shares no folder with plain ones, nor with those of another key, and says so")
    func mixing() throws {
        try withDesk { store, folder in
            try store.addPaper("Paper", "bytes")
            _ = try Backups(store).make(to: "\(folder)/plain", madeBy: "1")
            _ = try backUp(store, folder)
            let before = files(below: folder)
            func refused(_ path: String, _ key: RecoveryKey?) -> String? {
                do {
                    _ = try Backups(store).make(to: path, madeBy: "1", sealedWith: key)
                    return nil
                } catch { return (error as? Failure)?.message }
            }
            #expect(
                refused("\(folder)/plain", key)?.contains("are not encrypted, and stay as they are") == true)
            #expect(
                refused("\(folder)/backup", nil)?.contains("are encrypted. Choose another folder") == true)
            #expect(refused("\(folder)/backup", RecoveryKey(.seeded(2)))?.contains("not this desk's") == true)
            #expect(files(below: folder) == before)
            // One that was broken off has left plain files behind.
            for name in files(below: "\(folder)/plain/snapshots") {
                removeFile("\(folder)/plain/snapshots/\(name)")
            }
            #expect(refused("\(folder)/plain", key)?.contains("are not encrypted") == true)
        }
    }

    @Test("is refused when any of its files is spoilt, cut short or put in the place of another")
    func spoilt() throws {
        try withDesk { store, folder in
            try store.addPaper("Paper", "bytes")
            try store.addPaper("Other", "other")
            writeFile(store.home.keys + "/sealing", [1, 2, 3])
            _ = try backUp(store, folder)
            let all = files(below: "\(folder)/backup").filter { !$0.hasPrefix(".") }
            for (place, name) in all.enumerated() {
                let path = "\(folder)/backup/\(name)"
                let bytes = try #require(readFile(path))
                let other = try #require(readFile("\(folder)/backup/\(all[(place + 1) % all.count])"))
                var flipped = bytes
                flipped[bytes.count / 2] ^= 4
                for spoilt in [flipped, Array(bytes.dropLast()), bytes + [0], other, []] {
                    writeFile(path, spoilt)
                    let problems = try Backups.verify("\(folder)/backup", key)
                    #expect(!problems.isEmpty, "\(name)")
                    #expect(throws: Failure.self, "\(name)") {
                        try Backups.restore(
                            from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations],
                            key: key)
                    }
                }
                writeFile(path, bytes)
            }
            _ = try Backups.restore(
                from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations], key: key)
        }
    }

    @Test("brings back what is sound without what is damaged, and names that")
    func withoutDamaged() throws {
        try withDesk { store, folder in
            for title in ["Whole", "Spoilt"] { try store.addPaper(title, title) }
            writeFile(store.home.keys + "/sealing", [1, 2, 3])
            _ = try backUp(store, folder)
            let blobs = files(below: "\(folder)/backup/blobs").map { "\(folder)/backup/blobs/\($0)" }
            // Which of the two it is, the folder does not tell.
            var bytes = try #require(readFile(blobs[0]))
            bytes[bytes.count - 20] ^= 1
            writeFile(blobs[0], bytes)
            let problems = try Backups.verify("\(folder)/backup", key)
            #expect(problems.count == 1)
            let restored = try Backups.restore(
                from: "\(folder)/backup", to: "\(folder)/restored", areas: [Paper.migrations],
                withoutDamaged: true, key: key)
            #expect(restored.fileCount == 1 && restored.missing.count == 1)
            let lost = try #require(restored.missing.first)
            #expect(["Whole", "Spoilt"].map { Digest(of: Array($0.utf8)) }.contains(lost))
            #expect(restored.damaged == ["The file \(lost) in the backup is not what was saved."])
            #expect(problems[0].contains("\(lost)"))
        }
    }

    private func backUp(_ store: Store, _ folder: String, keeping: Int? = nil) throws -> Backups.Report {
        try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0", keeping: keeping, sealedWith: key)
    }

    private func withDesk(
        _ kind: Database.Kind = .sqlite, clock: Clock = HandClock().clock,
        _ body: (Store, String) throws -> Void
    ) throws {
        try withDeskPlace(kind, areas: [Paper.migrations]) { place in
            let store = try place.open(clock: clock)
            defer { store.close() }
            try body(store, String(place.home.dropLast("/desk".count)))
        }
    }
}
