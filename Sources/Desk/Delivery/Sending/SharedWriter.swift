import Storage
import Work

/// The acts of writing of several threads as one, because each of them waits for the disk.
///
/// Whoever comes while somebody is writing waits, and then one of those waiting writes for all. `write` returns when what
/// it was given is saved for good, as `Store.write` does; what one of them throws undoes nothing of the others.
final class SharedWriter: Sendable {
    private final class Errand: @unchecked Sendable {
        // `isDone` and `error` are only touched while `queue` is held; `body` is called by one thread, while the thread
        // that brought it waits.
        let body: (borrowing Transaction) throws -> Void
        var isDone = false
        var error: (any Error)?

        init(_ body: @escaping (borrowing Transaction) throws -> Void) { self.body = body }
    }

    private struct Queue {
        var waiting: [Errand] = []
        var isWriting = false
    }

    private final class Box<Value> {
        var value: Value?
    }

    private let store: Store
    private let queue = Monitor(Queue())

    init(_ store: Store) {
        self.store = store
    }

    func write<R>(_ body: @escaping (borrowing Transaction) throws -> R) throws -> R {
        let box = Box<R>()
        let errand = Errand { tx in box.value = try body(tx) }
        queue.update(waking: .nobody) { $0.waiting.append(errand) }
        let mine = queue.wait { queue -> [Errand]? in
            if errand.isDone { return [] }
            if queue.isWriting { return nil }
            queue.isWriting = true
            defer { queue.waiting = [] }
            return queue.waiting
        }
        if let mine, !mine.isEmpty {
            let errors = save(mine)
            queue.update { queue in
                for (errand, error) in zip(mine, errors) {
                    errand.error = error
                    errand.isDone = true
                }
                queue.isWriting = false
            }
        }
        if let error = queue.read({ _ in errand.error }) { throw error }
        guard let value = box.value else { throw Failure(.damaged, "What was to be saved has vanished.") }
        return value
    }

    private func save(_ errands: [Errand]) -> [(any Error)?] {
        if errands.count > 1 {
            do {
                try store.write { tx in for errand in errands { try errand.body(tx) } }
                return errands.map { _ in nil }
            } catch {
                // One that fails must not take the others along: each by itself then.
            }
        }
        return errands.map { errand in
            do {
                try store.write { tx in try errand.body(tx) }
                return nil
            } catch {
                return error
            }
        }
    }
}
