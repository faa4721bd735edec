public import PDF

/// A document to be looked at: its bytes as any reader can open them, and the sheets of its pages.
public struct Sheets: Sendable {
    /// Without encryption: what reads them is told no password.
    public let bytes: [UInt8]
    public let frames: [PageFrame]

    public var count: Int { frames.count }

    public init(bytes: [UInt8], password: String? = nil) throws(ReadingError) {
        do throws(PDFError) {
            try self.init(PDFFile(bytes: bytes, password: password))
        } catch {
            throw .unreadable(error.description)
        }
    }

    /// Of a file that is open already.
    public init(_ file: PDFFile) throws(PDFError) {
        frames = file.frames
        bytes = file.encryption == nil ? file.bytes : try file.rewritten()
    }
}
