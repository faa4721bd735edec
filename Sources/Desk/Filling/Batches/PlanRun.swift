import Access
import Bytes
import Making
import Mappings
import PDFForms
import SQL
public import Storage
import Work

/// One planning of a batch: goes through the list once, thinks every packet through, and writes down what it found
/// under a number that nobody looks at until all of it is there.
struct PlanRun {
    let batches: Batches
    let batch: Batch
    let number: Int
    let maker: PacketMaker
    private(set) var summary = PlanSummary()
    private var found: [PlanSummary.ProblemCount.Subject: PlanSummary.ProblemCount] = [:]
    /// So many different problems are told one by one; of the others only their kinds.
    private static let mostSubjects = 200
    private var place = 0
    private var pages = 0
    private let taken = TakenNames()
    private var attachments: AttachmentFinder
    private let reached: Batches.Reached?

    /// Enough for all threads to be busy, few enough to stay small.
    static let portion = 1000

    init(
        _ batches: Batches, _ batch: Batch, number: Int, maker: PacketMaker, reached: Batches.Reached? = nil
    ) {
        self.batches = batches
        self.batch = batch
        self.number = number
        self.maker = maker
        attachments = AttachmentFinder(batches.store)
        self.reached = reached
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
            ($0.packets, $1.kind.rawValue, $1.order) > ($1.packets, $0.kind.rawValue, $0.order)
        }
        for (place, problem) in summary.problems.enumerated() {
            guard let part = problem.part, let field = problem.field,
                case .form(let form) = maker.parts[part].content
            else { continue }
            summary.problems[place].label = form.form.form.fields.first { $0.name == field }?.label
        }
        return summary
    }

    /// Names that some system takes for the same get numbers, so that nobody's papers are written over another's.
    private mutating func giveName(_ thought: inout PacketThought) {
        let name = taken.unique(thought.fileName)
        if name != thought.fileName {
            thought.problems.append(
                PacketProblem(
                    .duplicateName, "“\(thought.fileName)” is taken; this packet is called “\(name)”."))
        }
        thought.fileName = name
    }

    /// So many batches are looked through for somebody whom the newer ones do not know.
    private static let mostAncestors = 1000

    /// Finds out what recipients got from the batch this one is a copy of. Where it matters that nobody gets the same
    /// twice, the batches before that are asked about those it does not know: somebody may have been off the list for
    /// a while.
    private func compare(_ thoughts: inout [PacketThought]) throws {
        guard batch.previous != nil else { return }
        try batches.store.read { desk in
            for start in stride(from: 0, to: thoughts.count, by: 500) {
                let some = start..<min(start + 500, thoughts.count)
                var missing = Dictionary(
                    thoughts[some].map { ($0.row.recipient, $0) }, uniquingKeysWith: { first, _ in first })
                var before: [String: Row] = [:]
                var ancestor = batch.previous
                for _ in 0..<(reached == nil ? 1 : Self.mostAncestors) {
                    guard !missing.isEmpty, let id = ancestor, let other = try? batches.find(id, in: desk)
                    else { break }
                    var papers: [String: Row] = [:]
                    for row in try earlier(than: other, for: missing, in: desk) {
                        let recipient = try row.text("recipient")
                        papers[Self.mail(try row.text("address"), try row.text("content"))] = row
                        if missing.removeValue(forKey: recipient) != nil { before[recipient] = row }
                    }
                    // Whoever comes onto the list anew is somebody else to it, but not to their mailbox.
                    for (recipient, thought) in missing {
                        guard let row = papers[Self.mail(thought.row.email, thought.content)],
                            !thought.row.email.isEmpty
                        else { continue }
                        missing[recipient] = nil
                        before[recipient] = row
                    }
                    ancestor = other.previous
                }
                try compare(&thoughts[some], with: before, in: desk)
            }
        }
    }

    private static func mail(_ address: String, _ content: String) -> String {
        "\(address.lowercased()) \(content)"
    }

    /// What each of them had when that batch was planned or made: its own packet, or the one before it where it was
    /// left out, held back or could not be made.
    private func earlier(
        than other: Batch, for missing: [String: PacketThought], in desk: borrowing Reading
    ) throws -> [Row] {
        var who = Query.column("p.recipient", in: missing.keys.sorted())
        if reached != nil {
            let contents = Query.column("p.content", in: Set(missing.values.map(\.content)).sorted())
            who = "(\(who) OR p.email <> '' AND \(contents))"
        }
        return try desk.rows(
            """
            SELECT p.recipient, p.email AS address, COALESCE(o.content, p.content) AS content, COALESCE(o.id, p.same_as, p.id) AS earlier,
                o.email, c.cells
            FROM packet p
                LEFT JOIN packet o ON o.id = CASE WHEN p.state = 'made' THEN p.id ELSE COALESCE(p.same_as, p.id) END
                LEFT JOIN packet_content c ON c.packet = o.id
            WHERE p.batch = \(other.id) AND p.plan = \(other.plan)
                AND (p.state = 'made' OR p.same_as IS NOT NULL
                    OR p.state = 'left' AND COALESCE(p.reason, '') != \(Packet.takenOutReason))
                AND \(who)
            """)
    }

    private func compare(
        _ thoughts: inout ArraySlice<PacketThought>, with before: [String: Row], in desk: borrowing Reading
    ) throws {
        var same: [EarlierPacket] = []
        for index in thoughts.indices {
            guard let row = before[thoughts[index].row.recipient] else { continue }
            let now = thoughts[index].row
            let earlier: ID<Packet> = try row.id("earlier")
            thoughts[index].earlier = earlier
            guard try row.text("content") == thoughts[index].content else {
                thoughts[index].change = .changed
                continue
            }
            thoughts[index].change = .same
            guard reached != nil else { continue }
            same.append(
                EarlierPacket(
                    id: earlier,
                    isSameRow: try row.optionalText("email") == now.email
                        && row.optionalText("cells") == now.keptCells))
        }
        guard let reached, !same.isEmpty else { return }
        let done = try reached(same, desk)
        for index in thoughts.indices where thoughts[index].change == .same {
            guard let earlier = thoughts[index].earlier, !done.contains(earlier) else { continue }
            thoughts[index].change = .new
        }
    }

    private mutating func count(_ thought: inout PacketThought) {
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
        var seen: Set<PlanSummary.ProblemCount.Subject> = []
        for problem in thought.problems {
            var subject = PlanSummary.ProblemCount.Subject(problem)
            var first = PlanSummary.ProblemCount(problem)
            if found[subject] == nil, found.count >= Self.mostSubjects {
                subject = .init(kind: problem.kind)
                (first.part, first.field, first.value, first.meant) = (nil, nil, nil, nil)
            }
            if seen.insert(subject).inserted { found[subject, default: first].packets += 1 }
        }
    }

    private func write(_ thoughts: [PacketThought]) throws {
        try batches.store.write { tx in
            for start in stride(from: 0, to: thoughts.count, by: 100) {
                try write(thoughts[start..<min(start + 100, thoughts.count)], in: tx)
            }
        }
    }

    private func write(_ thoughts: ArraySlice<PacketThought>, in tx: borrowing Transaction) throws {
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
                '', 0, 0, \(thought.earlier), \(thought.isUnreachable))
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
                state, change, serious, remarks, page_count, first_page, reason, content, digest, byte_count, made_at,
                same_as, unreachable)
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

/// A packet made before, whose papers are the same as those thought through now.
public struct EarlierPacket: Sendable, Equatable {
    public var id: ID<Packet>
    /// Whether the recipient's row says the same as it did then: the address, too, though it stands on no paper.
    public var isSameRow: Bool
}

extension Batches {
    /// Which of the packets have done their work, so that their recipients need nothing now.
    public typealias Reached = @Sendable ([EarlierPacket], borrowing Reading) throws -> Set<ID<Packet>>
}
