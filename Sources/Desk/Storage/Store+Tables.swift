public import SQL

extension Store {
    /// The tables that all other parts may refer to. `Store.open` puts them first.
    public static let migrations = MigrationArea(
        "storage",
        [
            Migration(
                "blobs and journal",
                script: """
                    CREATE TABLE blob (
                        digest TEXT NOT NULL PRIMARY KEY CHECK (length(digest) = 64),
                        byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
                        kept_at INTEGER NOT NULL
                    );
                    CREATE TABLE journal (
                        number INTEGER NOT NULL PRIMARY KEY,
                        at INTEGER NOT NULL,
                        actor TEXT NOT NULL CHECK (actor <> ''),
                        verb TEXT NOT NULL CHECK (verb <> ''),
                        subject TEXT NOT NULL,
                        detail TEXT NOT NULL,
                        chain TEXT NOT NULL CHECK (length(chain) = 64)
                    );
                    CREATE INDEX journal_subject ON journal (subject, number);
                    CREATE INDEX journal_actor ON journal (actor, number);
                    CREATE TABLE journal_head (
                        id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
                        number INTEGER NOT NULL,
                        chain TEXT NOT NULL
                    );
                    INSERT INTO journal_head (id, number, chain) VALUES
                        (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');
                    """),
            // Bytes that the shelf does not have yet. Each row is gone within seconds, so nothing is gained by an index.
            Migration(
                "fresh blobs",
                script: """
                    CREATE TABLE fresh_blob (
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        bytes BLOB NOT NULL
                    );
                    """),
            DeskMark.migration,
        ])
}
