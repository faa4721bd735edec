import Codes
import PDF
import PDFDrawing

/// The front of a printed card: who it is above with their logo, how they are reached below, picture and code on the right.
struct CardWords {
    static let margin = 5 * CardSheet.Size.millimetre

    /// So many of the fields have room.
    private(set) var fieldCount: Int

    private struct Row {
        var lines: TextLines
        var colour: UInt32
        /// Above it.
        var gap: Double
    }

    private let content: CardSheet.Content
    private let card: (width: Double, height: Double)
    private let hasCode: Bool
    private let picture: JPEGPicture?
    private let logo: JPEGPicture?
    /// Of the logo, as it is drawn.
    private var logoSize = (width: 0.0, height: 0.0)
    private var head: [Row] = []
    private var foot: [Row] = []
    private let plain: TemplateFont
    private let bold: TemplateFont

    /// More nobody reads on a card of paper.
    private static let mostFields = 6
    private static let barHeight = 8.0
    private static let logoGap = 4.0
    private static let largestLogo = (
        width: 34 * CardSheet.Size.millimetre, height: 9 * CardSheet.Size.millimetre
    )

    init(
        _ content: CardSheet.Content, on card: (width: Double, height: Double), hasCode: Bool
    ) throws {
        self.content = content
        self.card = card
        self.hasCode = hasCode
        picture = content.photo.flatMap(JPEGPicture.init)
        logo = content.logo.flatMap(JPEGPicture.init)
        (plain, bold) = try TemplateFont.ofThisMachine()
        fieldCount = min(content.fields.count, Self.mostFields)
        // First all of it becomes a little smaller, then the logo, then fields are left out, and only then it becomes small.
        let sizes = [1, 0.95, 0.9, 0.85, 0.8]
        let logos = logo == nil ? [0] : [1, 0.6]
        for count in (0...fieldCount).reversed() {
            for logo in logos {
                for size in sizes where set(count, size, logo: logo) { return }
            }
        }
        for size in stride(from: 0.75, through: 0.2, by: -0.05) where set(0, size, logo: size / 2) { return }
    }

    private mutating func set(_ count: Int, _ scale: Double, logo share: Double) -> Bool {
        fieldCount = count
        if let logo {
            let (width, height) = (Double(logo.width), Double(logo.height))
            let fit = min(
                min(Self.largestLogo.width, room) / width, Self.largestLogo.height / height)
            logoSize = (width * fit * scale * share, height * fit * scale * share)
        }
        func row(
            _ text: String, _ font: TemplateFont, _ size: Double, _ colour: UInt32, gap: Double = 0,
            least: Double = 0.85
        ) -> Row {
            let sizes = size * scale * least...size * scale
            // On one line, smaller if need be; else on two; else on as many as it takes.
            var lines = TextLines([text], font: font, size: sizes.lowerBound, width: room)
            for count in 1...2 where lines.count <= count {
                let height = sizes.upperBound * TextLines.leading * Double(count)
                let larger = TextLines([text], font: font, width: room, height: height, sizes: sizes)
                if larger.count <= count {
                    lines = larger
                    break
                }
            }
            return Row(lines: lines, colour: colour, gap: gap * scale)
        }
        head = [row(content.name, bold, 14, content.text, least: 0.6)]
        if !content.pronouns.isEmpty { head.append(row(content.pronouns, plain, 7, content.soft)) }
        for (place, line) in content.about.enumerated() {
            let isFirst = place == 0
            head.append(
                row(line, plain, 8, isFirst ? content.accent : content.soft, gap: isFirst ? 2 : 0))
        }
        foot = content.fields.prefix(count).map { row($0, plain, 7, content.text, gap: 1) }
        return height(head) + logoHeight + height(foot) + (foot.isEmpty ? 0 : Self.barHeight) <= tall
    }

    /// Letters that no font at hand can show, each once.
    var missing: String {
        var letters = String.UnicodeScalarView()
        for letter in (head + foot).flatMap(\.lines.missing) where !letters.contains(letter) {
            letters.append(letter)
        }
        return String(letters)
    }

    private var logoHeight: Double { logo == nil ? 0 : Self.logoGap + logoSize.height }

    private func height(_ rows: [Row]) -> Double { rows.reduce(0) { $0 + $1.gap + $1.lines.height } }

    // MARK: Places

    /// What telephones read easily: 25 mm, or 40 where the modules are many.
    private var codeSide: Double {
        hasCode ? (content.code.version <= 10 ? 25 : 40) * CardSheet.Size.millimetre : 0
    }

    private var quiet: Double { hasCode ? max(4 * codeSide / Double(content.code.size), 9) : 12 }

    /// On the right, above the code; at the beginning of the words where there is no room for it.
    private var photoSide: Double {
        guard picture != nil else { return 0 }
        let free = card.height - 2 * Self.margin - (hasCode ? codeSide + quiet : 0)
        return min(24 * CardSheet.Size.millimetre, free)
    }

    private var isPhotoAmongWords: Bool { picture != nil && photoSide < 9 * CardSheet.Size.millimetre }
    private static let smallPhoto = 11 * CardSheet.Size.millimetre

    private var room: Double {
        let right = max(codeSide, isPhotoAmongWords ? 0 : photoSide)
        return card.width - 2 * Self.margin - (right > 0 ? right + quiet : 0)
    }

    private var tall: Double {
        card.height - 2 * Self.margin - (isPhotoAmongWords ? Self.smallPhoto + 4 : 0)
    }

    // MARK: Drawing

    func draw(into draft: inout PDFDraft) -> PDFReference {
        var out: [UInt8] = []
        var fonts = FallbackFonts()
        var used = PDFDictionary()
        var pictures = PDFDictionary()
        // All of it stands as the name does.
        let isFromRight = head.first?.lines.runsLeft ?? false
        var y = Self.margin + tall
        func put(_ rows: [Row]) {
            for row in rows {
                y -= row.gap
                out.append(text: "BT ")
                out.append(colour: row.colour)
                let named = row.lines.draw(
                    left: Self.margin, baseline: y - row.lines.size * (TextLines.leading - 0.26),
                    room: room, share: isFromRight ? 1 : 0, fonts: &fonts, into: &out
                ) { draft.newReference() }
                out.append(text: "ET\n")
                // The font without letters shows none.
                for entry in named.entries where entry.key != row.lines.font.name {
                    used[entry.key] = entry.value
                }
                y -= row.lines.height
            }
        }
        put(head)
        if let logo {
            y -= logoHeight
            out.append(text: "q ")
            out.append(
                numbers: logoSize.width, 0, 0, logoSize.height,
                Self.margin + (isFromRight ? room - logoSize.width : 0), y)
            out.append(text: "cm /Logo Do Q\n")
            pictures["Logo"] = .reference(draft.add(logo))
        }
        if !foot.isEmpty {
            out.append(text: "q ")
            out.append(colour: content.accent)
            out.append(rectangle: (Self.margin + (isFromRight ? room - 20 : 0), y - 5, 20, 1.2))
            out.append(text: "f Q\n")
            y = Self.margin + height(foot)
            put(foot)
        }
        if let picture {
            draw(picture, &out)
            pictures["Photo"] = .reference(draft.add(picture))
        }
        var resources: PDFDictionary = ["Font": .dictionary(used)]
        if !pictures.entries.isEmpty { resources["XObject"] = .dictionary(pictures) }
        if hasCode {
            content.code.draw(
                left: card.width - Self.margin - codeSide, bottom: Self.margin, side: codeSide, into: &out)
        }
        draft.add(fonts)
        return draft.face(card, resources, out)
    }

    /// Round, as on the card's page.
    private func draw(_ picture: JPEGPicture, _ out: inout [UInt8]) {
        let side = isPhotoAmongWords ? Self.smallPhoto : photoSide
        let right = card.width - Self.margin
        let left =
            isPhotoAmongWords ? Self.margin : hasCode ? right - (codeSide + side) / 2 : right - side
        let top = hasCode || isPhotoAmongWords ? card.height - Self.margin : (card.height + side) / 2
        let middle = (x: left + side / 2, y: top - side / 2)
        let (r, k) = (side / 2, side / 2 * 0.5523)
        out.append(text: "q ")
        out.append(numbers: middle.x + r, middle.y)
        out.append(text: "m ")
        // A quarter after the other, from each of the four outermost points to the next.
        for (x, y) in [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)] {
            out.append(
                numbers: middle.x + x * r - y * k, middle.y + y * r + x * k, middle.x - y * r + x * k,
                middle.y + x * r + y * k, middle.x - y * r, middle.y + x * r)
            out.append(text: "c ")
        }
        out.append(text: "W n ")
        let scale = side / Double(min(picture.width, picture.height))
        let (width, height) = (Double(picture.width) * scale, Double(picture.height) * scale)
        out.append(numbers: width, 0, 0, height, middle.x - width / 2, middle.y - height / 2)
        out.append(text: "cm /Photo Do Q\n")
    }
}

extension TemplateFont {
    /// Plain and bold.
    static func ofThisMachine() throws -> (TemplateFont, TemplateFont) {
        var empty = PDFDraft()
        let pages = empty.add(
            .dictionary(["Type": .name("Pages"), "Kids": .array([]), "Count": .integer(0)]))
        let root = empty.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(pages)]))
        let file = try PDFFile(bytes: empty.bytes(root: root))
        return (.ofThisMachine(file), .ofThisMachine(isBold: true, file))
    }
}

extension PDFDraft {
    mutating func add(_ fonts: FallbackFonts) {
        fonts.write(newReference: { newReference() }) { reference, entries, data in
            if let data {
                putStream(entries, data, at: reference)
            } else {
                put(.dictionary(entries), at: reference)
            }
        }
    }

    /// A JPEG as it is.
    mutating func add(_ picture: JPEGPicture) -> PDFReference {
        addStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(picture.width),
                "Height": .integer(picture.height), "BitsPerComponent": .integer(8),
                "ColorSpace": .name(picture.isGrey ? "DeviceGray" : "DeviceRGB"),
                "Filter": .name("DCTDecode"),
            ], picture.bytes)
    }
}

extension [UInt8] {
    mutating func append(numbers: Double...) {
        for number in numbers {
            append(number: number, decimals: 3)
            append(32)
        }
    }

    mutating func append(colour: UInt32) {
        append(
            numbers: Double(colour >> 16 & 255) / 255, Double(colour >> 8 & 255) / 255,
            Double(colour & 255) / 255)
        append(text: "rg ")
    }

    mutating func append(rectangle: (x: Double, y: Double, width: Double, height: Double)) {
        append(numbers: rectangle.x, rectangle.y, rectangle.width, rectangle.height)
        append(text: "re ")
    }
}
