public import Bytes
public import Filling
import SQL
public import Storage
public import Work

/// A batch that is made again, at set times or when the file its list came from changes, for those alone who are new
/// or whose papers have changed.
public struct Repetition: Sendable, Equatable {
    public let id: ID<Repetition>
    /// The batch it began with.
    public let batch: ID<Batch>
    public let name: String
    /// `FREQ=DAILY;BYHOUR=7`: when it looks.
    public let rule: String
    public let zone: String
    /// The file whose rows go into the list first; empty for none. With one, nothing happens while it stays the same.
    public let file: String
    /// The table of the list whose rows the file's take the place of, by its name; empty where the list has only one.
    public let source: String
    /// Whether what was made goes out by itself.
    public let sends: Bool
    /// The batch being made at this moment.
    public let current: ID<Batch>?
    /// The newest copy; the next compares itself with it.
    public let newest: ID<Batch>
    /// What the last time brought, in words.
    public let outcome: String
    public let ranAt: Moment?
    public let madeAt: Moment
    public let madeByName: String
    let fileDigest: String
    /// What is made or planned cannot go on by itself: somebody has to approve it, or to mend an account.
    public let waits: Bool

    init(_ row: Row) throws {
        id = try row.id("id")
        batch = try row.id("batch")
        name = try row.text("name")
        rule = try row.text("rule")
        zone = try row.text("zone")
        file = try row.text("file")
        fileDigest = try row.text("file_digest")
        source = try row.text("source")
        waits = try row.bool("waits")
        sends = try row.bool("sends")
        current = try row.optionalID("current")
        newest = try row.id("newest")
        outcome = try row.text("outcome")
        ranAt = try row.optionalMoment("ran_at")
        madeAt = try row.moment("made_at")
        madeByName = try row.text("made_by_name")
    }

    var scheduleName: String { "repetition/\(id)" }
    /// As the schedule calls its jobs: of one repetition only one is ever at work.
    var jobKey: String { "schedule/\(scheduleName)" }

    public var json: JSON {
        [
            "id": .string(id.text), "batch": .string(batch.text), "name": .string(name),
            "rule": .string(rule),
            "zone": .string(zone), "file": .string(file), "source": .string(source), "sends": .bool(sends),
            "waits": .bool(waits),
            "current": .optional(current?.text), "newest": .string(newest.text), "outcome": .string(outcome),
            "ranAt": .optional(ranAt?.iso8601), "madeAt": .string(madeAt.iso8601),
            "madeBy": .string(madeByName),
        ]
    }
}

/// What one time brought.
public struct RepetitionRun: Sendable, Equatable {
    public let at: Moment
    public let outcome: String
    /// What was made; nil when nothing was.
    public let batch: ID<Batch>?

    init(_ row: Row) throws {
        at = try row.moment("at")
        outcome = try row.text("outcome")
        batch = try row.optionalID("batch")
    }

    public var json: JSON {
        [
            "at": .string(at.iso8601), "outcome": .string(outcome), "batch": .optional(batch?.text),
        ]
    }
}

/// What the next time would bring.
public struct RepetitionForecast: Sendable, Equatable {
    public var planned: Int
    public var new: Int
    public var changed: Int
    public var same: Int
    /// The first of those whose packets would be made.
    public var names: [String]

    public var json: JSON {
        [
            "planned": .int(planned), "new": .int(new), "changed": .int(changed), "same": .int(same),
            "names": .array(names.map(JSON.string)),
        ]
    }
}
