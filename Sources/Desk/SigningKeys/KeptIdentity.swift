public import Access
public import Crypto
import SQL
public import Storage
public import Work

/// Somebody in whose name papers can be signed here: a certificate, and a key that never leaves the desk.
public struct KeptIdentity: Sendable, Equatable {
    public let id: ID<KeptIdentity>
    /// Whose it is; nil for those of the desk itself.
    public let member: ID<Member>?
    public let name: String
    public let certificate: X509Certificate
    /// Those above it.
    public let chain: [X509Certificate]
    public let madeAt: Moment

    init(_ row: Row) throws {
        id = try row.id("id")
        member = try row.optionalText("member_id").flatMap { ID($0) }
        name = try row.text("name")
        madeAt = try row.moment("made_at")
        let all = X509Certificate.all(pem: Array(try row.text("certificates").utf8))
        guard let first = all.first else {
            throw Failure(.damaged, "The certificate of “\(try row.text("name"))” cannot be read any more.")
        }
        certificate = first
        chain = Array(all.dropFirst())
    }

    public var pem: String { ([certificate] + chain).map(\.pem).joined() }
}

/// Somebody whose word is believed here when they vouch for others.
public struct TrustedCertificate: Sendable, Equatable {
    public let id: ID<TrustedCertificate>
    public let name: String
    public let certificate: X509Certificate
    public let madeAt: Moment

    init(id: ID<TrustedCertificate>, name: String, certificate: X509Certificate, madeAt: Moment) {
        self.id = id
        self.name = name
        self.certificate = certificate
        self.madeAt = madeAt
    }

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        madeAt = try row.moment("made_at")
        let all = X509Certificate.all(pem: Array(try row.text("certificate").utf8))
        guard let first = all.first else {
            throw Failure(.damaged, "The certificate of “\(try row.text("name"))” cannot be read any more.")
        }
        certificate = first
    }
}
