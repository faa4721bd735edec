public import Access
import SQL
import Storage
public import Work

extension Ledger {
    /// A packet or message with the state its lines amount to.
    public struct Item: Sendable, Equatable {
        public var subject: String
        public var run: String
        public var recipient: String
        public var address: String
        public var state: LedgerEvent
        /// When it came into this state.
        public var at: Moment
        /// The number of its newest line; lists are in this order.
        public var newest: Int64
    }

    public struct Filter: Sendable, Equatable {
        public enum Part: Sendable, Equatable {
            case all, sent, unsent
            /// It was refused, or came back.
            case failed
            case state(LedgerEvent)

            /// Those it is about, where it is about states.
            var states: [String] {
                switch self {
                case .all, .sent, .unsent: []
                case .failed: LedgerEvent.allCases.filter(\.isFailed).map(\.rawValue)
                case .state(let state): [state.rawValue]
                }
            }
        }

        public var part: Part
        /// `batch/…` or `mailing/…`; nil for everything.
        public var run: String?
        /// Part of a name or an address.
        public var search: String

        public init(_ part: Part = .all, run: String? = nil, search: String = "") {
            self.part = part
            self.run = run
            self.search = search
        }
    }

    public struct Page: Sendable, Equatable {
        public var items: [Item]
        /// Give this as `before` for the next page; nil on the last.
        public var next: Int64?
    }

    /// “Sent 12 of 300”, and how many there are in each state.
    public struct Tally: Sendable, Equatable {
        public var states: [LedgerEvent: Int]
        /// Packets of a batch that were never made, so that the ledger knows nothing of them.
        public var unmade = 0
        public var total: Int { states.values.reduce(unmade, +) }
        public var failed: Int { states.reduce(0) { $0 + ($1.key.isFailed ? $1.value : 0) } }
        public var sent: Int { states.reduce(0) { $0 + ($1.key.isSent ? $1.value : 0) } }
    }

    public static let mostPerPage = 500

    /// The newest first; a page from anywhere in a million comes as fast as the first.
    public func list(
        _ filter: Filter = Filter(), before: Int64? = nil, limit: Int = 50, by caller: Caller
    ) throws -> Page {
        try caller.require(.view)
        let limit = min(max(1, limit), Self.mostPerPage)
        var conditions: [Query] = []
        switch filter.part {
        case .all: break
        case .sent: conditions.append("sent = 1")
        case .unsent: conditions.append("sent = 0")
        case .failed, .state: conditions.append(Query.column("state", in: filter.part.states))
        }
        if let run = filter.run { conditions.append("run = \(run)") }
        if let before { conditions.append("newest < \(before)") }
        let condition: Query =
            conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        return try store.read { desk in
            let rows = try Self.rows(condition, filter.search, limit: limit + 1, in: desk)
            let items = try rows.prefix(limit).map(Item.init)
            return Page(items: items, next: rows.count > limit ? items.last?.newest : nil)
        }
    }

    /// What many fit is found by reading from the newest on; only what is rare is looked up in the index of words.
    private static let firstLook = 10_000
    /// More than these are not looked up one by one: where so many fit, reading on meets enough of them sooner.
    private static let rare = 10_000

    private static func rows(
        _ condition: Query, _ search: String, limit: Int, in desk: borrowing Reading
    ) throws -> [Row] {
        guard search.contains(where: { !$0.isWhitespace }) else {
            return try desk.rows("SELECT * FROM ledger_item \(condition) ORDER BY newest DESC LIMIT \(limit)")
        }
        let words = Query.words(search, in: "search")
        let both: Query = condition.isEmpty ? "WHERE \(words)" : "\(condition) AND \(words)"
        let byAge: Query = "\(both) ORDER BY newest DESC LIMIT \(limit)"
        guard desk.kind == .sqlite, let places = LedgerSearch.places(search) else {
            return try desk.rows("SELECT * FROM ledger_item \(byAge)")
        }
        let near = try desk.rows(
            """
            SELECT * FROM (SELECT * FROM ledger_item \(condition) ORDER BY newest DESC LIMIT \(firstLook))
            WHERE \(words) ORDER BY newest DESC LIMIT \(limit)
            """)
        guard near.count < limit else { return near }
        let some = try desk.row("SELECT count(*) AS n FROM (\(places) LIMIT \(rare + 1))")
        guard let count = try some?.int("n"), count <= rare else {
            return try desk.rows("SELECT * FROM ledger_item \(byAge)")
        }
        // CROSS says in which order: left alone, SQLite reads all that is unsent to find the one.
        return try desk.rows(
            "SELECT ledger_item.* FROM (\(places)) CROSS JOIN ledger_item ON place = found \(byAge)")
    }

    public func tally(of run: String? = nil, by caller: Caller) throws -> Tally {
        try tallies(of: [run ?? ""], by: caller)[run ?? ""] ?? Tally(states: [:])
    }

    /// The same for several at once, as lists show them; one that the ledger knows nothing of is left out.
    public func tallies(of runs: [String], by caller: Caller) throws -> [String: Tally] {
        try caller.require(.view)
        return try store.read { desk in
            var tallies: [String: Tally] = [:]
            for row in try desk.rows(
                "SELECT run, state, items FROM ledger_count WHERE \(Query.column("run", in: runs))")
            {
                guard let state = LedgerEvent(rawValue: try row.text("state")) else { continue }
                let count = try row.int("items")
                if count > 0 {
                    tallies[try row.text("run"), default: Tally(states: [:])].states[state] = count
                }
            }
            return tallies
        }
    }

    public func item(_ subject: String, by caller: Caller) throws -> Item? {
        try caller.require(.view)
        return try store.read { desk in
            try desk.row("SELECT * FROM ledger_item WHERE subject = \(subject)").map(Item.init)
        }
    }
}

extension Ledger.Item {
    init(_ row: Row) throws {
        subject = try row.text("subject")
        run = try row.text("run")
        recipient = try row.text("recipient")
        address = try row.text("address")
        state = try row.choice("state")
        at = try row.moment("at")
        newest = try row.integer("newest")
    }
}
