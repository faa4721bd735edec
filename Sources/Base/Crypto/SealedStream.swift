internal import CSodium

/// Bytes of any length sealed piece by piece (XChaCha20-Poly1305, libsodium's secretstream): none can be changed, left
/// out, put elsewhere or taken from the end without being noticed.
///
/// Like a sealed secret it opens only for the place it was sealed for.
public struct SealingStream: ~Copyable {
    public static let pieceCount = 64 << 10

    private var state: crypto_secretstream_xchacha20poly1305_state
    private let context: [UInt8]
    /// Stands before the first piece.
    public let head: [UInt8]

    private init(
        _ state: crypto_secretstream_xchacha20poly1305_state, _ context: [UInt8], _ head: [UInt8]
    ) {
        self.state = state
        self.context = context
        self.head = head
    }

    /// - Parameter key: 32 bytes.
    public init(key: [UInt8], for place: String) throws(CryptoError) {
        guard key.count == SealingKey.byteCount else { throw .badKey("a sealing key has 32 bytes") }
        Sodium.start()
        var state = crypto_secretstream_xchacha20poly1305_state()
        var head = [UInt8](repeating: 0, count: Self.headCount)
        crypto_secretstream_xchacha20poly1305_init_push(&state, &head, key)
        self.init(state, Array(place.utf8), head)
    }

    /// At most `pieceCount` bytes; all but the last have exactly that many.
    public mutating func seal(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: piece.count + Self.tagCount)
        crypto_secretstream_xchacha20poly1305_push(
            &state, &sealed, nil, piece, UInt64(piece.count), context, UInt64(context.count),
            isLast ? Self.final : 0)
        return sealed
    }

    public static let headCount = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
    /// How much longer a sealed piece is.
    public static let tagCount = Int(crypto_secretstream_xchacha20poly1305_ABYTES)
    /// `crypto_secretstream_xchacha20poly1305_TAG_FINAL`, a macro with a cast.
    static let final = UInt8(crypto_secretstream_xchacha20poly1305_tag_final())
}

/// Opens what `SealingStream` sealed.
public struct OpeningStream: ~Copyable {
    private var state: crypto_secretstream_xchacha20poly1305_state
    private let context: [UInt8]

    private init(_ state: crypto_secretstream_xchacha20poly1305_state, _ context: [UInt8]) {
        self.state = state
        self.context = context
    }

    /// Throws for a head that is none.
    public init(key: [UInt8], for place: String, head: [UInt8]) throws(CryptoError) {
        guard key.count == SealingKey.byteCount, head.count == SealingStream.headCount else {
            throw .badKey("a sealing key has 32 bytes, and a head \(SealingStream.headCount)")
        }
        Sodium.start()
        var state = crypto_secretstream_xchacha20poly1305_state()
        guard crypto_secretstream_xchacha20poly1305_init_pull(&state, head, key) == 0 else {
            throw .badKey("this is no head of a sealed stream")
        }
        self.init(state, Array(place.utf8))
    }

    /// Nil when the piece was changed, is out of its order or for another place.
    public mutating func open(_ sealed: [UInt8]) -> (piece: [UInt8], isLast: Bool)? {
        guard sealed.count >= SealingStream.tagCount else { return nil }
        var piece = [UInt8](repeating: 0, count: sealed.count - SealingStream.tagCount)
        var tag: UInt8 = 0
        let result = crypto_secretstream_xchacha20poly1305_pull(
            &state, &piece, nil, &tag, sealed, UInt64(sealed.count), context, UInt64(context.count))
        return result == 0 ? (piece, tag == SealingStream.final) : nil
    }
}

extension PasswordHash {
    /// A key out of a passphrase (Argon2id): the same for the same passphrase, salt and cost. The salt has 16 bytes.
    public static func key(
        _ passphrase: String, salt: [UInt8], cost: Cost, count: Int = SealingKey.byteCount
    ) throws(CryptoError) -> [UInt8] {
        guard salt.count == Int(crypto_pwhash_SALTBYTES) else { throw .badKey("a salt has 16 bytes") }
        Sodium.start()
        let secret = passphrase.utf8.map { CChar(bitPattern: $0) }
        var key = [UInt8](repeating: 0, count: count)
        let result = crypto_pwhash(
            &key, UInt64(count), secret, UInt64(secret.count), salt, UInt64(cost.passes), cost.memoryBytes,
            crypto_pwhash_ALG_ARGON2ID13)
        guard result == 0 else { throw .outOfMemory }
        return key
    }
}
