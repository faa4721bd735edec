import Bytes
import Glibc
import SQL
import Work

extension Doctor {
    /// What was set and cannot work as it is: told at each start and by `quire doctor`, each by itself, whatever else is
    /// wrong. `decided` is what owners chose in the app, nil where no desk can be asked.
    func settings(_ decided: BackupSettings?, bounces failed: String? = nil) -> [Finding] {
        backups(config.deciding(decided ?? BackupSettings(), isChosen: decided?.rule != nil))
            + folder("inbox-folder", config.inboxFolder, R_OK | W_OK | X_OK, isMade: false)
            + folder("mirror-folder", config.mirrorFolder, R_OK | W_OK | X_OK, isMade: true)
            + config.reachableFolders.flatMap { folder("reachable-folders", $0, R_OK | X_OK, isMade: false) }
            + (failed.map {
                [
                    Finding(
                        .mail, "returned mail", .limited, "Mail that came back cannot be read: \($0)",
                        remedy: "look at Settings › Mail; the password may have changed")
                ]
            } ?? [])
    }

    private func backups(_ decided: (settings: BackupSettings, isRuleChosen: Bool)) -> [Finding] {
        let (settings, isRuleChosen) = decided
        if settings.folder.isEmpty {
            guard isRuleChosen, settings.rule?.isEmpty == false else { return [] }
            return [
                Finding(
                    .backups, "backup-schedule", .limited,
                    "There is a schedule for backups and no folder for them, so none are made.",
                    remedy: "choose one under Settings › Storage, or set backup-folder")
            ]
        }
        return folder("backup-folder", settings.folder, R_OK | W_OK | X_OK, isMade: true, part: .backups)
    }

    /// `isMade` when Quire makes a missing one; then what lies above has to let it.
    private func folder(
        _ name: String, _ path: String?, _ rights: Int32, isMade: Bool, part: Finding.Part = .desk
    ) -> [Finding] {
        guard let path else { return [] }
        if access(path, rights) == 0 { return [] }
        let reason = systemMessage(errno)
        if isMade, errno == ENOENT {
            var above = path[...]
            repeat {
                above = above[..<(above.lastIndex(of: "/") ?? above.startIndex)]
            } while !above.isEmpty
                && access(String(above), F_OK) != 0
            if access(above.isEmpty ? "/" : String(above), W_OK | X_OK) == 0 { return [] }
        }
        return [
            Finding(
                part, name, .limited, "\(path) cannot be used: \(reason).",
                remedy:
                    "make it and give it to the user that runs Quire; under systemd also: systemctl edit quire, ReadWritePaths=\(path)"
            )
        ]
    }

    /// Why the last look into the mailbox for returned mail failed.
    static func failedBounces(in db: borrowing Connection) throws -> String? {
        guard
            let last = try db.row(
                "SELECT state, reason FROM job WHERE kind = 'read-bounces' AND reason IS NOT NULL ORDER BY id DESC LIMIT 1"
            ), try last.text("state") != "done"
        else { return nil }
        let newer = try db.row(
            "SELECT 1 AS one FROM job WHERE kind = 'read-bounces' AND state = 'done' AND id > (SELECT max(id) FROM job WHERE kind = 'read-bounces' AND reason IS NOT NULL) LIMIT 1"
        )
        return newer == nil ? try last.text("reason") : nil
    }
}

extension Config {
    /// What counts of what owners chose and what the host decided; and whether somebody chose when backups are made.
    func deciding(
        _ chosen: BackupSettings, isChosen: Bool
    ) -> (settings: BackupSettings, isRuleChosen: Bool) {
        var settings = chosen
        if isSet(.backupFolder) || settings.folder.isEmpty { settings.folder = backupFolder ?? "" }
        if isSet(.backupSchedule) || settings.rule == nil { settings.rule = backupSchedule ?? "" }
        if isSet(.backupEncrypted) { settings.encrypted = backupEncrypted }
        return (settings, isChosen || isSet(.backupSchedule))
    }
}
