public import Access
import Bytes
public import Jobs
import SQL
public import Storage
public import Work

extension Batches {
    /// Thinks every packet through: what it would be made of, how it would be called, what would go wrong. Nothing is
    /// made. What it found is in the batch's `summary`, and for each recipient in `packets(of:)`; everything the packets
    /// are made from is held fast, so that what is approved is what will be made.
    ///
    /// About a second for ten thousand recipients; for more, `planLater` does it as a job.
    ///
    /// In a copy, whoever would get the same papers as before has them already; with `reached`, only when that says so.
    @discardableResult
    public func plan(
        _ id: ID<Batch>, reached: Reached? = nil, by caller: Caller, progress: Progress = Progress()
    ) throws -> Batch {
        try caller.require(.edit)
        return try plan(id, actor: caller.actor, name: caller.name, reached: reached, progress: progress)
    }

    func plan(
        _ id: ID<Batch>, actor: String, name: String, reached: Reached? = nil, progress: Progress
    ) throws -> Batch {
        let (batch, number) = try begin(id)
        do {
            let (pins, remarks) = try PinMaker(self, batch).pins()
            let maker = try PacketMaker(pins, store: store, shelf: templates.shelf)
            try keep(pins, of: batch, as: number)
            let run = Monitor(PlanRun(self, batch, number: number, maker: maker, reached: reached))
            progress.set(done: 0, total: Int64(pins.rowCount))
            progress.phase("Looking at recipients")
            try think(batch, run, progress)
            return try finish(
                batch, number, run.update { $0.finish(remarks: remarks) }, by: actor, called: name)
        } catch {
            _ = try? forget(batch.id, plans: "= \(number)")
            throw error
        }
    }

    /// Whether anything the plan was made from has changed since, so that what it shows is not what would be made now.
    public func isStale(_ batch: Batch, by caller: Caller) throws -> Bool {
        try caller.require(.view)
        guard batch.state != .draft, let planned = batch.plannedAt else { return !batch.state.isBegun }
        guard batch.state == .planned else { return false }
        if let list = batch.draft.list, let changed = try rows.changedAt(list), changed > planned {
            return true
        }
        for part in batch.draft.parts {
            guard case .template(let id, let mapping) = part.content else { continue }
            if try templates.get(id, by: caller).changedAt > planned { return true }
            if let mapping, try mappings.get(mapping, by: caller).changedAt > planned { return true }
        }
        return false
    }

    /// The same as a job, for long lists. Planning again while it waits is one planning.
    @discardableResult
    public func planLater(_ id: ID<Batch>, by caller: Caller) throws -> ID<Job> {
        try caller.require(.edit)
        return try store.write { tx in
            let batch = try find(id, in: tx)
            guard !batch.state.isBegun else { throw Self.isBegun(batch) }
            return try queue.add(
                .planBatch,
                payload: [
                    "batch": .string(id.text), "by": .string(caller.actor), "name": .string(caller.name),
                ],
                title: "Plan “\(batch.name)”", in: tx, unique: id.text, asks: caller.member)
        }
    }

    /// While one portion is thought through and written down, the next is already being read.
    private func think(_ batch: Batch, _ run: Monitor<PlanRun>, _ progress: Progress) throws {
        // Reading holds one snapshot of the list, in which nothing can be written; so writing has its own thread.
        let desk = Workers(name: "plan-desk", threads: 1)
        defer { desk.stop() }
        var portion: [PacketRow] = []
        var waiting: Errand<Void>?
        func handOver() throws {
            try waiting?.finish()
            try progress.check()
            let rows = portion
            portion = []
            waiting = Errand(on: desk) {
                let done = try run.update { try $0.add(rows) }
                progress.set(done: Int64(done), total: progress.snapshot.total)
            }
        }
        guard let whom = batch.draft.whom else { return }
        try rows.each(whom) { row in
            portion.append(row)
            if portion.count == PlanRun.portion { try handOver() }
        }
        if !portion.isEmpty { try handOver() }
        try waiting?.finish()
    }

    private func begin(_ id: ID<Batch>) throws -> (Batch, number: Int) {
        try store.write { tx in
            let batch = try find(id, in: tx)
            guard !batch.isTrashed else {
                throw Failure(.conflict, "This batch lies in the trash. Bring it back first.")
            }
            guard !batch.state.isBegun else { throw Self.isBegun(batch) }
            try checkAncestor(of: batch, in: tx)
            let row = try tx.row(
                "UPDATE batch SET next_plan = next_plan + 1 WHERE id = \(id) RETURNING next_plan - 1 AS number"
            )
            guard let row else {
                throw Failure(.notFound, "There is no such batch. It may have been removed.")
            }
            return (batch, try row.int("number"))
        }
    }

    /// Who got what from a batch that was made on another desk is not known here as closely as on that one: everybody
    /// would be taken for somebody who has nothing yet, and get the same again.
    private func checkAncestor(of batch: Batch, in tx: borrowing Transaction) throws {
        guard batch.draft.options.onlyChanged, let id = batch.previous,
            let before = try? find(id, in: tx), before.state == .elsewhere, let there = before.madeElsewhere
        else { return }
        throw Failure(
            .conflict,
            "“\(before.name)” was made on the desk “\(there.desk)”. Who would get something new is known only there: make the copy there, or switch off “Only what changed”."
        )
    }

    private func keep(_ pins: Pins, of batch: Batch, as number: Int) throws {
        try store.write { tx in
            try tx.run(
                "INSERT INTO batch_plan (batch, number, pins) VALUES (\(batch.id), \(number), \(pins.json.text))"
            )
            for (index, part) in pins.parts.enumerated() {
                guard let digest = part.digest else { continue }
                try tx.run(
                    """
                    INSERT INTO batch_pin (batch, plan, part, digest)
                    VALUES (\(batch.id), \(number), \(index), \(digest))
                    """)
            }
        }
    }

    /// Makes the plan the one that counts, if the batch is still what was planned.
    private func finish(
        _ batch: Batch, _ number: Int, _ summary: PlanSummary, by actor: String, called name: String
    ) throws -> Batch {
        try access.entitlements.require(.recipients(summary.recipients))
        guard summary.recipients > 0 else {
            throw Failure(.conflict, "The list has no recipients. Add some, or choose another audience.")
        }
        let planned = try store.write { tx in
            let changed = try tx.run(
                """
                UPDATE batch SET state = 'planned', plan = \(number), summary = \(summary.json.text),
                    planned_at = \(tx.now), planned_by = \(actor), planned_by_name = \(name)
                WHERE id = \(batch.id) AND version = \(batch.version) AND next_plan = \(number + 1)
                    AND state IN ('draft', 'planned', 'approved')
                """)
            guard changed == 1 else {
                throw Failure(
                    .conflict, "The batch was changed or planned again meanwhile. Plan it once more.")
            }
            try forgetApproval(batch.id, in: tx)
            return try noted(
                batch.id, "planned", by: actor,
                ["recipients": .int(summary.recipients), "held": .int(summary.held)], in: tx)
        }
        _ = try? forget(batch.id, plans: "< \(number)")
        return planned
    }

    /// Removes the packets of plans that do not count, some at a time, so that others get to write in between.
    func forget(_ id: ID<Batch>, plans which: Query) throws {
        var count = 0
        repeat {
            count = try store.write { tx in
                try remove(
                    packets:
                        "SELECT id FROM packet WHERE batch = \(id) AND plan \(which) ORDER BY place LIMIT 2000",
                    in: tx)
            }
        } while count > 0
        try store.write { tx in try removePlans(of: id, which, in: tx) }
    }

    @discardableResult
    func remove(packets: Query, in tx: borrowing Transaction) throws -> Int {
        try tx.run("DELETE FROM packet_attachment WHERE packet IN (\(packets))")
        try tx.run("DELETE FROM packet_content WHERE packet IN (\(packets))")
        try tx.run("DELETE FROM signed_packet WHERE packet IN (\(packets))")
        return try tx.run("DELETE FROM packet WHERE id IN (\(packets))")
    }

    /// When their packets are gone.
    func removePlans(of id: ID<Batch>, _ which: Query, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM batch_pin WHERE batch = \(id) AND plan \(which)")
        try tx.run("DELETE FROM batch_plan WHERE batch = \(id) AND number \(which)")
    }
}
