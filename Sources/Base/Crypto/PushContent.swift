internal import COpenSSL

/// What the push service of a browser carries and cannot read (RFC 8291): one record of RFC 8188, for the browser that asked for it.
public enum PushContent {
    /// What services take at least, with all that stands around it.
    public static let mostBytes = 4_096 - headerCount - tagCount - 1

    private static let headerCount = 16 + 4 + 1 + 65
    private static let tagCount = 16

    /// - Parameters:
    ///   - secret: 16 bytes that the browser made for it.
    ///   - salt: 16 bytes by chance, and `own` a key by chance: each is used once.
    public static func sealed(
        _ text: [UInt8], for browser: PublicKey, secret: [UInt8], salt: [UInt8], own: PrivateKey
    ) throws(CryptoError) -> [UInt8] {
        precondition(text.count <= mostBytes && salt.count == 16, "one record, with a salt of 16 bytes")
        let (theirs, ours) = (browser.point, own.publicKey.point)
        guard theirs.count == 65, ours.count == 65 else { throw .badKey("it is no point on P-256") }
        let shared = HMAC.derive(
            secret: try own.agreement(with: browser), salt: secret,
            info: Array("WebPush: info\0".utf8) + theirs + ours, count: 32)
        let key = HMAC.derive(
            secret: shared, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
        let nonce = HMAC.derive(
            secret: shared, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), count: 12)
        // Two ends the last record.
        let record = try encrypted(text + [2], key, nonce)
        return salt + [0, 0, 0x10, 0, UInt8(ours.count)] + ours + record
    }

    /// AES-128 in GCM mode, the tag behind.
    private static func encrypted(
        _ bytes: [UInt8], _ key: [UInt8], _ nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_CIPHER_CTX_new() else { throw .outOfMemory }
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: bytes.count + tagCount)
        var count: Int32 = 0
        var rest: Int32 = 0
        var tag = [UInt8](repeating: 0, count: tagCount)
        guard EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(context, &sealed, &count, bytes, Int32(bytes.count)) == 1,
            EVP_EncryptFinal_ex(context, &tag, &rest) == 1, rest == 0, Int(count) == bytes.count,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), &tag) == 1
        else { throw openSSLRefusal("sealing a word for a browser") }
        sealed.replaceSubrange(bytes.count..., with: tag)
        return sealed
    }
}
