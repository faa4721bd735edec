import CBrotli

/// Bytes as small as Brotli makes them (RFC 7932): a sixth less than gzip does for a page's files, in fifty times its time.
/// Nil when the machine has no memory for it.
public func brotliPacked(_ bytes: [UInt8]) -> [UInt8]? {
    var size = BrotliEncoderMaxCompressedSize(bytes.count)
    guard size > 0 else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: size) { room, count in
        let isDone = BrotliEncoderCompress(
            BROTLI_MAX_QUALITY, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, bytes.count, bytes, &size,
            room.baseAddress)
        count = isDone == BROTLI_TRUE ? size : 0
    }
    return packed.isEmpty ? nil : packed
}
