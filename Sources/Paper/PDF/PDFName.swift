/// A name as the file spells it, without the slash. Names are bytes: most are ASCII, some are UTF-8, a few are
/// neither, and two names are the same only when their bytes are.
public struct PDFName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
    public init(_ text: String) { bytes = Array(text.utf8) }
    public init(stringLiteral text: String) { bytes = Array(text.utf8) }

    /// The name for people: UTF-8 when it is, otherwise as PDFDocEncoding.
    public var text: String { String(validating: bytes, as: UTF8.self) ?? PDFText.fromDocEncoding(bytes) }
    public var description: String { "/" + text }
}
