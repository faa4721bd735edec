import Access
import Jobs
import People
import Storage
import Tables
import Work

/// Brings a list in, again and again, and takes part of it away, until it is killed. Says what was saved as soon
/// as it was.
///
///     quire-bench people-work HOME sqlite|CONNINFO
///
/// `= VERSION COUNT` a file brought in, `- VERSION COUNT` part of it removed.
enum PeopleWork {
    static let areas = [Gate.migrations, JobQueue.migrations, Recipients.migrations]

    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw Failure(.invalid, "people-work HOME sqlite|CONNINFO") }
        let store = try Store.open(
            home: arguments[0], database: arguments[1] == "sqlite" ? .sqlite : .postgres(arguments[1]),
            areas: areas)
        try store.lockForServing()
        let recipients = Recipients(Gate(store), queue: JobQueue(store))
        let list = try recipients.all(by: .local).first ?? recipients.make("Killed", by: .local)
        let before = try recipients.page(list.id, .init(limit: 1), by: .local).recipients.first
        var version = before.flatMap { Int($0.cells[1].shown) } ?? 0
        // Wide rows, so that a file fills several transactions.
        let filler = String(repeating: "x", count: 2000)
        while true {
            version += 1
            let count = 400 + version * 137 % 900
            var text = "id,version,filler\n"
            for id in 1...count { text += "\(id),\(version),\(filler)\n" }
            let pending = try recipients.take(
                .bytes(Array(text.utf8)), named: "people.csv", into: list.id, by: .local)
            try recipients.apply(pending.id, by: .local)
            Bench.say("= \(version) \(count)")
            let removed = try recipients.remove(
                RecipientFilter(conditions: [.init("id", .startsWith, "1")]), from: list.id, by: .local)
            Bench.say("- \(version) \(removed.list.count)")
        }
    }
}
