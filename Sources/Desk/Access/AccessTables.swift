public import SQL

extension Gate {
    /// The tables of this part. What a secret opens is found by its digest; no secret itself is kept.
    public static let migrations = MigrationArea(
        name: "access",
        [
            Migration(
                "create members and what lets them in",
                script: """
                    CREATE TABLE member (
                        id TEXT PRIMARY KEY,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
                        sign_in_name TEXT NOT NULL UNIQUE CHECK (length(sign_in_name) BETWEEN 1 AND 254),
                        role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
                        handle BLOB NOT NULL UNIQUE,
                        password_hash TEXT,
                        joined_at INTEGER NOT NULL
                    );
                    CREATE TABLE first_owner (
                        one INTEGER PRIMARY KEY CHECK (one = 1),
                        name TEXT NOT NULL,
                        set_up_at INTEGER NOT NULL
                    );
                    CREATE TABLE recovery_code (
                        member_id TEXT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
                        digest BLOB NOT NULL,
                        used_at INTEGER,
                        PRIMARY KEY (member_id, digest)
                    );
                    CREATE TABLE passkey (
                        id TEXT PRIMARY KEY,
                        member_id TEXT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        credential BLOB NOT NULL UNIQUE,
                        relying_party TEXT NOT NULL,
                        public_key BLOB NOT NULL,
                        sign_count INTEGER NOT NULL CHECK (sign_count >= 0),
                        backed_up INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
                        transports TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        used_at INTEGER
                    );
                    CREATE INDEX passkey_of_member ON passkey (member_id);
                    CREATE TABLE sign_in_failure (
                        key TEXT PRIMARY KEY,
                        count INTEGER NOT NULL CHECK (count > 0),
                        last_at INTEGER NOT NULL,
                        blocked_until INTEGER NOT NULL
                    );
                    CREATE INDEX sign_in_failure_by_age ON sign_in_failure (last_at);
                    """),
            Migration(
                "create sessions, tokens, invitations and share links",
                script: """
                    CREATE TABLE session (
                        id TEXT PRIMARY KEY,
                        digest BLOB NOT NULL UNIQUE,
                        member_id TEXT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
                        method TEXT NOT NULL,
                        device TEXT NOT NULL,
                        address TEXT NOT NULL,
                        started_at INTEGER NOT NULL,
                        proven_at INTEGER NOT NULL,
                        seen_at INTEGER NOT NULL,
                        expires_at INTEGER NOT NULL,
                        locked_at INTEGER
                    );
                    CREATE INDEX session_of_member ON session (member_id);
                    CREATE INDEX session_by_end ON session (expires_at);
                    CREATE TABLE api_token (
                        id TEXT PRIMARY KEY,
                        digest BLOB NOT NULL UNIQUE,
                        member_id TEXT REFERENCES member (id) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        scopes TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        expires_at INTEGER,
                        used_at INTEGER
                    );
                    CREATE INDEX api_token_of_member ON api_token (member_id);
                    CREATE TABLE invitation (
                        id TEXT PRIMARY KEY,
                        digest BLOB NOT NULL UNIQUE,
                        role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
                        note TEXT NOT NULL,
                        made_by TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        expires_at INTEGER NOT NULL
                    );
                    CREATE TABLE share_link (
                        id TEXT PRIMARY KEY,
                        digest BLOB NOT NULL UNIQUE,
                        subject_kind TEXT NOT NULL,
                        subject_id TEXT NOT NULL,
                        note TEXT NOT NULL,
                        made_by TEXT NOT NULL,
                        made_by_name TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        expires_at INTEGER,
                        password_hash TEXT,
                        maximum_openings INTEGER CHECK (maximum_openings > 0),
                        openings INTEGER NOT NULL CHECK (openings >= 0),
                        opened_at INTEGER,
                        view_only INTEGER NOT NULL CHECK (view_only IN (0, 1)),
                        CHECK (maximum_openings IS NULL OR openings <= maximum_openings)
                    );
                    CREATE INDEX share_link_of_subject ON share_link (subject_kind, subject_id);
                    """),
            Migration(
                "create licences",
                script: """
                    CREATE TABLE licence (
                        id TEXT PRIMARY KEY,
                        text TEXT NOT NULL,
                        installed_at INTEGER NOT NULL
                    );
                    CREATE TABLE plan_choice (
                        one INTEGER PRIMARY KEY CHECK (one = 1),
                        simulates_free INTEGER NOT NULL CHECK (simulates_free IN (0, 1))
                    );
                    """),
            Migration(
                "remember from where somebody signs in",
                script: """
                    CREATE TABLE sign_in_place (
                        key TEXT PRIMARY KEY,
                        last_at INTEGER NOT NULL
                    );
                    CREATE INDEX sign_in_place_by_age ON sign_in_place (last_at);
                    """),
            Migration(
                "create notices",
                script: """
                    CREATE TABLE notice (
                        id TEXT NOT NULL PRIMARY KEY,
                        owner TEXT NOT NULL,
                        member_id TEXT REFERENCES member (id) ON DELETE CASCADE,
                        kind TEXT NOT NULL,
                        subject TEXT NOT NULL,
                        about TEXT NOT NULL,
                        words TEXT NOT NULL,
                        times INTEGER NOT NULL CHECK (times > 0),
                        at INTEGER NOT NULL,
                        read_at INTEGER,
                        mailed_at INTEGER
                    );
                    CREATE UNIQUE INDEX notice_unread ON notice (owner, kind, subject) WHERE read_at IS NULL;
                    CREATE INDEX notice_of ON notice (owner, at);
                    CREATE INDEX notice_member ON notice (member_id);
                    CREATE TABLE notice_choice (
                        owner TEXT NOT NULL PRIMARY KEY,
                        member_id TEXT REFERENCES member (id) ON DELETE CASCADE,
                        silent TEXT NOT NULL,
                        mail TEXT NOT NULL CHECK (mail IN ('off', 'atOnce', 'daily')),
                        address TEXT NOT NULL,
                        mailed_at INTEGER
                    );
                    """),
            Migration(
                "forms that are filled in behind a link",
                script: """
                    ALTER TABLE share_link ADD COLUMN takes_replies INTEGER NOT NULL DEFAULT 0;
                    """),
            // What a browser said of itself, and until when it has been told. It is told as long as somebody is signed in there.
            Migration(
                "notices on devices",
                script: """
                    CREATE TABLE push_device (
                        id TEXT NOT NULL PRIMARY KEY,
                        member_id TEXT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
                        session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
                        endpoint TEXT NOT NULL UNIQUE,
                        point BLOB NOT NULL,
                        secret BLOB NOT NULL,
                        origin TEXT NOT NULL,
                        name TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        until INTEGER NOT NULL,
                        told_at INTEGER,
                        trouble TEXT
                    );
                    CREATE INDEX push_device_member ON push_device (member_id, made_at);
                    CREATE INDEX push_device_session ON push_device (session_id);
                    """),
            Migration(
                "plans that are tried",
                script: """
                    CREATE TABLE plan_trial (
                        plan TEXT NOT NULL PRIMARY KEY,
                        began_at INTEGER NOT NULL
                    );
                    """),
        ])
}
