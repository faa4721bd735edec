import SQL
import Work

extension Store {
    /// What was made for some time while the clock was ahead would last for as long as that was wrong: it ends as long after now
    /// as it was to last. For tables with `made_at` and `expires_at`; how many rows that were.
    @discardableResult
    public func returnFromFuture(_ tables: [String]) throws -> Int {
        let now = clock.now()
        let ahead: Query = "WHERE made_at > \(now) AND expires_at IS NOT NULL"
        // Looks first, as most starts find nothing.
        let isSome = try read { desk in
            try tables.contains { try desk.row("SELECT 1 AS one FROM \(raw: $0) \(ahead) LIMIT 1") != nil }
        }
        guard isSome else { return 0 }
        return try write { tx in
            try tables.reduce(0) { count, table in
                try count
                    + tx.run(
                        "UPDATE \(raw: table) SET expires_at = \(now) + expires_at - made_at, made_at = \(now) \(ahead)"
                    )
            }
        }
    }
}
