import SQL
import Synchronization
import TestSupport
import Testing
import Work

@Suite("Transactions")
struct TransactionTests {
    struct Refusal: Error {}

    @Test("What throws leaves nothing behind", arguments: Database.Kind.here)
    func rollback(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            #expect(throws: Refusal.self) {
                try database.write { db in
                    try db.run("UPDATE account SET balance = 0")
                    throw Refusal()
                }
            }
            let left = try balance(of: "Ada", in: database)
            #expect(left == 100)
        }
    }

    @Test(
        "A statement that failed loses the transaction, even when the error is swallowed",
        arguments: Database.Kind.here)
    func doom(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            let said = code {
                try database.write { db in
                    try db.run("UPDATE account SET balance = 7 WHERE id = 1")
                    _ = try? db.run("UPDATE account SET balance = -1 WHERE id = 2")
                }
            }
            #expect(said == .check("not_overdrawn"))
            let left = try balance(of: "Ada", in: database)
            #expect(left == 100)
        }
    }

    @Test("An attempt fails by itself", arguments: Database.Kind.here)
    func attempt(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            try database.write { db in
                try db.run("UPDATE account SET balance = 7 WHERE id = 1")
                #expect(throws: SQLError.self) {
                    try db.attempt {
                        try db.run("UPDATE account SET balance = 8 WHERE id = 1")
                        try db.attempt { try db.run("UPDATE account SET balance = 9 WHERE id = 1") }
                        try db.run("INSERT INTO account (id, name) VALUES (1, 'Eve')")
                    }
                }
                try db.attempt { try db.run("UPDATE account SET balance = 51 WHERE id = 2") }
            }
            #expect(try balance(of: "Ada", in: database) == 7)
            #expect(try balance(of: "Grace", in: database) == 51)
        }
    }

    @Test("A read inside a read or write joins it; a write inside is refused", arguments: Database.Kind.here)
    func nesting(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            try database.write { db in
                try db.run("UPDATE account SET balance = 1 WHERE id = 1")
                #expect(try balance(of: "Ada", in: database) == 1)
                #expect(code { try database.write { _ in } } == .misuse)
            }
            try database.read { _ in
                let left = try balance(of: "Ada", in: database)
                #expect(left == 1)
                #expect(code { try database.write { _ in } } == .misuse)
            }
        }
    }

    @Test("Readers cannot write", arguments: Database.Kind.here)
    func readOnly(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            #expect(code { try database.read { db in try db.run("DELETE FROM account") } } == .readOnly)
            let left = try balance(of: "Ada", in: database)
            #expect(left == 100)
        }
    }

    @Test("A reader sees one moment, whatever is written meanwhile", arguments: Database.Kind.here)
    func snapshot(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            try database.read { db in
                let before = try db.row("SELECT balance FROM account WHERE id = 1")?.int("balance")
                try together(1) { _ in
                    _ = try database.write { db in try db.run("UPDATE account SET balance = 999 WHERE id = 1")
                    }
                }
                let after = try db.row("SELECT balance FROM account WHERE id = 1")?.int("balance")
                #expect(before == 100)
                #expect(after == 100)
            }
            #expect(try balance(of: "Ada", in: database) == 999)
        }
    }

    @Test("Writers on many threads lose nothing", arguments: Database.Kind.here)
    func concurrentWriters(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            try together(8) { number in
                for turn in 0..<25 {
                    try database.write { db in
                        // Read, think, write: wrong unless nobody gets in between.
                        let old = try db.row("SELECT balance FROM account WHERE id = 1")?.int("balance") ?? 0
                        try db.run("UPDATE account SET balance = \(old + 1) WHERE id = 1")
                        try db.run(
                            "INSERT INTO entry (account, position) VALUES (1, \(number * 1000 + turn))")
                    }
                }
            }
            #expect(try balance(of: "Ada", in: database) == 300)
            let entries = try database.read { db in try db.row("SELECT count(*) AS n FROM entry")?.int("n") }
            #expect(entries == 200)
        }
    }

    @Test("Two programs on one database wait for each other", arguments: Database.Kind.here)
    func twoPrograms(kind: Database.Kind) throws {
        try withDatabaseAddress(kind) { address in
            try together(4) { number in
                let database = try kind == .sqlite ? Database.sqlite(at: address) : Database.postgres(address)
                defer { database.close() }
                try database.migrate([ledger])
                for turn in 0..<25 {
                    try database.write { db in
                        let seen = try db.row("SELECT count(*) AS n FROM entry")?.int("n") ?? 0
                        try db.run(
                            """
                            INSERT INTO account (id, name) VALUES (1, 'Ada') ON CONFLICT DO NOTHING
                            """)
                        try db.run(
                            """
                            INSERT INTO entry (account, position, note)
                            VALUES (1, \(number * 1000 + turn), \("\(seen)"))
                            """)
                    }
                }
            }
            let database = try kind == .sqlite ? Database.sqlite(at: address) : Database.postgres(address)
            defer { database.close() }
            // Each saw a different number of entries: nobody got in between looking and writing.
            let seen = try database.read { db in try db.rows("SELECT DISTINCT note FROM entry").count }
            #expect(seen == 100)
        }
    }

    @Test("Of writers sharing a commit, one that fails takes no other with it", arguments: Database.Kind.here)
    func sharedCommit(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            let failures = Atomic(0)
            try together(8) { number in
                for turn in 0..<30 {
                    let position = number * 1000 + turn
                    do {
                        try database.write { db in
                            // Every fifth throws, every seventh only fails at the commit: no such account.
                            let account = turn % 7 == 6 ? 99 : 2
                            try db.run(
                                "INSERT INTO entry (account, position) VALUES (\(account), \(position))")
                            if turn % 5 == 4 { throw Refusal() }
                        }
                    } catch is Refusal {
                        failures.add(1, ordering: .relaxed)
                    } catch let error as SQLError where error.code == .foreignKey {
                        failures.add(1, ordering: .relaxed)
                    }
                }
            }
            // Of 30 turns 6 throw and 4 name no account.
            #expect(failures.load(ordering: .relaxed) == 8 * 10)
            let entries = try database.read { db in try db.row("SELECT count(*) AS n FROM entry")?.int("n") }
            #expect(entries == 8 * 20)
        }
    }

    @Test("A database in memory behaves alike")
    func inMemory() throws {
        let database = try Database.sqliteInMemory()
        try database.migrate([ledger])
        try database.write { db in try db.run("INSERT INTO account (id, name) VALUES (1, 'Ada')") }
        #expect(try balance(of: "Ada", in: database) == 0)
        #expect(code { try database.read { db in try db.run("DELETE FROM account") } } == .readOnly)
        try database.write { db in try db.run("UPDATE account SET balance = 3") }
        #expect(try balance(of: "Ada", in: database) == 3)
        database.close()
        #expect(code { try database.write { _ in } } == .misuse)
    }

    @Test("Changed rows are counted", arguments: Database.Kind.here)
    func counts(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            try database.write { db in
                #expect(try db.run("UPDATE account SET balance = balance + 1") == 2)
                #expect(try db.run("SELECT id FROM account") == 0)
                #expect(try db.run("DELETE FROM account WHERE id = 77") == 0)
                #expect(
                    try db.run("INSERT INTO account (id, name) VALUES (1, 'Ada') ON CONFLICT DO NOTHING") == 0
                )
                let back = try db.rows("UPDATE account SET balance = 0 WHERE id = 2 RETURNING name, balance")
                #expect(try back.map { try $0.text("name") } == ["Grace"])
            }
        }
    }

    @Test("Broken rules have the same names on both databases", arguments: Database.Kind.here)
    func constraints(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            func failure(_ query: Query) -> SQLError.Code? {
                code { try database.write { db in try db.run(query) } }
            }
            #expect(failure("INSERT INTO account (id, name) VALUES (3, 'Ada')") == .unique("account.name"))
            #expect(failure("INSERT INTO account (id, name) VALUES (1, 'Eve')") == .unique("account.id"))
            #expect(failure("INSERT INTO account (id, name) VALUES (3, NULL)") == .notNull("account.name"))
            #expect(failure("UPDATE account SET balance = -1") == .check("not_overdrawn"))
            #expect(failure("INSERT INTO entry (account, position) VALUES (9, 9)") == .foreignKey)
            #expect(failure("SELECT nonsense") == .other)
        }
    }

    @Test("A query may run inside the loop over itself", arguments: Database.Kind.here)
    func sameQueryInside(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            var pairs: [String] = []
            try database.read { db in
                try db.each("SELECT name FROM account ORDER BY id") { outer in
                    try db.each("SELECT name FROM account ORDER BY id") { inner in
                        pairs.append("\(try outer.text("name"))+\(try inner.text("name"))")
                    }
                }
            }
            #expect(pairs == ["Ada+Ada", "Ada+Grace", "Grace+Ada", "Grace+Grace"])
        }
    }

    @Test("More different queries than the cache holds", arguments: Database.Kind.here)
    func cacheEviction(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            for round in 0..<2 {
                try database.write { db in
                    for number in 0..<400 {
                        let row = try db.row("SELECT \(number) + \(raw: "\(number)") AS twice")
                        #expect(try row?.int("twice") == 2 * number)
                    }
                    try db.run("UPDATE account SET balance = \(round)")
                }
            }
        }
    }
}
