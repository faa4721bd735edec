public import Crypto
internal import SQL
public import Storage
public import Work

/// One device on which somebody is signed in.
public struct Session: Sendable, Equatable {
    /// How they proved who they are.
    public enum Method: String, Sendable {
        case password, passkey, invitation
        case recoveryCode = "recovery-code"
        case setUp = "set-up"
        /// By a code that somebody who is signed in showed to a phone.
        case phone
    }

    public let id: ID<Session>
    public let memberID: ID<Member>
    public let method: Method
    /// "Safari on iPhone".
    public let device: String
    public let address: String
    public let startedAt: Moment
    /// When they last proved who they are: by signing in or by unlocking.
    public let provenAt: Moment
    public let seenAt: Moment
    public let expiresAt: Moment
    public let lockedAt: Moment?
    /// A phone that brings photographs of papers, and sees and does nothing else.
    public var onlyCaptures: Bool { method == .phone }

    init(_ row: Row) throws {
        id = try row.id("id")
        memberID = try row.id("member_id")
        method = try row.choice("method")
        device = try row.text("device")
        address = try row.text("address")
        startedAt = try row.moment("started_at")
        provenAt = try row.moment("proven_at")
        seenAt = try row.moment("seen_at")
        expiresAt = try row.moment("expires_at")
        lockedAt = try row.optionalMoment("locked_at")
    }
}

/// What signing in gives: the token goes into the cookie and is kept nowhere else.
public struct SignedIn: Sendable {
    public let token: Token
    public let session: Session
    public let member: Member
    public let caller: Caller
}

/// What a session's token says about a request.
public enum Presence: Sendable, Equatable {
    case nobody
    /// Somebody is signed in here but was away: show nothing of theirs until they unlock.
    case locked(Member, Session)
    case present(Caller, Session)
}
