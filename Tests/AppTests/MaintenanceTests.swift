import Access
import App
import Bytes
import Glibc
import Jobs
import Library
import People
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Maintenance")
struct MaintenanceTests {
    @Test("a backup asked for is made by a job, reported, and can be restored", arguments: Database.Kind.here)
    func backup(kind: Database.Kind) throws {
        try withScratchFolder { folder in
            try withQuire(kind) { quire in
                _ = try quire.documents.add(.bytes(Array("a lease".utf8)), named: "lease.txt", by: .local)
                let id = try quire.maintenance.backUpLater(to: "\(folder)/backups", by: .local)
                quire.runner.runUntilIdle()
                let job = try #require(try quire.queue.get(id))
                #expect(job.state == .done, "\(job.reason ?? "")")
                let report = try #require(try quire.reports.latest(.backup))
                #expect(report.isGood)
                #expect(report.detail["newFiles"] == 1)
                #expect(report.sentence.contains("1 new file, 7 bytes"))
                #expect(try Backups.list(in: "\(folder)/backups").count == 1)
            }
            let restored = try Backups.restore(
                from: "\(folder)/backups", to: "\(folder)/again", areas: Quire.areas,
                clock: HandClock().clock,
                chance: .seeded(2))
            #expect(restored.fileCount == 1)
        }
    }

    @Test("the nightly backup is encrypted when that is chosen, with nobody at the keyboard")
    func encryptedByPlan() throws {
        let hands = HandClock(try #require(Moment(iso8601: "2026-11-21T12:00:00Z")))
        try withScratchFolder { folder in
            try withQuire(hands: hands, role: .server) { quire in
                _ = try quire.documents.add(.bytes(Array("a lease".utf8)), named: "lease.txt", by: .local)
                #expect(try !quire.settings.needsRecoverySheet())
                try quire.settings.change(Region(timeZone: "UTC"), by: .local)
                try quire.settings.change(
                    BackupSettings(folder: "\(folder)/nights", rule: "FREQ=DAILY;BYHOUR=2", encrypted: true),
                    by: .local)
                #expect(try quire.settings.needsRecoverySheet())
                let (key, _) = try quire.settings.recoverySheet(by: .local)
                #expect(try !quire.settings.needsRecoverySheet())
                // The change of the settings has put the night in place.
                hands.advance(.seconds(86_400))
                quire.runner.runUntilIdle()
                #expect(try quire.reports.latest(.backup)?.isGood == true)
                #expect(try Backups.kind(of: "\(folder)/nights") == .sealed)
                #expect(try Backups.verify("\(folder)/nights", key) == [])
                #expect(try quire.maintenance.encryptedFolders() == ["\(folder)/nights"])
                // What was begun so is not gone on with otherwise, and that is said when it is chosen.
                let mixed = #expect(throws: Failure.self) {
                    try quire.settings.change(BackupSettings(folder: "\(folder)/nights"), by: .local)
                }
                #expect(mixed?.code == .conflict && mixed?.field == "folder")
            }
        }
    }

    @Test("without a folder a backup is refused before it is promised")
    func noFolder() throws {
        try withQuire { quire throws in
            #expect(
                #expect(throws: Failure.self) { try quire.maintenance.backUpLater(by: .local) }?.code
                    == .conflict)
            #expect(throws: Failure.self) { try quire.maintenance.backUpLater(to: "relative", by: .local) }
            #expect(try quire.queue.list().isEmpty)
        }
    }

    @Test("a damaged file is found, and the report says so")
    func verification() throws {
        try withQuire { quire in
            let added = try quire.documents.add(.bytes(Array("a lease".utf8)), named: "lease.txt", by: .local)
            #expect(try quire.maintenance.verify(by: "local").isGood)
            let path = try quire.store.blobs.path(of: added.document.blob.digest)
            chmod(path, 0o600)
            let file = open(path, O_WRONLY | O_CLOEXEC)
            write(file, "A LEASE", 7)
            close(file)
            let report = try quire.maintenance.verify(by: "local")
            #expect(!report.isGood)
            #expect(report.sentence.hasPrefix("1 problem: "))
            #expect(report.detail["papers"] == ["lease.txt"])
            #expect(try quire.reports.latest(.verification) == report)
        }
    }

    @Test("a list whose rows are damaged is found too")
    func damagedList() throws {
        try withQuire { quire in
            let list = try quire.recipients.make("Class 4b", by: .local)
            try quire.recipients.add([["name": "Ana"]], to: list.id, by: .local)
            #expect(try quire.maintenance.verify(by: "local").isGood)
            try quire.store.write { tx in
                _ = try tx.run("UPDATE recipient_chunk SET content = \([UInt8]([1, 2, 3]))")
            }
            let report = try quire.maintenance.verify(by: "local")
            #expect(!report.isGood)
            #expect(report.sentence.contains("“Class 4b”"))
        }
    }

    @Test("a failed backup is on record")
    func failedBackup() throws {
        try withQuire { quire in
            #expect(throws: Failure.self) { try quire.maintenance.backUp(to: "/proc/backups", by: "local") }
            let report = try #require(try quire.reports.latest(.backup))
            #expect(!report.isGood)
        }
    }

    @Test("thirty days after it was thrown away a paper goes, and its bytes a day later")
    func purging() throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let document = try quire.documents.add(.bytes([1, 2, 3]), named: "old.bin", by: .local).document
            try quire.documents.trash(document.id, by: .local)
            #expect(try quire.usage().trashedDocuments == 1)
            hands.advance(.seconds(29 * 86_400))
            #expect(try quire.maintenance.purge(by: "local").detail["documents"] == 0)
            hands.advance(.seconds(2 * 86_400))
            #expect(try quire.maintenance.purge(by: "local").detail["documents"] == 1)
            #expect(try quire.maintenance.sweep(by: "local").isGood)
            #expect(try quire.usage().documents == 0)
            #expect(try quire.store.journal.verify() == [])
        }
    }

    @Test("finished jobs are forgotten after thirty days, the journal never")
    func pruning() throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let id = try quire.maintenance.verifyLater(by: .local)
            quire.runner.runUntilIdle()
            let lines = try quire.store.journal.lines().count
            hands.advance(.seconds(31 * 86_400))
            #expect(try quire.maintenance.prune(by: "local").detail["jobs"] == 1)
            #expect(try quire.queue.get(id) == nil)
            #expect(try quire.store.journal.lines().count > lines)
        }
    }

    @Test(
        "the nights are planned in the desk's zone, and again when it changes", arguments: Database.Kind.here)
    func schedule(kind: Database.Kind) throws {
        let hands = HandClock(try #require(Moment(iso8601: "2026-11-21T12:00:00Z")))
        try withQuire(kind, hands: hands, role: .server) { quire in
            try quire.settings.change(Region(timeZone: "UTC"), by: .local)
            try quire.start()
            let schedules = Schedules(quire.queue)
            #expect(
                try schedules.list().map(\.name)
                    == [
                        "daily follow-ups", "nightly bin", "nightly history", "nightly sweep",
                        "weekly verification",
                    ])
            #expect(try schedules.get("nightly bin")?.nextAt?.iso8601 == "2026-11-22T03:10:00.000Z")

            try quire.settings.change(
                BackupSettings(folder: "/srv/backups", rule: "FREQ=DAILY;BYHOUR=5"), by: .local)
            #expect(try schedules.get("nightly backup")?.nextAt?.iso8601.hasPrefix("2026-11-22T05:") == true)
            try quire.settings.change(BackupSettings(folder: "/srv/backups", rule: ""), by: .local)
            #expect(try schedules.get("nightly backup") == nil)

            // What was said last counts, also where word of what was said before comes late.
            for round in 0..<25 {
                for rule in ["FREQ=DAILY;BYHOUR=5", ""] {
                    try quire.settings.change(
                        BackupSettings(folder: "/srv/backups", rule: rule), by: .local)
                }
                #expect(try schedules.get("nightly backup") == nil, "round \(round)")
            }
        }
    }

    @Test("a second server on the same directory is refused, a command is not")
    func secondServer() throws {
        try withConfig { config in
            let first = try Quire.open(config, role: .server, log: .silent)
            defer { first.stop() }
            try first.start()
            let second = try Quire.open(config, role: .server, log: .silent)
            #expect(#expect(throws: Failure.self) { try second.start() }?.code == .conflict)
            second.stop()
            let command = try Quire.open(config, log: .silent)
            _ = try command.maintenance.verifyLater(by: .local)
            command.stop()
        }
    }
}
