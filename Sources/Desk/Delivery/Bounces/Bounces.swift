public import Access
import Bytes
public import Jobs
import SQL
import Storage
public import Transfer
public import Work

extension JobKind {
    public static let bounces = JobKind(
        "read-bounces", title: "Read what mail came back", maximumAttempts: 2, timeLimit: .seconds(900))
}

/// What mail servers sent back: read from the mailbox it arrives in, matched with what was sent, written into the ledger.
public struct Bounces: Sendable {
    let outbox: Outbox
    let mailbox: @Sendable () throws -> IMAPAccount?
    var store: Store { outbox.store }

    /// What one look into the mailbox found.
    public struct Reading: Sendable, Equatable {
        /// Reports looked at.
        public var messages = 0
        /// Letters of which it is now known that they did not arrive.
        public var bounced = 0
        /// Addresses nothing is sent to any more.
        public var suppressed = 0
        /// Letters of an uncertain fate of which it is now known that the server had taken them.
        public var arrived = 0
        /// Reports about mail that did not come from here.
        public var foreign = 0

        public init() {}
    }

    /// `mailbox` gives nil where nobody has said where bounced mail arrives.
    public init(_ outbox: Outbox, mailbox: @escaping @Sendable () throws -> IMAPAccount?) {
        self.outbox = outbox
        self.mailbox = mailbox
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.bounces) { run in
            let reading: Reading
            do {
                reading = try read(progress: run.progress)
                store.troubles.isOver("returned mail")
            } catch let failure as Failure where failure.code == .unavailable {
                store.troubles.happened("returned mail", failure.message, reason: failure.cause ?? "")
                throw failure
            }
            run.answer([
                "messages": .int(reading.messages), "bounced": .int(reading.bounced),
                "suppressed": .int(reading.suppressed), "arrived": .int(reading.arrived),
            ])
        }
    }

    /// A report is of no use beyond this.
    private static let longest = 1 << 20
    private static let mostAtOnce = 500

    /// Only what looks like a report is fetched: all else in the mailbox stays unread, and untouched.
    private static let words =
        "OR HEADER Content-Type delivery-status OR FROM mailer-daemon FROM postmaster"

    /// Looks into the mailbox for reports that came since the last time.
    @discardableResult
    public func read(progress: Progress = Progress()) throws -> Reading {
        guard let account = try mailbox() else { return Reading() }
        do throws(TransferError) {
            let client = try IMAPClient(account)
            var reading = Reading()
            let key = "\(account.userName)@\(account.host):\(account.port)/\(account.folder)"
            let known = try told { try place(key) }
            var found = try client.search(Self.words, after: known.number, progress: progress)
            if found.validity != known.validity, known.number > 0 {
                found = try client.search(Self.words, progress: progress)
            }
            progress.set(done: 0, total: Int64(found.numbers.count))
            for number in found.numbers.prefix(Self.mostAtOnce) {
                let message = try client.fetch(number, atMost: Self.longest, progress: progress)
                try told {
                    try store.write { tx in
                        if let message { try take(message, &reading, in: tx) }
                        try remember(key, found.validity, number, in: tx)
                    }
                }
                progress.advance()
            }
            reading.arrived += try lookForUncertain(in: account, by: client, progress)
            return reading
        } catch {
            if case .cancelled = error { throw Cancelled(reason: "Cancelled.") }
            throw Failure(
                .unavailable, "The mailbox for bounced mail cannot be read: \(error).",
                cause: "\(account.host):\(account.port)")
        }
    }

    /// What happens at the desk in between keeps its own errors.
    func told<R>(_ body: () throws -> R) throws(TransferError) -> R {
        do {
            return try body()
        } catch let error as TransferError {
            throw error
        } catch {
            throw .local(path: store.home.path, why: "\(error)")
        }
    }

    private func place(_ key: String) throws -> (validity: UInt32, number: UInt32) {
        try store.read { desk in
            guard let row = try desk.row("SELECT validity, number FROM mailbox_place WHERE mailbox = \(key)")
            else {
                return (0, 0)
            }
            return (
                UInt32(clamping: try row.integer("validity")), UInt32(clamping: try row.integer("number"))
            )
        }
    }

    private func remember(
        _ key: String, _ validity: UInt32, _ number: UInt32, in tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            INSERT INTO mailbox_place (mailbox, validity, number, read_at)
            VALUES (\(key), \(Int64(validity)), \(Int64(number)), \(tx.now))
            ON CONFLICT (mailbox) DO UPDATE SET validity = excluded.validity, number = excluded.number,
                read_at = excluded.read_at
            """)
    }

    /// Takes in one report, from wherever it comes. Only what was sent from here counts, and only for addresses it was
    /// sent to: anybody may write anything into a mail.
    public func take(_ message: [UInt8], by caller: Caller) throws -> Reading {
        try caller.require(.edit)
        return try store.write { tx in
            var reading = Reading()
            try take(message, &reading, in: tx)
            return reading
        }
    }

    private func take(_ message: [UInt8], _ reading: inout Reading, in tx: borrowing Transaction) throws {
        reading.messages += 1
        guard let report = DeliveryReport(message),
            let row = try tx.row(
                "SELECT * FROM outbox_message WHERE \(Query.column("message_id", in: report.messageIDs)) LIMIT 1"
            )
        else {
            reading.foreign += 1
            return
        }
        let letter = try OutboxMessage(row)
        let mailing = try Outbox.mailing(letter.mailing, in: tx)
        let own = Set(letter.addresses.all.map { $0.address.lowercased() })
        let main = Set(letter.addresses.to.map { $0.address.lowercased() })
        // Whatever it says about them, the server has had the letter.
        if let known = report.recipients.first(where: {
            own.contains($0.address.lowercased())
                && !($0.action == .failed && main.contains($0.address.lowercased()))
        }) {
            let words = "A report about \(known.address) says that the mail server had taken it over."
            if try confirm(letter, mailing, words, in: tx) { reading.arrived += 1 }
        }
        for recipient in report.recipients where recipient.action == .failed {
            let address = recipient.address.lowercased()
            guard own.contains(address) else { continue }
            let said = [recipient.status, recipient.words].filter { !$0.isEmpty }.joined(separator: " ")
            let words = "Mail to \(recipient.address) came back\(said.isEmpty ? "." : ": \(said)")"
            if recipient.isGoneForGood {
                let isNew =
                    try tx.row("SELECT 1 AS one FROM suppressed_address WHERE address = \(address)") == nil
                try outbox.suppressions.add(address, reason: words, in: tx)
                if isNew { reading.suppressed += 1 }
            }
            // A copy that came back is worth a word, but the letter has arrived where it was to go.
            guard main.contains(address) else { continue }
            let changed = try tx.run(
                """
                UPDATE outbox_message SET state = 'bounced', reason = \(words), changed_at = \(tx.now)
                WHERE id = \(letter.id) AND state IN ('accepted', 'uncertain')
                """)
            guard changed == 1 else { continue }
            reading.bounced += 1
            try tx.run(
                """
                INSERT INTO outbox_attempt (id, message, at, outcome, words)
                VALUES (\(tx.newID(of: DeliveryAttempt.self)), \(letter.id), \(tx.now), 'bounced', \(words))
                """)
            try outbox.write(
                [letter.note(.bounced, mailing, by: "quire/bounces", words)], of: mailing, in: tx)
            // That a notice did not arrive is no news for whoever could not be told.
            guard !mailing.isToMember else { continue }
            try outbox.access.notices.tell(.mailBack, mailing.run, about: mailing.subject, in: tx)
        }
    }
}
