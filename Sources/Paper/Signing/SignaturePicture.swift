import PDF
import PDFDrawing
import PDFReading

/// What a visible signature looks like: a frame, and lines that say who signed and when.
enum SignaturePicture {
    private static let margin = 4.0
    private static let largest = 10.0
    private static let smallest = 4.0

    /// Upright for the reader, also on a page that is turned.
    static func draw(
        _ lines: [String], width: Double, height: Double, rotation: Int, _ file: PDFFile,
        into revision: inout PDFRevision
    ) -> PDFReference {
        let font = TemplateFont.standard(near: "Helvetica", name: "QuireS", file)
        var fonts = FallbackFonts()
        let sets = lines.map { SetText($0[...], font: font) }
        var size = largest
        var rows: [(set: SetText, range: Range<Int>)] = []
        // The largest size at which all lines, broken where they must be, fit above each other.
        while true {
            let limit = (width - 2 * margin) * 1000 / size
            rows = sets.flatMap { set in set.lines(fitting: limit).map { (set, $0) } }
            let isHighEnough = Double(rows.count) * size * 1.2 <= height - 2 * margin
            let isWideEnough = rows.allSatisfy { $0.set.width($0.range) <= limit * 1.001 }
            if isHighEnough && isWideEnough || size <= smallest { break }
            size -= 0.5
        }
        var content: [UInt8] = []
        content.append(text: "q 0.97 0.98 1 rg 0.35 0.42 0.55 RG 0.75 w 0.5 0.5 ")
        content.append(number: width - 1)
        content.append(32)
        content.append(number: height - 1)
        content.append(text: " re B 1 1 ")
        content.append(number: width - 2)
        content.append(32)
        content.append(number: height - 2)
        content.append(text: " re W n BT 0.1 0.12 0.2 rg\n")
        var used: [(name: PDFName, reference: PDFReference)] = []
        var place = height - margin - size * 0.9
        for row in rows {
            content.append(text: "1 0 0 1 ")
            content.append(number: margin)
            content.append(32)
            content.append(number: place)
            content.append(text: " Tm ")
            for run in row.set.runs(row.range) {
                switch run {
                case .form(let codes):
                    content.append(name: font.name)
                    content.append(32)
                    content.append(number: size)
                    content.append(text: " Tf (")
                    for code in codes { content.append(escaping: code) }
                    content.append(text: ") Tj ")
                case .fallback(let fallback):
                    let other = fonts.show(fallback, size: size, into: &content) { revision.newReference() }
                    if !used.contains(where: { $0.name == other.name }) { used.append(other) }
                }
            }
            content.append(10)
            place -= size * 1.2
        }
        content.append(text: "ET Q\n")
        var named: PDFDictionary = [font.name: font.resource]
        for more in used { named[more.name] = .reference(more.reference) }
        fonts.write(into: &revision)
        let matrix: [Int] =
            switch rotation {
            case 90: [0, 1, -1, 0, 0, 0]
            case 180: [-1, 0, 0, -1, 0, 0]
            case 270: [0, -1, 1, 0, 0, 0]
            default: [1, 0, 0, 1, 0, 0]
            }
        let picture = revision.newReference()
        revision.putStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Form"),
                "BBox": .array([.integer(0), .integer(0), .real(width), .real(height)]),
                "Matrix": .array(matrix.map(PDFObject.integer)),
                "Resources": .dictionary(["Font": .dictionary(named)]),
            ], content, at: picture)
        return picture
    }
}
