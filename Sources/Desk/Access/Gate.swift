internal import Crypto
internal import SQL
public import Storage
internal import Synchronization
public import Work

/// Who may come in and what they may do: members, what lets them in, the links they give away, and the limits
/// that hold for all of it.
///
///     let access = Gate(store)
///     let signedIn = try access.signIn.withPassword("ada@example.org", password, from: visitor)
///     guard case .present(let caller, _) = try access.sessions.presence(of: signedIn.token.text, from: visitor)
public final class Gate: Sendable {
    public let store: Store
    public let limits: RateLimits
    /// Plans and licences; everything is unlocked unless a plan file says otherwise.
    public let entitlements: Entitlements
    let challenges: Challenges
    let setUpCode: SetUpCode
    let passes: SharePasses
    let phoneCodes = PhoneCodes()
    public let privateOpenings: PrivateOpenings
    /// Somebody who wants mail was told something.
    public let noticesTold = Broadcast<Bool>()
    let decoy = DecoyPassword()
    /// Whether a password is the one of a hash: the dear part of signing in.
    let compare: @Sendable (_ password: String, _ hash: String) -> Bool
    private let held: Mutex<AccessPolicy>

    public convenience init(
        _ store: Store, policy: AccessPolicy = AccessPolicy(), plans: PlanBook = .selfHosted
    ) {
        self.init(store, policy: policy, plans: plans) { PasswordHash.verify($0, against: $1) }
    }

    /// `compare` can be watched: what is done for whom must not differ.
    package init(
        _ store: Store, policy: AccessPolicy, plans: PlanBook = .selfHosted,
        compare: @escaping @Sendable (_ password: String, _ hash: String) -> Bool
    ) {
        self.store = store
        self.compare = compare
        held = Mutex(policy)
        limits = RateLimits(clock: store.clock)
        entitlements = Entitlements(store: store, book: plans)
        challenges = Challenges(clock: store.clock, chance: store.chance)
        setUpCode = SetUpCode(chance: store.chance)
        passes = SharePasses(key: store.chance.bytes(32))
        privateOpenings = PrivateOpenings(clock: store.clock)
    }

    public var policy: AccessPolicy {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    public var firstOwner: FirstOwner { FirstOwner(access: self) }
    public var members: Members { Members(access: self) }
    public var invitations: Invitations { Invitations(access: self) }
    public var passwords: Passwords { Passwords(access: self) }
    public var recoveryCodes: RecoveryCodes { RecoveryCodes(access: self) }
    public var passkeys: Passkeys { Passkeys(access: self) }
    public var signIn: SignIn { SignIn(access: self) }
    public var sessions: Sessions { Sessions(access: self) }
    public var phones: Phones { Phones(access: self) }
    public var tokens: APITokens { APITokens(access: self) }
    public var shareLinks: ShareLinks { ShareLinks(access: self) }
    public var journal: AuditJournal { AuditJournal(store: store) }
    public var notices: Notices { Notices(access: self) }

    var lockOut: LockOut { LockOut(store: store) }

    /// Which of these, by their places, are still in: their session neither ended nor locked, their token not revoked. For
    /// what goes on after a request was answered.
    public func standing(_ callers: [Caller]) throws -> Set<Int> {
        let (sessions, tokens) = try store.read { desk in
            (
                Set(
                    try desk.rows(
                        "SELECT id FROM session WHERE locked_at IS NULL AND expires_at > \(store.clock.now())"
                    ).map { try $0.text("id") }),
                Set(
                    try desk.rows(
                        "SELECT id FROM api_token WHERE expires_at IS NULL OR expires_at > \(store.clock.now())"
                    ).map { try $0.text("id") })
            )
        }
        return Set(
            callers.indices.filter { place in
                switch callers[place].via {
                case .session(let id): sessions.contains(id.text)
                case .token(let id): tokens.contains(id.text)
                case .local: true
                case .share: false
                }
            })
    }

    /// Links, tokens and invitations that were made while the clock was ahead would last for as long as it was wrong: they end
    /// as long after now as they were to last.
    public func returnFromFuture() throws {
        let count = try store.returnFromFuture(["share_link", "api_token", "invitation"])
        guard count > 0 else { return }
        store.log.warning(
            "The clock was ahead. Links, tokens and invitations from then end as long after now as they were to last.",
            ["count": "\(count)"])
    }

    /// Everything that ended long ago goes. The App runs it once a day.
    public func sweep() throws {
        try store.write { tx in
            try tx.run("DELETE FROM session WHERE expires_at <= \(tx.now)")
            try tx.run("DELETE FROM session WHERE seen_at <= \(tx.now - policy.sessionIdle)")
            try tx.run("DELETE FROM invitation WHERE expires_at <= \(tx.now)")
            try tx.run("DELETE FROM sign_in_failure WHERE last_at <= \(tx.now - LockOut.memory)")
            try tx.run("DELETE FROM sign_in_place WHERE last_at <= \(tx.now - LockOut.acquaintance)")
            // Kept a while, so that their owner still reads why the link or token stopped working.
            let monthAgo = tx.now - .days(30)
            try tx.run("DELETE FROM api_token WHERE expires_at <= \(monthAgo)")
            try tx.run("DELETE FROM share_link WHERE expires_at <= \(monthAgo)")
            try notices.sweep(in: tx)
        }
    }
}
