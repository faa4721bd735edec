public import Bytes
public import Storage
public import Work

/// That a batch was begun on another desk that is kept in step with this one, and how far it came there.
///
/// What is made and sent lies on that desk; here it is read and copied, so that nobody gets the same paper from two desks.
public struct MadeElsewhere: Sendable, Equatable {
    /// What that desk is called.
    public var desk: String
    public var state: Batch.State
    public var begunAt: Moment
    public var made = 0
    /// Held back, failed, or not made yet.
    public var missing = 0
    public var sent = 0
    public var replies = 0
    /// A file that says to whom it went.
    public var account: Digest?

    public init(desk: String = "", state: Batch.State, begunAt: Moment) {
        self.desk = desk
        self.state = state
        self.begunAt = begunAt
    }
}

extension MadeElsewhere {
    public var json: JSON {
        var json: JSONObject = [
            "desk": .string(desk), "state": .string(state.rawValue),
            "begun": .integer(begunAt.milliseconds), "made": .int(made), "missing": .int(missing),
            "sent": .int(sent), "replies": .int(replies),
        ]
        // The word under which files travel.
        if let account { json["blob"] = .string(account.hex) }
        return .object(json)
    }

    /// Nil for what no desk of ours would say.
    public init?(_ json: JSON) {
        guard let desk = json["desk"]?.string, desk.utf8.count <= 1_000,
            let state = json["state"]?.string.flatMap(Batch.State.init), state.isBegun, state != .elsewhere,
            let begun = json["begun"]?.integer
        else { return nil }
        self.init(desk: desk, state: state, begunAt: Moment(milliseconds: begun))
        func count(_ key: String) -> Int { max(0, json[key]?.int ?? 0) }
        (made, missing, sent, replies) = (count("made"), count("missing"), count("sent"), count("replies"))
        account = json["blob"]?.string.flatMap { Digest($0) }
    }

    /// For those who ask about a batch.
    var view: JSON {
        [
            "desk": .string(desk), "state": .string(state.rawValue), "begunAt": .string(begunAt.iso8601),
            "made": .int(made), "missing": .int(missing), "sent": .int(sent), "replies": .int(replies),
        ]
    }

    static func json(_ all: [String: MadeElsewhere]) -> JSON {
        .object(JSONObject(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
    }

    static func read(_ json: JSON?) -> [String: MadeElsewhere] {
        var all: [String: MadeElsewhere] = [:]
        for (mark, value) in json?.object ?? [:] { all[mark] = MadeElsewhere(value) }
        return all
    }
}
