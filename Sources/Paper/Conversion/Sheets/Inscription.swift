import Glibc
import PDF
import PDFDrawing
import PDFForms
import PDFReading

/// Where on a sheet something stands.
public enum SheetPlace: String, Sendable, CaseIterable {
    case topLeft = "top-left"
    case top
    case topRight = "top-right"
    case left
    case middle
    case right
    case bottomLeft = "bottom-left"
    case bottom
    case bottomRight = "bottom-right"

    /// Also as others call them: `bottom-center`, `center`.
    init?(written text: String) {
        var word = text.lowercased()
        for end in ["-center", "-centre", "-middle"] where word.hasSuffix(end) {
            word = String(word.dropLast(end.count))
        }
        self.init(rawValue: ["center", "centre"].contains(word) ? "middle" : word)
    }

    /// -1, 0 or 1: to the left and down, in the middle, to the right and up.
    var across: Int {
        switch self {
        case .topLeft, .left, .bottomLeft: -1
        case .top, .middle, .bottom: 0
        case .topRight, .right, .bottomRight: 1
        }
    }

    var up: Int {
        switch self {
        case .topLeft, .top, .topRight: 1
        case .left, .middle, .right: 0
        case .bottomLeft, .bottom, .bottomRight: -1
        }
    }

    /// On the back of a sheet.
    var mirrored: SheetPlace {
        switch self {
        case .topLeft: .topRight
        case .topRight: .topLeft
        case .left: .right
        case .right: .left
        case .bottomLeft: .bottomRight
        case .bottomRight: .bottomLeft
        case .top, .middle, .bottom: self
        }
    }
}

/// Words or a picture at a place of a page, as a reader sees it: upright on turned pages, within what is left of cut ones.
struct Inscription: Equatable {
    enum Matter: Equatable, Hashable {
        case words(String)
        /// PNG or JPEG.
        case picture([UInt8])
        /// What a page of another paper shows, kept in this file.
        case drawing(PDFReference)
    }

    enum Angle: Equatable {
        /// Counterclockwise, in degrees.
        case degrees(Double)
        /// From the lower left corner to the upper right.
        case diagonal
    }

    var matter: Matter
    var place = SheetPlace.middle
    /// From the edge.
    var margin = 24.0
    /// Of letters; nil: as large as fits across the sheet.
    var size: Double? = 10
    /// Of a picture; nil: a third of the sheet at most, of a watermark most of it.
    var width: Double?
    var ink = Ink(red: 0, green: 0, blue: 0)
    var angle = Angle.degrees(0)
    var opacity = 1.0
    var isBold = false
    var isBelow = false
}

/// Draws inscriptions on the pages of one file. What looks the same on several pages is kept once.
struct Inscriber {
    private struct Key: Hashable {
        var matter: Inscription.Matter
        var width: Int
        var height: Int
        var place: SheetPlace
    }

    private var fonts = FallbackFonts()
    private var drawn: [Key: PDFReference] = [:]
    private var pictures: [Inscription.Matter: Picture] = [:]

    /// Something that is drawn as it is: what it shows lies between these bounds of its own.
    private struct Picture {
        var reference: PDFReference
        var bounds = PDFRectangle(left: 0, bottom: 0, right: 1, top: 1)
        /// In points, as it was made.
        var width: Double
        var height: Double
    }

    mutating func draw(
        _ inscription: Inscription, on page: Int, of work: inout PageWork
    ) throws(ConversionError) {
        let sheet = work.sheet(page)
        let key = Key(
            matter: inscription.matter, width: Int(sheet.width), height: Int(sheet.height),
            place: inscription.place)
        let form: PDFReference
        if let known = drawn[key] {
            form = known
        } else {
            form = try made(inscription, on: sheet, of: &work)
            drawn[key] = form
        }
        work.edit(page) { edit in
            let name = edit.name(form)
            // Programs that read aloud or let text flow pass over what was put on afterwards.
            var out = Array("/Artifact BMC q ".utf8)
            out.append(sheet.toPage.numbers, decimals: 5, then: "cm ")
            out.append(name: name)
            out += Array(" Do Q EMC\n".utf8)
            if inscription.isBelow { edit.drawBelow(out) } else { edit.draw(out) }
        }
    }

    /// To be called once, when all is drawn.
    func finish(_ work: inout PageWork) { fonts.write(into: &work.revision) }

    private mutating func made(
        _ inscription: Inscription, on sheet: PageWork.Sheet, of work: inout PageWork
    ) throws(ConversionError) -> PDFReference {
        var out: [UInt8] = []
        var resources: PDFDictionary = [:]
        if inscription.opacity < 1 {
            let opacity = PDFObject.real(min(1, max(0, inscription.opacity)))
            resources["ExtGState"] = .dictionary([
                "Pale": .dictionary(["Type": .name("ExtGState"), "ca": opacity, "CA": opacity])
            ])
            out += Array("/Pale gs ".utf8)
        }
        switch inscription.matter {
        case .words(let text):
            resources["Font"] = .dictionary(
                words(text, inscription, on: sheet, of: &work, into: &out))
        case .picture, .drawing:
            resources["XObject"] = .dictionary([
                "I": .reference(try picture(inscription, on: sheet, of: &work, into: &out))
            ])
        }
        var entries: PDFDictionary = [
            "Type": .name("XObject"), "Subtype": .name("Form"),
            "BBox": .array([0, 0, sheet.width, sheet.height].map(PDFObject.real)),
            "Resources": .dictionary(resources),
        ]
        if inscription.opacity < 1 {
            entries["Group"] = .dictionary(["S": .name("Transparency"), "Type": .name("Group")])
        }
        let form = work.revision.newReference()
        work.revision.putStream(entries, out, at: form)
        return form
    }

    private mutating func words(
        _ text: String, _ inscription: Inscription, on sheet: PageWork.Sheet, of work: inout PageWork,
        into out: inout [UInt8]
    ) -> PDFDictionary {
        let font = TemplateFont.standard(
            near: inscription.isBold ? "Helvetica-Bold" : "Helvetica", name: "QuireW", work.file)
        let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        func set(_ size: Double) -> [TextLines] { rows.map { TextLines([$0], font: font, size: size) } }
        func width(_ lines: [TextLines]) -> Double { max(0.001, lines.map(\.width).max() ?? 0) }
        let usual = set(100)
        let diagonal = (sheet.width * sheet.width + sheet.height * sheet.height).squareRoot()
        let size: Double
        if let wished = inscription.size {
            // What is too long for its sheet becomes smaller, down to what can still be read.
            let room = max(10, sheet.width - 2 * min(inscription.margin, sheet.width / 4))
            size =
                inscription.angle == .degrees(0)
                ? min(wished, max(min(wished, 4), room / width(usual) * 100)) : wished
        } else {
            size = min(140, max(8, diagonal * 0.7 / width(usual) * 100))
        }
        let lines = size == 100 ? usual : set(size)
        let block = (width: width(lines), height: Double(lines.count) * size * TextLines.leading)
        put(block, inscription, on: sheet, into: &out)
        out += Array("BT ".utf8)
        out.append(
            [inscription.ink.red, inscription.ink.green, inscription.ink.blue], decimals: 4, then: "rg ")
        var used: PDFDictionary = [:]
        for (row, line) in lines.enumerated() {
            let spare = block.width - line.width
            let left: Double =
                switch inscription.place.across {
                case -1: 0
                case 0: spare / 2
                default: spare
                }
            let top = block.height / 2 - Double(row) * size * TextLines.leading
            let named = line.draw(
                left: left - block.width / 2, baseline: top - size * (TextLines.leading - 0.26),
                fonts: &fonts, into: &out
            ) { work.revision.newReference() }
            for (name, font) in named.entries { used[name] = font }
        }
        out += Array("ET".utf8)
        return used
    }

    private mutating func picture(
        _ inscription: Inscription, on sheet: PageWork.Sheet, of work: inout PageWork, into out: inout [UInt8]
    ) throws(ConversionError) -> PDFReference {
        let picture: Picture
        if let known = pictures[inscription.matter] {
            picture = known
        } else {
            picture = try kept(inscription.matter, of: &work)
            pictures[inscription.matter] = picture
        }
        let share = inscription.place == .middle ? 0.7 : 1.0 / 3
        let ratio = picture.height / picture.width
        var width = inscription.width ?? min(sheet.width * share, picture.width)
        width = min(width, sheet.width, sheet.height / ratio)
        put((width, width * ratio), inscription, on: sheet, into: &out)
        let bounds = picture.bounds
        let (across, up) = (width / bounds.width, width * ratio / bounds.height)
        out.append(
            [
                across, 0, 0, up, -width / 2 - bounds.left * across, -width * ratio / 2 - bounds.bottom * up,
            ], decimals: 4, then: "cm /I Do")
        return picture.reference
    }

    private func kept(
        _ matter: Inscription.Matter, of work: inout PageWork
    ) throws(ConversionError) -> Picture {
        switch matter {
        case .picture(let bytes):
            guard let image = EmbeddedImage(bytes) else {
                throw .badOption("The picture cannot be read. PNG and JPEG can.")
            }
            let dots = work.revision.newReference()
            image.put(
                at: dots, mask: image.isMasked ? work.revision.newReference() : nil, into: &work.revision)
            return Picture(
                reference: dots, width: Double(image.width) * 72 / 96, height: Double(image.height) * 72 / 96)
        case .drawing(let form):
            let shown = work.file.dictionary(.reference(form))
            let box = PDFRectangle(work.file.numbers(shown?["BBox"]))
            let turn = PDFMatrix(work.file.numbers(shown?["Matrix"])) ?? PDFMatrix()
            guard let bounds = box.map(turn.bounds(of:)), bounds.width > 0, bounds.height > 0 else {
                throw .badOption("The picture cannot be read.")
            }
            return Picture(reference: form, bounds: bounds, width: bounds.width, height: bounds.height)
        case .words: throw .badOption("The picture cannot be read.")
        }
    }

    /// Puts the origin where the middle of a block comes to stand, turned as it is wished.
    private func put(
        _ block: (width: Double, height: Double), _ inscription: Inscription, on sheet: PageWork.Sheet,
        into out: inout [UInt8]
    ) {
        let angle: Double =
            switch inscription.angle {
            case .degrees(let degrees): degrees * .pi / 180
            case .diagonal: atan2(sheet.height, sheet.width)
            }
        let (cosine, sine) = (cos(angle), sin(angle))
        let half = (
            x: (abs(cosine) * block.width + abs(sine) * block.height) / 2,
            y: (abs(sine) * block.width + abs(cosine) * block.height) / 2
        )
        func middle(_ direction: Int, _ length: Double, _ half: Double) -> Double {
            switch direction {
            case -1: inscription.margin + half
            case 0: length / 2
            default: length - inscription.margin - half
            }
        }
        let x = middle(inscription.place.across, sheet.width, half.x)
        let y = middle(inscription.place.up, sheet.height, half.y)
        out.append([cosine, sine, -sine, cosine, x, y], decimals: 5, then: "cm ")
    }
}
