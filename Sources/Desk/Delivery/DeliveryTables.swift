public import SQL

extension Outbox {
    public static let migrations = MigrationArea(
        "delivery",
        [
            Migration(
                "outbox and ledger",
                script: """
                    CREATE TABLE mailing (
                        id TEXT NOT NULL PRIMARY KEY,
                        title TEXT NOT NULL CHECK (title <> ''),
                        subject TEXT NOT NULL,
                        state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'cancelled')),
                        sender TEXT NOT NULL CHECK (sender <> ''),
                        sender_name TEXT NOT NULL,
                        reply_to TEXT,
                        per_minute INTEGER CHECK (per_minute > 0),
                        opens INTEGER CHECK (opens BETWEEN 0 AND 1440),
                        closes INTEGER CHECK (closes BETWEEN 0 AND 1440),
                        zone TEXT NOT NULL,
                        next_at INTEGER NOT NULL,
                        reason TEXT,
                        kind TEXT NOT NULL CHECK (kind IN ('letters', 'batch', 'single', 'test')),
                        prepared INTEGER NOT NULL CHECK (prepared IN (0, 1)),
                        letter TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        made_by TEXT NOT NULL,
                        made_by_name TEXT NOT NULL
                    );
                    CREATE INDEX mailing_of ON mailing (subject, id);
                    CREATE TABLE mailing_file (
                        mailing TEXT NOT NULL REFERENCES mailing (id),
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        PRIMARY KEY (mailing, digest)
                    );
                    CREATE TABLE batch_letter (
                        batch TEXT NOT NULL PRIMARY KEY,
                        version INTEGER NOT NULL,
                        letter TEXT NOT NULL,
                        changed_at INTEGER NOT NULL,
                        changed_by TEXT NOT NULL
                    );
                    CREATE TABLE batch_letter_file (
                        batch TEXT NOT NULL REFERENCES batch_letter (batch) ON DELETE CASCADE,
                        place INTEGER NOT NULL,
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        PRIMARY KEY (batch, place)
                    );
                    CREATE TABLE outbox_message (
                        id TEXT NOT NULL PRIMARY KEY,
                        mailing TEXT NOT NULL REFERENCES mailing (id),
                        place INTEGER NOT NULL,
                        subject TEXT NOT NULL,
                        recipient_name TEXT NOT NULL,
                        message_id TEXT NOT NULL UNIQUE,
                        addresses TEXT NOT NULL,
                        search TEXT NOT NULL,
                        title TEXT NOT NULL,
                        body TEXT NOT NULL,
                        html TEXT,
                        state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'ending', 'accepted',
                            'refused', 'uncertain', 'suppressed', 'bounced', 'cancelled')),
                        worker TEXT,
                        due_at INTEGER NOT NULL,
                        tries INTEGER NOT NULL DEFAULT 0,
                        reason TEXT,
                        posted_at INTEGER NOT NULL,
                        changed_at INTEGER NOT NULL,
                        CONSTRAINT once_for_each UNIQUE (mailing, subject),
                        CONSTRAINT in_hand CHECK ((state IN ('sending', 'ending')) = (worker IS NOT NULL))
                    );
                    CREATE INDEX outbox_ready ON outbox_message (mailing, due_at, place) WHERE state = 'waiting';
                    CREATE INDEX outbox_in_hand ON outbox_message (mailing) WHERE worker IS NOT NULL;
                    CREATE INDEX outbox_place ON outbox_message (mailing, place);
                    CREATE INDEX outbox_state ON outbox_message (mailing, state, place);
                    CREATE INDEX outbox_newest ON outbox_message (id DESC, state);
                    CREATE INDEX outbox_about ON outbox_message (subject, id);
                    CREATE UNIQUE INDEX outbox_once ON outbox_message (subject)
                        WHERE state IN ('waiting', 'sending', 'ending', 'accepted', 'uncertain');
                    CREATE TABLE outbox_attachment (
                        message TEXT NOT NULL REFERENCES outbox_message (id) ON DELETE CASCADE,
                        place INTEGER NOT NULL,
                        file_name TEXT NOT NULL,
                        media_type TEXT NOT NULL,
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        PRIMARY KEY (message, place)
                    );
                    CREATE INDEX outbox_attachment_of ON outbox_attachment (digest);
                    CREATE TABLE outbox_attempt (
                        id TEXT NOT NULL PRIMARY KEY,
                        message TEXT NOT NULL REFERENCES outbox_message (id) ON DELETE CASCADE,
                        at INTEGER NOT NULL,
                        outcome TEXT NOT NULL,
                        code INTEGER,
                        words TEXT NOT NULL,
                        refused TEXT,
                        eml_digest TEXT
                    );
                    CREATE INDEX outbox_attempt_of ON outbox_attempt (message, id);
                    CREATE TABLE suppressed_address (
                        address TEXT NOT NULL PRIMARY KEY,
                        reason TEXT NOT NULL,
                        at INTEGER NOT NULL
                    );
                    CREATE TABLE ledger (
                        number INTEGER NOT NULL PRIMARY KEY,
                        at INTEGER NOT NULL,
                        event TEXT NOT NULL,
                        subject TEXT NOT NULL,
                        run TEXT NOT NULL,
                        recipient TEXT NOT NULL,
                        address TEXT NOT NULL,
                        actor TEXT NOT NULL,
                        detail TEXT NOT NULL,
                        chain TEXT NOT NULL
                    );
                    CREATE INDEX ledger_subject ON ledger (subject, number);
                    CREATE TABLE ledger_head (
                        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
                        number INTEGER NOT NULL,
                        chain TEXT NOT NULL,
                        first_number INTEGER NOT NULL,
                        first_chain TEXT NOT NULL
                    );
                    CREATE TABLE ledger_item (
                        subject TEXT NOT NULL PRIMARY KEY,
                        run TEXT NOT NULL,
                        recipient TEXT NOT NULL,
                        address TEXT NOT NULL,
                        search TEXT NOT NULL,
                        state TEXT NOT NULL,
                        rank INTEGER NOT NULL,
                        sent INTEGER NOT NULL CHECK (sent IN (0, 1)),
                        at INTEGER NOT NULL,
                        newest INTEGER NOT NULL
                    );
                    CREATE INDEX ledger_item_newest ON ledger_item (newest DESC);
                    CREATE INDEX ledger_item_run ON ledger_item (run, newest DESC);
                    CREATE INDEX ledger_item_state ON ledger_item (state, newest DESC);
                    CREATE INDEX ledger_item_run_state ON ledger_item (run, state, newest DESC);
                    CREATE INDEX ledger_item_sent ON ledger_item (sent, newest DESC);
                    CREATE TABLE ledger_count (
                        run TEXT NOT NULL,
                        state TEXT NOT NULL,
                        items INTEGER NOT NULL,
                        PRIMARY KEY (run, state)
                    );
                    CREATE TABLE ledger_week (
                        week INTEGER NOT NULL,
                        event TEXT NOT NULL,
                        items INTEGER NOT NULL,
                        PRIMARY KEY (week, event)
                    );
                    INSERT INTO ledger_head (one, number, chain, first_number, first_chain) VALUES (1, 0,
                        '0000000000000000000000000000000000000000000000000000000000000000', 1,
                        '0000000000000000000000000000000000000000000000000000000000000000');
                    """),
            Migration(
                "bounced mail and repetitions",
                script: """
                    CREATE TABLE mailbox_place (
                        mailbox TEXT NOT NULL PRIMARY KEY,
                        validity INTEGER NOT NULL,
                        number INTEGER NOT NULL,
                        read_at INTEGER NOT NULL
                    );
                    CREATE TABLE repetition (
                        id TEXT NOT NULL PRIMARY KEY,
                        batch TEXT NOT NULL,
                        name TEXT NOT NULL CHECK (name <> ''),
                        rule TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        file TEXT NOT NULL,
                        file_digest TEXT NOT NULL,
                        sends INTEGER NOT NULL CHECK (sends IN (0, 1)),
                        current TEXT,
                        newest TEXT NOT NULL,
                        outcome TEXT NOT NULL,
                        ran_at INTEGER,
                        made_at INTEGER NOT NULL,
                        made_by TEXT NOT NULL,
                        made_by_name TEXT NOT NULL
                    );
                    CREATE INDEX repetition_of ON repetition (batch);
                    """),
            LedgerSearch.migration,
            Migration(
                "harvests and what repetitions brought",
                script: """
                    CREATE TABLE harvest (
                        id TEXT NOT NULL PRIMARY KEY,
                        batch TEXT,
                        form_count INTEGER NOT NULL,
                        content TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        made_by TEXT NOT NULL,
                        made_by_name TEXT NOT NULL
                    );
                    CREATE INDEX harvest_age ON harvest (made_at);
                    CREATE TABLE repetition_run (
                        id TEXT NOT NULL PRIMARY KEY,
                        repetition TEXT NOT NULL REFERENCES repetition (id) ON DELETE CASCADE,
                        at INTEGER NOT NULL,
                        outcome TEXT NOT NULL,
                        batch TEXT
                    );
                    CREATE INDEX repetition_run_of ON repetition_run (repetition, id);
                    """),
            Migration(
                "whose rows a watched file brings, and what repetitions wait for",
                script: """
                    ALTER TABLE repetition ADD COLUMN source TEXT NOT NULL DEFAULT '';
                    ALTER TABLE repetition ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
                    """),
            Migration(
                "lines that the ledger owes",
                script: """
                    CREATE TABLE ledger_due (
                        id TEXT NOT NULL PRIMARY KEY,
                        batch TEXT NOT NULL,
                        packets TEXT NOT NULL
                    );
                    """),
            Migration(
                "send-outs given away",
                script: """
                    CREATE TABLE bundle (
                        id TEXT NOT NULL PRIMARY KEY,
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        byte_count INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        is_example INTEGER NOT NULL CHECK (is_example IN (0, 1)),
                        taken_at INTEGER NOT NULL,
                        taken_by TEXT NOT NULL,
                        taken_by_name TEXT NOT NULL,
                        kept_at INTEGER,
                        removed_at INTEGER,
                        brought TEXT NOT NULL
                    );
                    CREATE INDEX bundle_of_digest ON bundle (digest);
                    """),
            Migration(
                "forms that came back by links",
                script: """
                    CREATE TABLE form_reply (
                        id TEXT NOT NULL PRIMARY KEY,
                        link TEXT NOT NULL,
                        subject TEXT NOT NULL,
                        batch TEXT,
                        document TEXT NOT NULL,
                        digest TEXT NOT NULL,
                        sent_for TEXT NOT NULL,
                        signed INTEGER NOT NULL CHECK (signed >= 0),
                        sent_at INTEGER NOT NULL
                    );
                    CREATE INDEX form_reply_of_link ON form_reply (link);
                    CREATE INDEX form_reply_of_subject ON form_reply (subject);
                    CREATE INDEX form_reply_of_batch ON form_reply (batch);
                    CREATE INDEX form_reply_of_document ON form_reply (document);
                    """),
            Migration(
                "what people got from other desks",
                script: """
                    CREATE TABLE sent_elsewhere (
                        batch TEXT NOT NULL,
                        mark TEXT NOT NULL,
                        place INTEGER NOT NULL,
                        desk TEXT NOT NULL,
                        recipient TEXT NOT NULL,
                        recipient_key TEXT NOT NULL,
                        address TEXT NOT NULL,
                        address_key TEXT NOT NULL,
                        state TEXT NOT NULL,
                        at INTEGER NOT NULL,
                        PRIMARY KEY (batch, mark, place)
                    );
                    CREATE INDEX sent_elsewhere_to ON sent_elsewhere (address_key, recipient_key);
                    CREATE INDEX sent_elsewhere_by_age ON sent_elsewhere (at);
                    """),
        ])
}
