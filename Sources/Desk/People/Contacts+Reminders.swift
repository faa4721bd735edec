public import Access
import Bytes
import Crypto
import SQL
import Storage
public import Work

/// An address at which a calendar finds whom to get back to; who knows it may read.
public struct ReminderFeed: Sendable, Equatable {
    /// The secret in the address; nil when the key that sealed it is gone.
    public var token: String?
    public var madeAt: Moment
    /// When it was last asked for.
    public var readAt: Moment?
}

extension Contacts {
    /// A member's own; nobody sees that of another.
    public func reminderFeed(by caller: Caller) throws -> ReminderFeed? {
        try caller.require(.view)
        let row = try store.read { desk in
            try desk.row("SELECT * FROM reminder_feed WHERE owner = \(Self.owner(caller))")
        }
        guard let row else { return nil }
        let id = try row.text("id")
        let open = try? keys.key().open(try row.blob("sealed"), for: "reminder-feed/\(id)")
        return ReminderFeed(
            token: open.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) },
            madeAt: try row.moment("made_at"), readAt: try row.optionalMoment("read_at"))
    }

    /// A new address; the one before leads nowhere from now on.
    public func makeReminderFeed(by caller: Caller) throws -> ReminderFeed {
        try caller.require(.view)
        let key = try keys.key()
        let token = Token(prefix: Self.reminderPrefix, random: store.chance.bytes(Token.byteCount))
        return try store.write { tx in
            try tx.run("DELETE FROM reminder_feed WHERE owner = \(Self.owner(caller))")
            let id = tx.newID(of: ReminderFeed.self)
            let sealed = key.seal(Array(token.text.utf8), for: "reminder-feed/\(id)")
            try tx.run(
                """
                INSERT INTO reminder_feed (id, owner, member_id, digest, sealed, made_at)
                VALUES (\(id), \(Self.owner(caller)), \(caller.memberID), \(token.digest), \(sealed), \(tx.now))
                """)
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "contacts.remindersShared", subject: "contacts"))
            return ReminderFeed(token: token.text, madeAt: tx.now)
        }
    }

    public func removeReminderFeed(by caller: Caller) throws {
        try caller.require(.view)
        try store.write { tx in
            guard try tx.run("DELETE FROM reminder_feed WHERE owner = \(Self.owner(caller))") > 0 else {
                return
            }
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "contacts.remindersStopped", subject: "contacts"))
        }
    }

    /// Everybody with a follow-up, for who has the address.
    public func reminders(_ typed: String) throws -> [Contact] {
        guard let digest = Token(typed, prefix: Self.reminderPrefix)?.digest else { throw Self.noFeed }
        let now = store.clock.now()
        let (contacts, readAt) = try store.read { desk in
            guard let row = try desk.row("SELECT read_at FROM reminder_feed WHERE digest = \(digest)") else {
                throw Self.noFeed
            }
            let contacts = try desk.rows(
                """
                SELECT \(Contact.columns) FROM contact WHERE follow_on IS NOT NULL
                ORDER BY follow_on, id LIMIT 10000
                """
            ).map(Contact.init)
            return (contacts, try row.optionalMoment("read_at"))
        }
        // Once an hour is enough to see whether somebody still reads it.
        if readAt.map({ now - $0 > .seconds(3_600) || $0 > now }) ?? true {
            try store.write { tx in
                try tx.run("UPDATE reminder_feed SET read_at = \(tx.now) WHERE digest = \(digest)")
            }
        }
        return contacts
    }

    private static func owner(_ caller: Caller) -> String { caller.memberID?.text ?? "local" }
    private static let reminderPrefix = "quire_cal"
    private static var noFeed: Failure {
        Failure(.notFound, "This calendar is not here: its address was changed or turned off.")
    }
}
