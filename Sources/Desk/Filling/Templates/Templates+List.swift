public import Access
import Library
import SQL
import Storage

extension Templates {
    public struct Listing: Sendable, Equatable {
        /// Words that must all occur in the name.
        public var filter: String
        /// Only this folder and those in it; nil for everywhere.
        public var folder: String?
        public var isTrash: Bool
        public var limit: Int
        /// The n-th page, from 1.
        public var page: Int

        public init(
            filter: String = "", folder: String? = nil, isTrash: Bool = false, limit: Int = 50, page: Int = 1
        ) {
            self.filter = filter
            self.folder = folder
            self.isTrash = isTrash
            self.limit = limit
            self.page = page
        }
    }

    public struct Page: Sendable, Equatable {
        public var templates: [Template]
        /// All that match, on every page together.
        public var matchCount: Int
    }

    /// By name, as people sort; in the trash what was put there last comes first.
    public func list(_ listing: Listing = Listing(), by caller: Caller) throws -> Page {
        try caller.require(.view)
        let limit = min(max(1, listing.limit), Documents.mostPerPage)
        let offset = min(max(0, listing.page - 1), 100_000) * limit
        var condition: Query = listing.isTrash ? "t.trashed_at IS NOT NULL" : "t.trashed_at IS NULL"
        condition += " AND " + Query.words(listing.filter, in: "t.name_search")
        if let folder = listing.folder {
            let path = try Self.folder(folder)
            condition +=
                path.isEmpty
                ? " AND t.folder = ''"
                : " AND (t.folder = \(path) OR \(.begins(with: path + "/", in: "t.folder")))"
        }
        let order: Query = listing.isTrash ? "t.trashed_at DESC, t.id DESC" : "t.name_order, t.id"
        return try store.read { desk in
            let condition = condition + " AND " + (try shown(to: caller, in: desk))
            let rows = try desk.rows(
                """
                SELECT t.*, \(TemplateEdition.selection) \(Self.origin) WHERE \(condition)
                ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)
                """)
            let count = try desk.row("SELECT count(*) AS n FROM template t WHERE \(condition)")
            return Page(templates: try rows.map(Template.init), matchCount: try count?.int("n") ?? 0)
        }
    }

    /// The folders that have templates, with how many lie right in them.
    public func folders(by caller: Caller) throws -> [(path: String, count: Int)] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT folder, count(*) AS n FROM template t
                WHERE trashed_at IS NULL AND folder <> '' AND \(shown(to: caller, in: desk))
                GROUP BY folder ORDER BY folder
                """
            ).map { (try $0.text("folder"), try $0.int("n")) }
        }
    }

    /// How many there are and how many lie in the trash.
    public func counts(by caller: Caller) throws -> (kept: Int, trashed: Int) {
        try caller.require(.view)
        return try store.read { desk in
            let row = try desk.row(
                """
                SELECT coalesce(sum(CASE WHEN trashed_at IS NULL THEN 1 ELSE 0 END), 0) AS kept,
                    coalesce(sum(CASE WHEN trashed_at IS NULL THEN 0 ELSE 1 END), 0) AS trashed
                FROM template t WHERE \(shown(to: caller, in: desk))
                """)
            return (try row?.int("kept") ?? 0, try row?.int("trashed") ?? 0)
        }
    }
}
