import Synchronization
import Work

/// Waits, but not longer than somebody wants.
final class Pause: Sendable {
    private let monitor: Monitor<Bool>
    private let subscription: Mutex<Subscription?> = Mutex(nil)

    init(_ cancellation: Cancellation) {
        let monitor = Monitor(false)
        self.monitor = monitor
        let held = cancellation.whenCancelled { monitor.update { $0 = true } }
        subscription.withLock { $0 = held }
    }

    /// Whether the time passed without a cancellation.
    func wait(_ duration: Duration) -> Bool {
        monitor.wait(timeout: duration) { $0 ? true : nil } == nil
    }
}
