import SQL
import Storage

/// Finds packets by three letters in a row anywhere in a name or an address, so that the one person among a million comes
/// at once. PostgreSQL reads the texts themselves.
///
/// The index holds no texts. It knows a packet by `place`, the number of its first line, and gives those that may fit;
/// whether they do, their texts tell.
enum LedgerSearch {
    static let migration = Migration("search and totals of the ledger") { db in
        try db.script(
            """
            ALTER TABLE ledger_item ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
            UPDATE ledger_item SET place = COALESCE(
                (SELECT min(number) FROM ledger WHERE ledger.subject = ledger_item.subject), newest);
            CREATE UNIQUE INDEX ledger_item_place ON ledger_item (place);
            CREATE INDEX ledger_item_run_sent ON ledger_item (run, sent, newest DESC);
            INSERT INTO ledger_count (run, state, items)
                SELECT '', state, CAST(sum(items) AS BIGINT) FROM ledger_count GROUP BY state
            """)
        guard db.kind == .sqlite else { return }
        try db.run(
            "CREATE VIRTUAL TABLE ledger_words USING fts5 (search, content = '', tokenize = 'trigram', detail = none)"
        )
        try db.run("INSERT INTO ledger_words (rowid, search) SELECT place, search FROM ledger_item")
    }

    static func add(_ search: String, at place: Int64, in tx: borrowing Transaction) throws {
        try add("(\(place), \(search))", in: tx)
    }

    /// Several at once: places and texts, as rows.
    static func add(_ rows: Query, in tx: borrowing Transaction) throws {
        guard tx.kind == .sqlite else { return }
        try tx.run("INSERT INTO ledger_words (rowid, search) VALUES \(rows)")
    }

    /// The index has to be told what it is to forget.
    static func remove(_ condition: Query, in tx: borrowing Transaction) throws {
        guard tx.kind == .sqlite else { return }
        try tx.run(
            """
            INSERT INTO ledger_words (ledger_words, rowid, search)
            SELECT 'delete', place, search FROM ledger_item WHERE \(condition)
            """)
    }

    /// A backup has the packets and not the index.
    static func isIndexed(in desk: borrowing some Readable & ~Copyable) throws -> Bool {
        guard desk.kind == .sqlite,
            let newest = try desk.row("SELECT place FROM ledger_item ORDER BY place DESC LIMIT 1")
        else { return true }
        return try desk.row(
            "SELECT id FROM ledger_words_docsize WHERE id = \(try newest.integer("place"))") != nil
    }

    static func indexAnew(in tx: borrowing Transaction) throws {
        try tx.run("INSERT INTO ledger_words (ledger_words) VALUES ('delete-all')")
        try tx.run("INSERT INTO ledger_words (rowid, search) SELECT place, search FROM ledger_item")
    }

    /// The places of all that may fit, as `found`; nil when the words are too short for the index.
    static func places(_ text: String) -> Query? {
        var parts: [String] = []
        for word in text.lowercased().split(whereSeparator: \.isWhitespace).prefix(8) {
            let letters = Array(word.unicodeScalars)
            for start in 0..<max(0, letters.count - 2) where parts.count < 24 {
                let three = String(String.UnicodeScalarView(letters[start..<start + 3]))
                let part = "\"\(three.replacing("\"", with: "\"\""))\""
                if !parts.contains(part) { parts.append(part) }
            }
        }
        guard !parts.isEmpty else { return nil }
        return
            "SELECT rowid AS found FROM ledger_words WHERE ledger_words MATCH \(parts.joined(separator: " "))"
    }
}

extension Ledger {
    /// Makes the index of names and addresses where it is missing, as after a restore.
    public func prepare() throws {
        guard try !store.read({ desk in try LedgerSearch.isIndexed(in: desk) }) else { return }
        try store.write { tx in try LedgerSearch.indexAnew(in: tx) }
    }
}
