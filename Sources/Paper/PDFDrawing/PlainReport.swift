import Bytes
public import PDF

/// A paper of words alone, to be read, printed and kept: a title, sentences, headings and lists, over as many pages as they need.
public struct PlainReport: Sendable {
    public enum Line: Sendable, Equatable {
        case title(String)
        case text(String)
        case heading(String)
        case gap
        /// One of a list, with its number or sign beside it.
        case item(String, String)
    }

    private let lines: [Line]
    private let width: Double
    private let height: Double

    private static let margin = 54.0
    private static let indent = 30.0

    public init(_ lines: [Line], onLetter isLetter: Bool) {
        self.lines = lines
        (width, height) = isLetter ? (612, 792) : (595.3, 841.9)
    }

    public func bytes() throws(PDFError) -> [UInt8] {
        let pages = Pages(width: width, height: height, try PDFFile(bytes: Self.blank))
        for line in lines {
            switch line {
            case .title(let text): pages.add(text, .bold, 18, after: 6)
            case .text(let text): pages.add(text, .plain, 10.5, after: 3)
            case .gap: pages.leave(10)
            case .heading(let text):
                pages.leave(10)
                pages.add(text, .bold, 12, after: 4)
            case .item(let label, let text):
                pages.add(text, .plain, 9.5, indent: Self.indent, label, after: 5)
            }
        }
        return pages.finished()
    }

    /// Something to look up the letters of the standard fonts with.
    private static let blank: [UInt8] = {
        var draft = PDFDraft()
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree),
                "MediaBox": .array([.integer(0), .integer(0), .integer(612), .integer(792)]),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]),
            at: tree)
        return draft.bytes(
            root: draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)])))
    }()

    private enum Face { case plain, bold }

    /// The pages as they are written, from the top of the first.
    private final class Pages {
        let width: Double
        let height: Double
        let plain: TemplateFont
        let bold: TemplateFont
        var draft = PDFDraft()
        var pages: [PDFReference] = []
        private lazy var tree = draft.newReference()
        var fonts = FallbackFonts()
        var out: [UInt8] = []
        var used: PDFDictionary = [:]
        var y: Double

        init(width: Double, height: Double, _ file: PDFFile) {
            self.width = width
            self.height = height
            plain = TemplateFont.standard(near: "Helvetica", name: "F", file)
            bold = TemplateFont.standard(near: "Helvetica-Bold", name: "B", file)
            y = height - PlainReport.margin
        }

        func leave(_ gap: Double) { y -= gap }

        /// One line of a list goes on one page, unless it is longer than a page.
        func add(
            _ text: String, _ face: Face, _ size: Double, indent: Double = 0, _ label: String = "",
            after gap: Double
        ) {
            let room = width - 2 * PlainReport.margin - indent
            let lines = TextLines([text], font: face == .bold ? bold : plain, size: size, width: room)
            if y - lines.height < PlainReport.margin, y < height - PlainReport.margin { close() }
            if !label.isEmpty { draw(TextLines([label], font: bold, size: size), indent: 0, size) }
            draw(lines, indent: indent, size)
            y -= lines.height + gap
        }

        private func draw(_ lines: TextLines, indent: Double, _ size: Double) {
            out.append(text: "BT ")
            let named = lines.draw(
                left: PlainReport.margin + indent, baseline: y - size, fonts: &fonts, into: &out,
                newReference: { draft.newReference() })
            out.append(text: "ET\n")
            for entry in named.entries { used[entry.key] = entry.value }
        }

        private func close() {
            if out.isEmpty { return }
            let content = draft.addStream([:], out)
            pages.append(
                draft.add(
                    .dictionary([
                        "Type": .name("Page"), "Parent": .reference(tree),
                        "MediaBox": .array([.integer(0), .integer(0), .real(width), .real(height)]),
                        "Contents": .reference(content),
                        "Resources": .dictionary(["Font": .dictionary(used)]),
                    ])))
            (out, used) = ([], [:])
            y = height - PlainReport.margin
        }

        func finished() -> [UInt8] {
            close()
            fonts.write(newReference: { draft.newReference() }) { reference, entries, data in
                if let data {
                    draft.putStream(entries, data, at: reference)
                } else {
                    draft.put(.dictionary(entries), at: reference)
                }
            }
            draft.put(
                .dictionary([
                    "Type": .name("Pages"), "Kids": .array(pages.map(PDFObject.reference)),
                    "Count": .integer(pages.count),
                ]), at: tree)
            // Added first: what it is asked of would be as it was before.
            let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
            return draft.bytes(root: root)
        }
    }
}
