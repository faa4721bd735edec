public import SQL

extension Conversions {
    /// What is to become of papers, the papers, and what became of them. Everything goes with its conversion; the
    /// sweep then finds the bytes that nobody needs any more.
    public static let migrations = MigrationArea(
        "converting",
        [
            Migration(
                "conversions",
                script: """
                    CREATE TABLE conversion (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                        is_named INTEGER NOT NULL CHECK (is_named IN (0, 1)),
                        wishes TEXT NOT NULL,
                        secrets BLOB,
                        version INTEGER NOT NULL CHECK (version >= 1),
                        state TEXT NOT NULL CHECK (state IN ('draft', 'waiting', 'done', 'failed', 'cancelled')),
                        job TEXT,
                        reason TEXT,
                        report TEXT,
                        added_at INTEGER NOT NULL,
                        added_by TEXT NOT NULL,
                        added_by_name TEXT NOT NULL,
                        changed_at INTEGER NOT NULL
                    );
                    CREATE INDEX conversion_by_time ON conversion (changed_at, id);
                    CREATE TABLE conversion_paper (
                        id TEXT NOT NULL PRIMARY KEY,
                        conversion TEXT NOT NULL REFERENCES conversion (id) ON DELETE CASCADE,
                        place INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        digest TEXT REFERENCES blob (digest),
                        byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
                        address TEXT,
                        turn INTEGER NOT NULL CHECK (turn IN (0, 90, 180, 270)),
                        CHECK ((digest IS NULL) <> (address IS NULL))
                    );
                    CREATE INDEX conversion_paper_in_order ON conversion_paper (conversion, place, id);
                    CREATE TABLE conversion_result (
                        conversion TEXT NOT NULL REFERENCES conversion (id) ON DELETE CASCADE,
                        place INTEGER NOT NULL,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
                        media_type TEXT NOT NULL,
                        page_count INTEGER,
                        document TEXT,
                        PRIMARY KEY (conversion, place)
                    );
                    """),
            // The paper of the library that was handed in: what is made of a private one is as private as that.
            Migration(
                "papers they came from",
                script: """
                    ALTER TABLE conversion_paper ADD COLUMN document TEXT;
                    UPDATE conversion_paper SET document =
                        (SELECT min(id) FROM document WHERE document.digest = conversion_paper.digest);
                    """),
            Migration(
                "where sheets lie in photos",
                script: """
                    ALTER TABLE conversion_paper ADD COLUMN corners TEXT;
                    ALTER TABLE conversion_paper ADD COLUMN look TEXT;
                    """),
            Migration(
                "ways on which papers came",
                script: "ALTER TABLE conversion_paper ADD COLUMN arrival TEXT NOT NULL DEFAULT '';"),
            // The paper this only tries out: one trial for each, whoever looks.
            Migration(
                "trials",
                script: """
                    ALTER TABLE conversion ADD COLUMN trial_of TEXT;
                    CREATE UNIQUE INDEX conversion_trial ON conversion (trial_of);
                    """),
        ])
}
