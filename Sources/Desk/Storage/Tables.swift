import Bytes
import SQL

/// The tables of a desk as lines that either database can read back.
///
/// The first line of a file names the columns, each further line is one row. Blobs and the numbers that JSON
/// has no word for are objects: `{"base64": "…"}`, `{"real": "inf"}`.
enum Tables {
    /// All but the record of migrations, which a manifest keeps in words of its own, and what a search index
    /// derives from the others.
    static func names(in connection: borrowing Connection) throws -> [String] {
        let query: Query =
            switch connection.kind {
            case .sqlite:
                """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
                """
            case .postgres:
                "SELECT CAST(tablename AS TEXT) AS name FROM pg_tables WHERE schemaname = current_schema()"
            }
        return try connection.rows(query).map { try $0.text("name") }.filter { $0 != "migration" }.sorted()
    }

    static func write(
        _ table: String, from connection: borrowing Connection, to snapshot: String, _ form: BackupForm
    ) throws -> Manifest.Table {
        let writer = try LineWriter("tables/\(table).ndjson", in: snapshot, form)
        var rowCount = 0
        try connection.each(Query(raw: "SELECT * FROM \(quoted(table))")) { row in
            if rowCount == 0 { try writer.write(.array(row.names.map(JSON.string))) }
            try writer.write(.array(row.values.map(json)))
            rowCount += 1
        }
        return Manifest.Table(name: table, rowCount: rowCount, file: try writer.finish())
    }

    static func read(
        _ table: Manifest.Table, from snapshot: String, _ form: BackupForm,
        into connection: borrowing Connection
    ) throws {
        // What the schema itself put in comes from the backup as well.
        try connection.run(Query(raw: "DELETE FROM \(quoted(table.name))"))
        var start: Query?
        var rowCount = 0
        try LineReader.each(table.file.name, in: snapshot, form) { line in
            guard let cells = line.array else { throw Manifest.unreadable(table.name) }
            guard let start else {
                let columns = try cells.map { cell in
                    guard let name = cell.string else { throw Manifest.unreadable(table.name) }
                    return quoted(name)
                }
                start = Query(
                    raw: "INSERT INTO \(quoted(table.name)) (\(columns.joined(separator: ", "))) VALUES (")
                return
            }
            var insert = start
            for (place, cell) in cells.enumerated() {
                insert += place == 0 ? "\(try value(cell))" : ", \(try value(cell))"
            }
            try connection.run(insert + ")")
            rowCount += 1
        }
        guard rowCount == table.rowCount else { throw Manifest.unreadable("\(table.name): \(rowCount) rows") }
    }

    static func json(_ value: SQLValue) -> JSON {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number) where number.isFinite: .number(number)
        case .real(let number): ["real": .string(number < 0 ? "-inf" : "inf")]
        case .text(let text): .string(text)
        case .blob(let bytes): ["base64": .string(Base64.encode(bytes))]
        }
    }

    static func value(_ json: JSON) throws -> SQLValue {
        switch json {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .number(let number): return .real(number)
        case .string(let text): return .text(text)
        case .object(let members):
            if let bytes = members["base64"]?.string.flatMap(Base64.decode) { return .blob(bytes) }
            if let word = members["real"]?.string { return .real(word == "inf" ? .infinity : -.infinity) }
            throw Manifest.unreadable("a cell")
        case .bool, .array: throw Manifest.unreadable("a cell")
        }
    }
}
