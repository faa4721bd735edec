import Access
import Delivery
import Glibc
import Jobs
import SQL
import Storage
import Synchronization
import TestSupport
import Transfer
import Work

/// A desk with an outbox, a clock to turn, and somebody who carries the letters.
struct Post {
    let store: Store
    let queue: JobQueue
    let outbox: Outbox
    let clock: HandClock
    let carrier: Recorder

    static let areas = [Gate.migrations, JobQueue.migrations, Outbox.migrations]

    static func with<R>(_ kind: Database.Kind = .sqlite, _ body: (Post) throws -> R) throws -> R {
        let clock = HandClock()
        return try withStore(kind, areas: areas, clock: clock.clock) { store in
            let queue = JobQueue(store)
            return try body(
                Post(
                    store: store, queue: queue, outbox: Outbox(Gate(store), queue), clock: clock,
                    carrier: Recorder()))
        }
    }

    var ledger: Ledger { outbox.ledger }

    /// A mailing with one letter for each address.
    @discardableResult
    func mailing(
        _ addresses: [String], pace: Pace = Pace(), subject: String = "batch/1", released: Bool = true
    ) throws -> Mailing {
        let mailing = try outbox.open(
            .init(
                title: "Spring trip", subject: subject, sender: mailbox("office@school.example"), pace: pace),
            by: .local)
        try outbox.post(addresses.map { try draft($0) }, to: mailing.id, by: .local)
        if released { try outbox.release(mailing.id, by: .local) }
        return mailing
    }

    func draft(_ address: String, subject: String? = nil) throws -> OutboxMessage.Draft {
        .init(
            subject: subject ?? "packet/\(address)", recipientName: String(address.prefix { $0 != "@" }),
            addresses: .init(to: [try mailbox(address)]), title: "Your form", text: "Dear \(address)")
    }

    func mailbox(_ address: String) throws -> MailAddress {
        guard let mailbox = MailAddress(address) else { throw PeerError(why: "\(address) is no address") }
        return mailbox
    }

    /// Lets the mail go as far as it goes by now.
    func work() {
        let runner = JobRunner(queue, threads: 2)
        Courier(outbox) { _ in carrier }.handle(in: runner)
        runner.runUntilIdle()
        runner.stop()
    }

    /// The same over a real connection; a server that says nothing is not waited for long.
    func work(with port: Int) {
        let runner = JobRunner(queue, threads: 1)
        var account = SMTPAccount(host: "127.0.0.1", port: port, security: .none)
        account.idleTimeout = .seconds(3)
        Courier(outbox, lanes: 1) { [account] _ in try SMTPCarrier(account) }.handle(in: runner)
        runner.runUntilIdle()
        runner.stop()
    }

    func states(of mailing: Mailing) throws -> [OutboxMessage.State: Int] {
        try outbox.counts(of: mailing.id, by: .local)
    }

    func message(to address: String) throws -> OutboxMessage {
        let all = try outbox.list(limit: 500, by: .local).messages
        guard let found = all.first(where: { $0.addresses.all.contains { $0.address == address } }) else {
            throw PeerError(why: "nothing for \(address)")
        }
        return found
    }
}

/// Carries letters nowhere and remembers them; what it answers can be chosen for each address.
final class Recorder: Carrier, Sendable {
    private let answers = Mutex<[String: [SMTPError]]>([:])
    private let carried = Mutex<[(id: String, to: [String])]>([])

    /// The first tries for an address fail like this.
    func fail(_ address: String, _ errors: SMTPError...) { answers.withLock { $0[address] = errors } }

    /// However often it is tried, until `fail` says otherwise.
    func failAlways(_ address: String, _ error: SMTPError) {
        answers.withLock { $0[address] = Array(repeating: error, count: 1_000) }
    }

    var addresses: [String] { carried.withLock { $0.flatMap(\.to) }.sorted() }
    var messageIDs: [String] { carried.withLock { $0.map(\.id) } }

    func carry(
        _ message: MailMessage, to recipients: [MailAddress], watch: SMTPWatch
    ) throws(SMTPError) -> SMTPReceipt {
        let first = recipients.first?.address ?? ""
        let error = answers.withLock { answers -> SMTPError? in
            guard let error = answers[first]?.first else { return nil }
            answers[first]?.removeFirst()
            return error
        }
        if let error, error.isBeforeEnd { throw error }
        do {
            let bytes = try message.bytes()
            bytes.withUnsafeBytes { watch.onBytes?($0) }
            try watch.beforeEnd?()
        } catch {
            throw .transfer(.invalidRequest("\(error)"))
        }
        if let error { throw error }
        carried.withLock { $0.append((message.id.text, recipients.map(\.address))) }
        return SMTPReceipt(reply: SMTPReply(code: 250, words: "2.0.0 Taken"))
    }
}

extension SMTPError {
    fileprivate var isBeforeEnd: Bool {
        switch self {
        case .uncertain: false
        case .temporary(_, .message), .permanent(_, .message): false
        default: true
        }
    }

    static func busy(_ stage: SMTPStage = .message) -> SMTPError {
        .temporary(SMTPReply(code: 451, words: "4.7.1 Come back later"), stage)
    }

    static func never(_ stage: SMTPStage = .message) -> SMTPError {
        .permanent(SMTPReply(code: 550, words: "5.1.1 No such mailbox"), stage)
    }
}
