import Bytes
public import Filling
public import Jobs
import SQL
import Storage
public import Work

extension JobKind {
    public static let account = JobKind(
        "account", title: "Write made packets into the ledger", maximumAttempts: 5)
}

// A line with its digest, its words and its places in every list takes the one writer longer than making the packet
// does. So while packets are made the ledger only notes for whom it owes a line, in the transaction that says that they
// are made; the lines follow when the making has ended. Whatever else is to be written about a packet waits for its first
// line.
extension Ledger {
    /// What a batch that is being made tells the ledger, with `queue` for the work that follows.
    public func witness(_ queue: JobQueue) -> Batches.Witness {
        Batches.Witness(
            made: { packets, batch, tx in try owe(packets, of: batch, in: tx) },
            rested: { tx in _ = try queue.add(.account, in: tx, unique: "ledger") })
    }

    /// Names who writes the lines.
    public func handle(in runner: JobRunner) {
        runner.handle(.account) { run in try settle(run.progress) }
    }

    /// After a power cut, say, nobody else may promise it.
    public func promiseAccount(in queue: JobQueue) throws {
        guard try store.read({ desk in try isOwing(in: desk) }) else { return }
        try store.write { tx in _ = try queue.add(.account, in: tx, unique: "ledger") }
    }

    private func owe(
        _ packets: [ID<Packet>], of batch: ID<Batch>, in tx: borrowing Transaction
    ) throws {
        guard !packets.isEmpty else { return }
        let id: ID<Ledger> = tx.newID()
        try tx.run(
            """
            INSERT INTO ledger_due (id, batch, packets)
            VALUES (\(id), \(batch), \(packets.map(\.text).joined(separator: " ")))
            """)
    }

    /// Writes all the lines that are owed, some at a time, so that others get to write in between.
    public func settle(_ progress: Progress? = nil) throws {
        repeat {
            try progress?.check()
        } while try store.write({ tx in
            if let due = try tx.row("SELECT id FROM ledger_due ORDER BY id LIMIT 1") {
                try settle(due.text("id"), in: tx)
            }
            return try isOwing(in: tx)
        })
    }

    /// Writes the lines that are owed for these, and for those made together with them.
    func settle(_ notes: [LedgerNote], in tx: borrowing Transaction) throws {
        guard try isOwing(in: tx) else { return }
        for subject in Set(notes.map(\.subject)).sorted() where subject.hasPrefix("packet/") {
            let packet = subject.dropFirst("packet/".count)
            if let due = try tx.row("SELECT id FROM ledger_due WHERE packets LIKE \("%\(packet)%") LIMIT 1") {
                try settle(due.text("id"), in: tx)
            }
        }
    }

    /// Whoever takes the note away writes the lines, so that nobody else does.
    private func settle(_ due: String, in tx: borrowing Transaction) throws {
        let gone = try tx.rows("DELETE FROM ledger_due WHERE id = \(due) RETURNING batch, packets")
        guard let row = gone.first else { return }
        let batch = try row.text("batch")
        let packets = try row.text("packets").split(separator: " ").map(String.init)
        var notes: [LedgerNote] = []
        for start in stride(from: 0, to: packets.count, by: 256) {
            let some = packets[start..<min(start + 256, packets.count)]
            notes += try tx.rows(
                "SELECT id, recipient_name, email FROM packet WHERE \(Query.column("id", in: some)) ORDER BY place"
            ).map { row in
                LedgerNote(
                    .made, subject: "packet/\(try row.text("id"))", run: "batch/\(batch)",
                    recipient: try row.text("recipient_name").onOneLine,
                    address: try row.text("email").onOneLine, actor: "quire/filling")
            }
        }
        try write(notes, in: tx)
    }

    private func isOwing(in desk: borrowing some Readable & ~Copyable) throws -> Bool {
        try desk.row("SELECT id FROM ledger_due LIMIT 1") != nil
    }
}
