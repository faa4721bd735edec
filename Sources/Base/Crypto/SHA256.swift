internal import COpenSSL

/// SHA-256 (FIPS 180-4) of something held in memory. Files go through `SHA256Stream`.
public enum SHA256 {
    public static let byteCount = 32

    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { hash($0) }
    }

    public static func hash(_ text: String) -> [UInt8] {
        hash(Array(text.utf8))
    }

    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var stream = SHA256Stream()
        stream.update(bytes)
        return stream.finish()
    }
}

/// SHA-256 of bytes that come in pieces.
///
///     var stream = SHA256Stream()
///     stream.update(piece)
///     let digest = stream.finish()
///
/// `finish` leaves the stream as it was when new.
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    public init() {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        self.context = context
        start()
    }

    /// Goes on where the other stands, which stays as it is: for many texts with the same beginning.
    public init(copying other: borrowing SHA256Stream) {
        guard let context = EVP_MD_CTX_new(), EVP_MD_CTX_copy_ex(context, other.context) == 1 else {
            preconditionFailure("no memory for a digest")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        let done = EVP_DigestUpdate(context, start, bytes.count)
        precondition(done == 1, "SHA-256 cannot refuse bytes")
    }

    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    public mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { update($0) }
    }

    public mutating func finish() -> [UInt8] {
        let digest = [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, filled in
            let done = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(done == 1, "SHA-256 cannot refuse to end")
            filled = SHA256.byteCount
        }
        start()
        return digest
    }

    private func start() {
        let done = EVP_DigestInit_ex(context, EVP_sha256(), nil)
        precondition(done == 1, "OpenSSL without SHA-256")
    }
}

// The context belongs to one value, which cannot be copied: whoever holds the value holds the context alone.
extension SHA256Stream: @unchecked Sendable {}
