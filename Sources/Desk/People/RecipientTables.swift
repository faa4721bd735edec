public import SQL

extension Recipients {
    /// A list is a chain of editions; an edition names the chunks that hold its rows. Chunks and editions are never
    /// changed once written, so switching a list to another edition is one update: whatever is interrupted leaves
    /// the old one or the new one, and taking a change back is switching again.
    public static let migrations = MigrationArea(
        "people",
        [
            Migration(
                "recipients",
                script: """
                    CREATE TABLE recipient_list (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                        name_order TEXT NOT NULL,
                        name_search TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        made_by TEXT NOT NULL,
                        made_by_name TEXT NOT NULL,
                        changed_at INTEGER NOT NULL,
                        trashed_at INTEGER,
                        edition INTEGER NOT NULL,
                        last_edition INTEGER NOT NULL,
                        next_chunk INTEGER NOT NULL,
                        row_count INTEGER NOT NULL,
                        flaw_count INTEGER NOT NULL
                    );
                    CREATE INDEX recipient_list_by_name ON recipient_list (name_order, id);
                    CREATE TABLE recipient_edition (
                        list_id TEXT NOT NULL REFERENCES recipient_list (id) ON DELETE CASCADE,
                        number INTEGER NOT NULL,
                        parent INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        by_actor TEXT NOT NULL,
                        by_name TEXT NOT NULL,
                        act TEXT NOT NULL,
                        facts TEXT NOT NULL,
                        chunks BLOB NOT NULL,
                        PRIMARY KEY (list_id, number)
                    );
                    CREATE TABLE recipient_chunk (
                        list_id TEXT NOT NULL REFERENCES recipient_list (id) ON DELETE CASCADE,
                        number INTEGER NOT NULL,
                        content BLOB NOT NULL,
                        PRIMARY KEY (list_id, number)
                    );
                    CREATE TABLE recipient_staging (
                        list_id TEXT NOT NULL REFERENCES recipient_list (id) ON DELETE CASCADE,
                        first INTEGER NOT NULL,
                        begun_at INTEGER NOT NULL,
                        PRIMARY KEY (list_id, first)
                    );
                    CREATE TABLE recipient_import (
                        id TEXT NOT NULL PRIMARY KEY,
                        list_id TEXT NOT NULL REFERENCES recipient_list (id) ON DELETE CASCADE,
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        name TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        settings TEXT NOT NULL,
                        taken_at INTEGER NOT NULL,
                        taken_by TEXT NOT NULL,
                        taken_by_name TEXT NOT NULL,
                        applied_at INTEGER,
                        result TEXT
                    );
                    CREATE INDEX recipient_import_of_list ON recipient_import (list_id, taken_at);
                    CREATE INDEX recipient_import_of_digest ON recipient_import (digest);
                    CREATE TABLE audience (
                        id TEXT NOT NULL PRIMARY KEY,
                        list_id TEXT NOT NULL REFERENCES recipient_list (id) ON DELETE CASCADE,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                        filter TEXT NOT NULL,
                        made_at INTEGER NOT NULL,
                        made_by TEXT NOT NULL,
                        UNIQUE (list_id, name)
                    );
                    """),
            Migration(
                "contacts",
                script: """
                    CREATE TABLE contact_book (
                        id TEXT NOT NULL PRIMARY KEY,
                        kind TEXT NOT NULL CHECK (kind IN ('cards', 'carddav')),
                        name TEXT NOT NULL,
                        address TEXT,
                        user_name TEXT,
                        sealed BLOB,
                        made_at INTEGER NOT NULL,
                        made_by TEXT NOT NULL,
                        pulled_at INTEGER,
                        trouble TEXT
                    );
                    CREATE TABLE contact (
                        id TEXT NOT NULL PRIMARY KEY,
                        book_id TEXT NOT NULL REFERENCES contact_book (id) ON DELETE CASCADE,
                        uid TEXT NOT NULL,
                        path TEXT,
                        tag TEXT,
                        name TEXT NOT NULL,
                        name_order TEXT NOT NULL,
                        search TEXT NOT NULL,
                        emails TEXT NOT NULL,
                        organization TEXT NOT NULL,
                        card TEXT NOT NULL,
                        changed_at INTEGER NOT NULL,
                        UNIQUE (book_id, uid)
                    );
                    CREATE INDEX contact_by_name ON contact (name_order, id);
                    """),
            // What a card was, byte for byte, and which act made it so: an act is taken back by bringing back what was before,
            // and letting go of whom it brought.
            Migration(
                "contact acts",
                script: """
                    CREATE TABLE contact_act (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL,
                        at INTEGER NOT NULL,
                        by_actor TEXT NOT NULL,
                        by_name TEXT NOT NULL,
                        report TEXT NOT NULL,
                        undone_at INTEGER
                    );
                    CREATE INDEX contact_act_by_time ON contact_act (at, id);
                    CREATE TABLE contact_before (
                        act_id TEXT NOT NULL REFERENCES contact_act (id) ON DELETE CASCADE,
                        contact_id TEXT NOT NULL,
                        original BLOB NOT NULL,
                        act_before TEXT,
                        PRIMARY KEY (act_id, contact_id)
                    );
                    ALTER TABLE contact ADD COLUMN original BLOB;
                    ALTER TABLE contact ADD COLUMN act_id TEXT;
                    CREATE INDEX contact_by_act ON contact (act_id);
                    """),
            // Everything that changes people is an act, not only what comes out of files; who was taken out can be put back where
            // they were.
            Migration("acts of every kind on contacts") { db in
                try db.script(
                    """
                    ALTER TABLE contact_act ADD COLUMN kind TEXT NOT NULL DEFAULT 'import';
                    ALTER TABLE contact_before ADD COLUMN book_id TEXT;
                    ALTER TABLE contact_before ADD COLUMN uid TEXT;
                    ALTER TABLE contact ADD COLUMN phones TEXT NOT NULL DEFAULT '';
                    ALTER TABLE contact ADD COLUMN tags TEXT NOT NULL DEFAULT '';
                    """)
                try Contacts.lookForAll(in: db)
            },
            Migration(
                "people who are one, and people who are not",
                script: """
                    CREATE TABLE contact_apart (
                        first_id TEXT NOT NULL,
                        second_id TEXT NOT NULL,
                        PRIMARY KEY (first_id, second_id)
                    );
                    CREATE INDEX contact_before_of ON contact_before (contact_id);
                    CREATE INDEX contact_before_by_uid ON contact_before (uid);
                    """),
            // The day stands beside the rest of it, as it is looked for.
            Migration(
                "follow-ups",
                script: """
                    ALTER TABLE contact ADD COLUMN follow_on TEXT;
                    ALTER TABLE contact ADD COLUMN follow_up TEXT NOT NULL DEFAULT '';
                    CREATE INDEX contact_by_follow_up ON contact (follow_on);
                    ALTER TABLE contact_before ADD COLUMN follow_up TEXT;
                    """),
            // One address for each member, who alone can see it again.
            Migration(
                "calendars of follow-ups",
                script: """
                    CREATE TABLE reminder_feed (
                        id TEXT NOT NULL PRIMARY KEY,
                        owner TEXT NOT NULL UNIQUE,
                        member_id TEXT REFERENCES member (id) ON DELETE CASCADE,
                        digest BLOB NOT NULL UNIQUE,
                        sealed BLOB NOT NULL,
                        made_at INTEGER NOT NULL,
                        read_at INTEGER
                    );
                    """),
            // A person keeps their number on the list, also when they leave it and come back.
            Migration(
                "smart lists",
                script: """
                    ALTER TABLE recipient_list ADD COLUMN question TEXT;
                    ALTER TABLE recipient_list ADD COLUMN followed TEXT NOT NULL DEFAULT '';
                    CREATE TABLE smart_list_person (
                        list_id TEXT NOT NULL REFERENCES recipient_list (id) ON DELETE CASCADE,
                        contact_id TEXT NOT NULL,
                        number INTEGER NOT NULL,
                        PRIMARY KEY (list_id, contact_id)
                    );
                    """),
            // The day of which members were told, so that nobody hears of it twice.
            Migration("follow-ups told", script: "ALTER TABLE contact ADD COLUMN follow_told TEXT;"),
            // What programs that keep the desk's own book in step ask for: what each card was marked with when it last changed, in
            // which turn, and who has gone. A turn has a name by chance, so that a desk that was restored does not take one of
            // before for its own.
            Migration("contacts in step with phones") { db in
                try db.script(
                    """
                    ALTER TABLE contact_book ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE contact ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE contact ADD COLUMN mark TEXT NOT NULL DEFAULT '';
                    CREATE INDEX contact_by_turn ON contact (book_id, turn, id);
                    CREATE INDEX contact_by_path ON contact (book_id, path);
                    CREATE TABLE contact_turn (
                        book_id TEXT NOT NULL REFERENCES contact_book (id) ON DELETE CASCADE,
                        number INTEGER NOT NULL,
                        name TEXT NOT NULL UNIQUE,
                        PRIMARY KEY (book_id, number)
                    );
                    CREATE TABLE contact_gone (
                        book_id TEXT NOT NULL REFERENCES contact_book (id) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        turn INTEGER NOT NULL,
                        PRIMARY KEY (book_id, name)
                    );
                    CREATE INDEX contact_gone_by_turn ON contact_gone (book_id, turn);
                    """)
                try Contacts.markAll(in: db)
            },
            // Books that are changed from here as well: what the server last had of a card that was changed here, and what is still
            // to be taken out there. Where very many would go, somebody is asked.
            Migration(
                "address books both ways",
                script: """
                    ALTER TABLE contact_book ADD COLUMN writes INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE contact_book ADD COLUMN in_question INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE contact ADD COLUMN base BLOB;
                    CREATE TABLE contact_owed (
                        book_id TEXT NOT NULL REFERENCES contact_book (id) ON DELETE CASCADE,
                        path TEXT NOT NULL,
                        tag TEXT NOT NULL,
                        uid TEXT NOT NULL,
                        base BLOB NOT NULL,
                        PRIMARY KEY (book_id, path)
                    );
                    """),
            // Cards that stand for several people are none of them: whom each names, and the tags people have of that.
            Migration("groups of contacts") { db in
                try db.script(
                    """
                    ALTER TABLE contact_book ADD COLUMN tags_are_groups INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE contact ADD COLUMN is_group INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE contact ADD COLUMN member_key TEXT;
                    ALTER TABLE contact ADD COLUMN group_tags TEXT NOT NULL DEFAULT '';
                    CREATE TABLE contact_member (
                        group_id TEXT NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
                        member TEXT NOT NULL,
                        PRIMARY KEY (group_id, member)
                    );
                    CREATE INDEX contact_member_by_name ON contact_member (member);
                    DROP INDEX contact_by_name;
                    CREATE INDEX contact_by_name ON contact (is_group, name_order, id);
                    CREATE INDEX contact_by_member_key ON contact (member_key);
                    """)
                try Contacts.groupAll(in: db)
            },
            // Words are looked for in an index alone, in the order of the list: a person's row with both cards is ten times as
            // long. PostgreSQL keeps no text of any length in an index.
            Migration("search among many contacts") { db in
                try db.script(
                    """
                    DROP INDEX contact_by_follow_up;
                    CREATE INDEX contact_by_follow_up ON contact (follow_on) WHERE follow_on IS NOT NULL;
                    DROP INDEX contact_by_path;
                    CREATE INDEX contact_by_path ON contact (book_id, path) WHERE path IS NOT NULL;
                    """)
                guard db.kind == .sqlite else { return }
                try db.script(
                    "CREATE INDEX contact_by_words ON contact (is_group, name_order, id, search)")
            },
        ])
}
