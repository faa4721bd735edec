import PDF
import PDFReading
import Work

/// Pages become pictures of themselves: nothing but what is seen is left of them.
struct RedactionPictures {
    let reader: PageReader
    let cancellation: Cancellation

    private static let dotsPerInch = 200.0

    func pictured(_ bytes: [UInt8], pages: [Int]) throws(RedactionError) -> [UInt8] {
        do {
            let file = try PDFFile(bytes: bytes)
            let sheets = try Sheets(file)
            let references = file.pages
            let around = PaperAround(file)
            let (rework, root) = (around.rework, around.root)
            for page in pages {
                let frame = sheets.frames[page]
                let width = Int((frame.width * Self.dotsPerInch / 72).rounded())
                let drawn = try reader.picture(
                    of: sheets, page: page, width: width, format: .jpeg(quality: 88),
                    cancellation: cancellation)
                let size = reader.size(of: frame, width: width)
                var dictionary = file.dictionary(.reference(references[page])) ?? [:]
                for widget in around.widgets(of: page, dictionary) {
                    guard let reference = widget.reference else { continue }
                    let gone = widget.isField ? around.places(ofField: reference) : [reference]
                    for place in gone { rework.remove(place) }
                }
                let picture = rework.add(
                    [
                        "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(size.width),
                        "Height": .integer(size.height), "BitsPerComponent": .integer(8),
                        "ColorSpace": .name("DeviceRGB"), "Filter": .name("DCTDecode"),
                    ], drawn)
                dictionary = dictionary.without(
                    "Annots", "CropBox", "Rotate", "Group", "StructParents", "TrimBox", "BleedBox", "ArtBox",
                    "UserUnit")
                let (across, up) = (Quad.written(frame.width), Quad.written(frame.height))
                dictionary["MediaBox"] = .array([
                    .integer(0), .integer(0), .real(frame.width), .real(frame.height),
                ])
                dictionary["CropBox"] = dictionary["MediaBox"]
                dictionary["Rotate"] = .integer(0)
                dictionary["Resources"] = .dictionary([
                    "XObject": .dictionary(["P": .reference(picture)])
                ])
                dictionary["Contents"] = .reference(
                    rework.add([:], Array("q \(across) 0 0 \(up) 0 0 cm /P Do Q\n".utf8)))
                rework.put(.dictionary(dictionary), at: references[page])
            }
            var removed: Set<RedactionRemark> = []
            around.cleanCatalog(&removed)
            var catalog = rework.dictionary(.reference(root)) ?? [:]
            // Tags that describe drawing which is no longer there.
            catalog = catalog.without("StructTreeRoot", "MarkInfo")
            rework.put(.dictionary(catalog), at: root)
            return try rework.written(from: root) { _, object in object }
        } catch let error as RedactionError {
            throw error
        } catch {
            throw .unreadable("\(error)")
        }
    }
}
