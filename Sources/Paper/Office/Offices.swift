import Synchronization
public import Work

/// LibreOffice kept warm: a few workers, each in a process and a jail of its own, replaced after so many papers, when
/// they grow too large, and at the first doubt. A paper that brought one down is tried once more in a fresh one.
public final class Offices: Sendable {
    public struct Settings: Sendable {
        public var workerCount = 2
        public var longestQueue: Int?
        public var papersBeforeRestart = 250
        /// More than this, and the worker is ended in the middle of its work.
        public var memoryByteCount: Int64 = 2 << 30
        /// More than this after a paper, and it is replaced.
        public var restMemoryByteCount: Int64 = 400 << 20
        public var idleTime = Duration.seconds(60)
        public var resultByteCount = 512 << 20

        public init() {}
    }

    public struct Status: Sendable, Equatable {
        public var running = 0
        public var working = 0
        public var waiting = 0
        public var restarts = 0
        public var memoryByteCount: Int64 = 0
    }

    private struct State {
        var resting: [OfficeWorker] = []
        /// Those at work, each in a place of its own.
        var places: Set<Int> = []
        var waiting = 0
        var restarts = 0
        var turn = 0
        var isStopping = false
        var isWatched = false

        var working: Int { places.count }
    }

    private let jail: Jail
    private let settings: Settings
    private let state = Monitor(State())

    public init(jail: Jail, settings: Settings = Settings()) {
        self.jail = jail
        self.settings = settings
    }

    public static var isInstalled: Bool { OfficeWorker.programs != nil && EngineProgram.path != nil }

    /// The part of LibreOffice that draws formulas is a package of its own.
    public static var readsFormulas: Bool { OfficeWorker.hasFormulas }

    public static var package: String { OfficeWorker.package }

    /// Starts all workers now, side by side, instead of each with the first paper that finds no other.
    public func warm() throws(OfficeError) {
        let isNeeded = state.read { $0.resting.isEmpty && $0.working == 0 && !$0.isStopping }
        guard isNeeded else { return }
        let others = (1..<max(1, settings.workerCount)).map { _ in
            Thread(name: "warm-office") { [self] in try? keepReady() }
        }
        defer { for thread in others { thread.join() } }
        try keepReady()
    }

    private func keepReady() throws(OfficeError) {
        let worker = try begin(LiveChild.never)
        let isWanted = state.update { state in
            // Papers that came meanwhile may have begun workers of their own.
            guard !state.isStopping, state.resting.count + state.working < settings.workerCount else {
                return false
            }
            state.resting.append(worker)
            return true
        }
        if !isWanted { worker.end() }
        watchIdle()
    }

    /// Converts a paper; `suffix` is the ending of its name, by which LibreOffice chooses among formats
    /// that look alike.
    public func convert(
        _ paper: [UInt8], suffix: String, _ options: OfficeOptions = OfficeOptions(),
        cancellation: Cancellation = LiveChild.never
    ) throws(OfficeError) -> [UInt8] {
        let place = try enter(cancellation)
        defer { leave(place) }
        var last = OfficeError.machine("it did not start")
        for attempt in 0..<2 {
            if cancellation.isCancelled { throw .cancelled(reason: cancellation.reason ?? "cancelled") }
            // A second attempt never meets a worker that has a past.
            let worker: OfficeWorker
            do throws(OfficeError) {
                worker = try attempt == 0 ? take(cancellation) : begin(cancellation)
            } catch .machine(let why) {
                last = .machine(why)
                continue
            }
            let isAlone = state.read { $0.working == 1 }
            switch worker.convert(
                paper, suffix: suffix, options, place: isAlone ? nil : place,
                byteLimit: settings.resultByteCount, cancellation)
            {
            case .made(let bytes):
                give(back: worker)
                return bytes
            case .failed(let error):
                give(back: worker)
                throw error
            case .doubtful(let error):
                worker.end()
                state.update { $0.restarts += 1 }
                last = error
                // A paper that takes too long or too much will do so again.
                if case .lost = error { continue }
                if case .notWritten = error { continue }
                throw error
            }
        }
        throw last
    }

    public var status: Status {
        state.read { state in
            Status(
                running: state.resting.count + state.working, working: state.working, waiting: state.waiting,
                restarts: state.restarts,
                memoryByteCount: state.resting.reduce(0) { $0 + $1.memoryByteCount })
        }
    }

    /// Lets papers that were begun come to their end, takes no more, and ends all workers.
    public func stop() {
        state.update { $0.isStopping = true }
        _ = state.wait(timeout: .seconds(120)) { $0.working == 0 ? true : nil }
        for worker in state.update({ state in
            defer { state.resting = [] }
            return state.resting
        }) { worker.end() }
    }

    private enum Entry {
        case open(place: Int)
        case closed
    }

    /// The place taken.
    private func enter(_ cancellation: Cancellation) throws(OfficeError) -> Int {
        let isLong = state.update(waking: .nobody) { state in
            if let longest = settings.longestQueue, state.waiting >= longest { return true }
            state.waiting += 1
            return false
        }
        if isLong { throw .busy }
        defer { state.update(waking: .nobody) { $0.waiting -= 1 } }
        while true {
            if cancellation.isCancelled { throw .cancelled(reason: cancellation.reason ?? "cancelled") }
            let entry = state.wait(timeout: .milliseconds(200)) { state -> Entry? in
                if state.isStopping { return .closed }
                guard let free = (0..<settings.workerCount).first(where: { !state.places.contains($0) })
                else { return nil }
                state.places.insert(free)
                return .open(place: free)
            }
            switch entry {
            case .open(let place): return place
            case .closed: throw .busy
            case nil: continue
            }
        }
    }

    private func leave(_ place: Int) {
        state.update {
            $0.places.remove(place)
            $0.turn += 1
        }
        watchIdle()
    }

    private func take(_ cancellation: Cancellation) throws(OfficeError) -> OfficeWorker {
        while let worker = state.update(waking: .nobody, { $0.resting.popLast() }) {
            if worker.isRunning { return worker }
            worker.end()
            state.update(waking: .nobody) { $0.restarts += 1 }
        }
        return try begin(cancellation)
    }

    private func begin(_ cancellation: Cancellation) throws(OfficeError) -> OfficeWorker {
        try OfficeWorker(jail: jail, memoryByteCount: settings.memoryByteCount, cancellation: cancellation)
    }

    private func give(back worker: OfficeWorker) {
        // Looking through all processes costs some milliseconds, so not every paper pays for it.
        let isLarge = worker.count % 4 == 0 && worker.memoryByteCount > settings.restMemoryByteCount
        let isWorn = worker.count >= settings.papersBeforeRestart || !worker.isRunning || isLarge
        let isKept = state.update { state in
            if isWorn { state.restarts += 1 }
            guard !isWorn, !state.isStopping else { return false }
            state.resting.append(worker)
            return true
        }
        if !isKept { worker.end() }
    }

    /// One thread, only while workers rest, that ends them when nothing has happened for a while.
    private func watchIdle() {
        let isNeeded = state.update(waking: .nobody) { state in
            guard !state.isWatched, !state.resting.isEmpty, !state.isStopping else { return false }
            state.isWatched = true
            return true
        }
        guard isNeeded else { return }
        _ = Thread(name: "office-idle", stackByteCount: 128 << 10) { [weak self] in
            while let self {
                let turn = self.state.read { $0.turn }
                let hasEvent = self.state.wait(timeout: self.settings.idleTime) { state in
                    state.turn != turn || state.isStopping ? true : nil
                }
                let idle = self.state.update(waking: .nobody) { state -> [OfficeWorker]? in
                    if state.isStopping {
                        state.isWatched = false
                        return []
                    }
                    guard hasEvent == nil, state.working == 0, state.turn == turn else { return nil }
                    state.isWatched = false
                    defer { state.resting = [] }
                    return state.resting
                }
                if let idle {
                    for worker in idle { worker.end() }
                    return
                }
            }
        }
    }
}
