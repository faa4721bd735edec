public import Access
import Bytes
import SQL
public import Storage

extension Packet {
    /// Why a packet that somebody took out by hand is not there. One that is left out because nothing has changed
    /// has another reason, or none.
    static let takenOutReason = "Taken out by hand."

    /// Was taken out by hand, and can be taken in again.
    public var isTakenOut: Bool { state == .left && reason == Self.takenOutReason }
}

extension Batches {
    /// Takes packets out of their batches: they are not made, not exported and not sent. One that is made keeps its
    /// number and comes back the same.
    @discardableResult
    public func takeOut(_ ids: [ID<Packet>], by caller: Caller) throws -> [Packet] {
        try change(ids, "packets-taken-out", by: caller) { packet, summary, tx in
            guard packet.state != .left else {
                throw Failure(.conflict, "The packet of \(packet.name) is left out already.")
            }
            try tx.run(
                "UPDATE packet SET state = 'left', reason = \(Packet.takenOutReason) WHERE id = \(packet.id)")
            if packet.state == .held {
                summary.held -= 1
            } else {
                summary.planned -= 1
                summary.pages -= packet.pageCount
            }
            summary.left += 1
        }
    }

    /// Takes in again what was taken out by hand.
    @discardableResult
    public func takeIn(_ ids: [ID<Packet>], by caller: Caller) throws -> [Packet] {
        try change(ids, "packets-taken-in", by: caller) { packet, summary, tx in
            guard packet.isTakenOut else {
                throw Failure(
                    .conflict,
                    packet.state == .left
                        ? "The packet of \(packet.name) is left out because nothing in it has changed since last time."
                        : "The packet of \(packet.name) was not taken out.")
            }
            let batch = try find(packet.batch, in: tx)
            let isHeld = packet.seriousCount > 0 && !batch.draft.options.makesDespiteProblems
            let state: Packet.State = packet.digest != nil ? .made : isHeld ? .held : .planned
            let reason =
                state == .held ? "It has a serious problem; have a look at it and make it all the same." : ""
            try tx.run(
                "UPDATE packet SET state = \(state.rawValue), reason = \(reason) WHERE id = \(packet.id)")
            if state == .held {
                summary.held += 1
            } else {
                summary.planned += 1
                summary.pages += packet.pageCount
            }
            summary.left -= 1
        }
    }

    private func change(
        _ ids: [ID<Packet>], _ act: String, by caller: Caller,
        _ body: (Packet, inout PlanSummary, borrowing Transaction) throws -> Void
    ) throws -> [Packet] {
        try caller.require(.edit)
        return try store.write { tx in
            var summaries: [ID<Batch>: (summary: PlanSummary, count: Int, first: String)] = [:]
            for id in ids {
                guard let row = try tx.row("SELECT * FROM packet WHERE id = \(id)") else {
                    throw Failure(
                        .notFound, "There is no such packet. The batch may have been planned anew.")
                }
                let packet = try Packet(row)
                let batch = try find(packet.batch, in: tx)
                guard try row.int("plan") == batch.plan, batch.state != .draft else {
                    throw Failure(.conflict, "The batch has changed. Plan it again first.")
                }
                guard batch.state != .filling else {
                    throw Failure(.conflict, "The packets are being made. Pause that first.")
                }
                var known = summaries[batch.id] ?? (batch.summary ?? PlanSummary(), 0, packet.name)
                try body(packet, &known.summary, tx)
                known.count += 1
                summaries[batch.id] = known
            }
            for (id, known) in summaries {
                try tx.run("UPDATE batch SET summary = \(known.summary.json.text) WHERE id = \(id)")
                try noted(
                    id, act, by: caller.actor,
                    ["count": .int(known.count), "recipient": .string(known.first)], in: tx)
            }
            return try ids.compactMap { try tx.row("SELECT * FROM packet WHERE id = \($0)").map(Packet.init) }
        }
    }
}
