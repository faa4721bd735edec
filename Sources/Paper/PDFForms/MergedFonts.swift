import PDF
import PDFDrawing

/// The fonts of this machine that a merged file uses: one subset of each for all its records.
final class MergedFonts {
    var fonts = FallbackFonts()
    private let stream: PDFStream
    private var number: PDFReference?

    /// Numbers of fonts that copies of a form name before they are taken into the merged file. No file has objects
    /// with numbers so high (ISO 32000-2 Annex C).
    private static let offset = 1 << 24

    init(_ stream: PDFStream) { self.stream = stream }

    /// A number for a font, as copies of forms name it.
    func newDistantReference() -> PDFReference {
        PDFReference(stream.newReference().number + Self.offset)
    }

    /// What such a number is in the merged file.
    static func near(_ reference: PDFReference) -> PDFReference? {
        reference.number >= offset ? PDFReference(reference.number - offset) : nil
    }

    func near(_ reference: PDFReference) -> PDFReference { Self.near(reference) ?? reference }

    /// The font of the numbers at the feet of pages.
    func numberFont() throws -> PDFReference {
        if let number { return number }
        let reference = stream.newReference()
        try stream.put(PageStamp.font, at: reference)
        number = reference
        return reference
    }

    func write() throws {
        try fonts.write(newReference: stream.newReference) { given, dictionary, data in
            let reference = near(given)
            if let data {
                try stream.putStream(dictionary, data, at: reference)
            } else {
                try stream.put(.dictionary(dictionary), at: reference)
            }
        }
    }
}

/// Layers (ISO 32000-2 §8.11) of everything that was merged.
final class MergedLayers {
    private var all: [PDFObject] = []
    private var off: [PDFObject] = []

    func take(_ properties: PDFDictionary) {
        all += properties["OCGs"]?.array ?? []
        off += properties["D"]?.dictionary?["OFF"]?.array ?? []
    }

    var properties: PDFDictionary? {
        if all.isEmpty { return nil }
        return ["OCGs": .array(all), "D": .dictionary(["OFF": .array(off)])]
    }
}
