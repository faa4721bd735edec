import CSQLite
import Glibc

/// One connection to a SQLite file, opened without SQLite's own lock: the driver sees to it that only one
/// thread at a time is inside.
final class SQLiteSession: Session {
    enum Role {
        case writer, reader, visitor
        /// Our own file where nothing can be written: read with our rules.
        case onlooker
    }

    let kind = Database.Kind.sqlite
    var doom: SQLError?
    var attempts = 0
    /// Kept back until the transaction is committed.
    var notifications: [(channel: String, payload: String)] = []

    let handle: OpaquePointer
    private var cache = StatementCache<SQLiteStatement>(capacity: 128)

    /// A savepoint of each who shares a commit, and many a statement, would begin a file otherwise and write all it changes
    /// once more.
    private static let undoInMemory: Void = _ = csqlite_undo_in_memory(1 << 20)

    init(path: String, role: Role) throws(SQLError) {
        _ = Self.undoInMemory
        var opened: OpaquePointer?
        let access =
            switch role {
            case .writer: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .reader: SQLITE_OPEN_READWRITE
            // Whoever chose the file has followed its links, and nobody puts one in its place meanwhile.
            case .visitor: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW
            case .onlooker: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let result = sqlite3_open_v2(
            role == .onlooker ? Self.unchanging(path) : path, &opened,
            access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil
        )
        guard result == SQLITE_OK, let opened else {
            let error = SQLError.sqlite(result, opened)
            sqlite3_close_v2(opened)
            throw SQLError(error.code, "cannot open \(path): \(error.message)")
        }
        handle = opened
        // Another process may be writing: the command line beside the server.
        sqlite3_busy_timeout(handle, 10_000)
        // "x" is a name, never a string; a schema from elsewhere may not call functions with side effects;
        // the schema cannot be overwritten by writing to its table.
        _ = csqlite_switch(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        _ = csqlite_switch(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        _ = csqlite_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        _ = csqlite_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        do {
            try addFunctions()
            try configure(role)
        } catch {
            sqlite3_close_v2(handle)
            throw SQLError(error.code, "cannot open \(path): \(error.message)")
        }
    }

    /// A file whose log was put away can be read without making one again, which SQLite would have to where it may not
    /// write. With a log beside it the log is read too.
    private static func unchanging(_ path: String) -> String {
        var log = stat()
        guard stat(path + "-wal", &log) != 0 || log.st_size == 0 else { return path }
        let plain = path.utf8.map { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
                || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file:\(plain.joined())?immutable=1"
    }

    private func configure(_ role: Role) throws(SQLError) {
        guard role != .visitor else {
            sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
            // No single value takes all the memory there is.
            sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 64 << 20)
            try execute("PRAGMA query_only = ON")
            return
        }
        // FULL syncs the log at every commit, so a commit survives a power cut and not only a crash. NORMAL
        // would sync at checkpoints only. Group commit (see SQLiteWriter) makes up for the cost.
        try execute(
            """
            PRAGMA foreign_keys = ON;
            PRAGMA case_sensitive_like = ON;
            PRAGMA synchronous = FULL;
            """)
        switch role {
        case .writer:
            try beginLog()
            // What a large transaction writes again and again stays in memory, up to 16 MB, and is not written each time.
            // The log goes into the database every 4,000 pages and not every 1,000: most of them were written again by
            // then, and whoever commits waits for it.
            try execute(
                """
                PRAGMA cache_size = -16384;
                PRAGMA journal_size_limit = 67108864;
                PRAGMA wal_autocheckpoint = 4000;
                """)
        case .reader, .onlooker:
            try execute("PRAGMA query_only = ON")
        case .visitor: break
        }
    }

    /// Of two programs that begin with a new database at once SQLite lets one fail rather than wait: it is asked again.
    private func beginLog() throws(SQLError) {
        var left = 200
        while true {
            do throws(SQLError) {
                return try execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.code == .busy, left > 0 else { throw error }
                left -= 1
                usleep(50_000)
            }
        }
    }

    deinit {
        for statement in cache.removeAll() { sqlite3_finalize(statement.handle) }
        sqlite3_close_v2(handle)
    }

    /// Several statements without values or answers; for the driver's own housekeeping.
    func execute(_ text: String) throws(SQLError) {
        let result = sqlite3_exec(handle, text, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLError.sqlite(result, handle, sql: text) }
    }

    /// Errors of some kinds (disk full, I/O) make SQLite roll the whole transaction back by itself.
    var hasLostTransaction: Bool { sqlite3_get_autocommit(handle) != 0 }

    func run(_ query: Query) throws(SQLError) -> Int {
        let text = query.text
        let statement = try begin(query, text)
        defer { finish(statement, text) }
        let before = sqlite3_total_changes64(handle)
        while try step(statement, query) {}
        // sqlite3_changes64 keeps speaking of the last INSERT, UPDATE or DELETE when this was none.
        return sqlite3_total_changes64(handle) == before ? 0 : Int(sqlite3_changes64(handle))
    }

    func rows(_ query: Query) throws(SQLError) -> [Row] {
        let text = query.text
        let statement = try begin(query, text)
        defer { finish(statement, text) }
        var rows: [Row] = []
        while try step(statement, query) { rows.append(statement.row) }
        return rows
    }

    func each(_ query: Query, _ body: (Row) throws -> Void) throws {
        let text = query.text
        let statement = try begin(query, text)
        defer { finish(statement, text) }
        while try step(statement, query) { try body(statement.row) }
    }

    func script(_ text: String) throws(SQLError) {
        for statement in SQLText.statements(text) { _ = try run(Query(raw: statement)) }
    }

    func notify(_ channel: String, _ payload: String) {
        notifications.append((channel, payload))
    }

    /// Statements prepared before a change of the schema would speak of columns that have gone.
    func forgetStatements() {
        for statement in cache.removeAll() { sqlite3_finalize(statement.handle) }
    }

    private func begin(_ query: Query, _ text: String) throws(SQLError) -> SQLiteStatement {
        let statement: SQLiteStatement
        if let kept = cache.take(text) { statement = kept } else { statement = try prepare(text) }
        let result = statement.bind(query.values)
        guard result == SQLITE_OK else {
            let error = SQLError.sqlite(result, handle, sql: text)
            finish(statement, text)
            throw error
        }
        return statement
    }

    private func prepare(_ text: String) throws(SQLError) -> SQLiteStatement {
        let spelled = SQLText.spelled(text, for: .sqlite)
        var prepared: OpaquePointer?
        var isAlone = true
        let result = spelled.withCString { start in
            var rest: UnsafePointer<CChar>?
            let result = sqlite3_prepare_v3(
                handle, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &rest)
            isAlone = rest.map { SQLText.statements(String(cString: $0)).isEmpty } ?? true
            return result
        }
        guard result == SQLITE_OK else { throw SQLError.sqlite(result, handle, sql: text) }
        guard let prepared, isAlone else {
            sqlite3_finalize(prepared)
            throw SQLError(.misuse, "exactly one statement was meant", sql: text)
        }
        return SQLiteStatement(prepared)
    }

    private func step(_ statement: SQLiteStatement, _ query: Query) throws(SQLError) -> Bool {
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw SQLError.sqlite(result, handle, sql: query.text)
        }
    }

    private func finish(_ statement: SQLiteStatement, _ text: String) {
        sqlite3_reset(statement.handle)
        // Bound blobs may be large; they would stay until the statement is used again.
        sqlite3_clear_bindings(statement.handle)
        if let leaving = cache.put(statement, for: text) { sqlite3_finalize(leaving.handle) }
    }
}
