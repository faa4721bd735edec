import Work

/// Lets one thread at a time write, in the order of asking, and lets several of them share one commit.
///
/// A commit waits for the disk. When others are already in line, the transaction is handed on instead of
/// committed: the next thread runs its body under a savepoint of the same transaction, and so on, until
/// nobody waits or the transaction is old or large enough. The last one commits and all of them return.
/// Nobody returns before their work is safe, and a body that throws undoes only what it did itself.
///
/// When a shared commit fails, one member's fault (too much for the disk, a foreign key checked at the end)
/// must not be the others': each runs again, alone.
final class SQLiteWriter: Sendable {
    private static let mostMembers = 64
    private static let longestSharing = Duration.milliseconds(10)

    private struct Line {
        var isTaken = false
        var places: ArraySlice<Place> = []
    }

    private final class Place: Sendable {
        let isAlone: Bool
        /// Filled when it is this place's turn: with the transaction to join, or none to begin one.
        let turn = Monitor<SharedCommit??>(nil)
        init(isAlone: Bool) { self.isAlone = isAlone }
    }

    private final class SharedCommit: Sendable {
        let age = Stopwatch()
        let outcome = Monitor<Result<Void, SQLError>?>(nil)
        // Counted only by the thread whose turn it is, and read after the outcome is known.
        nonisolated(unsafe) var members = 0
    }

    // Used only by the thread whose turn it is; nil once closed.
    private nonisolated(unsafe) var session: SQLiteSession?
    private let line = Monitor(Line())
    private let channels: Channels

    init(session: sending SQLiteSession, channels: Channels) {
        self.session = session
        self.channels = channels
    }

    func write<R>(_ body: (any Session) throws -> R) throws -> R {
        if let result = try turn(isAlone: false, body) { return try result.get() }
        if let result = try turn(isAlone: true, body) { return try result.get() }
        preconditionFailure("a member alone in its transaction has nobody to be undone with")
    }

    /// Has the connection for itself and no transaction begun.
    func alone<R>(_ body: (SQLiteSession) throws -> R) throws -> R {
        _ = waitForTurn(isAlone: true)
        defer { giveTurnToNext() }
        guard let session else { throw closed }
        return try body(session)
    }

    func close() {
        _ = waitForTurn(isAlone: true)
        session = nil
        giveTurnToNext()
    }

    private var closed: SQLError { SQLError(.misuse, "the database is closed") }

    /// nil when the work was undone through no fault of its own and has to be done again.
    private func turn<R>(
        isAlone: Bool, _ body: (any Session) throws -> R
    ) throws -> Result<R, any Error>? {
        let joined = waitForTurn(isAlone: isAlone)
        guard let session else {
            giveTurnToNext()
            throw closed
        }
        let shared = joined ?? SharedCommit()
        let result: Result<R, any Error>
        if joined == nil {
            do {
                _ = try session.run("BEGIN IMMEDIATE")
            } catch {
                giveTurnToNext()
                throw error
            }
            session.notifications = []
            result = Result { try body(session) }
            // The first one shares nothing with anybody yet.
            if case .failure = result {
                undo(session)
                giveTurnToNext()
                return result
            }
        } else {
            result = Result { try underSavepoint(session, body) }
        }
        shared.members += 1
        if let next = nextToShare(shared, isAlone: isAlone) {
            next.turn.update { $0 = .some(shared) }
        } else {
            commit(session, shared)
        }
        switch shared.outcome.wait({ $0 }) {
        case .success: return result
        case .failure(let error): return shared.members == 1 ? .failure(error) : nil
        case nil: preconditionFailure("waits without end")
        }
    }

    private func underSavepoint<R>(
        _ session: SQLiteSession, _ body: (any Session) throws -> R
    ) throws -> R {
        let earlier = session.notifications.count
        _ = try session.run("SAVEPOINT member")
        do {
            let result = try body(session)
            _ = try session.run("RELEASE member")
            return result
        } catch {
            session.notifications.removeSubrange(earlier...)
            if !session.hasLostTransaction {
                _ = try session.run("ROLLBACK TO member")
                _ = try session.run("RELEASE member")
            }
            throw error
        }
    }

    private func commit(_ session: SQLiteSession, _ shared: SharedCommit) {
        let outcome: Result<Void, SQLError>
        do throws(SQLError) {
            guard !session.hasLostTransaction else {
                throw session.doom ?? SQLError(.other, "SQLite gave the transaction up")
            }
            _ = try session.run("COMMIT")
            outcome = .success(())
        } catch {
            undo(session)
            outcome = .failure(error)
        }
        let notifications = session.notifications
        giveTurnToNext()
        shared.outcome.update { $0 = outcome }
        if case .success = outcome {
            for (channel, payload) in notifications { channels.send(channel, payload) }
        }
    }

    private func undo(_ session: SQLiteSession) {
        // When ROLLBACK itself fails there is no transaction left to undo.
        if !session.hasLostTransaction { _ = try? session.run("ROLLBACK") }
    }

    private func waitForTurn(isAlone: Bool) -> SharedCommit? {
        let place = Place(isAlone: isAlone)
        let isFree = line.update(waking: .nobody) { line in
            guard line.isTaken else {
                line.isTaken = true
                return true
            }
            line.places.append(place)
            return false
        }
        return isFree ? nil : place.turn.wait { $0 } ?? nil
    }

    private func nextToShare(_ shared: SharedCommit, isAlone: Bool) -> Place? {
        guard !isAlone, shared.members < Self.mostMembers, shared.age.elapsed < Self.longestSharing,
            session?.hasLostTransaction == false
        else { return nil }
        return line.update(waking: .nobody) { line in
            line.places.first?.isAlone == false ? line.places.popFirst() : nil
        }
    }

    private func giveTurnToNext() {
        let next = line.update(waking: .nobody) { line in
            let next = line.places.popFirst()
            line.isTaken = next != nil
            return next
        }
        next?.turn.update { $0 = .some(nil) }
    }
}
