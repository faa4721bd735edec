import SQL
import TestSupport
import Testing

@Suite("Values")
struct ValueTests {
    @Test("Come back as they went in", arguments: Database.Kind.here)
    func roundTrip(kind: Database.Kind) throws {
        try withDatabase(kind) { database in
            try database.migrate([
                MigrationArea(
                    "test",
                    [
                        Migration(
                            "values",
                            script: """
                                CREATE TABLE kept (
                                    id INTEGER PRIMARY KEY, n INTEGER, r REAL, t TEXT, b BLOB
                                )
                                """)
                    ])
            ])
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
}
