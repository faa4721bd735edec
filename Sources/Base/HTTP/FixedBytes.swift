import Archives
import Synchronization
import Work

/// Bytes that never change while the program runs, such as a style sheet: packed at the first wish and kept.
///
/// What packs best takes up to half a second, so nobody waits for it: until it is there, what packs well is sent.
public final class FixedBytes: Sendable {
    public let bytes: [UInt8]
    public let mediaType: MediaType
    public let tag: ETag
    private let gzip = Mutex<[UInt8]?>(nil)
    private let brotli = Mutex(Best.unasked)

    /// One for all, as nobody waits for it.
    private static let packers = Workers(name: "packing", threads: 1, isPolite: true)

    private enum Best {
        case unasked, asked
        case made([UInt8])
    }

    public init(_ bytes: [UInt8], _ mediaType: MediaType, tag: ETag) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.tag = tag
    }

    /// As it is sent to who takes these; nil where packing gains nothing.
    func packed(_ codings: Set<ContentCoding>) -> (coding: ContentCoding, bytes: FixedBytes)? {
        guard mediaType.isText, bytes.count >= Gzip.worthwhile else { return nil }
        if codings.contains(.brotli), let best = packedBest, best.count < bytes.count {
            return (.brotli, FixedBytes(best, mediaType, tag: tag.packed(.brotli)))
        }
        guard codings.contains(.gzip) else { return nil }
        let small = gzip.withLock { kept in
            if let kept { return kept }
            let made = Gzip.compress(bytes, level: 9)
            kept = made
            return made
        }
        return small.count < bytes.count ? (.gzip, FixedBytes(small, mediaType, tag: tag.packed(.gzip))) : nil
    }

    private var packedBest: [UInt8]? {
        let isFirst = brotli.withLock { best in
            guard case .unasked = best else { return false }
            best = .asked
            return true
        }
        if isFirst {
            Self.packers.submit { [self] in
                // Without memory for it the well packed bytes are as good as for ever.
                guard let packed = brotliPacked(bytes) else { return }
                brotli.withLock { $0 = .made(packed) }
            }
        }
        return brotli.withLock { if case .made(let packed) = $0 { packed } else { nil } }
    }
}

/// How bytes may be packed for the way (RFC 9110 §8.4.1), the best one first.
enum ContentCoding: String, CaseIterable {
    case brotli = "br"
    case gzip
}
