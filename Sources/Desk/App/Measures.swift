import Access
import Glibc
import Jobs
import Library
import SQL
import Storage
import Work

/// One number about a desk, for a program that keeps watch over it.
public struct Measure: Sendable {
    public struct Sample: Sendable {
        public let labels: [(name: String, value: String)]
        public let value: Double

        public init(labels: [(name: String, value: String)], value: Double) {
            self.labels = labels
            self.value = value
        }
    }

    /// As Prometheus wants it: `quire_jobs`.
    public let name: String
    public let meaning: String
    /// Only ever grows.
    public let isCounter: Bool
    public let samples: [Sample]

    public init(_ name: String, _ meaning: String, isCounter: Bool = false, _ samples: [Sample]) {
        self.name = name
        self.meaning = meaning
        self.isCounter = isCounter
        self.samples = samples
    }

    public init(_ name: String, _ meaning: String, _ value: Double) {
        self.init(name, meaning, [Sample(labels: [], value: value)])
    }
}

extension Quire {
    /// What is worth an alarm, as it is now. With the database away, only what can be told without it. Whoever keeps watch
    /// is told nothing that grows with private papers.
    public func measures() -> [Measure] {
        let ready = readiness()
        let checks = ready.filter { finding in !store.troubles.all.contains { $0.name == finding.name } }
        var list = [
            Measure(
                "quire_build_info", "Always 1; the label tells which Quire this is",
                [.init(labels: [("version", Version.number)], value: 1)]),
            Measure(
                "quire_ready", "1 when work can be taken and kept",
                ready.contains { $0.state == .bad } ? 0 : 1),
            Measure(
                "quire_check", "1 when this part is well",
                checks.map { .init(labels: [("check", $0.name)], value: $0.state == .bad ? 0 : 1) }),
            Measure(
                "quire_trouble", "Seconds since which this keeps going wrong",
                store.troubles.all.map {
                    .init(
                        labels: [("trouble", $0.name)],
                        value: max(0, Self.seconds(store.clock.now()) - Self.seconds($0.since)))
                }),
        ]
        // The room of a whole machine, and no more closely than an alarm needs it.
        if let free = Machine.freeByteCount(store.home.path).map({ $0 - $0 % (64 << 20) }) {
            list.append(Measure("quire_free_bytes", "Room left for the data directory", Double(free)))
        }
        list += (try? counted()) ?? []
        return list + Self.process()
    }

    private func counted() throws -> [Measure] {
        let jobs = try jobs(for: .local.withoutPrivate)
        var list = [
            Measure(
                "quire_jobs", "Jobs by their state",
                Job.State.allCases.map {
                    .init(labels: [("state", $0.rawValue)], value: Double(jobs[$0, default: 0]))
                })
        ]
        try store.read { desk in
            let shown = try documents.shown(to: .local.withoutPrivate, in: desk)
            if let row = try desk.row(Usage.files(shown: shown)) {
                list.append(Measure("quire_files", "Files on the shelf", Double(try row.int("n"))))
                list.append(
                    Measure("quire_file_bytes", "What they take", Double(try row.integer("size"))))
            }
            let waiting = try desk.row(
                "SELECT count(*) AS n FROM outbox_message WHERE state = 'waiting'")
            list.append(
                Measure("quire_letters_waiting", "Letters not sent yet", Double(try waiting?.int("n") ?? 0)))
            let latest = try desk.row("SELECT max(at) AS at FROM journal")?.optionalMoment("at")
            list.append(
                Measure(
                    "quire_clock_behind_seconds",
                    "How far the newest line of the journal is ahead of the clock",
                    latest.map { max(0, Self.seconds($0) - Self.seconds(store.clock.now())) } ?? 0))
        }
        for (kind, name) in [(Report.Kind.backup, "backup"), (.verification, "verification")] {
            let all = try reports.list(kind, limit: 100)
            guard let last = all.first else { continue }
            list.append(
                Measure("quire_\(name)_good", "1 when the last \(name) went well", last.isGood ? 1 : 0))
            guard let good = all.first(where: \.isGood) else { continue }
            list.append(
                Measure(
                    "quire_\(name)_last_good_timestamp_seconds", "When the last good \(name) ended",
                    Self.seconds(good.at)))
        }
        return list
    }

    private static func seconds(_ moment: Moment) -> Double { Double(moment.milliseconds) / 1000 }

    /// Under the names that programs of every kind have for them.
    private static func process() -> [Measure] {
        var list: [Measure] = []
        if let words = try? SmallFile.read("/proc/self/statm", limit: 4096) {
            let pages = String(decoding: words, as: UTF8.self).split(separator: " ").dropFirst().first
            let size = Double(pages.flatMap { Int($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE)))
            list.append(Measure("process_resident_memory_bytes", "Memory in use", size))
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            list.append(
                Measure("process_max_fds", "Files that may be open at once", Double(limit.rlim_cur)))
        }
        if let folder = opendir("/proc/self/fd") {
            defer { closedir(folder) }
            // Without `.`, `..` and this folder itself.
            var count = -3
            while readdir(folder) != nil { count += 1 }
            list.append(Measure("process_open_fds", "Files that are open", Double(count)))
        }
        return list
    }
}
