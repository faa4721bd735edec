import Filling
import SQL
import Storage
import Transfer

extension Repetitions {
    /// Whom their papers have reached, or may have, so that the same papers are not sent again.
    ///
    /// Whoever had no address or a wrong one gets theirs once their row says something else; whoever was held back, once
    /// they are written to again. What a person stopped stays stopped. A batch that nobody ever sent was given out some
    /// other way.
    func reached(_ repetition: Repetition) -> Batches.Reached? {
        guard repetition.sends else { return nil }
        let suppressions = sendings.outbox.suppressions
        return { earlier, desk in
            let subjects = earlier.map { Sendings.subject($0.id) }
            let packets = Dictionary(
                try desk.rows(
                    "SELECT id, batch, state FROM packet WHERE \(Query.column("id", in: earlier.map(\.id)))"
                ).map { (try $0.text("id"), $0) }, uniquingKeysWith: { first, _ in first })
            let given = try Set(
                desk.rows(
                    "SELECT subject FROM ledger_item WHERE sent = 1 AND \(Query.column("subject", in: subjects))"
                ).map { try $0.text("subject") })
            var letters: [String: [OutboxMessage]] = [:]
            for row in try desk.rows(
                "SELECT * FROM outbox_message WHERE \(Query.column("subject", in: subjects)) ORDER BY id")
            {
                letters[try row.text("subject"), default: []].append(try OutboxMessage(row))
            }
            let batches = try Set(packets.values.map { "batch/\(try $0.text("batch"))" })
            let sent = try Set(
                desk.rows(
                    """
                    SELECT subject FROM mailing WHERE kind = 'batch' AND state <> 'cancelled'
                        AND \(Query.column("subject", in: batches.sorted()))
                    """
                ).map { try $0.text("subject") })
            var reached: Set<ID<Packet>> = []
            for packet in earlier {
                let subject = Sendings.subject(packet.id)
                let mine = letters[subject] ?? []
                guard let row = packets[packet.id.text], try row.text("state") == "made",
                    !given.contains(subject), !mine.contains(where: { $0.state.mayHaveArrived })
                else {
                    reached.insert(packet.id)
                    continue
                }
                let isDone: Bool
                switch mine.last?.state {
                case .suppressed?:
                    let unwanted = try suppressions.find(
                        mine.last?.addresses.all.map(\.address) ?? [], in: desk)
                    isDone = packet.isSameRow && !unwanted.isEmpty
                case .refused?, .bounced?: isDone = packet.isSameRow
                case nil:
                    let batch = "batch/\(try row.text("batch"))"
                    let wasTried = batch != "batch/\(repetition.batch)" || sent.contains(batch)
                    isDone = packet.isSameRow || !wasTried
                default: isDone = true
                }
                if isDone { reached.insert(packet.id) }
            }
            return reached
        }
    }
}

extension OutboxMessage.State {
    /// It has gone out, or still will, or nobody knows.
    var mayHaveArrived: Bool {
        switch self {
        case .waiting, .sending, .ending, .accepted, .uncertain: true
        case .refused, .suppressed, .bounced, .cancelled: false
        }
    }
}
