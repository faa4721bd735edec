import SQL
import TestSupport
import Testing
import Work

@Suite("Values")
struct ValueTests {
    @Test("Come back as they went in", arguments: Database.Kind.here)
    func roundTrip(kind: Database.Kind) throws {
        try withValues(kind) { database in
            let integers: [Int64?] = [0, -1, .min, .max, nil]
            let reals: [Double?] = [
                0, -0.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, nil,
            ]
            let texts: [String?] = [
                "", "a", "Grüße, 東京 🏡", "'; DROP TABLE kept; --", "$1 ? \\ \" %s\n\t", nil,
            ]
            let blobs: [[UInt8]?] = [[], [0], [0xff, 0, 0x27, 0x5c], Array(0...255), nil]
            for place in 0..<6 {
                let n = integers[place % integers.count]
                let r = reals[place % reals.count]
                let t = texts[place % texts.count]
                let b = blobs[place % blobs.count]
                let row = try database.write { db in
                    try db.run("DELETE FROM kept")
                    try db.run("INSERT INTO kept (id, n, r, t, b) VALUES (1, \(n), \(r), \(t), \(b))")
                    return try #require(try db.row("SELECT n, r, t, b FROM kept WHERE id = \(1)"))
                }
                #expect(try row.optionalInteger("n") == n)
                #expect(try row.optionalDouble("r") == r)
                #expect(try row.optionalText("t") == t)
                #expect(try row.optionalBlob("b") == b)
            }
        }
    }

    @Test("Booleans and moments are integers", arguments: Database.Kind.here)
    func booleansAndMoments(kind: Database.Kind) throws {
        try withValues(kind) { database in
            let moment = Moment(milliseconds: 1_795_260_900_123)
            let row = try database.write { db in
                try db.run("INSERT INTO kept (id, n) VALUES (1, \(true)), (2, \(moment))")
                return try db.rows("SELECT n FROM kept ORDER BY id")
            }
            #expect(try row[0].bool("n"))
            #expect(try row[1].moment("n") == moment)
        }
    }

    @Test("Text with NUL and not-a-number are refused alike", arguments: Database.Kind.here)
    func refused(kind: Database.Kind) throws {
        try withValues(kind) { database in
            let nul = code {
                try database.write { db in try db.run("INSERT INTO kept (t) VALUES (\("a\0b"))") }
            }
            let nan = code {
                try database.write { db in try db.run("INSERT INTO kept (r) VALUES (\(Double.nan))") }
            }
            #expect(nul == .wrongType)
            #expect(nan == .wrongType)
        }
    }

    @Test("A value of the wrong type is refused by the table and by the row", arguments: Database.Kind.here)
    func wrongTypes(kind: Database.Kind) throws {
        try withValues(kind) { database in
            #expect(
                code {
                    try database.write { db in try db.run("INSERT INTO kept (n) VALUES ('twelve')") }
                } == .wrongType)
            try database.write { db in try db.run("INSERT INTO kept (id, t) VALUES (1, 'twelve')") }
            let row = try #require(try database.read { db in try db.row("SELECT id, t, n FROM kept") })
            #expect(code { _ = try row.integer("t") } == .wrongType)
            #expect(code { _ = try row.text("id") } == .wrongType)
            #expect(code { _ = try row.int("n") } == .wrongType)
            #expect(code { _ = try row.text("missing") } == .misuse)
        }
    }

    @Test("Sums and counts are integers, means are real", arguments: Database.Kind.here)
    func aggregates(kind: Database.Kind) throws {
        try withValues(kind) { database in
            let row = try database.write { db in
                try db.run("INSERT INTO kept (id, n, r) VALUES (1, 2, 0.5), (2, 3, 1.0)")
                return try #require(
                    try db.row(
                        "SELECT count(*) AS c, sum(n) AS s, max(n) AS m, sum(r) AS q, avg(n) AS a FROM kept"))
            }
            #expect(try row.int("c") == 2)
            #expect(try row.int("s") == 5)
            #expect(try row.int("m") == 3)
            #expect(try row.double("q") == 1.5)
            #expect(try row.double("a") == 2.5)
        }
    }

    @Test("Text sorts and matches byte by byte", arguments: Database.Kind.here)
    func collation(kind: Database.Kind) throws {
        try withValues(kind) { database in
            let names = ["a", "B", "ä", "C-1", "C1", "Z", "_"]
            try database.write { db in
                for (id, name) in names.enumerated() {
                    try db.run("INSERT INTO kept (id, t) VALUES (\(id), \(name))")
                }
            }
            let sorted = try database.read { db in
                try db.rows("SELECT t FROM kept ORDER BY t").map { try $0.text("t") }
            }
            #expect(sorted == ["B", "C-1", "C1", "Z", "_", "a", "ä"])
            let alike = try database.read { db in try db.rows("SELECT t FROM kept WHERE t LIKE 'c%'") }
            #expect(alike.isEmpty)
        }
    }

    private func withValues(_ kind: Database.Kind, _ body: (Database) throws -> Void) throws {
        try withDatabase(kind) { database in
            try database.migrate([
                MigrationArea(
                    "test",
                    [
                        Migration(
                            "values",
                            script:
                                "CREATE TABLE kept (id INTEGER PRIMARY KEY, n INTEGER, r REAL, t TEXT, b BLOB)"
                        )
                    ])
            ])
            try body(database)
        }
    }
}
