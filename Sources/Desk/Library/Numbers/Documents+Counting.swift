public import Access
import SQL
public import Storage

extension Documents {
    /// The tags of these names.
    public func tagIDs(named names: [String], by caller: Caller) throws -> [String: ID<Tag>] {
        try caller.require(.view)
        let folded = Dictionary(names.map { (Tag.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
        return try store.read { desk in
            let told = try toldTags(to: caller, in: desk)
            let rows = try desk.rows(
                "SELECT id, folded FROM tag WHERE \(told) AND \(Query.column("folded", in: folded.keys.sorted()))"
            )
            let pairs = try rows.map { (folded[try $0.text("folded")] ?? "", try $0.id("id") as ID<Tag>) }
            return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
    }

    /// What a tag is called; nil when there is none any more.
    public func tag(_ id: ID<Tag>, by caller: Caller) throws -> String? {
        try caller.require(.view)
        return try store.read { desk in
            let told = try toldTags(to: caller, in: desk)
            return try desk.row("SELECT name FROM tag WHERE id = \(id) AND \(told)")?.text("name")
        }
    }

    /// The papers whose original bears this number.
    public func papers(withSerialNumber number: String, by caller: Caller) throws -> [Document] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.rows(
                """
                SELECT document.* FROM document JOIN document_value ON document_value.document = document.id
                JOIN paper_field ON paper_field.id = document_value.field
                WHERE paper_field.folded = \(Tag.folded(Self.serialNumberField)) AND value = \(number)
                    AND trashed_at IS NULL\(shown)
                """
            ).map(Document.init)
        }
    }

    /// The largest number on an original that this caller may see; 0 when none bears one.
    public func lastSerialNumber(by caller: Caller) throws -> Int {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            let row = try desk.row(
                """
                SELECT value FROM document JOIN document_value ON document_value.document = document.id
                JOIN paper_field ON paper_field.id = document_value.field
                WHERE paper_field.folded = \(Tag.folded(Self.serialNumberField))\(shown)
                ORDER BY value_order DESC LIMIT 1
                """)
            return try row.flatMap { Int(try $0.text("value")) } ?? 0
        }
    }

    /// What these papers say, as far as it was read, page after page.
    public func words(of ids: [ID<Document>], by caller: Caller) throws -> [ID<Document>: String] {
        try caller.require(.view)
        var words: [ID<Document>: String] = [:]
        try store.read { desk in
            for start in stride(from: 0, to: ids.count, by: 400) {
                let some = ids[start..<min(start + 400, ids.count)]
                let rows = try desk.rows(
                    """
                    SELECT document, text FROM document_page WHERE \(Query.column("document", in: some)) AND page > 0
                    ORDER BY document, page
                    """)
                for row in rows {
                    let id: ID<Document> = try row.id("document")
                    words[id, default: ""] += (words[id] == nil ? "" : "\n\n") + (try row.text("text"))
                }
            }
        }
        return words
    }

    /// Words of the papers that begin so, those first that most papers have.
    public func completions(of start: String, limit: Int, by caller: Caller) throws -> [String] {
        try caller.require(.view)
        let folded = Words.folded(start)
        guard !folded.isEmpty, !folded.contains(" ") else { return [] }
        return try store.read { desk in
            let words = try Vocabulary.words(beginning: folded, in: desk)
                .sorted { ($1.count, $0.word) < ($0.count, $1.word) }.map(\.word)
            guard let shown = try shown(to: caller, in: desk) else { return Array(words.prefix(limit)) }
            // A word that stands in private papers alone is not told.
            var told: [String] = []
            for word in words.prefix(limit * 5) where told.count < limit {
                if try Vocabulary.stands(word, among: shown, in: desk) { told.append(word) }
            }
            return told
        }
    }

    /// How many papers there are of each kind.
    public func kindCounts(by caller: Caller) throws -> [(mediaType: String, count: Int)] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.rows(
                """
                SELECT media_type, count(*) AS n FROM document WHERE trashed_at IS NULL\(shown)
                GROUP BY media_type ORDER BY n DESC, media_type
                """
            ).map { (try $0.text("media_type"), try $0.int("n")) }
        }
    }
}
