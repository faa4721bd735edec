public import Bytes
import SQL
import Storage

/// How much a desk holds.
public struct Usage: Sendable, Equatable {
    public var documents = 0
    public var trashedDocuments = 0
    public var files = 0
    public var fileByteCount: Int64 = 0
    public var databaseByteCount: Int64 = 0
    public var previewByteCount: Int64 = 0
    public var freeByteCount: Int64?
    public var members = 0
    public var unfinishedJobs = 0

    /// Asks the database, not the disk, what the files take: a desk may hold a million of them.
    ///
    /// - Parameter shown: the papers that are counted, for somebody who is not told of the others; nil for all.
    static func measure(_ store: Store, shown: Query? = nil) throws -> Usage {
        var usage = Usage()
        try store.read { desk in
            if let row = try desk.row("SELECT count(*) AS n, coalesce(sum(byte_count), 0) AS size FROM blob")
            {
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
            let jobs = try desk.row("SELECT count(*) AS n FROM job WHERE state IN ('waiting', 'running')")
            usage.unfinishedJobs = try jobs?.int("n") ?? 0
            if desk.kind == .postgres {
                let row = try desk.row("SELECT pg_database_size(current_database()) AS size")
                usage.databaseByteCount = try row?.integer("size") ?? 0
            }
        }
        if store.database.kind == .sqlite {
            for ending in ["", "-wal"] {
                usage.databaseByteCount += Machine.byteCount(ofFile: store.home.database + ending) ?? 0
            }
        }
        usage.previewByteCount = Machine.byteCount(ofFolder: store.home.previews)
        usage.freeByteCount = Machine.freeByteCount(store.home.path)
        return usage
    }

    public var json: JSON {
        [
            "documents": .int(documents), "trashedDocuments": .int(trashedDocuments), "files": .int(files),
            "fileBytes": .integer(fileByteCount), "databaseBytes": .integer(databaseByteCount),
            "previewBytes": .integer(previewByteCount), "freeBytes": .optional(freeByteCount),
            "members": .int(members), "unfinishedJobs": .int(unfinishedJobs),
        ]
    }
}
