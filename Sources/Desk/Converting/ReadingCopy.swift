public import Conversion
import Kinds
public import Library
public import Storage
public import Work

extension Converter {
    /// The PDF that stands for a paper of another kind while it is looked at.
    public func readingCopy(
        of document: Document, in store: Store, _ cancellation: Cancellation
    ) throws -> [UInt8] {
        let path = try store.blobs.path(of: document.blob.digest)
        do throws(ConversionError) {
            let made = try convert(
                [ConversionInput(name: document.fileName, .file(path))], to: .pdf, .reading,
                progress: Progress(cancellation: cancellation))
            return made.papers.first?.bytes ?? []
        } catch {
            var failure = Failure(error)
            switch error {
            case .missing, .busy, .cancelled, .tooLittleMemory: break
            // What a paper is to blame for is so the next time, too, and is no damage of the desk.
            default: failure.code = .unsupported
            }
            throw failure
        }
    }
}
