import CPQ
import Glibc

/// How to reach a server.
struct PostgresAddress: Sendable {
    var conninfo: String
    var schema: String?

    /// Channels are one space for a whole database; schemas keep out of each other's way.
    func channel(_ name: String) -> String { schema.map { "\($0).\(name)" } ?? name }
}

/// One connection to a PostgreSQL server, used by one thread at a time.
final class PostgresSession: Session {
    let kind = Database.Kind.postgres
    var doom: SQLError?
    var attempts = 0

    let address: PostgresAddress
    private(set) var handle: OpaquePointer
    private var cache = StatementCache<Statement>(capacity: 128)
    private var prepared = 0
    /// Pushed out of the cache; forgotten by the server before the next transaction.
    private var leaving: [Statement] = []

    private struct Statement {
        var name: String
    }

    init(_ address: PostgresAddress) throws(SQLError) {
        self.address = address
        handle = try Self.connect(address)
    }

    deinit { PQfinish(handle) }

    var isConnected: Bool { PQstatus(handle) == CONNECTION_OK }

    /// Neither lost nor left inside a transaction.
    var isReusable: Bool { isConnected && PQtransactionStatus(handle) == PQTRANS_IDLE }

    var hasLostTransaction: Bool { !isConnected }

    func reconnect() throws(SQLError) {
        let fresh = try Self.connect(address)
        PQfinish(handle)
        handle = fresh
        _ = cache.removeAll()
        leaving = []
    }

    private static func connect(_ address: PostgresAddress) throws(SQLError) -> OpaquePointer {
        // What is given in `dbname` comes last and wins.
        let settings = [
            ("application_name", "quire"), ("connect_timeout", "10"), ("dbname", address.conninfo),
            ("client_encoding", "UTF8"),
        ]
        let keys = settings.map { strdup($0.0) }
        let values = settings.map { strdup($0.1) }
        defer { for copy in keys + values { free(copy) } }
        guard
            let handle = PQconnectdbParams(
                keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        else { throw SQLError(.unreachable, "libpq has no memory for a connection") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let said = SQLError.lines(PQerrorMessage(handle))
            PQfinish(handle)
            throw SQLError(.unreachable, "cannot reach PostgreSQL: \(said)")
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        do {
            try execute("SET bytea_output = 'hex'", on: handle)
            if let schema = address.schema {
                try execute("SET search_path TO \(quoted(schema))", on: handle)
            }
        } catch {
            PQfinish(handle)
            throw error
        }
        return handle
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The word the server answers with: `COMMIT` is answered by `ROLLBACK` when the transaction had failed.
    @discardableResult
    func execute(_ text: String) throws(SQLError) -> String {
        try Self.execute(text, on: handle)
    }

    @discardableResult
    private static func execute(_ text: String, on handle: OpaquePointer) throws(SQLError) -> String {
        let result = try checked(PQexec(handle, text), handle, text)
        return PQcmdStatus(result.handle).map { String(cString: $0) } ?? ""
    }

    private static func checked(
        _ result: OpaquePointer?, _ handle: OpaquePointer, _ text: String
    ) throws(SQLError) -> PostgresResult {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            if let result { return PostgresResult(handle: result) }
            throw SQLError.postgres(nil, handle, sql: text)
        case PGRES_EMPTY_QUERY:
            PQclear(result)
            throw SQLError(.misuse, "exactly one statement was meant", sql: text)
        default:
            defer { PQclear(result) }
            throw SQLError.postgres(result, handle, sql: text)
        }
    }

    func begin(_ text: String) throws(SQLError) {
        if !leaving.isEmpty {
            try execute(leaving.map { "DEALLOCATE \($0.name)" }.joined(separator: "; "))
            leaving = []
        }
        try execute(text)
    }

    func run(_ query: Query) throws(SQLError) -> Int {
        try answer(query).changedRows
    }

    func rows(_ query: Query) throws(SQLError) -> [Row] {
        let result = try answer(query)
        let columns = result.columns
        return (0..<result.rowCount).map { result.row($0, columns) }
    }

    /// The answer is held by libpq meanwhile, so that the body may ask further questions.
    func each(_ query: Query, _ body: (Row) throws -> Void) throws {
        let result = try answer(query)
        let columns = result.columns
        for number in 0..<result.rowCount { try body(result.row(number, columns)) }
    }

    func script(_ text: String) throws(SQLError) {
        for statement in SQLText.statements(text) {
            try execute(SQLText.spelled(statement, for: .postgres))
        }
    }

    func notify(_ channel: String, _ payload: String) throws(SQLError) {
        _ = try rows("SELECT pg_notify(\(address.channel(channel)), \(payload))")
    }

    func forgetStatements() {
        leaving += cache.removeAll()
    }

    private func answer(_ query: Query) throws(SQLError) -> PostgresResult {
        let text = query.text
        let parameters = PostgresParameters(query.values)
        let key = parameters.types.isEmpty ? text : "\(parameters.signature) \(text)"
        let statement: Statement
        if let kept = cache.take(key) { statement = kept } else { statement = try prepare(text, parameters) }
        let result = parameters.withPointers { values, lengths, formats in
            PQexecPrepared(handle, statement.name, Int32(values.count), values, lengths, formats, 0)
        }
        do {
            let answer = try Self.checked(result, handle, text)
            if let old = cache.put(statement, for: key) { leaving.append(old) }
            return answer
        } catch {
            // Kept no longer: its plan may be the fault.
            leaving.append(statement)
            throw error
        }
    }

    private func prepare(_ text: String, _ parameters: PostgresParameters) throws(SQLError) -> Statement {
        prepared += 1
        let statement = Statement(name: "quire_\(prepared)")
        let types = parameters.types
        _ = try Self.checked(
            PQprepare(
                handle, statement.name, SQLText.spelled(text, for: .postgres), Int32(types.count), types),
            handle, text)
        return statement
    }
}
