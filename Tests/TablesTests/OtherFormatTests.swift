import Cards
import Glibc
import SQL
import Tables
import TestSupport
import Testing

@Suite("Tables from JSON, cards and databases")
struct OtherFormatTests {
    private func read(_ text: String) throws -> (TableShape, [TableRow]) {
        var table = try TableReader(bytes: Array(text.utf8))
        var rows: [TableRow] = []
        while let row = try table.next() { rows.append(row) }
        return (table.shape, rows)
    }

    @Test("Objects in an array are rows, their members columns; numbers stay as written")
    func json() throws {
        let (shape, rows) = try read(
            """
            [{"name": "Zoë \\u0026 \\ud83d\\ude00", "amount": 2.30, "address": {"town": "Oslo"}, "tags": ["a", "b"]},
             {"name": "Bo", "extra": true, "amount": null}, 5]
            """)
        #expect(shape.format == .json)
        #expect(shape.columns.map(\.name) == ["name", "amount", "address.town", "tags", "extra"])
        #expect(rows[0].cells.map(\.shown) == ["Zoë & 😀", "2.30", "Oslo", "a\nb", ""])
        #expect(rows[1].cells.map(\.kind) == [.text, .empty, .empty, .empty, .boolean])
        #expect(rows[2].flaw == "Item 3 of the JSON is no object.")
    }

    @Test("One object on each line")
    func lines() throws {
        let (shape, rows) = try read("{\"a\": 1}\n{\"b\": \"2\", \"a\": 3}\n")
        #expect(shape.format == .ndjson)
        #expect(shape.columns.map(\.name) == ["a", "b"])
        #expect(rows.map(\.place) == [1, 2])
        #expect(rows.map { $0.cells.map(\.shown) } == [["1", ""], ["3", "2"]])
    }

    @Test(
        "JSON that is none is named with its line",
        arguments: ["[{\"a\": 1", "[{\"a\" 1}]", "[{\"a\": tru}]", "[1 2]", "{"])
    func damaged(_ text: String) {
        #expect(throws: TableError.self) { try read(text) }
    }

    @Test("Cards are rows: folded, quoted-printable and grouped properties included")
    func cards() throws {
        let (shape, rows) = try read(
            """
            BEGIN:VCARD\r
            VERSION:2.1\r
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=\r
            =BCrgen\r
            EMAIL;INTERNET:juergen@example.org\r
            TEL;CELL:+49 170 0123\r
            PHOTO;ENCODING=B:AAAA\r
            END:VCARD\r
            BEGIN:VCARD\r
            VERSION:4.0\r
            FN:Ana \\, Lima\r
            N:Lima;Ana;;;\r
            item1.EMAIL;PREF=1:ana@exam\r
             ple.org\r
            EMAIL;TYPE=work:a.lima@example.com\r
            ADR;TYPE=home:;;Rua 5;Lisboa;;1000-001;Portugal\r
            BDAY:19900102\r
            END:VCARD\r

            """)
        #expect(shape.format == .vcard)
        let first = Dictionary(
            uniqueKeysWithValues: zip(shape.columns.map(\.name), rows[0].cells.map(\.shown)))
        let second = Dictionary(
            uniqueKeysWithValues: zip(shape.columns.map(\.name), rows[1].cells.map(\.shown)))
        #expect(first["Name"] == "Jürgen Müller")
        #expect(first["Phone"] == "+49 170 0123")
        #expect(second["Name"] == "Ana , Lima")
        #expect(second["E-mail"] == "ana@example.org")
        #expect(second["E-mail 2"] == "a.lima@example.com")
        #expect(second["City"] == "Lisboa")
        #expect(second["Birthday"] == "1990-01-02")
        #expect(rows.map(\.place) == [1, 9])
    }

    @Test("A card with too large a picture is set aside by its name, and the others are read")
    func tooLargeACard() throws {
        let photo = String(repeating: "A", count: (8 << 20) + 100)
        let (_, rows) = try read(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nPHOTO;ENCODING=b:\(photo)\r\nEND:VCARD\r\n"
                + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bob\r\nEND:VCARD\r\n")
        #expect(rows.map(\.cells.first?.shown) == ["Ana", "Bob"])
        #expect(rows.map(\.flaw) == ["A picture or sound on the card is larger than 8 MB.", nil])
    }

    @Test("Cards with a semicolon or a sign too many are read all the same")
    func spareSigns() {
        for line in [
            "TEL;:+43 1", "TEL;;CELL:+43 1", "TEL;=:+43 1", "TEL;==x:+43 1", ";TEL:x", "TEL;CELL;:+43 1",
        ] {
            let cards = CardFile(Array("BEGIN:VCARD\r\nFN:Ana\r\n\(line)\r\nEND:VCARD\r\n".utf8)).cards
            #expect(cards.map(\.name) == ["Ana"])
        }
    }

    @Test("A query reads somebody's SQLite file and cannot change it or reach others")
    func query() throws {
        let folder = "/tmp/quire-query-\(getpid())"
        mkdir(folder, 0o700)
        defer {
            for name in ["a.db", "a.db-wal", "a.db-shm"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        let path = "\(folder)/a.db"
        let database = try Database.sqlite(at: path)
        try database.write { db in
            try db.script("CREATE TABLE person (id INTEGER, name TEXT, score REAL)")
            try db.run("INSERT INTO person VALUES (1, '007', 2.5), (2, 'Bo', NULL)")
        }
        database.close()
        func rows(_ query: String) throws -> [[String]] {
            var table = try TableReader(query: TableQuery(.sqlite(path: path), query))
            var rows: [[String]] = []
            while let row = try table.next() { rows.append(row.cells.map(\.shown)) }
            return rows
        }
        #expect(
            try rows("SELECT name, score AS points, id FROM person ORDER BY id") == [
                ["007", "2.5", "1"], ["Bo", "", "2"],
            ])
        for query in [
            "DELETE FROM person", "DROP TABLE person", "ATTACH '/etc/passwd' AS x",
            "SELECT nothing FROM nowhere",
            "SELECT 1 WHERE 1 = 0",
        ] {
            #expect(throws: TableError.self) { try rows(query) }
        }
        #expect(try rows("SELECT count(*) AS n FROM person") == [["2"]])
    }

    @Test(
        "A query reads a PostgreSQL database and cannot change it",
        .enabled(if: PostgresCluster.isInstalled, "PostgreSQL is not installed"))
    func postgresQuery() throws {
        try withDatabaseAddress(.postgres) { address in
            let database = try Database.postgres(address)
            try database.write { db in
                try db.script(
                    "CREATE TABLE person (id BIGINT, name TEXT, score DOUBLE PRECISION, born DATE, is_here BOOLEAN)"
                )
                try db.run(
                    "INSERT INTO person VALUES (1, '007', 2.5, '2001-02-03', true), (2, 'Łucja', NULL, NULL, false)"
                )
            }
            database.close()
            func rows(_ query: String) throws -> [[String]] {
                var table = try TableReader(query: TableQuery(.postgres(address), query))
                var rows: [[String]] = []
                while let row = try table.next() { rows.append(row.cells.map(\.shown)) }
                return rows
            }
            #expect(
                try rows("SELECT name, score AS points, id FROM person ORDER BY id") == [
                    ["007", "2.5", "1"], ["Łucja", "", "2"],
                ])
            #expect(try rows("SELECT born FROM person WHERE id = 1") == [["2001-02-03"]])
            let table = try TableReader(query: TableQuery(.postgres(address), "SELECT name, id FROM person"))
            #expect(table.shape.columns.map(\.name) == ["name", "id"])
            for query in [
                "DELETE FROM person", "DROP TABLE person", "INSERT INTO person VALUES (3)",
                "SELECT nothing FROM nowhere", "SELECT 1 WHERE 1 = 0",
                "COMMIT; DELETE FROM person",
            ] {
                #expect(throws: TableError.self, "\(query)") { try rows(query) }
            }
            #expect(try rows("SELECT count(*) AS n FROM person") == [["2"]])
            let nobody = #expect(throws: TableError.self) {
                _ = try TableReader(
                    query: TableQuery(.postgres("host=127.0.0.1 port=1 connect_timeout=2"), "SELECT 1")
                ).hiddenRowCount
            }
            #expect(nobody?.reason.hasPrefix("The database") == true)
        }
    }

    @Test("A CSV that is written opens in a spreadsheet without running anything")
    func writing() throws {
        var bytes: [UInt8] = []
        try TableWriter.csv(columns: ["a", "b"], to: { bytes += $0 }) { add in
            try add([Cell("=cmd()"), Cell("x,\"y\"")])
            try add([Cell("-5"), Cell("@here")])
        }
        #expect(
            String(decoding: bytes.dropFirst(3), as: UTF8.self)
                == "a,b\r\n'=cmd(),\"x,\"\"y\"\"\"\r\n-5,'@here\r\n")
        #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]))
    }
}
