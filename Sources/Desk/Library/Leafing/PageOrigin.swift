import Storage

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
        let kind = String(blob.mediaType.prefix { $0 != ";" })
        switch kind {
        case MediaKind.pdf where blob.byteCount <= PaperPages.largest: self = .own
        case _ where Self.pictures.contains(kind) && blob.byteCount <= 64 << 20: self = .picture
        case _ where Self.drawings.contains(kind) && blob.byteCount <= 256 << 20: self = .drawn
        case _ where Self.texts.contains(kind) && blob.byteCount <= 4 << 20,
            _ where Self.writings.contains(kind) && blob.byteCount <= 64 << 20:
            self = .written
        default: return nil
        }
    }

    /// Looked at by a copy.
    var isCopied: Bool { self == .drawn || self == .written }

    /// Each is one page.
    static let pictures: Set<String> = ["image/jpeg", "image/png", "image/jp2"]

    private static let drawings: Set<String> = [
        "image/tiff", "image/heic", "image/heif", "image/avif", "image/webp", "image/gif", "image/bmp",
    ]

    /// They become many pages.
    private static let texts: Set<String> = [
        MediaKind.text, "text/markdown", "text/csv", "text/tab-separated-values", "text/calendar",
        "text/vcard", "application/json", "application/xml", "application/yaml",
    ]

    /// Of which only an engine knows the words.
    static let old: Set<String> = [
        "application/x-mobipocket-ebook", "application/msword", "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint", "application/vnd.apple.pages", "application/vnd.apple.numbers",
        "application/vnd.apple.keynote",
    ]

    private static let writings: Set<String> = old.union([
        MediaKind.mail, MediaKind.html, MediaKind.drawing, "application/rtf", "application/epub+zip",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.graphics",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ])
}
