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
        /// Under way; whoever needs a browser meanwhile waits for this one.
        var start: Start?
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
        /// Pages open in it, and pages begun and ended so far; the first two grow only under the pool's lock.
        let counts = Mutex((open: 0, begun: 0, ended: 0))
        /// One page ahead: making a tab takes as long as printing a letter.
        let spare = Monitor(Spare.none)

        init(_ process: BrowserProcess) { self.process = process }
    }

    private enum Spare { case none, underWay, ready(BrowserTab) }

    private final class Start: Sendable {
        let outcome = Monitor<Swift.Result<Instance, BrowserError>?>(nil)
        let cancellation = Cancellation()
    }

    private let jail: Jail
    private let settings: Settings
    private let state = Monitor(State())
    private let fetching = Workers(name: "fetch", threads: 12, stackByteCount: 512 << 10)
    /// Closes tabs that have done their work, and makes others ready.
    private let tabs = Workers(name: "tabs", threads: 2, stackByteCount: 512 << 10)

    public init(jail: Jail, settings: Settings = Settings()) {
        self.jail = jail
        self.settings = settings
    }

    public static var isInstalled: Bool { BrowserProcess.program != nil }

    /// Starts the browser now instead of with the first page, and makes a tab ready.
    public func warm() throws(BrowserError) {
        let deadline = Deadline(.seconds(120), LiveChild.never)
        let instance = try take(deadline, isOpening: false)
        makeSpare(in: instance)
        try deadline.wait(instance.spare) { spare -> Void? in
            if case .underWay = spare { nil } else { () }
        }
        watchIdle()
    }

    public func print(
        _ source: PageSource, _ settings: PrintSettings = PrintSettings(),
        load: LoadSettings = LoadSettings(),
        cancellation: Cancellation = LiveChild.never,
        stage: @escaping @Sendable (PageStage) -> Void = { _ in }
    ) throws(BrowserError) -> Result {
        try withPage(source, load, cancellation, stage) { job throws(BrowserError) in try job.print(settings)
        }
    }

    public func picture(
        _ source: PageSource, _ settings: ScreenshotSettings = ScreenshotSettings(),
        load: LoadSettings = LoadSettings(), cancellation: Cancellation = LiveChild.never,
        stage: @escaping @Sendable (PageStage) -> Void = { _ in }
    ) throws(BrowserError) -> Result {
        try withPage(source, load, cancellation, stage) { job throws(BrowserError) in
            try job.picture(settings)
        }
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
        // One that nobody waits for any more.
        state.read { $0.start }?.cancellation.cancel()
        _ = state.wait(timeout: .seconds(60)) { $0.start == nil ? true : nil }
        let last = state.update { state in
            defer { state.current = nil }
            return state.current
        }
        tabs.stop()
        last?.process.end()
        fetching.stop()
    }

    private func withPage(
        _ source: PageSource, _ load: LoadSettings, _ cancellation: Cancellation,
        _ stage: @escaping @Sendable (PageStage) -> Void, _ body: (PageJob) throws(BrowserError) -> [UInt8]
    ) throws(BrowserError) -> Result {
        // Waiting in line has a time of its own, so that a short limit means the page.
        try enter(Deadline(.seconds(600), cancellation))
        defer {
            state.update {
                $0.working -= 1; $0.turn += 1
            }
        }
        _ = try take(Deadline(.seconds(120), cancellation), isOpening: false)
        let deadline = Deadline(load.time, cancellation)
        do throws(BrowserError) {
            return try attempt(source, load, deadline, stage, body)
        } catch .lost {
            // Its page may have been at fault, or another one in the same browser: once more, in a new one.
            try deadline.check()
            return try attempt(source, load, deadline, stage, body)
        }
    }

    private func attempt(
        _ source: PageSource, _ load: LoadSettings, _ deadline: Deadline,
        _ stage: @escaping @Sendable (PageStage) -> Void, _ body: (PageJob) throws(BrowserError) -> [UInt8]
    ) throws(BrowserError) -> Result {
        let instance = try take(deadline)
        let page: BrowserPage
        do throws(BrowserError) {
            page = BrowserPage(try tab(in: instance, deadline), source, workers: fetching, deadline)
        } catch {
            give(back: instance, isSound: false)
            throw error
        }
        do throws(BrowserError) {
            var job = PageJob(page: page, source: source, load: load, deadline: deadline, stage: stage)
            try job.open()
            stage(.drawn)
            let bytes = try body(job)
            let report = job.report()
            // Nobody has to wait until everything is put away.
            let isTaken = tabs.submit { [self] in give(back: instance, isSound: page.close()) }
            if !isTaken { give(back: instance, isSound: page.close()) }
            return Result(bytes: bytes, report: report)
        } catch {
            // Whoever hears that it was cancelled may rely on its having ended.
            give(back: instance, isSound: page.close())
            throw error
        }
    }

    /// The tab that was made ready, or another one.
    private func tab(in instance: Instance, _ deadline: Deadline) throws(BrowserError) -> BrowserTab {
        let ready = try deadline.wait(instance.spare) { spare -> BrowserTab?? in
            switch spare {
            case .none: return .some(nil)
            case .underWay: return nil
            case .ready(let tab):
                spare = .none
                return .some(tab)
            }
        }
        // Where only one page is printed, a second tab would be made for nobody.
        if instance.counts.withLock({ $0.begun }) > 1 { makeSpare(in: instance) }
        if let ready, ready.isSound { return ready }
        return try BrowserTab(instance.process, deadline)
    }

    private func makeSpare(in instance: Instance) {
        let isNeeded = instance.spare.update(waking: .nobody) { spare in
            guard case .none = spare else { return false }
            spare = .underWay
            return true
        }
        guard isNeeded else { return }
        let isTaken = tabs.submit {
            let made = try? BrowserTab(instance.process, Deadline(.seconds(20), LiveChild.never))
            instance.spare.update { $0 = made.map(Spare.ready) ?? .none }
        }
        if !isTaken { instance.spare.update { $0 = .none } }
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
    private func take(_ deadline: Deadline, isOpening: Bool = true) throws(BrowserError) -> Instance {
        while true {
            var old: Instance?
            let found = state.update(waking: .nobody) { state -> (instance: Instance?, start: Start?) in
                // Its last page may not have been given back yet.
                if let instance = state.current, isOld(instance) {
                    old = instance
                    state.current = nil
                    state.restarts += 1
                }
                if let instance = state.current, instance.process.lost == nil {
                    if isOpening {
                        instance.counts.withLock {
                            $0.open += 1; $0.begun += 1
                        }
                    }
                    return (instance, nil)
                }
                if let start = state.start { return (nil, start) }
                let start = Start()
                state.start = start
                _ = Thread(name: "browser-start") { [self] in begin(start) }
                return (nil, start)
            }
            retire(old)
            if let instance = found.instance { return instance }
            if let start = found.start { _ = try deadline.wait(start.outcome) { $0 }.get() }
        }
    }

    /// On a thread of its own: starting takes a while, and whoever waits for it may give up, while others do not.
    private func begin(_ start: Start) {
        var outcome: Swift.Result<Instance, BrowserError>
        var old: Instance?
        do throws(BrowserError) {
            let made = try Instance(process(start.cancellation))
            outcome = .success(made)
            old = state.update { state in
                state.start = nil
                defer { state.current = made }
                if state.current != nil { state.restarts += 1 }
                return state.current
            }
        } catch {
            outcome = .failure(error)
            state.update { $0.start = nil }
        }
        start.outcome.update { $0 = outcome }
        retire(old)
        // Those who waited may all have given up.
        watchIdle()
    }

    private func process(_ cancellation: Cancellation) throws(BrowserError) -> BrowserProcess {
        do throws(BrowserError) {
            return try BrowserProcess(
                jail: jail, memoryByteCount: settings.memoryByteCount, cancellation: cancellation)
        } catch .lost {
            // Ended before it had begun, by whatever: that says nothing of the next one.
            return try BrowserProcess(
                jail: jail, memoryByteCount: settings.memoryByteCount, cancellation: cancellation)
        }
    }

    private func give(back instance: Instance, isSound: Bool) {
        let counts = instance.counts.withLock { counts in
            counts.open -= 1; counts.ended += 1
            return counts
        }
        let isLarge = counts.ended % 10 == 0 && instance.process.memoryByteCount > settings.memoryByteCount
        if !isSound || isOld(instance) || isLarge || instance.process.lost != nil {
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

    private func isOld(_ instance: Instance) -> Bool {
        instance.counts.withLock { $0.begun } >= settings.pagesBeforeRestart
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
