/// What really happened to one packet or message. Nothing is ever derived from a hope: `accepted` is what a mail
/// server said, `opened` that a link was opened, and neither says that somebody read it.
public enum LedgerEvent: String, Sendable, CaseIterable {
    case made
    /// Waiting in the outbox.
    case posted
    /// Nothing will be sent: somebody stopped it, or the address does not want mail.
    case cancelled, suppressed
    /// The server did not want it.
    case refused
    /// Handed to the server whole, but its answer was never heard.
    case uncertain
    /// Given to the person by hand, by download or by another program, as somebody said.
    case handedOver
    /// Given to another program by the device's own sharing, which said that it was done.
    case shared
    case accepted
    /// The server, or one behind it, sent it back.
    case bounced
    case opened
    /// A filled copy came back.
    case returned
    /// What somebody said by hand before does not hold: the last `handedOver`, `shared` or `returned` counts no more.
    case corrected

    /// Of several events the telling one: a later one of lower rank does not hide it.
    var rank: Int {
        switch self {
        case .made, .corrected: 0
        case .posted, .cancelled, .suppressed, .refused: 1
        case .uncertain: 2
        case .handedOver, .shared, .accepted: 3
        case .bounced: 4
        case .opened: 5
        case .returned: 6
        }
    }

    /// Whether it has left this desk and nobody said it failed.
    public var isSent: Bool {
        switch self {
        case .handedOver, .shared, .accepted, .opened, .returned: true
        case .made, .posted, .cancelled, .suppressed, .refused, .uncertain, .bounced, .corrected: false
        }
    }

    /// Whether a server would not have it, or gave it back.
    public var isFailed: Bool { self == .refused || self == .bounced }

    /// Whether somebody said so, rather than a server or a link.
    public var isSaid: Bool { self == .handedOver || self == .shared || self == .returned }

    /// Whether this is now the telling one, where it was `other` before. A letter that failed and is sent again by
    /// somebody's decision begins anew.
    func tellsMore(than other: LedgerEvent) -> Bool {
        rank >= other.rank || self == .posted && !other.isSent
    }
}

/// One line to be written into the ledger.
public struct LedgerNote: Sendable, Equatable {
    public var event: LedgerEvent
    /// What it happened to: `packet/018f…` or `message/018f…`.
    public var subject: String
    /// What it belongs to: `batch/018f…` or `mailing/018f…`.
    public var run: String
    public var recipient: String
    public var address: String
    public var actor: String
    /// What else is known, in words: what the server said, through which link.
    public var detail: String

    public init(
        _ event: LedgerEvent, subject: String, run: String, recipient: String, address: String = "",
        actor: String, detail: String = ""
    ) {
        self.event = event
        self.subject = subject
        self.run = run
        self.recipient = recipient
        self.address = address
        self.actor = actor
        self.detail = detail
    }
}
