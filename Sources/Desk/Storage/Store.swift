public import SQL
import Synchronization
public import Work

/// Everything a desk owns, opened: the database, the shelf of files, the journal.
///
/// ```swift
/// let store = try Store.open(home: "/srv/desk", areas: [Documents.migrations])
/// let count = try store.read { desk in try desk.row("SELECT count(*) AS n FROM document")?.int("n") }
/// ```
public final class Store: Sendable {
    public enum DatabaseChoice: Sendable {
        /// `quire.db` in the data directory.
        case sqlite
        /// Gone when the store is closed.
        case memory
        case postgres(_ connection: String, schema: String? = nil)
    }

    public let home: DataDirectory
    public let database: Database
    public let blobs: BlobShelf
    public let clock: Clock
    public let chance: Chance
    public let log: Log
    /// What keeps going wrong while the desk is open.
    public let troubles: Troubles
    /// What each act was about, as the journal names it, once it is saved.
    public let acts = Broadcast<[String]>()
    let areas: [MigrationArea]
    private let ids: IDMaker
    private let servingLock = Mutex<ServingLock?>(nil)

    private init(
        home: DataDirectory, database: Database, clock: Clock, chance: Chance, log: Log,
        areas: [MigrationArea]
    ) throws {
        self.home = home
        self.database = database
        self.clock = clock
        self.chance = chance
        self.log = log
        troubles = Troubles(clock: clock, log: log)
        self.areas = areas
        blobs = BlobShelf(home, database: database, clock: clock, chance: chance)
        let last = try database.read { try $0.row("SELECT at FROM journal ORDER BY number DESC LIMIT 1") }
        ids = IDMaker(chance: chance, floor: try last?.moment("at"))
    }

    /// Makes the data directory and the tables when they are missing and brings older tables up to date.
    ///
    /// `areas` names the tables of every part of the program that is not storage itself; a database with others
    /// was written by a newer Quire and is refused untouched. So are a folder and a database that do not belong together.
    public static func open(
        home path: String, database choice: DatabaseChoice = .sqlite, clock: Clock = .system,
        chance: Chance = .system, areas: [MigrationArea], joining: Joining = .asMarked, log: Log = .silent
    ) throws -> Store {
        try EncryptedHome.requireUnlocked(path)
        let home = DataDirectory(path)
        try home.requireRestored()
        try home.prepare()
        let areas = [migrations] + areas
        return try explained(home) {
            let isNew = choice.isFile && !Disk.exists(home.database)
            let database = try choice.open(in: home)
            do {
                if let foreign = try ForeignTables.trouble(in: database, choice.shown(in: home)) {
                    throw foreign
                }
                try DeskMark(home: home, database: database, choice: choice).join(joining) {
                    try database.migrate(areas)
                }
                if home.hindrance == nil { ForeignTables.mark(database) }
                return try Store(
                    home: home, database: database, clock: clock, chance: chance, log: log, areas: areas)
            } catch {
                database.close()
                // An empty database left behind would look like a desk.
                if isNew, let failure = error as? Failure, failure.code == .conflict {
                    for ending in ["", "-wal", "-shm"] { try? Disk.remove(home.database + ending) }
                }
                throw error
            }
        }
    }

    /// A snapshot, whatever is written meanwhile. Inside a `write` of the same thread it sees what that wrote.
    public func read<R>(_ body: (borrowing Reading) throws -> R) throws -> R {
        try Self.explained(home) {
            try database.read { connection in try body(Reading(connection: connection.lent())) }
        }
    }

    /// Saves everything the body changes, or nothing when it throws. Once `write` has returned it survives a crash
    /// and a power cut. The body may be run more than once, see `Transaction`.
    @discardableResult
    public func write<R>(_ body: (borrowing Transaction) throws -> R) throws -> R {
        var saved = TransactionNotes()
        let result = try Self.explained(home) {
            try database.write { connection in
                let notes = TransactionNotes()
                saved = notes
                let transaction = Transaction(
                    now: clock.now(), connection: connection.lent(), ids: ids, blobs: blobs, notes: notes)
                let result = try body(transaction)
                try Journal.append(notes.entries, at: transaction.now, to: connection)
                return result
            }
        }
        for act in saved.afterCommit { act() }
        if !saved.entries.isEmpty { acts.send(saved.entries.map(\.subject)) }
        return result
    }

    /// Reading goes on where nothing can be kept, see `SQLiteHindrance`.
    public var isWritable: Bool { home.hindrance == nil }

    public var journal: Journal { Journal(store: self) }

    /// Refuses when another process serves this directory; otherwise holds it until the store is closed or the
    /// process ends, and clears away what interrupted work has left behind. `isHasty` lets small files come to their
    /// place afterwards: on a slow line to the database nobody should wait for them.
    public func lockForServing(isHasty: Bool = false) throws {
        try servingLock.withLock { held in
            guard held == nil else { return }
            held = try ServingLock(home)
        }
        blobs.settlers.prepare()
        try home.emptyTemporary()
        // What a power cut kept from the shelf.
        guard !isHasty else { return blobs.settleBeside(log) }
        do { try blobs.settle() } catch { BlobShelf.tell(error, log) }
    }

    public func close() {
        blobs.close()
        database.close()
        servingLock.withLock { $0 = nil }
    }
}

extension Store.DatabaseChoice {
    var isFile: Bool { if case .sqlite = self { true } else { false } }

    func open(in home: DataDirectory) throws -> Database {
        switch self {
        case .sqlite:
            if let hindrance = home.hindrance {
                return try Database.sqliteUnwritable(at: home.database, because: hindrance)
            }
            try ForeignTables.refuse(at: home.database)
            // Made here when missing, as SQLite would let everyone on the machine read it.
            _ = try OpenFile(keeping: home.database)
            return try Database.sqlite(at: home.database)
        case .memory: return try Database.sqliteInMemory()
        case .postgres(let connection, let schema): return try Database.postgres(connection, schema: schema)
        }
    }
}
