public import Access
import Bytes
import SQL
public import Storage

extension Batches {
    /// Says that the plan is as it should be. Where the options ask for it, that has to be somebody else than who
    /// planned it or drew it up.
    @discardableResult
    public func approve(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try change(id, "approved", by: caller) { batch, tx in
            switch batch.state {
            case .approved: return nil
            case .planned: break
            case .draft:
                throw Failure(.conflict, "Plan the batch first: only then can be seen what it would make.")
            case .filling, .paused, .done, .cancelled, .elsewhere: throw Self.isBegun(batch)
            }
            if batch.draft.options.needsSecondMember {
                guard caller.memberID != nil else {
                    throw Failure(
                        .denied, "A member of this desk has to approve this batch. Sign in to do it.")
                }
                guard !batch.isWork(of: caller) else {
                    throw Failure(.denied, "Somebody else than you has to approve this batch.")
                }
            }
            try tx.run(
                """
                UPDATE batch SET state = 'approved', approved_at = \(tx.now), approved_by = \(caller.actor),
                    approved_by_name = \(caller.name)
                WHERE id = \(id)
                """)
            return [:]
        }
    }

    /// Takes an approval back, as long as nothing has been made.
    @discardableResult
    public func withdrawApproval(_ id: ID<Batch>, by caller: Caller) throws -> Batch {
        try change(id, "approval-withdrawn", by: caller) { batch, tx in
            guard !batch.state.isBegun else { throw Self.isBegun(batch) }
            guard batch.state == .approved else { return nil }
            try tx.run("UPDATE batch SET state = 'planned' WHERE id = \(id)")
            try forgetApproval(id, in: tx)
            return [:]
        }
    }
}

extension Batch {
    /// Whether this person planned it or drew it up: then a second one has to approve it.
    public func isWork(of caller: Caller) -> Bool {
        caller.actor == plannedBy || caller.actor == changedBy
    }
}
