import SQL
import Storage
import Synchronization

/// Makers of the plans looked at last: who opens one packet often opens the next.
final class MakerShelf: Sendable {
    private struct Key: Hashable {
        var batch: ID<Batch>
        var plan: Int
    }

    private static let most = 4
    private let makers = Mutex<[(key: Key, maker: PacketMaker)]>([])

    func maker(
        of batch: ID<Batch>, plan: Int, otherwise make: () throws -> PacketMaker
    ) rethrows -> PacketMaker {
        let key = Key(batch: batch, plan: plan)
        if let kept = makers.withLock({ makers in makers.first { $0.key == key }?.maker }) { return kept }
        let made = try make()
        makers.withLock { makers in
            makers.removeAll { $0.key == key }
            makers.append((key, made))
            if makers.count > Self.most { makers.removeFirst() }
        }
        return made
    }
}

extension Batches {
    func maker(of batch: Batch) throws -> PacketMaker {
        try maker(of: batch.id, plan: batch.plan)
    }

    func maker(of batch: ID<Batch>, plan: Int) throws -> PacketMaker {
        try makers.maker(of: batch, plan: plan) {
            let row = try store.read { desk in
                try desk.row("SELECT pins FROM batch_plan WHERE batch = \(batch) AND number = \(plan)")
            }
            guard let row else { throw Failure(.conflict, "Plan the batch first: there are no packets yet.") }
            return try PacketMaker(Pins(kept: row.json("pins")), store: store, shelf: templates.shelf)
        }
    }

    /// Papers of their own, by packet.
    func attachments(
        of packets: [String], in desk: borrowing some Readable & ~Copyable
    ) throws -> [String: [PacketThought.Attachment]] {
        var found: [String: [PacketThought.Attachment]] = [:]
        for start in stride(from: 0, to: packets.count, by: 500) {
            let rows = try desk.rows(
                """
                SELECT packet, part, name, digest FROM packet_attachment
                WHERE \(Query.column("packet", in: packets[start..<min(start + 500, packets.count)]))
                ORDER BY packet, part, place
                """)
            for row in rows {
                found[try row.text("packet"), default: []].append(
                    .init(
                        part: try row.int("part"), name: try row.text("name"),
                        digest: try row.digest("digest")))
            }
        }
        return found
    }
}
