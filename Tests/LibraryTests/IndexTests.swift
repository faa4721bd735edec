@testable import Access
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("The index of words")
struct IndexTests {
    @Test("SQLite keeps what a page says once; what is not kept is looked in all the same")
    func once() throws {
        try withLibrary(.sqlite) { documents, _, store in
            _ = try documents.addText("Lease.txt", "Four rooms in Zürich, a kitchen")
            try documents.read()
            let pages = try store.read { try $0.rows("SELECT text, folded FROM document_page ORDER BY page") }
            #expect(try pages.map { try $0.text("folded") } == ["lease txt", ""])
            #expect(try documents.found("\"rooms in zurich\" -bill") == ["Lease.txt"])
            #expect(try documents.found("itche") == ["Lease.txt"], "in the middle of a word")
            #expect(try documents.find("four kitchen", by: viewer).finds.first?.page == 1)
        }
    }

    /// A desk as it was before pages were no longer kept folded, and the same one opened today.
    private func withOldDesk(
        _ old: (Documents, Store) throws -> Void, _ today: (Documents, Store) throws -> Void
    ) throws {
        let areas = [Gate.migrations, JobQueue.migrations]
        let steps = Documents.migrations.migrations
        let name = "pages folded when they are looked in"
        let before = MigrationArea(Documents.migrations.name, Array(steps.prefix { $0.name != name }))
        #expect(before.migrations.count < steps.count)
        try withDeskPlace(.sqlite, areas: areas + [Documents.migrations]) { place in
            for isOld in [true, false] {
                let store = try place.open(
                    chance: .seeded(isOld ? 1 : 2), areas: isOld ? areas + [before] : nil)
                defer { store.close() }
                guard isOld else {
                    try today(Documents(Gate(store)), store)
                    continue
                }
                // Today's readers, which play the older ones here, ask for papers that ended them before, for the way on
                // which one came, and keep whether one can be filled in.
                try store.write { tx in
                    try tx.run(
                        """
                        CREATE TABLE dangerous_paper (
                            document TEXT NOT NULL PRIMARY KEY, digest TEXT NOT NULL, deaths INTEGER NOT NULL
                        )
                        """)
                    try tx.run("ALTER TABLE document ADD COLUMN arrival TEXT NOT NULL DEFAULT ''")
                    try tx.run("ALTER TABLE document_text ADD COLUMN fillable INTEGER")
                }
                try old(Documents(Gate(store)), store)
                try store.write { tx in
                    try tx.run("DROP TABLE dangerous_paper")
                    try tx.run("ALTER TABLE document DROP COLUMN arrival")
                    try tx.run("ALTER TABLE document_text DROP COLUMN fillable")
                }
            }
        }
    }

    private func expectSoundIndexes(_ store: Store) throws {
        try store.write { tx in
            for table in ["page_words", "paper_words"] {
                try tx.run(Query(raw: "INSERT INTO \(table) (\(table)) VALUES ('integrity-check')"))
            }
        }
        #expect(try store.database.check() == [])
    }

    @Test(
        "An older desk finds the same after it was opened, forgets what it has to, and its file holds together"
    )
    func older() throws {
        try withOldDesk { documents, store in
            for number in 0..<30 {
                _ = try documents.addText("old \(number).txt", "Élan of number n\(number), kept")
            }
            try documents.read()
            try store.write { tx in
                _ = try tx.run("UPDATE document_page SET folded = folded_words(text), places = 'p' || page")
            }
            #expect(try documents.find("elan kept", by: viewer).matchCount == 30)
        } _: { documents, store in
            let kept = try store.read { desk in
                try desk.row(
                    """
                    SELECT sum(page > 0 AND folded <> '') AS pages, sum(page = 0 AND folded = folded_words(text)) AS labels,
                        sum(places = 'p' || page) AS places, count(*) AS n FROM document_page
                    """)
            }
            #expect(try kept?.int("pages") == 0 && kept?.int("labels") == 30)
            #expect(try kept?.int("places") == 60 && kept?.int("n") == 60)
            #expect(try documents.find("elan kept", by: viewer).matchCount == 30)
            #expect(try documents.found("\"number n7\"") == ["old 7.txt"])
            let paper = try #require(try documents.find("n7", by: viewer).finds.first?.document)
            _ = try documents.revise(paper.id, with: .bytes(Array("something else".utf8)), by: ada)
            try documents.read()
            #expect(try documents.found("n7") == [] && documents.found("\"number n7\"") == [])
            #expect(try documents.found("\"something else\"") == ["old 7.txt"])
            try documents.trash(paper.id, by: ada)
            try documents.purge(paper.id, by: ada)
            #expect(try documents.found("something") == [])
            try expectSoundIndexes(store)
        }
    }

    @Test("What was folded by other rules than today's is indexed anew")
    func otherRules() throws {
        try withOldDesk { documents, store in
            _ = try documents.addText("paper.txt", "Straße 12")
            try documents.read()
            try store.write { tx in
                try tx.run(
                    """
                    INSERT INTO page_words (page_words, rowid, folded)
                    SELECT 'delete', number, folded_words(text) FROM document_page WHERE page > 0
                    """)
                try tx.run("UPDATE document_page SET folded = 'straße 12' WHERE page > 0")
                try tx.run(
                    "INSERT INTO page_words (rowid, folded) SELECT number, folded FROM document_page WHERE page > 0"
                )
            }
        } _: { documents, store in
            #expect(try documents.found("\"strase 12\"") == ["paper.txt"])
            try expectSoundIndexes(store)
        }
    }

    @Test(
        "A paper that comes before many thousand pages of a desk from PostgreSQL were indexed is found, as they are"
    )
    func manyUnindexed() throws {
        try withLibrary(.sqlite) { documents, _, store in
            let old = try documents.addText("old.txt", "Straße in Zürich")
            try documents.read()
            // As they lie after such a backup: papers without numbers, pages numbered one after the other.
            try store.write { tx in
                try tx.run("UPDATE document SET index_number = NULL")
                for table in ["page_words", "paper_words"] {
                    try tx.run(Query(raw: "INSERT INTO \(table) (\(table)) VALUES ('delete-all')"))
                }
                try tx.run("UPDATE document_page SET number = 65535 + page WHERE document = \(old.id)")
            }
            _ = try documents.addText("new.txt", "in Zürich too")
            try documents.read()
            #expect(try documents.find("zurich", by: viewer).matchCount == 2)
            #expect(try documents.found("\"strase in\"") == ["old.txt"])
            try expectSoundIndexes(store)
        }
    }

    @Test(
        "The papers of a desk that came back from a backup are found on either database, also when one came before they were read",
        arguments: Database.Kind.here.flatMap { from in Database.Kind.here.map { (from, $0) } })
    func restored(from: Database.Kind, to: Database.Kind) throws {
        let areas = [Gate.migrations, JobQueue.migrations, Documents.migrations]
        try withScratchFolder { folder in
            try withStore(from, areas: areas) { store in
                let documents = Documents(Gate(store))
                for number in 0..<3 {
                    _ = try documents.addText("\(number).txt", "Straße \(number) in Zürich")
                }
                try documents.read()
                _ = try Backups(store).make(to: "\(folder)/backup", madeBy: "1.0")
            }
            try withDeskPlace(to, areas: areas) { place in
                _ = try Backups.restore(
                    from: "\(folder)/backup", to: place.home, database: place.database, areas: areas)
                let store = try place.open(chance: .seeded(2))
                defer { store.close() }
                let documents = Documents(Gate(store))
                _ = try documents.addText("new.txt", "in Zürich too")
                try documents.read()
                #expect(try documents.find("zurich", by: viewer).matchCount == 4)
                #expect(try documents.found("\"strase 2\"") == ["2.txt"])
                #expect(try documents.find("strase 1", by: viewer).finds.first?.snippet != nil)
                if to == .sqlite {
                    try expectSoundIndexes(store)
                    let kept = try store.read {
                        try $0.row("SELECT count(*) AS n FROM document_page WHERE page > 0 AND folded <> ''")
                    }
                    #expect(try kept?.int("n") == 0)
                }
            }
        }
    }
}
