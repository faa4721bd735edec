internal import COpenSSL

/// A key that signs: for certificates, licences, and the software passkeys of our tests.
public struct PrivateKey: Sendable {
    public let algorithm: SignatureAlgorithm
    public let publicKey: PublicKey
    let key: KeyHandle

    /// A new key. RSA ones have 2048 bits and take a while.
    public static func make(_ algorithm: SignatureAlgorithm) throws(CryptoError) -> PrivateKey {
        let made =
            switch algorithm {
            case .es256: quire_openssl_make_ec_key()
            case .rs256: quire_openssl_make_rsa_key(2048)
            case .edDSA: quire_openssl_make_ed25519_key()
            }
        guard let key = KeyHandle(made) else { throw openSSLRefusal("making a key") }
        return try PrivateKey(key, algorithm)
    }

    /// An Ed25519 key from its seed (RFC 8032 §5.1.5).
    public init(ed25519Seed seed: [UInt8]) throws(CryptoError) {
        guard seed.count == 32 else { throw .badKey("an Ed25519 seed has 32 bytes") }
        guard let key = KeyHandle(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, 32)) else {
            throw openSSLRefusal("reading an Ed25519 seed")
        }
        try self.init(key, .edDSA)
    }

    init(_ key: KeyHandle, _ algorithm: SignatureAlgorithm) throws(CryptoError) {
        self.key = key
        self.algorithm = algorithm
        switch algorithm {
        case .es256:
            let point = key.octets(OSSL_PKEY_PARAM_PUB_KEY)
            guard point.count == 65, point[0] == 4 else { throw .badKey("the point is not uncompressed") }
            publicKey = try PublicKey(es256X: Array(point[1..<33]), y: Array(point[33...]))
        case .rs256:
            publicKey = try PublicKey(
                rs256Modulus: key.number(OSSL_PKEY_PARAM_RSA_N), exponent: key.number(OSSL_PKEY_PARAM_RSA_E))
        case .edDSA:
            publicKey = try PublicKey(ed25519: key.octets(OSSL_PKEY_PARAM_PUB_KEY))
        }
    }

    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .outOfMemory }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, algorithm.digest, nil, key.pointer) == 1,
            EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { throw openSSLRefusal("signing") }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            throw openSSLRefusal("signing")
        }
        return Array(signature.prefix(count))
    }

    /// PKCS #8 as PEM, unencrypted: for a file only its owner may read.
    public func pem() throws(CryptoError) -> String {
        try PEM.text("writing a key") {
            PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil)
        }
    }
}

extension KeyHandle {
    fileprivate func octets(_ name: String) -> [UInt8] {
        var count = 0
        guard EVP_PKEY_get_octet_string_param(pointer, name, nil, 0, &count) == 1, count > 0 else {
            forgetOpenSSLErrors()
            return []
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard EVP_PKEY_get_octet_string_param(pointer, name, &bytes, bytes.count, &count) == 1 else {
            forgetOpenSSLErrors()
            return []
        }
        return Array(bytes.prefix(count))
    }

    fileprivate func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        defer { BN_free(number) }
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else {
            forgetOpenSSLErrors()
            return []
        }
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }
}

/// What OpenSSL reads and writes as text.
enum PEM {
    /// PKCS #8 or older, without a password.
    static func privateKey(_ text: [UInt8]) -> OpaquePointer? {
        // What is read from keeps the place of the bytes, not the bytes.
        text.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return nil
            }
            defer { BIO_free(bio) }
            // An empty password, so that nobody is asked at a terminal.
            var nothing = [CChar](repeating: 0, count: 1)
            return PEM_read_bio_PrivateKey(bio, nil, nil, &nothing)
        }
    }

    static func text(_ doing: String, _ write: (OpaquePointer) -> Int32) throws(CryptoError) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw .outOfMemory }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { throw openSSLRefusal(doing) }
        var start: UnsafeMutablePointer<CChar>?
        let count = quire_openssl_bio_bytes(bio, &start)
        guard count > 0, let start else { throw .refused(doing) }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
        return String(decoding: bytes, as: UTF8.self)
    }
}
