import SQL
import Storage
public import Work

/// What changes in the counts beside the ledger while lines are written; each row is touched once, however many lines
/// there are.
struct LedgerTally {
    private struct Key: Hashable {
        var run: String
        var state: LedgerEvent
    }

    private var items: [Key: Int] = [:]
    private var news: [LedgerEvent: Int] = [:]

    /// A packet came from one state into another. What somebody takes back is no news.
    mutating func add(_ run: String, _ before: LedgerEvent?, _ now: LedgerEvent, isNews: Bool = true) {
        if isNews, before != now { news[now, default: 0] += 1 }
        guard before != now else { return }
        // And for all runs together, under no name: there may be as many runs as packets.
        for run in [run, ""] {
            items[Key(run: run, state: now), default: 0] += 1
            if let before { items[Key(run: run, state: before), default: 0] -= 1 }
        }
    }

    func save(in tx: borrowing Transaction) throws {
        for (key, change) in items.sorted(by: {
            ($0.key.run, $0.key.state.rawValue) < ($1.key.run, $1.key.state.rawValue)
        })
        where change != 0 {
            try tx.run(
                """
                INSERT INTO ledger_count (run, state, items) VALUES (\(key.run), \(key.state.rawValue), \(change))
                ON CONFLICT (run, state) DO UPDATE SET items = ledger_count.items + \(change)
                """)
        }
        let week = Week(of: tx.now).number
        for (event, count) in news.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try tx.run(
                """
                INSERT INTO ledger_week (week, event, items) VALUES (\(week), \(event.rawValue), \(count))
                ON CONFLICT (week, event) DO UPDATE SET items = ledger_week.items + \(count)
                """)
        }
    }
}

/// A week from Monday to Sunday (UTC), counted from that of 1 January 1970.
public struct Week: Sendable, Equatable {
    public var number: Int64

    public init(number: Int64) { self.number = number }

    public init(of moment: Moment) {
        // 1 January 1970 was a Thursday.
        let day = (Double(moment.milliseconds) / 86_400_000).rounded(.down)
        number = Int64(((day + 3) / 7).rounded(.down))
    }

    public var begins: Moment { Moment(milliseconds: (number * 7 - 3) * 86_400_000) }
}

/// A line, and whether what it says still holds.
struct StandingLine: Sendable, Equatable {
    var event: LedgerEvent
    var at: Moment
    /// False once something that tells more came, or somebody took it back.
    var counts: Bool
}

extension [Ledger.Line] {
    /// What the lines of one packet amount to: the last that counts is its state.
    var standing: [StandingLine] {
        var lines: [StandingLine] = []
        var said: [Int] = []
        for line in self {
            let event = line.note.event
            if event == .corrected {
                if let last = said.popLast() { lines[last].counts = false }
                continue
            }
            if event.isSaid { said.append(lines.count) }
            lines.append(StandingLine(event: event, at: line.at, counts: true))
        }
        var now: LedgerEvent?
        for place in lines.indices where lines[place].counts {
            lines[place].counts = now.map { lines[place].event.tellsMore(than: $0) } ?? true
            if lines[place].counts { now = lines[place].event }
        }
        return lines
    }
}
