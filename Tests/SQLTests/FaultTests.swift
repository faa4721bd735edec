import Glibc
import SQL
import TestSupport
import Testing
import Work

@Suite("Faults")
struct FaultTests {
    @Test("A file that is no database is called so")
    func notADatabase() throws {
        try withScratchFolder { folder in
            let path = "\(folder)/quire.db"
            try writeFile(
                path, Array("This is a shopping list, quite long.\n".utf8) + Array(repeating: 10, count: 5000)
            )
            #expect(code { _ = try Database.sqlite(at: path) } == .damaged)
        }
    }

    @Test("Where a server gives few connections, whoever wants one more waits for one that is in use")
    func fewConnections() throws {
        guard Database.Kind.here.contains(.postgres) else { return }
        try withDatabaseAddress(.postgres) { address in
            let owner = try Database.postgres(address)
            defer { owner.close() }
            let role = "few_" + (address.split(separator: "=").last.map(String.init) ?? "")
            try owner.write { db in try db.run(Query(raw: "CREATE ROLE \(role) LOGIN CONNECTION LIMIT 2")) }
            defer { try? owner.write { db in _ = try db.run(Query(raw: "DROP ROLE \(role)")) } }
            let few = try Database.postgres(
                address.replacing("user=quire", with: "user=\(role)"), connections: 8)
            defer { few.close() }
            let workers = Workers(name: "few", threads: 8)
            defer { workers.stop() }
            let answers = try workers.map(Array(0..<40)) { number in
                try few.read { db in
                    try db.row("SELECT CAST(\(number) AS INTEGER) AS n, pg_sleep(0.01)")?.int("n")
                }
            }
            #expect(answers.compactMap { $0 } == Array(0..<40))
        }
    }

    @Test("Damaged pages are found by the check and named by a read")
    func damagedPages() throws {
        try withScratchFolder { folder in
            let path = "\(folder)/quire.db"
            let database = try Database.sqlite(at: path)
            try database.migrate([ledger])
            try database.write { db in
                for number in 0..<2000 {
                    try db.run(
                        "INSERT INTO account (id, name) VALUES (\(number), \("somebody called \(number)"))")
                }
            }
            #expect(try database.check() == [])
            database.close()
            var bytes = try readFile(path)
            for place in 8192..<40960 { bytes[place] = UInt8(truncatingIfNeeded: place &* 31) }
            try writeFile(path, bytes)
            let damaged = try Database.sqlite(at: path)
            defer { damaged.close() }
            #expect(try !damaged.check().isEmpty)
            let said = code {
                try damaged.read { db in _ = try db.rows("SELECT * FROM account ORDER BY name") }
            }
            #expect(said == .damaged)
        }
    }

    @Test("A full disk is said, and what was saved before stays")
    func fullDisk() throws {
        try withScratchFolder { folder in
            // A file system of its own needs privileges; without them the size of the file is limited.
            let isMounted = mount("none", folder, "tmpfs", 0, "size=2m") == 0
            defer { if isMounted { umount2(folder, Int32(MNT_DETACH)) } }
            let database = try Database.sqlite(at: "\(folder)/quire.db")
            defer { database.close() }
            try database.migrate([ledger])
            try database.write { db in
                try db.run("INSERT INTO account (id, name) VALUES (1, 'Ada')")
                if !isMounted { _ = try db.rows("PRAGMA max_page_count = 100") }
            }
            let long = String(repeating: "x", count: 100_000)
            let said = code {
                for number in 0..<100 {
                    try database.write { db in
                        try db.run(
                            "INSERT INTO entry (account, position, note) VALUES (1, \(number), \(long))")
                    }
                }
            }
            #expect(said == .full)
            #expect(try balance(of: "Ada", in: database) == 0)
            #expect(try database.check() == [])
        }
    }

    @Test("A path that cannot be opened is named")
    func unreachable() throws {
        do {
            _ = try Database.sqlite(at: "/nowhere/at/all/quire.db")
            Issue.record("opened")
        } catch {
            #expect(error.code == .unreachable)
            #expect(error.message.contains("/nowhere/at/all/quire.db"))
        }
    }

    @Test("No server, no database", .enabled(if: PostgresCluster.isInstalled))
    func noServer() throws {
        #expect(code { _ = try Database.postgres("host=/nowhere user=quire dbname=x") } == .unreachable)
        #expect(code { _ = try Database.postgres("this is = not a conninfo") } == .unreachable)
    }

    @Test("Connections broken by the server are made again", .enabled(if: PostgresCluster.isInstalled))
    func reconnects() throws {
        try withDatabaseAddress(.postgres) { address in
            let database = try Database.postgres(address)
            defer { database.close() }
            try database.migrate([ledger])
            try database.write { db in try db.run("INSERT INTO account (id, name) VALUES (1, 'Ada')") }
            #expect(try balance(of: "Ada", in: database) == 0)
            try PostgresCluster.shared.breakConnections(to: address)
            #expect(try balance(of: "Ada", in: database) == 0)
            var turns = 0
            try database.write { db in
                turns += 1
                try db.run("UPDATE account SET balance = balance + 1")
                if turns == 1 { try PostgresCluster.shared.breakConnections(to: address) }
                try db.run("UPDATE account SET balance = balance + 1")
            }
            #expect(turns == 2)
            #expect(try balance(of: "Ada", in: database) == 2)
        }
    }

    private func readFile(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = Array(repeating: 0, count: 1 << 22)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    private func writeFile(_ path: String, _ bytes: [UInt8]) throws {
        let file = try #require(fopen(path, "we"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
