internal import Bytes
internal import Crypto
internal import SQL
public import Storage
internal import Work

/// Who is signed in where.
public struct Sessions: Sendable {
    let access: Gate

    /// Who sends this token.
    ///
    /// - Parameter counts: false for what a page does by itself (event streams, polling): it must not keep a desk
    ///   unlocked that nobody is looking at.
    public func presence(of text: String, from visitor: Visitor, counts: Bool = true) throws -> Presence {
        guard let digest = Token(text, prefix: Self.prefix)?.digest else { return .nobody }
        let policy = access.policy
        let found = try access.store.read { desk -> (Session, Member)? in
            guard let row = try desk.row("SELECT * FROM session WHERE digest = \(digest)") else { return nil }
            let session = try Session(row)
            return (session, try Member.one(session.memberID, in: desk))
        }
        guard let (session, member) = found else { return .nobody }

        let now = access.store.clock.now()
        let unused = now - session.seenAt
        // Further away than we ever promise: it began while the clock was ahead, and would outlive its time by as much.
        let isAhead = session.expiresAt - now > policy.sessionLife + Self.wobble
        guard now < session.expiresAt, !isAhead, unused < policy.sessionIdle else {
            try end(session, because: "session.expired")
            return .nobody
        }
        if session.lockedAt != nil { return .locked(member, session) }
        // Last seen in a time to come: nobody knows for how long it lay there.
        if let lockAfter = policy.lockAfter, unused >= lockAfter || unused < .zero - Self.wobble {
            // Nobody there has a password to come in again with.
            if session.onlyCaptures {
                try end(session, because: "session.expired")
                return .nobody
            }
            try lock(session, because: "idle", actor: member.id.path("member"))
            return .locked(member, session)
        }
        if counts { try touch(session, unused: unused, from: visitor, policy) }
        return .present(
            Self.caller(member, session, seesPrivate: access.privateOpenings.end(for: session.id) != nil),
            session)
    }

    public func list(of id: ID<Member>, by caller: Caller) throws -> [Session] {
        if caller.memberID != id { try caller.require(.administer) }
        let now = access.store.clock.now()
        let idleSince = now - access.policy.sessionIdle
        return try access.store.read { desk in
            try desk.rows(
                """
                SELECT * FROM session WHERE member_id = \(id) AND expires_at > \(now) AND seen_at > \(idleSince)
                ORDER BY seen_at DESC, id DESC
                """
            ).map(Session.init)
        }
    }

    /// Ends one: one's own, or as an owner anybody's.
    public func revoke(_ id: ID<Session>, by caller: Caller) throws {
        try access.store.write { tx in
            guard let row = try tx.row("SELECT * FROM session WHERE id = \(id)") else {
                throw Failure(.notFound, "This session has ended already.")
            }
            let session = try Session(row)
            if caller.memberID != session.memberID { try caller.require(.administer) }
            try tx.run("DELETE FROM session WHERE id = \(id)")
            tx.note(
                "session.ended", id.path("session"), by: caller.actor,
                ["device": .string(session.device), "address": .string(session.address)])
        }
    }

    /// Signs out everywhere else; how many there were.
    @discardableResult
    public func revokeOthers(of caller: Caller) throws -> Int {
        guard let member = caller.memberID, case .session(let kept) = caller.via else {
            throw Failure(.denied, "Sign in to end your other sessions.")
        }
        return try access.store.write { tx in
            let count = try tx.run("DELETE FROM session WHERE member_id = \(member) AND id <> \(kept)")
            tx.note("session.others-ended", member.path("member"), by: caller.actor, ["count": .int(count)])
            return count
        }
    }

    /// Signs everybody out everywhere; how many sessions there were. After a restore, for one: the backup may
    /// hold sessions that were ended since, because somebody else had them.
    @discardableResult
    public func endAll(by caller: Caller) throws -> Int {
        try caller.require(.administer)
        return try access.store.write { tx in
            let count = try tx.run("DELETE FROM session")
            tx.note("session.all-ended", "desk", by: caller.actor, ["count": .int(count)])
            return count
        }
    }

    /// Locks at once: "I am leaving my desk."
    public func lock(by caller: Caller) throws {
        guard case .session(let id) = caller.via else {
            throw Failure(.denied, "There is no session to lock.")
        }
        guard
            let row = try access.store.read({ desk in try desk.row("SELECT * FROM session WHERE id = \(id)") }
            )
        else { return }
        try lock(Session(row), because: "asked", actor: caller.actor)
    }

    static let prefix = "quire_session"

    /// A clock that was put right by less ends and locks nothing; what was used meanwhile is reckoned from then on.
    private static let wobble = Duration.days(7)

    static func newToken(_ chance: Chance) -> Token {
        Token(prefix: prefix, random: chance.bytes(Token.byteCount))
    }

    static func caller(_ member: Member, _ session: Session, seesPrivate: Bool = false) -> Caller {
        Caller(
            memberID: member.id, name: member.name, role: member.role, via: .session(session.id),
            seesPrivate: seesPrivate)
    }

    /// Always a new session with a new token: one that was planted in a browser before signing in is worthless.
    func start(
        _ member: Member, by method: Session.Method, token: Token, from visitor: Visitor,
        in tx: borrowing Transaction
    ) throws -> SignedIn {
        // A phone that was shown a code has proved nothing of its own.
        let isPhone = method == .phone
        let provenAt = isPhone ? Moment(milliseconds: 0) : tx.now
        let id: ID<Session> = tx.newID()
        try tx.run(
            """
            INSERT INTO session (id, digest, member_id, method, device, address, started_at, proven_at, seen_at,
                expires_at)
            VALUES (\(id), \(token.digest), \(member.id), \(method.rawValue),
                \(Device.name(fromUserAgent: visitor.userAgent)), \(visitor.address.asPlainLine(limit: 64)),
                \(tx.now), \(provenAt), \(tx.now), \(tx.now + (isPhone ? Phones.life : access.policy.sessionLife)))
            """)
        if !isPhone { try access.lockOut.meet(member.signInName, at: visitor, in: tx) }
        tx.note(
            isPhone ? "phone.let-in" : "session.started", id.path("session"),
            by: member.id.path("member"),
            visitor.detail(["method": .string(method.rawValue)]))
        guard let row = try tx.row("SELECT * FROM session WHERE id = \(id)") else {
            throw Failure.sessionGone
        }
        let session = try Session(row)
        return SignedIn(
            token: token, session: session, member: member, caller: Self.caller(member, session))
    }

    /// The same session goes on, and so does what was open in it.
    func unlock(
        _ id: ID<Session>, by method: Session.Method, from visitor: Visitor, in tx: borrowing Transaction
    )
        throws -> Session
    {
        let changed = try tx.run(
            """
            UPDATE session SET locked_at = NULL, proven_at = \(tx.now), seen_at = \(tx.now)
            WHERE id = \(id) AND expires_at > \(tx.now)
            """)
        guard changed == 1, let row = try tx.row("SELECT * FROM session WHERE id = \(id)") else {
            throw Failure.sessionGone
        }
        let session = try Session(row)
        tx.note(
            "session.unlocked", id.path("session"), by: session.memberID.path("member"),
            visitor.detail(["method": .string(method.rawValue)]))
        return session
    }

    /// Of somebody who came in by a session; a token is its own proof, and so is being at the machine.
    public func requireFreshProof(of caller: Caller) throws {
        if case .session(let id) = caller.via { try requireFreshProof(id) }
    }

    /// Some things a person should only do who was just there in person, not whoever finds the browser open.
    func requireFreshProof(_ id: ID<Session>) throws {
        let row = try access.store.read { desk in
            try desk.row("SELECT proven_at FROM session WHERE id = \(id)")
        }
        let age = try row.map { access.store.clock.now() - (try $0.moment("proven_at")) }
        guard let age, age < .minutes(15) else {
            throw Failure(
                .signInNeeded,
                "You signed in a while ago. Confirm with your passkey or password that it is you.",
                field: "proof")
        }
    }

    /// Not on every request: once a minute is exact enough for a list, and oftener only when the desk locks soon.
    private func touch(
        _ session: Session, unused: Duration, from visitor: Visitor, _ policy: AccessPolicy
    ) throws {
        let every = min(.minutes(1), (policy.lockAfter ?? .minutes(60)) / 4)
        let address = visitor.address.asPlainLine(limit: 64)
        guard unused >= every || unused < .zero || address != session.address else { return }
        try access.store.write { tx in
            _ = try tx.run(
                "UPDATE session SET seen_at = \(tx.now), address = \(address) WHERE id = \(session.id)")
        }
    }

    private func lock(_ session: Session, because reason: String, actor: String) throws {
        access.privateOpenings.close(session.id)
        try access.store.write { tx in
            let changed = try tx.run(
                "UPDATE session SET locked_at = \(tx.now) WHERE id = \(session.id) AND locked_at IS NULL")
            guard changed == 1 else { return }
            tx.note("session.locked", session.id.path("session"), by: actor, ["because": .string(reason)])
        }
    }

    private func end(_ session: Session, because verb: String) throws {
        try access.store.write { tx in
            guard try tx.run("DELETE FROM session WHERE id = \(session.id)") == 1 else { return }
            tx.note(verb, session.id.path("session"), by: session.memberID.path("member"))
        }
    }
}

extension Failure {
    static let sessionGone = Failure(.signInNeeded, "This session has ended. Sign in again.")
}
