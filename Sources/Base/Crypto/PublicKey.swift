internal import COpenSSL

/// A key that checks signatures: a passkey's, a licence maker's. Making one checks that it is a key at all.
public struct PublicKey: Sendable {
    public let algorithm: SignatureAlgorithm
    /// The numbers the key is made of, in the order COSE lists them: `x, y` or `n, e` or the 32 bytes.
    let numbers: [[UInt8]]
    let key: KeyHandle

    /// ES256: an uncompressed point on P-256, 32 bytes each.
    public init(es256X x: [UInt8], y: [UInt8]) throws(CryptoError) {
        guard x.count == 32, y.count == 32 else { throw .badKey("a P-256 point has two numbers of 32 bytes") }
        let parts = KeyParameters()
        parts.add(.group, text: "P-256")
        parts.add(.point, octets: [4] + x + y)
        (algorithm, numbers, key) = (.es256, [x, y], try parts.publicKey("EC"))
    }

    /// The same point as it is written in one piece (SEC 1 §2.3.3).
    public init(es256Point point: [UInt8]) throws(CryptoError) {
        guard point.count == 65, point[0] == 4 else { throw .badKey("a P-256 point has 65 bytes") }
        try self.init(es256X: Array(point[1..<33]), y: Array(point[33...]))
    }

    /// Empty for keys that are no points.
    public var point: [UInt8] { algorithm == .es256 ? [4] + numbers[0] + numbers[1] : [] }

    /// RS256: 2048 to 8192 bits; larger ones only serve to keep us busy.
    public init(rs256Modulus n: [UInt8], exponent e: [UInt8]) throws(CryptoError) {
        let modulus = Array(n.drop { $0 == 0 })
        let exponent = Array(e.drop { $0 == 0 })
        guard (256...1024).contains(modulus.count), modulus.count > 256 || modulus[0] >= 0x80,
            modulus[modulus.count - 1] & 1 == 1
        else { throw .badKey("an RSA modulus has 2048 to 8192 bits and is odd") }
        guard (1...4).contains(exponent.count), exponent[exponent.count - 1] & 1 == 1, exponent != [1] else {
            throw .badKey("an RSA exponent is odd, more than 1 and has at most 32 bits")
        }
        let parts = KeyParameters()
        parts.add(.modulus, number: modulus)
        parts.add(.exponent, number: exponent)
        (algorithm, numbers, key) = (.rs256, [modulus, exponent], try parts.publicKey("RSA"))
    }

    public init(ed25519 bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == 32 else { throw .badKey("an Ed25519 key has 32 bytes") }
        guard let key = KeyHandle(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, 32)) else {
            throw openSSLRefusal("reading an Ed25519 key")
        }
        (algorithm, numbers, self.key) = (.edDSA, [bytes], key)
    }

    /// Whether this key's owner signed exactly these bytes.
    public func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        defer { forgetOpenSSLErrors() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, algorithm.digest, nil, key.pointer) == 1 else {
            return false
        }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// SubjectPublicKeyInfo as DER, as `openssl pkey -pubin` reads it.
    public var der: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key.pointer, &start)
        defer { CRYPTO_free(start, nil, 0) }
        guard count > 0, let start else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}

extension PublicKey: Hashable {
    public static func == (a: PublicKey, b: PublicKey) -> Bool {
        a.algorithm == b.algorithm && a.numbers == b.numbers
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(numbers)
    }
}
