public import SQL

extension Documents {
    public static let migrations = MigrationArea(
        "library",
        [
            Migration(
                "documents",
                // One index for each order a list can have, so that any page of a large library comes at once.
                script: """
                    CREATE TABLE document (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                        name_order TEXT NOT NULL,
                        name_search TEXT NOT NULL,
                        digest TEXT NOT NULL REFERENCES blob (digest),
                        byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
                        media_type TEXT NOT NULL CHECK (media_type <> ''),
                        added_at INTEGER NOT NULL,
                        added_by TEXT NOT NULL,
                        added_by_name TEXT NOT NULL,
                        changed_at INTEGER NOT NULL,
                        trashed_at INTEGER
                    );
                    CREATE INDEX document_of_digest ON document (digest);
                    CREATE INDEX document_by_name ON document (name_order, id) WHERE trashed_at IS NULL;
                    CREATE INDEX document_by_size ON document (byte_count, id) WHERE trashed_at IS NULL;
                    CREATE INDEX document_by_time ON document (added_at, id) WHERE trashed_at IS NULL;
                    CREATE INDEX document_in_trash ON document (trashed_at, id) WHERE trashed_at IS NOT NULL;
                    """),
            pageTables, filingTables, versionTables, recognitionTables, propertyTables, originTables,
            vocabularyTable, ruleTables, orderTables, labelTables, retentionTables, signatureTables,
            paperlessTables, numberTables, privacyTables, selectionTables, PaperIndex.tables,
            mirrorTables, countTables, recognitionLanguages, ruleSenders,
            PaperIndex.labelTables, PaperIndex.vocabularyTable, PaperIndex.leanPages,
            pagesOfPictures, wordsOfWritings, dangerousPapers, ruleSight, Tag.colourTables,
            arrivalTables, formTables, propertyLanguages,
        ])
}
