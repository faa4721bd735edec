import SQL
import Storage

/// Where papers are looked for by their words on SQLite. PostgreSQL's index of pages needs no such help.
///
/// The index of pages knows where each word stands, and a common word stands on most of a million pages. So a second
/// index knows only which papers have a word at all: what is looked for there are tens of thousands and not millions,
/// and of these only a few are read. Each paper has a number. In this index `2 × number` is its label and
/// `2 × number + 1` all it says, label and pages; in the index of pages, page p is `65,536 × number + p`.
enum PaperIndex {
    static let pagesOfOne: Int64 = 65_536

    /// What is looked in: made from the text whenever it is asked for, as keeping it would take as much again as the text.
    static let folded = "folded_words(text)"

    static let tables = Migration("words of papers") { db in
        try db.script(
            """
            ALTER TABLE document ADD COLUMN index_number INTEGER;
            CREATE UNIQUE INDEX document_by_number ON document (index_number);
            """)
        guard db.kind == .sqlite else { return }
        // Words are kept with single blanks between them, so that nothing has to be known about letters here.
        try db.run(
            """
            CREATE VIRTUAL TABLE paper_words USING fts5 (folded, content = '', detail = none, prefix = '1 2 3',
                tokenize = 'ascii')
            """)
        for step in making { try db.run(step) }
    }

    /// Labels are read through when no word begins with what was typed, and not the million pages between them.
    static let labelTables = Migration("labels by themselves") { db in
        guard db.kind == .sqlite else { return }
        try db.run("CREATE INDEX document_label ON document_page (document, folded) WHERE page = 0")
    }

    /// Which words the papers have, and how many papers have each.
    static let vocabularyTable = Migration("vocabulary of papers") { db in
        guard db.kind == .sqlite else { return }
        try db.run("CREATE VIRTUAL TABLE paper_vocabulary USING fts5vocab(paper_words, row)")
    }

    /// Words were kept twice, as they were read and folded. Now only labels are, which have an index.
    static let leanPages = Migration("pages folded when they are looked in") { db in
        guard db.kind == .sqlite else { return }
        // What an index forgets it must be told as it learned it.
        let isOther = try db.row(
            "SELECT 1 AS n FROM document_page WHERE folded <> '' AND folded <> \(raw: folded) LIMIT 1")
        if isOther != nil { for step in making { try db.run(step) } }
        try makeLean(db)
    }

    /// Emptying the column would leave every page of the file half empty. So the rows move to another table, a few
    /// thousand at a time into the room that those before them left.
    private static func makeLean(_ db: borrowing Connection) throws {
        try db.script(
            """
            DROP INDEX document_page_of;
            DROP INDEX document_label;
            CREATE TABLE lean_page (
                number INTEGER PRIMARY KEY,
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                page INTEGER NOT NULL CHECK (page >= 0),
                text TEXT NOT NULL,
                folded TEXT NOT NULL,
                places TEXT
            );
            """)
        while let last = try db.row(
            "SELECT max(number) AS n FROM (SELECT number FROM document_page ORDER BY number LIMIT 10000)")?
            .optionalInteger("n")
        {
            try db.run(
                """
                INSERT INTO lean_page (number, document, page, text, folded, places)
                SELECT number, document, page, text, CASE page WHEN 0 THEN folded ELSE '' END, places
                FROM document_page WHERE number <= \(last) ORDER BY number
                """)
            try db.run("DELETE FROM document_page WHERE number <= \(last)")
        }
        try db.script(
            """
            DROP TABLE document_page;
            ALTER TABLE lean_page RENAME TO document_page;
            CREATE UNIQUE INDEX document_page_of ON document_page (document, page);
            CREATE INDEX document_label ON document_page (document, folded) WHERE page = 0;
            """)
    }

    /// Makes both indexes from the pages, whatever they held.
    static let making: [Query] = [
        """
        UPDATE document SET index_number = counted.place FROM (
            SELECT id AS paper, coalesce((SELECT max(index_number) FROM document), 0)
                + row_number() OVER (ORDER BY added_at, id) AS place
            FROM document WHERE index_number IS NULL
        ) AS counted WHERE document.id = counted.paper
        """,
        // By way of numbers that no page has, as two pages may have changed places.
        """
        UPDATE document_page SET number = -number WHERE number <> \(pagesOfOne) *
            (SELECT document.index_number FROM document WHERE document.id = document_page.document) + page
        """,
        """
        UPDATE document_page SET number = \(pagesOfOne) *
            (SELECT document.index_number FROM document WHERE document.id = document_page.document) + page
        WHERE number < 0
        """,
        // A backup of a desk on PostgreSQL brings folded pages.
        """
        UPDATE document_page SET folded = CASE page WHEN 0 THEN \(raw: folded) ELSE '' END
        WHERE folded <> CASE page WHEN 0 THEN \(raw: folded) ELSE '' END
        """,
        "INSERT INTO page_words (page_words) VALUES ('delete-all')",
        "INSERT INTO page_words (rowid, folded) SELECT number, \(raw: folded) FROM document_page ORDER BY number",
        "INSERT INTO paper_words (paper_words) VALUES ('delete-all')",
        """
        INSERT INTO paper_words (rowid, folded)
        SELECT 2 * document.index_number, \(raw: folded) FROM document
        JOIN document_page ON document_page.document = document.id AND page = 0
        """,
        """
        INSERT INTO paper_words (rowid, folded)
        SELECT 2 * document.index_number + 1, group_concat(\(raw: folded), ' ') FROM document
        JOIN document_page ON document_page.document = document.id GROUP BY document.index_number
        """,
    ]

    /// The number that a new paper gets. Pages that came from a desk on PostgreSQL have numbers by themselves, until
    /// they are indexed here, which the new paper's pages must not meet.
    static func nextNumber(in tx: borrowing Transaction) throws -> Int64? {
        guard tx.kind == .sqlite else { return nil }
        let papers = try tx.row("SELECT max(index_number) AS n FROM document")?.optionalInteger("n") ?? 0
        let pages = try tx.row("SELECT max(number) AS n FROM document_page")?.optionalInteger("n") ?? 0
        return max(papers, pages / pagesOfOne) + 1
    }

    /// What stands in an index without its text is taken out by saying the same text again. So a paper leaves before
    /// its pages change and enters afterwards.
    /// With `keepsLabel` only its pages do.
    static func leave(
        _ id: ID<Document>, keepsLabel: Bool = false, in tx: borrowing Transaction
    ) throws {
        try tell(
            id, "INSERT INTO paper_words (paper_words, rowid, folded) SELECT 'delete', ", keepsLabel, in: tx)
    }

    static func enter(
        _ id: ID<Document>, keepsLabel: Bool = false, in tx: borrowing Transaction
    ) throws {
        try tell(id, "INSERT INTO paper_words (rowid, folded) SELECT ", keepsLabel, in: tx)
    }

    private static func tell(
        _ id: ID<Document>, _ start: Query, _ keepsLabel: Bool, in tx: borrowing Transaction
    ) throws {
        guard tx.kind == .sqlite else { return }
        let pages: Query = """
            FROM document JOIN document_page ON document_page.document = document.id WHERE document.id = \(id)
            """
        if !keepsLabel {
            try tx.run(start + "2 * document.index_number, \(raw: folded) " + pages + " AND page = 0")
        }
        try tx.run(
            start + "2 * document.index_number + 1, group_concat(\(raw: folded), ' ') " + pages
                + " GROUP BY document.index_number")
    }
}

// Asking it.
extension PaperIndex {
    /// The numbers of papers that have what is wanted, rising.
    struct Matches {
        var all: [Int64]
        /// Those whose label has it.
        var named: Set<Int64>

        mutating func keep(where isKept: (Int64) -> Bool) {
            all = all.filter(isKept)
            named = named.filter(isKept)
        }
    }

    static func papers(
        having wanted: Wanted, in desk: borrowing some Readable & ~Copyable
    ) throws -> Matches {
        let without = try wanted.unwanted.filter { $0.words.count == 1 }
            .map { " NOT (\(try having([$0], in: desk)))" }
        let text = "(\(try having(wanted.terms, in: desk)))\(without.joined())"
        let rows = try numbers(
            "SELECT group_concat(rowid) AS numbers FROM paper_words WHERE paper_words MATCH \(text)", in: desk
        )
        var matches = Matches(all: [], named: [])
        for row in rows {
            if row % 2 == 0 { matches.named.insert(row / 2) } else { matches.all.append(row / 2) }
        }
        // Only the index of pages knows what stands behind each other.
        for phrase in wanted.terms where phrase.words.count > 1 {
            let pages =
                try fewPages(of: matches.all, with: phrase, in: desk) ?? pages(with: phrase, in: desk)
            let papers = Set(pages.map { $0 / pagesOfOne })
            let labels = Set(pages.filter { $0 % pagesOfOne == 0 }.map { $0 / pagesOfOne })
            matches.all = matches.all.filter(papers.contains)
            matches.named.formIntersection(labels)
        }
        for phrase in wanted.unwanted where phrase.words.count > 1 && !matches.all.isEmpty {
            let papers = Set(try pages(with: phrase, in: desk).map { $0 / pagesOfOne })
            matches.keep { !papers.contains($0) }
        }
        return matches
    }

    /// All of the words, in whatever order.
    static func having(
        _ terms: [Wanted.Term], in desk: borrowing some Readable & ~Copyable
    ) throws -> String {
        var each: [String] = []
        for term in terms {
            for (place, word) in term.words.enumerated() {
                let isOpen = term.isOpen && place == term.words.count - 1
                each.append(isOpen ? try beginning(with: word, in: desk) : "\"\(word)\"")
            }
        }
        return each.joined(separator: " AND ")
    }

    /// The index has the papers of a word in one place, and those of all words that begin with up to three letters. For a
    /// longer beginning it first puts together the papers of its words one by one, which takes five times as long as
    /// naming these words where they are few.
    private static func beginning(
        with start: String, in desk: borrowing some Readable & ~Copyable
    ) throws -> String {
        var words: [String] = []
        if start.unicodeScalars.count > 3 {
            let rows = try desk.rows(
                """
                SELECT term FROM paper_vocabulary WHERE term >= \(start) AND term < \(start + "\u{10FFFF}")
                LIMIT \(mostWordsNamed + 1)
                """)
            words = try rows.map { try $0.text("term") }
        }
        guard !words.isEmpty, words.count <= mostWordsNamed else { return "\"\(start)\"*" }
        return "(" + words.map { "\"\($0)\"" }.joined(separator: " OR ") + ")"
    }

    private static let mostWordsNamed = 16

    private static func pages(
        with phrase: Wanted.Term, in desk: borrowing some Readable & ~Copyable
    ) throws -> [Int64] {
        try numbers(
            "SELECT group_concat(rowid) AS numbers FROM page_words WHERE page_words MATCH \(phrase.phrase)",
            in: desk)
    }

    /// Where few papers have all its words, reading their pages is quicker than asking where the words stand on a million.
    /// Nil when they are too many.
    private static func fewPages(
        of papers: [Int64], with phrase: Wanted.Term, in desk: borrowing some Readable & ~Copyable
    ) throws -> [Int64]? {
        guard papers.count <= mostPagesRead else { return nil }
        guard !papers.isEmpty else { return [] }
        let pageCount = try desk.row(
            "SELECT sum(max(pages, 1)) AS n FROM document WHERE index_number IN (\(list(papers)))")
        guard try pageCount?.int("n") ?? 0 <= mostPagesRead else { return nil }
        return try numbers(
            """
            WITH paper (place) AS (VALUES \(places(papers)))
            SELECT group_concat(number) AS numbers FROM paper CROSS JOIN document_page
                ON number >= place * \(pagesOfOne) AND number < (place + 1) * \(pagesOfOne)
            WHERE \(held([phrase]))
            """, in: desk)
    }

    /// Fewer are read than looked up.
    static let mostPagesRead = 4_000

    /// How many of them a page has.
    static func held(_ terms: [Wanted.Term]) -> Query {
        let each = terms.map { ", \($0.words.joined(separator: " ")), \($0.isOpen)" as Query }
        return "held_words(text\(each.joined(separator: "")))"
    }

    /// `(1), (2), (3)` behind VALUES.
    static func places(_ papers: [Int64]) -> Query {
        Query(raw: papers.map { "(\($0))" }.joined(separator: ", "))
    }

    /// Numbers that come as one text: taking a hundred thousand rows would take longer than finding them.
    static func numbers(
        _ query: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> [Int64] {
        guard let text = try desk.row(query)?.optionalText("numbers") else { return [] }
        var numbers: [Int64] = []
        numbers.reserveCapacity(text.utf8.count / 6)
        var number: Int64 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: ",") {
                numbers.append(number)
                number = 0
            } else {
                number = number &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
            }
        }
        numbers.append(number)
        return numbers
    }

    /// `1, 2, 3` inside a query. They are numbers of the desk's own.
    static func list(_ numbers: some Sequence<Int64>) -> Query {
        Query(raw: numbers.map { String($0) }.joined(separator: ", "))
    }
}
