public import Access
import Bytes
public import Jobs
import SQL
import Storage
import Synchronization
public import Transfer
public import Work

extension JobKind {
    public static let noticeMail = JobKind("notices", title: "Mail notices to members", maximumAttempts: 3)
}

/// Notices as mail, for members who asked for it: letters in the outbox like all others, each to one of the desk's own
/// people. Others may read there what went out, so nothing in them names what is private.
public final class NoticeMail: Sendable {
    /// The words of a mail, in the language of whoever gets it.
    public struct Words: Sendable {
        public var title: String
        public var text: String

        public init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    public typealias Voice = @Sendable (Notices.Post) throws -> Words

    private let outbox: Outbox
    private let sender: @Sendable () -> MailAddress?
    private let zone: @Sendable () -> TimeZoneRules
    private let voice = Mutex<Voice?>(nil)
    private var store: Store { outbox.store }
    private var notices: Notices { outbox.access.notices }

    static let subject = "notices/"
    /// What happens at once is one mail; and there is never more than one an hour.
    private static let gathering = Duration.seconds(60)
    private static let rest = Duration.seconds(3_600)
    private static let hour = 7

    /// `sender` gives nil while the desk has no mail account: nothing is mailed then.
    public init(
        _ outbox: Outbox, sender: @escaping @Sendable () -> MailAddress?,
        zone: @escaping @Sendable () -> TimeZoneRules
    ) {
        self.outbox = outbox
        self.sender = sender
        self.zone = zone
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.noticeMail) { [self] _ in try send() }
    }

    /// The languages are at the door.
    public func speak(with voice: @escaping Voice) { self.voice.withLock { $0 = voice } }

    /// Where a reader's mail goes; nil where they have given no address.
    public static func address(of choice: NoticeChoice, signInName: String) -> MailAddress? {
        MailAddress(choice.address.isEmpty ? signInName : choice.address)
    }

    /// Makes sure that a job sends what is to be sent, when its time comes.
    public func promise() throws {
        guard sender() != nil else { return }
        let now = store.clock.now()
        let next = try store.read { desk in try notices.posts(in: desk, now: now) }.filter {
            Self.address(of: $0.choice, signInName: $0.signInName) != nil
        }.map { due($0) }.min()
        guard let next else { return }
        try store.write { tx in
            _ = try outbox.queue.add(.noticeMail, in: tx, unique: "notices", runAt: max(next, tx.now))
        }
    }

    private func send() throws {
        guard let sender = sender(), let voice = voice.withLock({ $0 }) else { return }
        let now = store.clock.now()
        let posts = try store.read { desk in try notices.posts(in: desk, now: now) }
        for post in posts where due(post) <= now {
            guard let address = Self.address(of: post.choice, signInName: post.signInName) else { continue }
            let words = try voice(post)
            try store.write { tx in
                let mailing = try outbox.open(
                    Self.draft(post, from: sender, words.title), state: .running, by: post.caller, in: tx)
                try outbox.post(
                    [
                        OutboxMessage.Draft(
                            recipientName: post.caller.memberID == nil ? address.address : post.caller.name,
                            addresses: .init(to: [address]), title: words.title, text: words.text)
                    ], to: mailing.id, by: "quire/notices", in: tx)
                try notices.markMailed(post, in: tx)
                _ = try outbox.promise(mailing, in: tx)
            }
        }
        try promise()
    }

    private static func draft(
        _ post: Notices.Post, from sender: MailAddress, _ title: String
    ) -> Mailing.Draft {
        var draft = Mailing.Draft(
            title: title, subject: subject + (post.caller.memberID?.text ?? "local"), sender: sender)
        // To oneself: it is nobody's packet.
        draft.kind = .test
        return draft
    }

    private func due(_ post: Notices.Post) -> Moment {
        // What was written down while a clock was ahead keeps nothing back.
        let now = store.clock.now()
        let first = post.notices.map(\.at).min() ?? now
        guard first <= now else { return now }
        guard post.choice.mail == .daily else {
            let gathered = first + Self.gathering
            guard let last = post.mailedAt, last <= now else { return gathered }
            return max(gathered, last + Self.rest)
        }
        let rules = zone()
        let wall = rules.wallTime(at: first)
        let day = wall.hour < Self.hour ? wall : wall.adding(days: 1)
        let morning = WallTime(
            year: day.year, month: day.month, day: day.day, hour: Self.hour, minute: 0, second: 0,
            millisecond: 0)
        return morning.map { rules.moment(of: $0) } ?? first + .seconds(86_400)
    }
}
