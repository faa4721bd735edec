import Kinds
import Storage
import Writings

/// Where the pages of a paper come from.
enum PageOrigin: Equatable {
    /// A PDF has them.
    case own
    /// Pictures that PDF can hold as they are, laid on a page each time it is looked at.
    case picture
    /// Other pictures, drawn once for a copy (see `ReadingCopies`).
    case drawn
    /// What was written: letters, tables, mails, books. An engine sets it on the pages of a copy when somebody opens it.
    case written

    /// Nil for what has no pages that can be shown.
    init?(_ blob: Blob) {
        guard let kind = PaperKind(mediaType: blob.mediaType) else { return nil }
        switch kind.family {
        case .pdf where blob.byteCount <= PaperPages.largest: self = .own
        case .picture where Self.pictures.contains(kind):
            guard blob.byteCount <= 64 << 20 else { return nil }
            self = .picture
        case .picture where blob.byteCount <= 256 << 20: self = .drawn
        case .pdf, .picture: return nil
        default:
            // Text becomes many pages.
            let isText = kind.convertible == .text || [.markdown, .csv, .tabbed].contains(kind)
            guard kind.convertible != nil, blob.byteCount <= (isText ? 4 << 20 : 64 << 20) else { return nil }
            self = .written
        }
    }

    /// Looked at by a copy.
    var isCopied: Bool { self == .drawn || self == .written }

    /// Each is one page.
    static let pictures: Set<PaperKind> = [.jpeg, .png, .jpeg2000]

    /// Media types of which only an engine knows the words.
    static let old = Set(
        PaperKind.all.filter { kind in
            ![.pdf, .picture, .text, .web, .mail].contains(kind.family) && ![.csv, .tabbed].contains(kind)
                && !WrittenWords.areReadable(in: kind.mediaType)
        }.map(\.mediaType))
}
