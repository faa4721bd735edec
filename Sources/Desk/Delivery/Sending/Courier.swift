import Access
import Bytes
import Crypto
public import Jobs
import SQL
import Storage
import Synchronization
import Transfer
import Work

/// Empties the outbox: takes letter after letter, hands it to the mail server and writes down what it said.
///
/// A letter goes through three steps that are written down. It is taken (`sending`); just before its last line leaves, that
/// is told (`ending`), together with who is next; then comes what the server said. Whoever dies while it is `sending` has
/// sent nothing, for no server takes a message without its last line: it is sent again. Whoever dies while it is `ending`
/// leaves it `uncertain`, and only a person sends it again.
///
/// Only the second step is waited for, as nothing may leave before it is safe on the disk. What the server said is brought
/// to the writer at once, and the next letter sets off meanwhile. How many letters may be `ending` at once is limited.
///
/// The trouble of one connection is its own. A server that drops one, or closes it with a 421, is called again with the next
/// letter, and the others hear nothing of it; only when no connection is left is the server given a rest.
public struct Courier: Sendable {
    let outbox: Outbox
    /// How many connections a mailing without a pace may use.
    let lanes: @Sendable () -> Int
    let carrier: @Sendable (Mailing) throws -> any Carrier

    public init(
        _ outbox: Outbox, lanes: @escaping @Sendable () -> Int,
        carrier: @escaping @Sendable (Mailing) throws -> any Carrier
    ) {
        self.outbox = outbox
        self.lanes = lanes
        self.carrier = carrier
    }

    /// Three are what the servers of large providers allow at once.
    public init(
        _ outbox: Outbox, lanes: Int = 3, carrier: @escaping @Sendable (Mailing) throws -> any Carrier
    ) {
        self.init(outbox, lanes: { lanes }, carrier: carrier)
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.delivery) { run in try deliver(run) }
        runner.whenClockGoesBack { try returnFromFuture() }
    }

    /// Letters that were put off while the clock was ahead wait as long from now, and no longer.
    private func returnFromFuture() throws {
        let now = store.clock.now()
        let ahead: Query = "state = 'waiting' AND due_at > \(now) AND changed_at > \(now)"
        let isSome = try store.read { desk in
            try desk.row("SELECT 1 AS one FROM outbox_message WHERE \(ahead) LIMIT 1") != nil
        }
        guard isSome else { return }
        try store.write { tx in
            try tx.run(
                """
                UPDATE outbox_message SET changed_at = \(now),
                    due_at = CASE WHEN due_at > changed_at THEN \(now) + due_at - changed_at ELSE \(now) END
                WHERE \(ahead)
                """)
        }
    }

    private var store: Store { outbox.store }

    func deliver(_ run: JobRun) throws {
        guard let id = run.payload["mailing"]?.string.flatMap(ID<Mailing>.init) else {
            throw Failure(.invalid, "This job names no mailing.")
        }
        let mailing = try store.read { desk in try Outbox.mailing(id, in: desk) }
        try takeUp(mailing)
        guard mailing.state == .running, mailing.isPrepared else { return }
        let counts = try outbox.counts(of: id)
        let total = counts.values.reduce(0, +)
        run.progress.set(done: Int64(total - (counts[.waiting] ?? 0)), total: Int64(total))
        let troubles = Monitor(Troubles())
        let count = mailing.pace.perMinute == nil ? min(max(1, lanes()), max(1, counts[.waiting] ?? 0)) : 1
        let workers = Workers(name: "mail", threads: count)
        let writer = SharedWriter(store)
        defer {
            workers.stop()
            writer.stop()
        }
        let tour = Tour(mailing: mailing, run: run, writer: writer, answers: OpenAnswers(of: total))
        _ = try workers.map(Array(0..<count)) { _ in try lane(tour, troubles) }
        let met = troubles.read { $0 }
        if let why = met.account {
            // Trying again would only fail for everybody: somebody has to look.
            try store.write { tx in
                try tx.run(
                    "UPDATE mailing SET state = 'paused', reason = \(why) WHERE id = \(id) AND state = 'running'"
                )
                try outbox.tell(id, in: tx)
                if !mailing.isToMember {
                    try outbox.access.notices.tell(
                        .sendingStopped, "mailing/\(id)", about: mailing.subject, why, in: tx)
                }
            }
            throw Failure(.invalid, why)
        }
        guard let next = try outbox.nextTurn(of: id) else {
            return try store.write { tx in try outbox.tell(id, in: tx) }
        }
        guard let why = met.server else { throw Postponed(until: next) }
        run.progress.phase(why)
        try store.write { tx in
            try tx.run("UPDATE mailing SET reason = \(why) WHERE id = \(id) AND state = 'running'")
            try outbox.tell(id, in: tx)
        }
        throw Postponed(until: max(next, store.clock.now() + Self.rest))
    }

    /// How long to leave a server alone that does not answer.
    private static let rest = Duration.seconds(30)
    /// How many letters in a row a server may turn away by closing the connection before it is left alone.
    private static let patience = 3

    private enum Trouble {
        /// The account is wrong: nothing can be sent.
        case account(String)
        /// The server cannot be reached, or does not speak.
        case server(String)
        /// It closed this connection; another may fare better.
        case connection(String)
    }

    /// What ended lanes before the letters did.
    private struct Troubles: Sendable {
        var account: String?
        var server: String?

        mutating func meet(_ trouble: Trouble?, endsLane: Bool) {
            switch trouble {
            case .account(let why)?: account = account ?? why
            case .server(let why)?, .connection(let why)?: if endsLane { server = why }
            case nil: break
            }
        }
    }

    /// What all letters of one job have in common.
    private struct Tour {
        let mailing: Mailing
        let run: JobRun
        let writer: SharedWriter
        let answers: OpenAnswers
    }

    /// One connection, made anew when it is closed, and letters through it until there are none, or something is wrong.
    private func lane(_ tour: Tour, _ troubles: Monitor<Troubles>) throws {
        let (mailing, run, writer) = (tour.mailing, tour.run, tour.writer)
        let carrier: any Carrier
        do {
            carrier = try self.carrier(mailing)
        } catch let failure as Failure {
            troubles.update { $0.account = failure.message }
            return
        }
        try run.progress.check()
        guard troubles.read({ $0.account == nil }) else { return }
        var next = try writer.write { tx in try take(from: mailing, in: tx) }
        var told: SharedWriter.Errand<Void>?
        var fruitless = 0
        while let claim = next {
            let goesOn =
                try fruitless < Self.patience && troubles.read { $0.account == nil }
                && !run.progress.cancellation.isCancelled && mayGo(mailing)
            guard goesOn else {
                try writer.write { tx in try putBack(claim, mailing, in: tx) }
                break
            }
            let (verdict, following, answer) = try carried(claim, tour, carrier, after: told)
            fruitless = verdict.fruitless(after: fruitless, atMost: Self.patience)
            troubles.update { $0.meet(verdict.trouble, endsLane: fruitless >= Self.patience) }
            try told?.wait()
            told = writer.begin { tx in
                try settle(claim, mailing, verdict, in: tx)
            } after: {
                answer?.close()
            }
            run.progress.advance()
            guard fruitless < Self.patience || following != nil else { break }
            next = try following ?? writer.write { tx in try take(from: mailing, in: tx) }
        }
        try told?.wait()
        try run.progress.check()
    }

    /// Carries a letter. Gives what came of it, and when it came to its end the letter after it and its turn, which lasts
    /// until the answer is written down.
    private func carried(
        _ claim: Claim, _ tour: Tour, _ carrier: any Carrier, after told: SharedWriter.Errand<Void>?
    ) throws -> (Verdict, next: Claim??, OpenAnswers.Answer?) {
        let mailing = tour.mailing
        let witness = Witness()
        let next = Mutex<Claim??>(nil)
        let answer = Mutex<OpenAnswers.Answer?>(nil)
        let watch = SMTPWatch(
            onBytes: { witness.hear($0) },
            beforeEnd: {
                try witness.note {
                    let turn = tour.answers.open()
                    let following = try tour.writer.write { tx -> Claim? in
                        try told?.check()
                        try markEnding(claim, tour.run, in: tx)
                        return try take(from: mailing, in: tx)
                    }
                    next.withLock { $0 = .some(following) }
                    answer.withLock { $0 = turn }
                }
            })
        var verdict: Verdict
        do throws(SMTPError) {
            let mail = try outbox.mail(claim.message, mailing)
            let receipt = try carrier.carry(mail, to: claim.message.addresses.all, watch: watch)
            verdict = Verdict(receipt)
        } catch {
            verdict = Verdict(error, tries: claim.message.tries + 1, at: store.clock.now())
        }
        // It was held back by ourselves: the server has no part in it.
        if let error = witness.failure { throw error }
        if verdict.state == .accepted || verdict.state == .uncertain { verdict.sentDigest = witness.digest }
        return (verdict, next.withLock { $0 }, answer.withLock { $0 })
    }
}

/// What is noticed while one message goes out.
private final class Witness: Sendable {
    private let stream = Mutex(SHA256Stream())
    private let trouble = Mutex<(any Error)?>(nil)

    func hear(_ bytes: UnsafeRawBufferPointer) { stream.withLock { $0.update(bytes) } }

    func note(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            trouble.withLock { $0 = error }
            throw error
        }
    }

    var failure: (any Error)? { trouble.withLock { $0 } }
    var digest: String { stream.withLock { Hex.encode($0.finish()) } }
}

// What is written down on the way.
extension Courier {
    /// A letter in somebody's hands; the token tells them from others who had it before.
    private struct Claim: Sendable {
        var message: OutboxMessage
        var worker: String
    }

    /// Letters that somebody had in hands who is gone. Only one job looks after a mailing at a time, so whatever is in
    /// somebody's hands when it begins was left behind.
    private func takeUp(_ mailing: Mailing) throws {
        try store.write { tx in
            let left = try tx.rows(
                "SELECT * FROM outbox_message WHERE mailing = \(mailing.id) AND state = 'ending'"
            ).map(OutboxMessage.init)
            try tx.run(
                """
                UPDATE outbox_message SET state = 'uncertain', worker = NULL, changed_at = \(tx.now),
                    reason = \(Self.unheard)
                WHERE mailing = \(mailing.id) AND state = 'ending'
                """)
            try tx.run(
                """
                UPDATE outbox_message SET state = 'waiting', worker = NULL, changed_at = \(tx.now)
                WHERE mailing = \(mailing.id) AND state = 'sending'
                """)
            // The server gets another chance; what it said at the last one is over.
            try tx.run(
                """
                UPDATE mailing SET reason = NULL
                WHERE id = \(mailing.id) AND state = 'running' AND reason IS NOT NULL
                """)
            for message in left { try note(message.id, .uncertain, Self.unheard, in: tx) }
            try outbox.write(
                left.map { $0.note(.uncertain, mailing, by: Self.name, Self.unheard) }, of: mailing, in: tx)
            try stopWaiting(mailing, in: tx)
        }
    }

    /// A letter that came back into the line of a mailing that was cancelled meanwhile stays here for good.
    private func stopWaiting(_ mailing: Mailing, in tx: borrowing Transaction) throws {
        let now = try Outbox.mailing(mailing.id, in: tx)
        if now.state == .cancelled { try outbox.stopWaiting(now, by: Self.name, in: tx) }
    }

    private static let name = "quire/delivery"
    private static let unheard =
        "Quire ended before the mail server answered. It may have arrived; it is not sent again by itself."

    /// A letter that is to wait longer has a clock behind it that was put back since.
    static let longestWait = Duration.seconds(24 * 3600)

    /// Whether the mailing is held, or its hours are over, since its next letter was taken.
    private func mayGo(_ mailing: Mailing) throws -> Bool {
        try store.read { desk in
            try mailing.pace.opening(at: store.clock.now()) <= store.clock.now()
                && isRunning(mailing, in: desk)
        }
    }

    private func isRunning(_ mailing: Mailing, in desk: borrowing some Readable & ~Copyable) throws -> Bool {
        try desk.row("SELECT id FROM mailing WHERE id = \(mailing.id) AND state = 'running'") != nil
    }

    /// The next letter that may go now.
    private func take(from mailing: Mailing, in tx: borrowing Transaction) throws -> Claim? {
        guard mailing.pace.opening(at: tx.now) <= tx.now, try isRunning(mailing, in: tx) else { return nil }
        if mailing.pace.perMinute != nil {
            let isTurn = try tx.run(
                """
                UPDATE mailing SET next_at = \(tx.now + mailing.pace.interval)
                WHERE id = \(mailing.id) AND (next_at <= \(tx.now) OR next_at > \(tx.now + mailing.pace.interval))
                """)
            guard isTurn == 1 else { return nil }
        }
        while let claim = try first(of: mailing, in: tx) {
            if let wanted = try stillWanted(claim, mailing, in: tx) { return wanted }
        }
        return nil
    }

    private func first(of mailing: Mailing, in tx: borrowing Transaction) throws -> Claim? {
        let worker = tx.newID(of: OutboxMessage.self).text
        let row = try tx.rows(
            """
            UPDATE outbox_message SET state = 'sending', worker = \(worker), changed_at = \(tx.now)
            WHERE state = 'waiting' AND id = (
                SELECT id FROM outbox_message
                WHERE mailing = \(mailing.id) AND state = 'waiting'
                    AND (due_at <= \(tx.now) OR due_at > \(tx.now + Self.longestWait))
                ORDER BY due_at, place LIMIT 1)
            RETURNING *
            """
        ).first
        return try row.map { Claim(message: try OutboxMessage($0), worker: worker) }
    }

    /// The letter as it may go now: an address may have come to get nothing any more while it waited. Nil when the whole
    /// letter stays here.
    private func stillWanted(
        _ claim: Claim, _ mailing: Mailing, in tx: borrowing Transaction
    ) throws -> Claim? {
        let message = claim.message
        let unwanted = try outbox.suppressions.find(message.addresses, in: tx)
        guard let reason = unwanted.words(for: message.addresses) else { return claim }
        guard unwanted.holdsBack(message.addresses) else {
            let rest = message.addresses.without(unwanted)
            let row = try tx.rows(
                "UPDATE outbox_message SET addresses = \(rest.json.text) WHERE id = \(message.id) RETURNING *"
            ).first
            return try row.map { Claim(message: try OutboxMessage($0), worker: claim.worker) }
        }
        try tx.run(
            """
            UPDATE outbox_message SET state = 'suppressed', worker = NULL, reason = \(reason), changed_at = \(tx.now)
            WHERE id = \(message.id)
            """)
        try note(message.id, .suppressed, reason, in: tx)
        try outbox.write([message.note(.suppressed, mailing, by: Self.name, reason)], of: mailing, in: tx)
        return nil
    }

    /// A letter that was taken and has not set off.
    private func putBack(_ claim: Claim, _ mailing: Mailing, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            UPDATE outbox_message SET state = 'waiting', worker = NULL, changed_at = \(tx.now)
            WHERE id = \(claim.message.id) AND worker = \(claim.worker) AND state = 'sending'
            """)
        try stopWaiting(mailing, in: tx)
    }

    /// The last moment at which this letter can be held back. Throws when it is no longer ours, or the whole job is not.
    private func markEnding(_ claim: Claim, _ run: JobRun, in tx: borrowing Transaction) throws {
        let ours = try tx.run(
            """
            UPDATE outbox_message SET state = 'ending'
            WHERE id = \(claim.message.id) AND worker = \(claim.worker) AND state = 'sending'
            """)
        guard ours == 1 else {
            throw Cancelled(reason: "The letter has been taken over by another process.")
        }
        // Work that gets a letter as far as this is not what ends its process.
        try run.save(checkpoint: .string(claim.worker), in: tx)
    }

    private func settle(
        _ claim: Claim, _ mailing: Mailing, _ verdict: Verdict, in tx: borrowing Transaction
    ) throws {
        let id = claim.message.id
        // We heard the answer ourselves: that counts, even if somebody gave us up in between.
        let changed = try tx.run(
            """
            UPDATE outbox_message SET state = \(verdict.state.rawValue), worker = NULL,
                due_at = \(verdict.dueAt ?? tx.now), tries = tries + \(verdict.countsAsTry ? 1 : 0),
                reason = \(verdict.reason), changed_at = \(tx.now)
            WHERE id = \(id) AND (worker = \(claim.worker)\(verdict.isKnown ? " OR state = 'uncertain'" as Query : ""))
            """)
        guard changed == 1 else { return }
        try tx.run(
            """
            INSERT INTO outbox_attempt (id, message, at, outcome, code, words, refused, eml_digest)
            VALUES (\(tx.newID(of: DeliveryAttempt.self)), \(id), \(tx.now), \(verdict.state.rawValue),
                \(verdict.code), \(verdict.words), \(verdict.refused), \(verdict.sentDigest))
            """)
        if verdict.state == .waiting { try stopWaiting(mailing, in: tx) }
        guard let event = verdict.event else { return }
        try outbox.write(
            [claim.message.note(event, mailing, by: Self.name, verdict.words)], of: mailing, in: tx)
    }

    private func note(
        _ id: ID<OutboxMessage>, _ state: OutboxMessage.State, _ words: String, in tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            INSERT INTO outbox_attempt (id, message, at, outcome, words)
            VALUES (\(tx.newID(of: DeliveryAttempt.self)), \(id), \(tx.now), \(state.rawValue), \(words))
            """)
    }

    /// What became of one try.
    private struct Verdict {
        var state: OutboxMessage.State
        var reason: String?
        var words: String
        var code: Int?
        var refused: String?
        var dueAt: Moment?
        var trouble: Trouble?
        var countsAsTry = true
        var sentDigest: String?

        /// Waits between tries, as mail servers themselves do it; then it is given up.
        private static let waits: [Duration] = [
            .seconds(60), .seconds(300), .seconds(900), .seconds(3600), .seconds(4 * 3600),
            .seconds(12 * 3600),
            .seconds(24 * 3600),
        ]

        init(_ receipt: SMTPReceipt) {
            state = .accepted
            words = receipt.reply.description
            code = receipt.reply.code
            if !receipt.refused.isEmpty {
                let names = receipt.refused.map { "\($0.recipient.address): \($0.reply)" }.joined(
                    separator: "; ")
                refused = names
                reason = "Not taken for \(names)."
            }
        }

        init(_ error: SMTPError, tries: Int, at now: Moment) {
            words = error.description
            state = .waiting
            reason = words
            switch error {
            case .temporary(let reply, let stage):
                code = reply.code
                again(tries, now)
                switch stage {
                case .greeting, .encryption, .signIn:
                    // No letter was spoken of yet: none is to blame, and none is given up for it.
                    countsAsTry = false
                    dueAt = nil
                    trouble = .connection(words)
                case .sender: trouble = .connection(words)
                case .recipient, .message:
                    if reply.isFarewell { trouble = .connection(words) }
                }
            case .permanent(let reply, let stage):
                code = reply.code
                switch stage {
                case .recipient, .message: state = .refused
                case .greeting, .encryption, .signIn, .sender:
                    countsAsTry = false
                    trouble = .account(words)
                }
            case .signInRefused, .signInNotOffered, .encryptionNotOffered:
                countsAsTry = false
                trouble = .account(words)
            case .uncertain: state = .uncertain
            case .transfer(.local), .transfer(.invalidRequest): state = .refused
            case .transfer(.cancelled): countsAsTry = false
            case .transfer(.unreachable), .transfer(.timedOut), .transfer(.nameNotFound):
                countsAsTry = false
                trouble = .server(words)
            case .transfer(.broken):
                // Perhaps this very letter makes the server hang up: the others go first.
                again(tries, now)
                trouble = .connection(words)
            case .transfer:
                countsAsTry = false
                trouble = .account(words)
            }
        }

        /// How many letters in a row had no luck with the server, now that it has dealt with this one.
        func fruitless(after before: Int, atMost patience: Int) -> Int {
            switch trouble {
            case nil, .account?: 0
            case .connection?: before + 1
            case .server?: patience
            }
        }

        private mutating func again(_ tries: Int, _ now: Moment) {
            guard tries <= Self.waits.count else {
                state = .refused
                reason = "Given up after \(tries) tries. The last answer was: \(words)"
                return
            }
            dueAt = now + Self.waits[tries - 1]
        }

        var isKnown: Bool { state != .uncertain }

        var event: LedgerEvent? {
            switch state {
            case .accepted: .accepted
            case .refused: .refused
            case .uncertain: .uncertain
            default: nil
            }
        }
    }
}
