import SQL
import Synchronization
import TestSupport
import Testing
import Work

@Suite("Copies")
struct BackupTests {
    @Test("A copy is whole and of one moment while others write")
    func whileWriting() throws {
        try withScratchFolder { folder in
            let database = try Database.sqlite(at: "\(folder)/quire.db")
            defer { database.close() }
            try database.migrate([ledger])
            try database.write { db in
                try db.run(
                    "INSERT INTO account (id, name, balance) VALUES (1, 'Ada', 1000), (2, 'Grace', 1000)")
                for number in 0..<3000 {
                    try db.run(
                        "INSERT INTO entry (account, position, note) VALUES (1, \(number), \("some note \(number)"))"
                    )
                }
            }
            let isDone = Atomic(false)
            try together(2) { number in
                if number == 0 {
                    while !isDone.load(ordering: .acquiring) {
                        // Money moves, never appears.
                        try database.write { db in
                            try db.run("UPDATE account SET balance = balance - 1 WHERE id = 1")
                            try db.run("UPDATE account SET balance = balance + 1 WHERE id = 2")
                        }
                    }
                } else {
                    defer { isDone.store(true, ordering: .releasing) }
                    for number in 0..<5 {
                        let seen = Monitor<[Progress.Snapshot]>([])
                        let progress = Progress { snapshot in seen.update { $0.append(snapshot) } }
                        try database.backup(to: "\(folder)/copy-\(number).db", progress: progress)
                        #expect(seen.read { $0.last?.fraction } == 1)
                    }
                }
            }
            for number in 0..<5 {
                let copy = try Database.sqlite(at: "\(folder)/copy-\(number).db")
                defer { copy.close() }
                #expect(try copy.check() == [])
                let total = try copy.read { db in
                    try db.row("SELECT sum(balance) AS n FROM account")?.int("n")
                }
                #expect(total == 2000)
            }
        }
    }

    @Test("A cancelled copy says so")
    func cancelled() throws {
        try withScratchFolder { folder in
            let database = try Database.sqlite(at: "\(folder)/quire.db")
            defer { database.close() }
            try database.migrate([ledger])
            let progress = Progress()
            progress.cancellation.cancel(reason: "enough")
            #expect(throws: Cancelled(reason: "enough")) {
                try database.backup(to: "\(folder)/copy.db", progress: progress)
            }
        }
    }
}
