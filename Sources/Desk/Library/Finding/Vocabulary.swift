import SQL
import Storage

extension Documents {
    /// The words of all pages with how many have them, as SQLite's index knows them anyway. PostgreSQL counts them when
    /// asked.
    static let vocabularyTable = Migration("vocabulary") { db in
        guard db.kind == .sqlite else { return }
        try db.run("CREATE VIRTUAL TABLE page_vocabulary USING fts5vocab(page_words, row)")
    }
}

/// The words that the papers of a desk use.
struct Vocabulary {
    struct Entry: Equatable {
        var word: String
        /// On how many papers it stands, which SQLite knows much sooner than on how many pages. PostgreSQL counts pages.
        var count: Int
    }

    /// Nobody waits for more.
    private static let mostLookedAt = 200_000
    private static let mostPagesCounted = 5_000

    /// Words that begin in this way.
    static func words(
        beginning start: String, in desk: borrowing some Readable & ~Copyable
    ) throws -> [Entry] {
        let end = start + "\u{10FFFF}"
        let query: Query =
            switch desk.kind {
            case .sqlite:
                """
                SELECT term AS word, doc AS n FROM paper_vocabulary WHERE term >= \(start) AND term < \(end)
                LIMIT \(mostLookedAt)
                """
            case .postgres:
                // The newest pages speak for the others.
                """
                SELECT word, ndoc AS n FROM ts_stat(
                    'SELECT to_tsvector(''simple'', folded) FROM document_page ORDER BY number DESC
                     LIMIT \(raw: String(mostPagesCounted))')
                WHERE word LIKE \(start.filter { $0 != "%" && $0 != "_" && $0 != "\\" } + "%") LIMIT \(mostLookedAt)
                """
            }
        return try desk.rows(query).map {
            Entry(word: try $0.text("word"), count: try $0.int("n"))
        }
    }

    /// The pages of these papers that have a word; one of them is enough.
    static func pages(having term: Wanted.Term, among shown: Query, in kind: Database.Kind) -> Query {
        """
        SELECT 1 AS n FROM document_page JOIN document ON document.id = document_page.document
        WHERE \(term.condition(in: kind)) AND \(shown) LIMIT 1
        """
    }

    /// Whether a word stands in one of these papers: one that stands in private papers alone is not told.
    static func stands(
        _ word: String, among shown: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> Bool {
        let term = Wanted.Term(words: [word], isOpen: false)
        return try desk.row(pages(having: term, among: shown, in: desk.kind)) != nil
    }

    /// On how many pages a word stands; more than `most` are not counted where that would take long.
    static func pageCount(
        of word: String, most: Int, among shown: Query?, in desk: borrowing some Readable & ~Copyable
    ) throws -> Int {
        if let shown {
            let term = Wanted.Term(words: [word], isOpen: false)
            return try desk.row(
                """
                SELECT count(*) AS n FROM (SELECT 1 FROM document_page
                    JOIN document ON document.id = document_page.document
                    WHERE \(term.condition(in: desk.kind)) AND \(shown) LIMIT \(most + 1)) AS pages
                """)?.int("n") ?? 0
        }
        let query: Query =
            switch desk.kind {
            case .sqlite: "SELECT doc AS n FROM page_vocabulary WHERE term = \(word)"
            case .postgres:
                """
                SELECT count(*) AS n FROM (SELECT 1 FROM document_page
                    WHERE \(Wanted.Term(words: [word], isOpen: false).condition(in: .postgres))
                    LIMIT \(most + 1)) AS pages
                """
            }
        return try desk.row(query)?.int("n") ?? 0
    }
}
