public import Access
public import Filling
import SQL
public import Storage
public import Work

/// What somebody got from another desk that is kept in step with this one.
public struct SentElsewhere: Sendable, Equatable {
    public var batch: ID<Batch>
    /// What the other desk is called.
    public var desk: String
    public var item: SentAccount.Item
}

// The accounts of other desks line by line, so that it is known at once what one person got there.
extension Sendings {
    /// The newest first: what went to one of these addresses, or to whoever is called so where no address was known.
    public func sentElsewhere(
        to addresses: [String], orCalled name: String, limit: Int = 30, by caller: Caller
    ) throws -> [SentElsewhere] {
        try caller.require(.view)
        let keys = addresses.map { $0.lowercased() }.filter { !$0.isEmpty }
        return try store.read { desk in
            try desk.rows(
                """
                SELECT s.* FROM sent_elsewhere s JOIN batch b ON b.id = s.batch AND b.trashed_at IS NULL
                WHERE (\(Query.column("s.address_key", in: keys)))
                    OR (s.address_key = '' AND s.recipient_key = \(name.lowercased()) AND s.recipient_key <> '')
                ORDER BY s.at DESC, s.batch, s.place LIMIT \(limit)
                """
            ).map {
                SentElsewhere(batch: try $0.id("batch"), desk: try $0.text("desk"), item: try Self.item($0))
            }
        }
    }

    /// Reads the accounts of a batch that have come since `before`, and writes down what is new in them.
    public func keepAccounts(
        of id: ID<Batch>, _ elsewhere: [String: MadeElsewhere], before: [String: MadeElsewhere] = [:],
        in tx: borrowing Transaction
    ) throws {
        for mark in before.keys where elsewhere[mark]?.account == nil {
            try tx.run("DELETE FROM sent_elsewhere WHERE batch = \(id) AND mark = \(mark)")
        }
        for (mark, made) in elsewhere.sorted(by: { $0.key < $1.key }) {
            guard let digest = made.account, digest != before[mark]?.account,
                store.blobs.contains(digest),
                // One that came damaged is told where it is looked at, and keeps nothing else from coming.
                let told = try? SentAccount(store.blobs.read(digest)).items
            else { continue }
            let known = Dictionary(
                try tx.rows("SELECT * FROM sent_elsewhere WHERE batch = \(id) AND mark = \(mark)").map {
                    (try $0.int("place"), try Self.item($0))
                }, uniquingKeysWith: { first, _ in first })
            for (place, item) in told.enumerated() where known[place] != item {
                try tx.run(
                    """
                    INSERT INTO sent_elsewhere (batch, mark, place, desk, recipient, recipient_key, address, address_key,
                        state, at)
                    VALUES (\(id), \(mark), \(place), \(made.desk), \(item.recipient), \(item.recipient.lowercased()),
                        \(item.address), \(item.address.lowercased()), \(item.state.rawValue), \(item.at))
                    ON CONFLICT (batch, mark, place) DO UPDATE SET desk = excluded.desk, recipient = excluded.recipient,
                        recipient_key = excluded.recipient_key, address = excluded.address,
                        address_key = excluded.address_key, state = excluded.state, at = excluded.at
                    """)
            }
            try tx.run(
                "DELETE FROM sent_elsewhere WHERE batch = \(id) AND mark = \(mark) AND place >= \(told.count)"
            )
        }
    }

    /// Of a batch that goes for good.
    public func forgetElsewhere(_ id: ID<Batch>, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM sent_elsewhere WHERE batch = \(id)")
    }

    /// Writes down accounts that came before their lines were, and forgets those of batches that are gone.
    public func readAccounts() throws {
        try store.write { tx in
            _ = try tx.run(
                "DELETE FROM sent_elsewhere WHERE NOT EXISTS (SELECT 1 FROM batch b WHERE b.id = sent_elsewhere.batch)"
            )
        }
        let ids = try store.read { desk in
            try desk.rows(
                """
                SELECT DISTINCT a.batch FROM batch_account a
                WHERE NOT EXISTS (SELECT 1 FROM sent_elsewhere s WHERE s.batch = a.batch)
                """
            ).map { try $0.id("batch", of: Batch.self) }
        }
        for id in ids {
            try store.write { tx in
                guard let copy = try batches.copy(of: id, in: tx) else { return }
                try keepAccounts(of: id, copy.elsewhere, in: tx)
            }
        }
    }

    /// As long as this desk remembers whom it sent something itself.
    public func forgetElsewhere(before moment: Moment) throws {
        try store.write { tx in _ = try tx.run("DELETE FROM sent_elsewhere WHERE at < \(moment)") }
    }

    private static func item(_ row: Row) throws -> SentAccount.Item {
        SentAccount.Item(
            recipient: try row.text("recipient"), address: try row.text("address"),
            state: try row.choice("state"), at: try row.moment("at"))
    }
}
