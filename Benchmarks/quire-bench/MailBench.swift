import Access
import Delivery
import Glibc
import Jobs
import Storage
import Transfer
import Work

/// How many letters a second go out to a mail server, everything written down as always.
///
///     quire-bench mail HOME PORT LETTERS BYTES LANES
enum MailBench {
    static func run(_ arguments: [String]) throws {
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count == 4 else { throw Failure(.invalid, "mail HOME PORT LETTERS BYTES LANES") }
        let (port, count, size, lanes) = (numbers[0], numbers[1], numbers[2], numbers[3])
        let store = try Store.open(
            home: arguments[0], database: .sqlite,
            areas: [Gate.migrations, JobQueue.migrations, Outbox.migrations])
        defer { store.close() }
        let queue = JobQueue(store)
        let outbox = Outbox(Gate(store), queue)
        guard let sender = MailAddress("office@school.example") else { return }
        let mailing = try outbox.open(
            .init(title: "Bench", subject: "batch/bench", sender: sender), by: .local)
        // As packets are: each its own file.
        let chance = Chance.seeded(7)
        for start in stride(from: 0, to: count, by: 100) {
            let drafts = try (start..<min(start + 100, count)).map { number -> OutboxMessage.Draft in
                let digest = try store.blobs.put(chance.bytes(size))
                guard let to = MailAddress("person\(number)@example.org") else {
                    throw Failure(.invalid, "address")
                }
                return .init(
                    subject: "packet/\(number)", recipientName: "Person \(number)",
                    addresses: .init(to: [to]),
                    title: "Your form", text: "Dear Person \(number)",
                    attachments: [.init(fileName: "Form.pdf", mediaType: "application/pdf", digest: digest)])
            }
            try outbox.post(drafts, to: mailing.id, by: .local)
        }
        let runner = JobRunner(queue, threads: 2)
        Courier(outbox, lanes: lanes) { _ in
            try SMTPCarrier(SMTPAccount(host: "127.0.0.1", port: port, security: .none))
        }.handle(in: runner)
        try outbox.release(mailing.id, by: .local)
        let start = ContinuousClock.now
        runner.runUntilIdle()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        runner.stop()
        let sent = try outbox.counts(of: mailing.id, by: .local)[.accepted] ?? 0
        Bench.say(
            "{\"letters\":\(count),\"sent\":\(sent),\"seconds\":\(seconds),\"perSecond\":\(Double(sent) / seconds)}"
        )
        guard sent == count else { throw Failure(.damaged, "\(count - sent) letters did not go out") }
    }
}

/// How long a page of a long ledger takes.
///
///     quire-bench ledger HOME ITEMS
enum LedgerBench {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2, let count = Int(arguments[1]) else {
            throw Failure(.invalid, "ledger HOME ITEMS")
        }
        let store = try Store.open(
            home: arguments[0], database: .sqlite,
            areas: [Gate.migrations, JobQueue.migrations, Outbox.migrations])
        defer { store.close() }
        let ledger = Ledger(store)
        let states: [LedgerEvent] = [
            .made, .accepted, .accepted, .accepted, .opened, .returned, .bounced, .refused,
        ]
        let names = ["Ana", "Bo", "Cy", "Dee", "Eva", "Finn", "Gus", "Hal", "Ida", "Jo"]
        let filling = ContinuousClock.now
        for start in stride(from: 0, to: count, by: 5_000) {
            let notes = (start..<min(start + 5_000, count)).map { number in
                LedgerNote(
                    states[number % states.count], subject: "packet/\(number)",
                    run: "batch/\(number / 1_000)",
                    recipient: "\(names[number % names.count]) Number\(number)",
                    address: "person\(number)@example.org", actor: "quire/bench")
            }
            try store.write { tx in try ledger.write(notes, in: tx) }
        }
        Bench.say("{\"what\":\"written\",\"milliseconds\":\(milliseconds(since: filling))}")
        let middle = Int64(count / 2)
        let pages: [(String, Ledger.Filter, Int64?)] = [
            ("first page", .init(), nil), ("from the middle", .init(), middle), ("sent", .init(.sent), nil),
            ("unsent, from the middle", .init(.unsent), middle), ("bounced", .init(.state(.bounced)), nil),
            ("of one batch", .init(run: "batch/\(count / 2_000)"), nil),
            ("bounced of one batch", .init(.state(.bounced), run: "batch/\(count / 2_000)"), nil),
            ("a common name", .init(search: "ana"), nil),
            ("one person", .init(search: "number\(count / 3)"), nil),
            ("nobody", .init(search: "nobody at all"), nil),
            ("one person, unsent", .init(.unsent, search: "person\(count / 56 * 8)@"), nil),
        ]
        for (name, filter, before) in pages {
            var times: [Double] = []
            for _ in 0..<15 {
                let start = ContinuousClock.now
                _ = try ledger.list(filter, before: before, limit: 60, by: .local)
                _ = try ledger.tally(of: filter.run, by: .local)
                times.append(milliseconds(since: start))
            }
            times.sort()
            Bench.say("{\"what\":\"\(name)\",\"median\":\(times[7]),\"slowest\":\(times[14])}")
        }
        let start = ContinuousClock.now
        guard try ledger.verify().isEmpty else { throw Failure(.damaged, "the ledger is damaged") }
        Bench.say("{\"what\":\"verify\",\"milliseconds\":\(milliseconds(since: start))}")
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .milliseconds(1)
    }
}
