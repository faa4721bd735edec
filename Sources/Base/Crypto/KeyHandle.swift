internal import COpenSSL

/// Owns one EVP_PKEY.
final class KeyHandle {
    let pointer: OpaquePointer

    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }
}

// An EVP_PKEY is never changed after it was made; using one key from several threads is documented as safe.
extension KeyHandle: @unchecked Sendable {}

/// The three signature algorithms Quire speaks, by their COSE numbers (RFC 9053 §2, RFC 8812 §2).
public enum SignatureAlgorithm: Int, Sendable, Hashable, CaseIterable {
    /// ECDSA over P-256 with SHA-256, signature in DER as WebAuthn has it.
    case es256 = -7
    /// Ed25519.
    case edDSA = -8
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = -257

    var digest: OpaquePointer? {
        self == .edDSA ? nil : EVP_sha256()
    }
}
