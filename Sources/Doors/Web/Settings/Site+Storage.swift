import Access
import App
import Bytes
import HTTP
import Markup
import SQL
import Storage
import Work

extension Site {
    static let storageActions: [Action] = [
        Action(
            .get, "/settings/storage", .member(.administer),
            .init("Get how full the desk is", tag: "Storage", answers: [.ok("Usage", "Counts and bytes")])
        ) { visit in
            try visit.show(try visit.quire.usage(for: visit.member()).json) {
                Pages.storage(visit.frame, try storagePage(visit))
            }
        },
        Action(
            .get, "/settings/backups", .member(.administer),
            .init(
                "Get where and when backups are made by themselves", tag: "Storage",
                answers: [.ok("BackupSettings", "Folder, recurrence rule, and how many stay")])
        ) { visit in
            visit.wantsPage
                ? .redirect(to: "/settings/storage") : .json(try backupSettings(visit))
        },
        Action(
            .post, "/settings/backups", .member(.administer),
            .init(
                "Choose where and when backups are made by themselves", tag: "Storage",
                requestBody: [.init(.json, Schema.ref("BackupSettingsChange"))],
                answers: [.ok("BackupSettings", "As it is now")]), isGrave: true
        ) { visit in
            let input = try visit.input
            do {
                let before = try visit.quire.settings.backups()
                try visit.quire.settings.change(
                    BackupSettings(
                        folder: try input.text("folder") ?? before.folder,
                        rule: try input.text("rule") ?? before.rule,
                        keeping: try input.integer("keeping") ?? before.keeping,
                        encrypted: input.has("encrypted") || visit.wantsPage
                            ? input.flag("encrypted") : before.encrypted), by: try visit.member())
            } catch let failure as Failure {
                return try failedStoragePage(visit, failure, input)
            }
            return visit.done(
                try backupSettings(visit), next: "/settings/storage", notice: "notice.saved")
        },
        Action(
            .get, "/backups", .member(.administer),
            .init(
                "List the backups that were made", tag: "Storage",
                answers: [.ok("ReportList", "The newest first")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/settings/storage") }
            return .json(["reports": .array(try visit.quire.reports.list(.backup).map(\.json))])
        },
        Action(
            .post, "/backups", .member(.administer),
            .init(
                "Back the desk up", tag: "Storage",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("folder", Schema.orNull(["type": "string"])),
                                ("encrypted", Schema.orNull(["type": "boolean"])),
                            ], optional: ["folder", "encrypted"]))
                ], answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])]),
            isGrave: true
        ) { visit in
            let input = try visit.input
            do {
                let folder = try input.text("folder").flatMap { $0.isEmpty ? nil : $0 }
                // Nothing said lets the folder decide; a box that is not ticked says no.
                let encrypted =
                    try visit.wantsPage || input.text("encrypted") != nil ? input.flag("encrypted") : nil
                return try visit.promised(
                    try visit.quire.maintenance.backUpLater(
                        to: folder, encrypted: encrypted, by: try visit.member()),
                    next: "/settings/storage", notice: "notice.backup")
            } catch let failure as Failure {
                return try failedStoragePage(visit, failure, input)
            }
        },
        Action(
            .post, "/recovery-sheets", .member(.administer),
            .init(
                "Make the recovery sheet of encrypted backups",
                description: "With the key that opens them. For people who proved lately who they are.",
                tag: "Storage",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("format", ["type": "string", "enum": ["json", "pdf"]]),
                                ("language", Schema.string),
                            ], optional: ["format", "language"]))
                ],
                answers: [
                    .init(
                        .ok, "What is on the sheet, or the sheet itself",
                        [.init(.json, Schema.ref("RecoverySheet")), .anything])
                ]), isGrave: true
        ) { visit in try recoverySheet(visit) },
        Action(
            .post, "/recovery-keys", .member(.administer),
            .init(
                "Make a new recovery key",
                description:
                    "For backups to come, in another folder. Those there are open with the old sheet.",
                tag: "Storage", answers: [.init(.noContent, "The old one is forgotten")]), isGrave: true
        ) { visit in
            try visit.quire.settings.renewRecoveryKey(by: try visit.member())
            return visit.done(
                [:], .noContent, next: "/settings/storage#sheet", notice: "notice.recoveryKey")
        },
        Action(
            .get, "/verifications", .member(.administer),
            .init(
                "List what verifications found", tag: "Storage",
                answers: [.ok("ReportList", "The newest first")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/settings/storage") }
            return .json(["reports": .array(try visit.quire.reports.list(.verification).map(\.json))])
        },
        Action(
            .post, "/verifications", .member(.administer),
            .init(
                "Check every file", tag: "Storage",
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            try visit.promised(
                try visit.quire.maintenance.verifyLater(by: try visit.member()), next: "/settings/storage",
                notice: "notice.verification")
        },
    ]

    private static func backupSettings(_ visit: Visit) throws -> JSON {
        var json = try visit.quire.settings.backups().json
        json["sheetMadeAt"] = .optional(try visit.quire.settings.recoverySheetMadeAt()?.iso8601)
        return json
    }

    /// The page again with what was typed; programs get the failure itself.
    private static func failedStoragePage(
        _ visit: Visit, _ failure: Failure, _ typed: Input
    ) throws -> Response {
        guard visit.wantsPage, [.invalid, .conflict].contains(failure.code) else { throw failure }
        var page = try storagePage(visit)
        page.backupFolder = (try? typed.text("folder")) ?? page.backupFolder
        page.backupRule = (try? typed.text("rule")) ?? page.backupRule
        page.backupsKept = (try? typed.text("keeping")) ?? page.backupsKept
        page.isEncrypted = (try? typed.flag("encrypted")) ?? page.isEncrypted
        page.error = visit.said(failure)
        page.errorField =
            switch failure.field {
            case "backup-folder": "folder"
            case "backup-schedule": "rule"
            case "backup-encrypted": "encrypted"
            default: failure.field
            }
        return visit.page(Pages.storage(visit.frameAt("/settings/storage"), page), .unprocessable)
    }

    private static func storagePage(_ visit: Visit) throws -> StoragePage {
        let usage = try visit.quire.usage(for: visit.member())
        let isPostgres = visit.quire.store.database.kind == .postgres
        let check = try visit.quire.reports.latest(.verification)
        let backups = try visit.quire.settings.backups()
        return StoragePage(
            home: visit.quire.store.home.path, database: isPostgres ? "PostgreSQL" : "SQLite",
            documentCount: usage.documents, blobByteCount: usage.fileByteCount,
            freeByteCount: usage.freeByteCount ?? 0,
            backups: try visit.quire.reports.list(.backup).filter(\.isGood).map { report in
                .init(
                    at: report.at, path: report.detail["path"]?.string ?? "",
                    byteCount: report.detail["newBytes"]?.integer ?? 0)
            }, backupFolder: backups.folder, backupRule: backups.rule ?? "",
            backupsKept: String(backups.keeping), isEncrypted: backups.encrypted,
            sheet: try visit.quire.settings.needsRecoverySheet()
                ? .missing : visit.quire.settings.recoverySheetMadeAt().map { .made($0) },
            verification: check.map { report in
                func told(_ key: String) -> [String] {
                    report.isGood ? [] : (report.detail[key]?.array ?? []).compactMap(\.string)
                }
                let problems = told("problems")
                return .init(
                    at: report.at,
                    problems: (problems.isEmpty && !report.isGood ? [report.sentence] : problems).map(
                        visit.texts.said),
                    papers: told("papers"))
            })
    }
}
