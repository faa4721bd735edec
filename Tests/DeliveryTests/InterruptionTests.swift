import Access
import Delivery
import Glibc
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite(
    "Sending that is killed",
    .enabled(if: Peer.has("aiosmtpd"), "the Python package aiosmtpd is not installed (bin/setup --check)"))
struct SendingInterruptionTests {
    @Test(
        "Nobody gets two mails, nobody is forgotten, and the ledger tells the truth",
        arguments: Database.Kind.here)
    func kills(kind: Database.Kind) throws {
        let rounds = Self.rounds(kind)
        let letters = rounds * 4
        let chance = Chance.seeded(2026)
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDeskPlace(kind, areas: Post.areas) { place in
                let store = try place.open(clock: .system, chance: .system)
                defer { store.close() }
                let queue = JobQueue(store)
                let post = Post(
                    store: store, queue: queue, outbox: Outbox(.init(store), queue), clock: HandClock(),
                    carrier: Recorder())
                let mailing = try post.mailing((1...letters).map { "p\($0)@example.org" })
                var kills = 0
                for _ in 0..<rounds {
                    // As somebody does who sees it standing still.
                    try post.outbox.release(mailing.id, by: .local)
                    let work = try work(place, server.port)
                    // Before the first letter, or somewhere in the few that come next.
                    let lines = 1 + chance.integer(below: 4)
                    if work.kill(afterLines: lines, waiting: chance.integer(below: 10_000)) { kills += 1 }
                }
                try post.outbox.release(mailing.id, by: .local)
                let isDone = try work(place, server.port).finish()
                #expect(isDone)

                let arrived = try arrivals(folder)
                let doubles = arrived.filter { $0.value > 1 }
                #expect(doubles.isEmpty)
                let messages = try all(post)
                #expect(messages.count == letters)
                for message in messages {
                    let count = arrived[message.messageID] ?? 0
                    switch message.state {
                    case .accepted: #expect(count == 1, "\(message.subject) is said to have arrived")
                    case .uncertain: #expect(count <= 1)
                    default: Issue.record("\(message.subject) is \(message.state): forgotten")
                    }
                    #expect(
                        try post.ledger.item(message.subject, by: .local)?.state.rawValue
                            == message.state.rawValue)
                }
                #expect(try post.ledger.verify() == [])
                // Rare, or the window would be too wide: one letter in fifty each time, and no more than there are connections.
                let uncertain = messages.count { $0.state == .uncertain }
                #expect(uncertain <= kills * min(3, max(1, letters / 50)))
                #expect(kills > rounds / 4)
            }
        }
    }

    @Test(
        "over eight connections to a slow server leaves at most two letters in a hundred uncertain, and reports decide about them"
    )
    func slowServer() throws {
        let rounds = max(3, Self.rounds(.sqlite) / 4)
        let letters = 300
        let chance = Chance.seeded(300)
        try withScratchFolder { folder in
            let server = try Peer("reporter.py", [folder, "0.02", "0.2"])
            try withDeskPlace(.sqlite, areas: Post.areas) { place in
                let store = try place.open(clock: .system, chance: .system)
                defer { store.close() }
                let queue = JobQueue(store)
                let post = Post(
                    store: store, queue: queue, outbox: Outbox(.init(store), queue), clock: HandClock(),
                    carrier: Recorder())
                var (kills, worst, uncertain, undecided) = (0, 0, 0, 0)
                for round in 0..<rounds {
                    let mailing = try post.mailing(
                        (1...letters).map { "p\(round)-\($0)@example.org" }, subject: "batch/\(round)")
                    let work = try KilledProgram(
                        "quire-bench", ["mail-work", place.home, place.address, "\(server.port)", "8"])
                    let lines = 2 + chance.integer(below: letters - 20)
                    let isKilled = work.kill(afterLines: lines, waiting: chance.integer(below: 200_000))
                    if isKilled { kills += 1 }
                    // Whoever comes next finds out about them; nothing is sent on that nobody asked for.
                    try post.outbox.release(mailing.id, by: .local)
                    let isDone = try KilledProgram(
                        "quire-bench", ["mail-work", place.home, place.address, "\(server.port)", "8"]
                    ).finish()
                    #expect(isDone)
                    let before = try post.states(of: mailing)
                    #expect((before[.accepted] ?? 0) + (before[.uncertain] ?? 0) == letters)
                    let left = before[.uncertain] ?? 0
                    #expect(left * 50 <= letters, "\(left) of \(letters)")
                    (worst, uncertain) = (max(worst, left), uncertain + left)
                    try readReports(folder, post)
                    let arrived = try arrivals(folder)
                    #expect(arrived.values.allSatisfy { $0 == 1 })
                    for message in try all(post) where message.mailing == mailing.id {
                        let count = arrived[message.messageID] ?? 0
                        // Each that arrived is known to have, each other is left to a person.
                        #expect(message.state == (count == 1 ? .accepted : .uncertain), "\(message.subject)")
                        if message.state == .uncertain { undecided += 1 }
                    }
                }
                #expect(kills == rounds)
                #expect(try post.ledger.verify() == [])
                if getenv("QUIRE_KILLS") != nil {
                    print(
                        "\(kills) kills in mailings of \(letters): \(uncertain) letters uncertain, \(worst) at most of one mailing, \(undecided) after the reports"
                    )
                }
            }
        }
    }

    private func readReports(_ folder: String, _ post: Post) throws {
        let bounces = Bounces(post.outbox) { nil }
        var number = 1
        while access("\(folder)/\(number).eml", F_OK) == 0 {
            let path = "\(folder)/\(number).report"
            if access(path, F_OK) == 0 { _ = try bounces.take(contents(of: path), by: .local) }
            unlink(path)
            number += 1
        }
    }

    /// A few each time; `QUIRE_KILLS=200` for many, four of five of them on SQLite.
    private static func rounds(_ kind: Database.Kind) -> Int {
        let wanted = getenv("QUIRE_KILLS").flatMap { Int(String(cString: $0)) } ?? 15
        return max(1, kind == .sqlite ? wanted * 4 / 5 : wanted / 5)
    }

    private func all(_ post: Post) throws -> [OutboxMessage] {
        var messages: [OutboxMessage] = []
        var next: ID<OutboxMessage>?
        repeat {
            let page = try post.outbox.list(before: next, limit: 500, by: .local)
            messages += page.messages
            next = page.next
        } while next != nil
        return messages
    }

    /// How often each message lies at the server.
    private func arrivals(_ folder: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var number = 1
        while access("\(folder)/\(number).eml", F_OK) == 0 {
            let text = String(decoding: try contents(of: "\(folder)/\(number).eml"), as: UTF8.self)
            let line = text.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: ") }
            counts[String((line ?? "").dropFirst("Message-ID: ".count)), default: 0] += 1
            number += 1
        }
        return counts
    }

    private func work(_ place: DeskPlace, _ port: Int) throws -> KilledProgram {
        try KilledProgram("quire-bench", ["mail-work", place.home, place.address, "\(port)"])
    }
}
