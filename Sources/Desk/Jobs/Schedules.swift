public import Bytes
import SQL
public import Storage
public import Work

/// Work that comes back at set times.
public struct Schedule: Sendable {
    public let name: String
    public let kind: String
    public let title: String
    public let payload: JSON
    public let recurrence: Recurrence
    /// `Europe/Berlin`
    public let zone: String
    public internal(set) var beginsAt: Moment
    /// nil when it will not happen any more.
    public let nextAt: Moment?
    public let lastAt: Moment?
    public let isPaused: Bool

    init(_ row: Row) throws {
        name = try row.text("name")
        kind = try row.text("kind")
        title = try row.text("title")
        payload = try JSON(parsing: try row.text("payload"))
        recurrence = try Recurrence(try row.text("recurrence"))
        zone = try row.text("zone")
        beginsAt = try row.moment("begins_at")
        nextAt = try row.optionalMoment("next_at")
        lastAt = try row.optionalMoment("last_at")
        isPaused = try row.bool("is_paused")
    }

    /// Machines without `tzdata` know no zones; better an hour off than never.
    func next(after moment: Moment) -> Moment? {
        let zone = (try? TimeZoneRules(name: zone)) ?? .utc
        return recurrence.next(after: moment, from: beginsAt, zone: zone)
    }
}

/// The list of schedules. Runners look at it every second and add a job for each that is due; after a time
/// without runner one job makes up for all that were missed.
public struct Schedules: Sendable {
    public let queue: JobQueue

    public init(_ queue: JobQueue) {
        self.queue = queue
    }

    /// Adds a schedule or changes the one of this name. Setting it again as it was leaves its next time as it is,
    /// so a program can set its own at every start; whether it is paused stays the person's choice.
    public func set(
        _ name: String, _ kind: JobKind, payload: JSON = [:], title: String? = nil, recurrence: Recurrence,
        zone: String, in tx: borrowing Transaction
    ) throws {
        guard let rules = try? TimeZoneRules(name: zone) else {
            throw Failure(.invalid, "There is no time zone “\(zone)”.", field: "zone")
        }
        let old = try tx.row("SELECT * FROM job_schedule WHERE name = \(name)").flatMap { try? Schedule($0) }
        let isSameTime = old.map { $0.recurrence == recurrence && $0.zone == zone } ?? false
        let begins = isSameTime ? old?.beginsAt ?? tx.now : tx.now
        let next = isSameTime ? old?.nextAt : recurrence.next(after: tx.now, from: tx.now, zone: rules)
        try tx.run(
            """
            INSERT INTO job_schedule (name, kind, title, payload, recurrence, zone, begins_at, next_at)
            VALUES (\(name), \(kind.name), \(title ?? kind.title), \(payload.text), \(recurrence.text), \(zone),
                \(begins), \(next))
            ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, title = excluded.title,
                payload = excluded.payload, recurrence = excluded.recurrence, zone = excluded.zone,
                begins_at = excluded.begins_at, next_at = excluded.next_at
            """)
    }

    /// Puts right what a clock that was ahead has left behind: without it, one start with a wrong clock would keep backups
    /// and all else from their times for as long as it was wrong. What was changed, in sentences.
    func reckonAnew() throws -> [String] {
        let now = queue.store.clock.now()
        // One that cannot be read must not keep the others from their time.
        let all = try queue.store.read { desk in
            try desk.rows("SELECT * FROM job_schedule ORDER BY name").compactMap { try? Schedule($0) }
        }
        let ahead = all.compactMap { schedule -> (old: Schedule, begins: Moment, next: Moment)? in
            var anew = schedule
            anew.beginsAt = min(schedule.beginsAt, now)
            guard let next = anew.next(after: now) else { return nil }
            // Where it ended by itself it stays ended, unless that was in a time that has not come.
            let wasAhead = schedule.lastAt.map { $0 > now } ?? false
            let isLate = schedule.nextAt.map { $0 > next } ?? wasAhead
            return isLate ? (schedule, anew.beginsAt, next) : nil
        }
        // Most starts find nothing, and write nothing.
        guard !ahead.isEmpty else { return [] }
        try queue.store.write { tx in
            for (old, begins, next) in ahead {
                try tx.run(
                    """
                    UPDATE job_schedule SET begins_at = \(begins), next_at = \(next) WHERE name = \(old.name)
                    """)
            }
        }
        return ahead.map { old, _, next in
            "“\(old.name)” was to be done next at \(old.nextAt?.iso8601 ?? "no time"), and is now at \(next.iso8601)."
        }
    }

    public func list() throws -> [Schedule] {
        try queue.store.read { desk in
            try desk.rows("SELECT * FROM job_schedule ORDER BY name").map(Schedule.init)
        }
    }

    public func get(_ name: String) throws -> Schedule? {
        try queue.store.read { desk in
            try desk.row("SELECT * FROM job_schedule WHERE name = \(name)").map(Schedule.init)
        }
    }

    /// A schedule that goes on after a pause does not make up for what it missed.
    public func setPaused(_ isPaused: Bool, _ name: String) throws {
        try queue.store.write { tx in
            let schedule = try found(name, in: tx)
            let next = isPaused ? schedule.nextAt : schedule.next(after: tx.now)
            try tx.run(
                "UPDATE job_schedule SET is_paused = \(isPaused), next_at = \(next) WHERE name = \(name)")
        }
    }

    public func remove(_ name: String) throws {
        try queue.store.write { tx in
            _ = try found(name, in: tx)
            try remove(name, in: tx)
        }
    }

    /// The same among other changes, whether or not there is one.
    public func remove(_ name: String, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM job_schedule WHERE name = \(name)")
    }

    /// Does it once more, now.
    @discardableResult
    public func runNow(_ name: String) throws -> ID<Job> {
        try queue.store.write { tx in try add(try found(name, in: tx), in: tx) }
    }

    /// Adds the jobs that are due.
    func fire() throws {
        let store = queue.store
        let now = store.clock.now()
        let due: Query = "is_paused = 0 AND next_at IS NOT NULL AND next_at <= \(now)"
        guard
            try store.read({ desk in try desk.row("SELECT 1 AS one FROM job_schedule WHERE \(due) LIMIT 1") })
                != nil
        else { return }
        try store.write { tx in
            for row in try tx.rows("SELECT * FROM job_schedule WHERE \(due) ORDER BY next_at") {
                let name = try row.text("name")
                // One that cannot be read must not keep the others from their time.
                guard let schedule = try? Schedule(row) else {
                    try tx.run("UPDATE job_schedule SET next_at = NULL WHERE name = \(name)")
                    continue
                }
                try add(schedule, in: tx)
                try tx.run(
                    """
                    UPDATE job_schedule SET last_at = \(now), next_at = \(schedule.next(after: now))
                    WHERE name = \(name)
                    """)
            }
        }
    }

    @discardableResult
    private func add(_ schedule: Schedule, in tx: borrowing Transaction) throws -> ID<Job> {
        try queue.add(
            kind: schedule.kind, payload: schedule.payload.text, title: schedule.title, in: tx,
            unique: "schedule/\(schedule.name)", priority: 0, runAt: tx.now)
    }

    private func found(_ name: String, in desk: borrowing some Readable & ~Copyable) throws -> Schedule {
        guard let row = try desk.row("SELECT * FROM job_schedule WHERE name = \(name)") else {
            throw Failure(.notFound, "There is no schedule “\(name)”.")
        }
        return try Schedule(row)
    }
}
