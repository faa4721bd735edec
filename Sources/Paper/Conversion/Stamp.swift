import Glibc
import PDF
import PDFDrawing

/// How the words of a stamp look, where the usual look is not wanted.
public struct StampLook: Sendable {
    /// The size of its letters; as large as fits when it is not said.
    public var points: Double?
    /// Red, green and blue, each from 0 to 1.
    public var color: (red: Double, green: Double, blue: Double)?
    /// Counterclockwise, in degrees; along the diagonal when it is not said.
    public var rotation: Double?
    /// From 0, unseen, to 1.
    public var opacity: Double?

    public init() {}
}

/// A few words drawn on every page: large and pale across all of it, or small in the corner.
struct Stamp {
    let text: String
    let isWatermark: Bool
    var look = StampLook()

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
        let usual = isWatermark ? min(140, max(8, diagonal * 0.7 / max(1, font.width(text, size: 1)))) : 9
        let size = look.points.map { min(1000, max(1, $0)) } ?? usual
        let length = font.width(text, size: size)
        let color = look.color ?? (0.35, 0.35, 0.35)
        let ink = [color.red, color.green, color.blue].map(Self.short).joined(separator: " ")
        var content = Array("q /Pale gs BT \(ink) rg /Words \(Self.short(size)) Tf ".utf8)
        if isWatermark {
            // Its middle in the middle of the page.
            let angle = look.rotation.map { $0 * .pi / 180 }
            let (cosine, sine) = angle.map { (cos($0), sin($0)) } ?? (width / diagonal, height / diagonal)
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
        let opacity = PDFObject.real(min(1, max(0, look.opacity ?? (isWatermark ? 0.25 : 1))))
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
