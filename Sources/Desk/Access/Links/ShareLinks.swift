internal import Bytes
public import Crypto
internal import SQL
public import Storage
public import Work

/// Links to give away, and the visitors who come by them.
public struct ShareLinks: Sendable {
    let access: Gate

    /// What the maker of a link chooses.
    public struct Terms: Sendable, Equatable {
        public var note: String
        public var expiresAt: Moment?
        public var password: String?
        public var maximumOpenings: Int?
        public var isViewOnly: Bool
        public var takesReplies: Bool

        public init(
            note: String = "", expiresAt: Moment? = nil, password: String? = nil, maximumOpenings: Int? = nil,
            isViewOnly: Bool = false, takesReplies: Bool = false
        ) {
            self.note = note
            self.expiresAt = expiresAt
            self.password = password
            self.maximumOpenings = maximumOpenings
            self.isViewOnly = isViewOnly
            self.takesReplies = takesReplies
        }
    }

    /// The token is shown this once; the link is `/s/TOKEN`. Whether the subject exists is for its owner to check.
    public func make(
        _ subject: Subject, _ terms: Terms = Terms(), by caller: Caller
    ) throws -> (token: Token, link: ShareLink) {
        try caller.require(.edit)
        try access.entitlements.require(.share)
        if let expiresAt = terms.expiresAt, expiresAt <= access.store.clock.now() {
            throw Failure(.invalid, "Choose a time in the future.", field: "expiresAt")
        }
        if let maximum = terms.maximumOpenings, !(1...1_000_000).contains(maximum) {
            throw Failure(.invalid, "A link can be opened once or more.", field: "maximumOpenings")
        }
        guard !terms.isViewOnly || !terms.takesReplies else {
            throw Failure(
                .invalid, "A form that may only be looked at cannot be filled in. Choose one of the two.",
                field: "takesReplies")
        }
        return try access.store.write { tx in
            try make(subject, terms, actor: caller.actor, name: caller.name, in: tx)
        }
    }

    /// The same as a part of something larger, for somebody who was asked for their rights already.
    package func make(
        _ subject: Subject, _ terms: Terms, passwordHash known: String? = nil, actor: String, name: String,
        in tx: borrowing Transaction
    ) throws -> (token: Token, link: ShareLink) {
        let hash = try known ?? terms.password.flatMap { $0.isEmpty ? nil : $0 }.map { try passwordHash($0) }
        let token = Token(prefix: Self.prefix, random: access.store.chance.bytes(Token.byteCount))
        let id: ID<ShareLink> = tx.newID()
        try tx.run(
            """
            INSERT INTO share_link (id, digest, subject_kind, subject_id, note, made_by, made_by_name, made_at,
                expires_at, password_hash, maximum_openings, openings, view_only, takes_replies)
            VALUES (\(id), \(token.digest), \(subject.kind), \(subject.id), \(terms.note.asPlainLine(limit: 200)),
                \(actor), \(name), \(tx.now), \(terms.expiresAt), \(hash), \(terms.maximumOpenings), 0,
                \(terms.isViewOnly), \(terms.takesReplies))
            """)
        tx.note("share.made", id.path("share"), by: actor, ["of": .string("\(subject.kind)/\(subject.id)")])
        return (token, try Self.one("id = \(id)", in: tx))
    }

    /// For `make` as a part of something larger: this is slow on purpose, and nobody is to wait for it.
    package func hash(_ password: String) throws -> String { try passwordHash(password) }

    /// Everybody's, newest first: what this desk has given away is for all its members to see.
    public func list(of subject: Subject? = nil, by caller: Caller) throws -> [ShareLink] {
        try caller.require(.view)
        let condition: Query =
            subject.map { "WHERE subject_kind = \($0.kind) AND subject_id = \($0.id)" } ?? ""
        return try access.store.read { desk in
            try desk.rows("SELECT * FROM share_link \(condition) ORDER BY made_at DESC, id DESC").map(
                ShareLink.init)
        }
    }

    /// Its maker and owners may.
    public func revoke(_ id: ID<ShareLink>, by caller: Caller) throws {
        try caller.require(.edit)
        try access.store.write { tx in
            let link = try Self.one("id = \(id)", in: tx)
            if link.madeBy != caller.actor { try caller.require(.administer) }
            try tx.run("DELETE FROM share_link WHERE id = \(id)")
            tx.note(
                "share.revoked", id.path("share"), by: caller.actor,
                ["of": .string("\(link.subject.kind)/\(link.subject.id)"), "openings": .int(link.openings)])
        }
    }

    /// When its subject is gone for good, so are its links.
    public func revokeAll(of subject: Subject, in tx: borrowing Transaction) throws {
        try tx.run(
            "DELETE FROM share_link WHERE subject_kind = \(subject.kind) AND subject_id = \(subject.id)")
    }

    /// What the page behind the link needs to know before it is opened: whether to ask for a password.
    public func look(_ token: String) throws -> ShareLink {
        guard let digest = Token(token, prefix: Self.prefix)?.digest else { throw Self.gone }
        let now = access.store.clock.now()
        let row = try access.store.read { desk in
            try desk.row("SELECT * FROM share_link WHERE digest = \(digest)")
        }
        guard let link = try row.map(ShareLink.init) else { throw Self.gone }
        guard !link.isExpired(at: now) else { throw Self.gone }
        return link
    }

    /// Counts one opening.
    ///
    /// - Parameter also: what else is saved together with the opening.
    /// - Returns: the link, who the visitor is to the rest of the desk, and the pass for `follow`.
    public func open(
        _ token: String, password: String? = nil, from visitor: Visitor,
        also: (ShareLink, borrowing Transaction) throws -> Void = { _, _ in }
    ) throws -> (link: ShareLink, caller: Caller, pass: String) {
        let address = RateLimits.subject(ofAddress: visitor.address)
        try access.limits.take(.openLink, for: address)
        let link = try look(token)
        guard !link.isUsedUp else { throw Self.gone }
        if link.needsPassword { try checkPassword(password, link, from: visitor) }
        let opened = try access.store.write { tx -> ShareLink? in
            let changed = try tx.run(
                """
                UPDATE share_link SET openings = openings + 1, opened_at = \(tx.now)
                WHERE id = \(link.id) AND (maximum_openings IS NULL OR openings < maximum_openings)
                """)
            guard changed == 1 else { return nil }
            tx.note(
                "share.opened", link.id.path("share"), by: link.id.path("share"),
                visitor.detail(["of": .string("\(link.subject.kind)/\(link.subject.id)")]))
            let opened = try Self.one("id = \(link.id)", in: tx)
            try also(opened, tx)
            return opened
        }
        guard let opened else { throw Self.gone }
        return (opened, Self.caller(opened), access.passes.make(for: opened.id, at: access.store.clock.now()))
    }

    /// For the pages and files behind a link that was opened within the hour. Nil when the pass is not good: then
    /// the link has to be opened (and counted) again.
    public func follow(_ token: String, pass: String) throws -> (link: ShareLink, caller: Caller)? {
        let link = try look(token)
        guard access.passes.opens(link.id, pass, at: access.store.clock.now()) else { return nil }
        return (link, Self.caller(link))
    }

    static let prefix = "quire_share"

    private static let gone = Failure(
        .notFound,
        "This link was revoked, has expired or was opened as often as it may be. Ask for another one.")

    private static func caller(_ link: ShareLink) -> Caller {
        Caller(
            memberID: nil, name: link.note.isEmpty ? "a visitor" : link.note, role: .viewer, scopes: [],
            via: .share(link.id, link.subject))
    }

    /// A link's password may be short: it is a second thing to know besides the link, and guesses are locked out.
    private func passwordHash(_ password: String) throws -> String {
        guard (4...200).contains(password.count), password.utf8.count <= Passwords.maximumBytes else {
            throw Failure(.invalid, "A link's password has 4 to 200 characters.", field: "password")
        }
        do {
            return try PasswordHash.make(password, cost: access.policy.passwordCost)
        } catch {
            throw Failure(
                .unavailable, "The machine is short of memory. Try again in a moment.", cause: "\(error)")
        }
    }

    private func checkPassword(_ password: String?, _ link: ShareLink, from visitor: Visitor) throws {
        guard let password, !password.isEmpty else {
            throw Failure(.denied, "This link asks for a password.", field: "password")
        }
        try access.limits.take(.signIn, for: RateLimits.subject(ofAddress: visitor.address))
        let name = link.id.path("share")
        try access.lockOut.check(name, from: visitor)
        let row = try access.store.read { desk in
            try desk.row("SELECT password_hash FROM share_link WHERE id = \(link.id)")
        }
        guard let hash = try row?.optionalText("password_hash") else { throw Self.gone }
        guard password.utf8.count <= Passwords.maximumBytes, PasswordHash.verify(password, against: hash)
        else {
            try access.store.write { tx in
                try access.lockOut.failed(name, from: visitor, in: tx)
                tx.note("share.refused", name, by: name, visitor.detail())
            }
            throw Failure(.denied, "This is not the link's password.", field: "password")
        }
        try access.store.write { tx in try access.lockOut.succeeded(name, from: visitor, in: tx) }
    }

    private static func one(
        _ condition: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> ShareLink {
        guard let row = try desk.row("SELECT * FROM share_link WHERE " + condition) else {
            throw Failure(.notFound, "There is no such link. Perhaps it was revoked.")
        }
        return try ShareLink(row)
    }
}
