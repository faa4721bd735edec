public import Access
import SQL
import Storage
public import Work

/// Addresses to which nothing is sent any more: mail to them came back, or their owner asked.
public struct Suppressions: Sendable {
    let store: Store

    public struct Entry: Sendable, Equatable {
        public var address: String
        public var reason: String
        public var at: Moment
    }

    public func list(by caller: Caller) throws -> [Entry] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT * FROM suppressed_address ORDER BY at DESC, address").map {
                Entry(address: try $0.text("address"), reason: try $0.text("reason"), at: try $0.moment("at"))
            }
        }
    }

    public func add(_ address: String, reason: String, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            try add(address, reason: reason, in: tx)
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "address.suppressed",
                    subject: "address/\(address.lowercased())"))
        }
    }

    public func remove(_ address: String, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            guard try tx.run("DELETE FROM suppressed_address WHERE address = \(address.lowercased())") == 1
            else {
                throw Failure(.notFound, "“\(address)” is not on the list.")
            }
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "address.allowed", subject: "address/\(address.lowercased())"))
        }
    }

    func add(_ address: String, reason: String, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO suppressed_address (address, reason, at) VALUES (\(address.lowercased()), \(reason), \(tx.now))
            ON CONFLICT (address) DO NOTHING
            """)
    }

    /// Those of the addresses that are on the list, with why.
    func find(_ addresses: [String], in desk: borrowing some Readable & ~Copyable) throws -> [String: String]
    {
        var found: [String: String] = [:]
        for address in Set(addresses.map { $0.lowercased() }) {
            if let row = try desk.row("SELECT reason FROM suppressed_address WHERE address = \(address)") {
                found[address] = try row.text("reason")
            }
        }
        return found
    }
}
