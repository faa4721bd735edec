import Access
import Bytes
import Mappings
import SQL
import Storage
import Work

/// One planning of a batch: goes through the list once, thinks every packet through, and writes down what it found
/// under a number that nobody looks at until all of it is there.
struct PlanRun {
    let batches: Batches
    let batch: Batch
    let number: Int
    let maker: PacketMaker
    private(set) var summary = PlanSummary()
    private var found: [PacketProblem.Kind: PlanSummary.ProblemCount] = [:]
    private var place = 0
    private var pages = 0
    private var taken = TakenNames()
    private var attachments: AttachmentFinder

    /// Enough for all threads to be busy, few enough to stay small.
    static let portion = 1000

    init(_ batches: Batches, _ batch: Batch, number: Int, maker: PacketMaker) {
        self.batches = batches
        self.batch = batch
        self.number = number
        self.maker = maker
        attachments = AttachmentFinder(batches.store)
    }

    /// Gives the number of recipients so far.
    mutating func add(_ rows: [PacketRow]) throws -> Int {
        let first = place
        let numbered = rows.enumerated().map { (number: first + $0.offset + 1, row: $0.element) }
        place += rows.count
        let maker = maker
        var thoughts = try batches.workers.map(numbered) { maker.think(over: $0.row, number: $0.number) }
        try attachments.find(for: &thoughts)
        for index in thoughts.indices { giveName(&thoughts[index]) }
        try compare(&thoughts)
        for index in thoughts.indices { count(&thoughts[index]) }
        try write(thoughts)
        return place
    }

    mutating func finish(remarks: [String]) -> PlanSummary {
        summary.remarks = remarks
        summary.problems = found.values.sorted {
            ($0.packets, $1.kind.rawValue) > ($1.packets, $0.kind.rawValue)
        }
        return summary
    }

    /// Names that some system takes for the same get numbers, so that nobody's papers are written over another's.
    private mutating func giveName(_ thought: inout Thought) {
        let name = taken.unique(thought.fileName)
        if name != thought.fileName {
            thought.problems.append(
                PacketProblem(
                    .duplicateName, "“\(thought.fileName)” is taken; this packet is called “\(name)”."))
        }
        thought.fileName = name
    }

    /// Finds out what recipients got from the batch this one is a copy of.
    private func compare(_ thoughts: inout [Thought]) throws {
        guard let previous = batch.previous else { return }
        var before: [String: String] = [:]
        try batches.store.read { desk in
            guard let other = try? batches.find(previous, in: desk) else { return }
            for start in stride(from: 0, to: thoughts.count, by: 500) {
                let recipients = thoughts[start..<min(start + 500, thoughts.count)].map(\.row.recipient)
                let rows = try desk.rows(
                    """
                    SELECT recipient, content FROM packet WHERE batch = \(previous) AND plan = \(other.plan)
                        AND state IN ('made', 'left') AND \(Query.column("recipient", in: recipients))
                    """)
                for row in rows { before[try row.text("recipient")] = try row.text("content") }
            }
        }
        for index in thoughts.indices {
            guard let content = before[thoughts[index].row.recipient] else { continue }
            thoughts[index].change = content == thoughts[index].content ? .same : .changed
        }
    }

    private mutating func count(_ thought: inout Thought) {
        let options = maker.pins.options
        if options.onlyChanged, thought.change == .same {
            thought.state = .left
        } else if thought.isSerious, !options.makesDespiteProblems || thought.parts.isEmpty {
            thought.state = .held
        }
        thought.firstPage = pages
        pages += thought.pageCount
        summary.recipients += 1
        switch thought.state {
        case .held: summary.held += 1
        case .left: summary.left += 1
        default:
            summary.planned += 1
            summary.pages += thought.pageCount
        }
        switch thought.change {
        case .new: summary.new += 1
        case .changed: summary.changed += 1
        case .same: summary.same += 1
        }
        var seen: Set<PacketProblem.Kind> = []
        for problem in thought.problems where seen.insert(problem.kind).inserted {
            found[problem.kind, default: .init(kind: problem.kind, packets: 0, example: problem.message)]
                .packets += 1
        }
    }

    private func write(_ thoughts: [Thought]) throws {
        try batches.store.write { tx in
            for start in stride(from: 0, to: thoughts.count, by: 100) {
                try write(thoughts[start..<min(start + 100, thoughts.count)], in: tx)
            }
        }
    }

    private func write(_ thoughts: ArraySlice<Thought>, in tx: borrowing Transaction) throws {
        var packets: [Query] = []
        var contents: [Query] = []
        var attachments: [Query] = []
        for thought in thoughts {
            let id: ID<Packet> = tx.newID()
            let row = thought.row
            let serious = thought.problems.count(where: \.isSerious)
            packets.append(
                """
                (\(id), \(batch.id), \(number), \(thought.number), \(row.recipient), \(row.name),
                \("\(row.name) \(row.email) \(thought.fileName)".lowercased()), \(row.email), \(thought.fileName),
                \(thought.state.rawValue), \(thought.change.rawValue), \(serious),
                \(thought.problems.count - serious), \(thought.pageCount), \(thought.firstPage), \(thought.reason), \(thought.content),
                '', 0, 0)
                """)
            contents.append("(\(id), \(row.keptSource), \(row.keptCells), \(thought.keptProblems))")
            for (place, file) in thought.attachments.enumerated() {
                attachments.append("(\(id), \(file.part), \(place), \(file.name), \(file.digest))")
            }
        }
        // A recipient who came to stand on two pages of a list that was changed meanwhile still gets one packet.
        try tx.run(
            """
            INSERT INTO packet (id, batch, plan, place, recipient, recipient_name, name_search, email, file_name,
                state, change, serious, remarks, page_count, first_page, reason, content, digest, byte_count, made_at)
            VALUES \(packets.joined(separator: ", "))
            """)
        try tx.run(
            """
            INSERT INTO packet_content (packet, source, cells, problems)
            VALUES \(contents.joined(separator: ", "))
            """)
        if !attachments.isEmpty {
            try tx.run(
                """
                INSERT INTO packet_attachment (packet, part, place, name, digest)
                VALUES \(attachments.joined(separator: ", "))
                """)
        }
    }
}
