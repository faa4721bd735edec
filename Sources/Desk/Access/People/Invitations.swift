internal import Bytes
public import Crypto
internal import SQL
public import Storage
public import Work

/// A link that lets one person join, once.
public struct Invitation: Sendable, Equatable {
    public let id: ID<Invitation>
    public let role: Role
    /// For whom it is, as its maker wrote.
    public let note: String
    /// Who made it, by name; "this desk" when they are no longer here.
    public let madeByName: String
    public let madeAt: Moment
    public let expiresAt: Moment

    /// Journal names of members are `member/` and their id.
    static let query: Query = """
        SELECT i.*, m.name AS made_by_name
        FROM invitation i LEFT JOIN member m ON i.made_by = 'member/' || m.id
        """

    init(_ row: Row) throws {
        id = try row.id("id")
        role = try row.choice("role")
        note = try row.text("note")
        madeByName = try row.optionalText("made_by_name") ?? "this desk"
        madeAt = try row.moment("made_at")
        expiresAt = try row.moment("expires_at")
    }
}

public struct Invitations: Sendable {
    let access: Gate

    /// The token is shown this once; the link is `/join/TOKEN`.
    public func make(
        role: Role, note: String = "", life: Duration? = nil, by caller: Caller
    ) throws -> (token: Token, invitation: Invitation) {
        try caller.require(.administer)
        if role == .owner { try access.sessions.requireFreshProof(of: caller) }
        let life = life ?? access.policy.invitationLife
        guard life > .zero, life <= .days(90) else {
            throw Failure(.invalid, "An invitation is good for up to 90 days.", field: "expires")
        }
        try requirePlace()
        let token = Token(prefix: Self.prefix, random: access.store.chance.bytes(Token.byteCount))
        let invitation = try access.store.write { tx in
            let id: ID<Invitation> = tx.newID()
            try tx.run(
                """
                INSERT INTO invitation (id, digest, role, note, made_by, made_at, expires_at)
                VALUES (\(id), \(token.digest), \(role.rawValue), \(note.asPlainLine(limit: 200)), \(caller.actor),
                    \(tx.now), \(tx.now + life))
                """)
            tx.note(
                "invitation.made", id.path("invitation"), by: caller.actor, ["role": .string(role.rawValue)])
            return try Self.one("id = \(id)", in: tx)
        }
        guard let invitation else {
            throw Failure(.notFound, "The invitation was withdrawn at the same moment.")
        }
        return (token, invitation)
    }

    /// Those still open.
    public func list(by caller: Caller) throws -> [Invitation] {
        try caller.require(.administer)
        let now = access.store.clock.now()
        return try access.store.read { desk in
            try desk.rows(
                Invitation.query + " WHERE i.expires_at > \(now) ORDER BY i.made_at DESC, i.id DESC"
            ).map(Invitation.init)
        }
    }

    public func withdraw(_ id: ID<Invitation>, by caller: Caller) throws {
        try caller.require(.administer)
        try access.store.write { tx in
            guard try tx.run("DELETE FROM invitation WHERE id = \(id)") == 1 else {
                throw Failure(.notFound, "There is no such invitation. Perhaps it was used.")
            }
            tx.note("invitation.withdrawn", id.path("invitation"), by: caller.actor)
        }
    }

    /// What the page behind the link shows.
    public func look(_ token: String) throws -> Invitation {
        guard let digest = Token(token, prefix: Self.prefix)?.digest else { throw Self.gone }
        let now = access.store.clock.now()
        let found = try access.store.read { desk in try Self.one("digest = \(digest)", in: desk) }
        guard let found, found.expiresAt > now else { throw Self.gone }
        return found
    }

    /// - Parameter password: nil for somebody who brings a passkey, or adds one right away.
    public func accept(
        _ token: String, name: String, signInName: String, password: String?, passkey: NewPasskey? = nil,
        from visitor: Visitor
    ) throws -> SignedIn {
        try access.limits.take(.signIn, for: RateLimits.subject(ofAddress: visitor.address))
        _ = try look(token)
        let name = try DisplayName(name)
        let signInName = try SignInName(signInName)
        let hash = try password.map { try access.passwords.hash($0, for: [name.text, signInName.text]) }
        try requirePlace()
        guard let digest = Token(token, prefix: Self.prefix)?.digest else { throw Self.gone }
        let newcomer = try passkey.map { try access.passkeys.check($0, from: visitor) }
        let handle = newcomer?.handle ?? access.store.chance.bytes(32)
        let sessionToken = Sessions.newToken(access.store.chance)
        return try access.store.write { tx in
            guard let invitation = try Self.one("digest = \(digest)", in: tx), invitation.expiresAt > tx.now
            else { throw Self.gone }
            try tx.run("DELETE FROM invitation WHERE id = \(invitation.id)")
            let member = try Member.add(
                name: name, signInName: signInName, role: invitation.role, passwordHash: hash, handle: handle,
                in: tx)
            if let newcomer { try Passkeys.add(newcomer, to: member.id, from: visitor, in: tx) }
            tx.note(
                "member.joined", member.id.path("member"), by: member.id.path("member"),
                visitor.detail([
                    "invitation": .string(invitation.id.text), "role": .string(member.role.rawValue),
                ]))
            return try access.sessions.start(
                member, by: .invitation, token: sessionToken, from: visitor, in: tx)
        }
    }

    private func requirePlace() throws {
        try access.entitlements.require(.members(try access.members.count() + 1))
    }

    private static func one(
        _ condition: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> Invitation? {
        try desk.row(Invitation.query + " WHERE i." + condition).map(Invitation.init)
    }

    static let prefix = "quire_join"
    private static let gone = Failure(
        .notFound, "This invitation was used, withdrawn or has expired. Ask for another one.")
}
