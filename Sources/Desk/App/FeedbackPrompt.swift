public import Access
import Bytes
import SQL
public import Storage
import Work

/// When a member is asked how the desk is to work with: after a week, at most three times a version with weeks in between, once they
/// have answered not before the next version, and never again when they say so.
public struct FeedbackPrompt: Sendable {
    public enum Answer: String, Sendable, CaseIterable {
        case good, bad, later, never

        /// Leads on to the second step, where one says why.
        public var isOpinion: Bool { self == .good || self == .bad }
    }

    static let mostTimes = 3
    private static let firstAfter = Duration.seconds(7 * 86_400)
    private static let pause = Duration.seconds(14 * 86_400)
    /// Nobody is asked for longer at a time, answered or not.
    private static let shownFor = Duration.seconds(86_400)

    private let store: Store
    private let version: String

    public init(_ store: Store, version: String = Version.number) {
        self.store = store
        self.version = version
    }

    /// Whether to ask now; that it was asked is kept with the first time somebody is shown it.
    public func isDue(for member: Member) throws -> Bool {
        let now = store.clock.now()
        guard now - member.joinedAt >= Self.firstAfter else { return false }
        var state = try store.read { desk in try self.state(of: member.id, in: desk) }
        guard !state.isNever, !state.isAnswered else { return false }
        if let at = state.at {
            if !state.isPutOff, now - at < Self.shownFor { return true }
            guard now - at >= Self.pause, state.count < Self.mostTimes else { return false }
        }
        state.count += 1
        state.at = now
        state.isPutOff = false
        try store.write { tx in try keep(state, of: member.id, in: tx) }
        return true
    }

    public func answer(_ answer: Answer, by caller: Caller) throws {
        try caller.require(.view)
        guard let member = caller.memberID else { return }
        try store.write { tx in
            var state = try self.state(of: member, in: tx)
            switch answer {
            case .good, .bad: state.isAnswered = true
            case .later: state.isPutOff = true
            case .never: state.isNever = true
            }
            try keep(state, of: member, in: tx)
        }
    }

    // MARK: As it is kept

    private struct State {
        var count = 0
        var at: Moment?
        var isPutOff = false
        var isAnswered = false
        var isNever = false
    }

    /// A newer version begins anew, except for who said never.
    private func state(
        of member: ID<Member>, in desk: borrowing some Readable & ~Copyable
    ) throws -> State {
        let row = try desk.row("SELECT value FROM setting WHERE owner = \(member) AND name = 'feedback'")
        guard let json = row.flatMap({ try? JSON(parsing: $0.text("value")) }) else { return State() }
        var state = State()
        state.isNever = json["never"]?.bool ?? false
        guard json["version"]?.string == version else { return state }
        state.count = json["count"]?.int ?? 0
        state.at = json["at"]?.int.map { Moment(milliseconds: Int64($0)) }
        state.isPutOff = json["later"]?.bool ?? false
        state.isAnswered = json["answered"]?.bool ?? false
        return state
    }

    private func keep(_ state: State, of member: ID<Member>, in tx: borrowing Transaction) throws {
        let json: JSON = [
            "version": .string(version), "count": .int(state.count),
            "at": state.at.map { .int(Int($0.milliseconds)) } ?? .null, "later": .bool(state.isPutOff),
            "answered": .bool(state.isAnswered), "never": .bool(state.isNever),
        ]
        try tx.run(
            """
            INSERT INTO setting (owner, name, value, changed_at)
            VALUES (\(member), 'feedback', \(json.text), \(tx.now))
            ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
            """)
    }
}
