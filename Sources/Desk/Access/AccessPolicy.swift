public import Crypto

/// How strict this desk is. The App fills it from Settings; a change counts from the next request on.
public struct AccessPolicy: Sendable, Equatable {
    /// A session ends when nobody used it this long,
    public var sessionIdle: Duration = .days(30)
    /// and in any case this long after signing in.
    public var sessionLife: Duration = .days(180)
    /// Without use for this long a session locks: what was open stays, and a passkey or the password continues.
    public var lockAfter: Duration?
    public var invitationLife: Duration = .days(7)
    /// How long a passkey question may stay unanswered.
    public var ceremonyLife: Duration = .seconds(300)
    public var passwordCost: PasswordHash.Cost = .standard

    public init() {}
}

extension Duration {
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
