/// How a file ends, as far as one must know to append to it (ISO 32000-2 §7.5.6).
public struct PDFEnding: Sendable, Equatable {
    public enum Kind: Sendable { case table, stream }

    /// Offset of the newest cross-reference section.
    public var previous: Int
    public var kind: Kind
    /// True when the file does not end with a line end, so that one must come first.
    public var needsLineEnd: Bool

    /// The ending after revisions of ours were put behind a file, and their trailer. Nil when there is none.
    public init?(_ before: PDFEnding, behind byteCount: Int, adding revisions: [UInt8]) {
        let word = Array("startxref".utf8)
        var at = revisions.count - word.count
        while at >= max(0, revisions.count - 64), !revisions[at...].starts(with: word) { at -= 1 }
        guard at >= max(0, revisions.count - 64) else { return nil }
        var offset = 0
        for byte in revisions[(at + word.count)...].drop(while: PDFObjectReader.isSpace) {
            guard case 48...57 = byte, offset < 1 << 40 else { break }
            offset = offset * 10 + Int(byte - 48)
        }
        guard offset > byteCount, offset - byteCount < revisions.count else { return nil }
        previous = offset
        kind = before.kind
        needsLineEnd = false
    }

    /// The trailer of the section this ending points to, in revisions of ours behind so many bytes.
    public func trailer(behind byteCount: Int, in revisions: [UInt8]) -> PDFDictionary? {
        var at = previous - byteCount
        guard revisions.indices.contains(at) else { return nil }
        // Either a table with its trailer behind it, or the dictionary of a stream.
        while at + 1 < revisions.count,
            revisions[at] != UInt8(ascii: "<") || revisions[at + 1] != UInt8(ascii: "<")
        {
            at += 1
        }
        var reader = PDFObjectReader(revisions, at: at)
        return reader.object().dictionary
    }

    /// Nil when the file cannot be appended to as it is: junk before the header, no or a wrong `startxref`.
    public init?(of bytes: [UInt8]) {
        guard bytes.starts(with: Array("%PDF-".utf8)) else { return nil }
        let word = Array("startxref".utf8)
        // Readers look near the end only; a mark further up would be found by some and not by others.
        let earliest = max(0, bytes.count - 1024)
        var at = bytes.count - word.count
        while at >= earliest, !bytes[at...].starts(with: word) { at -= 1 }
        guard at >= earliest else { return nil }
        at += word.count
        while at < bytes.count, PDFObjectReader.isSpace(bytes[at]) { at += 1 }
        var offset = 0
        var digits = 0
        while at < bytes.count, case 48...57 = bytes[at], digits < 15 {
            offset = offset * 10 + Int(bytes[at] - 48)
            digits += 1
            at += 1
        }
        guard digits > 0, offset > 0, offset < bytes.count else { return nil }
        var section = offset
        while section < bytes.count, PDFObjectReader.isSpace(bytes[section]) { section += 1 }
        guard section < bytes.count else { return nil }
        if bytes[section...].starts(with: Array("xref".utf8)) {
            kind = .table
        } else if case 48...57 = bytes[section] {
            kind = .stream
        } else {
            return nil
        }
        previous = offset
        needsLineEnd = bytes.last != 10 && bytes.last != 13
    }
}
