import Synchronization
public import Work

/// A browser kept warm, and several pages in it at a time. It is started for the first page, replaced after so many
/// pages, when it grows too large or at the first doubt, and ended when nobody has needed it for a while.
public final class Browsers: Sendable {
    public struct Settings: Sendable {
        /// Pages at a time; others wait in line.
        public var pagesAtOnce = 4
        /// How many may wait; nil for any number.
        public var longestQueue: Int?
        public var pagesBeforeRestart = 200
        public var memoryByteCount: Int64 = 2 << 30
        /// How long it stays when nobody needs it.
        public var idleTime = Duration.seconds(60)

        public init() {}
    }

    /// What was made of a page.
    public struct Result: Sendable {
        public var bytes: [UInt8]
        public var report: PageReport
    }

    /// What is going on, for whoever looks after it.
    public struct Status: Sendable, Equatable {
        public var isRunning = false
        public var working = 0
        public var waiting = 0
        public var restarts = 0
        public var memoryByteCount: Int64 = 0
    }

    private struct State {
        var current: Instance?
        var working = 0
        var waiting = 0
        var restarts = 0
        var isStopping = false
        /// Moves on with every page that ends; the one who waits to end an idle browser sees whether it is still idle.
        var turn = 0
        var isWatched = false
    }

    private final class Instance: Sendable {
        let process: BrowserProcess
        /// Pages open in it and pages begun so far; changed only under the pool's lock.
        let counts = Mutex((open: 0, begun: 0))

        init(_ process: BrowserProcess) { self.process = process }
    }

    private let jail: Jail
    private let settings: Settings
    private let state = Monitor(State())
    private let fetching = Workers(name: "fetch", threads: 12, stackByteCount: 512 << 10)
    /// Starting one takes a while; two who need one at the same time share it.
    private let starting = Mutex(())

    public init(jail: Jail, settings: Settings = Settings()) {
        self.jail = jail
        self.settings = settings
    }

    public static var isInstalled: Bool { BrowserProcess.program != nil }

    /// Starts the browser now instead of with the first page.
    public func warm() throws(BrowserError) {
        _ = try take(isOpening: false)
        watchIdle()
    }

    public func print(
        _ source: PageSource, _ settings: PrintSettings = PrintSettings(),
        load: LoadSettings = LoadSettings(),
        cancellation: Cancellation = LiveChild.never
    ) throws(BrowserError) -> Result {
        try withPage(source, load, cancellation) { job throws(BrowserError) in try job.print(settings) }
    }

    public func picture(
        _ source: PageSource, _ settings: ScreenshotSettings = ScreenshotSettings(),
        load: LoadSettings = LoadSettings(), cancellation: Cancellation = LiveChild.never
    ) throws(BrowserError) -> Result {
        try withPage(source, load, cancellation) { job throws(BrowserError) in try job.picture(settings) }
    }

    public var status: Status {
        state.read { state in
            Status(
                isRunning: state.current != nil, working: state.working, waiting: state.waiting,
                restarts: state.restarts, memoryByteCount: state.current?.process.memoryByteCount ?? 0)
        }
    }

    /// Lets pages that were begun come to their end, takes no more, and ends the browser.
    public func stop() {
        state.update { $0.isStopping = true }
        _ = state.wait(timeout: .seconds(60)) { $0.working == 0 ? true : nil }
        let last = state.update { state in
            defer { state.current = nil }
            return state.current
        }
        last?.process.end()
        fetching.stop()
    }

    private func withPage(
        _ source: PageSource, _ load: LoadSettings, _ cancellation: Cancellation,
        _ body: (PageJob) throws(BrowserError) -> [UInt8]
    ) throws(BrowserError) -> Result {
        // Waiting in line has a time of its own, so that a short limit means the page.
        try enter(Deadline(.seconds(600), cancellation))
        defer {
            state.update {
                $0.working -= 1; $0.turn += 1
            }
        }
        _ = try take(isOpening: false)
        let deadline = Deadline(load.time, cancellation)
        do throws(BrowserError) {
            return try attempt(source, load, deadline, body)
        } catch .lost {
            // Its page may have been at fault, or another one in the same browser: once more, in a new one.
            try deadline.check()
            return try attempt(source, load, deadline, body)
        }
    }

    private func attempt(
        _ source: PageSource, _ load: LoadSettings, _ deadline: Deadline,
        _ body: (PageJob) throws(BrowserError) -> [UInt8]
    ) throws(BrowserError) -> Result {
        let instance = try take()
        var isSound = false
        defer { give(back: instance, isSound: isSound) }
        let page = try BrowserPage(instance.process, source, workers: fetching, deadline)
        defer { isSound = page.close() }
        let job = PageJob(page: page, source: source, load: load, deadline: deadline)
        try job.open()
        let bytes = try body(job)
        return Result(bytes: bytes, report: job.report())
    }

    private func enter(_ deadline: Deadline) throws(BrowserError) {
        let isLong = state.update(waking: .nobody) { state in
            if let longest = settings.longestQueue, state.waiting >= longest { return true }
            state.waiting += 1
            return false
        }
        if isLong { throw .busy }
        defer { state.update(waking: .nobody) { $0.waiting -= 1 } }
        let isStopping = try deadline.wait(state) { state -> Bool? in
            if state.isStopping { return true }
            guard state.working < settings.pagesAtOnce else { return nil }
            state.working += 1
            return false
        }
        if isStopping { throw .refused("Quire is stopping") }
    }

    /// The browser that is running, or a new one; counted as open in it unless it is only to be made sure of.
    private func take(isOpening: Bool = true) throws(BrowserError) -> Instance {
        let outcome = starting.withLock { _ -> Swift.Result<Instance, BrowserError> in
            if let instance = state.read({ $0.current }), instance.process.lost == nil {
                if isOpening {
                    instance.counts.withLock {
                        $0.open += 1; $0.begun += 1
                    }
                }
                return .success(instance)
            }
            do throws(BrowserError) {
                let made = Instance(
                    try BrowserProcess(jail: jail, memoryByteCount: settings.memoryByteCount))
                if isOpening { made.counts.withLock { $0 = (1, 1) } }
                let old = state.update { state in
                    defer { state.current = made }
                    if state.current != nil { state.restarts += 1 }
                    return state.current
                }
                retire(old)
                return .success(made)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func give(back instance: Instance, isSound: Bool) {
        let counts = instance.counts.withLock { counts in
            counts.open -= 1
            return counts
        }
        let isOld = counts.begun >= settings.pagesBeforeRestart
        let isLarge = counts.begun % 10 == 0 && instance.process.memoryByteCount > settings.memoryByteCount
        if !isSound || isOld || isLarge || instance.process.lost != nil {
            let wasCurrent = state.update { state in
                guard state.current === instance else { return false }
                state.current = nil
                state.restarts += 1
                return true
            }
            // What no longer answers takes its other pages along; they are tried again elsewhere.
            if counts.open == 0 || !isSound { instance.process.end() }
            if wasCurrent { return }
        }
        if counts.open == 0, state.read({ $0.current !== instance }) { instance.process.end() }
        watchIdle()
    }

    private func retire(_ instance: Instance?) {
        guard let instance, instance.counts.withLock({ $0.open }) == 0 else { return }
        instance.process.end()
    }

    /// One thread, only while a browser is running, that ends it when nothing has happened for a while.
    private func watchIdle() {
        let isNeeded = state.update(waking: .nobody) { state in
            guard !state.isWatched, state.current != nil, !state.isStopping else { return false }
            state.isWatched = true
            return true
        }
        guard isNeeded else { return }
        _ = Thread(name: "browser-idle", stackByteCount: 128 << 10) { [weak self] in
            while let self {
                let turn = self.state.read { $0.turn }
                let hasEnded = self.state.wait(timeout: self.settings.idleTime) { state in
                    state.turn != turn || state.isStopping || state.current == nil ? true : nil
                }
                let idle = self.state.update(waking: .nobody) { state -> Instance?? in
                    if state.isStopping || state.current == nil {
                        state.isWatched = false
                        return .some(nil)
                    }
                    guard hasEnded == nil, state.working == 0, state.turn == turn else { return nil }
                    state.isWatched = false
                    defer { state.current = nil }
                    return .some(state.current)
                }
                if let idle {
                    idle?.process.end()
                    return
                }
            }
        }
    }
}
