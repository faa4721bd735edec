public import Access
import Bytes
import Crypto
import SQL
public import Storage
public import Transfer
import Work

/// An identity with which Apple lets its owner sign passes for Wallet: a Pass Type ID certificate.
public struct PassCertificate: Sendable {
    public enum State: String, Sendable, CaseIterable {
        case ready
        case expired
        /// Apple's own certificate, which issued it, is not on the desk; or it is another one of theirs.
        case noIssuer
    }

    public let identity: KeptIdentity
    /// `pass.org.example.card`
    public let passType: String
    /// Apple's ten letters for whose it is.
    public let team: String
    /// Whoever vouches for it.
    let issuer: X509Certificate?
    public let state: State

    /// Nil for what is no such certificate.
    init?(_ identity: KeptIdentity, among others: [X509Certificate], at seconds: Int64) {
        let parts = Self.parts(of: identity.certificate.subject)
        guard let type = parts["UID"], type.hasPrefix("pass."), let team = parts["OU"] else { return nil }
        self.identity = identity
        passType = type
        self.team = team
        // The name alone is not enough: Apple has several of one name, and only one signed it.
        issuer = (identity.chain + others).first { other in
            other.isAuthority && other.der != identity.certificate.der
                && TrustAnchors([other], includesSystem: false).judge(
                    identity.certificate, with: [], at: identity.certificate.begins
                ).finding == .trusted
        }
        let isNow =
            (identity.certificate.begins...max(identity.certificate.begins, identity.certificate.ends))
            .contains(seconds)
        state = !isNow ? .expired : issuer == nil ? .noIssuer : .ready
    }

    /// Of a name as RFC 4514 writes it; of several of one kind the first.
    static func parts(of subject: String) -> [String: String] {
        var (parts, piece): ([String], String) = ([], "")
        var isEscaped = false
        for character in subject {
            if isEscaped {
                piece.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," || character == "+" {
                parts.append(piece)
                piece = ""
            } else {
                piece.append(character)
            }
        }
        return Dictionary(
            (parts + [piece]).compactMap { part -> (String, String)? in
                let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                return pair.count == 2 ? (pair[0], pair[1]) : nil
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension Identities {
    /// One's own, the latest first.
    public func passCertificates(by caller: Caller) throws -> [PassCertificate] {
        try passCertificates(among: list(by: caller))
    }

    /// With which passes of somebody's cards are signed, also for visitors: their own and nobody else's.
    public func passCertificate(of member: ID<Member>?) throws -> PassCertificate? {
        let own = try store.read { desk in
            let whose: Query = member.map { "member_id = \($0)" } ?? "member_id IS NULL"
            return try desk.rows(
                "SELECT * FROM signing_identity WHERE is_authority = 0 AND \(whose) ORDER BY made_at, id"
            ).map(KeptIdentity.init)
        }
        return try passCertificates(among: own).first { $0.state == .ready }
    }

    private func passCertificates(among identities: [KeptIdentity]) throws -> [PassCertificate] {
        guard !identities.isEmpty else { return [] }
        let others = try store.read { desk in
            try desk.rows("SELECT * FROM trusted_certificate").map { try TrustedCertificate($0).certificate }
        }
        let now = store.clock.now().milliseconds / 1000
        return identities.reversed().compactMap { PassCertificate($0, among: others, at: now) }
    }

    /// The signature that stands beside a pass (PKCS #7, apart from what is signed): its certificate and Apple's are in it,
    /// and when it was made.
    public func sign(pass manifest: [UInt8], with certificate: PassCertificate) throws -> [UInt8] {
        guard let issuer = certificate.issuer else {
            throw Failure(
                .conflict,
                "Apple's own certificate for passes is not on this desk. Settings says how to add it.")
        }
        let identity = try opened(certificate)
        let digest = try manifest.withUnsafeBytes {
            try SigningIdentity.digest([$0], for: identity.certificate)
        }
        return try identity.writer.signedMessage(
            over: digest, at: store.clock.now().milliseconds / 1000, with: [issuer])
    }

    /// With which Apple takes word that a pass of this kind has changed.
    public func visitor(with certificate: PassCertificate) throws -> ClientIdentity {
        let identity = try opened(certificate)
        let all = [identity.certificate] + (certificate.issuer.map { [$0] } ?? [])
        return try ClientIdentity(certificate: all.map(\.pem).joined(), key: identity.keyPEM())
    }

    private func opened(_ certificate: PassCertificate) throws -> SigningIdentity {
        let seal = try key()
        return try store.read { desk in
            let row = try desk.row(
                "SELECT * FROM signing_identity WHERE id = \(certificate.identity.id) AND is_authority = 0")
            guard let row else {
                throw Failure(.notFound, "There is no such identity. It may have been removed.")
            }
            return try opened(row, seal)
        }
    }
}
