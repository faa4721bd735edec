import Synchronization

/// How far a piece of work has come, and the wish to end it early. One value is passed down through the
/// work; the terminal line, the job's row and the browser show what it says.
public final class Progress: Sendable {
    public struct Snapshot: Sendable, Equatable {
        public var done: Int64
        /// `nil` while nobody knows how much there is.
        public var total: Int64?
        /// What is being done right now, in words for a person; empty if nothing was said.
        public var phase: String

        public init(done: Int64 = 0, total: Int64? = nil, phase: String = "") {
            self.done = done
            self.total = total
            self.phase = phase
        }

        /// 0 to 1, or `nil` while the total is unknown.
        public var fraction: Double? {
            guard let total else { return nil }
            return total <= 0 ? 1 : min(1, max(0, Double(done) / Double(total)))
        }
    }

    public let cancellation: Cancellation
    private let state: Mutex<Snapshot>
    private let observer: (@Sendable (Snapshot) -> Void)?

    /// The observer is called on the working thread for every change; it decides itself how often to draw.
    public init(
        total: Int64? = nil, cancellation: Cancellation = Cancellation(),
        observer: (@Sendable (Snapshot) -> Void)? = nil
    ) {
        self.cancellation = cancellation
        self.observer = observer
        state = Mutex(Snapshot(total: total))
    }

    public var snapshot: Snapshot { state.withLock { $0 } }

    public func advance(_ count: Int64 = 1) {
        change { $0.done = $0.done.addingSaturating(count) }
    }

    public func set(done: Int64, total: Int64?) {
        change {
            $0.done = done
            $0.total = total
        }
    }

    public func phase(_ text: String) {
        change { $0.phase = text }
    }

    /// Throws if the work should end.
    public func check() throws(Cancelled) {
        try cancellation.check()
    }

    /// A part of this work that counts its own steps: when it is done, this progress has advanced by
    /// `weight`. The part's phase shows through.
    public func part(of weight: Int64, total: Int64? = nil) -> Progress {
        let credited = Mutex<Int64>(0)
        return Progress(total: total, cancellation: cancellation) { [self] part in
            let earned = Int64(Double(weight) * (part.fraction ?? 0))
            let gain = credited.withLock { credited in
                defer { credited = max(credited, earned) }
                return max(0, earned - credited)
            }
            change {
                $0.done = $0.done.addingSaturating(gain)
                if !part.phase.isEmpty { $0.phase = part.phase }
            }
        }
    }

    private func change(_ body: (inout Snapshot) -> Void) {
        let now = state.withLock { state in
            body(&state)
            return state
        }
        observer?(now)
    }
}
