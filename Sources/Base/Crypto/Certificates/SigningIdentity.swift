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
    /// Writes in its name.
    public let writer: SignatureWriter

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
        let digest = try Self.digestName(for: certificate.key)
        writer = try SignatureWriter(certificate, chain: chain) { bytes in
            try Self.signature(over: bytes, digest, key)
        }
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

    private static func signature(
        over bytes: [UInt8], _ digest: String, _ key: KeyHandle
    ) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .outOfMemory }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, EVP_get_digestbyname(digest), nil, key.pointer) == 1,
            EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
        else { throw openSSLRefusal("signing") }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
            throw openSSLRefusal("signing")
        }
        return Array(signature.prefix(count))
    }
}
