import SQL
import TestSupport
import Work

/// Two tables that every test here may use: accounts, and entries that belong to them.
let ledger = MigrationArea(
    "ledger",
    [
        Migration(
            "accounts and entries",
            script: """
                CREATE TABLE account (
                    id INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE,
                    balance INTEGER NOT NULL DEFAULT 0 CONSTRAINT not_overdrawn CHECK (balance >= 0)
                );
                CREATE TABLE entry (
                    account INTEGER NOT NULL REFERENCES account (id) DEFERRABLE INITIALLY DEFERRED,
                    position INTEGER NOT NULL,
                    note TEXT,
                    PRIMARY KEY (account, position)
                ) WITHOUT ROWID;
                """)
    ])

func withLedger(_ kind: Database.Kind, _ body: (Database) throws -> Void) throws {
    try withDatabase(kind) { database in
        try database.migrate([ledger])
        try database.write { db in
            try db.run("INSERT INTO account (id, name, balance) VALUES (1, 'Ada', 100), (2, 'Grace', 50)")
        }
        try body(database)
    }
}

func balance(of name: String, in database: Database) throws -> Int? {
    try database.read { db in
        try db.row("SELECT balance FROM account WHERE name = \(name)")?.int("balance")
    }
}

/// Runs the body on several threads at once and hands on the first error.
func together(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let errors = Monitor<[any Error]>([])
    let threads = (0..<count).map { number in
        Thread(name: "together-\(number)") {
            do { try body(number) } catch { errors.update { $0.append(error) } }
        }
    }
    for thread in threads { thread.join() }
    if let error = errors.read({ $0.first }) { throw error }
}

func code<R>(of body: () throws -> R) -> SQLError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? SQLError)?.code
    }
}
