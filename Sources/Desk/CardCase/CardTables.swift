public import SQL

extension OwnCards {
    /// What a card says is one text of JSON: nobody looks for a part of it, and a new part is no migration.
    public static let migrations = MigrationArea(
        "cards",
        [
            Migration(
                "own cards",
                script: """
                    CREATE TABLE own_card (
                        id TEXT NOT NULL PRIMARY KEY,
                        member_id TEXT REFERENCES member (id) ON DELETE CASCADE,
                        slug TEXT NOT NULL UNIQUE,
                        name TEXT NOT NULL,
                        is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
                        content TEXT NOT NULL,
                        photo TEXT REFERENCES blob (digest),
                        made_at INTEGER NOT NULL,
                        changed_at INTEGER NOT NULL
                    );
                    CREATE INDEX own_card_by_member ON own_card (member_id, id);
                    CREATE TABLE own_card_link (
                        id TEXT NOT NULL PRIMARY KEY,
                        card_id TEXT NOT NULL REFERENCES own_card (id) ON DELETE CASCADE,
                        slug TEXT NOT NULL UNIQUE,
                        note TEXT NOT NULL CHECK (length(note) <= 200),
                        audience TEXT NOT NULL CHECK (audience IN ('public', 'exchange')),
                        made_at INTEGER NOT NULL,
                        expires_at INTEGER,
                        is_once INTEGER NOT NULL CHECK (is_once IN (0, 1)),
                        openings INTEGER NOT NULL,
                        opened_at INTEGER,
                        revoked_at INTEGER
                    );
                    CREATE INDEX own_card_link_by_card ON own_card_link (card_id, id);
                    CREATE TABLE own_card_answer (
                        id TEXT NOT NULL PRIMARY KEY,
                        card_id TEXT NOT NULL REFERENCES own_card (id) ON DELETE CASCADE,
                        slug TEXT NOT NULL UNIQUE,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                        note TEXT NOT NULL,
                        message TEXT NOT NULL,
                        card BLOB NOT NULL,
                        at INTEGER NOT NULL,
                        taken_at INTEGER
                    );
                    CREATE INDEX own_card_answer_by_card ON own_card_answer (card_id, id);
                    CREATE TABLE own_card_slug (
                        slug TEXT NOT NULL PRIMARY KEY CHECK (length(slug) BETWEEN 3 AND 40),
                        card_id TEXT REFERENCES own_card (id) ON DELETE SET NULL,
                        given_at INTEGER NOT NULL
                    );
                    CREATE INDEX own_card_slug_by_card ON own_card_slug (card_id);
                    """),
            // What was drawn of a photo is all there is of it; its size is only asked for its shape.
            Migration(
                "three pictures of a card",
                script: """
                    CREATE TABLE own_card_picture (
                        card_id TEXT NOT NULL REFERENCES own_card (id) ON DELETE CASCADE,
                        kind TEXT NOT NULL CHECK (kind IN ('photo', 'cover', 'logo')),
                        is_shown INTEGER NOT NULL CHECK (is_shown IN (0, 1)),
                        original TEXT NOT NULL REFERENCES blob (digest),
                        shown TEXT NOT NULL REFERENCES blob (digest),
                        width INTEGER NOT NULL CHECK (width > 0),
                        height INTEGER NOT NULL CHECK (height > 0),
                        crop TEXT NOT NULL,
                        PRIMARY KEY (card_id, kind, is_shown)
                    );
                    INSERT INTO own_card_picture (card_id, kind, is_shown, original, shown, width, height, crop)
                        SELECT id, 'photo', 1, photo, photo, 512, 512, '{}' FROM own_card WHERE photo IS NOT NULL;
                    UPDATE own_card SET photo = NULL;
                    """),
            // `told` is which state of the card the telephone was last told of.
            Migration(
                "wallets that keep a card",
                script: """
                    ALTER TABLE own_card ADD COLUMN pass_secret TEXT;
                    CREATE TABLE own_card_wallet (
                        card_id TEXT NOT NULL REFERENCES own_card (id) ON DELETE CASCADE,
                        device TEXT NOT NULL CHECK (length(device) BETWEEN 1 AND 100),
                        pass_type TEXT NOT NULL,
                        push_token TEXT NOT NULL CHECK (length(push_token) BETWEEN 1 AND 200),
                        registered_at INTEGER NOT NULL,
                        told INTEGER NOT NULL,
                        PRIMARY KEY (card_id, device)
                    );
                    CREATE INDEX own_card_wallet_by_device ON own_card_wallet (device, pass_type);
                    """),
        ])
}
