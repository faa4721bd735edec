internal import CSodium

/// Keeps secrets at rest (a mail password, for example) unreadable in the database and its backups. The key lies
/// in a file of its own that only the owner may read.
///
/// Each secret is sealed for a named place and opens only for that place, so whoever can write to the database
/// cannot move a sealed secret to where it would be used otherwise. XChaCha20-Poly1305, a random nonce each time.
public struct SealingKey: Sendable {
    private let bytes: [UInt8]

    /// - Parameter bytes: 32 of them.
    public init(bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == Self.byteCount else { throw .badKey("a sealing key has 32 bytes") }
        Sodium.start()
        self.bytes = bytes
    }

    public func seal(_ secret: [UInt8], for place: String) -> [UInt8] {
        let nonce = SecureRandom.bytes(Self.nonceCount)
        let context = Array(place.utf8)
        var sealed = [UInt8](repeating: 0, count: secret.count + Self.tagCount)
        // This call cannot fail; the length it reports is always message + tag.
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, secret, UInt64(secret.count), context, UInt64(context.count), nil, nonce, bytes)
        return [Self.form] + nonce + sealed
    }

    /// Nil when it was changed, sealed with another key or for another place.
    public func open(_ sealed: [UInt8], for place: String) -> [UInt8]? {
        let lead = 1 + Self.nonceCount
        guard sealed.count >= lead + Self.tagCount, sealed[0] == Self.form else { return nil }
        let context = Array(place.utf8)
        let nonce = Array(sealed[1..<lead])
        let body = Array(sealed[lead...])
        var secret = [UInt8](repeating: 0, count: body.count - Self.tagCount)
        let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &secret, nil, nil, body, UInt64(body.count), context, UInt64(context.count), nonce, bytes)
        return result == 0 ? secret : nil
    }

    public static let byteCount = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
    private static let nonceCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tagCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    /// The first byte of everything sealed, so that another cipher can follow one day.
    private static let form: UInt8 = 1
}
