import Access
import Delivery
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Transfer
import Work

@Suite("The outbox")
struct OutboxTests {
    @Test("sends every letter once, and the ledger says what the server said", arguments: Database.Kind.here)
    func sends(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            let people = (1...20).map { "p\($0)@example.org" }
            let mailing = try post.mailing(people)
            post.work()
            #expect(post.carrier.addresses == people.sorted())
            #expect(try post.states(of: mailing) == [.accepted: 20])
            let tally = try post.ledger.tally(of: "batch/1", by: .local)
            #expect(tally.sent == 20 && tally.total == 20)
            let lines = try post.ledger.lines(of: "packet/p1@example.org")
            #expect(lines.map(\.note.event) == [.posted, .accepted])
            #expect(lines.last?.note.detail == "250 2.0.0 Taken")
            post.work()
            #expect(post.carrier.addresses.count == 20)
        }
    }

    @Test("posts nothing twice when the same call is made again", arguments: Database.Kind.here)
    func again(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            let mailing = try post.mailing(["a@example.org", "b@example.org"], released: false)
            let drafts = try ["b@example.org", "c@example.org"].map { try post.draft($0) }
            #expect(try post.outbox.post(drafts, to: mailing.id, by: .local) == 1)
            #expect(try post.states(of: mailing) == [.waiting: 3])
            post.work()
            #expect(post.carrier.addresses.isEmpty)
            try post.outbox.release(mailing.id, by: .local)
            try post.outbox.release(mailing.id, by: .local)
            post.work()
            #expect(post.carrier.addresses == ["a@example.org", "b@example.org", "c@example.org"])
        }
    }

    @Test("tries again what the server cannot take now, and gives up in the end")
    func temporary() throws {
        try Post.with { post in
            post.carrier.fail("a@example.org", .busy())
            let all = [SMTPError](repeating: .busy(), count: 20)
            post.carrier.fail(
                "b@example.org", all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8])
            let mailing = try post.mailing(["a@example.org", "b@example.org"])
            post.work()
            #expect(try post.states(of: mailing) == [.waiting: 2])
            post.clock.advance(.seconds(61))
            post.work()
            #expect(try post.states(of: mailing) == [.accepted: 1, .waiting: 1])
            for _ in 0..<10 {
                post.clock.advance(.seconds(24 * 3600))
                post.work()
            }
            let lost = try post.message(to: "b@example.org")
            #expect(lost.state == .refused)
            #expect(
                lost.reason
                    == "Given up after 8 tries. The last answer was: The mail server cannot take the message now: 451 4.7.1 Come back later. It may work later"
            )
            #expect(try post.outbox.attempts(of: lost.id, by: .local).count == 8)
        }
    }

    @Test("reports what the server refuses, and the others go all the same")
    func permanent() throws {
        try Post.with { post in
            post.carrier.fail("nobody@example.org", .never())
            let mailing = try post.mailing(["nobody@example.org", "b@example.org"])
            post.work()
            #expect(try post.states(of: mailing) == [.refused: 1, .accepted: 1])
            #expect(try post.ledger.item("packet/nobody@example.org", by: .local)?.state == .refused)
            #expect(
                try post.message(to: "nobody@example.org").reason
                    == "The mail server refused the message: 550 5.1.1 No such mailbox")
        }
    }

    @Test("sends all again at once that failed, but to nobody twice and to no address that gets nothing more")
    func retriesAll() throws {
        try Post.with { post in
            let names = ["no1", "no2", "drop", "gone", "ok"]
            for name in ["no1", "no2", "gone"] { post.carrier.fail("\(name)@example.org", .never()) }
            post.carrier.fail("drop@example.org", .uncertain(host: "mail.test", why: "it hung up"))
            let mailing = try post.mailing(names.map { "\($0)@example.org" })
            post.work()
            // One has gone out with another letter since, and one address gets nothing more.
            try post.mailing(["no2@example.org"], subject: "batch/2")
            post.work()
            try post.outbox.suppressions.add("gone@example.org", reason: "Mail came back.", by: .local)
            let retried = try post.outbox.retryFailed(mailing.id, by: .local)
            #expect(retried.count == 1 && retried.left == 2)
            post.work()
            #expect(try post.message(to: "no1@example.org").state == .accepted)
            #expect(try post.message(to: "drop@example.org").state == .uncertain)
            #expect(post.carrier.addresses.count { $0 == "no2@example.org" } == 1)
            #expect(try post.outbox.retryFailed(by: .local).count == 0)
            #expect(try post.ledger.verify() == [])
        }
    }

    @Test("never sends again by itself what may have arrived", arguments: Database.Kind.here)
    func uncertain(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            post.carrier.fail("a@example.org", .uncertain(host: "mail.example", why: "hung up"))
            let mailing = try post.mailing(["a@example.org"])
            for _ in 0..<5 {
                post.work()
                post.clock.advance(.seconds(24 * 3600))
            }
            #expect(try post.states(of: mailing) == [.uncertain: 1])
            #expect(post.carrier.addresses.isEmpty)
            // A person may decide otherwise; the message keeps its name, so that two would be seen as one.
            let message = try post.message(to: "a@example.org")
            try post.outbox.retry(message.id, by: .local)
            post.work()
            #expect(post.carrier.messageIDs == [message.messageID])
            #expect(try post.ledger.item("packet/a@example.org", by: .local)?.state == .accepted)
        }
    }

    @Test("stops a mailing whose account is wrong, and says why")
    func account() throws {
        try Post.with { post in
            post.carrier.fail("a@example.org", .signInRefused(SMTPReply(code: 535, words: "5.7.8 No")))
            let mailing = try post.mailing(["a@example.org", "b@example.org"], pace: Pace(perMinute: 600))
            post.work()
            let held = try post.outbox.mailing(mailing.id, by: .local)
            #expect(held.state == .paused)
            #expect(held.reason == "The mail server did not accept the user name and password: 535 5.7.8 No")
            #expect(try post.states(of: mailing) == [.waiting: 2])
            try post.outbox.release(mailing.id, by: .local)
            for _ in 0..<3 {
                post.work()
                post.clock.advance(.seconds(1))
            }
            #expect(try post.states(of: mailing) == [.accepted: 2])
        }
    }

    @Test("leaves a server alone that does not answer, and goes on later")
    func unreachable() throws {
        try Post.with { post in
            post.carrier.fail("a@example.org", .transfer(.unreachable(host: "mail.example", why: "refused")))
            let mailing = try post.mailing(["a@example.org"])
            post.work()
            #expect(try post.states(of: mailing) == [.waiting: 1])
            #expect(try post.outbox.mailing(mailing.id, by: .local).state == .running)
            post.clock.advance(.seconds(31))
            post.work()
            #expect(try post.states(of: mailing) == [.accepted: 1])
        }
    }

    @Test("goes on with the others when one connection breaks, and rests when none is left")
    func brokenConnections() throws {
        try Post.with { post in
            let broken = SMTPError.transfer(.broken(host: "mail.example", why: "it hung up"))
            let busy = SMTPError.temporary(SMTPReply(code: 421, words: "4.3.2 Too busy"), .greeting)
            post.carrier.fail("p2@example.org", broken)
            post.carrier.fail("p5@example.org", busy)
            let mailing = try post.mailing((1...9).map { "p\($0)@example.org" })
            post.work()
            #expect(try post.states(of: mailing) == [.accepted: 8, .waiting: 1])
            #expect(try post.message(to: "p5@example.org").tries == 1)
            post.clock.advance(.seconds(61))
            post.work()
            #expect(try post.states(of: mailing) == [.accepted: 9])

            // A server that turns everybody away is not called for each letter.
            let names = (1...40).map { "q\($0)@example.org" }
            for name in names { post.carrier.failAlways(name, busy) }
            let second = try post.mailing(names, subject: "batch/2")
            post.work()
            #expect(try post.states(of: second) == [.waiting: 40])
            #expect(try post.outbox.mailing(second.id, by: .local).reason == "\(busy)")
            post.clock.advance(.seconds(31))
            for name in names { post.carrier.fail(name) }
            post.work()
            #expect(try post.states(of: second) == [.accepted: 40])
            #expect(try post.outbox.mailing(second.id, by: .local).reason == nil)
        }
    }

    @Test(
        "leaves at most one letter in fifty between its last line and the answer, however many connections there are"
    )
    func openAnswers() throws {
        try Post.with { post in
            let mailing = try post.mailing((1...100).map { "p\($0)@example.org" })
            let slow = SlowServer(lanes: 8) {
                ((try? post.states(of: mailing)) ?? [:])[.ending] ?? 0
            }
            let runner = JobRunner(post.queue, threads: 1)
            Courier(post.outbox, lanes: 8) { _ in slow }.handle(in: runner)
            runner.runUntilIdle()
            runner.stop()
            #expect(try post.states(of: mailing) == [.accepted: 100])
            #expect((1...2).contains(slow.mostOpen), "\(slow.mostOpen)")
        }
    }

    @Test("keeps its pace, and its hours")
    func pace() throws {
        try Post.with { post in
            // The clock of tests begins at some time of the day; the window opens two hours later.
            let wall = post.clock.clock.now().wallTimeInUTC
            let now = wall.hour * 60 + wall.minute
            let pace = Pace(perMinute: 2, opens: (now + 120) % 1440, closes: (now + 122) % 1440)
            let mailing = try post.mailing((1...6).map { "p\($0)@example.org" }, pace: pace)
            post.work()
            #expect(post.carrier.addresses.isEmpty)
            post.clock.advance(.seconds(2 * 3600))
            post.work()
            #expect(post.carrier.addresses.count == 1)
            post.work()
            #expect(post.carrier.addresses.count == 1)
            for _ in 0..<10 {
                post.clock.advance(.seconds(30))
                post.work()
            }
            // Two minutes at two a minute; the rest waits for tomorrow.
            #expect((4...5).contains(post.carrier.addresses.count))
            for _ in 0..<4 {
                post.clock.advance(.seconds(24 * 3600 - 60))
                post.work()
            }
            _ = mailing
            #expect(post.carrier.addresses.count >= 5)
        }
    }

    @Test("can be paused, gone on with, stopped letter by letter and cancelled")
    func held() throws {
        try Post.with { post in
            let mailing = try post.mailing(
                ["a@example.org", "b@example.org", "c@example.org"], released: false)
            try post.outbox.release(mailing.id, by: .local)
            try post.outbox.pause(mailing.id, by: .local)
            try post.outbox.cancel(post.message(to: "a@example.org").id, by: .local)
            post.work()
            #expect(try post.states(of: mailing) == [.waiting: 2, .cancelled: 1])
            try post.outbox.cancel(mailing.id, by: .local)
            #expect(try post.states(of: mailing) == [.cancelled: 3])
            #expect(throws: Failure.self) { try post.outbox.release(mailing.id, by: .local) }
            #expect(try post.ledger.tally(of: "batch/1", by: .local).sent == 0)
        }
    }

    @Test("writes to no address that asked not to be written to")
    func suppressed() throws {
        try Post.with { post in
            try post.outbox.suppressions.add("A@example.org", reason: "Mail came back.", by: .local)
            let mailing = try post.mailing(["a@example.org", "b@example.org"])
            post.work()
            #expect(post.carrier.addresses == ["b@example.org"])
            #expect(try post.states(of: mailing) == [.suppressed: 1, .accepted: 1])
            #expect(
                try post.message(to: "a@example.org").reason
                    == "Nothing is sent to this address any more: Mail came back.")
        }
    }

    @Test(
        "leaves one of several addresses out that gets nothing more, and holds the letter when only copies are left"
    )
    func suppressedAmongOthers() throws {
        try Post.with { post in
            try post.outbox.suppressions.add("m1@example.org", reason: "Mail came back.", by: .local)
            try post.outbox.suppressions.add("m2@example.org", reason: "Asked for none.", by: .local)
            let mailing = try post.mailing([], released: false)
            var drafts = try ["m1@example.org", "m2@example.org"].map { try post.draft($0) }
            drafts[0].addresses.to.append(try post.mailbox("f1@example.org"))
            for place in drafts.indices {
                drafts[place].addresses.copies = [try post.mailbox("head@example.org")]
            }
            try post.outbox.post(drafts, to: mailing.id, by: .local)
            try post.outbox.release(mailing.id, by: .local)
            post.work()
            #expect(post.carrier.addresses == ["f1@example.org", "head@example.org"])
            #expect(try post.states(of: mailing) == [.accepted: 1, .suppressed: 1])
            let sent = try post.message(to: "f1@example.org")
            #expect(sent.addresses.to.map(\.address) == ["f1@example.org"])
            #expect(
                try post.ledger.lines(of: "packet/m1@example.org").first?.note.detail
                    == "Nothing is sent to m1@example.org any more: Mail came back.")
            let held = try post.message(to: "m2@example.org")
            #expect(throws: Failure.self) { try post.outbox.retry(held.id, by: .local) }
            try post.outbox.suppressions.remove("m2@example.org", by: .local)
            try post.outbox.retry(held.id, by: .local)
            post.work()
            #expect(post.carrier.addresses.contains("m2@example.org"))
        }
    }

    @Test(
        "holds a letter whose address came to get nothing more while it waited", arguments: Database.Kind.here
    )
    func suppressedMeanwhile(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            let mailing = try post.mailing(
                ["a@example.org", "b@example.org", "c@example.org"], pace: Pace(perMinute: 60))
            post.work()
            #expect(post.carrier.addresses == ["a@example.org"])
            try post.outbox.suppressions.add("B@example.org", reason: "Asked for none.", by: .local)
            for _ in 0..<3 {
                post.clock.advance(.seconds(1))
                post.work()
            }
            #expect(post.carrier.addresses == ["a@example.org", "c@example.org"])
            #expect(try post.states(of: mailing) == [.accepted: 2, .suppressed: 1])
            #expect(try post.ledger.item("packet/b@example.org", by: .local)?.state == .suppressed)
            #expect(try post.ledger.verify() == [])
        }
    }

    @Test("keeps a copy of exactly what was sent", arguments: Database.Kind.here)
    func copies(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            let digest = try post.store.blobs.put(Array("%PDF-1.7 form".utf8))
            let mailing = try post.mailing([], released: false)
            var draft = try post.draft("a@example.org")
            draft.attachments = [.init(fileName: "Zoë.pdf", mediaType: "application/pdf", digest: digest)]
            try post.outbox.post([draft], to: mailing.id, by: .local)
            try post.outbox.release(mailing.id, by: .local)
            post.work()
            let message = try post.message(to: "a@example.org")
            let copy = try post.outbox.copy(message.id, by: .local)
            let attempt = try #require(try post.outbox.attempts(of: message.id, by: .local).first)
            #expect(attempt.sentDigest == Digest(of: copy).hex)
            #expect(String(decoding: copy, as: UTF8.self).contains("JVBERi0xLjcgZm9ybQ=="))
        }
    }

    @Test("hears nothing of line breaks in names and subjects")
    func headers() throws {
        try Post.with { post in
            let mailing = try post.mailing([], released: false)
            var draft = try post.draft("a@example.org")
            draft.title = "Hi\r\nBcc: evil@example.org"
            draft.recipientName = "A\nB"
            draft.addresses.to = [
                try #require(MailAddress("a@example.org", name: "A\r\nBcc: evil@example.org"))
            ]
            try post.outbox.post([draft], to: mailing.id, by: .local)
            let copy = String(
                decoding: try post.outbox.copy(post.message(to: "a@example.org").id, by: .local),
                as: UTF8.self)
            #expect(!copy.split(separator: "\r\n").contains { $0.lowercased().hasPrefix("bcc:") })
            #expect(try post.message(to: "a@example.org").recipientName == "A B")
        }
    }

    @Test("lists the newest first, page by page, and asks who is asking")
    func lists() throws {
        try Post.with { post in
            let mailing = try post.mailing((1...7).map { "p\($0)@example.org" }, released: false)
            var seen: [Int] = []
            var next: ID<OutboxMessage>?
            repeat {
                let page = try post.outbox.list(
                    .init(mailing: mailing.id), before: next, limit: 3, by: .local)
                seen += page.messages.map(\.place)
                next = page.next
            } while next != nil
            #expect(seen == [6, 5, 4, 3, 2, 1, 0])
            #expect(try post.outbox.list(.init(state: .accepted), by: .local).messages.isEmpty)
        }
    }
}

/// Answers no letter before a letter of each connection stands before its last line, and looks at the outbox each time.
private final class SlowServer: Carrier, Sendable {
    private let ready = Monitor(0)
    private let lanes: Int
    private let open: @Sendable () -> Int
    private let most = Monitor(0)

    init(lanes: Int, open: @escaping @Sendable () -> Int) {
        self.lanes = lanes
        self.open = open
    }

    var mostOpen: Int { most.read { $0 } }

    func carry(
        _ message: MailMessage, to recipients: [MailAddress], watch: SMTPWatch
    ) throws(SMTPError) -> SMTPReceipt {
        ready.update { $0 += 1 }
        do {
            try watch.beforeEnd?()
        } catch {
            throw .transfer(.invalidRequest("\(error)"))
        }
        _ = ready.wait { $0 >= lanes ? () : nil as Void? }
        let count = open()
        most.update { $0 = max($0, count) }
        return SMTPReceipt(reply: SMTPReply(code: 250, words: "2.0.0 Taken"))
    }
}
