public import PDF
import PDFDrawing

/// A form with each field's name drawn in its place: what one wants on paper when columns are to be matched to fields.
/// Names too long for their place get a number, and pages behind the form say what the numbers mean.
public struct XRay {
    public let bytes: [UInt8]

    private struct Mark {
        var field: Field
        var number: Int
        var isNumbered = false
    }

    private static let smallestSize = 4.5
    private static let largestSize = 9.0

    public init(_ bytes: [UInt8], password: String? = nil) throws(PDFError) {
        // Written anew first: repaired, without a password, and sound enough to be appended to.
        let opened = try Form.opened(bytes, password)
        let base = try opened.file.rewritten()
        let file = try PDFFile(bytes: base)
        let form = Form(file)
        guard let ending = PDFEnding(of: base), let root = file.trailer["Root"]?.reference else {
            throw .damaged("its end makes no sense")
        }
        var revision = PDFRevision(
            behind: base.count, ending: ending, trailer: file.trailer, firstFree: file.highestObject + 1)
        var marks = form.fields.enumerated().map { Mark(field: $1, number: $0 + 1) }
        let font = TemplateFont.standard(near: "Helvetica", name: "QuireX", file)
        var fonts = FallbackFonts()
        for (index, page) in file.pages.enumerated() {
            guard let dictionary = file.dictionary(page.object) else { continue }
            Self.draw(
                dictionary, page, index, file, &marks, font, &fonts, into: &revision)
        }
        var tree = file.catalog["Pages"]?.reference.flatMap { file.dictionary($0.object) } ?? [:]
        if let place = file.catalog["Pages"]?.reference {
            let added = Self.legend(marks, font, &fonts, into: &revision, parent: place)
            tree["Kids"] = .array(file.array(tree["Kids"]) + added.map(PDFObject.reference))
            tree["Count"] = .integer(file.pages.count + added.count)
            revision.put(.dictionary(tree), at: place)
        }
        // It is a picture of a form and not one to be filled.
        revision.put(.dictionary(file.catalog.without("AcroForm", "Perms", "OpenAction", "AA")), at: root)
        fonts.write(into: &revision)
        let added = revision.finish(identity: Fingerprint.of(revision.out))
        self.bytes = try PDFFile(bytes: base + added).rewritten()
    }

    // MARK: Places

    private static func draw(
        _ page: PDFDictionary, _ reference: PDFReference, _ index: Int, _ file: PDFFile,
        _ marks: inout [Mark],
        _ font: TemplateFont, _ fonts: inout FallbackFonts, into revision: inout PDFRevision
    ) {
        let turn = ((rotation(page, file) % 360) + 360) % 360
        var content: [UInt8] = Array("\nQ\nq\n".utf8)
        var used: [(name: PDFName, reference: PDFReference)] = []
        var isMarked = false
        for place in marks.indices {
            for widget in marks[place].field.widgets where widget.page == index {
                isMarked = true
                let box = widget.rectangle
                content.append(contentsOf: colour(marks[place].field.kind).utf8)
                for number in [box.left, box.bottom, box.width, box.height] {
                    content.append(number: number)
                    content.append(32)
                }
                content.append(text: "re B\n")
                let isSideways = turn == 90 || turn == 270
                let width = isSideways ? box.height : box.width
                let height = isSideways ? box.width : box.height
                var set = SetText(single(marks[place].field.name)[...], font: font)
                var size = fitting(set, width, height)
                if size < smallestSize {
                    marks[place].isNumbered = true
                    set = SetText("\(marks[place].number)"[...], font: font)
                    size = max(3, fitting(set, width, height))
                }
                let lift = (height - font.capitals * size) / 2
                let start: [Double] =
                    switch turn {
                    case 90: [0, 1, -1, 0, box.right - lift, box.bottom + 1]
                    case 180: [-1, 0, 0, -1, box.right - 1, box.top - lift]
                    case 270: [0, -1, 1, 0, box.left + lift, box.top - 1]
                    default: [1, 0, 0, 1, box.left + 1, box.bottom + lift]
                    }
                content.append(text: "BT 0 g ")
                for number in start {
                    content.append(number: number)
                    content.append(32)
                }
                content.append(text: "Tm ")
                show(set, 0..<set.count, size, font, into: &content, &fonts, &used, &revision)
                content.append(text: "ET\n")
            }
        }
        guard isMarked else { return }
        content.append(text: "Q\n")
        let opening = revision.newReference()
        revision.putStream([:], Array("q\n".utf8), at: opening)
        let overlay = revision.newReference()
        revision.putStream([:], content, at: overlay)
        let contents: [PDFObject] =
            if let list = file.resolve(page["Contents"]).array { list } else {
                page["Contents"].map { [$0] } ?? []
            }
        var resources = file.dictionary(file.inherited("Resources", by: page)) ?? [:]
        var named = file.dictionary(resources["Font"]) ?? [:]
        named[font.name] = font.resource
        for more in used { named[more.name] = .reference(more.reference) }
        resources["Font"] = .dictionary(named)
        var changed = page
        changed["Resources"] = .dictionary(resources)
        changed["Contents"] = .array([.reference(opening)] + contents + [.reference(overlay)])
        changed["Annots"] = .array(
            file.array(page["Annots"]).filter {
                file.resolve(file.dictionary($0)?["Subtype"]).name != "Widget"
            })
        revision.put(.dictionary(changed), at: reference)
    }

    private static func fitting(_ set: SetText, _ width: Double, _ height: Double) -> Double {
        let units = set.width(0..<set.count)
        let widest = units > 0 ? (width - 2) * 1000 / units : largestSize
        return min(largestSize, widest, max(2, height * 0.9))
    }

    private static func show(
        _ set: SetText, _ range: Range<Int>, _ size: Double, _ font: TemplateFont,
        into content: inout [UInt8],
        _ fonts: inout FallbackFonts, _ used: inout [(name: PDFName, reference: PDFReference)],
        _ revision: inout PDFRevision
    ) {
        for run in set.runs(range) {
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
    }

    /// A light ground and a line of the same colour, one for each kind.
    private static func colour(_ kind: Field.Kind) -> String {
        switch kind {
        case .text, .barcode: "0.85 0.92 1 rg 0.2 0.45 0.8 RG 0.4 w "
        case .checkBox, .radio: "0.85 0.97 0.85 rg 0.15 0.55 0.2 RG 0.4 w "
        case .combo, .list: "1 0.93 0.8 rg 0.8 0.5 0.1 RG 0.4 w "
        case .signature: "1 0.87 0.87 rg 0.75 0.15 0.15 RG 0.4 w "
        case .pushButton, .unknown: "0.92 0.92 0.92 rg 0.5 0.5 0.5 RG 0.4 w "
        }
    }

    private static func single(_ name: String) -> String {
        String((name.isEmpty ? "(no name)" : name).map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    private static func rotation(_ page: PDFDictionary, _ file: PDFFile) -> Int {
        file.resolve(file.inherited("Rotate", by: page)).integer ?? 0
    }

    // MARK: What the numbers mean

    private static func legend(
        _ marks: [Mark], _ font: TemplateFont, _ fonts: inout FallbackFonts, into revision: inout PDFRevision,
        parent: PDFReference
    ) -> [PDFReference] {
        let lead = 12.0
        let perPage = Int((792 - 2 * 48) / lead)
        var lines: [(set: SetText, range: Range<Int>)] = []
        for mark in marks where mark.isNumbered {
            let page = mark.field.widgets.compactMap(\.page).first.map { ", page \($0 + 1)" } ?? ""
            var text = "\(mark.number)  \(single(mark.field.name))  (\(mark.field.kind.rawValue)\(page))"
            if !mark.field.states.isEmpty { text += "  \(mark.field.states.joined(separator: " / "))" }
            let set = SetText(single(text)[...], font: font)
            lines += set.lines(fitting: 516 * 1000 / 9).map { (set, $0) }
        }
        var pages: [PDFReference] = []
        for start in stride(from: 0, to: lines.count, by: perPage) {
            var content: [UInt8] = Array("BT 0 g\n".utf8)
            var used: [(name: PDFName, reference: PDFReference)] = []
            for (index, line) in lines[start..<min(start + perPage, lines.count)].enumerated() {
                content.append(text: "1 0 0 1 48 ")
                content.append(number: 792 - 48 - Double(index + 1) * lead)
                content.append(text: " Tm ")
                show(line.set, line.range, 9, font, into: &content, &fonts, &used, &revision)
                content.append(10)
            }
            content.append(text: "ET\n")
            let stream = revision.newReference()
            revision.putStream([:], content, at: stream)
            var named: PDFDictionary = [font.name: font.resource]
            for more in used { named[more.name] = .reference(more.reference) }
            let page = revision.newReference()
            revision.put(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(parent), "Contents": .reference(stream),
                    "MediaBox": .array([0, 0, 612, 792].map(PDFObject.integer)), "Rotate": .integer(0),
                    "Resources": .dictionary(["Font": .dictionary(named)]),
                ]), at: page)
            pages.append(page)
        }
        return pages
    }
}
