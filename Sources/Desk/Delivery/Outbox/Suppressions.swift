public import Access
import SQL
import Storage
import Transfer
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
        guard let address = MailAddress(parsing: address)?.address else {
            throw Failure.notAnAddress(address, field: "address")
        }
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

    /// Those of a letter's addresses that get nothing.
    func find(
        _ addresses: OutboxMessage.Addresses, in desk: borrowing some Readable & ~Copyable
    ) throws -> Unwanted {
        Unwanted(reasons: try find(addresses.all.map(\.address), in: desk))
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

/// Addresses to which nothing is sent any more, in small letters, with why.
struct Unwanted: Sendable, Equatable {
    var reasons: [String: String]

    /// Whether this letter stays here: of those it is written to nobody is left. Somebody who gets a copy is no reason
    /// for it to go.
    func holdsBack(_ addresses: OutboxMessage.Addresses) -> Bool {
        guard !reasons.isEmpty else { return false }
        let rest = addresses.without(self)
        return addresses.to.isEmpty ? rest.all.isEmpty : rest.to.isEmpty
    }

    /// Why it stays, or who of several is left out; nil when everybody gets theirs.
    func words(for addresses: OutboxMessage.Addresses) -> String? {
        let named = addresses.all.compactMap { mailbox in
            reasons[mailbox.address.lowercased()].map { (mailbox.address, $0) }
        }
        guard let first = named.first else { return nil }
        if holdsBack(addresses) { return "Nothing is sent to this address any more: \(first.1)" }
        return named.map { "Nothing is sent to \($0) any more: \($1)" }.joined(separator: " ")
    }
}
