internal import Bytes
public import Crypto
internal import SQL
public import Storage
public import Work

/// A key for a program: it acts as its member, within its scopes.
public struct APIToken: Sendable, Equatable {
    public let id: ID<APIToken>
    /// Nil for one made at the machine, which acts as an owner.
    public let memberID: ID<Member>?
    public let name: String
    public let scopes: Set<Scope>
    public let madeAt: Moment
    public let expiresAt: Moment?
    public let usedAt: Moment?

    init(_ row: Row) throws {
        id = try row.id("id")
        memberID = try row.optionalID("member_id")
        name = try row.text("name")
        // A scope we do not know (written by a newer Quire) grants nothing.
        scopes = Set(try row.text("scopes").split(separator: " ").compactMap { Scope(rawValue: String($0)) })
        madeAt = try row.moment("made_at")
        expiresAt = try row.optionalMoment("expires_at")
        usedAt = try row.optionalMoment("used_at")
    }
}

public struct APITokens: Sendable {
    let access: Gate

    /// Shown this once; only its digest is kept.
    public func make(
        name: String, scopes: Set<Scope>, expiresAt: Moment? = nil, by caller: Caller
    ) throws -> (token: Token, entry: APIToken) {
        let name = try DisplayName(name, of: "the token a name")
        guard !scopes.isEmpty else {
            throw Failure(.invalid, "Choose what the token may do.", field: "scopes")
        }
        for right in scopes.reduce(into: Set<Right>(), { $0.formUnion($1.rights) }) {
            try caller.require(right)
        }
        if scopes.contains(.admin) || scopes.contains(.sync) {
            try access.sessions.requireFreshProof(of: caller)
        }
        // A token must not outlive itself by making another.
        if case .token = caller.via { try caller.require(.administer) }
        if let expiresAt, expiresAt <= access.store.clock.now() {
            throw Failure(.invalid, "Choose a day in the future.", field: "expiresAt")
        }
        let token = Token(prefix: Self.prefix, random: access.store.chance.bytes(Token.byteCount))
        let words = Scope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
        let entry = try access.store.write { tx -> APIToken in
            let id: ID<APIToken> = tx.newID()
            try tx.run(
                """
                INSERT INTO api_token (id, digest, member_id, name, scopes, made_at, expires_at)
                VALUES (\(id), \(token.digest), \(caller.memberID), \(name.text), \(words), \(tx.now), \(expiresAt))
                """)
            tx.note(
                "token.made", id.path("token"), by: caller.actor,
                ["name": .string(name.text), "scopes": .string(words)])
            return try Self.one(id, in: tx)
        }
        return (token, entry)
    }

    /// One's own; owners see everybody's.
    public func list(by caller: Caller) throws -> [APIToken] {
        let condition: Query = caller.may(.administer) ? "1 = 1" : "member_id = \(caller.memberID)"
        return try access.store.read { desk in
            try desk.rows("SELECT * FROM api_token WHERE \(condition) ORDER BY made_at DESC, id DESC")
                .map(APIToken.init)
        }
    }

    public func revoke(_ id: ID<APIToken>, by caller: Caller) throws {
        try access.store.write { tx in
            let token = try Self.one(id, in: tx)
            if token.memberID == nil || token.memberID != caller.memberID { try caller.require(.administer) }
            try tx.run("DELETE FROM api_token WHERE id = \(id)")
            tx.note("token.revoked", id.path("token"), by: caller.actor, ["name": .string(token.name)])
        }
    }

    /// One's own, which outlive a password: somebody who knew it may have made one.
    public func own(of caller: Caller) throws -> [APIToken] {
        guard let id = caller.memberID else { return [] }
        return try list(by: caller).filter { $0.memberID == id }
    }

    /// - Returns: how many there were.
    @discardableResult
    public func revokeOwn(by caller: Caller) throws -> Int {
        guard let id = caller.memberID else { throw Failure(.denied, "Sign in to revoke your tokens.") }
        return try access.store.write { tx in
            let tokens = try tx.rows("SELECT * FROM api_token WHERE member_id = \(id)").map(APIToken.init)
            try tx.run("DELETE FROM api_token WHERE member_id = \(id)")
            for token in tokens {
                tx.note(
                    "token.revoked", token.id.path("token"), by: caller.actor, ["name": .string(token.name)])
            }
            return tokens.count
        }
    }

    /// Who sends this token; nil when it opens nothing (any more).
    public func caller(for text: String) throws -> Caller? {
        guard let digest = Token(text, prefix: Self.prefix)?.digest else { return nil }
        let found = try access.store.read { desk -> (APIToken, Member?)? in
            guard let row = try desk.row("SELECT * FROM api_token WHERE digest = \(digest)") else {
                return nil
            }
            let token = try APIToken(row)
            return (token, try token.memberID.map { try Member.one($0, in: desk) })
        }
        guard let (token, member) = found else { return nil }
        let now = access.store.clock.now()
        guard token.expiresAt.map({ now < $0 }) ?? true else { return nil }
        // Exact to the minute, so that reading does not mean writing.
        let unused = token.usedAt.map { now - $0 }
        if unused.map({ $0 >= .minutes(1) || $0 < .zero }) ?? true {
            try access.store.write { tx in
                _ = try tx.run("UPDATE api_token SET used_at = \(tx.now) WHERE id = \(token.id)")
            }
        }
        return Caller(
            memberID: member?.id, name: member?.name ?? token.name, role: member?.role ?? .owner,
            scopes: token.scopes, via: .token(token.id))
    }

    static let prefix = "quire_api"

    private static func one(
        _ id: ID<APIToken>, in desk: borrowing some Readable & ~Copyable
    ) throws -> APIToken {
        guard let row = try desk.row("SELECT * FROM api_token WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such token. Perhaps it was revoked.")
        }
        return try APIToken(row)
    }
}
