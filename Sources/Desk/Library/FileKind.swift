/// What people call a kind of file; media types are for programs.
public enum FileKind: String, Sendable, CaseIterable {
    case pdf, image, table, text, slides, mail, webPage, book, archive, office, file

    /// Nil for one that has no better name than its media type.
    public init?(mediaType: String) {
        switch mediaType.prefix(while: { $0 != ";" }) {
        case "", "application/octet-stream": self = .file
        case "application/pdf": self = .pdf
        case "application/rtf", "text/plain", "text/markdown": self = .text
        case "text/csv", "text/tab-separated-values": self = .table
        case "text/html": self = .webPage
        case "message/rfc822", "application/vnd.ms-outlook": self = .mail
        case "application/epub+zip", "application/x-mobipocket-ebook": self = .book
        case "application/zip", "application/gzip", "application/x-7z-compressed": self = .archive
        case "application/x-ole-storage": self = .office
        case "application/vnd.apple.pages": self = .text
        case "application/vnd.apple.numbers": self = .table
        case "application/vnd.apple.keynote": self = .slides
        case let type where type.hasPrefix("image/"): self = .image
        case let type where type.contains("spreadsheet") || type.contains("excel"): self = .table
        case let type where type.contains("presentation") || type.contains("powerpoint"): self = .slides
        case let type where type.contains("word") || type.contains("opendocument.text"): self = .text
        default: return nil
        }
    }
}
