import Bytes
import SQL
public import Storage
public import Transfer
public import Work

/// A letter to one person, in the outbox from the moment it was decided on.
public struct OutboxMessage: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        case waiting
        /// In somebody's hands, not yet whole at the server: it may be sent again.
        case sending
        /// Its last line is on the way: from here to the server's answer nobody can know.
        case ending
        case accepted, refused, uncertain, suppressed, bounced, cancelled

        public var isFinished: Bool {
            switch self {
            case .waiting, .sending, .ending: false
            default: true
            }
        }
    }

    public struct Attachment: Sendable, Equatable {
        public var fileName: String
        public var mediaType: String
        public var digest: Digest

        public init(fileName: String, mediaType: String, digest: Digest) {
            self.fileName = fileName
            self.mediaType = mediaType
            self.digest = digest
        }
    }

    public let id: ID<OutboxMessage>
    public let mailing: ID<Mailing>
    public let place: Int
    /// What it is about, as the ledger names it: `packet/018f…`, or `message/` and its own id.
    public let subject: String
    public let recipientName: String
    /// Fixed when it was posted, so that even two copies would be seen as one.
    public let messageID: String
    public let addresses: Addresses
    public let title: String
    public let text: String
    public let html: String?
    public let state: State
    public let dueAt: Moment
    public let tries: Int
    /// Why it is in this state, in words.
    public let reason: String?
    public let postedAt: Moment
    public let changedAt: Moment

    public struct Addresses: Sendable, Equatable {
        public var to: [MailAddress]
        public var copies: [MailAddress]
        public var blindCopies: [MailAddress]

        public init(to: [MailAddress], copies: [MailAddress] = [], blindCopies: [MailAddress] = []) {
            self.to = to
            self.copies = copies
            self.blindCopies = blindCopies
        }

        /// Each mailbox once, however often and in whichever case it is named.
        public var all: [MailAddress] {
            var seen: Set<String> = []
            return (to + copies + blindCopies).filter { seen.insert($0.address.lowercased()).inserted }
        }

        /// Without those that get nothing any more.
        func without(_ unwanted: Unwanted) -> Addresses {
            func rest(_ list: [MailAddress]) -> [MailAddress] {
                list.filter { unwanted.reasons[$0.address.lowercased()] == nil }
            }
            return Addresses(to: rest(to), copies: rest(copies), blindCopies: rest(blindCopies))
        }

        var json: JSON {
            func list(_ mailboxes: [MailAddress]) -> JSON {
                .array(mailboxes.map { [.string($0.address), .optional($0.name)] })
            }
            return ["to": list(to), "cc": list(copies), "bcc": list(blindCopies)]
        }

        init(_ json: JSON) {
            func list(_ key: String) -> [MailAddress] {
                (json[key]?.array ?? []).compactMap { entry in
                    entry[0]?.string.flatMap { MailAddress($0, name: entry[1]?.string) }
                }
            }
            self.init(to: list("to"), copies: list("cc"), blindCopies: list("bcc"))
        }
    }

    init(_ row: Row) throws {
        id = try row.id("id")
        mailing = try row.id("mailing")
        place = try row.int("place")
        subject = try row.text("subject")
        recipientName = try row.text("recipient_name")
        messageID = try row.text("message_id")
        addresses = Addresses((try? JSON(parsing: row.text("addresses"))) ?? [:])
        title = try row.text("title")
        text = try row.text("body")
        html = try row.optionalText("html")
        state = try row.choice("state")
        dueAt = try row.moment("due_at")
        tries = try row.int("tries")
        reason = try row.optionalText("reason")
        postedAt = try row.moment("posted_at")
        changedAt = try row.moment("changed_at")
    }

    /// What is asked to be sent.
    public struct Draft: Sendable, Equatable {
        /// What it is about; empty for a letter of its own. A mailing sends only one letter about one thing.
        public var subject: String
        public var recipientName: String
        public var addresses: Addresses
        public var title: String
        public var text: String
        public var html: String?
        public var attachments: [Attachment]
        /// Why it cannot even be tried; it then stands among those that failed.
        var refusal: String?

        public init(
            subject: String = "", recipientName: String, addresses: Addresses, title: String, text: String,
            html: String? = nil, attachments: [Attachment] = []
        ) {
            self.subject = subject
            self.recipientName = recipientName
            self.addresses = addresses
            self.title = title
            self.text = text
            self.html = html
            self.attachments = attachments
        }
    }
}

/// One try at handing a message to a server, with what the server said.
public struct DeliveryAttempt: Sendable, Equatable {
    public let id: ID<DeliveryAttempt>
    public let at: Moment
    public let outcome: String
    public let code: Int?
    public let words: String
    /// Recipients the server did not want, while it took the message for others.
    public let refused: String?
    /// SHA-256 over exactly the bytes that went out; the same bytes can be made again with `Outbox.copy`.
    public let sentDigest: String?

    init(_ row: Row) throws {
        id = try row.id("id")
        at = try row.moment("at")
        outcome = try row.text("outcome")
        code = try row.optionalInt("code")
        words = try row.text("words")
        refused = try row.optionalText("refused")
        sentDigest = try row.optionalText("eml_digest")
    }
}
