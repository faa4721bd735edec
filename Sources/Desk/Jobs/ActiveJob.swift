import Storage
import Synchronization
import Work

/// A job this runner has taken and not yet written off.
final class ActiveJob: Sendable {
    /// Why the run was asked to stop before its end.
    enum Stop: Sendable {
        case cancelled(String)
        case outOfTime(Duration)
        case runnerStops
        case takenAway
    }

    private struct State {
        var stop: Stop?
        var begun: Stopwatch?
        var sinceSaved = Stopwatch()
        var saved = Progress.Snapshot()
    }

    let kind: JobKind
    let run: JobRun
    private let state = Mutex(State())

    init(
        _ job: Job, kind: JobKind, runner: String, store: Store,
        show: @escaping @Sendable (JobChange) -> Void
    ) {
        self.kind = kind
        let limit = ShowLimit()
        run = JobRun(
            job, runner: runner, store: store,
            progress: Progress { snapshot in
                if limit.admits(snapshot) { show(JobChange(job, progress: snapshot)) }
            })
    }

    /// The first reason counts.
    func stop(_ reason: Stop) {
        let isFirst = state.withLock { state in
            defer { state.stop = state.stop ?? reason }
            return state.stop == nil
        }
        guard isFirst else { return }
        let said =
            switch reason {
            case .cancelled(let text): text
            case .outOfTime: "The time allowed is over."
            case .runnerStops: "Quire is stopping."
            case .takenAway: "The job has been taken over by another process."
            }
        run.cancellation.cancel(reason: said)
    }

    /// Calls the handler and says how it went.
    func perform(_ handler: @Sendable (JobRun) throws -> Void) -> Ending {
        if let ending = endingIfStopped { return ending }
        state.withLock { $0.begun = Stopwatch() }
        do {
            try handler(run)
            return run.isFinished ? .finishedItself : .done
        } catch {
            if run.isFinished { return .finishedItself }
            return endingIfStopped ?? ending(of: error)
        }
    }

    private var endingIfStopped: Ending? {
        switch state.withLock({ $0.stop }) {
        case .cancelled(let reason): .cancelled(reason)
        case .outOfTime(let limit): .failed("It took longer than the \(limit) allowed.", isFinal: false)
        case .runnerStops: .givenBack
        case .takenAway: .takenAway
        case nil: nil
        }
    }

    private func ending(of error: any Error) -> Ending {
        switch error {
        case let failure as Failure:
            // What was wrong with the request or its subject will be wrong next time.
            let isFinal: Bool =
                switch failure.code {
                case .invalid, .notFound, .denied, .tooLarge, .unsupported: true
                default: false
                }
            return .failed(failure.message, isFinal: isFinal)
        case let undecided as Undecided: return .failed(undecided.failure.message, isFinal: true)
        case let cancelled as Cancelled: return .cancelled(cancelled.reason)
        case let postponed as Postponed: return .postponed(postponed.until)
        default: return .failed("\(error)", isFinal: false)
        }
    }

    /// How long the handler may still take; nil without limit, before it began, and once it was asked to stop.
    var timeLeft: Duration? {
        guard let limit = kind.timeLimit,
            let begun = state.withLock({ $0.stop == nil ? $0.begun : nil })
        else { return nil }
        return limit - begun.elapsed
    }

    /// Progress worth writing down: it has changed, and the last time is a second ago.
    func progressToSave() -> Progress.Snapshot? {
        let now = run.progress.snapshot
        return state.withLock { state in
            guard now != state.saved, state.sinceSaved.elapsed >= .seconds(1) else { return nil }
            state.saved = now
            state.sinceSaved = Stopwatch()
            return now
        }
    }
}

/// At most ten pictures of a progress bar a second, and each new phase at once.
private final class ShowLimit: Sendable {
    private struct State {
        var last: Stopwatch?
        var phase = ""
    }

    private let state = Mutex(State())

    func admits(_ snapshot: Progress.Snapshot) -> Bool {
        state.withLock { state in
            if let last = state.last, last.elapsed < .milliseconds(100), snapshot.phase == state.phase,
                snapshot.fraction != 1
            {
                return false
            }
            state.last = Stopwatch()
            state.phase = snapshot.phase
            return true
        }
    }
}
