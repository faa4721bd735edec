import Synchronization

/// Keeps a handler registered for as long as it is held; `cancel` or letting go ends it.
public final class Subscription: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = Mutex(end)
    }

    public func cancel() {
        let end = self.end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit {
        cancel()
    }
}
