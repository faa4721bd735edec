import Work

/// Connections waiting to be used, opened when first needed, at most `limit` at once.
final class Pool<Item>: Sendable {
    private struct State {
        var idle: [Item] = []
        var opened = 0
        /// Items of an older generation are let go when they come back.
        var generation = 0
        var isClosed = false
    }

    // Items are not Sendable; each is in the hands of one thread at a time, or idle behind the monitor.
    private struct Shelf: @unchecked Sendable {
        var state = State()
    }

    private enum Choice {
        case take(Item, Int), open(Int), closed
    }

    private let limit: Int
    private let shelf = Monitor(Shelf())
    private let open: @Sendable () throws -> sending Item

    init(limit: Int, open: @escaping @Sendable () throws -> sending Item) {
        self.limit = limit
        self.open = open
    }

    /// `isUsable` is asked afterwards: an item that is not is closed instead of kept.
    func use<R>(isUsable: (Item) -> Bool = { _ in true }, _ body: (Item) throws -> R) throws -> R {
        let (item, generation) = try take()
        defer { give(item, generation, isUsable(item)) }
        return try body(item)
    }

    /// Lets go of what is idle now, and of what is in use when it comes back.
    func renew() {
        shelf.update {
            $0.state.opened -= $0.state.idle.count
            $0.state.idle = []
            $0.state.generation += 1
        }
    }

    func close() {
        shelf.update { $0.state.isClosed = true }
        renew()
    }

    private func take() throws -> (Item, Int) {
        // Longer than any transaction should last; then it is a fault and better said than waited for.
        let choice = shelf.wait(timeout: .seconds(30)) { shelf -> Choice? in
            if shelf.state.isClosed { return .closed }
            if let item = shelf.state.idle.popLast() { return .take(item, shelf.state.generation) }
            guard shelf.state.opened < limit else { return nil }
            shelf.state.opened += 1
            return .open(shelf.state.generation)
        }
        switch choice {
        case .take(let item, let generation): return (item, generation)
        case .open(let generation):
            do {
                return (try open(), generation)
            } catch {
                let others = shelf.update { shelf in
                    shelf.state.opened -= 1
                    return shelf.state.opened
                }
                // Where there may be no more of them, one of those that are in use will do.
                guard others > 0, let shared = waitForReturn() else { throw error }
                return shared
            }
        case .closed: throw SQLError(.misuse, "the database is closed")
        case nil: throw SQLError(.busy, "all \(limit) connections have been in use for 30 seconds")
        }
    }

    private func waitForReturn() -> (Item, Int)? {
        let returned = shelf.wait(timeout: .seconds(10)) { shelf -> (Item, Int)?? in
            if let item = shelf.state.idle.popLast() { return .some((item, shelf.state.generation)) }
            return shelf.state.isClosed || shelf.state.opened == 0 ? .some(nil) : nil
        }
        return returned ?? nil
    }

    private func give(_ item: Item, _ generation: Int, _ isUsable: Bool) {
        shelf.update(waking: .one) { shelf in
            if isUsable, generation == shelf.state.generation, !shelf.state.isClosed {
                shelf.state.idle.append(item)
            } else {
                shelf.state.opened -= 1
            }
        }
    }
}
