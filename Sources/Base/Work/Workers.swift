import Synchronization

/// A few threads that take work from one line, first come, first served. Here blocking is allowed: SQLite,
/// files, C libraries. Threads start when there is work for them and wait without costing anything.
public final class Workers: Sendable {
    private struct State {
        var waiting = WaitingLine()
        var threads: [Thread] = []
        var idle = 0
        var isStopping = false
    }

    public let name: String
    public let threadLimit: Int
    private let stackByteCount: Int
    private let isPolite: Bool
    private let state = Monitor(State())

    /// Polite threads let all others go first where there are more threads than processors: those that answer somebody,
    /// and the one writer that everybody waits for.
    public init(
        name: String, threads: Int, stackByteCount: Int = Thread.usualStackByteCount, isPolite: Bool = false
    ) {
        precondition(threads > 0)
        self.name = name
        threadLimit = threads
        self.stackByteCount = stackByteCount
        self.isPolite = isPolite
    }

    /// Puts work into the line. After `stop` it is dropped and the answer is `false`. Where the machine has no thread to give,
    /// those that are there do it, and without any whoever submits.
    @discardableResult
    public func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isAlone) = state.update(waking: .one) { state in
            guard !state.isStopping else { return (false, false) }
            state.waiting.append(work)
            if state.waiting.count > state.idle { begin(&state) }
            return (true, state.threads.isEmpty)
        }
        if isAlone, let work = state.update(waking: .nobody, { $0.waiting.takeFirst() }) { work() }
        return isTaken
    }

    /// Begins one thread now: when there is work, the machine may have none to give.
    public func prepare() {
        state.update(waking: .nobody) { state in
            if state.threads.isEmpty, !state.isStopping { begin(&state) }
        }
    }

    private func begin(_ state: inout State) {
        guard state.threads.count < threadLimit else { return }
        let name = "\(name)-\(state.threads.count + 1)"
        let thread = Thread(ifThereIs: name, stackByteCount: stackByteCount) { self.work() }
        if let thread { state.threads.append(thread) }
    }

    /// How many pieces of work wait for a thread.
    public var backlog: Int { state.read { $0.waiting.count } }

    /// Does `body` for every item on several threads; the results come in the items' order. The calling
    /// thread works along, so a piece of work may itself call `map`. After an error no further item is
    /// begun; the error of the earliest failing item is thrown.
    public func map<T: Sendable, R: Sendable>(
        _ items: [T], _ body: @escaping @Sendable (T) throws -> R
    ) throws -> [R] {
        let run = MapRun(items, body)
        for _ in 0..<max(0, min(threadLimit, items.count - 1)) {
            submit { run.takeItems() }
        }
        run.takeItems()
        return try run.finish()
    }

    /// Finishes what is in the line, then ends the threads. Must not be called from one of them.
    public func stop() {
        let threads = state.update { state in
            state.isStopping = true
            defer { state.threads = [] }
            return state.threads
        }
        for thread in threads { thread.join() }
    }

    private func work() {
        if isPolite { Thread.letOthersGoFirst() }
        while let work = nextWork() { work() }
    }

    private func nextWork() -> (@Sendable () -> Void)? {
        var isCountedIdle = false
        return state.wait { state -> (@Sendable () -> Void)?? in
            if let work = state.waiting.takeFirst() {
                if isCountedIdle { state.idle -= 1 }
                return .some(work)
            }
            if state.isStopping { return .some(nil) }
            if !isCountedIdle {
                state.idle += 1
                isCountedIdle = true
            }
            return nil
        } ?? nil
    }
}

/// First come, first served. What has been taken is let go at once, with all it holds on to; a slice would keep
/// it until the array is made anew.
private struct WaitingLine {
    private var places: [(@Sendable () -> Void)?] = []
    private var first = 0

    var count: Int { places.count - first }

    mutating func append(_ work: @escaping @Sendable () -> Void) {
        places.append(work)
    }

    mutating func takeFirst() -> (@Sendable () -> Void)? {
        guard first < places.count else { return nil }
        let work = places[first]
        places[first] = nil
        first += 1
        if first == places.count {
            places.removeAll(keepingCapacity: places.capacity <= 1024)
            first = 0
        } else if first >= 1024, first * 2 >= places.count {
            places.removeFirst(first)
            first = 0
        }
        return work
    }
}

/// One call of `map`: items are handed out by number, results put back under the same number.
private final class MapRun<T: Sendable, R: Sendable>: Sendable {
    private struct State {
        var next = 0
        var running = 0
        var results: [R?]
        var failure: (number: Int, error: any Error)?
    }

    private let items: [T]
    private let body: @Sendable (T) throws -> R
    private let state: Monitor<State>

    init(_ items: [T], _ body: @escaping @Sendable (T) throws -> R) {
        self.items = items
        self.body = body
        state = Monitor(State(results: Array(repeating: nil, count: items.count)))
    }

    func takeItems() {
        while let number = begin() {
            let result = Result { try body(items[number]) }
            state.update { state in
                state.running -= 1
                switch result {
                case .success(let value): state.results[number] = value
                case .failure(let error):
                    if number < state.failure?.number ?? .max { state.failure = (number, error) }
                }
            }
        }
    }

    private func begin() -> Int? {
        state.update(waking: .nobody) { state in
            guard state.failure == nil, state.next < items.count else { return nil }
            state.running += 1
            defer { state.next += 1 }
            return state.next
        }
    }

    func finish() throws -> [R] {
        let outcome = state.wait { state -> Result<[R], any Error>? in
            guard state.running == 0 else { return nil }
            if let failure = state.failure { return .failure(failure.error) }
            return .success(state.results.compactMap { $0 })
        }
        return try outcome?.get() ?? []
    }
}
