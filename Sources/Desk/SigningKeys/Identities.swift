public import Access
import Bytes
public import Crypto
import SQL
public import Storage
import Transfer
import Work

/// In whose name papers are signed on this desk, and whom it believes.
///
/// An identity belongs to its member and signs for nobody else; somebody at the machine itself may use all of them. The
/// desk has an authority of its own, which is made with the first identity and vouches for those made here.
public struct Identities: Sendable {
    let access: Gate
    let desk: @Sendable () -> String
    let key: @Sendable () throws -> SealingKey
    var store: Store { access.store }

    /// - Parameter desk: what the desk is called.
    public init(
        _ access: Gate, desk: @escaping @Sendable () -> String,
        key: @escaping @Sendable () throws -> SealingKey
    ) {
        self.access = access
        self.desk = desk
        self.key = key
    }

    public static let most = 50
    public static let mostTrusted = 200

    // MARK: Looking

    /// One's own, the oldest first.
    public func list(by caller: Caller) throws -> [KeptIdentity] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM signing_identity WHERE is_authority = 0 AND \(Self.belonging(to: caller))
                ORDER BY made_at, id
                """
            ).map(KeptIdentity.init)
        }
    }

    public func get(_ id: ID<KeptIdentity>, by caller: Caller) throws -> KeptIdentity {
        try caller.require(.view)
        return try store.read { desk in try KeptIdentity(Self.row(id, by: caller, in: desk)) }
    }

    /// The desk's own authority; nil before anybody made an identity here.
    public func authority(by caller: Caller) throws -> KeptIdentity? {
        try caller.require(.view)
        return try store.read { desk in
            try desk.row("SELECT * FROM signing_identity WHERE is_authority = 1").map(KeptIdentity.init)
        }
    }

    public func trusted(by caller: Caller) throws -> [TrustedCertificate] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT * FROM trusted_certificate ORDER BY made_at, id").map(
                TrustedCertificate.init)
        }
    }

    /// Whom this desk believes: whom the machine does, its own authority, and those it was told of.
    public func anchors() throws -> TrustAnchors {
        try store.read { desk in
            let own = try desk.rows("SELECT * FROM signing_identity WHERE is_authority = 1")
                .map { try KeptIdentity($0).certificate }
            let told = try desk.rows("SELECT * FROM trusted_certificate").map {
                try TrustedCertificate($0).certificate
            }
            return TrustAnchors(own + told)
        }
    }

    // MARK: Making

    /// Somebody for whom this desk vouches.
    public func make(
        named name: String, mail: String = "", key kind: SigningIdentity.KeyKind = .ec, by caller: Caller
    ) throws -> KeptIdentity {
        try caller.require(.edit)
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !name.isEmpty, name.unicodeScalars.count <= 64 else {
            throw Failure(.invalid, "A name in a certificate has 1 to 64 characters.", field: "name")
        }
        let seal = try key()
        return try store.write { tx in
            let from = tx.now.milliseconds / 1000
            let authority = try authority(seal, tx)
            let made: SigningIdentity
            do throws(CryptoError) {
                made = try authority.issue(to: name, mail: mail, kind: kind, from: from)
            } catch {
                throw Failure(
                    .invalid, "This name or mail address cannot stand in a certificate.", field: "name",
                    cause: "\(error)")
            }
            return try keep(made, named: name, "identity.made", seal, by: caller, in: tx)
        }
    }

    /// Somebody for whom another authority vouches, as it hands them out (PKCS #12).
    public func take(pkcs12 bytes: [UInt8], password: String, by caller: Caller) throws -> KeptIdentity {
        try caller.require(.edit)
        let taken: SigningIdentity
        do throws(CryptoError) {
            taken = try SigningIdentity(pkcs12: bytes, password: password)
        } catch {
            switch error {
            case .badKey(let why) where why.contains("password"):
                throw Failure(.invalid, "The password does not open this file.", field: "password")
            case .badKey:
                throw Failure(
                    .invalid, "This file holds no key that papers can be signed with.", field: "file",
                    cause: "\(error)")
            default:
                throw Failure(
                    .invalid, "This is no file with a certificate and its key (.p12, .pfx).", field: "file",
                    cause: "\(error)")
            }
        }
        let seal = try key()
        return try store.write { tx in
            try keep(taken, named: taken.certificate.name, "identity.imported", seal, by: caller, in: tx)
        }
    }

    /// Nothing can be signed with it any more; what was signed stays signed.
    public func remove(_ id: ID<KeptIdentity>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let identity = try KeptIdentity(Self.row(id, by: caller, in: tx))
            try tx.run("DELETE FROM signing_identity WHERE id = \(id)")
            tx.note("identity.removed", "identity/\(id)", by: caller.actor, ["name": .string(identity.name)])
        }
    }

    private func keep(
        _ identity: SigningIdentity, named name: String, _ verb: String, _ seal: SealingKey,
        by caller: Caller,
        in tx: borrowing Transaction
    ) throws -> KeptIdentity {
        let member = try caller.memberID ?? Self.firstOwner(in: tx)
        let count =
            try tx.row("SELECT count(*) AS n FROM signing_identity WHERE is_authority = 0")?.int("n") ?? 0
        guard count < Self.most else {
            throw Failure(.tooMany, "There are \(Self.most) identities already, as many as can be.")
        }
        let id = try put(identity, named: name, of: member, isAuthority: false, seal, tx)
        tx.note(
            verb, "identity/\(id)", by: caller.actor,
            ["name": .string(name), "issuer": .string(identity.certificate.issuerName)])
        return try KeptIdentity(Self.row(id, by: caller, in: tx))
    }

    private func put(
        _ identity: SigningIdentity, named name: String, of member: ID<Member>?, isAuthority: Bool,
        _ seal: SealingKey, _ tx: borrowing Transaction
    ) throws -> ID<KeptIdentity> {
        let id = tx.newID(of: KeptIdentity.self)
        let sealed = seal.seal(Array(try identity.keyPEM().utf8), for: Self.place(id))
        let certificates = ([identity.certificate] + identity.chain).map(\.pem).joined()
        try tx.run(
            """
            INSERT INTO signing_identity (id, member_id, name, certificates, sealed, is_authority, made_at)
            VALUES (\(id), \(member), \(name), \(certificates), \(sealed), \(isAuthority ? 1 : 0), \(tx.now))
            """)
        return id
    }

    private func authority(_ seal: SealingKey, _ tx: borrowing Transaction) throws -> SigningIdentity {
        if let row = try tx.row("SELECT * FROM signing_identity WHERE is_authority = 1") {
            return try opened(row, seal)
        }
        let name = String("Authority of \(desk())".unicodeScalars.prefix(64))
        let made = try SigningIdentity.authority(named: name, from: tx.now.milliseconds / 1000)
        _ = try put(made, named: name, of: nil, isAuthority: true, seal, tx)
        return made
    }

    // MARK: Trusting

    /// Believes from now on whom these certificates name.
    public func trust(pem: [UInt8], by caller: Caller) throws -> [TrustedCertificate] {
        try caller.require(.administer)
        var found = X509Certificate.all(pem: pem)
        if found.isEmpty, let one = try? X509Certificate(der: pem) { found = [one] }
        guard !found.isEmpty else {
            throw Failure(.invalid, "This file holds no certificate.", field: "certificate")
        }
        return try store.write { tx in
            let count = try tx.row("SELECT count(*) AS n FROM trusted_certificate")?.int("n") ?? 0
            guard Int(count) + found.count <= Self.mostTrusted else {
                throw Failure(
                    .tooMany, "There are \(Self.mostTrusted) trusted certificates already, as many as can be."
                )
            }
            return try found.map { certificate in
                let fingerprint = Hex.encode(certificate.fingerprint)
                let known = try tx.row("SELECT * FROM trusted_certificate WHERE fingerprint = \(fingerprint)")
                if let known { return try TrustedCertificate(known) }
                let id = tx.newID(of: TrustedCertificate.self)
                try tx.run(
                    """
                    INSERT INTO trusted_certificate (id, name, certificate, fingerprint, made_at)
                    VALUES (\(id), \(certificate.name), \(certificate.pem), \(fingerprint), \(tx.now))
                    """)
                tx.note(
                    "identity.trusted", "trusted-certificate/\(id)", by: caller.actor,
                    ["name": .string(certificate.name)])
                return TrustedCertificate(
                    id: id, name: certificate.name, certificate: certificate, madeAt: tx.now)
            }
        }
    }

    public func distrust(_ id: ID<TrustedCertificate>, by caller: Caller) throws {
        try caller.require(.administer)
        try store.write { tx in
            guard let row = try tx.row("SELECT * FROM trusted_certificate WHERE id = \(id)") else {
                throw Failure(.notFound, "There is no such certificate. It may have been removed.")
            }
            let name = try row.text("name")
            try tx.run("DELETE FROM trusted_certificate WHERE id = \(id)")
            tx.note(
                "identity.distrusted", "trusted-certificate/\(id)", by: caller.actor, ["name": .string(name)])
        }
    }

    // MARK: -

    private static func place(_ id: ID<KeptIdentity>) -> String { "signing-identity/\(id)" }

    func opened(_ id: ID<KeptIdentity>, by caller: Caller) throws -> SigningIdentity {
        let seal = try key()
        return try store.read { desk in try opened(Self.row(id, by: caller, in: desk), seal) }
    }

    func opened(_ row: Row, _ seal: SealingKey) throws -> SigningIdentity {
        let kept = try KeptIdentity(row)
        guard let key = seal.open(try row.blob("sealed"), for: Self.place(kept.id)) else {
            throw Failure(
                .damaged,
                "The key of “\(kept.name)” cannot be opened with this desk's key. Restore both from one backup."
            )
        }
        return try SigningIdentity(keyPEM: key, certificate: kept.certificate, chain: kept.chain)
    }

    private static func row(
        _ id: ID<KeptIdentity>, by caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Row {
        let row = try desk.row(
            "SELECT * FROM signing_identity WHERE id = \(id) AND is_authority = 0 AND \(belonging(to: caller))"
        )
        guard let row else {
            throw Failure(.notFound, "There is no such identity. It may have been removed.")
        }
        return row
    }

    private static func belonging(to caller: Caller) -> Query {
        // Somebody at the machine itself, or a token that was made there.
        guard let member = caller.memberID else { return "1 = 1" }
        let orphans: Query = caller.role == .owner ? " OR member_id IS NULL" : ""
        return "(member_id = \(member)\(orphans))"
    }

    static func firstOwner(
        in desk: borrowing some Readable & ~Copyable
    ) throws -> ID<Member>? {
        try desk.row("SELECT id FROM member WHERE role = 'owner' ORDER BY joined_at, id LIMIT 1").map {
            try $0.id("id")
        }
    }
}
