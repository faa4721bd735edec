public import Access
import Bytes
import SQL
import Storage
import Tables
public import Work

extension Ledger {
    public enum ExportForm: String, Sendable, CaseIterable {
        case csv, xlsx, ndjson

        public var mediaType: String {
            switch self {
            case .csv: "text/csv; charset=utf-8"
            case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            case .ndjson: "application/x-ndjson"
            }
        }
    }

    public enum ExportContent: String, Sendable, CaseIterable {
        /// A line for each packet, with what became of it.
        case packets
        /// Every line of the ledger, with the digests that chain them.
        case lines
    }

    /// Writes the ledger piece by piece, so that a million packets need no memory. What a stranger typed never becomes
    /// a formula in somebody's spreadsheet.
    public func export(
        _ content: ExportContent = .packets, as form: ExportForm, _ filter: Filter = Filter(),
        by caller: Caller, accounts: @escaping ([Item]) throws -> [LedgerAccount],
        progress: Progress = Progress(), to sink: @escaping ([UInt8]) throws -> Void
    ) throws {
        try caller.require(.view)
        let columns: [String]
        let each: ((_ add: ([Cell]) throws -> Void) throws -> Void)
        switch content {
        case .packets:
            columns = [
                "subject", "run", "recipient", "address", "state", "sent", "at", "form", "title", "method",
                "file", "note",
            ]
            each = { add in
                try eachPage(filter, by: caller, progress) { items in
                    for (item, account) in zip(items, try accounts(items)) { try add(item.cells(account)) }
                }
            }
        case .lines:
            columns = [
                "number", "at", "event", "subject", "run", "recipient", "address", "actor", "detail", "chain",
            ]
            each = { add in try eachLine(progress) { line, chain in try add(line.cells(chain)) } }
        }
        switch form {
        case .csv: try TableWriter.csv(columns: columns, to: sink, rows: each)
        case .xlsx:
            try TableWriter.xlsx(
                columns: columns, sheet: "Ledger", modified: store.clock.now(), to: sink, rows: each)
        case .ndjson:
            var waiting: [UInt8] = []
            try each { cells in
                let members = zip(columns, cells).map { ($0, $1.json(typed: $1.kind)) }
                waiting += JSON.object(JSONObject(members)).bytes + [0x0A]
                guard waiting.count >= 64 << 10 else { return }
                try sink(waiting)
                waiting.removeAll(keepingCapacity: true)
            }
            if !waiting.isEmpty { try sink(waiting) }
        }
    }

    private func eachPage(
        _ filter: Filter, by caller: Caller, _ progress: Progress, _ body: ([Item]) throws -> Void
    ) throws {
        var before: Int64?
        repeat {
            try progress.check()
            let page = try list(filter, before: before, limit: Self.mostPerPage, by: caller)
            try body(page.items)
            progress.advance(Int64(page.items.count))
            before = page.next
        } while before != nil
    }

    private func eachLine(_ progress: Progress, _ body: (Line, String) throws -> Void) throws {
        var after: Int64 = 0
        while true {
            try progress.check()
            let rows = try store.read { desk in
                try desk.rows("SELECT * FROM ledger WHERE number > \(after) ORDER BY number LIMIT 1000")
            }
            for row in rows {
                let line = try Line(row)
                try body(line, try row.text("chain"))
                after = line.number
            }
            guard rows.count == 1000 else { return }
            progress.advance(1000)
        }
    }
}

extension Cell {
    /// As programs like it: numbers as numbers.
    fileprivate func json(typed kind: Kind) -> JSON {
        kind == .number
            ? Int64(raw).map(JSON.integer) ?? .string(raw)
            : kind == .boolean ? .bool(raw == "1") : .string(raw)
    }
}

extension Ledger.Item {
    fileprivate func cells(_ account: LedgerAccount) -> [Cell] {
        [
            Cell(subject), Cell(run), Cell(recipient), Cell(address), Cell(state.rawValue),
            Cell(kind: .boolean, raw: state.isSent ? "1" : "0", shown: state.isSent ? "yes" : "no"),
            Cell(at.iso8601), Cell(account.forms.joined(separator: "; ")), Cell(account.title),
            Cell(account.method?.rawValue ?? ""), Cell(account.fileName), Cell(account.note),
        ]
    }
}

extension Ledger.Line {
    fileprivate func cells(_ chain: String) -> [Cell] {
        [
            Cell(kind: .number, raw: "\(number)", shown: "\(number)"), Cell(at.iso8601),
            Cell(note.event.rawValue), Cell(note.subject), Cell(note.run), Cell(note.recipient),
            Cell(note.address), Cell(note.actor), Cell(note.detail), Cell(chain),
        ]
    }
}
