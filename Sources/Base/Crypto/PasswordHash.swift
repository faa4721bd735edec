internal import CSodium

/// Argon2id (RFC 9106) in the usual text form, `$argon2id$v=19$m=…,t=…,p=1$salt$hash`, which carries its own
/// parameters: hashes made with older costs stay good and are made anew at the next sign-in.
public enum PasswordHash {
    /// How dear one guess is.
    public struct Cost: Sendable, Hashable {
        public var passes: Int
        public var memoryBytes: Int

        public init(passes: Int, memoryBytes: Int) {
            self.passes = passes
            self.memoryBytes = memoryBytes
        }

        /// OWASP's first choice for Argon2id: 19 MiB, two passes; about 40 ms on a small server.
        public static let standard = Cost(passes: 2, memoryBytes: 19 << 20)
        /// The cheapest the algorithm allows. For tests that sign in a thousand times.
        public static let least = Cost(passes: 1, memoryBytes: 8192)
    }

    public static func make(_ password: String, cost: Cost = .standard) throws(CryptoError) -> String {
        Sodium.start()
        let secret = password.utf8.map { CChar(bitPattern: $0) }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let result = crypto_pwhash_str_alg(
            &text, secret, UInt64(secret.count), UInt64(cost.passes), cost.memoryBytes,
            crypto_pwhash_ALG_ARGON2ID13)
        // It fails only when the memory is not to be had, or for a cost outside the limits (our mistake).
        guard result == 0 else { throw .outOfMemory }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// False for anything that is not a hash of this password, a damaged hash included.
    public static func verify(_ password: String, against hash: String) -> Bool {
        Sodium.start()
        guard let stored = fixed(hash) else { return false }
        let secret = password.utf8.map { CChar(bitPattern: $0) }
        return crypto_pwhash_str_verify(stored, secret, UInt64(secret.count)) == 0
    }

    /// Whether the hash was made with another cost, and should be made anew while the password is at hand.
    public static func needsRehash(_ hash: String, cost: Cost = .standard) -> Bool {
        Sodium.start()
        guard let stored = fixed(hash) else { return true }
        return crypto_pwhash_str_needs_rehash(stored, UInt64(cost.passes), cost.memoryBytes) != 0
    }

    /// libsodium reads `crypto_pwhash_STRBYTES` bytes whatever the text's length: pad, and refuse longer ones.
    private static func fixed(_ hash: String) -> [CChar]? {
        let bytes = hash.utf8.map { CChar(bitPattern: $0) }
        let size = Int(crypto_pwhash_STRBYTES)
        guard bytes.count < size, !bytes.contains(0) else { return nil }
        return bytes + [CChar](repeating: 0, count: size - bytes.count)
    }
}
