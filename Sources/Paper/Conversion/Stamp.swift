import PDF
import PDFDrawing

/// A few words drawn on every page: large and pale behind everything, or small in the corner.
struct Stamp {
    let text: String
    let isWatermark: Bool

    func draw(on file: PDFFile, pages: [Int]? = nil) throws(PDFError) {
        // One drawing for all pages of a size.
        var drawn: [String: PDFFile] = [:]
        for page in pages ?? Array(file.pages.indices) {
            let box = Self.box(file, page)
            let key = "\(Int(box.width))×\(Int(box.height))"
            if let stamp = drawn[key] {
                try file.draw(stamp, on: page)
            } else {
                let stamp = try PDFFile(bytes: sheet(width: box.width, height: box.height))
                drawn[key] = stamp
                try file.draw(stamp, on: page)
            }
        }
    }

    private static func box(_ file: PDFFile, _ page: Int) -> PDFRectangle {
        var node = file.dictionary(.reference(file.pages[page])) ?? [:]
        for _ in 0..<50 {
            if let box = PDFRectangle(file.numbers(node["CropBox"]))
                ?? PDFRectangle(file.numbers(node["MediaBox"]))
            {
                return box
            }
            guard let parent = file.dictionary(node["Parent"]) else { break }
            node = parent
        }
        return PDFRectangle(left: 0, bottom: 0, right: 612, top: 792)
    }

    private func sheet(width: Double, height: Double) -> [UInt8] {
        let font = PageFont(.sans, isBold: isWatermark)
        var draft = PDFDraft()
        let written = font.write(into: &draft, letters: Set(font.codes(text)))
        let diagonal = (width * width + height * height).squareRoot()
        let size =
            isWatermark ? min(140, max(8, diagonal * 0.7 / max(1, font.width(text, size: 1)))) : 9
        let length = font.width(text, size: size)
        var content = Array("q /Pale gs BT 0.35 g /Words \(Self.short(size)) Tf ".utf8)
        if isWatermark {
            // Along the diagonal, its middle in the middle of the page.
            let (cosine, sine) = (width / diagonal, height / diagonal)
            let (x, y) = (
                width / 2 - cosine * length / 2 + sine * size * 0.35,
                height / 2 - sine * length / 2 - cosine * size * 0.35
            )
            content +=
                "\([cosine, sine, -sine, cosine, x, y].map(Self.short).joined(separator: " ")) Tm ".utf8
        } else {
            content +=
                "1 0 0 1 \(Self.short(max(12, width - length - 24))) \(Self.short(height - 24)) Tm ".utf8
        }
        font.show(text, into: &content)
        content += "ET Q".utf8
        let stream = draft.addStream([:], content)
        let opacity = PDFObject.real(isWatermark ? 0.25 : 1)
        let pale = draft.add(.dictionary(["Type": .name("ExtGState"), "ca": opacity, "CA": opacity]))
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree),
                "MediaBox": .array([.integer(0), .integer(0), .real(width), .real(height)]),
                "Resources": .dictionary([
                    "Font": .dictionary(["Words": .reference(written)]),
                    "ExtGState": .dictionary(["Pale": .reference(pale)]),
                ]),
                "Contents": .reference(stream),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Count": .integer(1), "Kids": .array([.reference(page)])]),
            at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }

    private static func short(_ value: Double) -> String {
        let hundredths = Int((value * 10000).rounded())
        return "\(Double(hundredths) / 10000)"
    }
}
