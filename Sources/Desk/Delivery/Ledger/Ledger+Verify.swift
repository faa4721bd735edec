public import Access
import SQL
import Storage
public import Work

extension Ledger {
    /// The newest line by its number and its digest. Whoever keeps it somewhere else can tell later that nothing up to
    /// there was written anew: within the desk alone, somebody could make all digests again.
    public struct Head: Sendable, Equatable {
        public var number: Int64
        public var chain: String

        /// `18:9f86…`
        public var text: String { "\(number):\(chain)" }

        init(number: Int64, chain: String) {
            self.number = number
            self.chain = chain
        }

        public init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let number = Int64(parts[0]), number > 0, parts[1].utf8.count == 64,
                parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            else { return nil }
            self.init(number: number, chain: String(parts[1]))
        }
    }

    /// Nil while nothing has happened yet.
    public func head(by caller: Caller) throws -> Head? {
        try caller.require(.view)
        return try store.read { desk in
            guard let row = try desk.row("SELECT number, chain FROM ledger_head WHERE number > 0") else {
                return nil
            }
            return Head(number: try row.integer("number"), chain: try row.text("chain"))
        }
    }

    private static let mostProblems = 20

    /// What is wrong, in sentences; empty when all is well: with the lines, with the states that lists and exports show,
    /// which the lines alone decide, and with the line that somebody kept.
    public func verify(keeping kept: Head? = nil, progress: Progress = Progress()) throws -> [String] {
        try store.read { desk in
            guard let head = try desk.row("SELECT * FROM ledger_head") else {
                return ["The ledger has lost its head."]
            }
            let first = try head.integer("first_number")
            progress.set(done: 0, total: try head.integer("number") - first + 1)
            var problems = try chainProblems(head, progress, in: desk)
            if let kept { problems += try Self.keptProblems(kept, head, in: desk) }
            problems += try stateProblems(since: first, progress, in: desk)
            problems += try countProblems(in: desk)
            return Array(problems.prefix(Self.mostProblems))
        }
    }

    private func chainProblems(
        _ head: Row, _ progress: Progress, in desk: borrowing Reading
    ) throws -> [String] {
        var problems: [String] = []
        var chain = try head.text("first_chain")
        var number = try head.integer("first_number") - 1
        try desk.each("SELECT * FROM ledger ORDER BY number") { row in
            try progress.check()
            let line = try Line(row)
            if line.number != number + 1 {
                problems.append("Lines \(number + 1) to \(line.number - 1) of the ledger are missing.")
            }
            number = line.number
            let written = try row.text("chain")
            if problems.count < Self.mostProblems, Self.chain(after: chain, line) != written {
                problems.append("Line \(number) of the ledger or the one before it was changed.")
            }
            chain = written
            progress.advance()
        }
        if try head.integer("number") != number || head.text("chain") != chain {
            problems.append("The last lines of the ledger are missing.")
        }
        return problems
    }

    private static func keptProblems(
        _ kept: Head, _ head: Row, in desk: borrowing Reading
    ) throws -> [String] {
        let first = try head.integer("first_number")
        guard kept.number >= first - 1 else {
            return [
                "Line \(kept.number) was forgotten by the rule of keeping, so it proves nothing any more."
            ]
        }
        let now =
            try kept.number == first - 1
            ? head.text("first_chain")
            : desk.row("SELECT chain FROM ledger WHERE number = \(kept.number)")?.text("chain")
        guard let now else { return ["Line \(kept.number), which you kept, is missing."] }
        return now == kept.chain
            ? [] : ["Line \(kept.number) is not the one you kept: the ledger was written anew."]
    }

    /// Of what has lost its first lines to the rule of keeping, only what is left can be compared.
    private func stateProblems(
        since first: Int64, _ progress: Progress, in desk: borrowing Reading
    ) throws -> [String] {
        var problems: [String] = []
        for row in try desk.rows(
            """
            SELECT subject, recipient FROM ledger l WHERE event <> 'corrected'
                AND NOT EXISTS (SELECT 1 FROM ledger_item i WHERE i.subject = l.subject)
            GROUP BY subject, recipient ORDER BY subject LIMIT \(Self.mostProblems)
            """)
        {
            problems.append(
                "\(Self.named(try row.text("recipient"), try row.text("subject"))) is missing from the list.")
        }
        var after = ""
        while problems.count < Self.mostProblems {
            try progress.check()
            let rows = try desk.rows(
                "SELECT * FROM ledger_item WHERE subject > \(after) ORDER BY subject LIMIT 500")
            guard let last = rows.last else { break }
            after = try last.text("subject")
            let subjects = try rows.map { try $0.text("subject") }
            let lines = Dictionary(
                grouping: try desk.rows(
                    "SELECT * FROM ledger WHERE \(Query.column("subject", in: subjects)) ORDER BY number"
                ).map(Line.init), by: \.note.subject)
            for row in rows {
                let subject = try row.text("subject")
                let mine = lines[subject] ?? []
                let isWhole = try row.integer("place") >= first
                guard let item = try? Item(row), let told = Self.item(of: mine),
                    try row.bool("sent") == item.state.isSent,
                    isWhole ? item == told : item.newest == mine.last?.number
                else {
                    let shown = try row.text("state")
                    let name = Self.named(try row.text("recipient"), subject)
                    problems.append("The list says “\(shown)” of \(name), and the lines do not say so.")
                    continue
                }
            }
        }
        return problems
    }

    private func countProblems(in desk: borrowing Reading) throws -> [String] {
        var counts: [String: Int64] = [:]
        for row in try desk.rows("SELECT run, state, count(*) AS n FROM ledger_item GROUP BY run, state") {
            let (state, count) = (try row.text("state"), try row.integer("n"))
            counts["\(state) \(try row.text("run"))"] = count
            counts["\(state) ", default: 0] += count
        }
        var problems: [String] = []
        for row in try desk.rows("SELECT run, state, items FROM ledger_count ORDER BY run, state") {
            let (state, run, said) = (try row.text("state"), try row.text("run"), try row.integer("items"))
            let found = counts.removeValue(forKey: "\(state) \(run)") ?? 0
            guard said != found, problems.count < Self.mostProblems else { continue }
            let whose = run.isEmpty ? "all together" : run
            problems.append("Of “\(state)” (\(whose)) \(said) are counted, and there are \(found).")
        }
        if let key = counts.keys.min() {
            problems.append("Those that are “\(key.split(separator: " ")[0])” are not counted.")
        }
        return problems
    }

    private static func named(_ recipient: String, _ subject: String) -> String {
        recipient.isEmpty ? subject : "“\(recipient)” (\(subject))"
    }

    /// What a packet's lines amount to, from the first on; the same as is kept beside them while they are written.
    private static func item(of lines: [Line]) -> Item? {
        var item: Item?
        var search = ""
        for (index, line) in lines.enumerated() {
            let note = line.note
            guard var now = item else {
                guard note.event != .corrected else { continue }
                search = "\(note.recipient) \(note.address)".lowercased()
                item = Item(
                    subject: note.subject, run: note.run, recipient: note.recipient, address: note.address,
                    state: note.event, at: line.at, newest: line.number)
                continue
            }
            if note.event == .corrected {
                guard let last = Array(lines[...index]).standing.last(where: \.counts) else { continue }
                (now.state, now.at) = (last.event, last.at)
            } else if note.event.tellsMore(than: now.state) {
                let words = "\(note.recipient) \(note.address)".lowercased()
                if !note.address.isEmpty, words != search { (now.address, search) = (note.address, words) }
                (now.state, now.at) = (note.event, line.at)
            }
            now.newest = line.number
            item = now
        }
        return item
    }
}
