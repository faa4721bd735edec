import Access
import Bytes
import Starters
import Storage
import Work

/// All packets at a glance, to be printed or passed round: their first pages as small pictures, those with a problem
/// in red.
struct SheetExport {
    let batches: Batches
    let batch: Batch
    let caller: Caller

    /// Every one of them has to be drawn.
    static let most = 3000

    func write(
        _ ids: [ID<Packet>], _ progress: Progress, to sink: ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        guard ids.count <= Self.most else {
            throw Failure(
                .tooLarge,
                "A contact sheet takes up to \(Self.most) packets. Choose fewer, by words in their names.")
        }
        var tiles: [ContactSheet.Tile] = []
        for start in stride(from: 0, to: ids.count, by: 32) {
            try progress.check()
            let some = Array(ids[start..<min(start + 32, ids.count)])
            tiles += try batches.workers.map(some, { id in try tile(id) })
            progress.set(done: Int64(start + some.count), total: Int64(ids.count))
        }
        try sink(ContactSheet(title: batch.name, tiles: tiles).bytes())
        var summary = ExportSummary()
        summary.packets = ids.count
        return summary
    }

    /// What cannot be drawn stands there as an empty sheet; so does what is locked, which must not lie about open.
    private func tile(_ id: ID<Packet>) throws -> ContactSheet.Tile {
        let kept = try batches.kept(id)
        let packet = kept.packet
        var tile = ContactSheet.Tile(
            picture: nil, name: packet.name.isEmpty ? packet.fileName : packet.name)
        switch packet.state {
        case .failed: tile.problem = packet.reason ?? "not made"
        case .held: tile.problem = packet.reason ?? "held back"
        default: tile.problem = kept.problems.first(where: \.isSerious)?.message
        }
        guard !kept.isLocked else { return tile }
        do {
            tile.picture = try batches.picture(of: id, width: 240, by: caller)
        } catch let failure as Failure {
            tile.problem = tile.problem ?? failure.message
        }
        return tile
    }
}
