public import Access
import Bytes
import SQL
public import Storage
public import Work

/// Whom to get back to, by how near the day is.
public enum Due: String, Sendable, CaseIterable {
    /// The day has gone by.
    case overdue
    /// Today and the six days after it.
    case week
    /// Any day at all.
    case planned

    func condition(_ today: WallTime) -> Query {
        switch self {
        case .overdue: "follow_on < \(today.dayText)"
        case .week: "follow_on BETWEEN \(today.dayText) AND \(today.adding(days: 6).dayText)"
        case .planned: "follow_on IS NOT NULL"
        }
    }
}

extension FollowUp {
    /// How near it is on a day; nil for one that is further away than a week.
    public func due(on today: WallTime) -> Due? {
        if on < today.dayText { return .overdue }
        return on <= today.adding(days: 6).dayText ? .week : nil
    }

    /// Of two who became one: the nearer day, and what both are about.
    static func joined(_ one: FollowUp?, _ other: FollowUp?) -> FollowUp? {
        guard var one, let other else { return one ?? other }
        let notes = [one.note, other.note]
        if other.on < one.on { one = other }
        let words = notes[0] == notes[1] ? [notes[0]] : notes.filter { !$0.isEmpty }
        one.note = words.joined(separator: " · ").prefix(bytes: longestNote)
        return one
    }
}

extension String {
    /// As much of it as fits, without half a letter.
    fileprivate func prefix(bytes: Int) -> String {
        var text = self
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }
}

// Whom to get back to, and when. Also for people that a server keeps: the card stays as it is.
extension Contacts {
    public var today: WallTime { recipients.today }

    public func day(in step: FollowUp.Step) -> String { step.after(today).dayText }

    /// How many days have gone by, and how many are near.
    public func dueCounts(by caller: Caller) throws -> [Due: Int] {
        try caller.require(.view)
        let today = today
        return try store.read { desk in
            var counts: [Due: Int] = [:]
            for due in Due.allCases {
                counts[due] = try desk.row(
                    "SELECT count(*) AS n FROM contact WHERE \(due.condition(today))")?.int("n")
            }
            return counts
        }
    }

    /// Whom to get back to by today, the longest waiting first.
    public func waiting(limit: Int, by caller: Caller) throws -> Page {
        try caller.require(.view)
        let condition: Query = "follow_on <= \(today.dayText)"
        return try store.read { desk in
            let rows = try desk.rows(
                """
                SELECT \(Contact.columns) FROM contact WHERE \(condition) ORDER BY follow_on, name_order, id
                LIMIT \(limit)
                """)
            let count = try desk.row("SELECT count(*) AS n FROM contact WHERE \(condition)")?.int("n")
            return Page(contacts: try rows.map(Contact.init), matchCount: count ?? 0)
        }
    }

    /// Says when to get back to somebody; nil when that was said already.
    @discardableResult
    public func plan(_ followUp: FollowUp, of id: ID<Contact>, by caller: Caller) throws -> ContactAct? {
        var followUp = followUp
        followUp.note = followUp.note.trimmed
        try FollowUp.fields.check(followUp)
        guard WallTime(day: followUp.on) != nil else {
            throw Failure(.invalid, "“\(followUp.on)” is no day. Write it as 2026-04-15.", field: "on")
        }
        return try setFollowUp(of: id, "contacts.followUpPlanned", by: caller) { before in
            // Its rhythm goes on from the same day as long as that day is not moved.
            followUp.from = before?.on == followUp.on ? before?.from ?? followUp.on : followUp.on
            return followUp
        }
    }

    /// So far from today.
    @discardableResult
    public func postpone(
        _ id: ID<Contact>, by step: FollowUp.Step, by caller: Caller
    ) throws -> ContactAct? {
        try postpone(id, to: day(in: step), by: caller)
    }

    @discardableResult
    public func postpone(_ id: ID<Contact>, to day: String, by caller: Caller) throws -> ContactAct? {
        guard WallTime(day: day) != nil else {
            throw Failure(.invalid, "“\(day)” is no day. Write it as 2026-04-15.", field: "on")
        }
        return try setFollowUp(of: id, "contacts.followUpPostponed", by: caller) { before in
            guard var followUp = before else { throw Self.nothingPlanned }
            followUp.on = day
            followUp.from = day
            return followUp
        }
    }

    /// Somebody got back to them: what repeats moves on to its next day, anything else goes.
    @discardableResult
    public func followedUp(_ id: ID<Contact>, by caller: Caller) throws -> ContactAct? {
        try setFollowUp(of: id, "contacts.followedUp", by: caller) { before in
            guard let before else { throw Self.nothingPlanned }
            return before.next(after: today)
        }
    }

    @discardableResult
    public func removeFollowUp(of id: ID<Contact>, by caller: Caller) throws -> ContactAct? {
        try setFollowUp(of: id, "contacts.followUpRemoved", by: caller) { _ in nil }
    }

    private func setFollowUp(
        of id: ID<Contact>, _ verb: String, by caller: Caller, _ change: (FollowUp?) throws -> FollowUp?
    ) throws -> ContactAct? {
        try caller.require(.edit)
        return try store.write { tx in
            guard let kept = try kept(id, in: tx) else { throw Self.nobody }
            let before = FollowUp(kept: kept.followUp)
            let now = try change(before)
            guard now != before else { return nil }
            let act = try begin(.followUp, kept.name, by: caller, in: tx)
            try keep(kept, before: act, in: tx)
            try set(now, of: id, in: tx)
            try tx.run("UPDATE contact SET act_id = \(act) WHERE id = \(id)")
            var counts = ContactCounts()
            counts.changed = 1
            tell(verb, id, kept.book, by: caller, in: tx)
            return try finish(act, counts, in: tx)
        }
    }

    func set(_ followUp: FollowUp?, of id: ID<Contact>, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            UPDATE contact SET follow_on = \(followUp?.on), follow_up = \(followUp?.kept.text ?? ""),
                changed_at = \(tx.now) WHERE id = \(id)
            """)
        try settleDue(in: tx)
    }

    private static var nothingPlanned: Failure {
        Failure(.conflict, "There is no follow-up for this person any more.")
    }
}
