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
        let set = TextLines(
            lines, font: font, width: width - 2 * margin, height: height - 2 * margin,
            sizes: smallest...largest)
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
        let named = set.draw(
            left: margin, baseline: height - margin - set.size * 0.9, fonts: &fonts, into: &content
        ) { revision.newReference() }
        content.append(text: "ET Q\n")
        fonts.write(into: &revision)
        let picture = revision.newReference()
        revision.putStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Form"),
                "BBox": .array([.integer(0), .integer(0), .real(width), .real(height)]),
                "Matrix": .array(PageFrame.upright(rotation).map(PDFObject.integer)),
                "Resources": .dictionary(["Font": .dictionary(named)]),
            ], content, at: picture)
        return picture
    }
}
