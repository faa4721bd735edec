public import Access
public import Filling
import SQL
public import Storage

extension Sendings {
    /// The letters that lie beside the packets when these are taken away: as they were sent, or as they would be. Nil
    /// when nobody has written one. Those who have no address get the words alone, for whoever hands them their papers.
    public func letters(of id: ID<Batch>, by caller: Caller) throws -> Batches.Messages? {
        try caller.require(.view)
        let isThere = try store.read { desk in
            try desk.row("SELECT 1 AS there FROM batch_letter WHERE batch = \(id)") != nil
        }
        guard isThere else { return nil }
        return { packet in
            // A letter that cannot be written, for want of a sender perhaps, takes no packet away from anybody.
            guard let words = try? preview(of: id, for: packet.id, by: caller) else { return nil }
            return ExportedMessage(
                text: "\(words.subject)\n\n\(words.text)",
                whole: packet.email.isEmpty ? nil : try? message(for: packet.id, by: caller).bytes)
        }
    }
}
