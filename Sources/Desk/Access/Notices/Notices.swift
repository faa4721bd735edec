internal import SQL
public import Storage
public import Work

/// What members are told. Each has lines of their own, written in the transaction of what happened; a line that is
/// still unread gathers what happens to the same thing again.
///
///     try access.notices.tell(.mailBack, "batch/\(id)", in: tx)
public struct Notices: Sendable {
    let access: Gate
    private var store: Store { access.store }

    /// A member, or whoever sits at the machine itself.
    struct Reader {
        var owner: String
        var memberID: ID<Member>?
        var role: Role
        var choice: NoticeChoice
    }

    public enum Audience: Sendable, Equatable {
        /// All who can do something about it.
        case everybody
        case member(ID<Member>)
        /// What belongs to no member.
        case owners

        func holds(_ reader: Reader) -> Bool {
            switch self {
            case .everybody: true
            case .member(let id): reader.memberID == id
            case .owners: reader.role == .owner
            }
        }
    }

    public func tell(
        _ kind: Notice.Kind, _ subject: String, about: String = "", _ words: String = "", count: Int = 1,
        to audience: Audience = .everybody, in tx: borrowing Transaction
    ) throws {
        let readers = try readers(in: tx).filter { reader in
            reader.choice.topics.contains(kind.topic)
                && reader.role.rights.contains(kind.topic.right)
                && audience.holds(reader)
        }
        let mailed: Query =
            kind.isStanding
            ? "CASE WHEN notice.mailed_at > \(tx.now - .seconds(86_400)) THEN notice.mailed_at END" : "NULL"
        for reader in readers {
            try tx.run(
                """
                INSERT INTO notice (id, owner, member_id, kind, subject, about, words, times, at)
                VALUES (\(tx.newID(of: Notice.self)), \(reader.owner), \(reader.memberID), \(kind.rawValue),
                    \(subject), \(about), \(words), \(count), \(tx.now))
                ON CONFLICT (owner, kind, subject) WHERE read_at IS NULL DO UPDATE SET
                    words = excluded.words, times = notice.times + excluded.times, at = excluded.at,
                    mailed_at = \(mailed)
                """)
        }
        if !readers.isEmpty { tx.afterCommit { [changes = access.noticesTold] in changes.send(true) } }
    }

    /// Nobody need do anything about it any more.
    public func settle(_ kinds: [Notice.Kind], _ subject: String, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            UPDATE notice SET read_at = \(tx.now) WHERE subject = \(subject) AND read_at IS NULL
                AND \(Query.column("kind", in: kinds.map(\.rawValue)))
            """)
    }

    /// The same for all of a kind whose subject comes before this one in the order of letters; nil for all of them.
    public func settle(_ kind: Notice.Kind, before subject: String?, in tx: borrowing Transaction) throws {
        let those: Query = subject.map { "AND subject < \($0)" } ?? ""
        try tx.run(
            "UPDATE notice SET read_at = \(tx.now) WHERE kind = \(kind.rawValue) AND read_at IS NULL \(those)"
        )
    }

    /// The newest first.
    public func list(unread: Bool = false, limit: Int = 200, by caller: Caller) throws -> [Notice] {
        try caller.require(.view)
        let only: Query = unread ? "AND read_at IS NULL" : ""
        return try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM notice WHERE \(Self.mine(caller)) \(only)
                ORDER BY at DESC, id DESC LIMIT \(min(max(1, limit), 200))
                """
            ).map(Notice.init)
        }
    }

    public func unreadCount(by caller: Caller) throws -> Int {
        try caller.require(.view)
        return try store.read { desk in
            try desk.row("SELECT count(*) AS n FROM notice WHERE \(Self.mine(caller)) AND read_at IS NULL")?
                .int("n") ?? 0
        }
    }

    /// All that had come by then: what happened since stays unread.
    public func markRead(until moment: Moment? = nil, by caller: Caller) throws {
        try caller.require(.view)
        try store.write { tx in
            _ = try tx.run(
                """
                UPDATE notice SET read_at = \(tx.now) WHERE owner = \(Self.owner(caller)) AND read_at IS NULL
                    AND at <= \(moment ?? tx.now)
                """)
        }
    }

    public func choice(by caller: Caller) throws -> NoticeChoice {
        try caller.require(.view)
        return try store.read { desk in
            try desk.row("SELECT * FROM notice_choice WHERE owner = \(Self.owner(caller))").map(
                NoticeChoice.init) ?? NoticeChoice()
        }
    }

    public func choose(_ choice: NoticeChoice, by caller: Caller) throws {
        try caller.require(.view)
        try store.write { tx in
            _ = try tx.run(
                """
                INSERT INTO notice_choice (owner, member_id, silent, mail, address)
                VALUES (\(Self.owner(caller)), \(caller.memberID), \(choice.silent), \(choice.mail.rawValue),
                    \(choice.address))
                ON CONFLICT (owner) DO UPDATE SET silent = excluded.silent, mail = excluded.mail,
                    address = excluded.address
                """)
        }
    }

    // MARK: By mail

    /// What one reader is to be mailed.
    public struct Post: Sendable {
        public let caller: Caller
        public let choice: NoticeChoice
        /// What they sign in with; empty at the machine itself.
        public let signInName: String
        /// Unread and not mailed yet, the oldest first.
        public let notices: [Notice]
        public let mailedAt: Moment?
    }

    /// Of all who want mail and have something unread that was not mailed. What is older than a week is no news.
    public func posts(in desk: borrowing some Readable & ~Copyable, now: Moment) throws -> [Post] {
        let rows = try desk.rows(
            """
            SELECT c.*, m.name, m.role, m.sign_in_name FROM notice_choice c LEFT JOIN member m ON m.id = c.member_id
            WHERE c.mail <> 'off' ORDER BY c.owner
            """)
        return try rows.compactMap { row -> Post? in
            let caller = try row.optionalID("member_id").map { id in
                Caller(
                    memberID: id, name: try row.text("name"), role: try row.choice("role"), via: .local,
                    seesPrivate: false)
            }
            let reader = caller ?? .local.withoutPrivate
            let notices = try desk.rows(
                """
                SELECT * FROM notice WHERE \(Self.mine(reader)) AND read_at IS NULL AND mailed_at IS NULL
                    AND at > \(now - .seconds(7 * 86_400)) ORDER BY at, id LIMIT 200
                """
            ).map(Notice.init)
            guard !notices.isEmpty else { return nil }
            return Post(
                caller: reader, choice: try NoticeChoice(row),
                signInName: try row.optionalText("sign_in_name") ?? "", notices: notices,
                mailedAt: try row.optionalMoment("mailed_at"))
        }
    }

    public func markMailed(_ post: Post, in tx: borrowing Transaction) throws {
        try tx.run(
            "UPDATE notice SET mailed_at = \(tx.now) WHERE \(Query.column("id", in: post.notices.map(\.id)))")
        try tx.run(
            "UPDATE notice_choice SET mailed_at = \(tx.now) WHERE owner = \(Self.owner(post.caller))")
    }

    func sweep(in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM notice WHERE at < \(tx.now - .seconds(90 * 86_400))")
    }

    private func readers(in desk: borrowing some Readable & ~Copyable) throws -> [Reader] {
        let members = try desk.rows(
            """
            SELECT m.id, m.role, c.silent, c.mail, c.address FROM member m
            LEFT JOIN notice_choice c ON c.owner = m.id
            """
        ).map { row in
            Reader(
                owner: try row.text("id"), memberID: try row.id("id"), role: try row.choice("role"),
                choice: try NoticeChoice(row))
        }
        let here = try desk.row("SELECT * FROM notice_choice WHERE owner = 'local'")
        return members + [
            Reader(owner: "local", role: .owner, choice: try here.map(NoticeChoice.init) ?? NoticeChoice())
        ]
    }

    /// Also of somebody who may do less now than when they were told.
    static func mine(_ caller: Caller) -> Query {
        let kinds = Notice.Kind.allCases.filter { caller.role.rights.contains($0.topic.right) }
        return "owner = \(owner(caller)) AND \(Query.column("kind", in: kinds.map(\.rawValue)))"
    }

    private static func owner(_ caller: Caller) -> String { caller.memberID?.text ?? "local" }
}
