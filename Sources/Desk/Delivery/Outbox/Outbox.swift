public import Access
import Bytes
public import Jobs
import SQL
public import Storage
import Transfer
public import Work

extension JobKind {
    public static let delivery = JobKind("delivery", title: "Send letters", maximumAttempts: 1_000_000)
    public static let letters = JobKind("letters", title: "Write letters", maximumAttempts: 5)
}

/// Letters on their way out. What is to be sent is written down in the transaction of the act that causes it; a job
/// then hands it to the mail server, once.
///
///     let mailing = try outbox.open(draft, by: caller)
///     try outbox.post(letters, to: mailing, by: caller)      // again after a crash: nothing is posted twice
///     try outbox.release(mailing.id, by: caller)             // now they go
public struct Outbox: Sendable {
    let access: Gate
    let queue: JobQueue
    public let ledger: Ledger
    public let suppressions: Suppressions
    /// What happened here, after it was saved; on the thread that did it. How many letters are where, the progress of the
    /// job tells.
    public let changes = Broadcast<MailingChange>()
    /// What letters wear; nil where nobody has chosen anything.
    let head: @Sendable () -> MailHead?
    var store: Store { access.store }

    public init(_ access: Gate, _ queue: JobQueue, head: @escaping @Sendable () -> MailHead? = { nil }) {
        self.access = access
        self.queue = queue
        self.head = head
        ledger = Ledger(access.store)
        suppressions = Suppressions(store: access.store)
    }

    /// Begins a mailing; nothing is sent before `release`.
    public func open(_ draft: Mailing.Draft, by caller: Caller) throws -> Mailing {
        try caller.require(.edit)
        return try store.write { tx in try open(draft, by: caller, in: tx) }
    }

    func open(
        _ draft: Mailing.Draft, state: Mailing.State = .paused, isPrepared: Bool = true, by caller: Caller,
        in tx: borrowing Transaction
    ) throws -> Mailing {
        let pace = try draft.pace.checked()
        let title = draft.title.onOneLine
        guard !title.isEmpty else { throw Failure(.invalid, "A mailing needs a title.", field: "title") }
        let id: ID<Mailing> = tx.newID()
        try tx.run(
            """
            INSERT INTO mailing (id, title, subject, state, sender, sender_name, reply_to, per_minute, opens,
                closes, zone, next_at, kind, prepared, letter, made_at, made_by, made_by_name)
            VALUES (\(id), \(String(title.prefix(200))), \(draft.subject), \(state.rawValue),
                \(draft.sender.address), \(draft.sender.name ?? ""), \(draft.replyTo?.description),
                \(pace.perMinute), \(pace.opens), \(pace.closes), \(pace.zone), \(tx.now), \(draft.kind.rawValue),
                \(isPrepared), \(draft.order?.json.text ?? ""), \(tx.now), \(caller.actor), \(caller.name))
            """)
        tx.record(
            JournalEntry(
                actor: caller.actor, verb: "mailing.made", subject: "mailing/\(id)",
                detail: ["kind": .string(draft.kind.rawValue), "of": .string(draft.subject)]))
        try tell(id, in: tx)
        return try Self.mailing(id, in: tx)
    }

    /// Puts letters into a mailing. One about a thing that the mailing has a letter about already is left out, so that
    /// the same call can be made again; and so is one about a thing that another mailing has a letter about which has
    /// gone out, or still will: nobody gets the same packet twice. Gives the number put in.
    @discardableResult
    public func post(_ drafts: [OutboxMessage.Draft], to id: ID<Mailing>, by caller: Caller) throws -> Int {
        try caller.require(.edit)
        return try store.write { tx in try post(drafts, to: id, by: caller.actor, in: tx) }
    }

    @discardableResult
    func post(
        _ drafts: [OutboxMessage.Draft], to id: ID<Mailing>, by actor: String, in tx: borrowing Transaction
    ) throws -> Int {
        for draft in drafts {
            guard !draft.addresses.all.isEmpty else {
                throw Failure(
                    .invalid,
                    "There is no address for \(draft.recipientName). Enter one, or leave this one out.",
                    field: "to")
            }
        }
        let mailing = try Self.mailing(id, in: tx)
        guard mailing.state != .cancelled else {
            throw Failure(.conflict, "This mailing was cancelled. Begin a new one.")
        }
        var place =
            try tx.row("SELECT count(*) AS n FROM outbox_message WHERE mailing = \(id)")?.int("n") ?? 0
        var notes: [LedgerNote] = []
        let head = head()
        for var draft in drafts {
            head?.put(on: &draft)
            guard let note = try post(draft, mailing, place, by: actor, in: tx) else { continue }
            notes.append(note)
            place += 1
        }
        try write(notes, of: mailing, in: tx)
        return notes.count
    }

    /// What happens to test letters happened to nobody's packet.
    func write(_ notes: [LedgerNote], of mailing: Mailing, in tx: borrowing Transaction) throws {
        guard mailing.kind != .test else { return }
        try ledger.write(notes, in: tx)
    }

    private func post(
        _ draft: OutboxMessage.Draft, _ mailing: Mailing, _ place: Int, by actor: String,
        in tx: borrowing Transaction
    ) throws -> LedgerNote? {
        let id: ID<OutboxMessage> = tx.newID()
        let subject = draft.subject.isEmpty ? "message/\(id)" : draft.subject
        let unwanted = try suppressions.find(draft.addresses, in: tx)
        let isUnwanted = unwanted.holdsBack(draft.addresses)
        let state: OutboxMessage.State =
            draft.refusal != nil ? .refused : isUnwanted ? .suppressed : .waiting
        let reason = draft.refusal ?? unwanted.words(for: draft.addresses)
        let goesTo = isUnwanted ? draft.addresses : draft.addresses.without(unwanted)
        let addresses = draft.addresses.all
        let host =
            mailing.sender.domain.utf8.allSatisfy { $0 < 0x80 } ? mailing.sender.domain : "quire.invalid"
        let messageID = MessageID(unique: id.text, host: host)?.text ?? "<\(id)@quire.invalid>"
        let shown = goesTo.all.first ?? addresses[0]
        let added = try tx.run(
            """
            INSERT INTO outbox_message (id, mailing, place, subject, recipient_name, message_id, addresses, search,
                title, body, html, state, due_at, reason, posted_at, changed_at)
            VALUES (\(id), \(mailing.id), \(place), \(subject), \(draft.recipientName.onOneLine), \(messageID),
                \(goesTo.json.text),
                \("\(draft.recipientName) \(addresses.map(\.address).joined(separator: " "))".lowercased()),
                \(draft.title.onOneLine), \(draft.text), \(draft.html), \(state.rawValue), \(tx.now), \(reason),
                \(tx.now), \(tx.now))
            ON CONFLICT DO NOTHING
            """)
        guard added == 1 else { return nil }
        for (number, file) in draft.attachments.enumerated() {
            try tx.keep(file.digest)
            try tx.run(
                """
                INSERT INTO outbox_attachment (message, place, file_name, media_type, digest)
                VALUES (\(id), \(number), \(file.fileName), \(file.mediaType), \(file.digest))
                """)
        }
        return LedgerNote(
            state == .refused ? .refused : isUnwanted ? .suppressed : .posted, subject: subject,
            run: mailing.run,
            recipient: draft.recipientName.onOneLine, address: shown.address, actor: actor,
            detail: reason ?? "")
    }

    /// Lets a mailing go, or go on.
    public func release(_ id: ID<Mailing>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let mailing = try Self.mailing(id, in: tx)
            guard mailing.state != .cancelled else {
                throw Failure(.conflict, "This mailing was cancelled. Begin a new one.")
            }
            try tx.run("UPDATE mailing SET state = 'running', reason = NULL WHERE id = \(id)")
            if mailing.state == .paused {
                tx.record(
                    JournalEntry(actor: caller.actor, verb: "mailing.released", subject: "mailing/\(id)"))
            }
            try promise(mailing, in: tx)
            try tell(id, in: tx)
        }
    }

    /// Holds a mailing; what is in the server's hands at this moment still ends there.
    public func pause(_ id: ID<Mailing>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let mailing = try Self.mailing(id, in: tx)
            guard mailing.state == .running else { return }
            try tx.run("UPDATE mailing SET state = 'paused' WHERE id = \(id)")
            tx.record(JournalEntry(actor: caller.actor, verb: "mailing.paused", subject: "mailing/\(id)"))
            try tell(id, in: tx)
        }
    }

    /// Ends a mailing: what has not gone out stays here for good.
    public func cancel(_ id: ID<Mailing>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let mailing = try Self.mailing(id, in: tx)
            guard mailing.state != .cancelled else { return }
            try tx.run("UPDATE mailing SET state = 'cancelled' WHERE id = \(id)")
            tx.record(JournalEntry(actor: caller.actor, verb: "mailing.cancelled", subject: "mailing/\(id)"))
            try tell(id, in: tx)
            try stopWaiting(mailing, by: caller.actor, in: tx)
        }
    }

    /// What has not gone out of a mailing that is cancelled.
    func stopWaiting(_ mailing: Mailing, by actor: String, in tx: borrowing Transaction) throws {
        let waiting = try tx.rows(
            "SELECT * FROM outbox_message WHERE mailing = \(mailing.id) AND state = 'waiting'"
        ).map(OutboxMessage.init)
        try tx.run(
            """
            UPDATE outbox_message SET state = 'cancelled', reason = 'The mailing was cancelled.',
                changed_at = \(tx.now) WHERE mailing = \(mailing.id) AND state = 'waiting'
            """)
        try write(waiting.map { $0.note(.cancelled, mailing, by: actor) }, of: mailing, in: tx)
    }

    /// Stops one letter that has not gone out yet.
    public func cancel(_ id: ID<OutboxMessage>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let message = try Self.message(id, in: tx)
            let stopped = try tx.run(
                """
                UPDATE outbox_message SET state = 'cancelled', reason = 'It was stopped.', changed_at = \(tx.now)
                WHERE id = \(id) AND state = 'waiting'
                """)
            guard stopped == 1 else {
                throw Failure(
                    .conflict, "This letter is \(message.state.words); it can no longer be stopped.")
            }
            let mailing = try Self.mailing(message.mailing, in: tx)
            try write([message.note(.cancelled, mailing, by: caller.actor)], of: mailing, in: tx)
        }
    }

    /// Sends a letter again that did not arrive, by somebody's decision: one of an uncertain fate never goes out
    /// twice by itself. With an address it goes there instead, for the one it had was wrong.
    public func retry(_ id: ID<OutboxMessage>, to address: String? = nil, by caller: Caller) throws {
        try caller.require(.edit)
        let typed = address?.trimmingSpaces ?? ""
        let mailbox = typed.isEmpty ? nil : MailAddress(typed: typed)
        guard typed.isEmpty || mailbox != nil else {
            throw Failure.notAnAddress(typed.onOneLine, field: "to")
        }
        try store.write { tx in
            let message = try Self.readdressed(try Self.message(id, in: tx), to: mailbox, in: tx)
            guard !message.addresses.all.isEmpty else {
                throw Failure(
                    .conflict, "The words of this letter were forgotten. Send its packet anew instead.")
            }
            guard try rival(of: message, in: tx) == nil else {
                throw Failure(
                    .conflict, "Another letter with this packet has gone out since, or is about to.")
            }
            let unwanted = try suppressions.find(message.addresses, in: tx)
            if unwanted.holdsBack(message.addresses) {
                throw Failure(
                    .conflict, "\(unwanted.words(for: message.addresses) ?? "") Allow it again first.")
            }
            try retry(message, by: caller, in: tx)
        }
    }

    /// The letter as it goes to somebody else; what went out already stays as it was.
    private static func readdressed(
        _ message: OutboxMessage, to mailbox: MailAddress?, in tx: borrowing Transaction
    ) throws -> OutboxMessage {
        guard let mailbox, !message.addresses.all.isEmpty, message.state.isFinished,
            message.state != .accepted
        else { return message }
        var addresses = message.addresses
        addresses.to = [
            mailbox.name == nil
                ? MailAddress(mailbox.address, name: message.recipientName) ?? mailbox : mailbox
        ]
        let search = "\(message.recipientName) \(addresses.all.map(\.address).joined(separator: " "))"
        try tx.run(
            """
            UPDATE outbox_message SET addresses = \(addresses.json.text), search = \(search.lowercased())
            WHERE id = \(message.id)
            """)
        return try Self.message(message.id, in: tx)
    }

    private func retry(_ message: OutboxMessage, by caller: Caller, in tx: borrowing Transaction) throws {
        let again = try tx.run(
            """
            UPDATE outbox_message SET state = 'waiting', due_at = \(tx.now), tries = 0, reason = NULL,
                changed_at = \(tx.now)
            WHERE id = \(message.id) AND state IN ('refused', 'uncertain', 'bounced', 'cancelled', 'suppressed')
            """)
        guard again == 1 else {
            throw Failure(
                .conflict, "This letter is \(message.state.words); there is nothing to send again.")
        }
        let mailing = try Self.mailing(message.mailing, in: tx)
        guard mailing.state != .cancelled else {
            throw Failure(.conflict, "Its mailing was cancelled. Begin a new one.")
        }
        try write([message.note(.posted, mailing, by: caller.actor, "Sent again.")], of: mailing, in: tx)
        try promise(mailing, in: tx)
    }

    /// What `retryFailed` did.
    public struct Retried: Sendable, Equatable {
        public var count = 0
        /// Left as they are: their packet went out in another letter, their address gets nothing more, or their mailing was
        /// cancelled.
        public var left = 0
    }

    /// Sends all letters again that were refused or came back, of one mailing or of all. Those of an uncertain fate may have
    /// arrived, and are decided one by one.
    @discardableResult
    public func retryFailed(_ mailing: ID<Mailing>? = nil, by caller: Caller) throws -> Retried {
        try caller.require(.edit)
        var retried = Retried()
        var last: ID<OutboxMessage>?
        while true {
            let some = try store.write { tx in
                var condition = Query.column("state", in: Part.failed.states.map(\.rawValue))
                if let mailing { condition += " AND mailing = \(mailing)" }
                if let last { condition += " AND id > \(last)" }
                // What was emptied by the rule of keeping cannot be sent any more.
                let letters = try tx.rows(
                    """
                    SELECT * FROM outbox_message WHERE \(condition) AND addresses <> '{}' ORDER BY id LIMIT 200
                    """
                ).map(OutboxMessage.init)
                for letter in letters {
                    if try isWanted(letter, in: tx) {
                        try retry(letter, by: caller, in: tx)
                        retried.count += 1
                    } else {
                        retried.left += 1
                    }
                }
                return letters
            }
            guard let end = some.last?.id, some.count == 200 else { return retried }
            last = end
        }
    }

    private func isWanted(_ letter: OutboxMessage, in tx: borrowing Transaction) throws -> Bool {
        let isCancelled = try Self.mailing(letter.mailing, in: tx).state == .cancelled
        let unwanted = try suppressions.find(letter.addresses, in: tx)
        guard !isCancelled, !unwanted.holdsBack(letter.addresses) else { return false }
        return try rival(of: letter, in: tx) == nil
    }

    /// Another letter about the same thing that has gone out or still may.
    private func rival(of letter: OutboxMessage, in tx: borrowing Transaction) throws -> Row? {
        try tx.row(
            """
            SELECT id FROM outbox_message WHERE subject = \(letter.subject) AND id <> \(letter.id)
                AND state IN ('waiting', 'sending', 'ending', 'accepted', 'uncertain')
            """)
    }

    func tell(_ id: ID<Mailing>, in tx: borrowing Transaction) throws {
        let mailing = try Self.mailing(id, in: tx)
        let change = MailingChange(mailing: id, subject: mailing.subject, state: mailing.state)
        tx.afterCommit { [changes] in changes.send(change) }
    }

    /// Makes sure that a job will look after the mailing.
    @discardableResult
    func promise(_ mailing: Mailing, in tx: borrowing Transaction) throws -> ID<Job> {
        guard mailing.isPrepared else {
            return try queue.add(
                .letters, payload: ["mailing": .string(mailing.id.text)],
                title: "Write the letters of “\(mailing.title)”", in: tx, unique: mailing.id.text)
        }
        return try queue.add(
            .delivery, payload: ["mailing": .string(mailing.id.text)], title: "Send “\(mailing.title)”",
            in: tx,
            unique: mailing.id.text)
    }

    static func mailing(_ id: ID<Mailing>, in desk: borrowing some Readable & ~Copyable) throws -> Mailing {
        guard let row = try desk.row("SELECT * FROM mailing WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such mailing.")
        }
        return try Mailing(row)
    }

    static func message(
        _ id: ID<OutboxMessage>, in desk: borrowing some Readable & ~Copyable
    ) throws -> OutboxMessage {
        guard let row = try desk.row("SELECT * FROM outbox_message WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such letter in the outbox.")
        }
        return try OutboxMessage(row)
    }
}

extension OutboxMessage.State {
    /// As a sentence uses it: "This letter is …".
    var words: String {
        switch self {
        case .waiting: "still to send"
        case .sending, .ending: "being sent"
        case .accepted: "sent"
        case .refused: "refused by the mail server"
        case .uncertain: "sent without an answer from the server"
        case .suppressed: "blocked"
        case .bounced: "bounced"
        case .cancelled: "stopped"
        }
    }
}

extension OutboxMessage {
    func note(_ event: LedgerEvent, _ mailing: Mailing, by actor: String, _ detail: String = "") -> LedgerNote
    {
        LedgerNote(
            event, subject: subject, run: mailing.run, recipient: recipientName,
            address: addresses.all.first?.address ?? "", actor: actor, detail: detail)
    }
}
