import Making
import PDF
import Storage
import Work

/// Whole packets put behind one another, for forms that bear signatures: only a document of its own can be filled
/// without harming those, and none of them is in the file for all.
struct AssembledExport {
    let batches: Batches
    let choice: ExportChoice
    let maker: PacketMaker

    /// The whole file has to be held while it is put together.
    static let most = 5000

    func write(
        _ ids: [ID<Packet>], _ progress: Progress, to sink: ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        guard ids.count <= Self.most else {
            throw Failure(
                .tooLarge,
                "One PDF takes up to \(Self.most) packets of signed forms. Choose fewer, or export them as files."
            )
        }
        var summary = ExportSummary()
        var parts: [PDFAssembly.Part] = []
        for start in stride(from: 0, to: ids.count, by: 64) {
            try progress.check()
            let kept = try batches.kept(ids[start..<min(start + 64, ids.count)], maker: maker)
            let files = try batches.workers.map(kept) { packet in
                Result { try Batches.told { try packet.file(opened: true).bytes } }
            }
            for (packet, result) in zip(kept, files) {
                switch result {
                case .failure(let error):
                    summary.failed.append((packet.packet.id, (error as? Failure)?.message ?? "\(error)"))
                case .success(let bytes):
                    try append(bytes, packet.packet, isLast: packet.packet.id == ids.last, to: &parts)
                    summary.packets += 1
                }
            }
            progress.set(done: Int64(min(start + 64, ids.count)), total: Int64(ids.count))
        }
        let bytes = try Templates.explained { try PDFAssembly(parts).bytes }
        // In pieces, so that whoever sends it can stop in between.
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            try progress.check()
            try sink(Array(bytes[start..<min(start + 1 << 20, bytes.count)]))
        }
        return summary
    }

    private func append(
        _ bytes: [UInt8], _ packet: Packet, isLast: Bool, to parts: inout [PDFAssembly.Part]
    ) throws {
        try Templates.explained {
            let file = try PDFFile(bytes: bytes)
            let isOdd = file.pages.count % 2 == 1
            let blank = choice.duplex && isOdd && !isLast ? try Binder.blankPage(like: file) : nil
            parts.append(
                PDFAssembly.Part(file, bookmark: packet.name.isEmpty ? packet.fileName : packet.name))
            if let blank { parts.append(PDFAssembly.Part(blank)) }
        }
    }
}
