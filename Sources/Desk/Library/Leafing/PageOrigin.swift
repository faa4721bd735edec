import Storage

/// Where the pages of a paper come from.
enum PageOrigin: Equatable {
    /// A PDF has them.
    case own
    /// Pictures that PDF can hold as they are, laid on a page each time it is looked at.
    case picture
    /// All others are shown by a copy (see `ReadingCopies`).
    case copy

    /// Nil for what has no pages that can be shown.
    init?(_ blob: Blob) {
        switch blob.mediaType.prefix(while: { $0 != ";" }) {
        case MediaKind.pdf where blob.byteCount <= PaperPages.largest: self = .own
        case "image/jpeg" where blob.byteCount <= 64 << 20, "image/png" where blob.byteCount <= 64 << 20,
            "image/jp2" where blob.byteCount <= 64 << 20:
            self = .picture
        case let kind where ReadingCopies.pictures.contains(String(kind)) && blob.byteCount <= 256 << 20:
            self = .copy
        default: return nil
        }
    }
}
