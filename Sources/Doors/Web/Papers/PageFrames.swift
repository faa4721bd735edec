import PDFReading
import Storage
import Synchronization

/// How large the pages of a paper are. Bytes under a digest never change, so a paper that is looked at again and
/// again is opened once.
final class PageFrames: Sendable {
    private static let mostKept = 128

    private let store: Store
    /// The one used last stands at the end.
    private let kept = Mutex<[(key: Digest, frames: [PageFrame])]>([])

    init(_ store: Store) {
        self.store = store
    }

    func all(of digest: Digest) throws -> [PageFrame] {
        let known = kept.withLock { all -> [PageFrame]? in
            guard let place = all.firstIndex(where: { $0.key == digest }) else { return nil }
            let found = all.remove(at: place)
            all.append(found)
            return found.frames
        }
        if let known { return known }
        let found = try Self.read(store.blobs.read(digest))
        kept.withLock { all in
            all.append((digest, found))
            if all.count > Self.mostKept { all.removeFirst() }
        }
        return found
    }

    static func read(_ bytes: [UInt8]) throws -> [PageFrame] {
        do {
            return try Sheets(bytes: bytes).frames
        } catch {
            throw Failure(.unsupported, "The pages cannot be read: \(error)")
        }
    }
}
