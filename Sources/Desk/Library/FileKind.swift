import Kinds

/// What people call a kind of file; media types are for programs.
public enum FileKind: String, Sendable, CaseIterable {
    case pdf, image, table, text, slides, mail, webPage, book, archive, office, file

    /// Nil for one that has no better name than its media type.
    public init?(mediaType: String) {
        let essence = mediaType.prefix { $0 != ";" }
        if essence.isEmpty || essence == PaperKind.octets {
            self = .file
            return
        }
        guard let kind = PaperKind(mediaType: essence) else {
            guard essence.hasPrefix("image/") else { return nil }
            self = .image
            return
        }
        switch kind.family {
        case .pdf: self = .pdf
        case .picture, .drawing: self = .image
        case .text, .writing: self = .text
        case .sheet: self = .table
        case .slides: self = .slides
        case .web: self = kind == .svg ? .image : .webPage
        case .mail: self = .mail
        case .book: self = .book
        case .kept:
            switch kind {
            case .zip, .gzip, .sevenZip: self = .archive
            case .outlook: self = .mail
            case .compound: self = .office
            default: return nil
            }
        }
    }
}
