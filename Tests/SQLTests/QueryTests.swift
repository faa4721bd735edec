import SQL
import TestSupport
import Testing
import Work

@Suite("Queries")
struct QueryTests {
    @Test("Every value has its numbered place")
    func places() {
        let name = "Ada"
        let nothing: Int? = nil
        let query: Query = "SELECT \(1), \(name), \(nothing) FROM t"
        #expect(query.text == "SELECT $1, $2, $3 FROM t")
        #expect(query.values == [.integer(1), .text("Ada"), .null])
    }

    @Test("Joined queries are numbered anew")
    func joining() {
        let filter: Query = "name = \("Ada")"
        let whole: Query = "SELECT * FROM t WHERE \(filter) AND id > \(7)" + " LIMIT \(3)"
        #expect(whole.text == "SELECT * FROM t WHERE name = $1 AND id > $2 LIMIT $3")
        #expect(whole.values == [.text("Ada"), .integer(7), .integer(3)])
        #expect(["a", "b \(1)", "c"].joined(separator: ", ").text == "a, b $1, c")
    }

    @Test("Only raw text becomes SQL")
    func raw() {
        let column = "name"
        let typed = "x'; DROP TABLE t; --"
        let query: Query = "SELECT \(raw: column) FROM t WHERE name = \(typed)"
        #expect(query.text == "SELECT name FROM t WHERE name = $1")
    }

    @Test("In a list of nothing is nothing, and not in it is everything", arguments: Database.Kind.here)
    func lists(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            func names(_ condition: Query) throws -> [String] {
                try database.read { db in
                    try db.rows("SELECT name FROM account WHERE \(condition) ORDER BY id").map {
                        try $0.text("name")
                    }
                }
            }
            let inNothing = try names(.column("id", in: [Int]()))
            #expect(inNothing == [])
            #expect(try names(.column("id", notIn: [Int]())) == ["Ada", "Grace"])
            #expect(try names(.column("id", in: [2, 3])) == ["Grace"])
            #expect(try names(.column("name", notIn: ["Grace"])) == ["Ada"])
        }
    }

    /// Counts for ever.
    private static let endless: Query = """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > 0) SELECT max(i) AS most FROM n
        """

    @Test(
        "A question of somebody else's ends when its time is over, or nobody waits",
        arguments: Database.Kind.here)
    func patience(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            func ask(_ limit: Duration, _ cancellation: Cancellation = Cancellation()) -> SQLError? {
                #expect(throws: SQLError.self) {
                    try database.read(within: limit, cancellation) { db in _ = try db.rows(Self.endless) }
                }
            }
            #expect(ask(.milliseconds(300))?.code == .cancelled)
            let cancellation = Cancellation()
            let thread = Thread(name: "impatient") {
                // Before or in the middle: both have to end it.
                cancellation.cancel(reason: "gone")
            }
            let error = ask(.seconds(10), cancellation)
            thread.join()
            #expect(error?.code == .cancelled && error?.message.contains("gone") == true)
            // The same connection is as good as before.
            let count = try database.read(within: .seconds(60), Cancellation()) { db in
                try db.row("SELECT count(*) AS n FROM account")?.int("n")
            }
            #expect(count == 2)
        }
    }

    @Test("A second statement behind the first is refused", arguments: Database.Kind.here)
    func oneStatement(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            for text in ["SELECT 1; DELETE FROM account", "", "-- nothing"] {
                #expect(throws: (any Error).self) {
                    try database.write { db in try db.run(Query(raw: text)) }
                }
            }
            let left = try balance(of: "Ada", in: database)
            #expect(left == 100)
        }
    }

    @Test("Whatever is bound comes back, however the query was put together", arguments: Database.Kind.here)
    func fuzz(kind: Database.Kind) throws {
        let chance = Chance.seeded(2026)
        try withDatabase(kind) { database in
            for _ in 0..<300 {
                let values = (0..<1 + chance.integer(below: 12)).map { _ in randomValue(chance) }
                var columns: [Query] = []
                for (place, value) in values.enumerated() {
                    let one: Query = "\(value) AS c\(raw: "\(place)")"
                    // A condition without values in between must not move the numbers.
                    columns.append(chance.integer(below: 2) == 0 ? one : Query() + one + "")
                }
                let query: Query = "SELECT " + columns.joined(separator: ", ")
                let row = try #require(try database.read { db in try db.row(query) })
                #expect(row.values == values)
            }
        }
    }

    private func randomValue(_ chance: Chance) -> SQLValue {
        let scraps = [
            "'", "\"", "$1", "?", "--", "/*", "*/", ";", "\\", "\n", "é", "𝔘", "NULL", "%", "\u{202e}", " ",
        ]
        switch chance.integer(below: 5) {
        case 0: return .integer(Int64(bitPattern: chance.integer()))
        case 1: return .real(Double(Int64(bitPattern: chance.integer())) / 1024)
        case 2: return .blob(chance.bytes(chance.integer(below: 40)))
        case 3: return .null
        default:
            return .text(
                (0..<chance.integer(below: 8)).map { _ in scraps[chance.integer(below: scraps.count)] }
                    .joined())
        }
    }
}
