internal import COpenSSL

/// AES with a key of 32 bytes, in CBC mode (FIPS 197, SP 800-38A). It hides and does not notice changes: for file
/// formats that ask for it. Our own secrets are kept with `SealingKey`.
public struct AES256: ~Copyable {
    public static let blockByteCount = 16

    private let context: OpaquePointer

    public init(key: [UInt8]) {
        precondition(key.count == 32, "an AES-256 key has 32 bytes")
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        self.context = context
        let begun = EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), nil, key, nil)
        precondition(begun == 1, "OpenSSL without AES")
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// How long so many bytes get by padding (PKCS #7).
    public static func paddedByteCount(_ count: Int) -> Int { (count / blockByteCount + 1) * blockByteCount }

    /// Fills `target`, which has room for the padded bytes.
    public mutating func encryptPadded(
        _ bytes: UnsafeRawBufferPointer, vector: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(target.count >= Self.paddedByteCount(bytes.count), "no room for the padding")
        run(bytes, vector, target, isPadded: true)
    }

    /// Whole blocks as they are; the vector is zeros unless one is given.
    public mutating func encryptBlocks(
        _ bytes: [UInt8], vector: [UInt8] = [UInt8](repeating: 0, count: 16)
    ) -> [UInt8] {
        precondition(bytes.count % Self.blockByteCount == 0, "only whole blocks")
        // One block more than comes out: OpenSSL may use it while it works.
        let room = bytes.count + Self.blockByteCount
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            bytes.withUnsafeBytes { source in
                vector.withUnsafeBytes { vector in
                    run(source, vector, UnsafeMutableRawBufferPointer(buffer), isPadded: false)
                }
            }
            count = bytes.count
        }
    }

    private func run(
        _ bytes: UnsafeRawBufferPointer, _ vector: UnsafeRawBufferPointer,
        _ target: UnsafeMutableRawBufferPointer, isPadded: Bool
    ) {
        precondition(vector.count == Self.blockByteCount, "a vector is one block")
        let start = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        EVP_EncryptInit_ex(context, nil, nil, nil, vector.baseAddress?.assumingMemoryBound(to: UInt8.self))
        EVP_CIPHER_CTX_set_padding(context, isPadded ? 1 : 0)
        var made = 0
        var left = bytes
        repeat {
            // OpenSSL counts in 32 bits.
            let step = min(left.count, 1 << 30)
            var count: Int32 = 0
            let isDone = EVP_EncryptUpdate(
                context, start.map { $0 + made }, &count,
                left.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(step))
            precondition(isDone == 1, "AES cannot refuse bytes")
            made += Int(count)
            left = UnsafeRawBufferPointer(rebasing: left[step...])
        } while !left.isEmpty
        var count: Int32 = 0
        let isDone = EVP_EncryptFinal_ex(context, start.map { $0 + made }, &count)
        precondition(isDone == 1, "AES cannot refuse to end")
    }
}

// The context belongs to one value, which cannot be copied: whoever holds the value holds the context alone.
extension AES256: @unchecked Sendable {}
