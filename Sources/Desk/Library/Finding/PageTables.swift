import SQL
import Storage
import Work

extension Documents {
    /// What the papers say: page 0 is the label, with the name, the tags and the note. `folded` is what is looked in; on
    /// SQLite it is kept of labels alone (see `PaperIndex.folded`).
    static let pageTables = Migration("pages") { db in
        try db.script(
            """
            CREATE TABLE document_text (
                document TEXT NOT NULL PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
                state TEXT NOT NULL,
                reason TEXT,
                page_count INTEGER,
                read_at INTEGER NOT NULL
            );
            CREATE TABLE document_page (
                number INTEGER PRIMARY KEY,
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                page INTEGER NOT NULL CHECK (page >= 0),
                text TEXT NOT NULL,
                folded TEXT NOT NULL
            );
            CREATE UNIQUE INDEX document_page_of ON document_page (document, page)
            """)
        switch db.kind {
        case .sqlite:
            try db.run(
                """
                CREATE VIRTUAL TABLE page_words USING fts5 (folded, content = 'document_page', content_rowid = 'number',
                    tokenize = 'unicode61 remove_diacritics 0')
                """)
        case .postgres:
            try db.run("CREATE INDEX page_words ON document_page USING gin (to_tsvector('simple', folded))")
        }
    }

    /// Where the words of a page stand that were recognised in its picture, and how many pages are still to be looked at
    /// in that way: those without words of their own.
    /// In which languages pages were read off pictures, and in which somebody asked for.
    static let recognitionLanguages = Migration(
        "languages of recognition",
        script: """
            ALTER TABLE document_text ADD COLUMN languages TEXT NOT NULL DEFAULT '';
            ALTER TABLE document_text ADD COLUMN wanted TEXT NOT NULL DEFAULT '';
            """)

    /// Of pictures with several pages only the first was looked at, and of some kinds none.
    static let pagesOfPictures = Migration(
        "pages of pictures",
        script: """
            UPDATE document_text SET bare = 1, recognised_to = 0 WHERE document IN (
                SELECT id FROM document WHERE media_type IN
                    ('image/tiff', 'image/heic', 'image/heif', 'image/avif'));
            """)

    /// Of what was written in office programs and of books no words were read.
    static let wordsOfWritings = Migration(
        "words of writings",
        script: """
            DELETE FROM document_text WHERE state = 'unreadable' AND document IN (
                SELECT id FROM document WHERE media_type NOT LIKE 'image/%' AND media_type <> 'application/pdf'
                    OR media_type LIKE 'image/svg%' OR byte_count > 67108864);
            """)

    static let recognitionTables = Migration(
        "recognition",
        script: """
            ALTER TABLE document_page ADD COLUMN places TEXT;
            ALTER TABLE document_text ADD COLUMN bare INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE document_text ADD COLUMN recognised_to INTEGER NOT NULL DEFAULT 0;
            UPDATE document_text SET bare = page_count - (
                SELECT count(*) FROM document_page p WHERE p.document = document_text.document AND p.page > 0)
            WHERE page_count > 0;
            UPDATE document_text SET bare = 1 WHERE document IN (
                SELECT id FROM document WHERE media_type LIKE 'image/%' AND media_type NOT LIKE 'image/svg%');
            CREATE INDEX document_text_bare ON document_text (document) WHERE bare > 0;
            """)

    /// Changes what is known of a paper's words: all that is written and forgotten in `body` comes into the indexes
    /// together. What leaves its label as it is says so.
    static func changingWords<R>(
        of document: ID<Document>, keepsLabel: Bool = false, in tx: borrowing Transaction,
        _ body: () throws -> R
    ) throws -> R {
        try PaperIndex.leave(document, keepsLabel: keepsLabel, in: tx)
        let result = try body()
        try PaperIndex.enter(document, keepsLabel: keepsLabel, in: tx)
        return result
    }

    /// Takes out what its pages said, until they are read anew; by its label it is found all the while.
    static func forgetPages(of document: ID<Document>, in tx: borrowing Transaction) throws {
        guard try !hasOnlyLabel(document, in: tx) else { return }
        try changingWords(of: document, keepsLabel: true, in: tx) {
            try forget(pages: "document = \(document) AND page > 0", in: tx)
        }
    }

    /// Of many papers no page says anything, and then nothing has to leave the indexes to enter them again.
    static func hasOnlyLabel(_ document: ID<Document>, in tx: borrowing Transaction) throws -> Bool {
        try tx.row("SELECT max(page) AS last FROM document_page WHERE document = \(document)")?
            .optionalInteger("last") == 0
    }

    /// What is called `name` comes into the indexes for the first time.
    static func writeFirstWords(
        of document: ID<Document>, _ name: String, in tx: borrowing Transaction
    ) throws {
        try write(page: 0, name, isFirst: true, of: document, in: tx)
        try PaperIndex.enter(document, in: tx)
    }

    /// What a page says, page 0 being the label. Of a page that is a picture, `places` says where the words stand. Only
    /// inside `changingWords`. `isFirst` where nothing was known of that page.
    ///
    /// PostgreSQL keeps its index by itself. SQLite's would need triggers, which a database that trusts no schema does not
    /// let touch it; so it is told of every change here.
    static func write(
        page: Int, _ text: String, places: String? = nil, isFirst: Bool = false, of document: ID<Document>,
        in tx: borrowing Transaction
    ) throws {
        var text = text
        if text.utf8.contains(0) {
            text = String(decoding: text.utf8.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        }
        let folded = Words.folded(text)
        if !isFirst { try forget(pages: "document = \(document) AND page = \(page)", in: tx) }
        guard tx.kind == .sqlite else {
            try tx.run(
                """
                INSERT INTO document_page (document, page, text, folded, places)
                VALUES (\(document), \(page), \(text), \(folded), \(places))
                """)
            return
        }
        let number: Query =
            "(SELECT index_number FROM document WHERE id = \(document)) * \(PaperIndex.pagesOfOne) + \(page)"
        try tx.run(
            """
            INSERT INTO document_page (number, document, page, text, folded, places)
            VALUES (\(number), \(document), \(page), \(text), \(page == 0 ? folded : ""), \(places))
            """)
        try tx.run("INSERT INTO page_words (rowid, folded) VALUES (\(number), \(folded))")
    }

    /// Only inside `changingWords`.
    static func forget(pages condition: Query, in tx: borrowing Transaction) throws {
        if tx.kind == .sqlite {
            try tx.run(
                """
                INSERT INTO page_words (page_words, rowid, folded)
                SELECT 'delete', number, \(raw: PaperIndex.folded) FROM document_page WHERE \(condition)
                """)
        }
        try tx.run("DELETE FROM document_page WHERE \(condition)")
    }

    /// A backup has the pages and not the indexes. That of a desk on SQLite has no folded pages, which the index of
    /// PostgreSQL is made of.
    static func isIndexed(in desk: borrowing Reading) throws -> Bool {
        switch desk.kind {
        case .sqlite:
            // The oldest, as others may have come since.
            try desk.row(
                """
                SELECT 1 AS n FROM (SELECT min(number) AS number FROM document_page) AS oldest
                WHERE number IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_words_docsize WHERE id = number)
                """) == nil
        case .postgres:
            try desk.rows(
                "SELECT text, folded FROM document_page WHERE page > 0 ORDER BY number LIMIT 20"
            ).allSatisfy { try $0.text("folded") == Words.folded($0.text("text")) }
        }
    }

    static func indexAnew(in tx: borrowing Transaction) throws {
        if tx.kind == .sqlite {
            for step in PaperIndex.making { try tx.run(step) }
            return
        }
        var last: Int64?
        while true {
            let after: Query = last.map { "WHERE number > \($0)" } ?? ""
            let pages = try tx.rows(
                "SELECT number, text, folded FROM document_page \(after) ORDER BY number LIMIT 500")
            for page in pages {
                let folded = Words.folded(try page.text("text"))
                guard try page.text("folded") != folded else { continue }
                try tx.run(
                    "UPDATE document_page SET folded = \(folded) WHERE number = \(try page.integer("number"))"
                )
            }
            guard let end = pages.last else { return }
            last = try end.integer("number")
        }
    }
}
