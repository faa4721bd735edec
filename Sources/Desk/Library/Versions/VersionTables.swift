import SQL

extension Documents {
    /// The states of a paper. One that was never changed has no rows here: it is its own first version.
    static let versionTables = Migration(
        "versions",
        script: """
            ALTER TABLE document ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
            CREATE TABLE document_version (
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                number INTEGER NOT NULL CHECK (number > 0),
                digest TEXT NOT NULL REFERENCES blob (digest),
                byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
                media_type TEXT NOT NULL CHECK (media_type <> ''),
                made_at INTEGER NOT NULL,
                made_by TEXT NOT NULL,
                made_by_name TEXT NOT NULL,
                note TEXT NOT NULL,
                PRIMARY KEY (document, number)
            );
            CREATE INDEX document_version_of_digest ON document_version (digest);
            """)
}
