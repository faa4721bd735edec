import CPQ
import CSQLite
import Synchronization
import Work

/// How long somebody waits for an answer.
final class Patience: Sendable {
    private let limit: Duration
    private let cancellation: Cancellation
    private let waiting = Stopwatch()

    init(_ limit: Duration, _ cancellation: Cancellation) {
        self.limit = limit
        self.cancellation = cancellation
    }

    var isOver: Bool { cancellation.isCancelled || waiting.elapsed >= limit }

    func check() throws(SQLError) {
        guard isOver else { return }
        throw SQLError(
            .cancelled,
            cancellation.isCancelled
                ? "the question was called off: \(cancellation.reason ?? "nobody waits for it")"
                : "the question took longer than \(limit.components.seconds) seconds and was ended")
    }

    /// What SQLite and PostgreSQL say about a question that was ended is no sentence for a person.
    func explaining<R>(_ body: () throws -> R) throws -> R {
        do {
            try check()
            return try body()
        } catch let error as SQLError where error.code == .cancelled {
            try check()
            throw error
        }
    }
}

extension SQLiteSession {
    /// Looked at after so many steps of SQLite's machine, which is some hundred times a second.
    private static let stepsBetweenLooks: Int32 = 20_000

    func limited<R>(to limit: Duration, _ cancellation: Cancellation, _ body: () throws -> R) throws -> R {
        let patience = Patience(limit, cancellation)
        return try withExtendedLifetime(patience) {
            sqlite3_progress_handler(
                handle, Self.stepsBetweenLooks,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<Patience>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
                }, Unmanaged.passUnretained(patience).toOpaque())
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            return try patience.explaining(body)
        }
    }
}

extension PostgresSession {
    func limited<R>(to limit: Duration, _ cancellation: Cancellation, _ body: () throws -> R) throws -> R {
        let patience = Patience(limit, cancellation)
        // Of the transaction alone, so that the connection is as it was afterwards.
        let milliseconds =
            limit.components.seconds * 1_000 + limit.components.attoseconds / 1_000_000_000_000_000
        try execute("SET LOCAL statement_timeout = \(max(1, milliseconds))")
        let canceller = Canceller(handle)
        let subscription = cancellation.whenCancelled { canceller.cancel() }
        defer { subscription.cancel() }
        return try patience.explaining(body)
    }
}

/// Ends what a connection is doing, from any thread.
private final class Canceller: Sendable {
    private struct Key: @unchecked Sendable {
        // Only used under the lock. libpq lets another thread use it than the connection's.
        let raw: OpaquePointer?
    }

    private let key: Mutex<Key>

    init(_ handle: OpaquePointer) {
        key = Mutex(Key(raw: PQgetCancel(handle)))
    }

    func cancel() {
        key.withLock { key in
            var said = [CChar](repeating: 0, count: 256)
            PQcancel(key.raw, &said, Int32(said.count))
        }
    }

    deinit { key.withLock { PQfreeCancel($0.raw) } }
}
