internal import COpenSSL

/// Writes signatures as CMS has them (RFC 5652), with a key that lies here or in something that lets it be used alone.
public struct SignatureWriter: Sendable {
    /// What a token is given, which knows keys and no certificates.
    public enum Order: Sendable, Equatable {
        /// The digest; the answer is two numbers of the same length, one behind the other (ECDSA).
        case elliptic(digest: [UInt8])
        /// The digest with the name of its method before it (RFC 8017 §9.2); the answer is as long as the key.
        case rsa(named: [UInt8])
    }

    public let certificate: X509Certificate
    public let chain: [X509Certificate]
    private let method: Method
    private let sign: @Sendable ([UInt8]) throws -> [UInt8]

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

    init(
        _ certificate: X509Certificate, chain: [X509Certificate],
        sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) throws(CryptoError) {
        self.certificate = certificate
        self.chain = chain
        self.sign = sign
        method = try Method(certificate.key)
    }

    /// - Parameter token: signs what it is given with the key of the certificate.
    public init(
        _ certificate: X509Certificate, chain: [X509Certificate] = [],
        token: @escaping @Sendable (Order) throws -> [UInt8]
    ) throws(CryptoError) {
        let method = try Method(certificate.key)
        try self.init(certificate, chain: chain) { bytes in
            let digest = try bytes.withUnsafeBytes { try SigningIdentity.digest([$0], for: certificate) }
            guard !method.hasNull else {
                return try token(
                    .rsa(
                        named: DER.sequence(
                            DER.sequence(method.digestIdentifier, DER.null), DER.octets(digest))))
            }
            let numbers = try token(.elliptic(digest: digest))
            let half = numbers.count / 2
            guard half > 0, numbers.count == half * 2 else {
                throw CryptoError.refused("the token gave no signature")
            }
            return DER.sequence(
                DER.positive(Array(numbers[..<half])), DER.positive(Array(numbers[half...])))
        }
    }

    /// How many bytes the digest has that is signed.
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
}
