import Glibc
import PDF

/// Long texts that record after record has in the same place: an introduction, a remark, the same clause for everybody.
/// Once enough records had one it is kept in the file once, and the records only name it.
final class RepeatedTexts {
    /// A text in a place, and what it is counted by: computed here, since the same input must give the same bytes on
    /// every run.
    struct Text {
        fileprivate let utf8: UnsafeBufferPointer<UInt8>
        fileprivate let hash: UInt64

        init(_ utf8: UnsafeBufferPointer<UInt8>, at place: Int) {
            self.utf8 = utf8
            var hash = UInt64(truncatingIfNeeded: place) ^ 0xCBF2_9CE4_8422_2325
            let bytes = UnsafeRawBufferPointer(utf8)
            var at = 0
            while at + 8 <= bytes.count {
                hash = (hash ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* Self.factor
                hash ^= hash >> 32
                at += 8
            }
            while at < bytes.count {
                hash = (hash ^ UInt64(bytes[at])) &* Self.factor
                at += 1
            }
            self.hash = hash ^ hash >> 32
        }

        private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    }

    /// A text that is in the file.
    struct Kept {
        /// In its name on the page.
        var number: Int
        var shrunk: Double?
    }

    /// Shorter ones are hardly longer than the name of one that is kept.
    static let shortest = 32
    /// So many records must have had it before.
    private static let often: UInt8 = 8
    /// A form has no more than so many of them: they stay in memory to the end.
    private static let most = 512

    @exclusivity(unchecked) private var texts: [UInt64: (bytes: [UInt8], kept: Kept)] = [:]
    /// How often a text was seen, in a table that forgets: where two texts meet, the later one begins anew.
    @exclusivity(unchecked) private var seen = [(mark: UInt32, count: UInt8)](
        repeating: (0, 0), count: 1 << 12)
    /// Kept, and not yet written.
    @exclusivity(unchecked) var waiting: [(reference: PDFReference, page: Int, content: [UInt8])] = []

    func known(_ text: Text) -> Kept? {
        guard let found = texts[text.hash], found.bytes.count == text.utf8.count,
            let said = text.utf8.baseAddress, memcmp(found.bytes, said, found.bytes.count) == 0
        else { return nil }
        return found.kept
    }

    /// Counts the text in.
    func isFrequent(_ text: Text) -> Bool {
        // Another text of the same hash is in the file already.
        if texts.count == Self.most || texts[text.hash] != nil { return false }
        let slot = Int(text.hash >> 52)
        let mark = UInt32(truncatingIfNeeded: text.hash)
        if seen[slot].mark != mark { seen[slot] = (mark, 0) }
        if seen[slot].count < Self.often { seen[slot].count += 1 }
        return seen[slot].count == Self.often
    }

    func keep(_ text: Text, as kept: Kept) -> Kept {
        texts[text.hash] = (Array(text.utf8), kept)
        return kept
    }
}
