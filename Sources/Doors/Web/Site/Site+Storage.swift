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
            try visit.show(try visit.quire.usage().json) {
                Pages.storage(visit.frame, try storagePage(visit))
            }
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
                ], answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            do {
                let folder = try visit.input.text("folder").flatMap { $0.isEmpty ? nil : $0 }
                return try visit.promised(
                    try visit.quire.maintenance.backUpLater(to: folder, by: try visit.member()),
                    next: "/settings/storage", notice: "notice.backup")
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                var page = try storagePage(visit)
                page.error = failure.message
                return visit.page(Pages.storage(visit.frame, page), .unprocessable)
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

    private static func storagePage(_ visit: Visit) throws -> StoragePage {
        let usage = try visit.quire.usage()
        let isPostgres = visit.quire.store.database.kind == .postgres
        let check = try visit.quire.reports.latest(.verification)
        return StoragePage(
            home: visit.quire.store.home.path, database: isPostgres ? "PostgreSQL" : "SQLite",
            documentCount: usage.documents, blobByteCount: usage.fileByteCount,
            freeByteCount: usage.freeByteCount ?? 0,
            backups: try visit.quire.reports.list(.backup).filter(\.isGood).map { report in
                .init(
                    at: report.at, path: report.detail["folder"]?.string ?? "",
                    byteCount: report.detail["bytes"]?.integer ?? 0)
            }, backupFolder: try visit.quire.settings.backups().folder,
            verification: check.map { report in
                .init(
                    at: report.at,
                    problems: report.isGood
                        ? []
                        : (report.detail["problems"]?.array ?? []).compactMap(\.string) + [report.sentence])
            })
    }
}
