public import Access
import SQL
import Storage
public import Work

/// What has been going on, in numbers that never leave this desk.
public struct ActivityFigures: Sendable, Equatable {
    public struct Week: Sendable, Equatable {
        /// A Monday (UTC).
        public var begins: Moment
        public var counts: [LedgerEvent: Int]

        public var made: Int { counts[.made] ?? 0 }
        /// Given to a mail server, or to the person.
        public var sent: Int {
            (counts[.accepted] ?? 0) + (counts[.handedOver] ?? 0) + (counts[.shared] ?? 0)
        }
        public var bounced: Int { counts[.bounced] ?? 0 }
        /// Sent, and not sent back as far as anybody has heard.
        public var delivered: Int { max(0, sent - bounced) }
        public var opened: Int { counts[.opened] ?? 0 }
        public var returned: Int { counts[.returned] ?? 0 }
        public var refused: Int { counts[.refused] ?? 0 }
    }

    /// The oldest first, those in which nothing happened as well; the last is this one.
    public var weeks: [Week]
    /// How many packets are in each state now.
    public var states: Ledger.Tally
    /// How many lines the ledger has, and since when.
    public var lineCount: Int64
    public var oldestAt: Moment?
}

extension Ledger {
    public static let mostWeeks = 520

    public func figures(weeks: Int = 26, by caller: Caller) throws -> ActivityFigures {
        let states = try tally(by: caller)
        let weeks = min(max(1, weeks), Self.mostWeeks)
        return try store.read { desk in
            let last = Week(of: store.clock.now()).number
            let first = last - Int64(weeks) + 1
            var counts: [Int64: [LedgerEvent: Int]] = [:]
            for row in try desk.rows(
                "SELECT week, event, items FROM ledger_week WHERE week BETWEEN \(first) AND \(last)")
            {
                guard let event = LedgerEvent(rawValue: try row.text("event")) else { continue }
                counts[try row.integer("week"), default: [:]][event] = try row.int("items")
            }
            let head = try desk.row("SELECT number, first_number FROM ledger_head")
            let oldest = try desk.row("SELECT at FROM ledger ORDER BY number LIMIT 1")
            return ActivityFigures(
                weeks: (first...last).map { number in
                    .init(begins: Week(number: number).begins, counts: counts[number] ?? [:])
                }, states: states,
                lineCount: try head.map { try $0.integer("number") - $0.integer("first_number") + 1 } ?? 0,
                oldestAt: try oldest?.moment("at"))
        }
    }
}
