import Bytes
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("When the machine fails")
struct FaultTests {
    @Test(
        "A full disk is said, nothing saved is lost, and work goes on once there is room",
        .enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func fullDisk() throws {
        try SmallDisk.with(megabytes: 3) { disk in
            let store = try Store.open(home: disk.path + "/desk", areas: [Paper.migrations])
            defer { store.close() }
            writeFile(disk.path + "/ballast", [UInt8](repeating: 1, count: 400_000))
            var saved: [String] = []
            let failure = #expect(throws: Failure.self) {
                for n in 0..<1000 {
                    let text = String(repeating: "\(n) ", count: 20_000)
                    try store.addPaper("Paper \(n)", text)
                    saved.append("Paper \(n)")
                }
            }
            #expect(failure?.code == .full)
            #expect(saved.count > 3)
            #expect(files(below: store.home.temporary) == [])
            // The rows fill the rest.
            let rows = #expect(throws: Failure.self) {
                for n in 1000..<100_000 {
                    try store.addPaper("Paper \(n) " + String(repeating: "x", count: 3000))
                    saved.append("Paper \(n) " + String(repeating: "x", count: 3000))
                }
            }
            #expect(rows?.code == .full)
            #expect(try store.titles() == saved)
            removeFile(disk.path + "/ballast")
            try store.addPaper("There is room again", "small")
            #expect(try store.titles() == saved + ["There is room again"])
            #expect(try store.verify().problems == [])
        }
    }

    @Test(
        "A read-only directory is said with its path and what to do",
        .enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func readOnly() throws {
        try SmallDisk.with(megabytes: 3) { disk in
            let store = try Store.open(home: disk.path + "/desk", areas: [Paper.migrations])
            try store.addPaper("Paper", "text")
            store.close()
            try disk.makeReadOnly()
            for home in ["/desk", "/new"] {
                let failure = #expect(throws: Failure.self) {
                    let store = try Store.open(home: disk.path + home, areas: [Paper.migrations])
                    defer { store.close() }
                    try store.addPaper("Another")
                }
                #expect(failure?.code == .unavailable)
                #expect(failure?.message.contains(disk.path) == true)
                #expect(failure?.message.contains("writable") == true)
            }
        }
    }

    @Test(
        "What lies on a disk that cannot be written can be read, verified and backed up",
        .enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func readingReadOnly() throws {
        try SmallDisk.with(megabytes: 3) { disk in
            let home = disk.path + "/a desk"
            let store = try Store.open(home: home, areas: [Paper.migrations])
            try store.addPaper("Lease", "four rooms")
            store.close()
            try disk.makeReadOnly()
            try withScratchFolder { folder in
                let frozen = try Store.open(home: home, areas: [Paper.migrations])
                #expect(try frozen.titles() == ["Lease"])
                #expect(
                    try frozen.blobs.read(Digest(of: Array("four rooms".utf8))) == Array("four rooms".utf8))
                #expect(try frozen.verify().problems == [])
                #expect(try Backups(frozen).make(to: folder + "/backup", madeBy: "1").problems == [])
                frozen.close()
                _ = try Backups.restore(
                    from: folder + "/backup", to: folder + "/back", areas: [Paper.migrations])
            }
        }
    }

    @Test(
        "A damaged database says that it is damaged and how to mend it",
        arguments: ["beginning", "middle", "half"])
    func damagedDatabase(place damage: String) throws {
        try withDeskPlace(.sqlite, areas: [Paper.migrations]) { place in
            let store = try place.open()
            for n in 0..<300 { try store.addPaper("Paper \(n)", n == 0 ? "text" : nil) }
            _ = try Backups(store).make(to: place.home + "/../backup", madeBy: "1.0")
            store.close()
            var bytes = try #require(readFile(place.home + "/quire.db"))
            switch damage {
            case "beginning": bytes.replaceSubrange(..<64, with: [UInt8](repeating: 0xA5, count: 64))
            case "middle":
                bytes.replaceSubrange(
                    8192..<bytes.count - 4096, with: [UInt8](repeating: 0xA5, count: bytes.count - 12_288))
            default: bytes.removeLast(bytes.count / 2)
            }
            writeFile(place.home + "/quire.db", bytes)
            // It shows at the latest when everything is looked at.
            var said: [String] = []
            do {
                let damaged = try place.open()
                defer { damaged.close() }
                said = try damaged.verify().problems
            } catch let failure as Failure {
                #expect(failure.code == .damaged)
                #expect(failure.message.contains("quire verify"))
                #expect(failure.message.contains("quire restore"))
                said = [failure.message]
            }
            #expect(!said.isEmpty)
            let restored = place.home + "/../restored"
            _ = try Backups.restore(from: place.home + "/../backup", to: restored, areas: place.areas)
            let mended = try Store.open(home: restored, areas: place.areas)
            defer { mended.close() }
            #expect(try mended.titles().count == 300)
            #expect(try mended.verify().problems == [])
        }
    }

    @Test(
        "A clock that goes backwards changes neither the order of ids nor that of the journal",
        arguments: Database.Kind.here)
    func clockBackwards(kind: Database.Kind) throws {
        let hand = HandClock()
        try withStore(kind, areas: [Paper.migrations], clock: hand.clock) { store in
            for n in 0..<20 {
                try store.addPaper("Paper \(n)", "\(n)")
                hand.advance(.seconds(n.isMultiple(of: 2) ? -100_000 : 50))
            }
            #expect(try store.titles() == (0..<20).map { "Paper \($0)" })
            #expect(
                try store.journal.lines().map(\.entry.detail["title"]?.string)
                    == (0..<20).reversed().map { "Paper \($0)" })
            try store.sweep(grace: .seconds(1))
            #expect(try store.verify().problems == [])
        }
    }

    @Test("A restore that was interrupted is noticed, and done again from the start")
    func interruptedRestore() throws {
        try withDeskPlace(.sqlite, areas: [Paper.migrations]) { place in
            let store = try place.open()
            try store.addPaper("Paper", "text")
            _ = try Backups(store).make(to: place.home + "/../backup", madeBy: "1.0")
            store.close()
            let home = place.home + "/../restored"
            for folder in [home, home + "/restoring", home + "/restoring/blobs"] { makeFolder(folder) }
            let failure = #expect(throws: Failure.self) { try Store.open(home: home, areas: place.areas) }
            #expect(failure?.code == .conflict)
            _ = try Backups.restore(from: place.home + "/../backup", to: home, areas: place.areas)
            let mended = try Store.open(home: home, areas: place.areas)
            defer { mended.close() }
            #expect(try mended.titles() == ["Paper"])
        }
    }
}
