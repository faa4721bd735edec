public import SQL

extension Identities {
    public static let migrations = MigrationArea(
        "identities",
        [
            Migration(
                "signing identities",
                script: """
                    CREATE TABLE signing_identity (
                        id TEXT NOT NULL PRIMARY KEY,
                        member_id TEXT REFERENCES member (id) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        certificates TEXT NOT NULL,
                        sealed BLOB NOT NULL,
                        is_authority INTEGER NOT NULL CHECK (is_authority IN (0, 1)),
                        made_at INTEGER NOT NULL
                    );
                    CREATE INDEX signing_identity_by_member ON signing_identity (member_id, id);
                    CREATE TABLE trusted_certificate (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL,
                        certificate TEXT NOT NULL,
                        fingerprint TEXT NOT NULL UNIQUE,
                        made_at INTEGER NOT NULL
                    );
                    """),
            Migration(
                "signatures by hand",
                script: """
                    CREATE TABLE hand_signature (
                        id TEXT NOT NULL PRIMARY KEY,
                        member_id TEXT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
                        sealed BLOB NOT NULL,
                        made_at INTEGER NOT NULL
                    );
                    CREATE INDEX hand_signature_by_member ON hand_signature (member_id, id);
                    """),
            Migration(
                "who is asked before signatures by hand are shown",
                script: """
                    CREATE TABLE hand_signature_guard (
                        member_id TEXT NOT NULL PRIMARY KEY REFERENCES member (id) ON DELETE CASCADE
                    );
                    """),
        ])
}
