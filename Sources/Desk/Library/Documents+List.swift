public import Access
import Bytes
import SQL
public import Storage
public import Work

extension Documents {
    /// Which documents, in which order, and how many at a time.
    public struct Listing: Sendable, Equatable {
        public enum Order: String, Sendable, CaseIterable {
            case name, size, added, trashed, date, pages, changed
        }

        /// Words that must all occur in the name.
        public var filter: String
        /// `.some(nil)` for those that lie in no folder; nil for all, wherever they lie.
        public var folder: ID<Folder>??
        /// Only those that wear this tag.
        public var tag: String?
        /// Only of this kind, as their bytes say: `application/pdf`.
        public var mediaType: String?
        public var order: Order
        public var isDescending: Bool
        public var isTrash: Bool
        public var limit: Int
        public var start: Start

        public enum Start: Sendable, Equatable {
            case beginning
            /// Behind the last document of the page before: as fast far down the list as at its beginning, and
            /// nothing is shown twice when something is added meanwhile.
            case after(Cursor)
            /// The n-th page, from 1.
            case page(Int)
        }

        public init(
            filter: String = "", folder: ID<Folder>?? = nil, tag: String? = nil, mediaType: String? = nil,
            order: Order = .added,
            isDescending: Bool = true, isTrash: Bool = false,
            limit: Int = 50, start: Start = .beginning
        ) {
            self.filter = filter
            self.folder = folder
            self.tag = tag
            self.mediaType = mediaType
            self.order = order
            self.isDescending = isDescending
            self.isTrash = isTrash
            self.limit = limit
            self.start = start
        }
    }

    public struct Page: Sendable, Equatable {
        public var documents: [Document]
        /// Where the next page starts; nil on the last.
        public var next: Cursor?
        /// All that match the filter, on every page together.
        public var matchCount: Int
    }

    /// A place in a list, as text that a client hands back unchanged.
    public struct Cursor: Sendable, Equatable {
        public let text: String

        public init(_ text: String) {
            self.text = text
        }
    }

    public static let mostPerPage = 500
    private static let mostSorted = 2_000

    public func list(_ listing: Listing = Listing(), by caller: Caller) throws -> Page {
        try caller.require(.view)
        let limit = min(max(1, listing.limit), Self.mostPerPage)
        let wanted = Self.matches(listing)
        let column = listing.order.column
        let direction: Query = listing.isDescending ? "DESC" : "ASC"
        var after: Query = ""
        var offset = 0
        switch listing.start {
        case .beginning: break
        case .page(let page): offset = min(max(0, page - 1), 1_000_000) * limit
        case .after(let cursor):
            let (key, id) = try listing.order.place(cursor)
            let sign: Query = listing.isDescending ? "<" : ">"
            after = " AND (\(column), id) \(sign) (\(key), \(id))"
        }
        return try store.read { desk in
            if case .some(let folder?) = listing.folder, !caller.seesPrivate, try isHidden(folder, in: desk) {
                throw isPrivate
            }
            let matches = try shown(to: caller, in: desk).map { wanted + " AND " + $0 } ?? wanted
            let condition = matches + after
            let counted = try desk.row("SELECT count(*) AS n FROM document WHERE \(matches)")
            let count = try counted?.int("n") ?? 0
            // Few are sorted when they are found. Of many, the first in the order are soon met.
            let isRare = !listing.filter.isEmpty && count < Self.mostSorted
            let key = isRare ? "COALESCE(\(column), \(listing.order.least))" : column
            let rows =
                count == 0
                ? []
                : try desk.rows(
                    """
                    SELECT * FROM document WHERE \(condition)
                    ORDER BY \(key) \(direction), id \(direction) LIMIT \(limit + 1) OFFSET \(offset)
                    """)
            let documents = try rows.prefix(limit).map(Document.init)
            return Page(
                documents: documents,
                next: rows.count > limit ? documents.last.map(listing.order.cursor) : nil,
                matchCount: count)
        }
    }

    /// How many lie on the desk and how many in the trash.
    public func counts(by caller: Caller) throws -> (kept: Int, trashed: Int) {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            let kept = try desk.row("SELECT count(*) AS n FROM document WHERE trashed_at IS NULL\(shown)")
            return (try kept?.int("n") ?? 0, try trash(shown, in: desk).count)
        }
    }

    /// How many lie in the trash, and when the last of them came there.
    public func trash(until last: Moment? = nil, by caller: Caller) throws -> (count: Int, last: Moment?) {
        try caller.require(.view)
        return try store.read { desk in
            let known: Query = last.map { " AND trashed_at <= \($0)" } ?? ""
            return try trash(known + (shown(to: caller, in: desk).map { " AND " + $0 } ?? ""), in: desk)
        }
    }

    private func trash(
        _ shown: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> (count: Int, last: Moment?) {
        let found = try desk.row(
            "SELECT count(*) AS n, max(trashed_at) AS last FROM document WHERE trashed_at IS NOT NULL\(shown)"
        )
        return (try found?.int("n") ?? 0, try found?.optionalMoment("last"))
    }

    private static func matches(_ listing: Listing) -> Query {
        let place: Query = listing.isTrash ? "trashed_at IS NOT NULL" : "trashed_at IS NULL"
        var matches = place + " AND " + .words(listing.filter, in: "name_search")
        switch listing.folder {
        case .some(let folder?): matches += " AND folder = \(folder)"
        case .some(nil): matches += " AND folder IS NULL"
        case nil: break
        }
        if let mediaType = listing.mediaType { matches += " AND media_type = \(mediaType)" }
        if let tag = listing.tag {
            matches += """
                 AND id IN (SELECT document_tag.document FROM document_tag JOIN tag ON tag.id = document_tag.tag
                    WHERE tag.folded = \(Tag.folded(tag)))
                """
        }
        return matches
    }
}

extension Documents.Listing.Order {
    var column: Query {
        switch self {
        case .name: "name_order"
        case .size: "byte_count"
        case .added: "added_at"
        case .trashed: "trashed_at"
        case .date: "dated"
        case .pages: "pages"
        case .changed: "changed_at"
        }
    }

    /// Nothing comes before it: an order by the column or this is the order by the column, without its index.
    fileprivate var least: Query {
        switch self {
        case .name, .date: "''"
        case .size, .added, .trashed, .pages, .changed: "0"
        }
    }

    func cursor(_ document: Document) -> Documents.Cursor {
        let key: JSON =
            switch self {
            case .name: .string(FileName.order(document.name))
            case .size: .integer(document.blob.byteCount)
            case .added: .integer(document.addedAt.milliseconds)
            case .trashed: .integer(document.trashedAt?.milliseconds ?? 0)
            case .date: .string(document.date)
            case .pages: .int(document.pageCount ?? 0)
            case .changed: .integer(document.changedAt.milliseconds)
            }
        let place: JSON = [.string(rawValue), key, .string(document.id.text)]
        return Documents.Cursor(Base64.urlEncode(place.bytes))
    }

    func place(_ cursor: Documents.Cursor) throws -> (key: SQLValue, id: ID<Document>) {
        guard cursor.text.utf8.count < 2000, let bytes = Base64.urlDecode(cursor.text),
            let place = try? JSON(parsing: bytes), place[0]?.string == rawValue,
            let id = place[2]?.string.flatMap(ID<Document>.init)
        else { throw unusable }
        switch (self, place[1]) {
        case (.name, .string(let key)?),
            (.date, .string(let key)?) where !key.utf8.contains(0):
            return (.text(key), id)
        case (.size, .integer(let key)?), (.added, .integer(let key)?), (.trashed, .integer(let key)?),
            (.pages, .integer(let key)?), (.changed, .integer(let key)?):
            return (.integer(key), id)
        default: throw unusable
        }
    }

    private var unusable: Failure {
        Failure(
            .invalid, "This place in the list belongs to another list. Start again from its beginning.",
            field: "after")
    }
}
