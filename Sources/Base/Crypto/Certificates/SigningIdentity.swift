internal import COpenSSL

/// A key and the certificate that says whose it is: what somebody signs papers with.
public struct SigningIdentity: Sendable {
    public enum KeyKind: String, Sendable, CaseIterable {
        /// Elliptic, over P-256: short and quick.
        case ec
        /// 3072 bits, for those who check with old programs.
        case rsa
    }

    public let certificate: X509Certificate
    /// Those above it, as far as they came with it.
    public let chain: [X509Certificate]
    let key: KeyHandle
    private let method: Method

    private struct Method: Sendable {
        var digest: String
        var digestIdentifier: [UInt8]
        var signatureIdentifier: [UInt8]
        var hasNull: Bool

        init(_ key: X509Certificate.Key) throws(CryptoError) {
            let digest = try SigningIdentity.digestName(for: key)
            let size = ["sha256", "sha384", "sha512"].firstIndex(of: digest) ?? 0
            if case .rsa = key { hasNull = true } else { hasNull = false }
            self.digest = digest
            digestIdentifier = DER.identifier(2, 16, 840, 1, 101, 3, 4, 2, size + 1)
            signatureIdentifier =
                hasNull
                ? DER.identifier(1, 2, 840, 113549, 1, 1, 11 + size)
                : DER.identifier(1, 2, 840, 10045, 4, 3, 2 + size)
        }
    }

    /// The digest that goes with a key, as strong as it.
    static func digestName(for key: X509Certificate.Key) throws(CryptoError) -> String {
        switch key {
        case .rsa(let bits) where bits >= 2048: return "sha256"
        case .rsa: throw .badKey("an RSA key below 2048 bits signs nothing any more")
        case .elliptic(let bits) where bits >= 256:
            return bits <= 256 ? "sha256" : bits <= 384 ? "sha384" : "sha512"
        default: throw .badKey("papers are signed with RSA keys and with elliptic keys")
        }
    }

    init(_ key: KeyHandle, _ certificate: X509Certificate, chain: [X509Certificate]) throws(CryptoError) {
        guard X509_check_private_key(certificate.handle.pointer, key.pointer) == 1 else {
            forgetOpenSSLErrors()
            throw .badKey("the key is not the one of the certificate")
        }
        self.key = key
        self.certificate = certificate
        self.chain = chain
        method = try Method(certificate.key)
    }

    /// - Parameter keyPEM: PKCS #8 or older, without a password.
    public init(
        keyPEM: [UInt8], certificate: X509Certificate, chain: [X509Certificate] = []
    ) throws(CryptoError) {
        guard let key = KeyHandle(PEM.privateKey(keyPEM)) else { throw openSSLRefusal("reading a key") }
        try self.init(key, certificate, chain: chain)
    }

    /// PKCS #8 as PEM, unencrypted: to be sealed at once.
    public func keyPEM() throws(CryptoError) -> String {
        try PEM.text("writing a key") {
            PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil)
        }
    }

    // MARK: Signing

    /// The digest that is signed with the key of a certificate, of pieces one behind the other. Who makes it needs no key.
    public static func digest(
        _ pieces: [UnsafeRawBufferPointer], for certificate: X509Certificate
    ) throws(CryptoError) -> [UInt8] {
        let name = try digestName(for: certificate.key)
        guard let digest = EVP_get_digestbyname(name).flatMap({ SignedMessage.digest(pieces, $0) })
        else { throw openSSLRefusal("making a digest") }
        return digest
    }

    /// How many bytes that digest has.
    public var digestByteCount: Int { method.digest == "sha256" ? 32 : method.digest == "sha384" ? 48 : 64 }

    /// A signature as PAdES wants it (ETSI EN 319 142-1 §6.3): over a digest, naming its certificate, without a time of its own.
    /// - Parameter stamp: given the signature's value, gets a time stamp for it.
    public func signedMessage(
        over digest: [UInt8], stamp: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> [UInt8] {
        // SHA-256 is understood where no other is named (RFC 5035 §4).
        let named = Self.attribute(
            DER.identifier(1, 2, 840, 113549, 1, 9, 16, 2, 47),
            DER.sequence(DER.sequence(DER.sequence(DER.octets(certificate.fingerprint)))))
        return try signedMessage(over: digest, saying: named, with: chain, stamp: stamp)
    }

    /// A signature as CMS has had it from its beginning (RFC 5652 §11.3): over a digest, saying when it was made.
    /// - Parameter seconds: since 1970.
    public func signedMessage(
        over digest: [UInt8], at seconds: Int64, with others: [X509Certificate]
    ) throws -> [UInt8] {
        let time = Self.attribute(DER.identifier(1, 2, 840, 113549, 1, 9, 5), DER.time(seconds))
        return try signedMessage(over: digest, saying: time, with: others, stamp: nil)
    }

    private func signedMessage(
        over digest: [UInt8], saying more: [UInt8], with others: [X509Certificate],
        stamp: (([UInt8]) throws -> [UInt8])?
    ) throws -> [UInt8] {
        let digestAlgorithm = DER.sequence(method.digestIdentifier)
        let attributes = [
            Self.attribute(DER.identifier(1, 2, 840, 113549, 1, 9, 3), Self.dataIdentifier),
            Self.attribute(DER.identifier(1, 2, 840, 113549, 1, 9, 4), DER.octets(digest)), more,
        ]
        let signed = DER.set(attributes)
        let signature = try sign(signed)
        var signer =
            DER.integer(1)
            + DER.sequence(
                X509Certificate.encoded {
                    i2d_X509_NAME(X509_get_issuer_name(certificate.handle.pointer), $0)
                },
                X509Certificate.encoded {
                    i2d_ASN1_INTEGER(X509_get0_serialNumber(certificate.handle.pointer), $0)
                })
            + digestAlgorithm + [0xA0] + signed.dropFirst()
            + DER.sequence(method.signatureIdentifier, method.hasNull ? DER.null : [])
            + DER.octets(signature)
        if let stamp {
            let token = try stamp(signature)
            signer += DER.tagged(
                0xA1, Self.attribute(DER.identifier(1, 2, 840, 113549, 1, 9, 16, 2, 14), token))
        }
        var seen: Set<[UInt8]> = []
        let certificates = ([certificate] + others).map(\.der).filter { seen.insert($0).inserted }
        return DER.sequence(
            DER.identifier(1, 2, 840, 113549, 1, 7, 2),
            DER.tagged(
                0xA0,
                DER.sequence(
                    DER.integer(1), DER.set([digestAlgorithm]), DER.sequence(Self.dataIdentifier),
                    DER.tagged(
                        0xA0, certificates.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }),
                    DER.set([DER.tagged(0x30, signer)]))))
    }

    private static let dataIdentifier = DER.identifier(1, 2, 840, 113549, 1, 7, 1)

    private static func attribute(_ identifier: [UInt8], _ value: [UInt8]) -> [UInt8] {
        DER.sequence(identifier, DER.set([value]))
    }

    private func sign(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .outOfMemory }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, EVP_get_digestbyname(method.digest), nil, key.pointer) == 1,
            EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
        else { throw openSSLRefusal("signing") }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
            throw openSSLRefusal("signing")
        }
        return Array(signature.prefix(count))
    }
}
