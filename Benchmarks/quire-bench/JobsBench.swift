import Bytes
import Glibc
import Jobs
import SQL
import Storage
import Work

/// How many small durable jobs are promised and done in a second, on SQLite with every commit synced.
///
///     quire-bench jobs [COUNT] [FOLDER]
///
/// Fails when one of the first two ways stays under the budget; the third is bound by the disk alone.
enum JobsBench {
    static let budget = 2000.0
    private static let small = JobKind("small", title: "Small")

    static func run(_ arguments: [String]) throws {
        let count = arguments.first.flatMap { Int($0) } ?? 20_000
        let folder = arguments.dropFirst().first ?? "/tmp"
        Bench.say("budget: \(Int(budget)) small jobs/s promised and done on SQLite, synchronous=FULL")
        let rates = [
            try measure("1 producer, 100 jobs in a transaction", count, 1, 100, folder),
            try measure("4 producers, 1 job in a transaction", count, 4, 1, folder),
        ]
        // One after the other, each waiting for the disk: the disk sets the pace, so it is measured beside.
        let disk = try syncs(folder)
        let single = try measure("1 producer, 1 job in a transaction", count / 5, 1, 1, folder)
        Bench.say(
            "the disk syncs \(Int(disk)) times a second; one producer reaches \(Int(single / disk * 100)) % of that"
        )
        try idle(folder)
        if let slowest = rates.min(), slowest < budget { throw Failure(.unavailable, "Below the budget.") }
    }

    private static func measure(
        _ name: String, _ count: Int, _ producers: Int, _ perTransaction: Int, _ folder: String
    ) throws -> Double {
        let desk = try Desk(in: folder)
        defer { desk.remove() }
        let (store, queue, runner) = (desk.store, desk.queue, desk.runner)
        let done = Monitor(0)
        runner.handle(small) { _ in done.update { $0 += 1 } }
        let watch = Stopwatch()
        runner.start()
        let threads = (0..<producers).map { _ in
            Thread(name: "producer") {
                for _ in 0..<count / producers / perTransaction {
                    do {
                        try store.write { tx in
                            for _ in 0..<perTransaction {
                                try queue.add(small, payload: ["to": "Ada"], in: tx)
                            }
                        }
                    } catch { Bench.say("\(error)", on: 2) }
                }
            }
        }
        for thread in threads { thread.join() }
        let promised = watch.elapsed
        runner.runUntilIdle()
        let time = watch.elapsed
        runner.stop()
        let written = try queue.counts()[.done] ?? 0
        let expected = count / producers / perTransaction * producers * perTransaction
        guard written == expected, done.read({ $0 }) == expected else {
            throw Failure(.damaged, "\(written) of \(expected) jobs are done.")
        }
        let rate = Double(expected) / (time / .seconds(1))
        Bench.say(
            "\(name): \(Int(rate)) jobs/s promised and done (promising alone \(Int(Double(expected) / (promised / .seconds(1))))/s)"
        )
        return rate
    }

    /// How often a second the disk takes a page for good.
    private static func syncs(_ folder: String) throws -> Double {
        let path = "\(folder)/quire-bench-sync-\(getpid())"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer {
            close(file)
            unlink(path)
        }
        let page = [UInt8](repeating: 1, count: 4096)
        let count = 500
        let watch = Stopwatch()
        for number in 0..<count {
            guard pwrite(file, page, page.count, off_t(number * page.count)) == page.count,
                fdatasync(file) == 0
            else { throw Failure(.unavailable, "\(path) cannot be written.") }
        }
        return Double(count) / (watch.elapsed / .seconds(1))
    }

    /// From promise to beginning on an idle desk.
    private static func idle(_ folder: String) throws {
        let desk = try Desk(in: folder)
        defer { desk.remove() }
        let (store, queue, runner) = (desk.store, desk.queue, desk.runner)
        let begun = Monitor(0)
        runner.handle(small) { _ in begun.update { $0 += 1 } }
        runner.start()
        var times: [Duration] = []
        for number in 1...200 {
            let watch = Stopwatch()
            try store.write { tx in _ = try queue.add(small, in: tx) }
            _ = begun.wait { $0 >= number ? true : nil }
            times.append(watch.elapsed)
        }
        runner.stop()
        times.sort()
        Bench.say("from adding to beginning, idle: median \(times[100]), 99 % within \(times[197])")
    }

    /// A store with nothing but jobs in it.
    private struct Desk {
        let home: String
        let store: Store
        let queue: JobQueue
        let runner: JobRunner

        init(in folder: String) throws {
            home = "\(folder)/quire-bench-jobs-\(getpid())"
            store = try Store.open(home: home, areas: [JobQueue.migrations])
            queue = JobQueue(store)
            runner = JobRunner(queue, threads: 2)
        }

        func remove() {
            store.close()
            _ = try? Child("rm", ["-rf", home]).run()
        }
    }
}
