import SQL
public import Storage

extension JobQueue {
    /// Which jobs to list; empty finds all.
    public struct Filter: Sendable {
        public var states: [Job.State]
        public var kind: String?

        public init(states: [Job.State] = [], kind: String? = nil) {
            self.states = states
            self.kind = kind
        }
    }

    public func get(_ id: ID<Job>) throws -> Job? {
        try store.read { desk in try Self.job(id, in: desk) }
    }

    /// The newest first; `before` the last one's id gives the next page.
    public func list(_ filter: Filter = Filter(), before: ID<Job>? = nil, limit: Int = 50) throws -> [Job] {
        var conditions: [Query] = []
        if !filter.states.isEmpty { conditions.append(.column("state", in: filter.states.map(\.rawValue))) }
        if let kind = filter.kind { conditions.append("kind = \(kind)") }
        if let before { conditions.append("id < \(before)") }
        let condition: Query = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return try store.read { desk in
            try desk.rows("SELECT * FROM job \(condition) ORDER BY id DESC LIMIT \(limit)").map(Job.init)
        }
    }

    /// The job of this kind with this unique key that is waiting or at work; of two, the one at work.
    public func active(_ kind: JobKind, unique: String) throws -> ID<Job>? {
        try store.read { desk in
            try desk.row(
                """
                SELECT id FROM job WHERE kind = \(kind.name) AND unique_key = \(unique)
                    AND state IN ('running', 'waiting') ORDER BY state LIMIT 1
                """)?.id("id")
        }
    }

    public func counts() throws -> [Job.State: Int] {
        try store.read { desk in
            var counts: [Job.State: Int] = [:]
            try desk.each("SELECT state, count(*) AS n FROM job GROUP BY state") { row in
                if let state = Job.State(rawValue: try row.text("state")) { counts[state] = try row.int("n") }
            }
            return counts
        }
    }

    static func job(_ id: ID<Job>, in desk: borrowing some Readable & ~Copyable) throws -> Job? {
        try desk.row("SELECT * FROM job WHERE id = \(id)").map(Job.init)
    }
}
