internal import Bytes
internal import SQL
public import Storage

/// The people of this desk and their roles.
///
/// There is always an owner: the last one can neither leave nor become something less.
public struct Members: Sendable {
    let access: Gate

    public func list() throws -> [Member] {
        try access.store.read { desk in
            try desk.rows(Member.query + " ORDER BY m.joined_at, m.id").map(Member.init)
        }
    }

    public func get(_ id: ID<Member>) throws -> Member {
        try access.store.read { desk in try Member.one(id, in: desk) }
    }

    /// Nil where the journal names somebody else: a part of Quire, a link, somebody at the machine.
    public static func id(ofActor actor: String) -> ID<Member>? {
        actor.hasPrefix("member/") ? ID<Member>(String(actor.dropFirst("member/".count))) : nil
    }

    /// For work that goes on without whoever asked for it: the member a journal names, with the rights they have now;
    /// somebody at the machine for all others.
    public func caller(actor: String) throws -> Caller {
        guard let id = Self.id(ofActor: actor) else { return .local }
        let member = try get(id)
        return Caller(memberID: id, name: member.name, role: member.role, via: .local)
    }

    /// By the name they sign in with.
    public func find(_ signInName: String) throws -> Member? {
        guard let name = SignInName(lenient: signInName) else { return nil }
        return try access.store.read { desk in
            try desk.row(Member.query + " WHERE m.sign_in_name = \(name.text)").map(Member.init)
        }
    }

    public func count() throws -> Int {
        try access.store.read { desk in try desk.row("SELECT count(*) AS n FROM member")?.int("n") ?? 0 }
    }

    /// Everybody may change their own names; owners those of others.
    @discardableResult
    public func rename(
        _ id: ID<Member>, to name: String? = nil, signInName: String? = nil, by caller: Caller
    ) throws -> Member {
        if caller.memberID != id { try caller.require(.administer) }
        // A token that may only read must not rename its own member either.
        if case .token = caller.via { try caller.require(.administer) }
        let newName = try name.map { typed throws(Failure) in try DisplayName(typed).text }
        let newSignIn = try signInName.map { typed throws(Failure) in try SignInName(typed).text }
        return try access.store.write { tx in
            let before = try Member.one(id, in: tx)
            if let newSignIn, newSignIn != before.signInName { try Member.requireFree(newSignIn, in: tx) }
            try tx.run(
                """
                UPDATE member SET name = \(newName ?? before.name),
                    sign_in_name = \(newSignIn ?? before.signInName) WHERE id = \(id)
                """)
            tx.note("member.renamed", id.path("member"), by: caller.actor, ["before": .string(before.name)])
            return try Member.one(id, in: tx)
        }
    }

    @discardableResult
    public func change(_ id: ID<Member>, to role: Role, by caller: Caller) throws -> Member {
        try caller.require(.administer)
        try access.sessions.requireFreshProof(of: caller)
        return try access.store.write { tx in
            let before = try Member.one(id, in: tx)
            guard before.role != role else { return before }
            if before.role == .owner { try Member.requireAnotherOwner(than: before, in: tx) }
            try tx.run("UPDATE member SET role = \(role.rawValue) WHERE id = \(id)")
            tx.note(
                "member.role-changed", id.path("member"), by: caller.actor,
                ["from": .string(before.role.rawValue), "to": .string(role.rawValue)])
            return try Member.one(id, in: tx)
        }
    }

    /// Their sessions, passkeys, tokens and share links end with them; what they made on the desk stays.
    public func remove(_ id: ID<Member>, by caller: Caller) throws {
        if caller.memberID != id { try caller.require(.administer) }
        if case .token = caller.via { try caller.require(.administer) }
        try access.store.write { tx in
            let member = try Member.one(id, in: tx)
            if member.role == .owner { try Member.requireAnotherOwner(than: member, in: tx) }
            try tx.run("DELETE FROM share_link WHERE made_by = \(id.path("member"))")
            try tx.run("DELETE FROM member WHERE id = \(id)")
            tx.note(
                "member.removed", id.path("member"), by: caller.actor,
                ["name": .string(member.name), "role": .string(member.role.rawValue)])
        }
    }
}

extension Member {
    static let query: Query = """
        SELECT m.id, m.name, m.sign_in_name, m.role, m.joined_at, m.password_hash,
            (SELECT count(*) FROM passkey p WHERE p.member_id = m.id) AS passkeys
        FROM member m
        """

    static func one(_ id: ID<Member>, in desk: borrowing some Readable & ~Copyable) throws -> Member {
        guard let row = try desk.row(query + " WHERE m.id = \(id)") else {
            throw Failure(.notFound, "There is no such member. Perhaps somebody removed them.")
        }
        return try Member(row)
    }

    /// Adds somebody. What may let them in is decided by the caller.
    static func add(
        name: DisplayName, signInName: SignInName, role: Role, passwordHash: String?, handle: [UInt8],
        in tx: borrowing Transaction
    ) throws -> Member {
        try requireFree(signInName.text, in: tx)
        let id: ID<Member> = tx.newID()
        try tx.run(
            """
            INSERT INTO member (id, name, sign_in_name, role, handle, password_hash, joined_at)
            VALUES (\(id), \(name.text), \(signInName.text), \(role.rawValue), \(handle), \(passwordHash), \(tx.now))
            """)
        return try one(id, in: tx)
    }

    static func requireFree(_ signInName: String, in tx: borrowing Transaction) throws {
        guard try tx.row("SELECT id FROM member WHERE sign_in_name = \(signInName)") == nil else {
            throw Failure(
                .conflict, "Somebody signs in with this name already. Choose another one.",
                field: "signInName")
        }
    }

    static func requireAnotherOwner(than member: Member, in tx: borrowing Transaction) throws {
        let others = try tx.row(
            "SELECT count(*) AS n FROM member WHERE role = 'owner' AND id <> \(member.id)"
        )?.int("n")
        guard let others, others > 0 else {
            throw Failure(
                .conflict,
                "\(member.name) is the only owner, and a desk needs one. Make somebody else an owner first.")
        }
    }
}
