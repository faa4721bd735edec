import SQL
public import Work

/// The answer to a question in SQL as a table.
public struct TableQuery: Sendable {
    public enum Source: Sendable, Equatable {
        /// A file, opened for reading only.
        case sqlite(path: String)
        /// As libpq connects: `postgresql://reader@host/db` or `host=… dbname=…`.
        case postgres(_ connection: String)
    }

    public var source: Source
    public var text: String
    /// How long the database may think.
    public var limit: Duration
    /// Called off when nobody waits for the answer any more.
    public var cancellation: Cancellation
    /// A database that has all of these tables is not asked.
    public var closed: Set<String> = []

    public init(
        _ source: Source, _ text: String, within limit: Duration = .seconds(60),
        cancellation: Cancellation = Cancellation()
    ) {
        self.source = source
        self.text = text
        self.limit = limit
        self.cancellation = cancellation
    }
}

extension TableReader {
    /// Asks a database. It can only be read: whatever would change something is refused by the database itself.
    public init(query: TableQuery, options: TableOptions = TableOptions()) throws(TableError) {
        let rows: QueryRows
        do {
            rows = try QueryRows(query, options.limits)
        } catch let error as TableError {
            throw error
        } catch let error as SQLError {
            throw TableError("The database says: \(error.message)")
        } catch {
            throw TableError("The database cannot be read: \(error)")
        }
        var shape = TableShape(format: .sql)
        shape.choices = []
        var opened = OpenedTable(shape: shape, rows: rows, columnNames: rows.names)
        opened.emptySentence = "The query gives no rows."
        try self.init(opened, options)
    }
}

/// The rows are held, packed: a database cannot be left waiting for as long as somebody looks at a table.
private final class QueryRows: RowSource {
    private(set) var names: [String] = []
    private var rows: [PackedRow] = []
    private var next = 0

    init(_ query: TableQuery, _ limits: TableLimits) throws {
        let database =
            switch query.source {
            case .sqlite(let path): try Database.sqliteForReading(at: path)
            case .postgres(let connection): try Database.postgres(connection, connections: 1)
            }
        defer { database.close() }
        var held = 0
        var rows: [PackedRow] = []
        var names: [String] = []
        try database.read(within: query.limit, query.cancellation) { db in
            try Self.checkIsOpen(db, query)
            try Self.each(Query(raw: query.text), db) { answer in
                if rows.isEmpty { names = answer.names }
                var row = PackedRow(place: rows.count + 1, cells: answer.values.map(Self.cell))
                row.place = rows.count + 1
                held += row.bytes.count + 64
                guard held <= limits.heldByteCount else {
                    throw TableError(
                        "The answer is larger than \(limits.heldByteCount >> 20) MB. Ask for less at a time.")
                }
                rows.append(row)
            }
        }
        let (unique, _) = HeaderFinder.names(
            names.map { Cell(kind: .text, raw: $0, shown: $0) }, width: names.count)
        self.names = unique
        self.rows = rows
    }

    private static func checkIsOpen(_ db: borrowing Connection, _ query: TableQuery) throws {
        guard !query.closed.isEmpty else { return }
        let names = Query.column("name", in: query.closed.sorted())
        let tables: Query =
            switch db.kind {
            case .sqlite: "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND \(names)"
            case .postgres:
                "SELECT count(DISTINCT name) AS n FROM (SELECT CAST(relname AS TEXT) AS name FROM pg_catalog.pg_class WHERE relkind = 'r') AS tables WHERE \(names)"
            }
        guard try db.row(tables)?.int("n") ?? 0 < query.closed.count else {
            throw TableError("This is the database of a desk, which is not for lists.")
        }
    }

    /// PostgreSQL would hand over the whole answer at once, however large: it is asked for some rows at a time.
    private static func each(
        _ query: Query, _ db: borrowing Connection, _ body: (Row) throws -> Void
    ) throws {
        guard db.kind == .postgres else { return try db.each(query, body) }
        try db.run("DECLARE quire_rows NO SCROLL CURSOR FOR " + query)
        while true {
            let some = try db.rows("FETCH 500 FROM quire_rows")
            guard !some.isEmpty else { return }
            for row in some { try body(row) }
        }
    }

    private static func cell(_ value: SQLValue) -> Cell {
        switch value {
        case .null: return .empty
        case .integer(let number): return Cell(kind: .number, raw: String(number), shown: String(number))
        case .real(let number):
            let plain = DecimalText("\(number)")?.plain ?? "\(number)"
            return Cell(kind: .number, raw: plain, shown: plain)
        case .text(let text):
            var cell = Cell(text)
            if cell.kind == .number || cell.kind == .boolean { cell.kind = .text }
            // Databases without a kind for days keep them as texts, all in one spelling.
            cell.isTyped = cell.kind == .date
            return cell
        case .blob(let bytes): return Cell(kind: .text, raw: "", shown: "\(bytes.count) bytes")
        }
    }

    func read(into row: inout PackedRow) -> Bool {
        guard next < rows.count else { return false }
        row = rows[next]
        next += 1
        return true
    }
}
