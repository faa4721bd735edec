public import Access
public import Bytes
import Filling
import SQL
import Storage

/// How much a desk holds.
public struct Usage: Sendable, Equatable {
    public var documents = 0
    public var trashedDocuments = 0
    public var files = 0
    public var fileByteCount: Int64 = 0
    public var databaseByteCount: Int64?
    public var previewByteCount: Int64?
    public var freeByteCount: Int64?
    public var members = 0
    public var unfinishedJobs = 0

    /// Asks the database, not the disk, what the files take: a desk may hold a million of them.
    ///
    /// - Parameter shown: the papers that are counted, for somebody who is not told of the others; nil for all. Then only
    ///   their files are counted, and what would grow with the others' is not told, or no more closely than the disk of a
    ///   whole machine is.
    static func measure(_ store: Store, shown: Query? = nil) throws -> Usage {
        var usage = Usage()
        try store.read { desk in
            if let row = try desk.row(files(shown: shown)) {
                usage.files = try row.int("n")
                usage.fileByteCount = try row.integer("size")
            }
            let documents: Query = """
                SELECT coalesce(sum(CASE WHEN trashed_at IS NULL THEN 1 ELSE 0 END), 0) AS kept,
                    coalesce(sum(CASE WHEN trashed_at IS NULL THEN 0 ELSE 1 END), 0) AS trashed
                FROM document WHERE \(shown ?? "1 = 1")
                """
            if let row = try desk.row(documents) {
                usage.documents = try row.int("kept")
                usage.trashedDocuments = try row.int("trashed")
            }
            usage.members = try desk.row("SELECT count(*) AS n FROM member")?.int("n") ?? 0
            if shown == nil, desk.kind == .postgres {
                usage.databaseByteCount =
                    try desk.row("SELECT pg_database_size(current_database()) AS size")?.integer("size")
            }
        }
        usage.freeByteCount = Machine.freeByteCount(store.home.path)
        guard shown == nil else {
            usage.freeByteCount = usage.freeByteCount.map { $0 - $0 % (64 << 20) }
            return usage
        }
        if store.database.kind == .sqlite {
            usage.databaseByteCount = ["", "-wal"].reduce(0) {
                $0 + (Machine.byteCount(ofFile: store.home.database + $1) ?? 0)
            }
        }
        usage.previewByteCount = Machine.byteCount(ofFolder: store.home.previews)
        return usage
    }

    /// How many files there are and what they take: all, or those of some papers and of what they were before.
    static func files(shown: Query?) -> Query {
        guard let shown else { return "SELECT count(*) AS n, coalesce(sum(byte_count), 0) AS size FROM blob" }
        return """
            SELECT count(*) AS n, coalesce(sum(byte_count), 0) AS size FROM blob WHERE digest IN (
                SELECT document.digest FROM document WHERE \(shown)
                UNION SELECT document_version.digest FROM document_version
                    JOIN document ON document.id = document_version.document WHERE \(shown))
            """
    }

    public var json: JSON {
        [
            "documents": .int(documents), "trashedDocuments": .int(trashedDocuments), "files": .int(files),
            "fileBytes": .integer(fileByteCount), "databaseBytes": .optional(databaseByteCount),
            "previewBytes": .optional(previewByteCount), "freeBytes": .optional(freeByteCount),
            "members": .int(members), "unfinishedJobs": .int(unfinishedJobs),
        ]
    }
}

extension Quire {
    /// How much of what a plan can limit is in use: forms that are kept, people of the longest list or send-out, days that
    /// are asked for, and members. What has no end is not counted.
    public func planUse() throws -> [Limit: Int] {
        var use: [Limit: Int] = [.members: try access.members.count()]
        use[.retentionDays] = try settings.ledger().keepDays
        try store.read { desk in
            use[.templates] = try Templates.count(in: desk)
            let most = try desk.row(
                """
                SELECT coalesce(max(n), 0) AS n FROM (
                    SELECT max(row_count) AS n FROM recipient_list WHERE trashed_at IS NULL
                    UNION ALL SELECT max(n) FROM (SELECT count(*) AS n FROM packet GROUP BY batch) AS of_batch
                ) AS largest
                """)
            use[.recipients] = try most?.int("n")
        }
        return use
    }
}
