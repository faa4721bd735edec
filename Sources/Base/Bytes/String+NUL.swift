import Glibc

extension String {
    /// Whether U+0000 is in it. Every text that goes into a database is asked this, so a word at a time is looked at.
    public var holdsNUL: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }

    /// The same without U+0000, which no database keeps in a text.
    public var withoutNUL: String { holdsNUL ? replacing("\0", with: "") : self }
}
