public import Kinds

/// One way from a kind of paper to another, and the engine that goes it.
public struct Leg: Sendable, Equatable {
    public enum Engine: String, Sendable, CaseIterable {
        /// Our own embedding of pictures.
        case pictures
        /// Leptonica and libheif.
        case drawing
        case chromium, libreoffice, calibre, poppler
        /// Our own reading of words and their places.
        case reading
        case ghostscript
        /// A Gotenberg-compatible server elsewhere.
        case remote
    }

    public let from: PaperKind
    public let to: PaperKind
    public let engine: Engine
}

/// The map of declared conversions, and the shortest way through it.
public enum ConversionMap {
    public static let legs: [Leg] = {
        var legs: [Leg] = []
        func add(_ from: [PaperKind], _ to: [PaperKind], _ engine: Leg.Engine) {
            for one in from {
                for other in to where one != other { legs.append(Leg(from: one, to: other, engine: engine)) }
            }
        }
        add([.jpeg, .jpeg2000, .png], [.pdf], .pictures)
        add([.tiff, .webp, .heic, .heif, .avif, .gif, .bmp, .anymap], [.pdf], .drawing)
        add([.html, .svg, .markdown, .text, .epub, .mail], [.pdf], .chromium)
        add([.html, .svg, .markdown, .text, .mail], [.png, .jpeg, .webp], .chromium)
        let writing: [PaperKind] = [.docx, .doc, .odt, .rtf, .fodt]
        let sheets: [PaperKind] = [.xlsx, .xls, .ods, .fods, .csv, .tabbed]
        let slides: [PaperKind] = [.pptx, .ppt, .odp, .fodp]
        add(writing + sheets + slides + [.odg], [.pdf], .libreoffice)
        add(writing, [.docx, .odt, .doc, .rtf, .text, .html], .libreoffice)
        add(sheets, [.xlsx, .ods, .xls, .csv, .html], .libreoffice)
        add(slides, [.pptx, .odp, .ppt], .libreoffice)
        add([.wpd, .abw, .hwp, .pages, .sxw], [.pdf, .docx, .odt, .rtf, .text, .html], .libreoffice)
        add([.numbers, .sxc, .dbf, .dif, .slk, .lotus], [.pdf, .xlsx, .ods, .csv, .html], .libreoffice)
        add([.keynote, .sxi], [.pdf, .pptx, .odp], .libreoffice)
        add([.sxd, .fodg, .vsd, .vsdx, .pub, .wmf, .emf], [.pdf], .libreoffice)
        add([.mobi, .azw3, .fb2], [.epub], .calibre)
        add([.pdf], [.png, .jpeg], .poppler)
        add([.pdf], [.text, .docx, .csv, .xlsx, .markdown, .epub], .reading)
        return legs
    }()

    /// The fewest legs from one kind to another; nil when there is no way.
    public static func route(from: PaperKind, to: PaperKind) -> [Leg]? {
        if from == to { return [] }
        var ways: [PaperKind: [Leg]] = [from: []]
        var line = [from]
        while !line.isEmpty {
            let here = line.removeFirst()
            let way = ways[here] ?? []
            let isRead = way.contains { $0.engine == .reading }
            let isPicture = way.last.map { [.pictures, .drawing].contains($0.engine) } ?? false
            for leg in legs where leg.from == here && ways[leg.to] == nil {
                // What was read off its pages is written in another way at most: drawn again it would be another paper.
                if isRead, leg.engine != .libreoffice || leg.to == .pdf { continue }
                // On a picture there is nothing to read off; its words are found first, by a step.
                if isPicture, leg.engine == .reading, leg.to != .text { continue }
                ways[leg.to] = way + [leg]
                if leg.to == to { return ways[to] }
                line.append(leg.to)
            }
        }
        return nil
    }

    /// All kinds something can become.
    public static func goals(from: PaperKind) -> [PaperKind] {
        PaperKind.all.filter { $0 != from && route(from: from, to: $0) != nil }
    }
}
