internal import Bytes
internal import Crypto
internal import SQL
internal import Storage
internal import Synchronization
public import Work

/// Phones that are let in by a code on a screen, to photograph papers for somebody and for nothing else.
///
/// A code is shown for a few minutes and lets in one phone. It is kept in memory: a restart makes it worthless.
public struct Phones: Sendable {
    let access: Gate

    /// For how long a code lets somebody in.
    public static let codeLife = Duration.minutes(5)
    /// For how long a phone photographs.
    public static let life = Duration.hours(2)

    public struct Invited: Sendable {
        /// The last part of the address that the phone opens.
        public let code: String
        public let until: Moment
    }

    public func invite(by caller: Caller) throws -> Invited {
        try caller.require(.edit)
        guard let member = caller.memberID, case .session = caller.via else {
            throw Failure(.denied, "Sign in to let a phone in.")
        }
        let token = Token(prefix: Self.prefix, random: access.store.chance.bytes(Token.byteCount))
        let until = access.store.clock.now() + Self.codeLife
        access.phoneCodes.add(token.digest, of: member, until: until, now: access.store.clock.now())
        return Invited(code: token.text, until: until)
    }

    /// Whose desk it is that the code opens; it can be used afterwards.
    public func owner(of code: String) throws -> Member {
        try found(code).member
    }

    public func letIn(by code: String, from visitor: Visitor) throws -> SignedIn {
        try access.limits.take(.openLink, for: RateLimits.subject(ofAddress: visitor.address))
        let (digest, member) = try found(code)
        guard access.phoneCodes.use(digest) else { throw Self.worthless }
        let token = Sessions.newToken(access.store.chance)
        return try access.store.write { tx in
            try access.sessions.start(
                member, by: .phone, token: token, from: visitor, in: tx)
        }
    }

    /// One's own that are in at the moment.
    public func list(by caller: Caller) throws -> [Session] {
        guard let member = caller.memberID else { return [] }
        return try access.sessions.list(of: member, by: caller).filter(\.onlyCaptures)
    }

    private func found(_ code: String) throws -> (digest: [UInt8], member: Member) {
        guard let digest = Token(code, prefix: Self.prefix)?.digest,
            let id = access.phoneCodes.member(of: digest, now: access.store.clock.now()),
            let member = try access.store.read({ desk in try? Member.one(id, in: desk) }),
            member.role.rights.contains(.edit)
        else { throw Self.worthless }
        return (digest, member)
    }

    static let prefix = "quire_phone"

    private static let worthless = Failure(
        .notFound, "This code was used already, or is too old. Let the desk show a new one.")
}

/// The codes that are shown at the moment, by their digests.
final class PhoneCodes: Sendable {
    private let held = Mutex<[(digest: [UInt8], member: ID<Member>, until: Moment)]>([])

    func add(_ digest: [UInt8], of member: ID<Member>, until: Moment, now: Moment) {
        held.withLock { codes in
            codes.removeAll { $0.until <= now }
            // Whoever asks for a new one looks at that alone.
            codes.removeAll { $0.member == member }
            codes.append((digest, member, until))
        }
    }

    func member(of digest: [UInt8], now: Moment) -> ID<Member>? {
        held.withLock { codes in codes.first { $0.digest == digest && $0.until > now }?.member }
    }

    /// Whether it was there: of two phones at once one comes in.
    func use(_ digest: [UInt8]) -> Bool {
        held.withLock { codes in
            guard let place = codes.firstIndex(where: { $0.digest == digest }) else { return false }
            codes.remove(at: place)
            return true
        }
    }
}
