import Bytes
import Library
import SQL
public import Storage
public import Work

/// A batch as another desk is told of it: what was decided, and where it was begun.
public struct BatchCopy: Sendable, Equatable {
    public var draft: BatchDraft
    public var previous: ID<Batch>?
    /// How far it came here, under a mark that no other desk has; nil before it is begun.
    public var here: MadeElsewhere?
    public var mark: String?
    /// How far it came on other desks, each under its own mark.
    public var elsewhere: [String: MadeElsewhere]
    public var addedAt: Moment
    public var addedByName: String
    public var changedAt: Moment
    public var trashedAt: Moment?

    public init(
        draft: BatchDraft, previous: ID<Batch>?, elsewhere: [String: MadeElsewhere], addedAt: Moment,
        addedByName: String, changedAt: Moment, trashedAt: Moment? = nil
    ) {
        self.draft = draft
        self.previous = previous
        self.elsewhere = elsewhere
        self.addedAt = addedAt
        self.addedByName = addedByName
        self.changedAt = changedAt
        self.trashedAt = trashedAt
    }
}

extension Batches {
    public func batchIDs(
        after last: String, limit: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String] {
        try desk.rows("SELECT id FROM batch WHERE id > \(last) ORDER BY id LIMIT \(limit)").map {
            try $0.text("id")
        }
    }

    /// What came from another desk cannot be read.
    public static let notWhole = Failure(.damaged, "What came of a send-out is not whole.")

    /// Nil when it is not here.
    public func copy(
        of id: ID<Batch>, in desk: borrowing some Readable & ~Copyable
    ) throws -> BatchCopy? {
        guard let row = try desk.row("SELECT * FROM batch WHERE id = \(id)") else { return nil }
        let batch = try Batch(row)
        var copy = BatchCopy(
            draft: batch.draft, previous: batch.previous, elsewhere: batch.elsewhere, addedAt: batch.addedAt,
            addedByName: batch.addedByName, changedAt: batch.changedAt, trashedAt: batch.trashedAt)
        guard batch.isBegunHere, let begun = batch.begunAt else { return copy }
        var here = MadeElsewhere(state: batch.state, begunAt: begun)
        // Counted while it rests: what changes by the second is not worth a letter each time.
        if batch.state != .filling {
            let counts = try counts(of: batch, in: desk)
            here.made = counts[.made] ?? 0
            here.missing = (counts[.held] ?? 0) + (counts[.failed] ?? 0) + (counts[.planned] ?? 0)
        }
        copy.mark = try mark(of: batch, in: desk)
        copy.here = copy.mark == nil ? nil : here
        return copy
    }

    /// Of a batch that was begun here; the first packet is on no other desk.
    private func mark(of batch: Batch, in desk: borrowing some Readable & ~Copyable) throws -> String? {
        guard batch.isBegunHere else { return nil }
        return try desk.row(
            "SELECT id FROM packet WHERE batch = \(batch.id) AND plan = \(batch.plan) ORDER BY place LIMIT 1"
        )?.text("id")
    }

    /// Makes a batch what another desk says it is, under the id it has there. What has begun here stays as it is but for
    /// its name. True when what was decided is now what the copy says.
    @discardableResult
    public func put(
        _ copy: BatchCopy, as id: ID<Batch>, by actor: String, in tx: borrowing Transaction
    ) throws -> Bool {
        let draft = try Self.checked(copy.draft)
        let row = try tx.row("SELECT * FROM batch WHERE id = \(id)")
        let before = try row.map { try Batch($0) }
        let isBegunHere = before?.isBegunHere ?? false
        if before == nil {
            try tx.run(
                """
                INSERT INTO batch (id, name, name_order, name_search, state, draft, version, previous, added_at,
                    added_by, added_by_name, changed_at, changed_by)
                VALUES (\(id), \(draft.name), '', '', 'draft', \(draft.json.text), 1, \(copy.previous),
                    \(copy.addedAt), \(actor), \(copy.addedByName), \(tx.now), \(actor))
                """)
        }
        var kept = draft
        if isBegunHere, let before {
            kept = before.draft
            kept.name = draft.name
        }
        let own = try before.flatMap { try mark(of: $0, in: tx) }
        let elsewhere = copy.elsewhere.filter { $0.key != own }
        try tx.run(
            """
            UPDATE batch SET name = \(kept.name), name_order = \(FileName.order(kept.name)),
                name_search = \(FileName.search(kept.name)), draft = \(kept.json.text),
                elsewhere = \(elsewhere.isEmpty ? nil : MadeElsewhere.json(elsewhere).text),
                trashed_at = \(copy.trashedAt)
            WHERE id = \(id)
            """)
        try keepAccounts(elsewhere, of: id, in: tx)
        if copy.trashedAt != nil {
            try tx.run("UPDATE batch SET state = 'paused' WHERE id = \(id) AND state = 'filling'")
        }
        var renamed = before?.draft
        renamed?.name = kept.name
        if let renamed, renamed != kept {
            // Another plan than the one that somebody looked at.
            try tx.run(
                "UPDATE batch SET state = 'draft', version = version + 1, changed_by = \(actor) WHERE id = \(id)"
            )
            try forgetApproval(id, in: tx)
        }
        // How many letters have gone out meanwhile is no news of the batch.
        func shape(_ elsewhere: [String: MadeElsewhere]) -> [String: Batch.State] {
            elsewhere.mapValues(\.state)
        }
        guard
            before == nil || before?.draft != kept || before?.trashedAt != copy.trashedAt
                || before.map({ shape($0.elsewhere) }) != shape(elsewhere)
        else { return !isBegunHere }
        try tx.run("UPDATE batch SET changed_at = \(tx.now) WHERE id = \(id)")
        try noted(id, "received", by: actor, in: tx)
        return !isBegunHere
    }

    private func keepAccounts(
        _ elsewhere: [String: MadeElsewhere], of id: ID<Batch>, in tx: borrowing Transaction
    ) throws {
        try tx.run("DELETE FROM batch_account WHERE batch = \(id)")
        for digest in Set(elsewhere.values.compactMap(\.account)) where store.blobs.contains(digest) {
            try tx.keep(digest)
            try tx.run("INSERT INTO batch_account (batch, digest) VALUES (\(id), \(digest))")
        }
    }

    /// What is being made here is not thrown away by others.
    public func mayGo(_ id: ID<Batch>, in tx: borrowing Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS one FROM batch WHERE id = \(id) AND state = 'filling'") == nil
    }

    /// Removes a batch for good that another desk removed for good.
    public func forget(_ id: ID<Batch>, by actor: String, in tx: borrowing Transaction) throws {
        guard let row = try tx.row("SELECT name FROM batch WHERE id = \(id)") else { return }
        try remove(packets: "SELECT id FROM packet WHERE batch = \(id)", in: tx)
        try removePlans(of: id, ">= 0", in: tx)
        try tx.run("DELETE FROM batch WHERE id = \(id)")
        tx.note("batch.purged", "batch/\(id)", by: actor, ["name": .string(try row.text("name"))])
    }
}
