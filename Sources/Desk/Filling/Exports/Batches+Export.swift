public import Access
import Archives
import Bytes
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
        guard !packets.isEmpty else { throw try nothingToExport(batch, choice) }
        if choice.form == .sheet {
            return try SheetExport(batches: self, batch: batch, caller: caller).write(
                packets, progress, to: sink)
        }
        let maker = try maker(of: batch)
        progress.set(done: 0, total: Int64(packets.count))
        if choice.form == .merged {
            if maker.isSigned {
                return try AssembledExport(batches: self, choice: choice, maker: maker).write(
                    packets, progress, to: sink)
            }
            return try MergedExport(batches: self, batch: batch, choice: choice, maker: maker).write(
                packets, progress, to: sink)
        }
        return try ArchiveExport(
            batches: self, batch: batch, choice: choice, maker: maker, messages: messages, caller: caller
        ).write(packets, progress, to: sink)
    }

    /// How many packets an export would hold; a failure that says why where there is none. To be asked before the
    /// first bytes go to a socket, when nothing can be told any more.
    @discardableResult
    public func exportCount(_ id: ID<Batch>, _ choice: ExportChoice, by caller: Caller) throws -> Int {
        try caller.require(.view)
        let batch = try get(id, by: caller)
        let count = try exported(batch, choice).count
        guard count > 0 else { throw try nothingToExport(batch, choice) }
        return count
    }

    private func nothingToExport(_ batch: Batch, _ choice: ExportChoice) throws -> Failure {
        let made = try exported(batch, ExportChoice()).count
        guard made == 0 else {
            return Failure(
                .notFound,
                "None of the \(made) packets that were made has “\(choice.filter)” in its name or address.",
                field: "q")
        }
        let held = try store.read { desk in
            try desk.row(
                "SELECT count(*) AS held FROM packet WHERE batch = \(batch.id) AND plan = \(batch.plan) AND state = 'held'"
            )?.int("held") ?? 0
        }
        return Failure(
            .conflict,
            held == 0
                ? "No packet of this batch has been made yet. Make them first."
                : "No packet of this batch has been made yet: \(held) are held back, as the check says why. Put that right, or make them all the same."
        )
    }

    private func exported(_ batch: Batch, _ choice: ExportChoice) throws -> [ID<Packet>] {
        let order: Query =
            switch choice.order {
            case .list: "place"
            case .name: "name_search, place"
            case .fileName: "file_name, place"
            }
        // On a sheet one looks for those that were not made, too.
        let wanted: Query =
            choice.form == .sheet ? "state IN ('made', 'held', 'failed')" : "state = 'made'"
        return try store.read { desk in
            try desk.rows(
                """
                SELECT id FROM packet WHERE batch = \(batch.id) AND plan = \(batch.plan) AND \(wanted)
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
