import Bytes
import Crypto
import Jobs
import Making
import SQL
import Storage
import Work

/// One attempt at making the packets of a batch. What is still to be made is asked of the packets themselves, and
/// a portion counts when its transaction is saved; so an attempt may end anywhere, and the next goes on.
struct FillRun {
    let batches: Batches
    let run: JobRun
    let batch: Batch
    let maker: PacketMaker

    /// So many packets share one wait for the disk, as many as are made in a short time; that much may have to be made
    /// again after a power cut. The first portions are small, so that somebody who watches sees something at once.
    private static let portions = 64...2048
    private static let times = Duration.milliseconds(40)...Duration.milliseconds(160)
    /// And so many one statement.
    private static let most = 256

    private struct Order: Sendable {
        var id: ID<Packet>
        var number: Int
        var firstPage: Int
        var cells: String
        var recipient: String
        var name: String
        var email: String
        var attachments: [PacketThought.Attachment]
        var problems: String
        /// What the packet was to say when it was planned.
        var content: String

        /// Where the row came from is in no paper, so that is not read.
        func row() throws -> PacketRow {
            try PacketRow(
                kept: PacketRow.cells(kept: cells), recipient: recipient, name: name, email: email)
        }
    }

    private struct Outcome: Sendable {
        var order: Order
        var result: Result<MadePacket, MakingTrouble>
    }

    func perform(workers: Workers) throws {
        let seal = try batches.seal(for: batch, maker)
        var (done, total) = try counts()
        run.progress.set(done: done, total: total)
        run.progress.phase("Making packets")
        // While one portion is made, the one before is written down and the next is already being read.
        let desk = Workers(name: "packet-desk", threads: 1)
        let archive = Workers(name: "packet-orders", threads: 1)
        defer {
            desk.stop()
            archive.stop()
        }
        var writing: Errand<Void>?
        var portion = Self.portions.lowerBound
        var reading = Errand(on: archive) { [self, portion] in try orders(after: 0, most: portion) }
        while true {
            try run.progress.check()
            let orders = try reading.finish()
            guard let last = orders.last else { break }
            reading = Errand(on: archive) { [self, portion] in
                try self.orders(after: last.number, most: portion)
            }
            let watch = Stopwatch()
            // This thread only waits: it is not one of those that let others go first.
            let outcomes = try Errand(on: workers) { [maker] in
                try workers.map(Self.shared(orders)) { share in share.map { Self.make($0, maker, seal) } }
            }.finish()
            done += Int64(orders.count)
            if watch.elapsed < Self.times.lowerBound { portion = min(portion * 2, Self.portions.upperBound) }
            if watch.elapsed > Self.times.upperBound { portion = max(portion / 2, Self.portions.lowerBound) }
            try writing?.finish()
            let now = done
            writing = Errand(on: desk) { [self] in try save(outcomes.flatMap(\.self), done: now) }
            run.progress.set(done: done, total: total)
        }
        try writing?.finish()
        total = done
        try finish()
    }

    private static func make(_ order: Order, _ maker: PacketMaker, _ seal: PacketSeal?) -> Outcome {
        Outcome(
            order: order,
            result: maker.result(
                number: order.number, planned: order.content, firstPage: order.firstPage,
                attachments: order.attachments, sealed: seal
            ) {
                try order.row()
            })
    }

    /// A few at a time for each thread: handing over costs about as much as a small form.
    private static func shared(_ orders: [Order]) -> [[Order]] {
        stride(from: 0, to: orders.count, by: 16).map { Array(orders[$0..<min($0 + 16, orders.count)]) }
    }

    private func counts() throws -> (done: Int64, total: Int64) {
        let counts = try batches.store.read { desk in try batches.counts(of: batch, in: desk) }
        let done = counts[.made, default: 0] + counts[.failed, default: 0]
        return (Int64(done), Int64(done + counts[.planned, default: 0]))
    }

    private func orders(after place: Int, most: Int) throws -> [Order] {
        try batches.store.read { desk in
            let rows = try desk.rows(
                """
                SELECT p.id, p.place, p.first_page, p.recipient, p.recipient_name, p.email, p.content, c.cells,
                    c.problems
                FROM packet p JOIN packet_content c ON c.packet = p.id
                WHERE p.batch = \(batch.id) AND p.plan = \(batch.plan) AND p.state = 'planned' AND p.state <> 'made'
                    AND p.place > \(place)
                ORDER BY p.place LIMIT \(most)
                """)
            let attachments =
                maker.hasAttachments
                ? try batches.attachments(of: rows.map { try $0.text("id") }, in: desk) : [:]
            return try rows.map { row in
                let id: ID<Packet> = try row.id("id")
                return Order(
                    id: id, number: try row.int("place"), firstPage: try row.int("first_page"),
                    cells: try row.text("cells"), recipient: try row.text("recipient"),
                    name: try row.text("recipient_name"), email: try row.text("email"),
                    attachments: attachments.isEmpty ? [] : attachments[id.text] ?? [],
                    problems: try row.text("problems"), content: try row.text("content"))
            }
        }
    }

    private func save(_ outcomes: [Outcome], done: Int64) throws {
        try batches.store.write { tx in
            try requireOurs(in: tx)
            var made: [(order: Order, packet: MadePacket)] = []
            made.reserveCapacity(outcomes.count)
            for outcome in outcomes {
                let order = outcome.order
                switch outcome.result {
                case .success(let packet):
                    made.append((order, packet))
                case .failure(let trouble):
                    try tx.run(
                        """
                        UPDATE packet SET state = 'failed', reason = \(trouble.reason)
                        WHERE id = \(order.id) AND state = 'planned'
                        """)
                }
            }
            for start in stride(from: 0, to: made.count, by: Self.most) {
                try save(made[start..<min(start + Self.most, made.count)], in: tx)
            }
            try batches.witness.made(made.map(\.order.id), batch.id, tx)
            // Fails when another runner has taken the job over, and undoes all of this.
            try run.save(checkpoint: ["done": .integer(done)], in: tx)
        }
    }

    /// All in one statement: asked for one by one, the database would take longer over a packet than filling it takes.
    private func save(
        _ made: ArraySlice<(order: Order, packet: MadePacket)>, in tx: borrowing Transaction
    ) throws {
        var rows = Query()
        for (order, packet) in made {
            let serious = packet.problems.isEmpty ? 0 : packet.problems.count(where: \.isSerious)
            rows.append(row: [
                order.number, packet.digest, packet.byteCount, packet.pageCount, serious,
                packet.problems.count - serious,
            ])
            let problems = packet.keptProblems
            if problems != order.problems {
                try tx.run(
                    "UPDATE packet_content SET problems = \(problems) WHERE packet = \(order.id)")
            }
        }
        let count = try tx.run(
            """
            WITH made (place, digest, byte_count, page_count, serious, remarks) AS (VALUES \(rows))
            UPDATE packet SET state = 'made', digest = made.digest, byte_count = made.byte_count,
                page_count = made.page_count, serious = made.serious, remarks = made.remarks, made_at = \(tx.now)
            FROM made WHERE packet.batch = \(batch.id) AND packet.plan = \(batch.plan)
                AND packet.place = made.place AND packet.state = 'planned'
            """)
        // Nobody else makes packets of this batch while the job is ours; if somebody did, all of this is undone.
        guard count == made.count else {
            throw Failure(.conflict, "Somebody else has made some of these packets meanwhile.")
        }
        for (order, packet) in made where packet.isSigned {
            guard let digest = Digest(packet.digest) else { continue }
            try tx.keep(digest)
            try tx.run("INSERT INTO signed_packet (packet, digest) VALUES (\(order.id), \(digest))")
        }
    }

    /// A batch that was paused, cancelled or begun anew by somebody else is no longer ours to fill.
    private func requireOurs(in tx: borrowing Transaction) throws {
        let row = try tx.row("SELECT state, job, trashed_at FROM batch WHERE id = \(batch.id)")
        guard let row, try row.text("state") == "filling", try row.optionalID("job") == run.job.id,
            try row.optionalMoment("trashed_at") == nil
        else { throw Cancelled(reason: "The batch was stopped.") }
    }

    private func finish() throws {
        try batches.store.write { tx in
            try requireOurs(in: tx)
            let counts = try batches.counts(of: batch, in: tx)
            guard counts[.planned, default: 0] == 0 else {
                throw Failure(.conflict, "Some packets were added while the others were made.")
            }
            try tx.run(
                "UPDATE batch SET state = 'done', ended_at = \(tx.now), job = NULL WHERE id = \(batch.id)")
            let detail: JSONObject = [
                "made": .int(counts[.made, default: 0]), "failed": .int(counts[.failed, default: 0]),
                "held": .int(counts[.held, default: 0]), "left": .int(counts[.left, default: 0]),
            ]
            try batches.noted(batch.id, "filled", by: "quire/filling", detail, in: tx)
            try batches.witness.rested(tx)
            try run.finish(result: .object(detail), in: tx)
        }
    }
}
