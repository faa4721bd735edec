import Storage
import Synchronization
import Work

/// The acts of writing of several threads as one, because each of them waits for the disk.
///
/// A thread of its own saves whatever has come since it last looked, in the order of coming, in one transaction. Who
/// brought something may wait until it is saved for good, or go on and ask later. What one of them throws undoes nothing of
/// the others.
final class SharedWriter: Sendable {
    /// Something to be saved, and in the end what came of it.
    final class Errand<Value>: @unchecked Sendable {
        // `outcome` is only touched while `queue` is held; `body` is called by the writer's thread alone.
        private let body: (borrowing Transaction) throws -> Value
        private let queue: Monitor<Queue>
        private let after: @Sendable () -> Void
        private var outcome: Result<Value, any Error>?

        fileprivate init(
            _ queue: Monitor<Queue>, _ body: @escaping (borrowing Transaction) throws -> Value,
            _ after: @escaping @Sendable () -> Void
        ) {
            self.queue = queue
            self.body = body
            self.after = after
        }

        /// Returns when it is saved, as `Store.write` does.
        func wait() throws -> Value {
            guard let outcome = queue.wait({ _ in self.outcome }) else {
                throw Failure(.damaged, "What was to be saved has vanished.")
            }
            return try outcome.get()
        }

        /// For what was brought later and makes no sense without this one.
        func check() throws {
            if case .failure(let error) = queue.read({ _ in outcome }) { throw error }
        }
    }

    fileprivate struct Queue {
        var waiting: [any SharedErrand] = []
        var isStopping = false
    }

    private let store: Store
    private let queue = Monitor(Queue())
    private let thread = Mutex<Thread?>(nil)

    init(_ store: Store) {
        self.store = store
        thread.withLock { $0 = Thread(name: "mail-notes") { self.work() } }
    }

    /// Comes into the line and is saved after all that stand there already; `after` is called once it is saved for good, or
    /// cannot be. Not to be called after `stop`.
    func begin<Value>(
        _ body: @escaping (borrowing Transaction) throws -> Value, after: @escaping @Sendable () -> Void = {}
    ) -> Errand<Value> {
        let errand = Errand(queue, body, after)
        queue.update { $0.waiting.append(errand) }
        return errand
    }

    func write<Value>(_ body: @escaping (borrowing Transaction) throws -> Value) throws -> Value {
        try begin(body).wait()
    }

    /// Saves what stands in the line and ends the thread.
    func stop() {
        queue.update { $0.isStopping = true }
        thread.withLock { $0 }?.join()
    }

    private func work() {
        while let errands = next() { save(errands) }
    }

    private func next() -> [any SharedErrand]? {
        queue.wait { queue -> [any SharedErrand]?? in
            guard queue.waiting.isEmpty else {
                defer { queue.waiting = [] }
                return .some(queue.waiting)
            }
            return queue.isStopping ? .some(nil) : nil
        } ?? nil
    }

    private func save(_ errands: [any SharedErrand]) {
        if errands.count > 1 {
            do {
                let ends = try store.write { tx in try errands.map { try $0.carryOut(in: tx) } }
                queue.update { _ in for end in ends { end() } }
                return
            } catch {
                // One that fails must not take the others along: each by itself then.
            }
        }
        for errand in errands {
            let end: () -> Void
            do {
                end = try store.write { tx in try errand.carryOut(in: tx) }
            } catch {
                end = { errand.fail(error) }
            }
            queue.update { _ in end() }
        }
    }
}

private protocol SharedErrand: Sendable {
    /// Gives what is to be done when it is saved.
    func carryOut(in tx: borrowing Transaction) throws -> () -> Void
    func fail(_ error: any Error)
}

extension SharedWriter.Errand: SharedErrand {
    fileprivate func carryOut(in tx: borrowing Transaction) throws -> () -> Void {
        let value = try body(tx)
        return { self.end(.success(value)) }
    }

    fileprivate func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ outcome: Result<Value, any Error>) {
        self.outcome = outcome
        after()
    }
}
