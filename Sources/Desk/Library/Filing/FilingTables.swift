import SQL

extension Documents {
    /// Folders, tags, what is written on a paper's label, and searches worth keeping. `tag_names` repeats what
    /// `document_tag` says, so that lists of papers need not ask for each.
    static let filingTables = Migration(
        "filing",
        script: """
            CREATE TABLE folder (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                name_order TEXT NOT NULL,
                parent TEXT REFERENCES folder (id),
                made_at INTEGER NOT NULL,
                made_by TEXT NOT NULL,
                trashed_at INTEGER,
                trashed_with TEXT
            );
            CREATE UNIQUE INDEX folder_by_name ON folder (COALESCE(parent, ''), name_order) WHERE trashed_at IS NULL;
            ALTER TABLE document ADD COLUMN folder TEXT REFERENCES folder (id);
            ALTER TABLE document ADD COLUMN trashed_with TEXT;
            ALTER TABLE document ADD COLUMN note TEXT NOT NULL DEFAULT '';
            ALTER TABLE document ADD COLUMN tag_names TEXT NOT NULL DEFAULT '';
            ALTER TABLE document ADD COLUMN dated TEXT NOT NULL DEFAULT '';
            CREATE INDEX document_in_folder ON document (folder, added_at, id) WHERE trashed_at IS NULL;
            CREATE INDEX document_in_folder_by_name ON document (folder, name_order, id) WHERE trashed_at IS NULL;
            CREATE TABLE tag (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
                folded TEXT NOT NULL UNIQUE,
                made_at INTEGER NOT NULL
            );
            CREATE TABLE document_tag (
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                tag TEXT NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
                PRIMARY KEY (document, tag)
            );
            CREATE INDEX document_tag_of ON document_tag (tag, document);
            CREATE TABLE saved_search (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
                words TEXT NOT NULL,
                made_at INTEGER NOT NULL,
                made_by TEXT NOT NULL
            );
            """)

    /// What other programs write on papers and folders over WebDAV, for themselves.
    static let propertyTables = Migration(
        "properties",
        script: """
            CREATE TABLE paper_property (
                owner TEXT NOT NULL,
                space TEXT NOT NULL,
                name TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (owner, space, name)
            );
            """)

    /// A program says in which language it wrote something.
    static let propertyLanguages = Migration(
        "languages of properties",
        script: "ALTER TABLE paper_property ADD COLUMN language TEXT NOT NULL DEFAULT '';")

    /// Two more orders a list can have: by length, and by the day papers are from.
    static let orderTables = Migration(
        "orders",
        script: """
            ALTER TABLE document ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;
            UPDATE document SET pages = COALESCE(
                (SELECT page_count FROM document_text WHERE document_text.document = document.id), 0);
            CREATE INDEX document_by_pages ON document (pages, id) WHERE trashed_at IS NULL;
            CREATE INDEX document_by_day ON document (dated, id) WHERE trashed_at IS NULL;
            """)

    /// What came with a mail knows which.
    static let originTables = Migration(
        "origins",
        script: """
            ALTER TABLE document ADD COLUMN origin TEXT;
            CREATE INDEX document_of_origin ON document (origin) WHERE origin IS NOT NULL;
            """)

    /// Counting papers, looking for a word in their names, and leaving some out of what was found goes through an index
    /// alone and never asks the papers themselves. SQLite takes that way only when all it is asked about stands there, even what the index
    /// is limited to.
    static let countTables = Migration(
        "counts",
        script: """
            DROP INDEX document_in_folder;
            DROP INDEX document_in_folder_by_name;
            CREATE INDEX document_in_folder ON document (folder, added_at, id, name_search, trashed_at)
                WHERE trashed_at IS NULL;
            CREATE INDEX document_in_folder_by_name ON document (folder, name_order, id, trashed_at)
                WHERE trashed_at IS NULL;
            CREATE INDEX document_narrowed ON document
                (index_number, added_at, pages, media_type, folder, trashed_at) WHERE trashed_at IS NULL;
            """)
}
