public import Access
import SQL
public import Storage
import Work

extension Documents {
    /// A paper that was found, and where in it.
    public struct Find: Sendable, Equatable {
        public var document: Document
        /// The first page with one of the words, from 1; nil when the name alone has them.
        public var page: Int?
        public var snippet: Snippet?

        public init(document: Document, page: Int? = nil, snippet: Snippet? = nil) {
            self.document = document
            self.page = page
            self.snippet = snippet
        }
    }

    public struct Finds: Sendable, Equatable {
        public var finds: [Find]
        /// All that were found, shown or not.
        public var matchCount: Int
        /// Papers whose words have not been read yet.
        public var unreadCount: Int
        /// When nothing was found: what was probably meant, as it would be typed, and what finds something.
        public var meant: String?
    }

    /// Beyond so many pages words are no longer looked for in the middle of other words.
    static let mostPagesReadLoosely = 20_000

    /// Papers by what they are called and what they say: those first that have the words in their name, then those that
    /// have them on the most pages. When no word begins with what was typed, the middle of words is looked at as well.
    /// In another order than by relevance when one is named.
    public func find(
        _ text: String, sortedBy order: Listing.Order? = nil, limit: Int = 50, by caller: Caller
    ) throws -> Finds {
        try caller.require(.view)
        let limit = min(max(1, limit), Self.mostPerPage)
        return try store.read { desk in
            let shown = try shown(to: caller, in: desk)
            let unreadCount = try unreadCount(shown, in: desk)
            let fields = try desk.rows("SELECT folded FROM paper_field").map { try $0.text("folded") }
            let wanted = Wanted(text, fields: Set(fields))
            guard !wanted.isEmpty else { return Finds(finds: [], matchCount: 0, unreadCount: unreadCount) }
            let part = Part(limit: limit, conditions: [shown].compactMap(\.self))
            var finds = try findByWords(wanted, order, part, in: desk)
            if finds.matchCount == 0, !wanted.terms.isEmpty {
                let isSmall =
                    try desk.row(
                        "SELECT 1 AS n FROM document_page LIMIT 1 OFFSET \(Self.mostPagesReadLoosely)") == nil
                finds = try find(wanted, order, part, isSmall ? .parts : .partsOnLabels, in: desk)
            }
            finds.unreadCount = unreadCount
            if finds.matchCount == 0 { finds.meant = try meant(by: text, Set(fields), part, shown, in: desk) }
            return finds
        }
    }

    /// Papers whose words have not been read yet.
    public func unreadCount(by caller: Caller) throws -> Int {
        try caller.require(.view)
        return try store.read { desk in try unreadCount(shown(to: caller, in: desk), in: desk) }
    }

    private func unreadCount(
        _ shown: Query?, in desk: borrowing some Readable & ~Copyable
    ) throws -> Int {
        let unread =
            try shown.map { shown in
                try desk.row(
                    """
                    SELECT count(*) AS n FROM document WHERE \(shown)
                        AND id NOT IN (SELECT document FROM document_text)
                    """)
            }
            ?? desk.row("SELECT (SELECT count(*) FROM document) - (SELECT count(*) FROM document_text) AS n")
        return try unread?.int("n") ?? 0
    }

    /// Those of a selection, some at a time, with where its words stand in them.
    public func select(
        _ selection: Selection, sortedBy order: Listing.Order? = nil, isDescending: Bool = true,
        limit: Int = 50,
        offset: Int = 0, by caller: Caller
    ) throws -> Finds {
        try caller.require(.view)
        return try store.read { desk in
            let fields = try desk.rows("SELECT folded FROM paper_field").map { try $0.text("folded") }
            let wanted = Wanted(selection.words, fields: Set(fields))
            let part = Part(
                limit: max(1, limit), offset: max(0, offset), isDescending: isDescending,
                conditions: try selection.conditions + [shown(to: caller, in: desk)].compactMap(\.self))
            let finds = try findByWords(wanted, order, part, in: desk)
            guard finds.matchCount == 0, !wanted.terms.isEmpty else { return finds }
            return try find(wanted, order, part, .partsOnLabels, in: desk)
        }
    }

    /// The ids of all of them, in the same order.
    public func selectAll(
        _ selection: Selection, sortedBy order: Listing.Order? = nil, isDescending: Bool = true,
        atMost limit: Int,
        by caller: Caller
    ) throws -> [ID<Document>] {
        try caller.require(.view)
        return try store.read { desk in
            let fields = try desk.rows("SELECT folded FROM paper_field").map { try $0.text("folded") }
            let wanted = Wanted(selection.words, fields: Set(fields))
            let part = Part(
                limit: limit, isDescending: isDescending,
                conditions: try selection.conditions + [shown(to: caller, in: desk)].compactMap(\.self))
            let (matches, order) = try matches(wanted, order, part, .words, in: desk)
            return try desk.rows("SELECT document.id AS id \(matches) ORDER BY \(order) LIMIT \(limit)")
                .map { try $0.id("id") }
        }
    }

    /// Which part of what is found is wanted.
    struct Part {
        var limit: Int
        var offset = 0
        /// Nil for as people look first: names from A, all else from the largest.
        var isDescending: Bool?
        var conditions: [Query] = []

        var end: Int { offset + limit }

        func order(_ sorting: Listing.Order) -> Query {
            let direction: Query = isDescending ?? (sorting != .name) ? "DESC" : "ASC"
            return "\(sorting.column) \(direction), id \(direction)"
        }
    }

    private func findByWords(
        _ wanted: Wanted, _ sorting: Listing.Order?, _ part: Part,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> Finds {
        desk.kind == .sqlite && !wanted.terms.isEmpty
            ? try findByIndex(wanted, sorting, part, in: desk)
            : try find(wanted, sorting, part, .words, in: desk)
    }

    /// What counts as having a word.
    private enum Having {
        case words
        /// In the middle of a word too.
        case parts
        case partsOnLabels

        func condition(_ term: Wanted.Term, in kind: Database.Kind) -> Query {
            switch self {
            case .words: term.condition(in: kind)
            case .parts: term.looseCondition(in: kind)
            case .partsOnLabels: term.looseLabelCondition
            }
        }
    }

    /// The same with words that the papers have in the place of those they have not; nil when that finds nothing either.
    private func meant(
        by text: String, _ fields: Set<String>, _ part: Part, _ shown: Query?,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> String? {
        let kind = desk.kind
        var mended = text
        for word in Set(Wanted(text, fields: fields).terms.flatMap(\.words)) {
            // The beginning of a word is no mistake.
            let term = Wanted.Term(words: [word], isOpen: true)
            // Whether private papers have it changes nothing about what is told.
            let isThere: Query =
                if let shown {
                    Vocabulary.pages(having: term, among: shown, in: kind)
                } else if kind == .sqlite {
                    "SELECT 1 AS n FROM paper_words WHERE paper_words MATCH \(try PaperIndex.having([term], in: desk)) LIMIT 1"
                } else {
                    "SELECT 1 AS n FROM document_page WHERE \(term.condition(in: kind)) LIMIT 1"
                }
            guard try desk.row(isThere) == nil,
                let nearest = try Spelling.nearest(to: word, among: shown, in: desk)
            else { continue }
            mended = Words(mended).replacing(word, by: nearest, in: mended)
        }
        guard mended != text else { return nil }
        let only = Part(limit: 1, conditions: part.conditions)
        let isThere = try findByWords(Wanted(mended, fields: fields), nil, only, in: desk).matchCount > 0
        return isThere ? mended : nil
    }

    /// The papers that are meant, behind FROM, and the order they come in.
    private func matches(
        _ wanted: Wanted, _ sorting: Listing.Order?, _ part: Part, _ having: Having,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> (matches: Query, order: Query) {
        let kind = desk.kind
        let each = wanted.terms.map { having.condition($0, in: kind) }
        // A paper has one label, so all of the words stand there, and each label is read once.
        let scans = having == .partsOnLabels && !each.isEmpty ? [each.joined(separator: " AND ")] : each
        var found: Query = ""
        if !scans.isEmpty {
            let hits = scans.map { condition -> Query in
                """
                SELECT document, count(*) AS hits, min(CASE WHEN page > 0 THEN page END) AS page,
                    max(CASE WHEN page = 0 THEN 1 ELSE 0 END) AS named
                FROM document_page WHERE \(condition) GROUP BY document
                """
            }
            found = """
                JOIN (
                    SELECT document, CAST(sum(hits) AS BIGINT) AS hits, min(page) AS page, min(named) AS named
                    FROM (\(hits.joined(separator: " UNION ALL "))) AS terms
                    GROUP BY document HAVING count(*) = \(scans.count)
                ) AS found ON found.document = document.id
                """
        }
        var conditions: [Query] = ["trashed_at IS NULL"] + part.conditions
        for term in wanted.unwanted {
            conditions.append(
                "id NOT IN (SELECT document FROM document_page WHERE \(having.condition(term, in: kind)))")
        }
        conditions += try narrowing(wanted, in: desk)
        let matches: Query = "FROM document \(found) WHERE \(conditions.joined(separator: " AND "))"
        let order: Query =
            sorting.map(part.order)
            ?? (wanted.terms.isEmpty
                ? "added_at DESC, id DESC" : "found.named DESC, found.hits DESC, added_at DESC, id DESC")
        return (matches, order)
    }

    private func find(
        _ wanted: Wanted, _ sorting: Listing.Order?, _ part: Part, _ having: Having,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> Finds {
        let (matches, order) = try matches(wanted, sorting, part, having, in: desk)
        let columns: Query = wanted.terms.isEmpty ? "document.*" : "document.*, found.page AS page"
        let rows = try desk.rows(
            "SELECT \(columns) \(matches) ORDER BY \(order) LIMIT \(part.limit) OFFSET \(part.offset)")
        // They need not be counted where the last of them has come.
        let isEnd = rows.count < part.limit && (part.offset == 0 || !rows.isEmpty)
        let count =
            isEnd
            ? part.offset + rows.count : try desk.row("SELECT count(*) AS n \(matches)")?.int("n") ?? 0
        let finds = try rows.map { row -> Find in
            let document = try Document(row)
            guard !wanted.terms.isEmpty, let page = try row.optionalInteger("page") else {
                return Find(document: document)
            }
            let text = try desk.row(
                "SELECT text FROM document_page WHERE document = \(document.id) AND page = \(page)")
            let snippet = try text.flatMap { Snippet(of: try $0.text("text"), for: wanted.terms) }
            return Find(document: document, page: Int(page), snippet: snippet)
        }
        return Finds(finds: finds, matchCount: count, unreadCount: 0)
    }

    /// What a paper must be beside having the words.
    func narrowing(_ wanted: Wanted, in desk: borrowing some Readable & ~Copyable) throws -> [Query] {
        var conditions: [Query] = []
        if !wanted.mediaTypes.isEmpty {
            let each = wanted.mediaTypes.map { Query.begins(with: $0, in: "media_type") }
            conditions.append("(\(each.joined(separator: " OR ")))")
        }
        for maker in wanted.makers { conditions.append(.words(maker, in: "lower(added_by_name)")) }
        for tag in wanted.tags {
            conditions.append(
                """
                id IN (SELECT document_tag.document FROM document_tag JOIN tag ON tag.id = document_tag.tag
                    WHERE tag.folded = \(Tag.folded(tag)))
                """)
        }
        if !wanted.folders.isEmpty {
            let tree = try tree(in: desk)
            for name in wanted.folders {
                let wanted = name.lowercased()
                let found = tree.nodes.filter {
                    $0.folder.name.lowercased() == wanted || $0.path.lowercased() == wanted
                }
                let ids = Set(found.flatMap { tree.below($0.folder.id) }.map(\.folder.id.text))
                let list: Query = ids.sorted().map { "\($0)" as Query }.joined(separator: ", ")
                conditions.append(ids.isEmpty ? "1 = 0" : "folder IN (\(list))")
            }
        }
        for person in wanted.people {
            conditions.append(
                """
                id IN (SELECT document FROM document_person WHERE \(Query.words(Words.folded(person), in: "folded")))
                """)
        }
        for value in wanted.values { conditions.append(try Self.condition(value, in: desk)) }
        if let after = wanted.after { conditions.append("added_at >= \(after)") }
        if let before = wanted.before { conditions.append("added_at < \(before)") }
        if let count = wanted.morePagesThan { conditions.append("pages > \(count)") }
        if let count = wanted.fewerPagesThan { conditions.append("pages < \(count) AND pages > 0") }
        return conditions
    }
}

extension Documents {
    /// A text begins like what is wanted, a number or a day is it, or lies over or under it.
    fileprivate static func condition(
        _ value: Wanted.Value, in desk: borrowing some Readable & ~Copyable
    ) throws -> Query {
        guard let row = try desk.row("SELECT id, kind FROM paper_field WHERE folded = \(value.field)") else {
            return "1 = 0"
        }
        let field = try row.text("id")
        let kind = PaperField.Kind(rawValue: try row.text("kind")) ?? .text
        guard let cleaned = kind.cleaned(value.text) else { return "1 = 0" }
        let order = kind.order(cleaned)
        let relation: Query =
            switch value.relation {
            case .equal: kind == .text ? .begins(with: order, in: "value_order") : "value_order = \(order)"
            case .over: "value_order > \(order)"
            case .under: "value_order < \(order)"
            }
        return "id IN (SELECT document FROM document_value WHERE field = \(field) AND \(relation))"
    }
}
