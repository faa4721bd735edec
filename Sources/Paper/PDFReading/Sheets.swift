public import PDF
public import Work

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
            throw error == .tooLittleMemory ? .tooLittleMemory("\(error)") : .unreadable(error.description)
        }
    }

    /// Of a file that may be damaged. What qpdf cannot put in order poppler may still be able to show, page by page, by its own
    /// reading of it; nobody is refused their paper before that was tried. `reader` is only asked for then.
    public init(
        damaged bytes: [UInt8], reader: () -> PageReader, cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) {
        let reason: String
        do throws(ReadingError) {
            try self.init(bytes: bytes)
            guard frames.isEmpty else { return }
            reason = PDFError.noPages.description
        } catch {
            guard case .unreadable(let why) = error else { throw error }
            reason = why
        }
        let frames = try reader().frames(ofDamaged: bytes, cancellation)
        guard !frames.isEmpty else { throw .unreadable(reason) }
        self.init(bytes: bytes, frames: frames)
    }

    /// The same put in order by qpdf, for whoever stumbles over what is wrong with it; nil where it cannot be.
    public func mended() -> Sheets? {
        guard let file = try? PDFFile(bytes: bytes), file.pages.count == count,
            // A tree of pages of its own: what names them or counts them may be what is wrong.
            let whole = try? PDFAssembly([PDFAssembly.Part(file)]).bytes
        else { return nil }
        return Sheets(bytes: whole, frames: frames)
    }

    private init(bytes: [UInt8], frames: [PageFrame]) {
        self.bytes = bytes
        self.frames = frames
    }

    /// Of a file that is open already.
    public init(_ file: PDFFile) throws(PDFError) {
        frames = file.frames
        bytes = file.encryption == nil ? file.bytes : try file.rewritten()
    }
}
