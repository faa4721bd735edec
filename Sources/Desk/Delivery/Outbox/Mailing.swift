import Bytes
import SQL
public import Storage
public import Transfer
public import Work

/// Something happened to a mailing; for those who show it.
public struct MailingChange: Sendable, Equatable {
    public var mailing: ID<Mailing>
    /// `batch/018f…`, or empty.
    public var subject: String
    public var state: Mailing.State
}

/// One act of sending: the letters of a batch, at one pace, from one sender.
public struct Mailing: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable { case running, paused, cancelled }

    public enum Kind: String, Sendable {
        /// Letters somebody else put in, one by one.
        case letters
        /// To everybody of a batch.
        case batch
        /// To one of them alone.
        case single
        /// To oneself; it is nobody's packet, so the ledger knows nothing of it.
        case test
    }

    public let id: ID<Mailing>
    public let title: String
    /// What it sends, as the journal names it: `batch/018f…`; empty for a single letter.
    public let subject: String
    public let state: State
    public let sender: MailAddress
    public let replyTo: MailAddress?
    public let pace: Pace
    /// Why it stands still, when it does so by itself.
    public let reason: String?
    public let kind: Kind
    /// False while its letters are still being put in; nothing goes out before they all are.
    public let isPrepared: Bool
    /// The letter as it was when the sending began.
    let order: SendingOrder?
    public let madeAt: Moment
    let madeBy: String
    public let madeByName: String

    /// How the ledger names it: after what it sends, or after itself.
    public var run: String { subject.isEmpty ? "mailing/\(id)" : subject }

    /// Notices to one of the desk's own people.
    var isToMember: Bool { subject.hasPrefix(NoticeMail.subject) }

    init(_ row: Row) throws {
        id = try row.id("id")
        title = try row.text("title")
        subject = try row.text("subject")
        state = try row.choice("state")
        let name = try row.text("sender_name")
        guard let sender = MailAddress(try row.text("sender"), name: name.isEmpty ? nil : name) else {
            throw SQLError(.wrongType, "a mailing has no sender")
        }
        self.sender = sender
        replyTo = try row.optionalText("reply_to").flatMap { MailAddress(parsing: $0) }
        pace = Pace(
            perMinute: try row.optionalInt("per_minute"), opens: try row.optionalInt("opens"),
            closes: try row.optionalInt("closes"), zone: try row.text("zone"))
        reason = try row.optionalText("reason")
        kind = Kind(rawValue: try row.text("kind")) ?? .letters
        isPrepared = try row.bool("prepared")
        let order = try row.text("letter")
        self.order = order.isEmpty ? nil : try SendingOrder(kept: JSON(parsing: order))
        madeAt = try row.moment("made_at")
        madeBy = try row.text("made_by")
        madeByName = try row.text("made_by_name")
    }

    public struct Draft: Sendable, Equatable {
        public var title: String
        public var subject: String
        public var sender: MailAddress
        public var replyTo: MailAddress?
        public var pace: Pace
        var kind = Kind.letters
        var order: SendingOrder?

        public init(
            title: String, subject: String = "", sender: MailAddress, replyTo: MailAddress? = nil,
            pace: Pace = Pace()
        ) {
            self.title = title
            self.subject = subject
            self.sender = sender
            self.replyTo = replyTo
            self.pace = pace
        }
    }
}

/// How fast letters go out, and at which hours: a small office's mail server takes no thousand a minute, and no
/// parent wants mail at three in the morning.
public struct Pace: Sendable, Equatable {
    /// Nil for as fast as the server takes them.
    public var perMinute: Int?
    /// Minutes since midnight; a window that closes before it opens lasts over midnight.
    public var opens: Int?
    public var closes: Int?
    public var zone: String

    public init(perMinute: Int? = nil, opens: Int? = nil, closes: Int? = nil, zone: String = "UTC") {
        self.perMinute = perMinute
        self.opens = opens
        self.closes = closes
        self.zone = zone
    }

    static let rates = 1...60_000
    static let rateRule = "Choose between 1 and 60,000 letters a minute."

    var hasWindow: Bool { opens != nil && closes != nil && opens != closes }

    var interval: Duration { perMinute.map { .milliseconds(60_000 / max(1, $0)) } ?? .zero }

    /// `now` when letters may go out now, otherwise when the window opens next.
    func opening(at now: Moment) -> Moment {
        guard let opens, let closes, opens != closes, let rules = try? TimeZoneRules(name: zone) else {
            return now
        }
        let wall = rules.wallTime(at: now)
        let minute = wall.hour * 60 + wall.minute
        let isOpen = opens < closes ? (opens..<closes).contains(minute) : minute >= opens || minute < closes
        guard !isOpen else { return now }
        let day = minute < opens ? wall : wall.adding(days: 1)
        guard
            let next = WallTime(
                year: day.year, month: day.month, day: day.day, hour: opens / 60 % 24, minute: opens % 60,
                second: 0, millisecond: 0)
        else { return now }
        return max(rules.moment(of: next), now + .milliseconds(1))
    }

    func checked() throws(Failure) -> Pace {
        if let perMinute, !Self.rates.contains(perMinute) {
            throw Failure(.invalid, Self.rateRule, field: "perMinute")
        }
        for (minute, field) in [(opens, "opens"), (closes, "closes")] {
            if let minute, !(0...1440).contains(minute) {
                throw Failure(.invalid, "A time of day lies between 00:00 and 24:00.", field: field)
            }
        }
        guard (opens == nil) == (closes == nil) else {
            throw Failure(.invalid, "A time window needs both its beginning and its end.", field: "closes")
        }
        if let opens, opens == closes {
            throw Failure(
                .invalid, "This window closes when it opens. Leave it out to send at any hour.",
                field: "closes")
        }
        do throws(TimeZoneError) {
            _ = try TimeZoneRules(name: zone)
        } catch {
            throw Failure(.invalid, "This machine knows no time zone “\(zone)”.", field: "zone")
        }
        return self
    }
}
