import Synchronization

/// Bytes that never change while the program runs, such as a style sheet: compressed at the first wish and kept.
public final class FixedBytes: Sendable {
    public let bytes: [UInt8]
    public let mediaType: MediaType
    public let tag: ETag
    private let compressed = Mutex<[UInt8]?>(nil)

    public init(_ bytes: [UInt8], _ mediaType: MediaType, tag: ETag) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.tag = tag
    }

    /// The gzipped form; `nil` where gzip gains nothing.
    var gzipped: FixedBytes? {
        guard mediaType.isText, bytes.count >= Gzip.worthwhile else { return nil }
        let small = compressed.withLock { kept in
            if let kept { return kept }
            let made = Gzip.compress(bytes, level: 9)
            kept = made
            return made
        }
        return small.count < bytes.count ? FixedBytes(small, mediaType, tag: tag.gzipped) : nil
    }
}
