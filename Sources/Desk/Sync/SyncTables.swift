public import SQL

/// What a desk remembers of the places it keeps in step with.
public enum SyncTables {
    public static let migrations = MigrationArea(
        "sync",
        [
            Migration(
                "places",
                script: """
                    CREATE TABLE sync_place (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                        kind TEXT NOT NULL,
                        address TEXT NOT NULL,
                        options TEXT NOT NULL,
                        secret BLOB,
                        choice TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        is_paused INTEGER NOT NULL DEFAULT 0,
                        device TEXT NOT NULL,
                        desk TEXT NOT NULL,
                        number INTEGER NOT NULL DEFAULT 0,
                        summed_up INTEGER NOT NULL DEFAULT 0,
                        clock_ms INTEGER NOT NULL DEFAULT 0,
                        clock_count INTEGER NOT NULL DEFAULT 0,
                        scanned INTEGER NOT NULL DEFAULT 0,
                        scanned_whole_at INTEGER NOT NULL DEFAULT 0,
                        state TEXT NOT NULL DEFAULT 'new',
                        sentence TEXT NOT NULL DEFAULT '',
                        tries INTEGER NOT NULL DEFAULT 0,
                        tried_at INTEGER,
                        synced_at INTEGER
                    );
                    CREATE TABLE sync_record (
                        place TEXT NOT NULL REFERENCES sync_place (id) ON DELETE CASCADE,
                        kind TEXT NOT NULL,
                        id TEXT NOT NULL,
                        state TEXT,
                        shadow TEXT,
                        incoming TEXT,
                        is_untold INTEGER NOT NULL DEFAULT 0,
                        wants TEXT,
                        trouble TEXT,
                        PRIMARY KEY (place, kind, id)
                    );
                    CREATE INDEX sync_record_incoming ON sync_record (place, kind, id) WHERE incoming IS NOT NULL;
                    CREATE INDEX sync_record_untold ON sync_record (place, kind, id) WHERE is_untold <> 0;
                    CREATE INDEX sync_record_wants ON sync_record (place, wants) WHERE wants IS NOT NULL;
                    CREATE TABLE sync_heard (
                        place TEXT NOT NULL REFERENCES sync_place (id) ON DELETE CASCADE,
                        device TEXT NOT NULL,
                        number INTEGER NOT NULL,
                        PRIMARY KEY (place, device)
                    );
                    CREATE TABLE sync_letter (
                        place TEXT NOT NULL REFERENCES sync_place (id) ON DELETE CASCADE,
                        number INTEGER NOT NULL,
                        body BLOB NOT NULL,
                        PRIMARY KEY (place, number)
                    );
                    CREATE TABLE sync_laid (
                        place TEXT NOT NULL REFERENCES sync_place (id) ON DELETE CASCADE,
                        digest TEXT NOT NULL,
                        PRIMARY KEY (place, digest)
                    );
                    """),
            Migration(
                "a shelf for other desks",
                script: """
                    CREATE TABLE sync_thing (
                        name TEXT NOT NULL PRIMARY KEY,
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        laid_at INTEGER NOT NULL
                    );
                    CREATE INDEX sync_thing_digest ON sync_thing (digest);
                    """),
            Migration(
                "what nobody needs",
                script: """
                    ALTER TABLE sync_place ADD COLUMN cleared_at INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE sync_unneeded (
                        place TEXT NOT NULL REFERENCES sync_place (id) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        since INTEGER NOT NULL,
                        PRIMARY KEY (place, name)
                    );
                    """),
            Migration(
                "what the journal does not tell",
                script: "ALTER TABLE sync_place ADD COLUMN pulses TEXT NOT NULL DEFAULT '{}';"),
        ])
}
