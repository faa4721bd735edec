import SQL
import Storage
public import Work

extension Outbox {
    /// Empties letters that were done with before then: their words, their addresses and what was attached. That they went
    /// out stays known, so that nobody gets the same packet twice. Gives the number of letters.
    @discardableResult
    public func forget(before moment: Moment) throws -> Int {
        let finished = OutboxMessage.State.allCases.filter(\.isFinished).map(\.rawValue)
        var count = 0
        while true {
            let some = try store.write { tx in
                let rows = try tx.rows(
                    """
                    SELECT id FROM outbox_message WHERE changed_at < \(moment) AND addresses <> '{}'
                        AND \(Query.column("state", in: finished)) LIMIT 500
                    """)
                let ids = try rows.map { try $0.text("id") }
                try tx.run("DELETE FROM outbox_attachment WHERE \(Query.column("message", in: ids))")
                try tx.run("DELETE FROM outbox_attempt WHERE \(Query.column("message", in: ids))")
                try tx.run(
                    """
                    UPDATE outbox_message SET recipient_name = '', addresses = '{}', search = '', title = '',
                        body = '', html = NULL, reason = NULL WHERE \(Query.column("id", in: ids))
                    """)
                return ids.count
            }
            count += some
            if some < 500 { return count }
        }
    }
}
