import PDF
import PDFDrawing

/// What happens to text that does not fit its place: the place shows its beginning and “see attachment, item 7”, and pages
/// behind the form show all of it, with links there and back.
public struct Continuation: Sendable, Equatable {
    /// The fields it goes for, and everything below a name; nil means every text field.
    public var fields: Set<String>?
    /// Text is not made smaller than this before it goes on elsewhere, in points.
    public var smallestSize: Double
    /// The words on the page and in the field, for forms in other languages.
    public var title = "Continuation"
    public var reference = "see attachment, item"
    public var item = "item"
    public var back = "Back to page"

    public init(fields: Set<String>? = nil, smallestSize: Double = 6) {
        self.fields = fields
        self.smallestSize = smallestSize
    }

    func takes(_ field: Field) -> Bool {
        guard field.kind == .text, !field.flags.contains(.password) else { return false }
        return fields.map { PreparedForm.Flattening.fields($0).takes(field) } ?? true
    }
}

/// One text that goes on behind the form.
struct ContinuedText: Sendable {
    var number: Int
    var label: String
    var text: String
    /// Where it began: what links lead from and back to.
    var place: (page: Int, rectangle: PDFRectangle)?
}

/// How much of a text a place of a field can show.
struct TextRoom {
    let plan: WidgetPlan
    let field: Field
    let smallestSize: Double

    private var size: Double {
        let own = plan.size == 0 ? smallestSize : min(plan.size, smallestSize)
        return max(1, own)
    }

    func fits(_ text: String) -> Bool {
        if let limit = field.maximumLength, text.count > limit { return false }
        let width = max(1, plan.width - 2 * plan.inset - 2)
        let height = max(1, plan.height - 2 * plan.inset)
        guard field.flags.contains(.multiline) else {
            let line = SetText(
                String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })[...], font: plan.font)
            return line.width(0..<line.count) * plan.stretch / 100 * size / 1000 <= width
        }
        let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            SetText($0.contains("\t") ? String($0.map { $0 == "\t" ? " " : $0 })[...] : $0, font: plan.font)
        }
        let up = paragraphs.map { $0.isSimple ? plan.font.ascent : $0.reach.up }.max() ?? plan.font.ascent
        let down =
            paragraphs.map { $0.isSimple ? plan.font.descent : $0.reach.down }.min() ?? plan.font.descent
        let lead =
            paragraphs.allSatisfy(\.isSimple) ? plan.font.lineHeight : max(plan.font.lineHeight, up - down)
        let count = paragraphs.reduce(0) {
            $0 + $1.lines(fitting: width * 1000 / size * 100 / plan.stretch).count
        }
        // A little air: what just fits here must fit when it is drawn.
        return Double(count - 1) * lead * size + (up - down) * size <= height - 1
    }
}

extension PreparedForm {
    /// The row with texts that are too long cut to what their places show, and those texts in full. Nil when
    /// everything fits.
    func continued(
        columns: FormColumns, row: [FieldValue?], _ filled: Filled, _ rule: Continuation
    ) -> (row: [FieldValue?], texts: [ContinuedText], names: Set<String>)? {
        let long = Set(
            filled.findings.filter { [.clipped, .shrunk, .tooLong].contains($0.kind) }.map(\.field))
        guard !long.isEmpty, form.protection == .none else { return nil }
        var row = row
        var texts: [ContinuedText] = []
        var names: Set<String> = []
        for (index, value) in row.enumerated() {
            guard let value, index < columns.count, let places = columns[index] else { continue }
            let rooms = places.map { plans[$0] }.filter {
                rule.takes($0.field) && long.contains($0.field.name)
            }
            .flatMap { plan in
                plan.widgets.filter { !$0.isHidden }.map {
                    TextRoom(plan: $0, field: plan.field, smallestSize: rule.smallestSize)
                }
            }
            let text = FormData.unified(value.texts.joined(separator: "\n"))
            guard let first = rooms.first, !rooms.allSatisfy({ $0.fits(text) }) else { continue }
            let number = texts.count + 1
            row[index] = .text(Self.beginning(text, rooms, reference: "(\(rule.reference) \(number))"))
            names.formUnion(rooms.map(\.field.name))
            texts.append(
                ContinuedText(
                    number: number, label: first.field.label, text: text,
                    place: first.plan.page.map { ($0, first.plan.rectangle) }))
        }
        return texts.isEmpty ? nil : (row, texts, names)
    }

    /// As many words as fit together with the reference; the bare beginning where not even that has room.
    private static func beginning(_ text: String, _ rooms: [TextRoom], reference: String) -> String {
        func longest(_ tail: String) -> String? {
            let letters = Array(text)
            func shortened(_ count: Int) -> String {
                var kept = letters[..<count]
                while kept.last?.isWhitespace == true { kept.removeLast() }
                return String(kept) + (kept.isEmpty ? "" : tail.isEmpty ? "" : "… ") + tail
            }
            guard rooms.allSatisfy({ $0.fits(shortened(0)) }) else { return nil }
            var low = 0
            var high = letters.count
            while low < high {
                let middle = (low + high + 1) / 2
                if rooms.allSatisfy({ $0.fits(shortened(middle)) }) {
                    low = middle
                } else {
                    high = middle - 1
                }
            }
            // Whole words, where that does not cost too many letters.
            if low < letters.count, let gap = letters[..<low].lastIndex(where: \.isWhitespace), low - gap < 20
            {
                low = gap
            }
            return shortened(low)
        }
        return longest(reference) ?? longest("") ?? ""
    }

    /// The document with pages behind it that show the texts in full.
    func continuing(
        _ filled: Filled, _ texts: [ContinuedText], _ names: Set<String>, _ rule: Continuation
    ) throws(PDFError) -> Filled {
        let file = try PDFFile(bytes: filled.bytes)
        guard let ending = PDFEnding(of: file.bytes), let root = file.catalog["Pages"]?.reference,
            var tree = file.dictionary(root.object)
        else { throw .damaged("its pages make no sense") }
        let pages = file.pages
        var revision = PDFRevision(
            behind: file.bytes.count, ending: ending, trailer: file.trailer,
            firstFree: file.highestObject + 1)
        var writer = ContinuationPages(texts, rule, size: Self.size(of: pages.last, file), file)
        let added = writer.write(into: &revision, parent: root)
        tree["Kids"] = .array(file.array(tree["Kids"]) + added.map(PDFObject.reference))
        tree["Count"] = .integer((file.resolve(tree["Count"]).integer ?? pages.count) + added.count)
        revision.put(.dictionary(tree), at: root)
        // A link at the end of each place: narrow, so that the field can still be clicked.
        var links: [Int: [PDFObject]] = [:]
        for text in texts {
            guard let place = text.place, pages.indices.contains(place.page),
                let target = writer.target(of: text.number)
            else { continue }
            let box = place.rectangle
            let width = min(24, box.width / 2)
            let link = revision.newReference()
            revision.put(
                .dictionary([
                    "Type": .name("Annot"), "Subtype": .name("Link"), "F": .integer(4),
                    "Rect": .array([box.right - width, box.bottom, box.right, box.top].map(PDFObject.real)),
                    "Border": .array([.integer(0), .integer(0), .integer(0)]),
                    "Dest": .array([.reference(target.page), .name("XYZ"), .null, .real(target.top), .null]),
                ]), at: link)
            links[place.page, default: []].append(.reference(link))
        }
        for (page, more) in links.sorted(by: { $0.key < $1.key }) {
            guard var dictionary = file.dictionary(pages[page].object) else { continue }
            dictionary["Annots"] = .array(file.array(dictionary["Annots"]) + more)
            revision.put(.dictionary(dictionary), at: pages[page])
        }
        let identity = Fingerprint.of(revision.out)
        var findings = filled.findings.filter {
            !(names.contains($0.field) && [.clipped, .shrunk, .tooLong].contains($0.kind))
        }
        for name in names.sorted() {
            findings.append(
                Finding(
                    field: name, kind: .continued,
                    message: "The text is longer than its place and goes on behind the form."))
        }
        var result = filled
        result.added += revision.finish(identity: identity)
        result.findings = findings
        result.addedPages = added.count
        return result
    }

    private static func size(of page: PDFReference?, _ file: PDFFile) -> (width: Double, height: Double) {
        var node = page.flatMap { file.dictionary($0.object) }
        for _ in 0..<50 {
            guard let current = node else { break }
            if let box = PDFRectangle(file.numbers(current["MediaBox"])), box.width >= 200, box.height >= 200,
                box.width < 5000, box.height < 5000
            {
                let isSideways = (file.resolve(current["Rotate"]).integer ?? 0) % 180 != 0
                return isSideways ? (box.height, box.width) : (box.width, box.height)
            }
            node = file.dictionary(current["Parent"])
        }
        return (612, 792)
    }
}

/// Sets texts on pages of their own.
private struct ContinuationPages {
    private struct Line {
        var set: SetText
        var range: Range<Int>
        var isHeading = false
        /// The text this line begins.
        var begins: Int?
    }

    private let texts: [ContinuedText]
    private let rule: Continuation
    private let width: Double
    private let height: Double
    private let sources: [PDFReference]
    private let plain: TemplateFont
    private let bold: TemplateFont
    private var targets: [Int: (page: PDFReference, top: Double)] = [:]

    private static let margin = 54.0
    private static let size = 10.0
    private static let headingSize = 12.0
    private static let lead = 14.0

    init(
        _ texts: [ContinuedText], _ rule: Continuation, size: (width: Double, height: Double),
        _ file: PDFFile
    ) {
        self.texts = texts
        self.rule = rule
        (width, height) = size
        sources = file.pages
        plain = .standard(near: "Helvetica", name: "QuireC", file)
        bold = .standard(near: "Helvetica-Bold", name: "QuireCB", file)
    }

    func target(of number: Int) -> (page: PDFReference, top: Double)? { targets[number] }

    mutating func write(into revision: inout PDFRevision, parent: PDFReference) -> [PDFReference] {
        let room = width - 2 * Self.margin
        var lines: [Line] = []
        for text in texts {
            let heading = "\(rule.title) – \(rule.item) \(text.number): \(text.label)"
            for (index, line) in Self.lines(heading, bold, room * 1000 / Self.headingSize).enumerated() {
                lines.append(
                    Line(set: line.0, range: line.1, isHeading: true, begins: index == 0 ? text.number : nil))
            }
            for line in Self.lines(text.text, plain, room * 1000 / Self.size) {
                lines.append(Line(set: line.0, range: line.1))
            }
        }
        var pages: [PDFReference] = []
        var fonts = FallbackFonts()
        var at = 0
        while at < lines.count {
            let page = revision.newReference()
            pages.append(page)
            at = writePage(page, lines, from: at, &fonts, into: &revision, parent: parent)
        }
        fonts.write(into: &revision)
        return pages
    }

    private static func lines(
        _ text: String, _ font: TemplateFont, _ limit: Double
    ) -> [(SetText, Range<Int>)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            let set = SetText(String(paragraph.map { $0 == "\t" ? " " : $0 })[...], font: font)
            let lines = set.lines(fitting: limit)
            return (lines.isEmpty ? [0..<0] : lines).map { (set, $0) }
        }
    }

    private mutating func writePage(
        _ page: PDFReference, _ lines: [Line], from start: Int, _ fonts: inout FallbackFonts,
        into revision: inout PDFRevision,
        parent: PDFReference
    ) -> Int {
        var content: [UInt8] = Array("BT\n0 g\n".utf8)
        var used: [(name: PDFName, reference: PDFReference)] = []
        var annotations: [PDFObject] = []
        var y = height - Self.margin
        var at = start
        while at < lines.count {
            let line = lines[at]
            // A heading has air above it, and never stands alone at the foot of a page.
            if line.begins != nil, at > start {
                y -= Self.lead
                if y < Self.margin + 3 * Self.lead { break }
            }
            guard y >= Self.margin || at == start else { break }
            if let number = line.begins {
                targets[number] = (page, y + Self.lead)
                if let back = backLink(number, at: y, into: &revision) { annotations.append(back) }
            }
            let size = line.isHeading ? Self.headingSize : Self.size
            content.append(text: "1 0 0 1 ")
            content.append(number: Self.margin)
            content.append(32)
            content.append(number: y)
            content.append(text: " Tm ")
            for run in line.set.runs(line.range) {
                switch run {
                case .form(let codes):
                    content.append(name: line.isHeading ? bold.name : plain.name)
                    content.append(32)
                    content.append(number: size)
                    content.append(text: " Tf (")
                    for code in codes { content.append(escaping: code) }
                    content.append(text: ") Tj ")
                case .fallback(let fallback):
                    let font = fonts.show(fallback, size: size, into: &content) { revision.newReference() }
                    if !used.contains(where: { $0.name == font.name }) { used.append(font) }
                }
            }
            content.append(10)
            y -= Self.lead
            at += 1
        }
        content.append(text: "ET\n")
        let stream = revision.newReference()
        revision.putStream([:], content, at: stream)
        var fontEntries: PDFDictionary = [plain.name: plain.resource, bold.name: bold.resource]
        for font in used { fontEntries[font.name] = .reference(font.reference) }
        var entries: PDFDictionary = [
            "Type": .name("Page"), "Parent": .reference(parent), "Contents": .reference(stream),
            "MediaBox": .array([.integer(0), .integer(0), .real(width), .real(height)]),
            "CropBox": .array([.integer(0), .integer(0), .real(width), .real(height)]), "Rotate": .integer(0),
            "Resources": .dictionary(["Font": .dictionary(fontEntries)]),
        ]
        if !annotations.isEmpty { entries["Annots"] = .array(annotations) }
        revision.put(.dictionary(entries), at: page)
        return at
    }

    /// The heading leads back to the field.
    private func backLink(_ number: Int, at y: Double, into revision: inout PDFRevision) -> PDFObject? {
        guard let place = texts.first(where: { $0.number == number })?.place,
            sources.indices.contains(place.page)
        else { return nil }
        let link = revision.newReference()
        revision.put(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Link"), "F": .integer(4),
                "Rect": .array(
                    [Self.margin, y - 3, width - Self.margin, y + Self.headingSize].map(PDFObject.real)),
                "Border": .array([.integer(0), .integer(0), .integer(0)]),
                "Contents": .text("\(rule.back) \(place.page + 1)"),
                "Dest": .array([
                    .reference(sources[place.page]), .name("XYZ"), .null,
                    .real(place.rectangle.top + 20), .null,
                ]),
            ]), at: link)
        return .reference(link)
    }
}
