import Access
import Glibc
import Jobs
import People
import Storage
import Tables
import Work

/// How fast tables are read, and brought into a desk.
///
///     quire-bench tables read FILE       rows and megabytes a second, and the largest memory
///     quire-bench tables import FILE     the first preview, the whole import on SQLite, and pages of the list
enum TablesBench {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw Failure(.invalid, "tables read|import FILE") }
        switch arguments[0] {
        case "read": try read(arguments[1])
        case "import": try bring(arguments[1])
        default: throw Failure(.invalid, "tables read|import FILE")
        }
    }

    private static func read(_ path: String) throws {
        let watch = Stopwatch()
        var table = try TableReader(path: path)
        var row = PackedRow()
        var count = 0
        while try table.read(into: &row) { count += 1 }
        let seconds = watch.elapsed / .seconds(1)
        var status = stat()
        stat(path, &status)
        Bench.say(
            "\(count) rows, \(Int(Double(count) / seconds)) rows/s, \(Int(Double(status.st_size) / seconds / 1e6)) MB/s, peak \(peak) MB"
        )
    }

    private static func bring(_ path: String) throws {
        let home = "/tmp/quire-bench-tables-\(getpid())"
        defer { _ = system("rm -rf '\(home)'") }
        let store = try Store.open(home: home, areas: PeopleWork.areas)
        defer { store.close() }
        let recipients = Recipients(Gate(store), queue: JobQueue(store))
        let list = try recipients.make("Bench", by: .local)
        var watch = Stopwatch()
        let pending = try recipients.take(.file(path), named: "people.csv", into: list.id, by: .local)
        let glance = try recipients.preview(pending.id, comparing: false, by: .local)
        Bench.say("first preview (\(glance.rows.count) rows): \(milliseconds(watch)) ms; budget 1000 ms")
        watch = Stopwatch()
        let preview = try recipients.preview(pending.id, by: .local)
        Bench.say("preview with all counts (\(preview.counts.rows) rows): \(milliseconds(watch)) ms")
        watch = Stopwatch()
        try recipients.apply(pending.id, by: .local)
        let count = try recipients.get(list.id, by: .local).count
        let rate = Int(Double(count) / (watch.elapsed / .seconds(1)))
        Bench.say(
            "import: \(count) rows in \(milliseconds(watch)) ms, \(rate) rows/s, saved; budget 150000 rows/s")
        let again = try recipients.take(.file(path), named: "people.csv", into: list.id, by: .local)
        watch = Stopwatch()
        try recipients.apply(again.id, by: .local)
        Bench.say("the same file again, compared by key: \(milliseconds(watch)) ms")
        let column = glance.columns.first?.name ?? ""
        let last = glance.columns.last?.name ?? ""
        for (what, listing) in [
            ("page in the middle", Recipients.Listing(offset: count / 2)),
            ("page of a search, the first time", Recipients.Listing(RecipientFilter(search: "grete 99"))),
            ("page sorted by “\(last)”", Recipients.Listing(sort: last, offset: count / 2)),
            (
                "page of a filter",
                Recipients.Listing(RecipientFilter(conditions: [.init(column, .startsWith, "77")]))
            ),
        ] {
            watch = Stopwatch()
            let page = try recipients.page(list.id, listing, by: .local)
            Bench.say("\(what): \(milliseconds(watch)) ms, \(page.matchCount) match; budget 100 ms")
        }
        Bench.say("peak \(peak) MB; budget 150 MB")
        if rate < 150_000 { throw Failure(.unavailable, "Below the budget.") }
    }

    private static func milliseconds(_ watch: Stopwatch) -> Int { Int(watch.elapsed / .milliseconds(1)) }

    static var peak: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1024
    }
}
