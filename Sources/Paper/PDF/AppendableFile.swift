/// A file behind which something can be put without changing a byte of it; one that is damaged is mended first, and so is
/// not byte for byte the one that was given.
public struct AppendableFile {
    public let bytes: [UInt8]
    public let file: PDFFile
    public let wasMended: Bool
    private let ending: PDFEnding

    public init(_ given: [UInt8]) throws(PDFError) {
        let opened = try PDFFile(bytes: given)
        // What is put behind a locked file would have to be locked as it is.
        guard opened.encryption == nil else { throw .passwordNeeded }
        if opened.bytes.count == given.count, let ending = PDFEnding(of: given),
            opened.trailer["Root"]?.reference != nil,
            !opened.repairs.contains(where: { $0.contains("reconstruct") })
        {
            (file, bytes, wasMended, self.ending) = (opened, given, false, ending)
            return
        }
        bytes = try opened.rewritten()
        file = try PDFFile(bytes: bytes)
        wasMended = true
        guard let ending = PDFEnding(of: bytes) else { throw .damaged("it cannot be appended to") }
        self.ending = ending
    }

    /// To be put behind `bytes`.
    public func revision() -> PDFRevision {
        PDFRevision(
            behind: bytes.count, ending: ending, trailer: file.trailer, firstFree: file.highestObject + 1)
    }
}
