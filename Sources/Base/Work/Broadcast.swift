import Synchronization

/// Tells everyone who listens. Handlers run one after another on the thread that sends, so they must be
/// short; whoever has more to do hands the element to their own `Workers`.
public final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var next = 0
        var handlers: [(number: Int, handler: @Sendable (Element) -> Void)] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Calls `handler` for every element sent until the subscription is cancelled or let go. An element
    /// being sent at that very moment may still arrive.
    public func subscribe(_ handler: @escaping @Sendable (Element) -> Void) -> Subscription {
        let number = state.withLock { state in
            state.next += 1
            state.handlers.append((state.next, handler))
            return state.next
        }
        return Subscription { [weak self] in
            self?.state.withLock { $0.handlers.removeAll { $0.number == number } }
        }
    }

    public func send(_ element: Element) {
        // Copied out first: a handler may subscribe, cancel or send.
        for (_, handler) in state.withLock({ $0.handlers }) { handler(element) }
    }

    public var listenerCount: Int { state.withLock { $0.handlers.count } }
}
