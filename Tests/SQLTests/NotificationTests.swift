import SQL
import TestSupport
import Testing
import Work

@Suite("Notifications")
struct NotificationTests {
    struct Refusal: Error {}

    @Test("Arrive after the commit, and never after a rollback", arguments: Database.Kind.here)
    func commit(kind: Database.Kind) throws {
        try withLedger(kind) { database in
            let heard = Monitor<[String]>([])
            let subscription = try database.listen("news") { payload in heard.update { $0.append(payload) } }
            _ = try? database.write { db in
                try db.notify("news", "undone")
                throw Refusal()
            }
            try database.write { db in
                try db.notify("news", "saved")
                try db.notify("other", "for somebody else")
                #expect(heard.read { $0.isEmpty })
            }
            try database.notify("news", "said")
            #expect(heard.wait(timeout: .seconds(60)) { $0.count == 2 ? $0 : nil } == ["saved", "said"])
            subscription.cancel()
        }
    }

    @Test(
        "Reach another process's connection, and say when something may have been missed",
        .enabled(if: PostgresCluster.isInstalled))
    func acrossConnections() throws {
        try withDatabaseAddress(.postgres) { address in
            let here = try Database.postgres(address)
            let there = try Database.postgres(address)
            defer {
                here.close()
                there.close()
            }
            let heard = Monitor<[String]>([])
            let subscription = try here.listen("Neu\"es") { payload in heard.update { $0.append(payload) } }
            try there.notify("Neu\"es", "grüß dich")
            #expect(heard.wait(timeout: .seconds(60)) { $0.isEmpty ? nil : $0 } == ["grüß dich"])
            try PostgresCluster.shared.breakConnections(to: address)
            #expect(heard.wait(timeout: .seconds(60)) { $0.count < 2 ? nil : $0.last } == "")
            try there.notify("Neu\"es", "again")
            #expect(heard.wait(timeout: .seconds(60)) { $0.count < 3 ? nil : $0.last } == "again")
            subscription.cancel()
        }
    }

    @Test("Schemas keep their channels and tables apart", .enabled(if: PostgresCluster.isInstalled))
    func schemas() throws {
        try withDatabaseAddress(.postgres) { address in
            let first = try Database.postgres(address, schema: "First")
            let second = try Database.postgres(address, schema: "second")
            defer {
                first.close()
                second.close()
            }
            try first.migrate([ledger])
            try second.migrate([ledger])
            try first.write { db in try db.run("INSERT INTO account (id, name) VALUES (1, 'Ada')") }
            #expect(try balance(of: "Ada", in: first) == 0)
            #expect(try balance(of: "Ada", in: second) == nil)
            let heard = Monitor<[String]>([])
            let subscription = try second.listen("news") { payload in heard.update { $0.append(payload) } }
            try first.notify("news", "first")
            try second.notify("news", "second")
            #expect(heard.wait(timeout: .seconds(60)) { $0.first } == "second")
            subscription.cancel()
        }
    }
}
