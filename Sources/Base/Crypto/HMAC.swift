internal import COpenSSL

/// Keyed digests (RFC 2104) and keys made from keys (RFC 5869).
public enum HMAC {
    public static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, filled in
            // A length that does not fit would be our own mistake: keys are short.
            let made = COpenSSL.HMAC(
                EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, nil)
            precondition(made != nil, "OpenSSL without HMAC")
            filled = SHA256.byteCount
        }
    }

    /// HKDF-SHA256: a key for one purpose (`info` names it) out of a secret that has enough entropy of its own.
    /// Not for passwords. At most 255 * 32 bytes (RFC 5869 §2.3).
    public static func derive(secret: [UInt8], salt: [UInt8] = [], info: String, count: Int = 32) -> [UInt8] {
        derive(secret: secret, salt: salt, info: Array(info.utf8), count: count)
    }

    public static func derive(secret: [UInt8], salt: [UInt8] = [], info: [UInt8], count: Int) -> [UInt8] {
        precondition((0...255 * SHA256.byteCount).contains(count), "HKDF gives at most 8,160 bytes")
        let extracted = sha256(
            key: salt.isEmpty ? [UInt8](repeating: 0, count: SHA256.byteCount) : salt, message: secret)
        var output: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 1
        while output.count < count {
            block = sha256(key: extracted, message: block + info + [counter])
            output += block
            counter &+= 1
        }
        return Array(output.prefix(count))
    }
}
