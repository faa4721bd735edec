/// How a file ends, as far as one must know to append to it (ISO 32000-2 §7.5.6).
public struct PDFEnding: Sendable, Equatable {
    public enum Kind: Sendable { case table, stream }

    /// Offset of the newest cross-reference section.
    public var previous: Int
    public var kind: Kind
    /// True when the file does not end with a line end, so that one must come first.
    public var needsLineEnd: Bool

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
