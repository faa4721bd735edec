import Glibc

/// A value behind a lock on which threads can wait for a change, without turning in circles.
public final class Monitor<State>: @unchecked Sendable {
    // `state` is only touched while `lock` is held; the two pointers never change.
    private var state: State
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    public enum Waking: Sendable {
        case everyone, one, nobody
    }

    public init(_ state: sending State) {
        self.state = state
        lock = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Somebody setting the machine's clock must not lengthen or cut short a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    /// Changes the state and wakes those who wait for it.
    public func update<R>(waking: Waking = .everyone, _ body: (inout State) throws -> R) rethrows -> R {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        let result = try body(&state)
        switch waking {
        case .everyone: pthread_cond_broadcast(changed)
        case .one: pthread_cond_signal(changed)
        case .nobody: break
        }
        return result
    }

    public func read<R>(_ body: (State) throws -> R) rethrows -> R {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(state)
    }

    /// Asks `body` after every change until it answers; `nil` when `timeout` has passed first.
    public func wait<R>(timeout: Duration? = nil, _ body: (inout State) throws -> R?) rethrows -> R? {
        let deadline = timeout.map { Stopwatch.nanoseconds.addingSaturating($0.wholeNanoseconds) }
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let answer = try body(&state) { return answer }
            if let deadline {
                var time = timespec(
                    tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
                if pthread_cond_timedwait(changed, lock, &time) == ETIMEDOUT { return try body(&state) }
            } else {
                pthread_cond_wait(changed, lock)
            }
        }
    }
}

extension Duration {
    /// The duration in nanoseconds, never negative and at most about 292 years.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : whole.addingSaturating(attoseconds / 1_000_000_000)
    }
}
