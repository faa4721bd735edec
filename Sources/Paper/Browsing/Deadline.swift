import Work

/// Until when somebody wants to wait, if they still want to.
struct Deadline: Sendable {
    let cancellation: Cancellation
    private let clock = Stopwatch()
    private let limit: Duration

    init(_ limit: Duration, _ cancellation: Cancellation) {
        self.limit = limit
        self.cancellation = cancellation
    }

    var left: Duration { limit - clock.elapsed }

    /// When no more than a quarter of the time is left, for whoever has to finish within it.
    var beforeLast: Deadline { Deadline(left - limit / 4, cancellation) }

    func check() throws(BrowserError) {
        if cancellation.isCancelled { throw .cancelled(reason: cancellation.reason ?? "cancelled") }
        if left <= .zero { throw .timedOut }
    }

    /// Waits for a change in `monitor` that answers the question; wakes now and then to see whether anybody still waits.
    func wait<State, R>(_ monitor: Monitor<State>, _ question: (inout State) -> R?) throws(BrowserError) -> R
    {
        while true {
            try check()
            if let answer = monitor.wait(timeout: min(left, .milliseconds(100)), question) { return answer }
        }
    }
}
