import Access
import App
import Bytes
import HTTP
import SQL
import Storage

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
                ? .redirect(to: "/settings/storage") : .json(try visit.quire.settings.backups().json)
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
                        keeping: try input.integer("keeping") ?? before.keeping), by: try visit.member())
            } catch let failure as Failure {
                return try failedStoragePage(visit, failure, input)
            }
            return visit.done(
                try visit.quire.settings.backups().json, next: "/settings/storage", notice: "notice.saved")
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
                        Schema.object([("folder", Schema.orNull(["type": "string"]))], optional: ["folder"]))
                ], answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])]),
            isGrave: true
        ) { visit in
            let input = try visit.input
            do {
                let folder = try input.text("folder").flatMap { $0.isEmpty ? nil : $0 }
                return try visit.promised(
                    try visit.quire.maintenance.backUpLater(to: folder, by: try visit.member()),
                    next: "/settings/storage", notice: "notice.backup")
            } catch let failure as Failure {
                return try failedStoragePage(visit, failure, input)
            }
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

    /// The page again with what was typed; programs get the failure itself.
    private static func failedStoragePage(
        _ visit: Visit, _ failure: Failure, _ typed: Input
    ) throws -> Response {
        guard visit.wantsPage, [.invalid, .conflict].contains(failure.code) else { throw failure }
        var page = try storagePage(visit)
        page.backupFolder = (try? typed.text("folder")) ?? page.backupFolder
        page.backupRule = (try? typed.text("rule")) ?? page.backupRule
        page.backupsKept = (try? typed.text("keeping")) ?? page.backupsKept
        page.error = visit.said(failure)
        page.errorField =
            switch failure.field {
            case "backup-folder": "folder"
            case "backup-schedule": "rule"
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
            backupsKept: String(backups.keeping),
            verification: check.map { report in
                func told(_ key: String) -> [String] {
                    report.isGood ? [] : (report.detail[key]?.array ?? []).compactMap(\.string)
                }
                let problems = told("problems")
                return .init(
                    at: report.at,
                    problems: problems.isEmpty && !report.isGood ? [report.sentence] : problems,
                    papers: told("papers"))
            })
    }
}
