import PDF

/// Long texts that record after record has in the same place: an introduction, a remark, the same clause for everybody.
/// Once enough records had one it is kept in the file once, and the records only name it.
final class RepeatedTexts {
    struct Text {
        /// In its name on the page.
        var number: Int
        var shrunk: Double?
    }

    private struct Key: Hashable {
        var place: Int
        var text: [UInt8]
    }

    /// Shorter ones are hardly longer than the name of one that is kept.
    static let shortest = 32
    /// So many records must have had it before.
    private static let often: UInt8 = 8
    /// A form has no more than so many of them: they stay in memory to the end.
    private static let most = 512

    private var texts: [Key: Text] = [:]
    /// How often a text was seen, in a table that forgets: where two texts meet, the later one begins anew. What it
    /// counts by is computed here, since the same input must give the same bytes on every run.
    private var seen = [(mark: UInt32, count: UInt8)](repeating: (0, 0), count: 1 << 12)
    /// Kept, and not yet written.
    var waiting: [(reference: PDFReference, page: Int, content: [UInt8])] = []

    func known(_ utf8: UnsafeBufferPointer<UInt8>, at place: Int) -> Text? {
        texts.isEmpty ? nil : texts[Key(place: place, text: Array(utf8))]
    }

    /// Counts the text in.
    func isFrequent(_ utf8: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        if texts.count == Self.most { return false }
        var hash = UInt64(truncatingIfNeeded: place) ^ 0xCBF2_9CE4_8422_2325
        for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let slot = Int(hash >> 52)
        let mark = UInt32(truncatingIfNeeded: hash >> 16)
        if seen[slot].mark != mark { seen[slot] = (mark, 0) }
        if seen[slot].count < Self.often { seen[slot].count += 1 }
        return seen[slot].count == Self.often
    }

    func keep(_ utf8: UnsafeBufferPointer<UInt8>, at place: Int, as text: Text) -> Text {
        texts[Key(place: place, text: Array(utf8))] = text
        return text
    }
}
