public import PDF

// A file says by itself that it is PDF/A (ISO 19005, pdfaid:part). Whoever changes it in a way that ends this must take the
// word back, or an archive believes it.
extension PDFTools {
    /// The part of PDF/A a file says it keeps to; nil when it says nothing, or cannot be opened.
    public static func claimedArchivePart(_ bytes: [UInt8]) -> Int? {
        (try? PDFFile(bytes: bytes)).flatMap(claimedArchivePart)
    }

    public static func claimedArchivePart(_ file: PDFFile) -> Int? { metadata(file).flatMap(archivePart) }

    /// The same, in metadata.
    static func archivePart(_ claims: String) -> Int? {
        [1, 2, 3, 4].first { part in
            ["pdfaid:part>\(part)<", "pdfaid:part=\"\(part)\"", "pdfaid:part='\(part)'"].contains {
                claims.contains($0)
            }
        }
    }

    /// The same file without that claim; as it is when it makes none.
    public static func unclaimed(_ paper: Paper) throws(ConversionError) -> Paper {
        guard claimedArchivePart(paper.bytes) != nil else { return paper }
        return try changed(paper) { (file, revision) throws(PDFError) in
            var catalog = file.catalog
            let before = metadata(file) ?? ""
            let now =
                before
                .replacing(#/<pdfaid:(\w+)\s*>[^<]*<\/pdfaid:\w+\s*>/#, with: "")
                .replacing(#/\spdfaid:\w+\s*=\s*("[^"]*"|'[^']*')/#, with: "")
            let place = revision.newReference()
            revision.putStream(
                ["Type": .name("Metadata"), "Subtype": .name("XML")], Array(now.utf8), at: place)
            catalog["Metadata"] = .reference(place)
            return catalog
        }
    }
}

extension PaperStep {
    /// Whether a file of this part of PDF/A is none afterwards.
    func endsArchive(part: Int) -> Bool {
        switch self {
        case .encrypt, .merge, .alternate, .split, .pages, .poster, .background, .stamp, .picture, .number,
            .nup,
            .booklet, .resize, .flatten, .sanitise:
            true
        case .attach: part != 3
        // The first part knows no packed objects, and these steps write such.
        case .rotate, .linearize, .setBookmarks, .label, .crop: part == 1
        case .archive, .become, .compress, .listBookmarks, .attachments, .metadata, .recognise: false
        }
    }

    /// Refuses what cannot be: an archive that is locked, or carries files where its part forbids them. `archive` is the
    /// part the papers are of before the first step.
    static func checkOrder(of steps: [PaperStep], archive: Int?) throws(ConversionError) {
        var part = archive
        for step in steps {
            switch step {
            case .archive(let next): part = next
            case .become, .compress: part = nil
            case .encrypt where part != nil:
                throw .badOption(
                    "PDF/A may not be locked. Leave out “pdfa” or “encrypt”; to keep both, make two files.")
            case .attach where part.map { $0 < 3 } ?? false:
                throw .badOption(
                    "Of the archives only PDF/A-3b may carry files. Use pdfa=3b, or attach without pdfa.")
            default: break
            }
        }
    }
}
