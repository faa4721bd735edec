public import Access
import Bytes
public import Jobs
import SQL
public import Storage
import Work

extension JobKind {
    public static let fillBatch = JobKind("fill-batch", title: "Make packets", maximumAttempts: 3)
    public static let planBatch = JobKind("plan-batch", title: "Plan packets", maximumAttempts: 3)
}

extension Batches {
    /// Names who does these jobs.
    public func handle(in runner: JobRunner) {
        runner.handle(.fillBatch) { run in try fill(run) }
        runner.handle(.planBatch) { run in
            guard let id = run.payload["batch"]?.string.flatMap(ID<Batch>.init) else { return }
            let planned = try plan(
                id, actor: run.payload["by"]?.string ?? "quire", name: run.payload["name"]?.string ?? "Quire",
                progress: run.progress)
            run.answer(planned.summary?.json ?? [:])
        }
    }

    private func fill(_ run: JobRun) throws {
        guard let id = run.payload["batch"]?.string.flatMap(ID<Batch>.init) else { return }
        let batch = try store.read { desk in try find(id, in: desk) }
        guard batch.state == .filling, batch.job == run.job.id, !batch.isTrashed else { return }
        do {
            try FillRun(batches: self, run: run, batch: batch, maker: try maker(of: batch)).perform(
                workers: workers)
        } catch let cancelled as Cancelled {
            throw cancelled
        } catch {
            try? stall(batch, run, error)
            throw error
        }
    }

    /// When nobody will try again by himself, the batch says why it stands still, and can be let go on.
    private func stall(_ batch: Batch, _ run: JobRun, _ error: any Error) throws {
        let failure = error as? Failure
        let isFinal =
            failure.map { [.invalid, .notFound, .denied, .tooLarge, .unsupported].contains($0.code) } ?? false
        guard isFinal || run.job.attempts >= JobKind.fillBatch.maximumAttempts else { return }
        try store.write { tx in
            let changed = try tx.run(
                """
                UPDATE batch SET state = 'paused', job = NULL, trouble = \(failure?.message ?? "\(error)")
                WHERE id = \(batch.id) AND state = 'filling' AND job = \(run.job.id)
                """)
            guard changed == 1 else { return }
            try noted(batch.id, "stalled", by: "quire/filling", in: tx)
            try witness.rested(tx)
        }
    }
}

// Starting, pausing, going on. The packets themselves say what is still to be made, so that whatever ends the work,
// going on makes what is missing and nothing twice.
extension Batches {
    /// Makes the packets, as a job; its progress counts them. Without a second member to ask, starting is approving.
    /// A batch that is being made already is not begun twice.
    @discardableResult
    public func fill(_ id: ID<Batch>, by caller: Caller) throws -> ID<Job> {
        try begin(id, "filling-begun", by: caller) { batch, tx in
            switch batch.state {
            case .approved: break
            case .planned:
                guard !batch.draft.options.needsSecondMember else {
                    throw Failure(.conflict, "Somebody else has to approve this batch before it is made.")
                }
                try tx.run(
                    """
                    UPDATE batch SET approved_at = \(tx.now), approved_by = \(caller.actor),
                        approved_by_name = \(caller.name)
                    WHERE id = \(id)
                    """)
            case .draft:
                throw Failure(.conflict, "Plan the batch first: only then can be seen what it would make.")
            case .filling: throw Failure(.conflict, "This batch is being made already.")
            case .paused: throw Failure(.conflict, "This batch is paused. Let it go on.")
            case .elsewhere: throw Self.isBegun(batch)
            case .done, .cancelled:
                throw Failure(
                    .conflict, "This batch has been made. Make a copy of it, or make what is missing.")
            }
            try access.entitlements.require(.recipients(batch.summary?.recipients ?? 0))
            try tx.run("UPDATE batch SET begun_at = \(tx.now) WHERE id = \(id)")
        }
    }

    /// Stops after the packets at hand; `resume` goes on from there.
    @discardableResult
    public func pause(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try stop(id, as: .paused, "paused", by: caller)
    }

    /// Stops for good. What was made stays made; `remake` makes the rest after all.
    @discardableResult
    public func cancel(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try stop(id, as: .cancelled, "cancelled", by: caller)
    }

    @discardableResult
    public func resume(_ id: ID<Batch>, by caller: Caller) throws -> ID<Job> {
        try begin(id, "resumed", by: caller) { batch, tx in
            let isStalled = try batch.state == .filling && !isActive(batch.job, in: tx)
            guard batch.state == .paused || isStalled else {
                throw Failure(.conflict, "Only a batch that is paused can go on.")
            }
        }
    }

    /// What is made again is made from.
    public enum RemadeRows: Sendable {
        /// The rows as they were when the batch was planned and approved.
        case asPlanned
        /// The rows as the list has them now, of those who are still on it: what was put right there since counts.
        case newest
    }

    /// Tries again what has failed, and makes what a cancelled batch left over. `held` makes also those that were
    /// held back because of a problem. Packets that are made already stay as they are.
    @discardableResult
    public func remake(
        _ id: ID<Batch>, held: Bool = false, rows: RemadeRows = .asPlanned, by caller: Caller
    ) throws -> ID<Job> {
        // Reading a list is not done while something is being written.
        let newest = rows == .newest ? try thoughtAnew(id, held: held, by: caller) : []
        return try begin(id, "remade", by: caller) { batch, tx in
            guard batch.state == .done || batch.state == .cancelled || batch.state == .paused else {
                throw Failure(.conflict, "Only what was begun can be made complete.")
            }
            let states = Self.unmade(held: held)
            try tx.run(
                """
                UPDATE packet SET state = 'planned', reason = ''
                WHERE batch = \(id) AND plan = \(batch.plan) AND state <> 'made'
                    AND \(Query.column("state", in: states))
                """)
            for (packet, thought) in newest { try keep(thought, as: packet, of: batch, held: held, in: tx) }
            guard try counts(of: batch, in: tx)[.planned, default: 0] > 0 else {
                throw Failure(
                    .conflict,
                    newest.isEmpty
                        ? "Nothing is missing: every packet has been made."
                        : "The rows as they are now have serious problems too. Put the list right first.")
            }
        }
    }

    private static func unmade(held: Bool) -> [String] {
        (held ? [Packet.State.failed, .held] : [.failed]).map(\.rawValue)
    }

    /// What is still to be made, thought through with the rows as they are now. Names stay: others may know them.
    private func thoughtAnew(
        _ id: ID<Batch>, held: Bool, by caller: Caller
    ) throws -> [(packet: Packet, thought: PacketThought)] {
        try caller.require(.edit)
        let batch = try store.read { desk in try find(id, in: desk) }
        guard !batch.draft.options.needsSecondMember else {
            throw Failure(
                .conflict,
                "Somebody else has approved the rows as they were. Make a copy of the batch, and have that approved."
            )
        }
        let maker = try maker(of: batch)
        let names = maker.pins.columns.map(\.name)
        let list = try rows.list(.init(batch.draft.list ?? ""))
        guard names == list.columns.prefix(names.count).map(\.name) else {
            throw Failure(
                .conflict,
                "The list “\(list.name)” has other columns than when this batch was planned. Make a copy of the batch and plan that."
            )
        }
        let states = Self.unmade(held: held) + [Packet.State.planned.rawValue]
        let waiting = try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM packet WHERE batch = \(id) AND plan = \(batch.plan) AND state <> 'made'
                    AND \(Query.column("state", in: states)) ORDER BY place
                """
            ).map(Packet.init)
        }
        var found: [(Packet, PacketThought)] = []
        var finder = AttachmentFinder(store)
        for start in stride(from: 0, to: waiting.count, by: PlanRun.portion) {
            let some = waiting[start..<min(start + PlanRun.portion, waiting.count)]
            let now = try rows.current(batch.draft.list ?? "", some.map(\.recipient))
            let byID = Dictionary(now.map { ($0.recipient, $0) }, uniquingKeysWith: { first, _ in first })
            let orders = some.compactMap { packet in byID[packet.recipient].map { (packet, $0) } }
            var thoughts = try workers.map(orders) { packet, row in
                var row = row
                row.cells = Array(row.cells.prefix(names.count))
                return maker.think(over: row, number: packet.place)
            }
            try finder.find(for: &thoughts)
            for ((packet, _), thought) in zip(orders, thoughts) {
                if batch.draft.options.numbering?.bates != nil, thought.pageCount != packet.pageCount {
                    throw Failure(
                        .conflict,
                        "The packet of \(packet.name) would have another number of pages, and the numbers behind it are given already. Make a copy of the batch."
                    )
                }
                found.append((packet, thought))
            }
        }
        return found
    }

    private func keep(
        _ thought: PacketThought, as packet: Packet, of batch: Batch, held: Bool, in tx: borrowing Transaction
    ) throws {
        let serious = thought.problems.count(where: \.isSerious)
        let isHeld = thought.isSerious && !held && !batch.draft.options.makesDespiteProblems
        var thought = thought
        thought.state = isHeld || thought.parts.isEmpty ? .held : .planned
        let row = thought.row
        let changed = try tx.run(
            """
            UPDATE packet SET recipient_name = \(row.name), email = \(row.email), state = \(thought.state.rawValue),
                name_search = \("\(row.name) \(row.email) \(packet.fileName)".lowercased()),
                serious = \(serious), remarks = \(thought.problems.count - serious),
                unreachable = \(thought.isUnreachable),
                page_count = \(thought.pageCount), reason = \(thought.reason), content = \(thought.content)
            WHERE id = \(packet.id) AND state != 'made'
            """)
        guard changed == 1 else { return }
        try tx.run(
            """
            UPDATE packet_content SET source = \(row.keptSource), cells = \(row.keptCells),
                problems = \(thought.keptProblems)
            WHERE packet = \(packet.id)
            """)
        try tx.run("DELETE FROM packet_attachment WHERE packet = \(packet.id)")
        for (place, file) in thought.attachments.enumerated() {
            try tx.run(
                """
                INSERT INTO packet_attachment (packet, part, place, name, digest)
                VALUES (\(packet.id), \(file.part), \(place), \(file.name), \(file.digest))
                """)
        }
    }

    /// Puts the batch into the state of being made and promises the work, in one step.
    private func begin(
        _ id: ID<Batch>, _ act: String, by caller: Caller,
        _ prepare: (Batch, borrowing Transaction) throws -> Void
    ) throws -> ID<Job> {
        try requireSigner(of: id, by: caller)
        var job: ID<Job>?
        try change(id, act, by: caller) { batch, tx in
            try prepare(batch, tx)
            let added = try queue.add(
                .fillBatch, payload: ["batch": .string(id.text)], title: "Make “\(batch.name)”", in: tx,
                unique: id.text, asks: caller.member)
            try tx.run(
                "UPDATE batch SET state = 'filling', job = \(added), ended_at = NULL, trouble = NULL WHERE id = \(id)"
            )
            job = added
            return [:]
        }
        guard let job else { throw Failure(.conflict, "This batch is being made already.") }
        return job
    }

    /// A job that ended its process again and again has been set aside, and its batch does not know.
    private func isActive(_ job: ID<Job>?, in tx: borrowing Transaction) throws -> Bool {
        guard let job, let row = try tx.row("SELECT state FROM job WHERE id = \(job)") else { return false }
        return try ["waiting", "running"].contains(row.text("state"))
    }

    private func stop(
        _ id: ID<Batch>, as state: Batch.State, _ act: String, by caller: Caller
    ) throws -> Batch {
        var job: ID<Job>?
        let stopped = try change(id, act, by: caller) { batch, tx in
            guard batch.state == .filling || batch.state == .paused else {
                throw Failure(.conflict, "This batch is not being made.")
            }
            guard batch.state != state else { return nil }
            job = batch.job
            let ended: Moment? = state == .cancelled ? tx.now : nil
            try tx.run(
                "UPDATE batch SET state = \(state.rawValue), job = NULL, ended_at = \(ended) WHERE id = \(id)"
            )
            try witness.rested(tx)
            return [:]
        }
        // The state alone would end the work at the next portion; this only makes it quicker.
        if let job { _ = try? queue.cancel(job, reason: state == .paused ? "Paused." : "Cancelled.") }
        return stopped
    }
}
