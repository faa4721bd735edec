public import Access
public import Bytes
public import Filling
import SQL
public import Storage
import Work

// What other desks are told of letters, and of what became of them.
extension Sendings {
    /// The letter as somebody saved it, and its files; nil before.
    public func letterCopy(
        of id: ID<Batch>, in desk: borrowing some Readable & ~Copyable
    ) throws -> (letter: JSON, files: [Digest])? {
        guard let row = try desk.row("SELECT letter FROM batch_letter WHERE batch = \(id)") else {
            return nil
        }
        let letter = try BatchLetter(kept: JSON(parsing: row.text("letter")))
        var json = letter.json.object ?? [:]
        json["version"] = nil
        return (.object(json), letter.files.map(\.digest))
    }

    /// Makes the letter what another desk says it is; nil for the usual one.
    public func putLetter(
        _ json: JSON?, of id: ID<Batch>, by actor: String, in tx: borrowing Transaction
    ) throws {
        guard try letterCopy(of: id, in: tx)?.letter.text != json?.text else { return }
        guard let json else {
            try tx.run("DELETE FROM batch_letter WHERE batch = \(id)")
            return
        }
        var letter = try BatchLetter(kept: json).checked()
        guard letter.files.count <= BatchLetter.mostFiles else {
            throw Failure(.tooMany, "A letter takes \(BatchLetter.mostFiles) files.", field: "file")
        }
        for file in letter.files where !store.blobs.contains(file.digest) {
            throw Failure(.notFound, "The file “\(file.name)” of a letter has not come yet.")
        }
        let before = try tx.row("SELECT version FROM batch_letter WHERE batch = \(id)")
        letter.version = try (before?.int("version") ?? 0) + 1
        try keep(letter, of: id, by: actor, in: tx)
    }

    /// The number of the newest line of the ledger; 0 when there is none.
    public func newestLine(in desk: borrowing some Readable & ~Copyable) throws -> Int64 {
        try desk.row("SELECT number FROM ledger_head")?.integer("number") ?? 0
    }

    /// The number of the newest line about a batch; 0 when there is none.
    public func newestLine(
        of id: ID<Batch>, in desk: borrowing some Readable & ~Copyable
    ) throws -> Int64 {
        try desk.row("SELECT max(newest) AS n FROM ledger_item WHERE run = \(Self.subject(id))")?
            .optionalInteger("n") ?? 0
    }

    /// What became of the packets of a batch that was begun here: how many went out, how many came back, and the file that
    /// names them; nil while there is nothing to tell.
    public func account(
        of id: ID<Batch>, in desk: borrowing some Readable & ~Copyable
    ) throws -> (sent: Int, replies: Int, file: SentAccount)? {
        let items = try desk.rows(
            """
            SELECT recipient, address, state, at FROM ledger_item
            WHERE run = \(Self.subject(id)) ORDER BY place
            """)
        guard !items.isEmpty else { return nil }
        var (sent, replies) = (0, 0)
        let told = try items.map { row in
            let item = SentAccount.Item(
                recipient: try row.text("recipient"), address: try row.text("address"),
                state: try row.choice("state"), at: try row.moment("at"))
            sent += item.state.isSent ? 1 : 0
            replies += item.state == .returned ? 1 : 0
            return item
        }
        return (sent, replies, SentAccount(items: told))
    }

    /// To whom a batch went that was made on another desk; nil when that is not known.
    public func accountElsewhere(of id: ID<Batch>, by caller: Caller) throws -> SentAccount? {
        guard let digest = try batches.get(id, by: caller).madeElsewhere?.account,
            store.blobs.contains(digest)
        else { return nil }
        return try SentAccount(store.blobs.read(digest))
    }
}
