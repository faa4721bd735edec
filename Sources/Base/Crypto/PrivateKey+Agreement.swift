internal import COpenSSL

extension PrivateKey {
    /// A key as `pem()` wrote it.
    public init(pem: String) throws(CryptoError) {
        guard let key = KeyHandle(PEM.privateKey(Array(pem.utf8))) else {
            throw openSSLRefusal("reading a key")
        }
        let algorithm: SignatureAlgorithm
        switch EVP_PKEY_get_base_id(key.pointer) {
        case EVP_PKEY_EC: algorithm = .es256
        case EVP_PKEY_RSA: algorithm = .rs256
        case EVP_PKEY_ED25519: algorithm = .edDSA
        default: throw .badKey("this kind of key is not used here")
        }
        try self.init(key, algorithm)
    }

    /// What the owners of both keys can work out, and nobody else (ECDH on P-256).
    public func agreement(with other: PublicKey) throws(CryptoError) -> [UInt8] {
        defer { forgetOpenSSLErrors() }
        guard let context = EVP_PKEY_CTX_new(key.pointer, nil) else { throw .outOfMemory }
        defer { EVP_PKEY_CTX_free(context) }
        var count = 0
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other.key.pointer) == 1,
            EVP_PKEY_derive(context, nil, &count) == 1
        else { throw openSSLRefusal("agreeing on a secret") }
        var secret = [UInt8](repeating: 0, count: count)
        guard EVP_PKEY_derive(context, &secret, &count) == 1 else {
            throw openSSLRefusal("agreeing on a secret")
        }
        return Array(secret.prefix(count))
    }

    /// A signature as two numbers of 32 bytes, as JSON web tokens have it (RFC 7518 §3.4); for ES256 alone.
    public func webSignature(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let der = try sign(message)
        var numbers: [UInt8] = []
        var place = 2
        for _ in 0..<2 {
            guard place + 1 < der.count, der[place] == 2, place + 2 + Int(der[place + 1]) <= der.count else {
                throw .badKey("it makes no such signature")
            }
            let number = der[place + 2..<place + 2 + Int(der[place + 1])].drop { $0 == 0 }
            guard number.count <= 32 else { throw .badKey("it makes no such signature") }
            numbers += [UInt8](repeating: 0, count: 32 - number.count) + number
            place += 2 + Int(der[place + 1])
        }
        return numbers
    }
}
