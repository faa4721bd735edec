public import Access
import Bytes
import Formulas
public import Jobs
public import Library
import SQL
public import SigningKeys
public import Storage
public import Work

/// Batches of packets: drafted, planned, approved, made, exported.
///
/// ```swift
/// let batch = try batches.make(BatchDraft(name: "Consent 2026", list: list, parts: parts), by: caller)
/// let planned = try batches.plan(batch.id, by: caller)     // nothing is made yet
/// try batches.approve(batch.id, by: caller)
/// let job = try batches.fill(batch.id, by: caller)         // makes the packets, as a job
/// ```
public struct Batches: Sendable {
    /// What happened here, after it was saved; on the thread that did it.
    public let changes = Broadcast<BatchChange>()
    let templates: Templates
    let mappings: SavedMappings
    let documents: Documents
    let queue: JobQueue
    let rows: RowSource
    let previews: PagePreviews?
    let identities: Identities?
    let circumstances: Circumstances
    let workers: Workers
    let makers: MakerShelf
    let witness: Witness
    var store: Store { templates.store }
    var access: Gate { templates.access }

    /// Hears of packets that were made, in the transaction that says so.
    public struct Witness: Sendable {
        public typealias Made = @Sendable ([ID<Packet>], ID<Batch>, borrowing Transaction) throws -> Void
        public typealias Rested = @Sendable (borrowing Transaction) throws -> Void

        let made: Made
        /// No more are made for now: what takes time and has to be told can be told.
        let rested: Rested

        public init(made: @escaping Made = { _, _, _ in }, rested: @escaping Rested = { _ in }) {
            self.made = made
            self.rested = rested
        }
    }

    /// What packets depend on that is neither in the batch nor in its recipients.
    public struct Circumstances: Sendable {
        /// The Quire that makes them.
        public var version: String
        /// Which day it is where the desk stands.
        public var today: @Sendable (Moment) -> WallTime
        /// How numbers and days are written there: `es-MX`; empty for the usual.
        public var locale: @Sendable () -> String
        public var threads: Int

        public init(
            version: String = "", threads: Int = 2,
            today: @escaping @Sendable (Moment) -> WallTime = { TimeZoneRules.utc.wallTime(at: $0) },
            locale: @escaping @Sendable () -> String = { "" }
        ) {
            self.version = version
            self.threads = threads
            self.today = today
            self.locale = locale
        }
    }

    /// Without `previews` no pictures of packets can be asked for, and without `identities` none is signed.
    public init(
        templates: Templates, mappings: SavedMappings, documents: Documents, queue: JobQueue, rows: RowSource,
        previews: PagePreviews? = nil, identities: Identities? = nil,
        circumstances: Circumstances = Circumstances(), witness: Witness = Witness()
    ) {
        self.templates = templates
        self.mappings = mappings
        self.documents = documents
        self.queue = queue
        self.rows = rows
        self.previews = previews
        self.identities = identities
        self.circumstances = circumstances
        // Whoever looks at a page meanwhile goes first, and so does what writes down the packets that are made.
        workers = Workers(name: "packets", threads: max(1, circumstances.threads), isPolite: true)
        makers = MakerShelf()
        self.witness = witness
    }

    /// What names no locale begins with that of the desk; one that the desk does not know either is the usual one.
    public func make(_ draft: BatchDraft, by caller: Caller) throws -> Batch {
        try caller.require(.edit)
        var draft = try Self.checked(draft)
        if draft.options.locale.isEmpty { draft.options.locale = usualLocale }
        return try store.write { tx in try add(draft, copyOf: nil, by: caller, in: tx) }
    }

    /// The locale that a new batch begins with; empty where it is the usual one.
    public var usualLocale: String { Self.locale(of: circumstances.locale()) }

    /// Where a language is written as usual, nothing has to be said.
    public static func locale(of language: String) -> String {
        FormulaLocale(language).map { $0.isUsual ? "" : $0.code } ?? ""
    }

    public func get(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try caller.require(.view)
        return try store.read { desk in try find(id, for: caller, in: desk) }
    }

    /// The names of its forms in their order; those that are gone or closed to the caller are left out.
    public func forms(of batch: Batch, by caller: Caller) -> [String] {
        batch.draft.parts.compactMap { part in
            guard case .template(let id, _) = part.content else { return nil }
            return try? templates.get(id, by: caller).name
        }
    }

    /// How many people it is for, as its list is now.
    public func recipientCount(of batch: Batch) throws -> Int {
        try batch.draft.whom.map { try rows.list($0).count } ?? 0
    }

    /// Decides anew. A plan made before no longer holds, and an approval neither. With `ifVersion`, only when nobody
    /// else has changed the draft since.
    @discardableResult
    public func change(
        _ id: ID<Batch>, to draft: BatchDraft, ifVersion: Int? = nil, by caller: Caller
    ) throws -> Batch {
        let draft = try Self.checked(draft)
        return try change(id, "changed", by: caller) { batch, tx in
            guard ifVersion == nil || ifVersion == batch.version else {
                throw Failure(.conflict, "Somebody else has changed this batch meanwhile. Load it again.")
            }
            guard draft != batch.draft else { return nil }
            // Another name changes nothing about the packets.
            var renamed = batch.draft
            renamed.name = draft.name
            guard !batch.state.isBegun || renamed == draft else { throw Self.isBegun(batch) }
            let isDraft = renamed != draft
            try tx.run(
                """
                UPDATE batch SET name = \(draft.name), name_order = \(FileName.order(draft.name)),
                    name_search = \(FileName.search(draft.name)), draft = \(draft.json.text),
                    state = \(isDraft ? "'draft'" : "state" as Query),
                    version = version + 1, changed_by = \(caller.actor)
                WHERE id = \(id)
                """)
            if isDraft { try forgetApproval(id, in: tx) }
            return ["version": .int(batch.version + 1)]
        }
    }

    /// A new draft like this batch. Its plan says what has changed since.
    public func duplicate(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try caller.require(.edit)
        return try store.write { tx in
            let original = try find(id, for: caller, in: tx)
            var draft = original.draft
            let taken = try Set(
                tx.rows("SELECT name FROM batch WHERE trashed_at IS NULL").map {
                    try $0.text("name").lowercased()
                })
            draft.name = SavedMappings.free(original.name, among: taken)
            return try add(draft, copyOf: original, by: caller, in: tx)
        }
    }

    /// Takes a batch away; `restore` brings it back.
    @discardableResult
    public func trash(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try change(id, "trashed", allowsTrashed: true, by: caller) { batch, tx in
            guard !batch.isTrashed else { return nil }
            // Whoever is making it sees that it may not go on.
            try tx.run(
                """
                UPDATE batch SET trashed_at = \(tx.now),
                    state = CASE WHEN state = 'filling' THEN 'paused' ELSE state END
                WHERE id = \(id)
                """)
            return [:]
        }
    }

    @discardableResult
    public func restore(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try change(id, "restored", allowsTrashed: true, by: caller) { batch, tx in
            guard batch.isTrashed else { return nil }
            try tx.run("UPDATE batch SET trashed_at = NULL WHERE id = \(id)")
            return [:]
        }
    }

    /// Takes away for good what was only thought through, to see what it would bring, and never begun.
    public func discard(_ id: ID<Batch>, by caller: Caller) throws {
        try caller.require(.edit)
        let seen = try get(id, by: caller)
        guard !seen.state.isBegun else { throw Self.isBegun(seen) }
        try forget(id, plans: ">= 0")
        try store.write { tx in
            let batch = try find(id, for: caller, in: tx)
            guard !batch.state.isBegun else { throw Self.isBegun(batch) }
            try tx.run("DELETE FROM batch WHERE id = \(id)")
            tx.note("batch.discarded", "batch/\(id)", by: caller.actor)
        }
    }

    /// Batches that have been in the trash for so long go for good, with their packets. Run by the desk's own upkeep.
    @discardableResult
    public func purgeTrash(after time: Duration = Documents.usualTrashTime) throws -> Int {
        let limit = store.clock.now() - time
        let old = try store.read { desk in
            try desk.rows(
                "SELECT id FROM batch WHERE trashed_at IS NOT NULL AND trashed_at <= \(limit) ORDER BY id"
            ).map { try $0.id("id", of: Batch.self) }
        }
        var count = 0
        for id in old {
            // The packets go some at a time, and the batch last: what is interrupted goes on the next night.
            try forget(id, plans: ">= 0")
            count += try store.write { tx in
                let batch = try find(id, in: tx)
                guard let trashed = batch.trashedAt, trashed <= limit else { return 0 }
                try tx.run("DELETE FROM batch WHERE id = \(id)")
                tx.note(
                    "batch.purged", "batch/\(id)", by: "quire/purge", ["name": .string(batch.name)])
                return 1
            }
        }
        return count
    }
}

extension Batches {
    func find(_ id: ID<Batch>, in desk: borrowing some Readable & ~Copyable) throws -> Batch {
        guard let row = try desk.row("SELECT * FROM batch WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such batch. It may have been removed.")
        }
        return try Batch(row)
    }

    public static func isBegun(_ batch: Batch) -> Failure {
        guard batch.state == .elsewhere, let there = batch.madeElsewhere else {
            return Failure(
                .conflict,
                "This batch has begun to be made and stays as it is. Make a copy of it to change something.")
        }
        return Failure(
            .conflict,
            "“\(batch.name)” was made on the desk “\(there.desk)”, and goes on there. Make a copy of it to make it here too."
        )
    }

    /// One change to a batch that is there. The body gives back what the journal should know, nil when there was
    /// nothing to do.
    @discardableResult
    func change(
        _ id: ID<Batch>, _ act: String, allowsTrashed: Bool = false, by caller: Caller,
        _ body: (Batch, borrowing Transaction) throws -> JSONObject?
    ) throws -> Batch {
        try caller.require(.edit)
        return try store.write { tx in
            let batch = try find(id, for: caller, in: tx)
            guard allowsTrashed || !batch.isTrashed else {
                throw Failure(.conflict, "This batch lies in the trash. Bring it back first.")
            }
            guard let detail = try body(batch, tx) else { return batch }
            try tx.run("UPDATE batch SET changed_at = \(tx.now) WHERE id = \(id)")
            return try noted(id, act, by: caller.actor, detail, in: tx)
        }
    }

    /// The batch as it is now, with a line in the journal about how it came to be so.
    @discardableResult
    func noted(
        _ id: ID<Batch>, _ act: String, by actor: String, _ detail: JSONObject = [:],
        in tx: borrowing Transaction
    ) throws -> Batch {
        let batch = try find(id, in: tx)
        var detail = detail
        detail["name"] = .string(batch.name)
        tx.note("batch.\(act)", "batch/\(id)", by: actor, .object(detail))
        tell(batch, in: tx)
        return batch
    }

    func tell(_ batch: Batch, in tx: borrowing Transaction) {
        let change = BatchChange(batch: batch.id, state: batch.state)
        tx.afterCommit { [changes] in changes.send(change) }
    }

    func forgetApproval(_ id: ID<Batch>, in tx: borrowing Transaction) throws {
        try tx.run(
            "UPDATE batch SET approved_at = NULL, approved_by = NULL, approved_by_name = NULL WHERE id = \(id)"
        )
    }

    private func add(
        _ draft: BatchDraft, copyOf original: Batch?, by caller: Caller, in tx: borrowing Transaction
    ) throws -> Batch {
        let id: ID<Batch> = tx.newID()
        try tx.run(
            """
            INSERT INTO batch (id, name, name_order, name_search, state, draft, version, previous, added_at, added_by,
                added_by_name, changed_at, changed_by)
            VALUES (\(id), \(draft.name), \(FileName.order(draft.name)), \(FileName.search(draft.name)), 'draft',
                \(draft.json.text), 1, \(original?.id), \(tx.now), \(caller.actor), \(caller.name), \(tx.now),
                \(caller.actor))
            """)
        return try noted(
            id, "added", by: caller.actor, original.map { ["copyOf": .string($0.id.text)] } ?? [:], in: tx)
    }

    static func checked(_ draft: BatchDraft) throws -> BatchDraft {
        var draft = draft
        guard let name = FileName.title(draft.name) else {
            throw Failure(.invalid, "A batch needs a name.", field: "name")
        }
        draft.name = name
        guard draft.parts.count <= 64 else {
            throw Failure(.invalid, "A packet has at most 64 parts.", field: "parts")
        }
        guard draft.json.text.utf8.count <= 1 << 18 else {
            throw Failure(.tooLarge, "The description of this batch is too long.")
        }
        if draft.naming.allSatisfy(\.isWhitespace) { draft.naming = BatchDraft.usualNaming }
        return draft
    }
}
