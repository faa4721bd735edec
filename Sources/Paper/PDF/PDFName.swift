/// A name as the file spells it, without the slash. Names are bytes: most are ASCII, some are UTF-8, a few are
/// neither, and two names are the same only when their bytes are.
///
/// Reading a form means looking thousands of names up, so the value itself has room for the short ones, which are
/// nearly all: they are made and compared without asking for memory.
public struct PDFName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The first eight bytes, then seven more and how many there are in all; the lowest comes first.
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64
    /// All of them, when they are too many.
    @usableFromInline let long: [UInt8]?

    @usableFromInline static let roomyCount = 15
    @usableFromInline static let isLong: UInt64 = 255 << 56

    @inlinable public init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { room in
            room.copyBytes(from: bytes.prefix(Self.roomyCount))
        }
        first = UInt64(littleEndian: words.0)
        if bytes.count <= Self.roomyCount {
            second = UInt64(littleEndian: words.1) | UInt64(bytes.count) << 56
            long = nil
        } else {
            second = UInt64(littleEndian: words.1) | Self.isLong
            long = Array(bytes)
        }
    }

    public init(bytes: [UInt8]) { self = bytes.withUnsafeBufferPointer { PDFName($0) } }

    public init(_ text: String) {
        var text = text
        self = text.withUTF8 { PDFName($0) }
    }

    @inlinable public init(stringLiteral text: StaticString) {
        self.init(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    public var count: Int { long?.count ?? Int(second >> 56) }
    public var bytes: [UInt8] { withBytes { Array($0) } }

    func withBytes<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        if let long { return try long.withUnsafeBytes(read) }
        return try withUnsafeBytes(of: (first.littleEndian, second.littleEndian)) {
            try read(UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
        }
    }

    /// The name for people: UTF-8 when it is, otherwise as PDFDocEncoding.
    public var text: String { String(validating: bytes, as: UTF8.self) ?? PDFText.fromDocEncoding(bytes) }
    public var description: String { "/" + text }

    @inlinable public static func == (a: PDFName, b: PDFName) -> Bool {
        a.first == b.first && a.second == b.second && (a.second < isLong || a.long == b.long)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
        if let long { hasher.combine(long) }
    }
}
