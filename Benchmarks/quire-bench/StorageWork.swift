import Bytes
import SQL
import Storage
import Work

/// Adds, changes and removes without end until it is killed, and says what was saved as soon as it was.
///
///     quire-bench storage-work HOME sqlite|CONNINFO SEED
///
/// `+ ID DIGEST` a paper with a file, `- ID` a paper removed, `= ID` a note without a file.
enum StorageWork {
    static let papers = MigrationArea(
        "papers",
        [
            Migration(
                "paper",
                script: """
                    CREATE TABLE paper (
                        id TEXT NOT NULL PRIMARY KEY,
                        digest TEXT REFERENCES blob (digest)
                    )
                    """)
        ])

    enum Paper {}

    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, let seed = UInt64(arguments[2]) else {
            throw Failure(.invalid, "storage-work HOME sqlite|CONNINFO SEED")
        }
        let store = try Store.open(
            home: arguments[0], database: arguments[1] == "sqlite" ? .sqlite : .postgres(arguments[1]),
            areas: [papers])
        try store.lockForServing()
        let workers = Workers(name: "work", threads: 2)
        workers.submit { try? files(store, .seeded(seed)) }
        workers.submit { try? notes(store) }
        workers.stop()
    }

    /// Files and sweeps take turns on this thread, so that the sweep needs no grace.
    private static func files(_ store: Store, _ chance: Chance) throws {
        var added: [ID<Paper>] = []
        while true {
            switch chance.integer(below: 10) {
            case 0 where !added.isEmpty:
                let id = added.remove(at: chance.integer(below: added.count))
                try store.write { tx in
                    try tx.run("DELETE FROM paper WHERE id = \(id)")
                    tx.record(JournalEntry(actor: "bench", verb: "paper.removed", subject: "paper/\(id)"))
                }
                Bench.say("- \(id)")
            case 1: try store.sweep(grace: .seconds(-1))
            default:
                // Every tenth file is large, and small ones often come twice.
                let length = chance.integer(below: 10) == 0 ? 400_000 : chance.integer(below: 40)
                let byte = UInt8(chance.integer(below: 4))
                let digest = try store.blobs.put([UInt8](repeating: byte, count: length))
                let id: ID<Paper> = try store.write { tx in
                    try tx.keep(digest)
                    let id = tx.newID(of: Paper.self)
                    try tx.run("INSERT INTO paper (id, digest) VALUES (\(id), \(digest))")
                    tx.record(JournalEntry(actor: "bench", verb: "paper.added", subject: "paper/\(id)"))
                    return id
                }
                added.append(id)
                Bench.say("+ \(id) \(digest)")
            }
        }
    }

    private static func notes(_ store: Store) throws {
        while true {
            let id: ID<Paper> = try store.write { tx in
                let id = tx.newID(of: Paper.self)
                try tx.run("INSERT INTO paper (id) VALUES (\(id))")
                tx.record(JournalEntry(actor: "bench", verb: "note.added", subject: "paper/\(id)"))
                return id
            }
            Bench.say("= \(id)")
        }
    }
}
