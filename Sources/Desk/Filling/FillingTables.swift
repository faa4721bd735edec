public import SQL

/// The tables of templates, mappings, batches and packets.
public enum FillingTables {
    public static let migrations = MigrationArea(
        "filling",
        [
            Migration("templates and mappings", script: templates), Migration("batches", script: batches),
            Migration("search among many packets", script: search),
            Migration("mappings of other editions", script: otherEditions),
            Migration("what those have who are left out", script: earlier),
            Migration("packets without an address", script: unreachable),
            Migration("packets that are not made", script: unmade),
            Migration("papers that forms came from", script: origins),
            Migration("mappings that are as somebody saw them", script: exact),
            Migration("batches of other desks", script: otherDesks),
            Migration("packets that are signed", script: signed),
        ])

    /// A packet can be made again at any time, but not its signature: those that are signed are kept.
    private static let signed = """
        CREATE TABLE signed_packet (
            packet TEXT NOT NULL PRIMARY KEY REFERENCES packet (id),
            digest TEXT NOT NULL REFERENCES blob (digest)
        );
        CREATE INDEX signed_packet_of_digest ON signed_packet (digest);
        """

    /// How far batches came on other desks, and the files that say to whom they went.
    private static let otherDesks = """
        ALTER TABLE batch ADD COLUMN elsewhere TEXT;
        CREATE TABLE batch_account (
            batch TEXT NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
            digest TEXT NOT NULL REFERENCES blob (digest),
            PRIMARY KEY (batch, digest)
        );
        CREATE INDEX batch_account_of_digest ON batch_account (digest);
        """

    /// Fields that a mapping does not name used to stay as they are in the form. Those of before go on so: nobody has
    /// seen what would be filled in.
    private static let exact = """
        UPDATE mapping SET text = 'others = keep

        ' || text;
        UPDATE mapping_of_edition SET text = 'others = keep

        ' || text;
        """

    /// The paper of the library that was taken for a form: one made of a private paper is as private as that.
    private static let origins = "ALTER TABLE template_edition ADD COLUMN origin TEXT;"

    /// Words are looked for in the index alone, in the order of the list: a packet's row is four times as long.
    private static let search = "CREATE INDEX packet_by_words ON packet (batch, plan, place, name_search);"

    /// What a mapping said when its form had another edition, for going back to that.
    private static let otherEditions = """
        CREATE TABLE mapping_of_edition (
            mapping TEXT NOT NULL REFERENCES mapping (id) ON DELETE CASCADE,
            edition INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (mapping, edition)
        );
        """

    /// The packet a recipient had before, perhaps from many copies ago: that of whoever is left out, held back, or for whom
    /// nothing could be made.
    private static let earlier = "ALTER TABLE packet ADD COLUMN same_as TEXT;"

    /// Whom to look at: packets that are held back, and those that could not be sent.
    private static let unreachable = """
        ALTER TABLE packet ADD COLUMN unreachable INTEGER NOT NULL DEFAULT 0;
        DROP INDEX packet_with_problems;
        CREATE INDEX packet_to_look_at ON packet (batch, plan, place) WHERE (serious > 0 OR unreachable > 0);
        """

    /// Most packets are made in the end, so those are counted as what is left: when a packet is made, one index has an entry
    /// less, and none has another in its place. Whoever asks for one of the other states says so twice: `state <> 'made'` too.
    private static let unmade = """
        DROP INDEX packet_by_state;
        CREATE INDEX packet_unmade ON packet (batch, plan, state, place) WHERE state <> 'made';
        """

    private static let templates = """
        CREATE TABLE template (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            name_order TEXT NOT NULL,
            name_search TEXT NOT NULL,
            folder TEXT NOT NULL,
            edition INTEGER NOT NULL CHECK (edition >= 1),
            added_at INTEGER NOT NULL,
            added_by TEXT NOT NULL,
            added_by_name TEXT NOT NULL,
            changed_at INTEGER NOT NULL,
            trashed_at INTEGER
        );
        CREATE INDEX template_by_name ON template (name_order, id) WHERE trashed_at IS NULL;
        CREATE INDEX template_in_trash ON template (trashed_at, id) WHERE trashed_at IS NOT NULL;
        CREATE TABLE template_edition (
            template TEXT NOT NULL REFERENCES template (id),
            number INTEGER NOT NULL CHECK (number >= 1),
            digest TEXT NOT NULL REFERENCES blob (digest),
            byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
            file_name TEXT NOT NULL,
            page_count INTEGER NOT NULL,
            field_count INTEGER NOT NULL,
            can_be_filled INTEGER NOT NULL CHECK (can_be_filled IN (0, 1)),
            report TEXT NOT NULL,
            labels TEXT NOT NULL,
            added_at INTEGER NOT NULL,
            added_by TEXT NOT NULL,
            added_by_name TEXT NOT NULL,
            PRIMARY KEY (template, number)
        );
        CREATE INDEX template_edition_of_digest ON template_edition (digest);
        CREATE TABLE mapping (
            id TEXT NOT NULL PRIMARY KEY,
            template TEXT NOT NULL REFERENCES template (id),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            name_order TEXT NOT NULL,
            text TEXT NOT NULL,
            edition INTEGER NOT NULL,
            version INTEGER NOT NULL CHECK (version >= 1),
            added_at INTEGER NOT NULL,
            added_by TEXT NOT NULL,
            added_by_name TEXT NOT NULL,
            changed_at INTEGER NOT NULL,
            trashed_at INTEGER
        );
        CREATE INDEX mapping_of_template ON mapping (template, name_order, id);
        """

    /// A plan is numbered; a batch shows the one it names, so a plan half made is never seen. What the packets of a
    /// plan are made from is pinned beside them: a template may change or go afterwards.
    private static let batches = """
        CREATE TABLE batch (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            name_order TEXT NOT NULL,
            name_search TEXT NOT NULL,
            state TEXT NOT NULL CHECK
                (state IN ('draft', 'planned', 'approved', 'filling', 'paused', 'done', 'cancelled')),
            draft TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version >= 1),
            previous TEXT,
            plan INTEGER NOT NULL DEFAULT 0,
            next_plan INTEGER NOT NULL DEFAULT 1,
            summary TEXT,
            planned_at INTEGER,
            planned_by TEXT,
            planned_by_name TEXT,
            approved_at INTEGER,
            approved_by TEXT,
            approved_by_name TEXT,
            begun_at INTEGER,
            ended_at INTEGER,
            job TEXT,
            trouble TEXT,
            added_at INTEGER NOT NULL,
            added_by TEXT NOT NULL,
            added_by_name TEXT NOT NULL,
            changed_at INTEGER NOT NULL,
            changed_by TEXT NOT NULL,
            trashed_at INTEGER
        );
        CREATE INDEX batch_by_time ON batch (added_at, id) WHERE trashed_at IS NULL;
        CREATE INDEX batch_in_trash ON batch (trashed_at, id) WHERE trashed_at IS NOT NULL;
        CREATE TABLE batch_plan (
            batch TEXT NOT NULL REFERENCES batch (id),
            number INTEGER NOT NULL,
            pins TEXT NOT NULL,
            PRIMARY KEY (batch, number)
        );
        CREATE TABLE batch_pin (
            batch TEXT NOT NULL REFERENCES batch (id),
            plan INTEGER NOT NULL,
            part INTEGER NOT NULL,
            digest TEXT NOT NULL REFERENCES blob (digest),
            PRIMARY KEY (batch, plan, part)
        );
        CREATE INDEX batch_pin_of_digest ON batch_pin (digest);
        CREATE TABLE packet (
            id TEXT NOT NULL PRIMARY KEY,
            batch TEXT NOT NULL REFERENCES batch (id),
            plan INTEGER NOT NULL,
            place INTEGER NOT NULL CHECK (place >= 1),
            recipient TEXT NOT NULL,
            recipient_name TEXT NOT NULL,
            name_search TEXT NOT NULL,
            email TEXT NOT NULL,
            file_name TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('planned', 'held', 'left', 'made', 'failed')),
            change TEXT NOT NULL CHECK (change IN ('new', 'changed', 'same')),
            serious INTEGER NOT NULL,
            remarks INTEGER NOT NULL,
            page_count INTEGER NOT NULL,
            first_page INTEGER NOT NULL,
            reason TEXT NOT NULL,
            content TEXT NOT NULL,
            digest TEXT NOT NULL,
            byte_count INTEGER NOT NULL,
            made_at INTEGER NOT NULL,
            UNIQUE (batch, plan, recipient)
        );
        CREATE UNIQUE INDEX packet_by_place ON packet (batch, plan, place);
        CREATE INDEX packet_by_state ON packet (batch, plan, state, place);
        CREATE INDEX packet_with_problems ON packet (batch, plan, place) WHERE serious > 0;
        CREATE TABLE packet_content (
            packet TEXT NOT NULL PRIMARY KEY REFERENCES packet (id),
            source TEXT NOT NULL,
            cells TEXT NOT NULL,
            problems TEXT NOT NULL
        );
        CREATE TABLE packet_attachment (
            packet TEXT NOT NULL REFERENCES packet (id),
            part INTEGER NOT NULL,
            place INTEGER NOT NULL,
            name TEXT NOT NULL,
            digest TEXT NOT NULL REFERENCES blob (digest),
            PRIMARY KEY (packet, part, place)
        );
        CREATE INDEX packet_attachment_of_digest ON packet_attachment (digest);
        """
}
