import SQL
import TestSupport
import Testing

@Suite("Migrations")
struct MigrationTests {
    private let one = Migration("one", script: "CREATE TABLE a (id INTEGER PRIMARY KEY)")
    private let two = Migration("two", script: "CREATE TABLE b (a INTEGER NOT NULL REFERENCES a (id))")
    private let three = Migration("three", script: "ALTER TABLE a ADD COLUMN note TEXT")

    @Test("Run once, in order, and are recorded", arguments: Database.Kind.here)
    func history(kind: Database.Kind) throws {
        try withDatabase(kind) { database in
            try database.migrate([MigrationArea("x", [one])])
            try database.migrate([MigrationArea("x", [one, two, three]), MigrationArea("y", [])])
            try database.migrate([MigrationArea("x", [one, two, three])])
            #expect(try database.migrationHistory().map(\.name) == ["one", "two", "three"])
            try database.write { db in try db.run("INSERT INTO a (note) VALUES ('kept')") }
        }
    }

    @Test("A newer database is refused untouched", arguments: Database.Kind.here)
    func newer(kind: Database.Kind) throws {
        try withDatabase(kind) { database in
            try database.migrate([MigrationArea("x", [one, two]), MigrationArea("z", [])])
            #expect(
                code { try database.migrate([MigrationArea("x", [one])]) }
                    == .newerSchema(area: "x", name: "two"))
            #expect(
                code { try database.migrate([MigrationArea("w", [three])]) }
                    == .newerSchema(area: "x", name: "two"))
            #expect(try database.migrationHistory().map(\.name) == ["one", "two"])
        }
    }

    @Test("Renamed and reordered steps are refused", arguments: Database.Kind.here)
    func changed(kind: Database.Kind) throws {
        try withDatabase(kind) { database in
            try database.migrate([MigrationArea("x", [one, two])])
            let renamed = Migration("two again", script: "")
            #expect(
                code { try database.migrate([MigrationArea("x", [one, renamed])]) }
                    == .changedHistory(area: "x"))
            #expect(
                code { try database.migrate([MigrationArea("x", [two, one])]) } == .changedHistory(area: "x"))
            #expect(
                code { try database.migrate([MigrationArea("x", [three, one, two])]) }
                    == .changedHistory(area: "x"))
        }
    }

    @Test("A step that fails leaves the schema as it was", arguments: Database.Kind.here)
    func failing(kind: Database.Kind) throws {
        try withDatabase(kind) { database in
            let broken = Migration(
                "broken", script: "CREATE TABLE c (id INTEGER); CREATE TABLE a (id INTEGER)")
            #expect(throws: SQLError.self) { try database.migrate([MigrationArea("x", [one, broken])]) }
            #expect(try database.migrationHistory().isEmpty)
            try database.migrate([MigrationArea("x", [one])])
        }
    }

    @Test("Rebuilding a table keeps the rows that refer to it")
    func rebuild() throws {
        try withDatabase(.sqlite) { database in
            let cascading = Migration(
                "cascading", script: "CREATE TABLE c (a INTEGER NOT NULL REFERENCES a (id) ON DELETE CASCADE)"
            )
            try database.migrate([MigrationArea("x", [one, cascading])])
            try database.write { db in
                try db.run("INSERT INTO a (id) VALUES (1)")
                try db.run("INSERT INTO c (a) VALUES (1)")
            }
            let rebuilt = Migration(
                "rebuilt",
                script: """
                    CREATE TABLE a_new (id INTEGER PRIMARY KEY, note TEXT NOT NULL DEFAULT '');
                    INSERT INTO a_new (id) SELECT id FROM a;
                    DROP TABLE a;
                    ALTER TABLE a_new RENAME TO a;
                    """)
            let careless = Migration("careless", script: "DELETE FROM a")
            try database.migrate([MigrationArea("x", [one, cascading, rebuilt])])
            let kept = try database.read { db in try db.row("SELECT count(*) AS n FROM c")?.int("n") }
            #expect(kept == 1)
            #expect(
                code { try database.migrate([MigrationArea("x", [one, cascading, rebuilt, careless])]) }
                    == .foreignKey)
            #expect(throws: SQLError.self) {
                try database.write { db in try db.run("INSERT INTO c (a) VALUES (5)") }
            }
        }
    }

    @Test("Two programs starting at once do each step once", arguments: Database.Kind.here)
    func race(kind: Database.Kind) throws {
        try withDatabaseAddress(kind) { address in
            try together(4) { _ in
                let database = try kind == .sqlite ? Database.sqlite(at: address) : Database.postgres(address)
                defer { database.close() }
                try database.migrate([MigrationArea("x", [one, two, three])])
                #expect(try database.migrationHistory().count == 3)
            }
        }
    }
}
