public import Bytes
import PDF
import PDFReading
import Work

/// What there is in a PDF beside its looks, counted: what is missing afterwards is lost.
public struct PaperParts: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case signatures, fields, notes, links, bookmarks, tags, words
    }

    public var counts: [Kind: Int] = [:]

    public init(_ json: JSON) {
        for kind in Kind.allCases { counts[kind] = json[kind.rawValue]?.int }
    }

    public var json: JSON {
        .object(
            JSONObject(
                Kind.allCases.compactMap { kind in counts[kind].map { (kind.rawValue, JSON.int($0)) } }))
    }

    /// How many of each are missing in `after`; a word more or less is how letters were put together.
    public func lost(in after: PaperParts) -> [(kind: Kind, count: Int)] {
        Kind.allCases.compactMap { kind in
            guard let before = counts[kind], let left = after.counts[kind] else { return nil }
            let spared = kind == .words ? before / 50 : 0
            return before - left > spared ? (kind, before - left) : nil
        }
    }

    /// Signatures hold only for the file they were given in: of what was written anew none is counted.
    init(_ bytes: [UInt8], keepsSignatures: Bool = true) throws(PDFError) {
        let file = try PDFFile(bytes: bytes)
        counts[.signatures] = keepsSignatures ? file.signatures.count : 0
        counts[.fields] = Self.fields(of: file)
        counts[.bookmarks] = Self.bookmarks(of: file)
        counts[.tags] = file.catalog["StructTreeRoot"] == nil ? 0 : 1
        var (notes, links) = (0, 0)
        for page in file.pages {
            for one in file.array(file.dictionary(.reference(page))?["Annots"]) {
                switch file.resolve(file.dictionary(one)?["Subtype"]).name {
                case "Link": links += 1
                case "Widget", "Popup", nil: break
                default: notes += 1
                }
            }
        }
        (counts[.notes], counts[.links]) = (notes, links)
    }

    /// Words as Poppler reads them, where it is there and the paper is not endless.
    mutating func countWords(_ bytes: [UInt8], _ engines: Engines, _ cancellation: Cancellation) throws {
        guard PageReader.isReady, let sheets = try? Sheets(bytes: bytes), sheets.count <= 300 else { return }
        do {
            let texts = try PageReader(jail: engines.jail).text(of: sheets, cancellation: cancellation)
            counts[.words] = texts.reduce(0) { sum, page in
                page.lines.reduce(sum) { $0 + $1.words.count }
            }
        } catch {
            // Not counted is not said to have stayed.
            if cancellation.isCancelled { throw error }
        }
    }

    /// Those that can be filled in; places for signatures are counted by what stands in them.
    private static func fields(of file: PDFFile) -> Int {
        var (count, left) = (0, 20_000)
        func look(_ list: [PDFObject], _ kind: PDFName?, depth: Int) {
            for object in list where depth < 30 && left > 0 {
                left -= 1
                guard let field = file.dictionary(object) else { continue }
                let kind = file.resolve(field["FT"]).name ?? kind
                let kids = file.array(field["Kids"])
                if kids.contains(where: { file.dictionary($0)?["T"] != nil }) {
                    look(kids, kind, depth: depth + 1)
                } else if kind != nil, kind != "Sig" {
                    count += 1
                }
            }
        }
        look(file.array(file.form?["Fields"]), nil, depth: 0)
        return count
    }

    private static func bookmarks(of file: PDFFile) -> Int {
        var count = 0
        func look(_ first: PDFObject?, depth: Int) {
            var next = first
            while depth < 30, count < 10_000, let node = file.dictionary(next) {
                count += 1
                look(node["First"], depth: depth + 1)
                next = node["Next"]
            }
        }
        look(file.dictionary(file.catalog["Outlines"])?["First"], depth: 0)
        return count
    }
}
