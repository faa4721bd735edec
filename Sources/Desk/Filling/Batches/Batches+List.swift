public import Access
import Library
import SQL
import Storage

extension Batches {
    public struct Listing: Sendable, Equatable {
        /// Words that must all occur in the name.
        public var filter: String
        public var state: Batch.State?
        public var isTrash: Bool
        public var limit: Int
        /// The n-th page, from 1.
        public var page: Int

        public init(
            filter: String = "", state: Batch.State? = nil, isTrash: Bool = false, limit: Int = 50,
            page: Int = 1
        ) {
            self.filter = filter
            self.state = state
            self.isTrash = isTrash
            self.limit = limit
            self.page = page
        }
    }

    public struct Page: Sendable, Equatable {
        public var batches: [Batch]
        /// All that match, on every page together.
        public var matchCount: Int
    }

    private static let begun: Query = Query.column(
        "state", in: Batch.State.allCases.filter(\.isBegun).map(\.rawValue))

    /// As `Batch.state` tells it.
    private static func condition(_ state: Batch.State) -> Query {
        if state == .elsewhere { return "elsewhere IS NOT NULL AND NOT \(begun)" }
        let here: Query = "state = \(state.rawValue)"
        return state.isBegun ? here : here + " AND elsewhere IS NULL"
    }

    /// The newest first.
    public func list(_ listing: Listing = Listing(), by caller: Caller) throws -> Page {
        try caller.require(.view)
        let limit = min(max(1, listing.limit), Documents.mostPerPage)
        let offset = min(max(0, listing.page - 1), 100_000) * limit
        var condition: Query = listing.isTrash ? "trashed_at IS NOT NULL" : "trashed_at IS NULL"
        condition += " AND " + Query.words(listing.filter, in: "name_search")
        if let state = listing.state { condition += " AND " + Self.condition(state) }
        let order: Query = listing.isTrash ? "trashed_at DESC, id DESC" : "added_at DESC, id DESC"
        return try store.read { desk in
            let condition =
                condition + " AND "
                + Query.column("id", notIn: try hidden(from: caller, in: desk).map(\.text))
            let rows = try desk.rows(
                "SELECT * FROM batch WHERE \(condition) ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)")
            let count = try desk.row("SELECT count(*) AS n FROM batch WHERE \(condition)")
            return Page(batches: try rows.map(Batch.init), matchCount: try count?.int("n") ?? 0)
        }
    }
}
