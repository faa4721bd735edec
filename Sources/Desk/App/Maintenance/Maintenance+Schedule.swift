import Delivery
import Jobs
import People
import Storage
import Work

extension Maintenance {
    /// Puts the nightly work in place, or brings it in line with changed settings. Times are those of the desk's
    /// own zone; what a night without a running desk has missed is done at the next start.
    func schedule() throws {
        let zone = try settings.zone().name
        let backups = try settings.backups()
        let schedules = Schedules(queue)
        try store.write { tx in
            for night in Self.nights {
                try schedules.set(
                    night.name, night.kind, recurrence: Recurrence(night.rule), zone: zone, in: tx)
            }
            if !backups.folder.isEmpty, let rule = backups.rule, !rule.isEmpty {
                try schedules.set(Self.backupName, .backup, recurrence: recurrence(rule), zone: zone, in: tx)
            }
        }
        let readsBounces = try !settings.bounces().host.isEmpty
        if readsBounces {
            try store.write { tx in
                try schedules.set(
                    Self.bounceName, .bounces, recurrence: recurrence("FREQ=MINUTELY;INTERVAL=15"),
                    zone: zone,
                    in: tx)
            }
        } else if try schedules.get(Self.bounceName) != nil {
            try schedules.remove(Self.bounceName)
        }
        let hasBackups = !backups.folder.isEmpty && backups.rule?.isEmpty == false
        if !hasBackups, try schedules.get(Self.backupName) != nil { try schedules.remove(Self.backupName) }
    }

    private static let backupName = "nightly backup"
    private static let bounceName = "bounced mail"

    private static let nights: [(name: String, kind: JobKind, rule: String)] = [
        // Before the mail of the morning.
        ("daily follow-ups", .followUps, "FREQ=DAILY;BYHOUR=6;BYMINUTE=0"),
        ("nightly bin", .purge, "FREQ=DAILY;BYHOUR=3;BYMINUTE=10"),
        ("nightly sweep", .sweep, "FREQ=DAILY;BYHOUR=3;BYMINUTE=20"),
        ("nightly history", .prune, "FREQ=DAILY;BYHOUR=3;BYMINUTE=40"),
        ("weekly verification", .verification, "FREQ=WEEKLY;BYDAY=SU;BYHOUR=4;BYMINUTE=0"),
    ]

    private func recurrence(_ rule: String) throws -> Recurrence {
        do {
            return try Recurrence(rule)
        } catch {
            throw Failure(
                .invalid, "The backup schedule “\(rule)” cannot be understood: \(error).",
                field: "backup-schedule")
        }
    }
}
