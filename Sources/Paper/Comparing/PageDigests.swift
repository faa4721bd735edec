import Crypto
import PDF
import PDFReading

/// What pages draw as short numbers: two pages with the same one look the same, and neither need be drawn. Pages that look the
/// same may have different ones.
final class PageDigests {
    private let file: PDFFile
    private var known: [PDFReference: [UInt8]] = [:]
    private var open: Set<PDFReference> = []
    private var budget = 400_000

    /// They say where something belongs or when it was made, and are not drawn.
    private static let unseen: Set<PDFName> = [
        "Parent", "StructParents", "StructParent", "Metadata", "PieceInfo", "LastModified", "Thumb", "Length",
    ]
    /// The same of what lies on a page; elsewhere letters such as these are names of fonts and pictures.
    private static let unseenOfNotes: Set<PDFName> = [
        "P", "Popup", "IRT", "M", "CreationDate", "NM", "Dest", "A", "AA", "T", "TU",
    ]
    private static let deepest = 60

    init(_ file: PDFFile) { self.file = file }

    /// Nil where a page leads to more than is looked at.
    func digest(_ page: PDFReference) -> [UInt8]? {
        guard let dictionary = file.dictionary(.reference(page)) else { return nil }
        var out: [UInt8] = []
        for key: PDFName in ["Contents", "Annots"] {
            if let value = dictionary[key] { write(value, 0, &out) }
            out.append(0)
        }
        for key: PDFName in ["Resources", "MediaBox", "CropBox", "Rotate"] {
            if let value = file.inherited(key, by: page) { write(value, 0, &out) }
            out.append(0)
        }
        if let layers = file.catalog["OCProperties"] { write(layers, 0, &out) }
        return budget > 0 ? SHA256.hash(out) : nil
    }

    private func write(_ object: PDFObject, _ depth: Int, _ out: inout [UInt8]) {
        budget -= 1
        guard depth < Self.deepest, budget > 0 else {
            budget = 0
            return
        }
        switch object {
        case .reference(let reference): out += digest(of: reference, depth)
        case .array(let items):
            out.append(text: "[")
            for item in items { write(item, depth + 1, &out) }
            out.append(text: "]")
        case .dictionary(let dictionary): write(dictionary, depth, &out)
        default:
            object.write(into: &out)
            out.append(32)
        }
    }

    private func write(_ dictionary: PDFDictionary, _ depth: Int, _ out: inout [UInt8]) {
        out.append(text: "<<")
        let isNote = dictionary["Rect"] != nil && dictionary["Subtype"] != nil
        let entries = dictionary.entries.filter {
            !Self.unseen.contains($0.key) && !(isNote && Self.unseenOfNotes.contains($0.key))
        }
        for (key, value) in entries.map({ ($0.key.text, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            out += Array(key.utf8)
            out.append(32)
            write(value, depth + 1, &out)
        }
        out.append(text: ">>")
    }

    private func digest(of reference: PDFReference, _ depth: Int) -> [UInt8] {
        if let digest = known[reference] { return digest }
        // What leads back to itself has been counted where it began.
        guard open.insert(reference).inserted else { return [1] }
        defer { open.remove(reference) }
        var out: [UInt8] = []
        write(file.object(reference), depth + 1, &out)
        if file.isStream(reference), budget > 0 {
            out += SHA256.hash(file.storedStream(reference) ?? [])
        }
        let digest = SHA256.hash(out)
        known[reference] = digest
        return digest
    }
}
