public import Access
import Archives
import Bytes
import PDF
import SQL
public import Storage
public import Work

extension Batches {
    public typealias Messages = @Sendable (Packet) throws -> ExportedMessage?

    /// Writes the made packets of a batch to `sink`, piece by piece: as an archive while it is made, so that it can go
    /// straight to a socket, or as one PDF. Packets are made again from what was held fast; nothing is stored.
    ///
    /// ```swift
    /// let summary = try batches.export(id, ExportChoice(.folders), by: caller) { try connection.write($0) }
    /// ```
    @discardableResult
    public func export(
        _ id: ID<Batch>, _ choice: ExportChoice = ExportChoice(), by caller: Caller,
        messages: Messages? = nil, progress: Progress = Progress(),
        to sink: @escaping ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        try caller.require(.view)
        let batch = try get(id, by: caller)
        let packets = try exported(batch, choice)
        guard !packets.isEmpty else {
            throw Failure(.conflict, "No packet of this batch has been made yet. Fill it first.")
        }
        let maker = try maker(of: batch)
        progress.set(done: 0, total: Int64(packets.count))
        if choice.form == .merged {
            return try MergedExport(batches: self, choice: choice, maker: maker).write(
                packets, progress, to: sink)
        }
        return try ArchiveExport(
            batches: self, batch: batch, choice: choice, maker: maker, messages: messages, caller: caller
        ).write(packets, progress, to: sink)
    }

    private func exported(_ batch: Batch, _ choice: ExportChoice) throws -> [ID<Packet>] {
        let order: Query =
            switch choice.order {
            case .list: "place"
            case .name: "name_search, place"
            case .fileName: "file_name, place"
            }
        return try store.read { desk in
            try desk.rows(
                """
                SELECT id FROM packet WHERE batch = \(batch.id) AND plan = \(batch.plan) AND state = 'made'
                    AND \(Query.words(choice.filter, in: "name_search"))
                ORDER BY \(order)
                """
            ).map { try $0.id("id") }
        }
    }

    /// These packets with all they are made from, in the order they are asked for.
    func kept(_ ids: some Sequence<ID<Packet>>, maker: PacketMaker) throws -> [Kept] {
        let ids = Array(ids)
        return try store.read { desk in
            let rows = try desk.rows(
                """
                SELECT p.*, c.source, c.cells, c.problems FROM packet p JOIN packet_content c ON c.packet = p.id
                WHERE \(Query.column("p.id", in: ids))
                """)
            let own = maker.hasAttachments ? try attachments(of: ids.map(\.text), in: desk) : [:]
            var found: [ID<Packet>: Kept] = [:]
            for row in rows {
                let packet = try Packet(row)
                found[packet.id] = try Kept(row, packet, own[packet.id.text] ?? [], maker)
            }
            return ids.compactMap { found[$0] }
        }
    }
}

/// All packets behind one another, for the printer.
struct MergedExport {
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
                .tooLarge, "One PDF takes up to \(Self.most) packets. Choose fewer, or export them as files.")
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
            let blank = choice.duplex && isOdd && !isLast ? try BlankPage.like(lastOf: file) : nil
            parts.append(
                PDFAssembly.Part(file, bookmark: packet.name.isEmpty ? packet.fileName : packet.name))
            if let blank { parts.append(PDFAssembly.Part(blank)) }
        }
    }
}
