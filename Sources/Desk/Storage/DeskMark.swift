import Bytes
import Glibc
public import SQL
import Work

/// Says that a folder of files and a database belong together: both carry the same drawn number.
///
/// The folder has it as `blobs/.desk`, beside the files it is about, so that a disk that is not mounted is noticed and
/// servers that share their files share the mark. Without it, forgetting `--database` once would serve an empty desk over
/// somebody's papers, and clear all of them away as files that nobody needs.
struct DeskMark {
    let home: DataDirectory
    let database: Database
    let choice: Store.DatabaseChoice

    /// What the database says of itself; `holdsDesk` when there is more in it than empty tables.
    private struct Claim {
        var mark: String?
        var folder = ""
        var holdsDesk = false
    }

    private var path: String { home.blobs + "/.desk" }
    /// Written before the database is marked, so that a crash in between is told from two that were mixed up.
    private var promised: String { path + ".promised" }

    /// Refuses what does not belong together, before anything is changed; gives both a mark where neither has one.
    /// `migrate` makes the tables.
    func join(_ joining: Store.Joining, migrate: () throws -> Void) throws {
        // Nothing in memory outlives its folder.
        if case .memory = choice { return try migrate() }
        if let here = read(path), try claim().mark == here { return try migrate() }
        // Of two that open a desk for the first time one marks it.
        let file = try OpenFile(keeping: home.blobs + "/.placing")
        _ = try file.lock(.exclusive, waiting: true)
        let mark = try agreed(read(path), try claim(), joining)
        try Disk.write(Array("\(mark)\n".utf8), to: promised)
        try migrate()
        try database.write { connection in
            try connection.run("DELETE FROM desk_mark WHERE mark <> \(mark)")
            try connection.run(
                """
                INSERT INTO desk_mark (id, mark, folder) VALUES (1, \(mark), \(home.path))
                ON CONFLICT (id) DO NOTHING
                """)
        }
        try Disk.rename(promised, to: path)
        try Disk.syncDirectory(home.blobs)
    }

    /// What is wrong between the two, without changing either; nil when nothing is.
    func trouble() throws -> Failure? {
        let here = read(path)
        let claim = try claim()
        if here == claim.mark, here != nil { return nil }
        do throws(Failure) {
            _ = try agreed(here, claim, .asMarked)
            return nil
        } catch {
            return error
        }
    }

    private func agreed(_ here: String?, _ claim: Claim, _ joining: Store.Joining) throws(Failure) -> String {
        if let here, here == claim.mark { return here }
        switch (joining, claim.mark) {
        case (.sameDesk, let there?): return there
        case (.sameDesk, nil) where claim.holdsDesk: return here ?? drawn()
        case (.anew, nil) where !claim.holdsDesk: return drawn()
        default: break
        }
        guard let there = claim.mark else {
            if !claim.holdsDesk {
                guard home.holdsFiles else { return here ?? drawn() }
                throw empty
            }
            // One from before there were marks.
            guard let here else { return read(promised) ?? drawn() }
            throw mixed(
                "The folder \(home.path) belongs to the desk \(Self.short(here)), the database \(choice.shown) does not."
            )
        }
        // The first start was cut off between the two.
        if read(promised) == there { return there }
        let theirs = "to the desk \(Self.short(there)), which was begun in \(claim.folder)"
        throw mixed(
            here.map {
                "The folder \(home.path) belongs to the desk \(Self.short($0)), the database \(choice.shown) \(theirs)."
            }
                ?? "The database \(choice.shown) belongs \(theirs); the folder \(home.path) has none of its files."
        )
    }

    private var empty: Failure {
        Failure(
            .conflict,
            "The folder \(home.path) holds files of a desk, but the database \(choice.shown) is empty. Name the database they belong to with --database, or bring the desk back from a backup into a new folder with “quire restore”. To begin a new desk in this folder all the same: quire serve --begin-anew",
            field: "database")
    }

    private func mixed(_ what: String) -> Failure {
        Failure(
            .conflict,
            "\(what) Name those that belong together with --home and --database, and see that the disk with the files is mounted. If the folder does hold this desk's files and keys, or shares them with another server: quire serve --same-desk",
            field: "database")
    }

    private func claim() throws -> Claim {
        let steps = try database.migrationHistory().filter { $0.area == Store.migrations.name }.map(\.name)
        guard !steps.isEmpty else { return Claim() }
        return try database.read { connection in
            var claim = Claim()
            if steps.contains(Self.migration.name),
                let row = try connection.row("SELECT mark, folder FROM desk_mark")
            {
                claim.mark = try row.text("mark")
                claim.folder = try row.text("folder")
            }
            let signs: Query = "(SELECT max(number) FROM journal_head) > 0 OR EXISTS (SELECT 1 FROM blob)"
            claim.holdsDesk = try connection.row("SELECT 1 AS one WHERE \(signs)") != nil
            return claim
        }
    }

    private func read(_ path: String) -> String? {
        guard let bytes = try? Disk.read(path, atMost: 100) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        return text.isEmpty ? nil : text
    }

    // What is drawn by lot here must not shift what is drawn elsewhere.
    private func drawn() -> String { Hex.encode(Chance.system.bytes(16)) }

    private static func short(_ mark: String) -> String { String(mark.prefix(8)) }

    static let migration = Migration(
        "desk mark",
        script: """
            CREATE TABLE desk_mark (
                id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
                mark TEXT NOT NULL CHECK (mark <> ''),
                folder TEXT NOT NULL
            );
            """)
}

extension Store {
    /// What to do with a folder and a database that do not carry the same mark.
    public enum Joining: Sendable {
        /// Refuse.
        case asMarked
        /// Somebody has said that they belong together, or that the folder's files are shared with another server.
        case sameDesk
        /// Somebody wants a new desk in a folder with files of another.
        case anew
    }

    /// Why this folder and this database cannot be opened together; nil when they can. Changes nothing.
    public static func trouble(
        between home: DataDirectory, and choice: DatabaseChoice, opened database: Database
    ) throws -> Failure? {
        if let foreign = try ForeignTables.trouble(in: database, choice.shown(in: home)) { return foreign }
        return try DeskMark(home: home, database: database, choice: choice).trouble()
    }
}

extension DataDirectory {
    /// Whether files of a desk lie here, with or without a database.
    public var holdsFiles: Bool {
        guard let folders = try? Disk.names(in: blobs) else { return false }
        return folders.contains { folder in
            guard folder.utf8.count == 2, let names = try? Disk.names(in: "\(blobs)/\(folder)") else {
                return false
            }
            return names.contains { Digest($0) != nil }
        }
    }
}

extension Store.DatabaseChoice {
    func shown(in home: DataDirectory) -> String {
        isFile ? home.database : "The database \(shown)"
    }

    /// For messages, without a password.
    public var shown: String {
        switch self {
        case .sqlite: "quire.db in this folder"
        case .memory: "in memory"
        case .postgres(let connection, _):
            Self.holdsPassword(connection) ? "PostgreSQL (with a password, not shown)" : connection
        }
    }

    public static func holdsPassword(_ connection: String) -> Bool {
        connection.lowercased().contains("password") || connection.split(separator: "@").count > 1
    }
}
