public import Access
import Library
import SQL
public import Storage

extension Batches {
    /// Which packets of a batch, and how many at a time.
    public struct PacketListing: Sendable, Equatable {
        /// Words that must all occur in the recipient's name, address or file name.
        public var filter: String
        public var state: Packet.State?
        /// Only those with a serious problem, or without an address one could write to.
        public var withProblems: Bool
        public var limit: Int
        /// Begins behind the packet of this place: as fast far down as at the beginning.
        public var after: Int

        public init(
            filter: String = "", state: Packet.State? = nil, withProblems: Bool = false, limit: Int = 50,
            after: Int = 0
        ) {
            self.filter = filter
            self.state = state
            self.withProblems = withProblems
            self.limit = limit
            self.after = after
        }
    }

    public struct PacketPage: Sendable, Equatable {
        public var packets: [Packet]
        /// What to give as `after` for the next page; nil on the last.
        public var next: Int?
        public var matchCount: Int
    }

    /// The packets of the current plan, in the list's order. Before the first plan there are none.
    public func packets(
        of id: ID<Batch>, _ listing: PacketListing = PacketListing(), by caller: Caller
    ) throws -> PacketPage {
        try caller.require(.view)
        let limit = min(max(1, listing.limit), Documents.mostPerPage)
        return try store.read { desk in
            let batch = try find(id, in: desk)
            var matches: Query = "batch = \(id) AND plan = \(batch.plan)"
            if let state = listing.state {
                matches += " AND state = \(state.rawValue)"
                if state != .made { matches += " AND state <> 'made'" }
            }
            if listing.withProblems { matches += " AND (serious > 0 OR unreachable > 0)" }
            matches += " AND " + Query.words(listing.filter, in: "name_search")
            let rows = try desk.rows(
                "SELECT * FROM packet WHERE \(matches) AND place > \(listing.after) ORDER BY place LIMIT \(limit + 1)"
            )
            let packets = try rows.prefix(limit).map(Packet.init)
            return PacketPage(
                packets: packets, next: rows.count > limit ? packets.last?.place : nil,
                matchCount: try count(listing, matches, of: batch, in: desk))
        }
    }

    private func count(
        _ listing: PacketListing, _ matches: Query, of batch: Batch, in desk: borrowing Reading
    ) throws -> Int {
        // A plan is written once and knows how many it is for.
        if listing.filter.isEmpty, listing.state == nil, !listing.withProblems, let summary = batch.summary {
            return summary.recipients
        }
        if listing.filter.isEmpty, listing.state == .made, !listing.withProblems {
            return try counts(of: batch, in: desk)[.made, default: 0]
        }
        return try desk.row("SELECT count(*) AS n FROM packet WHERE \(matches)")?.int("n") ?? 0
    }

    /// How many packets of the current plan are in each state.
    public func counts(of id: ID<Batch>, by caller: Caller) throws -> [Packet.State: Int] {
        try caller.require(.view)
        return try store.read { desk in
            let batch = try find(id, in: desk)
            return try counts(of: batch, in: desk)
        }
    }

    /// The same for several batches at once, as lists show them: the made ones, which are most, are not gone through.
    public func counts(of batches: [Batch], by caller: Caller) throws -> [ID<Batch>: [Packet.State: Int]] {
        try caller.require(.view)
        guard !batches.isEmpty else { return [:] }
        let which = batches.map { "(batch = \($0.id) AND plan = \($0.plan))" as Query }
        return try store.read { desk in
            var counts: [ID<Batch>: [Packet.State: Int]] = [:]
            let others = try desk.rows(
                """
                SELECT batch, state, count(*) AS n FROM packet
                WHERE state <> 'made' AND (\(which.joined(separator: " OR "))) GROUP BY batch, state
                """)
            for row in others {
                counts[try row.id("batch"), default: [:]][try row.choice("state")] = try row.int("n")
            }
            for batch in batches {
                guard batch.isBegunHere, let summary = batch.summary else { continue }
                let made = summary.recipients - (counts[batch.id] ?? [:]).values.reduce(0, +)
                if made > 0 { counts[batch.id, default: [:]][.made] = made }
            }
            return counts
        }
    }

    func counts(
        of batch: Batch, in desk: borrowing some Readable & ~Copyable
    ) throws -> [Packet.State: Int] {
        let all: Query = "FROM packet WHERE batch = \(batch.id) AND plan = \(batch.plan)"
        var counts: [Packet.State: Int] = [:]
        var made = try desk.row("SELECT count(*) AS n \(all)")?.int("n") ?? 0
        for row in try desk.rows("SELECT state, count(*) AS n \(all) AND state <> 'made' GROUP BY state") {
            let count = try row.int("n")
            counts[try row.choice("state")] = count
            made -= count
        }
        if made > 0 { counts[.made] = made }
        return counts
    }
}
