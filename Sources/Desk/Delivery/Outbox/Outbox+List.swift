public import Access
import Bytes
import SQL
public import Storage
import Transfer
import Work

extension Outbox {
    /// Which letters to show.
    public enum Part: Sendable, Hashable, CaseIterable {
        case all, unsent, sent, failed, uncertain

        var states: [OutboxMessage.State] {
            switch self {
            case .all: OutboxMessage.State.allCases
            case .unsent: [.waiting, .sending, .ending, .suppressed, .cancelled]
            case .sent: [.accepted]
            case .failed: [.refused, .bounced]
            case .uncertain: [.uncertain]
            }
        }

        public var word: String { "\(self)" }
        public init?(word: String) {
            guard let part = Self.allCases.first(where: { $0.word == word }) else { return nil }
            self = part
        }
    }

    public struct Filter: Sendable, Equatable {
        public var part: Part
        public var mailing: ID<Mailing>?
        /// Only letters of mailings about this: `batch/018f…`.
        public var subject: String?
        /// One state alone.
        public var state: OutboxMessage.State?
        /// Words that must all occur in the name or an address.
        public var search: String

        public init(
            _ part: Part = .all, mailing: ID<Mailing>? = nil, subject: String? = nil,
            state: OutboxMessage.State? = nil, search: String = ""
        ) {
            self.part = part
            self.mailing = mailing
            self.subject = subject
            self.state = state
            self.search = search
        }
    }

    public struct Page: Sendable, Equatable {
        public var messages: [OutboxMessage]
        /// Give this as `before` for the next page; nil on the last.
        public var next: ID<OutboxMessage>?
    }

    /// The newest first.
    public func list(
        _ filter: Filter = Filter(), before: ID<OutboxMessage>? = nil, limit: Int = 50, by caller: Caller
    ) throws -> Page {
        try caller.require(.view)
        let limit = min(max(1, limit), Ledger.mostPerPage)
        var conditions: [Query] = []
        if let mailing = filter.mailing { conditions.append("mailing = \(mailing)") }
        if let subject = filter.subject {
            conditions.append("mailing IN (SELECT id FROM mailing WHERE subject = \(subject))")
        }
        if let state = filter.state { conditions.append("state = \(state.rawValue)") }
        if filter.part != .all {
            conditions.append(Query.column("state", in: filter.part.states.map(\.rawValue)))
        }
        conditions.append(.words(filter.search, in: "search"))
        if let before { conditions.append("id < \(before)") }
        let condition: Query = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        return try store.read { desk in
            let rows = try desk.rows(
                "SELECT * FROM outbox_message \(condition) ORDER BY id DESC LIMIT \(limit + 1)")
            let messages = try rows.prefix(limit).map(OutboxMessage.init)
            return Page(messages: messages, next: rows.count > limit ? messages.last?.id : nil)
        }
    }

    public func get(_ id: ID<OutboxMessage>, by caller: Caller) throws -> OutboxMessage {
        try caller.require(.view)
        return try store.read { desk in try Self.message(id, in: desk) }
    }

    public func mailing(_ id: ID<Mailing>, by caller: Caller) throws -> Mailing {
        try caller.require(.view)
        return try store.read { desk in try Self.mailing(id, in: desk) }
    }

    /// The newest first.
    public func mailings(of subject: String? = nil, limit: Int = 100, by caller: Caller) throws -> [Mailing] {
        try caller.require(.view)
        let condition: Query = subject.map { "WHERE subject = \($0)" } ?? ""
        return try store.read { desk in
            try desk.rows("SELECT * FROM mailing \(condition) ORDER BY id DESC LIMIT \(limit)").map(
                Mailing.init)
        }
    }

    /// How many letters there are of each part, of one mailing, of those about a thing, or of all.
    public func tally(
        _ mailing: ID<Mailing>? = nil, about subject: String? = nil, by caller: Caller
    ) throws -> [Part: Int] {
        try caller.require(.view)
        var condition: Query = mailing.map { "WHERE mailing = \($0)" } ?? ""
        if let subject { condition = "WHERE mailing IN (SELECT id FROM mailing WHERE subject = \(subject))" }
        let counts = try store.read { desk in
            try desk.rows("SELECT state, count(*) AS n FROM outbox_message \(condition) GROUP BY state")
                .reduce(
                    into: [String: Int]()
                ) { counts, row in counts[try row.text("state")] = try row.int("n") }
        }
        return Dictionary(
            uniqueKeysWithValues: Part.allCases.map { part in
                (part, part.states.reduce(0) { $0 + (counts[$1.rawValue] ?? 0) })
            })
    }

    /// How many letters to oneself there are: nobody's mail, so that whoever counts people takes them off.
    public func testCount(
        _ state: OutboxMessage.State? = nil, about subject: String? = nil, by caller: Caller
    ) throws -> Int {
        try caller.require(.view)
        var condition: Query = "mailing IN (SELECT id FROM mailing WHERE kind = 'test'"
        if let subject { condition += " AND subject = \(subject)" }
        condition += ")"
        if let state { condition += " AND state = \(state.rawValue)" }
        return try store.read { desk in
            try desk.row("SELECT count(*) AS n FROM outbox_message WHERE \(condition)")?.int("n") ?? 0
        }
    }

    public func counts(of id: ID<Mailing>, by caller: Caller) throws -> [OutboxMessage.State: Int] {
        try caller.require(.view)
        return try counts(of: id)
    }

    func counts(of id: ID<Mailing>) throws -> [OutboxMessage.State: Int] {
        try store.read { desk in
            var counts: [OutboxMessage.State: Int] = [:]
            for row in try desk.rows(
                "SELECT state, count(*) AS n FROM outbox_message WHERE mailing = \(id) GROUP BY state")
            {
                if let state = OutboxMessage.State(rawValue: try row.text("state")) {
                    counts[state] = try row.int("n")
                }
            }
            return counts
        }
    }

    public func attempts(of id: ID<OutboxMessage>, by caller: Caller) throws -> [DeliveryAttempt] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT * FROM outbox_attempt WHERE message = \(id) ORDER BY id").map(
                DeliveryAttempt.init)
        }
    }

    public func attachments(of id: ID<OutboxMessage>, by caller: Caller) throws -> [OutboxMessage.Attachment]
    {
        try caller.require(.view)
        let message = try store.read { desk in try Self.message(id, in: desk) }
        return try attachments(of: id).filter { !message.isShown($0) }
    }

    private func attachments(of id: ID<OutboxMessage>) throws -> [OutboxMessage.Attachment] {
        try store.read { desk in
            try desk.rows("SELECT * FROM outbox_attachment WHERE message = \(id) ORDER BY place").map { row in
                OutboxMessage.Attachment(
                    fileName: try row.text("file_name"), mediaType: try row.text("media_type"),
                    digest: try row.digest("digest"))
            }
        }
    }

    /// The message exactly as it goes or went out, for an `.eml` file.
    public func copy(_ id: ID<OutboxMessage>, by caller: Caller) throws -> [UInt8] {
        let message = try get(id, by: caller)
        do {
            return try mail(message, try mailing(message.mailing, by: caller)).bytes()
        } catch let error as TransferError {
            throw Failure(.damaged, "An attachment of this letter cannot be read.", cause: "\(error)")
        }
    }

    /// The same message is the same bytes every time: its name and date were fixed when it was posted.
    func mail(_ message: OutboxMessage, _ mailing: Mailing) throws(SMTPError) -> MailMessage {
        do {
            let name = message.messageID.dropFirst().dropLast().split(separator: "@", maxSplits: 1)
            guard name.count == 2, let id = MessageID(unique: String(name[0]), host: String(name[1])) else {
                throw TransferError.invalidRequest("the message has no usable name")
            }
            var mail = MailMessage(
                id: id, date: message.postedAt, from: mailing.sender, to: message.addresses.to,
                subject: message.title, text: message.text)
            mail.copies = message.addresses.copies
            mail.replyTo = mailing.replyTo
            mail.html = message.html
            mail.isAutomatic = mailing.isToMember
            mail.attachments = try attachments(of: message.id).map {
                var file = MailMessage.Attachment(
                    fileName: $0.fileName, mediaType: $0.mediaType,
                    content: .file(path: try store.blobs.soundPath(of: $0.digest)))
                if message.isShown($0) { file.contentID = MailHead.contentID($0.digest) }
                return file
            }
            return mail
        } catch let error as TransferError {
            throw .transfer(error)
        } catch {
            throw .transfer(.invalidRequest("\(error)"))
        }
    }
}

extension Outbox {
    /// When there will be something to do; nil when all letters are done with.
    func nextTurn(of id: ID<Mailing>) throws -> Moment? {
        try store.read { desk in
            let mailing = try Outbox.mailing(id, in: desk)
            guard mailing.state == .running,
                let row = try desk.row(
                    """
                    SELECT due_at FROM outbox_message WHERE mailing = \(id) AND state = 'waiting'
                    ORDER BY due_at LIMIT 1
                    """),
                let next = try desk.row("SELECT next_at FROM mailing WHERE id = \(id)")
            else { return nil }
            let now = store.clock.now()
            var moment = try max(row.moment("due_at"), now)
            // Where a clock was put back, what was promised for long after is due now.
            if moment > now + Courier.longestWait { moment = now }
            let turn = try next.moment("next_at")
            if mailing.pace.perMinute != nil, turn <= now + mailing.pace.interval {
                moment = max(moment, turn)
            }
            return mailing.pace.opening(at: moment)
        }
    }
}
