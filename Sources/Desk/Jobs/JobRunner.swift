import Bytes
import SQL
import Storage
import Synchronization
public import Work

/// Takes jobs from the queue and has them done on threads of its own.
///
/// ```swift
/// let runner = JobRunner(queue, threads: 2)
/// runner.handle(.sweep) { run in try sweep(run.progress) }
/// runner.start()
/// ```
///
/// One thread does all the writing: how the last jobs ended and which come next are one transaction, so many
/// small jobs share one wait for the disk. It takes more jobs ahead the quicker they turn out to be.
public final class JobRunner: Sendable {
    public typealias Handler = @Sendable (JobRun) throws -> Void

    /// Stands while what became of jobs cannot be written down, see `Store.troubles`.
    public static let trouble = "jobs"
    /// Stands while there is too little memory to begin anything.
    public static let memoryTrouble = "memory"

    struct State {
        var handlers: [String: (kind: JobKind, handler: Handler)] = [:]
        var active: [ID<Job>: ActiveJob] = [:]
        var ended: [(job: ActiveJob, ending: Ending)] = []
        /// Something may be there to take.
        var isWoken = true
        var isStopping = false
        /// Nothing is written down any more.
        var isOver = false
        var isIdle = false
        var thread: Thread?
        var puttingRight: [@Sendable () throws -> Void] = []
        var givingUp: [@Sendable (JobChange) -> Void] = []
        /// A moving average over the handlers' calls.
        var meanTime = Duration.milliseconds(20)
    }

    let queue: JobQueue
    let threads: Int
    let log: Log
    private let workers: Workers
    let state = Monitor(State())
    private let signals = Mutex<Subscription?>(nil)

    public init(_ queue: JobQueue, threads: Int = 2, log: Log? = nil) {
        self.queue = queue
        self.threads = max(1, threads)
        self.log = log ?? queue.store.log
        workers = Workers(name: "job", threads: self.threads)
    }

    /// Names who does the work of a kind. Before `start`; jobs of kinds without handler wait for another runner.
    public func handle(_ kind: JobKind, _ handler: @escaping Handler) {
        state.update { $0.handlers[kind.name] = (kind, handler) }
    }

    /// What else was written down in a time that had not come, and is put right at the start and when the clock goes back.
    public func whenClockGoesBack(_ body: @escaping @Sendable () throws -> Void) {
        state.update { $0.puttingRight.append(body) }
    }

    /// What work of a kind is called, without the name of what it works on.
    public func title(of kind: String) -> String? { state.read { $0.handlers[kind]?.kind.title } }

    /// Hears of each job that failed for good, or was set aside, once that is written down.
    public func whenGivenUp(_ body: @escaping @Sendable (JobChange) -> Void) {
        state.update { $0.givingUp.append(body) }
    }

    func tellGivenUp(_ changes: [JobChange]) {
        let given = changes.filter { $0.state == .failed || $0.state == .setAside }
        guard !given.isEmpty else { return }
        for body in state.read({ $0.givingUp }) { given.forEach(body) }
    }

    /// Begins to take jobs.
    public func start() {
        workers.prepare()
        listen()
        state.update { state in
            guard state.thread == nil, !state.isStopping else { return }
            state.thread = Thread(name: "jobs") { [self] in
                var turns = RunnerTurns(self)
                while !turns.isOver {
                    turns.take()
                    waitForNews(turns.pause)
                }
                turns.leave()
            }
        }
    }

    /// Puts the jobs of processes that have ended back into line. Before anything is promised at a start: the same work,
    /// promised anew, would take the place of the job that is to be counted.
    public func takeOver() throws {
        let store = queue.store
        let now = store.clock.now()
        let claims = RunnerTurns.newClaims(self)
        let changes = try store.database.write(.eachStatement) { db in try claims.takeOver(at: now, in: db) }
        queue.tell(changes)
        tellGivenUp(changes)
    }

    /// Takes no more jobs, lets the running ones end within `grace`, then asks them to stop; what did not end
    /// goes back into the queue. Those that go on later where they were are asked at once. A stopped runner cannot be
    /// started again.
    public func stop(grace: Duration = .seconds(10)) {
        let thread = state.update { state in
            state.isStopping = true
            state.isWoken = true
            return state.thread
        }
        for job in state.read({ Array($0.active.values) }) where job.kind.goesOnLater {
            job.stop(.runnerStops)
        }
        let isQuiet = state.wait(timeout: grace) { $0.active.isEmpty || $0.isOver ? true : nil }
        if isQuiet == nil {
            for job in state.read({ Array($0.active.values) }) { job.stop(.runnerStops) }
        }
        thread?.join()
        workers.stop()
        signals.withLock { $0 = nil }
    }

    /// Does everything that can be done by now and returns: for the command line and for tests. Jobs that have to
    /// wait for another try or a later time are left waiting.
    public func runUntilIdle() {
        let isStarted = state.update { state in
            state.isIdle = false
            state.isWoken = true
            return state.thread != nil
        }
        guard !isStarted else {
            _ = state.wait { $0.isIdle || $0.isStopping ? true : nil }
            return
        }
        listen()
        var turns = RunnerTurns(self)
        turns.take()
        while !state.read({ $0.isIdle }) {
            waitForNews(turns.pause)
            turns.take()
        }
        turns.leave()
    }

    private func listen() {
        signals.withLock { signals in
            guard signals == nil else { return }
            signals = queue.signals.subscribe { [weak self] signal in
                switch signal {
                case .added: self?.state.update { $0.isWoken = true }
                case .cancel(let id, let reason): self?.cancel(id, reason: reason)
                }
            }
        }
    }

    func cancel(_ id: ID<Job>, reason: String) {
        state.read { $0.active[id] }?.stop(.cancelled(reason))
    }

    private func waitForNews(_ pause: Duration) {
        _ = state.wait(timeout: pause) { state in
            state.isWoken || !state.ended.isEmpty || (state.isStopping && state.active.isEmpty) ? true : nil
        }
    }

    /// Gives a taken job to a thread.
    func begin(_ job: ActiveJob, _ handler: @escaping Handler) {
        workers.submit { [self] in
            let watch = Stopwatch()
            let ending = isStopping ? .givenBack : job.perform(handler)
            let time = watch.elapsed
            state.update { state in
                state.ended.append((job, ending))
                state.meanTime = state.meanTime * 7 / 8 + time / 8
            }
        }
    }

    var isStopping: Bool { state.read { $0.isStopping } }

    /// Whether it goes on taking jobs as they come, so that one may wait a moment for more of its work.
    public var isServing: Bool { state.read { $0.thread != nil && !$0.isStopping } }
}
