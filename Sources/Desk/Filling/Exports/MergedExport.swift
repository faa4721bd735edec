import Making
import Mappings
import PDFForms
import Storage
import Work

/// All packets behind one another in one PDF: for the printer, or with fields that can still be filled. It is written as
/// it is made, and what the packets share is in it once.
struct MergedExport {
    let batches: Batches
    let batch: Batch
    let choice: ExportChoice
    let maker: PacketMaker

    func write(
        _ ids: [ID<Packet>], _ progress: Progress, to sink: @escaping ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        guard !choice.keepsFields || !maker.pins.options.flattens else {
            throw Failure(
                .conflict, "The fields of this batch become part of the pages; there are none to keep.",
                field: "keepsFields")
        }
        var options = MergedForms.Options()
        options.keepsFields = choice.keepsFields
        options.continuation = maker.maker.recipe.extras.continuation
        options.info.title = batch.name
        let merged = try MergedForms(options, sink: sink)
        var papers = PaperShelf(batches.store)
        var summary = ExportSummary()
        for start in stride(from: 0, to: ids.count, by: 64) {
            try progress.check()
            let kept = try batches.kept(ids[start..<min(start + 64, ids.count)], maker: maker)
            let worked = try batches.workers.map(kept) { packet in
                packet.thought
            }
            for (packet, thought) in zip(kept, worked) {
                do {
                    let parts = try thought.pieces.flatMap { try self.parts($0, packet, &papers, merged) }
                    guard !parts.isEmpty else {
                        throw MakingTrouble("No part of the packet is for this recipient.")
                    }
                    try add(parts, packet, isLast: packet.packet.id == ids.last, to: merged)
                    summary.packets += 1
                } catch let trouble as MakingTrouble {
                    summary.failed.append((packet.packet.id, trouble.reason))
                } catch let failure as Failure where failure.code != .cancelled {
                    summary.failed.append((packet.packet.id, failure.message))
                }
            }
            progress.set(done: Int64(min(start + 64, ids.count)), total: Int64(ids.count))
        }
        try Templates.explained { try merged.finish() }
        summary.remarks = merged.remarks
        return summary
    }

    private func parts(
        _ piece: Thought.Piece, _ packet: Batches.Kept, _ papers: inout PaperShelf, _ merged: MergedForms
    ) throws -> [MergedForms.Part] {
        switch piece.content {
        case .form(let row):
            guard case .form(let form) = maker.parts[piece.part].content else { return [] }
            return [.row(form.form, columns: form.columns, values: row.values)]
        case .paper(let key, _):
            guard let digest = Digest(key) else { return [] }
            return [.document(try papers.paper(digest, releasing: merged))]
        case .own:
            return try packet.attachments.filter { $0.part == piece.part }.map {
                .document(try papers.paper($0.digest, releasing: merged))
            }
        }
    }

    private func add(
        _ parts: [MergedForms.Part], _ packet: Batches.Kept, isLast: Bool, to merged: MergedForms
    ) throws {
        var sheets = MergedForms.Sheets()
        if maker.pins.options.numbering != nil {
            sheets.numbers = { counts in
                let printed = [Bool](repeating: true, count: counts.reduce(0, +))
                return maker.numbers(printed, firstPage: packet.firstPage)
            }
        }
        sheets.partsBeginOnFront = maker.pins.options.duplex
        sheets.nextBeginsOnFront = choice.duplex && !isLast
        let name = packet.packet.name
        try merged.add(parts, title: name.isEmpty ? packet.packet.fileName : name, sheets)
    }
}

/// Papers of the library at hand for a merged file. Some are for everybody, others for one person: only those used last
/// are held.
private struct PaperShelf {
    private static let most = 32
    private let store: Store
    /// The one used last stands at the end.
    private var papers: [(digest: Digest, paper: MergedDocument)] = []

    init(_ store: Store) { self.store = store }

    mutating func paper(_ digest: Digest, releasing merged: MergedForms) throws -> MergedDocument {
        if let place = papers.firstIndex(where: { $0.digest == digest }) {
            let found = papers.remove(at: place)
            papers.append(found)
            return found.paper
        }
        let bytes = try store.blobs.read(digest, atMost: Templates.longestFile)
        let paper = try Templates.explained { try MergedDocument(bytes: bytes) }
        papers.append((digest, paper))
        // A packet has at most 64 parts, which stay until it is added.
        if papers.count > Self.most + 64 { try merged.release(papers.removeFirst().paper) }
        return paper
    }
}

extension PacketMaker {
    /// Whether a form bears signatures that filling must not harm.
    var isSigned: Bool {
        parts.contains { part in
            if case .form(let form) = part.content { return form.form.form.protection != .none }
            return false
        }
    }
}
