import Glibc
import SQL

/// Tells a desk's database from one of another program, which must not be taken over without a word.
enum ForeignTables {
    /// "Quir" in ASCII: what `file` and other programs read in the head of a SQLite file.
    static let applicationID: Int64 = 0x5175_6972

    /// Looks into the file before it is opened for writing, which would already change it.
    static func refuse(at path: String) throws {
        // Nothing yet, or marked as ours where the format has its place for it.
        guard let head = head(of: path), head[68..<72].reduce(0, { $0 << 8 | Int64($1) }) != applicationID,
            let database = try? Database.sqliteForReading(at: path)
        else { return }
        defer { database.close() }
        // What cannot be read so is told by whoever opens it as usual.
        let trouble = (try? trouble(in: database, path)) ?? nil
        if let trouble { throw trouble }
    }

    /// nil for a desk, and for a database without tables.
    static func trouble(in database: Database, _ shown: String) throws -> Failure? {
        let names = try database.read { db in try tables(in: db) }
        guard !names.isEmpty else { return nil }
        let isOurs =
            try names.contains("migration")
            && database.read { db in
                // Others have a table of this name, too.
                guard try db.rows(columns(of: db.kind)).count == 3 else { return false }
                return try db.row(
                    "SELECT 1 AS one FROM migration WHERE area = \(Store.migrations.name) LIMIT 1")
                    != nil
            }
        guard !isOurs else { return nil }
        let some = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        return Failure(
            .conflict,
            "\(shown) holds tables of another program (\(some)). Nothing was changed. Name another database with --database, or another folder with --home.",
            field: "database")
    }

    /// So that others can tell that it is ours. What cannot be written now is written at a later start.
    static func mark(_ database: Database) {
        guard database.kind == .sqlite,
            (try? database.read { db in try db.row("PRAGMA application_id")?.integer("application_id") }) == 0
        else { return }
        _ = try? database.write { db in try db.run(Query(raw: "PRAGMA application_id = \(applicationID)")) }
    }

    private static func head(of path: String) -> [UInt8]? {
        guard let file = try? OpenFile(reading: path) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 72)
        let count = try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }
        return count == bytes.count ? bytes : nil
    }

    private static func columns(of kind: Database.Kind) -> Query {
        switch kind {
        case .sqlite:
            "SELECT name FROM pragma_table_info('migration') WHERE name IN ('area', 'position', 'name')"
        case .postgres:
            """
            SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()
                AND table_name = 'migration' AND column_name IN ('area', 'position', 'name')
            """
        }
    }

    /// Those of extensions belong to nobody.
    private static func tables(in db: borrowing Connection) throws -> [String] {
        let query: Query =
            switch db.kind {
            case .sqlite:
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
            case .postgres:
                """
                SELECT CAST(c.relname AS TEXT) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
                    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
                """
            }
        return try db.rows(query).map { try $0.text("name") }.sorted()
    }
}
