/// Why the pages of a document could not be looked at.
public enum ReadingError: Error, Sendable, Equatable, CustomStringConvertible {
    case popplerMissing
    /// The document itself cannot be opened; the sentence says why.
    case unreadable(String)
    /// Counted from 1, as people count.
    case noPage(Int, of: Int)
    case tooSlow(page: Int)
    /// A page or what came out of it is larger than anything one could look at.
    case tooLarge(page: Int)
    case failed(page: Int, reason: String)
    case cancelled(reason: String)
    /// No fault of the document; the whole sentence.
    case tooLittleMemory(String)
    /// This machine cannot run programs safely.
    case machine(String)

    public var description: String {
        switch self {
        case .popplerMissing:
            "Looking at pages needs poppler-utils, which is not installed. Install it: apt install poppler-utils"
        case .unreadable(let sentence): sentence
        case .noPage(let page, let count):
            "There is no page \(page): the document has \(count == 1 ? "one page" : "\(count) pages")."
        case .tooSlow(let page): "Page \(page) takes too long to draw, so it was given up."
        case .tooLarge(let page): "Page \(page) is too large to be looked at."
        case .failed(let page, let reason): "Page \(page) could not be looked at: \(reason)."
        case .cancelled(let reason): "Stopped: \(reason)."
        case .tooLittleMemory(let sentence): sentence
        case .machine(let reason): "The program that looks at pages could not be run: \(reason)."
        }
    }
}
