public import Codes
import PDF
import PDFDrawing

/// Business cards on a sheet of paper, to be printed and cut along its marks.
///
///     let sheet = CardSheet(card, paper: .a4)
///     let bytes = try sheet.bytes()
///
/// Names are in any script: each letter travels with the paper. What is long becomes smaller, then takes another line;
/// nothing is cut off, and fields that find no room are told.
public struct CardSheet {
    /// What a card says.
    public struct Content: Sendable {
        public var name: String
        /// Small, beside nobody's name but one's own.
        public var pronouns: String
        /// What somebody does, and where.
        public var about: [String]
        /// The first of them are shown, as many as there is room for.
        public var fields: [String]
        /// A square JPEG.
        public var photo: [UInt8]?
        /// A JPEG of any shape, on white.
        public var logo: [UInt8]?
        public var code: QRCode
        /// `0x1E4BA8`, for the paper's own white.
        public var text: UInt32
        public var soft: UInt32
        public var accent: UInt32
        public var language: String

        public init(
            name: String, pronouns: String = "", about: [String] = [], fields: [String] = [],
            photo: [UInt8]? = nil, logo: [UInt8]? = nil, code: QRCode, text: UInt32 = 0,
            soft: UInt32 = 0x555555,
            accent: UInt32 = 0x37474F, language: String = "en"
        ) {
            self.name = name
            self.pronouns = pronouns
            self.about = about
            self.fields = fields
            self.photo = photo
            self.logo = logo
            self.code = code
            self.text = text
            self.soft = soft
            self.accent = accent
            self.language = language
        }
    }

    /// Of one card.
    public enum Size: String, Sendable, CaseIterable {
        case metric = "85x55"
        case inches = "3.5x2in"

        /// What is usual where this paper is.
        public init(for paper: PaperSize) { self = paper == .a4 ? .metric : .inches }

        /// In points.
        var points: (width: Double, height: Double) {
            switch self {
            case .metric: (85 * Self.millimetre, 55 * Self.millimetre)
            case .inches: (252, 144)
            }
        }

        static let millimetre = 72 / 25.4
    }

    public enum Sides: String, Sendable, CaseIterable {
        /// The code beside the words.
        case code = "qr"
        /// Words alone.
        case plain
        /// Words on the front, the code on the back: a page of its own, for printers that print on both sides.
        case both
    }

    public let count: Int
    /// The fields that found no room, by their places.
    public let leftOut: Range<Int>
    /// Letters that no font of this machine has.
    public var missing: String { words.missing }

    private let content: Content
    private let sides: Sides
    private let hasMarks: Bool
    private let page: (width: Double, height: Double)
    private let card: (width: Double, height: Double)
    private let rows: Int
    private let words: CardWords

    private static let columns = 2
    private static let mostRows = 5

    public init(
        _ content: Content, paper: PaperSize = .a4, size: Size? = nil, sides: Sides = .code,
        hasMarks: Bool = true
    ) throws {
        self.content = content
        self.sides = sides
        self.hasMarks = hasMarks
        page = paper.size
        card = (size ?? Size(for: paper)).points
        // Printers leave the outermost millimetres of a sheet empty.
        rows = min(Self.mostRows, Int((page.height - 12 * Size.millimetre) / card.height))
        count = Self.columns * rows
        words = try CardWords(content, on: card, hasCode: sides == .code)
        leftOut = words.fieldCount..<content.fields.count
    }

    /// The same card and paper give the same bytes.
    public func bytes() -> [UInt8] {
        var draft = PDFDraft()
        let tree = draft.newReference()
        var faces = [words.draw(into: &draft)]
        if sides == .both { faces.append(back(&draft)) }
        let pages = faces.map { face -> PDFReference in
            var out: [UInt8] = []
            if hasMarks { cutMarks(&out) }
            for number in 0..<count {
                out.append(text: "q 1 0 0 1 ")
                out.append(number: left + Double(number % Self.columns) * card.width)
                out.append(32)
                out.append(number: bottom + Double(number / Self.columns) * card.height)
                out.append(text: " cm /Card Do Q\n")
            }
            return draft.add(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(tree),
                    "MediaBox": .array([.integer(0), .integer(0), .real(page.width), .real(page.height)]),
                    "Resources": .dictionary(["XObject": .dictionary(["Card": .reference(face)])]),
                    "Contents": .reference(draft.addPacked([:], out)),
                ]))
        }
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(pages.map(PDFObject.reference)),
                "Count": .integer(pages.count),
            ]), at: tree)
        let root = draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(tree), "Lang": .text(content.language),
                // Cards that a printer makes smaller to fit are no longer of their size.
                "ViewerPreferences": .dictionary([
                    "DisplayDocTitle": .boolean(true), "PrintScaling": .name("None"),
                    "Duplex": .name(sides == .both ? "DuplexFlipLongEdge" : "Simplex"),
                ]),
            ]))
        let info = draft.add(.dictionary(["Title": .text(content.name), "Creator": .text("Quire")]))
        return draft.bytes(root: root, extra: ["Info": .reference(info)])
    }

    /// One card by itself in the shape of a picture that goes with a link (1.91 to 1): a page.
    public static func preview(of content: Content) throws -> [UInt8] {
        let card = (width: 252.0, height: 132.3)
        var draft = PDFDraft()
        let face = try CardWords(content, on: card, hasCode: true).draw(into: &draft)
        return draft.paper(of: face, card)
    }

    private var left: Double { (page.width - Double(Self.columns) * card.width) / 2 }
    private var bottom: Double { (page.height - Double(rows) * card.height) / 2 }

    private func back(_ draft: inout PDFDraft) -> PDFReference {
        var out: [UInt8] = []
        let side = min(40 * Size.millimetre, card.height - 2 * CardWords.margin)
        content.code.draw(
            left: (card.width - side) / 2, bottom: (card.height - side) / 2, side: side, into: &out)
        return draft.face(card, [:], out)
    }

    /// At both ends of each cut, outside of the cards.
    private func cutMarks(_ out: inout [UInt8]) {
        let gap = 1.5 * Size.millimetre
        func length(_ edge: Double) -> Double { min(5 * Size.millimetre, edge - 2 * gap) }
        out.append(text: "q 0.4 G 0.35 w\n")
        func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
            for (place, number) in [x1, y1, x2, y2].enumerated() {
                out.append(number: number)
                out.append(text: place == 1 ? " m " : " ")
            }
            out.append(text: "l S\n")
        }
        for column in 0...Self.columns {
            let x = left + Double(column) * card.width
            line(x, bottom - gap, x, bottom - gap - length(bottom))
            line(x, page.height - bottom + gap, x, page.height - bottom + gap + length(bottom))
        }
        for row in 0...rows {
            let y = bottom + Double(row) * card.height
            line(left - gap, y, left - gap - length(left), y)
            line(page.width - left + gap, y, page.width - left + gap + length(left), y)
        }
        out.append(text: "Q\n")
    }
}

extension PDFDraft {
    mutating func addPacked(_ dictionary: PDFDictionary, _ bytes: [UInt8]) -> PDFReference {
        guard let packed = deflated(bytes) else { return addStream(dictionary, bytes) }
        var dictionary = dictionary
        dictionary["Filter"] = .name("FlateDecode")
        return addStream(dictionary, packed)
    }

    /// One page that is all face.
    mutating func paper(of face: PDFReference, _ size: (width: Double, height: Double)) -> [UInt8] {
        let tree = newReference()
        let page = add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree),
                "MediaBox": .array([.integer(0), .integer(0), .real(size.width), .real(size.height)]),
                "Resources": .dictionary(["XObject": .dictionary(["Card": .reference(face)])]),
                "Contents": .reference(addStream([:], Array("/Card Do".utf8))),
            ]))
        put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
            ]), at: tree)
        let root = add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return bytes(root: root)
    }

    /// One side of a card, which stands on the sheet several times and in the file once.
    mutating func face(
        _ size: (width: Double, height: Double), _ resources: PDFDictionary, _ content: [UInt8]
    ) -> PDFReference {
        addPacked(
            [
                "Type": .name("XObject"), "Subtype": .name("Form"),
                "BBox": .array([.integer(0), .integer(0), .real(size.width), .real(size.height)]),
                "Resources": .dictionary(resources),
            ], content)
    }
}

extension QRCode {
    /// Its dark modules, as one shape so that no seam is seen between them.
    func draw(left: Double, bottom: Double, side: Double, into out: inout [UInt8]) {
        let module = side / Double(size)
        out.append(text: "q 0 g\n")
        for y in 0..<size {
            var x = 0
            while x < size {
                var end = x
                while self[end, y] { end += 1 }
                guard end > x else {
                    x += 1
                    continue
                }
                let numbers = [
                    left + Double(x) * module, bottom + Double(size - 1 - y) * module,
                    Double(end - x) * module, module,
                ]
                for number in numbers {
                    out.append(number: number, decimals: 3)
                    out.append(32)
                }
                out.append(text: "re\n")
                x = end
            }
        }
        out.append(text: "f Q\n")
    }
}
