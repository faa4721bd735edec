public import Access
import Bytes
import SQL
public import Storage
public import Work

/// Words somebody looks for often, under a name.
public struct SavedSearch: Sendable, Equatable {
    public let id: ID<SavedSearch>
    public var name: String
    public var words: String
    public var madeAt: Moment

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        words = try row.text("words")
        madeAt = try row.moment("made_at")
    }
}

extension Documents {
    public func savedSearches(by caller: Caller) throws -> [SavedSearch] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT * FROM saved_search ORDER BY lower(name), id").map(SavedSearch.init)
        }
    }

    /// Saving under a name that is there replaces what it meant.
    @discardableResult
    public func saveSearch(_ words: String, as name: String, by caller: Caller) throws -> SavedSearch {
        try caller.require(.edit)
        let words = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty, words.count <= 500 else {
            throw Failure(.invalid, "Save a search of 1 to 500 characters.", field: "words")
        }
        guard let cleaned = FileName.title(name.isEmpty ? words : name) else {
            throw Failure(.invalid, "A search needs a name.", field: "name")
        }
        let name = String(cleaned.prefix(100))
        return try store.write { tx in
            let there = try tx.row("SELECT * FROM saved_search WHERE lower(name) = \(name.lowercased())")
            let id: ID<SavedSearch> = try there?.id("id") ?? tx.newID()
            try tx.run(
                """
                INSERT INTO saved_search (id, name, words, made_at, made_by)
                VALUES (\(id), \(name), \(words), \(tx.now), \(caller.actor))
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, words = excluded.words
                """)
            tx.note("search.saved", "search/\(id)", by: caller.actor, ["name": .string(name)])
            guard let row = try tx.row("SELECT * FROM saved_search WHERE id = \(id)") else { throw noSearch }
            return try SavedSearch(row)
        }
    }

    public func removeSearch(_ id: ID<SavedSearch>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            guard try tx.run("DELETE FROM saved_search WHERE id = \(id)") > 0 else { throw noSearch }
            tx.note("search.removed", "search/\(id)", by: caller.actor)
        }
    }

    private var noSearch: Failure { Failure(.notFound, "There is no such search. It may have been removed.") }
}
