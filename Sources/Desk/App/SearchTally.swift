import Bytes
import Delivery
import SQL
import Storage
import Synchronization
import Work

/// How often somebody searched: a number for each week, and neither what for nor who.
///
/// Pages ask at every key while somebody types. What one person asks within half a minute of the last is one search.
public final class SearchTally: Sendable {
    private struct State {
        var last: [String: Moment] = [:]
        var unwritten = 0
        var writtenAt: Moment?
    }

    private static let pause = Duration.seconds(30)
    private static let betweenWrites = Duration.seconds(60)
    private static let mostPeople = 1000
    private static let mostWeeks = 110

    private let store: Store
    private let state = Mutex(State())

    init(_ store: Store) { self.store = store }

    public func count(by actor: String) {
        let now = store.clock.now()
        let isDue = state.withLock { state in
            let last = state.last.updateValue(now, forKey: actor)
            guard last.map({ now - $0 > Self.pause }) ?? true else { return false }
            if state.last.count > Self.mostPeople {
                state.last = state.last.filter { now - $0.value <= Self.pause }
            }
            state.unwritten += 1
            return state.writtenAt.map { now - $0 >= Self.betweenWrites } ?? true
        }
        if isDue { write() }
    }

    /// What was counted since it was written down last. A desk that cannot write now keeps it for the next time.
    func write() {
        let now = store.clock.now()
        let count = state.withLock { state in
            defer { state.unwritten = 0 }
            state.writtenAt = now
            return state.unwritten
        }
        guard count > 0 else { return }
        do {
            try store.write { tx in
                var weeks = try Self.weeks(in: tx)
                weeks[Week(of: now).number, default: 0] += count
                let kept = weeks.sorted { $0.key < $1.key }.suffix(Self.mostWeeks)
                let json = JSON.object(JSONObject(kept.map { ("\($0.key)", .int($0.value)) }))
                try tx.run(
                    """
                    INSERT INTO setting (owner, name, value, changed_at)
                    VALUES ('', 'searches', \(json.text), \(tx.now))
                    ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
                    """)
            }
        } catch {
            state.withLock { $0.unwritten += count }
        }
    }

    static func weeks(in desk: borrowing some Readable & ~Copyable) throws -> [Int64: Int] {
        guard let row = try desk.row("SELECT value FROM setting WHERE owner = '' AND name = 'searches'")
        else { return [:] }
        var weeks: [Int64: Int] = [:]
        for (week, count) in (try? JSON(parsing: row.text("value")))?.object ?? [:] {
            if let week = Int64(week), let count = count.int { weeks[week] = count }
        }
        return weeks
    }
}
