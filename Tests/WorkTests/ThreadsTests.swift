import Glibc
import Synchronization
import Testing
import Work

/// Of the calling thread.
private func niceness() -> Int { Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)) }

@Suite("Workers, broadcast, cancellation and progress")
struct ThreadsTests {
    @Test("results come back in the order of the items")
    func orderedMap() throws {
        let workers = Workers(name: "map", threads: 4)
        defer { workers.stop() }
        #expect(try workers.map(Array(0..<1000)) { $0 * 2 } == (0..<1000).map { $0 * 2 })
        #expect(try workers.map([Int]()) { $0 } == [])
    }

    @Test("the earliest failing item's error is thrown and the rest is not begun")
    func failingMap() {
        struct Broken: Error, Equatable { let item: Int }
        let workers = Workers(name: "map", threads: 2)
        defer { workers.stop() }
        let begun = Atomic(0)
        #expect(throws: Broken(item: 3)) {
            try workers.map(Array(0..<100_000)) { item in
                begun.add(1, ordering: .relaxed)
                if item >= 3 { throw Broken(item: item) }
            }
        }
        #expect(begun.load(ordering: .relaxed) < 100)
    }

    @Test("work may itself spread over the same workers without waiting for ever")
    func nestedMap() throws {
        let workers = Workers(name: "nested", threads: 2)
        defer { workers.stop() }
        let sums = try workers.map(Array(0..<20)) { outer in
            try workers.map(Array(0..<20)) { $0 + outer }.reduce(0, +)
        }
        #expect(sums == (0..<20).map { 190 + 20 * $0 })
    }

    @Test("polite workers let the other threads of the program go first")
    func polite() throws {
        let usual = niceness()
        let workers = Workers(name: "polite", threads: 1, isPolite: true)
        let nice = Atomic(0)
        workers.submit { nice.store(niceness(), ordering: .relaxed) }
        workers.stop()
        #expect(nice.load(ordering: .relaxed) == max(usual, 5))
        #expect(niceness() == usual)
    }

    @Test("stopping finishes the line and refuses what comes later")
    func draining() {
        let workers = Workers(name: "drain", threads: 2)
        let done = Atomic(0)
        for _ in 0..<500 { workers.submit { done.add(1, ordering: .relaxed) } }
        workers.stop()
        #expect(done.load(ordering: .relaxed) == 500)
        #expect(!workers.submit {})
    }

    @Test("done work lets go of what it held")
    func lettingGo() {
        final class Paper: Sendable {}
        let workers = Workers(name: "letting-go", threads: 1)
        defer { workers.stop() }
        let done = Monitor(0)
        weak let paper: Paper? = {
            let paper = Paper()
            for _ in 0..<3 { workers.submit { withExtendedLifetime(paper) {} } }
            for _ in 0..<2 { workers.submit { done.update { $0 += 1 } } }
            return paper
        }()
        #expect(done.wait(timeout: .seconds(30)) { $0 == 2 ? true : nil } == true)
        #expect(paper == nil)
    }

    @Test("a waiting thread is woken by a change, and gives up at its time limit")
    func monitors() {
        let monitor = Monitor(0)
        let thread = Thread(name: "counter") { for _ in 0..<3 { monitor.update { $0 += 1 } } }
        #expect(monitor.wait { $0 == 3 ? "three" : nil } == "three")
        thread.join()
        #expect(monitor.wait(timeout: .milliseconds(5)) { $0 == 4 ? "four" : nil } == nil)
    }

    @Test("listeners hear until they let go")
    func broadcast() {
        let broadcast = Broadcast<Int>()
        let heard = Mutex<[Int]>([])
        var subscription: Subscription? = broadcast.subscribe { element in
            heard.withLock { $0.append(element) }
        }
        broadcast.send(1)
        #expect(subscription != nil)
        subscription = nil
        broadcast.send(2)
        #expect(heard.withLock { $0 } == [1])
        #expect(broadcast.listenerCount == 0)
    }

    @Test("a cancellation tells once, follows its parent and gives the first reason")
    func cancellation() {
        let parent = Cancellation()
        let child = Cancellation(following: parent)
        let calls = Atomic(0)
        child.onCancel { calls.add(1, ordering: .relaxed) }
        let dropped = child.whenCancelled { calls.add(100, ordering: .relaxed) }
        dropped.cancel()
        parent.cancel(reason: "the person pressed stop")
        child.cancel(reason: "too late")
        child.onCancel { calls.add(10, ordering: .relaxed) }
        #expect(calls.load(ordering: .relaxed) == 11)
        #expect(throws: Cancelled(reason: "the person pressed stop")) { try child.check() }
    }

    @Test("parts add up to the whole")
    func progress() {
        let seen = Mutex<[Progress.Snapshot]>([])
        let whole = Progress(total: 100) { snapshot in seen.withLock { $0.append(snapshot) } }
        let first = whole.part(of: 40, total: 4)
        first.phase("Reading")
        first.advance(2)
        #expect(whole.snapshot == Progress.Snapshot(done: 20, total: 100, phase: "Reading"))
        first.advance(2)
        whole.part(of: 60, total: 0).advance()
        #expect(whole.snapshot.fraction == 1)
        #expect(seen.withLock { $0.count } == 4)
    }
}
