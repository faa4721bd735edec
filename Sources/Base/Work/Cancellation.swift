import Synchronization

/// Thrown where work notices that nobody wants its result any more.
public struct Cancelled: Error, Sendable, Equatable {
    public let reason: String

    public init(reason: String = "cancelled") {
        self.reason = reason
    }
}

/// The wish that some work should end early. It is asked (`check`) by loops and listened to (`whenCancelled`)
/// by whoever waits outside, for a child process or a socket.
public final class Cancellation: Sendable {
    private struct State {
        var reason: String?
        var next = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    private let flag = Atomic(false)
    private let state = Mutex(State())
    private let following: Mutex<Subscription?> = Mutex(nil)

    public init() {}

    /// A cancellation of its own that is also cancelled when `other` is.
    public convenience init(following other: Cancellation) {
        self.init()
        let subscription = other.whenCancelled { [weak self, weak other] in
            self?.cancel(reason: other?.reason ?? "cancelled")
        }
        following.withLock { $0 = subscription }
    }

    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    public var reason: String? { state.withLock { $0.reason } }

    /// Only the first reason counts.
    public func cancel(reason: String = "cancelled") {
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            flag.store(true, ordering: .releasing)
            defer { state.handlers = [:] }
            return state.handlers.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in handlers { handler() }
    }

    /// Cheap enough for every turn of a loop.
    public func check() throws(Cancelled) {
        if isCancelled { throw Cancelled(reason: reason ?? "cancelled") }
    }

    /// Calls `handler` once on the thread that cancels, or at once if that has happened already. Lasts as
    /// long as the cancellation.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        _ = register(handler)
    }

    /// Like `onCancel`, but only for as long as the subscription is held.
    public func whenCancelled(_ handler: @escaping @Sendable () -> Void) -> Subscription {
        let number = register(handler)
        return Subscription { [weak self] in
            guard let number else { return }
            self?.state.withLock { _ = $0.handlers.removeValue(forKey: number) }
        }
    }

    private func register(_ handler: @escaping @Sendable () -> Void) -> Int? {
        let number = state.withLock { state -> Int? in
            guard state.reason == nil else { return nil }
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
        if number == nil { handler() }
        return number
    }
}
