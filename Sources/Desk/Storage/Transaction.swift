public import Bytes
public import SQL
public import Work

/// Changes that are saved together or not at all.
///
/// One transaction has one `now`, so rows written together agree. Like the `write` it belongs to, it may be
/// run again from its beginning; so it changes nothing but the desk, and what has to happen once waits in
/// `afterCommit`.
public struct Transaction: ~Copyable, Readable {
    public let now: Moment
    let connection: Connection
    let ids: IDMaker
    let blobs: BlobShelf
    let notes: TransactionNotes

    public var kind: Database.Kind { connection.kind }

    public func newID<Of>(of: Of.Type = Of.self) -> ID<Of> { ids.next(at: now) }

    /// The number of rows inserted, changed or deleted.
    @discardableResult
    public func run(_ query: Query) throws(SQLError) -> Int { try connection.run(query) }

    public func rows(_ query: Query) throws(SQLError) -> [Row] { try connection.rows(query) }

    /// The one row of the answer, nil when there is none.
    public func row(_ query: Query) throws(SQLError) -> Row? { try connection.row(query) }

    /// Goes through an answer without holding all of it.
    public func each(_ query: Query, _ body: (Row) throws -> Void) throws { try connection.each(query, body) }

    /// A step that may fail without taking the transaction with it.
    public func attempt<R>(_ body: () throws -> R) throws -> R { try connection.attempt(body) }

    /// Tells listeners of the database, in every process on PostgreSQL, once this is saved.
    public func notify(_ channel: String, _ payload: String = "") throws(SQLError) {
        try connection.notify(channel, payload)
    }

    /// Writes into the journal, together with everything else.
    public func record(_ entry: JournalEntry) { notes.entries.append(entry) }

    /// The same, for the usual line.
    public func note(_ verb: String, _ subject: String, by actor: String, _ detail: JSON = [:]) {
        record(JournalEntry(actor: actor, verb: verb, subject: subject, detail: detail))
    }

    /// Runs once this is saved, on the same thread, before `write` returns; never when it is undone.
    public func afterCommit(_ body: @escaping () -> Void) { notes.afterCommit.append(body) }

    /// Makes the bytes part of the desk. Every row that names them refers to the table `blob`; when no row does
    /// any longer, a sweep removes them. To be called for bytes just put on the shelf and for bytes that get
    /// one more use.
    @discardableResult
    public func keep(_ digest: Digest) throws -> Int64 {
        let fresh = blobs.fresh(digest)
        if fresh == nil { try blobs.touch(digest) }
        let byteCount = try fresh.map { Int64($0.bytes.count) } ?? blobs.byteCount(of: digest)
        try run(
            """
            INSERT INTO blob (digest, byte_count, kept_at) VALUES (\(digest), \(byteCount), \(now))
            ON CONFLICT (digest) DO UPDATE SET kept_at = excluded.kept_at
            """)
        if let fresh {
            try run("INSERT INTO fresh_blob (digest, bytes) VALUES (\(digest), \(fresh.bytes))")
        }
        return byteCount
    }
}

/// What a transaction gathers for its end. A class, as the transaction itself is only lent to its body.
final class TransactionNotes {
    var entries: [JournalEntry] = []
    var afterCommit: [() -> Void] = []
}
